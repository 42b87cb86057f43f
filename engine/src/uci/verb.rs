//! The commands by name, and what each is for: one table, which `help` prints.
//!
//! Knows nothing of what follows a command's name.

use std::fmt::Write;

use super::words;

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Uci,
    IsReady,
    NewGame,
    SetOption,
    Position,
    Go,
    Stop,
    PonderHit,
    Quit,
    Debug,
    Display,
    Eval,
    Bench,
    Help,
}

const VERBS: [(&str, Verb, &str); 14] = [
    ("uci", Verb::Uci, "who this is, and its options"),
    ("isready", Verb::IsReady, "answered by readyok, also during a search"),
    ("ucinewgame", Verb::NewGame, "forget what was learnt"),
    ("setoption", Verb::SetOption, "name NAME [value VALUE]"),
    ("position", Verb::Position, "startpos | fen FEN [moves MOVE...]"),
    (
        "go",
        Verb::Go,
        "[depth N] [nodes N] [mate N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] \
         [infinite] [ponder] [searchmoves MOVE...], or perft N",
    ),
    ("stop", Verb::Stop, "end the search and answer"),
    ("ponderhit", Verb::PonderHit, "the expected move was played: the clock runs"),
    ("quit", Verb::Quit, "end"),
    ("debug", Verb::Debug, "on | off: taken, without effect"),
    ("d", Verb::Display, "the board, its FEN and its key"),
    ("eval", Verb::Eval, "what the position is worth without search"),
    ("bench", Verb::Bench, "[DEPTH]: search fixed positions, print the signature"),
    ("help", Verb::Help, "this"),
];

/// A command in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found<'a> {
    /// The unknown words before it.
    pub(super) skipped: &'a str,
    pub(super) verb: Verb,
    /// What follows it.
    pub(super) rest: &'a str,
}

/// The first command in a line. Unknown words before it are passed over, as the protocol has it: `joho debug on` is
/// `debug on`. But a line that begins with a mistyped command is none, so that its arguments are not taken for one:
/// `isredy quit` ends nothing.
pub(super) fn find(line: &str) -> Option<Found<'_>> {
    let mut left = line;
    while let Some((word, rest)) = words::split(left) {
        if let Some(&(_, verb, _)) = VERBS.iter().find(|(name, ..)| *name == word) {
            let before = line.len() - rest.len() - word.len();
            return Some(Found { skipped: line[..before].trim(), verb, rest });
        }
        if VERBS.iter().any(|(name, ..)| is_mistyped(word, name)) {
            return None;
        }
        left = rest;
    }
    None
}

/// Whether a word is a command with a letter in four or so wrong, missing or too many, or in the wrong case.
fn is_mistyped(word: &str, name: &str) -> bool {
    let most = name.len() / 4;
    word.len().abs_diff(name.len()) <= most && distance(&word.to_lowercase(), name) <= most
}

/// How many letters have to be changed, added or left out to make one word of the other (Levenshtein, 1965).
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.bytes().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], index + 1);
        for (place, wanted) in other.bytes().enumerate() {
            let changed = corner + usize::from(letter != wanted);
            corner = row[place + 1];
            row[place + 1] = changed.min(corner + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}

/// All commands, one a line.
pub(super) fn help() -> String {
    VERBS.iter().fold(String::new(), |mut text, (name, _, about)| {
        let _ = writeln!(text, "{name:<11} {about}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_words_before_a_command_are_passed_over() {
        for (line, expected) in [
            ("go depth 3", Some(("", Verb::Go, " depth 3"))),
            ("joho debug on", Some(("joho", Verb::Debug, " on"))),
            ("\tstop\r", Some(("", Verb::Stop, "\r"))),
            ("Go", None),
            ("goo  x position", Some(("goo  x", Verb::Position, ""))),
            ("isredy quit", None),
            ("IsReady quit", None),
            ("setoptoin name X value d", None),
            ("setoption name X value d", Some(("", Verb::SetOption, " name X value d"))),
            ("positon startpos go", None),
            ("Quit d", None),
            ("", None),
        ] {
            let expected = expected.map(|(skipped, verb, rest)| Found { skipped, verb, rest });
            assert_eq!(find(line), expected, "{line:?}");
        }
        assert_eq!(find(&"x ".repeat(500_000)), None);
    }

    #[test]
    fn help_names_every_command() {
        assert!(VERBS.iter().all(|(name, ..)| help().lines().any(|line| line.starts_with(name))));
    }
}
