//! Our engine's search as a subject: it claims what its tables say, and announces what it finds with them.

use std::sync::Arc;

use engine::search::Searcher;
use engine::tables::TableSet;
use engine::thinking::{Settings, Thinker};

use crate::claims::{Board, Claim, Claims, Color, EngineTables, Refusal, Thinkers};

/// The search with the tables that it plays by.
pub struct EngineSearch {
    tables: EngineTables,
    thinkers: Box<Thinkers>,
}

impl EngineSearch {
    /// The engine as it plays with these tables, on one thread. The least hash table will do: where the tables know
    /// the position there is next to nothing to remember.
    pub fn new(tables: TableSet) -> Self {
        let shared = Some(Arc::new(tables.clone()));
        let settings = Settings { hash: 1, threads: 1, multi_pv: 1, tables: shared, ..Settings::default() };
        Self::of(tables, move || Box::new(Searcher::new(&settings)))
    }

    /// Anything that thinks, beside the tables that it ought to know.
    pub fn of(tables: TableSet, thinkers: impl Fn() -> Box<dyn Thinker> + Send + Sync + 'static) -> Self {
        Self { tables: EngineTables::production(tables), thinkers: Box::new(thinkers) }
    }
}

impl Claims for EngineSearch {
    fn name(&self) -> &'static str {
        "engine"
    }

    fn claim(&self, board: &Board, turn: Color) -> Result<Claim, Refusal> {
        self.tables.claim(board, turn)
    }

    fn claims_dtz(&self) -> bool {
        self.tables.claims_dtz()
    }

    fn thinkers(&self) -> Option<&Thinkers> {
        Some(&*self.thinkers)
    }

    /// The program takes the end of its input as the word to stop: it is kept waiting until it has answered.
    fn replay(&self, fen: &str) -> String {
        let commands = format!("position fen {fen}\\ngo depth 1\\n");
        let build = "cargo build --release --quiet --package engine";
        format!("{build} && (printf '{commands}'; sleep 3) | target/release/engine")
    }
}
