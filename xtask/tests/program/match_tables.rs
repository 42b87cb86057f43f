//! `match` with endgame tables: adjudication, and the games held against the truth. Both players are a script that
//! plays given moves with given scores.

use std::fmt::Write as _;
use std::process::Command;

use reports::DifferenceRow;
use suites::Difference;

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
    sandbox.write_program("player", PLAYER);
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

/// What the judge leaves.
const FILES: [&str; 3] = ["differences.csv", "disagreements.epd", "report.html"];

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

/// What was found in the games, in the order of the file.
fn findings(sandbox: &Sandbox, folder: &str) -> Vec<Difference> {
    let text = sandbox.text(&format!("{folder}/differences.csv"));
    let rows: Vec<DifferenceRow> = reports::read(text.as_bytes()).unwrap();
    rows.into_iter().map(|row| row.0).collect()
}

/// Player, check, place, answer and right answer.
fn told(found: &Difference) -> String {
    let Difference { subject, check, case, stored, expected, .. } = found;
    format!("{subject}: {check}: {case}: {stored}, not {expected}")
}

#[test]
fn a_win_that_is_thrown_is_told() {
    let sandbox = sandbox(&two(0), LOST);
    let ended = run(&sandbox, "--out out");
    ended.says(0, &[]);
    assert!(ended.stdout.ends_with("\nnew threw 1 won ending\nold threw 1 won ending\n"), "{}", ended.stdout);
    let found = findings(&sandbox, "out");
    let rows: Vec<String> = found.iter().map(told).collect();
    let thrown = |game: u32, player: &str, other: &str| {
        format!("{player}: game/win-to-draw: game {game} ply 0 ({player} - {other}): draw, not mate in 2")
    };
    assert_eq!(rows, [thrown(1, "new", "old"), thrown(2, "old", "new")]);
    let Difference { fen, given, best, replay, explanation, .. } = &found[0];
    assert_eq!((fen, given.as_deref(), &*best[0]), (&two(0), Some("c2c1"), "c2c3"));
    assert!(explanation.ends_with("; the game ended 1/2-1/2, Draw by insufficient mating material"));
    // The player answers as it did in the game.
    let mut shell = Command::new("sh");
    shell.args(["-c", &replay.to_string()]).current_dir(sandbox.path("."));
    let again = Ended::of(&mut shell);
    assert!(again.stdout.ends_with("bestmove c2c1\n"), "{replay}: {again:?}");
    let three = run(&sandbox, "--out three --concurrency 3");
    assert_eq!(three.stdout, ended.stdout);
    for file in FILES {
        assert_eq!(sandbox.text(&format!("three/{file}")), sandbox.text(&format!("out/{file}")));
        std::fs::remove_file(sandbox.path(&format!("three/{file}"))).unwrap();
    }
    run(&sandbox, "--out three --resume").says(0, &[]);
    // Programs that parse the lines of others get no line of ours.
    let foreign = run(&sandbox, "--out foreign --output fastchess");
    foreign.says(0, &["new threw 1 won ending\nold threw 1 won ending\n"]);
    assert!(foreign.stdout.ends_with("\nTournament finished\n") && !foreign.stdout.contains("threw"));
    for file in FILES {
        assert_eq!(sandbox.text(&format!("three/{file}")), sandbox.text(&format!("out/{file}")));
    }
}

#[test]
fn nothing_is_said_of_a_game_that_is_played_well() {
    let sandbox = sandbox(&two(0), MATES);
    let ended = run(&sandbox, "--out out");
    ended.says(0, &[]);
    assert!(ended.stdout.ends_with("ends: 2 checkmate\n"), "{}", ended.stdout);
    assert_eq!(findings(&sandbox, "out"), []);
    assert!(sandbox.text("out/report.html").contains("Nothing was found in the games."));
    assert_eq!(sandbox.text("out/disagreements.epd"), "");
}

#[test]
fn an_announced_mate_that_is_none_is_told() {
    let sandbox = sandbox(&two(0), "c2d2 mate 1, b1a1 mate 3, d2d1 mate 1");
    let ended = run(&sandbox, "--out out");
    ended.says(0, &[]);
    let expected = "\nnew announced 2 mates that are none\nold announced 2 mates that are none\n";
    assert!(ended.stdout.ends_with(expected), "{}", ended.stdout);
    let rows: Vec<String> = findings(&sandbox, "out").iter().map(told).collect();
    assert_eq!(rows.len(), 4, "{rows:?}");
    assert_eq!(rows[0], "new: game/mate-unsound: game 1 ply 0 (new - old): mate 1, not mate in 2");
    assert_eq!(rows[1], "old: game/mate-unsound: game 1 ply 1 (new - old): mate 3, not mated in 2");
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
        "movecount=2",
        "score=500",
        "--out",
        "out",
    ]);
    let ended = Ended::of(&mut words);
    ended.says(0, &[]);
    assert!(ended.stdout.ends_with("\n2 games adjudicated as won were drawn\n"), "{}", ended.stdout);
    let found = findings(&sandbox, "out");
    let rows: Vec<String> = found.iter().map(told).collect();
    let of = |check: &str| rows.iter().filter(|row| row.contains(check)).cloned().collect::<Vec<_>>();
    let adjudicated = |game: u32, players: &str| {
        let place = format!("game {game} ply 3 ({players})");
        format!("match: game/wrong-adjudication: {place}: 0-1 by adjudication, not drawn")
    };
    let both = [adjudicated(1, "new - old"), adjudicated(2, "old - new")];
    assert_eq!(of("wrong-adjudication"), both);
    assert_eq!(of("game/score-of-draw").len(), 4, "both players of both games: {rows:?}");
    let of_tables = found.iter().find(|found| found.check == "game/wrong-adjudication").unwrap();
    let (_, probe) = of_tables.replay.split_once("tables probe \"").unwrap();
    let probed = sandbox.run(["tables", "probe", probe.trim_end_matches('"')]);
    probed.says(0, &[]);
    assert!(probed.stdout.contains("WDL   draw\n"), "{}", probed.stdout);
}
