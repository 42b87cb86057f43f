//! The output of a session: the FEN of `d`, the counts of `go perft`, also with a hash table, and the words that
//! it does not know.

use engine::search::AlphaBeta;
use engine::search_api::{NoClock, Settings};
use engine::tables::TableSet;
use engine::uci::{Dialogue, Host};
use suites::perft::Castling;
use suites::{Evidence, Findings, SkipReason, Verdict};

use super::positions::shredder;
use super::{Asked, Wrong, ask, first_difference, gather};
use crate::board::{self, Accept};
use crate::perft::{Draw, true_counts};

const CHECK: &str = "library/sessions";
/// One position in this many is asked, with moves after it, and counted to this depth.
const EACH: usize = 6;
const MOVES: usize = 3;
const DEPTH: u32 = 2;

/// A session without clock and files.
struct Alone;

impl Host for Alone {
    type Clock = NoClock;

    fn start_clock(&self) -> NoClock {
        NoClock
    }

    fn load_tables(&self, _: &str, _: usize) -> Result<TableSet, String> {
        Err("there are no files".to_owned())
    }
}

pub(super) fn run(seed: u64, positions: &[Asked]) -> Findings {
    let some: Vec<(usize, &Asked)> = positions.iter().enumerate().step_by(EACH).collect();
    let mut found = gather(CHECK, Evidence::Agreement, "positions", &some, |&(number, asked)| {
        let Some((moves, expected)) = truth(asked, Draw::new(seed, number)) else {
            return Verdict::Skip(SkipReason::Malformed);
        };
        let got = ask(|| told(asked, &moves)).unwrap_or_else(|panic| vec![panic]);
        let Some((got, expected)) = first_difference(&got, &expected) else { return Verdict::Agree };
        let because =
            format!("position fen {} moves {}, then d and go perft {DEPTH}", asked.fen, moves.join(" "));
        Wrong { check: CHECK, case: &asked.case, fen: &asked.fen, got, expected, source: "shakmaty", because }
            .verdict()
    });
    for (number, (line, unknown)) in UNKNOWN.into_iter().enumerate() {
        let say = || {
            Dialogue::new(Alone, Box::new(AlphaBeta::new(&Settings::default())))
                .say(&format!("{line}\n"))
                .unwrap_or_else(|error| error.to_string())
        };
        let printed = ask(say).unwrap_or_else(|panic| panic);
        found.record(quotes(&format!("unknown/{number:02}"), line, unknown, &printed));
    }
    found
}

/// Lines, each with the word, the FEN or the name of an option in it that the engine cannot know.
const UNKNOWN: [(&str, &str); 6] = [
    ("xyzzy", "xyzzy"),
    ("position startpos moves e2e4 e9e4", "e9e4"),
    ("position fen 8/8/8/8/8/8/8/9 w - - 0 1", "8/8/8/8/8/8/8/9 w - - 0 1"),
    ("position startpos e2e4", "e2e4"),
    ("go depth 1 sometimes", "sometimes"),
    ("setoption name Style value Solid", "Style"),
];

/// Whether an `info string` of the answer to a line quotes what is unknown in it.
pub(super) fn quotes(case: &str, line: &str, unknown: &str, printed: &str) -> Verdict {
    let quoted = format!("\"{unknown}\"");
    if printed.lines().any(|line| line.starts_with("info string ") && line.contains(&quoted)) {
        return Verdict::Agree;
    }
    let got = printed.lines().next().unwrap_or("nothing").to_owned();
    let (expected, because) = (format!("an info string with {quoted}"), format!("the line is \"{line}\""));
    Wrong { check: CHECK, case, fen: "", got, expected, source: "definition", because }.said_to(line)
}

/// Random moves from a position, and the output that a session has to print after them.
fn truth(asked: &Asked, mut draw: Draw) -> Option<(Vec<String>, Vec<String>)> {
    let mode = match asked.castling {
        Castling::Standard => shakmaty::CastlingMode::Standard,
        Castling::Chess960 => shakmaty::CastlingMode::Chess960,
    };
    let mut position = board::position_in(&asked.fen, mode, Accept::Unreachable).ok()?;
    let mut moves = Vec::new();
    for _ in 0..MOVES {
        let mut legal = board::uci_moves(&position);
        legal.sort();
        if legal.is_empty() {
            break;
        }
        let text = legal.swap_remove(draw.below(legal.len()));
        position = board::after(&position, board::legal_move(&position, &text, board::Spelling::Exact)?);
        moves.push(text);
    }
    let fen = match asked.castling {
        Castling::Standard => board::fen(&position),
        Castling::Chess960 => shredder(&position),
    };
    let mut counts = true_counts(&board::fen(&position), asked.castling, DEPTH);
    counts.sort();
    let sum: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
    let listed = counts.into_iter().map(|(text, nodes)| format!("{text}: {nodes}"));
    Some((
        moves,
        std::iter::once(format!("Fen: {fen}"))
            .chain(listed)
            .chain([format!("Nodes searched: {sum}")])
            .collect(),
    ))
}

/// The output of the session.
fn told(asked: &Asked, moves: &[String]) -> Vec<String> {
    let mut session = Dialogue::new(Alone, Box::new(AlphaBeta::new(&Settings::default())));
    let chess960 = asked.castling == Castling::Chess960;
    let lines = format!(
        "setoption name Hash value 1\nsetoption name UCI_Chess960 value {chess960}\nposition fen {} moves {}\nd\ngo perft {DEPTH}\n",
        asked.fen,
        moves.join(" ")
    );
    let printed = session.say(&lines).unwrap_or_else(|error| error.to_string());
    let of =
        |is_wanted: fn(&str) -> bool| printed.lines().filter(move |line| is_wanted(line)).map(str::to_owned);
    let mut counts: Vec<String> = of(is_count).collect();
    counts.sort();
    of(|line| line.starts_with("Fen: "))
        .chain(counts)
        .chain(of(|line| line.starts_with("Nodes searched: ")))
        .collect()
}

/// Whether a line belongs to a move of `go perft`: `e2e4: 20`.
fn is_count(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(text, nodes)| {
        (4..=5).contains(&text.len())
            && text.as_bytes()[1].is_ascii_digit()
            && nodes.bytes().all(|byte| byte.is_ascii_digit())
    })
}
