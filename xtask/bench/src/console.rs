//! Standard output and standard error.

use std::io::{self, Write};

/// Writes a line of results.
pub(crate) fn line(text: &str) -> anyhow::Result<()> {
    Ok(writeln!(io::stdout().lock(), "{text}")?)
}

/// Writes a line to standard error. A failure to write it is ignored.
pub(crate) fn message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
