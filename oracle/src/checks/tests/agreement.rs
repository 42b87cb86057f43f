//! Lies that one check among several has to see: legality, terminal, symmetry, truth, census.

use shakmaty::Position;

use super::TableFault::{Plies, Refuse, Zeroing};
use super::*;

#[test]
fn legality_wants_an_answer_for_what_is_legal_and_none_else() {
    let legal = ["8/8/8/8/8/1KR5/8/1k6 b - -", "8/8/8/8/8/1K6/2R5/k7 w - -"];
    check(Check::Legality, "KRvK", &legal.map(|position| (position, Refuse)), &legal);
    // Kings that touch, the side not to move in check, both also with colours exchanged; a pawn on either back rank.
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

/// Legality reports each of these illegal placements if it is answered, beside all the legal ones.
#[track_caller]
fn check_illegal(table: &str, placements: &[&str]) {
    let faults: Vec<_> = placements.iter().map(|&placement| (placement, Plies(None))).collect();
    let findings = run(Check::Legality, &faulty_at(&faults), table);
    assert_eq!(cases(&findings), cases_of(table, placements));
    assert_eq!(findings.tally.agreed, published(table, Scope::Raw));
}

#[test]
fn terminal_tells_stalemate_from_mate() {
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
        check(Check::Terminal, "KQvK", &[(position, fault)], &[position]);
    }
    // How far off the mate is, is not its matter.
    check(Check::Terminal, "KQvK", &[(neither, Plies(Some(4)))], &[]);
}

#[test]
fn every_stalemate_for_mate_is_seen() {
    for table in ["KQvK", "KRvK", "KPvK"] {
        let stalemated: Vec<_> = legal(table).into_iter().filter(|(_, p)| p.is_stalemate()).collect();
        let known: BTreeSet<_> = stalemated.iter().map(|(placement, _)| placement.fen()).collect();
        let subject = faulty(|board, turn, answer| match answer {
            Ok(_) if known.contains(&crate::positions::fen(board, turn)) => Plies(Some(0)).of(answer),
            _ => answer,
        });
        let expected = cases_of(table, stalemated.iter().map(|(placement, _)| name(placement)));
        assert!(!expected.is_empty());
        check_subject(Check::Terminal, &subject, table, &expected);
        let men = men(table);
        let authorities = Authorities { published: &PUBLISHED, ..Authorities::default() };
        let job = TableJob {
            subject: &subject,
            men: &men,
            authorities: &authorities,
            seed: 1,
            quick: false,
            progress: &|_| (),
        };
        let listed: BTreeSet<_> =
            crate::checks::stalemates(&job).into_iter().map(|found| found.fen).collect();
        let classes = stalemated.iter().filter(|(placement, _)| placement.is_representative());
        assert_eq!(listed, classes.map(|(placement, _)| placement.fen()).collect());
    }
}

/// All images of a position are in the table; each differs from the one that is wrong.
#[test]
fn symmetry_sees_one_image_among_all() {
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
    // One case is a class; the fifth stands for it.
    for fault in [(images[0], Plies(Some(5))), (images[4], Plies(Some(5))), (images[7], Zeroing(5))] {
        check(Check::Symmetry, "KRvK", &[fault], &images[4..5]);
    }
    // With colours exchanged Black has the rook.
    check(
        Check::Symmetry,
        "KRvK",
        &[("1K6/8/1kr5/8/8/8/8/8 b - -", TableFault::Wdl(Wdl::Draw))],
        &images[4..5],
    );
    // Pawns leave the left-right mirror alone.
    let mirror = ["8/1P6/7k/8/4K3/8/8/8 w - -", "8/6P1/k7/8/3K4/8/8/8 w - -"];
    check(Check::Symmetry, "KPvK", &[("8/8/8/4k3/8/7K/1p6/8 b - -", Plies(Some(11)))], &mirror[1..]);
}

#[test]
fn symmetry_asks_for_every_image() {
    // Bare kings have their colour flips in the same table.
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
            // One class for White to move and one for Black: each is the other with colours exchanged.
            let findings = run(Check::Symmetry, &faulty_at(&[(position, fault)]), "KvK");
            assert_eq!(cases(&findings).len(), 2, "{position} {fault:?}");
            assert!(cases(&findings).is_subset(&cases_of("KvK", &images)), "{position} {fault:?}");
            assert_eq!(findings.tally.total(), published("KvK", Scope::Unique));
        }
    }
}

/// An error that all images share is no matter of symmetry; another check has to see it.
#[test]
fn symmetry_is_blind_to_what_all_images_share() {
    let subject = faulty(|board, _, answer| match answer {
        Ok(value) if board.kings().into_iter().all(|king| shakmaty::Bitboard::CORNERS.contains(king)) => {
            Ok(TableValue { dtm: value.dtm.map(|dtm| Dtm::from_plies(dtm.plies() + 2)), ..value })
        }
        answer => answer,
    });
    check_subject(Check::Symmetry, &subject, "KRvK", &BTreeSet::new());
    assert!(run(Check::Certificate, &subject, "KRvK").tally.differed > 0);
    assert!(run(Check::Truth, &subject, "KRvK").tally.differed > 0);
}

#[test]
fn truth_sees_every_entry_that_is_not_the_certified_one() {
    let position = "8/1P6/7k/8/4K3/8/8/8 w - -";
    for fault in
        [Plies(Some(11)), Plies(Some(7)), Plies(None), Plies(Some(8)), TableFault::Wdl(Wdl::Draw), Refuse]
    {
        check(Check::Truth, "KPvK", &[(position, fault)], &[position]);
    }
    let found = run(Check::Truth, &faulty_at(&[(position, Plies(Some(11)))]), "KPvK").differences;
    let [found] = &found[..] else { panic!("{found:#?}") };
    assert_eq!((&*found.stored, &*found.expected), ("mate in 6", "mate in 5"));
    assert_eq!(found.explanation, "Kf5 (e4f5): mate in 5");
}

#[track_caller]
fn check_census(table: &str, faults: &[(&str, TableFault)], expected: &[&str]) {
    let findings = run(Check::Census, &faulty_at(faults), table);
    assert_eq!(cases(&findings), cases_of(table, expected));
    let honest = run(Check::Census, &*PRODUCTION, table);
    assert_eq!(findings.tally.total(), honest.tally.agreed);
}

#[test]
fn census_sees_counts_that_move() {
    // A representative of its class, and an image of it that is none.
    let (first, image) = ("8/8/8/8/8/2R5/k1K5/8 w - -", "8/8/8/8/8/1KR5/8/1k6 w - -");
    check_census("KRvK", &[(image, Plies(None))], &["white wins", "white draws"]);
    let both = ["white wins", "white wins unique", "white draws", "white draws unique"];
    check_census("KRvK", &[(first, Plies(None))], &both);
    check_census("KRvK", &[(image, Plies(Some(33)))], &["white longest plies", "white positions at longest"]);
    check_census("KRvK", &[(image, Plies(Some(31)))], &["white positions at longest"]);
    let mate = "8/8/8/8/8/1K6/1Q6/1k6 b - -";
    check_census("KQvK", &[(mate, Plies(Some(20)))], &["black positions at longest"]);
    check_census("KQvK", &[(mate, Refuse)], &["black losses"]);
    // Two errors that cancel out move no count: a census is no proof.
    let cancels =
        [("8/1P6/7k/8/4K3/8/8/8 w - -", Plies(None)), ("8/4k3/8/7K/8/4P3/8/8 w - -", Plies(Some(9)))];
    check_census("KPvK", &cancels[..1], &["white wins", "white draws"]);
    check_census("KPvK", &cancels[1..], &["white wins", "white draws"]);
    check_census("KPvK", &cancels, &[]);
}
