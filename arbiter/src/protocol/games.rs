//! Several games in a session, and long games.

use std::fmt::Write;
use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Position};

use super::abort::{Abort, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::{MIDDLE, RICH, START};
use super::rules;

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/newgame", "Tournament managers send it before each game.", newgame),
    ProtocolCheck::new(
        "protocol/newgame-searching",
        "A user interface that is closed in the middle of a game may send it.",
        searching,
    )
    .slow(),
    ProtocolCheck::new(
        "protocol/go-again",
        "A user interface that resumes an analysis sends no new position.",
        again,
    ),
    ProtocolCheck::new("protocol/position-twice", "Each position command replaces the one before.", twice),
    ProtocolCheck::new("protocol/long-game", "Games of 300 moves happen.", long_game),
    ProtocolCheck::new(
        "protocol/very-long-game",
        "Analyses and endgame studies are longer than games.",
        very_long,
    )
    .slow(),
    ProtocolCheck::new(
        "protocol/reversible",
        "Long manoeuvres may overflow the history of positions.",
        reversible,
    )
    .slow(),
];

/// The longest search after a game.
const SHORT: Duration = Duration::from_secs(1);
/// The length of a long game in plies.
const PLIES: usize = 600;
const MOST_PLIES: usize = 1200;
/// The lengths of games without a pawn move or capture, in plies. They lie around sizes of tables. One
/// process plays the games of one list.
const REVERSIBLE: [&[usize]; 4] = [
    &[128, 200],
    &[220, 221, 222, 223, 224, 225, 226],
    &[252, 253, 254, 255, 256, 257, 258, 259],
    &[300, 400],
];
/// The number of plies without a pawn move or capture, after which one is played if possible.
const QUIET: u32 = 40;

fn newgame(check: &mut CheckContext) -> CheckResult {
    check.case("at-start", "readyok, then a legal move", |session| {
        session.start()?;
        session.send("ucinewgame")?;
        session.check_alive()
    })?;
    check.case("between-games", "readyok, then a legal move", |session| {
        session.short_search(RICH)?;
        session.send("ucinewgame")?;
        session.ready()?;
        session.send("ucinewgame")?;
        session.check_alive()
    })?;
    check.case("without-isready", "a legal move", |session| {
        session.send("ucinewgame")?;
        session.short_search(MIDDLE)
    })
}

fn searching(check: &mut CheckContext) -> CheckResult {
    check.case("infinite", "a session that goes on after stop", |session| {
        session.begin_search(START, "infinite")?;
        session.pause(Duration::from_millis(100))?;
        session.send("ucinewgame")?;
        session.send("stop")?;
        session.ready()?;
        session.pause(Duration::from_millis(100))?;
        session.check_alive()
    })
}

fn again(check: &mut CheckContext) -> CheckResult {
    check.case("same-position", "a legal move each time", |session| {
        for _ in 0..3 {
            if let Some(problem) = session.short_search(RICH)? {
                return Ok(Some(problem));
            }
        }
        Ok(None)
    })?;
    check.case("without-position", "a legal move each time", |session| {
        session.send("position startpos moves d2d4")?;
        for depth in [2, 3, 2] {
            let limit = session.of_depth(depth, Duration::from_secs(1));
            session.send(&format!("go {limit}"))?;
            let search = session.wait_for_bestmove(Duration::from_secs(1))?;
            if let Some(problem) = rules::problem("startpos moves d2d4", &search.best) {
                return Ok(Some(problem));
            }
        }
        Ok(None)
    })
}

fn twice(check: &mut CheckContext) -> CheckResult {
    check.case("last-counts", "a legal move of the last position", |session| {
        session.send(&format!("position {MIDDLE}"))?;
        session.send("position startpos moves e2e4 e7e5")?;
        session.short_search("startpos moves d2d4")
    })
}

fn long_game(check: &mut CheckContext) -> CheckResult {
    let position = game(PLIES);
    check.case("600-plies", "a legal move", |session| session.short_search(&position))?;
    check.case("afterwards", "a legal move", |session| session.short_search(START))
}

fn very_long(check: &mut CheckContext) -> CheckResult {
    check.case("1200-plies", "a legal move", |session| {
        session.identity()?;
        // Another check reports faults in shorter games.
        if !matches!(session.short_search(&game(PLIES)), Ok(None)) {
            session.kill_process();
            return Err(Abort::FailedElsewhere);
        }
        session.short_search(&game(MOST_PLIES))
    })
}

/// A game of this many plies, as the arguments of `position`.
fn game(plies: usize) -> String {
    format!("startpos moves {}", long(plies).join(" "))
}

/// A legal game of this many plies with few pawn moves and captures. It is the same in each run.
fn long(plies: usize) -> Vec<String> {
    let mut board = Chess::default();
    let mut seed: u64 = 5;
    let mut moves = Vec::new();
    while moves.len() < plies {
        let mut legal = board.legal_moves();
        let is_zeroing = |mv: &shakmaty::Move| mv.is_zeroing();
        let wanted = board.halfmoves() >= QUIET;
        if legal.iter().any(|mv| is_zeroing(mv) == wanted) {
            legal.retain(|mv| is_zeroing(mv) == wanted);
        }
        if legal.iter().any(|mv| !mv.is_capture()) {
            legal.retain(|mv| !mv.is_capture());
        }
        // The high bits of Knuth's linear congruential generator.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(mv) = legal.get((seed >> 33) as usize % legal.len().max(1)).copied() else { break };
        moves.push(oracle::board::uci_text(mv, CastlingMode::Standard));
        board.play_unchecked(mv);
    }
    moves
}

fn reversible(check: &mut CheckContext) -> CheckResult {
    for lengths in REVERSIBLE {
        for (index, &plies) in lengths.iter().enumerate() {
            check.case(&format!("{plies}-plies"), "a legal move, or none", |session| {
                // The process of the last list ends here, with an exit status.
                if index == 0 {
                    session.start()?;
                }
                let (position, limit) = (knights(plies), session.of_depth(2, SHORT));
                let best = session.go(&position, &limit, SHORT)?.best;
                // By the seventy-five-move rule most of these games are over.
                let has_none = rules::is_no_move(&best.text);
                Ok(if has_none { None } else { rules::problem(&position, &best) })
            })?;
            // Longer games have the same fault.
            if check.has_finding() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// A game of this many plies in which the knights move out and back.
fn knights(plies: usize) -> String {
    let mut position = "startpos moves".to_owned();
    for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(plies) {
        let _ = write!(position, " {mv}");
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_game_is_legal() {
        let moves = long(MOST_PLIES);
        assert_eq!(moves.len(), MOST_PLIES);
        assert!(moves.starts_with(&long(PLIES)));
        let mut board = Chess::default();
        for mv in &moves {
            board = rules::after(&board, mv).unwrap();
            assert!(board.halfmoves() < 100, "the fifty-move rule does not apply");
        }
        assert!(board.legal_moves().len() > 1);
    }
}
