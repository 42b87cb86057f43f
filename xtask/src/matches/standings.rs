//! The standings of a match as text and CSV.

use std::fmt::Write as _;

use arbiter::statistics::{Measures, Test};
use serde::Serialize;

use super::ledger::Ledger;
use crate::console;

/// A row of standings.csv. Its view is that of the engine.
#[derive(Serialize)]
struct StandingsRow<'a> {
    engine: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    /// Pairs with 0, 0.5, 1, 1.5 and 2 points.
    pairs: String,
}

/// The score of the first engine against the second, for the line beside the bar.
pub(super) fn short(ledger: &Ledger) -> String {
    let score = ledger.standings.of_engine(0).score();
    let mut text = format!("{} +{} ={} -{}", ledger.names[0], score.wins, score.draws, score.losses);
    if let Some(Test { llr, lower, upper, .. }) = ledger.test {
        let _ = write!(text, " LLR {llr:.2} ({lower:.2}, {upper:.2})");
    }
    text
}

fn rows(ledger: &Ledger) -> impl Iterator<Item = StandingsRow<'_>> {
    ledger.standings.ranking().into_iter().map(|(index, tally)| {
        let score = tally.score();
        StandingsRow {
            engine: &ledger.names[index],
            games: score.games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            points: score.points(),
            pairs: tally.pairs.map(|count| count.to_string()).join(" "),
        }
    })
}

/// The standings, the Elo of the first engine if there are two, and how games ended.
pub(super) fn print(ledger: &Ledger) -> anyhow::Result<()> {
    let width = ledger.names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let mut text = format!(
        "\n{:width$}  {:>6} {:>6} {:>6} {:>6} {:>8}  pairs LL LD DD WD WW\n",
        "engine", "games", "won", "drawn", "lost", "points"
    );
    for row in rows(ledger) {
        let StandingsRow { engine, games, wins, draws, losses, points, pairs } = row;
        let _ = writeln!(
            text,
            "{engine:width$}  {games:>6} {wins:>6} {draws:>6} {losses:>6} {points:>8.1}  {pairs}"
        );
    }
    if ledger.names.len() == 2
        && let Some(tally) = ledger.standings.between(0, 1)
        && let Some(results) = tally.pair_results()
    {
        let Measures { elo, normalized, superiority, .. } = results.measures();
        let _ = writeln!(
            text,
            "\n{} against {}: Elo {:.2} +/- {:.2}, nElo {:.2} +/- {:.2}, LOS {:.2} %",
            ledger.names[0],
            ledger.names[1],
            elo.value,
            elo.error,
            normalized.value,
            normalized.error,
            100.0 * superiority
        );
    }
    if let Some(Test { llr, lower, upper, decision }) = ledger.test {
        let _ = writeln!(text, "SPRT: LLR {llr:.2} ({lower:.2}, {upper:.2}): {decision}");
    }
    let ends: Vec<String> =
        ledger.standings.ends().iter().map(|(end, count)| format!("{count} {end}")).collect();
    if !ends.is_empty() {
        let _ = writeln!(text, "ends: {}", ends.join("; "));
    }
    console::data(text.as_bytes())
}

/// The standings as CSV.
pub(super) fn csv(ledger: &Ledger) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows(ledger) {
        writer.serialize(row)?;
    }
    Ok(writer.into_inner()?)
}
