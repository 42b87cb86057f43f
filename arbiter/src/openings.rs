//! Openings of games, and positions of speed measurements: quiet positions after a few moves, and endgames.

/// All are legal, and no side is far ahead.
pub(crate) const OPENINGS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4",
    "rnbqk2r/ppppppbp/5np1/8/2PPP3/2N5/PP3PPP/R1BQKBNR b KQkq - 0 4",
    "rnbqkbnr/ppp2ppp/4p3/3pP3/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "8/pp3k1p/2p3p1/3p4/3P4/2P3P1/PP3K1P/8 w - - 0 1",
    "4r1k1/pp3ppp/2p5/3p4/3P4/2P5/PP3PPP/4R1K1 w - - 0 1",
    "r3k2r/pppq1ppp/2np1n2/2b1p1B1/2B1P1b1/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 6 8",
];

#[cfg(test)]
mod tests {
    use oracle::board::{Accept, position};
    use shakmaty::Position;

    use super::*;

    #[test]
    fn each_opening_can_be_played() {
        for fen in OPENINGS {
            let position = position(fen, Accept::Legal).unwrap();
            assert!(!position.is_game_over() && !position.is_check(), "{fen}");
        }
    }
}
