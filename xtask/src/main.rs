//! The one command line: `cargo xtask VERB` in the workspace, `touchstone VERB` once installed.

mod audit_eval;
mod bench;
mod ci;
mod cli;
mod compare;
mod console;
mod explain;
mod fetch;
mod field_test;
mod files;
mod foreign;
mod nearest;
mod outcome;
mod perft;
mod program;
mod progress;
mod prove;
mod tables;
mod verify;

use std::process::ExitCode;

use clap::Parser;

use cli::Cli;
use outcome::{Event, Exit};

fn main() -> ExitCode {
    let exit = cli::run(Cli::parse()).unwrap_or_else(|error| {
        console::message(&format!("error: {error:#}"));
        Exit::of([Event::Unusable])
    });
    exit.into()
}
