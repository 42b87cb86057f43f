//! The numbers that a search prints: nodes, speed, depths and how full the hash table is. After `ucinewgame`
//! the engine remembers nothing.

use std::time::Duration;

use engine::search::AlphaBeta;
use engine::search_api::{Clock, Settings};
use engine::tables::TableSet;
use engine::uci::{Dialogue, Host, run_bench};
use suites::perft::Castling;
use suites::{Evidence, Findings, Replay, Verdict};

use super::{Asked, Wrong, ask, gather, printed};
use crate::board;

const CHECK: &str = "library/search";
/// One position in this many is searched.
const EACH: usize = 24;
/// The options of the session.
const HASH: &str = "setoption name Hash value 1";
const RATES: &str = "setoption name UCI_ShowWDL value true";
/// The limit of the longer search: it fills some tenths of a hash table of 1 MiB.
const NODES: u64 = 20_000;
/// The depth of a search that is repeated after `ucinewgame`.
const DEPTH: u32 = 5;
/// The time on the clock of these sessions. It makes the speed four times the nodes.
const ELAPSED: Duration = Duration::from_millis(250);
const A_SECOND: u64 = 4;

/// A session whose clock stands still, and without files.
struct Still;

#[derive(Clone, Copy)]
struct StillClock;

impl Clock for StillClock {
    fn elapsed(&self) -> Duration {
        ELAPSED
    }
}

impl Host for Still {
    type Clock = StillClock;

    fn start_clock(&self) -> StillClock {
        StillClock
    }

    fn load_tables(&self, _: &str, _: usize) -> Result<TableSet, String> {
        Err("there are no files".to_owned())
    }
}

pub(super) fn run(positions: &[Asked]) -> Findings {
    let standard = positions.iter().filter(|asked| asked.castling == Castling::Standard);
    let some: Vec<(&Asked, usize)> =
        standard.filter_map(|asked| Some((asked, legal_moves(&asked.fen)?))).step_by(EACH).collect();
    let mut found = gather(CHECK, Evidence::Specification, "searches", &some, |&(asked, legal)| {
        let fault =
            ask(|| fault(&asked.fen, legal)).unwrap_or_else(|panic| Some((panic, "a search".to_owned())));
        let Some((got, expected)) = fault else { return Verdict::Agree };
        let because = "users compare engines by these numbers".to_owned();
        // In a session the clock runs, so that `time` and `nps` are not those of the finding.
        let lines = [HASH, RATES, &format!("position fen {}", asked.fen), &format!("go nodes {NODES}")];
        let replay = Replay::fed(format_args!("printf '{}\\n'", lines.join("\\n")), "engine");
        Wrong {
            check: CHECK,
            case: &asked.case,
            fen: &asked.fen,
            got,
            expected,
            source: "definition",
            because,
        }
        .replayed_by(replay)
    });
    let searcher = || AlphaBeta::new(&Settings::default());
    let say = || Dialogue::new(Still, Box::new(searcher())).say(&format!("bench {BENCH_DEPTH}\n"));
    let by_program = || {
        let mut printed = Vec::new();
        run_bench(&Still, &mut searcher(), BENCH_DEPTH, &mut printed)?;
        Ok(String::from_utf8_lossy(&printed).into_owned())
    };
    let replay = Replay::fed(format_args!("printf 'bench {BENCH_DEPTH}\\n'"), "engine");
    found.record(bench("bench", &printed(say), replay));
    let replay = Replay::engine("echo", &format!(" bench {BENCH_DEPTH}"));
    found.record(bench("bench/program", &printed(by_program), replay));
    found
}

/// The depth of the bench that is asked for, and the number of its positions.
const BENCH_DEPTH: u16 = 2;
const BENCH_POSITIONS: usize = 40;

/// Whether a bench prints the nodes of each position, and their sum as other tools read it.
pub(super) fn bench(case: &str, printed: &str, replay: Replay) -> Verdict {
    let nodes: Vec<u64> = printed.lines().filter_map(nodes_of_position).collect();
    let sum: u64 = nodes.iter().sum();
    let fault = if nodes.len() != BENCH_POSITIONS || nodes.contains(&0) {
        let said = printed.lines().find(|line| !line.contains(" nodes ")).unwrap_or("nothing");
        let counted = nodes.iter().filter(|&&nodes| nodes > 0).count();
        let expected = format!("{BENCH_POSITIONS} positions with nodes");
        Some((format!("{counted} positions with nodes; {said}"), expected))
    } else {
        let totals = [format!("Nodes searched  : {sum}"), format!("Signature: {sum}")];
        totals.into_iter().find(|total| !printed.lines().any(|line| line == total)).map(|total| {
            let (name, _) = total.split_once(':').unwrap_or_default();
            let line = printed.lines().find(|line| line.starts_with(name.trim_end()));
            (line.unwrap_or("nothing").to_owned(), total)
        })
    };
    let Some((got, expected)) = fault else { return Verdict::Agree };
    let because = "the total of a bench is the sum over its positions".to_owned();
    Wrong { check: CHECK, case, fen: "", got, expected, source: "definition", because }.replayed_by(replay)
}

/// The nodes of a line such as ` 1/40        123 nodes  FEN`.
fn nodes_of_position(line: &str) -> Option<u64> {
    let (counted, _) = line.split_once(" nodes ")?;
    counted.split_whitespace().nth(1)?.parse().ok()
}

/// How many moves shakmaty finds; `None` if there are fewer than two.
fn legal_moves(fen: &str) -> Option<usize> {
    let position =
        board::position_in(fen, shakmaty::CastlingMode::Standard, board::Accept::Unreachable).ok()?;
    Some(board::uci_moves(&position).len()).filter(|&moves| moves > 1)
}

/// The first fault in the numbers of some searches, and the right number.
fn fault(fen: &str, legal: usize) -> Option<(String, String)> {
    let mut session = Dialogue::new(Still, Box::new(AlphaBeta::new(&Settings::default())));
    let searched = format!("position fen {fen}\ngo depth {DEPTH}\n");
    let mut say = |lines: String| session.say(&lines);
    let printed = [
        say(format!("{HASH}\n{RATES}\n{searched}")),
        say(format!("position startpos\ngo nodes {NODES}\n")),
        say(format!("ucinewgame\n{searched}")),
        say(format!("ucinewgame\nposition fen {fen}\ngo nodes {NODES}\n")),
    ];
    let printed: Result<Vec<String>, _> = printed.into_iter().collect();
    let printed = match printed {
        Ok(printed) => printed,
        Err(error) => return Some((error.to_string(), "a search".to_owned())),
    };
    let [first, _, again, long] = &printed[..] else { return None };
    if [first, again, long].into_iter().any(|lines| told(lines).next().is_none()) {
        return Some(("no line with a pv".to_owned(), "a line for each depth".to_owned()));
    }
    if first != again {
        let different = |lines: &str, other: &str| {
            let line = lines.lines().find(|line| !other.lines().any(|known| known == *line));
            line.unwrap_or("fewer lines").to_owned()
        };
        return Some((format!("{}, after ucinewgame", different(again, first)), different(first, again)));
    }
    let at_depth_1 = told(first).find(|told| told.depth == 1).map_or(0, |told| told.nodes);
    if at_depth_1 < legal as u64 {
        let expected = format!("at least {legal}, one for each legal move");
        return Some((format!("nodes {at_depth_1} at depth 1"), expected));
    }
    if let Some(most) = told(long).map(|told| told.nodes).max().filter(|&most| most > NODES) {
        return Some((format!("nodes {most}"), format!("go nodes {NODES}")));
    }
    let points = points(fen);
    told(first).chain(told(long)).find_map(|told| told.fault().or_else(|| told.fault_of_rates(points)))
}

/// The points of all men, as players count them: 78 at the start of a game.
fn points(fen: &str) -> f64 {
    let count = |letter: char| {
        let men = fen.split(' ').next().unwrap_or_default().chars();
        men.filter(|man| man.eq_ignore_ascii_case(&letter)).count() as f64
    };
    [('p', 1.0), ('n', 3.0), ('b', 3.0), ('r', 5.0), ('q', 9.0)]
        .map(|(man, worth)| worth * count(man))
        .iter()
        .sum()
}

/// The fields of an `info` line. A field that is missing is 0.
pub(super) struct Told {
    depth: u64,
    selective: u64,
    nodes: u64,
    speed: u64,
    time: u64,
    full: u64,
    /// How many moves the line has.
    moves: u64,
    /// Centipawns or moves to mate.
    centipawns: Option<i32>,
    mate: Option<i32>,
    /// Wins, draws and losses.
    rates: String,
}

/// The `info` lines with a line of moves.
fn told(printed: &str) -> impl Iterator<Item = Told> {
    printed.lines().filter(|line| line.starts_with("info ")).filter_map(Told::parse)
}

impl Told {
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (numbers, moves) = line.split_once(" pv ")?;
        let words: Vec<&str> = numbers.split(' ').collect();
        let after = |name: &str| {
            let place = words.iter().position(|&word| word == name)?;
            words.get(place + 1..)
        };
        let of = |name: &str| after(name).and_then(|words| words.first()?.parse().ok()).unwrap_or_default();
        let score = |unit: &str| match after("score")? {
            [name, score, ..] if *name == unit => score.parse().ok(),
            _ => None,
        };
        Some(Self {
            depth: of("depth"),
            selective: of("seldepth"),
            nodes: of("nodes"),
            speed: of("nps"),
            time: of("time"),
            full: of("hashfull"),
            moves: moves.split(' ').count() as u64,
            centipawns: score("cp"),
            mate: score("mate"),
            rates: after("wdl").and_then(|words| words.get(..3)).unwrap_or_default().join(" "),
        })
    }

    fn fault(&self) -> Option<(String, String)> {
        let faults = [
            (
                self.time != ELAPSED.as_millis() as u64,
                format!("time {}", self.time),
                format!("time {}, by the clock", ELAPSED.as_millis()),
            ),
            (
                self.speed != self.nodes * A_SECOND,
                format!("nps {} for nodes {} in time {}", self.speed, self.nodes, self.time),
                format!("nps {}", self.nodes * A_SECOND),
            ),
            (
                self.selective < self.moves,
                format!("seldepth {} for a pv of {} plies", self.selective, self.moves),
                format!("at least {}", self.moves),
            ),
            (self.full > 1000, format!("hashfull {}", self.full), "at most 1000".to_owned()),
        ];
        faults.into_iter().find(|(is_wrong, ..)| *is_wrong).map(|(_, got, expected)| (got, expected))
    }

    /// The rates follow from the score and the points of all men, as the page of our engine says.
    pub(super) fn fault_of_rates(&self, points: f64) -> Option<(String, String)> {
        let rate = |score: f64| (1000.0 / (1.0 + ((100.0 - score) / (38.0 + 0.4 * points)).exp())).round();
        let (score, wins, losses) = match (self.centipawns, self.mate) {
            (Some(score), _) => (format!("cp {score}"), rate(f64::from(score)), rate(f64::from(-score))),
            (None, Some(moves)) if moves > 0 => (format!("mate {moves}"), 1000.0, 0.0),
            (None, Some(moves)) => (format!("mate {moves}"), 0.0, 1000.0),
            (None, None) => return Some(("no score".to_owned(), "score cp or score mate".to_owned())),
        };
        let told = |rates: &str| format!("score {score} wdl {rates}");
        let expected = told(&format!("{wins} {} {losses}", 1000.0 - wins - losses));
        (told(&self.rates) != expected).then(|| (told(&self.rates), expected))
    }
}
