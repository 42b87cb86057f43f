//! FENs and games, read and played by our engine and by shakmaty.

use engine::{CastlingMode, Draw, Game, MAX_COUNTER, Outcome, Position};
use oracle::board::{self, Accept};
use shakmaty::{Chess, Position as _};

/// A FEN. What the engine accepts, shakmaty accepts too, and both have the same moves and print the same.
///
/// # Panics
/// If one of them is wrong.
pub fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(ours) = Position::from_fen(&text) else { return };
    match board::position_of_any_mode(&text, Accept::Unreachable) {
        Ok(theirs) => compare(&ours, &theirs),
        Err(error) => panic!("accepted: {text}, but {error}"),
    }
    assert_eq!(Position::from_fen(&ours.to_fen()).as_ref(), Ok(&ours), "{text}");
    assert_eq!(Position::from_fen(&ours.to_shredder_fen()).as_ref(), Ok(&ours), "{text}");
}

/// A game: a FEN, a line break, and a byte for each move, which counts the legal moves in the order of their
/// names. Both play it, and the engine counts repetitions and knows the ends as shakmaty does.
///
/// # Panics
/// If one of them is wrong.
pub fn game(data: &[u8]) {
    /// Repetitions are counted by comparing all positions.
    const MOST_PLIES: usize = 300;
    let (first, moves) = data.split_at(data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len()));
    let text = String::from_utf8_lossy(first);
    let Ok(ours) = Position::from_fen(&text) else { return };
    let Ok(theirs) = board::position_of_any_mode(&text, Accept::Legal) else { return };
    let (mut ours, mut theirs) = (Game::new(ours), board::Game::at(theirs));
    compare(ours.position(), theirs.position());
    for byte in moves.iter().skip(1).take(MOST_PLIES) {
        // The engine counts no further, so that it can read what it prints.
        let counters = [theirs.position().fullmoves().get(), theirs.position().halfmoves()];
        if counters.contains(&MAX_COUNTER.into()) {
            break;
        }
        let mut legal = board::uci_moves(theirs.position());
        legal.sort();
        let Some(name) = legal.get(usize::from(*byte) % legal.len().max(1)) else { break };
        let mode = mode(theirs.position());
        let mv = ours.position().parse_uci(name, mode);
        let mv = mv.unwrap_or_else(|error| panic!("{text}: {name} is refused: {error}"));
        ours.play(mv).unwrap_or_else(|error| panic!("{text}: {name} is refused: {error}"));
        theirs.play(theirs.legal(name).unwrap_or_else(|| panic!("{name} is among the legal moves")));
        compare(ours.position(), theirs.position());
        assert_eq!(ours.repetitions(), theirs.occurrences(), "{text}");
        assert_eq!(ours.outcome(), outcome(&theirs), "{text}, after {name}");
    }
}

fn mode(position: &Chess) -> CastlingMode {
    match position.castles().mode() {
        shakmaty::CastlingMode::Standard => CastlingMode::Standard,
        shakmaty::CastlingMode::Chess960 => CastlingMode::Chess960,
    }
}

fn outcome(game: &board::Game) -> Option<Outcome> {
    let position = game.position();
    let winner = match position.turn() {
        shakmaty::Color::White => engine::Color::Black,
        shakmaty::Color::Black => engine::Color::White,
    };
    match position.legal_moves().is_empty() {
        true if position.is_check() => Some(Outcome::Checkmate { winner }),
        true => Some(Outcome::Draw(Draw::Stalemate)),
        false if position.is_insufficient_material() => Some(Outcome::Draw(Draw::DeadMaterial)),
        false if position.halfmoves() >= 150 => Some(Outcome::Draw(Draw::SeventyFiveMoves)),
        false if game.occurrences() >= 5 => Some(Outcome::Draw(Draw::FivefoldRepetition)),
        false => None,
    }
}

fn compare(ours: &Position, theirs: &Chess) {
    let (fen, mode) = (board::fen(theirs), mode(theirs));
    let printed = match mode {
        CastlingMode::Standard => ours.to_fen(),
        CastlingMode::Chess960 => board::fen(
            &board::position_of_any_mode(&ours.to_fen(), Accept::Unreachable)
                .expect("a FEN that the engine prints"),
        ),
    };
    assert_eq!(printed, fen);
    let mut moves: Vec<String> = ours.legal_moves().iter().map(|&mv| ours.to_uci(mv, mode)).collect();
    let mut expected = board::uci_moves(theirs);
    moves.sort();
    expected.sort();
    assert_eq!(moves, expected, "{fen}");
    assert_eq!(ours.checkers().any(), theirs.is_check(), "{fen}");
    assert_eq!(ours.is_checkmate(), theirs.is_checkmate(), "{fen}");
    assert_eq!(ours.is_stalemate(), theirs.is_stalemate(), "{fen}");
}
