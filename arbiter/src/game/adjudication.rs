//! Adjudication: ends a game before the rules do, by the scores that the engines print, by endgame tables, or
//! by its length. The caller judges the ends by the rules first, so that none is forestalled.

use std::fmt;
use std::num::NonZeroU32;

use shakmaty::{ByColor, Chess, Color, Position};
use uci::Score;

use super::end::End;
use super::score_rules::{DrawScoreRule, ResignRule};
use super::tables::{TableRule, TableValue};

/// When games of a match are adjudicated. By default never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Adjudication {
    /// A side that is hopelessly behind loses.
    pub resign: Option<ResignRule>,
    /// A game that both sides score as equal is drawn.
    pub draw: Option<DrawScoreRule>,
    /// A game is drawn once each side has played this many moves itself, opening moves not counted.
    pub max_moves: Option<NonZeroU32>,
    /// Positions of tables get their result.
    pub tables: Option<TableRule>,
}

impl fmt::Display for Adjudication {
    /// The words of the options of a match; empty if no game is adjudicated. Which tables there are is not among
    /// them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { resign, draw, max_moves, tables } = self;
        let words = [
            resign.map(|rule| format!("--resign \"{rule}\"")),
            draw.map(|rule| format!("--draw \"{rule}\"")),
            max_moves.map(|moves| format!("--maxmoves {moves}")),
            tables.map(|rule| format!("--tb-results {}", rule.results)),
            tables.filter(|rule| rule.ignores_fifty_moves).map(|_| "--tb-ignore-50".to_owned()),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
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
    /// `after` is the position after it. `score` is the exact score of the engine from its own view; `None`
    /// if it printed none or only bounds, which ends each row of moves. A mate counts as the largest score
    /// with its sign.
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

    /// How the game is adjudicated in this position; `None` if it goes on, as it does before the first move
    /// of an engine. Tables come first, since they know the result, then resignation, draws by score and the
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
                (u64::from(self.plies) >= 2 * u64::from(most.get())).then_some(End::MaxMoves)
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
        let rules = Adjudication { max_moves: NonZeroU32::new(2), ..Adjudication::default() };
        assert_eq!(end(rules, QUIET, &cp(&[0, 0, 0, 0])), Some(End::MaxMoves));
        assert_eq!(end(rules, QUIET, &cp(&[0, 0, 0])), None);
        assert_eq!(end(Adjudication::default(), QUIET, &cp(&[-9999; 50])), None);
    }

    /// Each setting has its own words, so that matches with different ones have different headers.
    #[test]
    fn the_words_are_those_of_the_options() {
        let check = |rules: Adjudication, expected: &str| assert_eq!(rules.to_string(), expected);
        check(Adjudication::default(), "");
        let max_moves = NonZeroU32::new(200);
        let one_sided = Adjudication { max_moves, ..resign("movecount=3 score=600") };
        check(one_sided, "--resign \"movecount=3 score=600\" --maxmoves 200");
        check(draw("movenumber=40 movecount=8 score=10"), "--draw \"movenumber=40 movecount=8 score=10\"");
        let tables = Some(TableRule { results: TableResults::Wins, ignores_fifty_moves: true });
        let rules = Adjudication { tables, ..resign("movecount=3 score=600 twosided=true") };
        let expected = "--resign \"movecount=3 score=600 twosided=true\" --tb-results wins --tb-ignore-50";
        check(rules, expected);
        let read = expected.split('"').nth(1).unwrap().parse();
        assert_eq!(read.ok(), rules.resign, "the words are read as they are written");
    }

    #[test]
    fn tables_come_first_and_only_if_asked_for() {
        let value = TableValue {
            result: TableResult::Win,
            plies_to_zero: None,
            is_rounded: false,
            plies_to_mate: None,
        };
        let won = |_: &Chess| Some(value);
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
}
