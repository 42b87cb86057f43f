//! The outputs of a process: a thread reads each one, so that no full pipe blocks the process. The amount that waits
//! for the session is bounded.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;

use crate::transcript::Direction;

/// The longest line that is kept whole, in bytes. The rest of a longer line is discarded.
pub(crate) const LONGEST_LINE: usize = 1 << 20;
/// How many bytes of output the session may leave unread, and may receive between two commands. More is a
/// flood.
pub(crate) const MOST_OUTPUT: u64 = 16 << 20;
/// How many bytes a line counts in addition to its text: the memory that it takes here.
const LINE: u64 = 64;

/// What a reading thread passes on.
pub(crate) enum Event {
    Line(Output),
    /// An output was closed.
    End(Direction),
    /// There was too much output; no more is read.
    Flood,
}

/// A line of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) direction: Direction,
    pub(crate) at: Instant,
    pub(crate) text: String,
    pub(crate) quirks: LineQuirks,
    /// How many bytes the line counts for.
    pub(crate) weight: u64,
}

/// What is unusual about the bytes of a line.
#[expect(clippy::struct_excessive_bools, reason = "the four are independent")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineQuirks {
    /// It was too long, and was cut.
    pub too_long: bool,
    /// It contains invalid UTF-8 or control characters.
    pub not_text: bool,
    /// It ends with CR LF.
    pub crlf: bool,
    /// The output ended before its line break.
    pub unfinished: bool,
}

impl LineQuirks {
    /// The quirks of both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            too_long: self.too_long | other.too_long,
            not_text: self.not_text | other.not_text,
            crlf: self.crlf | other.crlf,
            unfinished: self.unfinished | other.unfinished,
        }
    }
}

/// Reads lines until the output is closed, the receiver is dropped, or there is a flood. Passes lines on together that
/// arrived together: the session wakes up once. Adds the passed-on bytes to `unread`.
pub(crate) fn read(pipe: impl Read, direction: Direction, send: &Sender<Vec<Event>>, unread: &AtomicU64) {
    let mut pipe = BufReader::with_capacity(64 << 10, pipe);
    let (mut bytes, mut events) = (Vec::new(), Vec::new());
    loop {
        let event = match read_line(&mut pipe, &mut bytes) {
            None => Event::End(direction),
            Some((_, length)) if length > MOST_OUTPUT => Event::Flood,
            Some((quirks, length)) => {
                let weight = length + LINE;
                match unread.fetch_add(weight, Ordering::Relaxed) {
                    ahead if ahead > MOST_OUTPUT => Event::Flood,
                    _ => Event::Line(output(direction, &bytes, quirks, weight)),
                }
            }
        };
        let is_last = !matches!(event, Event::Line(_));
        events.push(event);
        let has_more = !is_last && pipe.buffer().contains(&b'\n');
        if !has_more && send.send(std::mem::take(&mut events)).is_err() || is_last {
            return;
        }
    }
}

fn output(direction: Direction, bytes: &[u8], quirks: LineQuirks, weight: u64) -> Output {
    let is_control = |&byte: &u8| byte < b' ' && byte != b'\t' || byte == 0x7f;
    let text = String::from_utf8_lossy(bytes);
    // The text is only owned if invalid UTF-8 was replaced.
    let is_garbled = matches!(text, std::borrow::Cow::Owned(_));
    let not_text = is_garbled || bytes.iter().any(is_control);
    Output {
        direction,
        at: Instant::now(),
        text: text.into_owned(),
        quirks: LineQuirks { not_text, ..quirks },
        weight,
    }
}

/// Reads a line without its line break, and returns its whole length; `None` if the output is closed. A line
/// that is a flood by itself is not read to its end.
fn read_line(pipe: &mut impl BufRead, bytes: &mut Vec<u8>) -> Option<(LineQuirks, u64)> {
    bytes.clear();
    let mut quirks = LineQuirks::default();
    let mut length = 0;
    loop {
        let available = match pipe.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // A pipe that fails counts as closed.
            read => read.unwrap_or_default(),
        };
        if available.is_empty() {
            quirks.unfinished = true;
            return (length > 0).then_some((quirks, length));
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        let room = LONGEST_LINE - bytes.len();
        quirks.too_long |= part.len() > room;
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(end.is_some());
        length += used as u64;
        pipe.consume(used);
        if end.is_some() {
            quirks.crlf = bytes.last() == Some(&b'\r');
            if quirks.crlf {
                bytes.pop();
            }
        }
        if end.is_some() || length > MOST_OUTPUT {
            return Some((quirks, length));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// The lines in these bytes, with their quirks.
    fn lines(bytes: &[u8]) -> Vec<(String, LineQuirks)> {
        let (send, receive) = mpsc::channel();
        read(bytes, Direction::FromEngine, &send, &AtomicU64::new(0));
        drop(send);
        let mut events: Vec<Event> = receive.iter().flatten().collect();
        assert!(matches!(events.pop(), Some(Event::End(Direction::FromEngine))));
        let line = |event| match event {
            Event::Line(output) => (output.text, output.quirks),
            Event::End(_) | Event::Flood => panic!("neither end nor flood"),
        };
        events.into_iter().map(line).collect()
    }

    #[test]
    fn lines_are_read_with_their_quirks() {
        let none = LineQuirks::default();
        let check = |bytes: &[u8], text: &str, quirks: LineQuirks| {
            assert_eq!(lines(bytes), [(text.to_owned(), quirks)], "{bytes:?}");
        };
        check(b"uciok\n", "uciok", none);
        check(b"\n", "", none);
        check(b"uciok\r\n", "uciok", LineQuirks { crlf: true, ..none });
        check(b"uciok", "uciok", LineQuirks { unfinished: true, ..none });
        check(b"a\tb\n", "a\tb", none);
        check(b"a\0b\n", "a\0b", LineQuirks { not_text: true, ..none });
        check(b"a\xffb\n", "a\u{fffd}b", LineQuirks { not_text: true, ..none });
        check("Müller\n".as_bytes(), "Müller", none);
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\r\n\n").len(), 2);
    }

    #[test]
    fn the_quirks_of_two_lines_are_those_of_either() {
        let of = |quirk| LineQuirks {
            too_long: quirk == 0,
            not_text: quirk == 1,
            crlf: quirk == 2,
            unfinished: quirk == 3,
        };
        let of_both = |one, other| {
            let (one, other) = (of(one), of(other));
            LineQuirks {
                too_long: one.too_long || other.too_long,
                not_text: one.not_text || other.not_text,
                crlf: one.crlf || other.crlf,
                unfinished: one.unfinished || other.unfinished,
            }
        };
        for (one, other) in (0..5).flat_map(|one| (0..5).map(move |other| (one, other))) {
            assert_eq!(of(one).and(of(other)), of_both(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_pipe_that_fails_is_closed() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
        let (send, receive) = mpsc::channel();
        read(Failing, Direction::FromEngine, &send, &AtomicU64::new(0));
        drop(send);
        assert!(matches!(
            receive.iter().flatten().collect::<Vec<_>>()[..],
            [Event::End(Direction::FromEngine)]
        ));
    }

    #[test]
    fn a_line_of_the_greatest_length_is_whole() {
        let line = |length| [vec![b'a'; length], b"\n".to_vec()].concat();
        let [(text, quirks)] = &lines(&line(LONGEST_LINE))[..] else { panic!("not one line") };
        assert_eq!((text.len(), *quirks), (LONGEST_LINE, LineQuirks::default()));
        assert!(lines(&line(LONGEST_LINE + 1))[0].1.too_long);
    }

    #[test]
    fn as_much_output_as_may_come_is_no_flood() {
        let line = |length| [vec![b'a'; length], b"\n".to_vec()].concat();
        let most = MOST_OUTPUT as usize;
        assert!(lines(&line(most - 1))[0].1.too_long);
        let (send, receive) = mpsc::channel();
        read(&line(most)[..], Direction::FromEngine, &send, &AtomicU64::new(0));
        drop(send);
        assert!(matches!(receive.iter().flatten().collect::<Vec<_>>()[..], [Event::Flood]));
    }

    #[test]
    fn a_long_line_is_cut() {
        let mut bytes = vec![b'a'; LONGEST_LINE + 5];
        bytes.extend_from_slice(b"\nuciok\n");
        let lines = lines(&bytes);
        assert_eq!(lines[0].0.len(), LONGEST_LINE);
        assert!(lines[0].1.too_long && !lines[1].1.too_long);
        assert_eq!(lines[1].0, "uciok");
    }

    /// Reads an endless repetition of this part.
    fn flood(part: &'static [u8]) -> (usize, u64) {
        struct Endless(&'static [u8], usize);
        impl Read for Endless {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                for byte in into.iter_mut() {
                    *byte = self.0[self.1 % self.0.len()];
                    self.1 += 1;
                }
                Ok(into.len())
            }
        }
        let (send, receive) = mpsc::channel();
        let unread = AtomicU64::new(0);
        read(Endless(part, 0), Direction::Error, &send, &unread);
        drop(send);
        let events: Vec<Event> = receive.iter().flatten().collect();
        assert!(matches!(events.last(), Some(Event::Flood)));
        (events.len() - 1, unread.into_inner())
    }

    #[test]
    fn endless_output_is_read_up_to_a_bound() {
        let (lines, unread) = flood(b"info depth 1\n");
        assert!(lines as u64 <= MOST_OUTPUT / LINE && unread < 2 * MOST_OUTPUT, "{lines}");
        let (lines, _) = flood(b"\n");
        assert!(lines as u64 <= MOST_OUTPUT / LINE + 1, "{lines}");
        assert_eq!(flood(b"a"), (0, 0));
    }
}
