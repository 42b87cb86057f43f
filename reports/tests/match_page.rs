//! The page of a match.

use reports::html::match_document;
use reports::match_data::{
    Match, MatchEngine, MatchFindings, MatchScore, MatchTest, OpeningScore, Strength, WalkPoint,
};
use suites::{Answer, Difference, Replay};

fn score(wins: u64, draws: u64, losses: u64) -> MatchScore {
    MatchScore { wins, draws, losses }
}

fn engine(name: &str, score: MatchScore, pairs: [u64; 5], elo: f64) -> MatchEngine {
    let strength = Strength {
        elo,
        elo_error: 20.5,
        normalized: 2.0 * elo,
        normalized_error: 30.0,
        superiority: if elo > 0.0 { 0.998 } else { 0.002 },
    };
    MatchEngine { name: name.to_owned(), score, pairs, strength: Some(strength) }
}

/// A win in so many plies that was thrown in this game.
fn thrown(game: u64, plies: u16) -> Difference {
    let text = |text: &str| text.to_owned();
    Difference {
        subject: text("old"),
        check: text("game/win-to-draw"),
        case: format!("game {game} ply 80 (new - old)"),
        fen: text("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1"),
        stored: Answer::Distance(None),
        given: Some(text("c2c1")),
        expected: Answer::Distance(Some(plies)),
        best: vec![text("c2c3"), text("c2c4")],
        source: text("endgame tables"),
        explanation: text("c2c1 was played; c2c3 and c2c4 kept the result"),
        replay: Replay::shell("(printf '%s\\n' uci; sleep 2; echo quit) | ./old"),
        ..Difference::default()
    }
}

/// A match of two engines.
fn data() -> Match {
    let walk = |games: u64| WalkPoint {
        games,
        elo: if games == 8 { f64::INFINITY } else { 60.0 - games as f64 / 4.0 },
        error: if games == 8 { f64::INFINITY } else { 1600.0 / games as f64 },
        llr: Some(games as f64 / 40.0 - 1.0),
    };
    let opening = |opening: &str, white, first| OpeningScore { opening: opening.to_owned(), white, first };
    let mut findings = MatchFindings::default();
    for (number, plies) in [(3, 5), (7, 31), (11, 3)] {
        findings.add(thrown(number, plies));
    }
    findings.add(Difference { check: "game/score-of-draw".to_owned(), ..thrown(12, 1) });
    Match {
        engines: vec![
            engine("new", score(48, 20, 12), [0, 4, 12, 16, 8], 38.25),
            engine("old", score(12, 20, 48), [8, 16, 12, 4, 0], -38.25),
        ],
        cross: vec![vec![None, Some(score(48, 20, 12))], vec![Some(score(12, 20, 48)), None]],
        games: 80,
        scheduled: 1000,
        first: "new".to_owned(),
        test: Some(MatchTest { llr: 2.95, lower: -2.94, upper: 2.94, result: "H1".to_owned() }),
        walk: (1..=10).map(|point| walk(8 * point)).collect(),
        ends: vec![("3-fold repetition".to_owned(), 20), ("checkmate".to_owned(), 60)],
        openings: vec![
            opening("e2e4 e7e5", score(1, 0, 1), score(2, 0, 0)),
            opening("d2d4 d7d5", score(1, 0, 1), score(0, 0, 2)),
        ],
        findings: Some(findings),
        settings: vec![("new".to_owned(), "./new tc=8+0.08".to_owned())],
    }
}

fn page(data: &Match) -> String {
    String::from_utf8(match_document(data)).unwrap()
}

/// The page without style and script.
fn body(page: &str) -> &str {
    let (_, rest) = page.split_once("<header>").unwrap();
    rest.split_once("<script>").unwrap().0
}

#[test]
fn the_body_of_a_page() {
    insta::assert_snapshot!("match_body", body(&page(&data())));
}

#[test]
fn the_headline_says_who_is_stronger() {
    let check = |change: &dyn Fn(&mut Match), class: &str, line: &str| {
        let mut data = data();
        change(&mut data);
        let page = page(&data);
        assert!(page.contains(&format!("<div class=\"verdict {class}\">")), "{line}: {}", body(&page));
        assert!(page.contains(&format!("<p>{line}</p>")), "{line}: {}", body(&page));
    };
    let strength = |data: &mut Match, elo: f64, superiority: f64| {
        data.test = None;
        let known = data.engines[0].strength.unwrap();
        data.engines[0].strength = Some(Strength { elo, elo_error: 20.0, superiority, ..known });
    };
    check(&|_| (), "right", "SPRT: H1 is accepted for new against old");
    check(
        &|data| data.test.as_mut().unwrap().result = "H0".to_owned(),
        "wrong",
        "SPRT: H0 is accepted for new against old",
    );
    check(&|data| strength(data, 38.0, 0.9999), "right", "new is stronger than old");
    check(&|data| strength(data, -38.0, 0.0001), "wrong", "new is weaker than old");
    let neither = "The games do not show whether new or old is stronger";
    check(&|data| strength(data, 19.0, 0.969), "even", neither);
    // Who looks after each pair finds a difference in the end, whatever the engines are.
    check(&|data| data.test.as_mut().unwrap().result = "continue".to_owned(), "even", neither);
    let pairs = |data: &mut Match, pairs: [u64; 5]| {
        strength(data, 38.0, 0.9999);
        data.engines[0].pairs = pairs;
    };
    check(&|data| pairs(data, [0, 0, 0, 22, 8]), "right", "new is stronger than old");
    check(&|data| pairs(data, [0, 0, 0, 21, 8]), "even", neither);
    let third = |data: &mut Match| data.engines.push(engine("third", score(0, 0, 0), [0; 5], 0.0));
    check(&third, "even", "new is first: 58 of 80 points");
    check(
        &|data| *data = Match { engines: data.engines.clone(), first: "old".to_owned(), ..Match::default() },
        "wrong",
        "old is weaker than new",
    );
}

/// The texts of the headline, the strength and the standings for a first engine with such pairs.
fn without_numbers(elo: f64, elo_error: f64, pairs: [u64; 5], expected: [&str; 3]) {
    let mut data = data();
    data.test = None;
    for (sign, engine) in [1.0, -1.0].into_iter().zip(&mut data.engines) {
        let known = engine.strength.unwrap();
        let superiority = 0.5 + 0.5 * (sign * elo).clamp(-1.0, 1.0);
        engine.strength =
            Some(Strength { elo: sign * elo, elo_error, normalized: f64::NAN, superiority, ..known });
        engine.pairs = pairs;
    }
    data.walk.iter_mut().for_each(|point| (point.elo, point.error) = (elo, elo_error));
    let page = page(&data);
    let body = body(&page);
    assert!(!body.contains("inf") && !body.contains("NaN"), "{body}");
    let [headline, strength, standings] = expected;
    for text in [
        format!("<p>{headline}</p>"),
        format!("<p class=\"change\">{strength}</p>"),
        format!("<td>{standings}</td>"),
    ] {
        assert!(body.contains(&text), "{text}: {body}");
    }
    assert!(!body.contains("id=\"elo\""), "no walk of Elo is known: {body}");
}

#[test]
fn from_won_games_alone_no_elo_is_estimated() {
    let infinity = f64::INFINITY;
    let won = "won all 80 games, from which no Elo can be estimated";
    let lost = "lost all 80 games, from which no Elo can be estimated";
    without_numbers(infinity, infinity, [0, 0, 0, 0, 40], [&format!("new {won}"), won, lost]);
    without_numbers(-infinity, infinity, [40, 0, 0, 0, 0], [&format!("new {lost}"), lost, won]);
    let few = "won all 10 games, from which no Elo can be estimated";
    let neither = "The games do not show whether new or old is stronger";
    without_numbers(infinity, infinity, [0, 0, 0, 0, 5], [neither, few, few.replace("won", "lost").as_str()]);
}

#[test]
fn from_equal_pairs_no_error_is_estimated() {
    let neither = "The games do not show whether new or old is stronger";
    let of = |elo: &str| format!("Elo {elo}; all ended alike, from which no error can be estimated");
    let level = of("0.00");
    without_numbers(0.0, 0.0, [0, 0, 40, 0, 0], [neither, &level, &level]);
    without_numbers(190.85, 0.0, [0, 0, 0, 40, 0], [neither, &of("190.85"), &of("-190.85")]);
}

/// The interval of Elo is open to one side, and shows which engine is the stronger one all the same.
#[test]
fn a_one_sided_result_has_a_verdict() {
    let of = |elo: &str| format!("Elo {elo}; so one-sided that no error can be estimated");
    let elo = of("841.52");
    without_numbers(
        841.52,
        f64::INFINITY,
        [0, 0, 0, 1, 31],
        ["new is stronger than old", &elo, &of("-841.52")],
    );
}

/// The openings that cost the first engine the most come first.
#[test]
fn the_worst_openings_come_first() {
    let page = page(&data());
    let place = |text: &str| page.find(text).unwrap();
    assert!(place("d2d4 d7d5") < place("e2e4 e7e5"));
}

/// What was thrown first is the nearest win, whatever the number of the game; and of each kind there is a board.
#[test]
fn the_worst_findings_come_first() {
    let page = page(&data());
    let (_, list) = page.split_once("<section id=\"findings\"").unwrap();
    let first = list.find("game 11 ply 80").unwrap();
    assert!(!list[..first].contains("game 3") && list.contains("throws a won position away into a draw"));
    assert!(list.contains("class=\"arrow right\"") && list.contains("class=\"arrow played\""), "{list}");
    let rows = list.split_once("id=\"rows\">").unwrap().1;
    let place = |text: &str| rows.find(text).unwrap();
    assert!(place("game 3 ply 80") < place("game 7 ply 80"), "{rows}");
    let page = |findings| body(&self::page(&Match { findings, ..data() })).to_owned();
    assert!(page(Some(MatchFindings::default())).contains("Nothing was found in the games."));
    assert!(!page(None).contains("findings"));
}

/// However many there are, the page has the worst ones and counts the others.
#[test]
fn long_lists_of_findings_are_cut() {
    let mut findings = MatchFindings::default();
    for number in 0..100_000 {
        findings.add(thrown(number, if number == 77_777 { 1 } else { 3 }));
    }
    let page = page(&Match { findings: Some(findings), ..data() });
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
    assert!(page.contains("<h4 data-f=\"case\">game 77777 ply 80 (new - old)</h4>"));
    assert!(page.contains("99,900 of 100,000 findings are not on this page"));
}

#[test]
fn a_large_match_has_a_small_page() {
    let mut data = data();
    let long = "a".repeat(3000);
    data.engines =
        (0..256).map(|number| engine(&format!("{number}{long}"), score(1, 1, 1), [0; 5], 1.0)).collect();
    data.cross = vec![vec![Some(score(1, 1, 1)); 256]; 256];
    data.openings = (0..50_000)
        .map(|number| OpeningScore { opening: format!("{number} {long}"), ..OpeningScore::default() })
        .collect();
    data.walk = (1..=200)
        .map(|games| WalkPoint { games: 500 * games, elo: 1.0, error: 2.0, llr: Some(0.1) })
        .collect();
    data.settings = (0..1000).map(|number| (format!("{number}"), long.clone())).collect();
    let page = page(&data);
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
    assert!(page.contains("And 232 more."), "engines of the cross table");
    assert!(page.contains("And 49950 more."), "openings");
}

#[test]
fn a_page_needs_nothing_else_and_names_are_text() {
    let mut data = data();
    let hostile = "</script><script>alert(1)</script><img src=x onerror=\"alert(2)\">{{ 7*7 }}\u{1b}";
    data.first = hostile.to_owned();
    data.engines[0].name = hostile.to_owned();
    data.ends.push((hostile.to_owned(), 1));
    data.openings[0].opening = hostile.to_owned();
    let hostile_finding = Difference {
        subject: hostile.to_owned(),
        case: hostile.to_owned(),
        explanation: hostile.to_owned(),
        ..thrown(1, 1)
    };
    data.findings.as_mut().unwrap().add(hostile_finding);
    data.settings.push((hostile.to_owned(), hostile.to_owned()));
    // A link that the reader may follow loads nothing.
    let page = page(&data).replace("https://lichess.org/analysis/", "");
    for outside in ["://", "<img", "@import", "url(h", "<link", "49}", "<script>alert"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
    assert!(!page.contains("NaN"));
}

#[test]
fn a_match_without_games_has_a_page() {
    let engines = ["new", "old"].map(|name| MatchEngine { name: name.to_owned(), ..MatchEngine::default() });
    let data = Match {
        engines: engines.to_vec(),
        cross: vec![vec![None, Some(score(0, 0, 0))], vec![Some(score(0, 0, 0)), None]],
        scheduled: 10,
        first: "new".to_owned(),
        ..Match::default()
    };
    let page = page(&data);
    assert!(page.contains("0 of 10 games") && !page.contains("<svg class=\"chart\""), "{}", body(&page));
}
