//! Rough distances of a position from a mate. Nothing depends on them but the order of a search.

use shakmaty::{Bitboard, Chess, Color, Piece, Position, Square, attacks};

/// The distance as it counts in endgames, and as it counts where many men stand.
pub(super) fn distances(position: &Chess, winner: Color) -> [u32; 2] {
    let board = position.board();
    let [Some(mated), Some(helper)] = [board.king_of(!winner), board.king_of(winner)] else { return [0; 2] };
    let own = board.by_color(winner);
    let others = board.occupied().without(mated);
    let is_free = |square: &Square| board.attacks_to(*square, winner, others).is_empty();
    let near = attacks::king_attacks(mated) & !board.by_color(!winner);
    let free = 6 * near.into_iter().filter(is_free).count() as u32;
    let check = check(mated, position, winner);
    let helps = 3 * mated.distance(helper).saturating_sub(2);
    let endgame =
        free + helps + 2 * corner(mated, position, own) + force(mated, position, winner) + 3 * check;
    [endgame, free + 6 * check]
}

/// How far the king is from a corner in which these men can mate.
fn corner(king: Square, position: &Chess, own: Bitboard) -> u32 {
    let board = position.board();
    let (file, rank) = (u32::from(king.file()), u32::from(king.rank()));
    let bishops = own & board.bishops();
    let of_color = |squares: Bitboard| !(bishops & squares).is_empty();
    let only_bishops = own == bishops | own & board.kings();
    match (of_color(Bitboard::LIGHT_SQUARES), of_color(Bitboard::DARK_SQUARES)) {
        (false, true) if only_bishops => (file + rank).min(14 - file - rank),
        (true, false) if only_bishops => (7 + rank - file).min(7 + file - rank),
        _ => file.min(7 - file) + rank.min(7 - rank),
    }
}

/// How far the winner is from a queen or rook, or from bringing a bishop or knight near.
fn force(king: Square, position: &Chess, winner: Color) -> u32 {
    let board = position.board();
    let own = board.by_color(winner);
    if (own & board.rooks_and_queens()).any() {
        return 0;
    }
    let rank = |pawn: Square| u32::from(pawn.rank());
    let ahead = |pawn: Square| winner.fold_wb(7 - rank(pawn), rank(pawn));
    let minors = own & (board.knights() | board.bishops());
    let promotion = (own & board.pawns()).into_iter().map(ahead).min();
    let nearest = || minors.into_iter().map(|minor| minor.distance(king)).min().unwrap_or_default();
    promotion.map_or_else(nearest, |ahead| 20 + 4 * ahead)
}

/// How many moves a man needs at least to give check; more than two are not told apart.
fn check(king: Square, position: &Chess, winner: Color) -> u32 {
    let board = position.board();
    let own = board.by_color(winner);
    let moves = |square: Square, piece: Piece| {
        let from = attacks::attacks(king, piece, board.occupied());
        let to = attacks::attacks(square, piece, board.occupied()) & !own;
        if from.contains(square) { 0 } else { 1 + u32::from((from & to).is_empty()) }
    };
    let pieces = own & !board.pawns() & !board.kings();
    let pieces = pieces.into_iter().filter_map(|square| Some((square, board.piece_at(square)?)));
    pieces.map(|(square, piece)| moves(square, piece)).min().unwrap_or(3)
}
