//! One game between two engines, judged. Knows no match, no schedule and no file.

mod adjudication;
mod clock;
mod color_name;
mod end;
mod opening;
mod pgn;
mod record;
mod rules;
mod score_text;
mod tables;
mod time_control;

pub use adjudication::{Adjudication, AdjudicationError, Adjudicator, DrawScoreRule, ResignRule};
pub use clock::{Clock, FlagFall, go};
pub use end::{End, GameResult};
pub use opening::Opening;
pub use pgn::{PgnField, PgnTags, pgn};
pub use record::{EngineFault, GameRecord, PlayedMove, PlayerRecord};
pub use rules::{Rules, UnknownRules};
pub use tables::{TableResult, TableResults, TableRule, TableValue};
pub use time_control::{TimeControl, TimeControlError};
