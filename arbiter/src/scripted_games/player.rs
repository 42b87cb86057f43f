//! A player that follows a script, as a session of UCI. It knows no chess: where it stands in the script follows from
//! the number of moves in the command `position`, and from the move number of its FEN: some runners begin a new FEN after each capture
//! and pawn move.

use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

use suites::arbiter::{ArbiterCase, ScriptedScore};

/// What the player does next.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Act {
    /// It prints a line.
    Print(String),
    /// It waits.
    Wait(Duration),
    /// Its process ends.
    Exit,
}

/// The answer where the script has none: it is no move, so that no game goes on beyond its script.
const NO_MOVE: &str = "bestmove (none)";

/// A player of both sides of a scripted game.
#[derive(Debug)]
pub struct ScriptedSession<'a> {
    case: &'a ArbiterCase,
    /// How many moves the last position has.
    plies: usize,
}

impl<'a> ScriptedSession<'a> {
    /// A player of this game.
    pub fn new(case: &'a ArbiterCase) -> Self {
        Self { case, plies: 0 }
    }

    /// Answers the lines of its input, until its process is to end.
    ///
    /// # Errors
    /// If a line cannot be read or written.
    pub fn speak(mut self, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        for line in input.lines() {
            for act in self.hear(&line?) {
                match act {
                    Act::Print(line) => writeln!(output, "{line}")?,
                    Act::Wait(time) => thread::sleep(time),
                    Act::Exit => return output.flush(),
                }
            }
            output.flush()?;
        }
        Ok(())
    }

    /// What it does after a line of its input.
    fn hear(&mut self, line: &str) -> Vec<Act> {
        let mut words = line.split_whitespace();
        let print = |lines: &[&str]| lines.iter().map(|line| Act::Print((*line).to_owned())).collect();
        match words.next() {
            Some("uci") => print(&[
                "id name Script",
                "id author Touchstone",
                "option name UCI_Chess960 type check default false",
                "uciok",
            ]),
            Some("isready") => print(&["readyok"]),
            Some("position") => {
                let words: Vec<&str> = words.collect();
                let begin = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
                let before = self.plies_before(words[..begin].strip_prefix(&["fen"]).unwrap_or_default());
                self.plies = before + words.len().saturating_sub(begin + 1);
                Vec::new()
            }
            Some("go") => self.answer(),
            Some("quit") => vec![Act::Exit],
            _ => Vec::new(),
        }
    }

    /// How many plies the game has before this FEN.
    fn plies_before(&self, fen: &[&str]) -> usize {
        let first: Vec<&str> = self.case.fen.split(' ').collect();
        let is_first = fen.iter().take(3).eq(first.iter().take(3));
        let plies = plies_of(fen).zip(plies_of(&first)).map(|(plies, first)| plies.saturating_sub(first));
        if is_first { 0 } else { plies.unwrap_or(0) }
    }

    fn answer(&self) -> Vec<Act> {
        let index = self.plies.checked_sub(self.case.book.len());
        let Some(answer) = index.and_then(|index| self.case.play.get(index)) else {
            return vec![Act::Print(NO_MOVE.to_owned())];
        };
        let mut acts = Vec::new();
        if answer.wait > 0 {
            acts.push(Act::Wait(Duration::from_millis(answer.wait)));
        }
        acts.extend(
            answer
                .scores
                .iter()
                .map(|score| Act::Print(format!("info depth 1 score {} nodes 1", words(*score)))),
        );
        for best in [&answer.best, &answer.then].into_iter().flatten() {
            acts.push(Act::Print(format!("bestmove {best}")));
        }
        if answer.exits {
            acts.push(Act::Exit);
        }
        acts
    }
}

/// The plies of a whole game before a FEN, by its move number and side.
fn plies_of(fen: &[&str]) -> Option<usize> {
    let number: usize = fen.get(5)?.parse().ok()?;
    Some(2 * number.min(1_000_000) + usize::from(fen[1] == "b"))
}

fn words(score: ScriptedScore) -> String {
    match score {
        ScriptedScore::Centipawns(score) => format!("cp {score}"),
        ScriptedScore::Mate(moves) => format!("mate {moves}"),
        ScriptedScore::Lower(score) => format!("cp {score} lowerbound"),
        ScriptedScore::Upper(score) => format!("cp {score} upperbound"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What it prints and does after the lines, in words.
    fn acts(play: &str, lines: &[&str]) -> Vec<String> {
        let text = format!(
            "# cases: 1\n8/8/8/8/8/1K6/2R5/1k6 w - - 0 1 book \"c2c3 b1a1\"; play \"{play}\"; \
             end \"1-0 checkmate 3\"; rule \"x\"; id \"a/1\";"
        );
        let [case] = &suites::arbiter::parse("test.epd", &text).unwrap()[..] else { panic!("one case") };
        let mut player = ScriptedSession::new(case);
        let acts = lines.iter().flat_map(|line| player.hear(line));
        let acts = acts.map(|act| match act {
            Act::Print(line) => line,
            Act::Wait(time) => format!("wait {}", time.as_millis()),
            Act::Exit => "exit".to_owned(),
        });
        acts.collect()
    }

    #[test]
    fn it_answers_what_the_script_has_for_the_position() {
        let after = |moves: &str| format!("position fen 8/8/8/8/8/1K6/2R5/1k6 w - - 0 1 moves {moves}");
        let play = "c3c1,mate=1,wait=30,then=c1c2,exit a1b1,upper=-700,mute";
        let check =
            |moves: &str, expected: &[&str]| assert_eq!(acts(play, &[&after(moves), "go depth 1"]), expected);
        check(
            "c2c3 b1a1",
            &["wait 30", "info depth 1 score mate 1 nodes 1", "bestmove c3c1", "bestmove c1c2", "exit"],
        );
        check("c2c3 b1a1 c3c1", &["info depth 1 score cp -700 upperbound nodes 1", "bestmove a1b1"]);
        // A runner may begin a new FEN after a capture or pawn move.
        let later = acts(
            play,
            &[
                "position fen 8/8/8/8/8/1KR5/8/k7 w - - 2 2",
                "go",
                "position fen 8/8/8/8/8/1K6/8/k1R5 b - - 3 2",
                "go",
            ],
        );
        assert_eq!((&*later[2], later.last().map(String::as_str)), ("bestmove c3c1", Some("bestmove a1b1")));
        // Where it has no script.
        check("c2c3", &[NO_MOVE]);
        check("c2c3 b1a1 c3c1 a1b1", &[NO_MOVE]);
        assert_eq!(
            acts("-,exit", &[&after("c2c3 b1a1"), "go"]),
            ["info depth 1 score cp 50 nodes 1", "exit"]
        );
    }

    #[test]
    fn it_speaks_uci() {
        let said = acts(
            "c3c1",
            &["uci", "setoption name UCI_Chess960 value true", "ucinewgame", "isready", "stop", "quit"],
        );
        assert_eq!(
            (said[0].as_str(), &said[3..]),
            ("id name Script", &["uciok", "readyok", "exit"].map(str::to_owned)[..])
        );
    }
}
