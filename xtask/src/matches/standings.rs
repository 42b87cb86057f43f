//! The standings of a match as text and CSV.

use std::fmt::Write as _;

use arbiter::statistics::{Measures, Test};
use arbiter::tournament::standings::Standings;
use serde::Serialize;

use super::ledger::Ledger;
use crate::console;
use crate::sprt::{self, estimate, strength};

/// A row of standings.csv. Its view is that of the engine.
#[derive(Serialize)]
pub(super) struct StandingsRow<'a> {
    engine: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    /// Pairs with 0, 0.5, 1, 1.5 and 2 points.
    pairs: String,
}

/// The rows, the best engine first.
pub(super) fn rows<'a>(
    names: &'a [String],
    standings: &Standings<&'static str>,
) -> impl Iterator<Item = StandingsRow<'a>> + use<'a> {
    standings.ranking().into_iter().map(|(index, tally)| {
        let score = tally.score();
        StandingsRow {
            engine: &names[index],
            games: score.games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            points: score.points(),
            pairs: tally.pairs.map(|count| count.to_string()).join(" "),
        }
    })
}

/// What follows from complete pairs, if two engines play.
pub(super) fn measures(standings: &Standings<&'static str>) -> Option<Measures> {
    let is_of_two = standings.schedule().engines() == 2;
    Some(standings.between(0, 1).filter(|_| is_of_two)?.pair_results()?.measures())
}

/// The standings, the Elo of the first engine if there are two, and how games ended.
pub(super) fn print(ledger: &Ledger) -> anyhow::Result<()> {
    let mut text = text(&ledger.names, &ledger.standings, ledger.test);
    if let Some(line) = ledger.starved.line() {
        let _ = writeln!(text, "{line}");
    }
    console::data(text.as_bytes())
}

pub(super) fn text(names: &[String], standings: &Standings<&'static str>, test: Option<Test>) -> String {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let mut text = format!(
        "\n{:width$}  {:>6} {:>6} {:>6} {:>6} {:>8}  pairs LL LD DD WD WW\n",
        "engine", "games", "won", "drawn", "lost", "points"
    );
    for row in rows(names, standings) {
        let StandingsRow { engine, games, wins, draws, losses, points, pairs } = row;
        let _ = writeln!(
            text,
            "{engine:width$}  {games:>6} {wins:>6} {draws:>6} {losses:>6} {points:>8.1}  {pairs}"
        );
    }
    if let Some(difference) = difference(standings) {
        let _ = writeln!(text, "\n{} against {}: {difference}", names[0], names[1]);
    }
    if let Some(test) = &test {
        let _ = writeln!(text, "SPRT: {}: {}", ratio(test), test.decision);
    }
    let ends: Vec<String> = standings.ends().iter().map(|(end, count)| format!("{count} {end}")).collect();
    if !ends.is_empty() {
        let _ = writeln!(text, "ends: {}", ends.join("; "));
    }
    text
}

/// The Elo of the first of two engines in words, once a pair is complete.
pub(super) fn difference(standings: &Standings<&'static str>) -> Option<String> {
    let measures = measures(standings)?;
    let numbers = || {
        let Measures { elo, normalized, superiority, .. } = measures;
        let superiority = 100.0 * superiority;
        format!("Elo {}, nElo {}, LOS {superiority:.2} %", estimate(elo), estimate(normalized))
    };
    Some(strength(&measures).without_numbers(measures.games).unwrap_or_else(numbers))
}

/// The log likelihood ratio of a test, with its bounds.
pub(super) fn ratio(test: &Test) -> String {
    format!("LLR {}", sprt::ratio(test))
}

/// The standings as CSV.
pub(super) fn csv(ledger: &Ledger) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows(&ledger.names, &ledger.standings) {
        writer.serialize(row)?;
    }
    Ok(writer.into_inner()?)
}
