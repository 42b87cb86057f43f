//! `bench prove`: which mates the prover decides within a second, by their length, beside Stockfish's `go
//! mate`.
//!
//! A mate counts as proved if the least number of moves and a proof are there within a second, and as refuted
//! below if it is known within a second that there is none a move shorter. Stockfish is asked for the mate
//! with a second of time; it tells no refutation. Each times its own work; both have one thread and 64 MiB.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use oracle::board::{self, Accept};
use oracle::prover::{self, ProverLimits, ProverVerdict};
use suites::mates::{MateClaim, MateSuite};
use uci::{Bound, Engine, Info, Program, Score, Timeouts};

use crate::spread::Spread;
use crate::stockfish::Stockfish;
use crate::{Peers, console};

/// Measure which mates are proved and which shorter ones refuted within a second, beside Stockfish's `go
/// mate`.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench prove
  cargo xtask bench prove --longest 3 --stockfish ./stockfish")]
pub(crate) struct ProveArgs {
    /// The longest mate that is asked for, in moves.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=100))]
    longest: u32,
    /// The program to compare with [default: the one in PATH, or that of Debian].
    #[arg(long, value_name = "PROGRAM")]
    stockfish: Option<PathBuf>,
}

/// What a decision may take.
const SECOND: Duration = Duration::from_secs(1);
/// Where a search ends that does not end in time: some seconds.
const LIMITS: ProverLimits = ProverLimits { nodes: 6_000_000, memory: 64 };
/// How long an engine may be silent when its time is over.
const PATIENCE: Duration = Duration::from_secs(10);

/// What was found of the mates of one length.
#[derive(Debug, Default)]
struct Measured {
    cases: usize,
    proved: usize,
    refuted: usize,
    found: usize,
    /// Times that Stockfish took for each of ours, where both have found it.
    ratios: Vec<f64>,
}

/// Measures both. Without Stockfish our prover alone is measured, and the run is not complete.
///
/// # Errors
/// If a case is no position or its mate is another, or a program that was named cannot be used.
pub(crate) fn run(args: &ProveArgs) -> anyhow::Result<Peers> {
    let peer = Stockfish::find(args.stockfish.as_deref())?;
    let suite = MateSuite::embedded()?;
    let mates = suite.cases.iter().filter(|case| case.moves.is_empty()).filter_map(|case| match case.claim {
        MateClaim::Mate(moves) => Some((case.fen.as_str(), moves)),
        MateClaim::NoMate(_) => None,
    });
    let measured = measure(mates.filter(|(_, moves)| moves.unsigned_abs() <= args.longest), peer.as_ref())?;
    console::line(
        "Mates within a second, one thread, 64 MiB: proved in the least number of moves, with the proof;\n\
         refuted with a move less, which Stockfish does not tell; found by its `go mate`.\n",
    )?;
    let name = peer.as_ref().map_or("Stockfish", Stockfish::name);
    console::line(&format!(
        "{:<10}{:>6}{:>10}{:>10}{name:>22}   times as fast as it",
        "", "cases", "proved", "refuted"
    ))?;
    for (moves, measured) in &measured {
        console::line(&row(*moves, measured, peer.is_some()))?;
    }
    if peer.is_none() {
        console::line("\nStockfish was not measured: there is none in PATH; name one with --stockfish\n")?;
        return Ok(Peers::Missing);
    }
    console::line("")?;
    Ok(Peers::Measured)
}

fn measure<'a>(
    cases: impl Iterator<Item = (&'a str, i32)>,
    peer: Option<&Stockfish>,
) -> anyhow::Result<BTreeMap<i32, Measured>> {
    let mut asked = peer.map(started).transpose()?;
    let mut lengths = BTreeMap::<i32, Measured>::new();
    for (fen, moves) in cases {
        let length = lengths.entry(moves).or_default();
        length.cases += 1;
        let ours = prove(fen, moves, moves)?;
        length.proved += usize::from(ours.is_some_and(|time| time <= SECOND));
        let shorter = prove(fen, moves - moves.signum(), 0)?;
        length.refuted += usize::from(shorter.is_some_and(|time| time <= SECOND));
        let Some(asked) = &mut asked else { continue };
        let theirs = find(asked, fen, moves)?;
        length.found += usize::from(theirs.is_some());
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            length.ratios.push(theirs.as_secs_f64() / ours.as_secs_f64());
        }
    }
    Ok(lengths)
}

/// How long it takes to decide a claim; `None` if it remains undecided. Expected is the mate, or 0 for none.
fn prove(fen: &str, moves: i32, expected: i32) -> anyhow::Result<Option<Duration>> {
    let position = board::position_of_any_mode(fen, Accept::Unreachable)
        .with_context(|| format!("the FEN \"{fen}\""))?;
    let started = Instant::now();
    let outcome = prover::prove(&position, moves, &LIMITS);
    let time = started.elapsed();
    let found = match outcome.verdict {
        ProverVerdict::Mate { moves, .. } => i32::from(moves),
        ProverVerdict::Mated { moves, .. } => -i32::from(moves),
        ProverVerdict::Refuted => 0,
        ProverVerdict::Undecided => return Ok(None),
    };
    ensure!(found == expected, "{fen}: asked for mate in {moves}, expected {expected}, found {found}");
    Ok(Some(time))
}

fn row(moves: i32, measured: &Measured, beside: bool) -> String {
    let Measured { cases, proved, refuted, found, ratios } = measured;
    let share = |count: &usize| format!("{:.0} %", 100.0 * *count as f64 / *cases as f64);
    let what = if moves < 0 { format!("mated in {}", -moves) } else { format!("mate in {moves}") };
    let row = format!("{what:<10}{cases:>6}{:>10}{:>10}", share(proved), share(refuted));
    if !beside {
        return row;
    }
    let ratio =
        if ratios.is_empty() { "-".to_owned() } else { Spread::of(ratios.iter().copied()).to_string() };
    format!("{row}{:>22}   {ratio}", share(found))
}

/// Starts Stockfish with one thread and 64 MiB.
fn started(peer: &Stockfish) -> anyhow::Result<Engine> {
    let options = [("Threads", "1"), ("Hash", "64")];
    let program = Program {
        name: peer.name().to_owned(),
        path: peer.program().into(),
        options: options.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        ..Program::default()
    };
    Engine::start(&program, Timeouts::default()).with_context(|| format!("cannot start {}", peer.program()))
}

/// The time that the engine takes to find a mate, if it finds one within a second.
fn find(engine: &mut Engine, fen: &str, moves: i32) -> anyhow::Result<Option<Duration>> {
    engine.send("ucinewgame");
    engine.ready()?;
    let limit = format!("mate {} movetime {}", moves.unsigned_abs(), SECOND.as_millis());
    let search = engine.go(&format!("fen {fen}"), &limit, PATIENCE)?;
    let found = search.infos.into_iter().find(|(_, info)| tells(info, moves));
    Ok(found.map(|(time, _)| time).filter(|&time| time <= SECOND))
}

/// Whether a line tells of a mate in so many moves or fewer.
fn tells(info: &Info, moves: i32) -> bool {
    let Some((Score::Mate(mate), Bound::Exact)) = info.score else { return false };
    mate.signum() == moves.signum() && mate.abs() <= moves.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_read() {
        let check = |score: &str, moves: i32, expected: bool| {
            let line = format!("info depth 9 score {score} nodes 12 pv a1a2");
            let uci::Message::Info(info) = uci::Message::read(&line) else { panic!("{line}") };
            assert_eq!(tells(&info, moves), expected, "{score}");
        };
        check("mate 3", 3, true);
        check("mate 2", 3, true);
        check("mate 4", 3, false);
        check("mate -3", 3, false);
        check("mate -3", -3, true);
        check("mate 0", 3, false);
        check("mate 3 upperbound", 3, false);
        check("cp 300", 3, false);
    }

    #[test]
    fn a_mate_that_is_another_is_refused() {
        let fen = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";
        assert!(prove(fen, 2, 2).unwrap().is_some());
        assert!(prove(fen, 1, 0).unwrap().is_some());
        let refused = prove(fen, 3, 3).unwrap_err().to_string();
        assert_eq!(refused, format!("{fen}: asked for mate in 3, expected 3, found 2"));
    }
}
