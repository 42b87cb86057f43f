//! What samples there are, how they add up, and what is skipped.

use std::sync::atomic::{AtomicU64, Ordering};

use suites::SkipReason;

use super::super::course::text;
use super::*;
use crate::subject::InProcess;
use crate::trials::Watch;

#[expect(clippy::unnecessary_wraps, reason = "players may fail to answer")]
fn perfect(course: &Course) -> Result<Option<String>, NoAnswer> {
    Ok(Some(text(best(course))))
}

#[test]
fn who_plays_by_the_table_wins_all_and_loses_no_ply() {
    let perfect = Player { aids: &[Aid::Tables, Aid::Hash], choose: perfect };
    // Four men are skipped: Syzygy tables are not there.
    let outcome = ask(&perfect, &certified(), Effort::Plain);
    let aids: Vec<_> = outcome.rows.iter().map(|row| (row.ending.as_str(), row.aids.to_string())).collect();
    let named = |ending, aids: &str| (ending, aids.to_owned());
    assert_eq!(
        aids,
        [
            named("KQvK", "tables+hash"),
            named("KQvK", "hash"),
            named("KRvK", "tables+hash"),
            named("KRvK", "hash"),
            named("KRvK", "tables"),
            named("KRvK", "none"),
            named("KPvK", "tables+hash"),
            named("KPvK", "hash"),
        ]
    );
    for row in &outcome.rows {
        assert_eq!((row.won, row.plies_lost, row.not_won.len()), (row.games, (row.games, 0), 0), "{row:?}");
        let demanded = matches!(row.aids.to_string().as_str(), "tables+hash" | "hash");
        assert_eq!(row.demanded, demanded.then_some(row.games));
    }
    for findings in &outcome.findings {
        let three = findings.tally.case_set.len() == 4;
        assert_eq!(findings.tally.differed, 0);
        assert_eq!(
            findings.tally.skipped.get(&SkipReason::TableMissing),
            (!three).then_some(&2),
            "{findings:?}"
        );
    }
}

#[test]
fn without_certified_tables_nothing_is_played() {
    let asked = player(|_: &Course| -> Result<Option<String>, NoAnswer> { panic!("it is not to be asked") });
    let outcome = ask(&asked, &Authorities::default(), Effort::Quick);
    assert!(outcome.rows.is_empty());
    for findings in &outcome.findings {
        assert_eq!(findings.tally.skipped.get(&SkipReason::NotCertified), Some(&1));
    }
}

/// What nobody demands is no difference, unless it is no answer.
#[test]
fn a_figure_is_no_verdict_but_silence_is() {
    let throws = Player {
        aids: &[Aid::Hash],
        choose: |course: &Course| {
            let draws = |&mv: &Move| truth(&course.after(mv)).0 != Wdl::Loss;
            let moves = course.position.legal_moves();
            Ok(Some(text(moves.into_iter().find(draws).unwrap_or_else(|| best(course)))))
        },
    };
    let rook = |outcome: &Outcome<Sample>| outcome.findings[1].tally.clone();
    let thrown = ask(&throws, &certified(), Effort::Thorough);
    assert_eq!((rook(&thrown).agreed, rook(&thrown).differed), (1, 1), "without hash it is a figure");
    let silent = Player { aids: &[Aid::Hash], choose: |_: &Course| Ok(None) };
    let silent = ask(&silent, &certified(), Effort::Thorough);
    assert_eq!((rook(&silent).agreed, rook(&silent).differed), (0, 2));
    assert_eq!(silent.findings[1].differences[1].expected, "a legal move whenever it is asked");
}

struct Count(AtomicU64, AtomicU64);

impl Watch for Count {
    fn begin(&self, cases: u64) {
        self.0.fetch_add(cases, Ordering::Relaxed);
    }

    fn advance(&self, cases: u64) {
        self.1.fetch_add(cases, Ordering::Relaxed);
    }
}

/// Our engine, which remembers one position in the next, with and without its tables.
#[test]
fn the_same_whatever_the_number_of_threads() {
    let materials = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().unwrap());
    let engine = InProcess::engine(build::production(&materials).unwrap());
    let authorities = certified();
    let play = |threads| {
        let watch = Count(AtomicU64::new(0), AtomicU64::new(0));
        let trial = Trial {
            subjects: &engine,
            authorities: &authorities,
            effort: Effort::Quick,
            seed: 3,
            watch: &watch,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let outcome = pool.install(|| run(&trial, LIMIT));
        assert_eq!((watch.0.into_inner(), watch.1.into_inner()), (12, 12));
        outcome
    };
    let alone = play(1);
    assert_eq!(alone, play(3));
    let perfect = alone.rows.iter().filter(|row| row.aids.has(Aid::Tables));
    assert!(perfect.clone().count() == 3 && perfect.clone().all(|row| row.plies_lost == (row.games, 0)));
}
