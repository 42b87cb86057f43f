//! KPvK by rules, for use without tables.
//!
//! Key squares, opposition and the square of the pawn are in all primers (Fine, Basic Chess Endings, chapter
//! 1; Müller and Lamprecht, Fundamental Chess Endings, chapter 1). Rules alone fail where a pawn hangs or a
//! king is one step late, so a few plies are searched until a rule is certain. Reads no table.

use super::distance::{distance, file, files, rank, ranks};
use super::view::{View, only};
use super::{DRAWN, KNOWN_WIN};
use crate::{Bitboard, Color, File, Rank, Role, Square, attacks};

/// A position with the pawn on files a to d, moving up the board.
#[derive(Debug, Clone, Copy)]
pub(super) struct KingAndPawn {
    king: Square,
    pawn: Square,
    weak_king: Square,
    strong_to_move: bool,
}

/// The result of a position by the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KpkResult {
    /// The pawn wins.
    Won,
    /// No rule says that it wins.
    Unclear,
    /// The pawn is lost, or the position is stalemate.
    Drawn,
}

impl KingAndPawn {
    pub(super) fn new(king: Square, pawn: Square, weak_king: Square, strong_to_move: bool) -> Self {
        let mirror = |square: Square| if file(pawn) > 3 { square.flip_horizontal() } else { square };
        Self { king: mirror(king), pawn: mirror(pawn), weak_king: mirror(weak_king), strong_to_move }
    }

    fn from_view(view: &View, pawn: Square) -> Self {
        Self::new(view.strong_king, pawn, view.weak_king, view.strong_to_move)
    }

    /// The result after a search of this many plies.
    pub(super) fn verdict(&self, plies: u32) -> KpkResult {
        if self.is_lost() {
            return KpkResult::Drawn;
        }
        // From the sixth rank on single moves decide, and few are left.
        let plies = if rank(self.pawn) >= 5 { plies + 4 } else { plies };
        if self.wins(plies) { KpkResult::Won } else { KpkResult::Unclear }
    }

    /// Whether the pawn is lost or the position is stalemate.
    fn is_lost(&self) -> bool {
        !self.strong_to_move && (self.loses_pawn() || self.is_stalemate())
    }

    /// Whether a rule says within this many plies that the pawn wins against every defence.
    fn wins(&self, plies: u32) -> bool {
        if self.is_lost() {
            return false;
        }
        self.wins_by_rule()
            || plies > 0
                && if self.strong_to_move {
                    self.strong_moves().any(|next| next.wins(plies - 1))
                } else {
                    self.weak_moves().all(|next| next.wins(plies - 1))
                }
    }

    fn wins_by_rule(&self) -> bool {
        self.joins_king()
            || self.leads()
            || self.escorts()
            || self.takes_opposition()
            || self.takes_key_square()
            || self.runs_home()
    }

    fn strong_moves(self) -> impl Iterator<Item = Self> {
        let steps = attacks::king(self.king).into_iter();
        let steps = steps.filter(move |&to| to != self.pawn && distance(to, self.weak_king) > 1);
        let kings = steps.map(move |king| Self { king, strong_to_move: false, ..self });
        let one = self.ahead(1).filter(|&to| rank(to) < 7 && self.is_free(to));
        let two = self.ahead(2).filter(|&to| one.is_some() && rank(to) == 3 && self.is_free(to));
        let pushes = one.into_iter().chain(two);
        pushes.map(move |pawn| Self { pawn, strong_to_move: false, ..self }).chain(kings)
    }

    fn weak_moves(self) -> impl Iterator<Item = Self> {
        let steps = attacks::king(self.weak_king).into_iter();
        let guarded = attacks::pawn(Color::White, self.pawn);
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
        !attacks::pawn(Color::White, self.pawn).contains(self.weak_king) && self.weak_moves().next().is_none()
    }

    /// Whether the king returns to its pawn before the other captures it. A king that comes from behind gains
    /// a move, because it keeps the other king off.
    fn keeps_pawn(&self) -> bool {
        let behind = i32::from(rank(self.weak_king) <= rank(self.king) - 2);
        let tempo = i32::from(self.strong_to_move);
        distance(self.king, self.pawn) + behind <= distance(self.weak_king, self.pawn) + tempo
    }

    /// The king's moves to a square; its own pawn on a diagonal costs one more.
    fn walk(&self, to: Square) -> i32 {
        let diagonal = files(self.king, to) == ranks(self.king, to);
        let blocked = diagonal && attacks::between(self.king, to).contains(self.pawn);
        distance(self.king, to) + i32::from(blocked)
    }

    /// The moves of the weaker side while the stronger makes `moves`, as far as it can still respond.
    fn answers(&self, moves: i32) -> i32 {
        moves + i32::from(!self.strong_to_move)
    }

    /// Whether the weaker king can keep the king from a square or from one on the way: it must stand next to
    /// it just before, but not adjacent to the square that the king comes from.
    fn bars(&self, to: Square) -> bool {
        let walk = self.walk(to);
        if walk == 0 || !self.disputes(to, walk) {
            return false;
        }
        let step = |from: i32, to: i32| (from - to).signum() as i8;
        let (aside, back) = (step(file(self.king), file(to)), step(rank(self.king), rank(to)));
        let Some(before) = to.offset(aside, back).filter(|&square| square != self.pawn) else { return true };
        let guards = attacks::king(to).with(to) & !attacks::king(before).with(before);
        let in_time = |guard| distance(self.weak_king, guard) < self.answers(walk);
        guards.into_iter().any(in_time) || self.bars(before)
    }

    /// Whether the weaker king reaches in time a square that the stronger side needs after this many moves.
    fn disputes(&self, square: Square, moves: i32) -> bool {
        distance(self.weak_king, square) <= self.answers(moves)
    }

    /// Whether the pawn promotes without being caught, at once or after a king move: the rule of the square,
    /// with the double step, the own king in the path, and squares that it controls.
    fn runs_home(&self) -> bool {
        self.runs_with(self.king) || self.beside().into_iter().any(|to| !self.bars(to) && self.runs_with(to))
    }

    /// The squares on the adjacent files, from the pawn's rank on.
    fn beside(&self) -> Bitboard {
        let file = Bitboard::file(self.pawn.file());
        let all = if self.pawn.file() == File::A { file.0 << 1 } else { file.0 << 1 | file.0 >> 1 };
        Bitboard(all & (u64::MAX << (8 * rank(self.pawn))))
    }

    /// Whether the pawn promotes once the king is on `helper`.
    fn runs_with(&self, helper: Square) -> bool {
        if files(helper, self.pawn) == 0 && rank(helper) > rank(self.pawn) {
            return false;
        }
        let walk = self.walk(helper);
        let guarded = |square: Square| distance(helper, square) == 1;
        let from = rank(self.pawn).max(2);
        let path = (from + 1..8).zip(1..);
        let safe = |square: Square, steps| guarded(square) || !self.disputes(square, walk + steps);
        let at = |rank: i32| Square::new(self.pawn.file(), Rank::ALL[rank.unsigned_abs() as usize]);
        safe(self.pawn, 0)
            && (rank(self.pawn) >= 2 || self.is_free(at(2)) && self.weak_king != at(3))
            && path.into_iter().all(|(rank, steps)| safe(at(rank), steps))
    }

    /// The key squares: they win with either side to move. A rook's pawn has none of this kind.
    fn keys(&self) -> Bitboard {
        if self.pawn.file() == File::A {
            return Bitboard::EMPTY;
        }
        let ranks: u64 = match rank(self.pawn) {
            low @ ..=3 => 0xff << (8 * (low + 2)),
            4 => 0x00ff_ff00_0000_0000,
            _ => 0xffff_0000_0000_0000,
        };
        Bitboard((self.beside().0 | Bitboard::file(self.pawn.file()).0) & ranks)
    }

    /// Whether the king is on a key square or reaches one before the other king can prevent it, without
    /// losing the pawn.
    fn takes_key_square(&self) -> bool {
        let near = self.keeps_pawn();
        let refuge = self.pawn == Square::B6 && self.weak_king == Square::A8;
        !refuge
            && self.keys().into_iter().any(|key| {
                let walk = self.walk(key);
                let lives =
                    distance(key, self.pawn) <= distance(self.weak_king, self.pawn) - self.answers(walk) + 1;
                (lives || near) && (walk == 0 || !self.bars(key))
            })
    }

    /// Whether the king reaches the square beside the promotion square of a rook's pawn, which keeps the
    /// other king out of the corner, without losing the pawn.
    fn escorts(&self) -> bool {
        self.pawn.file() == File::A && self.keeps_pawn() && !self.bars(Square::B7)
    }

    /// Whether the king is so far in front of its pawn that the pawn can follow.
    fn leads(&self) -> bool {
        self.pawn.file() != File::A
            && files(self.king, self.pawn) <= 1
            && rank(self.weak_king) > rank(self.king)
            && rank(self.king) - rank(self.pawn) >= 2
    }

    /// Whether the king is or gets directly in front of the pawn and the other king cannot take the
    /// opposition. Up to the pawn's fourth rank nothing else draws.
    fn takes_opposition(&self) -> bool {
        let safe = self.keeps_pawn();
        let fronts = [-1, 0, 1].into_iter().filter_map(|aside| self.pawn.offset(aside, 1));
        let wins = |front: Square| {
            let walk = self.walk(front);
            let Some(opposite) = front.offset(0, 2) else { return false };
            match walk {
                0 if self.weak_king == opposite => !self.strong_to_move,
                0 => !self.disputes(opposite, 0),
                _ => !self.disputes(opposite, walk) && !self.bars(front),
            }
        };
        self.pawn.file() != File::A && rank(self.pawn) <= 3 && safe && fronts.into_iter().any(wins)
    }

    /// Whether the pawn is or gets beside its king while the other king is not ahead of it.
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

/// The value of a won pawn: less than a queen's known win, so that promotion is progress.
const WON: i32 = KNOWN_WIN - 2_000;
/// The plies searched when no rule is certain.
const PLIES: u32 = 2;

/// KPvK.
pub(super) fn pawn(view: &View) -> i32 {
    let pawn = only(view.strong(Role::Pawn));
    let advance = rank(pawn);
    match KingAndPawn::from_view(view, pawn).verdict(PLIES) {
        KpkResult::Won => WON + 100 * advance - 10 * distance(view.strong_king, pawn),
        KpkResult::Unclear => 10 + 4 * advance - distance(view.strong_king, pawn),
        KpkResult::Drawn => DRAWN,
    }
}

/// `KPsvK`: won if any of the pawns alone wins; two pawns not on the same rook's file are seldom held.
pub(super) fn pawns(view: &View) -> i32 {
    let pawns = view.strong(Role::Pawn);
    let advance: i32 = pawns.into_iter().map(rank).sum();
    let wins = |pawn| KingAndPawn::from_view(view, pawn).wins_by_rule();
    if holds_corner(view, pawns) {
        return 1;
    }
    if pawns.into_iter().any(wins) {
        WON + 50 * advance
    } else {
        400 * pawns.count().cast_signed() + 20 * advance
    }
}

/// Whether all pawns are on one rook's file with the other king in its corner.
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
    use crate::tables::Material;

    /// Against our own table, over all 331,352 legal positions: positions called won are won except for 152,
    /// positions called drawn are all drawn. With uncertain positions counted as drawn, 99.3 % are right.
    #[test]
    fn results_over_the_whole_table() {
        let mut counts = [[0; 2]; 3];
        every(Material::KPVK, |position, distance| {
            let view = View::new(position, Color::White);
            let verdict = KingAndPawn::from_view(&view, only(view.strong(Role::Pawn))).verdict(PLIES);
            counts[verdict as usize][usize::from(distance.is_some())] += 1;
        });
        let [won, unclear, drawn] = counts;
        assert_eq!((won, unclear, drawn), ([152, 220_500], [90_422, 2_064], [18_214, 0]));
    }

    /// Pairs that differ in one rule: the side to move, a file, a rank.
    #[test]
    fn rules() {
        for (rule, won, not) in [
            ("square", "8/8/8/8/4P3/7k/8/K7 w - - 0 1", "8/8/8/8/4P3/7k/8/K7 b - - 0 1"),
            ("double step", "8/8/8/8/7k/8/1P6/7K w - - 0 1", "8/8/8/8/7k/8/1P6/7K b - - 0 1"),
            ("key squares", "4k3/8/4K3/8/4P3/8/8/8 b - - 0 1", "4k3/8/8/4K3/4P3/8/8/8 b - - 0 1"),
            ("opposition", "8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", "8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"),
            ("rook pawn", "8/1K6/8/8/P7/8/8/3k4 w - - 0 1", "k7/8/1K6/8/P7/8/8/8 w - - 0 1"),
            ("pawn hangs", "8/8/4K3/4P3/3k4/8/8/8 b - - 0 1", "8/5K2/8/4P3/3k4/8/8/8 b - - 0 1"),
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
