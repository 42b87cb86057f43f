//! The same question, the same answer: one thread, a fixed limit, no memory of what was before.

use std::time::Duration;

use super::abort::{Abort, CheckResult};
use super::context::Check;
use super::context::CheckContext;
use super::positions::{MIDDLE, RICH};
use super::session::Session;
use uci::Score;

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/deterministic-depth", "A fault that does not come again is hard to find.", depth)
        .slow(),
    Check::new("protocol/deterministic-nodes", "Matches at fixed nodes are to be repeatable.", nodes).slow(),
    Check::new("protocol/deterministic-newgame", "A game is not to depend on the one before.", newgame)
        .slow(),
];

const POSITIONS: [&str; 2] = [RICH, MIDDLE];

/// What is compared: the move, the last score, and the nodes that go with it.
#[derive(PartialEq)]
struct Answer {
    best: String,
    score: Option<Score>,
    nodes: Option<u64>,
}

impl Answer {
    /// In what it differs, in words.
    fn against(&self, other: &Self) -> Option<String> {
        if self.best != other.best {
            Some("another move".to_owned())
        } else if self.score != other.score {
            Some("another score".to_owned())
        } else if self.nodes != other.nodes {
            Some("other nodes".to_owned())
        } else {
            None
        }
    }
}

fn ask(e: &mut Session, position: &str, limit: &str) -> Result<Answer, Abort> {
    let search = e.go(position, limit, Duration::from_secs(2))?;
    // What does not end by itself cannot be repeated.
    if search.stopped {
        return Err(Abort::Unsupported);
    }
    let last = search.infos.iter().rev().find_map(|(_, info)| Some((info.score?.0, info.nodes)));
    Ok(Answer { best: search.best.text, score: last.map(|last| last.0), nodes: last.and_then(|last| last.1) })
}

fn depth(h: &mut CheckContext) -> CheckResult {
    in_fresh_processes(h, "depth 6")
}

fn nodes(h: &mut CheckContext) -> CheckResult {
    in_fresh_processes(h, "nodes 20000")
}

fn in_fresh_processes(h: &mut CheckContext, limit: &str) -> CheckResult {
    for position in POSITIONS {
        h.case(position, "the same move, score and nodes in another process", |e| {
            e.start()?;
            let first = ask(e, position, limit)?;
            e.start()?;
            Ok(ask(e, position, limit)?.against(&first))
        })?;
    }
    Ok(())
}

fn newgame(h: &mut CheckContext) -> CheckResult {
    for position in POSITIONS {
        h.case(position, "the same move, score and nodes after ucinewgame", |e| {
            e.start()?;
            let first = ask(e, position, "depth 6")?;
            ask(e, "startpos", "depth 6")?;
            e.say("ucinewgame")?;
            e.ready()?;
            Ok(ask(e, position, "depth 6")?.against(&first))
        })?;
    }
    Ok(())
}
