//! `match` with endgame tables: adjudication, and the games held against the truth. Both players are a script that
//! plays given moves with given scores.

use std::fmt::Write as _;
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
        writeln!(script, "{}:{score}:{text}", played.join(" ")).unwrap();
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
    sandbox.write("five/README.txt", "Tables of five men.\n");
    run(&sandbox, "--out five-men --tb five --resume").says(0, &[]);
    sandbox.write("five/KRPvKN.rtbw", [0; 80]);
    run(&sandbox, "--out five-men --tb five --resume").says(2, &["settings.tables"]);
}

#[test]
fn a_damaged_table_is_told() {
    let sandbox = sandbox("7k/R7/6K1/8/8/8/7P/7r w - - 0 1", "a7a8 mate 1");
    let run_with = |bytes: &[u8], more: &str, parts: &[&str]| {
        sandbox.write("five/KRPvKR.rtbw", bytes);
        run(&sandbox, &format!("--out out --tb five {more}")).says(2, parts);
    };
    let advice = "--resume if the new file is as long as this one; otherwise begin a new match";
    run_with(&[0; 80], "", &["KRPvKR", advice]);
    run_with(&[1; 80], "--resume", &["KRPvKR", advice]);
    run_with(&[0; 144], "--resume", &["settings.tables"]);
}

/// The rows of findings.csv without FEN, of the first game.
fn findings(sandbox: &Sandbox, folder: &str) -> Vec<String> {
    let text = sandbox.text(&format!("{folder}/findings.csv"));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("game,ply,player,id,severity,fen,move,expected,got"));
    lines.map(str::to_owned).collect()
}

#[test]
fn a_win_that_is_thrown_is_told() {
    let sandbox = sandbox(&two(0), LOST);
    let ended = run(&sandbox, "--out out");
    ended.says(0, &[]);
    assert!(ended.stdout.ends_with("\nnew threw 1 won ending\nold threw 1 won ending\n"), "{}", ended.stdout);
    let row = |game: u32, player: &str| {
        format!(
            "{game},0,{player},win-to-draw,warning,{},c2c1,\"White wins in 3 plies, kept by c2c3\",drawn",
            two(0)
        )
    };
    assert_eq!(findings(&sandbox, "out"), [row(1, "new"), row(2, "old")]);
    let three = run(&sandbox, "--out three --concurrency 3");
    assert_eq!(three.stdout, ended.stdout);
    for file in ["findings.csv", "disagreements.epd"] {
        assert_eq!(sandbox.text(&format!("three/{file}")), sandbox.text(&format!("out/{file}")));
        std::fs::remove_file(sandbox.path(&format!("three/{file}"))).unwrap();
    }
    run(&sandbox, "--out three --resume").says(0, &[]);
    for file in ["findings.csv", "disagreements.epd"] {
        assert_eq!(sandbox.text(&format!("three/{file}")), sandbox.text(&format!("out/{file}")));
    }
}

#[test]
fn nothing_is_said_of_a_game_that_is_played_well() {
    let sandbox = sandbox(&two(0), MATES);
    let ended = run(&sandbox, "--out out");
    ended.says(0, &[]);
    assert!(ended.stdout.ends_with("ends: 2 checkmate\n"), "{}", ended.stdout);
    assert_eq!(findings(&sandbox, "out"), [""; 0]);
    assert_eq!(sandbox.text("out/disagreements.epd"), "");
}

#[test]
fn an_announced_mate_that_is_none_is_told() {
    let sandbox = sandbox(&two(0), "c2d2 mate 1, b1a1 mate 3, d2d1 mate 1");
    let ended = run(&sandbox, "--out out");
    ended.says(0, &[]);
    let expected = "\nnew announced 2 mates that are none\nold announced 2 mates that are none\n";
    assert!(ended.stdout.ends_with(expected), "{}", ended.stdout);
    let rows = findings(&sandbox, "out");
    assert_eq!(rows.len(), 4, "{rows:?}");
    assert!(rows[0].starts_with("1,0,new,mate-unsound,error,"), "{rows:?}");
    assert!(rows[1].starts_with("1,1,old,mate-unsound,error,"), "{rows:?}");
    assert!(rows[0].ends_with(",c2d2,White wins in 3 plies,mate 1"), "{rows:?}");
    let epd = sandbox.text("out/disagreements.epd");
    let first = "8/8/8/8/8/1K6/3R4/1k6 b - - hmvc 1; fmvn 80; id \"game 1 ply 1\"; \
                 c0 \"new: mate 1\"; c1 \"old: mate 3\"; c2 \"White wins in 4 plies\";";
    assert_eq!(epd.lines().next(), Some(first), "{epd}");
    assert_eq!(epd.lines().count(), 2);
}

#[test]
fn a_wrong_adjudication_is_told() {
    let moves = "d1d2 cp -900, d4e4 cp 900, d2d1 cp -900, e4d4 cp 900";
    let sandbox = sandbox("8/8/8/8/3k4/3p4/8/3K4 w - - 0 1", moves);
    let mut words = sandbox.program();
    words.args(["match", "./player", "./player", "--of", "1:name=new", "2:name=old", "--each", "nodes=1"]);
    words.args([
        "--openings",
        "book.epd",
        "--rounds",
        "1",
        "--resign",
        "movecount=2 score=500",
        "--out",
        "out",
    ]);
    let ended = Ended::of(&mut words);
    ended.says(0, &[]);
    assert!(ended.stdout.ends_with("\n2 games adjudicated as won were drawn\n"), "{}", ended.stdout);
    let rows = findings(&sandbox, "out");
    let adjudicated: Vec<&String> = rows.iter().filter(|row| row.contains("wrong-adjudication")).collect();
    assert_eq!(adjudicated.len(), 2, "{rows:?}");
    assert!(adjudicated[0].starts_with("1,3,,wrong-adjudication,warning,"), "{rows:?}");
    assert!(adjudicated[0].ends_with(",,drawn,0-1 by adjudication"), "{rows:?}");
    let scores = rows.iter().filter(|row| row.contains("score-of-draw,note")).count();
    assert_eq!(scores, 4, "both players of both games: {rows:?}");
}
