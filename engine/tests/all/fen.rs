//! Valid and invalid FENs with the reasons, from data files with one case a line.

use crate::support::lines;
use engine::{FenFault, InvalidFen, Position, Setup};

/// The name of a fault.
fn name(fault: &FenFault) -> String {
    let debug = match fault {
        FenFault::Position(fault) => format!("{fault:?}"),
        form => format!("{form:?}"),
    };
    debug.split([' ', '(']).next().unwrap_or_default().to_owned()
}

/// The names of all faults, sorted.
fn names(refused: &InvalidFen) -> Vec<String> {
    let mut names: Vec<String> = refused.faults.iter().map(name).collect();
    names.sort_unstable();
    names
}

#[test]
fn valid_fens_are_read_and_written() {
    let mut cases = 0;
    for line in lines(include_str!("../data/fen_valid.txt")) {
        let (read, written) = line.split_once(" = ").unwrap_or((line, line));
        let position = Position::from_fen(read).unwrap_or_else(|refused| panic!("{read}: {refused}"));
        assert_eq!(position.to_fen(), written, "{read}");
        assert_eq!(Position::from_fen(&position.to_shredder_fen()), Ok(position), "{read}");
        cases += 1;
    }
    assert!(cases >= 50, "only {cases} cases");
}

#[test]
fn invalid_fens_are_rejected_with_all_reasons() {
    let mut cases = 0;
    for line in lines(include_str!("../data/fen_invalid.txt")) {
        let (fen, reasons) = line.split_once(" => ").unwrap();
        let mut expected: Vec<&str> = reasons.split(", ").collect();
        expected.sort_unstable();
        let refused = Position::from_fen(fen).expect_err(fen);
        assert_eq!(names(&refused), expected, "{fen}: {refused}");
        let form_alone = refused.faults.iter().all(|fault| matches!(fault, FenFault::Position(_)));
        assert_eq!(Setup::from_fen(fen).is_ok(), form_alone, "{fen}");
        cases += 1;
    }
    assert!(cases >= 90, "only {cases} cases");
}

fn check(fen: &str, message: &str) {
    assert_eq!(Position::from_fen(fen).expect_err(fen).to_string(), message);
}

#[test]
fn messages_name_what_was_found() {
    check("8/8/8/8/8/8/8/K1k5 w - - 0 x", "move number: expected a number, got \"x\"");
    check(
        "8/8/8/8/8/8/7x/K1k5 w - - 0 1",
        "board: expected a piece or a number from 1 to 8 on rank 2, got 'x'",
    );
    check("8/8/8/8/8/8/7/K1k5 w - - 0 1", "board: expected 8 squares on rank 2, got 7");
    check("8/8/8/8/8/8/8/8 w - - 0 1", "white has no king; black has no king");
    check("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "black is in check from e1, and it is not black's turn");
    check(
        "4k3/8/8/8/8/8/8/4K3 w Q d6 0 0",
        "castling right of a1, where no rook of that side stands on its first rank; \
         en passant square d6, but no pawn that has just passed it stands in front; \
         move number 0, not from 1 to 9999",
    );
}
