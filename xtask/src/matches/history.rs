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
    use arbiter::statistics::{Model, Sprt};
    use arbiter::tournament::schedule::{PairShard, Schedule};
    use serde_json::{Value, json};

    use super::*;

    /// A game of White and Black from this position after these moves.
    fn game([white, black]: [&str; 2], fen: &str, opening: &[&str], end: &Value) -> GameRecord {
        let player = |name: &str| json!({"name": name, "time_control": "nodes=1"});
        let [white, black] = [white, black].map(player);
        let record =
            json!({"white": white, "black": black, "fen": fen, "opening": opening, "moves": [], "end": end});
        serde_json::from_value(record).unwrap()
    }

    fn mate(winner: &str) -> Value {
        json!({"kind": "checkmate", "winner": winner})
    }

    fn stalemate() -> Value {
        json!({"kind": "stalemate"})
    }

    fn add(standings: &mut Standings<&'static str>, number: u64, record: &GameRecord) {
        standings.add(number, record.result(), record.end.kind()).unwrap();
    }

    /// The table of a chart has 200 rows at most, with its header.
    #[test]
    fn the_walk_has_all_its_points_in_the_table() {
        let schedule = Schedule::round_robin(2, 500).unwrap();
        let (mut standings, mut history) = (Standings::new(schedule), History::new());
        let record = game(["x", "x"], START_FEN, &[], &stalemate());
        for game in schedule.games_of(PairShard::WHOLE) {
            add(&mut standings, game.number, &record);
            history.add(&record, "x", &standings, None);
            let walk = history.walk(&standings, None);
            assert!(walk.len() < 200, "{} points after game {}", walk.len(), game.number);
            let last = walk.last().map(|point| point.games);
            assert!(game.number < 2 || last == Some(game.number), "after game {}: {last:?}", game.number);
        }
    }

    /// Each point has what was known after its game.
    #[test]
    fn the_walk_has_elo_and_test_of_the_first_engine() {
        let schedule = Schedule::round_robin(2, 3).unwrap();
        let (mut standings, mut history) = (Standings::new(schedule), History::new());
        let sprt = Sprt::new([0.0, 5.0], [0.05, 0.05], Model::Logistic).unwrap();
        let (x_is_white, y_is_white) = (["x", "y"], ["y", "x"]);
        let games = [
            (x_is_white, mate("white")),
            (y_is_white, stalemate()),
            (x_is_white, mate("black")),
            (y_is_white, stalemate()),
            (x_is_white, mate("white")),
            (y_is_white, mate("black")),
        ];
        let mut expected = Vec::new();
        for (number, (players, end)) in (1..).zip(games) {
            let record = game(players, START_FEN, &[], &end);
            add(&mut standings, number, &record);
            let results = standings.of_engine(0).pair_results();
            let test = results.as_ref().map(|results| sprt.test(results).unwrap());
            history.add(&record, "x", &standings, test.as_ref());
            if number % 2 == 0 {
                let elo = results.unwrap().measures().elo;
                let (elo, error, llr) = (elo.value, elo.error, test.map(|test| test.llr));
                expected.push(WalkPoint { games: number, elo, error, llr });
                assert_eq!(history.walk(&standings, test.as_ref()), expected, "after game {number}");
            }
        }
        // 1.5 points of 2, 2 of 4, 4 of 6.
        let elo = expected.iter().map(|point| format!("{:.1}", point.elo));
        assert_eq!(elo.collect::<Vec<_>>(), ["190.8", "0.0", "120.4"]);
    }

    #[test]
    fn openings_have_the_scores_of_white_and_of_the_first_engine() {
        let (x_is_white, y_is_white) = (["x", "y"], ["y", "x"]);
        let pawn = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let games = [
            game(x_is_white, START_FEN, &[], &mate("white")),
            game(y_is_white, START_FEN, &[], &mate("white")),
            game(x_is_white, START_FEN, &["e2e4", "e7e5"], &mate("black")),
            game(y_is_white, START_FEN, &["e2e4", "e7e5"], &stalemate()),
            game(x_is_white, pawn, &[], &mate("white")),
            game(y_is_white, pawn, &["e2e4"], &mate("black")),
            game(x_is_white, pawn, &[], &json!({"kind": "interrupted"})),
        ];
        let (standings, mut history) = (Standings::new(Schedule::round_robin(2, 4).unwrap()), History::new());
        for record in &games {
            history.add(record, "x", &standings, None);
        }
        let words = |score: MatchScore| format!("{}-{}-{}", score.wins, score.draws, score.losses);
        let lines = history
            .openings()
            .map(|opening| format!("{}: {} {}", opening.opening, words(opening.white), words(opening.first)));
        let expected = [
            format!("{pawn}: 1-0-0 1-0-0"),
            format!("{pawn} moves e2e4: 0-0-1 1-0-0"),
            "e2e4 e7e5: 0-1-1 0-1-1".to_owned(),
            "initial position: 2-0-0 1-0-1".to_owned(),
        ];
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    }
}
