//! Believes a certificate as far as shakmaty's moves bear it out. Knows nothing of the search that wrote it.

use std::collections::HashSet;

use shakmaty::{Chess, Move, Position};

use super::certificate::{self, Certificate, Entry, LAST_PLY, Standing, sorted_moves};
use super::{MOST_MOVES, stood_twice};
use crate::board::{self, Game};

/// Why a certificate proves nothing. Places are counted in characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It does not begin with a claim.
    #[error("expected a claim such as \"3:\" or \"-2:\" of at most {MOST_MOVES} moves, got \"{0}\"")]
    TableValue(String),
    /// A character that stands for nothing.
    #[error("character {at}: {found:?} stands for no move")]
    Symbol {
        /// Where.
        at: usize,
        /// What stands there.
        found: char,
    },
    /// It ends before the proof does.
    #[error("it ends after {at} characters, where a move is due in {fen}")]
    Short {
        /// Its length.
        at: usize,
        /// The position that is left unproven.
        fen: String,
    },
    /// It goes on when the proof is complete.
    #[error("character {at}: the proof is complete before it")]
    Long {
        /// Where the rest begins.
        at: usize,
    },
    /// A place beyond the legal moves.
    #[error("character {at}: move {place} of {legal} in {fen}")]
    Move {
        /// Where.
        at: usize,
        /// Which place, counted from 0.
        place: usize,
        /// How many legal moves there are.
        legal: usize,
        /// In which position.
        fen: String,
    },
    /// The side that should be mated is not.
    #[error("{escape} in {fen}")]
    Escape {
        /// How it gets away.
        escape: Escape,
        /// Where.
        fen: String,
    },
}

/// How a side is not mated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// Stalemate, or the side that should mate has no move.
    NoMove,
    /// The clock has reached 100.
    Clock,
    /// The position stood twice in the game before.
    Repetition,
    /// The moves of the claim are used up.
    Moves,
}

impl std::fmt::Display for Escape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoMove => "the game ends without the mate",
            Self::Clock => "the halfmove clock has reached 100",
            Self::Repetition => "the position stands for the third time",
            Self::Moves => "the moves of the claim are used up",
        })
    }
}

/// What a certificate proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proven {
    /// The side to move mates in so many moves; if not above 0, is mated in so many; the other side may do worse.
    pub moves: i32,
    /// The longest branch.
    pub line: Vec<Move>,
}

impl Certificate {
    /// What it proves of a position: a number of moves that is at most that of its claim.
    ///
    /// # Errors
    /// If it is damaged, or proves nothing of this position.
    pub fn replay(&self, root: &Chess) -> Result<Proven, Fault> {
        self.replay_among(root, HashSet::new())
    }

    /// The same of the present position of a game, in which what stood twice before is a draw.
    ///
    /// # Errors
    /// As [`Certificate::replay`].
    pub fn replay_in(&self, game: &Game) -> Result<Proven, Fault> {
        self.replay_among(game.position(), stood_twice(game))
    }

    fn replay_among(&self, root: &Chess, drawn: HashSet<Chess>) -> Result<Proven, Fault> {
        let begin = || Fault::TableValue(self.0.chars().take(12).collect());
        let (claim, symbols) = self.0.split_once(':').ok_or_else(begin)?;
        let claimed: i32 = claim.parse().map_err(|_| begin())?;
        let most = u16::try_from(claimed.unsigned_abs()).map_err(|_| begin())?;
        // One claim has one text.
        let text = if claimed == 0 { "-0".to_owned() } else { claimed.to_string() };
        if most > MOST_MOVES || text != claim {
            return Err(begin());
        }
        let mut reader = Reader {
            symbols: symbols.as_bytes(),
            read: 0,
            before: claim.len() + 1,
            standing: Standing::default(),
            drawn,
        };
        let moves = if claimed > 0 {
            i32::from(reader.mates(root, most)?)
        } else {
            -i32::from(reader.is_mated(root, most)?)
        };
        if reader.read < reader.symbols.len() {
            return Err(Fault::Long { at: reader.at() });
        }
        Ok(Proven { moves, line: reader.line(root, moves) })
    }
}

struct Reader<'a> {
    symbols: &'a [u8],
    read: usize,
    /// Characters of the claim.
    before: usize,
    standing: Standing,
    /// Positions that stood twice before.
    drawn: HashSet<Chess>,
}

impl Reader<'_> {
    /// The side to move mates: in how many moves at the latest.
    fn mates(&mut self, position: &Chess, to_go: u16) -> Result<u16, Fault> {
        if let Some(entry) = self.standing.serving(position, to_go) {
            return Ok(entry.moves);
        }
        let escaped = |escape| Err(Fault::Escape { escape, fen: board::fen(position) });
        let legal = sorted_moves(position);
        if legal.is_empty() {
            return escaped(Escape::NoMove);
        }
        if let Some(escape) = self.drawn(position) {
            return escaped(escape);
        }
        let Some(left) = to_go.checked_sub(1) else { return escaped(Escape::Moves) };
        let mv = self.take(position, &legal)?;
        let mut after = position.clone();
        after.play_unchecked(mv);
        let moves = self.is_mated(&after, left)? + 1;
        self.standing.enter(position, Entry { moves, clock: position.halfmoves(), mv });
        Ok(moves)
    }

    /// The side to move is mated: in how many moves at the latest.
    fn is_mated(&mut self, position: &Chess, to_go: u16) -> Result<u16, Fault> {
        let escaped = |escape| Err(Fault::Escape { escape, fen: board::fen(position) });
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
            let mut after = position.clone();
            after.play_unchecked(reply);
            longest = longest.max(self.mates(&after, to_go)?);
        }
        Ok(longest)
    }

    /// How a position in which somebody has a move is drawn.
    fn drawn(&self, position: &Chess) -> Option<Escape> {
        if position.halfmoves() >= LAST_PLY {
            Some(Escape::Clock)
        } else if self.drawn.contains(position) {
            Some(Escape::Repetition)
        } else {
            None
        }
    }

    /// The place in the text, counted from 1, of the next symbol.
    fn at(&self) -> usize {
        self.before + self.read + 1
    }

    /// The next move.
    fn take(&mut self, position: &Chess, legal: &[Move]) -> Result<Move, Fault> {
        let at = self.at();
        let mut times = 0;
        if let Some(prefix) = self.symbols.get(self.read).and_then(|&symbol| certificate::prefix_of(symbol)) {
            times = prefix;
            self.read += 1;
        }
        let Some(&symbol) = self.symbols.get(self.read) else {
            return Err(Fault::Short { at: self.before + self.read, fen: board::fen(position) });
        };
        let Some(digit) = certificate::digit_of(symbol) else {
            return Err(Fault::Symbol { at: self.at(), found: char::from(symbol) });
        };
        self.read += 1;
        let place = certificate::place_of(times, digit);
        let beyond = || Fault::Move { at, place, legal: legal.len(), fen: board::fen(position) };
        legal.get(place).copied().ok_or_else(beyond)
    }

    /// The longest branch, as far as it is entered.
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
            let mut after = position.clone();
            after.play_unchecked(reply);
            let moves = self.standing.serving(&after, to_go)?.moves;
            if longest.is_none_or(|(most, _)| moves > most) {
                longest = Some((moves, reply));
            }
        }
        longest.map(|(_, reply)| reply)
    }
}
