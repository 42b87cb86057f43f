//! Positions that stood on the board twice in the game: the third occurrence is a draw.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Position};

use super::*;
use crate::board::Game;

fn game(fen: &str, moves: &str) -> Game {
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    Game::new(fen, &moves).unwrap_or_else(|error| panic!("{fen} {moves:?}: {error}"))
}

/// The mate proven in the game, with a valid certificate; as `proven` for a position.
#[track_caller]
fn proven_in(game: &Game, moves: i32) -> Option<i32> {
    let (found, proof) = match prove_in(game, moves, &ProverLimits::default()).verdict {
        ProverVerdict::Mate { moves, proof } => (i32::from(moves), proof),
        ProverVerdict::Mated { moves, proof } => (-i32::from(moves), proof),
        ProverVerdict::Refuted => return None,
        ProverVerdict::Undecided => panic!("undecided"),
    };
    assert_eq!(proof.replay_in(game).unwrap().moves, found, "{proof:?}");
    Some(found)
}

/// The only winning move leads to a position that stood on the board twice. Once would not matter.
#[test]
fn a_third_occurrence_does_not_lead_to_mate() {
    let fen = "kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1";
    let (back, again) = ("b8c7 a6a1 c7b8 ", "a1a6 b8c7 a6a1 c7b8");
    assert_eq!(proven_in(&game(fen, back), 4), Some(2));
    let twice = game(fen, &[back, again].concat());
    assert_eq!((proven_in(&twice, 4), proven(twice.position(), 4)), (None, Some(2)));
    // The pawn captures, so that earlier positions cannot occur again.
    let anew = game(fen, &[back, again, " b6a7 b8c7"].concat());
    assert!(anew.twice().is_empty());
    // A certificate for the position does not hold in the game, and its replay reports that.
    let ProverVerdict::Mate { proof, .. } = prove(twice.position(), 2, &ProverLimits::default()).verdict
    else {
        panic!("no mate")
    };
    assert!(proof.replay(twice.position()).is_ok());
    let fault = proof.replay_in(&twice).unwrap_err();
    assert!(matches!(fault, CertificateError::Escape { escape: Escape::Repetition, .. }), "{fault}");
}

/// The mates of a game by a search of all moves, with every occurrence counted.
fn mates(game: &mut Game, moves: u32, is_root: bool) -> bool {
    moves > 0 && !is_over(game, is_root) && any(game, |game| is_mated(game, moves - 1, false))
}

fn is_mated(game: &mut Game, moves: u32, is_root: bool) -> bool {
    if game.position().is_checkmate() {
        return true;
    }
    let over = is_over(game, is_root) || game.position().is_stalemate();
    !over && moves > 0 && !any(game, |game| !mates(game, moves, false))
}

fn is_over(game: &Game, is_root: bool) -> bool {
    game.clock() >= 100 || !is_root && game.occurrences() >= 3
}

fn any(game: &mut Game, mut is: impl FnMut(&mut Game) -> bool) -> bool {
    game.position().legal_moves().into_iter().any(|mv| {
        game.play(mv);
        let found = is(game);
        game.take_back();
        found
    })
}

/// Games in which both sides move to and fro, compared with a search of all moves with all occurrences
/// counted.
#[test]
fn mates_in_games_are_those_of_a_full_search() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let (mut asked, mut changed) = (0, [0, 0]);
    while asked < 300 {
        let Some(start) = brute_force::drawn(&mut random) else { continue };
        let Some(mut game) = to_and_fro(start, &mut random) else { continue };
        let few = game.position().board().occupied().count() <= 3;
        let (most, most_mated) = if few { (3, 2) } else { (2, 1) };
        let without = [most as i32, -(most_mated as i32)].map(|moves| proven(game.position(), moves));
        if without == [None, None] {
            continue;
        }
        asked += 1;
        let mate = (1..=most).find(|&moves| mates(&mut game, moves, true)).map(|moves| moves as i32);
        let fen = crate::board::fen(game.position());
        assert_eq!(proven_in(&game, most as i32), mate, "{fen}");
        let mated = (0..=most_mated).find(|&moves| is_mated(&mut game, moves, true));
        let mated = mated.map(|moves| -(moves as i32));
        assert_eq!(proven_in(&game, -(most_mated as i32)), mated, "{fen}");
        changed[0] += u32::from(without[0] != mate);
        changed[1] += u32::from(without[1] != mated);
    }
    assert!(changed.iter().all(|&changed| changed >= 5), "{changed:?} of {asked}");
}

/// A game in which both sides move to and fro twice.
fn to_and_fro(start: Chess, random: &mut ChaCha8Rng) -> Option<Game> {
    use chacha20::rand_core::Rng;
    let mut game = Game::at(start);
    let mut there = Vec::new();
    for _ in 0..2 {
        let legal = game.position().legal_moves();
        let mv = *legal.get(random.next_u32() as usize % legal.len().max(1))?;
        there.push(mv.to_uci(CastlingMode::Standard));
        game.play(mv);
    }
    let back = |mv: &UciMove| match *mv {
        UciMove::Normal { from, to, promotion: None } => {
            Some(UciMove::Normal { from: to, to: from, promotion: None })
        }
        _ => None,
    };
    let cycle: Vec<UciMove> = there.iter().copied().chain(there.iter().filter_map(back)).collect();
    for mv in cycle.iter().skip(2).chain(&cycle) {
        let mv = mv.to_move(game.position()).ok()?;
        game.play(mv);
    }
    let over = game.clock() >= 100 || game.occurrences() >= 3 || game.position().legal_moves().is_empty();
    (!over && game.occurrences() == 2).then_some(game)
}
