//! One finding of a page: a wrong answer, or an answer that changed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use suites::Difference;

use crate::CompareRow;
use crate::board::{Arrow, Board, name};
use crate::layout::plain;

/// The most letters of a text that are shown.
const MOST: usize = 600;

/// A finding, and what is known of it. Texts that do not apply are empty.
#[derive(Debug, Clone, Default)]
pub(super) struct Finding<'a> {
    pub(super) check: &'a str,
    pub(super) case: &'a str,
    pub(super) fen: &'a str,
    /// The moves that were played after the position.
    pub(super) moves: Cow<'a, str>,
    /// The position after them.
    pub(super) after: &'a str,
    /// The answer of the version before.
    pub(super) old: &'a str,
    /// The answer.
    pub(super) stored: Cow<'a, str>,
    /// Its move.
    pub(super) given: &'a str,
    pub(super) expected: Cow<'a, str>,
    /// The moves that are right.
    pub(super) best: Cow<'a, str>,
    pub(super) source: &'a str,
    pub(super) explanation: &'a str,
    pub(super) replay: &'a str,
}

impl<'a> From<&'a Difference> for Finding<'a> {
    fn from(found: &'a Difference) -> Self {
        let Difference { check, case, fen, played, source, explanation, replay, .. } = found;
        let (stored, expected) = (found.stored.to_string().into(), found.expected.to_string().into());
        let (given, best) = (found.given.as_deref().unwrap_or_default(), found.best.join(" ").into());
        let moves = played.as_ref().map(|played| played.moves.join(" ")).unwrap_or_default().into();
        let after = played.as_ref().map(|played| played.fen.as_str()).unwrap_or_default();
        let old = "";
        Self {
            check,
            case,
            fen,
            moves,
            after,
            old,
            stored,
            given,
            expected,
            best,
            source,
            explanation,
            replay,
        }
    }
}

impl<'a> From<&'a CompareRow> for Finding<'a> {
    fn from(row: &'a CompareRow) -> Self {
        let CompareRow {
            check,
            case,
            a: old,
            fen,
            position_after: after,
            given,
            source,
            explanation,
            replay,
            ..
        } = row;
        let (moves, best) = ((&*row.moves).into(), (&*row.best).into());
        let (stored, expected) = ((&*row.b).into(), (&*row.expected).into());
        Self {
            check,
            case,
            fen,
            moves,
            after,
            old,
            stored,
            given,
            expected,
            best,
            source,
            explanation,
            replay,
        }
    }
}

/// The fields of a finding by the names that the script knows, as text.
pub(super) type Fields = [(&'static str, String); 13];

impl Finding<'_> {
    fn arrows(&self, board: &Board) -> [Vec<Arrow>; 2] {
        let right = self.best.split_whitespace().filter_map(|text| board.arrow(text)).take(8);
        [board.arrow(self.given).into_iter().collect(), right.collect()]
    }

    /// The position that was asked.
    fn asked(&self) -> &str {
        if self.moves.is_empty() { self.fen } else { self.after }
    }

    /// Its fields, each on one line and of bounded length.
    pub(super) fn fields(&self) -> Fields {
        let text = |arrows: &[Arrow]| -> String {
            arrows.iter().map(|arrow| name(arrow.from) + &name(arrow.to)).collect::<Vec<_>>().join(" ")
        };
        let asked = self.asked();
        let arrows = Board::from_fen(asked).map(|board| self.arrows(&board)).unwrap_or_default();
        let [played, right] = arrows.map(|arrows| text(&arrows));
        // A command or a position that is cut is useless, so a text that is too long is left out.
        let whole = |text: &str| if text.len() > 4 * MOST { String::new() } else { plain(text) };
        [
            ("case", short(self.case)),
            ("check", short(self.check)),
            ("fen", short(self.fen)),
            ("moves", short(&self.moves)),
            ("asked", whole(asked)),
            ("old", short(self.old)),
            ("stored", short(&self.stored)),
            ("expected", short(&self.expected)),
            ("source", short(self.source)),
            ("explanation", short(self.explanation)),
            ("replay", whole(self.replay)),
            ("played", played),
            ("right", right),
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
        let fields = finding.fields().into_iter().collect();
        let asked = finding.asked();
        let board = Board::from_fen(asked);
        let drawn = board.map(|board| {
            let [played, right] = finding.arrows(&board);
            board.svg(&played, &right)
        });
        Self {
            fields,
            board: drawn.unwrap_or_default(),
            turn: board.map(|board| board.turn_in_words()).unwrap_or_default(),
            words: board.map(|board| board.words()).unwrap_or_default(),
            link: board.map(|_| analysis(asked)).unwrap_or_default(),
        }
    }
}

/// The address of a page that analyses a position. Characters that a FEN does not have are escaped.
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
    fn moves_are_arrows_where_a_man_of_the_mover_stands() {
        let finding = Finding {
            fen: "1K6/8/k7/8/2P5/8/8/8 w - - 0 1",
            given: "c4c5",
            best: "b8c7".into(),
            ..Finding::default()
        };
        let fields = |finding: &Finding| finding.fields().map(|(_, text)| text);
        assert_eq!(fields(&finding)[11..], ["c4c5", "b8c7"]);
        let other = Finding { given: "a6a5", best: "(none)".into(), ..finding };
        assert_eq!(fields(&other)[11..], ["", ""]);
    }

    #[test]
    fn a_link_holds_nothing_but_the_position() {
        assert_eq!(analysis("8/8 w - e3\" x"), "https://lichess.org/analysis/8/8_w_-_e3%22_x");
    }
}
