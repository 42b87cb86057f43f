use std::collections::BTreeMap;

use super::*;

const FEN: &str = "7k/8/5K2/8/8/8/8/R7 w - - 3 9";

fn read(body: &str) -> Result<Vec<ArbiterCase>, FormatError> {
    parse("test.epd", &format!("# cases: 1\n{FEN} {body}"))
}

#[track_caller]
fn check(body: &str, expected: &str) {
    let error = read(body).unwrap_err().to_string();
    assert!(error.starts_with(&format!("test.epd:2: expected {expected}")), "{error}");
}

#[test]
fn a_line_is_read() {
    let body = "book \"a1a2 (h8g8 a2a1)*2\"; play \"a1a2,cp=-5,upper=3,wait=40 (none),mute,then=h8g8 -,exit\"; \
                match \"tc=1/0.2 margin=5 resign=3/600/both draw=40/8/10 maxmoves=9 tables\"; chess960; refused; \
                end \"1-0 checkmate 7\"; fastchess \"1/2-1/2 time-draw 6\"; rule \"Laws of Chess 5.1.1\"; id \"mate/01\";";
    let [case] = &read(body).unwrap()[..] else { panic!("one case") };
    assert_eq!((case.class(), case.book.join(" ").as_str()), ("mate", "a1a2 h8g8 a2a1 h8g8 a2a1"));
    let [one, none, crash] = &case.play[..] else { panic!("{case:?}") };
    assert_eq!(one.scores, [ScriptedScore::Centipawns(-5), ScriptedScore::Upper(3)]);
    assert_eq!((one.wait, none.best.as_deref(), none.then.as_deref()), (40, Some("(none)"), Some("h8g8")));
    assert!(none.scores.is_empty() && crash.exits && crash.best.is_none() && !crash.scores.is_empty());
    let resign = Resign { move_count: 3, score: 600, two_sided: true };
    let draw = ScoreDraw { move_number: 40, move_count: 8, score: 10 };
    let (clock, margin, max_moves) = (Some("1/0.2".to_owned()), Some(5), Some(9));
    let (resign, draw, tables) = (Some(resign), Some(draw), true);
    assert_eq!(case.settings, MatchSettings { clock, margin, resign, draw, max_moves, tables });
    assert!(case.chess960 && case.may_be_refused);
    let drawn = ExpectedEnd { result: GameResult::Draw, end: GameEnd::TimeDraw, plies: 6 };
    assert_eq!(case.end_under(Policy::Fastchess), drawn);
    assert_eq!(case.end_under(Policy::Fide).plies, 7);
}

#[test]
fn errors_name_file_and_line() {
    let end = "end \"1-0 checkmate 7\"; rule \"x\"; id \"mate/01\";";
    check("rule \"x\"; id \"mate/01\";", "a result, an end and a number of plies");
    check("end \"1-0 mate 7\"; rule \"x\"; id \"mate/01\";", "a result, an end and a number of plies");
    check("end \"1-0 checkmate 7\"; id \"mate/01\";", "rule \"the rule or source\", got");
    for play in [
        "(a1a2",
        "(a1a2)*",
        "(a1a2)*0",
        "(a1a2)*x",
        "(a1a2)*1001",
        "[a1a2]*2",
        "[a1a2|]*2",
        "(a1a2 b1b2)*600",
    ] {
        check(&format!("play \"{play}\"; {end}"), "words and groups such as (a1a2 a2a1)*3");
    }
    for play in ["a1a2,", "a1a2,cp=x", "a1a2,wait=5001", "a1a2,then=", "a1a2,exit=1", ",mute"] {
        check(&format!("play \"{play}\"; {end}"), "an answer such as e2e4, or - for none");
    }
    for words in ["tc", "margin=x", "resign=3", "resign=3/5/one", "draw=1/2", "maxmoves=", "tables=1", "x=1"]
    {
        check(&format!("match \"{words}\"; {end}"), "settings such as tc=40/60");
    }
}

#[test]
fn groups_are_repeated() {
    let check = |text: &str, expected: &str| assert_eq!(repeated(text).unwrap().join(" "), expected);
    check("a (b c)*2  d", "a b c b c d");
    check("[a b|c d e]*7 (none)", "a c b d a e b (none)");
    check("", "");
    assert_eq!(repeated(&"a ".repeat(1001)), None);
}

/// The kinds of games that the suite is there for.
#[test]
fn the_suite_is_whole() {
    let cases = embedded().unwrap();
    assert!(cases.len() >= 200, "{}", cases.len());
    let mut classes: Vec<&str> = cases.iter().map(ArbiterCase::class).collect();
    classes.dedup();
    let counted: BTreeMap<&str, usize> = cases.iter().fold(BTreeMap::new(), |mut counted, case| {
        *counted.entry(case.class()).or_default() += 1;
        counted
    });
    for case in [&cases[0], &cases[100], &cases[cases.len() - 1]] {
        assert_eq!(embedded_case(&case.id).unwrap().as_ref(), Some(case));
    }
    assert_eq!(embedded_case("checkmate/99"), Ok(None));
    assert_eq!(classes.len(), counted.len(), "the cases of a class follow one another");
    let ends = |end| cases.iter().filter(|case| case.end.end == end).count();
    for end in GameEnd::ALL {
        assert!(ends(end) >= 4, "{end}: {}", ends(end));
    }
}
