//! Tests of properties that hold for every position.

mod rules;

use super::tapered::Tapered;
use super::tuning::{self, Extractor};
use super::*;
use crate::Board;

/// All positions of the test data.
fn positions() -> Vec<Position> {
    let data = [
        include_str!("../../../tests/data/fen_valid.txt"),
        include_str!("../../../tests/data/hard.txt"),
        include_str!("../../../tests/data/perft.txt"),
    ];
    let lines = data.iter().flat_map(|data| data.lines()).filter(|line| !line.starts_with('#'));
    let fens = lines.map(|line| line.split([';', '=']).next().unwrap_or("").trim());
    let found: Vec<_> = fens.filter_map(|fen| Position::from_fen(fen).ok()).collect();
    assert!(found.len() > 100, "the files hold {} positions", found.len());
    // With all positions after one move, there are thousands.
    found
        .iter()
        .flat_map(|position| {
            let after =
                position.legal_moves().into_iter().map(|mv| position.play_unchecked(mv)).collect::<Vec<_>>();
            after.into_iter().chain([*position])
        })
        .collect()
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn evaluate(options: EvalOptions, position: &Position) -> Score {
    Evaluator::new(options).evaluate(position)
}

fn flipped(position: &Position) -> Position {
    Position::from_board(position.board().flip_colors(), !position.side_to_move()).unwrap()
}

fn mirrored(position: &Position) -> Position {
    let mut board = Board::EMPTY;
    for (square, piece) in position.board().iter() {
        board.put(square.flip_horizontal(), piece);
    }
    Position::from_board(board, position.side_to_move()).unwrap()
}

const PLAIN: EvalOptions = EvalOptions { knowledge: false, king_tables: true };

#[test]
fn both_sides_and_both_wings_are_treated_alike() {
    let mut evaluator = Evaluator::new(EvalOptions::default());
    for position in positions() {
        let score = evaluator.evaluate(&position);
        assert_eq!(evaluator.evaluate(&flipped(&position)), score, "colours: {}", position.to_fen());
        assert_eq!(evaluator.evaluate(&mirrored(&position)), score, "wings: {}", position.to_fen());
    }
}

#[test]
fn earlier_evaluations_make_no_difference() {
    let mut evaluator = Evaluator::new(EvalOptions::default());
    for position in positions().iter().chain(positions().iter().rev()) {
        let score = evaluator.evaluate(position);
        evaluator.pawns = PawnCache::new();
        assert_eq!(evaluator.evaluate(position), score, "{}", position.to_fen());
    }
}

#[test]
fn the_breakdown_and_the_linear_function_equal_the_evaluation() {
    let weights = tuning::weights();
    for options in [EvalOptions::default(), PLAIN, EvalOptions { king_tables: false, ..PLAIN }] {
        let mut evaluator = Evaluator::new(options);
        let mut extractor = Extractor::new(options);
        for position in positions() {
            let score = evaluator.evaluate(&position);
            let breakdown = evaluator.explain(&position);
            assert_eq!(view(&position, breakdown.score), score, "{}", position.to_fen());
            if breakdown.instead.is_some() {
                assert_eq!(extractor.linear(&position), None);
                continue;
            }
            let whole = breakdown.phase.blend(breakdown.total(), breakdown.scales);
            assert_eq!(bounded(whole), breakdown.score, "{}", position.to_fen());
            let linear = extractor.linear(&position).unwrap();
            let sum = linear
                .shares
                .iter()
                .fold(Tapered::ZERO, |sum, share| sum + weights[share.weight].value * share.count);
            assert_eq!(sum, breakdown.total(), "{}", position.to_fen());
            assert_eq!((linear.phase, linear.scales), (breakdown.phase, breakdown.scales));
        }
    }
}

#[test]
fn scores_stay_within_bounds() {
    // Nine queens against a bare king: the most material possible.
    for (fen, white_ahead) in [
        ("4k3/8/8/8/8/QQQQ4/QQQQQ3/RNB1KBNR b - - 0 1", true),
        ("rnb1kbnr/qqqqq3/qqqq4/8/8/8/8/4K3 w - - 0 1", false),
    ] {
        let score = evaluate(PLAIN, &position(fen)).raw();
        assert!((-MOST..=-10_000).contains(&score), "{fen}: {score}");
        let total = Evaluator::new(PLAIN).explain(&position(fen)).total();
        assert_eq!(total.middlegame() > 10_000 && total.endgame() > 10_000, white_ahead, "{fen}");
    }
    assert_eq!(bounded(1_000_000).raw(), MOST);
    assert_eq!(bounded(-1_000_000).raw(), -MOST);
    for position in positions() {
        let score = evaluate(PLAIN, &position);
        assert!(!score.is_mate() && score.raw().abs() <= MOST);
    }
}

#[test]
fn dead_material_is_zero() {
    for fen in ["8/8/4k3/8/8/3K4/8/8 w - - 0 1", "8/8/4k3/8/2B5/3K4/8/8 b - - 0 1"] {
        let position = position(fen);
        assert_eq!(evaluate(PLAIN, &position), Score::DRAW);
        assert_eq!(Evaluator::new(PLAIN).explain(&position).instead, Some(Instead::DeadMaterial));
    }
}

#[test]
fn known_scales_apply_only_with_endgame_knowledge() {
    let endings = [
        "8/8/4k3/8/8/8/8/KQ6 w - - 0 1",
        "8/8/4k3/8/8/8/8/KNN5 w - - 0 1",
        "8/5b2/4k3/8/3P4/8/8/KB6 b - - 0 1",
    ];
    for position in endings.map(position) {
        let breakdown = Evaluator::new(PLAIN).explain(&position);
        assert_eq!((breakdown.instead, breakdown.scales), (None, Scales::FULL), "{}", position.to_fen());
        let (phase, total) = (breakdown.phase, breakdown.total());
        let found = scales(&position, phase, total, Some(Scale(3)), EvalOptions::default());
        assert_eq!(found, Scales::whole(3));
        let scaled = blend(phase, total, found).raw().abs();
        assert!(scaled < breakdown.score.raw().abs(), "{}", position.to_fen());
    }
}

#[test]
fn drawish_materials_scale_both_halves() {
    let mut evaluator = Evaluator::new(EvalOptions::default());
    for (fen, scale) in [
        // By name.
        ("4k3/8/3q4/8/8/8/8/3QKB2 w - - 0 1", 14),
        ("4k3/8/3q4/8/8/8/8/3QKN2 w - - 0 1", 14),
        ("4k3/8/3r4/8/8/8/8/3RKB2 w - - 0 1", 14),
        // Without pawns, nothing left.
        ("4k3/2pq4/8/8/8/8/8/1N1QKB2 w - - 0 1", 64),
        ("r2qk3/8/8/8/8/8/8/R2QKB2 w - - 0 1", 14),
        ("r2qkb2/8/8/8/8/8/8/R2QK3 w - - 0 1", 14),
        ("k7/7p/8/8/8/8/P7/2B1K3 w - - 0 1", 0),
    ] {
        let position = position(fen);
        let scaled = evaluator.explain(&position).score.raw();
        let whole = Evaluator::new(PLAIN).explain(&position).score.raw();
        assert!((scaled - whole * scale / 64).abs() <= 1, "{fen}: {scaled} of {whole}");
    }
}

#[test]
fn opposite_bishops_scale_only_the_endgame_half() {
    let position = position("r2qkb2/5ppp/8/8/8/8/4PPPP/R2QKB2 w - - 0 1");
    let [scaled, plain] =
        [EvalOptions::default(), PLAIN].map(|options| Evaluator::new(options).explain(&position));
    assert_eq!(scaled.scales, Scales::endgame(48));
    let parts = [scaled.total().middlegame(), scaled.total().endgame()];
    assert!(parts.iter().all(|&part| part > 0), "{parts:?}");
    let [scaled, plain] = [scaled, plain].map(|breakdown| breakdown.score.raw());
    assert!(48 * plain / 64 < scaled && scaled < plain, "{scaled} of {plain}");
}

#[test]
fn the_scale_is_that_of_the_preferred_side() {
    // Rook against knight, bishop and pawn: the side without pawns keeps little of an advantage, the other
    // side keeps all of it.
    let position = position("3nk3/8/2b5/3p4/8/8/8/2R1K3 w - - 0 1");
    for (phase, total, expected) in [
        (Phase::FULL, Tapered::new(100, 100), Scales::whole(8)),
        (Phase::FULL, Tapered::new(100, -100), Scales::whole(8)),
        (Phase::FULL, Tapered::new(-100, -100), Scales::FULL),
        (Phase::FULL, Tapered::new(-100, 100), Scales::endgame(8)),
    ] {
        assert_eq!(scales(&position, phase, total, None, EvalOptions::default()), expected, "{total:?}");
    }
}

#[test]
fn the_option_king_tables_changes_nothing_else() {
    let without = EvalOptions { king_tables: false, ..PLAIN };
    let central = position("8/8/4k3/8/8/8/P7/K7 w - - 0 1");
    let (with, bare) = (Evaluator::new(PLAIN).explain(&central), Evaluator::new(without).explain(&central));
    for term in Term::ALL {
        let totals = [&with, &bare].map(|b| b.term(term, Color::White) - b.term(term, Color::Black));
        assert_eq!(totals[0] == totals[1], term != Term::PieceSquares, "{}", term.name());
    }
    let mut without = Evaluator::new(without);
    let kings = without.explain(&central).term(Term::PieceSquares, Color::Black);
    assert_eq!(kings, Tapered::ZERO, "Black has only a king");
    let squares = Evaluator::new(PLAIN);
    let centre = squares.clone().explain(&central).term(Term::PieceSquares, Color::Black).endgame();
    let corner = position("k7/8/8/8/8/8/P7/K7 w - - 0 1");
    assert!(centre > squares.clone().explain(&corner).term(Term::PieceSquares, Color::Black).endgame());
}

#[test]
fn the_breakdown_names_each_term_and_the_total() {
    let text = Evaluator::new(PLAIN).explain(&Position::starting()).to_string();
    for name in Term::ALL.map(Term::name).into_iter().chain([
        "total",
        "phase: 24 of 24",
        "scale: 64 of 64 (middlegame), 64 of 64 (endgame)",
        "cp ",
    ]) {
        assert!(text.contains(name), "no {name} in\n{text}");
    }
}
