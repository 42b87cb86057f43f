//! The command line.

#[allow(dead_code, reason = "not yet behind a verb")]
mod fetch;

fn main() {}
