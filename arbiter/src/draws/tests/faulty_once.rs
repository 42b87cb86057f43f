//! Players that are wrong at times: a wrong answer that comes again is a finding, one that does not is a
//! note.

use super::*;

/// When a win is scored as a draw.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In the first search of all.
    First,
    /// In each process, from its second search on.
    Later,
    /// The same, except in deeper searches.
    LaterNotDeeper,
}

/// Checks the verdicts on four wins in turn, and how findings are reported.
#[track_caller]
fn check(when: When, verdicts: [DrawVerdict; 4], check: &str, nodes: u64, ends: &str) {
    check_of(|player| player, when, verdicts, check, nodes, ends);
}

#[track_caller]
fn check_of(
    kind: fn(ScriptedPlayer) -> ScriptedPlayer,
    when: When,
    verdicts: [DrawVerdict; 4],
    check: &str,
    nodes: u64,
    ends: &str,
) {
    let cases: Vec<DrawCase> = CASES
        .iter()
        .filter(|case| case.result == GameResult::Win && case.due.is_none())
        .take(4)
        .cloned()
        .collect();
    let player = ScriptedPlayer::new(move |question, before| {
        let game = Game::new(&question.fen, &question.moves).unwrap();
        let is_wrong = match when {
            When::First => before.in_all == 0,
            When::Later => before.in_process > 0,
            When::LaterNotDeeper => before.in_process > 0 && !is_deeper(question.limit),
        };
        Ok(if is_wrong { reply(Score::Centipawns(0), answer(&game).best) } else { answer(&game) })
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let outcome = pool.install(|| put_to(&kind(player.searching_selectively()), Effort::Plain, &cases));
    let found: Vec<DrawVerdict> = outcome.rows.iter().map(|row| row.verdict).collect();
    assert_eq!(found, verdicts);
    for found in outcome.findings.iter().flat_map(|found| &found.differences) {
        assert_eq!(found.check, check);
        assert!(found.explanation.ends_with(ends), "{found:#?}");
        assert!(found.replay.ends_with(&format!("go nodes {nodes}")), "{found:#?}");
    }
}

#[test]
fn a_fault_that_comes_again_is_a_finding_and_one_that_does_not_is_a_note() {
    use DrawVerdict::{Agree, Flaky, FoundDeeper, Missed, Score};
    let [once, in_same] = [Reproduction::Never, Reproduction::SameProcess].map(|how| how.words().unwrap());
    check(When::First, [Flaky, Agree, Agree, Agree], "draw/flaky", NODES, &once);
    check(When::Later, [Agree, Score, Score, Score], "draw/score", NODES * DEEPER, &in_same);
    check_of(ScriptedPlayer::keeping_time, When::First, [Missed, Agree, Agree, Agree], "", 0, "");
    check(When::LaterNotDeeper, [Agree, FoundDeeper, FoundDeeper, FoundDeeper], "", 0, "");
}

#[test]
fn a_score_that_comes_only_after_other_questions_is_chance() {
    assert!(is_chance(DrawVerdict::Score, Reproduction::AfterOthers(4)));
    assert!(!is_chance(DrawVerdict::Move, Reproduction::AfterOthers(4)));
    assert!(!is_chance(DrawVerdict::Score, Reproduction::FreshProcess));
    assert!(!is_chance(DrawVerdict::Score, Reproduction::SameProcess));
}
