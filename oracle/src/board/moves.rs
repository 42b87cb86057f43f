//! Moves as UCI and standard algebraic notation write them.

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Move, Position};

use super::position::{Accept, position_of_any_mode};

/// How closely a move has to follow the spelling of UCI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// As [`uci_text`] writes it in the position's castling mode: `e1g1` in standard chess, `e1h1` in
    /// Chess960.
    Exact,
    /// Castling may also be written as king takes rook in standard chess, and as two squares of the king in
    /// Chess960. The role of a promotion may be a capital letter.
    Tolerant,
    /// As [`Spelling::Tolerant`], and all letters may be capitals.
    AnyCase,
}

/// The legal move that a text in UCI notation stands for.
pub fn legal_move(position: &Chess, text: &str, spelling: Spelling) -> Option<Move> {
    let read = |text: &str| text.parse::<UciMove>().ok()?.to_move(position).ok();
    match spelling {
        Spelling::Exact => read(text).filter(|mv| uci_text(*mv, position.castles().mode()) == text),
        Spelling::Tolerant => read(text),
        Spelling::AnyCase => read(&text.to_lowercase()),
    }
}

/// A move in UCI notation.
pub fn uci_text(mv: Move, mode: CastlingMode) -> String {
    mv.to_uci(mode).to_string()
}

/// The legal moves in UCI notation, in the order of shakmaty's generator.
pub fn uci_moves(position: &Chess) -> Vec<String> {
    let mode = position.castles().mode();
    position.legal_moves().into_iter().map(|mv| uci_text(mv, mode)).collect()
}

/// The position after a legal move.
pub fn after(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// Moves of a position in standard algebraic notation, given as in UCI. Those that are not legal are left out, and
/// all if the text is no FEN.
pub fn standard_notation(fen: &str, moves: &[String]) -> Vec<String> {
    let Ok(position) = position_of_any_mode(fen, Accept::Unreachable) else { return Vec::new() };
    let legal = moves.iter().filter_map(|text| legal_move(&position, text, Spelling::Tolerant));
    legal.map(|mv| SanPlus::from_move(position.clone(), mv).to_string()).collect()
}

/// A line of legal moves in standard algebraic notation, with move numbers that begin with 1.
pub fn numbered(root: &Chess, line: &[Move]) -> String {
    let mut position = root.clone();
    let mut tokens = Vec::new();
    let mut number = 1;
    for &mv in line {
        let turn = position.turn();
        let lead = match (turn, tokens.is_empty()) {
            (Color::White, _) => format!("{number}. "),
            (Color::Black, true) => format!("{number}... "),
            (Color::Black, false) => String::new(),
        };
        tokens.push(format!("{lead}{}", SanPlus::from_move_and_play_unchecked(&mut position, mv)));
        number += u32::from(turn == Color::Black);
    }
    tokens.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::position_in;

    #[track_caller]
    fn check(fen: &str, mode: CastlingMode, text: &str, expected: [bool; 3]) {
        let position = position_in(fen, mode, Accept::Legal).unwrap();
        let read = [Spelling::Exact, Spelling::Tolerant, Spelling::AnyCase]
            .map(|spelling| legal_move(&position, text, spelling).is_some());
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn spelling_decides_on_castling_and_case() {
        let fen = "4k3/1P6/8/8/8/8/8/R3K2R w KQ - 0 1";
        let standard = |text, expected| check(fen, CastlingMode::Standard, text, expected);
        standard("e1g1", [true; 3]);
        standard("e1h1", [false, true, true]);
        standard("b7b8q", [true; 3]);
        standard("b7b8Q", [false, true, true]);
        standard("B7B8Q", [false, false, true]);
        for text in ["", "0000", "b7b8", "e1e3", "Q@e4", "O-O", "é", "e8e7", " e1g1"] {
            standard(text, [false; 3]);
        }
        check(fen, CastlingMode::Chess960, "e1h1", [true; 3]);
        check(fen, CastlingMode::Chess960, "e1g1", [false, true, true]);
    }

    #[test]
    fn moves_are_written_in_standard_notation() {
        let moves = ["c2c1", "c2c3", "b3b2", "a1a2"].map(str::to_owned);
        let check = |fen: &str, expected: &[&str]| assert_eq!(standard_notation(fen, &moves), expected);
        check("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", &["Rc1+", "Rc3"]);
        check("8/8", &[]);
    }

    #[test]
    fn moves_of_a_line_are_numbered_from_one() {
        let line = |fen: &str, moves: &[&str]| {
            let root = position_in(fen, CastlingMode::Standard, Accept::Legal).unwrap();
            let mut position = root.clone();
            let play = |text: &&str| {
                let mv = legal_move(&position, text, Spelling::Exact).unwrap();
                position = after(&position, mv);
                mv
            };
            let line: Vec<Move> = moves.iter().map(play).collect();
            numbered(&root, &line)
        };
        let moves = ["c2c3", "b1a1", "c3c1"];
        assert_eq!(line("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", &moves), "1. Rc3 Ka1 2. Rc1#");
        assert_eq!(line("8/8/8/8/8/1K6/8/1kR5 b - - 0 1", &["b1c1", "b3c3"]), "1... Kxc1 2. Kc3");
    }
}
