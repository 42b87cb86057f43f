//! Builds the suite of draws: draws positions at random with a fixed seed, and keeps those with a proved
//! result that the misreading of their class gets wrong.
//!
//! ```sh
//! cargo run -p touchstone-arbiter --example build_draws > suites/data/draws.epd
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod classes;
mod random;

use std::collections::BTreeSet;

use arbiter::draws::{DrawProver, Game, MOST_PLIES, Misreading, check};
use oracle::knowledge::three_men;
use oracle::table_probe::EngineTables;
use random::{Proposal, Random};
use suites::draws::{DrawCase, GameResult};

/// The most proposals for one group of cases.
const MOST_TRIES: usize = 100_000_000;

/// The cases so far.
struct Builder {
    tables: &'static EngineTables,
    cases: Vec<DrawCase>,
    seen: BTreeSet<String>,
}

/// A proposal whose result is proved.
struct Proved<'a> {
    proposal: &'a Proposal,
    game: Game,
    result: GameResult,
    tables: &'a EngineTables,
}

impl Proved<'_> {
    /// The result of the game as it is misread.
    fn misread(&self, how: Misreading) -> Option<GameResult> {
        let game = how.read(&self.proposal.fen, &self.proposal.moves).ok()?;
        Some(DrawProver { tables: Some(self.tables) }.prove(&game, MOST_PLIES)?.result)
    }

    /// Whether the misread game is drawn and the game is not, or the other way round.
    fn turns_on(&self, how: Misreading) -> bool {
        let is_draw = |result| result == GameResult::Draw;
        self.misread(how).is_some_and(|misread| is_draw(misread) != is_draw(self.result))
    }
}

impl Builder {
    /// Adds `count` cases to a class.
    fn add(
        &mut self,
        class: &str,
        count: usize,
        may_fail: bool,
        propose: impl Fn(&mut Random) -> Option<Proposal>,
        accept: impl Fn(&Proved) -> bool,
    ) {
        // Each group of cases has its own seed, so that a change of one does not change the others.
        let seed = class
            .bytes()
            .fold(self.number(class), |seed, byte| seed.wrapping_mul(31).wrapping_add(usize::from(byte)));
        let mut random = Random(seed as u64);
        let mut found = 0;
        for _ in 0..MOST_TRIES {
            if found == count {
                break;
            }
            let Some(mut proposal) = propose(&mut random) else { continue };
            if random.coin() {
                let Some(mirrored) = proposal.mirrored() else { continue };
                proposal = mirrored;
            }
            let Some(case) = self.prove(class, &proposal, may_fail, &accept) else { continue };
            let placement = case.fen.split(' ').next().unwrap_or_default().to_owned();
            if self.seen.insert(format!("{class} {placement}")) {
                self.cases.push(case);
                found += 1;
            }
        }
        eprintln!("{class}: {found} of {count}");
    }

    /// The number of the next case of a class.
    fn number(&self, class: &str) -> usize {
        1 + self.cases.iter().filter(|case| case.class.name() == class).count()
    }

    fn prove(
        &self,
        class: &str,
        proposal: &Proposal,
        may_fail: bool,
        accept: impl Fn(&Proved) -> bool,
    ) -> Option<DrawCase> {
        let Proposal { fen, moves } = proposal;
        let game = Game::new(fen, moves).ok()?;
        let mut case = DrawCase {
            id: format!("{class}/{:02}", self.number(class)),
            class: class.parse().ok()?,
            fen: fen.clone(),
            moves: moves.clone(),
            result: GameResult::Draw,
            due: None,
            may_fail,
        };
        if !may_fail {
            case.result = DrawProver { tables: Some(self.tables) }.prove(&game, MOST_PLIES)?.result;
        }
        if !accept(&Proved { proposal, game: game.clone(), result: case.result, tables: self.tables }) {
            return None;
        }
        if !may_fail && case.result == GameResult::Draw {
            case.due = Some(DrawProver::default().prove(&game, MOST_PLIES)?.plies);
        }
        check(&case, self.tables).ok()?;
        Some(case)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tables = three_men().ok_or("the tables of three men are not certified")?;
    let mut builder = Builder { tables, cases: Vec::new(), seen: BTreeSet::new() };
    let only = std::env::args().nth(1);
    for (name, add) in classes::ALL {
        if only.as_deref().is_none_or(|only| only == name) {
            add(&mut builder, name);
        }
    }
    println!("# Draws: positions that rules of draws decide, and their neighbours that they do not.");
    println!("# cases: {}", builder.cases.len());
    println!(
        "# What the operations say stands in the documentation of this crate's module of the same name."
    );
    println!(
        "# Each result was proved by shakmaty's moves and certified tables, and is proved again by the tests."
    );
    let mut class = "";
    for case in &builder.cases {
        if case.class.name() != class {
            class = case.class.name();
            println!("\n# {class}");
        }
        println!("{}", case.line());
    }
    Ok(())
}
