//! The table of a match that is being played. It is made of the games that count and of the time, and knows
//! no terminal.

use std::fmt::Write as _;
use std::time::Duration;

use arbiter::tournament::Score;
use indicatif::FormattedDuration;

use super::ledger::Ledger;
use super::truth::FINDINGS;
use super::{FAULTS, standings};

/// The most engines that are listed.
const MOST_LISTED: usize = 10;
/// The most characters of a name.
const MOST_NAME: usize = 24;

/// The table of a match of `of` games, when this run has played `games` of them in this time, and so much was found in
/// all that count.
pub(super) fn table(ledger: &Ledger, of: u64, games: u64, findings: usize, elapsed: Duration) -> String {
    let mut text = String::new();
    let counted = ledger.standings.games();
    let _ = writeln!(text, "games   {counted} of {of}");
    for (rank, (engine, tally)) in (1..).zip(ledger.standings.ranking()).take(MOST_LISTED) {
        let Score { wins, draws, losses } = tally.score();
        let share = 100.0 * tally.score().ratio().unwrap_or_default();
        let name: String = ledger.names[engine].chars().take(MOST_NAME).collect();
        let _ = writeln!(text, "{rank:>6}  {name:MOST_NAME$} +{wins} ={draws} -{losses}  {share:.1} %");
    }
    if let Some(more) = ledger.names.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
        let _ = writeln!(text, "        and {more} more");
    }
    if let Some(difference) = standings::difference(&ledger.standings) {
        let pairs = ledger.standings.between(0, 1).unwrap_or_default().pairs;
        let [twice_lost, lost, level, won, twice_won] = pairs;
        let name: String = ledger.names[0].chars().take(MOST_NAME).collect();
        let _ = writeln!(
            text,
            "pairs   LL {twice_lost}, LD {lost}, DD or WL {level}, WD {won}, WW {twice_won} of {name}"
        );
        let _ = writeln!(text, "result  {difference}");
    }
    if let Some(test) = &ledger.test {
        let _ = writeln!(text, "SPRT    {}", standings::ratio(test));
    }
    let minutes = elapsed.as_secs_f64() / 60.0;
    if games > 0 && minutes > 0.0 {
        let left = elapsed.mul_f64((of - counted) as f64 / games as f64);
        let most = if ledger.test.is_some() { "at most " } else { "" };
        let left = FormattedDuration(Duration::from_secs(left.as_secs()));
        let _ = writeln!(text, "pace    {:.1} games a minute, {most}{left} left", games as f64 / minutes);
    }
    if findings > 0 {
        let _ = writeln!(text, "found   {findings} in the games so far; {FINDINGS} has them at the end");
    }
    let faults = ledger.fault_count();
    if faults > 0 {
        let _ = writeln!(text, "faults  {faults}, with their sessions in {FAULTS}/");
    }
    text
}

#[cfg(test)]
mod tests {
    use arbiter::statistics::{Model, Sprt};
    use arbiter::tournament::schedule::{PairShard, Schedule};
    use serde_json::json;

    use super::*;
    use crate::matches::ledger::Played;

    /// The table after games with these results, `W`, `D`, `B` or `X` for a crash of Black, in half a minute.
    fn after(engines: usize, results: &str, sprt: Option<Sprt>) -> String {
        let names: Vec<String> = (1..=engines).map(|number| format!("engine {number}")).collect();
        let schedule = Schedule::round_robin(engines, 10).unwrap();
        let games = schedule.games_of(PairShard::WHOLE);
        let mut ledger = Ledger::new(names, schedule, games, sprt, None);
        for (number, result) in (1..).zip(results.chars()) {
            let fault = json!({"side": "black", "reason": "it ended", "transcript": ""});
            let (end, fault) = match result {
                'W' => (json!({"kind": "checkmate", "winner": "white"}), None),
                'B' => (json!({"kind": "checkmate", "winner": "black"}), None),
                'D' => (json!({"kind": "stalemate"}), None),
                _ => (json!({"kind": "crash", "loser": "black"}), Some(fault)),
            };
            let player = json!({"name": "x", "time_control": "nodes=1"});
            let fen = "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1";
            let record = json!({
                "white": player, "black": player, "fen": fen, "moves": [], "end": end, "fault": fault,
            });
            let played = json!({"date": "2026.11.26", "record": record});
            let played: Played = serde_json::from_value(played).unwrap();
            ledger.add(number, played, &mut |_, _, _| Ok(())).unwrap();
        }
        table(
            &ledger,
            schedule.games(),
            results.len() as u64,
            7 * engines.abs_diff(2),
            Duration::from_secs(30),
        )
    }

    #[test]
    fn two_engines() {
        let sprt = Sprt::new([0.0, 10.0], [0.05, 0.05], Model::Normalized).unwrap();
        insta::assert_snapshot!(after(2, "WBWDDWBXDDW", Some(sprt)), @"
        games   11 of 20
             1  engine 1                 +4 =4 -3  54.5 %
             2  engine 2                 +3 =4 -4  45.5 %
        pairs   LL 1, LD 1, DD or WL 1, WD 1, WW 1 of engine 1
        result  Elo 0.00 +/- 251.78, nElo 0.00 +/- 215.34, LOS 50.00 %
        SPRT    LLR 0.00 (-2.94, 2.94)
        pace    22.0 games a minute, at most 00:00:24 left
        faults  1, with their sessions in faults/
        ");
    }

    #[test]
    fn many_engines() {
        insta::assert_snapshot!(after(12, "WBWDDW", None), @"
        games   6 of 1320
             1  engine 4                 +1 =1 -0  75.0 %
             2  engine 1                 +3 =2 -1  66.7 %
             3  engine 3                 +0 =1 -1  25.0 %
             4  engine 2                 +0 =0 -2  0.0 %
             5  engine 5                 +0 =0 -0  0.0 %
             6  engine 6                 +0 =0 -0  0.0 %
             7  engine 7                 +0 =0 -0  0.0 %
             8  engine 8                 +0 =0 -0  0.0 %
             9  engine 9                 +0 =0 -0  0.0 %
            10  engine 10                +0 =0 -0  0.0 %
                and 2 more
        pace    12.0 games a minute, 01:49:30 left
        found   70 in the games so far; differences.csv has them at the end
        ");
    }

    #[test]
    fn the_first_game_and_none() {
        insta::assert_snapshot!(after(2, "W", None), @"
        games   1 of 20
             1  engine 1                 +1 =0 -0  100.0 %
             2  engine 2                 +0 =0 -1  0.0 %
        pace    2.0 games a minute, 00:09:30 left
        ");
        insta::assert_snapshot!(after(2, "", None), @"
        games   0 of 20
             1  engine 1                 +0 =0 -0  0.0 %
             2  engine 2                 +0 =0 -0  0.0 %
        ");
    }

    #[test]
    fn results_that_have_no_error() {
        let result = |results: &str| {
            let table = after(2, results, None);
            table.lines().find(|line| line.starts_with("result")).unwrap().to_owned()
        };
        insta::assert_snapshot!(result("WBWB"), @"result  won all 4 games, from which no Elo can be estimated");
        insta::assert_snapshot!(result("BWBW"), @"result  lost all 4 games, from which no Elo can be estimated");
        insta::assert_snapshot!(result("DDDD"), @"result  Elo 0.00; all ended alike, from which no error can be estimated");
    }
}
