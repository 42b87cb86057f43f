//! The attacks of men from each square, on random boards, and the squares between two.

use engine::{Bitboard, Color, Role, Square, attacks};
use suites::{Findings, Verdict};

use super::{Job, Wrong, ask, gather};
use crate::perft::Draw;

const CHECK: &str = "library/attacks";
/// How many random boards.
const BOARDS: usize = 128;

pub(super) fn run(job: &Job) -> Findings {
    let boards: Vec<usize> = (0..BOARDS).collect();
    gather(CHECK, job.sample(), "boards", &boards, |&index| {
        let mut draw = Draw::new(job.seed, index);
        let occupied = draw.number() & draw.number();
        judge(index, occupied, &ask(|| told(occupied)).unwrap_or_else(|panic| vec![panic]))
    })
}

fn judge(index: usize, occupied: u64, got: &[String]) -> Verdict {
    let Some((got, expected)) = super::first_difference(got, &truth(occupied)) else { return Verdict::Agree };
    let because = format!("men on the squares of {occupied:#018x}");
    let case = format!("boards/{index}");
    Wrong { check: CHECK, case: &case, fen: "", got, expected, source: "shakmaty", because }.verdict()
}

fn line(name: &str, square: &str, attacked: u64) -> String {
    format!("{name} {square}: {attacked:016x}")
}

fn told(occupied: u64) -> Vec<String> {
    let all = Bitboard(occupied);
    let mut lines = Vec::new();
    for square in Square::ALL {
        let name = square.to_string();
        for (role, attacked) in [
            (Role::King, attacks::king(square)),
            (Role::Knight, attacks::knight(square)),
            (Role::Bishop, attacks::bishop(square, all)),
            (Role::Rook, attacks::rook(square, all)),
            (Role::Queen, attacks::queen(square, all)),
        ] {
            let same = attacks::of(role, Color::White, square, all) == attacked;
            lines.push(line(&format!("{role:?}"), &name, if same { attacked.0 } else { 0 }));
        }
        for color in Color::ALL {
            let same = attacks::of(Role::Pawn, color, square, all) == attacks::pawn(color, square);
            lines.push(line(
                &format!("{color:?} pawn"),
                &name,
                if same { attacks::pawn(color, square).0 } else { 0 },
            ));
        }
        let other = Square::ALL[(occupied % 64) as usize];
        lines.push(line(&format!("between {other} and"), &name, attacks::between(square, other).0));
    }
    lines
}

fn truth(occupied: u64) -> Vec<String> {
    use shakmaty::attacks;
    let all = shakmaty::Bitboard(occupied);
    let mut lines = Vec::new();
    for square in shakmaty::Square::ALL {
        let name = square.to_string();
        for (role, attacked) in [
            ("King", attacks::king_attacks(square)),
            ("Knight", attacks::knight_attacks(square)),
            ("Bishop", attacks::bishop_attacks(square, all)),
            ("Rook", attacks::rook_attacks(square, all)),
            ("Queen", attacks::queen_attacks(square, all)),
        ] {
            lines.push(line(role, &name, attacked.0));
        }
        for color in [shakmaty::Color::White, shakmaty::Color::Black] {
            lines.push(line(&format!("{color:?} pawn"), &name, attacks::pawn_attacks(color, square).0));
        }
        let other = shakmaty::Square::ALL[(occupied % 64) as usize];
        lines.push(line(&format!("between {other} and"), &name, attacks::between(square, other).0));
    }
    lines
}
