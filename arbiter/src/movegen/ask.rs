//! The questions of plain UCI that decide whether a program takes a move for legal.

use std::collections::BTreeSet;
use std::time::Duration;

use shakmaty::CastlingMode;

use super::place::Place;
use crate::runner::EnginePool;
use uci::{Engine, Failure, Info, Search};

/// Longest time for one question while it is found out what a program does; then it is told to stop.
const AT_FIRST: Duration = Duration::from_secs(1);
/// The same once it is known to keep a limit. Longer than any search of one ply: the machine may be busy.
const LATER: Duration = Duration::from_secs(5);
/// The same of whoever keeps no limit and is told to stop each time.
const BRIEFLY: Duration = Duration::from_millis(100);
/// Limits of a search that is over at once, in the order in which they are tried.
const LIMITS: [&str; 3] = ["depth 1", "nodes 50", "movetime 10"];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Moves of the start that nobody disputes.
const UNDISPUTED: [&str; 3] = ["a2a3", "h2h4", "b1a3"];
/// Moves that nobody takes for legal there.
const ABSURD: [&str; 3] = ["e2e5", "a1a5", "g1g3"];

/// What a program can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Abilities {
    /// What follows `go` so that the answer comes at once; `None` if it comes only after `stop`.
    limit: Option<&'static str>,
    /// After this time it is told to stop.
    within: Duration,
    /// Of `position ... moves` it plays legal moves only.
    pub(super) refuses: bool,
    /// What it makes of `searchmoves`.
    obedience: Obedience,
    /// So many best lines it lists if it is asked for them; 0 if that cannot be relied on.
    pub(super) lines: usize,
    /// It lives on after `ucinewgame`.
    pub(super) forgets: bool,
}

/// What a program makes of `searchmoves`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Obedience {
    /// Nothing.
    Deaf,
    /// It searches the move that stands there, whatever it is.
    Blind,
    /// It searches the move that stands there if it is legal.
    Seeing,
}

impl Abilities {
    /// Finds out, on moves that nobody disputes. Each question is put to a new process, lest one that breaks spoils the next.
    pub(super) fn find_out(stable: &EnginePool) -> Result<Self, Failure> {
        let plain = Self::plain(stable)?;
        let Some(start) = Place::read(START, CastlingMode::Standard) else { return Ok(plain) };
        // What it breaks over it cannot be asked.
        let always = |moves: &[&str], holds: &dyn Fn(&mut Engine, &str) -> Result<bool, Failure>| {
            let each = |engine: &mut Engine| {
                moves.iter().try_fold(true, |all, mv| holds(engine, mv).map(|holds| holds && all))
            };
            stable.attempt(each).unwrap_or(false)
        };
        let refuses =
            always(&ABSURD, &|engine, mv| Ok(!start.moves_other_side(&plain.played(engine, &start, mv)?)));
        let obeys = always(&UNDISPUTED, &|engine, mv| Ok(plain.only(engine, &start, mv)? == mv));
        let distrusts = obeys && always(&ABSURD, &|engine, mv| Ok(plain.only(engine, &start, mv)? != mv));
        let lists = always(&[""], &|engine, _| {
            let listed = plain.listed(engine, &start)?;
            let all_legal = listed.iter().all(|mv| start.legal(mv).is_some());
            Ok(all_legal && listed.len() == plain.lines.min(20))
        });
        let forgets = stable.attempt(forget).is_ok();
        let lines = if lists { plain.lines } else { 0 };
        let obedience = match (obeys, distrusts) {
            (true, true) => Obedience::Seeing,
            (true, false) => Obedience::Blind,
            _ => Obedience::Deaf,
        };
        let within = if plain.limit.is_some() { LATER } else { BRIEFLY };
        Ok(Self { within, refuses, obedience, lines, forgets, ..plain })
    }

    /// What it declares, and the limit that it keeps.
    fn plain(stable: &EnginePool) -> Result<Self, Failure> {
        stable.with_fresh(|engine| {
            let lines = declared_lines(engine);
            let mut kept = None;
            for tried in LIMITS {
                if kept.is_none() && !engine.go(&format!("fen {START}"), tried, AT_FIRST)?.stopped {
                    kept = Some(tried);
                }
            }
            let within = if kept.is_some() { AT_FIRST } else { BRIEFLY };
            let obedience = Obedience::Deaf;
            Ok(Self { limit: kept, within, refuses: false, obedience, lines, forgets: false })
        })
    }

    /// Whether it searches the move that follows `searchmoves`.
    pub(super) fn obeys(&self) -> bool {
        self.obedience >= Obedience::Blind
    }

    /// Whether it does not take that move on trust.
    pub(super) fn distrusts(&self) -> bool {
        self.obedience == Obedience::Seeing
    }

    fn limit(&self) -> &'static str {
        self.limit.unwrap_or("infinite")
    }

    /// Its answer to a position.
    pub(super) fn best(&self, engine: &mut Engine, place: &Place) -> Result<String, Failure> {
        self.go(engine, &place.fen, self.limit()).map(|search| search.best.text)
    }

    /// Its answer to the position after a move.
    pub(super) fn played(&self, engine: &mut Engine, place: &Place, mv: &str) -> Result<String, Failure> {
        // Who refuses the whole line keeps this position.
        engine.send(&format!("position fen {}", place.fen));
        self.go(engine, &format!("{} moves {mv}", place.fen), self.limit()).map(|search| search.best.text)
    }

    /// Its answer if it may search this move only.
    pub(super) fn only(&self, engine: &mut Engine, place: &Place, mv: &str) -> Result<String, Failure> {
        let limit = format!("{} searchmoves {mv}", self.limit());
        self.go(engine, &place.fen, &limit).map(|search| search.best.text)
    }

    /// The moves with which its best lines begin, as many as it lists; none if it had to be stopped.
    pub(super) fn listed(&self, engine: &mut Engine, place: &Place) -> Result<BTreeSet<String>, Failure> {
        engine.set_option("MultiPV", &self.lines.to_string());
        let search = self.go(engine, &place.fen, self.limit())?;
        engine.set_option("MultiPV", "1");
        // Whoever is stopped has perhaps not come to all of them.
        if search.stopped {
            return Ok(BTreeSet::new());
        }
        let first = |info: Info| info.pv.and_then(|pv| pv.into_iter().next());
        Ok(search.infos.into_iter().filter_map(|(_, info)| first(info)).collect())
    }

    fn go(&self, engine: &mut Engine, position: &str, limit: &str) -> Result<Search, Failure> {
        let search = engine.go(&format!("fen {position}"), limit, self.within)?;
        if search.stopped && self.limit.is_some() {
            // It was told to stop before it had come to anything: what it says then is no answer.
            let (awaited, after) = ("bestmove".to_owned(), format!("go {limit}"));
            return Err(Failure::Silent { awaited, waited: self.within, after });
        }
        Ok(search)
    }

    /// The lines that put a question to it by hand.
    pub(super) fn lines_of(&self, question: Question, place: &Place, mv: &str) -> Vec<String> {
        let position = format!("position fen {}", place.fen);
        let go = format!("go {}", self.limit());
        match question {
            Question::Best => vec![position, go],
            Question::Played => vec![position.clone(), format!("{position} moves {mv}"), go],
            Question::Only => vec![position, format!("{go} searchmoves {mv}")],
            Question::Listed => {
                vec![format!("setoption name MultiPV value {}", self.lines), position, go]
            }
        }
    }
}

/// A way to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// For its move.
    Best,
    /// For its move after a move.
    Played,
    /// For its move if it may search one only.
    Only,
    /// For its best lines.
    Listed,
}

/// The most best lines that it can be asked for, up to as many as a position can have moves.
fn declared_lines(engine: &Engine) -> usize {
    let declared = engine.identity().option("MultiPV").and_then(|option| option.max);
    declared.and_then(|max| usize::try_from(max).ok()).unwrap_or_default().min(256)
}

/// Has it forget what it was asked before.
pub(super) fn forget(engine: &mut Engine) -> Result<(), Failure> {
    engine.send("ucinewgame");
    engine.ready().map(|_| ())
}
