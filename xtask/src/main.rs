//! The one command line: `cargo xtask VERB` in the workspace, `touchstone VERB` once installed.

mod arbiter_test;
mod audit_eval;
mod bench;
mod bisect;
mod cache;
mod ci;
mod cli;
mod compare;
mod console;
mod explain;
mod extent;
mod faults;
mod field_test;
mod files;
mod git;
mod init;
mod judge;
mod man;
mod matches;
mod merge;
mod outcome;
mod own_engine;
mod own_tables;
mod perft;
mod play_script;
mod program;
mod progress;
mod prove;
mod regress;
mod report;
mod report_folder;
mod schema;
mod shard;
mod sprt;
mod store;
mod suggest;
mod syzygy_sources;
mod syzygy_writer;
mod tables;
mod text_input;
mod third_party;
mod today;
mod verify;

use std::process::ExitCode;

use outcome::{Event, Exit};

/// The exit code after an interrupt: 128 plus the number of the signal.
const INTERRUPTED: i32 = 130;

fn main() -> ExitCode {
    // Engines run in process groups of their own, which Ctrl-C in a terminal does not reach.
    let handled = ctrlc::set_handler(|| {
        uci::kill_all();
        store::remove_staged();
        std::process::exit(INTERRUPTED);
    });
    if let Err(error) = handled {
        console::message(&format!("note: Ctrl-C will leave engines behind: {error}"));
    }
    let exit = cli::run(cli::read()).unwrap_or_else(|error| {
        console::message(&format!("error: {error:#}"));
        Exit::from_events([Event::Unusable])
    });
    exit.into()
}
