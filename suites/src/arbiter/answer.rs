//! What a scripted player answers.

/// The longest wait before an answer, in milliseconds.
const MOST_WAIT: u64 = 5000;

/// A score that a player prints, from its view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptedScore {
    /// Centipawns.
    Centipawns(i32),
    /// Moves to mate, negative if it is mated.
    Mate(i32),
    /// At least so many centipawns.
    Lower(i32),
    /// At most so many centipawns.
    Upper(i32),
}

/// What a player does when it is asked for a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptedAnswer {
    /// The word after `bestmove`; `None` if it does not answer.
    pub best: Option<String>,
    /// The scores that it prints before, in order.
    pub scores: Vec<ScriptedScore>,
    /// How long it waits before all that, in milliseconds.
    pub wait: u64,
    /// The word after a second `bestmove`.
    pub then: Option<String>,
    /// Whether its process ends afterwards.
    pub exits: bool,
}

impl ScriptedAnswer {
    /// What a word has to be.
    pub(super) const EXPECTED: &str = "an answer such as e2e4, or - for none, and after commas: cp=N, mate=N, lower=N, upper=N, \
                                       mute, wait=N up to 5000, then=MOVE, exit";

    /// Reads a word of a script.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut words = text.split(',');
        let best = words.next().filter(|best| !best.is_empty())?;
        let best = (best != "-").then(|| best.to_owned());
        let mut read = Self { best, scores: Vec::new(), wait: 0, then: None, exits: false };
        let mut is_mute = false;
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            match key {
                "cp" => read.scores.push(ScriptedScore::Centipawns(value.parse().ok()?)),
                "mate" => read.scores.push(ScriptedScore::Mate(value.parse().ok()?)),
                "lower" => read.scores.push(ScriptedScore::Lower(value.parse().ok()?)),
                "upper" => read.scores.push(ScriptedScore::Upper(value.parse().ok()?)),
                "wait" => read.wait = value.parse().ok().filter(|wait| *wait <= MOST_WAIT)?,
                "then" if !value.is_empty() => read.then = Some(value.to_owned()),
                "mute" if word == "mute" => is_mute = true,
                "exit" if word == "exit" => read.exits = true,
                _ => return None,
            }
        }
        if read.scores.is_empty() && !is_mute {
            read.scores.push(ScriptedScore::Centipawns(50));
        }
        Some(read)
    }
}
