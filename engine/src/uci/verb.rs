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

/// The first command in a line and what follows it. Unknown words before it are passed over, as the protocol has it:
/// `joho debug on` is `debug on`.
pub(super) fn find(mut line: &str) -> Option<(Verb, &str)> {
    while let Some((word, rest)) = words::split(line) {
        if let Some(&(_, verb, _)) = VERBS.iter().find(|(name, ..)| *name == word) {
            return Some((verb, rest));
        }
        line = rest;
    }
    None
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
            ("go depth 3", Some((Verb::Go, " depth 3"))),
            ("joho debug on", Some((Verb::Debug, " on"))),
            ("\tstop\r", Some((Verb::Stop, "\r"))),
            ("Go", None),
            ("goo position", Some((Verb::Position, ""))),
            ("", None),
        ] {
            assert_eq!(find(line), expected, "{line:?}");
        }
        assert_eq!(find(&"x ".repeat(500_000)), None);
    }

    #[test]
    fn help_names_every_command() {
        assert!(VERBS.iter().all(|(name, ..)| help().lines().any(|line| line.starts_with(name))));
    }
}
