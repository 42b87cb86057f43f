//! The finished games of a match, counted in the order of their numbers: whatever finishes first, the standings,
//! the test and the PGN are those of games that are played one after the other.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context;
use arbiter::game::{self, GameRecord, PgnField, PgnTags, PlayerRecord};
use arbiter::statistics::{Decision, Sprt, Test};
use arbiter::tournament::InOrder;
use arbiter::tournament::result_lines::SprtState;
use arbiter::tournament::schedule::{Schedule, ScheduledGame};
use arbiter::tournament::standings::Standings;
use serde::{Deserialize, Serialize};

use super::end_positions::EndPositions;
use super::starved::{self, Starved};
use crate::{console, files};

/// The most faults of engines that are listed.
const MOST_LISTED: usize = 20;
/// An engine that fails in so many of its games, one after the other, does not play.
const HOPELESS: u32 = 5;

/// A finished game as the journal has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Played {
    /// The day on which it ended, as `2026.11.26`.
    pub(super) date: String,
    pub(super) record: GameRecord,
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
    pgn: File,
    pgn_path: PathBuf,
    fields: Vec<PgnField>,
    pub(super) end_positions: Option<EndPositions>,
    pub(super) faults_folder: PathBuf,
    /// A line for each game in which an engine failed, up to a bound.
    pub(super) faults: Vec<String>,
    pub(super) starved: Starved,
    /// In how many games each engine failed.
    pub(super) failed: Vec<u64>,
    /// In how many games each engine failed without one between that went well.
    failed_in_a_row: Vec<u32>,
}

impl Ledger {
    /// A match without games, of which these count in this order. With `anew` the PGN is that of this match,
    /// and is written again; otherwise none with games may be there.
    pub(super) fn new(
        names: Vec<String>,
        schedule: Schedule,
        games: impl Iterator<Item = ScheduledGame> + 'static,
        sprt: Option<Sprt>,
        [pgn_path, faults_folder]: [PathBuf; 2],
        fields: Vec<PgnField>,
        anew: bool,
    ) -> anyhow::Result<Self> {
        // A match that was killed before its journal was written leaves an empty file.
        let is_empty = fs::metadata(&pgn_path).is_ok_and(|file| file.is_file() && file.len() == 0);
        let pgn = files::begin(&pgn_path, anew || is_empty, "--pgnout")?;
        Ok(Self {
            end_positions: None,
            failed: vec![0; names.len()],
            failed_in_a_row: vec![0; names.len()],
            names,
            standings: Standings::new(schedule),
            order: InOrder::new(games),
            ends_early: true,
            sprt,
            test: None,
            pgn,
            pgn_path,
            fields,
            faults_folder,
            faults: Vec::new(),
            starved: Starved::default(),
        })
    }

    /// Whether no more games count: the test is decided, an engine does not play, or all games are finished.
    pub(super) fn is_over(&self) -> bool {
        let ends_early = self.ends_early && (self.is_decided() || self.hopeless().is_some());
        ends_early || self.order.next().is_none()
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
        self.failed.iter().sum()
    }

    fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.decision != Decision::Continue)
    }

    /// An engine that failed in each of its last games, if games are left.
    pub(super) fn hopeless(&self) -> Option<&str> {
        self.order.next()?;
        let index = self.failed_in_a_row.iter().position(|failed| *failed >= HOPELESS)?;
        Some(&self.names[index])
    }

    /// Adds a game. Calls `counted` with a line for each game that counts now.
    pub(super) fn add(
        &mut self,
        number: u64,
        played: Played,
        counted: &mut dyn FnMut(&Self, String) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.order.insert(number, played);
        while !self.is_over()
            && let Some((game, played)) = self.order.pop()
        {
            let line = self.count(&game, &played)?;
            counted(self, line)?;
        }
        Ok(())
    }

    fn count(&mut self, game: &ScheduledGame, played: &Played) -> anyhow::Result<String> {
        let Played { date, record } = played;
        let (number, round) = (game.number, game.round);
        self.standings.add(number, record.result(), record.end.kind())?;
        let round = round.to_string();
        let tags = PgnTags { event: "Touchstone match", date, round: &round, ..PgnTags::default() };
        let text = game::pgn(record, &tags, &self.fields).with_context(|| format!("game {number}"))?;
        let written = self.pgn.write_all(text.as_bytes());
        written.with_context(|| format!("cannot write {}", self.pgn_path.display()))?;
        if let Some(end_positions) = &mut self.end_positions {
            end_positions.add(record)?;
        }
        self.note_fault(game, record)?;
        self.starved.add(record);
        if let Some(sprt) = &self.sprt
            && let Some(results) = self.standings.between(0, 1).and_then(|tally| tally.pair_results())
        {
            self.test = Some(sprt.test(&results)?);
        }
        let (white, black) = (&record.white.name, &record.black.name);
        let of = self.standings.schedule().games();
        let (result, end, mark) = (record.result(), &record.end, starved::mark(record));
        Ok(format!("game {number} of {of}: {white} - {black}  {result}  {end}{mark}"))
    }

    /// Keeps the session of an engine that failed. A late answer is no failure: the game is lost, and that is all.
    fn note_fault(&mut self, game: &ScheduledGame, record: &GameRecord) -> anyhow::Result<()> {
        let (number, failed) = (game.number, record.failed());
        for (index, player) in [(game.white(), &record.white), (game.black(), &record.black)] {
            let has_failed = failed.is_some_and(|(one, _)| std::ptr::eq(one, player));
            self.failed[index] += u64::from(has_failed);
            self.failed_in_a_row[index] = if has_failed { self.failed_in_a_row[index] + 1 } else { 0 };
        }
        let Some((PlayerRecord { name, .. }, fault)) = failed else { return Ok(()) };
        let path = self.faults_folder.join(format!("game-{number}.txt"));
        files::write(&path, fault.transcript.as_bytes())?;
        if self.faults.len() < MOST_LISTED {
            self.faults.push(format!(
                "game {number}: {name}: {}; session in {}",
                fault.reason,
                path.display()
            ));
        }
        Ok(())
    }

    /// Writes what is not on the disk yet.
    pub(super) fn finish(&mut self) -> anyhow::Result<()> {
        self.pgn.sync_data().with_context(|| format!("cannot write {}", self.pgn_path.display()))?;
        self.end_positions.as_ref().map_or(Ok(()), EndPositions::finish)
    }

    /// Prints the faults of engines.
    pub(super) fn print_faults(&self) {
        for fault in &self.faults {
            console::message(&format!("error: {fault}"));
        }
        let more = self.fault_count() - self.faults.len() as u64;
        if more > 0 {
            console::message(&format!(
                "error: and {more} more games with faults, in {}",
                self.faults_folder.display()
            ));
        }
    }
}
