//! Wrong arguments: the message says what was found and what to do, and the exit code is 2. And the help.

use crate::sandbox::{Ended, Sandbox, run};

#[track_caller]
fn check(args: &[&str], parts: &[&str]) {
    let ended = run(args);
    ended.says(2, &[&["error: "], parts].concat());
    assert_eq!(ended.stdout, "", "{args:?}");
}

#[test]
fn unknown_tables() {
    let shape = "expected a table such as KPvK or KBNvK, got \"KXvK\"";
    let order = "KvKP is called KPvK: stronger side first, strongest piece first";
    check(&["verify", "--tables", "KXvK"], &["--tables KXvK: ", shape]);
    check(&["verify", "--tables", "KQvK,KXvK"], &["--tables KXvK: ", shape]);
    check(&["verify", "--tables", ""], &["got \"\""]);
    check(&["verify", "--tables", "KvKP"], &[order]);
    check(
        &["verify", "--tables", "KQQQvK", "--table-files", "none"],
        &["there is no none/KQQQvK.dtz; make it with: ", "tables build KQQQvK --out \"none\""],
    );
    check(&["verify", "--tables", "KQQQQvK"], &["KQQQQvK has more than 5 men"]);
    for name in ["KPK", "kpvk", "kpk"] {
        check(&["verify", "--tables", name], &["did you mean KPvK?"]);
        check(&["tables", "build", name], &["did you mean KPvK?"]);
    }
    check(&["tables", "build", "--men", "6"], &["'6'", "3..=5"]);
    check(&["tables", "build", "--men", "3", "KPvK"], &["cannot be used with"]);
    check(&["tables", "build", "--men", "3", "--builder", "first-pass"], &["cannot be used with"]);
    check(&["verify", "--men", "3", "--tables", "KPvK"], &["cannot be used with"]);
    for verb in ["build", "export"] {
        check(&["tables", verb, "KXvK"], &[shape]);
        check(&["tables", verb, "KvKP"], &[order]);
        check(&["tables", verb, "KQQQQvK"], &["KQQQQvK has more than 5 men"]);
    }
    let once = ["KQQQvK has 5 men", "build it once: ", "tables export KQQQvK --file"];
    check(&["tables", "export", "KQQQvK"], &once);
}

#[test]
fn unknown_builders_and_suites() {
    check(
        &["verify", "--builder", "fast"],
        &["no builder \"fast\"; there are: setwise, retrograde, alternating, queen-only"],
    );
    check(&["tables", "build", "--builder", "fast"], &["'fast'", "there are:", "first-pass"]);
    check(&["verify", "--suite", "openings"], &["'openings'", "perft, chess960, random, stalemates, mates"]);
    check(
        &["verify", "--subject", "minimax"],
        &["'minimax'", "there are: engine, micromax, micromax-guarded"],
    );
    check(
        &["verify", "--subject", "micromax", "--suite", "perft"],
        &["suite perft cannot be run with --subject"],
    );
    check(&["verify", "--subject", "micromax", "--dump", "x.csv"], &["cannot be used with"]);
    check(&["verify", "--quick", "--thorough"], &["cannot be used with"]);
    check(&["verify", "--format", "xml"], &["'xml'", "human, github, summary, markdown, json, row"]);
    check(&["verify", "--jobs", "0"], &["'0'", "1..=1024"]);
    check(&["verify", "--builder", "first-pass", "--dump", "x.csv"], &["cannot be used with"]);
    check(&["verify", "--seed", "x"], &["'x'"]);
    check(&["verify", "--nodes", "0"], &["'0'", "1..=100000000"]);
    check(&["verify", "--movetime", "600001"], &["'600001'", "1..=600000"]);
    check(&["verify", "--nodes", "1", "--movetime", "1"], &["cannot be used with"]);
    check(&["verify", "--nodes", "1000", "--update-baseline"], &["cannot be used with"]);
    check(&["verify", "--movetime", "10", "--baseline", "x"], &["cannot be used with"]);
    check(&["verify", "--suite", "perft", "--nodes", "9"], &["add --suite conversion"]);
    check(&["tables", "fetch", "--men", "5"], &["'5'", "3..=4"]);
    check(&["tables", "syzygy", "--men", "6"], &["'6'", "3..=5"]);
    check(
        &["verify", "--tables", "KRvK", "--quick", "--syzygy", "mine"],
        &["probes no Syzygy tables", "leave out --quick"],
    );
    check(&["tables", "syzygy", "KvK"], &["the bare kings have no Syzygy files"]);
}

#[test]
fn audits_of_unknown_tables() {
    let there_are = "no heuristic applies to this table; expected one of: KvK, KNvK, KBvK, KPvK";
    check(&["audit-eval", "--tables", "KXvK"], &["--tables KXvK: ", there_are]);
    check(&["audit-eval", "--tables", "KPvK,KRRvK"], &["--tables KRRvK: ", there_are]);
    check(&["audit-eval", "--jobs", "0"], &["'0'", "1..=1024"]);
}

/// Nothing runs unasked: the mistake is found before any work, and leaves no report.
#[test]
fn a_wrong_argument_writes_no_report() {
    let sandbox = Sandbox::new();
    sandbox.verify("--tables KvK,KXvK").says(2, &["KXvK"]);
    assert!(!sandbox.path("out").exists());
}

#[test]
fn illegal_positions() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP w KQkq e3 0 1";
    check(
        &["perft", fen, "1"],
        &[
            fen,
            "white has no king",
            "pawn on a1",
            "pawn on h1",
            "castling right of a1",
            "en passant square e3",
        ],
    );
    check(&["perft", "nonsense", "1"], &["expected 6 fields", "expected 8 ranks, got 1"]);
    check(&["perft", &"8/".repeat(1 << 14), "1"], &["expected at most 128 bytes, got 32768"]);
    check(&["perft", "startpos", "101"], &["'101'", "0..=100"]);
    check(&["perft", "startpos", "x"], &["'x'"]);
    check(&["perft", "startpos"], &["<DEPTH>"]);
    check(&["perft", "startpos", "1", "--hash", "65537"], &["'65537'", "0..=65536"]);
    check(&["perft", "startpos", "1", "--threads", "0"], &["'0'", "1..=1024"]);
}

#[test]
fn positions_without_a_table() {
    let probe = |fen: &str, parts: &[&str]| check(&["tables", "probe", fen], parts);
    probe("8/8/8/8/8/8/8/Kk6 w - - 0 1", &["black is in check from a1"]);
    probe("7k/8/8/8/8/8/8/R3K3 w Q - 0 1", &["castling rights", "write - for them"]);
    probe("7k/8/QQQQ4/8/8/8/8/K7 b - - 0 1", &["at most 5 men, this position has 6"]);
    probe("7k/8/1QQQ4/8/8/8/8/K7 w - - 0 1", &["KQQQvK has 5 men", "build it once: ", "tables probe --file"]);
}

#[cfg(not(feature = "gaviota"))]
#[test]
fn an_oracle_that_is_required_and_not_built() {
    let ended = Sandbox::new().verify("--tables KvK --quick --require gaviota");
    ended.says(2, &["gaviota is required and is not in this build", "xtask-full"]);
    assert!(ended.stdout.contains("not in this build"), "{}", ended.stdout);
    assert_eq!(Sandbox::new().verify("--tables KvK --quick").code, 0);
}

/// The verbs that a page of help lists.
fn verbs(help: &str) -> Vec<String> {
    let Some((_, rest)) = help.split_once("Commands:\n") else { return Vec::new() };
    let lines = rest.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
}

fn help(path: &[String]) -> String {
    let ended = Sandbox::new().run(path.iter().map(String::as_str).chain(["--help"]));
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    ended.stdout
}

#[test]
fn the_help_of_each_verb_has_an_example() {
    let mut leaves = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(path) = open.pop() {
        let page = help(&path);
        let below = verbs(&page);
        // `match` plays, and has a subcommand beside that.
        if below.is_empty() || page.contains("Arguments:\n") {
            assert!(page.contains("Example"), "{path:?}: {page}");
            leaves.push(path.join(" "));
        }
        open.extend(below.into_iter().map(|verb| [path.clone(), vec![verb]].concat()));
    }
    leaves.sort();
    let expected = [
        "arbiter-test",
        "audit-eval",
        "bench",
        "bisect",
        "cache clear",
        "cache list",
        "ci",
        "compare",
        "completions",
        "engine",
        "explain",
        "faults",
        "field-test",
        "init",
        "judge",
        "man",
        "match",
        "match status",
        "merge",
        "perft",
        "prove",
        "regress",
        "report",
        "schema",
        "sprt",
        "tables build",
        "tables check",
        "tables explore",
        "tables export",
        "tables fetch",
        "tables probe",
        "tables stats",
        "tables syzygy",
        "verify",
    ];
    assert_eq!(leaves, expected);
}

#[test]
fn completions_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = run(&["completions", shell]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        for word in ["verify", "tables", "perft", "update-baseline"] {
            assert!(ended.stdout.contains(word), "{shell}: {word}");
        }
    }
    check(&["completions", "nushell"], &["'nushell'", "bash"]);
}

#[test]
fn a_page_of_man_for_each_verb() {
    let sandbox = Sandbox::new();
    sandbox.run(["man", "man1"]).says(0, &["pages in man1"]);
    let pages = sandbox.files("man1");
    let mut open = vec![Vec::new()];
    let mut expected = 0;
    while let Some(path) = open.pop() {
        let name = [&["touchstone".to_owned()], &path[..]].concat().join("-");
        let page = pages.get(&format!("{name}.1")).unwrap_or_else(|| panic!("no page {name}"));
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{page}");
        assert!(!page.contains("cargo xtask verify"), "{page}");
        expected += 1;
        open.extend(verbs(&help(&path)).into_iter().map(|verb| [path.clone(), vec![verb]].concat()));
    }
    assert_eq!(pages.len(), expected);
    assert!(pages["touchstone-verify.1"].contains("update\\-baseline"), "{}", pages["touchstone-verify.1"]);
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(run(&["--version"]).stdout, format!("touchstone {}\n", env!("CARGO_PKG_VERSION")));
}

/// Before anything is built: the message comes at once, and nothing is left of the run.
#[test]
fn a_folder_that_cannot_be_written_is_found_first() {
    let sandbox = Sandbox::new();
    sandbox.write("taken", "");
    for command in [
        "verify --out taken",
        "verify --out taken/below",
        "verify --dump missing.csv --out taken",
        "tables build KPvK --out taken",
        "audit-eval --out taken",
        "compare a b --out taken",
    ] {
        let ended = sandbox.run(command.split(' '));
        ended.says(2, &["error: "]);
        assert!(!ended.stderr.contains("Syzygy"), "{}", ended.stderr);
    }
    assert_eq!(sandbox.files(".").len(), 1);
}

#[test]
fn a_count_of_days_needs_force() {
    check(&["perft", "startpos", "10"], &["leaves and takes about", "--force"]);
    check(&["perft", "startpos", "10", "--divide", "--threads", "2"], &["--force"]);
    check(&["perft", "startpos", "60"], &["years", "64-bit counter", "smaller depth"]);
    check(&["perft", "startpos", "60", "--force"], &["64-bit counter"]);
    // However deep: a game that is over has no leaves.
    run(&["perft", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "60"]).says(0, &[]);
}

/// Cargo names the package to what it runs; an installed program is called by its own name.
#[test]
fn the_help_calls_the_program_as_it_was_called() {
    let sandbox = Sandbox::new();
    for verb in [&["verify"][..], &["tables", "probe"], &["perft"], &["bench"], &["prove"]] {
        let asked = verb.iter().chain(&["--help"]);
        let help = |command: &mut std::process::Command| Ended::of(command.args(asked.clone())).stdout;
        let installed = help(sandbox.program().env_remove("CARGO_PKG_NAME"));
        let own = format!("touchstone {}", verb.join(" "));
        assert!(installed.contains(&own) && !installed.contains("cargo xtask"), "{installed}");
        let by_cargo = help(sandbox.program().env("CARGO_PKG_NAME", env!("CARGO_PKG_NAME")));
        assert!(by_cargo.contains(&format!("cargo xtask {}", verb.join(" "))), "{by_cargo}");
    }
}
