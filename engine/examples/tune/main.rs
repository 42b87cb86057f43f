//! Fits the weights of the evaluation to the results of games, and rewrites their data file.
//!
//! ```text
//! cargo run --release -p touchstone-engine --example tune -- POSITIONS WEIGHTS [ROUNDS]
//! ```
//!
//! `POSITIONS` is a text file of lines `FEN;result`: 1.0, 0.5 or 0.0, the result of the game for White. The
//! positions should be quiet, because nothing is searched. `WEIGHTS` is `engine/src/eval/weights.rs`, as this
//! program was built with it; it is replaced. `ROUNDS` is the number of passes over all positions, 500 by
//! default.
//!
//! A smaller loss is not yet a stronger engine. On positions of a few hundred games the loss falls, even on
//! positions held back, while the engine gets weaker by the noise. Use many thousands of games, and test with
//! matches.
//!
//! The method is Peter Österlund's ("Texel's Tuning Method", 2014), with the logistic loss and the exact
//! gradient, because the evaluation is linear in its weights; steps are those of Adam (Kingma and Ba, 2014).
//! The same input gives the same output. Does not select positions.

mod fit;
mod rewrite;
mod samples;

use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use engine::eval::EvalOptions;
use engine::eval::tuning::{self, Weight};

use fit::Fit;
use samples::Samples;

/// The default number of rounds.
const ROUNDS: u32 = 500;
/// The most rounds.
const MOST_ROUNDS: u32 = 100_000;
/// Rounds between progress reports.
const TELL_EVERY: u32 = 50;
/// The largest file of positions, in bytes.
const MOST_BYTES: u64 = 1 << 30;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If even this fails, nothing is left to do.
            let _ = writeln!(io::stderr(), "tune: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (positions, file, rounds) = match &arguments[..] {
        [positions, file] => (positions, file, ROUNDS),
        [positions, file, rounds] => (positions, file, parse_rounds(rounds)?),
        _ => return Err("expected POSITIONS WEIGHTS [ROUNDS]".to_owned()),
    };
    let weights = tuning::weights();
    let source = read(file)?;
    // Fails early if the file does not match.
    rewrite::rewrite(&source, &weights, &weights).map_err(|error| format!("{file}: {error}"))?;
    let samples = Samples::read(&read(positions)?, EvalOptions::default())
        .map_err(|error| format!("{positions}:{error}"))?;
    let mut out = io::stdout().lock();
    let fitted =
        fit(&samples, &weights, rounds, &mut out).map_err(|error| format!("standard output: {error}"))?;
    let text = rewrite::rewrite(&source, &weights, &fitted).map_err(|error| format!("{file}: {error}"))?;
    replace(file, &text)
}

/// Runs the rounds and prints the losses.
fn fit(samples: &Samples, weights: &[Weight], rounds: u32, out: &mut impl Write) -> io::Result<Vec<Weight>> {
    let mut fit = Fit::new(samples, weights);
    writeln!(
        out,
        "{} positions to learn from, {} held back",
        samples.learnt().len(),
        samples.held_back().len()
    )?;
    writeln!(out, "a logistic unit is {:.1} centipawns", fit.unit())?;
    for round in 0..=rounds {
        if round % TELL_EVERY == 0 || round == rounds {
            let (learnt, held) = (fit.loss(samples.learnt()), fit.loss(samples.held_back()));
            writeln!(out, "round {round}: loss {learnt:.6}, of those held back {held:.6}")?;
        }
        if round < rounds {
            fit.round();
        }
    }
    Ok(fit.weights(weights))
}

fn parse_rounds(text: &str) -> Result<u32, String> {
    let rounds = text.parse().ok().filter(|rounds| (1..=MOST_ROUNDS).contains(rounds));
    rounds.ok_or_else(|| format!("expected 1 to {MOST_ROUNDS} rounds, got \"{text}\""))
}

fn read(path: &str) -> Result<String, String> {
    let told = |error: &dyn Display| format!("{path}: {error}");
    let size = fs::metadata(path).map_err(|error| told(&error))?.len();
    if size > MOST_BYTES {
        return Err(told(&format!("{size} bytes are more than {MOST_BYTES}")));
    }
    fs::read_to_string(path).map_err(|error| told(&error))
}

/// Writes a temporary file beside the target and renames it, so that the target is always complete.
fn replace(path: &str, text: &str) -> Result<(), String> {
    let beside = format!("{path}.new");
    let written = fs::write(&beside, text).and_then(|()| fs::rename(Path::new(&beside), Path::new(path)));
    written.map_err(|error| format!("{path}: {error}"))
}
