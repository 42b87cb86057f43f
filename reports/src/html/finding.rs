//! One finding of a page: a wrong answer, or an answer that changed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use suites::Difference;

use crate::CompareRow;
use crate::board::{Arrow, Board, name};
use crate::game::{Game, game};
use crate::layout::plain;

/// The most letters of a text that are shown.
const MOST: usize = 600;

/// A finding, and what is known of it. Texts that do not apply are empty.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Finding<'a> {
    pub(super) check: &'a str,
    pub(super) case: &'a str,
    pub(super) fen: &'a str,
    /// The answer of the version before.
    pub(super) old: &'a str,
    /// The answer.
    pub(super) stored: &'a str,
    pub(super) expected: &'a str,
    pub(super) source: &'a str,
    pub(super) explanation: &'a str,
    pub(super) replay: &'a str,
}

impl<'a> From<&'a Difference> for Finding<'a> {
    fn from(found: &'a Difference) -> Self {
        let Difference { check, case, fen, stored, expected, source, explanation, replay, .. } = found;
        Self { check, case, fen, old: "", stored, expected, source, explanation, replay }
    }
}

impl<'a> From<&'a CompareRow> for Finding<'a> {
    fn from(row: &'a CompareRow) -> Self {
        let CompareRow { check, case, a, b, fen, expected, source, explanation, replay, .. } = row;
        Self { check, case, fen, old: a, stored: b, expected, source, explanation, replay }
    }
}

/// The fields of a finding as text, in the order of [`FIELDS`].
pub(super) type Fields = [String; 13];

/// The names of the fields, for the script.
pub(super) const FIELDS: [&str; 13] = [
    "case",
    "check",
    "fen",
    "moves",
    "asked",
    "old",
    "stored",
    "expected",
    "source",
    "explanation",
    "replay",
    "played",
    "right",
];

impl Finding<'_> {
    fn arrows(&self, board: &Board) -> [Vec<Arrow>; 2] {
        let played = board.arrows(self.stored).into_iter().take(1).collect();
        let mut right = board.arrows(self.expected);
        // The explanation of a wrong value names the move that leads to the right one: `Kc7 (b8c7): mate in 13`.
        if let Some((best, _)) =
            self.explanation.rsplit_once("): ").filter(|(_, value)| *value == self.expected)
        {
            right.extend(best.rsplit_once('(').and_then(|(_, best)| board.arrows(best).into_iter().next()));
        }
        right.truncate(8);
        [played, right]
    }

    /// The moves that lead to the position that was asked, and that position.
    fn asked(&self) -> (String, String) {
        match game(self.fen, self.replay) {
            Some(Game { moves, fen }) => (moves, fen),
            None => (String::new(), self.fen.to_owned()),
        }
    }

    /// Its fields, each on one line and of bounded length.
    pub(super) fn fields(&self) -> Fields {
        let text = |arrows: &[Arrow]| -> String {
            arrows.iter().map(|arrow| name(arrow.from) + &name(arrow.to)).collect::<Vec<_>>().join(" ")
        };
        let (moves, asked) = self.asked();
        let arrows = Board::of(&asked).map(|board| self.arrows(&board)).unwrap_or_default();
        let [played, right] = arrows.map(|arrows| text(&arrows));
        // What is cut is no command, and no position.
        let whole = |text: &str| if text.len() > 4 * MOST { String::new() } else { plain(text) };
        [
            short(self.case),
            short(self.check),
            short(self.fen),
            short(&moves),
            whole(&asked),
            short(self.old),
            short(self.stored),
            short(self.expected),
            short(self.source),
            short(self.explanation),
            whole(self.replay),
            played,
            right,
        ]
    }
}

/// A text on one line, cut if it is long.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} … ({} bytes more)", plain(&text[..end]), text.len() - end),
        None => plain(text),
    }
}

/// A finding as the template shows it.
#[derive(Debug, Serialize)]
pub(super) struct FindingView {
    fields: BTreeMap<&'static str, String>,
    /// The parts of the drawing; empty if the finding has no position.
    board: String,
    words: String,
    /// Who is to move.
    turn: &'static str,
    link: String,
}

impl From<&Finding<'_>> for FindingView {
    fn from(finding: &Finding) -> Self {
        let fields = FIELDS.into_iter().zip(finding.fields()).collect();
        let (_, asked) = finding.asked();
        let board = Board::of(&asked);
        let drawn = board.map(|board| {
            let [played, right] = finding.arrows(&board);
            board.svg(&played, &right)
        });
        Self {
            fields,
            board: drawn.unwrap_or_default(),
            turn: board.map(|board| board.turn_in_words()).unwrap_or_default(),
            words: board.map(|board| board.words()).unwrap_or_default(),
            link: board.map(|_| analysis(&asked)).unwrap_or_default(),
        }
    }
}

/// The page that analyses a position. Whatever is no letter of a FEN is escaped.
fn analysis(fen: &str) -> String {
    let mut link = String::from("https://lichess.org/analysis/");
    for byte in fen.bytes() {
        match byte {
            b' ' => link.push('_'),
            b'/' | b'-' => link.push(byte as char),
            byte if byte.is_ascii_alphanumeric() => link.push(byte as char),
            byte => {
                let _ = write!(link, "%{byte:02X}");
            }
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        assert_eq!(short("cp\n12"), "cp\\n12");
        let text = short(&"ä".repeat(MOST + 3));
        assert!(text.ends_with("ä … (6 bytes more)"), "{text}");
    }

    #[test]
    fn the_best_move_of_a_table_is_in_the_explanation() {
        let finding = Finding {
            fen: "1K6/8/k7/8/2P5/8/8/8 w - - 0 1",
            stored: "mate in 14",
            expected: "mate in 13",
            explanation: "Kc7 (b8c7): mate in 13",
            ..Finding::default()
        };
        let fields = finding.fields();
        assert_eq!(fields[11..], ["", "b8c7"]);
        let other = Finding { explanation: "Kc7 (b8c7): mate in 14", ..finding };
        assert_eq!(other.fields()[12], "");
    }

    #[test]
    fn a_link_holds_nothing_but_the_position() {
        assert_eq!(analysis("8/8 w - e3\" x"), "https://lichess.org/analysis/8/8_w_-_e3%22_x");
    }
}
