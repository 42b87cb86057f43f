//! The engine's tables as a [`TableProbe`], and the bridge from shakmaty's board to the engine's.

use engine::tables::TableSet;
use shakmaty::{Board, Color, Piece, Role, Square};
use suites::Replay;

use super::{Dtm, Dtz, ProbeError, TableProbe, TableValue, Unmove, Wdl};
use crate::positions::{self, Image};

const PROBE: &str = "tables probe";

/// Tables of our engine.
#[derive(Debug, Clone)]
pub struct EngineTables {
    name: String,
    tables: TableSet,
    dtz: bool,
    /// The command that probes the tables, without the FEN.
    probe: String,
    /// Whether the oracle probes the image that represents the symmetry class of a position.
    folded: bool,
}

impl EngineTables {
    /// The name of the production tables in reports.
    pub const PRODUCTION: &str = "production";

    /// The tables of the production builder, with DTM and DTZ.
    pub fn production(tables: TableSet) -> Self {
        let name = Self::PRODUCTION.to_owned();
        Self { name, tables, dtz: true, probe: PROBE.to_owned(), folded: false }
    }

    /// The tables of another builder, with DTM only.
    pub fn of_builder(builder: &str, tables: TableSet) -> Self {
        let probe = format!("{PROBE} --builder {builder}");
        Self { name: builder.to_owned(), tables, dtz: false, probe, folded: false }
    }

    /// Tables with one table that was read from a file.
    pub fn of_file(path: &str, tables: TableSet) -> Self {
        let probe = format!("{PROBE} --file \"{path}\"");
        Self { name: path.to_owned(), tables, dtz: true, probe, folded: false }
    }

    /// The same tables as an authority. Only one position of each symmetry class is certified, with White as
    /// the stronger side, so the oracle finds it itself and does not rely on the engine to do so.
    pub fn folded(self) -> Self {
        Self { folded: true, ..self }
    }
}

/// The table of one position's men, to probe the positions after its quiet moves.
#[derive(Debug, Clone, Copy)]
pub struct Neighbours<'a>(engine::tables::Neighbours<'a>);

impl Neighbours<'_> {
    /// The distance to mate after a move from one square to another, an empty one; `None` for a draw.
    ///
    /// # Errors
    /// The table has no value for the position after the move.
    pub fn dtm_after(&self, from: Square, to: Square) -> Result<Option<Dtm>, ProbeError> {
        let [from, to] = [from, to].map(|square| engine::Square::from_index(square.to_usize()));
        let dtm = self.0.dtm_after(from, to).map_err(refusal)?;
        Ok(dtm.map(|dtm| Dtm::from_plies(dtm.plies())))
    }
}

fn refusal(error: engine::tables::ProbeError) -> ProbeError {
    match error {
        // Millions of illegal placements are refused: no text is made for each.
        engine::tables::ProbeError::Illegal => ProbeError("the position is not legal".into()),
        _ => ProbeError(error.to_string().into()),
    }
}

impl EngineTables {
    /// The value that the tables state, in the oracle's types.
    fn stated(&self, board: &engine::Board, turn: Color) -> Result<TableValue, ProbeError> {
        let probe = self.tables.probe(board, engine_color(turn)).map_err(refusal)?;
        let wdl = match probe.wdl() {
            engine::tables::Wdl::Draw => Wdl::Draw,
            engine::tables::Wdl::Win => Wdl::Win,
            engine::tables::Wdl::Loss => Wdl::Loss,
        };
        let dtm = probe.dtm.map(|dtm| Dtm::from_plies(dtm.plies()));
        let dtz = probe.dtz.filter(|_| self.dtz).map(|dtz| Dtz::from_plies(dtz.0));
        Ok(TableValue { wdl, dtm, dtz })
    }
}

impl TableProbe for EngineTables {
    fn name(&self) -> &str {
        &self.name
    }

    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError> {
        let representative = self.folded.then(|| positions::representative(board, turn));
        let (board, turn) = representative.as_ref().map_or((board, turn), |(board, turn)| (board, *turn));
        self.stated(&engine_board(board), turn)
    }

    fn probe_image(
        &self,
        men: &[(Square, Piece)],
        image: Image,
        turn: Color,
    ) -> Result<TableValue, ProbeError> {
        if self.folded {
            let (board, turn) = image.position(men, turn);
            return self.probe(&board, turn);
        }
        self.stated(&board_of(image.of(men)), image.turn(turn))
    }

    fn neighbours(&self, board: &Board, turn: Color) -> Option<Neighbours<'_>> {
        if self.folded {
            return None;
        }
        self.tables.neighbours(&engine_board(board), engine_color(turn)).ok().map(Neighbours)
    }

    fn unmoves(&self, board: &Board, turn: Color) -> Result<Vec<Unmove>, ProbeError> {
        let found =
            engine::tables::builders::unmoves(&engine_board(board), engine_color(turn)).map_err(refusal)?;
        Ok(found.into_iter().map(stated_unmove).collect())
    }

    fn unmoves_to(&self, board: &Board, turn: Color, to: Square) -> Result<Vec<Unmove>, ProbeError> {
        let to = engine::Square::from_index(to.to_usize());
        let found = engine::tables::builders::unmoves_to(&engine_board(board), engine_color(turn), to)
            .map_err(refusal)?;
        Ok(found.into_iter().map(stated_unmove).collect())
    }

    fn has_unmoves(&self) -> bool {
        true
    }

    fn has_dtz(&self) -> bool {
        self.dtz
    }

    fn replay(&self, fen: &str) -> Replay {
        Replay::touchstone(format_args!("{} \"{fen}\"", self.probe))
    }
}

/// An un-move of the engine in the oracle's type.
fn stated_unmove(unmove: engine::tables::builders::Unmove) -> Unmove {
    let [from, to] = [unmove.from, unmove.to].map(|square| Square::new(square.index() as u32));
    Unmove { from, to }
}

/// shakmaty's board as the engine's, copied man by man: the engine makes its bitboards itself.
pub(crate) fn engine_board(board: &Board) -> engine::Board {
    let of_role = |role| {
        board.by_role(role).into_iter().map(move |square| {
            let color = Color::from_white(board.white().contains(square));
            (square, Piece { color, role })
        })
    };
    board_of(Role::ALL.into_iter().flat_map(of_role))
}

/// These men on the engine's board.
#[inline]
fn board_of(men: impl Iterator<Item = (Square, Piece)>) -> engine::Board {
    let mut bridged = engine::Board::EMPTY;
    for (square, piece) in men {
        let piece = engine::Piece { color: engine_color(piece.color), role: engine_role(piece.role) };
        bridged.put(engine::Square::from_index(square.to_usize()), piece);
    }
    bridged
}

#[inline]
fn engine_role(role: Role) -> engine::Role {
    match role {
        Role::Pawn => engine::Role::Pawn,
        Role::Knight => engine::Role::Knight,
        Role::Bishop => engine::Role::Bishop,
        Role::Rook => engine::Role::Rook,
        Role::Queen => engine::Role::Queen,
        Role::King => engine::Role::King,
    }
}

#[inline]
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
            let [white, black] = [Color::White, Color::Black].map(|color| positions::strength(&board, color));
            assert_eq!(black > white, mirrored, "{name}");
            let (_, turn) = positions::representative(&board, Color::White);
            assert_eq!(turn, Color::from_white(!mirrored), "{name}");
        }
    }

    #[test]
    fn values_are_the_same_whoever_folds() {
        let set = builders::production(&["KQvK", "KPvK"].map(|name| name.parse().unwrap())).unwrap();
        let (engine, oracle) =
            (EngineTables::production(set.clone()), EngineTables::production(set).folded());
        let mut decided = 0;
        for name in ["KvKP", "KvKQ", "KPvK"] {
            let men: crate::positions::Men = name.parse().unwrap();
            for number in (0..men.numbers()).step_by(89) {
                for turn in Color::ALL {
                    let Some(placement) = Placement::numbered(&men, number, turn) else { continue };
                    let value = oracle.probe(&placement.board, turn);
                    assert_eq!(value.is_ok(), placement.legal.is_some(), "{}", placement.fen());
                    assert_eq!(value, engine.probe(&placement.board, turn), "{}", placement.fen());
                    decided += u64::from(value.is_ok_and(|value| value.dtm.is_some()));
                }
            }
        }
        assert!(decided > 5_000, "{decided}");
    }

    /// The check of un-moves asks for those of one man, and for all.
    #[test]
    fn unmoves_of_one_man_are_those_of_the_list() {
        let tables = EngineTables::production(TableSet::new());
        let mut found = 0;
        for name in ["KRvK", "KPvK", "KvKP", "KNNvKP"] {
            let men: crate::positions::Men = name.parse().unwrap();
            for number in (0..men.numbers()).step_by(if men.count() > 3 { 1_000_003 } else { 1009 }) {
                let turn = Color::from_white(number % 2 == 0);
                let Some(Placement { board, .. }) = Placement::numbered(&men, number, turn) else { continue };
                let all = tables.unmoves(&board, turn).unwrap();
                for to in (0..64).map(Square::new) {
                    let of_man = tables.unmoves_to(&board, turn, to).unwrap();
                    let mut expected = all.clone();
                    expected.retain(|unmove| unmove.to == to);
                    assert_eq!(of_man, expected, "{name} {number} {to}");
                }
                found += all.len();
            }
        }
        assert!(found > 5_000, "{found}");
    }

    /// The certificate reads the positions after quiet moves by the shortcut, and all others by probing.
    #[test]
    fn neighbours_have_the_values_that_probing_gives() {
        use shakmaty::{Move, Position};

        let names = ["KQvK", "KPvK", "KvKP", "KNvKN", "KBBvK"];
        let materials: Vec<_> =
            ["KPvK", "KQvK", "KNvKN", "KBBvK"].iter().map(|name| name.parse().unwrap()).collect();
        let tables = EngineTables::production(builders::production(&materials).unwrap());
        let mut compared = 0;
        for name in names {
            let men: crate::positions::Men = name.parse().unwrap();
            let step = if men.count() > 3 { 1009 } else { 7 };
            for (number, turn) in
                (0..men.numbers()).step_by(step).flat_map(|number| Color::ALL.map(|turn| (number, turn)))
            {
                let Some(placement) = Placement::numbered(&men, number, turn) else { continue };
                let Some(position) = placement.legal else { continue };
                let neighbours = tables.neighbours(position.board(), turn).unwrap();
                for mv in position.legal_moves() {
                    let Move::Normal { from, to, capture: None, promotion: None, .. } = mv else { continue };
                    let after = crate::board::after(&position, mv);
                    let expected = tables.probe(after.board(), after.turn()).map(|value| value.dtm);
                    assert_eq!(neighbours.dtm_after(from, to), expected, "{name} {number} {mv}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 500_000, "{compared}");
    }
}
