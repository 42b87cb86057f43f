//! Series of positions in one process: players that are wrong alone, after other positions, or once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use oracle::knowledge::three_men;
use suites::{Findings, SkipReason};
use uci::{Bound, Limit, Line, Question, Reply, Score};

use super::run_warm_hash;
use crate::scripted::{Before, ScriptedPlayer};
use crate::{Effort, NoProgress, SuiteContext};
use oracle::authorities::Authorities;

/// The findings on a player with these scores at depth 5.
fn findings(score: impl Fn(Before) -> Score + Send + Sync + 'static, knows_tables: bool) -> Findings {
    findings_by_question(move |_, before| score(before), knows_tables)
}

/// The same, of scores that depend on the question.
fn findings_by_question(
    score: impl Fn(&Question, Before) -> Score + Send + Sync + 'static,
    knows_tables: bool,
) -> Findings {
    findings_by_lines(move |question, before| vec![exact(5, score(question, before))], knows_tables)
}

/// A line of a depth with an exact score.
fn exact(depth: u32, score: Score) -> Line {
    Line { depth, score, bound: Bound::Exact, nodes: None, pv: Vec::new() }
}

/// The findings on a player with these lines.
fn findings_by_lines(
    lines: impl Fn(&Question, Before) -> Vec<Line> + Send + Sync + 'static,
    knows_tables: bool,
) -> Findings {
    let player = ScriptedPlayer::new(move |question, before| {
        Ok(Reply { lines: lines(question, before), best: None, cut: false })
    });
    let truth = three_men().unwrap();
    let authorities = Authorities { truth: knows_tables.then_some(truth as _), ..Authorities::default() };
    let players = &player.searching_selectively();
    let (effort, authorities) = (Effort::Quick, &authorities);
    let context = SuiteContext { players, authorities, effort, seed: 1, limit: None, progress: &NoProgress };
    run_warm_hash(&context).findings.swap_remove(0)
}

/// The checks and explanations of the findings.
fn told(findings: &Findings) -> Vec<(&str, &str)> {
    findings.differences.iter().map(|found| (&*found.check, &*found.explanation)).collect()
}

#[test]
fn a_false_mate_is_found_alone_or_after_other_positions() {
    let alone = findings(|_| Score::Mate(1), true);
    assert!(alone.differences.iter().all(|found| found.check == "mate/unsound"), "{alone:#?}");
    assert_eq!(alone.differences.len(), 3);
    let late = |from: u32| {
        findings(
            move |before| if before.in_process < from { Score::Centipawns(500) } else { Score::Mate(1) },
            true,
        )
    };
    let three = "a fresh process does not say so; it does after 3 other positions, without ucinewgame";
    assert_eq!(told(&late(3)), [("mate/warm-hash", three); 3]);
    let replay = &late(3).differences[0].replay;
    assert!(replay.contains("movetime"), "{replay}");
    let one = "a fresh process does not say so; it does after 1 other position, without ucinewgame";
    assert_eq!(told(&late(1)), [("mate/warm-hash", one); 3]);
    // The fourth question of the series that comes to it first: three questions before it are tried.
    let is_told = AtomicBool::new(false);
    let once = findings(
        move |before| {
            let is_the_first = before.in_process == 3 && !is_told.swap(true, Ordering::Relaxed);
            if is_the_first { Score::Mate(1) } else { Score::Centipawns(500) }
        },
        true,
    );
    let [("mate/flaky", why)] = told(&once)[..] else { panic!("{once:#?}") };
    assert!(why.starts_with("it came in 1 of 5 tries: no fresh process repeats it, also not after"), "{why}");
}

/// A program prints the score of the first move of a depth before it has searched the others.
#[test]
fn the_last_line_of_a_finished_depth_counts() {
    let (mated, lost) = (Score::Mate(-1), Score::Centipawns(-900));
    let avoided = findings_by_lines(move |_, _| vec![exact(1, mated), exact(1, lost), exact(2, lost)], true);
    assert_eq!((told(&avoided), avoided.tally.observed), (Vec::new(), 150));
    let taken_back =
        findings_by_lines(move |_, _| vec![exact(1, Score::Mate(1)), exact(1, lost), exact(2, lost)], true);
    assert_eq!((told(&taken_back), taken_back.tally.observed), (Vec::new(), 150));
    let unfinished = findings_by_lines(move |_, _| vec![exact(1, lost), exact(2, mated)], true);
    assert_eq!(told(&unfinished), []);
    for claim in [mated, Score::Mate(1)] {
        let stated =
            findings_by_lines(move |_, _| vec![exact(1, lost), exact(1, claim), exact(2, lost)], true);
        assert_eq!(told(&stated), [("mate/unsound", "no such mate is forced"); 3], "{claim:?}");
    }
}

/// Some programs tell a mate only as a bound.
#[test]
fn a_true_mate_that_is_told_as_a_bound_is_right() {
    let told_as = |bound| {
        let line = Line { bound, ..exact(5, Score::Mate(99)) };
        let findings = findings_by_lines(move |_, _| vec![line.clone()], true);
        (findings.tally.agreed > 0, findings.tally.differed)
    };
    assert_eq!(told_as(Bound::Lower), (true, 0));
    assert_eq!(told_as(Bound::Upper), (false, 0));
}

#[test]
fn a_draw_in_a_won_position_is_found_after_other_positions_only() {
    let drawn = findings(|_| Score::Centipawns(0), true);
    assert_eq!((told(&drawn), drawn.tally.agreed), (Vec::new(), 0));
    let late = findings(|before| Score::Centipawns(if before.in_process < 3 { 500 } else { 0 }), true);
    let checks: Vec<&str> = late.differences.iter().map(|found| &*found.check).collect();
    assert_eq!(checks, ["mate/warm-draw"; 2], "KQvK and KRvK");
}

/// A search that is cut off may end with a score of nothing.
#[test]
fn a_draw_that_is_gone_with_more_time_is_observed() {
    let cut = |question: &Question, before: Before| {
        let is_short = matches!(question.limit, Limit::MoveTime(time) if time < Duration::from_millis(100));
        Score::Centipawns(if is_short && before.in_process >= 3 { 0 } else { 500 })
    };
    let cut = findings_by_question(cut, true);
    assert_eq!((told(&cut), cut.tally.differed), (Vec::new(), 0));
}

#[test]
fn a_player_that_announces_nothing_is_observed() {
    let silent = findings(|_| Score::Centipawns(500), true);
    assert_eq!((silent.tally.agreed, silent.tally.observed, silent.tally.differed), (0, 150, 0));
    let unknown = findings(|_| Score::Centipawns(500), false);
    assert_eq!(unknown.tally.skipped.get(&SkipReason::NotCertified), Some(&1));
}
