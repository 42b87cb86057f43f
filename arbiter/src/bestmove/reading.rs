//! Reads the positions and moves of a file with best moves.

use shakmaty::{Chess, Move, Position};
use suites::epd_files::Malformed;
use suites::epd_files::{BestMoveCase, BestMoveSuite};

use super::notation;
use crate::epd_lines::{position, read_lines};
use oracle::board::{Spelling, legal_move};

/// A file with best moves, with legal positions and moves.
#[derive(Debug, Clone)]
pub struct BestMoveFile {
    /// Its name.
    pub name: String,
    /// The positions, in the order of the file.
    pub cases: Vec<BestMovePosition>,
    /// The lines that cannot be read, and why.
    pub malformed: Malformed,
}

/// A position and the moves that the file names.
#[derive(Debug, Clone)]
pub struct BestMovePosition {
    /// The number of the line, from 1.
    pub line: u64,
    /// The id; empty if there is none.
    pub id: String,
    /// The FEN, with six fields.
    pub fen: String,
    pub(super) position: Chess,
    pub(super) best: Vec<Move>,
    pub(super) avoid: Vec<Move>,
    pub(super) points: Vec<(Move, u32)>,
}

impl BestMoveFile {
    /// Reads the positions and moves of a file. Lines with an illegal position or move are malformed.
    pub fn read(suite: BestMoveSuite) -> Self {
        let BestMoveSuite { name, cases, mut malformed } = suite;
        let cases = read_lines(&cases, &mut malformed, BestMovePosition::read);
        Self { name, cases, malformed }
    }

    /// The fewest men of a position.
    pub fn fewest_men(&self) -> Option<usize> {
        self.cases.iter().map(|case| case.position.board().occupied().count()).min()
    }
}

impl BestMovePosition {
    fn read(case: &BestMoveCase) -> Result<Self, (u64, String)> {
        let &BestMoveCase { line, ref id, ref fen, ref best, ref avoid, ref points } = case;
        let faulty = |fault: String| (line, fault);
        let position = position(fen).map_err(faulty)?;
        let read = |opcode: &str, text: &str| {
            let got: String = text.chars().take(20).collect();
            notation::read(&position, text).map_err(|error| faulty(format!("{opcode} \"{got}\": {error}")))
        };
        let moves = |opcode: &str, texts: &[String]| {
            texts.iter().map(|text| read(opcode, text)).collect::<Result<Vec<Move>, _>>()
        };
        let (best, avoid) = (moves("bm", best)?, moves("am", avoid)?);
        let points = points.iter().map(|(text, points)| Ok((read("the points of", text)?, *points)));
        let points = points.collect::<Result<Vec<_>, _>>()?;
        if let Some(mv) = best.iter().find(|mv| avoid.contains(mv)) {
            return Err(faulty(format!("{} is both bm and am", super::known::san(&position, *mv))));
        }
        Ok(Self { line, id: id.clone(), fen: fen.clone(), position, best, avoid, points })
    }

    /// The most points for a move; `None` if the file gives no points.
    pub(super) fn most_points(&self) -> Option<u32> {
        self.points.iter().map(|(_, points)| *points).max()
    }

    /// The points for a move; `None` if the file gives no points.
    pub(super) fn points_of(&self, mv: Option<Move>) -> Option<u32> {
        let most = self.most_points()?;
        let given = self.points.iter().find(|(known, _)| Some(*known) == mv).map(|(_, points)| *points);
        Some(given.unwrap_or_default().min(most))
    }

    /// The legal move of an answer in UCI notation.
    pub(super) fn legal(&self, text: &str) -> Option<Move> {
        legal_move(&self.position, text, Spelling::Tolerant)
    }
}

#[cfg(test)]
mod tests {
    use suites::epd_files::EpdFile;

    use super::*;

    #[test]
    fn lines_with_illegal_positions_or_moves_are_malformed() {
        let fen = "8/8/8/8/8/1K6/2R5/1k6 w - -";
        let check = |operations: &str, expected: &str| {
            let text = format!("{fen} bm Rc8;\n{fen} {operations}\n");
            let suite = EpdFile::parse("x.epd", text.as_bytes()).unwrap().best_moves;
            let file = BestMoveFile::read(suite);
            let faults: Vec<_> = file.malformed.iter().map(|(line, fault)| (*line, fault.as_str())).collect();
            assert_eq!((file.cases.len(), faults), (1, vec![(2, expected)]), "{operations}");
        };
        let what = "expected a move such as Qg6, exd5, e8=Q, O-O or e2e4";
        check("bm Qxx;", &format!("bm \"Qxx\": {what}"));
        check("bm Rc8 Qg6;", "bm \"Qg6\": not legal in this position");
        check("am Rd3;", "am \"Rd3\": not legal in this position");
        check("bm Rc8; c0 \"Rc8=10, Kb1=3\";", "the points of \"Kb1\": not legal in this position");
        check("bm Rc8; am Rc8+;", "Rc8 is both bm and am");
        let two = |fen: &str| format!("{fen} bm Rc8;\n8/8/8/8/8/1K6/2R5/1k6 w - - bm Rc8;\n");
        let suite = |fen| EpdFile::parse("x.epd", two(fen).as_bytes()).unwrap().best_moves;
        let fault = |fen| BestMoveFile::read(suite(fen)).malformed[0].1.clone();
        assert!(fault("8/8/8/8/8/1K6/2R5/1x6 w - -").starts_with("this is no FEN"));
        assert_eq!(fault("8/8/8/8/8/1K6/2R5/8 w - -"), "the position is not legal: a side has no king");
    }

    #[test]
    fn points_do_not_depend_on_the_notation() {
        let text = "8/8/8/8/8/1K6/2R5/1k6 w - - bm Rc8; c0 \"c2c8=10, Rc3=5\";";
        let suite = EpdFile::parse("x.epd", text.as_bytes()).unwrap().best_moves;
        let case = BestMoveFile::read(suite).cases.swap_remove(0);
        let points = |text: &str| case.points_of(case.legal(text));
        assert_eq!(
            [points("c2c8"), points("c2c3"), points("c2c4"), points("-")],
            [Some(10), Some(5), Some(0), Some(0)]
        );
        assert_eq!(case.most_points(), Some(10));
    }
}
