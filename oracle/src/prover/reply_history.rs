//! A history of replies that refuted moves. They are tried first where they are legal.

use shakmaty::Move;

use super::MOST_MOVES;

/// Scores of replies.
pub(super) struct ReplyHistory {
    /// By squares of departure and arrival.
    praise: Vec<u32>,
    /// The last reply that refuted, by the number of moves to go.
    last: Vec<usize>,
}

impl Default for ReplyHistory {
    fn default() -> Self {
        Self { praise: vec![0; 64 * 64], last: vec![usize::MAX; usize::from(MOST_MOVES) + 1] }
    }
}

impl ReplyHistory {
    /// Moves the most promising reply to the front.
    pub(super) fn bring_forward(&self, replies: &mut [Move], moves: u16) {
        let last = self.last[usize::from(moves)];
        let promise = |reply: Move| {
            let index = index(reply);
            if index == last { u32::MAX } else { self.praise[index] }
        };
        let mut best = (0, promise(replies[0]));
        for (at, &reply) in replies.iter().enumerate().skip(1) {
            let promise = promise(reply);
            if promise > best.1 {
                best = (at, promise);
            }
        }
        replies.swap(0, best.0);
    }

    /// Scores a reply that refuted a move with this many moves to go.
    pub(super) fn praise(&mut self, reply: Move, moves: u16) {
        let index = index(reply);
        self.last[usize::from(moves)] = index;
        let more = u32::from(moves) * u32::from(moves);
        self.praise[index] = self.praise[index].saturating_add(more).min(u32::MAX - 1);
    }
}

fn index(reply: Move) -> usize {
    reply.from().map_or(0, usize::from) * 64 + usize::from(reply.to())
}
