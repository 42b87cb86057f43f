//! A node of the main search: first the facts that are known without its moves, then the moves.
//!
//! Principal variation search (Marsland, Campbell: Parallel search of strongly ordered game trees, 1982): the
//! first move is searched with the full window, the others with a null window first.

use super::history::PieceTo;
use super::margins;
use super::order::{Picker, is_noisy};
use super::quiescence::usable;
use super::table::TTEntry;
use super::window::Window;
use super::worker::{MOST_PLIES, Worker};
use crate::Ply;
use crate::search_api::Bound;
use crate::{Move, Position, Role, Score};

/// A node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct Node<'p> {
    pub(super) position: &'p Position,
    pub(super) ply: usize,
    pub(super) depth: i32,
    pub(super) window: Window,
    /// Whether this is an expected cut node.
    pub(super) cut: bool,
    pub(super) in_check: bool,
    pub(super) hash: Option<Move>,
    pub(super) entry: Option<TTEntry>,
    /// The static evaluation, raw and corrected; `None` in check.
    pub(super) raw: Option<Score>,
    pub(super) eval: Option<Score>,
    /// Whether the evaluation is better than two plies ago.
    pub(super) improving: bool,
}

/// The best move of a node.
pub(super) struct Best {
    pub(super) score: Score,
    pub(super) mv: Option<Move>,
    pub(super) alpha: Score,
}

impl Worker<'_> {
    /// Searches a position within a window and returns its score.
    pub(super) fn search(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        window: Window,
        cut: bool,
    ) -> Score {
        if depth <= margins::HORIZON {
            return self.quiescence(position, ply, window);
        }
        if let Some(score) = self.enter_node(position, ply) {
            return score;
        }
        // Mate distance pruning: no mate from here is shorter than these bounds.
        let window = Window {
            alpha: window.alpha.max(Score::mated_in(Ply(ply as u16))),
            beta: window.beta.min(Score::mate_in(Ply(ply as u16 + 1))),
        };
        if window.alpha >= window.beta {
            return window.alpha;
        }
        let excluded = self.data.frames[ply].excluded;
        let entry = if excluded.is_some() { None } else { self.shared.table.get(position.key()) };
        if !window.is_open()
            && let Some(score) = entry.and_then(|entry| usable(&entry, depth, window, ply, position))
        {
            return score;
        }
        let mut node = self.look(position, ply, depth, window, cut, entry);
        if ply >= MOST_PLIES {
            return node.eval.unwrap_or(Score::DRAW);
        }
        // The reduction pays because the next iteration finds a hash move, if there is a hash table to keep
        // it.
        let comes_again = self.shared.table.has_room();
        if excluded.is_none()
            && node.hash.is_none()
            && depth >= margins::INTERNAL_REDUCTION_DEPTH
            && comes_again
        {
            node.depth -= 1;
        }
        if excluded.is_none()
            && let Some(score) = self.prune(&node)
        {
            return score;
        }
        let best = self.search_moves(&node);
        if self.stopped {
            return Score::DRAW;
        }
        if excluded.is_none() {
            self.conclude(&node, &best);
        }
        best.score
    }

    /// Evaluates a node statically.
    fn look<'p>(
        &mut self,
        position: &'p Position,
        ply: usize,
        depth: i32,
        window: Window,
        cut: bool,
        entry: Option<TTEntry>,
    ) -> Node<'p> {
        let in_check = position.checkers().any();
        let raw = match entry {
            _ if in_check => None,
            Some(TTEntry { eval: Some(eval), .. }) => Some(eval),
            _ => Some(self.evaluate(position)),
        };
        let eval = raw.map(|raw| self.data.histories.corrected(position, raw));
        self.data.frames[ply].eval = eval;
        self.data.frames[ply + 2].killers = [None; 2];
        let before = |back: usize| self.data.frames[ply.checked_sub(back)?].eval;
        let improving = eval.zip(before(2).or_else(|| before(4))).is_some_and(|(now, before)| now > before);
        let hash = entry.and_then(|entry| entry.best.unpack());
        Node { position, ply, depth, window, cut, in_check, hash, entry, raw, eval, improving }
    }

    /// Stores the result in the hash table and learns the correction.
    fn conclude(&mut self, node: &Node<'_>, best: &Best) {
        let Window { alpha, beta } = node.window;
        let bound = if best.score >= beta {
            Bound::Lower
        } else if best.score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(node.position, node.ply, node.depth, best.score, best.mv, node.raw, bound);
        let Some((raw, eval)) = node.raw.zip(node.eval) else { return };
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => best.score > eval,
            Bound::Upper => best.score < eval,
        };
        let quiet = best.mv.is_none_or(|mv| !is_noisy(node.position, mv));
        if quiet && tells && !best.score.is_mate() {
            self.data.histories.correct(node.position, node.depth, raw, best.score);
        }
    }

    /// Searches the moves of a node in the order of the picker.
    pub(super) fn search_moves(&mut self, node: &Node<'_>) -> Best {
        let &Node { position, ply, window, .. } = node;
        let excluded = self.data.frames[ply].excluded;
        let mut best = Best { score: -Score::INFINITE, mv: None, alpha: window.alpha };
        let mut tried = Tried::default();
        let mut picker = Picker::new(position);
        picker.add_legal(&self.hints(position, ply, node.hash));
        let mut number = 0;
        while let Some(mv) = picker.next() {
            if excluded == Some(mv) {
                continue;
            }
            number += 1;
            let noisy = is_noisy(position, mv);
            if best.score > -Score::centipawns(Score::MOST_CENTIPAWNS)
                && self.is_pruned(node, mv, noisy, number, best.alpha)
            {
                continue;
            }
            let extension = self.extension(node, mv);
            let score = self.search_move(node, mv, number, noisy, extension, best.alpha);
            if self.stopped {
                return best;
            }
            if score > best.score {
                best.score = score;
                if score > best.alpha {
                    (best.alpha, best.mv) = (score, Some(mv));
                    self.extend_line(ply, mv, window.is_open());
                    if score >= window.beta {
                        self.reward(node, mv, noisy, &tried);
                        break;
                    }
                }
            }
            tried.add(mv, noisy);
        }
        if number == 0 {
            // The excluded move is the only one: no other move comes near it.
            best.score = window.alpha;
        }
        best
    }

    /// Searches one move, with late move reduction and re-search.
    fn search_move(
        &mut self,
        node: &Node<'_>,
        mv: Move,
        number: i32,
        noisy: bool,
        extension: i32,
        alpha: Score,
    ) -> Score {
        let &Node { position, ply, window, cut, .. } = node;
        let depth = node.depth - 1 + extension;
        let reduction = self.reduction(node, mv, number, noisy);
        let after = self.make(position, mv, ply);
        let empty = Window::above(alpha).negated();
        let open = window.is_open();
        let mut score = Score::INFINITE;
        if number > 1 || !open {
            let shallow = if number > 1 { (depth - reduction).clamp(1.min(depth), depth) } else { depth };
            let expected = if shallow < depth || number > 1 { true } else { !cut };
            score = -self.search(&after, ply + 1, shallow, empty, expected);
            if score > alpha && shallow < depth {
                score = -self.search(&after, ply + 1, depth, empty, !cut);
            }
        }
        if open && (number == 1 || score > alpha) {
            let window = Window { alpha, beta: window.beta }.negated();
            score = -self.search(&after, ply + 1, depth, window, false);
        }
        self.unmake();
        score
    }

    /// Updates the histories after a cutoff: a bonus for the move, a malus for the moves tried before it.
    fn reward(&mut self, node: &Node<'_>, mv: Move, noisy: bool, tried: &Tried) {
        let &Node { position, ply, depth, .. } = node;
        let bonus = margins::history_bonus(depth);
        let earlier = self.earlier(ply);
        let color = position.side_to_move();
        let histories = &mut self.data.histories;
        let mut capture = |mv: Move, bonus: i32| {
            let taken = super::order::taken(position, mv).unwrap_or(Role::Pawn);
            histories.nudge_capture(PieceTo::from_move(position, mv), taken, bonus);
        };
        for &mv in &tried.noisy {
            capture(mv, -bonus);
        }
        if noisy {
            return capture(mv, bonus);
        }
        histories.nudge_quiet(color, mv, PieceTo::from_move(position, mv), &earlier, bonus);
        for &mv in &tried.quiet {
            histories.nudge_quiet(color, mv, PieceTo::from_move(position, mv), &earlier, -bonus);
        }
        let killers = &mut self.data.frames[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

/// The searched moves that did not fail high, up to the number that gets a malus.
#[derive(Default)]
struct Tried {
    quiet: arrayvec::ArrayVec<Move, 48>,
    noisy: arrayvec::ArrayVec<Move, 24>,
}

impl Tried {
    fn add(&mut self, mv: Move, noisy: bool) {
        // Later moves do not fit and get no malus.
        let _ = if noisy { self.noisy.try_push(mv) } else { self.quiet.try_push(mv) };
    }
}
