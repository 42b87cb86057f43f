//! One line of `info`.

use std::str::FromStr;

use super::said::Fault;
use crate::subject::{Bound, Score};

/// What a line of `info` tells; each field is `None` if it is not there, or cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// The iteration.
    pub depth: Option<u32>,
    /// The greatest depth reached, in plies.
    pub seldepth: Option<u32>,
    /// Milliseconds since `go`.
    pub time: Option<u64>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Positions visited in a second.
    pub nps: Option<u64>,
    /// Thousandths of the hash table that are filled.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// Which of the lines it is, the best being 1.
    pub multipv: Option<u32>,
    /// The score from the view of the side to move, and what it says of the value.
    pub score: Option<(Score, Bound)>,
    /// Best play.
    pub pv: Option<Vec<String>>,
    /// The move that is being searched.
    pub currmove: Option<String>,
    /// Its number.
    pub currmovenumber: Option<u32>,
    /// Text for people.
    pub string: Option<String>,
    /// Other fields of UCI that are there: `wdl`, `cpuload`, `refutation`, `currline`.
    pub others: Vec<(String, String)>,
    /// What cannot be read, or is no field of UCI.
    pub faults: Vec<Fault>,
}

/// The words with which fields begin.
const FIELDS: [&str; 17] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "multipv",
    "score",
    "pv",
    "currmove",
    "currmovenumber",
    "string",
    "wdl",
    "cpuload",
    "refutation",
    "currline",
];

impl Info {
    pub(super) fn read<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let words: Vec<&str> = words.collect();
        let mut read = Self::default();
        let mut rest = &words[..];
        while let [field, after @ ..] = rest {
            let is_field = |word: &&str| FIELDS.contains(word);
            // All that follows `string` is text. `wdl` stands within the score as well as on its own.
            let end = if *field == "string" { None } else { after.iter().position(is_field) };
            let (values, next) = after.split_at(end.unwrap_or(after.len()));
            read.field(field, values);
            rest = next;
        }
        read
    }

    fn field(&mut self, field: &str, values: &[&str]) {
        let faults = &mut self.faults;
        match field {
            "depth" => self.depth = number(field, values, faults),
            "seldepth" => self.seldepth = number(field, values, faults),
            "time" => self.time = number(field, values, faults),
            "nodes" => self.nodes = number(field, values, faults),
            "nps" => self.nps = number(field, values, faults),
            "hashfull" => self.hashfull = number(field, values, faults),
            "tbhits" => self.tbhits = number(field, values, faults),
            "multipv" => self.multipv = number(field, values, faults),
            "currmovenumber" => self.currmovenumber = number(field, values, faults),
            "score" => self.score = score(values, faults),
            "pv" => self.pv = Some(values.iter().map(|&mv| mv.to_owned()).collect()),
            "currmove" => self.currmove = values.first().map(|&mv| mv.to_owned()),
            "string" => self.string = Some(values.join(" ")),
            "wdl" | "cpuload" | "refutation" | "currline" => {
                self.others.push((field.to_owned(), values.join(" ")));
            }
            other => faults.push(Fault::new(other, "no field of info")),
        }
    }
}

fn number<T: FromStr>(field: &str, values: &[&str], faults: &mut Vec<Fault>) -> Option<T> {
    let read = values.first().and_then(|value| value.parse().ok());
    if read.is_none() || values.len() > 1 {
        faults.push(Fault::new(field, format!("\"{}\" is no such number", values.join(" "))));
    }
    read
}

fn score(values: &[&str], faults: &mut Vec<Fault>) -> Option<(Score, Bound)> {
    let mut wrong = |found: String| faults.push(Fault::new("score", found));
    let (mut score, mut bound) = (None, Bound::Exact);
    let mut words = values.iter();
    while let Some(&word) = words.next() {
        match word {
            "cp" | "mate" => match words.next().and_then(|value| value.parse().ok()) {
                Some(value) if word == "cp" => score = Some(Score::Centipawns(value)),
                Some(value) => score = Some(Score::Mate(value)),
                None => wrong(format!("no number after {word}")),
            },
            "lowerbound" => bound = Bound::Lower,
            "upperbound" => bound = Bound::Upper,
            other => wrong(format!("\"{other}\" is no part of a score")),
        }
    }
    if score.is_none() {
        wrong("neither cp nor mate".to_owned());
    }
    score.map(|score| (score, bound))
}
