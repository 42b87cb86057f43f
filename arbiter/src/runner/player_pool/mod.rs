//! Players that suites ask about positions. If a player fails, the answer is missing.
//!
//! A player that fails over a question is asked the same again before its answer counts as missing: in a
//! fresh process, and there a second time, since it may fail at its second question only. After a wrong
//! answer the judge of the suite asks again with [`PlayerLease::reproduce`].

#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use uci::{Question, Reply};

use super::incident::{Incident, start_failed_again};
use super::pool::Pool;
use super::queue::{CRASH, HANG, run_in_rounds};
use super::reproduction::{Process, Repeated, Reproduction, came_again, earlier_counts};
use crate::ProgressObserver;
use crate::move_text::is_no_move;
use crate::player::{Asked, NoAnswer, Player, PlayerFactory, Setup};
use crate::sync::locked;

/// Why a case is skipped.
const PASSED_OVER: &str = "over cases before this one";
/// The most transcripts of failures that a suite keeps.
const MOST_TRANSCRIPTS: usize = 200;

/// Idle players of one factory.
pub(crate) struct PlayerPool<'a> {
    players: &'a dyn PlayerFactory,
    idle: Pool<Setup, Box<dyn Player>>,
    transcripts: AtomicUsize,
}

impl<'a> PlayerPool<'a> {
    pub(crate) fn new(players: &'a dyn PlayerFactory) -> Self {
        Self { players, idle: Pool::default(), transcripts: AtomicUsize::new(0) }
    }

    /// Judges each case, in rounds of their classes. Returns the results and how the program failed, in the
    /// order of the cases. After too many failures the cases that were not asked yet are skipped.
    pub(crate) fn judge_all<C: Sync, T: Send>(
        &self,
        cases: &[C],
        class: impl Fn(&C) -> &str,
        progress: &dyn ProgressObserver,
        judge: impl Fn(&CaseContext<'_>, &C) -> T + Sync,
    ) -> (Vec<T>, Vec<Incident>) {
        progress.begin(cases.len() as u64);
        let put = |case: &C| {
            let context = CaseContext { pool: self, log: Mutex::default() };
            let judged = judge(&context, case);
            let log = context.log.into_inner().unwrap_or_else(PoisonError::into_inner);
            let cost = log.cost();
            ((judged, log.incidents), cost)
        };
        let pass_over = |case: &C| {
            let log = CaseLog { given_up: Some(PASSED_OVER.to_owned()), ..CaseLog::default() };
            (judge(&CaseContext { pool: self, log: Mutex::new(log) }, case), Vec::new())
        };
        let judged = run_in_rounds(cases, class, progress, put, pass_over);
        let (judged, incidents): (Vec<T>, Vec<Vec<Incident>>) = judged.into_iter().unzip();
        (judged, incidents.concat())
    }

    /// A player that remembers nothing of earlier questions. It is started if none is idle.
    fn take(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        let mut player = match self.idle.take(&setup) {
            Some(player) => player,
            None => self.start(setup)?,
        };
        player.forget()?;
        Ok(player)
    }

    fn start(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        Ok(Box::new(GuardedPlayer(guarded(|| self.players.start(setup))?)))
    }

    /// How a program failed. Its transcript is dropped if [`MOST_TRANSCRIPTS`] are kept already.
    fn incident(&self, question: Option<&Question>, why: &NoAnswer) -> Option<Incident> {
        let NoAnswer::Failed(failed) = why else { return None };
        let is_kept = self.transcripts.fetch_add(1, Ordering::Relaxed) < MOST_TRANSCRIPTS;
        let transcript = if is_kept { failed.transcript.clone() } else { String::new() };
        Some(Incident::over(self.players, question, failed.failure.clone(), transcript))
    }
}

/// Asks the questions of one case. After the player hung twice over the same question, it is not asked any
/// more.
pub(crate) struct CaseContext<'a> {
    pool: &'a PlayerPool<'a>,
    log: Mutex<CaseLog>,
}

/// The failures over the questions of a case.
#[derive(Default)]
struct CaseLog {
    failures: u32,
    hung: bool,
    incidents: Vec<Incident>,
    /// Why nothing is asked any more.
    given_up: Option<String>,
}

impl CaseLog {
    fn cost(&self) -> u32 {
        match self {
            Self { hung: true, .. } => HANG,
            Self { failures: 0, .. } => 0,
            Self { .. } => CRASH,
        }
    }
}

impl CaseContext<'_> {
    /// A player that remembers nothing of earlier questions.
    pub(crate) fn lease(&self, setup: Setup) -> Result<PlayerLease<'_>, NoAnswer> {
        Ok(self.lease_of(setup, self.take(setup)?, false))
    }

    /// A player that is started for this lease, and ends with it.
    pub(crate) fn fresh_lease(&self, setup: Setup) -> Result<PlayerLease<'_>, NoAnswer> {
        Ok(self.lease_of(setup, self.start(setup)?, true))
    }

    /// Asks a player that remembers nothing of earlier questions.
    pub(crate) fn ask(&self, setup: Setup, question: &Question) -> Result<Reply, NoAnswer> {
        self.lease(setup)?.ask(question)
    }

    fn lease_of(&self, setup: Setup, player: Box<dyn Player>, is_fresh: bool) -> PlayerLease<'_> {
        PlayerLease { case: self, setup, player: Some(player), is_fresh, failed: Vec::new() }
    }

    /// A player that is started for this lease, after it was asked these questions.
    pub(crate) fn lease_after(&self, setup: Setup, earlier: &[Asked]) -> Result<PlayerLease<'_>, NoAnswer> {
        let mut lease = self.fresh_lease(setup)?;
        earlier.iter().try_for_each(|asked| lease.ask_next(asked).map(|_| ()))?;
        Ok(lease)
    }

    /// Asks a player that was started for this question, as the command that replays it does.
    pub(crate) fn ask_fresh(&self, setup: Setup, question: &Question) -> Result<Reply, NoAnswer> {
        self.fresh_lease(setup)?.ask(question)
    }

    fn take(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        twice(|| self.logged(None, || self.pool.take(setup))).inspect_err(|why| self.start_failed_again(why))
    }

    fn start(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        // End an idle player first, so that no more players run than threads ask at once.
        drop(self.pool.idle.take(&setup));
        twice(|| self.logged(None, || self.pool.start(setup))).inspect_err(|why| self.start_failed_again(why))
    }

    /// Gives the player up if it hung twice over the same question.
    fn failed_again(&self, why: NoAnswer) -> NoAnswer {
        if why.is_hang() {
            locked(&self.log).given_up = Some(why.to_string());
        }
        why
    }

    fn start_failed_again(&self, why: &NoAnswer) {
        if why.is_failure() {
            start_failed_again(&mut locked(&self.log).incidents);
        }
    }

    /// Calls `does`, and logs a failure.
    fn logged<T>(
        &self,
        question: Option<&Question>,
        does: impl FnOnce() -> Result<T, NoAnswer>,
    ) -> Result<T, NoAnswer> {
        if let Some(why) = &locked(&self.log).given_up {
            return Err(NoAnswer::GivenUp(why.clone()));
        }
        let done = does();
        if matches!(done, Err(NoAnswer::OutOfTime)) {
            locked(&self.log).incidents.iter_mut().for_each(|incident| incident.is_cut_off = true);
        }
        if let Err(why) = &done
            && why.is_failure()
        {
            let mut log = locked(&self.log);
            log.failures += 1;
            log.hung |= why.is_hang();
            log.incidents.extend(self.pool.incident(question, why));
        }
        done
    }
}

/// A player that is being asked. It is returned to the pool afterwards, unless it failed.
pub(crate) struct PlayerLease<'a> {
    case: &'a CaseContext<'a>,
    setup: Setup,
    player: Option<Box<dyn Player>>,
    /// Whether it was started for this lease, and ends with it.
    is_fresh: bool,
    /// The questions to a player that failed. The last one is the question over which it failed.
    failed: Vec<Asked>,
}

impl PlayerLease<'_> {
    /// Asks again after a wrong answer: a fresh process first, and the same one if the fresh one answers
    /// otherwise. `put` asks a player that remembers nothing. `is_same` says whether the wrong answer came
    /// again.
    pub(crate) fn reproduce<A>(
        &mut self,
        put: impl Fn(&mut Self) -> Result<A, NoAnswer>,
        is_same: impl Fn(&Result<A, NoAnswer>) -> bool,
    ) -> Reproduction {
        self.asked_again(&put, |lease| lease.forget().and_then(|()| put(lease)), is_same)
    }

    /// As [`PlayerLease::reproduce`], but in the middle of a game: the same process keeps what it remembers.
    pub(crate) fn reproduce_in_game<A>(
        &mut self,
        put: impl Fn(&mut Self) -> Result<A, NoAnswer>,
        is_same: impl Fn(&Result<A, NoAnswer>) -> bool,
    ) -> Reproduction {
        self.asked_again(&put, &put, is_same)
    }

    /// As [`PlayerLease::reproduce`], for the last question. The returned `series` ends with it. If no fresh
    /// process repeats the wrong answer, other fresh processes are first asked earlier questions of the first
    /// process, as few as show it.
    pub(crate) fn reproduce_question(
        &mut self,
        question: &Question,
        is_same: impl Fn(&Result<Reply, NoAnswer>) -> bool,
    ) -> Repeated {
        let mut series = self.history();
        if series.last().is_none_or(|last| last.question != *question) {
            series = vec![Asked::on(question.clone())];
        }
        let how = self.reproduce(|lease| lease.ask(question), &is_same);
        let most = series.len() - 1;
        if most == 0 || !matches!(how, Reproduction::SameProcess | Reproduction::Never) {
            return Repeated { how, series: series.split_off(most) };
        }
        let mut tries = 3;
        for earlier in earlier_counts(most) {
            let (before, last) = series[most - earlier..].split_at(earlier);
            let lease = self.case.lease_after(self.setup, before);
            let answer = lease.and_then(|mut lease| lease.ask_next(&last[0]));
            tries += 1;
            let how = match came_again(is_same(&answer), answer) {
                Ok(false) => continue,
                Ok(true) => Reproduction::AfterOthers(earlier),
                Err(reason) => Reproduction::NotAsked(reason),
            };
            return Repeated { how, series: series.split_off(most - earlier) };
        }
        let (earlier, in_first) = (most, how == Reproduction::SameProcess);
        Repeated { how: Reproduction::Lost { tries, earlier, in_first }, series }
    }

    /// The last questions of the process.
    pub(crate) fn history(&self) -> Vec<Asked> {
        self.player.as_ref().map_or_else(Vec::new, |player| player.asked().to_vec())
    }

    /// Asks a question of a series.
    fn ask_next(&mut self, asked: &Asked) -> Result<Reply, NoAnswer> {
        if asked.in_new_game {
            self.forget()?;
        }
        self.ask(&asked.question)
    }

    /// Asks a deeper question after a wrong answer came again, in the kind of process in which it came.
    pub(crate) fn ask_deeper(&mut self, came: &Repeated, question: &Question) -> Result<Reply, NoAnswer> {
        match came.how {
            Reproduction::SameProcess => self.forget().and_then(|()| self.ask(question)),
            Reproduction::AfterOthers(earlier) => {
                let mut lease = self.case.lease_after(self.setup, &came.series[..earlier])?;
                lease.ask_next(&came.of_last(question).series[earlier])
            }
            _ => self.case.ask_fresh(self.setup, question),
        }
    }

    fn asked_again<A>(
        &mut self,
        put_fresh: impl Fn(&mut Self) -> Result<A, NoAnswer>,
        put_here: impl Fn(&mut Self) -> Result<A, NoAnswer>,
        is_same: impl Fn(&Result<A, NoAnswer>) -> bool,
    ) -> Reproduction {
        Reproduction::find(|process| {
            let answer = match process {
                Process::Fresh => {
                    self.case.fresh_lease(self.setup).and_then(|mut lease| put_fresh(&mut lease))
                }
                Process::Same => put_here(self),
            };
            came_again(is_same(&answer), answer)
        })
    }

    fn ask_once(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        self.with(Some(question), |player| player.ask(question))
    }

    fn with<T>(
        &mut self,
        question: Option<&Question>,
        does: impl FnOnce(&mut dyn Player) -> Result<T, NoAnswer>,
    ) -> Result<T, NoAnswer> {
        // A player that failed is replaced.
        let mut player = self.player.take().map_or_else(|| self.case.take(self.setup), Ok)?;
        let done = self.case.logged(question, || does(&mut *player));
        if has_failed(&done) {
            self.failed = player.asked().to_vec();
        }
        let done = done?;
        self.player = Some(player);
        Ok(done)
    }
}

impl Player for PlayerLease<'_> {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        twice(|| self.with(None, |player| player.forget()))
            .inspect_err(|why| self.case.start_failed_again(why))
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let first = self.ask_once(question);
        let Err(why) = &first else { return first };
        if !why.is_failure() {
            return first;
        }
        let series = std::mem::take(&mut self.failed);
        self.player = Some(self.case.start(self.setup)?);
        let second = self.ask_once(question).map_err(|why| self.case.failed_again(why))?;
        // It may fail at each second question of a process.
        match self.ask_once(question) {
            Err(why) if why.is_failure() => Err(self.case.failed_again(why)),
            _ => {
                if !why.is_hang() {
                    self.find_series(&series);
                }
                Ok(second)
            }
        }
    }
}

impl PlayerLease<'_> {
    /// Looks for the questions that lead to a crash, if a fresh process does not repeat it. Fresh processes
    /// are asked the last questions of the first process, as few as show the crash. `series` ends with the
    /// question over which the first process crashed.
    fn find_series(&mut self, series: &[Asked]) {
        let most = series.len().saturating_sub(1);
        for earlier in earlier_counts(most) {
            let series = &series[most - earlier..];
            let crashed = series.iter().try_fold(self.case.pool.start(self.setup), |player, asked| {
                let mut player = player.ok()?;
                let asks = |player: &mut Box<dyn Player>| {
                    if asked.in_new_game {
                        player.forget()?;
                    }
                    player.ask(&asked.question)
                };
                let answer = asks(&mut player);
                Some(answer.map(|_| player))
            });
            if let Some(Err(NoAnswer::Failed(failed))) = crashed {
                let replay = self.case.pool.players.replay_series(self.setup, series);
                let mut log = locked(&self.case.log);
                if let Some(incident) = log.incidents.last_mut() {
                    incident.replay = replay;
                    incident.reproduce(&failed.transcript);
                }
                return;
            }
        }
    }
}

impl Drop for PlayerLease<'_> {
    fn drop(&mut self) {
        if let Some(player) = self.player.take().filter(|_| !self.is_fresh) {
            self.case.pool.idle.put_back(self.setup, player);
        }
    }
}

/// Calls `does`, and calls it again if it fails.
fn twice<T>(mut does: impl FnMut() -> Result<T, NoAnswer>) -> Result<T, NoAnswer> {
    let first = does();
    if has_failed(&first) { does() } else { first }
}

fn has_failed<T>(done: &Result<T, NoAnswer>) -> bool {
    done.as_ref().is_err_and(NoAnswer::is_failure)
}

/// A player whose panics are failures, and whose answers without a move are all `None`.
struct GuardedPlayer(Box<dyn Player>);

impl Player for GuardedPlayer {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        guarded(|| self.0.forget())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let reply = guarded(|| self.0.ask(question))?;
        Ok(Reply { best: reply.best.filter(|text| !is_no_move(text)), ..reply })
    }

    fn asked(&self) -> &[Asked] {
        self.0.asked()
    }
}

fn guarded<T>(does: impl FnOnce() -> Result<T, NoAnswer>) -> Result<T, NoAnswer> {
    catch_unwind(AssertUnwindSafe(does)).unwrap_or_else(|_| Err(NoAnswer::Broken("it panics".to_owned())))
}
