//! What is started.

use std::ffi::OsString;
use std::path::PathBuf;

/// A program that is to speak UCI, and how it is started and set up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// Its name in reports.
    pub name: String,
    /// The file, or a name that the system finds.
    pub path: PathBuf,
    /// Arguments.
    pub arguments: Vec<OsString>,
    /// Where it is started; here if `None`.
    pub directory: Option<PathBuf>,
    /// Variables of its environment beside those of this process.
    pub environment: Vec<(OsString, OsString)>,
    /// Options set after the handshake, in this order.
    pub options: Vec<(String, String)>,
}
