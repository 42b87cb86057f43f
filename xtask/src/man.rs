//! `man`: the pages of `man`, from the arguments that clap knows.

use std::path::Path;

use clap::Command;
use clap_mangen::Man;

use crate::outcome::Exit;
use crate::{console, files};

/// Writes a page for the program and for each verb into a folder.
pub(crate) fn run(mut command: Command, folder: &Path) -> anyhow::Result<Exit> {
    command = command.disable_help_subcommand(true);
    command.build();
    let written = write(&command, folder)?;
    console::message(&format!("{written} pages in {}", folder.display()));
    Ok(Exit::Agree)
}

/// Writes the pages of a command and of those below it. Returns how many there are.
fn write(command: &Command, folder: &Path) -> anyhow::Result<usize> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    files::write(&folder.join(format!("{name}.1")), &page)?;
    let below = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    below.map(|verb| write(verb, folder)).try_fold(1, |sum, written| Ok(sum + written?))
}
