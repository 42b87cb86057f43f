//! How a game ended, its result, and the order in which ends are judged.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Position};

use oracle::board::{DrawRule, Game};

use super::color_name;

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum End {
    /// The last move mates.
    Checkmate {
        /// The side that mates.
        #[serde(with = "color_name")]
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The position stands on the board for the third time.
    Repetition,
    /// 100 plies have passed without a capture or pawn move.
    FiftyMoves,
    /// No side can mate with the men that it has.
    DeadMaterial,
    /// The answer came when the time was over.
    TimeForfeit {
        /// The side whose answer was late.
        #[serde(with = "color_name")]
        loser: Color,
    },
    /// The answer came when the time was over, and the other side cannot mate: a draw by the rules of the
    /// match.
    FlagFallDraw {
        /// The side whose answer was late.
        #[serde(with = "color_name")]
        late: Color,
    },
    /// The answer is a move that is not legal.
    IllegalMove {
        /// The side that made it.
        #[serde(with = "color_name")]
        loser: Color,
        /// The move as it was printed, cut if it is long.
        text: String,
    },
    /// The answer is no move in UCI notation, or there was too much output.
    BadAnswer {
        /// The side that gave it.
        #[serde(with = "color_name")]
        loser: Color,
        /// The answer, cut if it is long, or what was wrong with the output.
        text: String,
    },
    /// The process ended, or closed its output.
    Crash {
        /// The side whose process it was.
        #[serde(with = "color_name")]
        loser: Color,
    },
    /// The process runs and gave no answer, not even after `stop`.
    Hang {
        /// The side whose process it was.
        #[serde(with = "color_name")]
        loser: Color,
    },
    /// Adjudicated as won: the scores of the other side were low for long enough.
    ResignAdjudication {
        /// The side that is better.
        #[serde(with = "color_name")]
        winner: Color,
    },
    /// Adjudicated as drawn: the scores of both sides were near zero for long enough.
    DrawAdjudication,
    /// Adjudicated as won by endgame tables.
    TableWin {
        /// The side that wins.
        #[serde(with = "color_name")]
        winner: Color,
    },
    /// Adjudicated as drawn by endgame tables.
    TableDraw,
    /// Adjudicated as drawn: the game is as long as games of the match may be.
    MaxMoves,
    /// The match was stopped. The game is unfinished and counts for nothing.
    Interrupted,
}

suites::words! {
    /// The result of a game, as PGN writes it.
    pub enum GameResult: "result of a game" {
        /// White won.
        WhiteWins = "1-0",
        /// Black won.
        BlackWins = "0-1",
        /// Nobody won.
        Draw = "1/2-1/2",
        /// The game was not finished. It never counts.
        Unfinished = "*",
    }
}

impl GameResult {
    /// The result of a game that this side won.
    pub fn won_by(winner: Color) -> Self {
        winner.fold_wb(Self::WhiteWins, Self::BlackWins)
    }
}

impl End {
    /// The end that the rules give a game in its present position; `None` if it goes on. A match has no
    /// player who could claim a draw, so that repetition and the fifty moves end it by themselves.
    ///
    /// The order matters where several ends meet on one ply: checkmate, also on the hundredth ply without a
    /// capture or pawn move; stalemate; dead material; the fifty moves; repetition. Earlier positions are
    /// those of the whole [`Game`], moves of an opening book included, and the fifty moves begin with the
    /// halfmove clock of its FEN.
    pub fn by_rules(game: &Game) -> Option<Self> {
        let position = game.position();
        if position.legal_moves().is_empty() {
            let is_mate = position.is_check();
            return Some(if is_mate {
                Self::Checkmate { winner: !position.turn() }
            } else {
                Self::Stalemate
            });
        }
        Self::with_moves_left(game, game.length() - 1)
    }

    /// The same of a position after so many plies in which there is a legal move.
    ///
    /// # Panics
    /// If the game has fewer positions.
    pub(crate) fn with_moves_left(game: &Game, ply: usize) -> Option<Self> {
        if game.positions()[ply].is_insufficient_material() {
            return Some(Self::DeadMaterial);
        }
        game.drawn_at(ply).map(|rule| match rule {
            DrawRule::FiftyMoves => Self::FiftyMoves,
            DrawRule::Repetition => Self::Repetition,
        })
    }

    /// The result.
    pub fn result(&self) -> GameResult {
        match *self {
            Self::Checkmate { winner } | Self::ResignAdjudication { winner } | Self::TableWin { winner } => {
                GameResult::won_by(winner)
            }
            Self::TimeForfeit { loser }
            | Self::IllegalMove { loser, .. }
            | Self::BadAnswer { loser, .. }
            | Self::Crash { loser }
            | Self::Hang { loser } => GameResult::won_by(!loser),
            Self::Stalemate
            | Self::Repetition
            | Self::FiftyMoves
            | Self::DeadMaterial
            | Self::FlagFallDraw { .. }
            | Self::DrawAdjudication
            | Self::TableDraw
            | Self::MaxMoves => GameResult::Draw,
            Self::Interrupted => GameResult::Unfinished,
        }
    }

    /// Its kind, without the side: the words by which ends are counted.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Checkmate { .. } => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "3-fold repetition",
            Self::FiftyMoves => "fifty moves",
            Self::DeadMaterial => "insufficient material",
            Self::TimeForfeit { .. } => "loss on time",
            Self::FlagFallDraw { .. } => "draw on time",
            Self::IllegalMove { .. } => "illegal move",
            Self::BadAnswer { .. } => "no move",
            Self::Crash { .. } => "crash",
            Self::Hang { .. } => "hang",
            Self::ResignAdjudication { .. } => "adjudicated loss",
            Self::DrawAdjudication => "adjudicated draw",
            Self::TableWin { .. } => "win by tables",
            Self::TableDraw => "draw by tables",
            Self::MaxMoves => "maximum of moves",
            Self::Interrupted => "unfinished",
        }
    }

    /// The value of the tag `Termination`: a word of cutechess. Where it writes none, the word of the PGN standard.
    pub fn termination(&self) -> &'static str {
        match self {
            Self::Checkmate { .. }
            | Self::Stalemate
            | Self::Repetition
            | Self::FiftyMoves
            | Self::DeadMaterial => "normal",
            Self::TimeForfeit { .. } | Self::FlagFallDraw { .. } => "time forfeit",
            Self::IllegalMove { .. } | Self::BadAnswer { .. } => "illegal move",
            Self::Crash { .. } => "abandoned",
            Self::Hang { .. } => "stalled connection",
            Self::ResignAdjudication { .. }
            | Self::DrawAdjudication
            | Self::TableWin { .. }
            | Self::TableDraw
            | Self::MaxMoves => "adjudication",
            Self::Interrupted => "unterminated",
        }
    }

    /// The side whose engine ended the game with a fault, a late answer included.
    pub fn at_fault(&self) -> Option<Color> {
        match *self {
            Self::TimeForfeit { loser: side }
            | Self::FlagFallDraw { late: side }
            | Self::IllegalMove { loser: side, .. }
            | Self::BadAnswer { loser: side, .. }
            | Self::Crash { loser: side }
            | Self::Hang { loser: side } => Some(side),
            _ => None,
        }
    }

    /// The side whose engine crashed, hung, or gave an illegal move or none. A late answer is no such fault.
    pub fn failed(&self) -> Option<Color> {
        self.at_fault().filter(|_| self.termination() != "time forfeit")
    }

    /// Whether the game was ended by adjudication.
    pub fn is_adjudicated(&self) -> bool {
        self.termination() == "adjudication"
    }
}

impl fmt::Display for End {
    /// A sentence without full stop, in the words of cutechess where it has some.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checkmate { winner } => write!(f, "{} mates", side_name(*winner)),
            Self::Stalemate => f.write_str("Draw by stalemate"),
            Self::Repetition => f.write_str("Draw by 3-fold repetition"),
            Self::FiftyMoves => f.write_str("Draw by fifty moves rule"),
            Self::DeadMaterial => f.write_str("Draw by insufficient mating material"),
            Self::TimeForfeit { loser } => write!(f, "{} loses on time", side_name(*loser)),
            Self::FlagFallDraw { late } => {
                write!(f, "Draw: {} is out of time, and {} cannot mate", side_name(*late), side_name(!*late))
            }
            Self::IllegalMove { loser, text } => {
                write!(f, "{} makes an illegal move: {text}", side_name(*loser))
            }
            Self::BadAnswer { loser, text } => write!(f, "{} gives no move: {text}", side_name(*loser)),
            Self::Crash { loser } => write!(f, "{} disconnects", side_name(*loser)),
            Self::Hang { loser } => write!(f, "{}'s connection stalls", side_name(*loser)),
            Self::ResignAdjudication { winner } => write!(f, "{} wins by adjudication", side_name(*winner)),
            Self::DrawAdjudication => f.write_str("Draw by adjudication"),
            Self::TableWin { winner } => {
                write!(f, "{} wins by adjudication: endgame tables", side_name(*winner))
            }
            Self::TableDraw => f.write_str("Draw by adjudication: endgame tables"),
            Self::MaxMoves => f.write_str("Draw by adjudication: maximum number of moves"),
            Self::Interrupted => f.write_str("Unfinished: the match was stopped"),
        }
    }
}

/// The name of a side in sentences.
pub(crate) fn side_name(side: Color) -> &'static str {
    side.fold_wb("White", "Black")
}

#[cfg(test)]
mod tests {
    use oracle::board::{Accept, Spelling, position};

    use super::*;

    const WHITE: Color = Color::White;
    const BLACK: Color = Color::Black;

    /// The end after these moves.
    #[track_caller]
    fn check(fen: &str, moves: &str, expected: impl Into<Option<End>>) {
        let mut game = Game::at(position(fen, Accept::Legal).unwrap());
        for text in moves.split_whitespace() {
            assert_eq!(End::by_rules(&game), None, "{fen}: before {text}");
            game.play_text(text, Spelling::Exact).unwrap();
        }
        assert_eq!(End::by_rules(&game), expected.into(), "{fen} {moves}");
    }

    #[test]
    fn mate_goes_before_the_fifty_moves() {
        check("k7/8/1K6/8/8/8/8/7R w - - 99 80", "h1h8", Some(End::Checkmate { winner: WHITE }));
        check("k7/8/1K6/8/8/8/8/7R w - - 99 80", "h1h7", Some(End::FiftyMoves));
        check("k7/8/1K6/8/8/8/8/7R w - - 98 80", "h1h7", None);
        check("7r/8/8/8/8/1k6/8/K7 b - - 98 80", "h8h1", Some(End::Checkmate { winner: BLACK }));
    }

    #[test]
    fn stalemate_and_dead_material_are_drawn() {
        check("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7", Some(End::Stalemate));
        check("k7/8/1K6/8/8/8/8/2Q5 w - - 99 80", "c1c7", Some(End::Stalemate));
        check("8/8/8/8/8/k7/1p6/1K6 b - - 0 1", "a3b3", Some(End::Stalemate));
        check("8/8/8/4k3/8/8/3pK3/8 w - - 0 1", "e2d2", Some(End::DeadMaterial));
        check("8/8/8/4k3/8/8/3pK1N1/8 w - - 0 1", "e2d2", Some(End::DeadMaterial));
        check("8/8/8/4k1b1/8/8/3pK1B1/8 w - - 0 1", "e2d1", None);
        // A bishop on each side, on squares of one colour.
        check("8/8/5b2/4k3/8/8/3pK3/2B5 w - - 0 1", "e2d2", Some(End::DeadMaterial));
        check("8/8/4b3/4k3/8/8/3pK3/2B5 w - - 0 1", "e2d2", None);
    }

    #[test]
    fn the_third_occurrence_counts_from_the_first_position() {
        let (start, round) = ("8/8/8/4k3/8/8/4P3/R3K3 w - - 0 1", "a1a2 e5e4 a2a1 e4e5 ");
        check(start, round, None);
        check(start, &round.repeat(2), Some(End::Repetition));
        // The right to castle makes the first position another one.
        let castle = "8/8/8/4k3/8/8/4P3/R3K3 w Q - 0 1";
        check(castle, &round.repeat(2), None);
        check(castle, &(round.repeat(2) + "a1a2"), Some(End::Repetition));
    }

    #[test]
    fn an_en_passant_square_counts_only_if_the_capture_is_legal() {
        let round = "e8d8 e1d1 d8e8 d1e1 ";
        // Nobody can take: after two rounds the position stands there for the third time.
        let free = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        check(free, &format!("e2e4 {}", round.repeat(2)), Some(End::Repetition));
        // The pawn on d4 can take at first, so that the position is another one.
        let taken = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
        check(taken, &format!("e2e4 {}", round.repeat(2)), None);
        check(taken, &format!("e2e4 {}e8d8", round.repeat(2)), Some(End::Repetition));
    }

    #[test]
    fn the_halfmove_clock_of_the_fen_counts() {
        check("8/8/8/4k3/8/8/4P3/R3K3 w - - 98 90", "a1a2 e5e4", Some(End::FiftyMoves));
        check("8/8/8/4k3/8/8/4P3/R3K3 w - - 97 90", "a1a2 e5d4 e2e3", None);
        check("8/8/8/4k3/8/8/4P3/R3K3 w - - 100 90", "", Some(End::FiftyMoves));
    }

    #[test]
    fn each_end_has_result_word_and_sentence() {
        let check = |end: End, result: &str, word: &str, sentence: &str| {
            let (found, words) = (end.result().to_string(), end.to_string());
            assert_eq!((found.as_str(), end.termination(), words.as_str()), (result, word, sentence));
            let json = serde_json::to_string(&end).unwrap();
            assert_eq!(serde_json::from_str::<End>(&json).unwrap(), end, "{json}");
        };
        let text = || "e2e5".to_owned();
        check(End::Checkmate { winner: WHITE }, "1-0", "normal", "White mates");
        check(End::Stalemate, "1/2-1/2", "normal", "Draw by stalemate");
        check(End::Repetition, "1/2-1/2", "normal", "Draw by 3-fold repetition");
        check(End::FiftyMoves, "1/2-1/2", "normal", "Draw by fifty moves rule");
        check(End::DeadMaterial, "1/2-1/2", "normal", "Draw by insufficient mating material");
        check(End::TimeForfeit { loser: WHITE }, "0-1", "time forfeit", "White loses on time");
        let fallen = "Draw: Black is out of time, and White cannot mate";
        check(End::FlagFallDraw { late: BLACK }, "1/2-1/2", "time forfeit", fallen);
        let illegal = End::IllegalMove { loser: BLACK, text: text() };
        check(illegal, "1-0", "illegal move", "Black makes an illegal move: e2e5");
        let none = End::BadAnswer { loser: WHITE, text: "(none)".to_owned() };
        check(none, "0-1", "illegal move", "White gives no move: (none)");
        check(End::Crash { loser: WHITE }, "0-1", "abandoned", "White disconnects");
        check(End::Hang { loser: BLACK }, "1-0", "stalled connection", "Black's connection stalls");
        let adjudication = "adjudication";
        check(End::ResignAdjudication { winner: BLACK }, "0-1", adjudication, "Black wins by adjudication");
        check(End::DrawAdjudication, "1/2-1/2", adjudication, "Draw by adjudication");
        let tables = "White wins by adjudication: endgame tables";
        check(End::TableWin { winner: WHITE }, "1-0", adjudication, tables);
        check(End::TableDraw, "1/2-1/2", adjudication, "Draw by adjudication: endgame tables");
        check(End::MaxMoves, "1/2-1/2", adjudication, "Draw by adjudication: maximum number of moves");
        check(End::Interrupted, "*", "unterminated", "Unfinished: the match was stopped");
    }

    #[test]
    fn an_end_is_stored_with_its_kind() {
        let json = serde_json::to_string(&End::Checkmate { winner: BLACK }).unwrap();
        assert_eq!(json, r#"{"kind":"checkmate","winner":"black"}"#);
        assert!(serde_json::from_str::<End>(r#"{"kind":"checkmate","winner":"red"}"#).is_err());
    }
}
