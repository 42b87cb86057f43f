//! `arbiter-test`: a match runner plays scripted games, and each must end as it has to.

mod command;
mod outcome;
mod start;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, bail};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use suites::arbiter::{ArbiterCase, Policy, embedded};

use crate::outcome::{Event, Exit};
use crate::suggest::did_you_mean;
use crate::{console, files};
use command::Runner;
use outcome::{Outcome, OutcomeRow, Verdict};

/// Hold a match runner against the rules: it plays scripted games, and each must end as it has to.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone arbiter-test -- fastchess
  touchstone arbiter-test --policy fide -- fastchess           by the Laws of Chess, also where fastchess has rules of its own
  touchstone arbiter-test --case resign,time/31 -- cutechess-cli
  touchstone arbiter-test -- touchstone                        our own runner, `match`
  touchstone arbiter-test -- ./mine -e1 {player} -a1 {script} -e2 {player} -a2 {script} -book {book} -pgn {pgn}

After -- stands the runner. Touchstone knows the options of fastchess, cutechess-cli and touchstone; further words are handed on. Any other
runner needs all its words: {player} is the engine, {script} its two arguments as one word, {book} a PGN file with the opening, {epd} a file
with the first position for runners that read no games, and {pgn} the file for the games. It plays the games that need no settings of the match.

Both engines are this program: it plays the moves of a script, and prints what the script has. The folder of --out gets arbiter.csv.

A game that is over before its first move may be refused. Without --tb other runners have no tables, and such games are not supported: the line
of each class counts them.

Exit codes: 0 all games that were played ended as they have to; 1 a game ended otherwise; 2 a game or all games were not played, or a wrong argument.")]
pub(crate) struct ArbiterTestArgs {
    /// Whose rules the runner has: fide, uscf, lichess, chesscom, fastchess or cutechess [default: those of the runner, or fide].
    #[arg(long, value_name = "POLICY")]
    policy: Option<Policy>,
    /// Ids or classes of games, such as time/31 or resign [default: all].
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    case: Vec<String>,
    /// The folder of Syzygy tables for adjudication, of three men and no more [default: our own tables for touchstone; with others such games are not played].
    #[arg(long, value_name = "DIR")]
    tb: Option<PathBuf>,
    /// Games at the same time. Late answers are timed, so that a busy machine needs a smaller number.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// The most seconds that the runner may take for a game.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: u64,
    /// The folder for the report.
    #[arg(long, value_name = "DIR", default_value = "target/touchstone/arbiter-test")]
    out: PathBuf,
    /// The runner, and further words for it.
    #[arg(last = true, required = true, value_name = "RUNNER")]
    runner: Vec<String>,
}

/// Plays the games, writes the report, and prints what is wrong.
pub(crate) fn run(args: &ArbiterTestArgs) -> anyhow::Result<Exit> {
    let cases = asked(&args.case, embedded()?)?;
    let runner = Runner::new(args)?;
    files::try_folder(&args.out)?;
    files::ignored_by_git(&args.out)?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(args.concurrency.into())
        .build()
        .context("cannot start threads")?;
    let played = AtomicU64::new(0);
    let outcomes: Vec<Outcome<'_>> = pool.install(|| {
        let play = |case| {
            let outcome = start::play(case, &runner)?;
            let number = played.fetch_add(1, Ordering::Relaxed) + 1;
            if number.is_multiple_of(50) {
                console::message(&format!("{number} of {} games", cases.len()));
            }
            Ok(outcome)
        };
        cases.par_iter().map(play).collect::<anyhow::Result<_>>()
    })?;
    let rows = outcomes.iter().map(|outcome| outcome.row(runner.policy));
    let path = args.out.join(<OutcomeRow as reports::Row>::FILE);
    files::write(&path, &reports::to_bytes(rows))?;
    outcome::lines(&outcomes, &runner).iter().try_for_each(|line| console::line(line))?;
    console::message(&format!("report in {}", path.display()));
    // Whoever refuses or lacks all that is asked has shown nothing.
    let nothing =
        outcomes.iter().all(|outcome| matches!(outcome.verdict, Verdict::Refused | Verdict::NotSupported(_)));
    let events = outcomes.iter().map(|outcome| match outcome.verdict {
        Verdict::Right => Event::AllAgree,
        Verdict::Wrong(_) => Event::Differs,
        Verdict::NotPlayed(_) => Event::CouldNotRun,
        Verdict::Refused | Verdict::NotSupported(_) if nothing => Event::CouldNotRun,
        Verdict::Refused | Verdict::NotSupported(_) => Event::Unsupported,
    });
    Ok(Exit::from_events(events))
}

/// The cases that were asked for.
fn asked(names: &[String], cases: Vec<ArbiterCase>) -> anyhow::Result<Vec<ArbiterCase>> {
    let is_meant = |case: &ArbiterCase, name: &String| *name == case.id || name == case.class();
    if let Some(name) = names.iter().find(|name| !cases.iter().any(|case| is_meant(case, name))) {
        let known = cases.iter().flat_map(|case| [case.class(), case.id.as_str()]);
        bail!("--case {name}: there is no such game, and no class of games{}", did_you_mean(name, known));
    }
    let is_asked = |case: &ArbiterCase| names.is_empty() || names.iter().any(|name| is_meant(case, name));
    Ok(cases.into_iter().filter(is_asked).collect())
}
