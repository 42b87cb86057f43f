//! Tests of the command line.

use std::process::Stdio;

use engine::tables::{Metric, builders, file};

use super::process::{Engine, program, run, wait};

#[test]
fn help_and_version_are_printed() {
    let (status, help, _) = run(&["--help"]);
    assert!(status.success() && help.contains("--specimen") && help.contains("Examples:"), "{help}");
    let (status, version, _) = run(&["--version"]);
    assert!(status.success() && version.starts_with("engine "), "{version}");
}

#[test]
fn wrong_arguments_are_rejected_with_exit_code_2() {
    for arguments in [&["--specimen", "no-such"][..], &["bench", "0"], &["bench", "x"], &["frobnicate"]] {
        let (status, printed, message) = run(arguments);
        assert_eq!((status.code(), printed.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(message.contains(arguments[arguments.len() - 1]), "{message}");
    }
}

#[test]
fn each_specimen_plays() {
    for name in engine::specimens::NAMES {
        let (status, _, message) = run(&["--specimen", name]);
        assert!(status.success(), "{name}: {message}");
    }
}

#[test]
fn the_bench_prints_its_signature_in_the_usual_format() {
    let (status, printed, _) = run(&["bench", "1"]);
    assert!(status.success());
    let figure = |name: &str| -> u64 {
        let line = printed.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split(':').nth(1)?.trim().parse().ok()).expect(name)
    };
    assert_eq!(figure("Signature"), figure("Nodes searched  "));
    assert!(figure("Nodes/second    ") > 0);
    let (_, again, _) = run(&["bench", "1"]);
    assert!(again.ends_with(&format!("Signature: {}\n", figure("Signature"))));
}

#[test]
fn tables_are_loaded_from_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("with  two spaces");
    let set_path = format!("setoption name TablePath value {}", path.display());
    let mut engine = Engine::start();
    let refused = |answers: &[String], part: &str| {
        assert!(answers.len() == 1 && answers[0].contains(part), "{answers:?}");
        assert!(answers[0].starts_with("info string setoption: TablePath: "), "{answers:?}");
    };
    refused(&engine.answers(&set_path), "with  two spaces: ");
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("notes.txt"), "no table").unwrap();
    refused(&engine.answers(&set_path), "no tables (*.dtm, *.dtz) here");
    let material = "KBvK".parse().unwrap();
    let set = builders::production(&[material]).unwrap();
    let bytes = file::encode(set.get(material, Metric::Dtm).unwrap());
    std::fs::write(path.join("KBvK.dtm"), &bytes).unwrap();
    assert_eq!(engine.answers(&set_path), [""; 0]);
    std::fs::write(path.join("KBvK.dtm"), &bytes[1..]).unwrap();
    refused(&engine.answers(&set_path), "KBvK.dtm: foreign: ");
    engine.end();
}

/// A reader that closes the pipe during the bench is not an error.
#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child =
        program().args(["bench", "1"]).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(wait(&mut child).success());
    let mut child = program().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The bench may end before it has read all.
    drop(std::io::Write::write_all(&mut input, &b"isready\n".repeat(100)));
    assert!(wait(&mut child).success());
}
