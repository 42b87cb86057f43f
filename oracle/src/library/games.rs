//! Games: repetitions, the draws that a player may claim, and the ends.

use engine::{CastlingMode, Game, Position};
use shakmaty::{Chess, Position as _};
use suites::{Findings, Verdict};

use super::{Job, Wrong, ask, first_difference, gather};
use crate::board::{self, Accept};
use crate::perft::Draw;

const CHECK: &str = "library/games";
/// How many games, and how many plies each has at most.
const GAMES: usize = 60;
const PLIES: usize = 220;
/// Positions with few men, in which random moves lead to repetitions.
const STARTS: [&str; 6] = [
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k2r/8/8/8/8/8/8/4K3 b kq - 3 9",
    "8/8/8/2k5/8/8/1N6/K7 w - - 0 1",
    "8/8/8/8/8/2k5/8/K1R5 b - - 90 60",
    "7k/7p/8/8/8/8/P7/K7 w - - 0 1",
    "8/8/4b3/3k4/8/8/4B3/K7 w - - 140 99",
];

/// Games in which a position comes again with other castling rights, and with another en passant square.
const SCRIPTED: [(&str, &str); 3] = [
    ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a1 e7e8 a1a2 e8e7 a2a1 e7e8"),
    ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8d8 e1e2 d8e8 e2e1 e8d8 e1e2 d8e8 e2e1 e8d8 e1e2 d8e8 e2e1"),
    ("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a2a4 e8e7 e1e2 e7e8 e2e1 e8e7 e1e2 e7e8 e2e1 e8e7 e1e2 e7e8 e2e1"),
];

/// A game by its start and its moves.
struct Played {
    case: String,
    start: &'static str,
    moves: Vec<String>,
}

pub(super) fn run(job: &Job) -> Findings {
    let scripted = SCRIPTED.into_iter().enumerate().map(|(index, (start, moves))| Played {
        case: format!("scripted/{index}"),
        start,
        moves: moves.split(' ').map(str::to_owned).collect(),
    });
    let games: Vec<Played> = (0..GAMES).map(|index| played(job.seed, index)).chain(scripted).collect();
    gather(CHECK, job.sample(), "games", &games, |game| {
        let expected = truth(game);
        match ask(|| told(game)) {
            Ok(got) => judge(game, &got, &expected),
            Err(panic) => judge(game, &[panic], &expected),
        }
    })
}

fn judge(game: &Played, got: &[String], expected: &[String]) -> Verdict {
    let Some((got, expected)) = first_difference(got, expected) else { return Verdict::Agree };
    let because = format!("positions counted one by one, after the moves {}", game.moves.join(" "));
    Wrong { check: CHECK, case: &game.case, fen: game.start, got, expected, source: "shakmaty", because }
        .verdict()
}

/// A random game that prefers moves of kings and pieces back and forth.
fn played(seed: u64, index: usize) -> Played {
    let start = STARTS[index % STARTS.len()];
    let mut draw = Draw::new(seed, index);
    let mut position = board::position(start, Accept::Legal).expect("a legal position");
    let mut moves = Vec::new();
    while moves.len() < PLIES {
        let mut legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        legal.sort_unstable_by_key(|mv| (mv.from(), mv.to(), mv.promotion().map(u8::from)));
        // Three of four moves are among the first two, so that positions come again.
        let bound = if draw.below(4) > 0 { legal.len().min(2) } else { legal.len() };
        let mv = legal[draw.below(bound)];
        moves.push(board::uci_text(mv, shakmaty::CastlingMode::Standard));
        position = board::after(&position, mv);
    }
    Played { case: format!("games/{index:02}"), start, moves }
}

/// After each ply: how often the position stood, how the game ended, and which draws may be claimed.
fn told(game: &Played) -> Vec<String> {
    let mut ours = match Position::from_fen(game.start) {
        Ok(position) => Game::new(position),
        Err(error) => return vec![error.to_string()],
    };
    let mut lines = Vec::new();
    for (ply, text) in game.moves.iter().enumerate() {
        let Ok(mv) = ours.position().parse_uci(text, CastlingMode::Standard) else {
            lines.push(format!("{text} is not legal"));
            return lines;
        };
        if ours.play(mv).is_err() {
            lines.push(format!("{text} is refused"));
            return lines;
        }
        let ended = ours.outcome().map_or("no end".to_owned(), |outcome| outcome.to_string());
        let claim = ours.claim().map_or("no claim".to_owned(), |claim| claim.to_string());
        lines.push(line(ply, text, ours.repetitions(), &ended, &claim));
    }
    if ours.moves().len() != game.moves.len() || ours.past().len() != game.moves.len() {
        lines.push("moves or positions are missing".to_owned());
    }
    lines
}

fn line(ply: usize, text: &str, times: usize, ended: &str, claim: &str) -> String {
    format!("ply {}, {text}: stood {times} times, {ended}, {claim}", ply + 1)
}

/// The same by the rules: compares every position with every earlier one.
fn truth(game: &Played) -> Vec<String> {
    let mut position = board::position(game.start, Accept::Legal).expect("a legal position");
    let mut all: Vec<Chess> = vec![position.clone()];
    let mut lines = Vec::new();
    for (ply, text) in game.moves.iter().enumerate() {
        let mv = board::legal_move(&position, text, board::Spelling::Exact).expect("a move that was drawn");
        position = board::after(&position, mv);
        all.push(position.clone());
        let times = all.iter().filter(|earlier| **earlier == position).count();
        let has_moves = !position.legal_moves().is_empty();
        let ended = match has_moves {
            false if position.is_check() => {
                format!("checkmate: {} wins", position.turn().other().to_string().to_lowercase())
            }
            false => "draw: stalemate".to_owned(),
            true if position.is_insufficient_material() => "draw: dead material".to_owned(),
            true if position.halfmoves() >= 150 => "draw: seventy-five moves".to_owned(),
            true if times >= 5 => "draw: fivefold repetition".to_owned(),
            true => "no end".to_owned(),
        };
        let claim = match ended.as_str() {
            "no end" if position.halfmoves() >= 100 => "fifty moves",
            "no end" if times >= 3 => "threefold repetition",
            _ => "no claim",
        };
        lines.push(line(ply, text, times, &ended, claim));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_long_and_have_the_draws_that_are_compared() {
        let games: Vec<Played> = (0..GAMES).map(|index| played(1, index)).collect();
        for game in &games {
            let end =
                game.moves.iter().fold(board::position(game.start, Accept::Legal).unwrap(), |at, text| {
                    let mv = board::legal_move(&at, text, board::Spelling::Tolerant).unwrap();
                    board::after(&at, mv)
                });
            assert!(game.moves.len() == PLIES || end.legal_moves().is_empty(), "{}", game.case);
        }
        let told: Vec<String> = games.iter().flat_map(told).collect();
        assert!(told.len() > GAMES * PLIES / 2, "{}", told.len());
        let of = |part: &str| told.iter().filter(|line| line.contains(part)).count();
        assert!(of("no claim") < told.len() && of("no end") < told.len(), "{}", told[0]);
    }
}
