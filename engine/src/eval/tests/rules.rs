//! Tests of each rule: positions that differ in one rule, and the coefficients of its weight.

use super::*;
use crate::eval::sink::TermSink;

/// The coefficient of a weight: White's count minus Black's.
fn count(weight: &'static Tapered, fen: &str) -> i32 {
    struct Counter(&'static Tapered, i32);
    impl TermSink for Counter {
        fn add(&mut self, _term: Term, color: Color, weight: &'static Tapered, count: u32) {
            let count = count.cast_signed();
            if std::ptr::eq(weight, self.0) {
                self.1 += color.pick(count, -count);
            }
        }
    }
    let mut counter = Counter(weight, 0);
    enter(&position(fen), EvalOptions::default(), &mut counter);
    counter.1
}

/// Checks the coefficient of a weight. If only the first field of a FEN is given, White is to move.
#[track_caller]
fn check(weight: &'static Tapered, cases: &[(&str, i32)]) {
    for &(fen, expected) in cases {
        let fen = if fen.contains(' ') { fen.to_owned() } else { format!("{fen} w - - 0 1") };
        assert_eq!(count(weight, &fen), expected, "{fen}");
    }
}

#[test]
fn material_and_squares() {
    check(
        &weights::QUEEN,
        &[("4k3/8/8/8/8/8/8/Q3K3", 1), ("q3k3/8/8/8/8/8/8/4K3", -1), ("4k3/8/8/8/8/8/8/R3K3", 0)],
    );
    // The fifth rank of White is the fourth of Black; files e to h are mirrored.
    check(
        &weights::KNIGHT_SQUARES[15],
        &[("4k3/8/8/4N3/8/8/8/4K3", 1), ("4k3/8/8/8/3n4/8/8/4K3", -1), ("4k3/8/8/8/3N4/8/8/4K3", 0)],
    );
}

#[test]
fn mobility() {
    let knight = &weights::KNIGHT_MOBILITY;
    check(&knight[8], &[("4k3/8/8/3N4/8/8/8/4K3", 1), ("4k3/p7/8/3N4/8/8/8/4K3", 0)]);
    check(&knight[7], &[("4k3/p7/8/3N4/8/8/8/4K3", 1)]);
    // A mobile own pawn is no obstacle; a blocked one is.
    check(&knight[8], &[("4k3/8/5P2/3N4/8/8/8/4K3", 1), ("4k3/5p2/5P2/3N4/8/8/8/4K3", 0)]);
    check(&weights::BISHOP_MOBILITY[0], &[("4k3/8/8/8/8/8/1P6/B3K3", 1), ("4k3/8/8/8/8/8/1Q6/B3K3", 0)]);
    check(&weights::ROOK_MOBILITY[14], &[("8/1k6/8/3R4/8/8/1K6/8", 1), ("8/1k6/8/1K1R4/8/8/8/8", 0)]);
    check(&weights::QUEEN_MOBILITY[27], &[("k7/8/8/8/3Q4/8/8/K7", 0), ("7k/2K5/8/8/4Q3/8/8/8 w - - 0 1", 1)]);
    // A bishop sees through a queen but not through a rook; a rook sees through both.
    check(&weights::BISHOP_MOBILITY[7], &[("4k3/8/8/8/8/2Q5/8/B3K3", 1), ("4k3/8/8/8/8/2R5/8/B3K3", 0)]);
    check(&weights::ROOK_MOBILITY[10], &[("8/6k1/8/8/Q7/8/8/R3K3", 1), ("8/6k1/8/8/N7/8/8/R3K3", 0)]);
    check(&weights::ROOK_MOBILITY[14], &[("4k3/8/8/R7/R7/8/8/4K3", 2), ("4k3/8/8/R7/N7/8/8/4K3", 0)]);
}

#[test]
fn pawn_structure() {
    check(&weights::DOUBLED, &[("4k3/8/8/8/P7/8/P7/4K3", 1), ("4k3/8/8/8/1P6/8/P7/4K3", 0)]);
    check(
        &weights::ISOLATED,
        &[("4k3/8/8/8/8/8/P1P5/4K3", 2), ("4k3/8/8/8/8/8/PP6/4K3", 0), ("4k3/7p/8/8/8/8/P7/4K3", 0)],
    );
    check(&weights::ISOLATED_OPEN, &[("4k3/8/8/8/8/8/P7/4K3", 1), ("4k3/pp6/8/8/8/8/P7/4K3", 0)]);
    // The pawn of the a-file stops b3: no pawn can defend it after c4 has advanced; c2 or a2 still can.
    check(
        &weights::BACKWARD,
        &[
            ("4k3/8/8/8/p1P5/8/1P6/4K3", 1),
            ("4k3/8/8/8/p7/8/1PP5/4K3", 0),
            ("4k3/8/8/8/p7/8/PP6/4K3", 0),
            ("4k3/8/8/p7/2P5/8/1P6/4K3", 0),
            ("4k3/8/8/8/p7/8/1P6/4K3", 0),
        ],
    );
    check(&weights::BACKWARD_OPEN, &[("4k3/8/8/8/p1P5/8/1P6/4K3", 1), ("4k3/1p6/8/8/p1P5/8/1P6/4K3", 0)]);
    check(&weights::SUPPORTED[2], &[("4k3/8/8/8/8/1P6/P7/4K3", 1), ("4k3/8/8/8/1P6/8/P7/4K3", 0)]);
    check(
        &weights::PHALANX[3],
        &[("4k3/8/8/8/PP6/8/8/4K3", 2), ("4k3/8/8/8/P1P5/8/8/4K3", 0), ("4k3/8/8/8/P6P/8/8/4K3", 0)],
    );
    check(
        &weights::KING_PAWN_DISTANCE,
        &[("4k3/8/8/8/8/8/P7/4K3", 4), ("4k3/8/8/8/8/8/P2P4/4K3", 1), ("4k3/p7/8/8/8/8/8/K7", -4)],
    );
}

#[test]
fn shelter() {
    check(
        &weights::SHIELD[1],
        &[("4k3/8/8/8/8/8/6P1/6K1", 1), ("4k3/8/8/8/8/6P1/8/6K1", 0), ("4k3/8/8/8/8/6K1/6P1/8", 0)],
    );
    check(
        &weights::SHIELD_BESIDE[1],
        &[("4k3/8/8/8/8/8/5P1P/6K1", 2), ("4k3/8/8/8/8/8/4P3/6K1", 0), ("4k3/8/8/8/8/8/5P2/7K", 1)],
    );
    check(&weights::KING_OPEN_FILE, &[("4k3/3ppp2/8/8/8/8/5P1P/6K1", 1), ("4k3/3ppp2/8/8/8/8/5PPP/6K1", 0)]);
    check(
        &weights::STORM[3],
        &[("4k3/8/8/8/6p1/8/8/6K1", 1), ("4k3/8/8/8/3p4/8/8/6K1", 0), ("4k3/8/8/8/6p1/6P1/8/6K1", 0)],
    );
    check(&weights::STORM_BLOCKED[3], &[("4k3/8/8/8/6p1/6P1/8/6K1", 1), ("4k3/8/8/8/6p1/8/6P1/6K1", 0)]);
    // An enemy pawn closes the file.
    check(&weights::KING_OPEN_FILE, &[("4k3/3pppp1/8/8/8/8/5P1P/6K1", 0)]);
}

#[test]
fn passed_pawns() {
    check(
        &weights::PASSED[4],
        &[
            ("4k3/8/8/P7/8/8/8/4K3", 1),
            ("4k3/p7/8/P7/8/8/8/4K3", 0),
            ("4k3/1p6/8/P7/8/8/8/4K3", 0),
            ("4k3/8/8/Pp6/8/8/8/4K3", 1),
            ("4k3/8/P7/P7/8/8/8/4K3", 0),
        ],
    );
    check(
        &weights::PASSED_BLOCKED[4],
        &[("4k3/8/n7/P7/8/8/8/4K3", 1), ("4k3/8/N7/P7/8/8/8/4K3", 0), ("4k3/n7/8/P7/8/8/8/4K3", 0)],
    );
    check(&weights::PASSED_FREE[4], &[("4k3/8/8/P7/8/8/8/4K3", 1), ("n3k3/8/8/P7/8/8/8/4K3", 0)]);
    check(
        &weights::PASSED_SAFE_STEP[4],
        &[("4k3/8/8/P7/8/8/8/4K3", 1), ("4k3/8/7r/P7/8/8/8/4K3", 0), ("4k3/8/N7/P7/8/8/8/4K3", 0)],
    );
    check(
        &weights::PASSED_OWN_KING[4],
        &[("4k3/8/8/PK6/8/8/8/8", 1), ("4k3/8/8/P2K4/8/8/8/8", 3), ("4k3/8/8/P6K/8/8/8/8", 5)],
    );
    check(&weights::PASSED_ENEMY_KING[4], &[("8/1k6/8/P6K/8/8/8/8", 1), ("8/3k4/8/P6K/8/8/8/8", 3)]);
    check(
        &weights::ROOK_BEHIND_PASSED,
        &[("4k3/8/8/P7/8/8/8/R3K3", 1), ("R3k3/8/8/P7/8/8/8/4K3 b - - 0 1", 0)],
    );
}

#[test]
fn the_rule_of_the_square() {
    // Four steps to go, White to move: the square is h8 to d4; on the c-file the king is late.
    check(
        &weights::UNSTOPPABLE[4],
        &[
            ("8/8/8/8/2k4P/8/8/K7 w - - 0 1", 1),
            ("8/8/8/8/3k3P/8/8/K7 w - - 0 1", 0),
            ("8/8/8/8/2k4P/8/8/K7 b - - 0 1", 0),
            ("8/8/8/8/1k5P/8/8/K7 b - - 0 1", 1),
        ],
    );
    // A double step from the first square: five moves, as from the third rank.
    check(
        &weights::UNSTOPPABLE[5],
        &[("8/8/8/8/8/1k6/7P/K7 w - - 0 1", 1), ("8/8/8/8/8/2k5/7P/K7 w - - 0 1", 0)],
    );
    check(&weights::UNSTOPPABLE[6], &[("8/8/8/8/8/1k6/7P/K7 w - - 0 1", 0)]);
    // Voided by the own king in the path, by a piece, or by an enemy pawn.
    check(
        &weights::UNSTOPPABLE[2],
        &[
            ("8/8/7P/1k6/8/8/8/K7 w - - 0 1", 1),
            ("7K/8/7P/1k6/8/8/8/8 w - - 0 1", 0),
            ("n7/8/7P/1k6/8/8/8/K7 w - - 0 1", 0),
            ("8/6p1/7P/1k6/8/8/8/K7 w - - 0 1", 0),
            ("8/8/7P/1k6/8/8/8/KN6 w - - 0 1", 1),
        ],
    );
    // The first of two pawns; and Black's as well as White's.
    check(
        &weights::UNSTOPPABLE[2],
        &[("8/8/7P/1k5P/8/8/8/K7 w - - 0 1", 1), ("k7/8/8/8/1K6/7p/8/8 b - - 0 1", -1)],
    );
    check(&weights::UNSTOPPABLE[3], &[("8/8/7P/1k4P1/8/8/8/K7 w - - 0 1", 0)]);
}

#[test]
fn minor_pieces() {
    check(&weights::BISHOP_PAIR, &[("4k3/8/8/8/8/8/8/2B1KB2", 1), ("4k3/8/8/8/8/4B3/8/2B1K3", 0)]);
    check(
        &weights::KNIGHT_OUTPOST,
        &[
            ("4k3/8/8/3N4/2P5/8/8/4K3", 1),
            ("4k3/8/8/3N4/8/8/8/4K3", 0),
            ("4k3/4p3/8/3N4/2P5/8/8/4K3", 0),
            ("4k3/3p4/8/3N4/2P5/8/8/4K3", 1),
            ("4k3/3N4/2P5/8/8/8/8/4K3 b - - 0 1", 0),
        ],
    );
    check(&weights::BISHOP_OUTPOST, &[("4k3/8/8/3B4/2P5/8/8/4K3", 1), ("4k3/8/8/3B4/8/8/8/4K3", 0)]);
    check(&weights::BISHOP_PAWNS, &[("4k3/8/8/8/8/8/1P1P4/B3K3", 2), ("4k3/8/8/8/8/8/P1P5/B3K3", 0)]);
}

#[test]
fn rooks() {
    check(
        &weights::ROOK_OPEN_FILE,
        &[("4k3/8/8/8/8/8/1P6/R3K3", 1), ("4k3/p7/8/8/8/8/1P6/R3K3", 0), ("4k3/8/8/8/8/8/P7/R3K3", 0)],
    );
    check(&weights::ROOK_HALF_OPEN_FILE, &[("4k3/p7/8/8/8/8/1P6/R3K3", 1), ("4k3/p7/8/8/8/8/P7/R3K3", 0)]);
    check(
        &weights::ROOK_ON_SEVENTH,
        &[("4k3/1R6/8/8/8/8/8/4K3", 1), ("8/1R6/4k3/8/8/8/8/4K3", 0), ("8/1R4p1/4k3/8/8/8/8/4K3", 1)],
    );
}

#[test]
fn threats() {
    check(&weights::THREAT_BY_PAWN, &[("4k3/8/8/3n4/2P5/8/8/4K3", 1), ("4k3/8/8/3p4/2P5/8/8/4K3", 0)]);
    check(
        &weights::THREAT_BY_PUSH,
        &[
            ("4k3/8/8/3n4/8/2P5/8/4K3", 1),
            ("4k3/8/8/3n4/8/8/2P5/4K3", 1),
            ("4k3/8/8/1p1n4/8/8/2P5/4K3", 0),
            ("4k3/8/8/1p1n4/8/1P6/2P5/4K3", 0),
            ("4k3/4r3/8/3n4/8/8/4P3/3K4", 0),
            ("4k3/8/8/3n4/2P5/4P3/8/4K3", 0),
            ("4k3/8/8/3n4/2r5/8/2P5/4K3", 0),
        ],
    );
    check(&weights::THREAT_BY_MINOR[3], &[("4k3/8/8/3r4/8/2N5/8/4K3", 1), ("4k3/8/8/2r5/8/2N5/8/4K3", 0)]);
    check(&weights::THREAT_BY_MINOR[0], &[("4k3/8/8/3p4/8/2N5/8/4K3", 1), ("4k3/8/4p3/3p4/8/2N5/8/4K3", 0)]);
    check(&weights::THREAT_BY_ROOK[1], &[("4k3/8/8/3n4/8/8/8/3RK3", 1), ("4k3/8/4p3/3n4/8/8/8/3RK3", 0)]);
    check(&weights::THREAT_BY_KING, &[("4k3/8/8/8/8/8/3p4/4K3", 1), ("4k3/8/8/8/8/4p3/3p4/4K3", 0)]);
    check(
        &weights::HANGING,
        &[("4k3/8/8/3n4/8/8/8/3RK3", 1), ("8/8/4k3/3n4/8/8/8/3RK3", 0), ("8/8/4k3/3n4/8/5B2/8/3RK3", 1)],
    );
}

#[test]
fn tempo() {
    check(&weights::TEMPO, &[("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 1), ("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", -1)]);
}

/// The danger to White's king in the middlegame, as a positive number.
fn danger(fen: &str) -> i32 {
    -Evaluator::new(PLAIN).explain(&position(fen)).term(Term::KingSafety, Color::White).middlegame()
}

#[test]
fn king_safety() {
    // Each line: the safer position, the more dangerous one, and the difference.
    for (calm, wild, why) in [
        ("4k3/8/8/8/8/8/r7/6K1 w - - 0 1", "4k3/8/8/8/8/8/r7/q5K1 w - - 0 1", "one attacker is none"),
        ("4k3/8/8/8/8/1r6/r7/6K1 w - - 0 1", "4k3/8/8/8/8/1q6/r7/6K1 w - - 0 1", "a queen takes part"),
        ("1n2k3/pp6/8/8/8/8/1r6/r5K1 w - - 0 1", "qn2k3/pp6/8/8/8/8/1r6/r5K1 w - - 0 1", "a queen is there"),
        (
            "r3k3/8/8/8/7q/5P2/p3P1P1/6K1 w - - 0 1",
            "4k3/8/8/8/7q/r4P2/p3P1P1/6K1 w - - 0 1",
            "one that only helps",
        ),
        ("4k3/8/8/6q1/8/8/8/6K1 w - - 0 1", "4k3/8/8/6qr/8/8/8/6K1 w - - 0 1", "more attackers"),
        ("4k3/8/3b4/4q3/8/5N2/6PP/5RK1 w - - 0 1", "4k3/8/3b4/4q3/8/8/6PP/5RK1 w - - 0 1", "a defender less"),
        ("4r1k1/8/8/8/8/7q/2N2PPP/6K1 w - - 0 1", "4r1k1/8/8/8/8/7q/N4PPP/6K1 w - - 0 1", "a free check"),
    ] {
        let found = [calm, wild].map(danger);
        assert!(found[0] < found[1], "{why}: {found:?}");
    }
    assert_eq!(danger("4k3/8/8/8/8/8/r7/6K1 w - - 0 1"), 0);
    assert_eq!(danger("r3k3/8/8/8/8/8/8/6KR w - - 0 1"), 0);
}
