//! Output: data goes to standard output, messages go to standard error.

use std::io::{self, Write};

/// Writes data to standard output. A closed pipe, as after `head`, is not an error.
pub(crate) fn data(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
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
    let mut out = io::BufWriter::new(io::stdout().lock());
    for row in rows {
        match out.write_all(row.as_bytes()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
    }
    match out.flush() {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}
