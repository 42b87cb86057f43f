//! What an interface says to our engine.

use engine::search::AlphaBeta;
use engine::search_api::{Control, Limits, NoClock, SearchInfo, SearchResult, Searcher, Setting, Settings};
use engine::tables::TableSet;
use engine::uci::{Dialogue, Host};

/// Lines of an interface. The engine answers `isready` after them, and reports no defect of its own.
///
/// # Panics
/// If it does not answer, or reports one.
pub fn session(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut dialogue = Dialogue::new(Alone, Box::new(Short(AlphaBeta::new(&little(&Settings::default())))));
    // A search without a limit is stopped.
    let lines = text.lines().filter(|line| !takes_long(line)).chain(["stop", "isready"]);
    let printed: Vec<String> = lines.map(|line| say(&mut dialogue, line)).collect();
    let answer = printed.last().map(String::as_str).unwrap_or_default();
    assert!(answer.lines().any(|line| line == "readyok"), "no readyok after {text:?}: {answer:?}");
    // The session catches a search that panics.
    let defect =
        printed.iter().flat_map(|lines| lines.lines()).find(|line| line.starts_with("info string defect:"));
    assert_eq!(defect, None, "{text:?}");
}

fn say(dialogue: &mut Dialogue<Alone>, lines: &str) -> String {
    dialogue.say(&format!("{lines}\n")).expect("writing to memory does not fail")
}

/// Counts without a bound, which users ask for.
fn takes_long(line: &str) -> bool {
    line.contains("perft") || line.contains("bench")
}

/// A session without clock and files.
struct Alone;

impl Host for Alone {
    type Clock = NoClock;

    fn start_clock(&self) -> NoClock {
        NoClock
    }

    fn load_tables(&self, _: &str, _: usize) -> Result<TableSet, String> {
        Err("there are no files".to_owned())
    }
}

/// The engine's search, with few nodes and little memory.
struct Short(AlphaBeta);

fn little(settings: &Settings) -> Settings {
    Settings { hash: settings.hash.min(1), threads: 1, ..settings.clone() }
}

impl Searcher for Short {
    fn name(&self) -> String {
        self.0.name()
    }

    fn configure(&mut self, settings: &Settings) {
        self.0.configure(&little(settings));
    }

    fn settings_used(&self) -> &'static [Setting] {
        self.0.settings_used()
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn search(
        &mut self,
        game: &engine::Game,
        limits: &Limits,
        control: &Control,
        listener: &mut dyn FnMut(&SearchInfo),
    ) -> SearchResult {
        const MOST_NODES: u64 = 300;
        let nodes = limits.nodes.unwrap_or(MOST_NODES).min(MOST_NODES);
        let found = self.0.search(game, &Limits { nodes: Some(nodes), ..limits.clone() }, control, listener);
        assert_eq!(found.best.is_none(), !game.position().has_legal_move(), "{}", game.position().to_fen());
        assert!(found.best.is_none_or(|mv| game.position().is_legal(mv)), "{}", game.position().to_fen());
        found
    }
}
