//! Reads input lines of bounded length.
//!
//! Knows no command. The rest of a line that is too long is skipped.

use std::io::{self, BufRead};

/// The longest line, in bytes. The moves of a game of 5,000 plies need 25,000.
pub const LONGEST: usize = 1 << 20;

/// A line of input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InputLine {
    /// A line without its end. Invalid UTF-8 is replaced by U+FFFD.
    Text(String),
    /// A line of more than [`LONGEST`] bytes, with its length.
    TooLong(u64),
    /// The end of input.
    End,
}

/// Reads a line.
pub(super) fn read(from: &mut impl BufRead) -> io::Result<InputLine> {
    let (mut kept, mut length) = (Vec::new(), 0_u64);
    loop {
        let bytes = match from.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() && length == 0 {
            return Ok(InputLine::End);
        }
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        length += part.len() as u64;
        kept.extend(&part[..part.len().min(LONGEST + 1 - kept.len())]);
        let (at_end, used) = (bytes.is_empty(), part.len() + usize::from(end.is_some()));
        from.consume(used);
        if end.is_some() || at_end {
            return Ok(if kept.len() > LONGEST { InputLine::TooLong(length) } else { text(&kept) });
        }
    }
}

fn text(bytes: &[u8]) -> InputLine {
    let text = String::from_utf8_lossy(bytes);
    InputLine::Text(text.trim_end_matches('\r').to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn check(bytes: &[u8], expected: &[InputLine]) {
        // A small buffer, so that lines exceed it.
        let mut from = BufReader::with_capacity(7, bytes);
        for line in expected {
            assert_eq!(read(&mut from).unwrap(), *line);
        }
        assert_eq!(read(&mut from).unwrap(), InputLine::End);
    }

    fn text_of(text: &str) -> InputLine {
        InputLine::Text(text.to_owned())
    }

    #[test]
    fn lines_end_with_lf_crlf_or_the_input() {
        check(b"", &[]);
        check(b"uci\r\n\nisready\nquit", &["uci", "", "isready", "quit"].map(text_of));
        check(b"\xff\xfego\0\n", &[text_of("\u{fffd}\u{fffd}go\0")]);
    }

    #[test]
    fn long_lines_are_skipped() {
        let longest = [&vec![b'x'; LONGEST][..], b"\nuci\n"].concat();
        check(&longest, &[text_of(&"x".repeat(LONGEST)), text_of("uci")]);
        let longer = [&vec![b'x'; LONGEST + 1][..], b"\nuci\n"].concat();
        check(&longer, &[InputLine::TooLong(LONGEST as u64 + 1), text_of("uci")]);
        let endless = vec![b'x'; 3 * LONGEST];
        check(&endless, &[InputLine::TooLong(3 * LONGEST as u64)]);
    }
}
