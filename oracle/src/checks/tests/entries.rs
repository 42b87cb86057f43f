//! Wrong entries that the certificate has to report, at the entry itself or at the entries that follow from
//! it.

use super::TableFault::{Plies, Refuse};
use shakmaty::Position;

use super::proof::successors;
use super::*;

#[track_caller]
fn check_certificate(walk: Walk, table: &str, faults: &[(&str, TableFault)], expected: &[&str]) {
    check(walk, Check::Certificate, table, faults, expected);
}

/// Wrong entries, with how much of a table is checked.
const CASES: [fn(Walk); 4] =
    [entries_without_consequences, entries_with_consequences, checkmates, results_against_distances];

#[test]
fn wrong_entries_are_reported() {
    for case in CASES {
        case(Walk::Sample);
    }
}

#[test]
#[ignore = "nightly: walks whole tables"]
fn wrong_entries_are_reported_on_whole_tables() {
    for case in CASES {
        case(Walk::Whole);
    }
}

/// No value of another position depends on these entries alone. A check of only the wins, or only the losses,
/// would miss half of them.
fn entries_without_consequences(walk: Walk) {
    let (win, loss) = ("5R2/8/7K/8/8/8/8/2k5 w - -", "2R5/8/8/8/7K/8/8/4k3 b - -");
    check_certificate(walk, "KRvK", &[(win, Plies(Some(21)))], &[win]);
    check_certificate(walk, "KRvK", &[(loss, Plies(Some(26)))], &[loss]);
    check_certificate(walk, "KRvK", &[(win, Plies(Some(17))), (loss, Plies(Some(30)))], &[win, loss]);
    check_certificate(walk, "KRvK", &[(loss, Plies(None))], &[loss]);
    let (win, loss) = ("8/2K5/Q7/8/8/8/8/4k3 w - -", "2Q5/8/8/8/7K/8/8/4k3 b - -");
    check_certificate(walk, "KQvK", &[(win, Plies(Some(13))), (loss, Plies(Some(10)))], &[win, loss]);
    let pawn = [
        ("8/8/P7/2k1K3/8/8/8/8 w - -", Plies(Some(13))),
        ("8/8/2P5/8/6K1/8/8/6k1 w - -", Plies(Some(13))),
        ("8/8/8/8/2K5/5P1k/8/8 w - -", Plies(None)),
        ("8/3k4/8/K7/8/3P4/8/8 w - -", Plies(Some(9))),
        ("8/8/8/8/8/1P6/1K6/4k3 b - -", Plies(Some(28))),
        ("1k6/8/4K3/8/8/8/7P/8 b - -", Plies(Some(26))),
        ("8/8/8/8/8/1P1k4/8/2K5 b - -", Plies(Some(9))),
    ];
    check_certificate(walk, "KPvK", &pawn, &pawn.map(|(position, _)| position));
}

fn entries_with_consequences(walk: Walk) {
    let rook = [
        ("8/8/8/2K2R2/8/8/8/6k1 b - -", Plies(Some(20)), "8/8/1K6/5R2/8/8/8/6k1 w - -"),
        ("1R1K4/8/8/8/8/8/k7/8 b - -", Plies(Some(14)), "2RK4/8/8/8/8/8/k7/8 w - -"),
        ("4R3/3k2K1/8/8/8/8/8/8 w - -", Plies(Some(19)), "2k1R3/6K1/8/8/8/8/8/8 b - -"),
        ("k7/8/1R6/8/8/8/2K5/8 w - -", Plies(None), "1k6/8/1R6/8/8/8/2K5/8 b - -"),
        ("8/8/8/8/4K3/7R/7k/8 b - -", Plies(Some(8)), "8/8/8/8/4K3/5R2/7k/8 w - -"),
    ];
    let faults = rook.map(|(position, fault, _)| (position, fault));
    check_certificate(
        walk,
        "KRvK",
        &faults,
        &[rook.map(|(position, ..)| position), rook.map(|rook| rook.2)].concat(),
    );
    let pawn = [
        ("8/8/6K1/8/8/3P1k2/8/8 w - -", Plies(Some(9)), "8/8/6K1/8/8/3P4/6k1/8 b - -"),
        ("8/8/8/2K2P2/8/8/8/6k1 b - -", Plies(Some(18)), "8/8/8/2K5/5P2/8/8/6k1 w - -"),
    ];
    let faults = pawn.map(|(position, fault, _)| (position, fault));
    check_certificate(
        walk,
        "KPvK",
        &faults,
        &[pawn.map(|(position, ..)| position), pawn.map(|pawn| pawn.2)].concat(),
    );
}

fn checkmates(walk: Walk) {
    // Every position before this one has another mate in one, so none of them changes.
    let mate = "k7/1QK5/8/8/8/8/8/8 b - -";
    check_certificate(walk, "KQvK", &[(mate, Plies(Some(2)))], &[mate]);
    let only_mate = "8/8/8/8/8/8/5KQk/8 b - -";
    let not_mate = "8/2K5/8/8/8/5k2/6Q1/8 b - -";
    check_certificate(
        walk,
        "KQvK",
        &[(mate, Plies(None)), (only_mate, Plies(Some(2))), (not_mate, Plies(Some(9)))],
        &[mate, only_mate, "8/8/8/8/8/8/5K1k/5Q2 w - -", not_mate],
    );
    let stalemate = "8/8/8/8/8/1KQ5/8/1k6 b - -";
    if walk == Walk::Whole {
        let findings = run(Check::Certificate, &faulty_at(&[(stalemate, Plies(Some(0)))]), "KQvK");
        assert!(cases(&findings).contains(&format!("KQvK/{stalemate}")));
    }
}

/// A result that contradicts its distance is reported at its position. Values of other positions follow from
/// distances.
fn results_against_distances(walk: Walk) {
    let positions = ["5R2/8/7K/8/8/8/8/2k5 w - -", "2R5/8/8/8/7K/8/8/4k3 b - -"];
    for wdl in [Wdl::Loss, Wdl::Draw, Wdl::Win] {
        let expected = match wdl {
            Wdl::Loss => &positions[..1],
            Wdl::Draw => &positions[..],
            Wdl::Win => &positions[1..],
        };
        check_certificate(
            walk,
            "KRvK",
            &positions.map(|position| (position, TableFault::Wdl(wdl))),
            expected,
        );
    }
}

#[test]
fn a_missing_value_is_reported_wherever_it_is_needed() {
    let forgotten = "8/8/8/8/8/1P6/1K6/4k3 b - -";
    let before = legal("KPvK").into_iter().filter(|(_, position)| {
        let (board, turn) = placement(forgotten);
        successors(position).iter().any(|after| after.board() == &board && after.turn() == turn)
    });
    let before: Vec<_> = before.map(|(placement, _)| name(&placement)).collect();
    assert_eq!(before.len(), 7);
    let expected = cases_of("KPvK", before.iter().map(String::as_str).chain([forgotten]));
    check_subject(Walk::Sample, Check::Certificate, &faulty_at(&[(forgotten, Refuse)]), "KPvK", &expected);
}

/// A wrong entry of a smaller table is reported in each position of the larger table that leads to it.
#[test]
fn values_after_promotions_are_probed() {
    let promoted = "1Q6/8/K1k5/8/8/8/8/8 b - -";
    let Some(honest) = PRODUCTION.probe(&placement(promoted).0, Color::Black).unwrap().dtm else {
        panic!("a won position")
    };
    let findings =
        run(Check::Certificate, &faulty_at(&[(promoted, Plies(Some(honest.plies() - 4)))]), "KPvK");
    assert_eq!(cases(&findings), cases_of("KPvK", ["8/1P6/K1k5/8/8/8/8/8 w - -"]));
}

/// If distances wrapped, a table of the greatest distance everywhere would be certified.
#[test]
fn distances_do_not_wrap() {
    for plies in [u16::MAX, u16::MAX - 1] {
        let subject = faulty(move |_, _, answer| {
            answer.and_then(|_| Plies(Some(plies)).of(Err(ProbeError("".into()))))
        });
        let findings = run(Check::Certificate, &subject, "KvK");
        assert_eq!(findings.tally.differed, published("KvK", Scope::Raw));
    }
}
