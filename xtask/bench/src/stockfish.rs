//! Stockfish as a program of the system: which one, and what it is called.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

/// Where Debian puts it, which is not in everybody's PATH.
const DEBIAN: &str = "/usr/games/stockfish";

/// The peer, ready to be started.
pub(crate) struct Stockfish {
    program: PathBuf,
    name: String,
}

impl Stockfish {
    /// The program that was named, or else the one that the system has, if it has one.
    ///
    /// # Errors
    /// If a program that was named is not there, or what is there is no engine.
    pub(crate) fn find(named: Option<&Path>) -> anyhow::Result<Option<Self>> {
        let Some(program) = named else { return Self::first_of(&["stockfish", DEBIAN]) };
        let found = Self::of(program)?;
        found.with_context(|| format!("there is no program {}", program.display())).map(Some)
    }

    /// What it calls itself.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Where it is, to be told to people.
    pub(crate) fn program(&self) -> String {
        self.program.display().to_string()
    }

    /// To start it.
    pub(crate) fn command(&self) -> Command {
        Command::new(&self.program)
    }

    /// The first of these programs that there is.
    fn first_of(programs: &[&str]) -> anyhow::Result<Option<Self>> {
        for program in programs {
            if let Some(found) = Self::of(Path::new(program))? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// This program; `None` if there is none.
    fn of(program: &Path) -> anyhow::Result<Option<Self>> {
        let output = match Command::new(program).arg("uci").output() {
            Ok(output) => output,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => bail!("cannot start {}: {error}", program.display()),
        };
        let said = String::from_utf8_lossy(&output.stdout);
        let name = said.lines().find_map(|line| line.strip_prefix("id name "));
        let name = name.with_context(|| format!("{} is no engine that speaks UCI", program.display()))?;
        Ok(Some(Self { program: program.to_owned(), name: name.chars().take(21).collect() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_that_is_not_there_is_not_measured() {
        assert!(Stockfish::first_of(&["no-such-stockfish", "/no/such/stockfish"]).unwrap().is_none());
    }
}
