//! Classes of moves, by the rule that decides whether they are legal, and the moves of a position by class.

use std::collections::BTreeMap;

use shakmaty::{CastlingMode, Move, Piece, Position, Rank, Role, Square, attacks};

use super::test_position::TestPosition;

suites::words! {
    /// A class of moves. The words stand in ids of checks and cases.
    pub(super) enum MoveClass: "class of moves" {
        /// Castling.
        Castling = "castling",
        /// Captures en passant.
        EnPassant = "en-passant",
        /// Promotions.
        Promotion = "promotion",
        /// Moves of pinned men.
        Pins = "pins",
        /// Moves out of check.
        Checks = "checks",
        /// Moves of the king.
        King = "king",
        /// Other moves.
        Pieces = "pieces",
    }
}

impl MoveClass {
    /// The id of its check.
    pub(super) fn id(self) -> String {
        format!("movegen/{}", self.name())
    }
}

/// The legal moves of a position in UCI notation.
pub(super) fn legal(position: &TestPosition) -> BTreeMap<String, MoveClass> {
    let class = |m: Move| match m {
        Move::Castle { .. } => MoveClass::Castling,
        Move::EnPassant { .. } => MoveClass::EnPassant,
        Move::Normal { promotion: Some(_), .. } => MoveClass::Promotion,
        _ => m.from().map_or(MoveClass::Pieces, |from| of_piece(position, from, m.role())),
    };
    position.chess.legal_moves().into_iter().map(|m| (position.uci(m), class(m))).collect()
}

/// Illegal moves that a faulty move generator may produce.
pub(super) fn illegal(position: &TestPosition) -> BTreeMap<String, MoveClass> {
    let (board, turn) = (position.chess.board(), position.chess.turn());
    let mut found = BTreeMap::new();
    for from in board.by_color(turn) {
        match board.role_at(from) {
            Some(Role::Pawn) => of_pawn(position, from, &mut found),
            Some(Role::King) => of_king(position, from, &mut found),
            Some(role) => of_officer(position, from, Piece { color: turn, role }, &mut found),
            None => {}
        }
    }
    let legal = legal(position);
    found.retain(|mv, _| !legal.contains_key(mv));
    found
}

/// The class of a move other than castling, promotion and en passant.
fn of_piece(position: &TestPosition, from: Square, role: Role) -> MoveClass {
    if role == Role::King {
        MoveClass::King
    } else if position.chess.is_check() {
        MoveClass::Checks
    } else if is_pinned(position, from) {
        MoveClass::Pins
    } else {
        MoveClass::Pieces
    }
}

fn is_pinned(position: &TestPosition, square: Square) -> bool {
    let (board, turn) = (position.chess.board(), position.chess.turn());
    board.king_of(turn).is_some_and(|king| {
        let without = board.occupied().without(square);
        (board.attacks_to(king, !turn, without) & !position.chess.checkers()).without(square).any()
    })
}

fn of_king(position: &TestPosition, from: Square, found: &mut BTreeMap<String, MoveClass>) {
    let (board, turn) = (position.chess.board(), position.chess.turn());
    for to in attacks::king_attacks(from) & !board.by_color(turn) {
        found.insert(format!("{from}{to}"), MoveClass::King);
    }
    let home = turn.fold_wb(Rank::First, Rank::Eighth);
    if from.rank() != home {
        return;
    }
    match position.mode() {
        CastlingMode::Standard if from == turn.fold_wb(Square::E1, Square::E8) => {
            for to in turn.fold_wb([Square::C1, Square::G1], [Square::C8, Square::G8]) {
                found.insert(format!("{from}{to}"), MoveClass::Castling);
            }
        }
        CastlingMode::Standard => {}
        CastlingMode::Chess960 => {
            for rook in board.by_piece(Role::Rook.of(turn)).into_iter().filter(|rook| rook.rank() == home) {
                found.insert(format!("{from}{rook}"), MoveClass::Castling);
            }
        }
    }
}

fn of_officer(position: &TestPosition, from: Square, piece: Piece, found: &mut BTreeMap<String, MoveClass>) {
    let board = position.chess.board();
    let own = board.by_color(piece.color);
    let reach = attacks::attacks(from, piece, board.occupied());
    for to in reach & !own {
        found.insert(format!("{from}{to}"), of_piece(position, from, piece.role));
    }
    // Captures of own men, and moves over the first man in the way.
    let beyond = attacks::attacks(from, piece, board.occupied() & !reach) & !reach;
    for to in (reach & own) | beyond {
        found.insert(format!("{from}{to}"), MoveClass::Pieces);
    }
}

fn of_pawn(position: &TestPosition, from: Square, found: &mut BTreeMap<String, MoveClass>) {
    let (board, turn) = (position.chess.board(), position.chess.turn());
    let (ahead, last) = turn.fold_wb((8, Rank::Eighth), (-8, Rank::First));
    let home = turn.fold_wb(Rank::Second, Rank::Seventh);
    let one = from.offset(ahead);
    let two = from.offset(2 * ahead).filter(|_| from.rank() == home);
    let attacked = attacks::pawn_attacks(turn, from);
    for to in one.into_iter().chain(two).chain(attacked) {
        let is_attack = attacked.contains(to);
        let beside = Square::from_coords(to.file(), from.rank());
        let passed = is_attack
            && board.piece_at(beside) == Some(Role::Pawn.of(!turn))
            && board.piece_at(to).is_none()
            && from.rank() == turn.fold_wb(Rank::Fifth, Rank::Fourth);
        let blocked = board.occupied().contains(to) || one.is_some_and(|one| board.occupied().contains(one));
        let wrong = if is_attack { !board.by_color(!turn).contains(to) } else { blocked };
        if to.rank() == last {
            for letter in ["q", "n", "k", "p", ""] {
                found.insert(format!("{from}{to}{letter}"), MoveClass::Promotion);
            }
        } else {
            let class = match (passed, wrong) {
                (true, _) => MoveClass::EnPassant,
                (_, true) => MoveClass::Pieces,
                _ => of_piece(position, from, Role::Pawn),
            };
            found.insert(format!("{from}{to}"), class);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(
        moves: fn(&TestPosition) -> BTreeMap<String, MoveClass>,
        fen: &str,
        class: MoveClass,
        expected: &str,
    ) {
        let position = TestPosition::read(fen, CastlingMode::Standard).unwrap();
        let of_class = moves(&position).into_iter().filter(|(_, of)| *of == class).map(|(mv, _)| mv);
        assert_eq!(of_class.collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn moves_by_the_rule_that_decides() {
        let through = "3k1r2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        check(legal, through, MoveClass::Castling, "e1c1");
        check(illegal, through, MoveClass::Castling, "e1g1");
        let exposes = "8/8/8/K1PpP2r/8/8/8/4k3 w - d6 0 1";
        check(legal, exposes, MoveClass::EnPassant, "c5d6 e5d6");
        check(illegal, "8/8/8/KPp4r/8/8/8/4k3 w - c6 0 1", MoveClass::EnPassant, "b5c6");
        let pinned = "4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1";
        check(legal, pinned, MoveClass::Pins, "");
        check(illegal, pinned, MoveClass::Pins, "e3c2 e3c4 e3d1 e3d5 e3f1 e3f5 e3g2 e3g4");
        let checked = "4k3/8/8/8/8/5n2/3N4/4K3 w - - 0 1";
        check(legal, checked, MoveClass::Checks, "d2f3");
        check(illegal, checked, MoveClass::Checks, "d2b1 d2b3 d2c4 d2e4 d2f1");
        check(illegal, "8/8/8/3k4/8/3K4/8/8 w - - 0 1", MoveClass::King, "d3c4 d3d4 d3e4");
        let promotes = "8/P1k5/K7/8/8/8/8/8 w - - 0 1";
        check(legal, promotes, MoveClass::Promotion, "a7a8b a7a8n a7a8q a7a8r");
        check(illegal, promotes, MoveClass::Promotion, "a7a8 a7a8k a7a8p a7b8 a7b8k a7b8n a7b8p a7b8q");
        check(illegal, "4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", MoveClass::Pieces, "a2a3 a2a4 a2b3");
    }
}
