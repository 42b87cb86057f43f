//! How this program was started, so that the commands that it prints can be typed as they stand.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};
use suites::{Difference, Invocation, Replay};

use crate::outcome::Exit;

/// A difference whose replay is the command that the user types.
pub(crate) fn with_command(difference: Difference) -> Difference {
    Difference { replay: difference.replay.only(invocation()), ..difference }
}

/// A verb of this program with its arguments, as the user types it.
pub(crate) fn command(arguments: impl std::fmt::Display) -> String {
    typed(&Replay::touchstone(arguments))
}

/// The command line of this run as the user types it.
pub(crate) fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| uci::quoted(&word.to_string_lossy()));
    command(words.collect::<Vec<_>>().join(" "))
}

/// A command as the user types it.
pub(crate) fn typed(replay: &Replay) -> String {
    replay.typed(invocation()).to_owned()
}

/// A text of ours in which the examples `cargo xtask VERB` become the commands that the user types.
pub(crate) fn examples(text: &str) -> String {
    match invocation() {
        Invocation::Workspace => text.to_owned(),
        Invocation::Installed => installed(text),
    }
}

/// The same, as it is typed where the program is installed.
pub(crate) fn installed(text: &str) -> String {
    text.replace("cargo xtask ", "touchstone ")
}

fn invocation() -> Invocation {
    if is_run_by_cargo() { Invocation::Workspace } else { Invocation::Installed }
}

/// Whether this is a checkout of Touchstone, where a plain run verifies its own engine: Cargo started the
/// program in it, or it was started there.
pub(crate) fn is_in_workspace() -> bool {
    const MANIFEST: &str = "xtask/Cargo.toml";
    let is_ours = |text: String| text.contains(concat!("name = \"", env!("CARGO_PKG_NAME"), "\""));
    is_run_by_cargo() || std::fs::read_to_string(MANIFEST).is_ok_and(is_ours)
}

/// Whether Cargo started this program or its tests. Cargo names the package in their environment.
pub(crate) fn is_run_by_cargo() -> bool {
    std::env::var_os("CARGO_PKG_NAME").is_some_and(|name| name == env!("CARGO_PKG_NAME"))
}

/// A `cargo` command for one package of the workspace, such as `bench`: no release contains these packages.
///
/// # Errors
/// The program was not started by Cargo, so that it knows no workspace. `ours` is the verb of the user.
pub(crate) fn cargo(ours: &str, verb: &str, package: &str) -> anyhow::Result<Command> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).filter(|_| is_run_by_cargo());
    let Some(folder) = folder else {
        bail!("{ours} needs the workspace: run `cargo xtask {ours}` in a checkout of it");
    };
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args([verb, "--quiet", "--package", package, "--manifest-path"]);
    command.arg(folder.join("Cargo.toml"));
    Ok(command)
}

/// Runs a program of ours whose exit codes are those of Touchstone.
pub(crate) fn exit_of(mut command: Command, what: &str) -> anyhow::Result<Exit> {
    let status = command.status().context("cannot start cargo")?;
    match status.code() {
        Some(0) => Ok(Exit::Agree),
        Some(1) => Ok(Exit::Differs),
        Some(2) => Ok(Exit::Incomplete),
        _ => bail!("{what} failed: {status}"),
    }
}

/// A shell that runs this line.
pub(crate) fn shell(line: &str) -> Command {
    let [shell, option] = if cfg!(windows) { ["cmd", "/C"] } else { ["sh", "-c"] };
    let mut command = Command::new(shell);
    command.args([option, line]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_started_by_cargo() {
        assert_eq!(command("verify"), "cargo xtask verify");
        assert_eq!(typed(&Replay::shell("./mine")), "./mine");
    }
}
