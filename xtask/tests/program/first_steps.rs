//! What a new user sees first: the program alone, and `init`.

use crate::players::{engine, hostile};
use crate::sandbox::{Ended, Sandbox, half_written, run};

#[test]
fn the_program_alone_says_what_to_do_next() {
    let ended = run(&[]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    for next in ["verify --engine ./mine", "regress", "init ./mine", "--help"] {
        assert!(ended.stdout.contains(next), "{next} is not in\n{}", ended.stdout);
    }
    assert!(ended.stdout.lines().count() < 10 && ended.stdout.lines().all(|line| line.len() <= 120));
}

#[test]
fn the_file_that_init_writes_names_the_engine() {
    let sandbox = Sandbox::new();
    sandbox.write("Makefile", "");
    let ended = sandbox.run(["init", engine()]);
    ended.says(0, &[]);
    assert_eq!(ended.stdout, "wrote touchstone.toml; next: touchstone verify --engine engine\n");
    let text = sandbox.text("touchstone.toml");
    for part in ["[engine.engine]\n", "# Hash = ", " to ", "[build]\ncommand = \"make\"\n", "[accept]\n"] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    sandbox.verify("--engine engine --check process/start").says(0, &[]);
    // All that is a comment may be set: each line of the options is one.
    let options = text.split("[engine.engine.options]\n").nth(1).unwrap();
    let set = options.lines().take_while(|line| !line.is_empty()).map(|line| line.trim_start_matches("# "));
    let set: Vec<&str> = set.collect();
    assert!(set.len() > 3, "{text}");
    toml::from_str::<toml::Table>(&set.join("\n")).unwrap();
    // It is not overwritten, and nothing else is left.
    sandbox.run(["init"]).says(2, &["touchstone.toml exists already, and is not overwritten"]);
    assert_eq!(sandbox.text("touchstone.toml"), text);
    assert_eq!(half_written(&sandbox.path("")), [""; 0]);
}

/// What a makefile calls its executable is taken for the engine, and what is to be done next works.
#[test]
fn init_reads_the_makefile() {
    let sandbox = Sandbox::new();
    sandbox.write("src/Makefile", "CC = cc\nEXE    = mine\nall: $(EXE)\n");
    let ended = sandbox.run(["init"]);
    ended.says(0, &["src/Makefile says EXE = src/mine: that is taken for the engine\n"]);
    assert_eq!(ended.stdout, "wrote touchstone.toml; next: build src/mine, then touchstone verify\n");
    assert!(
        sandbox
            .text("touchstone.toml")
            .contains("\n[build]\ncommand = \"make -C src\"\nbinary = \"src/mine\"\n")
    );
    sandbox.write_program("src/mine", format!("#!/bin/sh\nexec {}\n", hostile()));
    let mut program = sandbox.program();
    program.env_remove("CARGO_PKG_NAME").args(["verify", "--out", "out", "--check", "protocol/id-name"]);
    Ended::of(&mut program).says(0, &["verifying ", "/src/mine of touchstone.toml\n"]);
    for unknown in ["EXE = $(NAME)\n", "EXEC = mine\n", ""] {
        let sandbox = Sandbox::new();
        sandbox.write("Makefile", unknown);
        let ended = sandbox.run(["init"]);
        assert!(ended.stdout.contains("name your engine in it"), "{unknown} {}", ended.stdout);
    }
}

/// In the folder of an engine's author a plain run verifies that engine, and never ours in its place.
#[test]
fn a_plain_run_verifies_the_engine_of_the_folder() {
    let sandbox = Sandbox::new();
    let verify = |arguments: &str| {
        let mut program = sandbox.program();
        program.env_remove("CARGO_PKG_NAME").args(["verify", "--out", "out"]);
        Ended::of(program.args(arguments.split_whitespace()))
    };
    verify("").says(2, &["which engine?", "--engine ./mine", "init ./mine", "--subject engine"]);
    assert!(!sandbox.path("out").exists());
    sandbox.write("touchstone.toml", format!("[engine.mine]\npath = {:?}\nargs = []\n", hostile()));
    for checks in ["--check process/start --quick", "--check protocol/id-name"] {
        let ended = verify(checks);
        ended.says(0, &["verifying mine of touchstone.toml\n"]);
        assert!(ended.stdout.starts_with("mine: "), "{}", ended.stdout);
    }
    // Tables are named, or our own engine is.
    for ours in ["--tables KvK --quick", "--subject engine --suite stalemates --quick"] {
        let ended = verify(ours);
        ended.says(0, &[]);
        assert!(
            !ended.stderr.contains("verifying mine") && !ended.stdout.contains("mine:"),
            "{}",
            ended.stderr
        );
    }
    sandbox.write("touchstone.toml", "[engine.mine]\npath = \"a\"\n[engine.other]\npath = \"b\"\n");
    verify("").says(2, &["names 2 engines", "--engine mine, --engine other"]);
    // What the build makes is the engine, if it is there.
    sandbox.write("touchstone.toml", "[build]\ncommand = \"make\"\nbinary = \"mine\"\n");
    verify("").says(2, &["which engine?"]);
    // It is started as the file says, and is no program of the PATH with the same name.
    sandbox.write(
        "touchstone.toml",
        "[build]\ncommand = \"make\"\nbinary = \"cat\"\nargs = [\"--said\", \"id name=>id name of\"]\n",
    );
    let linked =
        std::process::Command::new("ln").args([hostile(), "cat"]).current_dir(sandbox.path("")).status();
    if linked.is_ok_and(|status| status.success()) {
        let ended = verify("--check protocol/id-name");
        ended.says(0, &["/cat of touchstone.toml"]);
        assert!(ended.stdout.contains("of Hostile"), "{}", ended.stdout);
    }
}

#[test]
fn init_without_an_engine_and_with_a_wrong_one() {
    let sandbox = Sandbox::new();
    sandbox.run(["init", "./nobody"]).says(2, &["./nobody"]);
    sandbox.run(["init", "cat"]).says(2, &["is no UCI engine"]);
    assert!(!sandbox.path("touchstone.toml").exists());
    let ended = sandbox.run(["init"]);
    ended.says(0, &[]);
    assert_eq!(ended.stdout, "wrote touchstone.toml; next: name your engine in it, then touchstone verify\n");
    // The file is read, and names no engine yet.
    sandbox.run(["verify", "--engine", "mine"]).says(2, &["mine"]);
    let sandbox = Sandbox::new();
    let args = ["init", hostile(), "--args=--said", "--args=id author the tests=>id author \"A\u{7}\""];
    Ended::of(sandbox.program().args(args)).says(0, &[]);
    let text = sandbox.text("touchstone.toml");
    assert!(text.contains("args = [\"--said\", "), "{text}");
    sandbox.verify("--engine hostile --check process/start").says(0, &[]);
}
