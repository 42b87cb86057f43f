//! One game between two engines, judged. Knows no match, no schedule and no file.

mod clock;
mod color_name;
mod end;
mod rules;
mod time_control;

pub use clock::{Clock, FlagFall, go};
pub use end::{End, GameResult};
pub use rules::{Rules, UnknownRules};
pub use time_control::{TimeControl, TimeControlError};
