//! Output: data goes to standard output, messages go to standard error.

use std::io::{self, Write};

/// Writes data to standard output. A closed pipe, as after `head`, is not an error.
pub(crate) fn data(bytes: &[u8]) -> anyhow::Result<()> {
    write(io::stdout().lock(), [bytes])
}

/// Writes a line of data.
pub(crate) fn line(text: &str) -> anyhow::Result<()> {
    data(format!("{text}\n").as_bytes())
}

/// Writes a message to standard error. A failure to write it is ignored.
pub(crate) fn message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
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
