//! Decides whether White and Black can still mate, in each position of standard input.
//!
//! A line is a FEN after one of `WB`, `W-`, `-B` and `--`, which says who can mate, or after `??`. The positions of
//! the Chess Unwinnability Analyzer have this form. The argument is the most positions that are visited for a side.
//! The exit code is 1 if an answer is not the expected one.
//!
//! ```sh
//! cargo run --release -p touchstone-oracle --example can_mate -- 100000 < test-vector.txt
//! ```

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::io::BufRead;
use std::process::ExitCode;

use oracle::board::{self, Accept};
use oracle::helpmate::{CanMate, POSITIONS, can_mate};
use shakmaty::Color;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let most: usize = std::env::args().nth(1).map_or(Ok(POSITIONS), |text| text.parse())?;
    let (mut asked, mut undecided, mut wrong, mut visited) = (0, 0, 0, 0);
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let (known, fen) = line.split_once(' ').ok_or("no FEN in a line")?;
        // Castling rights, en passant square and counters may lack.
        let absent = ["w", "-", "-", "0", "1"];
        let given: Vec<&str> = fen.split_whitespace().take(6).collect();
        let fields = given.iter().chain(&absent[given.len().saturating_sub(1).min(5)..]);
        let fen = fields.copied().collect::<Vec<_>>().join(" ");
        let position = board::position_of_any_mode(&fen, Accept::WrongRights)?;
        for (side, expected) in Color::ALL.into_iter().zip(known.chars()) {
            let decision = can_mate(&position, side, most);
            asked += 1;
            visited += decision.positions;
            let (answer, is_wrong) = match decision.can_mate {
                CanMate::Yes(line) => {
                    (format!("yes: {}", board::numbered(&position, &line)), expected == '-')
                }
                CanMate::No(why) => (format!("no: {why}"), expected == side.char().to_ascii_uppercase()),
                CanMate::Undecided => ("undecided".to_owned(), false),
            };
            undecided += u32::from(answer == "undecided");
            wrong += u32::from(is_wrong);
            let mark = if is_wrong { "WRONG " } else { "" };
            println!("{mark}{fen} | {side} | {} positions | {answer}", decision.positions);
        }
    }
    println!("{asked} asked, {undecided} undecided, {wrong} wrong, {visited} positions");
    Ok(ExitCode::from(u8::from(wrong > 0)))
}
