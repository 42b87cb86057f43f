//! KPvK by rule: who wins where no table is at hand.
//!
//! Key squares, opposition and the square of the pawn are the common stock of all primers (Fine, Basic Chess Endings,
//! chapter 1; Müller and Lamprecht, Fundamental Chess Endings, chapter 1). Rules alone misjudge the moments at which a
//! pawn hangs or a king is a step late, so a few plies are looked ahead until a rule is sure. No table is read.

use super::distance::{distance, file, files, rank};
use super::view::{View, only};
use super::{DRAWN, KNOWN_WIN};
use crate::{Bitboard, File, Rank, Role, Square};

/// Kings and a pawn, the pawn on files a to d and going up the board.
#[derive(Debug, Clone, Copy)]
pub(super) struct KingAndPawn {
    king: Square,
    pawn: Square,
    weak_king: Square,
    strong_to_move: bool,
}

/// What is known of who wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The pawn decides.
    Won,
    /// As far as rules go, it does not.
    Unclear,
    /// The pawn is lost, or stalemate is on the board.
    Drawn,
}

impl KingAndPawn {
    pub(super) fn new(king: Square, pawn: Square, weak_king: Square, strong_to_move: bool) -> Self {
        let mirror = |square: Square| if file(pawn) > 3 { square.flip_horizontal() } else { square };
        Self { king: mirror(king), pawn: mirror(pawn), weak_king: mirror(weak_king), strong_to_move }
    }

    fn of(view: &View, pawn: Square) -> Self {
        Self::new(view.strong_king, pawn, view.weak_king, view.strong_to_move)
    }

    /// Who wins, after looking ahead so many plies.
    pub(super) fn verdict(&self, plies: u32) -> Verdict {
        let now = self.by_rule();
        if now != Verdict::Unclear || plies == 0 {
            return now;
        }
        if self.strong_to_move { self.best_of_strong(plies - 1) } else { self.best_of_weak(plies - 1) }
    }

    fn by_rule(&self) -> Verdict {
        if !self.strong_to_move && (self.loses_pawn() || self.is_stalemate()) {
            return Verdict::Drawn;
        }
        if self.runs_home() || self.takes_key_square() || self.leads() || self.joins_king() {
            return Verdict::Won;
        }
        Verdict::Unclear
    }

    fn best_of_strong(&self, plies: u32) -> Verdict {
        let mut best = Verdict::Drawn;
        for next in self.strong_moves() {
            match next.verdict(plies) {
                Verdict::Won => return Verdict::Won,
                Verdict::Unclear => best = Verdict::Unclear,
                Verdict::Drawn => {}
            }
        }
        best
    }

    fn best_of_weak(&self, plies: u32) -> Verdict {
        let mut best = Verdict::Won;
        for next in self.weak_moves() {
            match next.verdict(plies) {
                Verdict::Drawn => return Verdict::Drawn,
                Verdict::Unclear => best = Verdict::Unclear,
                Verdict::Won => {}
            }
        }
        best
    }

    fn strong_moves(self) -> impl Iterator<Item = Self> {
        let steps = crate::attacks::king(self.king).into_iter();
        let steps = steps.filter(move |&to| to != self.pawn && distance(to, self.weak_king) > 1);
        let kings = steps.map(move |king| Self { king, strong_to_move: false, ..self });
        let one = self.ahead(1).filter(|&to| rank(to) < 7 && self.is_free(to));
        let two = self.ahead(2).filter(|&to| one.is_some() && rank(to) == 3 && self.is_free(to));
        let pushes = one.into_iter().chain(two);
        pushes.map(move |pawn| Self { pawn, strong_to_move: false, ..self }).chain(kings)
    }

    fn weak_moves(self) -> impl Iterator<Item = Self> {
        let steps = crate::attacks::king(self.weak_king).into_iter();
        let guarded = crate::attacks::pawn(crate::Color::White, self.pawn);
        let free =
            steps.filter(move |&to| distance(to, self.king) > 1 && !guarded.contains(to) && to != self.pawn);
        free.map(move |weak_king| Self { weak_king, strong_to_move: true, ..self })
    }

    fn is_free(&self, square: Square) -> bool {
        square != self.king && square != self.weak_king
    }

    fn ahead(&self, steps: i8) -> Option<Square> {
        self.pawn.offset(0, steps)
    }

    fn loses_pawn(&self) -> bool {
        distance(self.weak_king, self.pawn) == 1 && distance(self.king, self.pawn) > 1
    }

    fn is_stalemate(&self) -> bool {
        !crate::attacks::pawn(crate::Color::White, self.pawn).contains(self.weak_king)
            && self.weak_moves().next().is_none()
    }

    /// Moves that the weaker side makes while the stronger makes `moves`, and with which it may yet answer.
    fn answers(&self, moves: i32) -> i32 {
        moves + i32::from(!self.strong_to_move)
    }

    /// Whether the weaker king is in time to a square that the stronger side needs after so many moves.
    fn disputes(&self, square: Square, moves: i32) -> bool {
        distance(self.weak_king, square) <= self.answers(moves)
    }

    /// Whether the pawn runs through, at once or after the king went to help: the rule of the square, with the double
    /// step, the own king in the way, and squares that it guards.
    fn runs_home(&self) -> bool {
        self.runs_with(self.king)
            || Square::ALL
                .into_iter()
                .filter(|&to| files(to, self.pawn) == 1 && to != self.king && rank(to) >= rank(self.pawn))
                .any(|to| !self.disputes(to, distance(self.king, to)) && self.runs_with(to))
    }

    /// Whether the pawn runs through once the king has gone to `helper`.
    fn runs_with(&self, helper: Square) -> bool {
        if files(helper, self.pawn) == 0 && rank(helper) > rank(self.pawn) {
            return false;
        }
        let walk = distance(self.king, helper);
        let guarded = |square: Square| distance(helper, square) == 1;
        let from = rank(self.pawn).max(2);
        let path = (from + 1..8).zip(1..);
        let safe = |square: Square, steps| guarded(square) || !self.disputes(square, walk + steps);
        let at = |rank: i32| Square::new(self.pawn.file(), Rank::ALL[rank as usize]);
        safe(self.pawn, 0)
            && (rank(self.pawn) >= 2 || self.is_free(at(2)) && self.weak_king != at(3))
            && path.into_iter().all(|(rank, steps)| safe(at(rank), steps))
    }

    /// Whether this is a square from which the king leads the pawn home, whoever is to move.
    fn is_key(&self, square: Square) -> bool {
        let (ahead, side) = (rank(square) - rank(self.pawn), files(square, self.pawn));
        self.pawn.file() != File::A
            && side <= 1
            && match rank(self.pawn) {
                ..=3 => ahead == 2,
                4 => ahead == 1 || ahead == 2,
                _ => rank(square) >= 6,
            }
    }

    /// Whether the king stands on a key square, or goes there before the other can keep it off, and the pawn lives.
    fn takes_key_square(&self) -> bool {
        let near = distance(self.king, self.pawn)
            <= distance(self.weak_king, self.pawn) + i32::from(self.strong_to_move);
        Square::ALL.into_iter().filter(|&key| self.is_key(key)).any(|key| {
            let walk = distance(self.king, key);
            let lives =
                distance(key, self.pawn) <= distance(self.weak_king, self.pawn) - self.answers(walk) + 1;
            (lives || near) && (walk == 0 || !self.disputes(key, walk))
        })
    }

    /// Whether the king is before its pawn, and the other king either must give way, the kings standing in opposition,
    /// near or distant, straight or diagonal, or is so far up that the pawn can follow.
    fn leads(&self) -> bool {
        let ahead = rank(self.king) - rank(self.pawn);
        let (aside, apart) = (files(self.king, self.weak_king), rank(self.weak_king) - rank(self.king));
        let opposition = !self.strong_to_move && aside % 2 == 0 && apart % 2 == 0;
        self.pawn.file() != File::A
            && files(self.king, self.pawn) <= 1
            && apart > 0
            && (ahead >= 2 || ahead == 1 && opposition && rank(self.pawn) <= 4)
    }

    /// Whether the pawn comes beside its king, or is there, and the other king is no further up: it is too late.
    fn joins_king(&self) -> bool {
        let steps = (rank(self.king) - rank(self.pawn) + 1).clamp(0, 6);
        self.pawn.file() != File::A
            && files(self.king, self.pawn) == 1
            && (0..=steps).any(|walk| {
                let at = rank(self.pawn) + walk;
                let up = rank(self.weak_king) + self.answers(walk);
                (rank(self.king) - at).abs() <= 1 && at < 7 && up <= rank(self.king) + 1
            })
            && (0..steps).all(|walk| {
                let square = self.ahead(walk as i8).unwrap_or(self.pawn);
                distance(square, self.king) == 1 || !self.disputes(square, walk)
            })
    }
}

/// What a won pawn is worth before it promotes: less than the queen's known win, so that promoting is progress.
const WON: i32 = KNOWN_WIN - 2_000;
/// How many plies are looked ahead where no rule is sure.
const PLIES: u32 = 1;

/// KPvK.
pub(super) fn pawn(view: &View) -> i32 {
    let pawn = only(view.strong(Role::Pawn));
    let advance = rank(pawn);
    match KingAndPawn::of(view, pawn).verdict(PLIES) {
        Verdict::Won => WON + 100 * advance - 10 * distance(view.strong_king, pawn),
        Verdict::Unclear => 10 + 4 * advance - distance(view.strong_king, pawn),
        Verdict::Drawn => DRAWN,
    }
}

/// `KPsvK`: any of the pawns that wins alone wins here; two that do not share a rook's file are seldom held.
pub(super) fn pawns(view: &View) -> i32 {
    let pawns = view.strong(Role::Pawn);
    let advance: i32 = pawns.into_iter().map(rank).sum();
    let wins = |pawn| KingAndPawn::of(view, pawn).by_rule() == Verdict::Won;
    if holds_corner(view, pawns) {
        return 1;
    }
    if pawns.into_iter().any(wins) { WON + 50 * advance } else { 400 * pawns.count() as i32 + 20 * advance }
}

/// Whether all pawns stand on one rook's file and the other king is in the corner before them.
pub(super) fn holds_corner(view: &View, pawns: Bitboard) -> bool {
    [File::A, File::H].into_iter().any(|edge| {
        let on_edge = pawns & Bitboard::file(edge) == pawns;
        on_edge && distance(view.weak_king, Square::new(edge, Rank::Eighth)) <= 1
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{every, strong_value};
    use super::*;
    use crate::Color;
    use crate::tables::Material;

    /// Against our own table, over every legal position: what is called won is right but for these few, what is called
    /// drawn is drawn always, and what is called unclear is a draw more often than not.
    #[test]
    fn verdicts_over_the_whole_table() {
        let mut counts = [[0; 2]; 3];
        every(Material::KPVK, |position, distance| {
            let view = View::new(position, Color::White);
            let verdict = KingAndPawn::of(&view, only(view.strong(Role::Pawn))).verdict(PLIES);
            counts[verdict as usize][usize::from(distance.is_some())] += 1;
        });
        let [won, unclear, drawn] = counts;
        assert_eq!((won, unclear, drawn), ([248, 213_604], [84_904, 8_960], [23_636, 0]));
    }

    /// Pairs that differ in the rule alone: who is to move, a file, a rank.
    #[test]
    fn rules() {
        for (rule, won, not) in [
            ("square", "8/8/8/8/4P3/7k/8/K7 w - - 0 1", "8/8/8/8/4P3/7k/8/K7 b - - 0 1"),
            ("double step", "8/8/8/8/6k1/8/1P6/7K w - - 0 1", "8/8/8/8/6k1/1P6/8/7K b - - 0 1"),
            ("key squares", "4k3/8/4K3/8/4P3/8/8/8 w - - 0 1", "4k3/8/8/4K3/4P3/8/8/8 w - - 0 1"),
            ("opposition", "8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", "8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"),
            ("rook pawn", "8/1K6/8/8/P7/8/8/3k4 w - - 0 1", "k7/8/1K6/8/P7/8/8/8 w - - 0 1"),
            ("pawn hangs", "8/8/8/8/8/3k4/4P3/5K2 b - - 0 1", "8/8/8/8/8/3k4/4P3/6K1 b - - 0 1"),
        ] {
            assert!(strong_value(won) >= WON - 100, "{rule}: {won} is won");
            assert!(strong_value(not) < 100, "{rule}: {not} is not");
        }
    }

    #[test]
    fn a_stalemate_is_a_draw() {
        assert_eq!(strong_value("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"), DRAWN);
        assert!(strong_value("4k3/4P3/3K4/8/8/8/8/8 b - - 0 1") > DRAWN);
    }

    #[test]
    fn several_pawns() {
        for (won, not) in [
            ("7k/8/8/8/8/8/PP6/K7 w - - 0 1", "k7/8/8/8/8/P7/P7/K7 w - - 0 1"),
            ("8/8/8/7k/P7/P7/8/K7 w - - 0 1", "8/8/k7/8/P7/P7/8/K7 w - - 0 1"),
        ] {
            assert!(strong_value(won) > strong_value(not) + 500, "{won} {not}");
        }
    }
}
