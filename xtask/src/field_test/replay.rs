//! Runs the replay of a finding, and looks for the finding in what the engine prints.
//!
//! The text is read without the parsers that judged the engine, as a user would read it.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::process::{Command, Stdio};

use rayon::prelude::*;
use reports::field_report::ReplayResult;
use suites::{Answer, Difference, End, EngineScore, Then, ToldScore};

/// How many replays run at the same time.
const SIDE_BY_SIDE: usize = 4;
/// The exit code of `timeout` if it ended the engine.
const TIMED_OUT: i32 = 124;
/// The exit code of a shell for a process that a signal ended: this and the number of the signal.
const SIGNAL: i32 = 128;

/// The most bytes that are read of the output.
const MOST_OUTPUT: u64 = 16 << 20;

/// What a replay printed, and how it ended.
struct Replayed {
    code: Option<i32>,
    output: String,
}

/// Runs the replays of findings, some side by side: they wait most of the time. The results are by command.
pub(super) fn all(found: &[&Difference]) -> BTreeMap<String, ReplayResult> {
    let run = || found.par_iter().map(|found| (found.replay.to_string(), replay(found))).collect();
    match rayon::ThreadPoolBuilder::new().num_threads(SIDE_BY_SIDE).build() {
        Ok(pool) => pool.install(run),
        Err(_) => run(),
    }
}

/// Runs the replay of a finding. The command ends by itself: `timeout` is part of it.
fn replay(found: &Difference) -> ReplayResult {
    let command = &*found.replay;
    // A command without an engine process asks this program.
    if !command.contains(" timeout ") {
        return ReplayResult::Untold;
    }
    match run(command).ok().and_then(|replayed| replayed.shows(found)) {
        Some(true) => ReplayResult::Shown,
        Some(false) => ReplayResult::NotShown,
        None => ReplayResult::Untold,
    }
}

fn run(command: &str) -> io::Result<Replayed> {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = shell.spawn()?;
    let mut output = Vec::new();
    // After that the pipe is closed, which ends the engine.
    child.stdout.take().map(|pipe| pipe.take(MOST_OUTPUT).read_to_end(&mut output)).transpose()?;
    let code = child.wait()?.code();
    Ok(Replayed { code, output: String::from_utf8_lossy(&output).into_owned() })
}

impl Replayed {
    /// Whether the finding comes again. `None` if the output does not tell, such as how late a line came.
    fn shows(&self, found: &Difference) -> Option<bool> {
        match &found.stored {
            // The engine prints another text, such as `cp 31999`.
            Answer::Score(ToldScore { score: EngineScore::Mate(_), mate_in_one: Some(_), .. }) => None,
            Answer::Score(ToldScore { score: EngineScore::Mate(moves), .. }) => Some(
                self.output.lines().any(|line| format!("{line} ").contains(&format!("score mate {moves} "))),
            ),
            Answer::Score(ToldScore { score: EngineScore::Centipawns(centipawns), .. }) => {
                Some(self.has_score_like((*centipawns).into()))
            }
            Answer::BestMove { text, .. } | Answer::NoScore(Then::Move(text)) => Some(self.names(text)),
            Answer::Silent { awaited, .. } if awaited == "bestmove" => {
                Some(self.answers("bestmove") < asked(found, "go"))
            }
            Answer::Silent { awaited, .. } if awaited == "readyok" => {
                Some(self.answers("readyok") < asked(found, "isready"))
            }
            Answer::LivesOn => Some(self.ended_with(TIMED_OUT)),
            Answer::Ended { end: End::Status(code), .. } => Some(self.ended_with(*code)),
            Answer::Ended { end: End::Signal(signal, _), .. } => Some(self.ended_with(SIGNAL + signal)),
            _ => None,
        }
    }

    /// Whether the engine ended with this exit code. Some replays print it.
    fn ended_with(&self, code: i32) -> bool {
        let printed = format!("status {code}");
        self.code == Some(code) || self.output.lines().any(|line| line == printed)
    }

    /// Whether a score is of the same sign and at least half as great: a search by time does not give the
    /// same number again.
    fn has_score_like(&self, centipawns: i64) -> bool {
        let scores = self.output.split("score cp ").skip(1);
        let mut scores = scores.filter_map(|rest| rest.split_whitespace().next()?.parse::<i64>().ok());
        scores.any(|score| score.signum() == centipawns.signum() && 2 * score.abs() >= centipawns.abs())
    }

    fn names(&self, mv: &str) -> bool {
        self.output
            .lines()
            .any(|line| line.starts_with("bestmove ") && line.split(' ').any(|word| word == mv))
    }

    /// The number of answers that begin with this word.
    fn answers(&self, word: &str) -> usize {
        self.output.lines().filter(|line| line.split_whitespace().next() == Some(word)).count()
    }
}

/// How often a command stands among the lines that a replay sends.
fn asked(found: &Difference, command: &str) -> usize {
    let (feed, _) = found.replay.split_once(" timeout ").unwrap_or((&found.replay, ""));
    let lines = feed.replace("\\n", "\n");
    lines.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| *word == command).count()
}

#[cfg(test)]
mod tests {
    use suites::Replay;

    use super::*;

    #[test]
    fn a_finding_is_looked_for_in_the_output() {
        let check = |stored: Answer, code: i32, output: &str, expected: Option<bool>| {
            let replay = "(printf 'isready\\nposition startpos\\ngo depth 2\\n'; sleep 1) | timeout 11 go";
            let found = Difference { stored, replay: Replay::shell(replay), ..Difference::default() };
            let replayed = Replayed { code: Some(code), output: output.to_owned() };
            assert_eq!(replayed.shows(&found), expected, "{}: {output}", found.stored);
        };
        let ended = |end| Answer::Ended { end, after: Some("isready".to_owned()) };
        let signal = |number| End::Signal(number, format!("signal {number}"));
        check(ended(signal(11)), 139, "", Some(true));
        check(ended(signal(11)), 134, "", Some(false));
        check(ended(signal(6)), 134, "", Some(true));
        check(ended(signal(11)), 0, "readyok\nstatus 139", Some(true));
        check(ended(End::Status(1)), 1, "", Some(true));
        check(Answer::LivesOn, 0, "readyok\nstatus 124", Some(true));
        check(Answer::LivesOn, 124, "", Some(true));
        let mated = || Answer::score(EngineScore::Mate(-3));
        check(mated(), 0, "info depth 9 score mate -3 pv", Some(true));
        check(mated(), 0, "info depth 9 score mate -4 pv", Some(false));
        let centipawns = |centipawns| Answer::score(EngineScore::Centipawns(centipawns));
        check(centipawns(160), 0, "info score cp 12\ninfo score cp 90", Some(true));
        check(centipawns(-160), 0, "info score cp 12\ninfo score cp 90", Some(false));
        let best = || Answer::BestMove { text: "a7a8q".to_owned(), more: ", which is not legal".to_owned() };
        check(best(), 0, "bestmove a7a8r ponder b2b1", Some(false));
        check(best(), 0, "bestmove a7a8q ponder b2b1", Some(true));
        check("bestmove by itself".into(), 0, "bestmove e2e4", None);
        check(Answer::NoScore(Then::Move("e2e4".to_owned())), 0, "bestmove e2e4", Some(true));
        let silent = |awaited: &str, after: &str| Answer::Silent {
            awaited: awaited.to_owned(),
            within: Some((2000, after.to_owned())),
        };
        check(silent("bestmove", "stop"), 0, "readyok", Some(true));
        check(silent("bestmove", "stop"), 0, "bestmove e2e4", Some(false));
        check(Answer::Silent { awaited: "readyok".to_owned(), within: None }, 0, "", Some(true));
        check(silent("readyok", "isready"), 0, "readyok", Some(false));
        check("fewer nodes".into(), 0, "", None);
    }
}
