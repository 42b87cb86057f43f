//! With tables switched off, a shallow search never stalemates the other side in a won KPvK, KQvK or KRvK position: over all of
//! them, each at one of the depths 1 to 4, and at night at each of these. What is won is asked of the tables; what is stalemate, of
//! the rules.

use engine::search::AlphaBeta;
use engine::search_api::{Control, Limits, Searcher, Settings};
use engine::tables::{Wdl, builders};
use engine::{Board, Color, Game, Piece, Position, Role, Square};
use rayon::prelude::*;

/// A searcher is asked about so many positions before the next takes over: what it remembers of one serves the others.
const CHUNK: usize = 256;

/// All positions won for White, to move, with this piece.
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

/// The won positions in which the searcher's move stalemates.
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

/// Asks at each of four depths one of so many positions.
fn never_stalemates(one_of: usize) {
    for (role, count) in [(Role::Queen, 144_508), (Role::Rook, 175_168), (Role::Pawn, 124_960)] {
        let positions = won(role);
        assert_eq!(positions.len(), count, "{role:?}");
        for depth in 1..=4 {
            let some: Vec<Position> =
                positions.iter().copied().skip(usize::from(depth) % one_of).step_by(one_of).collect();
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
fn won_positions_are_never_stalemated() {
    never_stalemates(4);
}

#[test]
#[ignore = "a minute: for the night"]
fn won_positions_are_never_stalemated_at_any_depth() {
    never_stalemates(1);
}
