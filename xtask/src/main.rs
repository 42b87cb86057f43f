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

use anyhow::bail;
use outcome::{Event, Exit};

/// The files that a run with engines may have open at the least.
const LEAST_FILES: u64 = 64;
/// The exit code after an interrupt: 128 plus the number of the signal.
const INTERRUPTED: i32 = 130;

fn main() -> ExitCode {
    // Engines run in process groups of their own, which Ctrl-C in a terminal does not reach.
    let handled = ctrlc::set_handler(|| {
        uci::kill_all();
        let _no_more = store::remove_staged();
        std::process::exit(INTERRUPTED);
    });
    if let Err(error) = handled {
        console::message(&format!("note: Ctrl-C will leave engines behind: {error}"));
    }
    let run = || {
        let command = cli::read();
        has_enough_files()?;
        cli::run(command)
    };
    let exit = run().unwrap_or_else(|error| {
        console::message(&format!("error: {error:#}"));
        Exit::from_events([Event::Unusable])
    });
    exit.into()
}

/// An error if this process may have too few files open to start engines: they would be blamed for it.
fn has_enough_files() -> anyhow::Result<()> {
    if let Some(most) = uci::raise_open_files()
        && most < LEAST_FILES
    {
        bail!(
            "this process may have only {most} files open at once, and needs {LEAST_FILES}: raise the limit, \
             as with `ulimit -n 1024`"
        );
    }
    Ok(())
}
