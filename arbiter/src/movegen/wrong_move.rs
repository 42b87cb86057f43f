//! A wrong move: a legal one that a program does not know, or an illegal one that it plays or lists.

use oracle::board::broken_rule;
use shakmaty::Position;
use suites::{Answer, SharedCause};

use super::query::Query;
use super::test_position::TestPosition;

/// The most moves that a difference lists.
const SHOWN: usize = 12;

/// A move whose legality a program judges wrongly.
#[derive(Debug, Clone)]
pub(super) struct WrongMove {
    pub(super) position: TestPosition,
    pub(super) mv: String,
    pub(super) error: MoveError,
    pub(super) query: Query,
    /// The answer to the query.
    pub(super) answer: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveError {
    /// The move is legal, and the program takes it for illegal.
    Missing,
    /// The move is illegal, and the program takes it for legal.
    Extra,
}

impl WrongMove {
    /// An illegal move that the program answers with.
    pub(super) fn extra(position: &TestPosition, mv: &str, query: Query) -> Self {
        Self { error: MoveError::Extra, ..Self::missing(position, mv, query, mv) }
    }

    /// A legal move that the program does not know, as the answer shows.
    pub(super) fn missing(position: &TestPosition, mv: &str, query: Query, answer: &str) -> Self {
        let (position, mv, answer) = (position.clone(), mv.to_owned(), answer.to_owned());
        Self { position, mv, error: MoveError::Missing, query, answer }
    }

    /// Whether the same move is wrong in the same way.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.error, &self.mv, &self.position.fen) == (other.error, &other.mv, &other.position.fen)
    }

    pub(super) fn stored(&self) -> Answer {
        let Self { mv, answer, .. } = self;
        let best = |more: String| Answer::BestMove { text: answer.clone(), more };
        match self.query {
            Query::BestMove => best(String::new()),
            Query::SearchMoves => best(format!(" where only {mv} may be searched")),
            Query::AfterMove => best(format!(" after {mv}")),
            Query::MultiPv if answer.is_empty() => format!("all best lines without {mv}").into(),
            Query::MultiPv => format!("{mv} among the best lines").into(),
        }
    }

    /// The illegal move that it makes or lists, or the move that it gives in place of a legal one.
    pub(super) fn given(&self) -> Option<String> {
        let Self { mv, answer, .. } = self;
        let shown = if self.query == Query::MultiPv { mv } else { answer };
        (self.error == MoveError::Extra || self.query != Query::MultiPv).then(|| shown.clone())
    }

    pub(super) fn expected(&self, position: &TestPosition) -> String {
        match (self.error, self.query) {
            (MoveError::Missing, Query::AfterMove) => {
                format!("a move of the other side: {} is legal", self.mv)
            }
            (MoveError::Missing, _) => format!("{}: it is legal", self.mv),
            (MoveError::Extra, Query::BestMove) => {
                format!("one of the {} legal moves", position.chess.legal_moves().len())
            }
            (MoveError::Extra, _) => format!("not {}: it is not legal", self.mv),
        }
    }
}

/// The rule that all of the wrong moves break, if it is one.
pub(super) fn rule(wrong: &[WrongMove]) -> Option<SharedCause> {
    let of_move = |wrong: &WrongMove| {
        let is_extra = wrong.error == MoveError::Extra;
        let of_kind = |asked: bool| (is_extra == asked).then_some(wrong.mv.as_str());
        broken_rule(&wrong.position.chess, of_kind(true), of_kind(false))
    };
    let (first, rest) = wrong.split_first()?;
    of_move(first).filter(|rule| rest.iter().all(|wrong| of_move(wrong) == Some(*rule)))
}

/// The wrong moves, by what is wrong with them.
pub(super) fn lists(wrong: &[WrongMove]) -> String {
    let list = |name: &str, is_so: &dyn Fn(&WrongMove) -> bool| {
        let moves: Vec<&str> = wrong.iter().filter(|mv| is_so(mv)).map(|wrong| wrong.mv.as_str()).collect();
        let more = if moves.len() > SHOWN { " ..." } else { "" };
        let shown = moves[..moves.len().min(SHOWN)].join(" ");
        (!moves.is_empty()).then(|| format!("{name}: {shown}{more}"))
    };
    let is_extra = |wrong: &WrongMove| wrong.error == MoveError::Extra;
    let is_answer = |wrong: &WrongMove| wrong.query == Query::BestMove;
    let lists = [
        list("missing moves", &|wrong| !is_extra(wrong)),
        list("extra moves", &|wrong| is_extra(wrong) && !is_answer(wrong)),
        list("answers that are not legal moves", &|wrong| is_extra(wrong) && is_answer(wrong)),
    ];
    lists.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
