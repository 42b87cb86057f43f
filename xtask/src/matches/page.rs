//! The page of a match: from its games to the values that the page shows.

use std::path::Path;

use anyhow::bail;
use arbiter::statistics::Test;
use arbiter::tournament::journal::{MatchHeader, OpeningsHeader};
use arbiter::tournament::{Score, Tally};
use reports::html::match_document;
use reports::match_data::{Match, MatchEngine, MatchFindings, MatchScore, MatchTest};

use super::ledger::Ledger;
use super::{EPD_SETTING, PGN_SETTING, findings, shards};
use crate::sprt::strength;

/// The page of the match in a folder, as far as it has been played.
pub(crate) fn of_folder(folder: &Path) -> anyhow::Result<Vec<u8>> {
    let mut shards = shards::gather(&[folder.to_owned()])?;
    // Of a shard no test is decided.
    let sprt = shards.sprt()?.filter(|_| shards.of == 1);
    let (names, schedule) = (shards.names(), shards.schedule);
    let [part] = &mut shards.parts[..] else {
        bail!("{} holds several matches or shards: put them together by merge", folder.display())
    };
    let header = part.header().clone();
    let (games, scheduled) =
        (shards::games_there(folder, schedule, part.shard)?, schedule.games_in(part.shard));
    let mut ledger = Ledger::new(names, schedule, games, sprt, None);
    ledger.ends_early = !shards::is_merged(folder);
    while let Some((number, played)) = part.next_game()? {
        ledger.add(number, played, &mut |_, _, _| Ok(()))?;
    }
    Ok(document(&ledger, &header, scheduled, findings::of_folder(folder)?))
}

/// The page of a match, or of a shard, of so many games.
pub(super) fn document(
    ledger: &Ledger,
    header: &MatchHeader,
    scheduled: u64,
    findings: Option<MatchFindings>,
) -> Vec<u8> {
    let standings = &ledger.standings;
    let ranking = standings.ranking();
    let cross = |row: usize| {
        let cell =
            |&(column, _): &(usize, Tally)| standings.between(row, column).map(|tally| score(tally.score()));
        ranking.iter().map(cell).collect()
    };
    match_document(&Match {
        engines: ranking.iter().map(|(index, tally)| engine(&ledger.names[*index], tally)).collect(),
        cross: ranking.iter().map(|(index, _)| cross(*index)).collect(),
        games: standings.games(),
        scheduled,
        first: ledger.names[0].clone(),
        test: ledger.test.map(|Test { llr, lower, upper, decision }| MatchTest {
            llr,
            lower,
            upper,
            result: decision.name().to_owned(),
        }),
        walk: ledger.history.walk(standings, ledger.test.as_ref()),
        ends: standings.ends().iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect(),
        openings: ledger.history.openings().collect(),
        findings,
        settings: settings(header),
    })
}

fn engine(name: &str, tally: &Tally) -> MatchEngine {
    MatchEngine {
        name: name.to_owned(),
        score: score(tally.score()),
        pairs: tally.pairs,
        strength: tally.pair_results().map(|results| strength(&results.measures())),
    }
}

fn score(Score { wins, draws, losses }: Score) -> MatchScore {
    MatchScore { wins, draws, losses }
}

/// The openings in the words of the options.
fn openings(OpeningsHeader { sha256, plies, is_shuffled, start, is_chess960 }: &OpeningsHeader) -> String {
    let order = if *is_shuffled { "random" } else { "sequential" };
    let book = if sha256.is_empty() {
        "--openings startpos".to_owned()
    } else {
        format!("--order {order} --start {start}")
    };
    let plies = plies.map(|plies| format!("--plies {plies}"));
    let chess960 = is_chess960.then(|| "--chess960".to_owned());
    [Some(book), plies, chess960].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// How the match was played, as names and values.
fn settings(header: &MatchHeader) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    for engine in &header.engines {
        let options = engine.options.iter().map(|(name, value)| format!("option.{name}={value}"));
        let words: Vec<String> =
            [engine.command.join(" "), engine.limit.clone()].into_iter().chain(options).collect();
        settings.push((engine.name.clone(), words.join(" ")));
        settings.extend(engine.sha256.clone().map(|sum| (format!("SHA-256 of {}", engine.name), sum)));
    }
    let schedule = match header.schedule.seeds {
        Some(seeds) => format!("gauntlet of {seeds}, {} rounds", header.schedule.rounds),
        None => format!("round robin, {} rounds", header.schedule.rounds),
    };
    settings.push(("schedule".to_owned(), schedule));
    let [number, of] = header.schedule.shard;
    if of > 1 {
        settings.push(("shard".to_owned(), format!("{number}/{of}")));
    }
    settings.push(("openings".to_owned(), openings(&header.openings)));
    settings.push(("SHA-256 of the book".to_owned(), header.openings.sha256.clone()));
    settings.push(("seed".to_owned(), header.seed.to_string()));
    // Where the PGN and the EPD are does not matter for the games.
    let files = [PGN_SETTING, EPD_SETTING];
    let others = header.settings.iter().filter(|(name, _)| !files.contains(&name.as_str()));
    settings.extend(others.map(|(name, value)| (name.clone(), value.clone())));
    settings.retain(|(_, value)| !value.is_empty());
    settings
}

#[cfg(test)]
mod tests {
    use arbiter::tournament::journal::{FORMAT, ScheduleHeader};

    use super::*;

    fn shown(header: &MatchHeader) -> String {
        let settings = settings(header).into_iter().map(|(name, value)| format!("{name}: {value}"));
        settings.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn settings_that_are_not_set_are_not_shown() {
        let mut header = MatchHeader {
            format: FORMAT,
            engines: Vec::new(),
            schedule: ScheduleHeader { rounds: 50, seeds: None, shard: [1, 1] },
            openings: OpeningsHeader {
                sha256: String::new(),
                plies: None,
                is_shuffled: true,
                start: 1,
                is_chess960: false,
            },
            seed: 1,
            settings: [("adjudication".to_owned(), String::new())].into(),
        };
        insta::assert_snapshot!(shown(&header), @"
        schedule: round robin, 50 rounds
        openings: --openings startpos
        seed: 1
        ");
        header.schedule = ScheduleHeader { rounds: 50, seeds: Some(2), shard: [2, 8] };
        header.openings = OpeningsHeader {
            sha256: "00ff".to_owned(),
            plies: Some(8),
            is_shuffled: false,
            start: 17,
            is_chess960: true,
        };
        let adjudication = "--resign \"movecount=3 score=600\" --maxmoves 200".to_owned();
        header.settings = [("adjudication".to_owned(), adjudication)].into();
        insta::assert_snapshot!(shown(&header), @r#"
        schedule: gauntlet of 2, 50 rounds
        shard: 2/8
        openings: --order sequential --start 17 --plies 8 --chess960
        SHA-256 of the book: 00ff
        seed: 1
        adjudication: --resign "movecount=3 score=600" --maxmoves 200
        "#);
    }
}
