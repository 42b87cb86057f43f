//! `match --shard`, `merge` of a match, and `match status`: the shards of a match give what one machine plays.

use std::process::Command;

use serde_json::Value;

use crate::matches::{arguments, results, run, sandbox};
use crate::players::engine;
use crate::sandbox::{Ended, Sandbox};

/// The arguments of a match of six games, in three shards.
const MATCH: &str = "--rounds 3";
/// A test that few games decide.
const TEST: &str = "--sprt elo0=0 elo1=200";

fn shard(sandbox: &Sandbox, number: u32, more: &str) -> Ended {
    let threads = 1 + number % 2;
    run(sandbox, &format!("{MATCH} --shard {number}/3 --out shards/{number} --concurrency {threads} {more}"))
}

fn program(sandbox: &Sandbox, args: &str) -> Ended {
    sandbox.run(args.split_whitespace())
}

/// The header of a journal, and its lines.
fn journal(sandbox: &Sandbox, folder: &str) -> (String, Vec<String>) {
    let text = sandbox.text(&format!("{folder}/match.jsonl"));
    let (header, lines) = text.split_once('\n').unwrap();
    (header.to_owned(), lines.lines().map(str::to_owned).collect())
}

fn write_journal(sandbox: &Sandbox, folder: &str, header: &str, lines: &[String]) {
    let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    sandbox.write(&format!("{folder}/match.jsonl"), format!("{header}\n{text}"));
}

fn number(line: &str) -> u64 {
    serde_json::from_str::<Value>(line).unwrap()["game"].as_u64().unwrap()
}

#[test]
fn merged_shards_are_the_whole_match() {
    let sandbox = sandbox();
    let whole = run(&sandbox, &format!("{MATCH} --out whole"));
    whole.says(0, &[]);
    for number in [3, 1, 2] {
        shard(&sandbox, number, "").says(0, &[]);
        let games = sandbox.text(&format!("shards/{number}/games.pgn"));
        assert_eq!(games.matches("[Event ").count(), 2);
        let page = sandbox.text(&format!("shards/{number}/report.html"));
        assert!(page.contains("2 of 2 games") && page.contains(&format!("{number}&#x2f;3")), "{page}");
        program(&sandbox, &format!("report shards/{number} -o page.html")).says(0, &[]);
        assert_eq!(sandbox.text("page.html"), page);
    }
    let merged = program(&sandbox, "merge shards/2 shards/3 shards/1 --out merged");
    merged.says(0, &["games in merged/games.pgn"]);
    assert!(whole.stdout.ends_with(&merged.stdout), "{}", merged.stdout);
    assert_eq!(results(&sandbox, "merged"), results(&sandbox, "whole"));
    let (header, lines) = journal(&sandbox, "merged");
    assert_eq!(header, journal(&sandbox, "whole").0);
    assert_eq!(lines.iter().map(|line| number(line)).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    let again = run(&sandbox, &format!("{MATCH} --out merged --resume"));
    again.says(0, &[]);
    assert!(!again.stdout.contains("game 1"), "{}", again.stdout);
    // A part: what is missing can be played where the part is.
    let refused = program(&sandbox, "merge shards/1 shards/3 --out part");
    refused.says(2, &["a shard is missing: 2/3; name the folders of all 3 shards", "--partial"]);
    assert!(!sandbox.path("part").exists());
    program(&sandbox, "merge shards/1 shards/3 --out part --partial").says(0, &["4 of 6 games", "--resume"]);
    assert_ne!(results(&sandbox, "part"), results(&sandbox, "whole"));
    run(&sandbox, &format!("{MATCH} --out part --resume")).says(0, &[]);
    assert_eq!(results(&sandbox, "part"), results(&sandbox, "whole"));
}

#[test]
fn shards_that_are_no_whole_match_are_refused() {
    let sandbox = sandbox();
    let check = |args: &str, parts: &[&str]| {
        program(&sandbox, &format!("merge {args}")).says(2, parts);
        assert!(!sandbox.path("merged").exists(), "{args}");
    };
    (1..=2).for_each(|number| shard(&sandbox, number, "").says(0, &[]));
    let (header, lines) = journal(&sandbox, "shards/2");
    write_journal(&sandbox, "again", &header, &lines);
    check("shards/1 shards/2 again --out merged", &["shard 2/3 is there twice: in ", "shards/2", "again"]);
    write_journal(&sandbox, "seed", &header.replace("\"seed\":1", "\"seed\":2"), &lines);
    check("shards/1 seed --out merged", &["shards/1 and seed are of different matches: seed is 1 and 2"]);
    write_journal(&sandbox, "count", &header.replace("\"shard\":[2,3]", "\"shard\":[2,4]"), &lines);
    check("shards/1 count --out merged", &["schedule.shard[1] is 3 and 4"]);
    write_journal(&sandbox, "three", &header.replace("\"shard\":[2,3]", "\"shard\":[3,3]"), &lines);
    check("shards/1 shards/2 three --out merged", &["three/match.jsonl: game 3 is none of shard 3/3"]);
    write_journal(&sandbox, "three", &header.replace("\"shard\":[2,3]", "\"shard\":[3,3]"), &[]);
    let unfinished = ["shard 3/3 in three has 0 of its 2 games", "--resume", "--partial"];
    check("shards/1 shards/2 three --out merged", &unfinished);
    check("shards/1 shards/2 nowhere --out merged", &["nowhere is no folder of matches"]);
    check("shards/1 shards/2 three --partial --out again", &["again holds a match: name another folder"]);
    check(
        "shards/1 --partial --format json --out merged",
        &["--html and --format are for the shards of verify"],
    );
    sandbox.write("none/shard.json", "{}");
    check("none --partial --out merged", &["--partial is for the shards of match"]);
}

#[test]
fn the_status_is_read_while_the_match_runs() {
    let sandbox = sandbox();
    let status = |more: &str| program(&sandbox, &format!("match status shards {more}"));
    status("").says(2, &["shards is no folder of matches"]);
    std::fs::create_dir(sandbox.path("shards")).unwrap();
    status("").says(2, &["no match has begun in shards"]);
    shard(&sandbox, 2, "").says(0, &[]);
    // A line that is being written, of a shard whose header is not.
    sandbox.write("shards/1/match.jsonl", "{\"format\":1,");
    let text = sandbox.text("shards/2/match.jsonl");
    sandbox.write("shards/2/match.jsonl", &text[..text.len() - 10]);
    let before = sandbox.files("shards/2");
    let one = status("--then false");
    one.says(1, &[]);
    assert!(one.stdout.starts_with("1 of 6 games, 1 of 3 shards\n"), "{}", one.stdout);
    assert!(!one.stdout.contains("Elo"), "half a pair has no Elo: {}", one.stdout);
    assert_eq!(sandbox.files("shards/2"), before);
    sandbox.write("shards/2/match.jsonl", text);
    std::fs::remove_file(sandbox.path("shards/1/match.jsonl")).unwrap();
    for number in [1, 3] {
        status("--then false").says(1, &[]);
        shard(&sandbox, number, "").says(0, &[]);
    }
    let then =
        ["match", "status", "shards", "--format", "json", "--watch", "1", "--then", "echo over >> then"];
    let all = sandbox.run(then);
    all.says(0, &[]);
    assert_eq!(sandbox.text("then"), "over\n");
    let document: Value = serde_json::from_str(&all.stdout).unwrap();
    assert_eq!(document["over"], true);
    assert_eq!(
        ["shards", "of_shards", "finished", "of_games"].map(|name| document[name].as_u64().unwrap()),
        [3, 3, 6, 6]
    );
    assert!(document["score"].is_number() && document["llr"].is_null(), "{document}");
    assert_eq!(document["engines"].as_array().unwrap().len(), 2);
    sandbox
        .run(["match", "status", "shards", "--then", "exit 7"])
        .says(2, &["--then \"exit 7\": exit status: 7"]);
}

/// A test over shards: `status` decides it, and a shard does not.
#[test]
fn a_test_over_shards_is_decided_by_all_of_them() {
    let sandbox = sandbox();
    let whole = run(&sandbox, &format!("{TEST} --rounds 500 --out whole"));
    whole.says(0, &[]);
    let decided = whole.stdout.lines().find(|line| line.starts_with("SPRT: ")).unwrap();
    assert!(decided.ends_with(": H1"), "{decided}");
    let (header, lines) = journal(&sandbox, "whole");
    let of = |shard: u64| -> Vec<String> {
        lines.iter().filter(|line| (number(line) - 1) / 2 % 2 + 1 == shard).cloned().collect()
    };
    for shard in 1..=2 {
        let header = header.replace("\"shard\":[1,1]", &format!("\"shard\":[{shard},2]"));
        write_journal(&sandbox, &format!("shards/{shard}"), &header, &of(shard));
    }
    let status = || program(&sandbox, "match status shards/1 shards/2");
    let all = status();
    all.says(0, &[]);
    assert!(all.stdout.contains(decided), "{decided} is not in {}", all.stdout);
    let merged = program(&sandbox, "merge shards/1 shards/2 --out merged --partial");
    merged.says(0, &[&format!("{} of 1000 games are there", lines.len())]);
    assert!(merged.stdout.contains(decided), "{}", merged.stdout);
    assert_eq!(results(&sandbox, "merged"), results(&sandbox, "whole"));
    // Without its last game the last pair does not count, and nothing is decided.
    let last = lines.len() as u64;
    let shard = (last / 2 - 1) % 2 + 1;
    let header_of_shard = header.replace("\"shard\":[1,1]", &format!("\"shard\":[{shard},2]"));
    let kept: Vec<String> = of(shard).into_iter().filter(|line| number(line) != last - 1).collect();
    write_journal(&sandbox, &format!("shards/{shard}"), &header_of_shard, &kept);
    let open = status();
    open.says(1, &[]);
    assert!(open.stdout.contains(": continue\n"), "{}", open.stdout);
    // Games after one that is not finished wait for it.
    let header_of_shard = header.replace("\"shard\":[1,1]", "\"shard\":[1,2]");
    write_journal(&sandbox, "shards/1", &header_of_shard, &of(1)[1..]);
    let waiting = program(&sandbox, "match status shards/1");
    waiting.says(1, &[]);
    assert!(waiting.stdout.starts_with("0 of 1000 games, 1 of 2 shards\n"), "{}", waiting.stdout);
    // What was merged of a match that is decided goes on, and has one page.
    let page = sandbox.text("merged/report.html");
    program(&sandbox, "report merged -o page.html").says(0, &[]);
    assert_eq!(sandbox.text("page.html"), page);
    let rounds = lines.len() / 2 + 1;
    let of_rounds = |rounds: usize| header.replace("\"rounds\":500", &format!("\"rounds\":{rounds}"));
    write_journal(&sandbox, "merged", &of_rounds(rounds), &lines);
    let goes_on = run(&sandbox, &format!("{TEST} --rounds {rounds} --out merged --resume"));
    goes_on.says(0, &[]);
    assert_eq!(goes_on.stdout.lines().filter(|line| line.starts_with("game ")).count(), 2);
    // Of a match that is played whole, games that ended while the deciding one was played do not count.
    let begin = |number: u64| format!("{{\"game\":{number},");
    let later =
        |index: usize| lines[index].replace(&begin(index as u64 + 1), &begin(last + 1 + index as u64));
    let all: Vec<String> = lines.iter().cloned().chain([later(0), later(1)]).collect();
    assert!(all[all.len() - 1].starts_with(&begin(last + 2)), "{}", all[all.len() - 1]);
    write_journal(&sandbox, "late", &header, &all);
    let late = program(&sandbox, "match status late");
    late.says(0, &[]);
    assert!(late.stdout.starts_with(&format!("{last} of 1000 games, 1 of 1 shards\n")), "{}", late.stdout);
    assert!(late.stdout.contains(decided), "{}", late.stdout);
}

/// `status` is a subcommand only as the first word.
#[test]
fn an_engine_may_be_called_status() {
    let sandbox = sandbox();
    let check = |args: &str, part: &str| {
        program(&sandbox, &format!("match {}", args.replace("ENGINE", engine()))).says(2, &[part]);
    };
    check("status", "<DIR>...");
    check("status ENGINE", "/engine is no folder of matches");
    check(
        "ENGINE status --each nodes=1 --out out",
        "the engine status: there is no program status in the PATH",
    );
    check(
        "--each nodes=1 --out out status ENGINE",
        "the engine status: there is no program status in the PATH",
    );
    check(
        "--each nodes=1 --out out -- status ENGINE",
        "the engine status: there is no program status in the PATH",
    );
    sandbox.write_program("status", std::fs::read(engine()).unwrap());
    let words = "--each nodes=100 --of 2:name=other --rounds 1 --openings book.epd --out out";
    program(&sandbox, &format!("match ./status ./status {words}")).says(0, &["games in out/games.pgn"]);
    assert!(sandbox.text("out/games.pgn").contains("[White \"status\"]"));
}

/// The job file of Slurm, with what Slurm tells a task.
#[test]
fn a_task_of_the_job_array_plays_its_shard() {
    let sandbox = sandbox();
    let file = std::fs::canonicalize("../scripts/slurm/match.sbatch").unwrap();
    let task = |number: &str, of: &[(&str, &str)]| {
        let mut bash = Command::new("bash");
        bash.arg(&file).current_dir(sandbox.path(".")).envs(of.iter().copied());
        bash.env("TOUCHSTONE", sandbox.program().get_program());
        bash.env("SELECTION", arguments("--rounds 2 --concurrency 2")[1..].join(" "));
        let ended = Ended::of(bash.env("OUT", "shards").env("SLURM_ARRAY_TASK_ID", number));
        ended.says(0, &[]);
        ended.stdout
    };
    let first = task("1", &[("SLURM_ARRAY_TASK_COUNT", "2")]);
    assert!(first.starts_with("game 1 of 4: "), "{first}");
    // A task that is queued again goes on.
    assert!(!task("1", &[("SLURM_ARRAY_TASK_COUNT", "2")]).contains("game 1 of 4: "));
    task("2", &[("SLURM_ARRAY_TASK_COUNT", "1"), ("SHARDS", "2")]);
    sandbox.write_program("bin/scancel", "#!/bin/sh\necho \"$@\" >> cancelled\n");
    let path = format!("{}:{}", sandbox.path("bin").display(), std::env::var("PATH").unwrap());
    let args = ["match", "status", "shards", "--watch", "1", "--then", "scancel 7"];
    Ended::of(sandbox.program().args(args).env("PATH", path)).says(0, &[]);
    assert_eq!(sandbox.text("cancelled"), "7\n");
    program(&sandbox, "merge shards/1 shards/2 --out merged").says(0, &[]);
}
