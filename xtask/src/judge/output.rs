//! The reports on games, written while the files are read. Memory does not grow with the files.

use std::collections::BTreeMap;
use std::io::{BufWriter, IntoInnerError, Write};
use std::path::Path;

use arbiter::judge::{Fault, Finding, GameName, JudgedPgn};
use arbiter::pgn::{PgnGame, Unreadable, UnreadableGame};
use oracle::board;
use reports::html::{self, Named, Transcripts};
use reports::{CheckRow, CheckRun, DifferenceRow, Files, MalformedRow, Row, Run, junit, replays};
use suites::catalogue::Severity;
use suites::{Difference, Evidence, Replay, SkipReason, Tally};
use tempfile::NamedTempFile;

use super::JudgeArgs;
use super::rows::{EndingRow, GameRow, PlayerRow};
use super::summary::{CountedGame, Summary};
use crate::files::RowFile;
use crate::progress::Progress;
use crate::{console, files, program, report_folder};

/// A game that was read and judged, or why it cannot be read.
pub(super) type Judged = Result<(PgnGame, JudgedPgn), UnreadableGame>;

/// The family of the checks of games.
const FAMILY: &str = "game";
/// The most differences of a check that are kept in memory; differences.csv has all.
const KEPT: usize = 100;
/// The most games that are named on standard error if they cannot be read.
const NAMED: usize = 10;

/// The most letters of a player's name.
const MOST_NAME: usize = 200;

/// The reports, not yet published.
pub(super) struct Reports<'a> {
    args: &'a JudgeArgs,
    progress: &'a Progress,
    games: RowFile<GameRow>,
    differences: RowFile<DifferenceRow>,
    malformed: RowFile<MalformedRow>,
    epd: Option<BufWriter<NamedTempFile>>,
    summary: Summary,
    run: Run,
    /// How many differences are kept of each check.
    kept: BTreeMap<String, usize>,
    /// The file that is read.
    file: String,
    unreadable: usize,
}

impl<'a> Reports<'a> {
    /// No game yet.
    pub(super) fn begin(args: &'a JudgeArgs, progress: &'a Progress) -> anyhow::Result<Self> {
        let epd = args.epdout.as_deref().map(files::stage).transpose()?;
        Ok(Self {
            args,
            progress,
            games: files::row_file(&args.out.join(GameRow::FILE))?,
            differences: files::row_file(&args.out.join(DifferenceRow::FILE))?,
            malformed: files::row_file(&args.out.join(MalformedRow::FILE))?,
            epd: epd.map(BufWriter::new),
            summary: Summary::default(),
            run: Run { fails_from: args.fail_on, ..Run::default() },
            kept: BTreeMap::new(),
            file: String::new(),
            unreadable: 0,
        })
    }

    /// The games that follow are of this file.
    pub(super) fn begin_file(&mut self, path: &Path) {
        self.file = path.display().to_string();
        let tally = Tally::new(&self.file, FAMILY, Evidence::Agreement, &self.file);
        self.run.checks.push(CheckRun { tally, duration: None, optional: false });
    }

    /// The file has no more games.
    pub(super) fn end_file(&mut self) {
        if self.tally().total() == 0 {
            let number = self.args.game.map(|number| format!(" {number}")).unwrap_or_default();
            self.progress.note(&format!("{} has no game{number}", self.file));
        }
    }

    fn tally(&mut self) -> &mut Tally {
        &mut self.run.checks.last_mut().expect("a file was begun").tally
    }

    /// Adds the next game.
    pub(super) fn add(&mut self, number: u64, game: Judged) -> anyhow::Result<()> {
        match game {
            Ok((game, judged)) => self.judged(number, &game, &judged),
            Err(error) => self.unreadable(number, &error),
        }
    }

    fn unreadable(&mut self, number: u64, error: &UnreadableGame) -> anyhow::Result<()> {
        if let Unreadable::Variant(_) = error.why {
            self.tally().skip(SkipReason::Unsupported, 1);
            return Ok(());
        }
        self.tally().skip(SkipReason::Malformed, 1);
        let UnreadableGame { line, why } = error;
        self.unreadable += 1;
        if self.unreadable <= NAMED {
            let note = format!("{}:{line}: game {number} cannot be read: {why}", self.file);
            self.progress.note(&reports::plain(&note));
        }
        let found = format!("{} game {number}", self.file);
        Ok(self.malformed.write(&MalformedRow { line: *line, found, fault: why.to_string() })?)
    }

    fn judged(&mut self, number: u64, game: &PgnGame, judged: &JudgedPgn) -> anyhow::Result<()> {
        let [white, black] = ["White", "Black"].map(|tag| player(game.tag(tag)));
        let end = judged.result.to_string();
        let name = GameName { number, white: &white, black: &black, end: &end };
        let mut counts = [0; 3];
        let mut findings = Vec::new();
        for found in &judged.findings {
            let severity = found.id().severity();
            counts[severity as usize] += 1;
            findings.push((severity, found.player.map(|side| side.fold_wb(0, 1))));
            let mut difference = found.difference(&name, self.replay(number));
            if found.player.is_none() {
                difference.subject.clone_from(&self.file);
            }
            self.difference(difference)?;
            self.position(number, found)?;
        }
        if judged.findings.is_empty() {
            self.tally().agreed += 1;
        }
        let ids: Vec<&str> = judged.findings.iter().map(|found| found.id().name()).collect();
        let ending = judged.endings.first();
        self.games.write(&GameRow {
            file: self.file.clone(),
            game: number,
            line: game.line,
            white: white.clone(),
            black: black.clone(),
            result: end.clone(),
            plies: game.game.moves().len(),
            ending: ending.map(|ending| ending.material.clone()).unwrap_or_default(),
            ending_ply: ending.map(|ending| ending.ply),
            ending_result: ending.map(|ending| ending.result.to_string()).unwrap_or_default(),
            errors: counts[Severity::Error as usize],
            warnings: counts[Severity::Warning as usize],
            notes: counts[Severity::Note as usize],
            findings: ids.join(";"),
        })?;
        let endings = judged.endings.iter().map(|ending| (&*ending.material, ending.result)).collect();
        let players = [&*white, &*black];
        self.summary.add(&CountedGame { players, result: judged.result, endings, findings });
        Ok(())
    }

    /// The command that judges a game of the file again. Standard input is gone.
    fn replay(&self, number: u64) -> Replay {
        if self.file == "-" {
            return Replay::default();
        }
        let file = uci::quoted(&self.file);
        Replay::touchstone(format_args!("judge {file} --game {number}{}", self.args.words()))
    }

    fn difference(&mut self, found: Difference) -> anyhow::Result<()> {
        let mut found = program::with_command(found);
        if self.args.files.len() > 1 {
            found.case = format!("{} {}", self.file, found.case);
        }
        self.tally().differ(&found.check);
        let kept = self.kept.entry(found.check.clone()).or_default();
        if *kept < KEPT {
            *kept += 1;
            self.run.differences.push(found.clone());
        }
        Ok(self.differences.write(&DifferenceRow(found))?)
    }
}

/// The name of a player, of bounded length; `?` if the file has none.
fn player(tag: &str) -> String {
    let name: String = tag.chars().take(MOST_NAME).collect();
    if name.is_empty() { "?".to_owned() } else { name }
}

impl Reports<'_> {
    /// Writes the position before a thrown result, with the moves that keep it.
    fn position(&mut self, number: u64, found: &Finding) -> anyhow::Result<()> {
        let (Some(epd), Fault::Thrown { before, after, keeps, .. }) = (&mut self.epd, &found.fault) else {
            return Ok(());
        };
        if keeps.is_empty() {
            return Ok(());
        }
        let moves = board::standard_notation(&found.fen, keeps).join(" ");
        let played = found
            .played
            .as_deref()
            .map(|text| board::standard_notation(&found.fen, &[text.to_owned()]).join(""));
        let played = played.unwrap_or_default();
        let file = self.file.replace(['"', ';'], "'");
        writeln!(
            epd,
            "{} bm {moves}; id \"{file} game {number} ply {}\"; c0 \"{before}; {played}: {after}\";",
            board::epd(&found.fen),
            found.ply
        )?;
        Ok(())
    }

    /// Puts the reports into their folder.
    pub(super) fn publish(self, args: &JudgeArgs) -> anyhow::Result<(Run, Summary)> {
        let Self { mut run, summary, games, differences, malformed, epd, unreadable, .. } = self;
        if unreadable > NAMED {
            console::message(&format!(
                "and {} more games cannot be read, all in {}",
                unreadable - NAMED,
                MalformedRow::FILE
            ));
        }
        let path = |name: &str| args.out.join(name);
        run.folder = uci::quoted(&args.out.display().to_string());
        let of_run = run.files();
        let kept = [CheckRow::FILE, junit::FILE];
        let is_kept = |name: &String| kept.contains(&name.as_str()) || name.starts_with(replays::FOLDER);
        let mut written: Files = of_run.into_iter().filter(|(name, _)| is_kept(name)).collect();
        written.insert(PlayerRow::FILE.to_owned(), reports::to_bytes(summary.players()));
        written.insert(EndingRow::FILE.to_owned(), reports::to_bytes(summary.endings()));
        let mut staged =
            vec![(GameRow::FILE, files::staged(games)?), (DifferenceRow::FILE, files::staged(differences)?)];
        if unreadable > 0 {
            staged.push((MalformedRow::FILE, files::staged(malformed)?));
        }
        files::remove(&path(html::FILE))?;
        report_folder::put(&args.out, &written, staged)?;
        if let (Some(epd), Some(path)) = (epd, &args.epdout) {
            files::publish(epd.into_inner().map_err(IntoInnerError::into_error)?, path)?;
        }
        let name = args.out.display().to_string();
        let page = html::document(&[Named { name, run: run.clone(), transcripts: Transcripts::new() }], None);
        files::write(&path(html::FILE), &page)?;
        Ok((run, summary))
    }
}
