//! Openings as games of PGN: the main lines, from the start or from the tag `FEN`. Variations are skipped.

use std::collections::BTreeMap;

use super::book::Book;
use super::fault::{BookError, OpeningFault};
use super::line::Line;
use super::{BookOpening, ReadOptions};
use crate::pgn::{Token, Tokens, is_chess960};

/// Reads a book.
pub(super) fn read(text: &str, options: ReadOptions) -> Result<Book, BookError> {
    let mut tokens = Tokens::new(text);
    let mut book = Book::new();
    loop {
        let read = opening(&mut tokens, options);
        let located = |fault| BookError::Game { game: book.len() + 1, line: tokens.line(), fault };
        match read.map_err(located)? {
            Some(opening) => book.push(&opening)?,
            None => return Ok(book),
        }
    }
}

/// Reads the next game, if there is one. The place stays in the line of a fault.
fn opening(tokens: &mut Tokens, options: ReadOptions) -> Result<Option<BookOpening>, OpeningFault> {
    let mut tags = BTreeMap::new();
    let mut line: Option<Line> = None;
    let mut depth = 0_usize;
    let mut is_empty = true;
    loop {
        let before = *tokens;
        let Some(token) = tokens.next()? else { break };
        is_empty = false;
        match token {
            Token::Tag { .. } if depth > 0 => return Err(OpeningFault::Variation),
            Token::Tag { .. } if line.is_some() => {
                *tokens = before;
                break;
            }
            Token::Tag { name, value } => {
                if tags.insert(name, value).is_some() {
                    return Err(OpeningFault::TagTwice(name.to_owned()));
                }
            }
            Token::Open => depth += 1,
            Token::Close => depth = depth.checked_sub(1).ok_or(OpeningFault::Closing)?,
            Token::Result(_) if depth == 0 => break,
            Token::Move(text) if depth == 0 => {
                let line = match &mut line {
                    Some(line) => line,
                    None => line.insert(start(&tags, options)?),
                };
                if options.plies.is_none_or(|plies| line.plies() < plies) {
                    line.play(text)?;
                }
            }
            Token::Result(_) | Token::Move(_) | Token::Comment(_) => {}
        }
    }
    if depth > 0 {
        return Err(OpeningFault::Variation);
    }
    if is_empty {
        return Ok(None);
    }
    let line = match line {
        Some(line) => line,
        None => start(&tags, options)?,
    };
    line.finish(name(&tags)).map(Some)
}

/// The start of a game with these tags.
fn start(tags: &BTreeMap<&str, String>, options: ReadOptions) -> Result<Line, OpeningFault> {
    let variant = tags.get("Variant").map_or("", String::as_str);
    let is_chess960 = is_chess960(variant).ok_or_else(|| OpeningFault::Variant(variant.to_owned()))?;
    Line::at(tags.get("FEN").map(String::as_str), is_chess960 || options.is_chess960)
}

/// The code and the name of the opening, as far as the tags say them.
fn name(tags: &BTreeMap<&str, String>) -> Option<String> {
    let given = ["ECO", "Opening", "Variation"].iter().filter_map(|&tag| tags.get(tag));
    let words: Vec<&str> = given.map(|text| text.trim()).filter(|text| !matches!(*text, "" | "?")).collect();
    (!words.is_empty()).then(|| words.join(" "))
}
