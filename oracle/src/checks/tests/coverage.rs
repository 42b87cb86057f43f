//! Tables without values for some positions, and walks over too few positions.

use shakmaty::{File, Position, Square};

use super::*;

/// The checks that probe every position on 64 squares.
const RAW: [Check; 5] = [Check::Legality, Check::Certificate, Check::Terminal, Check::Symmetry, Check::Truth];

fn on_h_file(board: &Board) -> bool {
    board.kings().into_iter().any(|king: Square| king.file() == File::H)
}

/// Every check reports positions without a value: here those with a king on the h-file.
#[test]
fn missing_values_are_reported_by_every_check() {
    missing_values(Walk::Sample);
}

#[test]
#[ignore = "nightly: walks whole tables"]
fn missing_values_are_reported_by_every_check_on_whole_tables() {
    missing_values(Walk::Whole);
}

fn missing_values(walk: Walk) {
    let subject = faulty(
        |board, _, answer| if on_h_file(board) { Err(ProbeError("forgotten".into())) } else { answer },
    );
    let table = "KPvK";
    let legal = legal(table);
    let expected = |forgotten: &dyn Fn(&Chess) -> bool| {
        let positions = legal.iter().filter(|(_, position)| forgotten(position));
        cases_of(table, positions.map(|(placement, _)| name(placement)))
    };
    let itself = expected(&|position| on_h_file(position.board()));
    assert!(itself.len() > 50_000);
    for check in [Check::Terminal, Check::Truth] {
        check_subject(walk, check, &subject, table, &itself);
    }
    check_subject(Walk::Whole, Check::Legality, &subject, table, &itself);
    // A case is a class: the missing position may be the mirror image of its representative.
    let on_either_file = |board: &Board| {
        let mut mirror = board.clone();
        mirror.flip_horizontal();
        on_h_file(board) || on_h_file(&mirror)
    };
    let classes = legal
        .iter()
        .filter(|(placement, _)| placement.is_representative() && on_either_file(&placement.board));
    let classes = cases_of(table, classes.map(|(placement, _)| name(placement)));
    check_subject(walk, Check::Symmetry, &subject, table, &classes);
    let leads_there = expected(&|position| {
        let after = super::proof::successors(position);
        on_h_file(position.board()) || after.iter().any(|after| on_h_file(after.board()))
    });
    check_subject(walk, Check::Certificate, &subject, table, &leads_there);
    if walk == Walk::Sample {
        return;
    }
    let census = run(Check::Census, &subject, table);
    assert!(census.tally.differed >= 6, "{census:#?}");
}

/// The published counts with one of them changed.
fn altered(table: &str, alter: impl Fn(&mut PublishedCounts)) -> Vec<PublishedCounts> {
    let mut rows = PUBLISHED.clone();
    let row = rows.iter_mut().find(|row| row.table == table).unwrap();
    alter(row);
    rows
}

#[track_caller]
fn check_coverage(table: &str, published: &[PublishedCounts], expected: &[&str]) {
    let authorities = Authorities { published, truth: Some(&*PRODUCTION), ..Authorities::default() };
    for check in RAW.into_iter().filter(|check| table == "KvK" || *check == Check::Terminal) {
        let findings = run_with(check, &*PRODUCTION, table, &authorities);
        assert_eq!(cases(&findings), cases_of(table, expected), "{check}");
    }
}

#[test]
fn a_walk_over_another_number_of_positions_than_published_is_reported() {
    let more = |row: &mut PublishedCounts| row.raw.as_mut().unwrap().legal += 1;
    let fewer = |row: &mut PublishedCounts| row.raw.as_mut().unwrap().legal -= 1;
    check_coverage("KvK", &altered("KvK", more), &["coverage"]);
    check_coverage("KvK", &altered("KvK", fewer), &["coverage"]);
    check_coverage("KvK", &altered("KvK", |row| row.unique.legal += 1), &["coverage of classes"]);
    check_coverage("KvK", &altered("KRvK", more), &[]);
    check_coverage("KQvK", &altered("KQvK", more), &["coverage"]);
    check_coverage("KBvK", &altered("KBvK", |row| row.unique.legal -= 1), &["coverage of classes"]);
    let census = |published: &[PublishedCounts]| {
        let authorities = Authorities { published, ..Authorities::default() };
        cases(&run_with(Check::Census, &*PRODUCTION, "KQvK", &authorities))
    };
    assert_eq!(census(&altered("KQvK", more)), cases_of("KQvK", ["white legal"]));
    let unique = altered("KQvK", |row| row.unique.legal += 1);
    assert_eq!(census(&unique), cases_of("KQvK", ["white legal unique"]));
}

#[test]
fn without_a_published_number_the_check_is_skipped() {
    for check in RAW {
        let authorities = Authorities { truth: Some(&*PRODUCTION), ..Authorities::default() };
        let tally = run_with(check, &*PRODUCTION, "KvK", &authorities).tally;
        assert_eq!(tally.skipped, [(suites::SkipReason::NoSource, 1)].into(), "{check}");
    }
}
