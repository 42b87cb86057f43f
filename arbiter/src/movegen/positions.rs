//! The positions of each class of moves. All are legal, and have moves of the class: legal ones, or illegal
//! ones that a faulty move generator may produce.

use super::move_class::MoveClass;

/// The positions of a class.
pub(super) fn of(class: MoveClass) -> &'static [&'static str] {
    match class {
        MoveClass::Castling => CASTLING,
        MoveClass::EnPassant => EN_PASSANT,
        MoveClass::Promotion => PROMOTION,
        MoveClass::Pins => PINS,
        MoveClass::Checks => CHECKS,
        MoveClass::King => KING,
        MoveClass::Pieces => PIECES,
    }
}

const CASTLING: &[&str] = &[
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "3k1r2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "2r1k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
    "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/8/8/1p5p/R3K2R w KQ - 0 1",
    "1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
    "rn2k1nr/8/8/8/8/8/8/R1B1KB1R b KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
    "r3k3/8/8/8/8/8/8/1R2K3 b q - 0 1",
    "4k2r/6P1/8/8/8/8/8/4K3 b k - 0 1",
    "r3k2r/8/8/8/8/6n1/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
];

const EN_PASSANT: &[&str] = &[
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "8/8/8/KPp4r/8/8/8/4k3 w - c6 0 1",
    "4k3/8/8/8/Pp5p/8/8/4K3 b - a3 0 1",
    "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "8/8/8/8/R4pPk/8/8/4K3 b - g3 0 1",
    "2b4k/8/8/6pP/4n2K/8/8/8 w - g6 0 1",
    "k6b/8/8/3pP3/8/8/1K6/8 w - d6 0 1",
    "1b5k/8/8/3pP3/8/8/7K/8 w - d6 0 1",
    "3rk3/8/8/3Pp3/8/8/8/3K4 w - e6 0 1",
    "8/8/8/K1PpP2r/8/8/8/4k3 w - d6 0 1",
    "4k3/8/8/2PpP3/4K3/8/8/8 w - d6 0 1",
    "2b1k3/8/8/3pP3/8/7K/8/8 w - d6 0 1",
    "4k3/8/8/P5Pp/8/8/8/4K3 w - h6 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/2PpPp2/8/8/8/4K3 w - f6 0 1",
];

const PROMOTION: &[&str] = &[
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/P1k5/K7/8/8/8/8/8 w - - 0 1",
    "3n4/K1P4r/8/8/8/8/8/7k w - - 0 1",
    "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1",
    "3b4/2P5/8/K7/8/8/8/7k w - - 0 1",
    "r6K/1P2P3/8/8/8/8/8/k7 w - - 0 1",
    "8/8/8/8/8/8/kp6/2RK4 b - - 0 1",
    "6br/5Ppk/7p/8/8/8/8/K7 w - - 0 1",
    "4n3/4P3/8/8/8/k7/8/7K w - - 0 1",
    "7k/8/8/8/8/8/p6p/1R2K3 b - - 0 1",
];

const PINS: &[&str] = &[
    "4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1",
    "4k3/8/8/8/1b6/8/3B4/4K2N w - - 0 1",
    "3r3k/b5b1/1B1N1P2/8/rQ1K1P1r/8/1P1R1N2/b2r2b1 w - - 0 1",
    "4k3/3r4/8/1B6/8/8/8/4K3 b - - 0 1",
    "4k3/4q3/8/8/4R3/8/8/4K3 w - - 0 1",
    "k7/8/8/3b4/4Q3/8/6K1/8 w - - 0 1",
    "k3r3/8/8/8/8/3p4/4P3/4K3 w - - 0 1",
    "k7/8/8/8/7b/4p3/5P2/4K3 w - - 0 1",
    "4k3/4n3/8/8/4R3/8/8/4K3 b - - 0 1",
    "8/8/8/8/k2p3Q/8/8/3K4 b - - 0 1",
];

const CHECKS: &[&str] = &[
    "4k3/8/8/8/8/5n2/3N4/4K2R w K - 0 1",
    "4k3/4r3/8/1b6/8/3n4/4N3/R3KB2 w Q - 0 1",
    "8/8/8/8/r6K/8/1P1P1P2/7k w - - 0 1",
    "4k3/8/8/8/4r3/3n4/8/1R2K2Q w - - 0 1",
    "4k3/8/8/1B6/8/2n5/8/4K3 b - - 0 1",
    "4k3/4q3/8/8/8/3P4/2B2N2/4K3 w - - 0 1",
    "4k3/8/8/8/7b/8/3N2P1/R3K2R w KQ - 0 1",
    "4r2k/8/8/8/1b6/8/5PPP/2BQK2R w K - 0 1",
    "rnbqkbnr/ppp2ppp/8/1B1pp3/4P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 3",
    "k7/8/8/8/8/8/r7/K1N5 w - - 0 1",
];

const KING: &[&str] = &[
    "8/8/8/8/r2K4/8/7P/7k w - - 0 1",
    "8/8/8/3k4/8/3K4/7P/8 w - - 0 1",
    "3k4/8/8/8/8/8/3q4/3K4 w - - 0 1",
    "8/8/8/8/4k3/4p3/8/4K3 w - - 0 1",
    "7k/5K2/8/6Q1/8/8/8/8 b - - 0 1",
    "8/8/8/3rr3/3K4/8/8/7k w - - 0 1",
    "4k3/8/8/8/8/2q5/8/1N2K3 w - - 0 1",
    "4k3/8/4n3/8/3K4/8/4b3/8 w - - 0 1",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
];

const PIECES: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/8/8/8/8/2n1p1n1/PPP1P1PP/6K1 w - - 0 1",
    "6k1/pppp1ppp/1N1P4/8/8/8/8/4K3 b - - 0 1",
    "7k/pp1p1ppp/1N1P1P2/8/8/8/8/4K3 b - - 0 1",
    "4k3/8/1p3p2/8/3B4/8/1P6/4K3 w - - 0 1",
    "7k/8/3p4/8/1P1R1p2/8/3P4/4K3 w - - 0 1",
    "4k3/8/2p1p3/8/3N4/8/8/4K3 w - - 0 1",
    "k7/8/3p4/1p3p2/3Q4/2P5/3P4/K7 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "4k3/p6p/8/8/8/8/P6P/4K3 b - - 0 1",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use shakmaty::CastlingMode;

    use super::*;
    use crate::movegen::move_class::{illegal, legal};
    use crate::movegen::test_position::TestPosition;

    #[test]
    fn each_position_is_legal_and_has_moves_of_its_class() {
        for class in MoveClass::ALL {
            let all = of(class);
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{class:?}");
            for fen in all {
                let position =
                    TestPosition::read(fen, CastlingMode::Standard).unwrap_or_else(|| panic!("{fen}"));
                assert!(!position.is_over(), "{fen}");
                let has = legal(&position).values().chain(illegal(&position).values()).any(|of| *of == class);
                assert!(has, "{class:?}: {fen}");
            }
        }
    }
}
