//! Questions that tell two causes of one wrong score apart.

use oracle::board::{Game, fen as fen_of, with_clock};
use suites::draws::{DrawCase, GameResult};
use uci::{Question, Reply};

use super::DrawRun;
use super::judge::scores_draw;
use crate::player::NoAnswer;

/// Why the second occurrence of a position is the reason for a draw score.
pub(super) const TWOFOLD_EXPLANATION: &str = "it scores a draw also without the first position of the game, which differs in castling or en passant rights: the position occurs for the second time only";
/// The halfmove clock of the control. An engine scores a draw there if it counts the clock and its limit is at most
/// 150 plies. At 150 plies the game is over by article 9.6.2 of the Laws of Chess, without a claim.
const LONG_OVER: u32 = 149;

impl DrawRun<'_> {
    /// Whether the player scores the second occurrence of a position as a draw, and does not mix up positions
    /// with different rights. It then also scores a draw in the game without the positions with other rights.
    pub(super) fn counts_twofold(&self, question: &Question, reply: Result<&Reply, &NoAnswer>) -> bool {
        if self.case.result == GameResult::Draw || !reply.is_ok_and(scores_draw) {
            return false;
        }
        let Some((fen, moves)) = without_other_rights(self.case) else { return false };
        self.finds_draw(&Question { moves, ..Question::new(&fen, question.limit) }) == Some(true)
    }

    /// Whether the player, which takes a drawn game for won, counts the halfmove clock and has a limit that is
    /// too high. It then scores a draw if the clock of the FEN is far above the limit. If moves lead to the
    /// position, it also takes the game for won if the FEN has their clock, since otherwise the moves are what
    /// it does not count.
    pub(super) fn ends_late(&self) -> bool {
        let Ok(game) = Game::new(&self.case.fen, &self.case.moves) else { return false };
        let is_draw_at = |clock| {
            let fen = with_clock(&fen_of(game.position()), clock);
            self.finds_draw(&Question::new(&fen.ok()?, self.limit()))
        };
        let is_alike = self.case.moves.is_empty() || is_draw_at(game.clock()) == Some(false);
        is_alike && is_draw_at(LONG_OVER) == Some(true)
    }

    /// Whether the answer to a control is a draw; `None` without an answer.
    fn finds_draw(&self, control: &Question) -> Option<bool> {
        self.case_context.ask(self.setup, control).as_ref().ok().map(scores_draw)
    }
}

/// The game of a case without the positions that differ in castling or en passant rights: a FEN and the moves
/// since. `None` if there are no such positions.
pub(super) fn without_other_rights(case: &DrawCase) -> Option<(String, Vec<String>)> {
    let game = Game::new(&case.fen, &case.moves).ok()?;
    let index = game.alike_since()?;
    Some((fen_of(&game.positions()[index]), case.moves[index..].to_vec()))
}
