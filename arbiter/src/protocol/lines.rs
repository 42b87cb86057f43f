//! `searchmoves` and `MultiPV`.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::abort::{Abort, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::{MATE_IN_1, MIDDLE, RICH, START, TWO_MOVES};
use super::rules;
use super::session::CheckSession;
use crate::answer;
use uci::{Bound, Info, Score, Search};

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new(
        "protocol/searchmoves",
        "UCI: the search is restricted to these moves only.",
        searchmoves,
    ),
    ProtocolCheck::new("protocol/searchmoves-forgotten", "Each go stands alone.", forgotten),
    ProtocolCheck::new(
        "protocol/searchmoves-multipv",
        "UCI: the search is restricted to these moves only.",
        both,
    ),
    ProtocolCheck::new(
        "protocol/multipv",
        "Users ask for a number of lines, and read them by their numbers.",
        count,
    ),
    ProtocolCheck::new("protocol/multipv-distinct", "A move has one line only.", distinct),
    ProtocolCheck::new("protocol/multipv-order", "Line 1 is read as the best.", order),
    ProtocolCheck::new("protocol/multipv-best", "The best move is the first move of line 1.", best),
];

/// The longest search. Then `stop` is sent.
const LONGEST: Duration = Duration::from_millis(800);

fn searchmoves(check: &mut CheckContext) -> CheckResult {
    let cases: [(&str, &str, &[&str]); 4] = [
        ("one-move", START, &["a2a3"]),
        ("two-moves", MIDDLE, &["g8h8", "a7a5"]),
        ("not-the-mate", MATE_IN_1, &["h1g1", "h1h2"]),
        ("castling", RICH, &["e1c1"]),
    ];
    for (case, position, moves) in cases {
        check.case(case, &format!("one of {}", moves.join(", ")), |session| {
            let search = session.go(
                position,
                &format!("{} searchmoves {}", session.of_depth(3, LONGEST), moves.join(" ")),
                LONGEST,
            )?;
            let best = search.best.text;
            Ok((!moves.contains(&best.as_str())).then(|| answer::best_move(&best, "")))
        })?;
    }
    Ok(())
}

/// A search of a position before and after one with `searchmoves` of a move that is not legal there.
fn forgotten(check: &mut CheckContext) -> CheckResult {
    check.case("next-search", "a legal move, as before searchmoves", |session| {
        let position = "startpos moves e2e4";
        let limit = session.of_depth(3, LONGEST);
        let before = session.go(position, &limit, LONGEST)?;
        let only = session.go(START, &format!("{limit} searchmoves a2a3"), LONGEST)?;
        // Other checks report a program that has no legal move, or does not keep to the moves.
        if rules::problem(position, &before.best).is_some() || only.best.text != "a2a3" {
            return Err(Abort::FailedElsewhere);
        }
        let after = session.go(position, &limit, LONGEST)?;
        Ok(rules::problem(position, &after.best))
    })
}

fn both(check: &mut CheckContext) -> CheckResult {
    let cases: [(&str, &str, &[&str]); 2] =
        [("two-moves", RICH, &["e1c1", "a2a3"]), ("three-moves", MIDDLE, &["g8h8", "a7a5", "h7h6"])];
    for (case, position, moves) in cases {
        let expected = format!("lines that begin with {}, and no others", moves.join(", "));
        check.case(case, &expected, |session| {
            let is_given = |mv: &str| moves.contains(&mv);
            let limit = format!("{} searchmoves {}", session.of_depth(4, LONGEST), moves.join(" "));
            multipv(session, 1)?;
            // Another check reports a program that does not keep to the moves.
            if !is_given(&session.go(position, &limit, LONGEST)?.best.text) {
                return Err(Abort::FailedElsewhere);
            }
            multipv(session, moves.len() as u32 + 1)?;
            let search = session.go(position, &limit, LONGEST)?;
            let infos = || search.infos.iter().map(|(_, info)| info);
            let mut first = infos().filter_map(|info| info.pv.as_ref()?.first());
            let other =
                first.find(|mv| !is_given(mv)).map(|mv| format!("a line that begins with {mv}").into());
            let most = infos().filter_map(|info| info.multipv).max();
            let more = most.filter(|&most| most as usize > moves.len());
            let best = &search.best.text;
            Ok(other
                .or_else(|| more.map(|most| format!("multipv {most}").into()))
                .or_else(|| (!is_given(best)).then(|| answer::best_move(best, ""))))
        })?;
    }
    Ok(())
}

/// Sets the number of lines.
fn multipv(session: &mut CheckSession, lines: u32) -> CheckResult {
    if session.option("MultiPV")?.max.unwrap_or(1) < i64::from(lines) {
        return Err(Abort::Unsupported);
    }
    session.set_option("MultiPV", &lines.to_string())
}

/// The lines of one depth, by their numbers.
type Lines = BTreeMap<u32, Info>;

/// A search with `MultiPV`. Returns the lines of the last depth that has the most lines, and the search.
fn lines(
    session: &mut CheckSession,
    position: &str,
    lines: u32,
    depth: u16,
) -> Result<(Lines, Search), Abort> {
    multipv(session, lines)?;
    let search = session.search(position, depth, LONGEST)?;
    let mut depths: BTreeMap<u32, Lines> = BTreeMap::new();
    for (_, info) in &search.infos {
        let exact = matches!(info.score, Some((_, Bound::Exact)));
        if let (true, Some(depth), Some([_, ..])) = (exact, info.depth, info.pv.as_deref()) {
            depths.entry(depth).or_default().insert(info.multipv.unwrap_or(1), info.clone());
        }
    }
    let most = depths.values().map(Lines::len).max().unwrap_or_default();
    let whole = depths.into_values().rfind(|lines| lines.len() == most);
    Ok((whole.unwrap_or_default(), search))
}

fn count(check: &mut CheckContext) -> CheckResult {
    for (case, position, asked, expected) in [("three", MIDDLE, 3, 3), ("two-of-four", TWO_MOVES, 4, 2)] {
        check.case(case, &format!("lines 1 to {expected}"), |session| {
            let (lines, _) = lines(session, position, asked, 5)?;
            let numbers: Vec<u32> = lines.into_keys().collect();
            let right = numbers == (1..=expected).collect::<Vec<_>>();
            Ok((!right).then(|| format!("lines {numbers:?}")))
        })?;
    }
    Ok(())
}

fn distinct(check: &mut CheckContext) -> CheckResult {
    check.each([START, RICH, TWO_MOVES], "lines with other first moves", |session, position| {
        let (lines, _) = lines(session, position, 4, 5)?;
        let first: Vec<&String> = lines.values().filter_map(|line| line.pv.as_ref()?.first()).collect();
        let distinct: BTreeSet<&String> = first.iter().copied().collect();
        Ok((distinct.len() < first.len()).then(|| format!("first moves {first:?}")))
    })
}

fn order(check: &mut CheckContext) -> CheckResult {
    check.each([START, RICH, MIDDLE], "no line is better than the one before", |session, position| {
        let (lines, _) = lines(session, position, 4, 5)?;
        let values: Vec<i64> = lines.values().filter_map(|line| Some(value(line.score?.0))).collect();
        Ok((!values.is_sorted_by(|one, next| one >= next)).then(|| "a later line is better".to_owned()))
    })
}

/// A number that orders scores: mates lie beyond all centipawns, and shorter mates lie further out.
fn value(score: Score) -> i64 {
    const MATE: i64 = 1 << 40;
    match score {
        Score::Centipawns(centipawns) => centipawns.into(),
        Score::Mate(moves) if moves > 0 => MATE - i64::from(moves),
        Score::Mate(moves) => -MATE - i64::from(moves),
    }
}

fn best(check: &mut CheckContext) -> CheckResult {
    check.each([START, RICH, MATE_IN_1], "the first move of line 1", |session, position| {
        let (lines, search) = lines(session, position, 3, 5)?;
        if search.stopped {
            return Err(Abort::Unsupported);
        }
        let first = lines.get(&1).and_then(|line| line.pv.as_ref()?.first().cloned());
        let first = first.filter(|first| rules::after(&rules::board(position), first).is_some());
        let other = first.filter(|first| *first != search.best.text);
        Ok(other.map(|first| answer::best_move(&search.best.text, format!(", line 1 with {first}"))))
    })
}
