//! The Universal Chess Interface: the text of moves and, on top of it, the protocol.

mod notation;

pub use notation::UciError;
