//! Adjudication: ends a game before the rules do, by the scores that the engines print, by endgame tables, or
//! by its length. The caller judges the ends by the rules first, so that none is forestalled.

use std::str::FromStr;

use shakmaty::{ByColor, Chess, Color, Position};
use uci::Score;

use super::end::End;
use super::tables::{TableRule, TableValue};

/// The largest score of an option, in centipawns.
const MOST_SCORE: u32 = 1_000_000;
/// The largest number of moves of an option.
const MOST_MOVES: u32 = 100_000;

/// When games of a match are adjudicated. By default never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Adjudication {
    /// A side that is hopelessly behind loses.
    pub resign: Option<ResignRule>,
    /// A game that both sides score as equal is drawn.
    pub draw: Option<DrawScoreRule>,
    /// A game is drawn once each side has played this many moves itself, opening moves not counted.
    pub max_moves: Option<u32>,
    /// Positions of tables get their result.
    pub tables: Option<TableRule>,
}

/// A side loses if it scored its last moves at `-score` or less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResignRule {
    /// How many moves of the side in a row.
    pub move_count: u32,
    /// Centipawns.
    pub score: u32,
    /// Whether the other side must also have scored its last moves at `score` or more.
    pub two_sided: bool,
}

/// A game is drawn if both sides scored their last moves between `-score` and `score`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawScoreRule {
    /// Not before this move number, as the FEN counts moves.
    pub move_number: u32,
    /// How many moves of each side in a row. The count begins anew after a capture or pawn move.
    pub move_count: u32,
    /// Centipawns.
    pub score: u32,
}

/// Why words are no rule of adjudication.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdjudicationError {
    /// A word is none of those that are known.
    #[error("\"{found}\" is none of {expected}")]
    Word {
        /// The word.
        found: String,
        /// The words that are known.
        expected: &'static str,
    },
    /// A word stands there twice.
    #[error("{0}= stands there twice")]
    Twice(&'static str),
    /// A word is missing.
    #[error("{key}= is missing: expected {expected}")]
    Missing {
        /// The word.
        key: &'static str,
        /// The words that are known.
        expected: &'static str,
    },
    /// A value is no number, or out of bounds.
    #[error("{key}: \"{found}\" is no whole number from {least} to {most}")]
    Number {
        /// The word.
        key: &'static str,
        /// The value.
        found: String,
        /// The least value.
        least: u32,
        /// The greatest value.
        most: u32,
    },
    /// A value is neither yes nor no.
    #[error("{key}: \"{found}\" is neither true nor false")]
    Flag {
        /// The word.
        key: &'static str,
        /// The value.
        found: String,
    },
}

const RESIGN_WORDS: &str = "movecount=N score=CENTIPAWNS [twosided=true|false]";
const DRAW_WORDS: &str = "movenumber=N movecount=N score=CENTIPAWNS";

impl FromStr for ResignRule {
    type Err = AdjudicationError;

    /// Reads `movecount=3 score=600 twosided=true`. The last word may be absent, or stand without a value.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words = Words::read(text, &["movecount", "score", "twosided"], RESIGN_WORDS)?;
        let two_sided = match words.values[2] {
            None | Some("false") => false,
            Some("true" | "") => true,
            Some(found) => {
                return Err(AdjudicationError::Flag { key: "twosided", found: found.to_owned() });
            }
        };
        let (move_count, score) = (words.number(0, 1, MOST_MOVES)?, words.number(1, 1, MOST_SCORE)?);
        Ok(Self { move_count, score, two_sided })
    }
}

impl FromStr for DrawScoreRule {
    type Err = AdjudicationError;

    /// Reads `movenumber=40 movecount=8 score=10`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words = Words::read(text, &["movenumber", "movecount", "score"], DRAW_WORDS)?;
        Ok(Self {
            move_number: words.number(0, 0, MOST_MOVES)?,
            move_count: words.number(1, 1, MOST_MOVES)?,
            score: words.number(2, 0, MOST_SCORE)?,
        })
    }
}

/// The values of words KEY=VALUE, in the order of the keys.
struct Words<'a> {
    keys: &'a [&'static str; 3],
    values: [Option<&'a str>; 3],
    expected: &'static str,
}

impl<'a> Words<'a> {
    fn read(
        text: &'a str,
        keys: &'a [&'static str; 3],
        expected: &'static str,
    ) -> Result<Self, AdjudicationError> {
        let mut values = [None; 3];
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let unknown = || AdjudicationError::Word { found: word.to_owned(), expected };
            let index = keys.iter().position(|known| *known == key).ok_or_else(unknown)?;
            if values[index].replace(value).is_some() {
                return Err(AdjudicationError::Twice(keys[index]));
            }
        }
        Ok(Self { keys, values, expected })
    }

    fn number(&self, index: usize, least: u32, most: u32) -> Result<u32, AdjudicationError> {
        let (key, expected) = (self.keys[index], self.expected);
        let text = self.values[index].ok_or(AdjudicationError::Missing { key, expected })?;
        let read = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let is_within = |number: &u32| (least..=most).contains(number);
        let wrong = || AdjudicationError::Number { key, found: text.to_owned(), least, most };
        read.filter(is_within).ok_or_else(wrong)
    }
}

/// The scores of a game so far, as far as adjudication needs them.
#[derive(Debug, Clone)]
pub struct Adjudicator {
    rules: Adjudication,
    /// For each side how many of its last moves it scored as lost.
    losing: ByColor<u32>,
    /// For each side how many of its last moves it scored as won.
    winning: ByColor<u32>,
    /// How many of the last plies were scored as equal.
    equal: u32,
    /// How many plies the engines have played.
    plies: u32,
}

impl Adjudicator {
    /// For a game in which no engine has moved yet.
    pub fn new(rules: Adjudication) -> Self {
        Self { rules, losing: ByColor::default(), winning: ByColor::default(), equal: 0, plies: 0 }
    }

    /// Counts a move of an engine.
    ///
    /// `after` is the position after it. `score` is the exact score of the engine from its own view; `None` if
    /// it printed none or only bounds, which ends each row of moves. A mate counts as the largest score with
    /// its sign.
    pub fn note(&mut self, after: &Chess, score: Option<Score>) {
        self.plies = self.plies.saturating_add(1);
        let side = !after.turn();
        let centipawns = score.map(in_centipawns);
        if let Some(rule) = self.rules.resign {
            let bound = i64::from(rule.score);
            let count =
                |counter: &mut u32, holds| *counter = if holds { counter.saturating_add(1) } else { 0 };
            count(self.losing.get_mut(side), centipawns.is_some_and(|score| score <= -bound));
            count(self.winning.get_mut(side), centipawns.is_some_and(|score| score >= bound));
        }
        if let Some(rule) = self.rules.draw {
            let is_equal = centipawns.is_some_and(|score| score.abs() <= i64::from(rule.score));
            // 0 after a capture or pawn move.
            let is_quiet = after.halfmoves() > 0;
            self.equal = if is_equal && is_quiet { self.equal.saturating_add(1) } else { 0 };
        }
    }

    /// How the game is adjudicated in this position; `None` if it goes on, as it does before the first move of
    /// an engine. Tables come first, since they know the result, then resignation, draws by score and the
    /// number of moves.
    ///
    /// `probe` looks the position up in tables, see [`TableValue`]. It is only called if a rule asks for it.
    pub fn end(&self, position: &Chess, probe: &dyn Fn(&Chess) -> Option<TableValue>) -> Option<End> {
        if self.plies == 0 {
            return None;
        }
        self.by_tables(position, probe)
            .or_else(|| self.resigned().map(|winner| End::ResignAdjudication { winner }))
            .or_else(|| self.is_drawn(position).then_some(End::DrawAdjudication))
            .or_else(|| {
                let most = self.rules.max_moves?;
                (u64::from(self.plies) >= 2 * u64::from(most)).then_some(End::MaxMoves)
            })
    }

    fn by_tables(&self, position: &Chess, probe: &dyn Fn(&Chess) -> Option<TableValue>) -> Option<End> {
        let rule = self.rules.tables?;
        rule.end(probe(position)?, position.turn(), position.halfmoves())
    }

    /// The side that wins because the other one has scored its moves as lost.
    fn resigned(&self) -> Option<Color> {
        let rule = self.rules.resign?;
        [Color::White, Color::Black].into_iter().find(|&winner| {
            let is_lost = *self.losing.get(!winner) >= rule.move_count;
            is_lost && (!rule.two_sided || *self.winning.get(winner) >= rule.move_count)
        })
    }

    fn is_drawn(&self, position: &Chess) -> bool {
        let is_equal = |rule: DrawScoreRule| {
            let plies = u64::from(rule.move_count) * 2;
            u64::from(self.equal) >= plies && position.fullmoves().get() >= rule.move_number
        };
        self.rules.draw.is_some_and(is_equal)
    }
}

/// A score in centipawns. A mate is larger than each of them, and `mate 0` is a loss.
fn in_centipawns(score: Score) -> i64 {
    match score {
        Score::Centipawns(centipawns) => i64::from(centipawns),
        Score::Mate(moves) if moves > 0 => i64::MAX,
        Score::Mate(_) => -i64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use oracle::board::{Accept, position};

    use super::super::tables::{TableResult, TableResults};
    use super::*;

    const QUIET: &str = "4k3/8/8/8/8/8/4P3/R3K3 w - - 4 40";
    const ZEROED: &str = "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 40";

    fn none(_: &Chess) -> Option<TableValue> {
        None
    }

    fn at(fen: &str) -> Chess {
        position(fen, Accept::Legal).unwrap()
    }

    /// The end after moves with these scores, of Black and White in turn, after which this FEN stands on the
    /// board but for the side to move.
    fn end(rules: Adjudication, fen: &str, scores: &[Option<Score>]) -> Option<End> {
        let mut adjudicator = Adjudicator::new(rules);
        let after_black = at(fen);
        let after_white = at(&fen.replace(" w ", " b "));
        let mut last = &after_black;
        for (index, &score) in scores.iter().enumerate() {
            assert_eq!(adjudicator.end(last, &none), None, "{rules:?}: before move {index}");
            last = if index % 2 == 0 { &after_black } else { &after_white };
            adjudicator.note(last, score);
        }
        adjudicator.end(last, &none)
    }

    fn cp(scores: &[i32]) -> Vec<Option<Score>> {
        scores.iter().map(|&score| Some(Score::Centipawns(score))).collect()
    }

    fn resign(words: &str) -> Adjudication {
        Adjudication { resign: Some(words.parse().unwrap()), ..Adjudication::default() }
    }

    fn draw(words: &str) -> Adjudication {
        Adjudication { draw: Some(words.parse().unwrap()), ..Adjudication::default() }
    }

    #[test]
    fn a_side_that_is_behind_loses() {
        let rules = resign("movecount=2 score=600");
        let white_wins = Some(End::ResignAdjudication { winner: Color::White });
        assert_eq!(end(rules, QUIET, &cp(&[-600, 10, -700])), white_wins);
        assert_eq!(end(rules, QUIET, &cp(&[-600, 10, -599, 10])), None);
        assert_eq!(end(rules, QUIET, &cp(&[-600, 10, 0, 10, -600])), None);
        let black_wins = Some(End::ResignAdjudication { winner: Color::Black });
        assert_eq!(end(rules, QUIET, &cp(&[900, -600, -100, -600])), black_wins);
        // High scores of one side alone prove nothing.
        assert_eq!(end(rules, QUIET, &cp(&[900, 0, 900, 0, 900])), None);
    }

    #[test]
    fn both_sides_must_agree_if_asked_for() {
        let rules = resign("movecount=2 score=600 twosided=true");
        assert_eq!(end(rules, QUIET, &cp(&[-600, 600, -700, 599, -700, 600, -700])), None);
        let white_wins = Some(End::ResignAdjudication { winner: Color::White });
        assert_eq!(end(rules, QUIET, &cp(&[-600, 600, -700, 600])), white_wins);
    }

    #[test]
    fn a_mate_counts_by_its_sign_and_a_missing_score_ends_a_row() {
        let rules = resign("movecount=2 score=1000000");
        let mate = |moves| Some(Score::Mate(moves));
        let white_wins = Some(End::ResignAdjudication { winner: Color::White });
        assert_eq!(end(rules, QUIET, &[mate(-5), None, mate(-4)]), white_wins);
        assert_eq!(end(rules, QUIET, &[mate(-5), None, mate(0)]), white_wins);
        assert_eq!(end(rules, QUIET, &[mate(-5), None, None, None, mate(-5)]), None);
        assert_eq!(end(rules, QUIET, &[mate(5), mate(4), mate(4)]), None);
        let near = draw("movenumber=0 movecount=1 score=1000000");
        assert_eq!(end(near, QUIET, &[mate(5), mate(-5), mate(4), mate(-4)]), None);
    }

    #[test]
    fn a_game_of_equal_scores_is_drawn() {
        let rules = draw("movenumber=40 movecount=2 score=10");
        assert_eq!(end(rules, QUIET, &cp(&[10, -10, 0, 5])), Some(End::DrawAdjudication));
        assert_eq!(end(rules, QUIET, &cp(&[10, -10, 11, 5, 0, 0])), None);
        assert_eq!(end(rules, QUIET, &[cp(&[0, 0, 0]), vec![None], cp(&[0, 0, 0])].concat()), None);
        let later = draw("movenumber=41 movecount=2 score=10");
        assert_eq!(end(later, QUIET, &cp(&[0, 0, 0, 0, 0, 0])), None);
        // Captures and pawn moves.
        assert_eq!(end(rules, ZEROED, &cp(&[0, 0, 0, 0, 0, 0])), None);
    }

    #[test]
    fn a_game_has_no_more_moves_than_allowed() {
        let rules = Adjudication { max_moves: Some(2), ..Adjudication::default() };
        assert_eq!(end(rules, QUIET, &cp(&[0, 0, 0, 0])), Some(End::MaxMoves));
        assert_eq!(end(rules, QUIET, &cp(&[0, 0, 0])), None);
        assert_eq!(end(Adjudication::default(), QUIET, &cp(&[-9999; 50])), None);
    }

    #[test]
    fn tables_come_first_and_only_if_asked_for() {
        let won = |_: &Chess| Some(TableValue { result: TableResult::Win, plies_to_zero: None });
        let mut rules = resign("movecount=1 score=1");
        let mut adjudicator = Adjudicator::new(rules);
        adjudicator.note(&at(&ZEROED.replace(" w ", " b ")), Some(Score::Centipawns(-5)));
        let black_wins = Some(End::ResignAdjudication { winner: Color::Black });
        assert_eq!(adjudicator.end(&at(ZEROED), &won), black_wins);
        rules.tables = Some(TableRule { results: TableResults::All, ignores_fifty_moves: false });
        let mut adjudicator = Adjudicator::new(rules);
        assert_eq!(adjudicator.end(&at(ZEROED), &won), None, "no engine has moved");
        adjudicator.note(&at(&ZEROED.replace(" w ", " b ")), Some(Score::Centipawns(-5)));
        let table = Some(End::TableWin { winner: Color::White });
        assert_eq!(adjudicator.end(&at(ZEROED), &won), table);
        assert_eq!(adjudicator.end(&at(ZEROED), &none), black_wins);
    }

    #[test]
    fn words_are_read_or_refused() {
        let rule = ResignRule { move_count: 3, score: 600, two_sided: true };
        assert_eq!("movecount=3 score=600 twosided".parse(), Ok(rule));
        assert_eq!(" score=600 movecount=3 ".parse(), Ok(ResignRule { two_sided: false, ..rule }));
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<ResignRule>().unwrap_err().to_string(), expected);
        };
        check(
            "movecount=3",
            "score= is missing: expected movecount=N score=CENTIPAWNS [twosided=true|false]",
        );
        check("movecount=0 score=1", "movecount: \"0\" is no whole number from 1 to 100000");
        check("movecount=1 score=-5", "score: \"-5\" is no whole number from 1 to 1000000");
        check("movecount=1 score=NaN", "score: \"NaN\" is no whole number from 1 to 1000000");
        check("movecount=1 score=1 score=2", "score= stands there twice");
        check("movecount=1 score=1 twosided=2", "twosided: \"2\" is neither true nor false");
        let known = "\"moves=3\" is none of movecount=N score=CENTIPAWNS [twosided=true|false]";
        check("moves=3", known);
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<DrawScoreRule>().unwrap_err().to_string(), expected);
        };
        check("", "movenumber= is missing: expected movenumber=N movecount=N score=CENTIPAWNS");
        check(
            "movenumber=4294967296 movecount=1 score=1",
            "movenumber: \"4294967296\" is no whole number from 0 to 100000",
        );
        let rule = DrawScoreRule { move_number: 40, move_count: 8, score: 10 };
        assert_eq!("movenumber=40 movecount=8 score=10".parse(), Ok(rule));
    }
}
