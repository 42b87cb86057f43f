//! The games of a match held against rules and tables: `differences.csv`, `disagreements.epd`, and a summary.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use arbiter::game::{GameRecord, GameResult};
use arbiter::game_tables::GameTables;
use arbiter::judge::{self, Disagreement, Fault, Finding, FindingId, GameName, Judgement};
use arbiter::tournament::InOrder;
use arbiter::tournament::journal::{MatchHeader, Reader};
use oracle::board;
use reports::{DifferenceRow, Row, RowWriter};
use suites::Difference;

use super::ledger::{self, Ledger, Played};
use super::replays::{self, Replays};
use super::{FAULTS, JOURNAL, shards};
use crate::{console, files, program};

/// What was found in the games of a match: a file of the same form as that of `verify`.
pub(super) const FINDINGS: &str = DifferenceRow::FILE;
/// The positions in a match about which the players disagree.
pub(super) const DISAGREEMENTS: &str = "disagreements.epd";

/// Judges the games of the journal in the folder of a match that count, writes the files into the folder, and
/// prints the summary: as a message if the lines on standard output are those of another runner (`is_foreign`).
/// The games are in the order of their numbers, whatever was finished first.
pub(super) fn judge(
    out: &Path,
    ledger: &Ledger,
    header: &MatchHeader,
    tables: &GameTables,
    is_foreign: bool,
) -> anyhow::Result<()> {
    let journal = out.join(JOURNAL);
    let shown = || journal.display().to_string();
    let [findings, disagreements] = [FINDINGS, DISAGREEMENTS].map(|name| out.join(name));
    let (rows, epd) = (files::stage(&findings)?, files::stage(&disagreements)?);
    let mut judge = Judge {
        tables,
        replays: Replays::new(header),
        rows: RowWriter::new(BufWriter::new(rows.as_file()))?,
        epd: BufWriter::new(epd.as_file()),
        counts: BTreeMap::new(),
    };
    let mut order = InOrder::new(shards::games_there(out, *ledger.standings.schedule(), header.shard()?)?);
    let reader = Reader::new(File::open(&journal).with_context(shown)?).with_context(shown)?;
    // A journal without a header has no games.
    if let Some(mut reader) = reader {
        while let Some((number, Played { record, .. })) = reader.next_game().with_context(shown)? {
            if ledger.counts(number) {
                order.insert(number, record);
            }
            while let Some((game, record)) = order.pop() {
                judge.game(game.number, &record).with_context(|| format!("game {}", game.number))?;
            }
        }
    }
    let summary =
        judge.finish(&ledger.names).with_context(|| format!("cannot write into {}", out.display()))?;
    files::publish(rows, &findings)?;
    files::publish(epd, &disagreements)?;
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

/// Judges one game after the other. Memory holds counts alone.
struct Judge<'a> {
    tables: &'a GameTables,
    replays: Replays,
    rows: RowWriter<BufWriter<&'a File>, DifferenceRow>,
    epd: BufWriter<&'a File>,
    /// How often each player, or none, did something.
    counts: BTreeMap<(String, Sort), usize>,
}

impl Judge<'_> {
    fn game(&mut self, number: u64, record: &GameRecord) -> anyhow::Result<()> {
        let judgement = judge::judge_record(record, &|position| self.tables.probe(position))?;
        let (white, black) = (record.white.name.as_str(), record.black.name.as_str());
        let end = format!("{}, {}", record.result(), record.end);
        let name = GameName { number, white, black, end: &end };
        for finding in &judgement.findings {
            let replay = match finding.player {
                Some(side) => self.replays.of_move(record, record.player(side), finding.ply)?,
                None => replays::of_position(&finding.fen),
            };
            self.write(finding.difference(&name, replay))?;
        }
        if let Some(fault) = judge::fault(record, number, self.replays.of_fault(record))? {
            let session = ledger::session_file(number);
            let explanation = format!("{}; its session is in {FAULTS}/{session}", fault.explanation);
            self.write(Difference { explanation, ..fault })?;
        }
        self.epd.write_all(epd(&name, &judgement.disagreements).as_bytes())?;
        self.count(&name, &judgement);
        Ok(())
    }

    fn write(&mut self, found: Difference) -> anyhow::Result<()> {
        Ok(self.rows.write(&DifferenceRow(program::with_command(found)))?)
    }

    /// Counts what the summary tells. Scores are left to the file.
    fn count(&mut self, game: &GameName<'_>, judgement: &Judgement) {
        let mut found: BTreeSet<(&str, Sort, usize)> = BTreeSet::new();
        for finding in &judgement.findings {
            let player = finding.player.map_or("", |side| side.fold_wb(game.white, game.black));
            found.extend(Sort::of(finding).map(|sort| (player, sort, finding.ply)));
        }
        for (player, sort, _) in found {
            *self.counts.entry((player.to_owned(), sort)).or_default() += 1;
        }
    }

    /// Writes what is left, and returns the summary.
    fn finish(mut self, names: &[String]) -> anyhow::Result<String> {
        self.rows.finish()?.flush()?;
        self.epd.flush()?;
        Ok(summary(&self.counts, names))
    }
}

/// A line for each position, with its clocks, the place, and what the players and the tables say.
fn epd(game: &GameName<'_>, disagreements: &[Disagreement]) -> String {
    let mut text = String::new();
    for Disagreement { ply, fen, scores, truth } in disagreements {
        let _ = write!(text, "{} id \"game {} ply {ply}\";", board::epd(fen), game.number);
        let said = [(game.white, scores.white), (game.black, scores.black)];
        for (index, (name, score)) in said.into_iter().enumerate() {
            let _ = write!(text, " c{index} \"{}: {score}\";", name.replace(['"', ';'], "'"));
        }
        if let Some(truth) = truth {
            let _ = write!(text, " c2 \"{truth}\";");
        }
        text.push('\n');
    }
    text
}

/// How often each player did something, and how games were adjudicated.
fn summary(counts: &BTreeMap<(String, Sort), usize>, names: &[String]) -> String {
    let mut text = String::new();
    for name in names.iter().map(String::as_str).chain([""]) {
        for sort in Sort::ALL {
            let Some(&count) = counts.get(&(name.to_owned(), sort)) else { continue };
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
            _ => return None,
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
