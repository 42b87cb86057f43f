//! `verify --engine` with our engine, with its specimens, and with programs that are not engines.

use reports::{CheckRow, CompareRow, DifferenceRow};

use crate::players::{engine, hostile};
use crate::sandbox::{Ended, Sandbox, run};

/// A folder whose `touchstone.toml` names our engine, and a specimen.
pub(crate) fn named() -> Sandbox {
    let sandbox = Sandbox::new();
    let path = toml::Value::String(engine().to_owned());
    let config = format!(
        "[engine.ours]\npath = {path}\noptions = {{ Hash = 1 }}\n\n\
         [engine.micro]\npath = {path}\nargs = [\"--specimen\", \"micromax\"]\n"
    );
    sandbox.write("touchstone.toml", config);
    sandbox
}

#[test]
#[ignore = "nightly: CI runs the same on the program"]
fn our_engine_is_right_in_every_family() {
    let sandbox = named();
    let families = ["protocol", "stalemate", "mate", "draw", "conversion"];
    let asked = format!("--quick --check {} --time-limit 600 --jobs 2", families.join(","));
    let ended = sandbox.verify(&format!("--engine ours {asked}"));
    ended.says(0, &["page: out/report.html"]);
    let checks: Vec<CheckRow> = sandbox.rows();
    assert!(checks.iter().filter(|row| row.check.starts_with("protocol/")).count() >= 40);
    for family in families.iter().chain(&["process"]) {
        let own = checks.iter().filter(|row| row.check.split('/').next() == Some(family));
        assert!(own.filter(|row| row.subject == "ours").any(|row| row.compared > 0), "{family}: {checks:?}");
    }
    assert_eq!(sandbox.rows::<DifferenceRow>(), []);
    assert!(ended.stdout.starts_with("ours: "), "{}", ended.stdout);
    // Checks that agree share the line of their family.
    assert!(ended.stdout.lines().count() < 30, "{}", ended.stdout);
}

/// How far it gets in the time of this family depends on the machine; what it is asked, it knows.
#[test]
#[ignore = "nightly: CI runs the same on the program"]
fn our_engine_passes_the_checks_of_moves() {
    let sandbox = named();
    let ended = sandbox.verify("--engine ours --check movegen --time-limit 600 --jobs 2");
    assert!(ended.code == 0 || ended.code == 2 && ended.stdout.contains("out of time"), "{}", ended.stdout);
    let checks: Vec<CheckRow> = sandbox.rows();
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
fn without_suites_no_failure_is_reported() {
    let sandbox = named();
    sandbox.verify("--engine ours --check protocol/id-name --time-limit 600").says(0, &[]);
    let checks: Vec<CheckRow> = sandbox.rows();
    assert!(checks.iter().all(|row| row.check == "protocol/id-name" && row.subject == "ours"), "{checks:?}");
}

#[test]
fn errors_of_a_specimen_are_listed_with_a_replay() {
    let sandbox = named();
    sandbox.verify("--engine micro --suite draws --quick --nodes 10000 --time-limit 600").says(1, &[]);
    let checks: Vec<CheckRow> = sandbox.rows();
    assert!(checks.iter().filter(|row| row.check.starts_with("process/")).count() >= 6, "{checks:?}");
    let rows: Vec<DifferenceRow> = sandbox.rows();
    let wrong = rows.iter().find(|row| row.0.check.starts_with("draw")).unwrap();
    assert!(wrong.0.replay.contains(" --specimen micromax") && wrong.0.replay.contains("position fen"));
    let card: serde_json::Value = serde_json::from_str(&sandbox.text("out/engine.json")).unwrap();
    assert_eq!(card["name"], "micro");
    assert_eq!(card["arguments"], serde_json::json!(["--specimen", "micromax"]));
    assert_eq!(card["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(card["seconds"], 600);
    assert!(card["id"]["name"].as_str().unwrap().contains("micromax"), "{card}");
    let junit = sandbox.text("out/junit.xml");
    assert!(junit.contains("<testsuite name=\"micro draw") && junit.contains("<failure"), "{junit}");
}

/// The same again breaks nothing, and a right engine mends what a wrong one of the same name broke.
#[test]
fn an_engine_held_against_a_baseline() {
    let sandbox = named();
    sandbox.write("short.epd", crate::faulty::SHORT);
    let asked = "--suite mates --epd short.epd --time-limit 600";
    let faulty =
        format!("--engine {} --name faulty --args=--fault --args=unsound-in-nodes {asked}", hostile());
    sandbox.verify(&format!("{faulty} --update-baseline --baseline base")).says(1, &[]);
    assert!(!sandbox.path("base/engine.json").exists());
    let again = sandbox.verify(&format!("{faulty} --jobs 1 --baseline base"));
    assert!(again.stdout.contains("against the baseline: nothing changed"), "{}", again.stdout);
    let other = sandbox.verify(&format!("--engine ours --name faulty {asked} --baseline base"));
    other.says(0, &[]);
    assert!(other.stdout.contains(" fixed"), "{}", other.stdout);
}

#[test]
fn a_time_limit_is_respected_and_reported() {
    let sandbox = named();
    let ended = sandbox.verify("--engine ours --suite stalemates,mates --time-limit 1");
    ended.says(2, &[]);
    assert!(ended.stdout.contains("out of time"), "{}", ended.stdout);
    assert_eq!(ended.stdout.matches("--time-limit N").count(), 1, "{}", ended.stdout);
}

/// It would take the machine with it.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_takes_memory_without_end_is_ended() {
    let sandbox = Sandbox::new();
    let greedy = format!("--engine {} --args=--fault --args=greedy", hostile());
    let ended = sandbox.verify(&format!("{greedy} --suite stalemates --quick --memory 100"));
    ended.says(1, &[]);
    assert!(ended.stdout.contains("takes memory without end"), "{}", ended.stdout);
    let rows: Vec<DifferenceRow> = sandbox.rows();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.0.check == "process/memory"), "{rows:?}");
}

/// A program that is heard as far as `uciok` and then is gone.
#[cfg(unix)]
#[test]
fn a_failure_leaves_a_transcript() {
    let sandbox = Sandbox::new();
    let script = "#!/bin/sh\nwhile read line; do case \"$line\" in\nuci) echo uciok;;\n\
                  isready) echo readyok;;\nquit) exit 0;;\ngo*) exit 3;;\nesac; done\n";
    sandbox.write_program("gone", script);
    sandbox.verify("--engine ./gone --suite stalemates --quick --time-limit 60").says(1, &[]);
    let rows: Vec<DifferenceRow> = sandbox.rows();
    let crashes: Vec<_> = rows.iter().filter(|row| row.0.check == "process/crash").collect();
    assert!(!crashes.is_empty(), "{rows:?}");
    let transcripts = sandbox.files("out/transcripts");
    let (name, text) = transcripts.first_key_value().unwrap();
    assert!(crashes[0].0.explanation.contains(name.as_str()), "{:?}", crashes[0]);
    assert!(text.contains("> uci") && text.contains("< uciok"), "{text}");
    // So does one to which no suite is put, and nothing is told of suites then.
    sandbox.verify("--engine ./gone --check movegen --quick --time-limit 60").says(1, &[]);
    let checks: Vec<CheckRow> = sandbox.rows();
    let told: Vec<_> = checks.iter().filter(|row| row.check.starts_with("process/")).collect();
    assert!(told.len() >= 6 && told.iter().all(|row| row.case_set == "movegen"), "{checks:?}");
    let rows: Vec<DifferenceRow> = sandbox.rows();
    let [DifferenceRow(crash)] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((crash.check.as_str(), crash.case.as_str()), ("process/crash", "movegen/start"));
    assert!(crash.replay.contains(" 'go depth 1'; "), "{crash:?}");
    let transcripts = sandbox.files("out/transcripts");
    assert!(transcripts.keys().all(|name| crash.explanation.contains(name.as_str())), "{crash:?}");
    assert_eq!(transcripts.len(), 1);
}

#[test]
fn files_that_are_not_programs() {
    let check = |engine: &str, parts: &[&str]| {
        let sandbox = Sandbox::new();
        sandbox.write("folder/file", "no program");
        sandbox.write("bare", "no program");
        let ended = sandbox.verify(&format!("--engine {engine} --quick"));
        ended.says(2, &[&["error: "], parts].concat());
        assert!(!sandbox.path("out").exists(), "{engine}");
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

/// An engine whose output comes only when it ends, as from C programs with a pipe.
#[cfg(unix)]
#[test]
fn an_engine_with_buffered_output_is_told_so() {
    let sandbox = Sandbox::new();
    let reads = "while read -r line; do case $line in quit) printf 'id name x\\nuciok\\n'; exit;; esac; done";
    sandbox.write_program("buffered", format!("#!/bin/sh\n{reads}\n"));
    sandbox.verify("--engine ./buffered").says(2, &["error: ", "its output is buffered", "flush"]);
}

/// Our own engine is a verb, so that it can be asked as any program is.
#[test]
fn our_engine_is_a_program_too() {
    let asked = "--check protocol/id-name,protocol/stop,protocol/searchmoves --quick --fail-on note";
    let sandbox = Sandbox::new();
    let program = env!("CARGO_BIN_EXE_touchstone");
    let ended = sandbox.verify(&format!("--engine {program} --args=engine {asked}"));
    ended.says(0, &[]);
    assert!(ended.stdout.starts_with("touchstone: Touchstone "), "{}", ended.stdout);
}

/// The engine writes what it sees to a file, and a file into its folder.
#[test]
#[cfg(unix)]
fn an_isolated_engine_has_an_empty_folder_and_no_secrets() {
    let sandbox = Sandbox::new();
    let seen = sandbox.path("seen");
    let script = format!(
        "#!/bin/sh\n(pwd; (cd \"$HOME\"; pwd); ls -A; env) >{}\necho x >litter\nexec {}\n",
        seen.display(),
        hostile()
    );
    sandbox.write_program("mine", script);
    let look = |args: &str| {
        let mut program = sandbox.program();
        program.args(["verify", "--out", "out", "--engine"]).args(args.split(' ')).env("MY_SECRET", "token");
        let ended = Ended::of(program.args(["--check", "protocol/id-name"]));
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        sandbox.text("seen")
    };
    let open = look("./mine");
    assert!(open.contains("MY_SECRET=token") && sandbox.path("litter").exists(), "{open}");
    std::fs::remove_file(sandbox.path("litter")).unwrap();
    let isolated = look("./mine --isolate --env LEVEL=3");
    let lines: Vec<&str> = isolated.lines().collect();
    let [folder, home, ..] = lines[..] else { panic!("{isolated}") };
    assert_eq!(folder, home);
    assert!(!isolated.contains("MY_SECRET") && !isolated.contains("litter"), "{isolated}");
    assert!(lines.contains(&"LEVEL=3"), "{isolated}");
    assert!(lines.iter().any(|line| line.starts_with("PATH=")), "{isolated}");
    assert!(
        !sandbox.path("litter").exists() && !std::path::Path::new(folder).exists(),
        "{folder} is removed"
    );
    sandbox.write("touchstone.toml", "[engine.mine]\npath = \"./mine\"\nisolate = true\n");
    assert!(!look("mine").contains("MY_SECRET"));
    sandbox.verify("--engine ./mine --isolate --dir out").says(2, &["cannot be used with"]);
    sandbox.verify("--engine mine --dir out").says(2, &["mine is isolated", "leave out its dir"]);
}

#[test]
fn wrong_arguments_for_an_engine() {
    let check = |args: &str, parts: &[&str]| named().verify(args).says(2, &[&["error: "], parts].concat());
    check("--engine ours --option Hahs=16", &["ours declares no option Hahs (did you mean Hash?)"]);
    check("--engine ours --option =16", &["expected NAME=VALUE"]);
    check("--engine ours --env X", &["expected NAME=VALUE"]);
    check("--engine ours --dir nowhere", &["cannot be started in nowhere, which is not a folder"]);
    check("--engine ours --check drow", &["no such check (did you mean draw", "`explain` lists all"]);
    check("--engine ours --suite perft", &["suite perft cannot be run with --engine"]);
    check("--engine ours --subject micromax", &["cannot be used with"]);
    let bounds = "the option Hash of ours wants a number from 0 to 4096, and 4097 is not";
    check("--engine ours --option Hash=4097", &[bounds]);
    check("--engine ours --option Hash=much", &["and much is not"]);
    check("--check process/start", &["names 2 engines; choose one: --engine micro, --engine ours"]);
    let nameless = Sandbox::new().verify("--check process/start");
    nameless.says(2, &["--check is about a UCI engine", "--engine ./mine"]);
    check("--engine ours --time-limit 0", &["'0'"]);
    check("--engine ours --update-baseline", &["name the folder to write with --baseline DIR"]);
    check("--engine ourz --suite draws", &["touchstone.toml names no engine ourz (did you mean ours?)"]);
    check("--option Hash=16", &["--engine"]);
    check("--fail-on never", &["expected \"note\", \"warning\", \"error\""]);
    let sandbox = Sandbox::new();
    sandbox.write("touchstone.toml", "[engine.mine]\npath = \"x\"\nargz = []\n");
    sandbox.verify("--engine mine").says(2, &["touchstone.toml", "line 3", "unknown field `argz`"]);
    sandbox.verify("--engine mine --config other.toml").says(2, &["cannot open other.toml"]);
}

#[test]
#[ignore = "nightly: the suite of draws, eight times"]
fn two_specimens_compared() {
    let sandbox = named();
    let compare = |a: &str, b: &str| {
        sandbox.run(["compare", a, b, "--suite", "draws", "--time-limit", "600", "--out", "out"])
    };
    let ended = compare("ours", "micro");
    ended.says(1, &["reports in out"]);
    let rows: Vec<CompareRow> = sandbox.rows();
    assert!(rows.iter().any(|row| row.a == "agrees" && row.b.starts_with("differs: ")), "{rows:?}");
    assert!(ended.stdout.contains("b is wrong where a is right: "), "{}", ended.stdout);
    assert!(sandbox.path("out/a/engine.json").exists() && sandbox.path("out/b/engine.json").exists());
    compare("micro", "ours").says(0, &[]);
    // Nobody waits for the first to hear that there is no second.
    compare("ours", "nobody").says(2, &["nobody"]);
    let same = compare("micro", "micro");
    same.says(0, &[]);
    assert!(same.stdout.ends_with("both do the same\n"), "{}", same.stdout);
    assert_eq!(sandbox.rows::<CompareRow>(), []);
}

#[test]
fn the_same_program_with_two_settings() {
    let sandbox = named();
    let ended = sandbox.run(
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
        serde_json::from_str(&sandbox.text(&format!("out/{side}/engine.json"))).unwrap()
    };
    assert_eq!(card("a")["options"], serde_json::json!({ "Hash": "1" }));
    assert_eq!(card("b")["options"], serde_json::json!({ "Clear Hash": "", "hash": "2" }));
    sandbox.run(["compare", "ours", "ours", "--option-a", "Hahs=2"]).says(2, &["declares no option Hahs"]);
    sandbox.run(["compare", "ours", "ours", "--option-b", "=2"]).says(2, &["expected NAME=VALUE"]);
}

#[test]
fn pages_of_checks() {
    let page = run(&["explain", "process/crash"]);
    assert_eq!(page.code, 0);
    assert!(
        page.stdout.starts_with("process/crash: it does not crash\nseverity: error\na finding: crashes\n\n"),
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

#[test]
fn findings_that_the_author_accepts_do_not_fail_the_run() {
    let sandbox = named();
    let config = sandbox.text("touchstone.toml");
    let accept = |entries: &str| sandbox.write("touchstone.toml", format!("{config}\n[accept]\n{entries}"));
    let asked = "--suite draws --quick --nodes 10000 --time-limit 600 --jobs 1";
    sandbox.verify(&format!("--engine micro {asked}")).says(1, &[]);
    let all = sandbox.rows::<DifferenceRow>();
    accept("draws = \"planned\"\n\"protocol/uciok\" = \"never\"\n");
    let ended = sandbox.verify(&format!("--engine micro {asked}"));
    ended.says(
        0,
        &[
            &format!("accepted: {} of draws (planned)", all.len()),
            "note: protocol/uciok is accepted, and this run found none; not all of it was compared",
        ],
    );
    assert_eq!(sandbox.rows::<DifferenceRow>(), []);
    let rows: Vec<CheckRow> = sandbox.rows();
    assert!(rows.iter().any(|row| row.skip_reasons.contains("accepted=")), "{rows:?}");
    // One cause of several, in a format without text.
    let has_cause = |row: &&DifferenceRow| row.0.cause.as_ref().is_some_and(|cause| !cause.is_check());
    let cause = all.iter().find(has_cause).and_then(|row| row.0.cause.as_ref()).expect("a cause");
    accept(&format!("\"{cause}\" = \"planned\"\n"));
    let ended = sandbox.verify(&format!("--engine micro {asked} --format json"));
    ended.says(1, &[&format!("of {cause} (planned)")]);
    let left = sandbox.rows::<DifferenceRow>();
    assert!(
        !left.is_empty()
            && left.len() < all.len()
            && left.iter().all(|row| row.0.cause.as_ref() != Some(cause))
    );
    // An engine that the file does not name.
    accept("draws = \"planned\"\n");
    sandbox.verify(&format!("--engine {} --args=--specimen --args=micromax {asked}", engine())).says(1, &[]);
    accept("draws = \"\"\n");
    sandbox.verify(&format!("--engine micro {asked}")).says(2, &["\"draws\" has no reason"]);
}
