//! The two streams: data goes to standard output, words about it to standard error.

use std::io::{self, Write};

/// Writes data to standard output. A reader that has gone away, as `head` does, is no fault.
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

/// Says something on standard error; where nobody can hear it, nothing is lost.
pub(crate) fn message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes many rows of data, until there are no more or nobody reads them.
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
