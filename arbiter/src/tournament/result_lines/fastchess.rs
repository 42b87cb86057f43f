//! The lines of fastchess. All counts are those of complete pairs.

use super::number::{error, fixed, ratio};
use super::{MatchView, SprtState};
use crate::statistics::{Decision, Measures};
use crate::tournament::tally::Tally;

const RULE: &str = "--------------------------------------------------\n";

/// The results of two engines or the table of more, and the test.
pub(super) fn interval<K: Ord>(view: &MatchView<K>) -> String {
    if view.standings.complete_pairs() == 0 {
        return String::new();
    }
    let lines = if view.names.len() == 2 { difference(view) } else { table(view) };
    let test = view.sprt.map(|sprt| test(&sprt)).unwrap_or_default();
    format!("{RULE}{lines}{test}{RULE}")
}

/// The last line of a match.
pub(super) fn end(sprt: Option<SprtState>) -> String {
    let accepted = |sprt: SprtState| match sprt.test.decision {
        Decision::H0 => Some((sprt, "H0")),
        Decision::H1 => Some((sprt, "H1")),
        Decision::Continue => None,
    };
    match sprt.and_then(accepted) {
        Some((sprt, accepted)) => format!("SPRT ({}) completed - {accepted} was accepted\n", bounds(&sprt)),
        None => "Tournament finished\n".to_owned(),
    }
}

fn difference<K: Ord>(view: &MatchView<K>) -> String {
    let tally = view.standings.between(0, 1).unwrap_or_default();
    let Some(measures) = tally.pair_results().map(|results| results.measures()) else {
        return String::new();
    };
    let score = tally.score_of_pairs();
    let [losses_twice, losses_once, level, wins_once, wins_twice] = tally.pairs;
    [
        matchup(view),
        format!(
            "Elo: {} +/- {}, nElo: {} +/- {}",
            fixed(measures.elo.value, 2),
            error(measures.elo.error, 2),
            fixed(measures.normalized.value, 2),
            error(measures.normalized.error, 2),
        ),
        format!(
            "LOS: {} %, DrawRatio: {} %, PairsRatio: {}",
            fixed(measures.superiority * 100.0, 2),
            fixed(measures.draw_ratio * 100.0, 2),
            fixed(ratio(wins_once + wins_twice, losses_once + losses_twice), 2),
        ),
        format!(
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {} ({} %)",
            score.games(),
            score.wins,
            score.losses,
            score.draws,
            fixed(score.points(), 1),
            fixed(measures.score * 100.0, 2),
        ),
        format!(
            "Ptnml(0-2): {}, WL/DD Ratio: {}\n",
            pairs(&tally),
            fixed(ratio(tally.win_and_loss, level.saturating_sub(tally.win_and_loss)), 2),
        ),
    ]
    .join("\n")
}

fn matchup<K>(view: &MatchView<K>) -> String {
    let conditions = view.conditions;
    let option =
        |value: Option<u64>, unit: &str| value.map_or("NULL".to_owned(), |value| format!("{value}{unit}"));
    let both = |[one, other]: [String; 2]| if one == other { one } else { format!("{one} - {other}") };
    let mut parts = vec![
        both(conditions.time_control.clone()),
        both(conditions.threads.map(|value| option(value, "t"))),
        both(conditions.hash.map(|value| option(value, "MB"))),
    ];
    parts.extend(conditions.book.clone());
    format!("Results of {} vs {} ({}):", view.name(0), view.name(1), super::clean(&parts.join(", ")))
}

/// The counts of pairs.
fn pairs(tally: &Tally) -> String {
    format!("{:?}", tally.pairs)
}

fn test(sprt: &SprtState) -> String {
    let test = sprt.test;
    let part = if test.llr >= 0.0 { test.llr / test.upper } else { -test.llr / test.lower };
    format!(
        "LLR: {} ({}%) ({}, {}) {}\n",
        fixed(test.llr, 2),
        fixed(part * 100.0, 1),
        fixed(test.lower, 2),
        fixed(test.upper, 2),
        bounds(sprt),
    )
}

fn bounds(sprt: &SprtState) -> String {
    let [elo0, elo1] = sprt.elo.map(|elo| fixed(elo, 2));
    format!("[{elo0}, {elo1}]")
}

/// The engines by their scores in complete pairs.
fn table<K: Ord>(view: &MatchView<K>) -> String {
    let width = view.name_width();
    let head = format!(
        "{:<4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>20}\n",
        "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw", "Ptnml(0-2)"
    );
    let mut engines = view.standings.ranking();
    let points = |tally: &Tally| tally.score_of_pairs().ratio().unwrap_or(-1.0);
    engines.sort_by(|(_, one), (_, other)| points(other).total_cmp(&points(one)));
    let ranking = (1..).zip(engines);
    let rows = ranking.map(|(rank, (engine, tally))| row(rank, &view.name(engine), width, &tally));
    head + &rows.collect::<String>()
}

fn row(rank: usize, name: &str, width: usize, tally: &Tally) -> String {
    let measures = tally.pair_results().map(|results| results.measures());
    let of = |measure: fn(&Measures) -> f64| measures.as_ref().map_or(f64::NAN, measure);
    format!(
        "{rank:>4} {name:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9}% {:>9}% {:>20}\n",
        fixed(of(|measures| measures.elo.value), 2),
        error(of(|measures| measures.elo.error), 2),
        fixed(of(|measures| measures.normalized.value), 2),
        error(of(|measures| measures.normalized.error), 2),
        tally.score_of_pairs().games(),
        fixed(of(|measures| measures.score) * 100.0, 1),
        fixed(of(|measures| measures.draw_ratio) * 100.0, 1),
        pairs(tally),
    )
}
