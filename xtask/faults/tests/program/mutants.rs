//! Which mutants are seen by whom. Scripts stand in for cargo, the tests, and the program: each sees one line of the
//! engine.

use std::path::Path;
use std::process::{Command, Output};

use crate::write_program::write_program;

const CARGO: &str = r#"#!/bin/sh
here=$(dirname "$0")
case "$*" in
*mutants*--version*) echo "cargo-mutants 27.1.0" ;;
*mutants*--list*) cat "$here/list.json" ;;
*build*)
    if ! grep -q syntax engine/src/board.rs; then
        echo '{"message":{"level":"error","spans":[{"file_name":"engine/src/board.rs","byte_start":0,"is_primary":true}]}}'
        echo 'error: could not compile `touchstone-engine` (lib)' >&2
        exit 101
    fi
    if ! grep -q disk engine/src/board.rs; then
        echo 'error: could not compile `touchstone-engine` (lib): no space left' >&2
        exit 101
    fi
    if [ -e "$here/elsewhere" ] && grep -q mutant_that_runs engine/src/less.rs; then
        echo '{"message":{"level":"error","rendered":"ambiguous","spans":[{"file_name":"engine/src/other.rs","byte_start":0,"is_primary":true}]}}'
        echo 'error: could not compile `touchstone-engine` (lib)' >&2
        exit 101
    fi
    # A function of a constant has no switch in it.
    if constant=$(grep --byte-offset 'constant.*mutant_that_runs' engine/src/less.rs); then
        echo '{"message":{"level":"error","spans":[{"file_name":"engine/src/less.rs","byte_start":'"$((${constant%%:*} + 30))"',"is_primary":true}]}}'
        echo 'error: could not compile `touchstone-engine` (lib)' >&2
        exit 101
    fi
    mkdir -p "$CARGO_TARGET_DIR/debug"
    for name in touchstone engine; do
        { cat "$here/verify"; sed 's/^/# /' engine/src/less.rs; } >"$CARGO_TARGET_DIR/debug/$name"
        chmod +x "$CARGO_TARGET_DIR/debug/$name"
    done ;;
*--no-run*)
    echo "{\"profile\":{\"test\":true},\"executable\":\"$here/tests\"}" ;;
esac
"#;

const TESTS: &str = "#!/bin/sh
if grep -q tested src/board.rs; then exit 0; fi
echo 'test result: FAILED'
exit 101
";

const VERIFY: &str = r#"#!/bin/sh
while [ "$1" != --out ]; do shift; done
mkdir -p "$2"
found() {
    echo "check,case" >"$2/differences.csv"
    echo "$1,1" >>"$2/differences.csv"
    exit 1
}
# The body that runs.
body=$(grep "^# $TOUCHSTONE_MUTANT =>" "$0")
case $body in *changed*) found draw "$2" ;; *deep*) exit 101 ;; esac
if grep -q '^# .*constant() { changed' "$0"; then found mate "$2"; fi
if grep -q '^# .*first() { changed' "$0"; then found draw "$2"; fi
if [ "$3" = --engine ]; then
    grep -q text engine/src/board.rs || found protocol/stop "$2"
else
    grep -q moves engine/src/board.rs || found perft "$2"
    grep -q chance engine/src/board.rs || found draw/flaky "$2"
    grep -q crash engine/src/board.rs || exit 101
fi
exit 0
"#;

/// The lines of the engine, and who sees a change of each.
const LINES: [&str; 8] = ["syntax", "disk", "tested", "text", "moves", "chance", "crash", "nothing"];

/// Runs the command on the mutants that change one of these lines each.
fn mutants(folder: &Path, lines: &[&str], args: &[&str]) -> Output {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        write_program(&path, text.as_bytes());
    };
    write("tools/cargo", CARGO);
    write("tools/tests", TESTS);
    write("tools/verify", VERIFY);
    let of_less = LESS.lines().filter(|line| lines.contains(line)).map(mutant_of_less);
    let of_board = lines.iter().filter(|line| LINES.contains(line)).map(|line| mutant(line));
    let list: Vec<String> = of_board.chain(of_less).collect();
    write("repository/engine/src/less.rs", LESS);
    write("repository/engine/src/lib.rs", "");
    write("tools/list.json", &format!("[{}]", list.join(",")));
    write("repository/engine/src/board.rs", &LINES.map(|line| format!("{line}\n")).concat());
    let repository = folder.join("repository");
    for args in [&["init", "--quiet"][..], &["add", "."], &["commit", "--quiet", "--message", "all"]] {
        let mut git = Command::new("git");
        git.current_dir(&repository).args(["-c", "user.name=a", "-c", "user.email=a@b.c"]).args(args);
        git.status().unwrap();
    }
    let path = format!("{}:{}", folder.join("tools").display(), std::env::var("PATH").unwrap());
    let mut faults = Command::new(env!("CARGO_BIN_EXE_faults"));
    faults.current_dir(&repository).env("PATH", path).args(args).output().unwrap()
}

fn mutant(line: &str) -> String {
    let number = LINES.iter().position(|known| *known == line).unwrap() + 1;
    let changed =
        LINES.map(|known| if known == line { format!(r"-{line}\n+x\n") } else { format!(r" {known}\n") });
    let diff = format!(r"--- a\n+++ b\n@@ -1,8 +1,8 @@\n{}", changed.concat());
    let (file, function) = ("engine/src/board.rs", "null");
    let span = r#"{"start":{"line":1,"column":1},"end":{"line":1,"column":2}}"#;
    format!(
        r#"{{"name":"board.rs:{number}:1: {line}","file":"{file}","diff":"{diff}","function":{function},"span":{span},"replacement":"x"}}"#
    )
}

/// A file of functions. What a switch picks is built with others.
const LESS: &str = "fn constant() { same }\nfn first() { same }\nfn second() { same }\nfn third() { same }\n";

/// The body of a function in this line changes.
fn mutant_of_less(line: &str) -> String {
    let number = LESS.lines().position(|known| known == line).unwrap() + 1;
    let other = match number {
        3 => "other",
        4 => "deep",
        _ => "changed",
    };
    let changed = line.replace("same", other);
    let of_line = |known| {
        if known == line { format!(r"-{line}\n+{changed}\n") } else { format!(r" {known}\n") }
    };
    let diff: String = LESS.lines().map(of_line).collect();
    let diff = format!(r"--- a\n+++ b\n@@ -1,4 +1,4 @@\n{diff}");
    let span = |from: usize, to: usize| {
        format!(r#"{{"start":{{"line":{number},"column":{from}}},"end":{{"line":{number},"column":{to}}}}}"#)
    };
    let (name, same, end) = (&line[..line.len() - 9], line.len() - 5, line.len());
    let replacement = changed.split_whitespace().nth(3).unwrap();
    format!(
        r#"{{"name":"{name}","file":"engine/src/less.rs","diff":"{diff}","function":{{"span":{}}},"span":{},"replacement":"{replacement}"}}"#,
        span(1, end + 1),
        span(same, same + 4),
    )
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The report has these rows, and no other.
fn check_rows(repository: &Path, expected: &[&str]) {
    let rows = std::fs::read_to_string(repository.join("target/touchstone/mutants/mutants.csv")).unwrap();
    for row in expected {
        assert!(rows.contains(row), "{row}: {rows}");
    }
    assert_eq!(rows.lines().count(), 1 + expected.len(), "{rows}");
}

#[test]
fn each_judge_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let lines = ["crash", "moves", "nothing", "syntax", "tested", "text"];
    let output = mutants(folder.path(), &lines, &["mutants", "--each", "9"]);
    let shown = [&output.stdout, &output.stderr].map(|bytes| text(bytes)).concat();
    assert_eq!(output.status.code(), Some(1), "{shown}");
    let repository = folder.path().join("repository");
    check_rows(
        &repository,
        &[
            "crash,passes,crashes,passes,",
            "moves,passes,fails (perft),passes,",
            "nothing,passes,passes,passes,",
            "syntax,does not compile,does not compile,does not compile,",
            "tested,fails,passes,passes,",
            "text,passes,passes,fails (protocol/stop),",
        ],
    );
    let page = std::fs::read_to_string(repository.join("target/touchstone/mutants/mutants.md")).unwrap();
    assert!(page.contains("| rules | 5 | 1 | 2 | 1 | 3 | 23 to 88 % | 1 |"), "{page}");
    // The user's sources are as they were.
    let source = folder.path().join("repository/engine/src/board.rs");
    assert_eq!(std::fs::read_to_string(source).unwrap().lines().collect::<Vec<_>>(), LINES);
}

/// One build has the functions that can be switched; the others are built alone. All are judged alike.
#[test]
fn functions_are_switched_in_one_build() {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<&str> = LESS.lines().chain(["moves"]).collect();
    let output = mutants(folder.path(), &lines, &["mutants"]);
    let shown = [&output.stdout, &output.stderr].map(|bytes| text(bytes)).concat();
    assert_eq!(output.status.code(), Some(1), "{shown}");
    let repository = folder.path().join("repository");
    check_rows(
        &repository,
        &[
            "fn constant(),passes,fails (mate),fails (mate),",
            "fn first(),passes,fails (draw),fails (draw),",
            "fn second(),passes,passes,passes,",
            // It crashes with the others, and not alone.
            "fn third(),passes,passes,passes,",
            "moves,passes,fails (perft),passes,",
        ],
    );
    let program = repository.join("target/touchstone/mutants-checkout/together/engine");
    let program = std::fs::read_to_string(program).unwrap();
    assert_eq!(program.matches("mutant_that_runs").count(), 3, "{program}");
    assert_eq!(std::fs::read_to_string(repository.join("engine/src/less.rs")).unwrap(), LESS);
}

/// An error that no mutant has made says only that they do not compile together.
#[test]
fn an_error_elsewhere_leaves_all_to_builds_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("tools")).unwrap();
    std::fs::write(folder.path().join("tools/elsewhere"), "").unwrap();
    let lines: Vec<&str> = LESS.lines().take(2).collect();
    let output = mutants(folder.path(), &lines, &["mutants"]);
    let shown = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("do not compile: ambiguous") && shown.contains("0 of 2 mutants"), "{shown}");
    check_rows(
        &folder.path().join("repository"),
        &["fn constant(),passes,fails (mate),fails (mate),", "fn first(),passes,fails (draw),fails (draw),"],
    );
}

#[test]
fn the_exit_code_is_that_of_the_worst_mutant() {
    type Case<'a> = (&'a [&'a str], &'a [&'a str], i32, &'a str);
    let cases: [Case; 11] = [
        (&["moves", "text"], &["mutants"], 0, "| rules | 2 | 0 | 1 | 1 | 2 | 34 to 100 % | 0 |"),
        (
            &["moves", "text"],
            &["mutants", "--only", "text"],
            0,
            "verify --engine --quick fails (protocol/stop)",
        ),
        // What does not come again is no finding.
        (&["chance"], &["mutants"], 1, "; no test does either"),
        (&["disk", "moves"], &["mutants"], 2, "(lib): no space left"),
        (&["syntax"], &["mutants"], 2, "does not compile"),
        (&["moves"], &["mutants", "--only", "elsewhere"], 2, "no mutant has this name"),
        (&["moves"], &["mutants", "--each", "0"], 2, "0 is not in 1.."),
        (&["moves"], &["--quick", "mutants"], 2, "cannot be used with"),
        (
            &["moves"],
            &["mutants", "--group", "text,rules"],
            0,
            "mutants --group text,rules --each 5 --seed 1`",
        ),
        (&["moves"], &["mutants", "--group", "books"], 2, "invalid value 'books'"),
        (&["moves"], &["mutants", "--group", "rules", "--only", "moves"], 2, "cannot be used with"),
    ];
    for (lines, args, code, says) in cases {
        let folder = tempfile::tempdir().unwrap();
        let output = mutants(folder.path(), lines, args);
        let shown = [&output.stdout, &output.stderr].map(|bytes| text(bytes)).concat();
        assert_eq!(output.status.code(), Some(code), "{lines:?} {args:?}: {shown}");
        assert!(shown.contains(says), "{says}: {shown}");
        let reports = folder.path().join("repository/target/touchstone");
        let has_page = reports.join("mutants/mutants.md").exists();
        assert_eq!(
            has_page,
            shown.contains("# Mutants of our engine") && !args.contains(&"--only"),
            "{args:?}"
        );
    }
}

/// An engine that no longer passes without a change makes all results void.
#[test]
fn the_engine_without_a_change_has_to_pass() {
    let folder = tempfile::tempdir().unwrap();
    drop(mutants(folder.path(), &["text"], &["mutants"]));
    let verify = folder.path().join("tools/verify");
    // It passes three times, before the mutants. Then all runs end with 2.
    let counting = "#!/bin/sh\necho >>\"$(dirname \"$0\")/asked\"\n\
                    if [ \"$(wc -l <\"$(dirname \"$0\")/asked\")\" -gt 3 ]; then echo 'error: full' >&2; exit 2; fi\n";
    std::fs::write(&verify, counting).unwrap();
    let path = format!("{}:{}", folder.path().join("tools").display(), std::env::var("PATH").unwrap());
    let mut faults = Command::new(env!("CARGO_BIN_EXE_faults"));
    let output = faults
        .current_dir(folder.path().join("repository"))
        .env("PATH", path)
        .arg("mutants")
        .output()
        .unwrap();
    let shown = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{shown}");
    assert!(shown.contains("ends with 2 (error: full)") && shown.contains("no longer passes"), "{shown}");
}
