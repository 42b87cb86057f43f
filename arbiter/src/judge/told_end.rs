//! The end that a game names: in the comment of its last move, as match runners write it, or in its tags
//! (`TerminationDetails` is one of TCEC).

use shakmaty::Color;

use crate::pgn::PgnGame;

/// An end that a game names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToldEnd {
    Checkmate,
    Stalemate,
    DeadMaterial,
    Repetition,
    FiftyMoves,
    /// A loss on time; of this side, if it is named.
    Time(Option<Color>),
    /// An adjudication.
    Adjudication {
        /// Whether tables gave it.
        by_tables: bool,
    },
    /// One that chess does not decide: a crash, an illegal move, a game that was given up.
    Unnatural,
    /// None.
    Other,
}

/// The sentences of cutechess and fastchess, in small letters.
const SENTENCES: [(&str, ToldEnd); 12] = [
    ("white mates", ToldEnd::Checkmate),
    ("black mates", ToldEnd::Checkmate),
    ("draw by stalemate", ToldEnd::Stalemate),
    ("draw by insufficient mating material", ToldEnd::DeadMaterial),
    ("draw by 3-fold repetition", ToldEnd::Repetition),
    ("draw by fifty moves rule", ToldEnd::FiftyMoves),
    ("white loses on time", ToldEnd::Time(Some(Color::White))),
    ("black loses on time", ToldEnd::Time(Some(Color::Black))),
    ("draw by timeout", ToldEnd::Time(None)),
    ("draw by adjudication", ToldEnd::Adjudication { by_tables: false }),
    ("white wins by adjudication", ToldEnd::Adjudication { by_tables: false }),
    ("black wins by adjudication", ToldEnd::Adjudication { by_tables: false }),
];

/// The words of an adjudication by tables.
const BY_TABLES: [&str; 4] = ["syzygytb", "tablebase", "tb position", "endgame tables"];

impl ToldEnd {
    /// The end that a game names. A comment counts if it ends with a sentence of a runner, after a comma or alone.
    pub(crate) fn of(game: &PgnGame) -> Self {
        let last = game.last_comment.rsplit(", ").next().unwrap_or_default();
        let details = game.tag("TerminationDetails");
        let told =
            sentence(last).or_else(|| sentence(details)).or_else(|| sentence(&format!("draw by {details}")));
        told.unwrap_or_else(|| match game.tag("Termination").to_lowercase().as_str() {
            "time forfeit" => Self::Time(None),
            "adjudication" => Self::Adjudication { by_tables: names_tables(details) },
            "" | "normal" | "?" => Self::Other,
            _ => Self::Unnatural,
        })
    }

    /// The words of an end on the board.
    pub(super) fn on_board(self) -> Option<&'static str> {
        match self {
            Self::Checkmate => Some("checkmate"),
            Self::Stalemate => Some("stalemate"),
            Self::DeadMaterial => Some("insufficient material"),
            Self::Repetition => Some("3-fold repetition"),
            Self::FiftyMoves => Some("fifty moves"),
            Self::Time(_) | Self::Adjudication { .. } | Self::Unnatural | Self::Other => None,
        }
    }
}

/// Whether tables adjudicated.
fn names_tables(details: &str) -> bool {
    BY_TABLES.contains(&&*details.trim().to_lowercase())
}

fn sentence(text: &str) -> Option<ToldEnd> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let (text, detail) = text.split_once(": ").unwrap_or((&text, ""));
    // fastchess says by how much an answer was late.
    let text = text.split_once(" (").map_or(text, |(text, _)| text);
    let (_, told) = SENTENCES.iter().find(|(words, _)| *words == text)?;
    Some(match told {
        ToldEnd::Adjudication { .. } => ToldEnd::Adjudication { by_tables: names_tables(detail) },
        told => *told,
    })
}
