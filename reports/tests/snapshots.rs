//! Every report and every form of a run as it is written.

use crate::fixture::{difference, run, skipping, tally};
use reports::{
    CheckRun, Files, RegressionRow, RegressionVerdict, Run, Scope, badge, github, json, markdown, regression,
    text,
};
use suites::catalogue::{self, Severity};
use suites::{Cause, Difference, Evidence, Replay, SkipReason};

/// The same run a commit later: one difference fixed, one new, a check that lost its table, a new stalemate.
pub(crate) fn later() -> Run {
    let mut later = run();
    later.differences[0] = difference("certificate", "KRvK/8/8/8/8/8/1K6/2R5/1k6 b");
    later.checks[0].tally = tally("certificate", Evidence::Certificate, "KPvK", 331_351, 1);
    later.checks[2].tally = tally("certificate", Evidence::Certificate, "KRvK", 399_111, 1);
    let lost = tally("census", Evidence::Census, "KQvK", 0, 0);
    later.checks[3].tally = skipping(lost, SkipReason::TableMissing, 11);
    later.histogram[3].positions = 87;
    later.stalemates.pop();
    later.signatures[0].signature = 1_234_890;
    let scope = Scope::whole(later.tallies());
    let changes = regression::compare(&run().baseline_files(), &later.baseline_files(), &scope);
    later.regression = Some(changes.unwrap());
    later
}

fn text_of(files: &Files, name: &str) -> String {
    String::from_utf8(files[name].clone()).unwrap()
}

#[test]
fn every_report() {
    for (name, bytes) in later().files() {
        insta::assert_snapshot!(name, String::from_utf8(bytes).unwrap());
    }
}

#[test]
fn text_of_a_run() {
    insta::assert_snapshot!("text", text::render(&later(), 1));
}

#[test]
fn text_of_a_run_in_which_all_agrees() {
    let mut green = run();
    green.checks.retain(|check| check.tally.agreed > 0 && check.tally.skipped_total() == 0);
    green.checks[0].tally = tally("certificate", Evidence::Certificate, "KPvK", 331_352, 0);
    green.differences.clear();
    green.dump.clear();
    green.engine = None;
    green.regression = Some(Vec::new());
    insta::assert_snapshot!("text_green", text::render(&green, 10));
}

#[test]
fn text_of_many_case_sets_names_the_first() {
    let sets = ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK", "KvK", "KBBvK", "KBNvK", "KNNvK", "KPPvK"];
    let check = |set| CheckRun {
        tally: tally("symmetry", Evidence::Agreement, set, 1_000, 0),
        duration: None,
        optional: false,
    };
    let checks: Vec<CheckRun> = sets.into_iter().map(check).collect();
    insta::assert_snapshot!(text::checks(&checks), @"
    production
      symmetry   agreement   KBBvK KBNvK KBvK KNNvK KNvK KPPvK KPvK KQvK and 2 more   10,000 of 10,000   agree
    ");
}

#[test]
fn tables_fit_a_terminal_and_keep_their_counts() {
    let sets = ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK", "KvK", "KBBvK", "KBNvK", "KNNvK", "KPPvK"];
    let mut run = Run::default();
    for set in sets {
        let mut tally = tally("symmetry", Evidence::Agreement, set, 1_000, 8);
        tally.skip(SkipReason::OutOfTime, 1_500);
        run.checks.push(CheckRun { tally, duration: None, optional: false });
        let caused = |case: String| Difference {
            cause: Some(Cause::Message(
                "an image of the position has another value, which is said in many more words".to_owned(),
            )),
            ..difference("symmetry", &case)
        };
        run.differences.extend((0..8).map(|case| caused(format!("{set}/{case}"))));
    }
    let view = |width| text::View { width: Some(width), colored: false };
    let of = |width| text::render_in(&run, 0, view(width));
    for width in [60, 80, 100, 200] {
        let text = of(width);
        let (tables, _) = text.split_once("\nproduction: ").unwrap();
        let long = tables.lines().find(|line| line.chars().count() > width);
        assert_eq!(long, None, "{width}\n{text}");
        assert!(tables.contains("10,000 of 25,080") && tables.contains("error   80"), "{text}");
    }
    insta::assert_snapshot!(of(80), @r"
    production
      symmetry   agreement   10 sets   10,000 of 25,080   agree, 80 differ, not
          compared: 15,000 out of time

    and 80 more: all are in differences.csv

    error   80   symmetry   an image of the position has another value, which is sa…

    production: 10,000 of 25,080 agree, 80 differ, not compared: 15,000 out of time, in 1 check

    80 errors in 1 cause; 10 sets of cases could not be checked in full
    time limit reached; not asked: 15,000 cases of 10 sets; to give more time, use --time-limit N
    ");
    let colored = text::render_in(&run, 0, text::View { width: None, colored: true });
    assert_ne!(colored, text::render(&run, 0));
    assert!(colored.contains("\u{1b}[31mdiffer\u{1b}[0m"), "{colored}");
}

#[test]
fn the_verdict_says_what_was_not_compared() {
    let check = |id: &str, reason, cases| CheckRun {
        tally: skipping(tally(id, Evidence::Specification, "session", 1, 0), reason, cases),
        duration: None,
        optional: false,
    };
    let few = check("protocol/e", SkipReason::TableMissing, 0);
    let checks = [("a", 1), ("b", 4), ("c", 3), ("d", 2)];
    let checks = checks.map(|(id, cases)| check(&format!("protocol/{id}"), SkipReason::Unsupported, cases));
    let late = check("mate", SkipReason::OutOfTime, 9);
    let run = |checks: &[CheckRun]| Run { checks: checks.to_vec(), ..Run::default() };
    let second = |checks: &[CheckRun]| text::verdict(&run(checks)).lines().nth(1).map(str::to_owned);
    assert_eq!(second(&[few, late.clone()]), None);
    assert_eq!(second(&checks[..1]).unwrap(), "not compared: 1 not supported (protocol/a)");
    let missing = check("syzygy-wdl", SkipReason::TableMissing, 7);
    assert_eq!(
        second(&[checks.to_vec(), vec![late, missing]].concat()).unwrap(),
        "not compared: 7 table missing (syzygy-wdl); 10 not supported (protocol/b, protocol/c, protocol/d and 1 more check)"
    );
}

#[test]
fn checks_of_a_family_without_differences_share_a_line() {
    let check = |id: &str, agreed, differed| CheckRun {
        tally: tally(id, Evidence::Specification, "session", agreed, differed),
        duration: None,
        optional: false,
    };
    let unsupported = |id: &str| {
        let mut check = check(id, 0, 0);
        check.tally.skip(SkipReason::Unsupported, 1);
        check
    };
    let missing = |id: &str| {
        let mut check = check(id, 0, 0);
        check.tally.skip(SkipReason::TableMissing, 1);
        check
    };
    let checks = [
        check("protocol/a", 3, 0),
        check("protocol/b", 2, 1),
        check("protocol/c", 1, 0),
        unsupported("protocol/d"),
        missing("protocol/e"),
        check("protocol/f", 0, 0),
        check("time/a", 1, 0),
    ];
    insta::assert_snapshot!(text::checks(&checks), @"
    production
      protocol     specification   3 checks   4 of 5   agree, not compared: 1 not supported
      protocol/b   specification   session    2 of 3   agree, 1 differ
      protocol/e   specification   session    0 of 1   not compared: 1 table missing
      protocol/f   specification   session             nothing compared
      time/a       specification   session    1 of 1   agree
    ");
}

/// Checks of time are in the reports and in no baseline.
#[test]
fn no_baseline_holds_times() {
    let mut run = Run::default();
    for (id, case_set, case) in [
        ("time/forfeit", "1000 ms + 10 ms", "game-01"),
        ("process/hang", "time", "time/game-02"),
        ("draw", "timely", "x"),
    ] {
        let mut tally = tally(id, Evidence::Specification, case_set, 1, 0);
        tally.differ(id);
        run.checks.push(CheckRun { tally, duration: None, optional: false });
        run.differences.push(difference(id, case));
    }
    let rows = |files: &Files, name: &str| text_of(files, name).lines().count() - 1;
    let [all, kept] = [run.files(), run.baseline_files()];
    assert_eq!(["checks.csv", "differences.csv"].map(|name| rows(&all, name)), [3, 3]);
    assert_eq!(["checks.csv", "differences.csv"].map(|name| rows(&kept, name)), [1, 1]);
}

/// The severity decides how a difference is printed and whether it fails the run.
#[test]
fn a_finding_that_is_no_error() {
    let of = |wanted| catalogue::pages().find(|page| page.severity == wanted).map(|page| page.id);
    let (Some(warning), Some(note)) = (of(Severity::Warning), of(Severity::Note)) else {
        panic!("the catalogue has warnings and notes");
    };
    let mut run = Run::default();
    for id in ["certificate", note, warning] {
        let mut tally = tally(id, Evidence::Specification, "KPvK", 1, 0);
        tally.differ(id);
        run.checks.push(CheckRun { tally, duration: None, optional: false });
        run.differences.push(difference(id, "KPvK/8/1P6/7k/8/4K3/8/8/8 w"));
    }
    let severities = |text: &str| -> Vec<String> {
        let word = |line: &str| line.split([':', ' ']).find(|word| !word.is_empty()).map(str::to_owned);
        text.lines()
            .filter(|line| !line.starts_with("  ") && line.contains("production"))
            .filter_map(word)
            .collect()
    };
    assert_eq!(severities(&text::differences(&run, 3)), ["error", "warning", "note"], "the gravest first");
    assert_eq!(severities(&github::annotations(&run, 3)), ["error", "warning", "notice"]);
    assert!(text::summary(&run).ends_with("3 differ (1 error, 1 warning, 1 note), in 3 checks\n"));
    let csv = text_of(&run.files(), "differences.csv");
    for (id, severity) in [("certificate", "error"), (warning, "warning"), (note, "note")] {
        assert!(csv.contains(&format!("production,{id},{severity},KPvK/8")), "{csv}");
    }
    let failures = |run: &Run| text_of(&run.files(), "junit.xml").matches("<failure").count();
    for (fails_from, expected) in [(Severity::Error, 1), (Severity::Warning, 2), (Severity::Note, 3)] {
        run.fails_from = fails_from;
        assert_eq!(failures(&run), expected);
    }
    let without = Run { differences: Vec::new(), checks: Vec::new(), ..run.clone() };
    let scope = Scope::exactly(run.tallies());
    let changes = regression::compare(&without.baseline_files(), &run.baseline_files(), &scope).unwrap();
    let broken = changes.iter().filter(|row| row.verdict == RegressionVerdict::Broken);
    assert!(
        broken.map(|row| &row.case).all(|case| case.starts_with("production certificate")),
        "{changes:#?}"
    );
}

#[test]
fn text_of_nothing() {
    insta::assert_snapshot!(text::render(&Run::default(), 10), @"Nothing was compared");
}

#[test]
fn the_run_as_markdown() {
    insta::assert_snapshot!("markdown", markdown::document(&later()));
}

/// A summary never grows without bound, and no text of a program is markup.
#[test]
fn markdown_is_bounded_and_escaped() {
    let mut run = Run::default();
    for number in 0..30 {
        run.differences.push(Difference {
            stored: format!("<b>|{}", "x".repeat(5_000)).into(),
            cause: Some(Cause::Message(format!("@cause {number}"))),
            replay: Replay::shell("`".repeat(9_000)),
            ..difference("draw/score", &number.to_string())
        });
    }
    let text = markdown::document(&run);
    assert!(text.len() <= markdown::MOST && !text.contains("<b>") && !text.contains("@c"), "{text}");
    assert!(text.contains("\n10 more cases are in `differences.csv`.\n"), "{text}");
    assert!(text.contains("are too long for this page; they are in `differences.csv`"), "{text}");
}

#[test]
fn the_badge_has_the_verdict() {
    let check = |run: &Run, words: &str, color: &str| {
        let badge = String::from_utf8(badge::document(run)).unwrap();
        assert!(badge.contains(&format!("<title>touchstone: {words}</title>")), "{badge}");
        assert!(badge.contains(color), "{badge}");
    };
    check(&later(), "2 errors", "#b3261e");
    check(&Run::default(), "incomplete", "#8a5a00");
    let agreeing =
        CheckRun { tally: tally("draw/score", Evidence::Census, "x", 5, 0), duration: None, optional: false };
    check(&Run { checks: vec![agreeing], ..Run::default() }, "all agree", "#2e7d32");
}

/// Case sets of which no case, or only some, were compared for this reason.
pub(crate) fn skipped(sets: &[(&str, u64)], reason: SkipReason) -> Vec<CheckRun> {
    let tally = |&(set, agreed)| skipping(tally("mate", Evidence::Certificate, set, agreed, 0), reason, 3);
    let check = |set| CheckRun { tally: tally(set), duration: None, optional: false };
    sets.iter().map(check).collect()
}

#[test]
fn the_text_says_once_how_to_give_more_time() {
    let mut run = Run::default();
    let last = |run: &Run| text::render(run, 0).lines().last().unwrap().to_owned();
    let how = "to give more time, use --time-limit N";
    let mut check = |sets: &[(&str, u64)], told: &str| {
        run.checks = skipped(sets, SkipReason::OutOfTime);
        assert_eq!(last(&run), format!("time limit reached; not asked: {told}; {how}"));
    };
    check(&[("a", 0), ("b", 0), ("part", 2)], "9 cases of 3 sets (2 sets not at all)");
    check(&[("a", 0)], "3 cases of 1 set (1 set not at all)");
    check(&[("part", 2)], "3 cases of 1 set");
    run.checks = skipped(&[("a", 0)], SkipReason::Undecided);
    assert_eq!(text::time(&run), "");
}

#[test]
fn differences_that_are_not_listed_are_counted() {
    let mut run = run();
    run.differences.truncate(1);
    assert!(text::differences(&run, 5).ends_with("\nand 1 more: all are in differences.csv\n"));
    assert!(text::differences(&run, 0).eq("and 2 more: all are in differences.csv\n"));
    assert!(github::annotations(&run, 5).contains("::and 1 more: all are in differences.csv\n"));
}

#[test]
fn changes_come_worst_first() {
    use RegressionVerdict::{Added, Broken, Changed, Fixed, Gone};
    let row = |(case, verdict): (&str, _)| RegressionRow {
        report: "checks.csv".to_owned(),
        case: case.to_owned(),
        before: "agreed=1".to_owned(),
        after: String::new(),
        verdict,
    };
    let rows = [("a", Gone), ("b", Added), ("c 10", Broken), ("c 9", Broken), ("d", Changed), ("e", Fixed)];
    insta::assert_snapshot!(text::regression(&rows.map(row), 3), @"
    against the baseline: 2 broken, 1 fixed, 1 changed, 1 added, 1 gone
      broken   checks.csv  c 9
        before  agreed=1
      broken   checks.csv  c 10
        before  agreed=1
      fixed    checks.csv  e
        before  agreed=1
    and 3 more: all are in regression.csv
    ");
}

#[test]
fn document() {
    insta::assert_snapshot!("json", String::from_utf8(json::document(&later())).unwrap());
}

#[test]
fn a_run_without_a_baseline_has_no_regression() {
    let names: Vec<String> = run().files().into_keys().collect();
    let expected = [
        "bestmove.csv",
        "census.csv",
        "checks.csv",
        "conversion.csv",
        "differences.csv",
        "draws.csv",
        "histogram.csv",
        "knowledge.csv",
        "mates.csv",
        "perft.csv",
        "signature.csv",
        "stalemates.csv",
        "stalemates_subjects.csv",
        "wins_thrown.csv",
    ];
    assert_eq!(run().baseline_files().into_keys().collect::<Vec<_>>(), expected);
    let mut all = [
        &expected[..],
        &[
            "dump.csv",
            "edge_cases.csv",
            "engine.json",
            "features.csv",
            "junit.xml",
            "protocol.csv",
            "timings.csv",
        ],
    ]
    .concat();
    all.sort_unstable();
    assert_eq!(names, all);
}

#[test]
fn only_the_text_has_checks_that_are_not_in_this_build() {
    assert!(!text_of(&run().files(), "checks.csv").contains("gaviota"));
    assert!(!text_of(&run().files(), "features.csv").contains("gaviota"));
    assert!(text::render(&run(), 0).contains("not in this build"));
}

#[test]
fn checks_that_not_every_build_has_are_in_features_csv() {
    let check = CheckRun {
        tally: tally("gaviota", Evidence::Agreement, "KPvK", 10, 0),
        duration: None,
        optional: true,
    };
    let files = Run { checks: vec![check], ..Run::default() }.files();
    assert!(!text_of(&files, "checks.csv").contains("gaviota"));
    assert!(text_of(&files, "features.csv").contains("production,gaviota,agreement,KPvK,10,10,0,0,"));
}

/// The fenced CSV under the heading of each report.
fn documented(name: &str) -> &'static str {
    let document = include_str!("../../docs/src/reference/reports.md");
    let (_, section) = document.split_once(&format!("\n## {name}\n")).expect(name);
    let (_, block) = section.split_once("```csv\n").expect(name);
    block.split_once("```").expect(name).0
}

/// Reports that are not CSV.
const DOCUMENTS: [&str; 2] = ["engine.json", "junit.xml"];

#[test]
fn the_document_shows_what_is_written() {
    for (name, bytes) in later().files().into_iter().filter(|(name, _)| !DOCUMENTS.contains(&&**name)) {
        let (written, documented) = (String::from_utf8(bytes).unwrap(), documented(&name));
        assert_eq!(documented.lines().next(), written.lines().next(), "{name}");
        assert!(documented.lines().count() > 1, "{name} has no example");
        for line in documented.lines() {
            assert!(written.lines().any(|other| other == line), "{name} is not written so: {line}");
        }
    }
}

/// Cases are in natural order in every format.
#[test]
fn line_10_comes_after_line_9() {
    let differences = [10, 9, 100, 1].map(|line| difference("certificate", &format!("line {line}")));
    let tally = tally("certificate", Evidence::Certificate, "rows", 0, 4);
    let checks = vec![CheckRun { tally, duration: None, optional: false }];
    let run = Run { checks, differences: differences.to_vec(), ..Run::default() };
    let forms = [
        text_of(&run.files(), "differences.csv"),
        text_of(&run.files(), "junit.xml"),
        text::render(&run, 10),
        github::annotations(&run, 10),
        String::from_utf8(json::document(&run)).unwrap(),
    ];
    for form in forms {
        let places = [1, 9, 10, 100].map(|line| {
            let ends = |place: usize| !form[place..].starts_with(|next: char| next.is_ascii_digit());
            let name = format!("line {line}");
            form.match_indices(&name).map(|(place, _)| place).find(|place| ends(place + name.len())).unwrap()
        });
        assert!(places.is_sorted(), "{places:?} in\n{form}");
    }
    assert!(text::render(&run, 1).contains("  check     certificate: line 1\n"));
}
