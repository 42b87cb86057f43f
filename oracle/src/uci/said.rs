//! One line that a program said, read with tolerance: a bad field costs that field and is named.

use super::declared::Declared;
use super::info::Info;

/// A line in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// `id name TEXT` or `id author TEXT`.
    Id {
        /// `name`, `author`, or what stands there.
        key: String,
        /// The text.
        value: String,
    },
    /// `option name ...`.
    Declares(Declared),
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `info ...`. Boxed: it is large.
    Info(Box<Info>),
    /// `bestmove ...`.
    BestMove(BestMove),
    /// `copyprotection` or `registration`, with what follows.
    Registers(String),
    /// No line of UCI.
    Other(String),
}

/// `bestmove MOVE [ponder MOVE]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BestMove {
    /// The move as it stands; empty if none does.
    pub text: String,
    /// The move to ponder on.
    pub ponder: Option<String>,
    /// What is wrong with the line.
    pub faults: Vec<Fault>,
}

/// A field that cannot be read, or should not be there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {found}")]
pub struct Fault {
    /// The field.
    pub field: String,
    /// What is there, in words.
    pub found: String,
}

impl Fault {
    pub(super) fn new(field: &str, found: impl Into<String>) -> Self {
        Self { field: field.to_owned(), found: found.into() }
    }
}

impl Said {
    /// Reads a line, without its end. Blanks before and after it, and more than one between words, do no harm.
    pub fn read(line: &str) -> Self {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uciok") => Self::UciOk,
            Some("readyok") => Self::ReadyOk,
            Some("id") => Self::Id {
                key: words.next().unwrap_or_default().to_owned(),
                value: words.collect::<Vec<_>>().join(" "),
            },
            Some("option") => Self::Declares(Declared::read(words)),
            Some("info") => Self::Info(Box::new(Info::read(words))),
            Some("bestmove") => Self::BestMove(BestMove::read(words)),
            Some("copyprotection" | "registration") => Self::Registers(line.trim().to_owned()),
            _ => Self::Other(line.to_owned()),
        }
    }
}

impl BestMove {
    fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Self {
        let mut read = Self { text: words.next().unwrap_or_default().to_owned(), ..Self::default() };
        if read.text.is_empty() {
            read.faults.push(Fault::new("bestmove", "no move stands there"));
        }
        while let Some(word) = words.next() {
            match word {
                "ponder" => read.ponder = words.next().map(str::to_owned),
                other => read.faults.push(Fault::new("bestmove", format!("\"{other}\" after the move"))),
            }
        }
        read
    }
}
