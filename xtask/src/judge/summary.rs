//! What the players made of the endings that they reached.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use arbiter::game::GameResult;
use suites::catalogue::Severity;

use super::rows::{EndingRow, Outcomes, PlayerRow};

/// The most players, and the most endings of players, that have rows of their own. All others share one row, so
/// that memory is bounded.
const MOST_ROWS: usize = 100_000;
/// The name of that row.
const OTHERS: &str = "(others)";

/// A game, as far as the summary counts it.
pub(super) struct CountedGame<'a> {
    /// White's name, then Black's.
    pub(super) players: [&'a str; 2],
    pub(super) result: GameResult,
    /// The endings that it reached, with the result of the first position of each.
    pub(super) endings: Vec<(&'a str, GameResult)>,
    /// The severity of each finding and the player at fault, as an index of `players`.
    pub(super) findings: Vec<(Severity, Option<usize>)>,
}

/// The counts of a player.
#[derive(Debug, Clone, Copy, Default)]
struct Player {
    /// Wins, draws, losses.
    results: [u64; 3],
    held: Outcomes,
    /// Errors, warnings, notes.
    findings: [u64; 3],
}

/// The counts of all players.
#[derive(Debug, Default)]
pub(super) struct Summary {
    players: BTreeMap<String, Player>,
    endings: BTreeMap<(String, String), Outcomes>,
}

impl Summary {
    /// Counts a game.
    pub(super) fn add(&mut self, game: &CountedGame) {
        for (side, name) in game.players.into_iter().enumerate() {
            let player = row(&mut self.players, name.to_owned(), || OTHERS.to_owned());
            for (severity, _) in game.findings.iter().filter(|(_, at_fault)| *at_fault == Some(side)) {
                player.findings[place(*severity)] += 1;
            }
            let Some(points) = points(game.result, side) else { continue };
            player.results[points] += 1;
            if let Some((_, truth)) = game.endings.first() {
                count(&mut player.held, points, self::points(*truth, side));
            }
            for (ending, truth) in &game.endings {
                let key = ((*ending).to_owned(), name.to_owned());
                let held = row(&mut self.endings, key, || ((*ending).to_owned(), OTHERS.to_owned()));
                count(held, points, self::points(*truth, side));
            }
        }
    }

    /// The rows of players.csv.
    pub(super) fn players(&self) -> impl Iterator<Item = PlayerRow> {
        self.players.iter().map(|(player, counts)| {
            let Player { results: [wins, draws, losses], held, findings: [errors, warnings, notes] } =
                *counts;
            let Outcomes { reached, should_win, won, should_draw, held, should_lose, saved } = held;
            let (player, games) = (player.clone(), wins + draws + losses);
            PlayerRow {
                player,
                games,
                wins,
                draws,
                losses,
                reached,
                should_win,
                won,
                should_draw,
                held,
                should_lose,
                saved,
                errors,
                warnings,
                notes,
            }
        })
    }

    /// The rows of endings.csv.
    pub(super) fn endings(&self) -> impl Iterator<Item = EndingRow> {
        self.endings.iter().map(|((ending, player), counts)| {
            let Outcomes { reached, should_win, won, should_draw, held, should_lose, saved } = *counts;
            let (ending, player) = (ending.clone(), player.clone());
            EndingRow { ending, player, reached, should_win, won, should_draw, held, should_lose, saved }
        })
    }

    /// A line for each player that reached an ending, those with most first: how many of the won ones it won, and
    /// how many of the drawn ones it held.
    pub(super) fn lines(&self, most: usize) -> Vec<String> {
        let mut reached: Vec<_> = self.players.iter().filter(|(_, player)| player.held.reached > 0).collect();
        reached.sort_by_key(|(_, player)| Reverse(player.held.reached));
        let mut lines: Vec<String> = reached
            .iter()
            .take(most)
            .map(|(name, Player { held, .. })| {
                format!(
                    "{name}: won {} of {} won endings, held {} of {} drawn ones, saved {} of {} lost ones",
                    held.won, held.should_win, held.held, held.should_draw, held.saved, held.should_lose
                )
            })
            .collect();
        if reached.len() > most {
            lines.push(format!("and {} more players in players.csv", reached.len() - most));
        }
        lines
    }
}

/// The counts of this key; those of the others if there are too many keys.
fn row<K: Ord, V: Default>(rows: &mut BTreeMap<K, V>, key: K, others: impl Fn() -> K) -> &mut V {
    let key = if rows.len() < MOST_ROWS || rows.contains_key(&key) { key } else { others() };
    rows.entry(key).or_default()
}

fn place(severity: Severity) -> usize {
    match severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Note => 2,
    }
}

/// 0 for a win of this side (0 is White), 1 for a draw, 2 for a loss.
fn points(result: GameResult, side: usize) -> Option<usize> {
    match result {
        GameResult::WhiteWins => Some(2 * side),
        GameResult::BlackWins => Some(2 - 2 * side),
        GameResult::Draw => Some(1),
        GameResult::Unfinished => None,
    }
}

fn count(held: &mut Outcomes, points: usize, truth: Option<usize>) {
    let Some(truth) = truth else { return };
    held.reached += 1;
    let (should, did, is_done) = match truth {
        0 => (&mut held.should_win, &mut held.won, points == 0),
        1 => (&mut held.should_draw, &mut held.held, points <= 1),
        _ => (&mut held.should_lose, &mut held.saved, points <= 1),
    };
    *should += 1;
    *did += u64::from(is_done);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_counted_by_ending() {
        let mut summary = Summary::default();
        let mut add = |result, endings: &[(&'static str, GameResult)]| {
            let findings = vec![(Severity::Warning, Some(0)), (Severity::Error, None)];
            summary.add(&CountedGame { players: ["A", "B"], result, endings: endings.to_vec(), findings });
        };
        add(GameResult::WhiteWins, &[("KRPvKR", GameResult::WhiteWins), ("KQvK", GameResult::WhiteWins)]);
        add(GameResult::Draw, &[("KRPvKR", GameResult::WhiteWins)]);
        add(GameResult::BlackWins, &[("KRPvKR", GameResult::Draw)]);
        add(GameResult::Unfinished, &[("KRPvKR", GameResult::Draw)]);
        add(GameResult::Draw, &[]);
        insta::assert_snapshot!(summary.lines(1).join("\n"), @"
        A: won 1 of 2 won endings, held 0 of 1 drawn ones, saved 0 of 0 lost ones
        and 1 more players in players.csv
        ");
        let text = |bytes| String::from_utf8(bytes).unwrap();
        insta::assert_snapshot!(text(reports::to_bytes(summary.players())), @"
        player,games,wins,draws,losses,reached,should_win,won,should_draw,held,should_lose,saved,errors,warnings,notes
        A,4,1,2,1,3,2,1,1,0,0,0,0,5,0
        B,4,1,2,1,3,0,0,1,1,2,1,0,0,0
        ");
        insta::assert_snapshot!(text(reports::to_bytes(summary.endings())), @"
        ending,player,reached,should_win,won,should_draw,held,should_lose,saved
        KQvK,A,1,1,1,0,0,0,0
        KQvK,B,1,0,0,0,0,1,0
        KRPvKR,A,3,2,1,1,0,0,0
        KRPvKR,B,3,0,0,1,1,2,1
        ");
    }
}
