//! What a match remembers of its games for its page: Elo and the test over games, and what each opening gave.
//! Adding a game takes the same time however many were played. Memory holds a bounded number of points, and a
//! score for each opening of the book.

use std::collections::BTreeMap;

use arbiter::game::{GameRecord, GameResult, START_FEN};
use arbiter::statistics::Test;
use arbiter::tournament::standings::Standings;
use reports::match_data::{MatchScore, OpeningScore, WalkPoint};

/// The most points that are kept. The table of a chart has 200 rows: its header, these, and the present point.
const MOST_POINTS: usize = 198;

/// The history of a match.
pub(super) struct History {
    points: Vec<WalkPoint>,
    /// Points are kept after this many games, and after each multiple.
    every: u64,
    openings: BTreeMap<String, [MatchScore; 2]>,
}

impl History {
    pub(super) fn new() -> Self {
        Self { points: Vec::new(), every: 2, openings: BTreeMap::new() }
    }

    /// Adds a game, which the standings have by now. `first` is the first engine.
    pub(super) fn add(
        &mut self,
        record: &GameRecord,
        first: &str,
        standings: &Standings<&'static str>,
        test: Option<&Test>,
    ) {
        let scores = self.openings.entry(opening(record)).or_default();
        count(&mut scores[0], record.result(), GameResult::WhiteWins);
        for (name, win) in
            [(&record.white.name, GameResult::WhiteWins), (&record.black.name, GameResult::BlackWins)]
        {
            if name == first {
                count(&mut scores[1], record.result(), win);
            }
        }
        if standings.games().is_multiple_of(self.every) {
            self.points.extend(point(standings, test));
        }
        if self.points.len() > MOST_POINTS {
            self.every *= 2;
            self.points.retain(|point| point.games.is_multiple_of(self.every));
        }
    }

    /// The points that were kept, and the present one.
    pub(super) fn walk(&self, standings: &Standings<&'static str>, test: Option<&Test>) -> Vec<WalkPoint> {
        let last = self.points.last().map_or(0, |point| point.games);
        let now = point(standings, test).filter(|point| point.games > last);
        self.points.iter().copied().chain(now).collect()
    }

    /// The openings in the order of their texts.
    pub(super) fn openings(&self) -> impl Iterator<Item = OpeningScore> {
        self.openings.iter().map(|(opening, &[white, first])| OpeningScore {
            opening: opening.clone(),
            white,
            first,
        })
    }
}

/// The present state of a match; `None` without a complete pair of the first engine.
fn point(standings: &Standings<&'static str>, test: Option<&Test>) -> Option<WalkPoint> {
    let elo = standings.of_engine(0).pair_results()?.measures().elo;
    let llr = test.map(|test| test.llr);
    Some(WalkPoint { games: standings.games(), elo: elo.value, error: elo.error, llr })
}

/// The opening of a game as a text.
fn opening(record: &GameRecord) -> String {
    let fen = if record.fen == START_FEN { "" } else { &record.fen };
    let moves = record.opening.join(" ");
    match (fen, moves.as_str()) {
        ("", "") => "initial position".to_owned(),
        (fen, "") => fen.to_owned(),
        ("", moves) => moves.to_owned(),
        (fen, moves) => format!("{fen} moves {moves}"),
    }
}

/// Counts a game of the side that wins it with this result.
fn count(score: &mut MatchScore, result: GameResult, win: GameResult) {
    match result {
        GameResult::Unfinished => {}
        GameResult::Draw => score.draws += 1,
        result if result == win => score.wins += 1,
        _ => score.losses += 1,
    }
}

#[cfg(test)]
mod tests {
    use arbiter::tournament::schedule::{PairShard, Schedule};
    use serde_json::json;

    use super::*;

    /// The table of a chart has 200 rows at most, with its header.
    #[test]
    fn the_walk_has_all_its_points_in_the_table() {
        let schedule = Schedule::round_robin(2, 500).unwrap();
        let (mut standings, mut history) = (Standings::new(schedule), History::new());
        for game in schedule.games_of(PairShard::WHOLE) {
            let player = json!({"name": "x", "time_control": "nodes=1"});
            let end = json!({"kind": "stalemate"});
            let record = json!({"white": player, "black": player, "fen": START_FEN, "moves": [], "end": end});
            let record: GameRecord = serde_json::from_value(record).unwrap();
            standings.add(game.number, record.result(), record.end.kind()).unwrap();
            history.add(&record, "x", &standings, None);
            let walk = history.walk(&standings, None);
            assert!(walk.len() < 200, "{} points after game {}", walk.len(), game.number);
            let last = walk.last().map(|point| point.games);
            assert!(game.number < 2 || last == Some(game.number), "after game {}: {last:?}", game.number);
        }
    }
}
