//! Games of a tournament between test engines.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use arbiter::game::{Adjudication, Rules, TableValue};
use arbiter::game_tables::{GameTables, SmallTables};
use arbiter::tournament::host::{Entrant, GameEvent, Host};
use arbiter::tournament::openings::{Book, BookFormat, OpeningOrder, Order, ReadOptions};
use arbiter::tournament::schedule::{PairShard, Schedule};

use crate::common::{Pids, patient, program};

struct NoTables;

impl SmallTables for NoTables {
    fn most_men(&self) -> usize {
        0
    }

    fn probe(&self, _: &str) -> Option<TableValue> {
        None
    }
}

/// Games of one move that are noted slowly: each worker has one, and as many wait to be noted.
#[test]
fn few_games_wait_to_be_noted() {
    let pids = Pids::of(&["tournament", "waiting"]);
    let entrant = Entrant { program: program(&[], &pids), time_control: "depth=1".parse().unwrap() };
    let mate_in_one = b"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n";
    let book = Book::read(mate_in_one, BookFormat::Epd, ReadOptions::default()).unwrap();
    let order = OpeningOrder::new(1, Order::Sequential, 1).unwrap();
    let host = Host {
        entrants: &[entrant.clone(), entrant],
        book: &book,
        order: &order,
        rules: Rules::Fide,
        adjudication: Adjudication::default(),
        tables: &GameTables::new(Box::new(NoTables), None),
        patience: patient().ready,
        most_replays: 0,
        concurrency: 2,
    };
    let (taken, mut noted) = (AtomicUsize::new(0), 0);
    let schedule = Schedule::round_robin(2, 100).unwrap();
    let games = schedule.games_of(PairShard::WHOLE).inspect(|_| {
        taken.fetch_add(1, Ordering::Relaxed);
    });
    let played = host.play(games, &mut |_, event| {
        let GameEvent::Finished(_) = event else { return true };
        thread::sleep(Duration::from_millis(20));
        noted += 1;
        let taken = taken.load(Ordering::Relaxed);
        assert!(taken <= noted + 4, "{noted} games are noted, and {taken} were begun");
        noted < 50
    });
    assert!(played.is_ok() && noted == 50, "{played:?} after {noted} games");
}
