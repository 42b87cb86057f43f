//! Searches in plain UCI whose answers show whether a program takes a move for legal.

use std::collections::BTreeSet;
use std::time::Duration;

use shakmaty::CastlingMode;
use uci::{Engine, Failure, Info, Search};

use super::test_position::TestPosition;
use crate::runner::EnginePool;

/// The longest search while the capabilities of a program are detected. Then `stop` is sent.
const DETECTION: Duration = Duration::from_secs(1);
/// The longest search once a limit is known to be kept. A search of one ply is far shorter, but the machine
/// may be busy.
const LIMITED: Duration = Duration::from_secs(5);
/// The length of a search by a program that keeps no limit and is stopped each time.
const UNLIMITED: Duration = Duration::from_millis(100);
/// Limits of a very short search, in the order in which they are tried.
const LIMITS: [&str; 4] = ["depth 1", "nodes 50", "movetime 10", "wtime 200 btime 200"];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Legal moves of the starting position that every program knows.
const PLAIN_MOVES: [&str; 3] = ["a2a3", "h2h4", "b1a3"];
/// A move after which none of these is legal.
const NEXT_MOVE: &str = "e2e4";
/// Moves that no program takes for legal in the starting position.
const ABSURD_MOVES: [&str; 3] = ["e2e5", "a1a5", "g1g3"];

/// The queries that a program supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Capabilities {
    /// The limit after `go` that ends a search at once. `None` if only `stop` ends a search.
    limit: Option<&'static str>,
    /// The time after which `stop` is sent.
    within: Duration,
    /// After `position ... moves` it plays legal moves only.
    pub(super) rejects_illegal: bool,
    /// What it does with `searchmoves`.
    search_moves: SearchMovesSupport,
    /// The highest `MultiPV` it supports. 0 if its lines are not reliable.
    pub(super) multipv: usize,
    /// It survives `ucinewgame`.
    pub(super) new_game: bool,
}

/// What a program does with `searchmoves`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SearchMovesSupport {
    /// It ignores it.
    Ignored,
    /// It searches the move, legal or not.
    Unchecked,
    /// It searches the move if it is legal.
    Checked,
}

impl Capabilities {
    /// Detects the capabilities with moves of the starting position. Each query goes to a fresh process, so
    /// that a crash over one query does not affect the next.
    pub(super) fn detect(pool: &EnginePool) -> Result<Self, Failure> {
        let plain = Self::detect_limit(pool)?;
        let Some(start) = TestPosition::read(START, CastlingMode::Standard) else { return Ok(plain) };
        // A query over which the program fails is not supported.
        let always = |moves: &[&str], holds: &dyn Fn(&mut Engine, &str) -> Result<bool, Failure>| {
            let each = |engine: &mut Engine| {
                moves.iter().try_fold(true, |all, mv| holds(engine, mv).map(|holds| holds && all))
            };
            pool.attempt(each).unwrap_or(false)
        };
        let rejects_illegal = always(&ABSURD_MOVES, &|engine, mv| {
            Ok(!start.moves_other_side(&plain.answer(engine, Query::AfterMove, &start, mv)?))
        });
        let searches =
            |engine: &mut Engine, mv: &str| Ok(plain.answer(engine, Query::SearchMoves, &start, mv)? == mv);
        let reads = always(&PLAIN_MOVES, &searches);
        let checks =
            reads && always(&ABSURD_MOVES, &|engine, mv| searches(engine, mv).map(|searched| !searched));
        let lists = always(&[""], &|engine, _| {
            let listed = plain.multipv_moves(engine, &start)?;
            let all_legal = listed.iter().all(|mv| start.legal(mv).is_some());
            Ok(all_legal && listed.len() == plain.multipv.min(20))
        });
        // A program that keeps the moves for later searches is not asked so: its answer is legal only without
        // an earlier `searchmoves`.
        let Some(next) = start.after(NEXT_MOVE) else { return Ok(plain) };
        let is_legal = |before: Option<&str>| {
            let answered = pool.attempt(|engine| {
                if let Some(mv) = before {
                    plain.answer(engine, Query::SearchMoves, &start, mv)?;
                }
                plain.answer(engine, Query::BestMove, &next, "")
            });
            answered.map_or(true, |answer| next.legal(&answer).is_some())
        };
        let keeps = |mv: &str| (0..2).all(|_| !is_legal(Some(mv))) && is_legal(None);
        let reads = reads && !keeps(PLAIN_MOVES[0]);
        let checks = checks && !keeps(ABSURD_MOVES[0]);
        let new_game = pool.attempt(new_game).is_ok();
        let multipv = if lists { plain.multipv } else { 0 };
        let search_moves = match (reads, checks) {
            (true, true) => SearchMovesSupport::Checked,
            (true, false) => SearchMovesSupport::Unchecked,
            _ => SearchMovesSupport::Ignored,
        };
        let within = if plain.limit.is_some() { LIMITED } else { UNLIMITED };
        Ok(Self { within, rejects_illegal, search_moves, multipv, new_game, ..plain })
    }

    /// The limit that it keeps and the `MultiPV` that it declares.
    fn detect_limit(pool: &EnginePool) -> Result<Self, Failure> {
        let ask = |engine: &mut Engine, tried| engine.go(&format!("fen {START}"), tried, DETECTION);
        let mut answers = false;
        let mut limit = None;
        for tried in LIMITS {
            let search = pool.attempt(|engine| ask(engine, tried));
            answers |= search.is_ok();
            if search.is_ok_and(|search| !search.stopped) {
                limit = Some(tried);
                break;
            }
        }
        pool.with_fresh(|engine| {
            // The program fails with each limit. Ask with the first limit again, so that the failure is
            // reported.
            if !answers {
                ask(engine, LIMITS[0])?;
            }
            let (multipv, search_moves) = (declared_multipv(engine), SearchMovesSupport::Ignored);
            let within = if limit.is_some() { DETECTION } else { UNLIMITED };
            Ok(Self { limit, within, rejects_illegal: false, search_moves, multipv, new_game: false })
        })
    }

    /// Whether it searches the move after `searchmoves`.
    pub(super) fn reads_searchmoves(&self) -> bool {
        self.search_moves >= SearchMovesSupport::Unchecked
    }

    /// Whether it searches that move only if it is legal.
    pub(super) fn checks_searchmoves(&self) -> bool {
        self.search_moves == SearchMovesSupport::Checked
    }

    /// The best move of a query about a move. [`Query::BestMove`] needs no move.
    pub(super) fn answer(
        &self,
        engine: &mut Engine,
        query: Query,
        position: &TestPosition,
        mv: &str,
    ) -> Result<String, Failure> {
        self.search(engine, query, position, mv).map(|search| search.best.text)
    }

    /// The first moves of its lines with the highest `MultiPV`. None if the search had to be stopped, since
    /// lines may be missing then.
    pub(super) fn multipv_moves(
        &self,
        engine: &mut Engine,
        position: &TestPosition,
    ) -> Result<BTreeSet<String>, Failure> {
        let search = self.search(engine, Query::MultiPv, position, "")?;
        engine.set_option("MultiPV", "1");
        if search.stopped {
            return Ok(BTreeSet::new());
        }
        let first = |info: Info| info.pv.and_then(|pv| pv.into_iter().next());
        Ok(search.infos.into_iter().filter_map(|(_, info)| first(info)).collect())
    }

    fn search(
        &self,
        engine: &mut Engine,
        query: Query,
        position: &TestPosition,
        mv: &str,
    ) -> Result<Search, Failure> {
        let commands = self.commands(query, position, mv);
        let search = engine.search(&commands, self.within)?;
        if search.stopped && self.limit.is_some() {
            // The program usually keeps this limit, so the bestmove of a search that was cut off is not an
            // answer.
            let (awaited, after) = ("bestmove".to_owned(), commands.last().cloned().unwrap_or_default());
            return Err(Failure::Silent { awaited, waited: self.within, after, panic: None });
        }
        Ok(search)
    }

    /// The commands of a query.
    pub(super) fn commands(&self, query: Query, position: &TestPosition, mv: &str) -> Vec<String> {
        let position = format!("position fen {}", position.fen);
        let go = format!("go {}", self.limit.unwrap_or("infinite"));
        match query {
            Query::BestMove => vec![position, go],
            // A program that rejects the whole command with the move keeps the position before it.
            Query::AfterMove => vec![position.clone(), format!("{position} moves {mv}"), go],
            Query::SearchMoves => vec![position, format!("{go} searchmoves {mv}")],
            Query::MultiPv => {
                vec![format!("setoption name MultiPV value {}", self.multipv), position, go]
            }
        }
    }
}

/// A query that shows whether a program takes a move for legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Query {
    /// Its best move.
    BestMove,
    /// Its best move after the move.
    AfterMove,
    /// Its best move with `searchmoves`.
    SearchMoves,
    /// Its lines with `MultiPV`.
    MultiPv,
}

/// The largest `MultiPV` that it declares, up to the number of moves that a position can have.
fn declared_multipv(engine: &Engine) -> usize {
    let declared = engine.identity().option("MultiPV").and_then(|option| option.max);
    declared.and_then(|max| usize::try_from(max).ok()).unwrap_or_default().min(256)
}

/// Starts a new game, so that the program remembers nothing.
pub(super) fn new_game(engine: &mut Engine) -> Result<(), Failure> {
    engine.send("ucinewgame");
    engine.ready().map(|_| ())
}
