//! Programs that speak UCI: started, spoken to, heard and ended. This crate knows no chess rules.
//!
//! A line that cannot be read is kept with its errors. A program that breaks is a [`Failure`] with a name and a transcript.
//! Every wait has an end, and a program is killed with all processes that it started.
//!
//! In reading order: questions and replies; the program; its process, its pipes and its end; the transcript; the lines that it
//! prints; the session; and which limits it keeps.

mod engine;
mod failure;
mod field_error;
mod identity;
mod info;
mod limit_support;
mod message;
mod pipes;
mod process;
mod process_group;
mod program;
mod question;
mod reply;
mod timeouts;
mod transcript;
mod uci_option;

pub use engine::{Engine, Search};
pub use failure::{Exit, Failure};
pub use field_error::FieldError;
pub use identity::{Identity, set_option};
pub use info::Info;
pub use limit_support::{Asked, Broken, Found, LimitSupport, Support, find};
pub use message::{BestMove, Message};
pub use pipes::LineQuirks;
pub use process_group::kill_all;
pub use program::{Program, quoted};
pub use question::{Limit, Question};
pub use reply::{Bound, Line, Reply, Score};
pub use timeouts::Timeouts;
pub use transcript::{Archive, Archived, Direction, Entry, Record, Transcript};
pub use uci_option::{OptionKind, UciOption};
