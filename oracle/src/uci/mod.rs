//! Engines that are programs: started, spoken to in UCI, listened to, and ended, whatever they do.
//!
//! Alone in this crate it starts processes and reads the clock. What is driven here is judged elsewhere: a line that says
//! too little is kept with its faults, and a program that breaks is a [`Failure`] with a name and a transcript.
//!
//! In reading order: what is started; the process with all that it starts, its pipes, and its end; what went over them; the
//! words of a line; the session; which limits it keeps; and programs as subjects of the suites.

mod declared;
mod engine;
mod failure;
mod group;
mod identity;
mod info;
mod limits;
mod patience;
mod pipes;
mod process;
mod program;
mod said;
mod subjects;
mod transcript;

pub use declared::{Declared, Kind};
pub use engine::{Engine, Search};
pub use failure::{Exit, Failure};
pub use group::kill_all;
pub use identity::Identity;
pub(crate) use identity::set_option;
pub use info::Info;
pub use limits::{Keeps, Kept};
pub use patience::Patience;
pub use pipes::Oddities;
pub use program::{Program, quoted};
pub use said::{BestMove, Fault, Said};
pub use subjects::{Incident, UciSubjects};
pub use transcript::{Archive, Archived, Direction, Entry, Record, Transcript};
