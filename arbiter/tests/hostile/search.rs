//! The answer to a position, and when it is due.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use shakmaty::{Chess, Move, Position};

use crate::board;
use crate::fault::Faults;
use crate::mouth::say;

/// The deepest iteration.
const DEEPEST: u32 = 64;
/// The longest printed line, in plies.
const LONGEST_LINE: u32 = 8;

/// The arguments of `go`.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    time: Option<Duration>,
    /// It looks for a mate in so many moves.
    mate: Option<u32>,
    /// It does not end before `stop`.
    infinite: bool,
    /// It does not end before `stop` or `ponderhit`.
    ponder: bool,
    /// The clocks of White and Black in milliseconds.
    clocks: [Option<u64>; 2],
    pub(crate) only: Vec<String>,
    pub(crate) perft: Option<u32>,
}

/// A search whose `bestmove` is not printed yet.
pub(crate) struct PendingSearch {
    pub(crate) answer: String,
    /// When the answer is due. `None`: after `stop`.
    pub(crate) due: Option<Instant>,
    ponders: bool,
    /// The nodes of a search by time, which it tells at the end, and when it began.
    counted: Option<(u64, Instant)>,
}

impl Limits {
    pub(crate) fn read(words: &[&str]) -> Self {
        let mut read = Self { infinite: words.is_empty(), ..Self::default() };
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            let mut number = || words.next_if(|next| next.parse::<i64>().is_ok());
            match word {
                "depth" => read.depth = number().and_then(|text| text.parse().ok()),
                "nodes" => read.nodes = number().and_then(|text| text.parse().ok()),
                "movetime" => {
                    read.time = number().and_then(|text| text.parse().ok()).map(Duration::from_millis);
                }
                "wtime" => read.clocks[0] = number().and_then(|text| text.parse().ok()),
                "btime" => read.clocks[1] = number().and_then(|text| text.parse().ok()),
                "mate" => read.mate = number().and_then(|text| text.parse().ok()),
                "perft" => read.perft = number().and_then(|text| text.parse().ok()),
                "infinite" => read.infinite = true,
                "ponder" => read.ponder = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| !is_keyword(word)) {
                        read.only.push(mv.to_owned());
                    }
                }
                _ => {}
            }
        }
        read
    }

    /// The limits that it keeps.
    fn kept(self, faults: &Faults) -> Self {
        let forever = self.nodes.is_some() && faults.has("nodes-are-forever")
            || self.depth.is_some() && faults.has("depth-is-forever")
            || self.time.is_some() && faults.has("movetime-is-forever");
        let late = Duration::from_millis(if faults.has("late") { 300 } else { 0 });
        Self {
            infinite: self.infinite || forever,
            depth: if self.nodes.is_some() && faults.has("nodes-are-nothing") { Some(1) } else { self.depth },
            time: self.time.map(|time| time + late),
            ..self
        }
    }
}

fn is_keyword(word: &str) -> bool {
    let known =
        ["depth", "nodes", "movetime", "infinite", "ponder", "mate", "wtime", "btime", "winc", "binc"];
    known.contains(&word) || word == "movestogo"
}

/// Prints the `info` lines of a position at once. The answer is printed when it is due.
pub(crate) fn think(
    faults: &Faults,
    position: &Chess,
    limits: Limits,
    lines: usize,
    lies: bool,
) -> PendingSearch {
    let began = Instant::now();
    let limits = limits.kept(faults);
    let mut moves = board::moves(faults, position);
    if let Some(most) = limits.mate {
        moves.sort_by_key(|&mv| !board::mates_within(position, mv, most));
    }
    let asked = |mv: &Move| limits.only.contains(&board::text(*mv));
    if moves.iter().any(asked) {
        moves.retain(asked);
    }
    if faults.has("drift") && !moves.is_empty() {
        let drawn = std::process::id() as usize + began.elapsed().subsec_nanos() as usize;
        let count = moves.len();
        moves.rotate_left(drawn % count);
    }
    if faults.has("blank") && !moves.is_empty() {
        let mut drawn = DefaultHasher::new();
        position.hash(&mut drawn);
        let index = drawn.finish() as usize % moves.len();
        moves.rotate_left(index);
    }
    if faults.has("shallow-stalemate") {
        let is_shallow = limits.depth == Some(1);
        moves.sort_by_key(|&mv| board::stalemates(position, mv) != is_shallow);
    }
    if moves.is_empty() {
        let score = if position.is_check() && !faults.has("blank") { "mate 0" } else { "cp 0" };
        say(faults, &format!("info depth 0 score {score}"));
    }
    let bounded = limits.depth.is_some() || limits.nodes.is_some();
    let last = limits.depth.unwrap_or(if bounded { DEEPEST } else { 8 }).clamp(1, DEEPEST);
    let nodes = |depth: u32| (30 * u64::from(depth - 1) + 1) * moves.len() as u64;
    let is_within = |depth: &u32| *depth == 1 || limits.nodes.is_none_or(|most| nodes(*depth) <= most);
    let last = (1..=last).take_while(is_within).last().unwrap_or(1);
    for depth in if faults.has("one-line") { last } else { 1 }..=last {
        for (rank, &mv) in moves.iter().take(lines).enumerate() {
            inform(faults, position, mv, [depth, rank as u32 + 1], nodes(depth), (began, lies));
        }
    }
    let illegal = faults.has("illegal-move").then(|| "e4e5".to_owned());
    let kept = limits.only.first().filter(|_| faults.has("keeps-searchmoves") && !moves.iter().any(asked));
    let illegal = illegal.or_else(|| kept.cloned());
    let best = illegal.or_else(|| moves.first().map(|&mv| board::text(mv)));
    let left = limits.clocks[position.turn().fold_wb(0, 1)].filter(|_| faults.has("slow"));
    let time = left.map(|left| Duration::from_millis(2 * left)).or(limits.time);
    PendingSearch {
        answer: format!("bestmove {}", best.as_deref().unwrap_or("(none)")),
        due: (!limits.infinite && !limits.ponder).then(|| began + time.unwrap_or_default()),
        ponders: limits.ponder && !limits.infinite,
        counted: limits.time.map(|_| (nodes(last), began)),
    }
}

/// Whether the chances are printed: `UCI_ShowWDL`.
pub(crate) static SHOW_WDL: AtomicBool = AtomicBool::new(false);
/// Whether the hash table has the least size.
pub(crate) static SMALL_HASH: AtomicBool = AtomicBool::new(false);

/// The chances of a score, if they are printed.
fn wdl(score: &str) -> &'static str {
    match score {
        _ if !SHOW_WDL.load(Ordering::Relaxed) => "",
        "cp 0" => " wdl 10 980 10",
        "mate -1" => " wdl 0 0 1000",
        _ => " wdl 1000 0 0",
    }
}

/// Prints a line of `info`.
fn inform(
    faults: &Faults,
    position: &Chess,
    mv: Move,
    [depth, rank]: [u32; 2],
    nodes: u64,
    (began, lies): (Instant, bool),
) {
    let score = match board::mates(position, mv) {
        _ if faults.has("blank") => "cp 0",
        true if faults.has("wrong-sign") => "mate -1",
        true => "mate 1",
        false if lies => "mate 2",
        false => "cp 0",
    };
    let pv = line(faults, position, mv, depth.min(LONGEST_LINE)).join(" ");
    if faults.has("shuffled") {
        let garbled = "hashfull many nps -1 score-ish 3";
        let time = began.elapsed().as_millis();
        say(faults, &format!("info pv {pv} time {time} {garbled} score {score} nodes {nodes} depth {depth}"));
    } else {
        let counted = counted(faults, nodes, began);
        say(
            faults,
            &format!(
                "info depth {depth} seldepth {depth} multipv {rank} score {score}{} {counted} pv {pv}",
                wdl(score)
            ),
        );
    }
}

/// The fields of nodes and time.
fn counted(faults: &Faults, nodes: u64, began: Instant) -> String {
    let time = began.elapsed().as_millis() as u64;
    let full = if faults.has("overfull") && SMALL_HASH.load(Ordering::Relaxed) { 2000 } else { 0 };
    format!("nodes {nodes} nps {} hashfull {full} time {time}", nodes * 1000 / time.max(1))
}

/// A line with the first move of each position, up to the end of the game.
fn line(faults: &Faults, position: &Chess, mv: Move, plies: u32) -> Vec<String> {
    let mut after = position.clone();
    let mut line = Vec::new();
    let mut next = Some(mv);
    while let Some(mv) = next.filter(|_| line.len() < plies as usize) {
        line.push(board::text(mv));
        after.play_unchecked(mv);
        let is_over = after.is_insufficient_material() && !faults.has("plays-on");
        next = board::moves(faults, &after).first().copied().filter(|_| !is_over);
    }
    line
}

impl PendingSearch {
    /// The last lines, with `bestmove`.
    pub(crate) fn last_lines(&self, faults: &Faults) -> String {
        let counted = self.counted.map(|(nodes, began)| format!("info {}\n", counted(faults, nodes, began)));
        counted.unwrap_or_default() + &self.answer
    }

    /// Whether it needs no `stop` or `ponderhit`.
    pub(crate) fn ends_by_itself(&self) -> bool {
        self.due.is_some()
    }

    /// Makes the answer of a ponder search due.
    pub(crate) fn ponderhit(&mut self) {
        if self.ponders {
            self.due = Some(Instant::now());
        }
    }
}
