//! A PGN file cut into blocks of lines, each of one game as a rule, so that games can be read side by side.
//! Knows only where games begin.

use std::io::{self, BufRead};

/// The largest block that is kept, in bytes. The longest games of TCEC, with a line of play for each move, have
/// less than one MiB.
pub(super) const MOST_BYTES: usize = 16 << 20;
/// From this size on a block without tags between its games ends with a game.
const LARGE: usize = 1 << 20;
/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// How the tag with which a game begins is written.
const FIRST_TAG: &[u8] = b"[Event ";
/// The words that end a game.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// Lines of a file: a game with tags, or games without. Games without tags that have more than a MiB are several blocks.
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
            place = place_after(place, &first);
            block.bytes = first;
        }
        let mut line = Vec::new();
        loop {
            line.clear();
            let is_whole = self.read_line(&mut line)?;
            if line.is_empty() {
                break;
            }
            let is_large = block.bytes.len() >= LARGE;
            let begins = match place {
                Place::Moves => is_tag(&line),
                Place::Comment => line.starts_with(FIRST_TAG),
                Place::Tags => is_large && line.starts_with(FIRST_TAG),
            };
            if begins {
                self.first = Some(line);
                break;
            }
            place = place_after(place, &line);
            let fits = is_whole && block.bytes.len() + line.len() <= MOST_BYTES;
            if fits && !block.is_cut {
                block.bytes.extend_from_slice(&line);
            }
            block.is_cut |= !fits;
            if is_large && place == Place::Moves && ends_game(&line) {
                break;
            }
        }
        Ok((!block.bytes.is_empty() || block.is_cut).then_some(block))
    }

    /// Reads a line with its break, which is LF, CR or both, and without a mark of UTF-8 at its beginning: joined files
    /// have such marks inside. False if only its beginning is kept.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        let mut is_whole = true;
        loop {
            let buffer = self.input.fill_buf()?;
            let end = memchr::memchr2(b'\n', b'\r', buffer);
            let length = end.map_or(buffer.len(), |end| end + 1);
            let kept = length.min(MOST_BYTES - line.len());
            is_whole &= kept == length;
            line.extend_from_slice(&buffer[..kept]);
            let (is_over, is_cr) =
                (end.is_some() || buffer.is_empty(), end.is_some_and(|end| buffer[end] == b'\r'));
            self.input.consume(length);
            if is_cr && self.input.fill_buf()?.first() == Some(&b'\n') {
                self.input.consume(1);
                line.push(b'\n');
            }
            if is_over {
                break;
            }
        }
        self.line += u64::from(!line.is_empty());
        if line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(is_whole)
    }
}

/// Whether a line begins as a tag does: `[Name "`.
fn is_tag(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && rest[name..].trim_ascii_start().starts_with(b"\"")
}

/// Whether the last word of a line is a result, and in no comment that the line begins with `;`.
fn ends_game(line: &[u8]) -> bool {
    let last = line.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    RESULTS.contains(&last) && !line.starts_with(b"%") && !line.contains(&b';')
}

/// Where the next line stands. A line of tags may be damaged; a game of one line has its tags and its moves there.
fn place_after(place: Place, line: &[u8]) -> Place {
    let is_skipped = line.starts_with(b"%") || line.trim_ascii().is_empty();
    if place != Place::Comment
        && (is_skipped || place == Place::Tags && line.starts_with(b"[") && !ends_game(line))
    {
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
        // A lone CR ends a line too.
        check("[A \"a\"]\r\r1. e4 *\r[A \"b\"]\r*", &[(1, "[A \"a\"]\r\r1. e4 *\r"), (4, "[A \"b\"]\r*")]);
        check("1. e4 ; {\r[A \"b\"]\r*", &[(1, "1. e4 ; {\r"), (2, "[A \"b\"]\r*")]);
        check("", &[]);
        check("\n\n", &[(1, "\n\n")]);
    }

    #[test]
    fn files_that_were_joined_have_marks_of_utf_8_inside() {
        check("1. e4 *\n\u{feff}[A \"b\"]\n*\n", &[(1, "1. e4 *\n"), (2, "[A \"b\"]\n*\n")]);
    }

    #[test]
    fn games_of_one_line_with_their_tags_are_blocks() {
        let line = "[Event \"a\"][Result \"*\"] 1. e4 *\n";
        check(&line.repeat(3), &[(1, line), (2, line), (3, line)]);
        // Damage among tags begins no game.
        let damaged = "[Event \"a\"] x\n[White x]\n[FEN \"b\"]\n*\n";
        check(damaged, &[(1, damaged)]);
    }

    /// No block is much larger than a MiB, and each ends with a game.
    #[test]
    fn many_games_without_tags_are_several_blocks() {
        for game in ["1. e4 e5 1-0\n", "1. e4 { 1-0\n} e5 1/2-1/2 \n", "[Event \"a\"]\n[White \"b\"]\n"] {
            let found = blocks(game.repeat(400_000).as_bytes());
            assert!(found.len() > 3, "{}", found.len());
            for block in found {
                let text = std::str::from_utf8(&block.bytes).unwrap();
                assert!(!block.is_cut && text.len() < 5 << 18, "{}", text.len());
                assert!(text.starts_with(game) && text.ends_with(game), "{:?}", &text[..40]);
            }
        }
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
