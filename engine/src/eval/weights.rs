//! The weights of the evaluation.
//!
//! Each is a pair (middlegame, endgame) in centipawns, or a list of pairs; positive is good for its side. The
//! form is uniform because the tuner (`examples/tune`) rewrites this file. Initial values: Ronald
//! Friederich's `PeSTO` (2017) for material and squares, magnitudes of Stockfish 10 for the rest. A
//! piece-square table serves both wings, so that a mirrored position has the same value. Values that are not
//! centipawns come first, in [`units`]: the evaluation is not linear in them, so they are not tuned.

use super::tapered::Tapered;

/// Declares a static for each weight below, and the list of all of them.
macro_rules! weights {
    (@type) => { Tapered };
    (@type $length:literal) => { [Tapered; $length] };
    (@value ($mg:literal, $eg:literal)) => { Tapered::new($mg, $eg) };
    (@value [$length:literal] $(($mg:literal, $eg:literal)),+) => { [$(Tapered::new($mg, $eg)),+] };
    (@slice $name:ident) => { std::slice::from_ref(&$name) };
    (@slice $name:ident $length:literal) => { &$name };
    ($($(#[$doc:meta])* $name:ident $([$length:literal])? = $(($mg:literal, $eg:literal)),+;)*) => {
        $($(#[$doc])* pub(super) static $name: weights!(@type $($length)?) =
            weights!(@value $([$length])? $(($mg, $eg)),+);)*

        /// All, by name, in the order of this file.
        pub(super) static ALL: &[(&str, &[Tapered])] =
            &[$((stringify!($name), weights!(@slice $name $($length)?))),*];
    };
}

/// Declares a constant for each unit below.
macro_rules! units {
    (@type [$($value:literal),+]) => { [i32; [$($value),+].len()] };
    (@type $value:literal) => { i32 };
    ($($(#[$doc:meta])* $name:ident = $value:tt;)*) => {
        $($(#[$doc])* pub(in crate::eval) const $name: units!(@type $value) = $value;)*
    };
}

/// Attack units of king safety, after Stockfish 10, and a distance. Not tuned.
pub(super) mod units {
    units! {
        /// For each attacker of the king's zone, times the number of attackers, by role.
        ATTACKER = [0, 77, 55, 44, 10, 0];

        /// For each attack on a square next to the king.
        ADJACENT = 69;

        /// For each weak square of the zone.
        WEAK = 150;

        /// For a safe check, by role.
        SAFE_CHECK = [0, 620, 400, 700, 620, 0];

        /// For each square from which an unsafe check is possible.
        UNSAFE_CHECK = 60;

        /// Subtracted if the attacker has no queen.
        NO_QUEEN = 800;

        /// Subtracted always.
        CALM = 60;

        /// Units per entry of the danger table.
        TO_AN_ENTRY = 32;

        /// The largest king distance that counts for passed pawns.
        FAR = 5;
    }
}

weights! {
    // Material, after `PeSTO`.

    /// A pawn.
    PAWN = (  82,   94);

    /// A knight.
    KNIGHT = ( 337,  281);

    /// A bishop.
    BISHOP = ( 365,  297);

    /// A rook.
    ROOK = ( 477,  512);

    /// A queen.
    QUEEN = (1025,  936);

    // Squares, after `PeSTO` with the wings averaged. The eighth rank comes first, files a to d.

    /// The square of a pawn. Less than `PeSTO` near promotion: passed pawns have their own terms.
    PAWN_SQUARES[32] =
        (   0,    0), (   0,    0), (   0,    0), (   0,    0),
        (  22,   82), (  42,   76), (  47,   65), (  41,   63),
        (  -9,   49), (  11,   50), (  29,   38), (  34,   34),
        ( -18,   24), (  15,   20), (   9,    8), (  22,    2),
        ( -26,    6), (   4,    6), (   0,   -6), (  14,   -7),
        ( -19,   -2), (  14,    3), (   0,   -6), (  -4,    0),
        ( -28,    3), (  18,    5), (   2,    4), ( -19,   12),
        (   0,    0), (   0,    0), (   0,    0), (   0,    0);

    /// The square of a knight.
    KNIGHT_SQUARES[32] =
        (-137,  -78), ( -52,  -50), ( -66,  -20), (   6,  -30),
        ( -45,  -38), ( -17,  -16), (  67,  -25), (  30,   -6),
        (  -2,  -32), (  66,  -20), (  83,    0), (  74,    4),
        (   6,  -18), (  18,    6), (  44,   16), (  45,   22),
        ( -10,  -18), (  12,   -1), (  18,   16), (  20,   20),
        ( -20,  -22), (   8,  -12), (  14,   -2), (  14,   12),
        ( -24,  -43), ( -34,  -22), (   3,  -15), (  -2,   -4),
        ( -64,  -46), ( -20,  -50), ( -43,  -20), ( -25,  -18);

    /// The square of a bishop.
    BISHOP_SQUARES[32] =
        ( -18,  -19), (   6,  -19), ( -62,  -10), ( -31,   -8),
        ( -36,  -11), (  17,   -4), (  20,   -3), (   8,   -8),
        (  -9,    3), (  37,   -4), (  46,    3), (  38,   -2),
        (  -3,    0), (   6,    6), (  28,   11), (  44,   12),
        (  -1,   -8), (  12,    0), (  12,   12), (  30,   13),
        (   5,  -14), (  16,   -5), (  21,    6), (  14,   12),
        (   2,  -20), (  24,  -16), (  18,   -8), (   4,    2),
        ( -27,  -20), ( -21,   -7), ( -13,  -20), ( -17,   -7);

    /// The square of a rook.
    ROOK_SQUARES[32] =
        (  38,    9), (  36,    9), (  20,   15), (  57,   14),
        (  36,    7), (  29,   10), (  62,    8), (  71,    4),
        (   6,    2), (  40,    1), (  36,    2), (  26,    4),
        ( -22,    3), ( -10,    1), (  21,    7), (  25,    2),
        ( -30,   -4), ( -10,   -2), ( -10,    1), (   4,    0),
        ( -39,  -10), ( -15,   -4), (  -8,   -8), (  -7,   -4),
        ( -58,   -4), ( -11,   -8), (  -4,   -4), (  -5,   -4),
        ( -22,  -14), ( -25,    3), (   4,   -5), (  16,   -3);

    /// The square of a queen.
    QUEEN_SQUARES[32] =
        (   8,    6), (  22,   16), (  36,   20), (  36,   27),
        (  15,   -8), (  -6,   25), (  26,   28), (  -8,   50),
        (  22,   -6), (  15,   12), (  32,   22), (  18,   48),
        ( -13,   20), ( -14,   40), (   0,   32), (  -8,   51),
        (  -6,    2), ( -12,   34), (  -6,   26), (  -6,   39),
        (  -4,   -6), (   8,   -8), (  -4,   16), (  -4,    8),
        ( -17,  -27), (  -6,  -30), (  13,  -26), (   5,  -16),
        ( -26,  -37), ( -24,  -24), ( -17,  -27), (  -2,  -24);

    /// The square of a king. The endgame half centralises it.
    KING_SQUARES[32] =
        ( -26,  -46), (  12,  -16), (  -9,   -2), ( -36,  -14),
        (   0,    0), ( -20,   20), ( -12,   26), (  -8,   17),
        ( -16,   12), (  23,   30), (   4,   34), ( -18,   18),
        ( -26,   -2), ( -17,   24), ( -18,   28), ( -28,   26),
        ( -50,  -14), ( -17,    2), ( -36,   22), ( -42,   26),
        ( -20,  -14), ( -14,    2), ( -26,   14), ( -45,   22),
        (   4,  -22), (   8,   -8), ( -12,    4), ( -54,   14),
        (   0,  -48), (  30,  -29), (  -8,  -18), ( -23,  -20);

    // Mobility, after Stockfish 10: by the number of squares; about zero at the usual number.

    /// A knight with this many squares.
    KNIGHT_MOBILITY[9] =
        ( -36,  -40), ( -31,  -29), (  -8,  -17), (  -4,  -10),
        (   0,    0), (   6,    3), (  10,    7), (  14,    9),
        (  16,   11);

    /// A bishop with this many squares.
    BISHOP_MOBILITY[14] =
        ( -54,  -45), ( -39,  -29), ( -19,  -20), ( -14,  -13),
        (  -7,   -8), (   0,    0), (   2,    5), (   7,    7),
        (   7,   10), (   9,   14), (  16,   16), (  16,   20),
        (  22,   21), (  26,   25);

    /// A rook with this many squares.
    ROOK_MOBILITY[15] =
        ( -37,  -85), ( -20,  -58), ( -13,  -38), ( -10,  -26),
        (  -8,  -19), (  -6,  -14), (   0,    0), (   4,    3),
        (  12,    9), (  11,   14), (  13,   19), (  16,   24),
        (  20,   24), (  21,   26), (  27,   27);

    /// A queen with this many squares.
    QUEEN_MOBILITY[28] =
        ( -54,  -67), ( -45,  -58), ( -31,  -47), ( -31,  -43),
        ( -25,  -36), ( -21,  -27), ( -18,  -23), ( -10,  -18),
        (  -9,  -15), (  -7,   -9), (  -2,   -9), (   0,   -4),
        (   0,    0), (   3,    3), (   4,    4), (   6,    6),
        (   6,    9), (   7,   10), (  10,   12), (  15,   14),
        (  15,   16), (  21,   24), (  23,   26), (  23,   28),
        (  25,   32), (  27,   35), (  29,   42), (  31,   45);

    // Pawns.

    /// A doubled pawn.
    DOUBLED = (  -5,  -20);

    /// An isolated pawn.
    ISOLATED = (  -5,   -9);

    /// Added for an isolated pawn on a half-open file.
    ISOLATED_OPEN = (  -7,   -9);

    /// A backward pawn.
    BACKWARD = (  -6,   -9);

    /// Added for a backward pawn on a half-open file.
    BACKWARD_OPEN = (  -7,   -7);

    /// A pawn defended by a pawn, by rank.
    SUPPORTED[8] =
        (   0,    0), (   0,    0), (  10,    5), (   8,    6),
        (  14,   12), (  36,   34), (  90,   60), (   0,    0);

    /// A pawn beside a pawn, by rank.
    PHALANX[8] =
        (   0,    0), (   2,    0), (   7,    4), (  11,    9),
        (  26,   24), (  55,   60), (  80,   90), (   0,    0);

    /// For each step from a king to the nearest pawn of its side.
    KING_PAWN_DISTANCE = (   0,   -7);

    // Shelter. Ranks from the king's side; 0 for no pawn.

    /// The nearest own pawn on the king's file, not behind the king, by rank.
    SHIELD[8] =
        ( -26,    4), (  28,    0), (  14,    0), (   2,    0),
        (  -4,    0), (  -8,    0), ( -10,    0), (   0,    0);

    /// The same on the adjacent files.
    SHIELD_BESIDE[8] =
        ( -20,    2), (  26,    0), (  18,    0), (   4,    0),
        (  -2,    0), (  -6,    0), (  -8,    0), (   0,    0);

    /// An open file at the king.
    KING_OPEN_FILE = ( -14,    0);

    /// The nearest enemy pawn on a file at the king, by rank.
    STORM[8] =
        (   0,    0), (  20,    0), ( -40,    0), ( -26,   -2),
        (  -8,   -2), (   0,    0), (   4,    0), (   0,    0);

    /// The same, blocked by an own pawn.
    STORM_BLOCKED[8] =
        (   0,    0), (   0,    0), ( -20,   -6), (  -6,   -4),
        (   2,    0), (   4,    0), (   4,    0), (   0,    0);

    // Passed pawns, by rank.

    /// A passed pawn.
    PASSED[8] =
        (   0,    0), (   0,    6), (   2,   10), (   4,   20),
        (  22,   36), (  60,   70), (  90,  110), (   0,    0);

    /// Blocked by an enemy piece.
    PASSED_BLOCKED[8] =
        (   0,    0), (   0,   -2), (   0,   -4), (  -4,  -10),
        (  -8,  -20), ( -16,  -40), ( -24,  -70), (   0,    0);

    /// The path to promotion is empty.
    PASSED_FREE[8] =
        (   0,    0), (   0,    2), (   0,    4), (   0,    8),
        (   4,   16), (  10,   30), (  20,   50), (   0,    0);

    /// The square before it is empty and not attacked.
    PASSED_SAFE_STEP[8] =
        (   0,    0), (   0,    0), (   0,    3), (   4,    8),
        (   8,   14), (  16,   26), (  24,   40), (   0,    0);

    /// For each step, up to five, from its king to the square before it.
    PASSED_OWN_KING[8] =
        (   0,    0), (   0,    0), (   0,   -1), (   0,   -3),
        (   0,   -6), (   0,   -9), (   0,   -9), (   0,    0);

    /// For each step, up to five, from the enemy's king to the square before it.
    PASSED_ENEMY_KING[8] =
        (   0,    0), (   0,    0), (   0,    2), (   0,    7),
        (   0,   14), (   0,   21), (   0,   24), (   0,    0);

    /// A rook behind its own passed pawn.
    ROOK_BEHIND_PASSED = (   4,   12);

    /// A pawn that a side with only king and pawns cannot catch, by moves to promotion.
    UNSTOPPABLE[8] =
        (   0,    0), ( 520,  520), ( 490,  490), ( 460,  460),
        ( 430,  430), ( 400,  400), (   0,    0), (   0,    0);

    // Pieces.

    /// The bishop pair.
    BISHOP_PAIR = (  24,   48);

    /// A knight on an outpost.
    KNIGHT_OUTPOST = (  22,   14);

    /// A bishop on an outpost.
    BISHOP_OUTPOST = (  16,    5);

    /// For each own pawn on squares of a bishop's colour.
    BISHOP_PAWNS = (  -2,   -3);

    /// A rook on an open file.
    ROOK_OPEN_FILE = (  26,    7);

    /// A rook on a half-open file.
    ROOK_HALF_OPEN_FILE = (  11,    5);

    /// A rook on the seventh rank, with enemy pawns there or the king behind.
    ROOK_ON_SEVENTH = (   2,   14);

    // Threats, by the attacked role where there are five values: pawn to queen.

    /// A piece attacked by a pawn.
    THREAT_BY_PAWN = (  52,   32);

    /// A piece that a pawn can attack by a safe step.
    THREAT_BY_PUSH = (  18,   14);

    /// A piece, or a weakly defended pawn, attacked by a knight or bishop.
    THREAT_BY_MINOR[5] =
        (   3,   14), (  22,   18), (  26,   20), (  44,   44), (  38,   52);

    /// A weakly defended piece attacked by a rook.
    THREAT_BY_ROOK[5] =
        (   2,   16), (  18,   26), (  20,   26), (   0,   12), (  30,   20);

    /// A weakly defended piece attacked by the king.
    THREAT_BY_KING = (  10,   34);

    /// A piece that is attacked and not defended, or defended less often than attacked.
    HANGING = (  32,   16);

    // King safety, by attack units.

    /// The danger to a king.
    KING_DANGER[64] =
        (   0,    0), (   0,   -1), (   0,   -2), (  -1,   -3),
        (  -2,   -4), (  -3,   -4), (  -4,   -5), (  -6,   -6),
        (  -8,   -7), ( -10,   -8), ( -12,   -9), ( -15,  -10),
        ( -18,  -11), ( -21,  -12), ( -24,  -13), ( -28,  -14),
        ( -32,  -14), ( -36,  -15), ( -40,  -16), ( -45,  -17),
        ( -50,  -18), ( -55,  -19), ( -60,  -20), ( -66,  -21),
        ( -72,  -22), ( -78,  -22), ( -84,  -23), ( -91,  -24),
        ( -98,  -25), (-105,  -26), (-112,  -27), (-120,  -28),
        (-128,  -29), (-136,  -30), (-144,  -31), (-153,  -32),
        (-162,  -32), (-171,  -33), (-180,  -34), (-190,  -35),
        (-200,  -36), (-210,  -37), (-220,  -38), (-231,  -39),
        (-242,  -40), (-253,  -40), (-264,  -41), (-276,  -42),
        (-288,  -43), (-300,  -44), (-312,  -45), (-325,  -46),
        (-338,  -47), (-351,  -48), (-364,  -49), (-378,  -50),
        (-392,  -50), (-406,  -51), (-420,  -52), (-435,  -53),
        (-450,  -54), (-465,  -55), (-480,  -56), (-496,  -57);

    // Tempo.

    /// Being the side to move.
    TEMPO = (  18,   12);
}
