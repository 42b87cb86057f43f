//! Why a game ended, in the words of fastchess and cutechess. The client of `OpenBench` finds `disconnect`,
//! `stalls`, `on time` and `illegal` among them.
//!
//! All are ASCII without braces and colons, apart from the colon before a detail, and hold no text of an
//! engine but a move in UCI notation.

use shakmaty::Color;

use super::OutputStyle;
use crate::game::{End, GameRecord, side_name as name};

impl OutputStyle {
    /// Why a game ended. A draw by flag fall is none of fastchess; both styles have the words of cutechess.
    pub fn reason(self, record: &GameRecord) -> String {
        let won = |winner: Color, detail: &str| format!("{} wins by adjudication{detail}", name(winner));
        match &record.end {
            End::Checkmate { winner } => format!("{} mates", name(*winner)),
            End::Stalemate => "Draw by stalemate".to_owned(),
            End::Repetition => "Draw by 3-fold repetition".to_owned(),
            End::FiftyMoves => "Draw by fifty moves rule".to_owned(),
            End::DeadMaterial => "Draw by insufficient mating material".to_owned(),
            End::TimeForfeit { loser } => {
                format!("{} loses on time{}", name(*loser), self.overrun(record))
            }
            End::FlagFallDraw { .. } => "Draw by timeout".to_owned(),
            End::IllegalMove { loser, text } if self == Self::Cutechess => {
                format!("{} makes an illegal move: {text}", name(*loser))
            }
            End::IllegalMove { loser, .. } | End::BadAnswer { loser, .. } => {
                format!("{} makes an illegal move", name(*loser))
            }
            End::Crash { loser } => format!("{} disconnects", name(*loser)),
            End::Hang { loser } => format!("{}'s connection stalls", name(*loser)),
            End::ResignAdjudication { winner } => won(*winner, ""),
            End::TableWin { winner } => won(*winner, ": SyzygyTB"),
            End::DrawAdjudication => "Draw by adjudication".to_owned(),
            End::TableDraw => "Draw by adjudication: SyzygyTB".to_owned(),
            End::MaxMoves => match self {
                Self::Fastchess => "Draw by adjudication".to_owned(),
                Self::Cutechess => "Draw by adjudication: maximal game length".to_owned(),
            },
            End::Interrupted => match self {
                Self::Fastchess => "Game interrupted".to_owned(),
                Self::Cutechess => "No result".to_owned(),
            },
        }
    }

    /// By how much an answer was late. cutechess does not say it.
    fn overrun(self, record: &GameRecord) -> String {
        let late = record.fault.as_ref().and_then(|fault| fault.late);
        match (self, late) {
            (Self::Fastchess, Some(late)) => format!(" ({}ms overrun)", late.took.saturating_sub(late.had)),
            _ => String::new(),
        }
    }
}
