//! The finished games of a match, counted in the order of their numbers: whatever finishes first, the standings,
//! the test and the PGN are those of games that are played one after the other.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use arbiter::game::{self, GameRecord, PgnField, PgnTags, PlayerRecord};
use arbiter::statistics::{Decision, Sprt, Test};
use arbiter::tournament::InOrder;
use arbiter::tournament::result_lines::SprtState;
use arbiter::tournament::schedule::{Schedule, ScheduledGame};
use arbiter::tournament::standings::Standings;
use serde::{Deserialize, Serialize};

use super::end_positions::EndPositions;
use super::failures::Failures;
use super::history::History;
use super::starved::{self, Starved};
use crate::{console, files};

/// The most faults of engines that are listed.
const MOST_LISTED: usize = 20;

/// A finished game as the journal has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Played {
    /// The day on which it ended, as `2026.11.26`.
    pub(super) date: String,
    pub(super) record: GameRecord,
}

/// A game in which an engine failed.
struct Fault {
    game: u64,
    engine: String,
    reason: String,
}

/// The file with the session of an engine that failed in this game.
pub(super) fn session_file(game: u64) -> String {
    format!("game-{game}.txt")
}

/// The files that grow with the games.
pub(super) struct Files {
    pgn: File,
    pgn_path: PathBuf,
    fields: Vec<PgnField>,
    end_positions: Option<EndPositions>,
    faults_folder: PathBuf,
}

impl Files {
    /// The files of a match without games. With `anew` the PGN is that of this match, and is written again;
    /// otherwise none may be there. `option` names another.
    pub(super) fn create(
        [pgn_path, faults_folder]: [PathBuf; 2],
        fields: Vec<PgnField>,
        end_positions: Option<EndPositions>,
        anew: bool,
        option: &str,
    ) -> anyhow::Result<Self> {
        let pgn = files::begin(&pgn_path, anew, option)?;
        Ok(Self { pgn, pgn_path, fields, end_positions, faults_folder })
    }

    /// Writes a game.
    fn write(&mut self, game: &ScheduledGame, Played { date, record }: &Played) -> anyhow::Result<()> {
        let round = game.round.to_string();
        let tags = PgnTags { event: "Touchstone match", date, round: &round, ..PgnTags::default() };
        let text = game::pgn(record, &tags, &self.fields).with_context(|| format!("game {}", game.number))?;
        let written = self.pgn.write_all(text.as_bytes());
        written.with_context(|| format!("cannot write {}", self.pgn_path.display()))?;
        self.end_positions.as_mut().map_or(Ok(()), |file| file.add(record))
    }
}

/// The games so far.
pub(super) struct Ledger {
    pub(super) names: Vec<String>,
    pub(super) standings: Standings<&'static str>,
    order: InOrder<Played>,
    /// Whether a test that is decided, or an engine that does not play, ends it before its last game.
    pub(super) ends_early: bool,
    sprt: Option<Sprt>,
    /// What the test says of the first engine against the second one.
    pub(super) test: Option<Test>,
    pub(super) history: History,
    /// `None` if the match is only read.
    files: Option<Files>,
    /// The first games in which an engine failed.
    faults: Vec<Fault>,
    pub(super) starved: Starved,
    pub(super) failures: Failures,
}

impl Ledger {
    /// A match without games, of which these count in this order. Without files it is only read.
    pub(super) fn new(
        names: Vec<String>,
        schedule: Schedule,
        games: impl Iterator<Item = ScheduledGame> + 'static,
        sprt: Option<Sprt>,
        files: Option<Files>,
    ) -> Self {
        Self {
            failures: Failures::new(names.len()),
            names,
            standings: Standings::new(schedule),
            order: InOrder::new(games),
            ends_early: true,
            sprt,
            test: None,
            history: History::new(),
            files,
            faults: Vec::new(),
            starved: Starved::default(),
        }
    }

    /// Whether no more games count: the test is decided, an engine does not play, or all games are finished.
    pub(super) fn is_over(&self) -> bool {
        self.ends_early && self.is_decided() || self.hopeless().is_some() || self.order.next().is_none()
    }

    /// The test and what it says, if it has begun.
    pub(super) fn sprt_state(&self) -> Option<SprtState> {
        Some(SprtState { elo: self.sprt?.elo(), test: self.test? })
    }

    /// Whether this game of the match, or of its shard, has been counted.
    pub(super) fn counts(&self, number: u64) -> bool {
        self.order.next().is_none_or(|next| number < next.number)
    }

    /// In how many games an engine failed.
    pub(super) fn fault_count(&self) -> u64 {
        self.failures.total()
    }

    fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.decision != Decision::Continue)
    }

    /// The index of an engine that failed in each of its last games, if games are left.
    pub(super) fn hopeless(&self) -> Option<usize> {
        self.order.next()?;
        self.failures.hopeless().filter(|_| self.ends_early)
    }

    /// Adds a game. Calls `counted` with each game that counts now, and its line.
    pub(super) fn add(
        &mut self,
        number: u64,
        played: Played,
        counted: &mut dyn FnMut(&Self, &GameRecord, &str) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.order.insert(number, played);
        while !self.is_over()
            && let Some((game, played)) = self.order.pop()
        {
            let line = self.count(&game, &played)?;
            counted(self, &played.record, &line)?;
        }
        Ok(())
    }

    fn count(&mut self, game: &ScheduledGame, played: &Played) -> anyhow::Result<String> {
        let (number, record) = (game.number, &played.record);
        self.standings.add(number, record.result(), record.end.kind())?;
        if let Some(files) = &mut self.files {
            files.write(game, played)?;
        }
        self.note_fault(game, record)?;
        self.starved.add(record);
        if let Some(sprt) = &self.sprt
            && let Some(results) = self.standings.between(0, 1).and_then(|tally| tally.pair_results())
        {
            self.test = Some(sprt.test(&results)?);
        }
        self.history.add(record, &self.names[0], &self.standings, self.test.as_ref());
        let (white, black) = (&record.white.name, &record.black.name);
        let of = self.standings.schedule().games();
        let (result, end, mark) = (record.result(), &record.end, starved::mark(record));
        Ok(format!("game {number} of {of}: {white} - {black}  {result}  {end}{mark}"))
    }

    /// Keeps the session of an engine that failed. A late answer is no failure: the game is lost, and that is all.
    fn note_fault(&mut self, game: &ScheduledGame, record: &GameRecord) -> anyhow::Result<()> {
        self.failures.add(game, &record.end);
        let Some((PlayerRecord { name, .. }, fault)) = record.failed() else { return Ok(()) };
        let told = Fault { game: game.number, engine: name.clone(), reason: fault.reason.clone() };
        if let Some(files) = &self.files {
            files::write(&files.faults_folder.join(session_file(told.game)), fault.transcript.as_bytes())?;
        }
        if self.faults.len() < MOST_LISTED {
            self.faults.push(told);
        }
        Ok(())
    }

    /// Writes what is not on the disk yet.
    pub(super) fn finish(&mut self) -> anyhow::Result<()> {
        let Some(Files { pgn, pgn_path, end_positions, .. }) = &self.files else { return Ok(()) };
        pgn.sync_data().with_context(|| format!("cannot write {}", pgn_path.display()))?;
        end_positions.as_ref().map_or(Ok(()), EndPositions::finish)
    }

    /// Prints the faults of engines, whose sessions are in this folder.
    pub(super) fn print_faults(&self, folder: &Path) {
        for fault in &self.faults {
            let (Fault { game, engine, reason }, path) = (fault, folder.join(session_file(fault.game)));
            console::message(&format!(
                "error: game {game}: {engine}: {reason}; session in {}",
                path.display()
            ));
        }
        let more = self.fault_count() - self.faults.len() as u64;
        if more > 0 {
            console::message(&format!("error: and {more} more games with faults, in {}", folder.display()));
        }
    }
}
