//! The games of a block: tags, moves, what comments say, and the result.

use oracle::board::{Accept, FenError, Game};
use shakmaty::{Color, Position};

use super::blocks::{Block, MOST_BYTES};
use super::moves::{self, MoveFault};
use super::remark::Remark;
use super::start::{is_chess960, start};
use super::tokens::{Token, TokenFault, Tokens};
use crate::game::GameResult;

/// The most plies of a game. By the rule of 75 moves no game has more than 11,800.
pub const MOST_PLIES: usize = 12_000;

/// The tag with which the tags of a game begin. Where it comes again, a game without moves has ended.
const FIRST_TAG: &str = "Event";

/// A game of a file.
#[derive(Debug, Clone)]
pub struct PgnGame {
    /// The line in which it begins, from 1.
    pub line: u64,
    /// Its tags, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Its moves, as far as they are legal.
    pub game: Game,
    /// What the comments of each move say.
    pub remarks: Vec<Remark>,
    /// The move that is not legal after these, if there is one: what the file says. The game is not read further.
    pub illegal: Option<String>,
    /// The last comment of its moves.
    pub last_comment: String,
    /// The result after its moves.
    pub result: Option<GameResult>,
}

impl PgnGame {
    /// The value of a tag; empty if there is none.
    pub fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

/// A game that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct UnreadableGame {
    /// The line of the fault, from 1.
    pub line: u64,
    /// What is wrong.
    pub why: Unreadable,
}

/// Why a game cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The game is too large.
    #[error("the game has more than {} MiB", MOST_BYTES >> 20)]
    Large,
    /// A text is no PGN.
    #[error(transparent)]
    Token(#[from] TokenFault),
    /// The first position is none.
    #[error(transparent)]
    Position(#[from] FenError),
    /// The game is of a variant of chess that is not judged.
    #[error("the variant is \"{0}\", and only standard chess and Chess960 are judged")]
    Variant(String),
    /// A word is not the move that it should be.
    #[error(transparent)]
    Move(PgnMoveFault),
    /// The game has too many moves.
    #[error("the game has more than {MOST_PLIES} plies")]
    Plies,
    /// A variation is not closed.
    #[error("a variation is opened with ( and not closed")]
    Variation,
    /// A variation is closed and was not opened.
    #[error("a ) closes no variation")]
    Closing,
}

/// A word that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PgnMoveFault {
    /// It is no move.
    #[error("{number} \"{text}\" is no move")]
    NoMove {
        /// The number of the move with its dots: `12.` of White, `12...` of Black.
        number: String,
        /// The word, cut if it is long.
        text: String,
    },
    /// It stands for several legal moves.
    #[error("{number} {text} can be more than one move")]
    Ambiguous {
        /// The number of the move with its dots.
        number: String,
        /// The word.
        text: String,
    },
}

/// The games of a block, in its order. After one that cannot be read the rest of the block is skipped.
///
/// By the standard the first `}` closes a comment. If the games cannot be read so, comments may hold comments.
pub fn read(block: &Block) -> Vec<Result<PgnGame, UnreadableGame>> {
    if block.is_cut {
        return vec![Err(UnreadableGame { line: block.line, why: Unreadable::Large })];
    }
    let text = String::from_utf8_lossy(&block.bytes);
    let games = games(Tokens::new(&text), block.line);
    if games.iter().all(Result::is_ok) {
        return games;
    }
    let nested = self::games(Tokens::nested(&text), block.line);
    if nested.iter().all(Result::is_ok) { nested } else { games }
}

fn games(mut tokens: Tokens<'_>, first: u64) -> Vec<Result<PgnGame, UnreadableGame>> {
    let mut games = Vec::new();
    loop {
        match game(&mut tokens, first) {
            Ok(Some(game)) => games.push(Ok(game)),
            Ok(None) => return games,
            Err(why) => {
                let line = first + tokens.line() as u64 - 1;
                games.push(Err(UnreadableGame { line, why }));
                return games;
            }
        }
    }
}

/// Reads the next game, if there is one. The place stays in the line of a fault.
fn game(tokens: &mut Tokens<'_>, first: u64) -> Result<Option<PgnGame>, Unreadable> {
    let mut tags = Vec::new();
    let mut reading: Option<PgnGame> = None;
    let mut line = None;
    let mut depth = 0_usize;
    loop {
        let before = *tokens;
        let Some(token) = tokens.next()? else { break };
        // A comment between games.
        if matches!(token, Token::Comment(_)) && reading.is_none() && tags.is_empty() {
            continue;
        }
        let begun = *line.get_or_insert(first + tokens.line() as u64 - 1);
        match token {
            Token::Tag { .. } if depth > 0 => return Err(Unreadable::Variation),
            Token::Tag { name, .. } if reading.is_some() || name == FIRST_TAG && has(&tags, FIRST_TAG) => {
                *tokens = before;
                break;
            }
            Token::Tag { name, value } => tags.push((name.to_owned(), value)),
            Token::Open => depth += 1,
            Token::Close => depth = depth.checked_sub(1).ok_or(Unreadable::Closing)?,
            Token::Move(_) | Token::Comment(_) | Token::Result(_) if depth > 0 => {}
            token => {
                let game = match &mut reading {
                    Some(game) => game,
                    None => reading.insert(begin(std::mem::take(&mut tags), begun)?),
                };
                match token {
                    Token::Move(text) => game.play(text)?,
                    Token::Comment(text) => game.comment(text),
                    Token::Result(result) => {
                        game.result = Some(result);
                        break;
                    }
                    Token::Tag { .. } | Token::Open | Token::Close => {}
                }
            }
        }
    }
    if depth > 0 {
        return Err(Unreadable::Variation);
    }
    match (reading, line) {
        (None, Some(begun)) if !tags.is_empty() => begin(tags, begun).map(Some),
        (game, _) => Ok(game),
    }
}

fn has(tags: &[(String, String)], name: &str) -> bool {
    tags.iter().any(|(known, _)| known == name)
}

/// A game without moves.
fn begin(tags: Vec<(String, String)>, line: u64) -> Result<PgnGame, Unreadable> {
    let tag = |name: &str| tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let variant = tag("Variant").unwrap_or_default();
    let is_chess960 = is_chess960(variant).ok_or_else(|| Unreadable::Variant(variant.to_owned()))?;
    let start = start(tag("FEN"), is_chess960, Accept::Unreachable)?;
    let game = Game::at(start);
    Ok(PgnGame {
        line,
        tags,
        game,
        remarks: Vec::new(),
        illegal: None,
        last_comment: String::new(),
        result: None,
    })
}

impl PgnGame {
    fn play(&mut self, text: &str) -> Result<(), Unreadable> {
        if self.illegal.is_some() {
            return Ok(());
        }
        if self.remarks.len() == MOST_PLIES {
            return Err(Unreadable::Plies);
        }
        let number = || {
            let position = self.game.position();
            let dots = if position.turn() == Color::White { "." } else { "..." };
            format!("{}{dots}", position.fullmoves())
        };
        let short = || text.chars().take(40).collect::<String>();
        match moves::read(self.game.position(), text) {
            Ok(mv) => {
                self.game.play(mv);
                self.remarks.push(Remark::default());
                self.last_comment.clear();
            }
            Err(MoveFault::Illegal) => self.illegal = Some(short()),
            Err(MoveFault::NoMove) => {
                return Err(Unreadable::Move(PgnMoveFault::NoMove { number: number(), text: short() }));
            }
            Err(MoveFault::Ambiguous) => {
                return Err(Unreadable::Move(PgnMoveFault::Ambiguous { number: number(), text: short() }));
            }
        }
        Ok(())
    }

    /// Reads a comment. One before the first move belongs to the game.
    fn comment(&mut self, text: &str) {
        if self.illegal.is_some() {
            return;
        }
        text.clone_into(&mut self.last_comment);
        let mover = !self.game.position().turn();
        if let Some(remark) = self.remarks.last_mut() {
            remark.add(text, mover);
        }
    }
}
