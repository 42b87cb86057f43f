//! The games of a block: tags, moves, what comments say, and the result.

use oracle::board::{Accept, FenError, Game};
use shakmaty::Position;

use super::blocks::{Block, MOST_BYTES};
use super::moves::{self, MoveFault, Unplayable};
use super::remark::Remark;
use super::start::{is_chess960, start};
use super::tokens::{Token, TokenFault, Tokens};
use crate::game::GameResult;

/// The most plies of a game. By the rule of 75 moves no game has more than 11,800.
pub const MOST_PLIES: usize = 12_000;

/// The tag with which the tags of a game begin. Where it comes again, a game without moves has ended.
const FIRST_TAG: &str = "Event";
/// The tag of the first position.
const FEN: &str = "FEN";

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
    /// How many moves at the beginning are of a book.
    pub(crate) fn book_plies(&self) -> usize {
        self.remarks.iter().take_while(|remark| remark.is_book).count()
    }

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
    /// A word cannot be played.
    #[error(transparent)]
    Move(#[from] Unplayable),
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

/// The games of a block, in its order. One that cannot be read is skipped up to its result, or to the next tags.
///
/// By the standard the first `}` closes a comment. If the games cannot be read so, comments may hold comments.
pub fn read(block: &Block) -> Vec<Result<PgnGame, UnreadableGame>> {
    if block.is_cut {
        return vec![Err(UnreadableGame { line: block.line, why: Unreadable::Large })];
    }
    let text = text(&block.bytes);
    let games = games(Tokens::new(&text), block.line);
    if games.iter().all(Result::is_ok) {
        return games;
    }
    let nested = self::games(Tokens::nested(&text), block.line);
    if nested.iter().all(Result::is_ok) { nested } else { games }
}

/// The text of bytes. Those that are not UTF-8 are ISO 8859-1, the character set of the standard.
fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
    }
    text
}

fn games(mut tokens: Tokens<'_>, first: u64) -> Vec<Result<PgnGame, UnreadableGame>> {
    let mut games = Vec::new();
    loop {
        match Reading::default().game(&mut tokens, first) {
            Ok(Some(game)) => games.push(Ok(game)),
            Ok(None) => return games,
            Err(error) => games.push(Err(error)),
        }
    }
}

/// A game that is being read.
#[derive(Default)]
struct Reading {
    tags: Vec<(String, String)>,
    /// The line of the tag `FEN`.
    fen_line: u64,
    /// The line in which it begins.
    line: Option<u64>,
    /// The game, once its tags are read.
    game: Option<PgnGame>,
    /// How many variations are open.
    depth: usize,
}

impl Reading {
    /// Reads the next game, if there is one. A game that cannot be read is passed.
    fn game(mut self, tokens: &mut Tokens<'_>, first: u64) -> Result<Option<PgnGame>, UnreadableGame> {
        let line = |tokens: &Tokens<'_>| first + tokens.line() as u64 - 1;
        loop {
            let before = *tokens;
            let read = tokens.next().map_err(Unreadable::from).and_then(|token| match token {
                Some(token) => self.add(token, line(tokens)),
                None => Ok(Next::End),
            });
            match read {
                Ok(Next::Token) => {}
                Ok(Next::Game) => {
                    *tokens = before;
                    break;
                }
                Ok(Next::End) => break,
                Err(why) => {
                    let error = self.error(why, line(tokens));
                    *tokens = before;
                    self.pass(tokens);
                    return Err(error);
                }
            }
        }
        self.end().map_err(|why| self.error(why, line(tokens)))
    }

    /// Takes the next token, which ends in this line.
    fn add(&mut self, token: Token<'_>, line: u64) -> Result<Next, Unreadable> {
        let has_begun = self.game.is_some() || !self.tags.is_empty();
        // A comment between games, or a result that stands twice.
        if matches!(token, Token::Comment(_) | Token::Result(_)) && !has_begun && self.depth == 0 {
            return Ok(Next::Token);
        }
        self.line.get_or_insert(line);
        match token {
            Token::Tag { .. } if self.depth > 0 => return Err(Unreadable::Variation),
            Token::Tag { name, .. } if self.begins(name) => return Ok(Next::Game),
            Token::Tag { name, value } => {
                if name == FEN {
                    self.fen_line = line;
                }
                self.tags.push((name.to_owned(), value));
            }
            Token::Open => self.depth += 1,
            Token::Close => self.depth = self.depth.checked_sub(1).ok_or(Unreadable::Closing)?,
            Token::Move(_) | Token::Comment(_) | Token::Result(_) if self.depth > 0 => {}
            Token::Move(text) => self.begun()?.play(text)?,
            Token::Comment(text) => self.begun()?.comment(text),
            Token::Result(result) => {
                self.begun()?.result = Some(result);
                return Ok(Next::End);
            }
        }
        Ok(Next::Token)
    }

    /// Whether a tag begins the next game.
    fn begins(&self, name: &str) -> bool {
        self.game.is_some() || name == FIRST_TAG && self.tags.iter().any(|(known, _)| known == FIRST_TAG)
    }

    /// The game, whose tags are over.
    fn begun(&mut self) -> Result<&mut PgnGame, Unreadable> {
        let game = if let Some(game) = self.game.take() {
            game
        } else {
            let game = begin(&self.tags)?;
            PgnGame::new(self.line.unwrap_or_default(), std::mem::take(&mut self.tags), game)
        };
        Ok(self.game.insert(game))
    }

    fn end(&mut self) -> Result<Option<PgnGame>, Unreadable> {
        if self.depth > 0 {
            return Err(Unreadable::Variation);
        }
        if !self.tags.is_empty() {
            self.begun()?;
        }
        Ok(self.game.take())
    }

    fn error(&self, why: Unreadable, line: u64) -> UnreadableGame {
        let line = if matches!(why, Unreadable::Position(_)) { self.fen_line } else { line };
        UnreadableGame { line, why }
    }

    /// Passes the rest of a game that cannot be read, from the token of the fault on. Its tags are none of the next game.
    fn pass(mut self, tokens: &mut Tokens<'_>) {
        let mut is_among_moves = self.game.is_some() || self.depth > 0;
        loop {
            let before = *tokens;
            match tokens.next() {
                Ok(None) => return,
                Err(fault) => tokens.skip(fault, is_among_moves),
                Ok(Some(Token::Result(_))) if self.depth == 0 => return,
                Ok(Some(Token::Tag { name, .. })) if is_among_moves || self.begins(name) => {
                    *tokens = before;
                    return;
                }
                Ok(Some(Token::Tag { name, value })) => self.tags.push((name.to_owned(), value)),
                Ok(Some(Token::Open)) => self.depth += 1,
                Ok(Some(Token::Close)) => self.depth = self.depth.saturating_sub(1),
                Ok(Some(Token::Move(_) | Token::Result(_))) => is_among_moves = true,
                Ok(Some(Token::Comment(_))) => {}
            }
        }
    }
}

/// What follows a token.
enum Next {
    /// The next token of the game.
    Token,
    /// The next game, which the token begins.
    Game,
    /// Nothing: the game is over.
    End,
}

/// A game without moves.
fn begin(tags: &[(String, String)]) -> Result<Game, Unreadable> {
    let tag = |name: &str| tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let variant = tag("Variant").unwrap_or_default();
    let is_chess960 = is_chess960(variant).ok_or_else(|| Unreadable::Variant(variant.to_owned()))?;
    let fen = tag(FEN).map(str::trim).filter(|fen| !["", "?", "-"].contains(fen));
    Ok(Game::at(start(fen, is_chess960, Accept::WrongRights)?))
}

impl PgnGame {
    fn new(line: u64, tags: Vec<(String, String)>, game: Game) -> Self {
        let (remarks, last_comment) = (Vec::new(), String::new());
        Self { line, tags, game, remarks, illegal: None, last_comment, result: None }
    }

    fn play(&mut self, text: &str) -> Result<(), Unreadable> {
        if self.illegal.is_some() {
            return Ok(());
        }
        if self.remarks.len() == MOST_PLIES {
            return Err(Unreadable::Plies);
        }
        let position = self.game.position();
        match moves::read(position, text) {
            Ok(mv) => {
                self.game.play(mv);
                self.remarks.push(Remark::default());
                self.last_comment.clear();
            }
            Err(fault) => {
                let word = Unplayable::new(position, text, fault);
                if fault != MoveFault::Illegal {
                    return Err(word.into());
                }
                self.illegal = Some(word.text);
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
