//! Lines that name the best moves of a position, or moves to avoid.
//!
//! ```text
//! 2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";
//! 8/8/8/8/8/1K6/2R5/1k6 w - - am Rd2;
//! 8/8/8/8/8/1K6/2R5/1k6 w - - bm Rc3; c0 "Rc3=10, Rc8=5";
//! ```
//!
//! | operation | meaning |
//! |---|---|
//! | `bm MOVE...` | any of these is best |
//! | `am MOVE...` | none of these should be played |
//! | `id` | what the position is called |
//! | `c0` | points for moves, `MOVE=POINTS`; any other text is a comment |
//! | `c8`, with `c9` or `c7` | the same: `c8` has the points, `c9` or `c7` the moves |
//!
//! Other operations are ignored. Whether the moves are legal, or really best, is not checked here.

use super::suite::FileSuite;
use crate::epd::Epd;

/// The most points for a move.
pub const MOST_POINTS: u32 = 1_000_000;

/// The best moves of a user's file.
pub type BestMoveSuite = FileSuite<BestMoveCase>;

/// A position, with the moves that its line names. Moves are text, as in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestMoveCase {
    /// Line in the file, counted from 1.
    pub line: u64,
    /// What the line calls the position; empty if it has no `id`.
    pub id: String,
    /// The position, a FEN of six fields.
    pub fen: String,
    /// The best moves; none if the line only names moves to avoid.
    pub best: Vec<String>,
    /// Moves to avoid.
    pub avoid: Vec<String>,
    /// Points for moves.
    pub points: Vec<(String, u32)>,
}

/// Whether a line names best moves or moves to avoid, well-formed or not. `bm #N` is a mate and no move.
pub(super) fn reads(epd: &Epd) -> bool {
    let has_moves = |opcode| {
        let operands = epd.operands(opcode);
        operands.is_some_and(|operands| operands.is_empty() || operands.iter().any(|text| !is_mate(text)))
    };
    has_moves("bm") || has_moves("am")
}

fn is_mate(text: &str) -> bool {
    text.starts_with('#')
}

/// The case of a line.
pub(super) fn case(line: u64, epd: &Epd) -> Result<BestMoveCase, String> {
    let [best, avoid] = ["bm", "am"].map(|opcode| moves(epd, opcode));
    Ok(BestMoveCase {
        line,
        id: epd.operands("id").map(|words| words.join(" ")).unwrap_or_default(),
        fen: epd.fen.clone(),
        best: best?,
        avoid: avoid?,
        points: points(epd)?,
    })
}

/// The moves after an opcode, with or without commas between them.
fn moves(epd: &Epd, opcode: &str) -> Result<Vec<String>, String> {
    let Some(operands) = epd.operands(opcode) else { return Ok(Vec::new()) };
    let words = operands.iter().filter(|text| !is_mate(text)).flat_map(|text| text.split([',', ' ']));
    let moves: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
    if moves.is_empty() && !operands.iter().any(|text| is_mate(text)) {
        return Err(format!("expected a move after {opcode}"));
    }
    Ok(moves)
}

/// The points that a line gives for moves.
fn points(epd: &Epd) -> Result<Vec<(String, u32)>, String> {
    let text = |opcode| epd.operands(opcode).map(|words| words.join(" ")).unwrap_or_default();
    let beside = words(&text("c0")).map(point).collect::<Option<Vec<_>>>().unwrap_or_default();
    if !beside.is_empty() {
        return Ok(beside);
    }
    let numbers = text("c8");
    let Some(numbers) =
        words(&numbers).map(number).collect::<Option<Vec<u32>>>().filter(|all| !all.is_empty())
    else {
        return Ok(Vec::new());
    };
    let moves = ["c9", "c7"].map(text).into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    let moves: Vec<String> = words(&moves).map(str::to_owned).collect();
    match moves.len() {
        0 => Ok(Vec::new()),
        count if count == numbers.len() => Ok(moves.into_iter().zip(numbers).collect()),
        count => Err(format!(
            "expected as many moves in c9 or c7 as points in c8, got {count} and {}",
            numbers.len()
        )),
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ' ', '\t']).filter(|word| !word.is_empty())
}

/// A move with its points, such as `e8=Q=10`.
fn point(word: &str) -> Option<(String, u32)> {
    let (mv, points) = word.rsplit_once('=')?;
    Some((mv.to_owned(), number(points)?)).filter(|_| !mv.is_empty())
}

fn number(text: &str) -> Option<u32> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|points| is_number && *points <= MOST_POINTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";

    fn read(operations: &str) -> Result<BestMoveCase, String> {
        let epd = Epd::parse(&format!("{FEN} {operations}")).unwrap();
        assert!(reads(&epd), "{operations}");
        case(7, &epd)
    }

    #[track_caller]
    fn check(operations: &str, best: &[&str], avoid: &[&str]) {
        let case = read(operations).unwrap();
        assert_eq!((case.line, case.fen.as_str()), (7, FEN));
        assert_eq!((case.best, case.avoid), (strings(best), strings(avoid)), "{operations}");
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn moves_are_read_in_the_forms_that_files_use() {
        check("bm Qg6;", &["Qg6"], &[]);
        check("bm Qg6 Rd1; am Kb4", &["Qg6", "Rd1"], &["Kb4"]);
        check("bm Qg6, Rd1;", &["Qg6", "Rd1"], &[]);
        check("bm Qg6,Rd1;", &["Qg6", "Rd1"], &[]);
        check("bm \"Qg6 Rd1\";", &["Qg6", "Rd1"], &[]);
        check("am Kb4!; id \"a\";", &[], &["Kb4!"]);
        check("bm #3 Qg6;", &["Qg6"], &[]);
        check("bm #3; am Kb4;", &[], &["Kb4"]);
        check("bm Qxx;", &["Qxx"], &[]);
        assert_eq!(read("bm ;"), Err("expected a move after bm".to_owned()));
        assert_eq!(read("bm Qg6; am ,;"), Err("expected a move after am".to_owned()));
    }

    #[test]
    fn lines_without_best_moves_are_left_to_other_suites() {
        for operations in ["", "dm 3;", "bm #3;", "pv Qg6;", "c0 \"Qg6=10\";", "id \"bm\";"] {
            assert!(!reads(&Epd::parse(&format!("{FEN} {operations}")).unwrap()), "{operations}");
        }
    }

    #[test]
    fn names_of_positions() {
        assert_eq!(read("bm Qg6; id \"WAC.001\";").unwrap().id, "WAC.001");
        assert_eq!(read("bm Qg6; id Bratko Kopec 1;").unwrap().id, "Bratko Kopec 1");
        assert_eq!(read("bm Qg6;").unwrap().id, "");
    }

    #[test]
    fn points_as_files_write_them() {
        let check = |operations: &str, expected: &[(&str, u32)]| {
            let points = read(&format!("bm f5; {operations}")).unwrap().points;
            let found: Vec<(&str, u32)> = points.iter().map(|(mv, points)| (mv.as_str(), *points)).collect();
            assert_eq!(found, expected, "{operations}");
        };
        let four = [("f5", 10), ("Be5+", 2), ("Bf2", 3), ("Bg4", 2)];
        check("c0 \"f5=10, Be5+=2, Bf2=3, Bg4=2\";", &four);
        check("c0 \"f5=10,Be5+=2,Bf2=3,Bg4=2\";", &four);
        check("c0 f5=10 Be5+=2 Bf2=3 Bg4=2;", &four);
        check("c8 \"10 2 3 2\"; c7 \"f5 Be5+ Bf2 Bg4\";", &four);
        check("c7 \"f5 Be5+\"; c8 \"10 2\"; c9 \"f4f5 d4e5\";", &[("f4f5", 10), ("d4e5", 2)]);
        check("c0 \"e8=Q=10, e8=N=1\";", &[("e8=Q", 10), ("e8=N", 1)]);
        check("c0 \"f5=10\"; c8 \"1\"; c9 \"f4f5\";", &[("f5", 10)]);
        // Texts are comments.
        check("c0 \"White wins: eval=3 after Qg6\";", &[]);
        check("c0 \"=10\";", &[]);
        check("c0 \"Qg6=+3\";", &[]);
        check("c0 \"Qg6=1000001\";", &[]);
        check("c8 \"ten\"; c9 \"f4f5\";", &[]);
        check("c8 \"10\";", &[]);
        let error = read("bm f5; c8 \"10 2\"; c9 \"f4f5\";").unwrap_err();
        assert_eq!(error, "expected as many moves in c9 or c7 as points in c8, got 1 and 2");
    }
}
