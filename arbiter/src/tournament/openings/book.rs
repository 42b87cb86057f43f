//! A book in memory: its openings as one text, so that millions of them take little more than their file.

use super::fault::BookError;
use super::{BookOpening, MOST_NAME, MOST_OPENINGS};

/// What stands between the parts of an opening. No FEN, move or name contains it.
const SEPARATOR: char = '\t';

/// The openings of a match, all legal and none of them over. There is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    /// For each opening its variant, FEN, moves and name.
    text: String,
    /// The end of each opening in the text.
    ends: Vec<usize>,
}

impl Book {
    pub(super) fn new() -> Self {
        Self { text: String::new(), ends: Vec::new() }
    }

    /// Adds an opening.
    pub(super) fn push(&mut self, opening: &BookOpening) -> Result<(), BookError> {
        if self.ends.len() >= MOST_OPENINGS {
            return Err(BookError::Many);
        }
        self.add(opening);
        Ok(())
    }

    fn add(&mut self, opening: &BookOpening) {
        let name: String = opening.name.iter().flat_map(|name| name.chars()).take(MOST_NAME).collect();
        let name = name.replace(|c: char| c.is_control(), " ");
        let parts = [
            if opening.is_chess960 { "960" } else { "" },
            opening.fen.as_deref().unwrap_or_default(),
            &opening.moves.join(" "),
            &name,
        ];
        for part in parts {
            self.text.push_str(part);
            self.text.push(SEPARATOR);
        }
        self.ends.push(self.text.len());
    }

    /// The book whose only opening is the initial position of standard chess. In Chess960 it is the same
    /// position by the rules of that.
    pub fn initial_position(is_chess960: bool) -> Self {
        let mut book = Self::new();
        book.add(&BookOpening { fen: None, moves: Vec::new(), name: None, is_chess960 });
        book
    }

    /// How many openings there are.
    #[expect(clippy::len_without_is_empty, reason = "a book has an opening")]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The opening with this index, from 0.
    pub fn opening(&self, index: usize) -> Option<BookOpening> {
        let end = *self.ends.get(index)?;
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let mut parts = self.text[begin..end].split(SEPARATOR);
        let mut part = || parts.next().unwrap_or_default();
        let (variant, fen, moves, name) = (part(), part(), part(), part());
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Some(BookOpening {
            fen: some(fen),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
            name: some(name),
            is_chess960: !variant.is_empty(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_has_a_limit() {
        let mut book = Book { text: String::new(), ends: vec![0; MOST_OPENINGS - 1] };
        let opening = BookOpening { fen: None, moves: Vec::new(), name: None, is_chess960: false };
        assert_eq!(book.push(&opening), Ok(()));
        assert_eq!((book.push(&opening), book.len()), (Err(BookError::Many), MOST_OPENINGS));
    }

    #[test]
    fn openings_come_back_as_they_were() {
        let mut book = Book::new();
        let moves = ["e2e4", "e7e8q"].map(str::to_owned).to_vec();
        let fen = Some("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".to_owned());
        let openings = [
            BookOpening {
                fen: fen.clone(),
                moves: moves.clone(),
                name: Some("a b".to_owned()),
                is_chess960: true,
            },
            BookOpening { fen, moves: Vec::new(), name: None, is_chess960: false },
            BookOpening { fen: None, moves, name: Some("\u{e9}".repeat(MOST_NAME)), is_chess960: false },
        ];
        for opening in &openings {
            book.push(opening).unwrap();
        }
        assert_eq!([0, 1, 2].map(|index| book.opening(index).unwrap()), openings);
        let long = BookOpening { name: Some("\u{e9}\t".repeat(MOST_NAME)), ..openings[2].clone() };
        book.push(&long).unwrap();
        assert_eq!(book.opening(3).unwrap().name, Some("\u{e9} ".repeat(MOST_NAME / 2)));
    }
}
