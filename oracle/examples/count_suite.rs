//! Counts the nodes of a perft suite with shakmaty, as the data files `suites/data/*.epd` need them.
//!
//! It reads lines `FEN ;id "name" ...` from standard input and prints them with all depths of at most the
//! number of nodes in the first argument (default 2,000,000). With `--chess960` as the second argument,
//! castling rights are those of Chess960.
//!
//! ```sh
//! cargo run --release -p touchstone-oracle --example count_suite -- 5000000 < suites/data/perft.epd
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

use std::io::BufRead;

use oracle::board::{self, Accept};
use shakmaty::CastlingMode;

const DEEPEST: u32 = 12;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let budget: u64 = arguments.next().map_or(Ok(2_000_000), |text| text.parse())?;
    let mode = match arguments.next().as_deref() {
        Some("--chess960") => CastlingMode::Chess960,
        _ => CastlingMode::Standard,
    };
    let mut total = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.starts_with('#') || line.trim().is_empty() {
            println!("{line}");
            continue;
        }
        let (fen, operations) = line.split_once(';').ok_or("no operation in a line")?;
        let id = operations.split(';').find(|operation| operation.starts_with("id")).unwrap_or("id \"?\"");
        let position = match board::position_in(fen.trim(), mode, Accept::Legal) {
            Ok(position) => position,
            Err(error) => {
                eprintln!("{fen}: {error}");
                continue;
            }
        };
        print!("{} ;{}", fen.trim(), id.trim());
        for depth in 1..=DEEPEST {
            let nodes = shakmaty::perft(&position, depth);
            if nodes > budget {
                break;
            }
            total += nodes;
            print!(" ;D{depth} {nodes}");
            if nodes == 0 {
                break;
            }
        }
        println!();
    }
    eprintln!("{total} nodes in all");
    Ok(())
}
