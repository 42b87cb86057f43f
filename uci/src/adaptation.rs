//! Adapts a session to a program before the suites judge it: the lines that the program needs before its
//! first search, and how it prints mates.

use std::time::Duration;

use crate::engine::Engine;
use crate::mate_scale::MateScale;
use crate::program::Program;
use crate::timeouts::Timeouts;

use crate::{Bound, Failure, Score, Search};

/// A search that ends soon if the engine keeps any of these limits.
const SHORT: &str = "go depth 2 wtime 4000 btime 4000 winc 0 binc 0";
/// The depth at which engines find the mates below.
const DEPTH: u16 = 7;
/// The timeout of each search.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Lines that engines may need before their first search.
const FIRST_LINES: [&[&str]; 3] =
    [&["ucinewgame"], &["setoption name Hash value 16"], &["ucinewgame", "setoption name Hash value 16"]];
/// Mate in one, two and three, none shorter.
const MATES: [&str; 3] =
    ["6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1", "k7/2Q5/8/2K5/8/8/8/8 w - - 0 1"];
/// The side to move is mated in one after each of its moves.
const MATED: &str = "k7/8/1K6/8/8/8/8/7R b - - 0 1";

impl Program {
    /// Finds out which lines the program needs before its first search and how it prints mates, and stores
    /// both in the program. A program that fails stays unchanged: the suites report the failure.
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

/// Whether the engine answers a search.
fn searches(engine: &mut Engine) -> bool {
    engine.search(&["position startpos".to_owned(), SHORT.to_owned()], TIMEOUT).is_ok()
}

/// Whether the engine printed a text since the last `go`.
fn says_something(engine: &Engine) -> bool {
    engine.transcript().texts_since_go().next().is_some()
}

/// The scale of the engine's mates, if it prints them in centipawns.
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

/// The last exact score, or the last score if none is exact; `None` if it is a mate. Some engines print only
/// bounds of a mate that they find at once.
fn centipawns(search: &Search) -> Option<i32> {
    let scores = || search.infos.iter().rev().filter_map(|(_, info)| info.score);
    let exact = scores().find(|(_, bound)| *bound == Bound::Exact);
    match exact.or_else(|| scores().next())?.0 {
        Score::Centipawns(centipawns) => Some(centipawns),
        Score::Mate(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Info;

    /// Lines are for engines that answer nothing without them.
    #[cfg(unix)]
    #[test]
    fn an_engine_that_works_gets_no_lines() {
        let mut program = crate::engine::tests::shell("go*) echo ready to go; echo bestmove e2e4;;");
        program.adapt(crate::engine::tests::patient());
        assert!(program.first_lines.is_empty() && program.mate_scale.is_none(), "{:?}", program.first_lines);
    }

    /// An engine that says nothing is not asked again.
    #[cfg(unix)]
    #[test]
    fn an_engine_that_waits_for_a_line_gets_it() {
        let lines = |words: &str| {
            let answers = "if [ -n \"$new\" ]; then echo bestmove e2e4";
            let branches = format!("ucinewgame) new=1;; go*) {answers}{words}; fi;;");
            let mut program = crate::engine::tests::shell(&branches);
            let patient = crate::engine::tests::patient();
            program.adapt(Timeouts { stop: Duration::from_millis(100), ..patient });
            program.first_lines
        };
        assert_eq!(lines("; else echo no game was begun"), ["ucinewgame"]);
        assert!(lines("").is_empty());
    }

    #[test]
    fn the_last_exact_score_counts_before_later_bounds() {
        let of = |scores: &[(Score, Bound)]| {
            let info = |&score| (Duration::ZERO, Info { score: Some(score), ..Info::default() });
            let mut infos: Vec<_> = scores.iter().map(info).collect();
            infos.push((Duration::ZERO, Info::default()));
            centipawns(&Search { infos, ..Search::default() })
        };
        let cp = Score::Centipawns;
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[(cp(1), Bound::Exact), (cp(2), Bound::Exact), (cp(3), Bound::Lower)]), Some(2));
        assert_eq!(of(&[(cp(1), Bound::Lower), (cp(2), Bound::Upper)]), Some(2));
        assert_eq!(of(&[(cp(1), Bound::Exact), (Score::Mate(2), Bound::Exact)]), None);
        assert_eq!(of(&[(Score::Mate(2), Bound::Exact), (cp(1), Bound::Lower)]), None);
    }
}
