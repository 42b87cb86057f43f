//! The result of a game.

use serde::{Deserialize, Serialize};

suites::words! {
    /// The result of a game, as PGN writes it.
    #[derive(Serialize, Deserialize)]
    pub enum GameResult: "result of a game" {
        /// White wins.
        #[serde(rename = "1-0")]
        WhiteWins = "1-0",
        /// Black wins.
        #[serde(rename = "0-1")]
        BlackWins = "0-1",
        /// The game is drawn.
        #[serde(rename = "1/2-1/2")]
        Draw = "1/2-1/2",
        /// The game was not finished. It never counts.
        #[serde(rename = "*")]
        Unfinished = "*",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_words_of_pgn() {
        for result in GameResult::ALL {
            let json = serde_json::to_string(&result).unwrap();
            assert_eq!(json, format!("\"{result}\""));
            assert_eq!(serde_json::from_str::<GameResult>(&json).unwrap(), result);
        }
    }
}
