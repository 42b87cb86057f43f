//! What is found out about a program before it is judged: the lines that it needs before its first search, and how it prints mates.

use std::time::Duration;

use crate::engine::Engine;
use crate::mate_scale::MateScale;
use crate::program::Program;
use crate::timeouts::Timeouts;

use crate::{Bound, Failure, Score, Search};

/// A search that ends soon for an engine that keeps any of these limits.
const SHORT: &str = "go depth 2 wtime 4000 btime 4000 winc 0 binc 0";
/// The depth at which the certain mates are found.
const DEPTH: u16 = 7;
/// The timeout of each search.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Lines that engines may need before their first search.
const FIRST_LINES: [&[&str]; 3] =
    [&["ucinewgame"], &["setoption name Hash value 16"], &["ucinewgame", "setoption name Hash value 16"]];
/// Mate in one, two and three, none shorter.
const MATES: [&str; 3] =
    ["6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1", "k7/2Q5/8/2K5/8/8/8/8 w - - 0 1"];
/// The side to move is mated in one, whatever it plays.
const MATED: &str = "k7/8/1K6/8/8/8/8/7R b - - 0 1";

impl Program {
    /// Finds out what the program needs before its first search and how it prints mates, and starts it so from now on. A program that
    /// fails stays as it is: the suites report that.
    pub fn adapt(&mut self, timeouts: Timeouts) {
        let mut program = self.for_session("adaptation");
        if let Ok(mut engine) = Engine::start(&program, timeouts) {
            let works = searches(&mut engine);
            if !works && says_something(&engine) {
                drop(engine);
                for lines in FIRST_LINES {
                    program.first_lines = lines.iter().map(|&line| line.to_owned()).collect();
                    let Ok(mut engine) = Engine::start(&program, timeouts) else { continue };
                    if searches(&mut engine) {
                        self.first_lines = program.first_lines;
                        self.mate_scale = mate_scale(&mut engine);
                        return;
                    }
                }
            } else if works {
                self.mate_scale = mate_scale(&mut engine);
            }
        }
    }
}

/// Whether it answers a search.
fn searches(engine: &mut Engine) -> bool {
    engine.search(&["position startpos".to_owned(), SHORT.to_owned()], TIMEOUT).is_ok()
}

/// Whether it printed a text since the last `go`.
fn says_something(engine: &Engine) -> bool {
    engine.transcript().texts_since_go().next().is_some()
}

/// How it prints mates, if in centipawns.
fn mate_scale(engine: &mut Engine) -> Option<MateScale> {
    let mut values = [0; 3];
    for (value, fen) in values.iter_mut().zip(MATES) {
        *value = centipawns(&ask(engine, fen).ok()?)?;
    }
    MateScale::new(values, centipawns(&ask(engine, MATED).ok()?)?)
}

fn ask(engine: &mut Engine, fen: &str) -> Result<Search, Failure> {
    engine.go(&format!("fen {fen}"), &format!("depth {DEPTH} wtime 20000 btime 20000"), TIMEOUT)
}

/// The last exact score, if it is in centipawns. Some engines print only bounds of a mate that they find at once.
fn centipawns(search: &Search) -> Option<i32> {
    let scores = || search.infos.iter().rev().filter_map(|(_, info)| info.score);
    let exact = scores().find(|(_, bound)| *bound == Bound::Exact);
    match exact.or_else(|| scores().next())?.0 {
        Score::Centipawns(centipawns) => Some(centipawns),
        Score::Mate(_) => None,
    }
}
