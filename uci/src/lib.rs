//! A client for UCI engines: starts a program, sends commands, reads its output, and ends it. This crate
//! knows no chess rules.
//!
//! The parser keeps a line that it cannot parse, with its errors. A session that breaks off is a [`Failure`]
//! with a name and a transcript. Every wait has a timeout. A program is killed together with all processes
//! that it started.
//!
//! In reading order: questions and replies; the program; its process and its pipes; the transcript; the
//! parser of its lines; the session ([`Engine`]); what a program needs before its first search
//! (`adaptation`); and which limits of `go` it respects ([`LimitSupport`]).

mod adaptation;
mod command;
mod engine;
mod failure;
mod field_error;
mod identity;
mod info;
mod input;
mod limit_support;
mod mate_scale;
mod memory;
mod message;
mod open_files;
mod own_folder;
mod patience;
mod pipes;
mod probe;
mod process;
mod process_group;
mod program;
mod question;
mod reply;
mod run_queue;
mod search;
mod timeouts;
mod transcript;
mod uci_option;

pub use command::run_to_end;
pub use engine::Engine;
pub use failure::{Exit, Failure};
pub use field_error::FieldError;
pub use identity::{Identity, set_option};
pub use info::Info;
pub use limit_support::{LateAnswer, LimitSupport, SearchRequest, Support};
pub use mate_scale::MateScale;
pub use message::{BestMove, Message};
pub use open_files::raise_open_files;
pub use pipes::LineQuirks;
pub use probe::{EXHAUSTED, EngineProfile, ProbeFailure, probe};
pub use process_group::{all_are_ended, kill_all};
pub use program::{Program, ReplayStep, quoted};
pub use question::{Limit, Question};
pub use reply::{Bound, Line, Reply, Score, join_bounds};
pub use run_queue::RunQueue;
pub use search::Search;
pub use timeouts::Timeouts;
pub use transcript::{Archive, Archived, Direction, Entry, Record, Transcript};
pub use uci_option::{OptionKind, UciOption, costs_memory};
