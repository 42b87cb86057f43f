//! Which moves are searched, and how many are told of.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::abort::{Abort, CheckResult};
use super::context::Check;
use super::context::CheckContext;
use super::positions::{MATE_IN_1, MIDDLE, RICH, START, TWO_MOVES};
use super::rules;
use super::session::Session;
use uci::{Bound, Score};
use uci::{Info, Search};

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/searchmoves", "UCI: the search is restricted to these moves only.", searchmoves),
    Check::new("protocol/multipv", "Users ask for so many lines, and read them by their numbers.", count),
    Check::new("protocol/multipv-distinct", "Two lines with the same move are one line.", distinct),
    Check::new("protocol/multipv-order", "Line 1 is read as the best.", order),
    Check::new("protocol/multipv-best", "The move of line 1 is the move that is played.", best),
];

/// How long a search of some depth lasts at most.
const LONGEST: Duration = Duration::from_millis(800);

fn searchmoves(h: &mut CheckContext) -> CheckResult {
    let cases: [(&str, &str, &[&str]); 4] = [
        ("one-move", START, &["a2a3"]),
        ("two-moves", MIDDLE, &["g8h8", "a7a5"]),
        ("not-the-mate", MATE_IN_1, &["h1g1", "h1h2"]),
        ("castling", RICH, &["e1c1"]),
    ];
    for (case, position, moves) in cases {
        h.case(case, &format!("one of {}", moves.join(", ")), |e| {
            let search = e.go(position, &format!("depth 3 searchmoves {}", moves.join(" ")), LONGEST)?;
            let best = search.best.text;
            Ok((!moves.contains(&best.as_str())).then(|| format!("bestmove {best}")))
        })?;
    }
    Ok(())
}

/// The lines of one depth, by number.
type Lines = BTreeMap<u32, Info>;

/// A search with so many lines; the last of each number of the last depth that has as many as any.
fn lines(e: &mut Session, position: &str, lines: u32, depth: u32) -> Result<(Lines, Search), Abort> {
    let option = e.option("MultiPV")?;
    let most = option.max.unwrap_or(1);
    if most < i64::from(lines) {
        return Err(Abort::Unsupported);
    }
    e.set_option("MultiPV", &lines.to_string())?;
    let search = e.go(position, &format!("depth {depth}"), LONGEST)?;
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

fn count(h: &mut CheckContext) -> CheckResult {
    for (case, position, asked, due) in [("three", MIDDLE, 3, 3), ("two-of-four", TWO_MOVES, 4, 2)] {
        h.case(case, &format!("lines 1 to {due}"), |e| {
            let (lines, _) = lines(e, position, asked, 5)?;
            let numbers: Vec<u32> = lines.into_keys().collect();
            let right = numbers == (1..=due).collect::<Vec<_>>();
            Ok((!right).then(|| format!("lines {numbers:?}")))
        })?;
    }
    Ok(())
}

fn distinct(h: &mut CheckContext) -> CheckResult {
    for position in [START, RICH, TWO_MOVES] {
        h.case(position, "lines with other first moves", |e| {
            let (lines, _) = lines(e, position, 4, 5)?;
            let first: Vec<&String> = lines.values().filter_map(|line| line.pv.as_ref()?.first()).collect();
            let distinct: BTreeSet<&String> = first.iter().copied().collect();
            Ok((distinct.len() < first.len()).then(|| format!("first moves {first:?}")))
        })?;
    }
    Ok(())
}

fn order(h: &mut CheckContext) -> CheckResult {
    for position in [START, RICH, MIDDLE] {
        h.case(position, "no line is better than the one before", |e| {
            let (lines, _) = lines(e, position, 4, 5)?;
            let values: Vec<i64> = lines.values().filter_map(|line| Some(value(line.score?.0))).collect();
            Ok((!values.is_sorted_by(|one, next| one >= next)).then(|| "a later line is better".to_owned()))
        })?;
    }
    Ok(())
}

/// Scores in their order: mates are beyond all hundredths of pawns, the shorter ones further.
fn value(score: Score) -> i64 {
    const MATE: i64 = 1 << 40;
    match score {
        Score::Centipawns(hundredths) => hundredths.into(),
        Score::Mate(moves) if moves > 0 => MATE - i64::from(moves),
        Score::Mate(moves) => -MATE - i64::from(moves),
    }
}

fn best(h: &mut CheckContext) -> CheckResult {
    for position in [START, RICH, MATE_IN_1] {
        h.case(position, "the first move of line 1", |e| {
            let (lines, search) = lines(e, position, 3, 5)?;
            if search.stopped {
                return Err(Abort::Unsupported);
            }
            let first = lines.get(&1).and_then(|line| line.pv.as_ref()?.first().cloned());
            let first = first.filter(|first| rules::after(&rules::board(position), first).is_some());
            let other = first.filter(|first| *first != search.best.text);
            Ok(other.map(|first| format!("bestmove {}, line 1 with {first}", search.best.text)))
        })?;
    }
    Ok(())
}
