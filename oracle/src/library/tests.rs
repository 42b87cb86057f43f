//! Our engine agrees, and the checks find a wrong answer of each kind.

use engine::tables::{Metric, TableSet, builders};
use suites::perft::{Castling, PerftSuite};
use suites::{Findings, Replay, Verdict};

use super::evaluation::turned;
use super::files::{fault_of_folder, file, folder_of};
use super::positions::{Facts, facts, judge, truth};
use super::search::{Told, bench};
use super::sessions::Typed;
use super::{Asked, Job, Wrong, ask, first_difference, run};

fn asked(fen: &str, castling: Castling) -> Asked {
    Asked { case: "case".to_owned(), fen: fen.to_owned(), castling }
}

#[test]
fn our_engine_agrees() {
    let suites = PerftSuite::embedded().unwrap();
    let stalemates = suites::stalemates::embedded().unwrap();
    let job =
        Job { seed: 7, drawn: 60, suites: &suites, stalemates: &stalemates, tables: None, syzygy: None };
    let found = run(&job);
    assert_eq!(found.len(), 11);
    for Findings { tally, differences } in found {
        assert_eq!(differences, [], "{}", tally.check);
        assert!(tally.agreed > 5, "{} {}", tally.check, tally.agreed);
    }
}

#[test]
fn a_wrong_fact_of_a_position_is_named() {
    let check = |change: fn(&mut Facts), part: fn(&Facts) -> &[String], stored: &str, expected: &str| {
        let asked = asked("8/P7/8/8/8/k7/8/K6R w - - 3 9", Castling::Standard);
        let (mut wrong, right) = (facts(&asked), truth(&asked));
        assert_eq!(wrong, right);
        change(&mut wrong);
        let Verdict::Differ(found) = judge("library/moves", &asked, Ok(part(&wrong)), part(&right)) else {
            panic!("{stored} agrees");
        };
        assert_eq!(
            (found.stored.to_string().as_str(), found.expected.to_string().as_str()),
            (stored, expected)
        );
    };
    let of_moves: fn(&Facts) -> &[String] = |facts| &facts.moves;
    check(|facts| facts.moves.retain(|text| text != "a7a8b"), of_moves, "a7a8n", "a7a8b");
    check(|facts| facts.moves.push("accepts a1a2".to_owned()), of_moves, "accepts a1a2", "no more");
    check(
        |facts| facts.after[0].push_str(", with another key"),
        |facts| &facts.after,
        "a1b1: 8/P7/8/8/8/k7/8/1K5R b - - 4 9, with another key",
        "a1b1: 8/P7/8/8/8/k7/8/1K5R b - - 4 9",
    );
    check(
        |facts| facts.printed[0] = "8 w".to_owned(),
        |facts| &facts.printed,
        "8 w",
        "8/P7/8/8/8/k7/8/K6R w - - 3 9",
    );
}

#[test]
fn castling_is_spelled_by_the_mode() {
    for (castling, text) in [(Castling::Standard, "e1g1"), (Castling::Chess960, "e1h1")] {
        let asked = asked("4k3/8/8/8/8/8/8/4K2R w K - 0 1", castling);
        assert_eq!(facts(&asked), truth(&asked));
        assert!(truth(&asked).moves.contains(&text.to_owned()));
    }
}

#[test]
fn colours_are_exchanged() {
    let fen = "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 3 9";
    assert_eq!(turned(fen), "4k2r/8/8/8/3Pp3/8/8/R3K3 b kQ d3 3 9");
    assert_eq!(turned(&turned(fen)), fen);
}

#[test]
fn a_panic_is_an_answer() {
    assert_eq!(ask(|| 1), Ok(1));
    assert_eq!(ask(|| -> u8 { panic!("no {}", "square") }), Err("panics: no square".to_owned()));
}

#[test]
fn the_first_difference_is_shown() {
    let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(first_difference(&lines("a b"), &lines("a b")), None);
    assert_eq!(first_difference(&lines("a c"), &lines("a b")), Some(("c".to_owned(), "b".to_owned())));
    assert_eq!(first_difference(&lines("a"), &lines("a b")), Some(("no more".to_owned(), "b".to_owned())));
}

#[test]
fn a_finding_has_a_replay() {
    let of = |fen| {
        let [got, expected, because] = ["x", "y", "why"].map(str::to_owned);
        let wrong =
            Wrong { check: "library/fen", case: "a/1", fen, got, expected, source: "shakmaty", because };
        let Verdict::Differ(found) = wrong.verdict() else { panic!("it agrees") };
        found.replay.to_string()
    };
    assert_eq!(of(""), "cargo xtask verify --suite library");
    assert!(of("8/8 w - - 0 1").contains("position fen 8/8 w - - 0 1"));
}

fn is_found(verdict: &Verdict, stored: &str, expected: &str) {
    let Verdict::Differ(found) = verdict else { panic!("agrees: {stored}") };
    assert_eq!((found.stored.to_string().as_str(), found.expected.to_string().as_str()), (stored, expected));
}

#[test]
fn a_wrong_total_of_bench_is_found() {
    let bench = |printed: &str| bench("bench", printed, Replay::shell("bench"));
    let printed = |nodes: u64, total: &str| {
        let lines = (1..=40).map(|number| format!("{number:>2}/40 {nodes:>10} nodes  FEN\n"));
        lines.chain([total.to_owned()]).collect::<String>()
    };
    let right = "Nodes searched  : 280\nSignature: 280";
    assert!(matches!(bench(&printed(7, right)), Verdict::Agree));
    is_found(&bench(&printed(7, &right[..22])), "nothing", "Signature: 280");
    is_found(&bench(&printed(7, "Nodes searched: 280")), "Nodes searched: 280", "Nodes searched  : 280");
    is_found(&bench(&printed(8, right)), "Nodes searched  : 280", "Nodes searched  : 320");
    let none = "0 positions with nodes; Nodes searched  : 0";
    is_found(&bench(&printed(0, "Nodes searched  : 0")), none, "40 positions with nodes");
    is_found(
        &bench("panics: no memory"),
        "0 positions with nodes; panics: no memory",
        "40 positions with nodes",
    );
}

#[test]
fn an_answer_has_to_quote_what_is_unknown() {
    const QUOTED: &str = "a line that starts with \"info string \" and contains \"xyzzy\"";
    let quotes = |printed| Typed::quoted("xyzzy", "\"xyzzy\"").verdict("case", printed);
    assert!(matches!(quotes("readyok\ninfo string unknown command \"xyzzy\""), Verdict::Agree));
    for printed in ["nothing", "unknown \"xyzzy\"", "info string unknown command xyzzy"] {
        is_found(&quotes(printed), printed, QUOTED);
    }
    is_found(&quotes(""), "nothing", QUOTED);
}

#[test]
fn files_are_held_against_both_tables() {
    let tables = builders::production(&["KRvK".parse().unwrap()]).unwrap();
    let of = |metric| tables.get("KRvK".parse().unwrap(), metric).unwrap();
    for metric in Metric::ALL {
        assert!(matches!(file(&tables, of(metric)), Verdict::Agree), "{metric}");
    }
    let mut without = TableSet::new();
    without.add(of(Metric::Dtz).clone());
    is_found(&file(&without, of(Metric::Dtz)), "its table of DTM is missing", "the values of the table");
}

#[test]
fn a_folder_has_to_have_the_values_of_the_tables() {
    let of = |name: &str| builders::production(&[name.parse().unwrap()]).unwrap();
    let (folder, path) = folder_of(&of("KRvK")).unwrap();
    let fault = |name: &str| fault_of_folder(&path, &of(name)).unwrap_or_default();
    assert_eq!(fault("KRvK"), "");
    assert!(fault("KQvK").ends_with(": no table KQvK here"), "{}", fault("KQvK"));
    let file = folder.path().join("KRvK.dtm");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    assert!(fault("KRvK").starts_with("TablePath/KRvK.dtm: "), "{}", fault("KRvK"));
    std::fs::remove_file(&file).unwrap();
    assert!(fault("KRvK").ends_with(": no table KRvK here"), "{}", fault("KRvK"));
}

/// The rates were calculated by another program from the formula on the page of our engine.
#[test]
fn rates_have_to_follow_from_the_score() {
    let fault = |points: f64, score: &str, rates: &str| {
        let line = format!("info depth 1 score {score} wdl {rates} nodes 1 pv e2e4");
        Told::parse(&line).unwrap().fault_of_rates(points)
    };
    let known = [
        (78.0, "cp 0", "191 618 191"),
        (78.0, "cp 30", "267 600 133"),
        (2.0, "cp 0", "71 858 71"),
        (0.0, "cp 100", "500 495 5"),
        (40.0, "cp -250", "2 57 941"),
        (78.0, "cp 2000", "1000 0 0"),
        (78.0, "mate 3", "1000 0 0"),
        (78.0, "mate -3", "0 0 1000"),
        (78.0, "cp 30 lowerbound", "267 600 133"),
    ];
    for (points, score, rates) in known {
        assert_eq!(fault(points, score, rates), None, "{score}");
        let (got, expected) = fault(points, score, "1 2 997").unwrap();
        assert!(got.ends_with("wdl 1 2 997") && expected.ends_with(rates), "{got} {expected}");
    }
    assert_eq!(fault(78.0, "none", "0 1000 0").unwrap().0, "no score");
}
