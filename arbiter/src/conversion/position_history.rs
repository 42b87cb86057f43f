//! The course of a game: where it stands, and what draws it by the rules.

use shakmaty::{Board, CastlingMode, Chess, Color, EnPassantMode, Move, Position, Square};

use super::How;

/// Plies without capture or pawn's move that draw.
const FIFTY_MOVES: u32 = 100;
/// How often a position stands before the game is drawn.
const REPETITION: usize = 3;

/// What makes positions the same. The endings have no castling.
type Identity = (Board, Color, Option<Square>);

/// A game under way.
pub(super) struct PositionHistory {
    pub(super) position: Chess,
    /// The moves so far, as UCI writes them.
    pub(super) moves: Vec<String>,
    /// Each position since the last capture or pawn's move.
    stood: Vec<Identity>,
}

impl PositionHistory {
    pub(super) fn new(start: Chess) -> Self {
        let stood = vec![identity(&start)];
        Self { position: start, moves: Vec::new(), stood }
    }

    /// The position after a legal move.
    pub(super) fn after(&self, mv: Move) -> Chess {
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        after
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        self.moves.push(text(mv));
        if mv.is_zeroing() {
            self.stood.clear();
        }
        self.position = self.after(mv);
        self.stood.push(identity(&self.position));
    }

    /// Whether the game as it stands is drawn: mate on the hundredth ply is mate.
    pub(super) fn drawn(&self) -> Option<How> {
        let times = self.times(&self.position);
        drawn(&self.position, times)
    }

    /// Whether a legal move would draw the game.
    pub(super) fn would_draw(&self, mv: Move) -> bool {
        let after = self.after(mv);
        let before = if mv.is_zeroing() { 0 } else { self.times(&after) };
        drawn(&after, before + 1).is_some()
    }

    /// How often a position has stood since the last capture or pawn's move.
    pub(super) fn times(&self, position: &Chess) -> usize {
        let identity = identity(position);
        self.stood.iter().filter(|&stood| *stood == identity).count()
    }
}

fn drawn(position: &Chess, times: usize) -> Option<How> {
    if position.is_checkmate() {
        None
    } else if position.halfmoves() >= FIFTY_MOVES {
        Some(How::FiftyMoves)
    } else {
        (times >= REPETITION).then_some(How::Repetition)
    }
}

fn identity(position: &Chess) -> Identity {
    (position.board().clone(), position.turn(), position.ep_square(EnPassantMode::Legal))
}

/// A move as UCI writes it.
pub(super) fn text(mv: Move) -> String {
    mv.to_uci(CastlingMode::Standard).to_string()
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::uci::UciMove;

    use super::*;

    fn course(fen: &str, moves: &str) -> PositionHistory {
        let start = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let mut course = PositionHistory::new(start);
        for mv in moves.split_whitespace() {
            let mv = read(&course, mv);
            course.play(mv);
        }
        course
    }

    fn read(course: &PositionHistory, text: &str) -> Move {
        text.parse::<UciMove>().unwrap().to_move(&course.position).unwrap()
    }

    #[test]
    fn the_third_time_draws() {
        let (start, round) = ("8/8/8/4k3/8/8/4P3/R3K3 w - - 0 1", "a1a2 e5e4 a2a1 e4e5 ");
        assert_eq!(course(start, round).drawn(), None);
        assert_eq!(course(start, &round.repeat(2)).drawn(), Some(How::Repetition));
        let nearly = course(start, &(round.to_owned() + "a1a2 e5e4 a2a1"));
        assert!(nearly.would_draw(read(&nearly, "e4e5")) && !nearly.would_draw(read(&nearly, "e4d5")));
        // What stood before a pawn's move counts no more.
        let again = "e2e3 e5d5 e1d2 d5e5 d2e1 e5d5 a1a2 d5e5";
        assert_eq!(course(start, &format!("{round}{again}")).drawn(), None);
    }

    #[test]
    fn the_hundredth_ply_draws_unless_it_mates() {
        let late = course("k7/8/1K6/8/8/8/8/7R w - - 98 80", "h1g1 a8b8");
        assert_eq!(late.drawn(), Some(How::FiftyMoves));
        assert_eq!(course("k7/8/1K6/8/8/8/8/7R w - - 99 80", "h1h8").drawn(), None);
        let last = course("8/8/8/8/8/1k6/4P3/K6R w - - 99 80", "");
        assert!(last.would_draw(read(&last, "h1g1")) && !last.would_draw(read(&last, "e2e3")));
    }
}
