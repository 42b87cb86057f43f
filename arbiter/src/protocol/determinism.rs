//! Determinism: the same search with one thread, a fixed limit and empty memory gives the same answer.

use std::time::Duration;

use super::abort::{Abort, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::{MIDDLE, RICH};
use super::session::CheckSession;
use uci::Score;

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new(
        "protocol/deterministic-depth",
        "A fault that cannot be reproduced is hard to find.",
        depth,
    )
    .slow(),
    ProtocolCheck::new("protocol/deterministic-nodes", "Matches at fixed nodes should be repeatable.", nodes)
        .slow(),
    ProtocolCheck::new(
        "protocol/deterministic-newgame",
        "A game should not depend on the game before.",
        newgame,
    )
    .slow(),
];

const POSITIONS: [&str; 2] = [RICH, MIDDLE];

/// What is compared: the best move, the last score, and its nodes.
#[derive(PartialEq)]
struct Answer {
    best: String,
    score: Option<Score>,
    nodes: Option<u64>,
}

impl Answer {
    /// How it differs from another answer.
    fn against(&self, other: &Self) -> Option<String> {
        let differences = [
            (self.best != other.best, "another move"),
            (self.score != other.score, "another score"),
            (self.nodes != other.nodes, "other nodes"),
        ];
        differences.into_iter().find_map(|(is_seen, what)| is_seen.then(|| what.to_owned()))
    }
}

fn ask(session: &mut CheckSession, position: &str, limit: &str) -> Result<Answer, Abort> {
    let search = session.go(position, limit, Duration::from_secs(2))?;
    // A search that has to be stopped is not repeatable.
    if search.stopped {
        return Err(Abort::Unsupported);
    }
    let last = search.infos.iter().rev().find_map(|(_, info)| Some((info.score?.0, info.nodes)));
    Ok(Answer { best: search.best.text, score: last.map(|last| last.0), nodes: last.and_then(|last| last.1) })
}

fn depth(check: &mut CheckContext) -> CheckResult {
    in_fresh_processes(check, "depth 6")
}

fn nodes(check: &mut CheckContext) -> CheckResult {
    in_fresh_processes(check, "nodes 20000")
}

fn in_fresh_processes(check: &mut CheckContext, limit: &str) -> CheckResult {
    check.each(POSITIONS, "the same move, score and nodes in another process", |session, position| {
        session.start()?;
        let first = ask(session, position, limit)?;
        session.start()?;
        Ok(ask(session, position, limit)?.against(&first))
    })
}

fn newgame(check: &mut CheckContext) -> CheckResult {
    check.each(POSITIONS, "the same move, score and nodes after ucinewgame", |session, position| {
        session.start()?;
        let first = ask(session, position, "depth 6")?;
        ask(session, "startpos", "depth 6")?;
        session.send("ucinewgame")?;
        session.ready()?;
        Ok(ask(session, position, "depth 6")?.against(&first))
    })
}
