//! The page of a run.

use crate::fixture::{difference, run};
use reports::html::{Named, Transcripts, document};
use reports::{CheckRun, Regress, Run, changes};
use suites::{
    Answer, Cause, Difference, EngineScore, Evidence, Played, Replay, ScoreBound, SkipReason, Tally, Then,
    ToldScore,
};

fn named(name: &str, run: Run) -> Named {
    Named { name: name.to_owned(), run, transcripts: Transcripts::new() }
}

fn page(runs: &[Named]) -> String {
    let changes = if let [old, new] = runs {
        Some(Regress { rows: changes(&old.run, &new.run), ..Regress::default() })
    } else {
        None
    };
    String::from_utf8(document(runs, changes.as_ref())).unwrap()
}

/// The text between two marks, the first of each.
fn between<'a>(page: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = page.split_once(begin).unwrap();
    rest.split_once(end).unwrap().0
}

/// A run of an engine with this many findings of the check `stalemate/score`.
fn told(centipawns: i32) -> Answer {
    let (score, then) = (EngineScore::Centipawns(centipawns), Then::Move("g7g8q".to_owned()));
    Answer::Score(ToldScore { score, bound: ScoreBound::Exact, depth: None, then, mate_in_one: None })
}

fn many(findings: usize) -> Run {
    let mut run = Run::default();
    let mut tally = Tally::new("mine", "stalemate", Evidence::Agreement, "promotion");
    tally.agreed = 3;
    for number in 0..findings {
        tally.differ("stalemate/score");
        run.differences.push(Difference {
            subject: "mine".to_owned(),
            fen: format!("8/6P1/8/8/8/8/2K5/k7 w - - {} {number}", number % 100),
            stored: told(number as i32),
            explanation: format!("a sentence about case {number}"),
            cause: Some(Cause::Message(format!("cause {}", number % 7))),
            ..difference("stalemate/score", &format!("promotion/{number}"))
        });
    }
    run.checks.push(CheckRun { tally, duration: None, optional: false });
    run
}

#[test]
fn the_body_of_a_page() {
    let mut run = run();
    let mate = Difference {
        subject: "mine".to_owned(),
        fen: "8/6P1/8/8/8/8/2K5/k7 w - - 0 1".to_owned(),
        stored: told(1037),
        given: Some("g7g8q".to_owned()),
        expected: "one of g7g8r".into(),
        best: vec!["g7g8r".to_owned()],
        ..difference("stalemate/thrown", "promotion/03")
    };
    let mut tally = Tally::new("mine", "stalemate", Evidence::Agreement, "promotion");
    tally.differ("stalemate/thrown");
    run.checks.push(CheckRun { tally, duration: None, optional: false });
    run.differences.push(mate);
    let transcripts =
        [("stalemate-thrown.txt", "> go\n< bestmove g7g8q\n"), ("stalemate-thrown-too.txt", "no")];
    let transcripts = transcripts.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let page = page(&[Named { transcripts, ..named("out", run) }]);
    let body = format!(
        "{}\n[main]\n{}",
        between(&page, "<header>", "</header>").trim(),
        between(&page, "<main id=\"main\">", "</main>").trim()
    );
    insta::assert_snapshot!("html_body", body);
    insta::assert_snapshot!("html_rows", between(&page, "id=\"rows\">", "</script>"));
}

#[test]
fn a_page_needs_nothing_else() {
    let page = page(&[named("out", run())]);
    for outside in ["src=", "@import", "url(h", "fetch(", "XMLHttpRequest", "<link", "<iframe"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let page = page.replace("&#x2f;", "/");
    let mut hosts = page.split("://").skip(1).map(|rest| rest.split(['/', '"']).next());
    assert!(hosts.all(|host| host == Some("lichess.org")));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn the_same_reports_give_the_same_page() {
    let mut turned = run();
    turned.checks.reverse();
    turned.differences.reverse();
    turned.histogram.reverse();
    turned.mates.reverse();
    turned.conversion.reverse();
    assert_eq!(page(&[named("out", run())]), page(&[named("out", turned)]));
    let read = Run::from_files(&run().files()).unwrap();
    assert_eq!(page(&[named("out", run())]), page(&[named("out", read)]));
}

/// An oracle that only some builds have is a tally of every run, with all cases skipped where it is not built.
#[test]
fn a_page_says_that_no_check_is_by_gaviota_or_prophet() {
    let says = |checks: &[(&str, bool, bool)]| {
        let check = |&(id, optional, is_built): &(&str, bool, bool)| {
            let mut tally = Tally::new("production", id, Evidence::Agreement, "KQvK");
            if is_built {
                tally.agreed = 5;
            } else {
                tally.skip(SkipReason::NotInThisBuild, 5);
            }
            CheckRun { tally, duration: None, optional }
        };
        let run = Run { checks: checks.iter().map(check).collect(), ..Run::default() };
        page(&[named("out", run)]).contains("These reports have no check by them")
    };
    let certificate = ("certificate", false, true);
    assert!(says(&[certificate, ("gaviota", true, false)]));
    assert!(!says(&[certificate, ("gaviota", true, true)]));
    assert!(!says(&[("perft", false, true), ("gaviota", true, false)]));
}

const HOSTILE: &str =
    "</script><script>alert(1)</script><img src=x onerror=\"alert(2)\">'{{ 7*7 }}<!--\u{1b}[31m\n]]>";

#[test]
fn what_programs_write_is_text() {
    let text = || HOSTILE.to_owned();
    let mut run = run();
    let mut found = Difference {
        subject: text(),
        check: text(),
        case: text(),
        fen: text(),
        played: Some(Played { moves: vec![text()], fen: text() }),
        limit: Some(text()),
        stored: text().into(),
        given: Some(text()),
        expected: text().into(),
        best: vec![text()],
        source: text(),
        explanation: text(),
        cause: Some(Cause::Message(text())),
        replay: Replay::shell(text()),
    };
    run.differences.extend([found.clone(), found.clone()]);
    found.fen = "8/6P1/8/8/8/8/2K5/k7 w - - 0 1\"><img src=x onerror=alert(3)>".to_owned();
    run.differences.push(found);
    for check in &mut run.checks {
        check.tally.subject = text();
        check.tally.case_set = text();
    }
    run.mates.iter_mut().for_each(|row| row.case = text());
    run.conversion.iter_mut().for_each(|row| (row.ending, row.aids) = (text(), text()));
    run.perft.iter_mut().for_each(|row| row.suite = text());
    run.histogram.iter_mut().for_each(|row| row.table = text());
    let card = run.engine.as_mut().unwrap();
    card.name = text();
    card.id.insert("name".to_owned(), text());
    card.options.insert(text(), text());
    card.set_up = None;
    let transcripts: Transcripts = [("process-.txt".to_owned(), text())].into();
    let hostile = Named { name: text(), run, transcripts };
    let plain = page(&[named("out", crate::fixture::run())]);
    for runs in [vec![hostile.clone()], vec![named("old", Run::default()), hostile.clone()], vec![hostile; 3]]
    {
        let page = page(&runs);
        assert!(!page.contains("<img"), "a tag of the engine");
        assert!(!page.contains("<!--"), "a comment of the engine");
        assert!(!page.contains("alert(1)</script>"), "the end of a script");
        for tag in ["<script", "</script", "<style", "</style"] {
            assert_eq!(page.matches(tag).count(), plain.matches(tag).count(), "{tag}");
        }
        assert!(!page.contains('\u{1b}'), "a control character");
        assert!(page.contains("&lt;img src=x onerror=&quot;alert(2)&quot;&gt;"));
        let rows: serde_json::Value =
            serde_json::from_str(between(&page, "id=\"rows\">", "</script>")).unwrap();
        assert!(rows["texts"].as_array().unwrap().iter().any(|text| text.as_str().unwrap().contains("<img")));
    }
}

#[test]
fn a_page_has_a_bound_and_says_what_is_cut() {
    let page = page(&[named("out", many(100_000))]);
    assert!(page.len() < 12 << 20, "{}", page.len());
    assert!(page.contains("<p>100,000 errors in 7 causes</p>"));
    assert_eq!(page.matches("<details class=\"group").count(), 7);
    let cut = page.lines().find(|line| line.contains("are not on this page")).unwrap();
    assert!(cut.contains("of 100,000 findings are not on this page"), "{cut}");
    let rows: serde_json::Value = serde_json::from_str(between(&page, "id=\"rows\">", "</script>")).unwrap();
    let held: usize =
        rows["groups"].as_object().unwrap().values().map(|rows| rows.as_array().unwrap().len()).sum();
    assert!(held > 20_000, "{held}");
    let least = rows["groups"].as_object().unwrap().values().map(|rows| rows.as_array().unwrap().len()).min();
    assert!(least.is_some_and(|least| least >= 199), "each group has some: {least:?}");

    let mut run = many(1_000);
    run.differences.iter_mut().for_each(|found| found.cause = Some(Cause::Message(found.case.clone())));
    let page = self::page(&[named("out", run)]);
    assert!(page.contains("700 groups, and 700 of 1,000 findings, are not on this page"));
    let mut long = many(2);
    long.differences[0].stored = "x".repeat(10_000).into();
    assert!(self::page(&[named("out", long)]).contains(" … (9400 bytes more)"));
}

#[test]
fn two_runs_are_beside_each_other() {
    let page = page(&[named("old", many(9)), named("new", many(5))]);
    assert!(page.contains("this page shows the last, <strong>new</strong>, beside <strong>old</strong>"));
    let summary = between(&page, "id=\"old-and-new\"", "</section>");
    assert!(
        summary.contains("<th scope=\"row\">errors</th><td>9</td><td>5</td><td class=\"better\">−4"),
        "{summary}"
    );
    let changed = between(&page, "<section id=\"changes\"", "</section>");
    assert!(changed.contains("data-tag=\"fixed\""), "{changed}");
    assert!(page.contains("Against <strong>old</strong>: nothing broke, 4 fixed"), "the line on top");
    assert!(!page.contains("id=\"trend\""));
    let same = self::page(&[named("old", many(5)), named("new", many(5))]);
    assert!(same.contains("Both give the same answers."));
}

#[test]
fn three_runs_are_a_trend() {
    let page = page(&[named("a", many(9)), named("b", many(5)), named("c", many(7))]);
    let trend = between(&page, "<section id=\"trend\"", "</section>");
    assert!(trend.contains("<title>b, errors: 5</title>"), "{trend}");
    assert!(trend.contains("<tr><th scope=\"row\">3 c</th><td>7</td><td>0</td><td>0</td></tr>"));
    // Three of eight cases agree.
    assert!(trend.contains("<tr><th scope=\"row\">2 b</th><td>37.5</td></tr>"), "{trend}");
    assert!(!page.contains("id=\"changes\""));
}

#[test]
fn a_verdict_says_what_came_out() {
    let check = |run: &Run, expected: &str| {
        let page = page(&[named("out", run.clone())]);
        assert_eq!(between(&page, "<div class=\"verdict ", "</div>").split("<p>").last(), Some(expected));
    };
    check(&Run::default(), "Nothing was compared</p>\n");
    check(&many(0), "All 3 cases agree</p>\n");
    check(&many(1), "1 error in 1 cause</p>\n");
    let mut run = many(0);
    run.checks[0].tally.skip(suites::SkipReason::TableMissing, 4);
    check(&run, "No errors in what could be checked; 1 set of cases could not be checked in full</p>\n");
    let mut run = many(0);
    run.checks[0].tally.differ("stalemate/left-over");
    check(&run, "No errors; 1 warning</p>\n");
}

#[test]
fn figures_of_two_runs_are_coloured_only_where_both_are_known_and_differ() {
    let class = |old: Run, new: Run, figure: &str| {
        let page = page(&[named("old", old), named("new", new)]);
        let row = between(&page, &format!("<th scope=\"row\">{figure}</th>"), "</tr>").to_owned();
        ["better", "worse"].into_iter().find(|class| row.contains(class))
    };
    let mut fewer = run();
    fewer.conversion.iter_mut().for_each(|row| row.won = 0);
    let unknown = || Run { conversion: Vec::new(), ..run() };
    assert_eq!(class(run(), run(), "endings won"), None);
    assert_eq!(class(run(), run(), "errors"), None);
    assert_eq!(class(run(), fewer.clone(), "endings won"), Some("worse"));
    assert_eq!(class(fewer, run(), "endings won"), Some("better"));
    assert_eq!(class(unknown(), run(), "endings won"), None);
    assert_eq!(class(run(), unknown(), "endings won"), None);
}
