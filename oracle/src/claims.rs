//! What a subject claims of a position, and the bridge to our own tables.
//!
//! The oracle has words of its own for values, so that nothing of a subject takes part in judging it.

use std::fmt;

use engine::tables::TableSet;
use engine::thinking::Thinker;
use shakmaty::Role;

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
pub struct Claim {
    /// Who wins.
    pub wdl: Wdl,
    /// Distance to mate in plies; `None` for a draw.
    pub dtm: Option<u16>,
    /// Distance to the next zeroing move in plies with its sign, -1 for a side that is checkmated; `None` where the
    /// subject makes no such claim.
    pub dtz: Option<i16>,
}

impl fmt::Display for Claim {
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
pub struct Refusal(pub String);

/// Makes something that thinks; whoever works beside others makes his own.
pub type Thinkers = dyn Fn() -> Box<dyn Thinker> + Send + Sync;

/// Whatever claims values for placements: our tables, a specimen, a liar in a test.
pub trait Claims: Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// What it says of a placement without castling rights and en passant, or why it refuses.
    fn claim(&self, board: &Board, turn: Color) -> Result<Claim, Refusal>;

    /// Whether it makes claims about DTZ.
    fn claims_dtz(&self) -> bool;

    /// What announces mates by these claims, if anything does.
    fn thinkers(&self) -> Option<&Thinkers> {
        None
    }

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
}

impl EngineTables {
    /// The tables of the production builder, DTM and DTZ.
    pub fn production(tables: TableSet) -> Self {
        Self { name: "production".to_owned(), tables, dtz: true, probe: PROBE.to_owned() }
    }

    /// The tables of another builder, DTM alone.
    pub fn of_builder(builder: &str, tables: TableSet) -> Self {
        Self { name: builder.to_owned(), tables, dtz: false, probe: format!("{PROBE} --builder {builder}") }
    }

    /// Tables of which one comes from a file.
    pub fn of_file(path: &str, tables: TableSet) -> Self {
        Self { name: path.to_owned(), tables, dtz: true, probe: format!("{PROBE} --file \"{path}\"") }
    }
}

impl Claims for EngineTables {
    fn name(&self) -> &str {
        &self.name
    }

    fn claim(&self, board: &Board, turn: Color) -> Result<Claim, Refusal> {
        let (board, turn) = (engine_board(board), engine_color(turn));
        let refuse = |error: engine::tables::ProbeError| Refusal(error.to_string());
        let probe = self.tables.probe(&board, turn).map_err(refuse)?;
        let wdl = match probe.wdl() {
            engine::tables::Wdl::Draw => Wdl::Draw,
            engine::tables::Wdl::Win => Wdl::Win,
            engine::tables::Wdl::Loss => Wdl::Loss,
        };
        let dtz = probe.dtz.filter(|_| self.dtz).map(|dtz| dtz.0);
        Ok(Claim { wdl, dtm: probe.dtm.map(engine::tables::Dtm::plies), dtz })
    }

    fn claims_dtz(&self) -> bool {
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
