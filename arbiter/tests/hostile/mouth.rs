//! The output: whole lines that end with LF, unless a fault changes that.

use std::io::{self, Write};
use std::process::exit;
use std::thread;
use std::time::Duration;

use crate::fault::Faults;

/// Prints a line as the rules change it. The process ends when its output is closed.
pub(crate) fn say(faults: &Faults, line: &str) {
    if faults.said.is_empty() {
        return say_line(faults, line);
    }
    let said = faults.said.iter().fold(line.to_owned(), |line, rule| rule.said(&line));
    said.lines().filter(|line| !line.is_empty()).for_each(|line| say_line(faults, line));
}

fn say_line(faults: &Faults, line: &str) {
    let mut bytes = line.as_bytes().to_vec();
    bytes.extend_from_slice(if faults.has("crlf") { b"\r\n" } else { b"\n" });
    if faults.has("binary") {
        write(&[0, 0xff, 0xfe, b'\t', 0x1b, 0xc3, 0x28, b'\n']);
    }
    if faults.has("halves") {
        let (first, second) = bytes.split_at(bytes.len() / 2);
        write(first);
        thread::sleep(Duration::from_millis(5));
        write(second);
    } else {
        write(&bytes);
    }
}

/// Writes without end, with a pause between parts.
pub(crate) fn flood(mut pipe: impl Write, bytes: &[u8], pause: Duration) {
    let many = bytes.repeat((64 << 10) / bytes.len());
    while pipe.write_all(&many).is_ok() {
        thread::sleep(pause);
    }
    exit(0)
}

pub(crate) fn write(bytes: &[u8]) {
    let mut output = io::stdout().lock();
    if output.write_all(bytes).and_then(|()| output.flush()).is_err() {
        exit(0);
    }
}
