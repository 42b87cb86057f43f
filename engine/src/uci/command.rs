//! The commands by name, and what each is for: one table, which `help` prints.
//!
//! Knows nothing of what follows a command's name.

use std::fmt::Write;

use super::tokens;

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
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

const COMMANDS: [(&str, Command, &str); 14] = [
    ("uci", Command::Uci, "who this is, and its options"),
    ("isready", Command::IsReady, "answered by readyok, also during a search"),
    ("ucinewgame", Command::NewGame, "forget what was learnt"),
    ("setoption", Command::SetOption, "name NAME [value VALUE]"),
    ("position", Command::Position, "startpos | fen FEN [moves MOVE...]"),
    (
        "go",
        Command::Go,
        "[depth N] [nodes N] [mate N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] \
         [infinite] [ponder] [searchmoves MOVE...], or perft N",
    ),
    ("stop", Command::Stop, "end the search and answer"),
    ("ponderhit", Command::PonderHit, "the expected move was played: the clock runs"),
    ("quit", Command::Quit, "end"),
    ("debug", Command::Debug, "on | off: taken, without effect"),
    ("d", Command::Display, "the board, its FEN and its key"),
    ("eval", Command::Eval, "what the position is worth without search"),
    ("bench", Command::Bench, "[DEPTH]: search fixed positions, print the signature"),
    ("help", Command::Help, "this"),
];

/// A command in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ParsedCommand<'a> {
    /// The unknown words before it.
    pub(super) skipped: &'a str,
    pub(super) command: Command,
    /// What follows it.
    pub(super) rest: &'a str,
}

/// The first command in a line. Unknown words before it are passed over, as the protocol has it: `joho debug on` is
/// `debug on`. But a line that begins with a mistyped command is none, so that its arguments are not taken for one:
/// `isredy quit` ends nothing.
pub(super) fn find(line: &str) -> Option<ParsedCommand<'_>> {
    let mut left = line;
    while let Some((word, rest)) = tokens::split(left) {
        if let Some(&(_, command, _)) = COMMANDS.iter().find(|(name, ..)| *name == word) {
            let before = line.len() - rest.len() - word.len();
            return Some(ParsedCommand { skipped: line[..before].trim(), command, rest });
        }
        if COMMANDS.iter().any(|(name, ..)| is_mistyped(word, name)) {
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
    COMMANDS.iter().fold(String::new(), |mut text, (name, _, about)| {
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
            ("go depth 3", Some(("", Command::Go, " depth 3"))),
            ("joho debug on", Some(("joho", Command::Debug, " on"))),
            ("\tstop\r", Some(("", Command::Stop, "\r"))),
            ("Go", None),
            ("goo  x position", Some(("goo  x", Command::Position, ""))),
            ("isredy quit", None),
            ("IsReady quit", None),
            ("setoptoin name X value d", None),
            ("setoption name X value d", Some(("", Command::SetOption, " name X value d"))),
            ("positon startpos go", None),
            ("Quit d", None),
            ("", None),
        ] {
            let expected = expected.map(|(skipped, command, rest)| ParsedCommand { skipped, command, rest });
            assert_eq!(find(line), expected, "{line:?}");
        }
        assert_eq!(find(&"x ".repeat(500_000)), None);
    }

    #[test]
    fn help_names_every_command() {
        assert!(COMMANDS.iter().all(|(name, ..)| help().lines().any(|line| line.starts_with(name))));
    }
}
