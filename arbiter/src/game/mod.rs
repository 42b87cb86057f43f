//! One game between two engines, judged: clocks, the end by rules or adjudication, the record, and its PGN.
//!
//! Knows no match, no schedule and no file. [`play()`] plays a game between two running engines and returns
//! its [`GameRecord`]; [`pgn`] writes a record.
//!
//! # The order of judging
//! After each answer of an engine:
//! 1. **Time.** An answer that comes after the remaining time and the margin is late, whatever it says.
//! 2. **Legality.** A move that is not legal loses, and so does an answer that is no move.
//! 3. **The rules**, see [`End::by_rules`]: checkmate, also on the hundredth ply without a capture or pawn
//!    move; stalemate; dead material; the fifty moves; repetition. Moves of the opening count, and so does
//!    the halfmove clock of the first FEN.
//! 4. **Adjudication**, see [`Adjudicator::end`]: tables, resignation, draws by score, number of moves.
//!
//! # Rules
//! No engine can claim a draw by UCI, so that threefold repetition and the fifty moves end a game by
//! themselves under all [`Rules`]. They differ in what a late answer is if the other side cannot mate:
//!
//! | rules | late answer, and the other side cannot mate |
//! |---|---|
//! | [`Fide`](Rules::Fide) | draw (Laws of Chess, 6.9: no series of legal moves mates) |
//! | [`Lichess`](Rules::Lichess) | draw if the men of both sides allow no mate, else loss |
//! | [`Cutechess`](Rules::Cutechess) | draw if it has its king alone, else loss (as of commit 5e84232b of 2026) |
//! | [`Fastchess`](Rules::Fastchess) | loss (as of commit 74deac23 of 2026) |
//!
//! The men of both sides decide for lichess, as shakmaty does: a lone knight can mate a king that has a rook
//! beside it, and cannot mate one that has only a queen. For FIDE [`oracle::helpmate`] decides: pawns that block
//! each other, or a forced capture, may rule out each mate. Where it is undecided, the late side loses.
//!
//! fastchess looks at legality before time, and cutechess at time first, as is done here.

mod adjudication;
mod clock;
mod color_name;
mod end;
mod opening;
mod pgn;
mod play;
mod processor;
mod record;
mod rules;
mod score_rules;
mod score_text;
mod tables;
mod time_control;

pub use adjudication::{Adjudication, Adjudicator};
pub use clock::{Clock, FlagFall, go};
pub(crate) use end::side_name;
pub use end::{End, GameResult};
pub use opening::{Opening, START_FEN};
pub use pgn::{PgnField, PgnTags, pgn};
pub use play::{Conditions, Player, play};
pub use processor::ProcessorUse;
pub use record::{EngineFault, GameRecord, PlayedMove, PlayerRecord};
pub use rules::{Rules, UnknownRules};
pub use score_rules::{AdjudicationError, DrawScoreRule, ResignRule};
pub use tables::{TableResult, TableResults, TableRule, TableValue};
pub use time_control::{TimeControl, TimeControlError};
