//! Verifies a certificate with shakmaty's moves. It does not know the search that wrote it.

use std::collections::HashSet;

use derive_more::Display;
use shakmaty::{Chess, Move, Position};

use super::certificate::{self, Certificate, LAST_PLY, ProvenEntry, ProvenPositions, sorted_moves};
use super::{MOST_MOVES, stood_twice};
use crate::board::{self, Game};

/// Why a certificate proves nothing. Characters are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// It does not begin with the number of moves.
    #[error("expected a claim such as \"3:\" or \"-2:\" of at most {MOST_MOVES} moves, got \"{0}\"")]
    Claim(String),
    /// A character that is not a symbol.
    #[error("character {at}: {found:?} is not a symbol for a move")]
    Symbol {
        /// Which character.
        at: usize,
        /// The character.
        found: char,
    },
    /// It ends before the proof is complete.
    #[error("it ends after {at} characters, where a move is due in {fen}")]
    Short {
        /// Its length.
        at: usize,
        /// The position where a move is missing.
        fen: String,
    },
    /// It continues after the proof is complete.
    #[error("character {at}: the proof is complete before it")]
    Long {
        /// The first character after the proof.
        at: usize,
    },
    /// The number of a move is beyond the legal moves.
    #[error("character {at}: move {place} of {legal} in {fen}")]
    Move {
        /// Which character.
        at: usize,
        /// The number of the move, from 0.
        place: usize,
        /// The number of legal moves.
        legal: usize,
        /// The position.
        fen: String,
    },
    /// The side that should be mated escapes.
    #[error("{escape} in {fen}")]
    Escape {
        /// How it escapes.
        escape: Escape,
        /// The position.
        fen: String,
    },
}

/// How a side escapes the mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display)]
pub enum Escape {
    /// By stalemate, or because the side that should mate has no move.
    #[display("the game ends without the mate")]
    NoMove,
    /// By the fifty-move rule: the halfmove clock is at 100.
    #[display("the halfmove clock has reached 100")]
    Clock,
    /// By repetition: the position stood on the board twice before.
    #[display("the position occurs for the third time")]
    Repetition,
    /// The mate takes more moves than the certificate states.
    #[display("the mate takes more moves than stated")]
    Moves,
}

/// The result of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proven {
    /// The number of moves in which the side to move mates; 0 or negative if it is mated. Against weaker play
    /// the mate may be shorter.
    pub moves: i32,
    /// The longest branch.
    pub line: Vec<Move>,
}

impl Certificate {
    /// Verifies the certificate for a position. The proven number of moves is at most the stated one.
    ///
    /// # Errors
    /// If it is damaged, or does not prove the mate in this position.
    pub fn replay(&self, root: &Chess) -> Result<Proven, CertificateError> {
        self.replay_among(root, HashSet::new())
    }

    /// The same for the present position of a game, in which positions that stood on the board twice are
    /// drawn when they occur again.
    ///
    /// # Errors
    /// As [`Certificate::replay`].
    pub fn replay_in(&self, game: &Game) -> Result<Proven, CertificateError> {
        self.replay_among(game.position(), stood_twice(game))
    }

    fn replay_among(&self, root: &Chess, drawn: HashSet<Chess>) -> Result<Proven, CertificateError> {
        let begin = || CertificateError::Claim(self.0.chars().take(12).collect());
        let (claim, symbols) = self.0.split_once(':').ok_or_else(begin)?;
        let claimed: i32 = claim.parse().map_err(|_| begin())?;
        let most = u16::try_from(claimed.unsigned_abs()).map_err(|_| begin())?;
        // There is one text for each number.
        let text = if claimed == 0 { "-0".to_owned() } else { claimed.to_string() };
        if most > MOST_MOVES || text != claim {
            return Err(begin());
        }
        let mut reader = CertificateReader {
            symbols: symbols.as_bytes(),
            read: 0,
            before: claim.len() + 1,
            standing: ProvenPositions::default(),
            drawn,
        };
        let moves = if claimed > 0 {
            i32::from(reader.mates(root, most)?)
        } else {
            -i32::from(reader.is_mated(root, most)?)
        };
        if reader.read < reader.symbols.len() {
            return Err(CertificateError::Long { at: reader.at() });
        }
        Ok(Proven { moves, line: reader.line(root, moves) })
    }
}

struct CertificateReader<'a> {
    symbols: &'a [u8],
    read: usize,
    /// The number of characters before the symbols.
    before: usize,
    standing: ProvenPositions,
    /// Positions that stood on the board twice before.
    drawn: HashSet<Chess>,
}

impl CertificateReader<'_> {
    /// The side to move mates. Returns the greatest number of moves that it needs.
    fn mates(&mut self, position: &Chess, to_go: u16) -> Result<u16, CertificateError> {
        if let Some(entry) = self.standing.serving(position, to_go) {
            return Ok(entry.moves);
        }
        let escaped = |escape| Err(CertificateError::Escape { escape, fen: board::fen(position) });
        let legal = sorted_moves(position);
        if legal.is_empty() {
            return escaped(Escape::NoMove);
        }
        if let Some(escape) = self.drawn(position) {
            return escaped(escape);
        }
        let Some(left) = to_go.checked_sub(1) else { return escaped(Escape::Moves) };
        let mv = self.take(position, &legal)?;
        let moves = self.is_mated(&board::after(position, mv), left)? + 1;
        self.standing.enter(position, ProvenEntry { moves, clock: position.halfmoves(), mv });
        Ok(moves)
    }

    /// The side to move is mated. Returns the greatest number of moves that this takes.
    fn is_mated(&mut self, position: &Chess, to_go: u16) -> Result<u16, CertificateError> {
        let escaped = |escape| Err(CertificateError::Escape { escape, fen: board::fen(position) });
        let replies = sorted_moves(position);
        if replies.is_empty() {
            return if position.is_check() { Ok(0) } else { escaped(Escape::NoMove) };
        }
        if let Some(escape) = self.drawn(position) {
            return escaped(escape);
        }
        if to_go == 0 {
            return escaped(Escape::Moves);
        }
        let mut longest = 0;
        for reply in replies {
            longest = longest.max(self.mates(&board::after(position, reply), to_go)?);
        }
        Ok(longest)
    }

    /// How a position with a legal move is drawn.
    fn drawn(&self, position: &Chess) -> Option<Escape> {
        if position.halfmoves() >= LAST_PLY {
            Some(Escape::Clock)
        } else if self.drawn.contains(position) {
            Some(Escape::Repetition)
        } else {
            None
        }
    }

    /// The character of the next symbol, counted from 1.
    fn at(&self) -> usize {
        self.before + self.read + 1
    }

    /// Reads the next move.
    fn take(&mut self, position: &Chess, legal: &[Move]) -> Result<Move, CertificateError> {
        let at = self.at();
        let mut times = 0;
        if let Some(prefix) = self.symbols.get(self.read).and_then(|&symbol| certificate::prefix_of(symbol)) {
            times = prefix;
            self.read += 1;
        }
        let Some(&symbol) = self.symbols.get(self.read) else {
            return Err(CertificateError::Short { at: self.before + self.read, fen: board::fen(position) });
        };
        let Some(digit) = certificate::digit_of(symbol) else {
            return Err(CertificateError::Symbol { at: self.at(), found: char::from(symbol) });
        };
        self.read += 1;
        let place = certificate::place_of(times, digit);
        let beyond = || CertificateError::Move { at, place, legal: legal.len(), fen: board::fen(position) };
        legal.get(place).copied().ok_or_else(beyond)
    }

    /// The longest line of the proof.
    fn line(&self, root: &Chess, moves: i32) -> Vec<Move> {
        let mut line = Vec::new();
        let mut position = root.clone();
        let mut to_go = moves.unsigned_abs() as u16;
        if moves < 0 {
            let Some(reply) = self.longest(&position, to_go) else { return line };
            line.push(reply);
            position.play_unchecked(reply);
        }
        while let Some(entry) = self.standing.serving(&position, to_go) {
            line.push(entry.mv);
            position.play_unchecked(entry.mv);
            to_go = entry.moves - 1;
            let Some(reply) = self.longest(&position, to_go) else { break };
            line.push(reply);
            position.play_unchecked(reply);
        }
        line
    }

    /// The first of the replies after which the mate takes longest.
    fn longest(&self, position: &Chess, to_go: u16) -> Option<Move> {
        let mut longest = None;
        for reply in sorted_moves(position) {
            let moves = self.standing.serving(&board::after(position, reply), to_go)?.moves;
            if longest.is_none_or(|(most, _)| moves > most) {
                longest = Some((moves, reply));
            }
        }
        longest.map(|(_, reply)| reply)
    }
}
