//! The peer of table building: the plain way to solve a three-men table, on shakmaty's moves.
//!
//! Every position is set up, its successors are listed, and the lists are gone through again and again, one ply deeper
//! each time, until nothing is found.

use std::collections::BTreeMap;

use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Piece, Position, Role, Setup, Square};

/// Plies to mate of every legal position, by its number; `None` for a draw.
pub(super) type Solution = BTreeMap<u32, Option<u16>>;

/// Queen, rook and pawn against the bare king, each with all positions of both sides.
pub(super) fn solve_three() -> [Solution; 3] {
    let queen = solve(Role::Queen, &|_| None);
    let rook = solve(Role::Rook, &|_| None);
    let pawn = solve(Role::Pawn, &|position| match position.board().by_role(Role::Queen).first() {
        Some(_) => queen[&number(position, Role::Queen)],
        None => match position.board().by_role(Role::Rook).first() {
            Some(_) => rook[&number(position, Role::Rook)],
            None => None,
        },
    });
    [queen, rook, pawn]
}

enum Successor {
    Within(u32),
    Outside(Option<u16>),
}

fn solve(role: Role, outside: &dyn Fn(&Chess) -> Option<u16>) -> Solution {
    let mut successors: BTreeMap<u32, Vec<Successor>> = BTreeMap::new();
    let mut solution = Solution::new();
    for position in positions(role) {
        let own = number(&position, role);
        let mut list = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let within = after.board().occupied().count() == 3 && after.board().by_role(role).any();
            list.push(if within {
                Successor::Within(number(&after, role))
            } else {
                Successor::Outside(outside(&after))
            });
        }
        if list.is_empty() && position.is_check() {
            solution.insert(own, Some(0));
        }
        successors.insert(own, list);
    }
    for depth in 1..=u16::MAX {
        let mut found = Vec::new();
        let mut waiting = false;
        for (own, list) in &successors {
            if solution.contains_key(own) || list.is_empty() {
                continue;
            }
            let value = |successor: &Successor| match successor {
                Successor::Within(number) => solution.get(number).copied().flatten(),
                Successor::Outside(dtm) => {
                    waiting |= dtm.is_some_and(|plies| plies >= depth);
                    dtm.filter(|&plies| plies < depth)
                }
            };
            let values: Vec<Option<u16>> = list.iter().map(value).collect();
            let wins = depth % 2 == 1 && values.contains(&Some(depth - 1));
            let loses = depth % 2 == 0 && values.iter().all(|dtm| dtm.is_some_and(|plies| plies % 2 == 1));
            if wins || loses {
                found.push(*own);
            }
        }
        if found.is_empty() && !waiting && depth > 2 {
            break;
        }
        solution.extend(found.into_iter().map(|own| (own, Some(depth))));
    }
    for own in successors.into_keys() {
        solution.entry(own).or_insert(None);
    }
    solution
}

/// Every legal position with one White man of this role beside the kings.
fn positions(role: Role) -> impl Iterator<Item = Chess> {
    let squares = || (0..64).map(Square::new);
    let placements = squares().flat_map(move |white| {
        squares().flat_map(move |man| squares().map(move |black| (white, man, black)))
    });
    placements.filter(|(white, man, black)| white != man && man != black && white != black).flat_map(
        move |(white, man, black)| {
            Color::ALL.into_iter().filter_map(move |turn| {
                let mut board = Board::empty();
                board.set_piece_at(white, Piece { color: Color::White, role: Role::King });
                board.set_piece_at(man, Piece { color: Color::White, role });
                board.set_piece_at(black, Piece { color: Color::Black, role: Role::King });
                Chess::from_setup(Setup { board, turn, ..Setup::empty() }, CastlingMode::Standard).ok()
            })
        },
    )
}

/// A number for a position of this role.
fn number(position: &Chess, role: Role) -> u32 {
    let board = position.board();
    let square = |square: Option<Square>| square.map_or(0, u32::from);
    let men = [board.king_of(Color::White), board.by_role(role).first(), board.king_of(Color::Black)];
    men.into_iter().fold(u32::from(position.turn().is_white()), |number, man| number << 6 | square(man))
}
