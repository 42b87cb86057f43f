//! How a program breaks.

use std::time::Duration;

/// Why a session is over before its time. Each kind is a finding of its own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It could not be started.
    #[error("it does not start: {0}")]
    NotStarted(String),
    /// It ended while it was needed.
    #[error("it ended with {status} after \"{after}\"")]
    Ended {
        /// How: an exit status or a signal.
        status: String,
        /// Whether that is a crash: a signal, or a status that is not 0.
        crashed: bool,
        /// The last line that it was sent.
        after: String,
    },
    /// It closed its output and lives on.
    #[error("it closed its output after \"{after}\"")]
    Mute {
        /// The last line that it was sent.
        after: String,
    },
    /// It said nothing of what was awaited.
    #[error("no {awaited} within {} ms after \"{after}\"", waited.as_millis())]
    Silent {
        /// The word that should have come.
        awaited: String,
        /// How long it was awaited.
        waited: Duration,
        /// The last line that it was sent.
        after: String,
    },
    /// It wrote more than is read.
    #[error("it wrote more than {} MiB after \"{after}\"", bytes >> 20)]
    Flooded {
        /// How much was let pass.
        bytes: u64,
        /// The last line that it was sent.
        after: String,
    },
}

impl Failure {
    /// The id of the check that speaks of it.
    pub fn id(&self) -> &'static str {
        match self {
            Self::NotStarted(_) => "process/start",
            Self::Ended { crashed: true, .. } => "process/crash",
            Self::Ended { .. } => "process/exit",
            Self::Mute { .. } => "process/mute",
            Self::Silent { .. } => "process/hang",
            Self::Flooded { .. } => "process/flood",
        }
    }
}
