//! The faulty players of `faulty-players.csv`: the test engine with one fault each. The checks that are named there find it, and
//! no other check does.

use std::collections::BTreeSet;

use arbiter::protocol;
use rayon::prelude::*;

use crate::checks::{in_threads, run};

const LIST: &str = include_str!("../../../docs/src/reference/faulty-players.csv");
/// These checks need tables, and an engine that plays by them.
const BY_TABLES: [&str; 3] = ["protocol/syzygy-move", "protocol/syzygy-score", "protocol/syzygy-used"];

struct Player {
    topic: String,
    /// The arguments of the test engine.
    arguments: [String; 2],
    /// The checks that find it; none if it is right.
    found_by: BTreeSet<String>,
}

fn players() -> Vec<Player> {
    let mut reader = csv::Reader::from_reader(LIST.as_bytes());
    let rows = reader.deserialize::<(String, String, String, String)>();
    let player = |(topic, option, rule, found_by): (String, String, String, String)| Player {
        topic,
        arguments: [option, rule],
        found_by: found_by.split_whitespace().map(str::to_owned).collect(),
    };
    rows.map(|row| player(row.expect("a row of faulty-players.csv"))).collect()
}

/// The checks that find a player, of its own checks and of others.
fn found(player: &Player, others: &BTreeSet<String>) -> BTreeSet<String> {
    let arguments = player.arguments.each_ref().map(String::as_str);
    let findings = run(&arguments, &player.found_by.union(others).cloned().collect());
    let differ = findings.into_iter().filter(|findings| findings.tally.differed > 0);
    differ.map(|findings| findings.tally.check).collect()
}

/// The players that other checks find than those that are named.
fn misjudged(others: impl Fn(&Player) -> BTreeSet<String> + Sync) -> Vec<String> {
    let judged = |player: &Player| {
        let found = found(player, &others(player));
        let [option, rule] = &player.arguments;
        (found != player.found_by).then(|| format!("{option} {rule}: {found:?} find it"))
    };
    in_threads(32, || players().par_iter().filter_map(judged).collect())
}

/// The checks of these names without a measured time, which a busy machine cannot make red.
fn untimed(ids: &BTreeSet<String>) -> BTreeSet<String> {
    let all = protocol::checks().filter(|check| !check.timed && ids.contains(check.id));
    all.map(|check| check.id.to_owned()).collect()
}

#[test]
fn each_faulty_player_is_found_by_its_checks_and_by_no_other_of_its_topic() {
    let players = players();
    let of_topic = |topic: &str| -> BTreeSet<String> {
        let alike = players.iter().filter(|player| player.topic == topic);
        untimed(&alike.flat_map(|player| player.found_by.clone()).collect())
    };
    let misjudged = misjudged(|player| of_topic(&player.topic));
    assert!(misjudged.is_empty(), "{misjudged:#?}");
}

#[test]
#[ignore = "nightly: all checks are asked of each player"]
fn each_faulty_player_is_found_by_its_checks_alone() {
    let all = untimed(&protocol::checks().map(|check| check.id.to_owned()).collect());
    let misjudged = misjudged(|_| all.clone());
    assert!(misjudged.is_empty(), "{misjudged:#?}");
}

#[test]
fn each_check_of_the_protocol_has_a_faulty_player() {
    let found: BTreeSet<String> = players().into_iter().flat_map(|player| player.found_by).collect();
    let checks = protocol::checks().map(|check| check.id).filter(|id| !BY_TABLES.contains(id));
    let checks: BTreeSet<String> = checks.map(str::to_owned).collect();
    assert_eq!(checks, found);
}
