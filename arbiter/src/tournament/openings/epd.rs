//! Openings as lines of EPD or FEN, one position a line.

use oracle::parallel;
use suites::epd::Epd;

use super::book::Book;
use super::fault::{BookError, OpeningFault};
use super::line::Line;
use super::{BookOpening, ReadOptions};

/// How many lines are read at a time, on all cores.
const BLOCK: usize = 1 << 12;

/// Reads a book. Empty lines and lines that begin with `#` are comments.
pub(super) fn read(text: &str, options: ReadOptions) -> Result<Book, BookError> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines: Vec<(usize, &str)> =
        numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect();
    let mut book = Book::new();
    for block in lines.chunks(BLOCK) {
        let read = |&(line, text): &(usize, &str)| {
            opening(text, options).map_err(|fault| BookError::Line { line, fault })
        };
        for opening in parallel::map_each(block, read) {
            book.push(&opening?)?;
        }
    }
    Ok(book)
}

fn opening(line: &str, options: ReadOptions) -> Result<BookOpening, OpeningFault> {
    let epd = Epd::parse(line)?;
    let name = epd.operand("id").map(str::to_owned);
    Line::at(Some(&epd.fen), options.is_chess960)?.finish(name)
}
