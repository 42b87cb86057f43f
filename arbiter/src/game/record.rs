//! A played game as data, for journals: what was played, what the engines said, and how it ended.
//!
//! All texts that an engine can print are bounded here.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color, Position};
use uci::{Bound, Info, Score, Search};

use oracle::board::{Game, GameError, Spelling, epd, fen};

use super::clock::{Clock, FlagFall, go, whole_milliseconds};
use super::end::{End, GameResult};
use super::opening::{Opening, append_move};
use super::processor::ProcessorUse;
use super::time_control::TimeControl;
use super::{color_name, score_text};
use crate::move_text::is_uci_move;

/// The longest name of a player, in bytes.
pub(super) const MOST_NAME: usize = 200;
/// The longest text of an answer that is no legal move, in bytes.
pub(super) const MOST_ANSWER: usize = 80;
/// The longest description of a failure, in bytes.
const MOST_REASON: usize = 500;
/// The most bytes of a transcript, the last ones.
const MOST_TRANSCRIPT: usize = 16 << 10;
/// The most moves of a principal variation.
const MOST_PV: usize = 60;

/// A game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The player of White.
    pub white: PlayerRecord,
    /// The player of Black.
    pub black: PlayerRecord,
    /// The FEN of the first position.
    pub fen: String,
    /// Whether castling is that of Chess960.
    #[serde(default, skip_serializing_if = "is_default")]
    pub chess960: bool,
    /// The moves before those of the engines, in UCI notation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub opening: Vec<String>,
    /// The moves of the engines. All are legal.
    pub moves: Vec<PlayedMove>,
    /// How the game ended.
    pub end: End,
    /// More about the end, if an engine is at fault.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fault: Option<EngineFault>,
    /// How often the game was played before and did not count, since a starved engine was late.
    #[serde(default, skip_serializing_if = "is_default")]
    pub replays: u32,
}

/// A player of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// The name.
    pub name: String,
    /// The limits of its searches.
    pub time_control: TimeControl,
    /// How many times it printed `bestmove` unasked. They are ignored.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unasked: u64,
    /// What it got of the processor, if a clock limits its searches.
    #[serde(default, skip_serializing_if = "is_default")]
    pub processor: ProcessorUse,
}

/// A move of an engine, and what it printed about it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlayedMove {
    /// The move in UCI notation.
    pub uci: String,
    /// The last exact score from the view of the mover.
    #[serde(default, skip_serializing_if = "is_default", with = "score_text")]
    pub score: Option<Score>,
    /// The depth of that score in plies; the last depth without one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub depth: Option<u32>,
    /// The greatest depth in plies.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seldepth: Option<u32>,
    /// Nodes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub nodes: Option<u64>,
    /// Nodes per second.
    #[serde(default, skip_serializing_if = "is_default")]
    pub nps: Option<u64>,
    /// How full the hash table is, in permille.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tbhits: Option<u64>,
    /// The principal variation of the score, in UCI notation. It ends before a text that is no move.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pv: Vec<String>,
    /// From `go` to `bestmove` by our clock, in whole milliseconds.
    pub time: u64,
    /// The processor time of the engine's process meanwhile, in milliseconds, where the system reports it and a clock
    /// limits the search.
    #[serde(default, skip_serializing_if = "is_default")]
    pub processor: Option<u64>,
    /// What stands on the clock after the move, in milliseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub clock: Option<u64>,
}

/// What an engine did wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineFault {
    /// Its side.
    #[serde(with = "color_name")]
    pub side: Color,
    /// The id of the check that reports a failure of its process, such as `process/crash`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub failure: Option<String>,
    /// What happened, in words.
    pub reason: String,
    /// The time of a late answer.
    #[serde(default, skip_serializing_if = "is_default")]
    pub late: Option<FlagFall>,
    /// How long the search took, in milliseconds; 0 outside a search.
    #[serde(default, skip_serializing_if = "is_default")]
    pub took: u64,
    /// The commands that it was answering. Empty outside a search.
    #[serde(default, skip_serializing_if = "is_default")]
    pub commands: Vec<String>,
    /// The last lines of its session.
    pub transcript: String,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl GameRecord {
    /// The result.
    pub fn result(&self) -> GameResult {
        self.end.result()
    }

    /// The player of a side.
    pub fn player(&self, side: Color) -> &PlayerRecord {
        side.fold_wb(&self.white, &self.black)
    }

    /// The player whose engine crashed, hung, or gave an illegal move or none, with what it did. A late answer
    /// loses the game, and is no such fault.
    pub fn failed(&self) -> Option<(&PlayerRecord, &EngineFault)> {
        let side = self.end.failed()?;
        Some((self.player(side), self.fault.as_ref()?))
    }

    /// The players that got less than half of the processor while they were ready to run.
    pub fn starved(&self) -> impl Iterator<Item = &PlayerRecord> {
        [&self.white, &self.black].into_iter().filter(|player| player.processor.is_starved())
    }

    /// Whether an engine was late that was starved.
    pub fn is_starved_flag_fall(&self) -> bool {
        let late = self.end.at_fault().filter(|_| self.end.termination() == "time forfeit");
        late.is_some_and(|side| self.player(side).processor.is_starved())
    }

    /// The last position as EPD, with the halfmove clock (`hmvc`) and the number of the move (`fmvn`). A move
    /// that is not legal was not played.
    ///
    /// # Errors
    /// As [`game`](Self::game).
    pub fn end_position(&self) -> Result<String, GameError> {
        Ok(epd(&fen(self.game()?.position())))
    }

    /// The commands by which the engine was asked that was to move after so many plies. `None` for plies of the
    /// opening, and beyond the last position. The clocks follow from the times of the moves.
    ///
    /// # Errors
    /// If the opening is not legal.
    pub fn commands(&self, ply: usize) -> Result<Option<[String; 2]>, GameError> {
        let played = ply.checked_sub(self.opening.len()).and_then(|count| self.moves.get(..count));
        let Some(played) = played else { return Ok(None) };
        let opening = Opening::new(&self.fen, self.chess960, &self.opening)?;
        let mut command = opening.command();
        let mut side = opening.game().position().turn();
        let mut clocks =
            ByColor { white: &self.white, black: &self.black }.map(|player| Clock::new(player.time_control));
        for PlayedMove { uci, time, .. } in played {
            append_move(&mut command, uci);
            // A move of a record was in time.
            let _ = clocks.get_mut(side).charge(Duration::from_millis(*time));
            side = !side;
        }
        Ok(Some([command, go(side, &clocks)]))
    }

    /// The game with all its positions.
    ///
    /// # Errors
    /// If the first position or a move is not legal, which no record of [`play`](super::play()) is.
    pub fn game(&self) -> Result<Game, GameError> {
        let mut game = Opening::new(&self.fen, self.chess960, &self.opening)?.game().clone();
        for played in &self.moves {
            game.play_text(&played.uci, Spelling::Tolerant)?;
        }
        Ok(game)
    }
}

impl PlayedMove {
    /// The move of a search. `uci` is the move as it is written to engines.
    pub fn new(uci: String, search: &Search) -> Self {
        let mut played = Self { uci, time: whole_milliseconds(search.took), ..Self::default() };
        let best = || search.infos.iter().map(|(_, info)| info).filter(|info| info.multipv.unwrap_or(1) == 1);
        let exact = |info: &&Info| matches!(info.score, Some((_, Bound::Exact)));
        let scored = best().rfind(exact);
        let deepest = scored.or_else(|| best().rfind(|info| info.depth.is_some()));
        played.score = scored.and_then(|info| info.score).map(|(score, _)| score);
        played.depth = deepest.and_then(|info| info.depth);
        played.seldepth = deepest.and_then(|info| info.seldepth);
        let pv = scored.and_then(|info| info.pv.as_deref()).unwrap_or_default();
        played.pv = pv.iter().take_while(|text| is_uci_move(text)).take(MOST_PV).cloned().collect();
        for (_, info) in &search.infos {
            played.nodes = info.nodes.or(played.nodes);
            played.nps = info.nps.or(played.nps);
            played.hashfull = info.hashfull.or(played.hashfull);
            played.tbhits = info.tbhits.or(played.tbhits);
        }
        played
    }
}

impl EngineFault {
    /// A fault, with its texts cut to their bounds.
    pub fn new(side: Color, reason: &str, commands: Vec<String>, transcript: &str) -> Self {
        let from = transcript.ceil_char_boundary(transcript.len().saturating_sub(MOST_TRANSCRIPT));
        Self {
            side,
            failure: None,
            reason: bounded(reason, MOST_REASON),
            late: None,
            took: 0,
            commands,
            transcript: transcript[from..].to_owned(),
        }
    }
}

/// A text of at most this many bytes, with blanks in place of control characters.
pub(super) fn bounded(text: &str, most: usize) -> String {
    let cut = &text[..text.floor_char_boundary(most)];
    cut.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uci::Message;

    use super::*;

    /// The move of a search with these lines of `info`.
    fn played(lines: &[&str]) -> PlayedMove {
        let infos = lines.iter().map(|line| match Message::read(line) {
            Message::Info(info) => (Duration::ZERO, *info),
            message => panic!("{message:?}"),
        });
        let took = Duration::from_micros(12_999);
        PlayedMove::new("e2e4".to_owned(), &Search { infos: infos.collect(), took, ..Search::default() })
    }

    #[test]
    fn the_last_exact_score_counts() {
        let found = played(&[
            "info depth 5 seldepth 7 score cp 20 nodes 100 nps 1000 pv e2e4 e7e5",
            "info depth 6 score cp 300 lowerbound nodes 200 tbhits 3 pv d2d4",
            "info depth 6 multipv 2 score cp -90 pv a2a3",
            "info nodes 250 hashfull 4",
        ]);
        let expected = PlayedMove {
            uci: "e2e4".to_owned(),
            score: Some(Score::Centipawns(20)),
            depth: Some(5),
            seldepth: Some(7),
            nodes: Some(250),
            nps: Some(1000),
            hashfull: Some(4),
            tbhits: Some(3),
            pv: vec!["e2e4".to_owned(), "e7e5".to_owned()],
            time: 12,
            processor: None,
            clock: None,
        };
        assert_eq!(found, expected);
        let bound = played(&["info depth 6 score cp 300 upperbound", "info depth 7 currmove e2e4"]);
        assert_eq!((bound.score, bound.depth), (None, Some(7)));
    }

    #[test]
    fn texts_of_engines_are_bounded() {
        let long = format!("info depth 1 score cp 0 pv {}", "g1f3 ".repeat(5000));
        assert_eq!(played(&[&long]).pv.len(), MOST_PV);
        assert_eq!(played(&["info depth 1 score cp 0 pv e2e4 <script> e7e5"]).pv, ["e2e4"]);
        let fault = EngineFault::new(Color::White, &"é".repeat(999), Vec::new(), &"ü".repeat(99_999));
        assert_eq!((fault.reason.len(), fault.transcript.len()), (MOST_REASON, MOST_TRANSCRIPT));
        let fault = EngineFault::new(Color::White, "", Vec::new(), &format!("{}xü", "ü".repeat(99_999)));
        assert!(fault.transcript.len() < MOST_TRANSCRIPT && fault.transcript.ends_with("üxü"));
        assert_eq!(bounded("a\nb\u{7f}é", 5), "a b ");
    }

    fn record() -> GameRecord {
        let player = |name: &str| PlayerRecord {
            name: name.to_owned(),
            time_control: "tc=8+0.08".parse().unwrap(),
            unasked: 0,
            processor: ProcessorUse::default(),
        };
        let played = PlayedMove { uci: "e7e5".to_owned(), time: 5, ..PlayedMove::default() };
        GameRecord {
            white: player("A"),
            black: player("B"),
            fen: Opening::default().fen().to_owned(),
            chess960: false,
            opening: vec!["e2e4".to_owned()],
            moves: vec![PlayedMove { score: Some(Score::Mate(-2)), clock: Some(7), ..played }],
            end: End::Crash { loser: Color::White },
            fault: None,
            replays: 0,
        }
    }

    #[test]
    fn starved_engines_and_their_late_answers() {
        let mut record = record();
        let late = |side| [End::TimeForfeit { loser: side }, End::FlagFallDraw { late: side }];
        record.black.processor = ProcessorUse { ran: 400, waited: 900 };
        assert_eq!(record.starved().map(|player| player.name.as_str()).collect::<Vec<_>>(), ["B"]);
        assert!(!record.is_starved_flag_fall(), "White crashed");
        for (side, expected) in [(Color::White, false), (Color::Black, true)] {
            for end in late(side) {
                assert_eq!(GameRecord { end, ..record.clone() }.is_starved_flag_fall(), expected);
            }
        }
        record.end = End::Crash { loser: Color::Black };
        assert!(!record.is_starved_flag_fall(), "a crash is none of the machine");
    }

    #[test]
    fn a_record_is_one_line_of_json() {
        let mut record = record();
        let json = serde_json::to_string(&record).unwrap();
        let expected = r#"{"white":{"name":"A","time_control":"tc=8+0.08"},"black":{"name":"B","time_control":"tc=8+0.08"},"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","opening":["e2e4"],"moves":[{"uci":"e7e5","score":"mate -2","time":5,"clock":7}],"end":{"kind":"crash","loser":"white"}}"#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<GameRecord>(&json).unwrap(), record);
        let mut fault = EngineFault::new(Color::White, "it ended", vec!["go".to_owned()], "1\n2\n");
        fault.late = Some(FlagFall { took: 2, had: 1 });
        fault.failure = Some("process/crash".to_owned());
        record.fault = Some(fault);
        record.chess960 = true;
        record.white.unasked = 3;
        record.white.processor = ProcessorUse { ran: 1, waited: 2 };
        record.replays = 2;
        let json = serde_json::to_string(&record).unwrap();
        assert!(!json.contains('\n') && json.contains(r#""transcript":"1\n2\n""#), "{json}");
        assert_eq!(serde_json::from_str::<GameRecord>(&json).unwrap(), record);
        assert!(serde_json::from_str::<GameRecord>(&json.replace("mate -2", "mate")).is_err());
    }

    #[test]
    fn the_commands_of_each_move_follow_from_the_record() {
        let mut record = record();
        record.white.time_control = "tc=2/1+0.1".parse().unwrap();
        record.black.time_control = "st=2".parse().unwrap();
        let played = |uci: &str, time| PlayedMove { uci: uci.to_owned(), time, ..PlayedMove::default() };
        record.moves = vec![played("e7e5", 5), played("g1f3", 400), played("b8c6", 7), played("f1b5", 100)];
        let check = |ply: usize, moves: &str, go: &str| {
            let commands = [format!("position startpos moves {moves}"), go.to_owned()];
            assert_eq!(record.commands(ply).unwrap(), Some(commands));
        };
        check(1, "e2e4", "go movetime 2000");
        check(2, "e2e4 e7e5", "go wtime 1000 winc 100 movestogo 2");
        check(4, "e2e4 e7e5 g1f3 b8c6", "go wtime 700 winc 100 movestogo 1");
        check(5, "e2e4 e7e5 g1f3 b8c6 f1b5", "go movetime 2000");
        assert_eq!(record.commands(0).unwrap(), None);
        assert_eq!(record.commands(6).unwrap(), None);
        record.fen = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1".to_owned();
        record.opening.clear();
        record.moves.clear();
        let start = format!("position fen {}", record.fen);
        assert_eq!(record.commands(0).unwrap().map(|[position, _]| position), Some(start));
        record.opening.push("e2e5".to_owned());
        assert!(record.commands(1).is_err());
    }

    #[test]
    fn a_record_is_played_again() {
        let mut record = record();
        assert_eq!(record.game().unwrap().uci_moves(), ["e2e4", "e7e5"]);
        assert_eq!(
            (record.result(), record.player(Color::Black).name.as_str()),
            (GameResult::BlackWins, "B")
        );
        let epd = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;";
        assert_eq!(record.end_position().unwrap(), epd);
        record.moves[0].uci = "e7e4".to_owned();
        assert_eq!(record.game().unwrap_err().to_string(), "e7e4 is not legal after 1 moves");
    }
}
