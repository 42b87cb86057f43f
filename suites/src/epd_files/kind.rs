//! Recognises files of another kind, such as PGN, CSV or archives, so that the error can say what they are.

use super::MOST_CASES;

/// What `--epd` reads.
const EXPECTED: &str = "--epd reads one position a line: EPD with bm, am or dm, plain FEN, or perft counts such as \"FEN ;D1 20 ;D2 400\"";
/// How many bytes of a file are searched for bytes that are no text.
const LOOKED_AT: usize = 1 << 16;

/// A file that is refused as a whole: which file, which line, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {why}", line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct RefusedFile {
    /// The file.
    pub file: String,
    /// The line, counted from 1; `None` if it concerns the whole file.
    pub line: Option<u64>,
    /// What was found, and what is expected.
    pub why: String,
}

impl RefusedFile {
    fn new(file: &str, line: Option<u64>, why: &str) -> Self {
        Self { file: file.to_owned(), line, why: format!("{why}; {EXPECTED}") }
    }

    pub(super) fn empty(file: &str) -> Self {
        Self::new(file, None, "it has no position")
    }

    pub(super) fn unreadable(file: &str, line: u64, why: &str, lines: usize) -> Self {
        let of = match lines {
            1 => "it is the only line".to_owned(),
            lines => format!("none of its {lines} lines can be read"),
        };
        Self::new(file, Some(line), &format!("{why} ({of})"))
    }

    pub(super) fn too_many(file: &str, line: u64) -> Self {
        let why = format!("more than {MOST_CASES} positions; split the file");
        Self { file: file.to_owned(), line: Some(line), why }
    }
}

/// Refuses a file of another kind, by its first bytes or its first line that is no comment.
pub(super) fn recognise(file: &str, bytes: &[u8]) -> Result<(), RefusedFile> {
    let start = &bytes[..bytes.len().min(LOOKED_AT)];
    if let Some(why) = not_text(start) {
        return Err(RefusedFile::new(file, None, why));
    }
    let text = String::from_utf8_lossy(start);
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let lines = lines.map(|(number, line)| (number, line.trim()));
    let Some((number, line)) = lines.into_iter().find(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    else {
        return Ok(());
    };
    other_text(line).map_or(Ok(()), |why| Err(RefusedFile::new(file, Some(number), why)))
}

/// Why bytes cannot be read as text.
fn not_text(start: &[u8]) -> Option<&'static str> {
    match start {
        [0x1f, 0x8b, ..] => Some("it is compressed by gzip: unpack it first"),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some("it is compressed by zstd: unpack it first"),
        [b'P', b'K', 3, 4, ..] => Some("it is a ZIP archive: unpack it first"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("it is UTF-16: save it as UTF-8"),
        _ if start.contains(&0) => Some("it is not text"),
        _ => None,
    }
}

/// The kind of a text by its first line, if `--epd` does not read this kind.
fn other_text(line: &str) -> Option<&'static str> {
    let first = line.chars().next()?;
    if is_tag(line) || is_numbered(line) {
        return Some("this is a PGN game; games cannot be read yet");
    }
    match first {
        '{' | '[' => Some("this is JSON"),
        '<' => Some("this is HTML or XML: save the file itself, not the page that shows it"),
        _ if is_csv(line) => Some("this is CSV: a table that was exported as text is for --dump"),
        _ => None,
    }
}

/// A tag such as `[Event "?"]`.
fn is_tag(line: &str) -> bool {
    let rest = line.strip_prefix('[').unwrap_or_default();
    rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.contains(" \"")
}

/// Moves such as `1. e4`, or `1.e4`: no FEN has a dot.
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && rest.starts_with('.')
}

/// A header that begins with `fen`, or a position with values set off by commas.
fn is_csv(line: &str) -> bool {
    let word = line.split([',', ';', '\t']).next().unwrap_or_default();
    let is_header = word.len() < line.len() && word.trim_matches('"').eq_ignore_ascii_case("fen");
    let fields: Vec<&str> = line.split_whitespace().take(6).collect();
    let has_value = |place: usize, field: &str| {
        field.contains(',') && (place < 4 || field.starts_with(|c: char| c.is_ascii_digit()))
    };
    is_header
        || line.starts_with('"')
        || fields.iter().enumerate().any(|(place, field)| has_value(place, field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: Option<&str>) {
        let found = recognise("x.epd", bytes).err().map(|refused| refused.to_string());
        match (found, expected) {
            (Some(found), Some(expected)) => {
                assert!(found.starts_with(expected) && found.ends_with(EXPECTED), "{found}");
            }
            (found, expected) => assert_eq!((found, expected), (None, None)),
        }
    }

    #[test]
    fn the_error_names_the_kind_of_file() {
        let game = "this is a PGN game";
        check(b"[Event \"?\"]\n[Site \"?\"]\n\n1. e4 e5 *\n", Some(&format!("x.epd:1: {game}")));
        check(b"\n# a comment\n 1. e4 e5 2. Nf3\n", Some(&format!("x.epd:3: {game}")));
        check(b"1.e4 e5", Some(&format!("x.epd:1: {game}")));
        check("\u{feff}[Event \"?\"]".as_bytes(), Some(&format!("x.epd:1: {game}")));
        let csv = "x.epd:1: this is CSV: a table that was exported as text is for --dump";
        check(b"fen,wdl,dtm\n", Some(csv));
        check(b"FEN;dm\n", Some(csv));
        check(b"8/8/8/8/8/1K6/2R5/1k6 w - - 0 1,win,3\n", Some(csv));
        check(b"8/8/8/8/8/1K6/2R5/1k6 w - -,win\n", Some(csv));
        check(b"\"8/8/8/8/8/1K6/2R5/1k6 w - - 0 1\",win\n", Some(csv));
        check(b"{\"fen\": 1}", Some("x.epd:1: this is JSON"));
        check(b"[1, 2]", Some("x.epd:1: this is JSON"));
        check(b"<!DOCTYPE html>", Some("x.epd:1: this is HTML or XML"));
        check(b"\x7fELF\x02\x01\x00\x00", Some("x.epd: it is not text"));
        check(&[0x1f, 0x8b, 8, 0], Some("x.epd: it is compressed by gzip"));
        check(&[0x28, 0xb5, 0x2f, 0xfd], Some("x.epd: it is compressed by zstd"));
        check(b"PK\x03\x04", Some("x.epd: it is a ZIP archive"));
        check(&[0xff, 0xfe, b'8', 0], Some("x.epd: it is UTF-16"));
    }

    #[test]
    fn positions_are_not_taken_for_another_kind() {
        for line in [
            "8/8/8/8/8/1K6/2R5/1k6 w - - bm Rc1+, Rd2; id \"a, b\";",
            "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1 c0 \"Rc1+=10, Rd2=5\";",
            "1k6/8/8/8/8/1K6/2R5/8 w - - 0 1 ;D1 20 ;D2 400",
            "1k6/8/8/8/8/1K6/2R5/8 w - - am 1. Rc1;",
            "id gentest-1",
            "x",
            "",
        ] {
            check(line.as_bytes(), None);
        }
    }
}
