//! Pruning, reductions and extensions, one method each.

use super::exchange;
use super::history::PieceTo;
use super::margins;
use super::node::Node;
use super::order::{Picker, gives_check, is_noisy};
use super::window::Window;
use super::worker::Worker;
use crate::search_api::Bound;
use crate::{FIFTY_MOVES, Move, Position, Role, Score};

impl Worker<'_> {
    /// The score of a node if it can be pruned as a whole. Not in check, not in the principal variation, not
    /// with mate scores.
    pub(super) fn prune(&mut self, node: &Node<'_>) -> Option<Score> {
        let eval = node.eval?;
        if node.window.is_open() || node.window.beta.is_mate() || nears_fifty_moves(node) {
            return None;
        }
        // Sacrifices at the root are searched if the depth suffices to see more than the loss.
        let looked_at = node.ply == 1 && node.depth > 2;
        reverse_futility(node, eval)
            .filter(|_| !looked_at)
            .or_else(|| self.razor(node, eval))
            .or_else(|| self.null_move(node, eval))
            .or_else(|| self.probcut(node, eval))
    }

    /// Razoring: far below alpha, checks by quiescence search whether captures help.
    pub(super) fn razor(&mut self, node: &Node<'_>, eval: Score) -> Option<Score> {
        let hopeless = eval + margins::razoring(node.depth) <= node.window.alpha;
        if node.depth > margins::RAZORING_DEPTH || !hopeless {
            return None;
        }
        let score = self.quiescence(node.position, node.ply, node.window);
        (score <= node.window.alpha && !self.stopped).then_some(score)
    }

    /// Null-move pruning. Not with only king and pawns, because of zugzwang. At high depth a cutoff is
    /// verified by a search without null moves.
    pub(super) fn null_move(&mut self, node: &Node<'_>, eval: Score) -> Option<Score> {
        let &Node { position, ply, depth, window, cut, .. } = node;
        let passed_just_now = ply > 0 && self.data.frames[ply - 1].step.is_none();
        if depth < margins::NULL_MOVE_DEPTH
            || eval < window.beta
            || passed_just_now
            || ply < self.no_null_before
            || !has_officers(position)
        {
            return None;
        }
        let reduced = depth - margins::null_move_reduction(depth, eval.raw() - window.beta.raw());
        let after = self.make_null_move(position, ply)?;
        let score = -self.search(&after, ply + 1, reduced, window.negated(), !cut);
        self.unmake();
        if self.stopped || score < window.beta {
            return None;
        }
        // A mate after a null move is not a mate.
        let score = if score.is_win() { window.beta } else { score };
        if depth < margins::NULL_MOVE_VERIFICATION_DEPTH || self.no_null_before > 0 {
            return Some(score);
        }
        self.no_null_before = ply + (3 * reduced.max(1) / 4) as usize + 1;
        let verified = self.search_without_table(node, reduced.max(1));
        self.no_null_before = 0;
        (verified >= window.beta && !self.stopped).then_some(score)
    }

    /// Searches the node again at reduced depth. Its hash entry is not read, because it may come from the
    /// null move.
    fn search_without_table(&mut self, node: &Node<'_>, depth: i32) -> Score {
        let again = Node { depth, cut: false, ..*node };
        self.search_moves(&again).score
    }

    /// `ProbCut`: a capture far above beta in a shallow search causes a cutoff.
    pub(super) fn probcut(&mut self, node: &Node<'_>, eval: Score) -> Option<Score> {
        let &Node { position, ply, depth, window, cut, .. } = node;
        let goal = window.beta + margins::PROBCUT;
        let shallow = depth - 4;
        let doubted = node.entry.is_some_and(|entry| entry.depth >= shallow && entry.score < goal);
        if depth < margins::PROBCUT_DEPTH || goal.is_mate() || doubted {
            return None;
        }
        let needed = goal.raw() - eval.raw();
        let mut picker = Picker::new(position);
        picker.add_noisy(&self.hints(position, ply, node.hash));
        while let Some(mv) = picker.next() {
            if !is_noisy(position, mv) || !exchange::gains(position, mv, needed) {
                continue;
            }
            let after = self.make(position, mv, ply);
            let window = Window::above(goal - 1).negated();
            let mut score = -self.quiescence(&after, ply + 1, window);
            if score >= goal {
                score = -self.search(&after, ply + 1, shallow, window, !cut);
            }
            self.unmake();
            if self.stopped {
                return None;
            }
            if score >= goal {
                self.store(position, ply, shallow + 1, score, Some(mv), node.raw, Bound::Lower);
                return Some(if score.is_mate() { goal } else { score - margins::PROBCUT });
            }
        }
        None
    }

    /// Whether a move is pruned. Only after a move is known that is not mated by force.
    pub(super) fn is_pruned(
        &self,
        node: &Node<'_>,
        mv: Move,
        noisy: bool,
        number: i32,
        alpha: Score,
    ) -> bool {
        let &Node { position, depth, improving, .. } = node;
        if alpha.is_loss() || nears_fifty_moves(node) {
            return false;
        }
        if noisy {
            return depth <= margins::EXCHANGE_DEPTH
                && !exchange::gains(position, mv, margins::capture_exchange(depth));
        }
        let left = (depth - margins::late_move_reduction(depth, number)).max(1);
        let hopeless =
            |eval: Score| left <= margins::FUTILITY_DEPTH && eval + margins::futility(left) <= alpha;
        let quietly = |pointless: bool| pointless && !gives_check(position, mv);
        // On the last ply of the principal variation the only good move may come late, for instance the
        // retreat of an attacked piece.
        let last = node.window.is_open() && depth <= 1;
        let late = !node.in_check && !last && number > margins::late_moves(depth, improving);
        quietly(late || node.eval.is_some_and(hopeless))
            || left <= margins::HISTORY_DEPTH && self.quiet_history(node, mv) < margins::history(left)
            || depth <= margins::EXCHANGE_DEPTH
                && !exchange::gains(position, mv, margins::quiet_exchange(left))
    }

    #[inline]
    fn quiet_history(&self, node: &Node<'_>, mv: Move) -> i32 {
        let history = self.data.histories.quiet(node.position.side_to_move(), &self.earlier(node.ply));
        history.of(mv, PieceTo::from_move(node.position, mv))
    }

    /// The late move reduction of a move, in plies.
    pub(super) fn reduction(&self, node: &Node<'_>, mv: Move, number: i32, noisy: bool) -> i32 {
        let &Node { position, depth, window, cut, improving, in_check, .. } = node;
        if depth < 2 || number < 2 || in_check {
            return 0;
        }
        let mut reduction = margins::late_move_reduction(depth, number);
        if noisy {
            return if exchange::gains(position, mv, 0) { 0 } else { reduction / 2 };
        }
        let [first, second] = self.data.frames[node.ply].killers;
        let killer = first == Some(mv) || second == Some(mv);
        reduction += i32::from(cut) + i32::from(!improving) - i32::from(window.is_open()) - i32::from(killer);
        reduction -= i32::from(gives_check(position, mv)) + self.quiet_history(node, mv) / 9_000;
        reduction.max(0)
    }

    /// The extension of a move, in plies: one for a reply to check, one for a singular hash move.
    pub(super) fn extension(&mut self, node: &Node<'_>, mv: Move) -> i32 {
        let deep = node.ply as i32 >= 2 * self.root_depth;
        match node.entry {
            _ if deep => 0,
            _ if node.in_check => 1,
            Some(entry) if node.hash == Some(mv) => {
                self.singular(node, mv, entry.score, entry.depth, entry.bound)
            }
            _ => 0,
        }
    }

    fn singular(&mut self, node: &Node<'_>, mv: Move, score: Score, known: i32, bound: Bound) -> i32 {
        let &Node { position, ply, depth, cut, .. } = node;
        let asked = self.data.frames[ply].excluded.is_some();
        if asked
            || depth < margins::SINGULAR_DEPTH
            || known < depth - 3
            || bound == Bound::Upper
            || score.is_mate()
        {
            return 0;
        }
        let behind = score - margins::singular(depth);
        self.data.frames[ply].excluded = Some(mv);
        let others = self.search(position, ply, (depth - 1) / 2, Window::above(behind - 1), cut);
        self.data.frames[ply].excluded = None;
        match () {
            () if self.stopped => 0,
            () if others < behind => 1,
            // Several moves reach beta: the node will fail high anyway.
            () if score >= node.window.beta => -1,
            () => 0,
        }
    }
}

/// Whether the fifty-move draw comes within the remaining depth, and soon: the evaluation does not know it.
/// Farther away from the draw, searching without pruning would cost too much.
#[inline]
fn nears_fifty_moves(node: &Node<'_>) -> bool {
    let left = i32::from(FIFTY_MOVES) - i32::from(node.position.halfmove_clock());
    left <= node.depth.min(margins::LAST_OF_FIFTY_MOVES)
}

/// Reverse futility pruning.
pub(super) fn reverse_futility(node: &Node<'_>, eval: Score) -> Option<Score> {
    let margin = margins::reverse_futility(node.depth, node.improving);
    let far = node.depth <= margins::REVERSE_FUTILITY_DEPTH && eval - margin >= node.window.beta;
    far.then(|| Score::from_raw(i32::midpoint(eval.raw(), node.window.beta.raw())))
}

/// Whether the side to move has a piece besides king and pawns.
pub(super) fn has_officers(position: &Position) -> bool {
    let board = position.board();
    let others = board.role(Role::King) | board.role(Role::Pawn);
    !(board.color(position.side_to_move()) & !others).is_empty()
}
