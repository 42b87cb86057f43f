//! The positions of the checks, as arguments of `position`.

/// The starting position.
pub(super) const START: &str = "startpos";
/// A middlegame with castling, captures and promotions.
pub(super) const RICH: &str = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// A middlegame with Black to move.
pub(super) const MIDDLE: &str = "fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 b - - 0 9";
/// Black, to move, is a rook ahead.
pub(super) const AHEAD: &str = "fen 4k3/pppr4/8/8/8/8/PPP5/4K3 b - - 0 1";
/// A rook endgame.
pub(super) const ENDING: &str = "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
/// One legal move: a1a2.
pub(super) const FORCED: &str = "fen 1r5k/8/8/8/8/8/8/K7 w - - 0 1";
/// Two legal moves.
pub(super) const TWO_MOVES: &str = "fen 1r5k/8/8/7P/8/8/8/K7 w - - 0 1";
/// Mate in one: a1a8.
pub(super) const MATE_IN_1: &str = "fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
/// Mate in two, none in one.
pub(super) const MATE_IN_2: &str = "fen 7k/8/8/8/8/8/1R6/R5K1 w - - 0 1";
/// Black is mated in one, whatever it plays.
pub(super) const MATED_IN_1: &str = "fen k7/8/1K6/8/8/8/8/7R b - - 0 1";
/// All legal moves are promotions.
pub(super) const PROMOTION: &str = "fen 8/P7/8/8/8/8/r7/5k1K w - - 0 1";
/// Castling is the only mate in one.
pub(super) const CASTLING_MATES: &str = "fen 8/8/8/8/8/4B3/4RR2/k3K2R w K - 0 1";
/// Black is checkmated.
pub(super) const CHECKMATE: &str = "fen R5k1/5ppp/8/8/8/8/8/7K b - - 0 1";
/// Black is stalemated.
pub(super) const STALEMATE: &str = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::super::rules;
    use super::*;

    #[test]
    fn the_positions_are_as_documented() {
        let count = |position| rules::board(position).legal_moves().len();
        for position in [START, RICH, MIDDLE, ENDING, MATE_IN_2, CASTLING_MATES] {
            assert!(count(position) > 10, "{position}");
        }
        assert_eq!([FORCED, TWO_MOVES, CHECKMATE, STALEMATE].map(count), [1, 2, 0, 0]);
        assert!(rules::board(CHECKMATE).is_checkmate() && rules::board(STALEMATE).is_stalemate());
        let promotions = oracle::board::uci_moves(&rules::board(PROMOTION));
        assert!(promotions.len() == 4 && promotions.iter().all(|mv| mv.len() == 5));
        let mates = |position: &str| -> Vec<String> {
            let board = rules::board(position);
            let mates = |mv: &String| rules::after(&board, mv).is_some_and(|after| after.is_checkmate());
            oracle::board::uci_moves(&board).into_iter().filter(mates).collect()
        };
        assert_eq!(mates(MATE_IN_1), ["a1a8"]);
        assert_eq!(mates(CASTLING_MATES), ["e1g1"]);
        assert!(mates(MATE_IN_2).is_empty());
        let board = rules::board(MATED_IN_1);
        let replies = oracle::board::uci_moves(&board);
        let is_mated = |mv: &String| {
            let after = rules::after(&board, mv).expect("a legal move");
            let mates = |mv: &String| rules::after(&after, mv).is_some_and(|after| after.is_checkmate());
            oracle::board::uci_moves(&after).iter().any(mates)
        };
        assert!(!replies.is_empty() && replies.iter().all(is_mated));
    }
}
