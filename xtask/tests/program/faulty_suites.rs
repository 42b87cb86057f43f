//! The faulty players of `faulty-suite-players.csv`: an engine with one fault each, put to the program as a user does it. The
//! checks that are named there find it, and no other check of what was asked does.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use reports::DifferenceRow;
use serde::Deserialize;
use suites::catalogue;

use crate::players::{engine, hostile, proxy};
use crate::sandbox::Sandbox;

const LIST: &str = include_str!("../../../docs/src/reference/faulty-suite-players.csv");

/// The topics of checks that each have a player in the list.
const TOPICS: [&str; 8] =
    ["bestmove", "conversion", "draw", "mate", "movegen", "process", "stalemate", "time"];

/// Checks without a player in the list, and what shows that they find a fault.
const WITHOUT: [(&str, &str); 7] = [
    ("bestmove/solved", "a figure"),
    ("bestmove/unanswered", "only engines in this process end so: `arbiter/src/bestmove/tests.rs` has one"),
    (
        "conversion/won",
        "a demand on our own engine: `arbiter/src/conversion/tests` has players that do not win",
    ),
    ("mate/missed", "a promise of our own engine: `oversights.rs` asks specimens"),
    ("mate/unanswered", "only engines in this process end so: `arbiter/src/mates/tests` has one"),
    ("process/mute", "`arbiter/tests/program/hostile.rs` closes the output of a program"),
    ("process/start", "`arbiter/tests/program/kill_all.rs` starts a program that is none"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Runs {
    Always,
    /// It takes more than some seconds.
    Nightly,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    player: String,
    /// The arguments of the player, with a bar between them.
    options: String,
    /// The arguments of `verify`.
    asked: String,
    /// The lines of a file of positions, with a bar between them.
    epd: String,
    #[serde(rename = "found by")]
    found_by: String,
    /// The exit code: 1 if a finding is an error, and 2 if a case set was not compared.
    exit: i32,
    runs: Runs,
}

fn rows() -> Vec<Row> {
    csv::Reader::from_reader(LIST.as_bytes())
        .deserialize()
        .map(|row| row.expect("a row of the list"))
        .collect()
}

fn ids(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl Row {
    /// The checks with a finding, the exit code, and what the program printed.
    fn found(&self) -> (BTreeSet<String>, i32, String) {
        let sandbox = Sandbox::new();
        let mut options: Vec<&str> = self.options.split('|').filter(|option| !option.is_empty()).collect();
        let program = match self.player.as_str() {
            "engine" => engine(),
            "hostile" => hostile(),
            _ => {
                options.push(engine());
                proxy()
            }
        };
        let mut arguments: Vec<String> =
            ["verify", "--out", "out", "--time-limit", "600", "--engine", program].map(str::to_owned).into();
        arguments.extend(options.iter().map(|option| format!("--args={option}")));
        arguments.extend(self.asked.split_whitespace().map(str::to_owned));
        if !self.epd.is_empty() {
            sandbox.write("some.epd", self.epd.replace('|', "\n") + "\n");
            arguments.extend(["--epd", "some.epd"].map(str::to_owned));
        }
        let ended = sandbox.run(arguments.iter().map(String::as_str));
        let found = sandbox.rows::<DifferenceRow>().into_iter().map(|row| row.0.check).collect();
        (found, ended.code, ended.stdout + &ended.stderr)
    }
}

/// A sentence for each player that other checks find than are expected.
fn misjudged(runs: Runs) -> Vec<String> {
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.runs == runs).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let taken = std::iter::from_fn(|| rows.get(next.fetch_add(1, Ordering::Relaxed)));
        let judged = taken.filter_map(|row| {
            let (found, code, printed) = row.found();
            let is_right = (&found, code) == (&ids(&row.found_by), row.exit);
            (!is_right).then(|| format!("{row:?}: {found:?} find it, code {code}\n{printed}"))
        });
        judged.collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no worker panics")).collect()
    })
}

#[test]
fn each_faulty_player_of_the_suites_is_found_by_its_checks_alone() {
    let misjudged = misjudged(Runs::Always);
    assert!(misjudged.is_empty(), "{}", misjudged.join("\n"));
}

#[test]
#[ignore = "nightly: they take more than some seconds each"]
fn each_slow_faulty_player_of_the_suites_is_found_by_its_checks_alone() {
    let misjudged = misjudged(Runs::Nightly);
    assert!(misjudged.is_empty(), "{}", misjudged.join("\n"));
}

/// Each check has a player, or a reason for which it has none.
#[test]
fn each_check_of_the_suites_has_a_faulty_player() {
    let found: BTreeSet<String> = rows().iter().flat_map(|row| ids(&row.found_by)).collect();
    let of_topic = |id: &str| id.split_once('/').is_some_and(|(topic, _)| TOPICS.contains(&topic));
    let missing: Vec<&str> = catalogue::pages()
        .map(|page| page.id)
        .filter(|id| of_topic(id) && !found.contains(*id) && WITHOUT.iter().all(|(known, _)| known != id))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    let needless: Vec<_> =
        WITHOUT.iter().filter(|(id, _)| found.contains(*id) || catalogue::find(id).is_none()).collect();
    assert!(needless.is_empty(), "{needless:?}");
}
