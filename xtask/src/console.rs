//! Output: data goes to standard output, messages go to standard error. Texts for people have colours if the
//! stream has them.

use std::io::{self, IsTerminal, Write};

use anstream::ColorChoice;
use reports::text::View;

/// The width of a terminal that does not report its width.
const USUAL_WIDTH: usize = 80;

/// Says whether texts for people have colours; `Auto` asks `NO_COLOR`, `CLICOLOR_FORCE` and the stream.
pub(crate) fn set_color(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// How standard output shows a run. If it is no terminal, lines have any length.
pub(crate) fn view() -> View {
    let width = || terminal_size::terminal_size().map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0));
    View { width: io::stdout().is_terminal().then(width), colored: true }
}

/// Writes data to standard output. A closed pipe, as after `head`, is not an error.
pub(crate) fn data(bytes: &[u8]) -> anyhow::Result<()> {
    write(io::stdout().lock(), [bytes])
}

/// Writes a text that has colours. They are removed if the stream has none.
pub(crate) fn colored(text: &str) -> anyhow::Result<()> {
    write(anstream::stdout().lock(), [text.as_bytes()])
}

/// Writes a line of data.
pub(crate) fn line(text: &str) -> anyhow::Result<()> {
    data(format!("{text}\n").as_bytes())
}

/// Writes a message to standard error. A failure to write it is ignored.
pub(crate) fn message(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{}", reports::text::paint(text));
}

/// Writes many rows of data. A closed pipe is not an error.
pub(crate) fn rows(rows: impl IntoIterator<Item = String>) -> anyhow::Result<()> {
    write(io::BufWriter::new(io::stdout().lock()), rows)
}

fn write(mut out: impl Write, parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> anyhow::Result<()> {
    let mut parts = parts.into_iter();
    match parts.try_for_each(|part| out.write_all(part.as_ref())).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}
