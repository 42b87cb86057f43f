//! How games end.

use engine::{CastlingMode, Color, Draw, DrawClaim, Game, Outcome, Position};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|refused| panic!("{fen}: {refused}"))
}

/// A game after these moves.
fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(position(fen));
    for text in moves.split_whitespace() {
        let mv = game.position().parse_uci(text, CastlingMode::Standard).expect(text);
        game.play(mv).expect(text);
    }
    game
}

fn check(fen: &str, expected: Option<Outcome>) {
    assert_eq!(position(fen).outcome(), expected, "{fen}");
    assert_eq!(Game::new(position(fen)).outcome(), expected, "{fen}");
}

const WHITE_WINS: Option<Outcome> = Some(Outcome::Checkmate { winner: Color::White });
const BLACK_WINS: Option<Outcome> = Some(Outcome::Checkmate { winner: Color::Black });

fn drawn(draw: Draw) -> Outcome {
    Outcome::Draw(draw)
}

#[test]
fn mates_and_stalemates() {
    check("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", BLACK_WINS);
    check("1k1R4/8/1K6/8/8/8/8/8 b - - 0 1", WHITE_WINS);
    check("1k6/1Q6/1K6/8/8/8/8/8 b - - 0 1", WHITE_WINS);
    check("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", Some(drawn(Draw::Stalemate)));
    check("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(drawn(Draw::Stalemate)));
    check("8/8/8/8/8/1K6/2R5/1k6 b - - 0 1", None);
    check("kb5R/8/1K6/8/8/8/8/8 b - - 0 1", Some(drawn(Draw::Stalemate)));
}

#[test]
fn an_en_passant_capture_can_prevent_mate() {
    // The double step gave check; the only answer is to capture en passant.
    let fen = "R4B2/8/7Q/1k2N3/2Pp4/8/8/7K b - c3 0 1";
    assert_eq!(position(fen).legal_moves().len(), 1);
    check(fen, None);
    check(&fen.replace("c3", "-"), WHITE_WINS);
}

#[test]
fn dead_material() {
    for fen in [
        "8/8/8/8/8/8/8/K1k5 w - - 0 1",
        "8/8/8/8/8/8/7N/K1k5 w - - 0 1",
        "8/8/8/8/8/8/7b/K1k5 w - - 0 1",
        "8/8/8/8/8/6B1/5b1b/K1k5 w - - 0 1",
        "8/8/8/8/8/4B1B1/5b1b/K2k4 w - - 0 1",
    ] {
        check(fen, Some(drawn(Draw::DeadMaterial)));
    }
    for fen in [
        "8/8/8/8/8/8/6NN/K1k5 w - - 0 1",
        "8/8/8/8/8/8/6Nn/K1k5 w - - 0 1",
        "8/8/8/8/8/8/6BN/K1k5 w - - 0 1",
        "8/8/8/8/8/8/6Bn/K1k5 w - - 0 1",
        "8/8/8/8/8/8/6BB/K1k5 w - - 0 1",
        "8/8/8/8/8/8/6Bb/K1k5 w - - 0 1",
        "8/8/8/8/8/7P/8/K1k5 w - - 0 1",
        "8/8/8/8/8/7R/8/K1k5 w - - 0 1",
        "8/8/8/8/8/7q/8/K1k5 w - - 0 1",
    ] {
        check(fen, None);
    }
}

#[test]
fn fifty_and_seventy_five_moves() {
    let claim = |fen: &str| Game::new(position(fen)).claim();
    assert_eq!(claim("8/8/8/8/8/7R/8/K1k5 w - - 99 90"), None);
    assert_eq!(claim("8/8/8/8/8/7R/8/K1k5 w - - 100 90"), Some(DrawClaim::FiftyMoves));
    check("8/8/8/8/8/7R/8/K1k5 w - - 149 90", None);
    check("8/8/8/8/8/7R/8/K1k5 w - - 150 90", Some(drawn(Draw::SeventyFiveMoves)));
    assert_eq!(claim("8/8/8/8/8/7R/8/K1k5 w - - 150 90"), None, "the game has ended");
}

#[test]
fn a_mate_on_the_last_ply_is_a_mate() {
    for clock in [99, 149] {
        let game = game(&format!("1k6/8/1K6/8/8/8/8/3R4 w - - {clock} 90"), "d1d8");
        assert_eq!(game.outcome(), WHITE_WINS, "clock {clock}");
        assert_eq!(game.claim(), None, "clock {clock}");
    }
}

#[test]
fn captures_and_pawns_reset_the_clock() {
    let clock = |moves| game("4k3/8/8/8/8/7r/P6P/4K2R w K - 60 90", moves).position().halfmove_clock();
    assert_eq!(clock("h1g1"), 61);
    assert_eq!(clock("e1g1"), 61);
    assert_eq!(clock("a2a4"), 0);
    assert_eq!(clock("h1g1 h3h2"), 0);
    assert_eq!(clock("h1g1 h3h2 e1f1 e8e7"), 2);
}

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn repetition_is_claimed_at_three_and_ends_the_game_at_five() {
    let after = |times: usize| game(START, &SHUFFLE.repeat(times));
    let seen: Vec<_> = (0..5).map(|times| after(times).repetitions()).collect();
    assert_eq!(seen, [1, 2, 3, 4, 5]);
    assert_eq!(after(1).claim(), None);
    assert_eq!(after(2).claim(), Some(DrawClaim::ThreefoldRepetition));
    assert_eq!(after(3).outcome(), None);
    assert_eq!(after(4).outcome(), Some(drawn(Draw::FivefoldRepetition)));
}

#[test]
fn repetition_compares_the_possible_moves() {
    // No pawn can capture on e3 after the double step, so the position may repeat.
    assert_eq!(game(START, &format!("e2e4 {}", "g8f6 g1f3 f6g8 f3g1 ".repeat(2))).repetitions(), 3);
    // A pawn can capture on e3 at first, but not later.
    let taken = game("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 e8e7 e1e2 e7e8 e2e1");
    assert_eq!(taken.repetitions(), 1);
    // Castling rights are lost in between.
    let lost = game("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1g1 e8e7 g1h1 e7e8");
    assert_eq!(lost.repetitions(), 1);
    // The other side is to move.
    let tempo = game("4k3/8/8/8/8/8/8/K6Q w - - 0 1", "h1h2 e8d8 h2g1 d8e8 g1h1");
    assert_eq!(tempo.repetitions(), 1);
}

#[test]
fn an_illegal_move_leaves_the_game_as_it_is() {
    let mut played = game(START, "e2e4");
    let before = played.clone();
    let illegal = engine::Move::new(engine::Square::E4, engine::Square::E5);
    assert_eq!(
        played.play(illegal).unwrap_err().to_string(),
        "e4e5 is not legal in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    );
    assert_eq!(played, before);
}
