//! `SyzygyPath`: a program that has the tables of three men knows the results of such positions.

use std::time::Duration;

use shakmaty::{Chess, Position};
use suites::Answer;
use uci::{Bound, Score, Search};

use super::abort::{Abort, CaseProblem, CheckResult};
use super::context::{CheckContext, NamedCase, ProtocolCheck};
use super::rules;
use super::session::CheckSession;
use crate::findings::DRAW_TOLERANCE;

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/syzygy-move", "The tables tell which moves keep the result.", moves),
    ProtocolCheck::new("protocol/syzygy-score", "The tables tell who wins.", score),
    ProtocolCheck::new(
        "protocol/syzygy-used",
        "Users who set the folder expect that the tables are used.",
        used,
    ),
];

/// The option.
const OPTION: &str = "SyzygyPath";
/// The depth of a search in plies, at which few of these positions are solved without tables.
const DEPTH: u16 = 6;
/// The longest search. Then `stop` is sent.
const LONGEST: Duration = Duration::from_millis(800);

/// The result of a position, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    Won,
    Drawn,
    Lost,
}

/// A position of three men.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    position: &'static str,
    value: Value,
    /// The only move that keeps the result. Empty if there are others.
    only: &'static str,
}

impl NamedCase for Case {
    fn name(&self) -> &str {
        self.name
    }
}

const fn case(name: &'static str, position: &'static str, value: Value, only: &'static str) -> Case {
    Case { name, position, value, only }
}

const CASES: [Case; 9] = [
    case("KPvK-won-pawn-move", "fen 8/1K6/8/8/8/1P6/2k5/8 w - - 0 1", Value::Won, "b3b4"),
    case("KPvK-won-king-move", "fen 8/6k1/8/8/8/8/4P2K/8 w - - 0 1", Value::Won, "h2g3"),
    case("KPvK-won-opposition", "fen 5k2/8/6K1/2P5/8/8/8/8 w - - 0 1", Value::Won, "g6f6"),
    case("KPvK-drawn-opposition", "fen 8/8/3k4/8/4K3/3P4/8/8 b - - 0 1", Value::Drawn, "d6e6"),
    case("KPvK-drawn-king-move", "fen 8/8/K7/8/8/4k3/2P5/8 b - - 0 1", Value::Drawn, "e3d4"),
    case("KPvK-drawn-rook-pawn", "fen 8/8/5k2/8/3K3P/8/8/8 w - - 0 1", Value::Drawn, ""),
    case("KPvK-lost", "fen 8/8/P6K/8/8/4k3/8/8 b - - 0 1", Value::Lost, ""),
    case("KRvK-won", "fen 8/K7/8/6R1/5k2/8/8/8 w - - 0 1", Value::Won, ""),
    case("KQvK-won", "fen 8/1Q6/8/8/8/6K1/k7/8 w - - 0 1", Value::Won, ""),
];

/// A search with the tables, after `ucinewgame`, so that nothing is left of the case before. The option is set once
/// for each process, as interfaces do.
fn search(session: &mut CheckSession, position: &str) -> Result<Search, Abort> {
    session.option(OPTION)?;
    let folder = session.syzygy().ok_or(Abort::Unsupported)?;
    let line = format!("setoption name {OPTION} value {folder}");
    if !session.sent().any(|sent| sent == line) {
        session.send(&line)?;
    }
    session.send("ucinewgame")?;
    session.ready()?;
    session.search(position, DEPTH, LONGEST)
}

fn moves(check: &mut CheckContext) -> CheckResult {
    check.each(CASES, "a move that keeps the result", |session, case| {
        let best = probed(search(session, case.position))?.best;
        let illegal = rules::problem(case.position, &best);
        let keeps = keeps(&case, &rules::board(case.position), &best.text);
        Ok(illegal
            .or_else(|| (!keeps).then(|| Answer::BestMove { text: best.text.clone(), more: String::new() })))
    })
}

/// Whether a move keeps the result. With a rook or a queen, a move does so unless it loses the piece at once
/// or stalemates Black.
fn keeps(case: &Case, board: &Chess, mv: &str) -> bool {
    if case.value != Value::Won || !case.only.is_empty() {
        return case.only.is_empty() || mv == case.only;
    }
    rules::after(board, mv)
        .is_some_and(|after| !after.is_stalemate() && after.legal_moves().iter().all(|mv| !mv.is_capture()))
}

fn score(check: &mut CheckContext) -> CheckResult {
    check.each(CASES, "a score of the same result", |session, case| {
        let told = told(&probed(survived(session, case.position))?);
        Ok(contradiction(case.value, told.ok_or(Abort::Unsupported)?))
    })
}

fn used(check: &mut CheckContext) -> CheckResult {
    check.case("all", "tbhits above 0 in one of these positions at least", |session| {
        let mut wrong = None;
        for case in CASES {
            let search = survived(session, case.position)?;
            if search.infos.iter().all(|(_, info)| info.tbhits.is_none()) {
                return Err(Abort::Unsupported);
            }
            if !has_no_hits(&search) {
                return Ok(None);
            }
            let score = told(&search).and_then(|score| contradiction(case.value, score));
            wrong =
                wrong.or(score.map(|score| format!("tbhits 0 in all searches; {score} in {}", case.name)));
        }
        // A program without a hit and without a wrong score shows nothing.
        wrong.map(Some).ok_or(Abort::Unsupported)
    })
}

/// A search with the tables by a program that does not fail. Another check reports failures.
fn survived(session: &mut CheckSession, position: &str) -> Result<Search, Abort> {
    search(session, position).map_err(|abort| match abort {
        Abort::Failed(_) => Abort::FailedElsewhere,
        other => other,
    })
}

/// A search that used the tables, or does not tell. Another check reports a program that does not use them.
fn probed(search: Result<Search, Abort>) -> Result<Search, Abort> {
    search.and_then(|search| if has_no_hits(&search) { Err(Abort::Unsupported) } else { Ok(search) })
}

/// Whether a search says that it used no table.
fn has_no_hits(search: &Search) -> bool {
    let mut hits = search.infos.iter().filter_map(|(_, info)| info.tbhits).peekable();
    hits.peek().is_some() && hits.all(|hits| hits == 0)
}

/// The last exact score of a search.
fn told(search: &Search) -> Option<Score> {
    search.infos.iter().rev().find_map(|(_, info)| match info.score? {
        (score, Bound::Exact) => Some(score),
        _ => None,
    })
}

/// What is wrong with a score as the value of a position.
fn contradiction(value: Value, score: Score) -> CaseProblem {
    let told = match score {
        Score::Centipawns(centipawns) if centipawns.abs() <= DRAW_TOLERANCE => Value::Drawn,
        Score::Centipawns(worth) | Score::Mate(worth) if worth > 0 => Value::Won,
        Score::Centipawns(_) | Score::Mate(_) => Value::Lost,
    };
    (told != value).then(|| format!("score {score}").into())
}

#[cfg(test)]
mod tests {
    use oracle::board::uci_moves;
    use oracle::knowledge::three_men;
    use oracle::table_probe::{TableProbe, Wdl};

    use super::*;

    #[test]
    fn the_positions_are_as_documented() {
        let tables = three_men().unwrap();
        let value = |board: &Chess| {
            if board.is_insufficient_material() {
                return Value::Drawn;
            }
            match tables.probe(board.board(), board.turn()).unwrap().wdl {
                Wdl::Win => Value::Won,
                Wdl::Draw => Value::Drawn,
                Wdl::Loss => Value::Lost,
            }
        };
        for case in CASES {
            let board = rules::board(case.position);
            assert_eq!(value(&board), case.value, "{}", case.name);
            for mv in uci_moves(&board) {
                let after = value(&rules::after(&board, &mv).unwrap());
                let kept = match case.value {
                    Value::Won => after == Value::Lost,
                    Value::Drawn => after == Value::Drawn,
                    Value::Lost => true,
                };
                assert_eq!(keeps(&case, &board, &mv), kept, "{} {mv}", case.name);
            }
        }
    }

    #[test]
    fn a_score_tells_one_result() {
        let told = [Score::Centipawns(20_000), Score::Mate(9), Score::Centipawns(40), Score::Mate(-9)];
        let right = |value| told.map(|score| contradiction(value, score).is_none());
        assert_eq!(right(Value::Won), [true, true, false, false]);
        assert_eq!(right(Value::Drawn), [false, false, true, false]);
        assert_eq!(right(Value::Lost), [false, false, false, true]);
    }
}
