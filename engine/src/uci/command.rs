//! The UCI commands and their descriptions, which `help` prints.
//!
//! Knows no arguments.

use std::fmt::Write;

use strsim::generic_levenshtein;

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
    ("uci", Command::Uci, "print the name and the options"),
    ("isready", Command::IsReady, "print readyok, also during a search"),
    ("ucinewgame", Command::NewGame, "clear the hash table and the histories"),
    ("setoption", Command::SetOption, "name NAME [value VALUE]"),
    ("position", Command::Position, "startpos | fen FEN [moves MOVE...]"),
    (
        "go",
        Command::Go,
        "[depth N] [nodes N] [mate N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] \
         [infinite] [ponder] [searchmoves MOVE...], or perft N",
    ),
    ("stop", Command::Stop, "stop the search and print bestmove"),
    ("ponderhit", Command::PonderHit, "the expected move was played: start the clock"),
    ("quit", Command::Quit, "end the program"),
    ("debug", Command::Debug, "on | off: accepted, without effect"),
    ("d", Command::Display, "print the board, its FEN and its key"),
    ("eval", Command::Eval, "print the static evaluation"),
    ("bench", Command::Bench, "[DEPTH]: search fixed positions and print the signature"),
    ("help", Command::Help, "print this list"),
];

/// A command found in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ParsedCommand<'a> {
    /// The unknown words before it.
    pub(super) skipped: &'a str,
    pub(super) command: Command,
    /// The arguments.
    pub(super) rest: &'a str,
}

/// Finds the first command in a line. Unknown words before it are ignored, as the protocol demands: `joho
/// debug on` is `debug on`. A line that starts with a mistyped command is not searched further, so that its
/// arguments are not taken for a command: `isredy quit` does not quit.
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

/// Whether a word is a mistyped command: about one letter in four wrong, missing or added, or the wrong case.
fn is_mistyped(word: &str, name: &str) -> bool {
    let most = name.len() / 4;
    let distance = || generic_levenshtein(&word.to_lowercase().into_bytes(), &name.as_bytes().to_vec());
    word.len().abs_diff(name.len()) <= most && distance() <= most
}

/// All commands, one per line.
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
    fn unknown_words_before_a_command_are_ignored() {
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
