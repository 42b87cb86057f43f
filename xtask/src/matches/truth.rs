//! The games of a match held against rules and tables: `findings.csv`, `disagreements.epd`, and a summary.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;

use anyhow::{Context, anyhow};
use arbiter::game::{GameRecord, GameResult};
use arbiter::game_tables::GameTables;
use arbiter::judge::{self, Disagreement, Fault, Finding, FindingId, Judgement};
use arbiter::tournament::journal::Reader;
use oracle::board;
use reports::{Row, RowWriter};
use serde::{Deserialize, Serialize};

use super::JOURNAL;
use super::ledger::{Ledger, Played};
use crate::{console, files};

/// What was found in the games of a match.
pub(super) const FINDINGS: &str = "findings.csv";
/// The positions in a match about which the players disagree.
pub(super) const DISAGREEMENTS: &str = "disagreements.epd";

/// A row of findings.csv.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct FindingRow {
    /// The number of the game.
    game: u64,
    /// Plies before the position.
    ply: usize,
    /// The player at fault; empty if it is none.
    player: String,
    id: String,
    severity: String,
    fen: String,
    /// The move in UCI notation; empty if the position is the last one.
    #[serde(rename = "move")]
    played: String,
    expected: String,
    got: String,
}

impl Row for FindingRow {
    const FILE: &'static str = FINDINGS;
}

/// What was found in a game, with the names of its players.
struct JudgedGame {
    white: String,
    black: String,
    judgement: Judgement,
}

impl JudgedGame {
    fn new(record: GameRecord, tables: &GameTables) -> anyhow::Result<Self> {
        let judgement = judge::judge_record(&record, &|position| tables.probe(position))?;
        Ok(Self { white: record.white.name, black: record.black.name, judgement })
    }

    fn player(&self, finding: &Finding) -> &str {
        finding.player.map_or("", |side| side.fold_wb(&self.white, &self.black))
    }
}

/// Judges the games of the journal in the folder of a match that count, writes the files into the folder, and
/// prints the summary: as a message if the lines on standard output are those of another runner (`is_foreign`).
/// The games are in the order of their numbers, whatever was finished first.
pub(super) fn judge(
    out: &Path,
    ledger: &Ledger,
    tables: &GameTables,
    is_foreign: bool,
) -> anyhow::Result<()> {
    let journal = out.join(JOURNAL);
    let shown = || journal.display().to_string();
    let mut games = BTreeMap::new();
    let reader = Reader::new(File::open(&journal).with_context(shown)?).with_context(shown)?;
    // A journal without a header has no games.
    if let Some(mut reader) = reader {
        while let Some((number, Played { record, .. })) = reader.next_game().with_context(shown)? {
            if !ledger.counts(number) {
                continue;
            }
            let game = JudgedGame::new(record, tables).with_context(|| format!("game {number}"))?;
            if game.judgement != Judgement::default() {
                games.insert(number, game);
            }
        }
    }
    files::write(&out.join(FindingRow::FILE), &csv(&games)?)?;
    files::write(&out.join(DISAGREEMENTS), epd(&games).as_bytes())?;
    let summary = summary(&games, &ledger.names);
    if is_foreign {
        summary.lines().for_each(console::message);
    } else {
        console::data(summary.as_bytes())?;
    }
    match tables.fault() {
        None => Ok(()),
        Some(fault) => Err(anyhow!(
            "--tb: {fault}; replace the file, and go on with --resume if the new file is as long as this one; \
             otherwise begin a new match with another --out"
        )),
    }
}

fn csv(games: &BTreeMap<u64, JudgedGame>) -> anyhow::Result<Vec<u8>> {
    let mut writer = RowWriter::new(Vec::new())?;
    for (&number, game) in games {
        for finding in &game.judgement.findings {
            writer.write(&FindingRow {
                game: number,
                ply: finding.ply,
                player: game.player(finding).to_owned(),
                id: finding.id().to_string(),
                severity: finding.id().severity().to_string(),
                fen: finding.fen.clone(),
                played: finding.played.clone().unwrap_or_default(),
                expected: finding.expected(),
                got: finding.got(),
            })?;
        }
    }
    Ok(writer.finish()?)
}

/// A line for each position, with its clocks, the place, and what the players and the tables say.
fn epd(games: &BTreeMap<u64, JudgedGame>) -> String {
    let mut text = String::new();
    for (number, game) in games {
        for Disagreement { ply, fen, scores, truth } in &game.judgement.disagreements {
            let _ = write!(text, "{} id \"game {number} ply {ply}\";", board::epd(fen));
            let said = [(&game.white, scores.white), (&game.black, scores.black)];
            for (index, (name, score)) in said.into_iter().enumerate() {
                let _ = write!(text, " c{index} \"{}: {score}\";", name.replace(['"', ';'], "'"));
            }
            if let Some(truth) = truth {
                let _ = write!(text, " c2 \"{truth}\";");
            }
            text.push('\n');
        }
    }
    text
}

/// How often each player did something, and how games were adjudicated. Scores are left to the file.
fn summary(games: &BTreeMap<u64, JudgedGame>, names: &[String]) -> String {
    let mut counts: BTreeMap<(&str, Sort), BTreeSet<(u64, usize)>> = BTreeMap::new();
    for (&number, game) in games {
        for finding in &game.judgement.findings {
            if let Some(sort) = Sort::of(finding) {
                counts.entry((game.player(finding), sort)).or_default().insert((number, finding.ply));
            }
        }
    }
    let mut text = String::new();
    for name in names.iter().map(String::as_str).chain([""]) {
        for (&(_, sort), found) in counts.range((name, Sort::ALL[0])..).take_while(|((of, _), _)| *of == name)
        {
            let count = found.len();
            let [one, many] = sort.words();
            let words = if count == 1 { one } else { many };
            let line = words.replace('#', &count.to_string());
            let _ = writeln!(text, "{name}{}{line}", if name.is_empty() { "" } else { " " });
        }
    }
    text
}

/// What the summary counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Win,
    Draw,
    Mate,
    LateMate,
    DrawAsWon,
    LossAsWon,
    WinAsDrawn,
    Result,
}

impl Sort {
    const ALL: [Self; 8] = [
        Self::Win,
        Self::Draw,
        Self::Mate,
        Self::LateMate,
        Self::DrawAsWon,
        Self::LossAsWon,
        Self::WinAsDrawn,
        Self::Result,
    ];

    fn of(finding: &Finding) -> Option<Self> {
        Some(match (finding.id(), &finding.fault) {
            (FindingId::WinToDraw | FindingId::WinToLoss | FindingId::WinTooSlow, _) => Self::Win,
            (FindingId::DrawToLoss, _) => Self::Draw,
            (FindingId::MateUnsound, _) => Self::Mate,
            (FindingId::MateNotKept, _) => Self::LateMate,
            (FindingId::WrongResult, _) => Self::Result,
            (_, Fault::WrongAdjudication { result: GameResult::Draw, .. }) => Self::WinAsDrawn,
            (_, Fault::WrongAdjudication { truth, .. }) if truth.result == GameResult::Draw => {
                Self::DrawAsWon
            }
            (FindingId::WrongAdjudication, _) => Self::LossAsWon,
            (FindingId::ScoreOfDraw, _) => return None,
        })
    }

    /// The words for one, and for more.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Win => ["threw # won ending", "threw # won endings"],
            Self::Draw => ["lost # drawn ending", "lost # drawn endings"],
            Self::Mate => ["announced # mate that is none", "announced # mates that are none"],
            Self::LateMate => ["did not keep # announced mate", "did not keep # announced mates"],
            Self::DrawAsWon => {
                ["# game adjudicated as won was drawn", "# games adjudicated as won were drawn"]
            }
            Self::LossAsWon => ["# game adjudicated as won was lost", "# games adjudicated as won were lost"],
            Self::WinAsDrawn => {
                ["# game adjudicated as drawn was won", "# games adjudicated as drawn were won"]
            }
            Self::Result => ["# game has a wrong result", "# games have wrong results"],
        }
    }
}
