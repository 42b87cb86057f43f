//! How much memory a process has for itself, by `/proc/PID/status` of Linux.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use crate::uci_option;

/// How often it is asked.
const PERIOD: Duration = Duration::from_millis(250);

/// The most memory that a process may have, and when it is asked next.
pub(crate) struct MemoryLimit {
    process: u32,
    /// In MiB, beside its options.
    most: u64,
    /// The largest value of each option that costs memory, as if all were MiB.
    options: BTreeMap<String, u64>,
    due: Instant,
}

impl MemoryLimit {
    /// A limit in MiB.
    pub(crate) fn new(process: u32, most: u64) -> Self {
        Self { process, most, options: BTreeMap::new(), due: Instant::now() + PERIOD }
    }

    /// Takes note of the value of an option. Whatever the user or the engine itself wants is allowed.
    pub(crate) fn note_option(&mut self, name: &str, value: &str) {
        if let (true, Ok(value)) = (uci_option::costs_memory(name), value.parse::<u64>()) {
            let known = self.options.entry(name.to_lowercase()).or_default();
            *known = value.max(*known);
        }
    }

    /// Takes note of a line that the process is sent.
    pub(crate) fn note_sent(&mut self, line: &str) {
        let option = line.strip_prefix("setoption name ").and_then(|option| option.split_once(" value "));
        if let Some((name, value)) = option {
            self.note_option(name.trim(), value.trim());
        }
    }

    /// The limit in MiB, if the process is above it. Where the system does not tell, it is not.
    pub(crate) fn passed(&mut self) -> Option<u64> {
        let now = Instant::now();
        if now < self.due {
            return None;
        }
        self.due = now + PERIOD;
        let limit = self.options.values().fold(self.most, |sum, size| sum.saturating_add(*size));
        let status = fs::read_to_string(format!("/proc/{}/status", self.process)).ok()?;
        (own_kib(&status)? > limit.saturating_mul(1024)).then_some(limit)
    }
}

/// The KiB that no file holds. What is mapped from files, such as tables and networks, is shared or taken back by the
/// system.
fn own_kib(status: &str) -> Option<u64> {
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    Some(of("RssAnon:")? + of("VmSwap:").unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_files_are_not_counted() {
        let status =
            "VmRSS:\t  9024 kB\nRssAnon:\t    5000 kB\nRssFile:\t    4000 kB\nRssShmem:\t      24 kB\n";
        assert_eq!(own_kib(status), Some(5000));
        assert_eq!(own_kib(&format!("{status}VmSwap:\t      16 kB\n")), Some(5016));
        for text in ["", "RssFile:\t 1 kB\n", "RssAnon:\t x kB\n"] {
            assert_eq!(own_kib(text), None, "{text}");
        }
    }

    #[test]
    fn options_that_cost_memory_are_added() {
        let mut limit = MemoryLimit::new(std::process::id(), 1);
        let passed = |limit: &mut MemoryLimit| {
            limit.due = Instant::now();
            limit.passed()
        };
        let taken = std::hint::black_box(vec![1_u8; 4 << 20]);
        assert!(limit.passed().is_none(), "it is not due");
        for line in
            ["setoption name Hash value", "setoption name Threads value 9", "setoption name Clear Hash"]
        {
            limit.note_sent(line);
        }
        limit.note_option("Hash", "many");
        assert!(limit.options.is_empty());
        if cfg!(target_os = "linux") {
            let before = Instant::now();
            assert_eq!(passed(&mut limit), Some(1));
            assert!(limit.due >= before + PERIOD, "it was asked just now");
        }
        drop(taken);
        limit.note_option("Hash", "64");
        for line in [
            "setoption name hash value 65536",
            "setoption name Hash value 16",
            "setoption name Eval Cache value 8",
        ] {
            limit.note_sent(line);
        }
        assert_eq!(limit.options.into_values().collect::<Vec<_>>(), [8, 65536]);
    }
}
