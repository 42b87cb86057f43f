//! A PGN file cut into blocks of lines, each of one game as a rule, so that games can be read side by side.
//! Knows only where games begin.

use std::io::{self, BufRead, Read};

/// The largest block that is kept, in bytes. The longest games of TCEC, with a line of play for each move, have
/// less than one MiB.
pub(super) const MOST_BYTES: usize = 16 << 20;

/// Lines of a file: a game with tags, or games without.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// The first line, from 1.
    pub line: u64,
    /// The text, with its line breaks. Not all of it if `is_cut`.
    pub bytes: Vec<u8>,
    /// Whether it is too large.
    pub is_cut: bool,
}

/// The blocks of a file, one after the other.
#[derive(Debug)]
pub struct Blocks<R> {
    input: R,
    /// The line that is read next, from 1.
    line: u64,
    /// The first line of the next block, if it was read with the last one.
    first: Option<Vec<u8>>,
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Among tags, or before a game.
    Tags,
    /// After a move, a comment or a result.
    Moves,
    /// In a comment that was opened on an earlier line.
    Comment,
}

impl<R: BufRead> Blocks<R> {
    /// The blocks of this text.
    pub fn new(input: R) -> Self {
        Self { input, line: 1, first: None }
    }

    /// The next block; `None` at the end of the file.
    ///
    /// # Errors
    /// If the text cannot be read.
    pub fn next_block(&mut self) -> io::Result<Option<Block>> {
        let mut block = Block { line: self.line, ..Block::default() };
        let mut place = Place::Tags;
        if let Some(first) = self.first.take() {
            block.line -= 1;
            block.bytes = first;
        }
        let mut line = Vec::new();
        loop {
            line.clear();
            let is_whole = self.read_line(&mut line)?;
            if line.is_empty() {
                break;
            }
            if is_tag(&line)
                && (place == Place::Moves || place == Place::Comment && line.starts_with(b"[Event "))
            {
                self.first = Some(line);
                break;
            }
            place = place_after(place, &line);
            let fits = is_whole && block.bytes.len() + line.len() <= MOST_BYTES;
            if fits && !block.is_cut {
                block.bytes.extend_from_slice(&line);
            }
            block.is_cut |= !fits;
        }
        Ok((!block.bytes.is_empty() || block.is_cut).then_some(block))
    }

    /// Reads a line with its break. False if only its beginning is kept.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        let mut limited = self.input.by_ref().take(MOST_BYTES as u64);
        limited.read_until(b'\n', line)?;
        let is_whole = limited.limit() > 0 || line.ends_with(b"\n");
        if !is_whole {
            self.skip_line()?;
        }
        self.line += u64::from(!line.is_empty());
        if self.line == 2 && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        Ok(is_whole)
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let (length, is_over) =
                (end.map_or(buffer.len(), |end| end + 1), end.is_some() || buffer.is_empty());
            self.input.consume(length);
            if is_over {
                return Ok(());
            }
        }
    }
}

/// Whether a line begins as a tag does: `[Name "`.
fn is_tag(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && rest[name..].trim_ascii_start().starts_with(b"\"")
}

/// Where the next line stands.
fn place_after(place: Place, line: &[u8]) -> Place {
    let is_skipped = line.starts_with(b"%") || line.trim_ascii().is_empty();
    if place != Place::Comment && (is_skipped || place == Place::Tags && is_tag(line)) {
        return place;
    }
    let (mut rest, mut is_open) = (line, place == Place::Comment);
    loop {
        let found = if is_open {
            rest.iter().position(|&byte| byte == b'}')
        } else {
            rest.iter().position(|&byte| byte == b'{' || byte == b';')
        };
        match found {
            Some(at) if rest[at] != b';' => {
                rest = &rest[at + 1..];
                is_open = !is_open;
            }
            _ => return if is_open { Place::Comment } else { Place::Moves },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &[u8]) -> Vec<Block> {
        let mut blocks = Blocks::new(text);
        std::iter::from_fn(|| blocks.next_block().unwrap()).collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[(u64, &str)]) {
        let found = blocks(text.as_bytes());
        let found: Vec<_> =
            found.iter().map(|block| (block.line, std::str::from_utf8(&block.bytes).unwrap())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_tag_after_moves_begins_a_block() {
        let (one, two) = ("[Event \"a\"]\n[White \"b\"]\n\n1. e4 *\n\n", "[Event \"c\"]\n\n*");
        check(&format!("{one}{two}"), &[(1, one), (6, two)]);
        check(&format!("\u{feff}{one}{two}\n"), &[(1, one), (6, &format!("{two}\n"))]);
        // Tags after an empty line are still tags. A line of a comment is none, unless a new game begins.
        check("[Event \"a\"]\n\n[White \"b\"]\n*\n", &[(1, "[Event \"a\"]\n\n[White \"b\"]\n*\n")]);
        check("1. e4 {x\n[White \"b\"]\n} e5 *\n", &[(1, "1. e4 {x\n[White \"b\"]\n} e5 *\n")]);
        check("1. e4 {x\n[Event \"b\"]\n*\n", &[(1, "1. e4 {x\n"), (2, "[Event \"b\"]\n*\n")]);
        check("1. e4 {[%clk\n0:03]}\n[%eval 0.1] *\n", &[(1, "1. e4 {[%clk\n0:03]}\n[%eval 0.1] *\n")]);
        check("1. e4 ; {\n[White \"b\"]\n*\n", &[(1, "1. e4 ; {\n"), (2, "[White \"b\"]\n*\n")]);
    }

    #[test]
    fn lines_may_end_as_on_windows() {
        check(
            "[A \"a\"]\r\n\r\n1. e4 *\r\n\r\n[A \"b\"]\r\n*",
            &[(1, "[A \"a\"]\r\n\r\n1. e4 *\r\n\r\n"), (5, "[A \"b\"]\r\n*")],
        );
        check("", &[]);
        check("\n\n", &[(1, "\n\n")]);
    }

    #[test]
    fn a_block_that_is_too_large_is_cut() {
        let long = "x".repeat(MOST_BYTES + 10);
        for text in [
            format!("e4 {long}\n[A \"b\"]\n*\n"),
            format!("e4\n{}[A \"b\"]\n*\n", "e5 Nf3 Nc6\n".repeat(MOST_BYTES / 8)),
        ] {
            let found = blocks(text.as_bytes());
            assert_eq!(found.len(), 2);
            assert!(found[0].is_cut && found[0].bytes.len() <= MOST_BYTES, "{}", found[0].bytes.len());
            assert_eq!((found[1].is_cut, &found[1].bytes[..]), (false, &b"[A \"b\"]\n*\n"[..]));
        }
    }
}
