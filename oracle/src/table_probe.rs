//! What a subject claims of a position, and the bridge to our own tables.
//!
//! The oracle has words of its own for values, so that nothing of a subject takes part in judging it.

use std::fmt;

use engine::tables::TableSet;
use shakmaty::Role;

use crate::positions::strength;

/// What a subject is asked about.
pub use shakmaty::{Board, Color};

/// Who wins, from the view of the side to move. The fifty-move rule is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// The side to move is mated in the end, or already.
    Loss,
    /// Neither side can force mate.
    Draw,
    /// The side to move mates.
    Win,
}

impl Wdl {
    /// The result that belongs to a distance to mate in plies: none is a draw, odd a win, even a loss.
    pub fn of_dtm(dtm: Option<u16>) -> Self {
        match dtm {
            None => Self::Draw,
            Some(plies) if plies % 2 == 1 => Self::Win,
            Some(_) => Self::Loss,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

/// A distance to mate in words: `draw`, `checkmated`, `mate in 5`, `mated in 5`. In plies, from the view of the side
/// to move.
pub fn describe_dtm(dtm: Option<u16>) -> String {
    match dtm {
        None => "draw".to_owned(),
        Some(0) => "checkmated".to_owned(),
        Some(plies) if plies % 2 == 1 => format!("mate in {}", plies.div_ceil(2)),
        Some(plies) => format!("mated in {}", plies / 2),
    }
}

/// What a table says of a position, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableValue {
    /// Who wins.
    pub wdl: Wdl,
    /// Distance to mate in plies; `None` for a draw.
    pub dtm: Option<u16>,
    /// Distance to the next zeroing move in plies with its sign, -1 for a side that is checkmated; `None` where the
    /// subject makes no such claim.
    pub dtz: Option<i16>,
}

impl fmt::Display for TableValue {
    /// Its distance to mate in words, and the result where that contradicts it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let distance = describe_dtm(self.dtm);
        if self.wdl == Wdl::of_dtm(self.dtm) {
            return f.write_str(&distance);
        }
        write!(f, "{} with the distance of {distance}", self.wdl)
    }
}

/// A subject's reason not to answer for a placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeError(pub String);

/// Whatever claims values for placements: our tables, a specimen, a liar in a test.
pub trait TableProbe: Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// What it says of a placement without castling rights and en passant, or why it refuses.
    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError>;

    /// Whether it makes claims about DTZ.
    fn has_dtz(&self) -> bool;

    /// The command that shows its answer for a FEN.
    fn replay(&self, fen: &str) -> String {
        format!("cargo xtask tables probe \"{fen}\"")
    }
}

const PROBE: &str = "cargo xtask tables probe";

/// Tables of our engine as a subject.
#[derive(Debug, Clone)]
pub struct EngineTables {
    name: String,
    tables: TableSet,
    dtz: bool,
    /// The command that probes them, without the FEN.
    probe: String,
    /// Whether they are asked only for positions that have the men as the table is named: others are mirrored before.
    upright: bool,
}

impl EngineTables {
    /// The tables of the production builder, DTM and DTZ.
    pub fn production(tables: TableSet) -> Self {
        let name = "production".to_owned();
        Self { name, tables, dtz: true, probe: PROBE.to_owned(), upright: false }
    }

    /// The tables of another builder, DTM alone.
    pub fn of_builder(builder: &str, tables: TableSet) -> Self {
        let probe = format!("{PROBE} --builder {builder}");
        Self { name: builder.to_owned(), tables, dtz: false, probe, upright: false }
    }

    /// Tables of which one comes from a file.
    pub fn of_file(path: &str, tables: TableSet) -> Self {
        let probe = format!("{PROBE} --file \"{path}\"");
        Self { name: path.to_owned(), tables, dtz: true, probe, upright: false }
    }

    /// The same to judge others by, once they are certified: what is certified has the stronger side as White, and where it is
    /// Black, the oracle exchanges the colours, not the engine.
    pub fn upright(self) -> Self {
        Self { upright: true, ..self }
    }
}

impl TableProbe for EngineTables {
    fn name(&self) -> &str {
        &self.name
    }

    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError> {
        let mirrored = self.upright && strength(board, Color::Black) > strength(board, Color::White);
        let (board, turn) = if mirrored {
            (engine_board(&board.clone().into_mirrored()), engine_color(!turn))
        } else {
            (engine_board(board), engine_color(turn))
        };
        let refuse = |error: engine::tables::ProbeError| ProbeError(error.to_string());
        let probe = self.tables.probe(&board, turn).map_err(refuse)?;
        let wdl = match probe.wdl() {
            engine::tables::Wdl::Draw => Wdl::Draw,
            engine::tables::Wdl::Win => Wdl::Win,
            engine::tables::Wdl::Loss => Wdl::Loss,
        };
        let dtz = probe.dtz.filter(|_| self.dtz).map(|dtz| dtz.0);
        Ok(TableValue { wdl, dtm: probe.dtm.map(engine::tables::Dtm::plies), dtz })
    }

    fn has_dtz(&self) -> bool {
        self.dtz
    }

    fn replay(&self, fen: &str) -> String {
        format!("{} \"{fen}\"", self.probe)
    }
}

/// shakmaty's board as the engine's: piece by piece, so that neither trusts the other's sets.
pub(crate) fn engine_board(board: &Board) -> engine::Board {
    let mut bridged = engine::Board::EMPTY;
    for (square, piece) in board {
        let role = match piece.role {
            Role::Pawn => engine::Role::Pawn,
            Role::Knight => engine::Role::Knight,
            Role::Bishop => engine::Role::Bishop,
            Role::Rook => engine::Role::Rook,
            Role::Queen => engine::Role::Queen,
            Role::King => engine::Role::King,
        };
        let piece = engine::Piece { color: engine_color(piece.color), role };
        bridged.put(engine::Square::from_index(square.to_usize()), piece);
    }
    bridged
}

pub(crate) fn engine_color(color: Color) -> engine::Color {
    match color {
        Color::White => engine::Color::White,
        Color::Black => engine::Color::Black,
    }
}

#[cfg(test)]
mod tests {
    use engine::tables::builders;

    use super::*;
    use crate::positions::Placement;

    #[test]
    fn colours_are_exchanged_where_black_is_the_stronger_side() {
        for (name, mirrored) in
            [("KQvK", false), ("KvKQ", true), ("KPvK", false), ("KvKP", true), ("KvK", false)]
        {
            let men: crate::positions::Men = name.parse().unwrap();
            let placement = |number| Placement::numbered(&men, number, Color::White);
            let board = (0..men.numbers()).find_map(placement).unwrap().board;
            assert_eq!(strength(&board, Color::Black) > strength(&board, Color::White), mirrored, "{name}");
        }
    }

    #[test]
    fn what_is_claimed_is_the_same_by_either_exchange_of_colours() {
        let set = builders::production(&["KQvK", "KPvK"].map(|name| name.parse().unwrap())).unwrap();
        let (engine, oracle) =
            (EngineTables::production(set.clone()), EngineTables::production(set).upright());
        let mut decided = 0;
        for name in ["KvKP", "KvKQ", "KPvK"] {
            let men: crate::positions::Men = name.parse().unwrap();
            for number in (0..men.numbers()).step_by(89) {
                for turn in Color::ALL {
                    let Some(placement) = Placement::numbered(&men, number, turn) else { continue };
                    let claim = oracle.probe(&placement.board, turn);
                    assert_eq!(claim.is_ok(), placement.legal.is_some(), "{}", placement.fen());
                    assert_eq!(claim, engine.probe(&placement.board, turn), "{}", placement.fen());
                    decided += u64::from(claim.is_ok_and(|claim| claim.dtm.is_some()));
                }
            }
        }
        assert!(decided > 5_000, "{decided}");
    }
}
