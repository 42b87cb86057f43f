//! The search.
//!
//! In reading order: parts without a tree (`packed`, `table`, `exchange`, `history`, `margins`, `order`,
//! `window`), one thread (`worker`), its nodes (`node`, `prune`, `quiescence`), the root (`root`, `deepen`),
//! and mate proofs (`confirm`, `proof`; `mutation` for specimens). Knows no protocol and no clock.

mod exchange;
mod history;
mod margins;
mod order;
mod packed;
mod table;
mod window;

mod worker;

mod node;
mod prune;
mod quiescence;

mod deepen;
mod root;

mod confirm;
mod mutation;
mod proof;

#[cfg(test)]
mod tests;

use std::thread;

pub use mutation::Mutation;

use deepen::ScoredLine;
use root::RootMove;
use table::TranspositionTable;
use worker::{Shared, ThreadData, Worker};

use crate::search_api::{Control, Limits, SearchInfo, SearchResult, Searcher, Setting, Settings};
use crate::{Game, Move, Position};

/// Stack size of helper threads in bytes.
const STACK: usize = 16 << 20;

/// The engine's own search: alpha-beta with a transposition table.
pub struct AlphaBeta {
    settings: Settings,
    table: TranspositionTable,
    threads: Vec<ThreadData>,
    /// The fault of the mate prover, in specimens.
    mutation: Option<Mutation>,
}

impl AlphaBeta {
    /// A search with these settings.
    pub fn new(settings: &Settings) -> Self {
        let settings = within_bounds(settings);
        let table = TranspositionTable::new(settings.hash);
        let threads = threads(&settings);
        Self { settings, table, threads, mutation: None }
    }

    /// A specimen with default settings: the engine's search with this fault in its mate prover.
    pub fn with_mutation(mutation: Mutation) -> Self {
        Self { mutation: Some(mutation), ..Self::new(&Settings::default()) }
    }

    /// The root moves: those of `limits.moves` that are legal, or all legal moves if there is none.
    fn root_moves(position: &Position, limits: &Limits) -> Vec<Move> {
        let legal = position.legal_moves();
        let mut moves: Vec<Move> = legal.iter().filter(|mv| limits.moves.contains(mv)).copied().collect();
        if moves.is_empty() {
            moves = legal.to_vec();
        }
        moves
    }

    fn search_moves(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        moves: Vec<Move>,
        listener: &mut dyn FnMut(&SearchInfo),
    ) -> SearchResult {
        self.table.next_search();
        let roots: Vec<RootMove> = moves.into_iter().map(RootMove::new).collect();
        let (first, helpers) = self.threads.split_first_mut().expect("at least one thread");
        let tables = self.settings.tables.as_deref();
        let shared =
            Shared::new(&self.table, tables, control, limits, helpers.len() + 1).with_mutation(self.mutation);
        let lines = self.settings.multi_pv;
        let found = thread::scope(|scope| {
            // Stops the helpers even if this thread panics.
            let _stop = shared.stop_on_drop();
            for (index, data) in helpers.iter_mut().enumerate() {
                let (shared, roots) = (&shared, roots.clone());
                let help = move || Worker::new(shared, data, index + 1, game).search_as_helper(game, roots);
                // If the machine provides no more threads, the search continues with fewer.
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help);
            }
            Worker::new(&shared, first, 0, game).deepen(game, roots, lines, listener)
        });
        let ScoredLine { line, score } = found;
        SearchResult {
            best: line.first().copied(),
            ponder: line.get(1).copied(),
            score,
            nodes: shared.nodes(),
        }
    }
}

impl Searcher for AlphaBeta {
    fn name(&self) -> String {
        self.mutation.map_or("Touchstone", Mutation::name).to_owned()
    }

    fn configure(&mut self, settings: &Settings) {
        let settings = within_bounds(settings);
        if settings.hash != self.settings.hash {
            // Frees the old table before the new one is allocated.
            self.table = TranspositionTable::new(0);
            self.table = TranspositionTable::new(settings.hash);
            self.table.overwrite();
        }
        if settings.threads != self.settings.threads || settings.evaluation != self.settings.evaluation {
            self.threads = threads(&settings);
            self.table.clear();
        }
        self.settings = settings;
    }

    fn settings_used(&self) -> &'static [Setting] {
        Setting::ALL
    }

    fn new_game(&mut self) {
        self.table.clear();
        // The evaluator stays: its cache does not change a score.
        self.threads.iter_mut().for_each(|thread| thread.histories.clear());
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        listener: &mut dyn FnMut(&SearchInfo),
    ) -> SearchResult {
        let position = game.position();
        let moves = Self::root_moves(position, limits);
        if moves.is_empty() {
            let report = SearchInfo::of_end(position);
            listener(&report);
            return SearchResult { best: None, ponder: None, score: report.score, nodes: 0 };
        }
        self.search_moves(game, limits, control, moves, listener)
    }
}

fn within_bounds(settings: &Settings) -> Settings {
    Settings {
        hash: settings.hash.min(Settings::MOST_HASH),
        threads: settings.threads.clamp(1, Settings::MOST_THREADS),
        multi_pv: settings.multi_pv.clamp(1, Settings::MOST_LINES),
        ..settings.clone()
    }
}

fn threads(settings: &Settings) -> Vec<ThreadData> {
    (0..settings.threads).map(|_| ThreadData::new(settings.evaluation)).collect()
}
