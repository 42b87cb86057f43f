//! Won endings that are played out: the rows of the reports.

use std::collections::BTreeSet;

use reports::{ConversionRow, WinThrownRow};

use crate::runs::{self, PLAIN, Run};

/// The rows of a run: every demanded win is won, and each game that is not won is listed.
fn check_rows(run: &Run, endings: &[&str]) -> Vec<ConversionRow> {
    let rows: Vec<ConversionRow> = run.sandbox.rows();
    let thrown: Vec<WinThrownRow> = run.sandbox.rows();
    let found: BTreeSet<&str> = rows.iter().map(|row| row.ending.as_str()).collect();
    assert_eq!(found, endings.iter().copied().collect());
    for row in &rows {
        assert!(row.games > 0 && row.demanded.is_none_or(|demanded| row.won >= demanded), "{row:?}");
        let not_won = row.thrown + row.fifty_moves + row.repetition + row.unanswered;
        assert_eq!(row.won + not_won, row.games, "{row:?}");
        let listed = thrown.iter().filter(|game| game.ending == row.ending && game.aids == row.aids);
        assert_eq!(listed.count() as u64, not_won, "{row:?}");
        let elementary = row.ending.ends_with("vK");
        assert_eq!(row.plies_lost.is_some(), elementary && row.won > 0, "{row:?}");
        assert_eq!(row.limit, "nodes 20000");
    }
    rows
}

#[test]
fn a_quick_run_wins_what_it_must() {
    let run = runs::verify("--suite conversion --quick");
    let rows = check_rows(&run, &["KPvK", "KQvK", "KRvK"]);
    assert_eq!(rows.len(), 6);
}

#[test]
#[ignore = "nightly: a plain run of all tables and suites takes minutes"]
fn a_plain_run_plays_every_ending_and_wins_what_it_must() {
    let endings = ["KBBvK", "KBNvK", "KPvK", "KQvK", "KQvKP", "KQvKR", "KRvK", "KRvKB", "KRvKN", "KRvKP"];
    let rows = check_rows(&PLAIN, &endings);
    let rook = rows.iter().filter(|row| row.ending == "KRvK");
    assert_eq!(rook.count(), 13, "all aids, without each, with and without tables; none, each alone");
}

fn rows(run: &Run, endings: &[&str]) -> (Vec<ConversionRow>, Vec<WinThrownRow>) {
    let (mut rows, mut thrown): (Vec<ConversionRow>, Vec<WinThrownRow>) =
        (run.sandbox.rows(), run.sandbox.rows());
    rows.retain(|row| endings.contains(&row.ending.as_str()));
    thrown.retain(|row| endings.contains(&row.ending.as_str()));
    (rows, thrown)
}

/// The certified tables and Syzygy's have the same value for every position. A specimen plays badly: its games
/// and its thrown wins are the same to the last move under both judges.
#[test]
fn the_judges_agree_and_so_do_the_threads() {
    let certified = runs::verify("--suite conversion --subject micromax --nodes 200 --jobs 1");
    let syzygy = runs::verify("--suite conversion --subject micromax --nodes 200 --jobs 2 --tables KvK");
    let endings = ["KQvK", "KRvK"];
    assert_eq!(rows(&certified, &endings), rows(&syzygy, &endings));
    let four = ["KBBvK", "KBNvK", "KQvKR", "KRvKP", "KQvKP", "KRvKB", "KRvKN"];
    assert_eq!(rows(&certified, &four), rows(&syzygy, &four));
    let (rows, thrown) = rows(&certified, &[&endings[..], &four].concat());
    assert!(rows.len() == 9 && rows.iter().all(|row| row.unanswered == 0 && row.limit == "nodes 200"));
    assert!(thrown.len() > 9 && thrown.iter().all(|row| row.replay.contains("--specimen micromax")));
    certified.ended.says(1, &[]);
}

#[test]
fn a_limit_of_time_is_taken() {
    let run = runs::verify("--suite conversion --quick --movetime 5");
    let rows: Vec<ConversionRow> = run.sandbox.rows();
    assert!(rows.len() == 6 && rows.iter().all(|row| row.limit == "movetime 5" && row.unanswered == 0));
    assert!(!run.sandbox.path("out/regression.csv").exists());
}
