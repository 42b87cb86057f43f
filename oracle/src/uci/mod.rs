//! Engines that are programs: started, spoken to in UCI, listened to, and ended, whatever they do.
//!
//! Alone in this crate it starts processes and reads the clock. What is driven here is judged elsewhere: a line that says
//! too little is kept with its faults, and a program that breaks is a [`Failure`] with a name and a transcript.
//!
//! In reading order: what is started; the process, its pipes and its end; what went over them; the words of a line; the
//! session; and programs as subjects of the suites.

mod declared;
mod engine;
mod failure;
mod info;
mod patience;
mod process;
mod program;
mod said;
mod subjects;
mod transcript;

pub use declared::{Declared, Kind};
pub use engine::{Engine, Exit, Identity, Search};
pub use failure::Failure;
pub use info::Info;
pub use patience::Patience;
pub use process::Oddities;
pub use program::Program;
pub use said::{BestMove, Fault, Said};
pub use subjects::{Incident, UciSubjects};
pub use transcript::{Direction, Entry, Transcript};
