//! Wrong entries that the checks `legality`, `terminal`, `symmetry`, `truth` and `census` have to report.

use shakmaty::Position;

use super::TableFault::{Plies, Refuse, Zeroing};
use super::*;

#[test]
fn legality_reports_missing_values_and_values_of_illegal_placements() {
    let legal = ["8/8/8/8/8/1KR5/8/1k6 b - -", "8/8/8/8/8/1K6/2R5/k7 w - -"];
    check(Walk::Whole, Check::Legality, "KRvK", &legal.map(|position| (position, Refuse)), &legal);
    // Adjacent kings, the side not to move in check, both also with colours exchanged; a pawn on either back
    // rank.
    let rook = [
        "8/8/8/8/8/1KR5/1k6/8 b - -",
        "8/8/8/8/8/1K6/8/1k1R4 w - -",
        "8/1K6/1kr5/8/8/8/8/8 w - -",
        "1K1r4/8/1k6/8/8/8/8/8 b - -",
    ];
    check_illegal("KRvK", &rook);
    let pawn = [
        "1P6/8/8/8/8/1K6/8/1k6 w - -",
        "8/8/8/8/8/1K6/8/1k1P4 b - -",
        "8/8/8/8/8/1K6/3k4/2P5 w - -",
        "8/8/8/8/8/1k6/8/1K1p4 b - -",
        "8/8/8/3k4/2P5/1K6/8/8 w - -",
    ];
    check_illegal("KPvK", &pawn);
    check_illegal("KvK", &["8/8/8/8/8/1K6/1k6/8 w - -"]);
}

/// The check `legality` reports each of these illegal placements if it has a value.
#[track_caller]
fn check_illegal(table: &str, placements: &[&str]) {
    let faults: Vec<_> = placements.iter().map(|&placement| (placement, Plies(None))).collect();
    let findings = run(Check::Legality, &faulty_at(&faults), table);
    assert_eq!(cases(&findings), cases_of(table, placements));
    assert_eq!(findings.tally.agreed, published(table, Scope::Raw));
}

/// Wrong entries, with how much of a table is checked.
const CASES: [fn(Walk); 5] = [
    stalemate_or_checkmate,
    all_stalemates_as_checkmates,
    one_wrong_image,
    an_error_that_all_images_share,
    values_other_than_the_certified_ones,
];

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

fn stalemate_or_checkmate(walk: Walk) {
    let mate = "8/8/8/8/8/1K6/1Q6/1k6 b - -";
    let stalemate = "8/8/8/8/8/1KQ5/8/1k6 b - -";
    let neither = "8/8/8/8/8/1K6/1Q6/2k5 b - -";
    for (position, fault) in [
        (stalemate, Plies(Some(0))),
        (stalemate, Plies(Some(2))),
        (stalemate, TableFault::Wdl(Wdl::Loss)),
        (mate, Plies(None)),
        (mate, Plies(Some(2))),
        (mate, Plies(Some(1))),
        (mate, TableFault::Wdl(Wdl::Draw)),
        (neither, Plies(Some(0))),
        ("8/8/8/8/8/1KQ5/8/1k6 w - -", Plies(Some(0))),
    ] {
        check(walk, Check::Terminal, "KQvK", &[(position, fault)], &[position]);
    }
    // The distance to mate is not checked here.
    check(walk, Check::Terminal, "KQvK", &[(neither, Plies(Some(4)))], &[]);
}

fn all_stalemates_as_checkmates(walk: Walk) {
    for table in ["KQvK", "KRvK", "KPvK"] {
        let stalemated: Vec<_> = legal(table).into_iter().filter(|(_, p)| p.is_stalemate()).collect();
        let known: BTreeSet<_> = stalemated.iter().map(|(placement, _)| placement.fen()).collect();
        let subject = faulty(|board, turn, answer| match answer {
            Ok(_) if known.contains(&crate::positions::fen(board, turn)) => Plies(Some(0)).of(answer),
            _ => answer,
        });
        let expected = cases_of(table, stalemated.iter().map(|(placement, _)| name(placement)));
        assert!(!expected.is_empty());
        check_subject(walk, Check::Terminal, &subject, table, &expected);
        if walk == Walk::Sample {
            continue;
        }
        let men = men(table);
        let authorities = Authorities { published: &PUBLISHED, ..Authorities::default() };
        let job = TableJob::new(&subject, &men, &authorities);
        let listed: BTreeSet<_> = crate::checks::count(&job)
            .into_iter()
            .flat_map(|count| count.stalemate_rows)
            .map(|found| found.fen)
            .collect();
        let classes = stalemated.iter().filter(|(placement, _)| placement.is_representative());
        assert_eq!(listed, classes.map(|(placement, _)| placement.fen()).collect());
    }
}

/// All images of a position are in the table. The wrong one is reported as the case of its class.
fn one_wrong_image(walk: Walk) {
    let images = [
        "8/8/8/8/8/1KR5/8/1k6 w - -",
        "8/8/8/8/8/5RK1/8/6k1 w - -",
        "1k6/8/1KR5/8/8/8/8/8 w - -",
        "6k1/8/5RK1/8/8/8/8/8 w - -",
        "8/8/8/8/8/2R5/k1K5/8 w - -",
        "8/8/8/8/8/5R2/5K1k/8 w - -",
        "8/k1K5/2R5/8/8/8/8/8 w - -",
        "8/5K1k/5R2/8/8/8/8/8 w - -",
    ];
    // A case is a class, which the fifth position represents.
    for fault in [(images[0], Plies(Some(5))), (images[4], Plies(Some(5))), (images[7], Zeroing(5))] {
        check(walk, Check::Symmetry, "KRvK", &[fault], &images[4..5]);
    }
    // With colours exchanged Black has the rook.
    check(
        walk,
        Check::Symmetry,
        "KRvK",
        &[("1K6/8/1kr5/8/8/8/8/8 b - -", TableFault::Wdl(Wdl::Draw))],
        &images[4..5],
    );
    // With pawns the only image is the left-right mirror.
    let mirror = ["8/1P6/7k/8/4K3/8/8/8 w - -", "8/6P1/k7/8/3K4/8/8/8 w - -"];
    check(walk, Check::Symmetry, "KPvK", &[("8/8/8/4k3/8/7K/1p6/8 b - -", Plies(Some(11)))], &mirror[1..]);
}

#[test]
fn symmetry_probes_every_image() {
    // The table KvK also holds the images with colours exchanged.
    let images: Vec<_> =
        ["1K1k4/8/8/8/8/8/8/8", "4k1K1/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/1K1k4", "8/8/8/8/8/8/8/4k1K1"]
            .into_iter()
            .chain(["8/K7/8/k7/8/8/8/8", "8/8/8/8/k7/8/K7/8", "8/7K/8/7k/8/8/8/8", "8/8/8/8/7k/8/7K/8"])
            .flat_map(|board| {
                let exchanged: String = board.split('/').rev().collect::<Vec<_>>().join("/");
                let exchange = |man: char| match man {
                    'K' => 'k',
                    'k' => 'K',
                    other => other,
                };
                [
                    format!("{board} w - -"),
                    format!("{} b - -", exchanged.chars().map(exchange).collect::<String>()),
                ]
            })
            .collect();
    let images: Vec<&str> = images.iter().map(String::as_str).collect();
    assert_eq!(images.len(), 16);
    for position in &images {
        for fault in [Plies(Some(5)), TableFault::Wdl(Wdl::Win), Zeroing(1), Refuse] {
            // One class with White to move and one with Black to move. Each is the other with colours
            // exchanged.
            let findings = run(Check::Symmetry, &faulty_at(&[(position, fault)]), "KvK");
            assert_eq!(cases(&findings).len(), 2, "{position} {fault:?}");
            assert!(cases(&findings).is_subset(&cases_of("KvK", &images)), "{position} {fault:?}");
            assert_eq!(findings.tally.total(), published("KvK", Scope::Unique));
        }
    }
}

/// The check `symmetry` does not see an error that all images share. Other checks have to see it.
fn an_error_that_all_images_share(walk: Walk) {
    let subject = faulty(|board, _, answer| match answer {
        Ok(value) if board.kings().into_iter().all(|king| shakmaty::Bitboard::CORNERS.contains(king)) => {
            Ok(TableValue { dtm: value.dtm.map(|dtm| Dtm::from_plies(dtm.plies() + 2)), ..value })
        }
        answer => answer,
    });
    check_subject(walk, Check::Symmetry, &subject, "KRvK", &BTreeSet::new());
    if walk == Walk::Sample {
        return;
    }
    assert!(run(Check::Certificate, &subject, "KRvK").tally.differed > 0);
    assert!(run(Check::Truth, &subject, "KRvK").tally.differed > 0);
}

fn values_other_than_the_certified_ones(walk: Walk) {
    let position = "8/1P6/7k/8/4K3/8/8/8 w - -";
    for fault in
        [Plies(Some(11)), Plies(Some(7)), Plies(None), Plies(Some(8)), TableFault::Wdl(Wdl::Draw), Refuse]
    {
        check(walk, Check::Truth, "KPvK", &[(position, fault)], &[position]);
    }
    if walk == Walk::Sample {
        return;
    }
    let found = run(Check::Truth, &faulty_at(&[(position, Plies(Some(11)))]), "KPvK").differences;
    let [found] = &found[..] else { panic!("{found:#?}") };
    assert_eq!((&*found.stored.to_string(), &*found.expected.to_string()), ("mate in 6", "mate in 5"));
    assert_eq!(found.explanation, "Kf5 (e4f5): mate in 5");
}

#[track_caller]
fn check_census(table: &str, faults: &[(&str, TableFault)], expected: &[&str]) {
    let findings = run(Check::Census, &faulty_at(faults), table);
    assert_eq!(cases(&findings), cases_of(table, expected));
    let honest = run(Check::Census, &*PRODUCTION, table);
    assert_eq!(findings.tally.total(), honest.tally.agreed);
}

/// Two errors that cancel out change no count, so a census is not a proof.
#[test]
fn census_reports_changed_counts_and_misses_errors_that_cancel_out() {
    let cancels =
        [("8/1P6/7k/8/4K3/8/8/8 w - -", Plies(None)), ("8/4k3/8/7K/8/4P3/8/8 w - -", Plies(Some(9)))];
    check_census("KPvK", &cancels[..1], &["white wins", "white draws"]);
    check_census("KPvK", &cancels, &[]);
}

#[test]
#[ignore = "nightly: walks whole tables"]
fn census_reports_every_count_that_changes() {
    // A representative of its class, and an image of it.
    let (first, image) = ("8/8/8/8/8/2R5/k1K5/8 w - -", "8/8/8/8/8/1KR5/8/1k6 w - -");
    check_census("KRvK", &[(image, Plies(None))], &["white wins", "white draws"]);
    let both = ["white wins", "white wins unique", "white draws", "white draws unique"];
    check_census("KRvK", &[(first, Plies(None))], &both);
    check_census("KRvK", &[(image, Plies(Some(33)))], &["white longest plies", "white positions at longest"]);
    check_census("KRvK", &[(image, Plies(Some(31)))], &["white positions at longest"]);
    let mate = "8/8/8/8/8/1K6/1Q6/1k6 b - -";
    check_census("KQvK", &[(mate, Plies(Some(20)))], &["black positions at longest"]);
    check_census("KQvK", &[(mate, Refuse)], &["black losses"]);
    check_census("KPvK", &[("8/4k3/8/7K/8/4P3/8/8 w - -", Plies(Some(9)))], &["white wins", "white draws"]);
}
