//! The output of a session: the FEN of `d`, the counts of `go perft`, also with a hash table, the words that it does
//! not know, and the options that it offers.

use engine::search::AlphaBeta;
use engine::search_api::{NoClock, Settings};
use engine::tables::TableSet;
use engine::uci::{Dialogue, Host};
use suites::perft::Castling;
use suites::{Evidence, Findings, SkipReason, Verdict};

use super::positions::shredder;
use super::{Asked, Wrong, ask, first_difference, gather, printed};
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
    let mut found = gather(CHECK, Evidence::Agreement, "sessions", &some, |&(number, asked)| {
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
    for (number, typed) in TYPED.iter().enumerate() {
        let mut session = Dialogue::new(Alone, Box::new(AlphaBeta::new(&Settings::default())));
        let printed = printed(|| session.say(&format!("{}\n", typed.line)));
        found.record(typed.verdict(&format!("typed/{number:02}"), &printed));
    }
    found
}

/// An input line, and what one line of the engine's output has to contain.
pub(super) struct Typed {
    line: &'static str,
    /// The text that the output line starts with.
    start: &'static str,
    /// A text that it contains; without one the line is the start and nothing more.
    has: &'static str,
}

/// The engine has to quote a word that it cannot know, and to read the rest of the line, as UCI demands. Our engine
/// makes one exception: after a mistyped command it does not read on. It has to offer each of its options: a check of
/// an option that is not offered is left out.
const TYPED: [Typed; 24] = [
    Typed::quoted("xyzzy", "\"xyzzy\""),
    Typed::quoted("position startpos moves e2e4 e9e4", "\"e9e4\""),
    Typed::quoted("position fen 8/8/8/8/8/8/8/9 w - - 0 1", "\"8/8/8/8/8/8/8/9 w - - 0 1\""),
    Typed::quoted("position startpos e2e4", "\"e2e4\""),
    Typed::quoted("position sideways", "\"sideways\""),
    Typed::quoted("go depth 1 sometimes", "\"sometimes\""),
    Typed::quoted("setoption name Style value Solid", "\"Style\""),
    Typed { line: "eval", start: "score: cp ", has: "(White's view)" },
    Typed { line: "help", start: "isready ", has: "readyok" },
    Typed { line: "joho uci", start: "uciok", has: "uciok" },
    Typed { line: "isredy quit\nuci", start: "uciok", has: "uciok" },
    Typed::offered("option name Hash type spin default 16 min 0 max 4096"),
    Typed::offered("option name Clear Hash type button"),
    Typed::offered("option name Threads type spin default 1 min 1 max 256"),
    Typed::offered("option name MultiPV type spin default 1 min 1 max 256"),
    Typed::offered("option name Ponder type check default false"),
    Typed::offered("option name UCI_Chess960 type check default false"),
    Typed::offered("option name UCI_ShowWDL type check default false"),
    Typed::offered("option name Move Overhead type spin default 10 min 0 max 10000"),
    Typed::offered("option name TablePath type string default <empty>"),
    Typed::offered("option name TableCache type spin default 64 min 1 max 65536"),
    Typed::offered("option name Tables type check default true"),
    Typed::offered("option name Endgame Knowledge type check default true"),
    Typed::offered("option name King Tables type check default true"),
];

impl Typed {
    pub(super) const fn quoted(line: &'static str, has: &'static str) -> Self {
        Self { line, start: "info string ", has }
    }

    /// An option that the answer to `uci` has to offer.
    const fn offered(option: &'static str) -> Self {
        Self { line: "uci", start: option, has: "" }
    }

    /// Whether the line is among those that were printed.
    pub(super) fn verdict(&self, case: &str, printed: &str) -> Verdict {
        let &Self { line: typed, start, has } = self;
        let is_right = |line: &str| match has {
            "" => line == start,
            _ => line.starts_with(start) && line.contains(has),
        };
        if printed.lines().any(is_right) {
            return Verdict::Agree;
        }
        let got = printed.lines().next().unwrap_or("nothing").to_owned();
        let typed = typed.replace('\n', "\\n");
        let expected = match has {
            "" => format!("the line \"{start}\""),
            _ => format!("a line that starts with \"{start}\" and contains {has}"),
        };
        let because = format!("the input is \"{typed}\"");
        Wrong { check: CHECK, case, fen: "", got, expected, source: "definition", because }.said_to(&typed)
    }
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
