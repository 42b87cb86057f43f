//! Without tables, shallow searches never stalemate in a won KPvK, KQvK or KRvK position. Tested on a seeded
//! sample of these positions, and nightly on all. The tables tell which positions are won, the rules which
//! are stalemates.

use engine::search::AlphaBeta;
use engine::search_api::{Control, Limits, Searcher, Settings};
use engine::tables::{Wdl, builders};
use engine::{Board, Color, Game, Piece, Position, Role, Square};
use rayon::prelude::*;

use crate::support::Rng;

/// Positions searched by one instance; its hash table is shared among them.
const CHUNK: usize = 256;

/// All positions with White to move that are won with this piece.
fn won(role: Role) -> Vec<Position> {
    let name = format!("K{}vK", role.to_char().to_ascii_uppercase());
    let tables =
        builders::production(&[name.parse().expect("a material")]).expect("a table that can be built");
    let placements = Square::ALL.into_iter().flat_map(|king| {
        Square::ALL.into_iter().flat_map(move |piece| Square::ALL.map(|other| (king, piece, other)))
    });
    let positions = placements.filter_map(|(king, piece, other)| {
        let mut board = Board::EMPTY;
        board.put(king, Piece { color: Color::White, role: Role::King });
        board.put(piece, Piece { color: Color::White, role });
        board.put(other, Piece { color: Color::Black, role: Role::King });
        let position =
            (board.occupied().count() == 3).then(|| Position::from_board(board, Color::White).ok())??;
        let probe = tables.probe(&board, Color::White).ok()?;
        (probe.wdl() == Wdl::Win).then_some(position)
    });
    positions.collect()
}

/// The won positions in which the chosen move stalemates.
fn stalemating(positions: &[Position], depth: u16) -> Vec<String> {
    let settings = Settings { hash: 1, ..Settings::default() };
    let chunks = positions.par_chunks(CHUNK).flat_map_iter(|chunk| {
        let mut searcher = AlphaBeta::new(&settings);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        chunk
            .iter()
            .filter_map(move |position| {
                let answer =
                    searcher.search(&Game::new(*position), &limits, &Control::default(), &mut |_| {});
                let best = answer.best.expect("a won position has a move");
                position.play(best).is_stalemate().then(|| format!("{} {best}", position.to_fen()))
            })
            .collect::<Vec<_>>()
    });
    chunks.collect()
}

/// Searches one position of so many, drawn at random with a fixed seed, at each of four depths.
fn never_stalemates(one_of: usize) {
    let mut rng = Rng(7);
    for (role, count) in [(Role::Queen, 144_508), (Role::Rook, 175_168), (Role::Pawn, 124_960)] {
        let positions = won(role);
        assert_eq!(positions.len(), count, "{role:?}");
        for depth in 1..=4 {
            let some: Vec<Position> = positions.iter().copied().filter(|_| rng.below(one_of) == 0).collect();
            let found = stalemating(&some, depth);
            assert!(
                found.is_empty(),
                "{role:?} at depth {depth}: {} of {}: {:?}",
                found.len(),
                some.len(),
                &found[..found.len().min(5)]
            );
        }
    }
}

#[test]
fn a_sample_of_won_positions_is_never_stalemated() {
    never_stalemates(50);
}

#[test]
#[ignore = "nightly: a minute, all positions"]
fn won_positions_are_never_stalemated() {
    never_stalemates(1);
}
