//! A board as SVG from the text of a FEN: the men that the text names, and arrows. Knows no rules of chess.

use std::fmt::Write as _;

/// The men on a board, by square from a8 to h1, and the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Board {
    men: [Option<char>; 64],
    white_to_move: bool,
}

/// A square: file and rank, both from 0.
pub(crate) type Square = (usize, usize);

/// A move from one square to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrow {
    pub(crate) from: Square,
    pub(crate) to: Square,
}

impl Board {
    /// `None` if the text has not eight ranks of eight squares.
    pub(crate) fn from_fen(fen: &str) -> Option<Self> {
        let mut fields = fen.split(' ');
        let mut men = [None; 64];
        let mut ranks = 0;
        for rank in fields.next()?.split('/') {
            let mut file = 0;
            for letter in rank.chars() {
                match letter {
                    '1'..='8' => file += letter as usize - '0' as usize,
                    letter if "KQRBNPkqrbnp".contains(letter) => {
                        *men.get_mut(8 * ranks + file).filter(|_| file < 8)? = Some(letter);
                        file += 1;
                    }
                    _ => return None,
                }
            }
            ranks += 1;
            if file != 8 || ranks > 8 {
                return None;
            }
        }
        (ranks == 8).then_some(Self { men, white_to_move: fields.next() != Some("b") })
    }

    pub(crate) fn man(&self, (file, rank): Square) -> Option<char> {
        self.men[8 * (7 - rank) + file]
    }

    /// The men with their squares, White's first, the king before the others.
    pub(crate) fn men(&self) -> Vec<(char, Square)> {
        let on = |index: usize| Some((self.men[index]?, (index % 8, 7 - index / 8)));
        let mut men: Vec<(char, Square)> = (0..64).filter_map(on).collect();
        men.sort_by_key(|(man, square)| ("KQRBNPkqrbnp".find(*man), *square));
        men
    }

    /// The move that a text begins with, if the side to move has a man on its first square.
    pub(crate) fn arrow(&self, text: &str) -> Option<Arrow> {
        let bytes = text.as_bytes();
        let square = |at: usize| {
            let (file, rank) = (bytes.get(at)?, bytes.get(at + 1)?);
            let inside = (b'a'..=b'h').contains(file) && (b'1'..=b'8').contains(rank);
            inside.then(|| (usize::from(file - b'a'), usize::from(rank - b'1')))
        };
        let (from, to) = (square(0)?, square(2)?);
        let end = if bytes.get(4).is_some_and(|letter| b"qrbn".contains(letter)) { 5 } else { 4 };
        let ends = bytes.get(end).is_none_or(|letter| !letter.is_ascii_alphanumeric());
        let own = self.man(from).is_some_and(|man| man.is_ascii_uppercase() == self.white_to_move);
        (ends && own && from != to).then_some(Arrow { from, to })
    }

    /// The position in words, for people who do not see it.
    pub(crate) fn words(&self) -> String {
        let side = |is_white: bool| {
            let men = self.men();
            let of_side = men.iter().filter(|(man, _)| man.is_ascii_uppercase() == is_white);
            let named = of_side.map(|(man, square)| {
                let letter = man.to_ascii_uppercase();
                format!("{}{}", if letter == 'P' { String::new() } else { letter.to_string() }, name(*square))
            });
            named.collect::<Vec<_>>().join(" ")
        };
        format!("White: {}. Black: {}. {}.", side(true), side(false), self.turn_in_words())
    }

    pub(crate) fn turn_in_words(&self) -> &'static str {
        if self.white_to_move { "White to move" } else { "Black to move" }
    }

    /// The drawing, with an arrow for what was played and for each move that is right.
    pub(crate) fn svg(&self, played: &[Arrow], right: &[Arrow]) -> String {
        let mut svg = String::from(r##"<use href="#squares"/>"##);
        for (man, (file, rank)) in self.men() {
            let (side, role) = (if man.is_ascii_uppercase() { 'w' } else { 'b' }, man.to_ascii_uppercase());
            let _ = write!(
                svg,
                r##"<use href="#{role}" class="{side}" x="{}" y="{}"/>"##,
                45 * file,
                45 * (7 - rank)
            );
        }
        for (class, arrow) in
            right.iter().map(|arrow| ("right", arrow)).chain(played.iter().map(|arrow| ("played", arrow)))
        {
            let ends = [arrow.from, arrow.to].map(|(file, rank)| (45 * file + 22, 45 * (7 - rank) + 22));
            let [(x1, y1), (x2, y2)] = ends;
            let _ = write!(
                svg,
                r#"<path class="arrow {class}" d="M{x1} {y1}L{x2} {y2}" marker-end="url(#{class})"/>"#
            );
        }
        svg
    }
}

/// The name of a square, such as `e4`.
pub(crate) fn name((file, rank): Square) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE: &str = "8/8/8/8/8/1k6/1p6/1K6 w - - 0 1";

    #[test]
    fn a_text_that_is_no_position_has_no_board() {
        for fen in
            ["", "8/8", "9/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/7", "8/8/8/8/8/8/8/8/8", "x7/8/8/8/8/8/8/8", "<b>"]
        {
            assert_eq!(Board::from_fen(fen), None, "{fen}");
        }
        assert_eq!(Board::from_fen("ppppppppp/8/8/8/8/8/8/8"), None);
        assert_eq!(Board::from_fen(MATE).unwrap().words(), "White: Kb1. Black: Kb3 b2. White to move.");
    }

    #[test]
    fn arrows_are_moves_of_the_side_to_move() {
        let board = Board::from_fen("8/8/8/7R/8/8/P6b/5K1k w - - 0 1").unwrap();
        let named = |text: &str| board.arrow(text).map(|arrow| name(arrow.from) + &name(arrow.to));
        assert_eq!(named("a2a4").as_deref(), Some("a2a4"));
        assert_eq!(named("a2a1q").as_deref(), Some("a2a1"));
        for text in ["", "h2g1", "a2a44", "a2a4x", "a2a2", "é a2", "(none)"] {
            assert_eq!(named(text), None, "{text}");
        }
    }
}
