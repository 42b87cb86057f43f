//! The evaluation. A position has the same score with colours exchanged, and when asked again. The right to
//! move is worth little.

use engine::eval::tuning::{self, Extractor};
use engine::eval::{Breakdown, EvalOptions, Evaluator, MOST, Tapered, Term};
use engine::{Color, Position, ScoreKind};
use suites::{Findings, Tally, Verdict};

use super::{Asked, Job, SUBJECT, Wrong, ask};

use crate::parallel;

const CHECK: &str = "library/evaluation";
/// The most that the right to move may be worth for both sides together, in centipawns: with two pawns about
/// to promote, it is worth a pawn or two.
const TEMPO: i32 = 600;
/// One of Black's men, the start position without it, and the centipawns that the loss is worth: the values
/// that books and programs give the men, up to half more or less.
const ODDS: [(&str, &str, std::ops::RangeInclusive<i32>); 5] = [
    ("pawn", "rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 25..=160),
    ("knight", "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 200..=500),
    ("bishop", "rn1qkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 200..=550),
    ("rook", "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", 320..=800),
    ("queen", "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 650..=1600),
];
const FIRST: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// The median of both sides' right to move over all positions.
const MEDIAN: std::ops::RangeInclusive<i32> = 1..=100;

pub(super) fn run(job: &Job, positions: &[Asked]) -> Findings {
    let told = parallel::map_each(positions, |asked| ask(|| told(&asked.fen, &turned(&asked.fen))));
    let mut sums: Vec<i32> = told.iter().flatten().flatten().filter_map(|told| told.tempo).collect();
    let mut findings = Findings::new(Tally::new(SUBJECT, CHECK, job.sample(), "positions"));
    positions.iter().zip(told).for_each(|(asked, told)| findings.record(judge(asked, told)));
    for odds in &ODDS {
        findings.record(worth(odds));
    }
    if !sums.is_empty() {
        sums.sort_unstable();
        findings.record(median(sums[sums.len() / 2]));
    }
    findings
}

/// Whether the evaluation values a man about as books and programs do.
fn worth((man, fen, range): &(&str, &str, std::ops::RangeInclusive<i32>)) -> Verdict {
    let of = |fen: &str| {
        let score = Evaluator::new(EvalOptions::default()).evaluate(&Position::from_fen(fen).ok()?);
        match score.kind() {
            ScoreKind::Centipawns(centipawns) => Some(centipawns),
            ScoreKind::Mate(_) | ScoreKind::Mated(_) => None,
        }
    };
    let got = match ask(|| of(fen).zip(of(FIRST))) {
        Ok(Some((without, with))) if range.contains(&(without - with)) => return Verdict::Agree,
        Ok(Some((without, with))) => format!("cp {}", without - with),
        Ok(None) => "no score in centipawns".to_owned(),
        Err(panic) => panic,
    };
    let (case, expected) =
        (format!("odds/{man}"), format!("from cp {} to cp {}", range.start(), range.end()));
    let because = format!("the score without a {man} of Black, less that of the first position");
    Wrong { check: CHECK, case: &case, fen, got, expected, source: "values in use", because }.verdict()
}

/// Whether the right to move is worth something, but not much.
fn median(sum: i32) -> Verdict {
    if MEDIAN.contains(&sum) {
        return Verdict::Agree;
    }
    let got = format!("a median of cp {sum} for both sides to move, taken together");
    let expected = format!("from cp {} to cp {}", MEDIAN.start(), MEDIAN.end());
    let because = "it is good to be to move, and seldom worth more than half a pawn".to_owned();
    Wrong { check: CHECK, case: "positions/median", fen: "", got, expected, source: "definition", because }
        .verdict()
}

/// The scores that an evaluation gives for a position: as it is, with colours exchanged, again, by its parts,
/// and with the other side to move.
struct Told {
    score: String,
    turned: String,
    again: String,
    explained: String,
    /// The fault of the parts.
    parts: Option<&'static str>,
    /// The sum of both views.
    tempo: Option<i32>,
    size: i32,
}

fn told(fen: &str, turned: &str) -> Option<Told> {
    let mut evaluator = Evaluator::new(EvalOptions::default());
    let position = Position::from_fen(fen).ok()?;
    let turned = Position::from_fen(turned).ok()?;
    let score = evaluator.evaluate(&position);
    let centipawns = |score: engine::Score| match score.kind() {
        ScoreKind::Centipawns(centipawns) => centipawns,
        ScoreKind::Mate(_) | ScoreKind::Mated(_) => i32::MAX,
    };
    let turned = evaluator.evaluate(&turned);
    // In pawn races, and in endings that the evaluation knows, the result may depend on the side to move.
    let is_race = !fen.split(' ').next().unwrap_or_default().contains(|letter| "nbrqNBRQ".contains(letter));
    let is_known = is_race || evaluator.explain(&position).instead.is_some();
    let other = position.null_move().filter(|_| !is_known).map(|other| evaluator.evaluate(&other));
    Some(Told {
        score: score.to_string(),
        turned: turned.to_string(),
        again: evaluator.evaluate(&position).to_string(),
        explained: explained(evaluator.explain(&position).score, &position),
        parts: parts(&evaluator.explain(&position), &position),
        tempo: other.map(|other| centipawns(score).saturating_add(centipawns(other))),
        size: centipawns(score),
    })
}

/// The fault of the parts of a breakdown, if its terms decide: another sum of the terms, or of the weights.
fn parts(breakdown: &Breakdown, position: &Position) -> Option<&'static str> {
    if breakdown.instead.is_some() {
        return None;
    }
    let signed = |color| if color == Color::White { 1 } else { -1 };
    let of_terms = Term::ALL
        .into_iter()
        .flat_map(|term| Color::ALL.map(|color| breakdown.term(term, color) * signed(color)));
    let terms = of_terms.fold(Tapered::ZERO, |sum, part| sum + part);
    let weights = tuning::weights();
    let linear = Extractor::new(EvalOptions::default()).linear(position);
    let of_weights = linear.map(|linear| {
        let parts = linear.shares.iter().map(|share| weights[share.weight].value * share.count);
        parts.fold(Tapered::ZERO, |sum, part| sum + part)
    });
    if terms != breakdown.total() {
        Some("another sum of the terms")
    } else if of_weights != Some(terms) {
        Some("another sum of the weights")
    } else {
        None
    }
}

/// The score of a breakdown, turned from White's view to that of the side to move.
fn explained(score: engine::Score, position: &Position) -> String {
    let of_mover = if position.side_to_move() == engine::Color::White { score } else { -score };
    of_mover.to_string()
}

fn judge(asked: &Asked, got: Result<Option<Told>, String>) -> Verdict {
    let (got, expected, because) = match got {
        Ok(Some(told)) => match fault(&told) {
            Some(fault) => fault,
            None => return Verdict::Agree,
        },
        Ok(None) => ("the position is refused".to_owned(), "a score".to_owned(), "it is legal"),
        Err(panic) => (panic, "a score".to_owned(), "it is legal"),
    };
    let because = because.to_owned();
    Wrong { check: CHECK, case: &asked.case, fen: &asked.fen, got, expected, source: "definition", because }
        .verdict()
}

fn fault(told: &Told) -> Option<(String, String, &'static str)> {
    let Told { score, turned, again, explained, parts, tempo, size } = told;
    let faults = [
        (score != turned, turned.clone(), score.clone(), "with colours exchanged the score is the same"),
        (score != again, again.clone(), score.clone(), "the score depends on the position only"),
        (score != explained, explained.clone(), score.clone(), "the parts make the score"),
        (
            parts.is_some(),
            parts.unwrap_or_default().to_owned(),
            "the total".to_owned(),
            "the parts make the score",
        ),
        (size.abs() > MOST, score.clone(), format!("at most cp {MOST}"), "no evaluation is larger"),
        (
            tempo.is_some_and(|tempo| tempo.abs() > TEMPO),
            format!("cp {} for both sides to move, taken together", tempo.unwrap_or_default()),
            format!("at most cp {TEMPO}"),
            "the right to move is worth little",
        ),
    ];
    faults
        .into_iter()
        .find(|(is_wrong, ..)| *is_wrong)
        .map(|(_, got, expected, because)| (got, expected, because))
}

/// The position with colours exchanged: ranks in the other order, the other side to move.
pub(super) fn turned(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let swapped = |text: &str| -> String {
        text.chars()
            .map(|letter| {
                if letter.is_ascii_uppercase() {
                    letter.to_ascii_lowercase()
                } else {
                    letter.to_ascii_uppercase()
                }
            })
            .collect()
    };
    let ranks: Vec<String> = fields[0].split('/').rev().map(swapped).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let square: String = fields[3]
        .chars()
        .map(|letter| match letter {
            '3' => '6',
            '6' => '3',
            other => other,
        })
        .collect();
    [&ranks.join("/"), side, &swapped(fields[2]), &square, fields[4], fields[5]].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a pawn race the right to move may decide, and the sum of both views tells nothing.
    #[test]
    fn both_views_are_added_unless_there_are_only_kings_and_pawns() {
        let tempo = |fen: &str| told(fen, fen).unwrap().tempo;
        assert!(tempo("r3k3/4p3/8/8/8/8/4P3/R3K3 w - - 0 1").is_some());
        assert!(tempo("4k1n1/4p3/8/8/8/8/4PP2/4K1N1 w - - 0 1").is_some());
        assert_eq!(tempo("4k3/4p3/8/8/8/8/4PP2/4K3 w - - 0 1"), None);
    }
}
