//! Placements: which are legal, how many there are, and their images.

use std::collections::HashSet;

use shakmaty::{Position, PositionErrorKinds as Kinds};

use super::*;

fn setup(fen: &str) -> Setup {
    board::setup(fen).unwrap()
}

/// The number of an image of a placement.
fn image(men: &Men, number: u64, symmetry: &[u8; 64]) -> u64 {
    (0..men.count())
        .rev()
        .fold(0, |image, man| image << 6 | u64::from(symmetry[(number >> (6 * man) & 63) as usize]))
}

/// Where no placement of a walk's stretch can represent its class, none does.
#[test]
fn stretches_without_representatives_are_known() {
    for (table, last, expected) in [("KQvK", 2, 54), ("KQvK", 1, 3_568), ("KPvK", 2, 32), ("KvK", 2, 0)] {
        let numbers = 1 << (6 * last);
        let men: Men = table.parse().unwrap();
        let mut without = 0;
        for first in (0..men.numbers()).step_by(numbers) {
            if !men.may_represent(first, last) {
                without += 1;
                let represents = |number| men.class_size(number).is_some();
                assert!(!(first..first + numbers as u64).any(represents), "{table} {first}");
            }
        }
        assert_eq!(without, expected, "{table} {numbers}");
    }
}

#[track_caller]
fn check_illegal(fen: &str, expected: Kinds) {
    let Setup { board, turn, .. } = setup(fen);
    assert_eq!(position(board, turn).unwrap_err(), expected, "{fen}");
}

/// No game reaches these positions, but tables hold them, and shakmaty accepts them on request.
#[test]
fn impossible_checks_are_accepted_and_nothing_else() {
    for fen in [
        "8/8/8/8/8/3n1n2/8/k3K3 w - - 0 1",
        "7k/8/8/8/8/8/8/r2K3r w - - 0 1",
        "3r4/8/8/k2K4/8/8/8/3r4 w - - 0 1",
        "B7/8/8/3k4/8/5B2/8/K7 b - - 0 1",
        "7k/8/8/2p1p3/3K4/8/8/8 w - - 0 1",
    ] {
        let Setup { board, turn, .. } = setup(fen);
        let strict = board::from_setup(setup(fen), CastlingMode::Standard, Accept::Legal);
        assert_eq!(strict.unwrap_err(), Kinds::IMPOSSIBLE_CHECK, "{fen}");
        let forgiven = position(board.clone(), turn).unwrap();
        assert_eq!((forgiven.board(), forgiven.turn(), forgiven.checkers().count()), (&board, turn, 2));
        assert!(position(board, !turn).is_err(), "{fen}: the side not to move is in check");
    }
    check_illegal("8/8/8/8/8/1KR5/1k6/8 w - - 0 1", Kinds::OPPOSITE_CHECK);
    check_illegal("8/8/8/8/8/1KR5/1k6/8 b - - 0 1", Kinds::OPPOSITE_CHECK);
    check_illegal("8/8/8/8/8/1K6/8/1k1R4 w - - 0 1", Kinds::OPPOSITE_CHECK);
    check_illegal("1P6/8/8/8/8/1K6/8/1k6 w - - 0 1", Kinds::PAWNS_ON_BACKRANK);
    check_illegal("8/8/8/8/8/1K6/8/1k1P4 w - - 0 1", Kinds::PAWNS_ON_BACKRANK);
    // An impossible check does not excuse other errors: here a pawn on the last rank.
    check_illegal("4P3/8/8/8/8/3n1n2/8/k3K3 w - - 0 1", Kinds::PAWNS_ON_BACKRANK);
}

/// The numbers of legal placements on 64 squares and of symmetry classes, as published.
#[track_caller]
fn check_counts(table: &str, turn: Color, raw: u64, unique: u64) {
    let men: Men = table.parse().unwrap();
    let mut counts = (0, 0);
    let mut seen = HashSet::new();
    for number in 0..men.numbers() {
        let Some(placement) = Placement::numbered(&men, number, turn) else { continue };
        if placement.legal.is_some() {
            assert!(seen.insert(placement.board.clone()), "{} twice", placement.fen());
            counts.0 += 1;
            counts.1 += u64::from(placement.is_representative());
        }
    }
    assert_eq!(counts, (raw, unique), "{table} {turn}");
}

#[test]
fn the_number_of_positions_is_the_published_one() {
    check_counts("KvK", Color::White, 3_612, 462);
    check_counts("KPvK", Color::White, 163_328, 81_664);
    check_counts("KPvK", Color::Black, 168_024, 84_012);
    check_counts("KQvK", Color::White, 144_508, 18_081);
    check_counts("KQvK", Color::Black, 223_944, 28_056);
    check_counts("KRvK", Color::White, 175_168, 21_959);
    check_counts("KRvK", Color::Black, 223_944, 28_056);
}

/// The number of classes of a table of four men, with White and with Black to move. It includes impossible
/// checks.
#[track_caller]
fn check_classes(table: &str, unique: [u64; 2]) {
    let men: Men = table.parse().unwrap();
    let mut counts = [0; 2];
    for number in (0..men.numbers()).filter(|&number| men.class_size(number).is_some()) {
        let Some(board) = men.board(number) else { continue };
        for (count, turn) in counts.iter_mut().zip(Color::ALL) {
            *count += u64::from(position(board.clone(), turn).is_ok());
        }
    }
    assert_eq!(counts, unique, "{table}");
}

#[test]
fn the_number_of_classes_of_four_men_is_the_published_one() {
    check_classes("KBNvK", [1_359_578, 1_707_888]);
}

#[test]
fn a_class_has_as_many_placements_as_it_has_images() {
    for table in ["KvK", "KPvK", "KQvK"] {
        let men: Men = table.parse().unwrap();
        let sizes = (0..men.numbers()).filter_map(|number| men.class_size(number));
        assert_eq!(sizes.sum::<u64>(), men.numbers(), "{table}");
        for number in (0..men.numbers()).step_by(37) {
            let images: HashSet<_> =
                men.symmetries().iter().map(|symmetry| image(&men, number, symmetry)).collect();
            let least = images.iter().min() == Some(&number);
            assert_eq!(men.class_size(number), least.then_some(images.len() as u64), "{table} {number}");
        }
    }
}

/// The board of an image is shakmaty's, flipped as a whole.
#[test]
fn images_are_those_of_shakmatys_boards() {
    let flips: [fn(&mut Board); 3] = [Board::flip_horizontal, Board::flip_vertical, Board::flip_diagonal];
    for table in ["KPvK", "KQvKN"] {
        let men: Men = table.parse().unwrap();
        for number in (0..men.numbers()).step_by(5003) {
            let Some(placement) = Placement::numbered(&men, number, Color::White) else { continue };
            for symmetry in 0..men.images() {
                let mut board = placement.board.clone();
                let asked = flips.iter().enumerate().filter(|(bit, _)| symmetry >> bit & 1 == 1);
                asked.for_each(|(_, flip)| flip(&mut board));
                let image = placement.image(symmetry);
                assert_eq!((&image.board, image.turn), (&board, Color::White), "{number} {symmetry}");
                let exchanged = image.with_colors_exchanged();
                assert_eq!((exchanged.board, exchanged.turn), (board.into_mirrored(), Color::Black));
            }
        }
    }
}

/// The images are the placements of the same symmetry class, and exchanging colours leads out of the class.
#[test]
fn images_are_made_by_number() {
    for table in ["KPvK", "KQvK"] {
        let men: Men = table.parse().unwrap();
        for number in (0..men.numbers()).step_by(41) {
            let Some(placement) = Placement::numbered(&men, number, Color::White) else { continue };
            let by_number: HashSet<Board> =
                (0..men.images()).map(|image| placement.image(image).board).collect();
            let of_class = men.symmetries().iter().map(|symmetry| image(&men, number, symmetry));
            assert_eq!(by_number, of_class.filter_map(|number| men.board(number)).collect(), "{number}");
            for image in 0..men.images() {
                let image = placement.image(image);
                let exchanged = image.with_colors_exchanged();
                let legal = [&image, &exchanged].map(|placement| placement.legal.is_some());
                assert_eq!((legal, exchanged.turn), ([placement.legal.is_some(); 2], Color::Black));
                assert!(!by_number.contains(&exchanged.board));
            }
        }
    }
}

#[test]
fn the_representative_of_each_image_is_that_of_the_class() {
    for (name, step) in
        [("KPvK", 1013), ("KQvK", 1013), ("KRvKR", 60_013), ("KBBvK", 60_013), ("KPPvK", 60_013)]
    {
        let men: Men = name.parse().unwrap();
        let classes = (0..men.numbers()).filter(|&number| men.class_size(number).is_some());
        let mut seen = 0;
        for placement in
            classes.step_by(step / 8).filter_map(|number| Placement::of_class(&men, number, Color::White))
        {
            seen += 1;
            let own = representative(&placement.board, placement.turn);
            assert!(Placement::of_class(&men, number(&men, &own.0), own.1).is_some(), "{}", placement.fen());
            for image in 0..men.images() {
                let image = placement.image(image);
                let exchanged = image.with_colors_exchanged();
                assert_eq!(representative(&image.board, image.turn), own, "{}", image.fen());
                if !men.has_equal_sides() {
                    assert_eq!(representative(&exchanged.board, exchanged.turn), own, "{}", exchanged.fen());
                }
            }
        }
        assert!(seen > 100, "{name}: {seen}");
    }
}

/// The number of a board, the lower square first of two identical men.
fn number(men: &Men, board: &Board) -> u64 {
    let mut left = board.clone();
    men.pieces.iter().fold(0, |number, &piece| {
        let square = left.by_piece(piece).first().unwrap();
        left.discard_piece_at(square);
        number << 6 | square as u64
    })
}

#[test]
fn the_men_of_a_fen_are_named_stronger_side_first() {
    let name = |fen: &str| Men::of_fen(fen).map(|men| men.name().to_owned());
    for (fen, expected) in [
        ("8/8/8/8/8/1K6/2R5/k7 w - - 0 1", Some("KRvK")),
        ("8/8/8/8/8/1k6/2r5/K7 w - - 0 1", Some("KRvK")),
        ("8/8/8/8/8/1kp5/2R5/K7 b - - 0 1", Some("KRvKP")),
        ("8/8/8/8/8/1KN5/2B5/k7 b - - 0 1", Some("KBNvK")),
        ("8/8/8/8/8/1kn5/2Q5/K7 w - - 0 1", Some("KQvKN")),
        ("8/8/8/8/8/8/K1k5/8 w - - 0 1", Some("KvK")),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        ("8/8/8/8/8/8/K7/8 w - - 0 1", None),
        ("8/8 w", None),
    ] {
        assert_eq!(name(fen).as_deref(), expected, "{fen}");
    }
}

#[test]
fn names_of_tables() {
    for name in ["KvK", "KPvK", "KBNvK", "KRvKP", "KvKQ", "KQQQvK", "KQQvKQ"] {
        assert_eq!(name.parse::<Men>().unwrap().to_string(), name);
    }
    for name in ["", "K", "KQK", "QvK", "KKvK", "kQvK", "KQv", "KXvK", "KqvK", "KQvKvK", "KQQQQvK", "KQQvKQQ"]
    {
        assert!(name.parse::<Men>().is_err(), "{name}");
    }
}
