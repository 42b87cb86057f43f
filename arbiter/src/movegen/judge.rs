//! The judge of one case: a position and its moves of one class, legal and illegal.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::Position;
use shakmaty::uci::UciMove;
use suites::{Difference, SkipReason, Verdict};
use uci::{Engine, Failure};

use super::case_result::CaseResult;
use super::minimise::minimise;
use super::move_class::{MoveClass, illegal, legal};
use super::query::{Capabilities, Query, new_game};
use super::test_position::TestPosition;
use super::wrong_move::{MoveError, WrongMove, lists, rule};
use crate::asked;
use crate::runner::{Deadline, EnginePool, Process, Reproduction};

/// The most legal moves of a class, and the most illegal ones, that are asked for in a position.
const MOST_MOVES: usize = 16;
/// The most positions that are tried to find a smaller one.
const MOST_TRIED: u32 = 120;
/// The most wrong moves of a case that fresh processes are asked for.
const MOST_FRESH: usize = 3;
/// The id of a note: a finding that did not come again.
pub(super) const FLAKY: &str = "movegen/flaky";
/// The most positions one move later in which a program is asked for its best move.
const MOST_ANSWERS: usize = 4;

/// Judges a program, within what it can be asked, until a deadline.
pub(super) struct MoveJudge<'a> {
    pub(super) pool: &'a EnginePool,
    pub(super) capabilities: &'a Capabilities,
    pub(super) deadline: Deadline,
}

/// A position, and the class of moves that is asked for there.
pub(super) struct MoveCase {
    pub(super) id: String,
    pub(super) position: TestPosition,
    /// `None`: the best moves of the program are judged.
    pub(super) class: Option<MoveClass>,
}

/// What the queries of a case showed.
#[derive(Default)]
struct QueryLog {
    wrong: Vec<WrongMove>,
    /// Whether some query could have shown a wrong move.
    decided: bool,
    /// Whether the deadline passed before all was asked.
    cut_off: bool,
}

impl MoveJudge<'_> {
    /// Judges a case. A wrong move stands, even if the program fails later or time is over.
    pub(super) fn judge(&self, case: &MoveCase) -> CaseResult {
        let pool = self.pool.for_case(&case.id);
        let judge = MoveJudge { pool: &pool, ..*self };
        let mut log = QueryLog::default();
        let mut again = None;
        let mut asked = pool.with(|engine| {
            judge.ask(engine, case, &mut log)?;
            if log.wrong.is_empty() {
                return Ok(());
            }
            let mut same = Ok(());
            again = Some(judge.ask_again(&log.wrong, |log| {
                same = judge.ask(engine, case, log);
                true
            }));
            same
        });
        if asked.is_err() && log.wrong.is_empty() && !self.deadline.is_over() {
            log = QueryLog::default();
            asked = pool.with_fresh(|engine| judge.ask(engine, case, &mut log));
        }
        let failed = asked.is_err();
        let verdict = match asked {
            _ if !log.wrong.is_empty() => {
                // A process that failed after its wrong answer is not asked again.
                let again = again.unwrap_or_else(|| judge.ask_again(&log.wrong, |_| false));
                judge.verdict(case, &log.wrong, again)
            }
            // The incident tells how it failed.
            Err(_) => Verdict::Skip(SkipReason::GivenUp),
            Ok(()) if log.cut_off => Verdict::Skip(SkipReason::OutOfTime),
            Ok(()) if !log.decided => Verdict::Skip(SkipReason::Unsupported),
            Ok(()) => Verdict::Agree,
        };
        CaseResult { verdict, agreed: 0, failed, incidents: pool.into_incidents() }
    }

    /// Asks again about the wrong moves of a case: a fresh process first, and then the same one. Returns
    /// which wrong move came again, and where.
    fn ask_again(
        &self,
        wrong: &[WrongMove],
        mut ask_same: impl FnMut(&mut QueryLog) -> bool,
    ) -> (usize, Reproduction) {
        let mut first = 0;
        let how = Reproduction::find(|process| {
            if self.deadline.is_over() {
                return Err(SkipReason::OutOfTime);
            }
            let came = match process {
                // The replay asks one question, so a fresh process gets only one too.
                Process::Fresh => wrong.iter().take(MOST_FRESH).position(|wrong| {
                    self.pool.with_fresh(|engine| self.shows(engine, &wrong.position, wrong)) == Ok(true)
                }),
                Process::Same => {
                    let mut log = QueryLog::default();
                    if !ask_same(&mut log) {
                        return Err(SkipReason::GivenUp);
                    }
                    let came =
                        wrong.iter().position(|wrong| log.wrong.iter().any(|again| again.is_same(wrong)));
                    if came.is_none() && log.cut_off {
                        return Err(SkipReason::OutOfTime);
                    }
                    came
                }
            };
            first = came.unwrap_or(first);
            Ok(came.is_some())
        });
        (first, how)
    }

    /// Asks all queries of a case.
    fn ask(&self, engine: &mut Engine, case: &MoveCase, log: &mut QueryLog) -> Result<(), Failure> {
        if self.capabilities.new_game {
            new_game(engine)?;
        }
        match case.class {
            Some(class) => self.ask_moves(engine, &case.position, class, log),
            None => self.ask_best_moves(engine, &case.position, log),
        }
    }

    /// Whether time is over, which is then logged.
    fn is_cut_off(&self, log: &mut QueryLog) -> bool {
        log.cut_off |= self.deadline.is_over();
        log.cut_off
    }

    /// Asks for each move of a class. A wrong move is logged once, with the first query that shows it.
    fn ask_moves(
        &self,
        engine: &mut Engine,
        position: &TestPosition,
        class: MoveClass,
        log: &mut QueryLog,
    ) -> Result<(), Failure> {
        let (legal, illegal) = (legal(position), illegal(position));
        let listed = self.listed(engine, position, &legal)?;
        log.decided |= listed.is_some();
        let extra = listed.iter().flatten().filter(|mv| illegal.get(*mv) == Some(&class));
        log.wrong.extend(extra.map(|mv| WrongMove::extra(position, mv, Query::MultiPv)));
        // A move that is not listed is missing only if no other query can tell: some programs stop listing
        // after a mate.
        let tells = self.capabilities.reads_searchmoves() || self.capabilities.rejects_illegal;
        if let Some(listed) = listed.filter(|_| !tells) {
            let unlisted = sample(&legal, class).into_iter().filter(|mv| !listed.contains(*mv));
            log.wrong.extend(unlisted.map(|mv| WrongMove::missing(position, mv, Query::MultiPv, "")));
        }
        for mv in sample(&legal, class) {
            if self.is_cut_off(log) {
                return Ok(());
            }
            let (missing, decides) = self.missing(engine, position, mv)?;
            log.decided |= decides;
            log.wrong.extend(missing);
        }
        for mv in sample(&illegal, class).into_iter().filter(|_| self.capabilities.checks_searchmoves()) {
            if self.is_cut_off(log) {
                return Ok(());
            }
            log.decided = true;
            let is_known = log.wrong.iter().any(|wrong| wrong.mv == *mv);
            if !is_known && self.capabilities.answer(engine, Query::SearchMoves, position, mv)? == *mv {
                log.wrong.push(WrongMove::extra(position, mv, Query::SearchMoves));
            }
        }
        Ok(())
    }

    /// The moves that the program lists with `MultiPV`, if it can list more lines than there are legal moves.
    fn listed(
        &self,
        engine: &mut Engine,
        position: &TestPosition,
        legal: &BTreeMap<String, MoveClass>,
    ) -> Result<Option<BTreeSet<String>>, Failure> {
        // `searchmoves` tells the same in less time.
        if self.capabilities.multipv <= legal.len() || self.capabilities.checks_searchmoves() {
            return Ok(None);
        }
        // An empty list decides nothing: the search was stopped, or the program prints no line for a single
        // legal move.
        let listed = self.capabilities.multipv_moves(engine, position)?;
        Ok(Some(listed).filter(|listed| !listed.is_empty()))
    }

    /// The wrong move, if the program takes a legal move for illegal, and whether the queries could have
    /// shown that. A program that searches any move after `searchmoves`, or answers anything after an illegal
    /// move, shows nothing.
    fn missing(
        &self,
        engine: &mut Engine,
        position: &TestPosition,
        mv: &str,
    ) -> Result<(Option<WrongMove>, bool), Failure> {
        let missing = |query, answer: &str| Some(WrongMove::missing(position, mv, query, answer));
        let is_only_move = position.chess.legal_moves().len() == 1;
        let queries =
            [(Query::SearchMoves, self.capabilities.reads_searchmoves()), (Query::BestMove, is_only_move)];
        for (query, _) in queries.into_iter().filter(|(_, is_asked)| *is_asked) {
            let answer = self.capabilities.answer(engine, query, position, mv)?;
            if answer != mv {
                return Ok((missing(query, &answer), true));
            }
        }
        let mut decides = self.capabilities.checks_searchmoves() || is_only_move;
        let after = position.after(mv).filter(|after| self.capabilities.rejects_illegal && !after.is_over());
        if let Some(after) = after {
            let answer = self.capabilities.answer(engine, Query::AfterMove, position, mv)?;
            // If it moves for the side that has just moved, it did not make the move.
            if after.moves_other_side(&answer) || position.legal(&answer).is_some() {
                return Ok((missing(Query::AfterMove, &answer), true));
            }
            decides |= after.legal(&answer).is_some();
        }
        Ok((None, decides))
    }

    /// Asks for the best move in a position and after some of its moves, and for listed moves that belong to
    /// no class.
    fn ask_best_moves(
        &self,
        engine: &mut Engine,
        position: &TestPosition,
        log: &mut QueryLog,
    ) -> Result<(), Failure> {
        log.decided = true;
        let legal = legal(position);
        let step = legal.len().div_ceil(MOST_ANSWERS).max(1);
        let after = legal.keys().step_by(step).filter_map(|mv| position.after(mv));
        for position in [position.clone()].into_iter().chain(after).filter(|position| !position.is_over()) {
            if self.is_cut_off(log) {
                return Ok(());
            }
            let answer = self.capabilities.answer(engine, Query::BestMove, &position, "")?;
            // A program that finds no move where there is one misses it. The class of that move has a case of
            // its own.
            let is_asked = answer.parse::<UciMove>().is_err() && position.chess.legal_moves().len() == 1;
            if position.legal(&answer).is_none() && !is_asked {
                log.wrong.push(WrongMove::extra(&position, &answer, Query::BestMove));
            }
        }
        let illegal = illegal(position);
        let listed = self.listed(engine, position, &legal)?;
        let strange =
            listed.iter().flatten().filter(|mv| !legal.contains_key(*mv) && !illegal.contains_key(*mv));
        log.wrong.extend(strange.map(|mv| WrongMove::extra(position, mv, Query::MultiPv)));
        Ok(())
    }

    /// The verdict on a case with wrong moves. `first` is the index of the wrong move that came again, and
    /// `how` says in which process. If a fresh process shows it, the finding has the smallest position that
    /// shows it.
    fn verdict(&self, case: &MoveCase, wrong: &[WrongMove], (first, how): (usize, Reproduction)) -> Verdict {
        let first = &wrong[first];
        let mut position = first.position.clone();
        if how == Reproduction::FreshProcess {
            let stays = &mut |smaller: &TestPosition| self.stays(smaller, case.class, first);
            position = minimise(&position, MOST_TRIED, stays);
        }
        let commands = self.capabilities.commands(first.query, &position, &first.mv);
        let mut found = Difference {
            subject: self.pool.name().to_owned(),
            check: id(case.class),
            case: case.id.clone(),
            stored: first.stored(),
            given: first.given(),
            expected: first.expected(&position).into(),
            best: if first.error == MoveError::Missing && first.query != Query::AfterMove {
                vec![first.mv.clone()]
            } else {
                Vec::new()
            },
            source: "shakmaty".to_owned(),
            explanation: format!("{}, in {}", lists(wrong), first.position.fen),
            cause: rule(wrong).map(Into::into),
            played: (first.query == Query::AfterMove)
                .then(|| asked::played(&position.fen, std::iter::once(first.mv.as_str())))
                .flatten(),
            limit: commands.iter().rev().find_map(|line| line.strip_prefix("go ")).map(str::to_owned),
            replay: self.pool.replay(&commands),
            fen: position.fen,
        };
        how.record_in(&mut found, FLAKY).map_or_else(|| Verdict::Differ(Box::new(found)), Verdict::Skip)
    }

    /// Whether a smaller position shows the same wrong move, and the move is of the same class there. `None`
    /// if time is over or the program fails.
    fn stays(&self, position: &TestPosition, class: Option<MoveClass>, wrong: &WrongMove) -> Option<bool> {
        let (legal, illegal) = (legal(position), illegal(position));
        let same = match (wrong.error, class) {
            (_, None) => !legal.contains_key(&wrong.mv),
            (MoveError::Missing, class) => {
                legal.get(&wrong.mv).copied() == class && (wrong.query != Query::BestMove || legal.len() == 1)
            }
            (MoveError::Extra, class) => illegal.get(&wrong.mv).copied() == class,
        };
        if !same {
            return Some(false);
        }
        let asks = || self.pool.with(|engine| self.shows(engine, position, wrong)).ok();
        (!self.deadline.is_over()).then(asks).flatten()
    }

    /// Whether its query shows a wrong move in a position.
    fn shows(
        &self,
        engine: &mut Engine,
        position: &TestPosition,
        wrong: &WrongMove,
    ) -> Result<bool, Failure> {
        let mv = &wrong.mv;
        Ok(match (wrong.error, wrong.query) {
            (error, Query::MultiPv) => {
                let listed = self.listed(engine, position, &legal(position))?;
                listed.is_some_and(|listed| listed.contains(mv) == (error == MoveError::Extra))
            }
            (MoveError::Missing, query) => {
                self.missing(engine, position, mv)?.0.is_some_and(|missing| missing.query == query)
            }
            (MoveError::Extra, query) => self.capabilities.answer(engine, query, position, mv)? == *mv,
        })
    }
}

/// The id of the check of a class, or of that of best moves.
pub(super) fn id(class: Option<MoveClass>) -> String {
    class.map_or_else(|| "movegen/bestmove".to_owned(), MoveClass::id)
}

/// At most [`MOST_MOVES`] moves of a class, spread evenly over all of them.
fn sample(moves: &BTreeMap<String, MoveClass>, class: MoveClass) -> Vec<&String> {
    let of_class: Vec<&String> = moves.iter().filter(|(_, of)| **of == class).map(|(mv, _)| mv).collect();
    let step = of_class.len().div_ceil(MOST_MOVES).max(1);
    of_class.into_iter().step_by(step).collect()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::time::Instant;

    use shakmaty::CastlingMode;
    use uci::{Program, Timeouts};

    use super::*;
    use crate::Incident;

    /// A program without chess rules. Its best move is the last token of `go searchmoves`, or else a7a6.
    const ECHO: &str = "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
                        go*searchmoves*) echo bestmove ${line##* };; go*) echo bestmove a7a6;; \
                        quit) exit;; esac; done";

    /// The verdict on a case, that on a wrong move there which came again so, and the incidents, if the
    /// deadline is then.
    fn judged(until: Option<Instant>, how: Reproduction) -> (Verdict, Verdict, Vec<Incident>) {
        let arguments = ["-c", ECHO].map(Into::into).into();
        let program = Program { path: "/bin/sh".into(), arguments, ..Program::default() };
        let pool = EnginePool::new(program, Timeouts::default());
        let capabilities = Capabilities::detect(&pool).unwrap();
        assert!(capabilities.reads_searchmoves() && !capabilities.checks_searchmoves(), "{capabilities:?}");
        let position = TestPosition::read("4k3/8/8/8/8/8/8/4K2R w K - 0 1", CastlingMode::Standard).unwrap();
        let wrong = WrongMove::missing(&position, "e1g1", Query::SearchMoves, "e1e2");
        let case = MoveCase { id: "castling-01".to_owned(), position, class: Some(MoveClass::Castling) };
        let judge = MoveJudge { pool: &pool, capabilities: &capabilities, deadline: Deadline::at(until) };
        let stays = judge.stays(&case.position, case.class, &wrong);
        assert_eq!(stays, until.is_none().then_some(false));
        let again = judge.ask_again(std::slice::from_ref(&wrong), |_| true);
        let not_asked = Reproduction::NotAsked(SkipReason::OutOfTime);
        assert_eq!(again, (0, if until.is_none() { Reproduction::Never } else { not_asked }));
        let found = judge.verdict(&case, &[wrong], (0, how));
        (judge.judge(&case).verdict, found, pool.into_incidents())
    }

    #[test]
    fn a_wrong_move_that_does_not_come_again_is_a_note() {
        let check = |how, expected: &str, says: &str| {
            // The program knows no rules, so that its answers decide nothing.
            let (verdict, found, incidents) = judged(None, how);
            assert_eq!((verdict, incidents), (Verdict::Skip(SkipReason::Unsupported), Vec::new()));
            let Verdict::Differ(found) = found else { panic!("{found:?}") };
            assert_eq!((&*found.check, &*found.fen), (expected, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
            assert!(found.explanation.ends_with(says), "{}", found.explanation);
        };
        check(Reproduction::SameProcess, "movegen/castling", "the first process does");
        check(Reproduction::Never, FLAKY, "neither a fresh process nor the first one repeats it");
    }

    #[test]
    fn after_the_deadline_nothing_is_asked() {
        let late = Verdict::Skip(SkipReason::OutOfTime);
        let how = Reproduction::NotAsked(SkipReason::OutOfTime);
        assert_eq!(judged(Some(Instant::now()), how), (late.clone(), late, Vec::new()));
    }
}
