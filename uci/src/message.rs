//! One line of an engine's output. The parser is tolerant: a field that cannot be parsed is recorded, and the
//! rest is used.

use crate::field_error::FieldError;
use crate::info::Info;
use crate::uci_option::UciOption;

/// A parsed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// `id name TEXT` or `id author TEXT`.
    Id {
        /// `name`, `author`, or another word.
        key: String,
        /// The text.
        value: String,
    },
    /// `option name ...`.
    Option(UciOption),
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `info ...`. Boxed: it is large.
    Info(Box<Info>),
    /// `bestmove ...`.
    BestMove(BestMove),
    /// `copyprotection` or `registration`, with what follows.
    Registration(String),
    /// A line that is not UCI.
    Other(String),
}

/// `bestmove MOVE [ponder MOVE]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BestMove {
    /// The move as printed; empty if there is none.
    pub text: String,
    /// The move to ponder on.
    pub ponder: Option<String>,
    /// Errors in the line.
    pub faults: Vec<FieldError>,
}

impl Message {
    /// Parses a line without its line break. Leading, trailing and repeated blanks are ignored.
    pub fn read(line: &str) -> Self {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uciok") => Self::UciOk,
            Some("readyok") => Self::ReadyOk,
            Some("id") => Self::Id {
                key: words.next().unwrap_or_default().to_owned(),
                value: words.collect::<Vec<_>>().join(" "),
            },
            Some("option") => Self::Option(UciOption::read(words)),
            Some("info") => Self::Info(Box::new(Info::read(words))),
            Some("bestmove") => Self::BestMove(BestMove::read(words)),
            Some("copyprotection" | "registration") => Self::Registration(line.trim().to_owned()),
            _ => Self::Other(line.to_owned()),
        }
    }
}

impl BestMove {
    fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Self {
        let mut read = Self { text: words.next().unwrap_or_default().to_owned(), ..Self::default() };
        if read.text.is_empty() {
            read.faults.push(FieldError::new("bestmove", "no move stands there"));
        }
        while let Some(word) = words.next() {
            match word {
                "ponder" => match words.next() {
                    Some(mv) => read.ponder = Some(mv.to_owned()),
                    None => read.faults.push(FieldError::new("ponder", "no move stands there")),
                },
                other => read.faults.push(FieldError::new("bestmove", format!("\"{other}\" after the move"))),
            }
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(line: &str) -> (String, Option<String>, usize) {
        match Message::read(line) {
            Message::BestMove(best) => (best.text, best.ponder, best.faults.len()),
            message => panic!("{message:?}"),
        }
    }

    #[test]
    fn best_moves_with_and_without_ponder() {
        let check = |line, text: &str, ponder: Option<&str>, faults| {
            assert_eq!(best(line), (text.to_owned(), ponder.map(str::to_owned), faults), "{line}");
        };
        check("bestmove e2e4", "e2e4", None, 0);
        check("bestmove e7e8q ponder a1a2", "e7e8q", Some("a1a2"), 0);
        check("  bestmove\te2e4   ponder  e7e5 ", "e2e4", Some("e7e5"), 0);
        check("bestmove (none)", "(none)", None, 0);
        check("bestmove 0000", "0000", None, 0);
        check("bestmove e2e4 ponder", "e2e4", None, 1);
        check("bestmove e2e4 e7e5", "e2e4", None, 1);
        check("bestmove", "", None, 1);
    }

    #[test]
    fn the_first_word_decides_the_kind_of_line() {
        let id = |key: &str, value: &str| Message::Id { key: key.to_owned(), value: value.to_owned() };
        let other = |line: &str| Message::Other(line.to_owned());
        let check = |line: &str, expected: Message| assert_eq!(Message::read(line), expected, "{line}");
        check("uciok", Message::UciOk);
        check(" readyok \t", Message::ReadyOk);
        check("id name  Toga II  3.0", id("name", "Toga II 3.0"));
        check("id name", id("name", ""));
        check("id", id("", ""));
        check("copyprotection ok", Message::Registration("copyprotection ok".to_owned()));
        check("", other(""));
        check("Glaurung 2.2 by Tord Romstad", other("Glaurung 2.2 by Tord Romstad"));
        check("UCIOK", other("UCIOK"));
        check("bestmoves e2e4", other("bestmoves e2e4"));
        check("Nodes searched: 20", other("Nodes searched: 20"));
        assert!(matches!(Message::read("info depth 1"), Message::Info(_)));
        assert!(matches!(Message::read("option name Hash type button"), Message::Option(_)));
    }
}
