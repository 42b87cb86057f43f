//! Features that the other suites need: a search without preparation, exact scores, and mates that are
//! printed as mates.

use std::time::Duration;

use super::abort::{Abort, CaseProblem, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::{ENDING, MATE_IN_1, MATE_IN_2, MATED_IN_1, MIDDLE, START};
use super::rules;
use super::session::CheckSession;
use crate::answer;
use shakmaty::Position;
use suites::SharedCause;
use uci::{Bound, Info, Line, Score, join_bounds};

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new(
        "protocol/first-go",
        "UCI demands neither ucinewgame nor an option before go.",
        first_go,
    ),
    ProtocolCheck::new(
        "protocol/info-exact",
        "Tournament managers and users take the last score for the value of the position.",
        exact,
    ),
    ProtocolCheck::new("protocol/mate-count", "UCI counts mates in moves, not plies.", mate_count)
        .with_cause(SharedCause::MateCount),
    ProtocolCheck::new(
        "protocol/mate-form",
        "User interfaces show mates only if they are printed as mates.",
        mate_form,
    ),
];

/// Mates that every search of this depth sees, and their counts in moves.
const COUNTS: [(&str, &str, i32); 3] =
    [("mate-in-1", MATE_IN_1, 1), ("mate-in-2", MATE_IN_2, 2), ("mated-in-1", MATED_IN_1, -1)];
/// The longest first search.
const FIRST: Duration = Duration::from_secs(5);
/// The longest search. Then `stop` is sent.
const LONGEST: Duration = Duration::from_millis(600);
/// A value at least this far from 0, in centipawns, is no evaluation: it exceeds the values that engines
/// print for endgames that tables show as won.
const NO_EVALUATION: u32 = 30_000;
/// The most letters of a text that is quoted.
const QUOTED: usize = 120;

fn first_go(check: &mut CheckContext) -> CheckResult {
    check.case("startpos", "a bestmove", |session| {
        let has_set_up = session.forget_set_up();
        // It may not start without the options of the user.
        session.start().map_err(|abort| if has_set_up { Abort::FailedElsewhere } else { abort })?;
        // The first search may come before the program is warm: it is stopped later than others.
        let limit = session.of_depth(2, FIRST);
        let searched = session.judge_search(START, &limit, session.timeouts().think.min(FIRST));
        let texts = session.texts_since_go();
        if !has_set_up || texts.is_empty() {
            // Other checks report how it fails.
            return searched.map_err(|_| Abort::FailedElsewhere);
        }
        let quoted: String = texts.chars().take(QUOTED).collect();
        match searched {
            Ok(problem) => Ok(problem),
            Err(_) => Ok(Some(format!("no bestmove, but \"{quoted}\"").into())),
        }
    })
}

/// The lines of the best move.
fn lines<'a>(infos: impl IntoIterator<Item = &'a Info>) -> Vec<Line> {
    infos.into_iter().filter_map(|info| info.clone().line()).collect()
}

fn exact(check: &mut CheckContext) -> CheckResult {
    check.each(
        [START, MIDDLE, ENDING],
        "an exact score, or the same bound from both sides",
        |session, position| {
            let search = session.search(position, 6, LONGEST)?;
            let mut lines = lines(search.infos.iter().map(|(_, info)| info));
            if lines.is_empty() {
                return Err(Abort::Unsupported);
            }
            join_bounds(&mut lines);
            let has_exact = lines.iter().any(|line| line.bound == Bound::Exact);
            Ok((!has_exact).then(|| "only bounds".to_owned()))
        },
    )
}

fn mate_form(check: &mut CheckContext) -> CheckResult {
    let positions =
        [("mate-in-1", MATE_IN_1), ("mate-in-2", MATE_IN_2), ("middlegame", MIDDLE), ("endgame", ENDING)];
    check.each(
        positions,
        "score mate for a mate, and for nothing else a value as great",
        |session, (_, position)| as_centipawns(session, position),
    )
}

fn mate_count(check: &mut CheckContext) -> CheckResult {
    for (case, position, moves) in COUNTS {
        check.case(case, &format!("mate {moves}, if it announces a mate"), |session| {
            let search = session.search(position, 6, LONGEST)?;
            let lines = lines(search.infos.iter().map(|(_, info)| info));
            // Such mates are read by the scale that these positions give.
            if search.infos.iter().any(|(_, info)| info.mate_in_centipawns.is_some()) {
                return Err(Abort::Unsupported);
            }
            let last =
                lines.iter().rev().find(|line| line.bound == Bound::Exact).ok_or(Abort::Unsupported)?;
            match last.score {
                Score::Mate(printed) if printed == moves => Ok(None),
                Score::Mate(printed) if printed > 1 && mates_at_once(position, last) => {
                    Ok(Some(answer::of_score(Score::Mate(printed))))
                }
                // A longer mate may be all that a selective search has found.
                Score::Mate(printed) if moves > 0 && printed > moves => Err(Abort::Unsupported),
                Score::Mate(printed) if last.depth >= 4 || printed == 0 => {
                    Ok(Some(answer::of_score(Score::Mate(printed))))
                }
                _ => Err(Abort::Unsupported),
            }
        })?;
    }
    Ok(())
}

/// Whether the first move of a line is checkmate.
fn mates_at_once(position: &str, line: &Line) -> bool {
    let after = |mv: &String| rules::after(&rules::board(position), mv);
    line.pv.first().and_then(after).is_some_and(|after| after.is_checkmate())
}

/// The first value in centipawns that stands for a mate.
fn as_centipawns(session: &mut CheckSession, position: &str) -> Result<CaseProblem, Abort> {
    let search = session.search(position, 6, LONGEST)?;
    let mut scores =
        search.infos.iter().filter_map(|(_, info)| Some((info.mate_in_centipawns, info.score?.0))).peekable();
    if scores.peek().is_none() {
        return Err(Abort::Unsupported);
    }
    Ok(scores.find_map(|(printed, score)| match (printed, score) {
        (Some(printed), mate) => Some(format!("cp {printed}, which stands for {mate}").into()),
        (None, Score::Centipawns(value)) if value.unsigned_abs() >= NO_EVALUATION => {
            Some(answer::of_score(Score::Centipawns(value)))
        }
        _ => None,
    }))
}
