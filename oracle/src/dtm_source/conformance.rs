//! What every authority on DTM must answer, whichever library it is: the worked example, the ends of the game,
//! and the published counts of KQvK, KRvK and KPvK over all placements on shakmaty's board.

use std::thread;

use shakmaty::fen::Fen;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, PositionError, Role, Setup, Square,
};

use super::{DtmSource, DtmSourceError};

/// The position of a FEN, impossible checks forgiven.
pub(crate) fn position(fen: &str) -> Chess {
    legal(fen.parse::<Fen>().unwrap().into_setup()).unwrap()
}

fn legal(setup: Setup) -> Option<Chess> {
    Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
}

/// All legal positions of two kings and a White `role`, with `turn` to move.
fn placements(role: Role, turn: Color) -> impl Iterator<Item = Chess> {
    let third = role.of(Color::White);
    Square::ALL.into_iter().flat_map(move |white_king| {
        Square::ALL.into_iter().flat_map(move |black_king| {
            Square::ALL.into_iter().filter_map(move |square| {
                let men = [
                    (white_king, Role::King.of(Color::White)),
                    (black_king, Role::King.of(Color::Black)),
                    (square, third),
                ];
                placement(men, turn)
            })
        })
    })
}

fn placement(men: [(Square, Piece); 3], turn: Color) -> Option<Chess> {
    let mut setup = Setup::empty();
    for (square, piece) in men {
        setup.board.set_piece_at(square, piece);
    }
    setup.turn = turn;
    if setup.board.occupied().count() == men.len() { legal(setup) } else { None }
}

/// Single positions whose value is known.
pub(crate) fn check_answers(source: &dyn DtmSource) {
    let check = |fen: &str, expected: Option<u16>| {
        assert_eq!(source.dtm(&position(fen)).unwrap(), expected, "{}: {fen}", source.name());
    };
    // The worked example: rook and queen, both sides to move.
    check("8/8/8/8/8/1KR5/8/1k6 w - - 0 1", Some(3));
    check("8/8/8/8/8/1KR5/8/1k6 b - - 0 1", Some(2));
    check("8/8/8/8/8/1KQ5/8/1k6 w - - 0 1", Some(1));
    check("8/8/8/8/8/1KQ5/8/1k6 b - - 0 1", None);
    // Checkmate and stalemate, with either colour.
    check("8/8/8/8/8/1K6/1Q6/1k6 b - - 0 1", Some(0));
    check("8/8/8/8/8/1k6/1q6/1K6 w - - 0 1", Some(0));
    check("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None);
    check("7K/5q2/6k1/8/8/8/8/8 w - - 0 1", None);
    // The misscored mate of the first KPK programs: mate in 5 by Kf5.
    check("8/1P6/7k/8/4K3/8/8/8 w - - 0 1", Some(9));
    // A promotion trap: only the rook wins.
    check("8/1P6/k7/8/K7/8/8/8 w - - 0 1", Some(13));
    // The undefended man is taken.
    check("8/8/8/8/8/8/1kQ5/7K b - - 0 1", None);
    // Material that mates nobody.
    check("8/8/8/8/8/1K6/8/1k6 w - - 0 1", None);
    check("8/8/8/8/8/1KB5/8/1k6 w - - 0 1", None);
    check("8/8/8/8/8/1KN5/8/1k6 b - - 0 1", None);
    // An en passant square that only the notation has.
    let double_step = position("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
    assert_eq!(double_step.to_setup(EnPassantMode::Always).ep_square, Some(Square::E3));
    let without = position("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    assert_eq!(source.dtm(&double_step).unwrap(), source.dtm(&without).unwrap());
}

/// Published counts of one table for one side to move, on 64 squares.
struct Counts {
    role: Role,
    turn: Color,
    legal: u64,
    draws: u64,
    mated: u64,
    longest: u16,
    at_longest: u64,
}

const COUNTS: [Counts; 6] = [
    Counts {
        role: Role::Queen,
        turn: Color::White,
        legal: 144_508,
        draws: 0,
        mated: 0,
        longest: 19,
        at_longest: 8,
    },
    Counts {
        role: Role::Queen,
        turn: Color::Black,
        legal: 223_944,
        draws: 23_048,
        mated: 364,
        longest: 20,
        at_longest: 56,
    },
    Counts {
        role: Role::Rook,
        turn: Color::White,
        legal: 175_168,
        draws: 0,
        mated: 0,
        longest: 31,
        at_longest: 916,
    },
    Counts {
        role: Role::Rook,
        turn: Color::Black,
        legal: 223_944,
        draws: 22_244,
        mated: 216,
        longest: 32,
        at_longest: 3_056,
    },
    Counts {
        role: Role::Pawn,
        turn: Color::White,
        legal: 163_328,
        draws: 38_368,
        mated: 0,
        longest: 55,
        at_longest: 6,
    },
    Counts {
        role: Role::Pawn,
        turn: Color::Black,
        legal: 168_024,
        draws: 70_420,
        mated: 0,
        longest: 56,
        at_longest: 4,
    },
];

/// All positions of KQvK, KRvK and KPvK, and the draws of KBvK and KNvK.
pub(crate) fn check_counts(source: &dyn DtmSource) {
    for expected in &COUNTS {
        check_table(source, expected);
    }
    for role in [Role::Bishop, Role::Knight] {
        for turn in Color::ALL {
            assert!(placements(role, turn).all(|position| source.dtm(&position).unwrap().is_none()));
        }
    }
}

fn check_table(source: &dyn DtmSource, expected: &Counts) {
    let (mut legal, mut draws, mut mated, mut longest, mut at_longest) = (0, 0, 0, 0, 0);
    for position in placements(expected.role, expected.turn) {
        legal += 1;
        let Some(plies) = source.dtm(&position).unwrap() else {
            draws += 1;
            continue;
        };
        assert_eq!(plies % 2 == 1, expected.turn == Color::White, "the lone king wins nothing");
        assert_eq!(
            plies == 0,
            position.is_checkmate(),
            "{}",
            Fen::from_position(&position, EnPassantMode::Legal)
        );
        mated += u64::from(plies == 0);
        if plies > longest {
            (longest, at_longest) = (plies, 0);
        }
        at_longest += u64::from(plies == longest);
    }
    let found = [legal, draws, mated, u64::from(longest), at_longest];
    let Counts { legal, draws, mated, longest, at_longest, .. } = *expected;
    let published = [legal, draws, mated, u64::from(longest), at_longest];
    assert_eq!(found, published, "{}: {:?}, {} to move", source.name(), expected.role, expected.turn);
}

/// The same positions with the colours exchanged have the same values.
pub(crate) fn check_colour_flip(source: &dyn DtmSource) {
    for Counts { role, turn, .. } in COUNTS {
        for position in placements(role, turn) {
            let setup = position.to_setup(EnPassantMode::Legal);
            let flipped = legal(setup.into_mirrored()).unwrap();
            assert_eq!(flipped.turn(), turn.other());
            let fen = Fen::from_position(&position, EnPassantMode::Legal);
            assert_eq!(
                source.dtm(&flipped).unwrap(),
                source.dtm(&position).unwrap(),
                "{}: {fen}",
                source.name()
            );
        }
    }
}

/// Material without a table, and rights that the tables do not know, are refused by name.
pub(crate) fn check_refusals(source: &dyn DtmSource) {
    let check = |fen: &str, expected: usize| {
        let answer = source.dtm(&position(fen));
        assert!(
            matches!(answer, Err(DtmSourceError::TooManyMen { men, .. }) if men == expected),
            "{fen}: {answer:?}"
        );
    };
    check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 32);
    check("8/8/8/8/8/1KRr4/8/1k6 w - - 0 1", 4);
    check("8/8/8/8/8/1KQQ4/8/1k6 b - - 0 1", 4);
    check("8/8/8/k7/4Pp2/8/8/K7 b - e3 0 1", 4);
    check("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 4);
    for fen in ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "r3k3/8/8/8/8/8/8/4K3 w q - 0 1"] {
        let answer = source.dtm(&position(fen));
        assert!(matches!(answer, Err(DtmSourceError::CastlingRights { .. })), "{fen}: {answer:?}");
    }
}

/// Threads that probe different tables at once get what one thread gets.
pub(crate) fn check_threads(source: &dyn DtmSource) {
    let answers = |counts: &Counts| -> Vec<_> {
        placements(counts.role, counts.turn).map(|position| source.dtm(&position).unwrap()).collect()
    };
    let alone: Vec<_> = COUNTS.iter().map(answers).collect();
    let answers = &answers;
    let together: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = COUNTS.iter().map(|counts| scope.spawn(move || answers(counts))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
}
