//! Builds the suite of stalemates: what fills `suites/data/stalemates.epd`.
//!
//! Positions of three men are taken from the tables. The others are drawn at random: stalemates, and
//! positions up to three plies before them. Positions with a proved answer are kept, a few of each kind. In
//! the class of pinned men, positions that the specimen `micromax` gets wrong and `micromax-guarded` gets
//! right are preferred. The draw is seeded, so each run gives the same suite.
//!
//! ```sh
//! cargo run --release -p touchstone-arbiter --example build_stalemates > suites/data/stalemates.epd
//! ```
//!
//! With `--from-tables` it prints the cases of [`FROM_TABLES`] alone, numbered from 1, and draws nothing.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]

mod draw;
mod kinds;

use std::collections::{BTreeMap, BTreeSet};

use arbiter::player::{InProcess, PlayerFactory, Setup};
use arbiter::stalemates::classes::belongs;
use arbiter::stalemates::judge::{StalematePosition, faults};
use arbiter::stalemates::plain::{self, Stalemate};
use arbiter::stalemates::proof::{ProvedAnswer, StalemateProver, answer};
use oracle::board::{Accept, fen_with, position};
use oracle::knowledge::three_men;
use oracle::positions::Placement;
use oracle::table_probe::{TableProbe, Wdl};
use rayon::prelude::*;
use shakmaty::{Chess, Color, EnPassantMode, Position};
use suites::stalemates::{StalemateCase, StalemateClass};
use uci::{Limit, Question};

use draw::Random;

/// The most placements that are drawn for each class.
const DRAWN: usize = 1_500_000;
/// Attempts to take a move back from each position.
const TRIES: usize = 12;
/// The most proofs that are tried for each class.
const PROOFS: usize = 6_000;
/// The most cases from one drawn stalemate.
const OF_ONE: usize = 2;
/// The greatest depth of a plain run, in plies.
const DEEPEST: u16 = 6;

/// Positions of four men that `tables explore --only underpromotion` lists in `KRvKP` and `KQvKP`: promotion
/// to a queen stalemates. They are proved as the others are, and stand after the drawn ones of their class.
const FROM_TABLES: [(StalemateClass, &str); 6] = [
    (StalemateClass::Promotion, "8/8/8/8/8/2k5/Kp6/2R5 b - - 0 1"),
    (StalemateClass::Promotion, "K7/2k5/8/8/8/8/5p2/6Q1 b - - 0 1"),
    (StalemateClass::Promotion, "K1k5/8/8/8/8/8/7p/6R1 b - - 0 1"),
    (StalemateClass::Promotion, "8/8/8/8/1k6/8/K2p4/2Q5 b - - 0 1"),
    (StalemateClass::Promotion, "8/8/8/1k6/8/K7/p7/1R6 b - - 0 1"),
    (StalemateClass::Promotion, "8/8/8/8/2k5/8/K2p4/2R5 b - - 0 1"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let truth = three_men().ok_or("the tables of three men are not certified")?;
    if std::env::args().nth(1).is_some_and(|argument| argument == "--from-tables") {
        for class in StalemateClass::ALL {
            let mut found = Collector::new(class, truth);
            found.add_from_tables()?;
            found.numbered().iter().for_each(|case| println!("{}", case.line()));
        }
        return Ok(());
    }
    let collected: Vec<Collector> =
        StalemateClass::ALL.par_iter().map(|&class| collect(class, truth)).collect::<Result<_, String>>()?;
    let mut seen = BTreeSet::new();
    let cases: Vec<StalemateCase> = collected
        .into_iter()
        .flat_map(Collector::numbered)
        .filter(|case| seen.insert(case.fen.clone()))
        .collect();
    println!(
        "# Stalemates, built and proved by arbiter/examples/build_stalemates; suites/src/stalemates.rs says how to read it."
    );
    println!("# cases: {}", cases.len());
    for case in &cases {
        println!("{}", case.line());
    }
    Ok(())
}

/// Collects the cases of one class.
struct Collector<'a> {
    class: StalemateClass,
    truth: &'a dyn TableProbe,
    /// How many cases of each kind there are.
    counts: BTreeMap<String, usize>,
    seen: BTreeSet<String>,
    asked: usize,
    cases: Vec<(u16, StalemateCase)>,
    /// Those of [`FROM_TABLES`].
    from_tables: Vec<StalemateCase>,
}

fn collect(class: StalemateClass, truth: &dyn TableProbe) -> Result<Collector<'_>, String> {
    let mut found = Collector::new(class, truth);
    found.walk()?;
    if class != StalemateClass::KingAndPawn {
        found.draw();
    }
    found.add_from_tables()?;
    eprintln!("{class}: {} of {} {:?}", found.cases.len(), found.asked, found.counts);
    Ok(found)
}

impl<'a> Collector<'a> {
    fn new(class: StalemateClass, truth: &'a dyn TableProbe) -> Self {
        Self {
            class,
            truth,
            counts: BTreeMap::new(),
            seen: BTreeSet::new(),
            asked: 0,
            cases: Vec::new(),
            from_tables: Vec::new(),
        }
    }

    /// Adds the positions of [`FROM_TABLES`] that were not drawn. One without a proved answer is an error.
    fn add_from_tables(&mut self) -> Result<(), String> {
        for (_, fen) in FROM_TABLES.into_iter().filter(|(class, _)| *class == self.class) {
            let position = position(fen, Accept::Legal).map_err(|error| format!("{fen}: {error}"))?;
            if self.cases.iter().any(|(_, case)| case.fen == fen) {
                continue;
            }
            let answer = answer(&position, self.truth).filter(|answer| {
                answer.due <= DEEPEST
                    && belongs(self.class, &position, answer)
                    && kinds::is_telling(self.class, answer)
            });
            let case = answer.map(|answer| case(self.class, &position, fen.to_owned(), &answer));
            let case = case.filter(|case| is_due(case, &position));
            self.from_tables.push(case.ok_or_else(|| format!("{fen}: nothing that can fail is proved"))?);
        }
        Ok(())
    }

    /// Considers the positions of three men.
    fn walk(&mut self) -> Result<(), String> {
        let tables: &[&str] = match self.class {
            StalemateClass::BareKing => &["KQvK", "KRvK"],
            StalemateClass::KingAndPawn | StalemateClass::Promotion => &["KPvK"],
            _ => &[],
        };
        for table in tables {
            let men = table.parse().map_err(|_| format!("{table} is no table"))?;
            for turn in [Color::White, Color::Black] {
                for number in 0..oracle::positions::Men::numbers(&men) {
                    let placement = Placement::numbered(&men, number, turn);
                    let placement = placement.filter(|placement| {
                        self.class == StalemateClass::Promotion || placement.is_representative()
                    });
                    if let Some(position) = placement.and_then(|placement| placement.legal)
                        && kinds::is_tempting(&position)
                    {
                        self.consider(&position);
                    }
                }
            }
        }
        Ok(())
    }

    /// Draws stalemates, and considers them and positions before them.
    fn draw(&mut self) {
        let mut random = Random::new(self.class as u64 + 1);
        for drawn in 0..DRAWN {
            if self.is_full() || self.asked >= PROOFS {
                return;
            }
            let Some(position) = draw::placement(&mut random, self.class) else { continue };
            let exchanged = drawn % 2 == 1;
            if self.class == StalemateClass::NearStalemate {
                self.consider_near(&mut random, &position);
            } else if position.is_stalemate() {
                self.consider_all(&mut random, &position, exchanged);
            } else if self.class == StalemateClass::LastMovePinned
                && drawn % 8 == 0
                && let Some(position) = draw::with_en_passant(&mut random, &position)
                && position.is_stalemate()
            {
                self.consider(&position);
            }
        }
    }

    fn consider_near(&mut self, random: &mut Random, position: &Chess) {
        self.consider(position);
        if let Some(position) = draw::with_en_passant(random, position) {
            self.consider(&position);
        }
        let castled = draw::castled(random).filter(Position::is_stalemate);
        if let Some(position) = castled.and_then(|position| draw::uncastled(&position)) {
            self.consider(&position);
        }
    }

    /// Considers a stalemate and positions before it.
    fn consider_all(&mut self, random: &mut Random, stalemate: &Chess, exchanged: bool) {
        let before = self.cases.len();
        let try_one = |found: &mut Self, position: &Chess| {
            let exchanged = exchanged.then(|| draw::mirrored(position)).flatten();
            if found.cases.len() < before + OF_ONE {
                found.consider(exchanged.as_ref().unwrap_or(position));
            }
        };
        try_one(self, stalemate);
        for _ in 0..TRIES {
            let takes = random.below(2) == 0;
            let Some(first) = draw::before(random, stalemate, None, takes) else { continue };
            try_one(self, &first);
            // If the last move took a man, this man had moved there: a sacrifice.
            let taken = kinds::taken(&first, stalemate);
            for _ in 0..TRIES {
                let takes = random.below(4) == 0;
                let Some(second) = draw::before(random, &first, taken, takes) else { continue };
                if !StalemateProver::plain().reaches(&second, Wdl::Draw, 2) {
                    continue;
                }
                try_one(self, &second);
                if let Some(third) = draw::before(random, &second, None, false) {
                    try_one(self, &third);
                }
            }
        }
    }

    /// Keeps a position if its answer is proved, it belongs to the class, and there are not enough of its
    /// kind yet.
    fn consider(&mut self, position: &Chess) {
        if self.is_full() {
            return;
        }
        let fen = fen_with(position, EnPassantMode::Always);
        if !self.seen.insert(fen.clone()) || !kinds::may_belong(self.class, position) {
            return;
        }
        self.asked += 1;
        let Some(answer) = answer(position, self.truth).filter(|answer| answer.due <= DEEPEST) else {
            return;
        };
        if !belongs(self.class, position, &answer) || !kinds::is_telling(self.class, &answer) {
            return;
        }
        let case = case(self.class, position, fen, &answer);
        if !is_due(&case, position) {
            return;
        }
        let hard = self.class == StalemateClass::LastMovePinned
            && (3..=4).contains(&answer.due)
            && is_blind_spot(&case);
        if self.class == StalemateClass::LastMovePinned
            && answer.legal > 0
            && !hard
            && !passes(&case, "micromax-guarded")
        {
            return;
        }
        let kind = kinds::kind(self.class, position, &answer, hard);
        let enough = kind.iter().any(|(name, most)| self.counts.get(name).is_some_and(|count| count >= most));
        if !enough {
            for (name, _) in kind {
                *self.counts.entry(name).or_default() += 1;
            }
            self.cases.push((answer.due, case));
        }
    }

    fn is_full(&self) -> bool {
        self.cases.len() >= kinds::most(self.class)
    }

    /// The cases with their numbers, those with the nearest stalemates first.
    fn numbered(mut self) -> Vec<StalemateCase> {
        self.cases.sort_by_key(|(due, _)| *due);
        let class = self.class;
        let cases = (1..).zip(self.cases.into_iter().map(|(_, case)| case).chain(self.from_tables));
        cases.map(|(number, case)| StalemateCase { id: format!("{class}/{number:02}"), ..case }).collect()
    }
}

fn case(class: StalemateClass, position: &Chess, fen: String, answer: &ProvedAnswer) -> StalemateCase {
    let moves = answer.moves(position);
    StalemateCase { id: String::new(), class, fen, worth: answer.worth, moves, due: answer.due }
}

/// Whether a full search answers a case right at the depth at which it is due, and one ply deeper.
fn is_due(case: &StalemateCase, position: &Chess) -> bool {
    let Ok(case) = StalematePosition::read(case) else { return false };
    (case.due..=case.due + 1).all(|depth| {
        let reply = plain::answer(position, depth, Stalemate::Draw);
        faults(&case, depth, &Ok(reply)).is_empty()
    })
}

/// Whether `micromax` gets a case wrong and `micromax-guarded` gets it right.
fn is_blind_spot(case: &StalemateCase) -> bool {
    !passes(case, "micromax") && passes(case, "micromax-guarded")
}

/// Whether a specimen answers a case right at each depth from the one at which it is due.
fn passes(case: &StalemateCase, specimen: &str) -> bool {
    let Ok(case) = StalematePosition::read(case) else { return false };
    let Some(mut player) = InProcess::specimen(specimen).and_then(|all| all.start(Setup::NONE).ok()) else {
        return false;
    };
    (case.due..=DEEPEST).all(|depth| {
        let asked = player.ask(&Question::new(&case.fen, Limit::Depth(depth)));
        faults(&case, depth, &asked).is_empty()
    })
}
