//! What a match prints while it is played: a line for each game or a live table, or the lines of another
//! program.
//!
//! The lines of other programs follow them: a game has its lines when it begins and when it ends, in the
//! order in which that happens. Scores and standings count games in the order of their numbers, as everywhere
//! here.

use std::cell::Cell;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use arbiter::game::GameRecord;
use arbiter::game_tables::GameTables;
use arbiter::judge;
use arbiter::tournament::result_lines::{self, Conditions, MatchView, OutputStyle};
use arbiter::tournament::schedule::ScheduledGame;

use super::args::{MatchArgs, Output};
use super::contestant::Contestant;
use super::ledger::Ledger;
use super::{live, standings};
use crate::console;
use crate::progress::Progress;

/// The output of a match.
pub(super) struct Screen<'a> {
    foreign: Option<Foreign>,
    progress: Progress,
    /// How many games the match, or its shard, has.
    games: u64,
    /// How many of them it had when this run began.
    before: Cell<u64>,
    /// When it began to play.
    begun: Cell<Instant>,
    tables: &'a GameTables,
    /// What has been found in the games that count. On a terminal alone: the end of the match judges them all.
    findings: Cell<usize>,
}

/// The lines of another program.
pub(super) struct Foreign {
    style: OutputStyle,
    conditions: Conditions,
    /// After how many pairs (fastchess) or games (cutechess) the standings are printed; 0 is never.
    interval: u64,
    /// Whether they were printed after the last game.
    is_reported: Cell<bool>,
}

impl<'a> Screen<'a> {
    /// The output of a match of this many games, which are held against these tables. `None` prints our own lines.
    pub(super) fn new(foreign: Option<Foreign>, games: u64, tables: &'a GameTables) -> Self {
        let progress = Progress::with_table(games);
        Self {
            foreign,
            progress,
            games,
            before: Cell::new(0),
            begun: Cell::new(Instant::now()),
            tables,
            findings: Cell::new(0),
        }
    }

    /// A game of an earlier run counts.
    pub(super) fn known(&self, record: &GameRecord) -> anyhow::Result<()> {
        self.progress.advance(1);
        self.judge(record)
    }

    /// Play begins.
    pub(super) fn begun(&self, ledger: &Ledger) {
        self.before.set(ledger.standings.games());
        self.begun.set(Instant::now());
        self.progress.say(&live::table(ledger, self.games, 0, self.findings.get(), Duration::ZERO));
    }

    /// Prints a line beside the data.
    pub(super) fn note(&self, line: &str) {
        self.progress.note(line);
    }

    fn judge(&self, record: &GameRecord) -> anyhow::Result<()> {
        if self.progress.is_shown() {
            let judgement = judge::judge_record(record, &|position| self.tables.probe(position))?;
            self.findings.set(self.findings.get() + judgement.findings.len());
        }
        Ok(())
    }

    /// A game begins.
    pub(super) fn started(&self, game: &ScheduledGame, ledger: &Ledger) -> anyhow::Result<()> {
        if self.foreign.is_none() {
            return Ok(());
        }
        let games = ledger.standings.schedule().games();
        self.progress.lines(&result_lines::started(game, games, &ledger.names))
    }

    /// A game has ended.
    pub(super) fn finished(
        &self,
        game: &ScheduledGame,
        record: &GameRecord,
        ledger: &Ledger,
    ) -> anyhow::Result<()> {
        let Some(Foreign { style, .. }) = &self.foreign else { return Ok(()) };
        let reason = style.reason(record);
        self.progress.lines(&result_lines::finished(game, &ledger.names, record.result(), &reason))
    }

    /// A game counts, and has this line.
    pub(super) fn counted(&self, ledger: &Ledger, record: &GameRecord, line: &str) -> anyhow::Result<()> {
        self.progress.advance(1);
        self.judge(record)?;
        if self.progress.is_shown() {
            let games = ledger.standings.games() - self.before.get();
            let (findings, elapsed) = (self.findings.get(), self.begun.get().elapsed());
            self.progress.say(&live::table(ledger, self.games, games, findings, elapsed));
        }
        match &self.foreign {
            Some(foreign) => self.progress.lines(&foreign.after_game(ledger)),
            // The table has it all, and lines would push it about.
            None if self.progress.is_shown() && stdout().is_terminal() => Ok(()),
            None => self.progress.line(line),
        }
    }

    /// Whether the lines are those of another program.
    pub(super) fn is_foreign(&self) -> bool {
        self.foreign.is_some()
    }

    /// The match is over, or cannot go on.
    pub(super) fn end(self, ledger: &Ledger, is_over: bool) -> anyhow::Result<()> {
        drop(self.progress);
        let Some(foreign) = self.foreign else { return standings::print(ledger) };
        let mut text = String::new();
        if !foreign.is_reported.get() {
            text += &foreign.style.interval(&foreign.view(ledger));
        }
        if is_over {
            text += &foreign.style.end(ledger.sprt_state());
        }
        console::data(text.as_bytes())
    }
}

/// The lines that the arguments ask for; `None` are ours.
///
/// # Errors
/// If an option has no use with them.
pub(super) fn lines(args: &MatchArgs, contestants: &[Contestant]) -> anyhow::Result<Option<Foreign>> {
    let (style, usual) = match args.output {
        Output::Touchstone if args.ratinginterval.is_some() => {
            bail!("--ratinginterval is for the lines of other programs: add --output fastchess or cutechess")
        }
        Output::Touchstone => return Ok(None),
        Output::Fastchess => (OutputStyle::Fastchess, 10),
        Output::Cutechess => (OutputStyle::Cutechess, 0),
    };
    let interval = args.ratinginterval.unwrap_or(usual);
    let conditions = conditions(args, contestants);
    Ok(Some(Foreign { style, conditions, interval, is_reported: Cell::new(false) }))
}

/// What the first two engines play with.
fn conditions(args: &MatchArgs, contestants: &[Contestant]) -> Conditions {
    let [one, other, ..] = contestants else { return Conditions::default() };
    let book = Path::new(&args.openings).file_name();
    Conditions {
        time_control: [one, other].map(|engine| engine.control.summary()),
        threads: [one, other].map(|engine| engine.threads),
        hash: [one, other].map(|engine| engine.hash),
        book: book.map(|name| name.to_string_lossy().into_owned()),
    }
}

impl Foreign {
    fn view<'a>(&'a self, ledger: &'a Ledger) -> MatchView<'a, &'static str> {
        MatchView {
            names: &ledger.names,
            standings: &ledger.standings,
            conditions: &self.conditions,
            sprt: ledger.sprt_state(),
        }
    }

    fn after_game(&self, ledger: &Ledger) -> String {
        let view = self.view(ledger);
        let (games, pairs) = (ledger.standings.games(), ledger.standings.complete_pairs());
        let is_due = self.interval > 0
            && match self.style {
                OutputStyle::Fastchess => games == 2 * pairs && pairs.is_multiple_of(self.interval),
                OutputStyle::Cutechess => games.is_multiple_of(self.interval),
            };
        self.is_reported.set(is_due);
        let report = if is_due { self.style.interval(&view) } else { String::new() };
        self.style.after_game(&view) + &report
    }
}
