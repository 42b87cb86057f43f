//! The faulty players of `faulty-players.csv`: the test engine with one fault each. The checks that are named there find it, and
//! no other check does.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::checks::{in_threads, run};
use arbiter::protocol;

const LIST: &str = include_str!("../../../docs/src/reference/faulty-players.csv");
/// These checks need tables, and an engine that plays by them.
const BY_TABLES: [&str; 3] = ["protocol/syzygy-move", "protocol/syzygy-score", "protocol/syzygy-used"];

struct Player {
    topic: String,
    /// The arguments of the test engine.
    arguments: [String; 2],
    /// The checks of its topic that find it; none if it is right.
    found_by: BTreeSet<String>,
    /// The checks of other topics in which the fault shows too.
    also_by: BTreeSet<String>,
}

fn players() -> Vec<Player> {
    let mut reader = csv::Reader::from_reader(LIST.as_bytes());
    let rows = reader.deserialize::<[String; 5]>();
    let ids = |text: String| text.split_whitespace().map(str::to_owned).collect();
    let player = |[topic, option, rule, found_by, also_by]: [String; 5]| Player {
        topic,
        arguments: [option, rule],
        found_by: ids(found_by),
        also_by: ids(also_by),
    };
    rows.map(|row| player(row.expect("a row of faulty-players.csv"))).collect()
}

/// Those of these checks that find a player.
fn found(player: &Player, asked: &BTreeSet<String>) -> BTreeSet<String> {
    let arguments = player.arguments.each_ref().map(String::as_str);
    let findings = run(&arguments, asked);
    let differ = findings.into_iter().filter(|findings| findings.tally.differed > 0);
    differ.map(|findings| findings.tally.check).collect()
}

/// The players that other checks find than are expected. Beside these the untimed ones of `others` are asked.
fn misjudged(
    expected: impl Fn(&Player) -> BTreeSet<String> + Sync,
    others: impl Fn(&Player) -> BTreeSet<String> + Sync,
) -> Vec<String> {
    let judged = |player: &Player| {
        let expected = expected(player);
        let found = found(player, &expected.union(&untimed(&others(player))).cloned().collect());
        let [option, rule] = &player.arguments;
        (found != expected).then(|| format!("{option} {rule}: {found:?} find it"))
    };
    let (players, next) = (players(), AtomicUsize::new(0));
    // A run waits most of its time. In a pool of rayon all would begin at once.
    let work = || {
        let taken = std::iter::from_fn(|| players.get(next.fetch_add(1, Ordering::Relaxed)));
        taken.filter_map(|player| in_threads(4, || judged(player))).collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..16).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no worker panics")).collect()
    })
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
        alike.flat_map(|player| player.found_by.clone()).collect()
    };
    let misjudged = misjudged(|player| player.found_by.clone(), |player| of_topic(&player.topic));
    assert!(misjudged.is_empty(), "{misjudged:#?}");
}

#[test]
#[ignore = "nightly: all checks are asked of each player"]
fn each_faulty_player_is_found_by_its_checks_alone() {
    let all = |_: &Player| protocol::checks().map(|check| check.id.to_owned()).collect();
    let misjudged = misjudged(|player| &player.found_by | &player.also_by, all);
    assert!(misjudged.is_empty(), "{misjudged:#?}");
}

#[test]
fn each_check_of_the_protocol_has_a_faulty_player() {
    let found: BTreeSet<String> = players().into_iter().flat_map(|player| player.found_by).collect();
    let checks = protocol::checks().map(|check| check.id).filter(|id| !BY_TABLES.contains(id));
    let checks: BTreeSet<String> = checks.map(str::to_owned).collect();
    assert_eq!(checks, found);
}
