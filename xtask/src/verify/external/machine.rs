//! The machine that an engine ran on. Processor and memory are known on Linux only.

use std::fs::File;
use std::io::Read;

use reports::Machine;

/// The most bytes that are read of a system file. That is enough for the first processor.
const MOST: u64 = 64 << 10;

/// This machine.
pub(super) fn this() -> Machine {
    let told = |path| if cfg!(target_os = "linux") { beginning(path) } else { None };
    Machine {
        os: std::env::consts::OS.to_owned(),
        arch: std::env::consts::ARCH.to_owned(),
        cores: std::thread::available_parallelism().map_or(1, usize::from) as u64,
        processor: told("/proc/cpuinfo").and_then(|text| processor(&text)),
        memory_mib: told("/proc/meminfo").and_then(|text| memory_mib(&text)),
    }
}

fn beginning(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The name of the first processor.
fn processor(cpuinfo: &str) -> Option<String> {
    field(cpuinfo, "model name").map(str::to_owned)
}

/// The memory in MiB.
fn memory_mib(meminfo: &str) -> Option<u64> {
    let kib: u64 = field(meminfo, "MemTotal")?.strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib >> 10)
}

/// The value of a line `name: value`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    let value = fields.find(|(key, _)| key.trim() == name)?.1.trim();
    (!value.is_empty()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_and_memory_on_linux() {
        let cpuinfo = "processor\t: 0\nmodel\t\t: 25\nmodel name\t: Some CPU: 3 GHz\n\nprocessor\t: 1\nmodel name\t: B\n";
        assert_eq!(processor(cpuinfo).as_deref(), Some("Some CPU: 3 GHz"));
        assert_eq!(processor("processor\t: 0\nmodel name\t:\n"), None);
        assert_eq!(memory_mib("MemTotal:       16387072 kB\nMemFree:  1 kB\n"), Some(16003));
        assert_eq!(memory_mib("MemFree: 1 kB\n"), None);
        assert_eq!(memory_mib("MemTotal: much\n"), None);
    }
}
