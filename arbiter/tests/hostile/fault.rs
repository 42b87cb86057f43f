//! What it does wrong, by name.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;

use crate::rule::Rule;

/// All faults, and what each is.
pub(crate) const NAMES: &[(&str, &str)] = &[
    // It is late, or never comes.
    ("silent", "never says anything"),
    ("no-readyok", "does not answer isready"),
    ("no-bestmove", "does not answer go, nor stop"),
    ("ignore-stop", "does not hear stop, and goes on until its time is over"),
    ("ignore-quit", "does not hear quit"),
    ("ignore-end", "does not hear that its input is over"),
    ("hang-at-newgame", "says and hears nothing after ucinewgame"),
    ("deaf", "says all that a session asks for and never reads"),
    // It ends.
    ("crash-at-start", "aborts before it says anything"),
    ("crash-at-go", "aborts at go"),
    ("crash-at-quit", "aborts at quit"),
    ("crash-at-newgame", "aborts at ucinewgame"),
    ("exit-at-go", "ends with status 0 at go"),
    ("crash-at-mate", "aborts at go where a move mates"),
    ("silent-at-mate", "says and hears nothing after go where a move mates"),
    ("crash-later", "aborts at its second go"),
    ("crash-once", "aborts at one go after ucinewgame, and in no process again"),
    ("hang-once", "says and hears nothing after one go after ucinewgame, and in no process again"),
    ("orphan", "closes its output and lives on"),
    ("child", "has a child that holds its pipes and never ends"),
    ("escaped-child", "has such a child in a group of its own, which ends after some seconds"),
    // It says too much.
    ("flood-output", "writes lines without end at go"),
    ("flood-steadily", "writes lines without end at go, no faster than they are read"),
    ("flood-error", "writes lines without end to standard error at go"),
    ("flood-line", "writes one line without end at go"),
    ("flood-unasked", "writes lines without end after uciok"),
    // It speaks badly.
    ("crlf", "ends lines with CR LF"),
    ("halves", "writes each line in two halves, with time between them"),
    ("binary", "writes bytes that are no text between its lines"),
    ("shuffled", "writes the fields of info in another order, and garbled ones among them"),
    ("unfinished", "ends at go in the middle of a line"),
    // It lies.
    ("unsound-mate", "announces a mate in two that nobody sees"),
    ("unsound-in-nodes", "the same, but only where it is given nodes"),
    ("unsound-later", "the same, but only from its second search on"),
    ("unsound-once", "the same, but only in one search after ucinewgame, and in no process again"),
    ("one-line", "tells only the last line of a search"),
    ("wrong-sign", "announces its own mates for the other side"),
    ("illegal-move", "plays a move of a piece that is not there"),
    ("drift", "plays another legal move each time, in each process"),
    ("blank", "plays any legal move, and scores 0 whatever it sees"),
    // It does not keep limits.
    ("nodes-are-forever", "takes a limit of nodes for none"),
    ("nodes-are-nothing", "stops at depth 1 where it is given nodes"),
    ("depth-is-forever", "takes a limit of depth for none"),
    ("late", "thinks 300 ms longer than movetime says"),
    ("movetime-is-forever", "takes movetime for no limit"),
    // It errs in its moves, and in its counts.
    ("no-en-passant", "knows no en passant"),
    ("queens-only", "promotes to queens only"),
    ("castles-through-check", "castles wherever nothing stands between"),
    ("no-pins", "moves men that are pinned"),
    ("no-evasions", "makes any move of any man but the king in check"),
    ("rash-king", "steps into check"),
    ("jumping-pawns", "steps with pawns over men"),
    ("miscount", "counts one too many at depth 2"),
    ("no-perft", "does not count"),
    ("bare-perft", "counts when told perft, not go perft, and tells no more than the sum"),
    ("crash-at-castling", "aborts at go where castling is possible"),
    // It loses on time.
    ("slow", "takes twice the time that it has left"),
];

/// Some of them.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    names: BTreeSet<String>,
    /// What it says instead.
    pub(crate) said: Vec<Rule>,
    /// What it does when it hears a line.
    pub(crate) heard: Vec<Rule>,
    /// The file that tells all processes whether it was done what is done once.
    pub(crate) once: Option<PathBuf>,
}

impl Faults {
    pub(crate) fn add(&mut self, name: &str) -> Result<(), String> {
        if !NAMES.iter().any(|(known, _)| *known == name) {
            return Err(format!("{name} is no fault"));
        }
        self.names.insert(name.to_owned());
        Ok(())
    }

    /// Whether it has a fault that shows once, and none of its processes has shown it.
    pub(crate) fn now(&self, name: &str) -> bool {
        let is_first = |path: &PathBuf| File::create_new(path).is_ok();
        self.has(name) && self.once.as_ref().is_some_and(is_first)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        debug_assert!(NAMES.iter().any(|(known, _)| *known == name), "{name} is listed");
        self.names.contains(name)
    }
}
