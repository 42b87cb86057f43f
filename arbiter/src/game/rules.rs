//! What a flag fall is when the other side cannot mate.

use std::fmt;
use std::str::FromStr;

use oracle::helpmate::{NoMate, cannot_mate};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Position};

use super::end::End;

/// Whose rules decide on a flag fall, see the table in the documentation of [`game`](super).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// FIDE's Laws of Chess.
    #[default]
    Fide,
    /// The program fastchess.
    Fastchess,
    /// The program cutechess.
    Cutechess,
    /// The site lichess.org.
    Lichess,
}

/// A text is the name of no rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is none of fide, fastchess, cutechess and lichess")]
pub struct UnknownRules(String);

impl Rules {
    /// All rules.
    pub const ALL: [Self; 4] = [Self::Fide, Self::Fastchess, Self::Cutechess, Self::Lichess];

    /// How a game ends in which the answer of this side came too late. `position` is the position in which it
    /// was to move.
    pub fn flag_fall(self, position: &Chess, late: Color) -> End {
        match self.draws(position, late) {
            Some(_) => End::FlagFallDraw { late },
            None => End::TimeForfeit { loser: late },
        }
    }

    /// Why the other side cannot mate, if that makes the flag fall of this side a draw.
    pub fn draws(self, position: &Chess, late: Color) -> Option<NoMate> {
        match self {
            Self::Fide => cannot_mate(position, !late),
            Self::Lichess => position.has_insufficient_material(!late).then_some(NoMate::Material),
            Self::Cutechess => {
                let board = position.board();
                (board.by_color(!late) & !board.kings()).is_empty().then_some(NoMate::Material)
            }
            Self::Fastchess => None,
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fide => "fide",
            Self::Fastchess => "fastchess",
            Self::Cutechess => "cutechess",
            Self::Lichess => "lichess",
        })
    }
}

impl FromStr for Rules {
    type Err = UnknownRules;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|rules| rules.to_string() == text);
        known.ok_or_else(|| UnknownRules(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use oracle::board::{Accept, position};

    use super::*;

    /// White is to move and late. Whether the rules draw the game.
    #[track_caller]
    fn check(fen: &str, [fide, fastchess, cutechess, lichess]: [bool; 4]) {
        let position = position(fen, Accept::Legal).unwrap();
        for (rules, is_drawn) in Rules::ALL.into_iter().zip([fide, fastchess, cutechess, lichess]) {
            let (late, loser) = (Color::White, Color::White);
            let expected = if is_drawn { End::FlagFallDraw { late } } else { End::TimeForfeit { loser } };
            assert_eq!(rules.flag_fall(&position, late), expected, "{rules}: {fen}");
        }
    }

    #[test]
    fn a_flag_fall_against_a_side_that_cannot_mate() {
        check("4k3/8/8/8/8/8/4P3/4K2Q w - - 0 1", [true, false, true, true]);
        let drawn = [true, false, false, true];
        // A queen cannot help a knight to mate, but a rook or a pawn can.
        check("4kn2/8/8/8/8/8/8/4K2Q w - - 0 1", drawn);
        check("4kn2/8/8/8/8/8/8/4K2R w - - 0 1", [false; 4]);
        check("4kn2/8/8/8/8/8/4P3/4K3 w - - 0 1", [false; 4]);
        // A bishop needs a man of the other side on its squares, or a knight or pawn.
        check("4kb2/8/8/8/8/8/8/4K2R w - - 0 1", drawn);
        check("4kb2/8/8/8/8/8/8/4K2N w - - 0 1", [false; 4]);
        check("4kr2/8/8/8/8/8/8/4K2Q w - - 0 1", [false; 4]);
        check("4k3/4p3/8/8/8/8/8/4K2Q w - - 0 1", [false; 4]);
        // Pawns that block each other, and a capture that is forced. lichess counts men alone.
        let by_fide = [true, false, false, false];
        check("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", by_fide);
        check("8/8/8/8/8/8/1q6/K2k4 w - - 0 1", by_fide);
        check("4k3/8/8/p3p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", [false; 4]);
    }

    #[test]
    fn names_are_read_and_written() {
        for rules in Rules::ALL {
            assert_eq!(rules.to_string().parse(), Ok(rules));
            assert_eq!(serde_json::to_string(&rules).unwrap(), format!("\"{rules}\""));
        }
        let error = "FIDE".parse::<Rules>().unwrap_err().to_string();
        assert_eq!(error, "\"FIDE\" is none of fide, fastchess, cutechess and lichess");
        assert_eq!(Rules::default(), Rules::Fide);
    }
}
