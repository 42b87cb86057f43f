//! Principal variations up to the end of the game.

use std::time::Duration;

use shakmaty::{Chess, Position};
use uci::{Bound, Score, Search};

use super::abort::{Abort, CaseProblem, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::{CASTLING_MATES, MATE_IN_1, MATE_IN_2};
use super::rules;
use super::session::CheckSession;
use suites::SharedCause;

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/pv-over", "After checkmate and stalemate no move is legal.", over)
        .with_cause(SharedCause::IllegalLine),
    ProtocolCheck::new("protocol/pv-dead", "No side can mate any more: the game is over.", dead),
    ProtocolCheck::new("protocol/pv-mate", "Users want to see the mate that is announced.", mate),
];

/// The longest search. Then `stop` is sent.
const LONGEST: Duration = Duration::from_millis(400);

/// Positions with mates in one to three moves.
const MATES: [&str; 8] = [
    MATE_IN_1,
    CASTLING_MATES,
    MATE_IN_2,
    "fen r1b1kb2/pp5r/4p3/7p/2R1pn2/3q4/P4P1P/4B1K1 b - - 3 27",
    "fen 4k3/1R3NBp/4p3/1P6/2p5/3B1P2/6PP/5K1R w - - 0 31",
    "fen 8/3p1kpp/4p3/8/2pP2P1/4P2P/p5r1/1rR2K2 b - - 3 34",
    "fen k1r5/p5R1/3Q4/Bp6/3pPP2/P2P4/1PP1N3/R3K3 w Q - 0 34",
    "fen 2r3k1/4Q2p/7R/pP1b4/8/P1N5/1P2BPP1/R3K3 w - - 1 30",
];
/// Positions that are close to a stalemate.
const STALEMATES: [&str; 2] = ["fen 7k/7P/8/6K1/8/8/8/8 w - - 0 1", "fen k7/P7/8/1K6/8/8/8/8 w - - 0 1"];
/// Positions in which the last pawns are exchanged.
const DEAD: [&str; 3] = [
    "fen 7k/8/8/8/8/8/1q6/K7 w - - 0 1",
    "fen 8/8/8/3k4/4P3/8/6K1/8 b - - 0 1",
    "fen 8/6k1/8/5N2/8/8/1p6/1K6 b - - 0 1",
];

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Checkmate,
    Stalemate,
    /// Neither side has the material to mate.
    Dead,
}

impl Ending {
    fn from_board(board: &Chess) -> Option<Self> {
        if board.is_checkmate() {
            Some(Self::Checkmate)
        } else if board.is_stalemate() {
            Some(Self::Stalemate)
        } else {
            board.is_insufficient_material().then_some(Self::Dead)
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Dead => "the last man that could mate was taken",
        }
    }
}

/// How the game ended within a line that goes on, with the next move. Another check reports an illegal move
/// before the end, or in a dead position.
fn past_end<'a>(board: &Chess, line: &'a [String]) -> Option<(Ending, &'a str)> {
    let mut board = board.clone();
    for text in line {
        let next = rules::after(&board, text);
        if let Some(ending) = Ending::from_board(&board) {
            return (ending != Ending::Dead || next.is_some()).then_some((ending, text));
        }
        board = next?;
    }
    None
}

/// The first line that goes on after such an end of the game. The session ends with the position of this
/// line, which is the position of the finding.
fn line_past_end(
    session: &mut CheckSession,
    positions: &[&'static str],
    wanted: fn(Ending) -> bool,
) -> Result<CaseProblem, Abort> {
    for position in positions {
        let search = session.search(position, 6, LONGEST)?;
        let board = rules::board(position);
        let pvs = search.infos.iter().filter_map(|(_, info)| info.pv.as_ref());
        let past = pvs.filter_map(|pv| past_end(&board, pv)).find(|(ending, _)| wanted(*ending));
        if let Some((ending, mv)) = past {
            let position = position.trim_start_matches("fen ");
            return Ok(Some(format!("{mv} after {} in a pv of {position}", ending.name()).into()));
        }
    }
    Ok(None)
}

fn over(check: &mut CheckContext) -> CheckResult {
    check.case("mates-and-stalemates", "no move after checkmate or stalemate", |session| {
        line_past_end(session, &[&MATES[..], &STALEMATES].concat(), |ending| ending != Ending::Dead)
    })
}

fn dead(check: &mut CheckContext) -> CheckResult {
    check.case("dead-positions", "no move in a position that nobody can win", |session| {
        line_past_end(session, &DEAD, |ending| ending == Ending::Dead)
    })
}

fn mate(check: &mut CheckContext) -> CheckResult {
    check.case("mates", "a pv to the mate", |session| {
        let mut has_mates = false;
        for position in MATES {
            let search = session.search(position, 6, LONGEST)?;
            let Some((moves, plies)) = announced(&search) else { continue };
            has_mates = true;
            let whole = 2 * moves - 1;
            if plies < whole {
                let position = position.trim_start_matches("fen ");
                return Ok(Some(format!("mate {moves} with a pv of {plies} moves of {whole} in {position}")));
            }
        }
        if has_mates { Ok(None) } else { Err(Abort::Unsupported) }
    })
}

/// The mate of the last exact score of a search, in moves, and the plies of its line.
pub(super) fn announced(search: &Search) -> Option<(usize, usize)> {
    let last = search.infos.iter().rev().find_map(|(_, info)| match (info.score?, info.pv.as_ref()?) {
        ((score, Bound::Exact), pv) => Some((score, pv.len())),
        _ => None,
    });
    match last? {
        (Score::Mate(moves @ 1..), plies) => Some((usize::try_from(moves).ok()?, plies)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use oracle::prover::{ProverLimits, ProverVerdict, prove};

    use super::*;

    #[test]
    fn the_mates_are_as_documented() {
        let moves =
            MATES.map(|position| match prove(&rules::board(position), 3, &ProverLimits::default()).verdict {
                ProverVerdict::Mate { moves, .. } => moves,
                _ => 0,
            });
        assert_eq!(moves, [1, 1, 2, 2, 2, 3, 3, 3]);
    }

    #[test]
    fn a_line_ends_with_the_game() {
        let past = |position: &str, line: &str| {
            let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
            past_end(&rules::board(position), &line)
                .map(|(ending, mv)| format!("{mv} after {}", ending.name()))
        };
        assert_eq!(past(MATE_IN_1, "a1a8"), None);
        assert_eq!(past(MATE_IN_1, "a1a8 g8h8").unwrap(), "g8h8 after checkmate");
        assert_eq!(past(STALEMATES[0], "g5h6 a1a2").unwrap(), "a1a2 after stalemate");
        assert_eq!(past(DEAD[0], "a1b2"), None);
        assert_eq!(past(DEAD[0], "a1b2 h8g8").unwrap(), "h8g8 after the last man that could mate was taken");
        assert_eq!(past(DEAD[0], "a1b2 h8a8"), None);
    }
}
