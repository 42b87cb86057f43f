//! Proves the suite of mates and writes it with its proofs. A case that cannot be proved is an error.
//!
//! ```text
//! cargo run --release -p touchstone-arbiter --example build_mates -- suites/data/mates.epd suites/data/mates.proofs [--check]
//! ```
//!
//! The first file is read, and written with the right number of cases; the second file is written. With
//! `--check` nothing is written, and both files have to be as they would be written. For each mate it is
//! proved that there is no shorter one, and for each case without a mate that there is none. The halfmove
//! clock and the moves of the game count. The same cases give the same bytes.

#![allow(clippy::print_stderr, reason = "a program for the terminal")]

use std::error::Error;
use std::fmt::Write as _;

use oracle::board::Game;
use oracle::prover::{Certificate, ProverLimits, ProverVerdict, prove_in};
use rayon::prelude::*;
use suites::mates::{MateCase, MateClaim, cases};

const LIMITS: ProverLimits = ProverLimits { nodes: 100_000_000, memory: 512 };
const DECLARATION: &str = "# cases: ";

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = Vec::new();
    let mut check = false;
    for argument in std::env::args().skip(1) {
        if argument == "--check" { check = true } else { paths.push(argument) }
    }
    let [suite_path, proofs_path] = &paths[..] else {
        return Err("expected two files: EPD, proofs".into());
    };
    let suite = counted(&std::fs::read_to_string(suite_path)?);
    let cases = cases(suite_path, &suite)?;
    let proven: Vec<Result<Option<String>, String>> = cases.par_iter().map(proof).collect();
    let mut proofs = String::new();
    let mut count = 0;
    let mut refused = 0;
    for (case, proven) in cases.iter().zip(proven) {
        match proven {
            Ok(None) => {}
            Ok(Some(proof)) => {
                count += 1;
                writeln!(proofs, "{}\t{proof}", case.id)?;
            }
            Err(why) => {
                refused += 1;
                eprintln!("{}: {why}: {}", case.id, case.fen);
            }
        }
    }
    if refused > 0 {
        return Err(format!("{refused} cases could not be proved as stated").into());
    }
    let proofs = format!(
        "# What proves the mates of mates.epd: an id, a tab, a certificate as oracle/src/prover/certificate.rs reads it.\n\
         # Written by arbiter/examples/build_mates.rs.\n{DECLARATION}{count}\n{proofs}"
    );
    for (path, text) in [(suite_path, &suite), (proofs_path, &proofs)] {
        if !check {
            std::fs::write(path, text)?;
        } else if std::fs::read_to_string(path)? != *text {
            return Err(format!("{path} is not what would be written").into());
        }
    }
    eprintln!("{} cases, {count} of them with a proof of {} bytes in all", cases.len(), proofs.len());
    Ok(())
}

/// The suite with the right number of cases.
fn counted(text: &str) -> String {
    let count = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).count();
    let mut counted = String::with_capacity(text.len());
    for line in text.lines() {
        if line.starts_with(DECLARATION) {
            counted += DECLARATION;
            counted += &count.to_string();
        } else {
            counted += line;
        }
        counted.push('\n');
    }
    counted
}

/// The proof of a mate; `None` if the case says that there is no mate, and that is proved. The error is why
/// the case is wrong.
fn proof(case: &MateCase) -> Result<Option<String>, String> {
    let game = Game::new(&case.fen, &case.moves).map_err(|error| error.to_string())?;
    let (MateClaim::Mate(moves) | MateClaim::NoMate(moves)) = case.claim;
    let found = prove_in(&game, moves, &LIMITS).verdict;
    let (shortest, Certificate(text)) = match found {
        ProverVerdict::Mate { moves, proof } => (i32::from(moves), proof),
        ProverVerdict::Mated { moves, proof } => (-i32::from(moves), proof),
        ProverVerdict::Refuted if case.claim == MateClaim::NoMate(moves) => return Ok(None),
        ProverVerdict::Refuted => return Err(format!("there is no mate within {} moves", moves.abs())),
        ProverVerdict::Undecided => return Err(format!("undecided after {} positions", LIMITS.nodes)),
    };
    if case.claim != MateClaim::Mate(shortest) {
        return Err(format!("the shortest mate is dm {shortest}"));
    }
    let proven = Certificate(text.clone()).replay_in(&game).map_err(|fault| fault.to_string())?;
    if proven.moves != shortest {
        return Err(format!("the proof shows dm {}, expected dm {shortest}", proven.moves));
    }
    Ok(Some(text))
}
