//! `prove`: verdicts, proofs that hold and proofs that do not, and what it refuses.

use crate::bench::{Bench, run};

const SEED: &str = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";

#[test]
fn mates_are_proven() {
    let bench = Bench::new();
    let proven = bench.run(["prove", SEED, "--mate", "4", "--certificate", "proof"]);
    assert_eq!(proven.code, 0, "{}", proven.stderr);
    assert!(proven.stdout.starts_with("mate in 2\nline  1. Rc3 Ka1 2. Rc1#\nnodes "), "{}", proven.stdout);
    assert_eq!(bench.text("proof"), "2:85\n");
    let checked = bench.run(["prove", SEED, "--check", "proof"]);
    assert_eq!((checked.code, &*checked.stdout), (0, "mate in 2\nline  1. Rc3 Ka1 2. Rc1#\n"));

    // In several words, without counters, with operations; mated in.
    for words in [
        "8/8/8/8/8/1K6/2R5/1k6 w - - 97 99",
        "8/8/8/8/8/1K6/2R5/1k6 w - -",
        "8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;",
    ] {
        let args: Vec<_> = ["prove"].into_iter().chain(words.split(' ')).chain(["--mate", "2"]).collect();
        assert!(run(&args).stdout.starts_with("mate in 2\n"), "{words}");
    }
    let mated = run(&["prove", "8/8/8/8/8/1KR5/8/1k6 b - - 0 1", "--mate", "-3"]);
    assert_eq!(mated.code, 0, "{}", mated.stderr);
    assert!(mated.stdout.starts_with("mated in 1\nline  1... Ka1 2. Rc1#\n"), "{}", mated.stdout);
    // The proof alone.
    let piped = run(&["prove", SEED, "--mate", "2", "--certificate", "-"]);
    assert_eq!((piped.code, &*piped.stdout), (0, "2:85\n"));
    assert!(piped.stderr.contains("mate in 2\n"), "{}", piped.stderr);
}

#[test]
fn what_is_no_mate_is_refuted() {
    for (fen, moves, says) in [
        (SEED, "1", "no mate in 1 or fewer\n"),
        ("8/8/8/8/8/1K6/2R5/1k6 w - - 98 120", "6", "no mate in 6 or fewer\n"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "-4", "not mated in 4 or fewer\n"),
    ] {
        let refuted = run(&["prove", fen, "--mate", moves]);
        assert_eq!(refuted.code, 1, "{}", refuted.stderr);
        assert!(refuted.stdout.starts_with(says), "{}", refuted.stdout);
    }
}

/// What stood twice is drawn when it comes again: the quick mate is gone.
#[test]
fn the_moves_of_the_game_count() {
    let root = "8/8/R7/8/8/6K1/8/5k2 w - - 0 2";
    let proved = |moves: &[&str]| run(&[&["prove", root, "--mate", "5"], moves].concat());
    assert!(proved(&[]).stdout.starts_with("mate in 2\n"));
    let twice = proved(&["--moves", "g3h4 f1g1 h4g3 g1f1 g3h4 f1g1"]);
    assert!(twice.stdout.starts_with("mate in 5\n"), "{}{}", twice.stdout, twice.stderr);
    proved(&["--moves", "g3h4 e1g1"]).says(2, &["e1g1 is not legal after 1 moves"]);
}

#[test]
fn what_is_not_known_is_said() {
    let undecided = run(&["prove", "startpos", "--mate", "9", "--nodes", "1000"]);
    undecided.says(2, &["allow more with --nodes or --memory"]);
    assert_eq!(undecided.stdout, "undecided after 1000 nodes\nnodes 1000\n");
}

#[test]
fn a_proof_that_does_not_hold() {
    let bench = Bench::new();
    for (text, says) in [
        ("2:8", "it ends after 3 characters"),
        ("2:850", "character 5: the proof is complete before it"),
        ("2:95", "in 8/8/8/8/"),
        ("no proof", "expected a claim such as"),
    ] {
        bench.write("proof", text);
        let checked = bench.run(["prove", SEED, "--check", "proof"]);
        assert_eq!(checked.code, 1, "{}", checked.stderr);
        assert!(checked.stdout.starts_with("the proof does not hold: "), "{}", checked.stdout);
        assert!(checked.stdout.contains(says), "{}", checked.stdout);
    }
    bench.write("proof", b"2:\xff");
    bench.run(["prove", SEED, "--check", "proof"]).says(2, &["proof is not UTF-8"]);
    bench.run(["prove", SEED, "--check", "nowhere"]).says(2, &["cannot open nowhere"]);
}

#[test]
fn what_is_asked_wrongly() {
    let check = |args: &[&str], says: &[&str]| run(&[&["prove"], args].concat()).says(2, says);
    for moves in ["0", "101", "-101", "x", ""] {
        check(&[SEED, "--mate", moves], &["expected a number of moves from 1 to 100, or from -1 to -100"]);
    }
    check(&[SEED], &["--mate"]);
    check(&["--mate", "2"], &["<FEN>"]);
    check(&["nonsense", "--mate", "2"], &["the FEN \"nonsense\""]);
    check(&["8/8/8/8/8/1KR5/1k6/8 w - - 0 1", "--mate", "2"], &["check"]);
    check(&["8/8/8/8/8/1K6/8/8 w - - 0 1", "--mate", "2"], &["king"]);
    check(&[SEED, "--mate", "2", "--check", "proof"], &["cannot be used with"]);
}
