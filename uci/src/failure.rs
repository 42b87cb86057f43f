//! How a session fails, and how a process ends.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

/// Why a session broke off. Each kind is a finding of its own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The program could not be started.
    #[error("it does not start: {0}")]
    NotStarted(String),
    /// The process ended during the session.
    #[error("it ended with {exit} after \"{after}\"")]
    Ended {
        /// How it ended.
        exit: Exit,
        /// The last command that was sent.
        after: String,
        /// The message of the panic, assertion or exception that ended it, if it wrote one to standard error.
        panic: Option<String>,
        /// The last line that it wrote to standard error since its last answer.
        last_error: Option<String>,
    },
    /// The process closed its output and runs on.
    #[error("it closed its output after \"{after}\"")]
    Mute {
        /// The last command that was sent.
        after: String,
    },
    /// The expected answer did not come in time.
    #[error("no {awaited} within {} ms after \"{after}\"", waited.as_millis())]
    Silent {
        /// The message of a panic that the program wrote to standard error: a thread may end while the
        /// process runs on.
        panic: Option<String>,
        /// The first word of the expected answer.
        awaited: String,
        /// The timeout.
        waited: Duration,
        /// The last command that was sent.
        after: String,
    },
    /// The process wrote more output than the session reads.
    #[error("it wrote more than {} MiB after \"{after}\"", bytes >> 20)]
    Flooded {
        /// How many bytes the session read.
        bytes: u64,
        /// The last command that was sent.
        after: String,
    },
    /// The process has more memory for itself than it may have.
    #[error("it has more than {limit} MiB of memory after \"{after}\"")]
    Greedy {
        /// The limit in MiB, its hash table included.
        limit: u64,
        /// The last command that was sent.
        after: String,
    },
    /// The process runs, but does not read its input.
    #[error("it reads nothing: {} KiB wait for it after \"{after}\"", bytes >> 10)]
    Deaf {
        /// How much input is waiting.
        bytes: u64,
        /// The last command that was sent.
        after: String,
    },
}

impl Failure {
    /// The id of the check that reports it.
    pub fn id(&self) -> &'static str {
        match self {
            Self::NotStarted(_) => "process/start",
            Self::Ended { exit: Exit::Status(0), .. } => "process/exit",
            Self::Ended { .. } => "process/crash",
            Self::Mute { .. } => "process/mute",
            Self::Silent { .. } | Self::Deaf { .. } => "process/hang",
            Self::Flooded { .. } => "process/flood",
            Self::Greedy { .. } => "process/memory",
        }
    }

    /// Whether a `bestmove` did not come in time, and no panic is the reason.
    pub fn is_no_move(&self) -> bool {
        matches!(self, Self::Silent { awaited, panic: None, .. } if awaited == "bestmove")
    }

    /// What it last wrote to standard error, where no panic tells more.
    pub fn last_error(&self) -> Option<&str> {
        match self {
            Self::Ended { panic: None, last_error, .. } => last_error.as_deref(),
            _ => None,
        }
    }

    /// The message of a panic, which failures over different questions share. `None` if there is none.
    pub fn cause(&self) -> Option<&str> {
        match self {
            Self::Ended { panic: Some(panic), .. } | Self::Silent { panic: Some(panic), .. } => Some(panic),
            _ => None,
        }
    }
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this exit status.
    Status(i32),
    /// By a signal that we did not send.
    Signal(i32),
    /// Not by itself: we killed it.
    Killed,
}

impl Exit {
    pub(crate) fn from_status(status: ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::Signal(signal);
        }
        status.code().map_or(Self::Killed, Self::Status)
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(code) => write!(f, "status {code}"),
            // The standard library's name for it, such as "signal: 6 (SIGABRT)".
            #[cfg(unix)]
            Self::Signal(signal) => {
                let status: ExitStatus = std::os::unix::process::ExitStatusExt::from_raw(*signal);
                f.write_str(&status.to_string().replacen(':', "", 1))
            }
            #[cfg(not(unix))]
            Self::Signal(signal) => write!(f, "signal {signal}"),
            Self::Killed => f.write_str("not at all"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_the_cause_and_silence_is_none() {
        let ended = |panic: Option<&str>| Failure::Ended {
            exit: Exit::Status(101),
            after: "go depth 1".to_owned(),
            panic: panic.map(str::to_owned),
            last_error: Some("a warning".to_owned()),
        };
        let silent = |panic: Option<&str>| Failure::Silent {
            awaited: "bestmove".to_owned(),
            waited: std::time::Duration::ZERO,
            after: "go depth 1".to_owned(),
            panic: panic.map(str::to_owned),
        };
        assert_eq!(
            (ended(Some("no king")).cause(), ended(Some("no king")).last_error()),
            (Some("no king"), None)
        );
        assert_eq!((ended(None).cause(), ended(None).last_error()), (None, Some("a warning")));
        assert_eq!((silent(Some("no king")).cause(), silent(None).cause()), (Some("no king"), None));
        assert!(silent(None).is_no_move() && !silent(Some("no king")).is_no_move());
        assert_eq!(Failure::Mute { after: String::new() }.cause(), None);
    }

    #[test]
    fn ends_are_shown_by_status_or_signal() {
        assert_eq!(Exit::Status(0).to_string(), "status 0");
        assert_eq!(Exit::Killed.to_string(), "not at all");
        let after = || "go depth 1".to_owned();
        let ended = |exit| Failure::Ended { exit, after: after(), panic: None, last_error: None };
        assert_eq!(ended(Exit::Status(3)).to_string(), "it ended with status 3 after \"go depth 1\"");
        assert_eq!(ended(Exit::Status(0)).id(), "process/exit");
        assert_eq!(ended(Exit::Status(1)).id(), "process/crash");
        assert_eq!(ended(Exit::Signal(6)).id(), "process/crash");
        #[cfg(unix)]
        assert_eq!(Exit::Signal(6).to_string(), "signal 6 (SIGABRT)");
    }
}
