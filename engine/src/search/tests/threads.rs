//! Tests of several threads.

use super::*;
use crate::search::root::RootMove;
use crate::search_api::{Clock, TimeBudget};
use std::collections::HashSet;
use std::sync::Mutex;
use std::thread::{self, ThreadId};
use std::time::Duration;

/// Ends the search when this many threads have read the clock, or after very many readings.
struct Waits {
    threads: usize,
    asked: Arc<Mutex<(HashSet<ThreadId>, usize)>>,
}

impl Clock for Waits {
    fn elapsed(&self) -> Duration {
        let mut asked = self.asked.lock().unwrap();
        asked.0.insert(thread::current().id());
        asked.1 += 1;
        let over = asked.0.len() == self.threads || asked.1 > 20_000;
        Duration::from_secs(if over { 100 } else { 0 })
    }
}

#[test]
fn each_thread_searches() {
    for threads in [1, 4] {
        let asked = Arc::default();
        let control = Control::new(Waits { threads, asked: Arc::clone(&asked) });
        let budget = TimeBudget { soft: Some(Duration::from_secs(50)), hard: Duration::from_secs(50) };
        let limits = Limits { time: Some(budget), ..Limits::default() };
        let mut searcher = AlphaBeta::new(&Settings { threads, ..small() });
        searcher.search(&Game::new(Position::starting()), &limits, &control, &mut |_| {});
        assert_eq!(asked.lock().unwrap().0.len(), threads);
    }
}

/// A helper writes to the shared hash table and the shared node count.
#[test]
fn helpers_fill_the_table_and_every_other_one_is_ahead() {
    let game = Game::new(Position::starting());
    let help = |index: usize| {
        let (table, control, limits) = (TranspositionTable::new(1), Control::default(), to_depth(4));
        let shared = Shared::new(&table, None, &control, &limits, 3);
        let mut data = ThreadData::new(EvalOptions::default());
        let moves = game.position().legal_moves().into_iter().map(RootMove::new).collect();
        Worker::new(&shared, &mut data, index, &game).search_as_helper(&game, moves);
        assert!(table.fullness() > 0);
        shared.nodes()
    };
    let (ahead, level) = (help(1), help(2));
    assert!(0 < level && level < ahead, "{level} {ahead}");
}
