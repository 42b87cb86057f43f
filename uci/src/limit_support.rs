//! Which limits of `go` a program respects, and what to send in place of one that it ignores. See `probe`.
//!
//! Whatever the program respects, every search also has a timeout of ours, after which `stop` is sent.

use std::fmt;
use std::time::Duration;

use crate::failure::Failure;
use crate::{Limit, Question};

/// The most moves of a search's time on its clock: engines use a part of the clock for a move.
pub(crate) const MOVES_OF_CLOCK: u32 = 20;
/// The depth at which a search by nodes ends if the engine waits at its greatest depth.
const DEEPEST: u16 = 40;
/// How many times the time of a search an engine may take for a move by the clock. After that, `stop` is
/// sent.
const LONG_MOVE: u32 = 4;
/// How long after `movetime` an answer may come. After that, `stop` is sent.
const OVERRUN: Duration = Duration::from_secs(2);
/// From this many nodes on, engines that ignore `go nodes` get `movetime` instead; below it, they get a
/// depth.
const MANY_NODES: u64 = 100_000;

/// Which limits of `go` a program respects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitSupport {
    /// `go nodes`.
    pub nodes: Support,
    /// `go depth`.
    pub depth: Support,
    /// `go movetime`.
    pub move_time: Support,
    /// The clocks of `go wtime btime`. The probe tries them only if it can use no other limit.
    pub clock: Support,
    /// How many moves the clock would last, each as long as the first one; at least 2.
    pub moves_of_clock: u32,
    /// The failure at `ucinewgame` or the `isready` after it, if there was one. Such a program is restarted
    /// for each game.
    pub new_game: Option<Failure>,
    /// The late answer to a search that neither a limit nor `stop` ended, if the program keeps no limit at
    /// all.
    pub late: Option<LateAnswer>,
}

/// An answer that came long after the limit of the search and after `stop`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateAnswer {
    /// The question.
    pub question: Question,
    /// When `stop` was sent, since `go`.
    pub stopped_after: Duration,
    /// From `go` to `bestmove`.
    pub took: Duration,
    /// Whether a score was printed.
    pub has_score: bool,
}

/// Whether a program respects a limit. The probe tried it once, on a machine that may have been busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// The engine respects it, as far as one search shows.
    Yes,
    /// The engine stops long before the limit.
    Early,
    /// The engine answers well after the limit, but without `stop`.
    Late,
    /// The engine respects it, but waits for `stop` if it reaches its greatest depth first, as near a mate.
    Waits,
    /// The engine searches on past the limit, or is too slow to tell.
    No,
    /// The search failed.
    Unknown,
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yes => "kept",
            Self::Early => "stops early",
            Self::Late => "late",
            Self::Waits => "kept, but waits for stop at its greatest depth",
            Self::No => "not kept",
            Self::Unknown => "unknown",
        })
    }
}

impl Support {
    fn is_usable(self) -> bool {
        !matches!(self, Self::No | Self::Early)
    }
}

/// The limit that is sent for a question, and the timeout of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchRequest {
    /// The limit of `go`; `None` for `go infinite`.
    pub limit: Option<Limit>,
    /// A depth beside the limit, at which the search ends too.
    pub deepest: Option<u16>,
    /// The time after which `stop` is sent.
    pub within: Duration,
}

impl fmt::Display for SearchRequest {
    /// The `go` command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.limit {
            Some(limit) => write!(f, "go {limit}")?,
            None => f.write_str("go infinite")?,
        }
        self.deepest.map_or(Ok(()), |depth| write!(f, " depth {depth}"))
    }
}

impl LimitSupport {
    /// No limit was probed: every limit is sent unchanged.
    pub const UNKNOWN: Self = Self {
        nodes: Support::Unknown,
        depth: Support::Unknown,
        move_time: Support::Unknown,
        clock: Support::Unknown,
        moves_of_clock: MOVES_OF_CLOCK,
        new_game: None,
        late: None,
    };

    /// The request for a search within the limit `wanted`. If no limit of time is sent, `stop` follows after
    /// `think`.
    pub fn request(&self, wanted: Limit, think: Duration) -> SearchRequest {
        let request = |limit| SearchRequest { limit: Some(limit), deepest: None, within: think };
        match wanted {
            Limit::Nodes(_) if self.nodes == Support::Waits => {
                SearchRequest { deepest: Some(DEEPEST), ..request(wanted) }
            }
            Limit::Nodes(_) if self.nodes.is_usable() => request(wanted),
            Limit::Depth(_) if self.depth.is_usable() => request(wanted),
            // With few pieces left, a depth says little about how long a search takes.
            Limit::Nodes(nodes) if nodes >= MANY_NODES && self.move_time.is_usable() => {
                self.for_time(fast_time(nodes).min(think))
            }
            Limit::Nodes(nodes) if self.depth.is_usable() => request(Limit::Depth(depth_of(nodes))),
            Limit::Depth(depth) if self.nodes.is_usable() => request(Limit::Nodes(nodes_of(depth))),
            Limit::Nodes(nodes) => self.for_time(slow_time(nodes).min(think)),
            Limit::Depth(depth) => self.for_time(slow_time(nodes_of(depth)).min(think)),
            Limit::MoveTime(time) => self.for_time(time),
            Limit::Clock(time) => request(Limit::Clock(time)),
        }
    }

    fn for_time(&self, time: Duration) -> SearchRequest {
        if self.move_time.is_usable() {
            SearchRequest { limit: Some(Limit::MoveTime(time)), deepest: None, within: time + OVERRUN }
        } else if self.clock == Support::Yes {
            let clock = time.saturating_mul(self.moves_of_clock);
            SearchRequest {
                limit: Some(Limit::Clock(clock)),
                deepest: None,
                within: clock.min(time.saturating_mul(LONG_MOVE) + OVERRUN),
            }
        } else {
            SearchRequest { limit: None, deepest: None, within: time }
        }
    }
}

/// The depth that takes about this many nodes, at four times as many for each ply.
fn depth_of(nodes: u64) -> u16 {
    (nodes.max(4).ilog2() / 2) as u16
}

/// The nodes that a depth takes, by the same estimate.
fn nodes_of(depth: u16) -> u64 {
    1 << (2 * depth.clamp(1, 12))
}

/// The time in which a fast engine searches this many nodes: a million a second.
fn fast_time(nodes: u64) -> Duration {
    Duration::from_millis((nodes / 1000).min(60_000))
}

/// The time in which a slow engine searches this many nodes: 100,000 a second.
fn slow_time(nodes: u64) -> Duration {
    Duration::from_millis((nodes / 100).clamp(20, 60_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignored_limit_is_replaced_by_another() {
        let think = Duration::from_secs(10);
        let by_clock = |clock, limits: [Support; 3], wanted, line: &str, within| {
            let [nodes, depth, move_time] = limits;
            let moves_of_clock = MOVES_OF_CLOCK;
            let support =
                LimitSupport { nodes, depth, move_time, clock, moves_of_clock, ..LimitSupport::UNKNOWN };
            let request = support.request(wanted, think);
            assert_eq!((request.to_string().as_str(), request.within), (line, Duration::from_millis(within)));
        };
        let check =
            |limits, wanted, line: &str, within| by_clock(Support::Unknown, limits, wanted, line, within);
        let (yes, no) = (Support::Yes, Support::No);
        let (nodes, depth) = (Limit::Nodes(10_000), Limit::Depth(6));
        let time = Limit::MoveTime(Duration::from_millis(300));
        check([yes, yes, yes], nodes, "go nodes 10000", 10_000);
        check([Support::Early, yes, yes], nodes, "go depth 6", 10_000);
        check([Support::Waits, yes, yes], nodes, "go nodes 10000 depth 40", 10_000);
        check([no, no, yes], nodes, "go movetime 100", 2_100);
        check([Support::Early, yes, yes], Limit::Nodes(MANY_NODES - 1), "go depth 8", 10_000);
        check([Support::Early, yes, yes], Limit::Nodes(2_400_000), "go movetime 2400", 4_400);
        check([no, yes, no], Limit::Nodes(2_400_000), "go depth 10", 10_000);
        check([no, no, no], nodes, "go infinite", 100);
        check([no, yes, yes], depth, "go depth 6", 10_000);
        check([yes, no, yes], depth, "go nodes 4096", 10_000);
        check([no, no, Support::Late], depth, "go movetime 40", 2_040);
        check([yes, yes, Support::Late], time, "go movetime 300", 2_300);
        check([yes, yes, no], time, "go infinite", 300);
        check([no, no, no], Limit::Nodes(u64::MAX), "go infinite", 10_000);
        check([Support::Unknown; 3], nodes, "go nodes 10000", 10_000);
        by_clock(yes, [no, no, no], nodes, "go wtime 2000 btime 2000", 2_000);
        by_clock(yes, [no, no, no], time, "go wtime 6000 btime 6000", 3_200);
        by_clock(yes, [no, no, yes], time, "go movetime 300", 2_300);
    }
}
