//! A line of `info`.

use std::str::FromStr;

use crate::field_error::FieldError;
use crate::mate_scale::MateScale;
use crate::{Bound, Line, Score};

/// The fields of a line of `info`, `None` if absent or malformed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// The depth of the iteration, in plies.
    pub depth: Option<u32>,
    /// The greatest depth reached, in plies.
    pub seldepth: Option<u32>,
    /// Milliseconds since `go`.
    pub time: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// How full the hash table is, in permille.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// The rank of the line, 1 for the best.
    pub multipv: Option<u32>,
    /// The score from the side to move's view, and whether it is exact.
    pub score: Option<(Score, Bound)>,
    /// The centipawns that were printed, if they stand for the mate in `score`.
    pub mate_in_centipawns: Option<i32>,
    /// The principal variation.
    pub pv: Option<Vec<String>>,
    /// The move that is being searched.
    pub currmove: Option<String>,
    /// The number of that move.
    pub currmovenumber: Option<u32>,
    /// Free text.
    pub string: Option<String>,
    /// Other fields of UCI: `wdl`, `cpuload`, `refutation`, `currline`.
    pub others: Vec<(String, String)>,
    /// Fields that are malformed or unknown.
    pub faults: Vec<FieldError>,
}

/// The names of the fields.
const FIELDS: [&str; 19] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "multipv",
    "score",
    // Both bounds belong to the score, but other fields may come between.
    "lowerbound",
    "upperbound",
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
    pub(crate) fn read<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let words: Vec<&str> = words.collect();
        let mut read = Self::default();
        let mut bound = None;
        let mut rest = &words[..];
        while let [field, after @ ..] = rest {
            let is_field = |word: &&str| !is_square_first(word) && FIELDS.contains(word);
            // All words after `string` are text.
            let end = if *field == "string" { None } else { after.iter().position(is_field) };
            let (values, next) = after.split_at(end.unwrap_or(after.len()));
            match *field {
                "lowerbound" => bound = Some(Bound::Lower),
                "upperbound" => bound = Some(Bound::Upper),
                _ => read.field(field, values),
            }
            if field.ends_with("bound") && !values.is_empty() {
                read.faults.push(FieldError::new(field, format!("\"{}\" after it", values.join(" "))));
            }
            rest = next;
        }
        match (&mut read.score, bound) {
            (Some((_, exact)), Some(bound)) => *exact = bound,
            (None, Some(_)) => read.faults.push(FieldError::new("score", "a bound of nothing")),
            (_, None) => {}
        }
        read
    }

    /// Whether the line is a text: `info string`, or words that are not fields.
    pub(crate) fn is_text(&self) -> bool {
        let is_field =
            self.depth.is_some() || self.score.is_some() || self.nodes.is_some() || self.pv.is_some();
        self.string.is_some() || !self.faults.is_empty() && !is_field
    }

    /// The same line with its score as a mate, if the engine prints mates in centipawns and this is one.
    pub(crate) fn with_mates(self, scale: Option<MateScale>) -> Self {
        let Some((Score::Centipawns(printed), bound)) = self.score else { return self };
        let Some(mate) = scale.and_then(|scale| scale.mate(printed)) else { return self };
        Self { score: Some((mate, bound)), mate_in_centipawns: Some(printed), ..self }
    }

    /// The line as part of a reply, if it has a score and is the best line.
    pub fn line(self) -> Option<Line> {
        let (score, bound) = self.score.filter(|_| self.multipv.unwrap_or(1) == 1)?;
        let (depth, pv) = (self.depth.unwrap_or_default(), self.pv.unwrap_or_default());
        Some(Line { depth, score, bound, nodes: self.nodes, pv })
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
            other => faults.push(FieldError::new(other, "no field of info")),
        }
    }
}

/// Whether the second character of a word is a digit. Moves have one there, fields do not. Most words of a
/// line are moves.
fn is_square_first(word: &str) -> bool {
    word.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

fn number<T: FromStr>(field: &str, values: &[&str], faults: &mut Vec<FieldError>) -> Option<T> {
    let read = values.first().and_then(|value| value.parse().ok());
    if read.is_none() || values.len() > 1 {
        faults.push(FieldError::new(field, format!("\"{}\" is no such number", values.join(" "))));
    }
    read
}

/// Parses a score as exact; a bound may follow in a field of its own.
fn score(values: &[&str], faults: &mut Vec<FieldError>) -> Option<(Score, Bound)> {
    let mut wrong = |found: String| faults.push(FieldError::new("score", found));
    let (mut score, mut words) = (None, values.iter());
    while let Some(&word) = words.next() {
        match word {
            "cp" | "mate" => match words.next().and_then(|value| value.parse().ok()) {
                Some(value) if word == "cp" => score = Some(Score::Centipawns(value)),
                Some(value) => score = Some(Score::Mate(value)),
                None => wrong(format!("no number after {word}")),
            },
            other => wrong(format!("\"{other}\" is no part of a score")),
        }
    }
    if score.is_none() {
        wrong("neither cp nor mate".to_owned());
    }
    score.map(|score| (score, Bound::Exact))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Info {
        let words = line.split_whitespace();
        Info::read(words.skip(1))
    }

    /// A line without errors.
    fn check(line: &str, expected: &Info) {
        assert_eq!(read(line), *expected, "{line}");
    }

    #[test]
    fn no_field_is_taken_for_a_move() {
        assert!(FIELDS.iter().all(|field| !is_square_first(field)));
    }

    #[test]
    fn lines_of_real_engines() {
        let moves = |text: &str| Some(text.split(' ').map(str::to_owned).collect());
        check(
            "info depth 12 seldepth 16 multipv 2 score cp -36 lowerbound nodes 20118 nps 718500 hashfull 7 tbhits 0 time 28 pv d7d5 e4d5",
            &Info {
                depth: Some(12),
                seldepth: Some(16),
                multipv: Some(2),
                score: Some((Score::Centipawns(-36), Bound::Lower)),
                nodes: Some(20118),
                nps: Some(718_500),
                hashfull: Some(7),
                tbhits: Some(0),
                time: Some(28),
                pv: moves("d7d5 e4d5"),
                ..Info::default()
            },
        );
        check(
            "info depth 9 score mate -3 wdl 0 0 1000 upperbound nodes 5",
            &Info {
                depth: Some(9),
                score: Some((Score::Mate(-3), Bound::Upper)),
                nodes: Some(5),
                others: vec![("wdl".to_owned(), "0 0 1000".to_owned())],
                ..Info::default()
            },
        );
        check(
            "info currmove e2e4 currmovenumber 1",
            &Info { currmove: Some("e2e4".to_owned()), currmovenumber: Some(1), ..Info::default() },
        );
        check("info\tdepth  3   pv ", &Info { depth: Some(3), pv: Some(Vec::new()), ..Info::default() });
        check(
            "info string depth 3 score cp 5 is no field here",
            &Info { string: Some("depth 3 score cp 5 is no field here".to_owned()), ..Info::default() },
        );
        check(
            "info depth 1 string NNUE evaluation using nn.nnue",
            &Info {
                depth: Some(1),
                string: Some("NNUE evaluation using nn.nnue".to_owned()),
                ..Info::default()
            },
        );
        check(
            "info refutation d1h5 g6h5 cpuload 900",
            &Info {
                others: vec![
                    ("refutation".to_owned(), "d1h5 g6h5".to_owned()),
                    ("cpuload".to_owned(), "900".to_owned()),
                ],
                ..Info::default()
            },
        );
        check("info", &Info::default());
    }

    #[test]
    fn a_malformed_field_is_recorded_and_the_rest_is_used() {
        let check = |line: &str, fields: &[&str]| {
            let info = read(line);
            let faults: Vec<&str> = info.faults.iter().map(|fault| fault.field.as_str()).collect();
            assert_eq!(faults, fields, "{line}");
            assert_eq!(info.depth, Some(7), "{line}");
        };
        check("info depth 7 score cp", &["score", "score"]);
        check("info score cp nodes 5 depth 7", &["score", "score"]);
        check("info depth 7 score mate x", &["score", "score"]);
        check("info depth 7 score 35", &["score", "score"]);
        check("info depth 7 score", &["score"]);
        check("info depth 7 score cp 3.5", &["score", "score"]);
        check("info depth 7 score cp 99999999999", &["score", "score"]);
        check("info depth 7 lowerbound", &["score"]);
        check("info depth 7 score cp 3 lowerbound 5", &["lowerbound"]);
        check("info depth 7 nodes -1", &["nodes"]);
        check("info depth 7 nodes 99999999999999999999999", &["nodes"]);
        check("info depth 7 nps", &["nps"]);
        check("info depth 7 time 12 ms", &["time"]);
        check("info eval 35 depth 7", &["eval"]);
        check("info depth 7 hashfull 1001", &[]);
        assert_eq!(read("info depth seven").depth, None);
    }

    #[test]
    fn only_the_best_line_with_a_score_is_part_of_a_reply() {
        let line = |text: &str| read(text).line();
        let expected =
            Line { depth: 3, score: Score::Mate(2), bound: Bound::Upper, nodes: Some(9), pv: Vec::new() };
        assert_eq!(line("info depth 3 multipv 1 score mate 2 upperbound nodes 9"), Some(expected.clone()));
        assert_eq!(line("info depth 3 score mate 2 upperbound nodes 9"), Some(expected));
        assert_eq!(line("info depth 3 multipv 2 score mate 2"), None);
        assert_eq!(line("info depth 3 nodes 9 pv e2e4"), None);
    }

    #[test]
    fn a_text_is_a_string_or_words_that_are_no_fields() {
        for text in
            ["info string loading", "info string", "info NNUE evaluation using", "info depth 1 string one"]
        {
            assert!(read(text).is_text(), "{text}");
        }
        for fields in ["info depth 3 unknown", "info score cp 1 x", "info nodes 5 x", "info", "info pv e2e4"]
        {
            assert!(!read(fields).is_text(), "{fields}");
        }
    }

    #[test]
    fn a_mate_in_centipawns_is_told_with_both_its_values() {
        let scale = MateScale::new([31_999, 31_997, 31_995], -31_998);
        let mate = read("info depth 4 score cp 31997 lowerbound").with_mates(scale);
        assert_eq!(
            (mate.score, mate.mate_in_centipawns),
            (Some((Score::Mate(2), Bound::Lower)), Some(31_997))
        );
        assert_eq!(mate.depth, Some(4));
        for line in ["info score cp 35", "info score mate 2", "info depth 4"] {
            assert_eq!(read(line).with_mates(scale), read(line), "{line}");
        }
    }

    #[test]
    fn numbers_are_read_with_signs_up_to_their_limits() {
        let score = |line: &str| read(line).score.map(|(score, _)| score);
        assert_eq!(score("info score cp -2147483648"), Some(Score::Centipawns(i32::MIN)));
        assert_eq!(score("info score cp +15"), Some(Score::Centipawns(15)));
        assert_eq!(score("info score mate -0"), Some(Score::Mate(0)));
        assert_eq!(read("info nodes 18446744073709551615").nodes, Some(u64::MAX));
    }
}
