//! An answer at one depth, and whether its faults came again.

use uci::Reply;

use super::judge::{self, StalemateFault, StalematePosition};
use crate::player::{Asked, NoAnswer};
use crate::runner::Reproduction;

/// The answer at one depth, and whether its faults came again.
#[derive(Clone)]
pub(super) struct StalemateAnswer {
    pub(super) depth: u16,
    /// The depths that the process was asked for, one after the other without a new game. The last one may be
    /// a deeper one.
    pub(super) asked: Vec<u16>,
    /// The earlier questions of the process, if they matter.
    pub(super) earlier: Vec<Asked>,
    pub(super) reply: Result<Reply, NoAnswer>,
    pub(super) faults: Vec<StalemateFault>,
    pub(super) again: Reproduction,
}

impl StalemateAnswer {
    /// The answer to the last of these depths.
    pub(super) fn new(case: &StalematePosition, asked: Vec<u16>, reply: Result<Reply, NoAnswer>) -> Self {
        let depth = asked.last().copied().unwrap_or_default();
        let faults = judge::faults(case, depth, &reply);
        Self { depth, asked, earlier: Vec::new(), reply, faults, again: Reproduction::Never }
    }

    /// Whether it has a fault that has not come again yet.
    pub(super) fn is_open(&self) -> bool {
        self.reply.is_ok() && self.again == Reproduction::Never && !self.faults.is_empty()
    }

    /// Whether it has a fault that no fresh process repeats.
    pub(super) fn needs_others(&self) -> bool {
        self.is_open() || self.again == Reproduction::SameProcess
    }

    /// Whether the other answer has one of these faults too.
    pub(super) fn shares_fault(&self, other: &Self) -> bool {
        self.faults.iter().any(|fault| other.faults.iter().any(|other| fault.check() == other.check()))
    }

    /// Drops a fault at a depth at which the case is not due. Such a fault counts only if a program repeats
    /// it and errs at no greater depth.
    pub(super) fn forgive_shallow(&mut self) {
        self.faults.retain(|fault| !matches!(fault, StalemateFault::Shallow(_)));
    }

    /// Takes a wrong score of a stalemate for that of an earlier search, if no fresh process gives it.
    pub(super) fn know_left_over(&mut self) {
        let is_new = matches!(self.again, Reproduction::FreshProcess | Reproduction::Never);
        let scores = self.faults.iter_mut().filter(|fault| !is_new && **fault == StalemateFault::WrongScore);
        scores.for_each(|fault| *fault = StalemateFault::LeftOver);
    }

    /// Whether a fault came again in this way, and a deeper search may get it right.
    pub(super) fn retry_deeper(&self, again: Reproduction) -> bool {
        self.again == again && self.faults.iter().any(StalemateFault::retry_deeper)
    }
}
