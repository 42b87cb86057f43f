//! One game after another, and long ones.

use std::fmt::Write;
use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Position, Role};

use super::abort::CheckResult;
use super::context::Check;
use super::context::CheckContext;
use super::positions::{MIDDLE, RICH, START};
use super::rules;

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/newgame", "It is said before each game.", newgame),
    Check::new(
        "protocol/newgame-searching",
        "An interface that is closed in mid-game may say it.",
        searching,
    )
    .slow(),
    Check::new(
        "protocol/go-again",
        "An analysis that is stopped is begun again without a new position.",
        again,
    ),
    Check::new("protocol/position-twice", "Each position is told from its beginning.", twice),
    Check::new("protocol/long-game", "Games of 300 moves happen.", long_game),
    Check::new("protocol/reversible", "Long manoeuvres overrun tables of past positions.", reversible).slow(),
];

/// Plies of a long game.
const PLIES: usize = 600;
/// After so many plies without one, a pawn moves or something is captured, if it can.
const QUIET: u32 = 40;

fn newgame(h: &mut CheckContext) -> CheckResult {
    h.case("at-start", "readyok, then a legal move", |e| {
        e.start()?;
        e.say("ucinewgame")?;
        e.goes_on()
    })?;
    h.case("between-games", "readyok, then a legal move", |e| {
        e.glance(RICH)?;
        e.say("ucinewgame")?;
        e.ready()?;
        e.say("ucinewgame")?;
        e.goes_on()
    })?;
    h.case("without-isready", "a legal move", |e| {
        e.say("ucinewgame")?;
        e.glance(MIDDLE)
    })
}

fn searching(h: &mut CheckContext) -> CheckResult {
    h.case("infinite", "a session that goes on after stop", |e| {
        e.say("position startpos")?;
        e.say("go infinite")?;
        e.pause(Duration::from_millis(100))?;
        e.say("ucinewgame")?;
        e.say("stop")?;
        e.ready()?;
        e.pause(Duration::from_millis(100))?;
        e.goes_on()
    })
}

fn again(h: &mut CheckContext) -> CheckResult {
    h.case("same-position", "a legal move each time", |e| {
        for _ in 0..3 {
            e.say(&format!("position {RICH}"))?;
            e.say("go depth 2")?;
            if let Some(fault) = rules::fault(RICH, &e.hear(Duration::from_secs(1))?.best) {
                return Ok(Some(fault));
            }
        }
        Ok(None)
    })?;
    h.case("without-position", "a legal move each time", |e| {
        for go in ["position startpos moves d2d4\ngo depth 2", "go depth 3", "go depth 2"] {
            go.lines().try_for_each(|line| e.say(line))?;
            let search = e.hear(Duration::from_secs(1))?;
            if let Some(fault) = rules::fault("startpos moves d2d4", &search.best) {
                return Ok(Some(fault));
            }
        }
        Ok(None)
    })
}

fn twice(h: &mut CheckContext) -> CheckResult {
    h.case("last-counts", "a legal move of the last position", |e| {
        e.say(&format!("position {MIDDLE}"))?;
        e.say("position startpos moves e2e4 e7e5")?;
        e.glance("startpos moves d2d4")
    })
}

fn long_game(h: &mut CheckContext) -> CheckResult {
    let position = format!("startpos moves {}", long().join(" "));
    h.case("600-plies", "a legal move", |e| e.glance(&position))?;
    h.case("afterwards", "a legal move", |e| e.glance(START))
}

/// A legal game of so many plies, with little done in it: a fixed walk, so that each run plays the same.
fn long() -> Vec<String> {
    let mut board = Chess::default();
    let mut seed: u64 = 5;
    let mut moves = Vec::new();
    while moves.len() < PLIES {
        let mut legal = board.legal_moves();
        let sets_back = |mv: &shakmaty::Move| mv.is_capture() || mv.role() == Role::Pawn;
        let wanted = board.halfmoves() >= QUIET;
        if legal.iter().any(|mv| sets_back(mv) == wanted) {
            legal.retain(|mv| sets_back(mv) == wanted);
        }
        if legal.iter().any(|mv| !mv.is_capture()) {
            legal.retain(|mv| !mv.is_capture());
        }
        // Knuth's congruential generator; its high bits.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(mv) = legal.get((seed >> 33) as usize % legal.len().max(1)).copied() else { break };
        moves.push(mv.to_uci(CastlingMode::Standard).to_string());
        board.play_unchecked(mv);
    }
    moves
}

fn reversible(h: &mut CheckContext) -> CheckResult {
    for plies in [128_usize, 300] {
        let mut position = "startpos moves".to_owned();
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(plies) {
            let _ = write!(position, " {mv}");
        }
        h.case(&format!("{plies}-plies"), "a legal move", |e| e.glance(&position))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_game_is_one() {
        let moves = long();
        assert_eq!(moves.len(), PLIES);
        let mut board = Chess::default();
        for mv in &moves {
            board = rules::after(&board, mv).unwrap();
            assert!(board.halfmoves() < 100, "nobody may have claimed a draw");
        }
        assert!(rules::moves(&board).len() > 1);
    }
}
