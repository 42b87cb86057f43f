//! Sends the searches of a session and judges their moves.

use std::time::Duration;

use oracle::board::broken_rule;
use uci::{Limit, Search};

use super::abort::{Abort, CaseProblem};
use super::rules;
use super::session::CheckSession;
use suites::SharedCause;

/// The longest search that only shows whether a move comes. Then `stop` is sent.
const SHORT_SEARCH: Duration = Duration::from_secs(1);

impl CheckSession<'_> {
    /// Sends `position` and `go` with their arguments, and waits for `bestmove`. After `within`, `stop` is
    /// sent.
    pub(super) fn go(&mut self, position: &str, limit: &str, within: Duration) -> Result<Search, Abort> {
        self.begin_search(position, limit)?;
        self.wait_for_bestmove(within)
    }

    /// A search of this depth, or within another limit if the program does not keep `go depth`. After
    /// `within`, `stop` is sent.
    pub(super) fn search(&mut self, position: &str, depth: u16, within: Duration) -> Result<Search, Abort> {
        let request = self.of_depth(depth, within);
        self.begin_search(position, &request)?;
        self.wait_for_bestmove(within)
    }

    /// The arguments of `go` for a search of this depth. Without any limit that the program keeps it searches
    /// until `stop`.
    pub(super) fn of_depth(&self, depth: u16, within: Duration) -> String {
        let request = self.limits().request(Limit::Depth(depth), within);
        request.limit.map_or_else(|| "infinite".to_owned(), |limit| limit.to_string())
    }

    /// The arguments of `go` for a search of this time, and the time after which `stop` is sent.
    pub(super) fn of_time(&self, time: Duration, within: Duration) -> (String, Duration) {
        let request = self.limits().request(Limit::MoveTime(time), within);
        let limit = request.limit.map_or_else(|| "infinite".to_owned(), |limit| limit.to_string());
        (limit, request.within.min(within))
    }

    /// Sends `position` and `go` with their arguments.
    pub(super) fn begin_search(&mut self, position: &str, limit: &str) -> Result<(), Abort> {
        self.send(&format!("position {position}"))?;
        self.send(format!("go {limit}").trim_end())
    }

    /// Sends `stop` and waits for `bestmove`.
    pub(super) fn stop(&mut self) -> Result<Search, Abort> {
        self.send("stop")?;
        self.wait_for_bestmove(self.timeouts().stop)
    }

    /// What is wrong with the best move of a search. After `within`, `stop` is sent.
    pub(super) fn judge_search(
        &mut self,
        position: &str,
        limit: &str,
        within: Duration,
    ) -> Result<CaseProblem, Abort> {
        let search = self.go(position, limit, within)?;
        Ok(self.problem(position, &search))
    }

    /// What is wrong with the best move of a short search.
    pub(super) fn short_search(&mut self, position: &str) -> Result<CaseProblem, Abort> {
        let limit = self.of_depth(2, SHORT_SEARCH);
        let search = self.go(position, &limit, SHORT_SEARCH)?;
        // It was stopped before its first depth. Other checks report the move.
        let is_cut = search.stopped && !self.has_told_depth();
        Ok(if is_cut { None } else { self.problem(position, &search) })
    }

    /// What is wrong with the session: the program answers `readyok`, and a search of another position gives
    /// a legal move.
    pub(super) fn check_alive(&mut self) -> Result<CaseProblem, Abort> {
        self.ready()?;
        self.short_search("startpos moves e2e4")
    }

    /// This problem, or else what is wrong with the session.
    pub(super) fn or_check_alive(&mut self, problem: CaseProblem) -> Result<CaseProblem, Abort> {
        if problem.is_some() { Ok(problem) } else { self.check_alive() }
    }

    /// What is wrong with the best move of a search. Its cause is the rule that the move breaks, or that the
    /// search was stopped before its first depth.
    pub(super) fn problem(&mut self, position: &str, search: &Search) -> CaseProblem {
        let problem = rules::problem(position, &search.best)?;
        let is_cut = !self.has_told_depth() && self.sent().last() == Some("stop");
        let rule = || broken_rule(&rules::board(position), [search.best.text.as_str()], []);
        if let Some(cause) = if is_cut { Some(SharedCause::NoTime) } else { rule() } {
            self.set_cause(cause);
        }
        Some(problem)
    }
}
