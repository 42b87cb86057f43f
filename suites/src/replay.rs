//! The command that reproduces a finding.

use std::fmt;

/// A command for a shell, in two forms: one for the workspace, and one for where the program is installed.
///
/// The code that makes a finding makes its command too. It knows the parts in which the forms differ, so
/// nothing is rewritten later, and a path of the user stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Replay {
    workspace: String,
    installed: String,
}

/// How the program that prints a command was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invocation {
    /// By `cargo xtask`, in the workspace.
    Workspace,
    /// As `touchstone`.
    Installed,
}

impl Replay {
    /// A command that is the same everywhere.
    pub fn shell(command: impl Into<String>) -> Self {
        let command = command.into();
        Self { workspace: command.clone(), installed: command }
    }

    /// A verb of this program with its arguments.
    pub fn touchstone(arguments: impl fmt::Display) -> Self {
        Self { workspace: format!("cargo xtask {arguments}"), installed: format!("touchstone {arguments}") }
    }

    /// A verb of this program with its arguments, which reads what `feed` prints.
    pub fn fed(feed: impl fmt::Display, arguments: impl fmt::Display) -> Self {
        Self {
            workspace: format!("{feed} | cargo xtask {arguments}"),
            installed: format!("{feed} | touchstone {arguments}"),
        }
    }

    /// Our engine as a program with these arguments, each after a blank. It reads the lines that `feed`
    /// prints.
    pub fn engine(feed: &str, arguments: &str) -> Self {
        Self {
            workspace: format!(
                "cargo build --release --quiet --package touchstone-engine && {feed} | target/release/engine{arguments}"
            ),
            installed: format!("{feed} | engine{arguments}"),
        }
    }

    /// The command as it is typed.
    pub fn typed(&self, invocation: Invocation) -> &str {
        match invocation {
            Invocation::Workspace => &self.workspace,
            Invocation::Installed => &self.installed,
        }
    }

    /// The same command with only this form.
    pub fn only(&self, invocation: Invocation) -> Self {
        Self::shell(self.typed(invocation))
    }
}

impl std::ops::Deref for Replay {
    type Target = str;

    /// The command as it is typed in the workspace.
    fn deref(&self) -> &str {
        &self.workspace
    }
}

impl fmt::Display for Replay {
    /// The command as it is typed in the workspace.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq<str> for Replay {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<String> for Replay {
    fn eq(&self, other: &String) -> bool {
        **self == **other
    }
}

impl PartialEq<&str> for Replay {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_that_differ_are_those_of_this_workspace() {
        let check = |replay: Replay, workspace: &str, installed: &str| {
            assert_eq!(replay.typed(Invocation::Workspace), workspace);
            assert_eq!(replay.typed(Invocation::Installed), installed);
        };
        check(
            Replay::touchstone("tables probe \"8/8 w\""),
            "cargo xtask tables probe \"8/8 w\"",
            "touchstone tables probe \"8/8 w\"",
        );
        check(
            Replay::fed("echo fen", "verify"),
            "echo fen | cargo xtask verify",
            "echo fen | touchstone verify",
        );
        check(
            Replay::engine("(echo go; sleep 3)", " --specimen micromax"),
            "cargo build --release --quiet --package touchstone-engine && (echo go; sleep 3) | target/release/engine --specimen micromax",
            "(echo go; sleep 3) | engine --specimen micromax",
        );
    }

    #[test]
    fn a_path_of_the_user_stays_as_it_is() {
        for theirs in ["(echo go) | target/release/engine", "cd 'cargo xtask '; (echo go) | ./mine"] {
            let replay = Replay::shell(theirs);
            for invocation in [Invocation::Workspace, Invocation::Installed] {
                assert_eq!(replay.typed(invocation), theirs);
                assert_eq!(replay.only(invocation), theirs);
            }
        }
    }
}
