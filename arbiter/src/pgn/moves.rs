//! A move of a PGN file on the board.

use oracle::board::{Spelling, legal_move};
use shakmaty::san::{San, SanError};
use shakmaty::{Chess, Color, Move, Position, Role};

/// The most characters of a word that are shown.
const MOST_SHOWN: usize = 40;

/// A word that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{number} \"{text}\" {fault}")]
pub struct Unplayable {
    /// The number of the move with its dots: `12.` of White, `12...` of Black.
    pub number: String,
    /// The word, cut if it is long.
    pub text: String,
    /// What is wrong with it.
    pub fault: MoveFault,
}

impl Unplayable {
    /// A word that is no move of this position.
    pub(crate) fn new(position: &Chess, text: &str, fault: MoveFault) -> Self {
        Self { number: number(position), text: text.chars().take(MOST_SHOWN).collect(), fault }
    }
}

/// Why a word is not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoveFault {
    /// It is a move, and not legal.
    #[error("is not legal")]
    Illegal,
    /// It can be more than one legal move.
    #[error("can be more than one move")]
    Ambiguous,
    /// It is no move.
    #[error("is no move")]
    NoMove,
}

/// The number of the next move, with its dots.
fn number(position: &Chess) -> String {
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots}", position.fullmoves())
}

/// The legal move that a word stands for: in standard algebraic notation, in long algebraic notation, or as in
/// UCI. Castling may be written with zeros; the sign of a capture and that of a promotion may lack.
pub(super) fn read(position: &Chess, text: &str) -> Result<Move, MoveFault> {
    let plain = text.trim_end_matches(['+', '#']);
    match plain.parse::<San>().or_else(|_| usual(plain).parse()) {
        Ok(san) => of_san(position, &san, plain),
        Err(_) => legal_move(position, plain, Spelling::Tolerant).ok_or(MoveFault::NoMove),
    }
}

/// The move as shakmaty reads it: `Ng1-f3` as `Ng1f3`, `e8Q` as `e8=Q`, `0-0` as `O-O`.
fn usual(text: &str) -> String {
    if text.starts_with("0-0") {
        return text.replace('0', "O");
    }
    let joined = text.replace('-', "");
    match joined.strip_suffix(['Q', 'R', 'B', 'N']) {
        Some(rest) if rest.ends_with(['1', '8']) => format!("{rest}={}", &joined[rest.len()..]),
        _ => joined,
    }
}

fn of_san(position: &Chess, san: &San, text: &str) -> Result<Move, MoveFault> {
    match san.to_move(position) {
        Ok(mv) => Ok(mv),
        Err(SanError::AmbiguousSan) => Err(MoveFault::Ambiguous),
        Err(SanError::IllegalSan) => loosely(position, san, text),
    }
}

/// The move if the sign of a capture lacks or is one too many, or if it is written as in UCI. A pawn's move to the
/// last rank without a role is no move.
fn loosely(position: &Chess, san: &San, text: &str) -> Result<Move, MoveFault> {
    let &San::Normal { role, file, rank, to, promotion, .. } = san else {
        return Err(if matches!(san, San::Castle(_)) { MoveFault::Illegal } else { MoveFault::NoMove });
    };
    let mut candidates = position.san_candidates(role, to);
    candidates.retain(|mv| {
        mv.from().is_some_and(|from| {
            file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
        })
    });
    let is_unfinished =
        role == Role::Pawn && promotion.is_none() && candidates.iter().any(|mv| mv.is_promotion());
    candidates.retain(|mv| mv.promotion() == promotion);
    match candidates[..] {
        [mv] => Ok(mv),
        [_, _, ..] => Err(MoveFault::Ambiguous),
        [] if is_unfinished => Err(MoveFault::NoMove),
        [] => legal_move(position, text, Spelling::Tolerant).ok_or(MoveFault::Illegal),
    }
}

#[cfg(test)]
mod tests {
    use oracle::board::{Accept, position, uci_text};

    use super::*;

    #[track_caller]
    fn check(fen: &str, text: &str, expected: Result<&str, MoveFault>) {
        let position = position(fen, Accept::Legal).unwrap();
        let found = read(&position, text).map(|mv| uci_text(mv, position.castles().mode()));
        assert_eq!(found, expected.map(str::to_owned), "{text}");
    }

    #[test]
    fn moves_are_read_as_programs_write_them() {
        let fen = "1n2k3/P7/8/3p4/4P3/8/8/R3K2R w KQ - 0 1";
        for (text, uci) in [
            ("exd5", "e4d5"),
            ("ed5", "e4d5"),
            ("e4xd5", "e4d5"),
            ("e4d5", "e4d5"),
            ("e4-e5", "e4e5"),
            ("O-O", "e1g1"),
            ("0-0-0+", "e1c1"),
            ("e1g1", "e1g1"),
            ("a8=Q", "a7a8q"),
            ("a8Q+", "a7a8q"),
            ("a7a8r", "a7a8r"),
            ("axb8=N#", "a7b8n"),
            ("ab8B", "a7b8b"),
            ("Ra1-b1", "a1b1"),
            ("Raxb1", "a1b1"),
        ] {
            check(fen, text, Ok(uci));
        }
    }

    #[test]
    fn faults_are_told_apart() {
        let fen = "1n2k3/P7/8/3p4/4P3/8/8/R3K2R b KQ - 0 1";
        for text in ["O-O", "Nb8", "e5", "dxc4", "e8e6", "Kd6"] {
            check(fen, text, Err(MoveFault::Illegal));
        }
        for text in ["--", "Z0", "N@e4", "xyz", "a9", "", "Nbd", "0-0-", "\u{bd}", "OOO"] {
            check(fen, text, Err(MoveFault::NoMove));
        }
        let knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
        check(knights, "Nd2", Err(MoveFault::Ambiguous));
        check(knights, "Nbd2", Ok("b1d2"));
        check("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", Err(MoveFault::NoMove));
    }
}
