//! Parts of a run: stored as JSON, read back and put together, they give the reports of the whole run.

use std::time::Duration;

use reports::Run;
use suites::catalogue::Severity;

use crate::fixture;

fn stored(run: &Run) -> String {
    serde_json::to_string(run).unwrap()
}

/// A run with something in each field.
fn full() -> Run {
    let mut run = Run { engine: Some(fixture::card()), fails_from: Severity::Warning, ..fixture::run() };
    for (number, check) in run.checks.iter_mut().enumerate() {
        check.duration = Some(Duration::from_nanos(1 + 1_000_000_007 * number as u64));
    }
    run
}

/// Each second row of all reports in one part, the others in the other.
fn halves(run: &Run) -> [Run; 2] {
    fn each_second<T: Clone>(rows: &[T], first: usize) -> Vec<T> {
        rows.iter().skip(first).step_by(2).cloned().collect()
    }
    [0, 1].map(|first| Run {
        checks: each_second(&run.checks, first),
        differences: each_second(&run.differences, first),
        census: each_second(&run.census, first),
        histogram: each_second(&run.histogram, first),
        perft: each_second(&run.perft, first),
        stalemates: each_second(&run.stalemates, first),
        signatures: each_second(&run.signatures, first),
        stalemates_subjects: each_second(&run.stalemates_subjects, first),
        mates: each_second(&run.mates, first),
        best_moves: each_second(&run.best_moves, first),
        conversion: each_second(&run.conversion, first),
        wins_thrown: each_second(&run.wins_thrown, first),
        draws: each_second(&run.draws, first),
        dump: each_second(&run.dump, first),
        edge_cases: each_second(&run.edge_cases, first),
        protocol: each_second(&run.protocol, first),
        knowledge: each_second(&run.knowledge, first),
        fails_from: run.fails_from,
        engine: run.engine.clone().filter(|_| first == 1),
        regression: run.regression.as_ref().map(|rows| each_second(rows, first)),
        folder: run.folder.clone(),
    })
}

#[test]
fn a_run_is_read_as_it_was_stored() {
    let run = full();
    assert_eq!(serde_json::from_str::<Run>(&stored(&run)).unwrap(), run);
    assert_eq!(serde_json::from_str::<Run>(&stored(&Run::default())).unwrap(), Run::default());
}

#[test]
fn what_is_no_stored_run_is_refused() {
    let check = |from: &str, to: &str, part: &str| {
        let text = stored(&full()).replacen(from, to, 1);
        assert_ne!(text, stored(&full()), "{from}");
        let error = serde_json::from_str::<Run>(&text).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    };
    check("\"census\":", "\"censuses\":", "unknown field `censuses`");
    check("\"fails_from\":\"warning\"", "\"fails_from\":\"worry\"", "\"worry\"");
    check("\"evidence\":\"certificate\"", "\"evidence\":\"hearsay\"", "\"hearsay\"");
}

#[test]
fn parts_in_any_order_give_the_reports_of_the_whole() {
    let run = full();
    let [first, second] = halves(&run);
    assert_ne!(first.files(), run.files());
    for (mut one, other) in [(first.clone(), second.clone()), (second, first)] {
        one.absorb(other);
        assert_eq!(one.files(), run.files());
        assert_eq!(one.fails_from, run.fails_from);
        assert_eq!(reports::json::document(&one), reports::json::document(&run));
        assert_eq!(reports::markdown::document(&one), reports::markdown::document(&run));
        assert_eq!(reports::github::annotations(&one, 10), reports::github::annotations(&run, 10));
    }
}

#[test]
fn engines_of_a_field_test_are_read_as_they_were_stored() {
    use reports::field_report::{FieldEntry, FieldOutcome, ReplayResult, document};
    let run = full();
    let replay = run.differences[0].replay.to_string();
    let checked = FieldOutcome::Checked {
        run: Box::new(run),
        took: Duration::from_millis(1_234),
        replayed: [(replay, ReplayResult::Shown)].into(),
    };
    let outcomes = [FieldOutcome::Absent, FieldOutcome::Failed("it does not start".to_owned()), checked];
    let entries = outcomes.map(|outcome| FieldEntry {
        name: "mine".to_owned(),
        command: "mine --uci".to_owned(),
        outcome,
    });
    let stored = serde_json::to_string(&entries).unwrap();
    let read: Vec<FieldEntry> = serde_json::from_str(&stored).unwrap();
    assert_eq!(read, entries);
    assert_eq!(document(&read, &[]), document(&entries, &[]));
}
