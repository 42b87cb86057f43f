//! The lines of cutechess-cli. Its likelihood of superiority takes wins and losses alone; Elo and its error
//! are those of games.

use super::MatchView;
use super::number::{error, fixed, ratio, significant};
use crate::statistics::{Decision, Measures, Test, normal};
use crate::tournament::tally::{Score, Tally};

/// The score of two engines after a game.
pub(super) fn score<K: Ord>(view: &MatchView<K>) -> String {
    match view.standings.between(0, 1).map(|tally| tally.score()) {
        Some(score) if view.names.len() == 2 && score.games() > 0 => {
            format!("Score of {} vs {}: {}\n", view.name(0), view.name(1), counts(score))
        }
        _ => String::new(),
    }
}

/// Wins, losses, draws, the share of points and the number of games.
fn counts(score: Score) -> String {
    let Score { wins, losses, draws } = score;
    let points = ratio(score.half_points(), 2 * score.games());
    format!("{wins} - {losses} - {draws}  [{}] {}", fixed(points, 3), score.games())
}

/// The Elo difference of two engines or the table of more, and the test.
pub(super) fn interval<K: Ord>(view: &MatchView<K>) -> String {
    if view.standings.games() == 0 {
        return String::new();
    }
    let lines = if view.names.len() == 2 { difference(view) } else { table(view) };
    lines + &view.sprt.map(|sprt| test(&sprt.test)).unwrap_or_default()
}

fn test(test: &Test) -> String {
    let accepted = match test.decision {
        Decision::H0 => " - H0 was accepted",
        Decision::H1 => " - H1 was accepted",
        Decision::Continue => "",
    };
    format!(
        "SPRT: llr {} ({}%), lbound {}, ubound {}{accepted}\n",
        significant(test.llr),
        fixed(test.llr / test.upper * 100.0, 1),
        significant(test.lower),
        significant(test.upper),
    )
}

fn difference<K: Ord>(view: &MatchView<K>) -> String {
    let tally = view.standings.between(0, 1).unwrap_or_default();
    let Some(measures) = tally.game_results().map(|results| results.measures()) else {
        return String::new();
    };
    let name = view.name(0);
    let sides = [
        side(&format!("{name} playing White"), tally.white),
        side(&format!("{name} playing Black"), tally.black),
        side("White vs Black", tally.white.plus(tally.black.reversed())),
    ];
    sides.concat() + &elo(&tally, &measures)
}

/// The score of a side, if it has games.
fn side(name: &str, score: Score) -> String {
    if score.games() == 0 { String::new() } else { format!("...      {name}: {}\n", counts(score)) }
}

fn elo(tally: &Tally, measures: &Measures) -> String {
    let Score { wins, losses, .. } = tally.score();
    let decisive = (wins + losses) as f64;
    // Without decisive games it is not defined.
    let superiority = normal((wins as f64 - losses as f64) / decisive.sqrt());
    format!(
        "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {} %\n",
        fixed(measures.elo.value, 1),
        error(measures.elo.error, 1),
        fixed(superiority * 100.0, 1),
        fixed(measures.draw_ratio * 100.0, 1),
    )
}

/// The engines by their scores. Elo is that against all opponents together.
fn table<K: Ord>(view: &MatchView<K>) -> String {
    let head = format!(
        "{:>4} {:<25} {:>7} {:>7} {:>7} {:>7} {:>7} \n",
        "Rank", "Name", "Elo", "+/-", "Games", "Score", "Draw"
    );
    let ranking = (1..).zip(view.standings.ranking());
    let rows = ranking.map(|(rank, (engine, tally))| row(rank, &view.name(engine), &tally));
    head + &rows.collect::<String>()
}

fn row(rank: usize, name: &str, tally: &Tally) -> String {
    let measures = tally.game_results().map(|results| results.measures());
    let of = |measure: fn(&Measures) -> f64| measures.as_ref().map_or(f64::NAN, measure);
    format!(
        "{rank:>4} {name:<25} {:>7} {:>7} {:>7} {:>6}% {:>6}% \n",
        fixed(of(|measures| measures.elo.value), 0),
        error(of(|measures| measures.elo.error), 0),
        tally.score().games(),
        fixed(of(|measures| measures.score) * 100.0, 1),
        fixed(of(|measures| measures.draw_ratio) * 100.0, 1),
    )
}
