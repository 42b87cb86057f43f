//! How a game of a file ended, against the rules of chess and its own words.

use oracle::board::{FIFTY_MOVES, REPETITION, uci_text};
use oracle::helpmate::{POSITIONS, is_dead, mating_line};
use shakmaty::{Chess, Color, Position};

use super::Judged;
use super::finding::{Fault, Finding, Reason};
use super::thrown::worse_for;
use super::told_end::ToldEnd;
use crate::game::{End, GameResult, Rules};
use crate::pgn::PgnGame;

/// FIDE's Laws of Chess end a game at the fifth occurrence of a position and after 75 moves.
const FIVEFOLD: usize = 5;
const SEVENTY_FIVE_MOVES: u32 = 150;
/// They do so since July of 2014.
const SINCE: (u32, u32) = (2014, 7);
/// How many positions are visited to find a dead position: it is looked for in each game, so that a forced move or
/// two are enough.
const AT_ONCE: usize = 8;

/// What is held against the end of a game.
pub(super) struct PgnEnd<'a> {
    pub(super) game: &'a PgnGame,
    pub(super) judged: &'a Judged<'a>,
    pub(super) told: ToldEnd,
    /// The result of the file.
    pub(super) result: GameResult,
    pub(super) rules: Rules,
}

impl PgnEnd<'_> {
    pub(super) fn findings(&self) -> Vec<Finding> {
        let late = self.late();
        if self.game.illegal.is_some() {
            return self.illegal().into_iter().chain(late).collect();
        }
        let over = self.on_time().or_else(|| self.dead());
        let all = [self.early(), late, over, self.given_away(), self.no_result(), self.ply_count()];
        all.into_iter().flatten().collect()
    }

    /// A finding about the last position.
    fn at_end(&self, player: Option<Color>, fault: Fault) -> Finding {
        self.judged.finding(self.judged.last(), player, fault)
    }

    fn last(&self) -> &Chess {
        self.judged.position(self.judged.last())
    }

    fn illegal(&self) -> Option<Finding> {
        let text = self.game.illegal.clone()?;
        Some(self.at_end(Some(self.last().turn()), Fault::IllegalMove { text }))
    }

    /// The end that the game names is not on the board.
    fn early(&self) -> Option<Finding> {
        let told = self.told.on_board()?;
        let position = self.last();
        // What is undecided may be dead.
        if self.told == ToldEnd::DeadMaterial {
            let (side, moves) = mating_line(position, POSITIONS)?;
            let mode = position.castles().mode();
            let moves = moves.into_iter().map(|mv| uci_text(mv, mode)).collect();
            return Some(self.at_end(None, Fault::EndedEarly { told, mate: Some((side, moves)) }));
        }
        let holds = match self.told {
            ToldEnd::Checkmate => position.is_checkmate(),
            ToldEnd::Stalemate => position.is_stalemate(),
            ToldEnd::Repetition => self.game.game.occurrences() >= REPETITION,
            _ => position.halfmoves() >= FIFTY_MOVES,
        };
        (!holds).then(|| self.at_end(None, Fault::EndedEarly { told, mate: None }))
    }

    /// A rule that ends games by itself came before the last position. Whoever names a draw by repetition or the
    /// fifty moves as a runner does ends games by these rules.
    fn late(&self) -> Option<Finding> {
        let runner = matches!(self.rules, Rules::Fastchess | Rules::Cutechess);
        let is_modern = self.month().is_some_and(|month| month >= SINCE);
        let repetitions = if runner || self.told == ToldEnd::Repetition {
            Some((REPETITION, "3-fold repetition"))
        } else {
            is_modern.then_some((FIVEFOLD, "5-fold repetition"))
        };
        let clock = if runner || self.told == ToldEnd::FiftyMoves {
            Some((FIFTY_MOVES, "fifty moves"))
        } else {
            is_modern.then_some((SEVENTY_FIVE_MOVES, "75 moves"))
        };
        let rule_at = |ply: usize| {
            let position = self.judged.position(ply);
            let most = |(plies, rule): (u32, &'static str)| (position.halfmoves() >= plies).then_some(rule);
            let often = |(times, rule)| (self.game.game.occurrences_at(ply) >= times).then_some(rule);
            // People play on with bare kings, which changes nothing.
            let dead = || {
                let is_dead = self.rules != Rules::Fide && position.is_insufficient_material();
                is_dead.then_some("insufficient material")
            };
            clock.and_then(most).or_else(|| repetitions.and_then(often)).or_else(dead)
        };
        // No table is needed, so that only the moves of a book are passed.
        let mut plies = self.game.book_plies()..self.judged.last();
        let (ply, rule) = plies.find_map(|ply| Some((ply, rule_at(ply)?)))?;
        let played = self.judged.last() - ply;
        Some(self.judged.finding(ply, None, Fault::EndedLate { rule, plies: played }))
    }

    /// The month of the game.
    fn month(&self) -> Option<(u32, u32)> {
        let date =
            [self.game.tag("UTCDate"), self.game.tag("Date")].into_iter().find(|date| !date.is_empty())?;
        let mut parts = date.split(['.', '-']);
        let year = parts.next()?.parse().ok()?;
        // A game of a later year needs no month.
        Some((year, parts.next().and_then(|month| month.parse().ok()).unwrap_or(1)))
    }

    fn on_time(&self) -> Option<Finding> {
        let ToldEnd::Time(told) = self.told else { return None };
        let loser = Color::ALL.into_iter().find(|side| self.result == GameResult::won_by(!*side))?;
        let is_contradicted = told.is_some_and(|told| told != loser);
        if is_contradicted || End::by_rules(&self.game.game).is_some() {
            return None;
        }
        let why = self.rules.draws(self.last(), loser)?;
        Some(self.at_end(None, Fault::LossOnTime { result: self.result, why }))
    }

    /// A game that went on or was won after blocked men or a forced capture left no side a mate. The rules of FIDE
    /// alone end such a game. From a dead position dead ones follow, so that the last position tells, unless too few men
    /// are left there.
    fn dead(&self) -> Option<Finding> {
        let is_found = |ply: &usize| {
            let position = self.judged.position(*ply);
            !position.is_insufficient_material() && is_dead(position, AT_ONCE) == Some(true)
        };
        // A stalemate changes nothing, and neither do moves up to it.
        if self.rules != Rules::Fide || self.told == ToldEnd::DeadMaterial || self.last().is_stalemate() {
            return None;
        }
        let last = self.judged.last();
        let from = (self.game.book_plies().min(last)..=last).rev().take_while(is_found).last()?;
        let fault = Fault::DeadPosition { result: self.result, plies: last - from };
        (last > from || matches!(self.result, GameResult::WhiteWins | GameResult::BlackWins))
            .then(|| self.judged.finding(from, None, fault))
    }

    /// A draw that was agreed in a won position, or a position that was given up and is not lost.
    fn given_away(&self) -> Option<Finding> {
        let truth = self.judged.standing(self.judged.last())?;
        let is_known = self.result != GameResult::Unfinished && self.told == ToldEnd::Other;
        if !is_known || !matches!(truth.reason, Reason::Table { .. }) {
            return None;
        }
        let player = worse_for(truth.result, self.result)?;
        Some(self.at_end(Some(player), Fault::GivenAway { result: self.result, truth }))
    }

    /// A game without a result that is over. Repetition and the fifty moves have to be claimed.
    fn no_result(&self) -> Option<Finding> {
        let truth = self.judged.standing(self.judged.last())?;
        let is_open = self.game.result.is_none_or(|result| result == GameResult::Unfinished);
        let is_over =
            is_open && self.result == GameResult::Unfinished && matches!(truth.reason, Reason::Rule(_));
        is_over.then(|| self.at_end(None, Fault::NoResult { truth }))
    }

    fn ply_count(&self) -> Option<Finding> {
        const NAME: &str = "PlyCount";
        let value = self.game.tag(NAME);
        let counted = self.judged.last();
        let is_wrong = value.parse::<usize>().is_ok_and(|value| value != counted);
        let fault = || Fault::WrongTag { name: NAME, value: value.to_owned(), counted: counted.to_string() };
        is_wrong.then(|| self.at_end(None, fault()))
    }
}
