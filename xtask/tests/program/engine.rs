//! `verify --engine`: our own engine and its specimens as programs, and programs that are no engines.

use reports::{CheckRow, CompareRow, DifferenceRow};

use crate::bench::{Bench, run};
use crate::players::engine;

/// A folder whose `touchstone.toml` names our engine, and a specimen.
pub(crate) fn named() -> Bench {
    let bench = Bench::new();
    let path = toml::Value::String(engine().to_owned());
    let config = format!(
        "[engine.ours]\npath = {path}\noptions = {{ Hash = 1 }}\n\n\
         [engine.micro]\npath = {path}\nargs = [\"--specimen\", \"micromax\"]\n"
    );
    bench.write("touchstone.toml", config);
    bench
}

#[test]
fn our_engine_is_right_in_every_family() {
    let bench = named();
    let families = ["protocol", "stalemate", "mate", "draw", "conversion"];
    let asked = format!("--quick --check {} --time-limit 600 --jobs 2", families.join(","));
    let ended = bench.verify(&format!("--engine ours {asked}"));
    ended.says(0, &["reports in out"]);
    let checks: Vec<CheckRow> = bench.rows();
    assert!(checks.iter().filter(|row| row.check.starts_with("protocol/")).count() >= 40);
    for family in families.iter().chain(&["process"]) {
        let own = checks.iter().filter(|row| row.check.split('/').next() == Some(family));
        assert!(own.filter(|row| row.subject == "ours").any(|row| row.compared > 0), "{family}: {checks:?}");
    }
    assert_eq!(bench.rows::<DifferenceRow>(), []);
    assert!(ended.stdout.starts_with("ours: "), "{}", ended.stdout);
    // Checks that agree share the line of their family.
    assert!(ended.stdout.lines().count() < 30, "{}", ended.stdout);
}

/// How far it gets in the time of this family depends on the machine; what it is asked, it knows.
#[test]
fn our_engine_knows_the_moves() {
    let bench = named();
    let ended = bench.verify("--engine ours --check movegen --time-limit 600 --jobs 2");
    assert!(ended.code == 0 || ended.code == 2 && ended.stdout.contains("out of time"), "{}", ended.stdout);
    let checks: Vec<CheckRow> = bench.rows();
    assert!(
        checks
            .iter()
            .all(|row| ["movegen", "process"].contains(&row.check.split('/').next().unwrap())
                && row.differed == 0),
        "{checks:?}"
    );
    assert!(checks.iter().any(|row| row.check == "movegen/perft" && row.compared > 0), "{checks:?}");
}

#[test]
fn a_program_that_no_suite_was_put_to_had_nothing_to_break_over() {
    let bench = named();
    bench.verify("--engine ours --check protocol/id-name --time-limit 600").says(0, &[]);
    let checks: Vec<CheckRow> = bench.rows();
    assert!(checks.iter().all(|row| row.check == "protocol/id-name" && row.subject == "ours"), "{checks:?}");
}

#[test]
fn what_a_specimen_gets_wrong_is_listed_and_can_be_asked_again() {
    let bench = named();
    bench.verify("--engine micro --suite draws --time-limit 600").says(1, &[]);
    let checks: Vec<CheckRow> = bench.rows();
    assert!(checks.iter().filter(|row| row.check.starts_with("process/")).count() >= 6, "{checks:?}");
    let rows: Vec<DifferenceRow> = bench.rows();
    let wrong = rows.iter().find(|row| row.0.check.starts_with("draw")).unwrap();
    assert!(wrong.0.replay.contains(" --specimen micromax") && wrong.0.replay.contains("position fen"));
    let card: serde_json::Value = serde_json::from_str(&bench.text("out/engine.json")).unwrap();
    assert_eq!(card["name"], "micro");
    assert_eq!(card["arguments"], serde_json::json!(["--specimen", "micromax"]));
    assert_eq!(card["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(card["seconds"], 600);
    assert!(card["id"]["name"].as_str().unwrap().contains("micromax"), "{card}");
    let junit = bench.text("out/junit.xml");
    assert!(junit.contains("<testsuite name=\"micro draw") && junit.contains("<failure"), "{junit}");
    // The same again breaks nothing, and a baseline of one engine is none of another.
    bench
        .verify("--engine micro --suite draws --time-limit 600 --update-baseline --baseline base")
        .says(1, &[]);
    assert!(!bench.path("base/engine.json").exists());
    let again = bench.verify("--engine micro --suite draws --time-limit 600 --jobs 1 --baseline base");
    assert!(again.stdout.contains("against the baseline: nothing changed"), "{}", again.stdout);
    let other = bench.verify("--engine ours --name micro --suite draws --time-limit 600 --baseline base");
    other.says(0, &[]);
    assert!(other.stdout.contains(" fixed"), "{}", other.stdout);
}

#[test]
fn a_limit_of_time_is_kept_and_told() {
    let bench = named();
    let ended = bench.verify("--engine ours --suite stalemates,mates --time-limit 1");
    ended.says(2, &[]);
    assert!(ended.stdout.contains("out of time"), "{}", ended.stdout);
    assert_eq!(ended.stdout.matches("--time-limit N").count(), 1, "{}", ended.stdout);
}

/// A program that is heard as far as `uciok` and then is gone.
#[cfg(unix)]
#[test]
fn a_program_that_breaks_leaves_a_transcript() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    let script = "#!/bin/sh\nwhile read line; do case \"$line\" in\nuci) echo uciok;;\n\
                  isready) echo readyok;;\nquit) exit 0;;\ngo*) exit 3;;\nesac; done\n";
    bench.write("gone", script);
    std::fs::set_permissions(bench.path("gone"), std::fs::Permissions::from_mode(0o755)).unwrap();
    bench.verify("--engine ./gone --suite stalemates --quick --time-limit 60").says(1, &[]);
    let rows: Vec<DifferenceRow> = bench.rows();
    let crashes: Vec<_> = rows.iter().filter(|row| row.0.check == "process/crash").collect();
    assert!(!crashes.is_empty(), "{rows:?}");
    let transcripts = bench.files("out/transcripts");
    let (name, text) = transcripts.first_key_value().unwrap();
    assert!(crashes[0].0.explanation.contains(name.as_str()), "{:?}", crashes[0]);
    assert!(text.contains("> uci") && text.contains("< uciok"), "{text}");
    // So does one to which no suite is put, and nothing is told of suites then.
    bench.verify("--engine ./gone --check movegen --quick --time-limit 60").says(1, &[]);
    let checks: Vec<CheckRow> = bench.rows();
    let told: Vec<_> = checks.iter().filter(|row| row.check.starts_with("process/")).collect();
    assert!(told.len() >= 6 && told.iter().all(|row| row.case_set == "movegen"), "{checks:?}");
    let rows: Vec<DifferenceRow> = bench.rows();
    let [DifferenceRow(crash)] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((crash.check.as_str(), crash.case.as_str()), ("process/crash", "movegen/start"));
    assert!(crash.replay.contains(" 'go depth 1'; "), "{crash:?}");
    let transcripts = bench.files("out/transcripts");
    assert!(transcripts.keys().all(|name| crash.explanation.contains(name.as_str())), "{crash:?}");
    assert_eq!(transcripts.len(), 1);
}

#[test]
fn programs_that_are_none() {
    let check = |engine: &str, parts: &[&str]| {
        let bench = Bench::new();
        bench.write("folder/file", "no program");
        bench.write("bare", "no program");
        let ended = bench.verify(&format!("--engine {engine} --quick"));
        ended.says(2, &[&["error: "], parts].concat());
        assert!(!bench.path("out").exists(), "{engine}");
    };
    check("./nowhere", &["cannot find the program ./nowhere: "]);
    check("no-such-engine-anywhere", &["no program no-such-engine-anywhere in the PATH"]);
    check("./folder", &["./folder is a folder"]);
    check("bare", &["bare is not in the PATH; use ./bare for the file in this folder"]);
    #[cfg(unix)]
    check("./folder/file", &["./folder/file is not executable", "chmod +x"]);
    #[cfg(unix)]
    check("true", &["is no UCI engine", "> uci", "--args=--uci"]);
}

#[test]
fn what_is_asked_of_an_engine_wrongly() {
    let check = |args: &str, parts: &[&str]| named().verify(args).says(2, &[&["error: "], parts].concat());
    check("--engine ours --option Hahs=16", &["ours declares no option Hahs (did you mean Hash?)"]);
    check("--engine ours --option =16", &["expected NAME=VALUE"]);
    check("--engine ours --env X", &["expected NAME=VALUE"]);
    check("--engine ours --dir nowhere", &["cannot be started in nowhere, which is not a folder"]);
    check("--engine ours --check drow", &["no such check (did you mean draw", "`explain` lists all"]);
    check("--engine ours --suite perft", &["suite perft cannot be run with --engine"]);
    check("--engine ours --subject micromax", &["cannot be used with"]);
    check("--engine ours --time-limit 0", &["'0'"]);
    check("--engine ours --update-baseline", &["name the baseline to write with --baseline DIR"]);
    check("--engine ourz --suite draws", &["touchstone.toml names no engine ourz (did you mean ours?)"]);
    check("--option Hash=16", &["--engine"]);
    check("--fail-on never", &["expected error, warning or note"]);
    let bench = Bench::new();
    bench.write("touchstone.toml", "[engine.mine]\npath = \"x\"\nargz = []\n");
    bench.verify("--engine mine").says(2, &["touchstone.toml", "line 3", "unknown field `argz`"]);
    bench.verify("--engine mine --config other.toml").says(2, &["cannot open other.toml"]);
}

#[test]
fn two_specimens_compared() {
    let bench = named();
    let compare = |a: &str, b: &str| {
        bench.run(["compare", a, b, "--suite", "draws", "--time-limit", "600", "--out", "out"])
    };
    let ended = compare("ours", "micro");
    ended.says(1, &["reports in out"]);
    let rows: Vec<CompareRow> = bench.rows();
    assert!(rows.iter().any(|row| row.a == "agrees" && row.b.starts_with("differs: ")), "{rows:?}");
    assert!(ended.stdout.contains("b is wrong where a is right: "), "{}", ended.stdout);
    assert!(bench.path("out/a/engine.json").exists() && bench.path("out/b/engine.json").exists());
    compare("micro", "ours").says(0, &[]);
    // Nobody waits for the first to hear that there is no second.
    compare("ours", "nobody").says(2, &["nobody"]);
    let same = compare("micro", "micro");
    same.says(0, &[]);
    assert!(same.stdout.ends_with("both do the same\n"), "{}", same.stdout);
    assert_eq!(bench.rows::<CompareRow>(), []);
}

#[test]
fn the_same_program_with_two_settings() {
    let bench = named();
    let ended = bench.run(
        [
            "compare",
            "ours",
            "ours",
            "--option-b",
            "hash=2",
            "--option-b",
            "Clear Hash",
            "--check",
            "protocol/id-name",
        ]
        .into_iter()
        .chain(["--out", "out", "--time-limit", "600"]),
    );
    ended.says(0, &[]);
    let heading = |side: &str| ended.stdout.lines().find(|line| line.starts_with(side)).unwrap().to_owned();
    assert!(heading("a  ").ends_with(", Hash=1)"), "{}", ended.stdout);
    assert!(heading("b  ").ends_with(", Clear Hash, hash=2)"), "{}", ended.stdout);
    let card = |side: &str| -> serde_json::Value {
        serde_json::from_str(&bench.text(&format!("out/{side}/engine.json"))).unwrap()
    };
    assert_eq!(card("a")["options"], serde_json::json!({ "Hash": "1" }));
    assert_eq!(card("b")["options"], serde_json::json!({ "Clear Hash": "", "hash": "2" }));
    bench.run(["compare", "ours", "ours", "--option-a", "Hahs=2"]).says(2, &["declares no option Hahs"]);
    bench.run(["compare", "ours", "ours", "--option-b", "=2"]).says(2, &["expected NAME=VALUE"]);
}

#[test]
fn pages_of_checks() {
    let page = run(&["explain", "process/crash"]);
    assert_eq!(page.code, 0);
    assert!(
        page.stdout.starts_with("process/crash: it does not crash\nseverity: error\n\n"),
        "{}",
        page.stdout
    );
    let all = run(&["explain"]).stdout;
    for page in suites::catalogue::pages() {
        assert!(
            all.lines().any(|line| line.starts_with(page.id) && line.ends_with(page.title)),
            "{}",
            page.id
        );
    }
    let family = run(&["explain", "process"]).stdout;
    assert!(
        family.lines().count() >= 6 && family.lines().all(|line| line.starts_with("process/")),
        "{family}"
    );
    run(&["explain", "process/crahs"]).says(2, &["no check process/crahs (did you mean process/crash"]);
}
