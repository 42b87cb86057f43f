//! The settings of a match that a scripted game needs.

/// When a side is adjudicated to have lost: it scored so many of its moves in a row at `-score` or less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resign {
    /// Moves of the side.
    pub move_count: u32,
    /// Centipawns.
    pub score: u32,
    /// Whether the other side must have scored its moves at `score` or more.
    pub two_sided: bool,
}

/// When a game is adjudicated as drawn: both sides scored so many of their moves in a row within `score`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreDraw {
    /// Not before this number of moves.
    pub move_number: u32,
    /// Moves of each side.
    pub move_count: u32,
    /// Centipawns.
    pub score: u32,
}

/// The settings of a match.
///
/// | word | meaning |
/// |---|---|
/// | `tc=MOVES/SECONDS` | the clock of each side, as cutechess writes it; without it each search has one node |
/// | `margin=N` | answers may be late by so many milliseconds |
/// | `resign=COUNT/SCORE` | adjudication by scores; `resign=COUNT/SCORE/both` if both sides must agree |
/// | `draw=NUMBER/COUNT/SCORE` | adjudication of draws by scores |
/// | `maxmoves=N` | a draw after so many moves of each side |
/// | `tables` | adjudication by tables |
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MatchSettings {
    /// The clock.
    pub clock: Option<String>,
    /// Milliseconds.
    pub margin: Option<u32>,
    /// Losses by scores.
    pub resign: Option<Resign>,
    /// Draws by scores.
    pub draw: Option<ScoreDraw>,
    /// Moves of each side.
    pub max_moves: Option<u32>,
    /// Whether tables adjudicate.
    pub tables: bool,
}

impl MatchSettings {
    /// What the words have to be.
    pub(super) const EXPECTED: &str = "settings such as tc=40/60, margin=N, resign=COUNT/SCORE[/both], draw=NUMBER/COUNT/SCORE, \
                                       maxmoves=N, tables";

    /// Reads the settings of a game.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut read = Self::default();
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let parts: Vec<&str> = value.split('/').collect();
            match (key, &parts[..]) {
                ("tc", _) if !value.is_empty() => read.clock = Some(value.to_owned()),
                ("margin", _) => read.margin = Some(value.parse().ok()?),
                ("resign", [count, score, both @ ..]) if matches!(both, [] | ["both"]) => {
                    let two_sided = !both.is_empty();
                    let (move_count, score) = (count.parse().ok()?, score.parse().ok()?);
                    read.resign = Some(Resign { move_count, score, two_sided });
                }
                ("draw", [from, count, score]) => {
                    let (move_number, move_count) = (from.parse().ok()?, count.parse().ok()?);
                    read.draw = Some(ScoreDraw { move_number, move_count, score: score.parse().ok()? });
                }
                ("maxmoves", _) => read.max_moves = Some(value.parse().ok()?),
                ("tables", _) if word == "tables" => read.tables = true,
                _ => return None,
            }
        }
        Some(read)
    }
}
