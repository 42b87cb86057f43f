//! The bench: searches fixed positions; the node count is the signature of the search.
//!
//! As in Stockfish, a change that does not alter the search leaves the signature unchanged, on every machine.
//! One thread searches each position, with a cleared hash table of 16 MiB and without endgame tables, which
//! would answer some of the positions without a search. The bench reads only the clock of its [`Control`].

use std::time::Duration;

use crate::search_api::{Control, Limits, Searcher, Settings};
use crate::{Game, Position};

/// The default depth; the signature is measured at this depth.
pub const DEPTH: u16 = 11;

/// Positions of openings, middlegames and endgames, quiet and tactical, with a few mates. Most were composed
/// for this list; known ones are the pawn ending of Lasker and Reichhelm (1901) and Morphy's mate in two
/// (1856).
pub const POSITIONS: [&str; 40] = [
    // Openings.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/2PP4/2N1PN2/PP3PPP/R1BQKB1R b KQkq - 0 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "rnbqk2r/pp2nppp/4p3/2ppP3/3P4/P1P5/2P2PPP/R1BQKBNR w KQkq - 1 7",
    "r1bqk2r/ppp2ppp/2n2n2/2bpp3/4P3/2PP1N2/PPB2PPP/RNBQK2R w KQkq - 0 7",
    "rnbqkb1r/ppp2ppp/3p1n2/8/4P3/3Q4/PPP2PPP/RNB1KBNR w KQkq - 2 5",
    // Middlegames, mostly quiet.
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 2 9",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/2KR3R b - - 3 12",
    "2rq1rk1/pb1n1ppp/4pn2/1p6/1b1P4/P1NB1N2/1PQB1PPP/R4RK1 b - - 0 14",
    "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 b - - 3 12",
    "r4rk1/pp1q1ppp/2pbbn2/3p4/3P4/1QNBP2P/PP1B1PP1/R4RK1 w - - 1 14",
    "2r2rk1/1p1bqppp/p3pn2/3p4/3N4/P2BP3/1PQ2PPP/2R2RK1 b - - 4 17",
    "r2qr1k1/1bp2ppp/p2p1b2/1p1Pn3/4P3/1N3N2/PPQ2PPP/R1B1RBK1 w - - 5 18",
    "3r1rk1/1bqnbppp/p2pp3/1p6/3NPPP1/P1N1B2P/1PPQ4/1K1R1B1R b - - 0 17",
    // Tactical middlegames.
    "r3k2r/ppp1qpp1/2n1b2p/3np3/1b1P4/2N1BN2/PPPQ1PPP/R3KB1R w KQkq - 0 10",
    "r1bqr1k1/ppp2pb1/2np1npp/4p2P/2B1P1P1/2NPB3/PPPQ1P2/R3K1NR w KQ - 0 11",
    "r1b1kb1r/pp1n1ppp/2p1pn2/q5B1/2BP4/2N2N2/PPP2PPP/R2QK2R w KQkq - 2 9",
    "2kr3r/ppp2ppp/2n1b3/2b1P3/5Bnq/2NB1N2/PPP3PP/R2QK2R w KQ - 3 12",
    "2r2rk1/1bqn1pp1/p3p2p/1p1n4/3B3Q/1P1BP1N1/P4PPP/2R2RK1 w - - 0 20",
    "r3r1k1/pp3pbp/1qp1b1p1/2B5/2BP4/Q1n2N2/P4PPP/3RK2R w K - 0 15",
    "6k1/pp3p1p/2p3p1/3r4/1q2rN2/2R3Q1/PP3PPP/3R2K1 w - - 0 28",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 18",
    // Endgames with pieces.
    "8/5pk1/4p1p1/1R5p/r6P/6P1/5PK1/8 w - - 0 40",
    "8/1r3pk1/6p1/2K4p/1P5P/2R3P1/5P2/8 b - - 0 40",
    "4k3/1p3p2/p1p2np1/P2p3p/1P1P1P1P/2N1P1P1/4K3/8 w - - 0 35",
    "8/1p2kp1p/p1b1p1p1/P2nP3/1P1B1P2/6P1/5K1P/5B2 b - - 3 33",
    "2r3k1/5pp1/p3p2p/1p1b4/3P4/P3R1P1/1P3P1P/4R1K1 w - - 0 30",
    "8/8/1p1k4/p1p1b3/P1P1p1p1/1P2P1P1/3K1B2/8 w - - 0 48",
    "3q2k1/5p1p/6p1/8/3p4/1P4P1/5P1P/3Q2K1 b - - 0 36",
    // Endgames of pawns.
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/5p2/4p1k1/2p1P1p1/2P3P1/3K4/5P2/8 w - - 0 44",
    "8/pp3k2/2p5/3p1P2/3P1K2/2P5/PP6/8 b - - 0 41",
    // Three and four men.
    "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1",
    "8/8/4k3/8/8/3K4/8/6R1 w - - 0 1",
    "8/8/8/4k3/8/4K3/2BN4/8 w - - 0 1",
    "8/1k6/8/8/4K3/3Q4/1p6/8 b - - 0 1",
    // Mates: in two for the side to move, and against the side to move.
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "6k1/5ppp/8/8/8/7q/3r1P1P/R4RK1 w - - 0 1",
];

/// The node count of one bench position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionNodes {
    /// Its number, counted from 1.
    pub number: usize,
    /// Its FEN.
    pub fen: &'static str,
    /// Nodes.
    pub nodes: u64,
}

/// The sums over all positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// Nodes.
    pub nodes: u64,
    /// Search time; clearing the hash table between positions is not counted.
    pub thinking: Duration,
}

/// The node count of all positions at a depth.
///
/// Leaves the searcher with the settings of the bench.
pub fn signature(searcher: &mut dyn Searcher, depth: u16) -> u64 {
    run(searcher, depth, &Control::default(), &mut |_| {}).map_or(0, |total| total.nodes)
}

/// Runs the bench and reports each position when it is done. `None` if `control` stops it.
///
/// # Panics
///
/// Never: the positions are legal.
pub fn run(
    searcher: &mut dyn Searcher,
    depth: u16,
    control: &Control,
    listener: &mut dyn FnMut(PositionNodes),
) -> Option<Total> {
    searcher.configure(&Settings { hash: 16, threads: 1, multi_pv: 1, tables: None, ..Settings::default() });
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut total = Total { nodes: 0, thinking: Duration::ZERO };
    for (index, fen) in POSITIONS.into_iter().enumerate() {
        searcher.new_game();
        let game = Game::new(Position::from_fen(fen).expect("a sound position"));
        let before = control.elapsed();
        let nodes = searcher.search(&game, &limits, control, &mut |_| {}).nodes;
        if control.is_stopped() {
            return None;
        }
        total.nodes += nodes;
        total.thinking += control.elapsed().saturating_sub(before);
        listener(PositionNodes { number: index + 1, fen, nodes });
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::search_api::{Clock, SearchInfo, SearchResult, Setting};
    use crate::{Score, tables};

    /// Records its requests.
    #[derive(Default)]
    struct Counting {
        settings: Vec<Settings>,
        forgotten: usize,
        depths: Vec<Option<u16>>,
        stops_at: Option<usize>,
        clock: Ticks,
    }

    /// Milliseconds; the searcher advances them itself.
    #[derive(Default, Clone)]
    struct Ticks(Arc<AtomicU64>);

    impl Ticks {
        fn pass(&self, millis: u64) {
            self.0.fetch_add(millis, Ordering::Relaxed);
        }
    }

    impl Clock for Ticks {
        fn elapsed(&self) -> Duration {
            Duration::from_millis(self.0.load(Ordering::Relaxed))
        }
    }

    impl Searcher for Counting {
        fn name(&self) -> String {
            "counting".to_owned()
        }

        fn configure(&mut self, settings: &Settings) {
            self.settings.push(settings.clone());
        }

        fn settings_used(&self) -> &'static [Setting] {
            &[]
        }

        fn new_game(&mut self) {
            self.forgotten += 1;
            self.clock.pass(1_000);
        }

        fn search(
            &mut self,
            _: &Game,
            limits: &Limits,
            control: &Control,
            _: &mut dyn FnMut(&SearchInfo),
        ) -> SearchResult {
            self.depths.push(limits.depth);
            self.clock.pass(3);
            if self.stops_at == Some(self.depths.len()) {
                control.stop();
            }
            SearchResult { best: None, ponder: None, score: Score::DRAW, nodes: self.forgotten as u64 }
        }
    }

    #[test]
    fn positions_are_legal_distinct_and_of_all_phases() {
        let positions =
            POSITIONS.map(|fen| Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")));
        assert_eq!(positions.iter().map(Position::key).collect::<BTreeSet<_>>().len(), POSITIONS.len());
        assert!(positions.iter().all(Position::has_legal_move));
        let men = positions.map(|position| position.board().occupied().count());
        for kind in [3..=3, 4..=4, 5..=10, 11..=16, 17..=24, 25..=31, 32..=32] {
            assert!(men.iter().any(|men| kind.contains(men)), "{kind:?}");
        }
        assert!(men.into_iter().filter(|&men| men <= tables::MAX_MEN as u32).count() <= 6);
    }

    #[test]
    fn each_position_is_searched_to_the_depth_after_clearing() {
        let mut searcher = Counting::default();
        // Cleared once before the first, twice before the second ...
        assert_eq!(signature(&mut searcher, 7), (1..=40).sum());
        assert_eq!(searcher.depths, [Some(7); 40]);
        let [settings] = &searcher.settings[..] else { panic!("configured once") };
        assert_eq!((settings.hash, settings.threads, settings.multi_pv), (16, 1, 1));
        assert!(settings.tables.is_none());
    }

    #[test]
    fn only_the_search_is_timed() {
        let mut searcher = Counting::default();
        let control = Control::new(searcher.clock.clone());
        let total = run(&mut searcher, 7, &control, &mut |_| {}).unwrap();
        assert_eq!(total.thinking, Duration::from_millis(40 * 3));
    }

    #[test]
    fn a_stopped_bench_has_no_signature() {
        let mut searcher = Counting { stops_at: Some(3), ..Counting::default() };
        let mut rows = Vec::new();
        let control = Control::default();
        assert_eq!(run(&mut searcher, 7, &control, &mut |row| rows.push(row.number)), None);
        assert_eq!(rows, [1, 2]);
    }
}
