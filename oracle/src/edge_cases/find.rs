//! Lists positions of one kind, as FEN or EPD.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, Position};
use suites::rows::EdgeCase;

use super::en_passant;
use super::kinds::{self, Kinds};
use super::values::Valued;
use crate::board;
use crate::checks::{Placed, fold, hash, resolved};
use crate::positions::{Men, Placement};
use crate::table_probe::{Dtm, TableProbe, TableValue, Wdl};

/// A request for positions.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// The tables.
    pub subject: &'a dyn TableProbe,
    /// The men of the table whose positions are listed.
    pub men: &'a Men,
    /// The kind.
    pub kind: EdgeCase,
    /// The side to move; `None` for both.
    pub side: Option<Color>,
    /// The most positions that are listed.
    pub limit: usize,
    /// The seed by which positions are drawn from all of the kind; `None` for the first ones, with White to
    /// move before Black.
    pub seed: Option<u64>,
    /// Called now and then with the number of placements walked since the last call.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// A position of the kind that was searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPosition {
    position: Chess,
    kind: EdgeCase,
    kinds: Kinds,
    value: TableValue,
    /// The moves that keep the result; for the longest win, those that mate soonest.
    best: Vec<Move>,
}

/// The position with its place in the order of the list. In a search for the longest wins, longer wins come
/// first.
type Kept = (u16, u64, u64, Chess);

/// The positions of a kind, at most as many as the limit: one of each symmetry class. Positions that differ
/// by an exchange of identical men count as one. The same search gives the same positions in the same order,
/// with any number of threads.
pub fn find(search: &Search) -> Vec<FoundPosition> {
    let &Search { subject, men, kind, side, limit, progress, .. } = search;
    if is_en_passant(kind) && !en_passant::is_possible(men) {
        return Vec::new();
    }
    let is_wanted = |_, turn| side.is_none_or(|side| side == turn);
    let empty = || [Side::default(), Side::default()];
    let visit = |sides: &mut [Side; 2], placement: &Placement| {
        if men.is_first_of_identical(placement.number) {
            sides[placement.turn.fold_wb(0, 1)].visit(search, placement);
        }
    };
    let sides = fold(
        Placed::Drawn(&is_wanted),
        men,
        progress,
        empty,
        visit,
        |[white, black], [other_white, other_black]| {
            [white.join(other_white, limit), black.join(other_black, limit)]
        },
    );
    let [white, black] = sides.map(|side| side.kept);
    let mut kept = [white, black].concat();
    if search.seed.is_some() {
        kept.sort_by_key(|(_, drawn, number, _)| (*drawn, *number));
    }
    kept.truncate(limit);
    kept.into_iter().filter_map(|(.., position)| FoundPosition::new(subject, kind, position)).collect()
}

/// Whether positions with an en passant right are of this kind, and no others.
fn is_en_passant(kind: EdgeCase) -> bool {
    matches!(kind, EdgeCase::EnPassantOnly | EdgeCase::EnPassantWins)
}

/// The positions found with one side to move, sorted.
#[derive(Default)]
struct Side {
    /// The longest distance to mate in plies so far, in a search for the longest wins; otherwise 0.
    longest: u16,
    kept: Vec<Kept>,
}

impl Side {
    fn visit(&mut self, search: &Search, placement: &Placement) {
        let &Search { subject, kind, .. } = search;
        let Some(position) = &placement.legal else { return };
        if is_en_passant(kind) {
            let of_kind = |position: &Chess| kinds::of_en_passant(subject, position).contains(kind);
            for position in en_passant::positions(placement).filter(of_kind) {
                self.keep(search, placement, 0, &position);
            }
            return;
        }
        let Ok(value) = subject.probe(&placement.board, placement.turn) else { return };
        if kind == EdgeCase::LongestWin {
            if let Some(dtm) = value.dtm.filter(|_| value.wdl == Wdl::Win) {
                self.keep(search, placement, dtm.plies(), position);
            }
        } else if kinds::of_placement(subject, placement, position, &value).contains(kind) {
            self.keep(search, placement, 0, position);
        }
    }

    fn keep(&mut self, search: &Search, placement: &Placement, plies: u16, position: &Chess) {
        if plies < self.longest {
            return;
        }
        let side = u64::from(placement.turn.is_black());
        let drawn = search.seed.map_or(0, |seed| hash(seed, placement.number << 1 | side));
        let is_full = plies == self.longest && self.kept.len() >= search.limit;
        if is_full
            && self
                .kept
                .last()
                .is_none_or(|(_, last, number, _)| (*last, *number) <= (drawn, placement.number))
        {
            return;
        }
        let one = Self { longest: plies, kept: vec![(plies, drawn, placement.number, position.clone())] };
        *self = std::mem::take(self).join(one, search.limit);
    }

    fn join(mut self, mut other: Self, limit: usize) -> Self {
        if self.longest != other.longest {
            return if self.longest > other.longest { self } else { other };
        }
        let is_sorted = |kept: &[Kept]| kept.is_sorted_by_key(|(_, drawn, number, _)| (*drawn, *number));
        self.kept.append(&mut other.kept);
        if !is_sorted(&self.kept) {
            // Stable: of one placement, the double steps stay in the order in which they were made.
            self.kept.sort_by_key(|(_, drawn, number, _)| (*drawn, *number));
        }
        self.kept.truncate(limit);
        self
    }
}

impl FoundPosition {
    fn new(subject: &dyn TableProbe, kind: EdgeCase, position: Chess) -> Option<Self> {
        let value = resolved(subject, &position).ok()?;
        let valued = Valued::new(subject, &position);
        let wanted = match value.wdl {
            Wdl::Win => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss => Wdl::Win,
        };
        let next = value.dtm.and_then(Dtm::one_less);
        let is_best = |&mv: &Move| match kind {
            EdgeCase::LongestWin => valued.dtm_after(mv) == Ok(next),
            _ => value.wdl != Wdl::Loss && valued.wdl_after(mv) == Some(wanted),
        };
        let best = valued.moves.iter().copied().filter(is_best).collect();
        let board = position.board().clone();
        let placement = Placement { number: 0, board, turn: position.turn(), legal: None, class_size: None };
        let kinds = match kind {
            EdgeCase::MutualZugzwang => kinds::of_placement(subject, &placement, &position, &value),
            _ => Kinds::default(),
        };
        Some(Self { position, kind, kinds, value, best })
    }

    /// The FEN. It names the en passant square where the capture is legal.
    pub fn fen(&self) -> String {
        board::fen(&self.position)
    }

    /// A line of EPD. `bm` has the moves that win, or the moves that draw if none wins; for the longest win,
    /// those that mate soonest. `dm` is the distance to mate of a won position in moves, `c0` describes the
    /// position, and `id` is the given one.
    pub fn epd(&self, id: &str) -> String {
        let fen = self.fen();
        let fields = fen.rsplitn(3, ' ').last().unwrap_or_default();
        let mut operations = Vec::new();
        let mut best: Vec<String> =
            self.best.iter().map(|&mv| SanPlus::from_move(self.position.clone(), mv).to_string()).collect();
        best.sort();
        if !best.is_empty() {
            operations.push(format!("bm {};", best.join(" ")));
        }
        operations.push(format!("c0 \"{}\";", self.comment()));
        if let Some(dtm) = self.value.dtm.filter(|_| self.value.wdl == Wdl::Win) {
            operations.push(format!("dm {};", dtm.plies().div_ceil(2)));
        }
        operations.push(format!("id \"{id}\";"));
        format!("{fields} {}", operations.join(" "))
    }

    /// A description of the position.
    fn comment(&self) -> String {
        let kind = match self.kind {
            EdgeCase::MutualZugzwang if self.kinds.contains(EdgeCase::MutualZugzwangFull) => {
                EdgeCase::MutualZugzwangFull
            }
            EdgeCase::MutualZugzwang => EdgeCase::MutualZugzwangHalf,
            kind => kind,
        };
        let text = match kind {
            EdgeCase::Checkmate => "checkmated",
            EdgeCase::EnPassantOnly => "en passant is the only legal move",
            EdgeCase::EnPassantWins => "only en passant wins",
            EdgeCase::LongestWin => "no win of this table with this side to move is longer",
            EdgeCase::MutualZugzwangFull => "full-point mutual zugzwang: whoever moves loses",
            EdgeCase::MutualZugzwang | EdgeCase::MutualZugzwangHalf => {
                "half-point mutual zugzwang: a draw if the other side were to move"
            }
            EdgeCase::Sacrifice => "each winning move gives a man away",
            EdgeCase::Stalemate => "stalemated",
            EdgeCase::Underpromotion => "only an underpromotion wins",
            EdgeCase::UnderpromotionBishop => "only a promotion to bishop wins",
            EdgeCase::UnderpromotionKnight => "only a promotion to knight wins",
            EdgeCase::UnderpromotionRook => "only a promotion to rook wins",
            EdgeCase::UnderpromotionDraws => "only an underpromotion draws",
            EdgeCase::UnderpromotionDrawsBishop => "only a promotion to bishop draws",
            EdgeCase::UnderpromotionDrawsKnight => "only a promotion to knight draws",
            EdgeCase::UnderpromotionDrawsRook => "only a promotion to rook draws",
        };
        match self.value.dtm {
            Some(dtm) if self.value.wdl == Wdl::Loss && self.kind != EdgeCase::Checkmate => {
                format!("{text}; {dtm}")
            }
            _ => text.to_owned(),
        }
    }
}
