//! `match` with endgame tables: adjudication. Both players are a script that
//! plays given moves with given scores.

use std::os::unix::fs::PermissionsExt;

use crate::sandbox::{Ended, Sandbox};

/// A player that looks the moves so far up in a file, and finds a score and a move there.
const PLAYER: &str = r#"#!/bin/sh
while read -r line; do case "$line" in
uci) echo uciok;;
isready) echo readyok;;
position*) case "$line" in *" moves "*) played=${line##* moves };; *) played=;; esac;;
go*) while IFS=: read -r before score move; do
  if [ "$before" = "$played" ]; then echo "info depth 1 score $score"; echo "bestmove $move"; fi
done < script;;
quit) exit 0;;
esac; done
"#;

/// Rook and king against king, with this halfmove clock: mate in 2 by c2c3.
fn two(clock: u32) -> String {
    format!("8/8/8/8/8/1K6/2R5/1k6 w - - {clock} 80")
}

/// Plays one game twice, with colours reversed: from this position these moves with these scores, such as
/// `c2c3 mate 2, b1a1 mate -1`.
fn sandbox(fen: &str, moves: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("player", PLAYER);
    std::fs::set_permissions(sandbox.path("player"), std::fs::Permissions::from_mode(0o755)).unwrap();
    sandbox.write("book.epd", format!("{fen}\n"));
    let mut played: Vec<&str> = Vec::new();
    let mut script = String::new();
    for line in moves.split(", ") {
        let (text, score) = line.split_once(' ').unwrap();
        script.push_str(&format!("{}:{score}:{text}\n", played.join(" ")));
        played.push(text);
    }
    sandbox.write("script", script);
    sandbox
}

fn run(sandbox: &Sandbox, more: &str) -> Ended {
    let words =
        "match ./player ./player --of 1:name=new 2:name=old --each nodes=1 --openings book.epd --rounds 1";
    let words = format!("{words} {more}");
    Ended::of(sandbox.program().args(words.split_whitespace()).env("TOUCHSTONE_TODAY", "2026-11-26"))
}

/// How the first game of such a match ends.
#[track_caller]
fn ends(fen: &str, moves: &str, more: &str, expected: &str) {
    let ended = run(&sandbox(fen, moves), &format!("{more} --out out"));
    ended.says(0, &[]);
    let line = ended.stdout.lines().next().unwrap();
    assert_eq!(line, format!("game 1 of 2: new - old  {expected}"), "{}", ended.stdout);
}

/// A mate in two that White plays.
const MATES: &str = "c2c3 mate 2, b1a1 mate -1, c3c1 mate 1";
/// A rook that White loses.
const LOST: &str = "c2c1 mate 2, b1c1 cp 0";

#[test]
fn tables_of_few_men_end_a_game() {
    let won = "1-0  White wins by adjudication: endgame tables";
    ends(&two(0), MATES, "--tb own", won);
    ends(&two(0), MATES, "--tb own --tb-results wins", won);
    ends(&two(0), MATES, "--tb own --tb-results draws", "1-0  White mates");
    ends(&two(0), MATES, "", "1-0  White mates");
    let drawn = "1/2-1/2  Draw by adjudication: endgame tables";
    ends(&two(0), LOST, "--tb own", drawn);
    ends(&two(0), LOST, "--tb own --tb-results wins", "1/2-1/2  Draw by insufficient mating material");
    // A pawn that wins, and one that does not.
    ends("8/1P6/7k/8/4K3/8/8/8 w - - 0 1", "b7b8q cp 900", "--tb own", won);
    ends("8/8/8/8/3k4/3p4/8/3K4 w - - 0 1", "d1d2 cp 0", "--tb own", drawn);
}

#[test]
fn a_win_of_tables_is_in_time_for_the_fifty_moves() {
    let won = "1-0  White wins by adjudication: endgame tables";
    ends(&two(97), MATES, "--tb own", won);
    let slow = "c2c3 cp 900, b1a1 cp -900";
    ends(&two(98), slow, "--tb own", "1/2-1/2  Draw by fifty moves rule");
    ends(&two(98), slow, "--tb own --tb-ignore-50", won);
}

#[test]
fn a_match_goes_on_with_its_tables_alone() {
    let sandbox = sandbox(&two(0), MATES);
    run(&sandbox, "--out out").says(0, &[]);
    run(&sandbox, "--out out --resume --tb own").says(2, &["settings.adjudication"]);
    run(&sandbox, "--out out --resume").says(0, &[]);
    let check = |more: &str, parts: &[&str]| {
        run(&sandbox, &format!("{more} --out other")).says(2, parts);
        assert!(!sandbox.path("other").exists(), "{more}");
    };
    check("--tb nowhere", &["--tb", "nowhere"]);
    std::fs::create_dir(sandbox.path("empty")).unwrap();
    check("--tb empty", &["no Syzygy table, such as KRPvKR.rtbw, is in empty"]);
    sandbox.write("short/KRPvKR.rtbw", "short");
    check("--tb short", &["--tb", "short: unexpected file size"]);
    check("--tb-results wins", &["--tb <own|DIR>"]);
    check("--tb own --tb-results losses", &["losses", "all"]);
    // The folder is named alike, and has other files.
    sandbox.write("five/KRPvKR.rtbw", [0; 80]);
    run(&sandbox, "--out five-men --tb five").says(0, &[]);
    sandbox.write("five/KRPvKN.rtbw", [0; 80]);
    run(&sandbox, "--out five-men --tb five --resume").says(2, &["settings.tables"]);
}
