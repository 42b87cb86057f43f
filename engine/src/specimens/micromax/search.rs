//! The search, as H.G. Muller describes that of micro-Max 3.2, with three variants.
//!
//! Ignores repetition and the fifty-move rule. Knows legality only by king captures: a move is illegal if the
//! reply captures the king.

use super::Mode;
use super::mailbox::Mailbox;
use super::movegen::Want;
use super::piece_values::{DECIDED, INFINITY, MATE, Points};
use super::square0x88::{BoardMove, MoveKind, Square0x88};
use super::ttable::{FINAL, TTable};
use crate::search_api::{Bound, Control, Limits};

/// The maximum ply; extensions and leaves add to the depth.
const MOST_PLIES: u16 = 160;
/// The clock is checked every this many nodes.
const POLL: u64 = 1_024;

/// The parameters of a node.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) alpha: Points,
    pub(super) beta: Points,
    /// The static score, from the view of the side to move.
    pub(super) score: Points,
    pub(super) depth: u8,
    pub(super) ply: u16,
    /// The destination of the last move: a capture there is a recapture.
    pub(super) last: Option<Square0x88>,
    /// Whether the opponent, who has just moved, has no move known to be legal yet: this move may be its
    /// first, or may have left its king to be captured.
    pub(super) unproven: bool,
    pub(super) leaf: Leaf,
}

/// The moves that a node of depth zero searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaf {
    /// Recaptures of the piece that has just moved.
    Recaptures,
    /// All captures.
    Captures,
    /// The opponent's captures after a null move; if one gains, all moves.
    Threats,
}

/// The moves to try at one depth of a node, and the score without a move.
struct Plan {
    reference: Points,
    tried: Tried,
    /// The leaves of the children at depth zero.
    leaf: Leaf,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    All,
    Captures,
    Recaptures,
}

struct BestFound {
    value: Points,
    best: Option<(Square0x88, Square0x88)>,
}

/// A search of one position.
pub(super) struct Search<'a> {
    pub(super) board: Mailbox,
    pub(super) mode: Mode,
    pub(super) ttable: &'a mut TTable,
    pub(super) limits: &'a Limits,
    pub(super) control: &'a Control,
    pub(super) nodes: u64,
    pub(super) deepest: u16,
    pub(super) next_poll: u64,
    pub(super) stopped: bool,
}

impl Search<'_> {
    /// The score of the current position for the side to move. Meaningless once `stopped` is set.
    pub(super) fn value(&mut self, node: &Node) -> Points {
        if self.is_interrupted() {
            return node.score;
        }
        self.nodes += 1;
        self.deepest = self.deepest.max(node.ply);
        if node.ply >= MOST_PLIES {
            return node.score;
        }
        let key = self.board.key() ^ node.leaf.salt();
        let mut found = BestFound { value: node.score, best: None };
        let mut first = 0;
        if let Some(entry) = self.ttable.get(key).copied() {
            if entry.depth >= node.depth && entry.settles(node.alpha, node.beta) {
                return self.checked(node, entry.value);
            }
            found.best = entry.best;
            first = node.depth.min(entry.depth + 1);
        }
        for depth in first..=node.depth {
            let better = self.iterate(node, depth, found.best.filter(|_| depth > 0));
            if self.stopped {
                break;
            }
            found = BestFound { value: better.value, best: better.best.or(found.best) };
            if self.remember(key, node, depth, &found) {
                break;
            }
        }
        found.value
    }

    /// Stores the result. Returns whether it is final: a mate is final at any depth.
    fn remember(&mut self, key: u64, node: &Node, depth: u8, found: &BestFound) -> bool {
        let bound = match found.value {
            value if value >= node.beta => Bound::Lower,
            value if value <= node.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        let is_final = match bound {
            Bound::Exact => found.value.abs() > DECIDED,
            Bound::Lower => found.value > DECIDED,
            Bound::Upper => found.value < -DECIDED,
        };
        self.ttable.put(key, if is_final { FINAL } else { depth }, found.value, bound, found.best);
        is_final
    }

    /// Searches the moves to one depth, the best move of the last depth first.
    fn iterate(&mut self, node: &Node, depth: u8, hint: Option<(Square0x88, Square0x88)>) -> BestFound {
        let plan = self.plan(node, depth);
        let mut found = BestFound { value: plan.reference, best: None };
        let first = hint.and_then(|(from, to)| self.board.move_between(from, to));
        let want = if plan.tried == Tried::All { Want::All } else { Want::Captures };
        if found.value >= node.beta {
            return BestFound { value: self.checked(node, found.value), ..found };
        }
        if let Some(step) = first.filter(|step| step.kind != MoveKind::TakesKing) {
            self.attempt(node, depth, &plan, step, &mut found);
        }
        for from in self.board.men_from(hint.map_or(Square0x88::at(0, 0), |(from, _)| from)) {
            for step in self.board.moves_from(from, want) {
                if found.value >= node.beta || self.stopped {
                    return BestFound { value: self.checked(node, found.value), ..found };
                }
                if step.kind == MoveKind::TakesKing {
                    return BestFound { value: INFINITY, best: None };
                }
                let recaptures = Some(step.to) == node.last;
                if first != Some(step) && (plan.tried != Tried::Recaptures || recaptures) {
                    self.attempt(node, depth, &plan, step, &mut found);
                }
            }
        }
        if found.value == -INFINITY {
            found.value = self.without_move();
        } else if found.value >= node.beta {
            found.value = self.checked(node, found.value);
        }
        found
    }

    /// The moves to try. At depth zero a side may stand pat, or, with threats, on the static score minus the
    /// opponent's best capture.
    fn plan(&mut self, node: &Node, depth: u8) -> Plan {
        if depth > 0 {
            return Plan { reference: -INFINITY, tried: Tried::All, leaf: self.mode.leaf() };
        }
        match node.leaf {
            Leaf::Threats if node.score > node.alpha => {
                let reference = self.after_pass(node);
                if reference < node.score {
                    return Plan { reference, tried: Tried::All, leaf: Leaf::Captures };
                }
                Plan { reference, tried: Tried::Recaptures, leaf: Leaf::Recaptures }
            }
            Leaf::Captures => Plan { reference: node.score, tried: Tried::Captures, leaf: Leaf::Recaptures },
            Leaf::Threats | Leaf::Recaptures => {
                Plan { reference: node.score, tried: Tried::Recaptures, leaf: Leaf::Recaptures }
            }
        }
    }

    /// The score after a null move and the opponent's captures; minus infinity in check.
    fn after_pass(&mut self, node: &Node) -> Points {
        let undo = self.board.make_null_move();
        let reply = Node {
            alpha: -node.beta,
            beta: -node.alpha,
            score: -node.score,
            depth: 0,
            ply: node.ply + 1,
            last: None,
            unproven: false,
            leaf: Leaf::Captures,
        };
        let value = -self.value(&reply);
        self.board.unmake_null_move(undo);
        value
    }

    /// Plays a move, searches it, takes it back, and keeps it if it is the best so far.
    fn attempt(&mut self, node: &Node, depth: u8, plan: &Plan, step: BoardMove, found: &mut BestFound) {
        let recaptures = Some(step.to) == node.last;
        let child = Node {
            // A gain counts one point less if it comes later, so the bound is one higher here.
            alpha: -node.beta - Points::from(node.beta > node.score),
            beta: -node.alpha.max(found.value),
            score: -node.score - self.board.gain(step),
            depth: if recaptures { depth } else { depth.saturating_sub(1) },
            ply: node.ply + 1,
            last: Some(step.to),
            unproven: found.value == -INFINITY,
            leaf: plan.leaf,
        };
        let undo = self.board.make(step);
        let value = -self.value(&child);
        self.board.unmake(step, undo);
        let value = value - Points::from(value > node.score);
        if value > found.value && !self.stopped {
            *found = BestFound { value, best: Some((step.from, step.to)) };
        }
    }

    /// The score of a node, or that of the king. The guard against overlooked stalemates: while the opponent
    /// has no move known to be legal, a cutoff first checks whether its king can be captured.
    fn checked(&mut self, node: &Node, value: Points) -> Points {
        let doubtful = node.unproven && value >= node.beta && value < INFINITY && !self.stopped;
        if self.mode == Mode::Guarded && doubtful && self.takes_king() { INFINITY } else { value }
    }

    /// The score without a legal move: a search of depth zero for the other side checks whether it can
    /// capture the king.
    fn without_move(&mut self) -> Points {
        let undo = self.board.make_null_move();
        let mated = self.takes_king();
        self.board.unmake_null_move(undo);
        if mated { -MATE } else { 0 }
    }

    /// A search of depth zero for king captures only.
    fn takes_king(&mut self) -> bool {
        self.nodes += 1;
        self.board.can_take_king()
    }

    /// The hash move of a board.
    pub(super) fn remembered(&self, board: &Mailbox) -> Option<BoardMove> {
        let (from, to) = self.ttable.get(board.key() ^ self.mode.leaf().salt())?.best?;
        board.move_between(from, to)
    }

    fn is_interrupted(&mut self) -> bool {
        self.stopped |= self.limits.nodes.is_some_and(|most| self.nodes >= most);
        if self.nodes >= self.next_poll {
            self.next_poll = self.nodes + POLL;
            let hard = self.limits.time.filter(|_| !self.control.is_pondering());
            let late = hard.is_some_and(|time| self.control.elapsed() >= time.hard);
            self.stopped |= late || self.control.is_stopped();
        }
        self.stopped
    }
}

impl Leaf {
    /// Separates the hash entries of the kinds of leaves.
    fn salt(self) -> u64 {
        match self {
            Self::Recaptures => 0,
            Self::Captures => 0x5851_f42d_4c95_7f2d,
            Self::Threats => 0x1405_7b7e_f767_814f,
        }
    }
}
