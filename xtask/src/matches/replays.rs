//! The commands that repeat what was found in a game: they ask an engine once more, in a fresh process.

use std::path::PathBuf;

use arbiter::game::{GameRecord, PlayerRecord};
use arbiter::tournament::journal::{EngineHeader, MatchHeader};
use suites::Replay;
use uci::Program;

use crate::own_tables;

/// How long a replay waits beside the time of the search, in seconds.
const LEAST: u64 = 2;
/// The most that a replay waits, in seconds: an engine may have hung for the whole patience of the match.
const MOST: u64 = 600;
/// The option that selects the castling of Chess960.
const CHESS960: &str = "UCI_Chess960";

/// The engines of a match, as its header has them.
pub(super) struct Replays {
    programs: Vec<Program>,
}

/// The setting of a header that has the working folder of an engine.
pub(super) fn folder_setting(engine: &str) -> String {
    format!("folder of {engine}")
}

/// The setting of a header for an engine whose processes are started in empty folders.
pub(super) fn isolated_setting(engine: &str) -> String {
    format!("isolated: {engine}")
}

/// The setting of a header that has the value of an environment variable of an engine.
pub(super) fn variable_setting(engine: &str, variable: &str) -> String {
    format!("variable of {engine}: {variable}")
}

impl Replays {
    pub(super) fn new(header: &MatchHeader) -> Self {
        let program = |engine: &EngineHeader| {
            let (path, arguments) = engine.command.split_first().unzip();
            let variables = variable_setting(&engine.name, "");
            let variable = |(name, value): (&String, &String)| {
                Some((name.strip_prefix(&variables)?.into(), value.into()))
            };
            Program {
                name: engine.name.clone(),
                path: path.map(PathBuf::from).unwrap_or_default(),
                arguments: arguments.into_iter().flatten().map(Into::into).collect(),
                directory: header.settings.get(&folder_setting(&engine.name)).map(PathBuf::from),
                isolated: header.settings.contains_key(&isolated_setting(&engine.name)),
                environment: header.settings.iter().filter_map(variable).collect(),
                options: engine.options.clone().into_iter().collect(),
                ..Program::default()
            }
        };
        Self { programs: header.engines.iter().map(program).collect() }
    }

    /// Asks a player for its move after so many plies, with the moves and clocks of the game. Only with a limit of time
    /// the wait follows from the time of the move, so that other matches have the same command in each run.
    pub(super) fn of_move(
        &self,
        record: &GameRecord,
        player: &PlayerRecord,
        ply: usize,
    ) -> anyhow::Result<Replay> {
        let Some(commands) = record.commands(ply)? else { return Ok(Replay::default()) };
        let played = record.moves.get(ply - record.opening.len());
        let took = played.map_or(0, |played| played.time);
        Ok(self.asks(record, player, &commands, took, false))
    }

    /// Sends the commands over which an engine failed. Before the first move they are those that begin a game; between
    /// two searches there are none.
    pub(super) fn of_fault(&self, record: &GameRecord) -> Replay {
        let Some((player, fault)) = record.failed() else { return Replay::default() };
        let begins = ["isready".to_owned()];
        let commands = match &fault.commands[..] {
            [] if record.moves.is_empty() => &begins,
            [] => return Replay::default(),
            commands => commands,
        };
        self.asks(record, player, commands, fault.took, fault.failure.is_none())
    }

    /// Waits twice as long as the search took in milliseconds, if time limits it.
    fn asks(
        &self,
        record: &GameRecord,
        player: &PlayerRecord,
        commands: &[String],
        took: u64,
        stop: bool,
    ) -> Replay {
        let Some(program) = self.programs.iter().find(|program| program.name == player.name) else {
            return Replay::default();
        };
        let twice = || took.saturating_mul(2).div_ceil(1000);
        let seconds = (LEAST + player.time_control.seconds_of_search().unwrap_or_else(twice)).min(MOST);
        let mut options = program.options.clone();
        options.extend(record.chess960.then(|| (CHESS960.to_owned(), "true".to_owned())));
        let lines: Vec<String> =
            ["ucinewgame".to_owned()].into_iter().chain(commands.iter().cloned()).collect();
        Replay::shell(program.replay(&options, &lines, seconds, stop))
    }
}

/// Prints what our own tables know of a position; none if it has too many men.
pub(super) fn of_position(fen: &str) -> Replay {
    let men = fen.split(' ').next().unwrap_or_default().chars().filter(char::is_ascii_alphabetic).count();
    if men > own_tables::MOST_MEN {
        return Replay::default();
    }
    Replay::touchstone(format_args!("tables probe \"{fen}\""))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The replay of a failure after so many milliseconds of a search.
    fn replay(control: &str, took: u64) -> String {
        let engine = json!({"name": "mine", "command": ["./mine"], "options": {}, "limit": ""});
        let schedule = json!({"rounds": 1, "seeds": null, "shard": [1, 1]});
        let openings = json!({
            "sha256": "", "plies": null, "is_shuffled": false, "start": 1, "is_chess960": false,
        });
        let header = json!({
            "format": 1, "engines": [engine], "schedule": schedule, "openings": openings, "seed": 1, "settings": {},
        });
        let player = json!({"name": "mine", "time_control": control});
        let fault = json!({
            "side": "white", "reason": "no bestmove", "failure": "process/hang", "took": took, "transcript": "",
            "commands": ["position startpos", "go"],
        });
        let record = json!({
            "white": player, "black": player, "fen": "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", "moves": [],
            "end": {"kind": "hang", "loser": "white"}, "fault": fault,
        });
        let replays = Replays::new(&serde_json::from_value(header).unwrap());
        replays.of_fault(&serde_json::from_value(record).unwrap()).to_string()
    }

    /// It waits longer than the engine was waited for, and no longer than ten minutes. Without a clock the limit says
    /// how long, so that each run has the same command.
    #[test]
    fn a_replay_waits_long_enough() {
        for (control, took, wait) in
            [("tc=8+0.08", 0, 2), ("tc=8+0.08", 1500, 5), ("tc=8+0.08", 1_000_000, 600), ("depth=1", 1500, 3)]
        {
            let replay = replay(control, took);
            let waits =
                format!("(printf '%s\\n' uci ucinewgame 'position startpos' go; sleep {wait}; echo quit) | ");
            assert!(replay.starts_with(&waits), "{control}, {took}: {replay}");
        }
    }
}
