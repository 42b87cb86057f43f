//! The faults, by name.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;
use std::sync::LazyLock;

use crate::rule::Rule;

/// All faults, and what each one does.
pub(crate) const NAMES: &[(&str, &str)] = &[
    // Late or missing answers.
    ("silent", "never prints anything"),
    ("uciok-unasked", "prints the answer to uci at its start too"),
    ("needs-newgame", "does not answer go before ucinewgame, and says so"),
    ("no-readyok", "does not answer isready"),
    ("no-bestmove", "does not answer go, nor stop"),
    ("ignore-stop", "ignores stop"),
    ("ignore-quit", "ignores quit"),
    ("ignore-end", "ignores the end of its input"),
    ("loses-stop", "ignores stop in one of 50 searches with threads"),
    ("answers-twice", "answers twice in one of 50 searches with threads"),
    ("hang-at-newgame", "hangs after ucinewgame"),
    ("deaf", "prints all answers of a session at once and never reads"),
    // Crashes and exits.
    ("crash-at-start", "aborts before it prints anything"),
    ("crash-at-go", "aborts at go"),
    ("crash-at-quit", "aborts at quit"),
    ("crash-at-end", "aborts at the end of its input while it searches"),
    ("short-history", "aborts at quit after a game of more than 256 plies"),
    ("history-of-224", "aborts at position after more than 224 plies without a pawn move or capture"),
    ("crash-at-newgame", "aborts at ucinewgame"),
    ("exit-at-go", "ends with status 0 at go"),
    ("crash-at-mate", "aborts at go if a move mates"),
    ("silent-at-mate", "hangs at go if a move mates"),
    ("crash-later", "aborts at its second go"),
    ("crash-after-mate", "aborts at go if no move mates, after a search in which one did"),
    ("crash-once", "aborts at one go after ucinewgame, in one process only"),
    ("hang-once", "hangs at one go after ucinewgame, in one process only"),
    ("orphan", "closes its output and keeps running"),
    ("child", "has a child that holds its pipes and never ends"),
    ("escaped-child", "has such a child in its own process group, which ends after a second"),
    // Too much output.
    ("flood-output", "writes lines without end at go"),
    ("flood-steadily", "writes lines without end at go, no faster than they are read"),
    ("flood-error", "writes lines without end to standard error at go"),
    ("flood-line", "writes one line without end at go"),
    ("flood-unasked", "writes lines without end after uciok"),
    ("greedy", "takes memory at go until it has 1 GiB, and does not answer"),
    // Badly formed lines.
    ("crlf", "ends lines with CR LF"),
    ("halves", "writes each line in two halves, with time between them"),
    ("binary", "writes bytes that are not text between its lines"),
    ("shuffled", "writes the fields of info in another order, with garbled ones among them"),
    ("unfinished", "ends at go in the middle of a line"),
    // Wrong answers.
    ("keeps-searchmoves", "searches only the moves of the last searchmoves, also if they are not legal"),
    ("unsound-mate", "announces a mate in two where there is none"),
    ("unsound-in-nodes", "the same, but only with a limit of nodes"),
    ("unsound-later", "the same, but only from its second search on"),
    ("unsound-once", "the same, but only in one search after ucinewgame, in one process only"),
    ("plays-on", "goes on with its lines after the last man that could mate is taken"),
    ("one-line", "prints only the last line of a search"),
    ("overfull", "prints hashfull 2000 with a hash table of 1 MB"),
    ("wrong-sign", "announces its own mates for the other side"),
    ("illegal-move", "plays a move of a piece that is not there"),
    ("illegal-second", "plays such a move at its second go of a process only"),
    ("threadless", "names no move after Threads 0"),
    ("drift", "plays another legal move each time, in each process"),
    ("blank", "plays any legal move and scores 0 in every position"),
    ("shallow-stalemate", "stalemates at depth 1 wherever it can, and at no greater depth"),
    // Limits that are not kept.
    ("nodes-are-forever", "ignores a limit of nodes"),
    ("nodes-are-nothing", "stops at depth 1 with a limit of nodes"),
    ("depth-is-forever", "ignores a limit of depth"),
    ("late", "searches 300 ms longer than movetime"),
    ("movetime-is-forever", "ignores movetime"),
    ("thinks-on", "answers each go after six seconds, whatever its limit, and prints no score"),
    ("clock-only", "does not search at go depth, go nodes, go movetime and go mate"),
    // Wrong moves and wrong counts.
    ("no-en-passant", "has no en passant"),
    ("queens-only", "promotes to queens only"),
    ("castles-through-check", "castles whenever the squares between king and rook are empty"),
    ("no-pins", "moves pinned men"),
    ("no-evasions", "in check, makes any move of any man but the king"),
    ("rash-king", "moves its king into check"),
    ("jumping-pawns", "moves pawns over men"),
    ("miscount", "counts one too many at depth 2"),
    ("no-perft", "has no perft"),
    ("bare-perft", "counts with perft, not with go perft, and prints only the total"),
    ("crash-at-castling", "aborts at go if castling is legal"),
    // Time forfeits.
    ("slow", "uses twice the time on its clock"),
];

/// The names alone: they are asked for at each move of each search.
static KNOWN: LazyLock<BTreeSet<&str>> = LazyLock::new(|| NAMES.iter().map(|(name, _)| *name).collect());

/// The faults of this process.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    names: BTreeSet<String>,
    /// Rules for printed lines.
    pub(crate) said: Vec<Rule>,
    /// Rules for input lines.
    pub(crate) heard: Vec<Rule>,
    /// The file that exists once a fault that shows once has shown.
    pub(crate) once: Option<PathBuf>,
}

impl Faults {
    pub(crate) fn add(&mut self, name: &str) -> Result<(), String> {
        if !KNOWN.contains(name) {
            return Err(format!("{name} is not a fault"));
        }
        self.names.insert(name.to_owned());
        Ok(())
    }

    /// Whether a fault that shows once shows now.
    pub(crate) fn now(&self, name: &str) -> bool {
        let is_first = |path: &PathBuf| File::create_new(path).is_ok();
        self.has(name) && self.once.as_ref().is_some_and(is_first)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        debug_assert!(KNOWN.contains(name), "{name} is listed");
        self.names.contains(name)
    }
}
