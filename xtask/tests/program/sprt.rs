//! `sprt`: the statistics of results.

use crate::sandbox::{Ended, Sandbox};

fn sprt(args: &[&str]) -> Ended {
    Ended::of(Sandbox::new().program().arg("sprt").args(args))
}

#[test]
fn results_have_elo_and_a_test() {
    let games = sprt(&["--wdl", "76,123,89"]);
    games.says(0, &[]);
    assert_eq!(
        games.stdout,
        "games  288, score 47.74 %, drawn 42.71 %\n\
         Elo    -15.69 +/- 30.46\n\
         nElo   -20.76 +/- 40.13\n\
         LOS    15.53 %\n"
    );
    let pairs = sprt(&["--penta", "34,54,63,64,75", "elo0=0", "elo1=5"]);
    pairs.says(0, &[]);
    assert!(pairs.stdout.contains("LLR    ") && pairs.stdout.contains("(-2.94, 2.94): "), "{}", pairs.stdout);
}

#[test]
fn the_same_as_json() {
    let args =
        ["--penta", "1,322,4449,392,8", "elo0=-2.5", "elo1=0.5", "model=normalized", "--format", "json"];
    let ended = sprt(&args);
    ended.says(0, &[]);
    let document: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let near = |key: &str, expected: f64| {
        let found = document[key].as_f64().unwrap();
        assert!((found - expected).abs() < 0.005, "{key}: {found}");
    };
    near("llr", 2.956);
    near("lower", -2.944);
    near("upper", 2.944);
    assert_eq!((document["result"].as_str(), document["games"].as_u64()), (Some("H1"), Some(10_344)));
    assert!(document["expected_games"].is_null());
}

/// The line of Elo, and the numbers of the JSON that are not known.
#[track_caller]
fn check_one_sided(results: [&str; 2], line: &str, unknown: &[&str]) {
    let test = ["elo0=0", "elo1=5"];
    let text = sprt(&[&results[..], &test].concat());
    text.says(0, &[]);
    assert!(text.stdout.lines().any(|found| found == line), "{}", text.stdout);
    let has_word = |word: &str| text.stdout.split_whitespace().any(|found| found.starts_with(word));
    assert!(!has_word("inf") && !has_word("NaN") && !has_word("-0.00"), "{}", text.stdout);
    let json = sprt(&[&results[..], &test, &["--format", "json"]].concat());
    json.says(0, &[]);
    let document: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let of_results = document.as_object().unwrap().iter().filter(|(key, _)| !key.starts_with("expected"));
    let missing: Vec<&str> =
        of_results.filter(|(_, value)| value.is_null()).map(|(key, _)| key.as_str()).collect();
    assert_eq!(missing, unknown, "{document}");
}

#[test]
fn results_of_one_side_and_results_that_are_alike() {
    let of = |what: &str, games: u32| {
        format!("Elo    {what} all {games} games, from which no Elo can be estimated")
    };
    let unknown = ["elo", "elo_error", "nelo"];
    check_one_sided(["--wdl", "5,0,0"], &of("won", 5), &unknown);
    check_one_sided(["--wdl", "0,0,5"], &of("lost", 5), &unknown);
    check_one_sided(["--penta", "0,0,0,0,3"], &of("won", 6), &unknown);
    let alike = |elo: &str| format!("Elo    {elo}; all ended alike, from which no error can be estimated");
    check_one_sided(["--wdl", "0,5,0"], &alike("0.00"), &[]);
    check_one_sided(["--penta", "0,0,0,3,0"], &alike("190.85"), &["nelo"]);
    let one_sided = "Elo    884.88; so one-sided that no error can be estimated";
    check_one_sided(["--penta", "0,0,0,1,40"], one_sided, &["elo_error"]);
}

/// The ratio of these results is a little below 0.
#[test]
fn no_zero_is_negative() {
    let even = sprt(&["--penta", "100,1,2,1,100", "elo0=0", "elo1=0.001"]);
    even.says(0, &[]);
    assert!(even.stdout.contains("\nLLR    0.00 ("), "{}", even.stdout);
}

#[test]
fn games_to_be_expected() {
    let ended = sprt(&["elo0=0", "elo1=2", "--expect", "3"]);
    ended.says(0, &[]);
    assert!(
        ended.stdout.starts_with("takes  ") && ended.stdout.contains(" games on average"),
        "{}",
        ended.stdout
    );
}

#[test]
fn wrong_arguments() {
    let check = |args: &[&str], said: &str| sprt(args).says(2, &[said]);
    check(&[], "name results with --wdl W,D,L or --penta LL,LD,DD,WD,WW");
    check(&["--wdl", "1,2"], "expected 3 counts with commas between them, got \"1,2\"");
    check(&["--wdl", "1,2,-3"], "\"-3\" is no count");
    check(&["--wdl", "0,0,0"], "there is no game");
    check(&["--wdl", "1,2,3", "elo0=0"], "elo1= is missing");
    check(&["--wdl", "1,2,3", "elo0=5", "elo1=0"], "the smaller one first");
    check(&["--wdl", "1,2,3", "elo0=x", "elo1=0"], "elo0=x: expected a number");
    check(&["--wdl", "1,2,3", "elo0=0", "elo0=1", "elo1=2"], "elo0= is given twice");
    check(&["--wdl", "1,2,3", "elo=0"], "\"elo=0\": expected one of elo0=, elo1=, alpha=, beta=, model=");
    check(&["--wdl", "1,2,3", "elo0=0", "elo1=1", "alpha=1"], "expected probabilities above 0 and below 0.5");
    check(&["--wdl", "1,2,3", "elo0=0", "elo1=1", "model=wilson"], "wilson");
    check(
        &["--penta", "1,2,3,2,1", "elo0=0", "elo1=1", "model=bayesian"],
        "model=bayesian is a model of games",
    );
    check(&["--expect", "3"], "name its bounds");
    check(&["elo0=0", "elo1=1", "model=logistic", "--expect", "3"], "needs results");
}
