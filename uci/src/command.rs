//! Programs that are not engines. They run to their end, and [`kill_all`](crate::kill_all) kills them with
//! all processes that they started.

use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::process_group::Group;

/// Runs a command to its end, without input. Kills it after `within`; the status is then `None`.
pub fn run_to_end(mut command: Command, within: Duration) -> io::Result<Option<ExitStatus>> {
    command.stdin(Stdio::null());
    let mut group = Group::spawn(command)?;
    let status = group.ended(Instant::now() + within);
    group.kill();
    Ok(status)
}
