//! A search that announces what the table says, with or without a fault.

use super::*;

/// The reports and the answer of a search.
pub(super) struct Searched {
    pub(super) reports: Vec<SearchInfo>,
    pub(super) answer: SearchResult,
}

/// The search of a position by the table.
fn truth(position: &EnginePosition) -> Searched {
    let dtm = TABLES.dtm(position.board(), position.side_to_move()).unwrap();
    let score = match dtm.map(Dtm::plies) {
        None => EngineScore::DRAW,
        Some(plies) if plies % 2 == 1 => EngineScore::mate_in(Ply(plies)),
        Some(plies) => EngineScore::mated_in(Ply(plies)),
    };
    let line = TABLES.best_line(position).unwrap();
    let answer = SearchResult { best: line.first().copied(), ponder: line.get(1).copied(), score, nodes: 1 };
    let report = SearchInfo {
        depth: u16::from(answer.best.is_some()),
        selective_depth: 1,
        rank: 1,
        score,
        bound: EngineBound::Exact,
        nodes: 1,
        hash_full: 0,
        table_hits: 1,
        line,
    };
    Searched { reports: vec![report], answer }
}

/// A search by the table with a fault that may depend on how many searches came before.
struct TableSearch {
    fault: fn(u64, &mut Searched),
    asked: u64,
}

impl Searcher for TableSearch {
    fn name(&self) -> String {
        "table-search".to_owned()
    }

    fn configure(&mut self, _: &Settings) {}

    fn settings_used(&self) -> &'static [Setting] {
        &[]
    }

    fn new_game(&mut self) {
        self.asked = 0;
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        _: &Control,
        listener: &mut dyn FnMut(&SearchInfo),
    ) -> SearchResult {
        assert_eq!((limits.depth, limits.nodes, limits.time), (Some(1), None, None));
        let mut searched = truth(game.position());
        (self.fault)(self.asked, &mut searched);
        self.asked += 1;
        searched.reports.iter().for_each(listener);
        searched.answer
    }
}

pub(super) fn table_search(fault: fn(u64, &mut Searched)) -> InProcess {
    let player = InProcess::new("table-search", "", move || Box::new(TableSearch { fault, asked: 0 }));
    player.with_aids(&[Aid::Tables])
}

pub(super) fn faultless() -> InProcess {
    table_search(|_, _| ())
}
