//! The peer of table building: the plain way to solve a three-men table, on shakmaty's moves.
//!
//! Every position is set up, its successors are listed, and the lists are gone through again and again, one
//! ply deeper each time, until nothing is found.

use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Move, Piece, Position, Role, Setup, Square};

/// Positions with three men, numbered by side to move and squares.
const NUMBERS: usize = 2 << 18;

/// What is known of every legal position, by its number.
pub(crate) struct Solution(Vec<Value>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Illegal,
    /// Not decided; in the end a draw.
    Open,
    /// Plies to mate.
    Mate(u16),
}

impl Solution {
    /// Plies to mate, unless it is a draw.
    fn dtm(&self, number: u32) -> Option<u16> {
        match self.0[number as usize] {
            Value::Mate(plies) => Some(plies),
            Value::Illegal | Value::Open => None,
        }
    }

    /// How many legal positions there are.
    pub(crate) fn positions(&self) -> usize {
        self.0.iter().filter(|value| **value != Value::Illegal).count()
    }

    /// The longest mate in plies.
    pub(crate) fn longest(&self) -> Option<u16> {
        (0..NUMBERS as u32).filter_map(|number| self.dtm(number)).max()
    }
}

/// Queen, rook and pawn against the bare king, each with all positions of both sides.
pub(crate) fn solve_three() -> [Solution; 3] {
    let queen = solve(Role::Queen, &|_| None);
    let rook = solve(Role::Rook, &|_| None);
    let pawn = solve(Role::Pawn, &|position| match position.board().by_role(Role::Queen).first() {
        Some(_) => queen.dtm(number(position, Role::Queen)),
        None => match position.board().by_role(Role::Rook).first() {
            Some(_) => rook.dtm(number(position, Role::Rook)),
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
    let mut solution = Solution(vec![Value::Illegal; NUMBERS]);
    let mut open: Vec<(u32, Vec<Successor>)> = Vec::new();
    for position in positions(role) {
        let own = number(&position, role);
        let successors: Vec<Successor> =
            position.legal_moves().iter().map(|&mv| after(&position, mv, role, outside)).collect();
        let mated = successors.is_empty() && position.is_check();
        solution.0[own as usize] = if mated { Value::Mate(0) } else { Value::Open };
        if !successors.is_empty() {
            open.push((own, successors));
        }
    }
    let longest_outside = open.iter().flat_map(|(_, list)| list).filter_map(|successor| match successor {
        Successor::Outside(dtm) => *dtm,
        Successor::Within(_) => None,
    });
    let longest_outside = longest_outside.max().unwrap_or(0);
    for depth in 1.. {
        let decided = |list: &[Successor]| decided(&solution, list, depth);
        let (found, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(|(_, list)| decided(list));
        open = rest;
        if found.is_empty() && depth > longest_outside + 2 {
            break;
        }
        for (own, _) in found {
            solution.0[own as usize] = Value::Mate(depth);
        }
    }
    solution
}

fn after(position: &Chess, mv: Move, role: Role, outside: &dyn Fn(&Chess) -> Option<u16>) -> Successor {
    let mut after = position.clone();
    after.play_unchecked(mv);
    if after.board().occupied().count() == 3 && after.board().by_role(role).any() {
        Successor::Within(number(&after, role))
    } else {
        Successor::Outside(outside(&after))
    }
}

/// Whether these successors make a position mate or mated in so many plies, none fewer having done so.
fn decided(solution: &Solution, successors: &[Successor], depth: u16) -> bool {
    let mut values = successors.iter().map(|successor| match successor {
        Successor::Within(number) => solution.dtm(*number),
        Successor::Outside(dtm) => dtm.filter(|&plies| plies < depth),
    });
    if depth % 2 == 1 {
        values.any(|dtm| dtm == Some(depth - 1))
    } else {
        values.all(|dtm| dtm.is_some_and(|plies| plies % 2 == 1))
    }
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
