//! `compare`: what one engine does that another does not.

use std::ffi::OsString;
use std::path::PathBuf;

use reports::{CompareRow, Row, Run, to_bytes};
use suites::catalogue::{self, Severity};

use crate::outcome::{Event, Exit};
use crate::verify::{self, EngineArgs, SuiteName, VerifyArgs};
use crate::{console, files};

/// Put the same suites and checks to two UCI engines, and tell what each does that the other does not.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone compare old/mine new/mine                what the new build broke, and what it mended
  touchstone compare stockfish gnuchess --args-b=--uci --quick
  touchstone compare stable next --suite mates        two engines of touchstone.toml

The reports of each stand in the folders a and b of --out, compare.csv beside them.

Exit codes: 0 nothing is wrong with the second that is right with the first; 1 something is; 2 not all could be compared.")]
pub(crate) struct CompareArgs {
    /// A UCI engine: a file, a program that the shell would find, or a name of touchstone.toml.
    a: String,
    /// Another.
    b: String,
    /// An argument for the first, such as --args-a=--uci; one for each word.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    args_a: Vec<OsString>,
    /// An argument for the second.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    args_b: Vec<OsString>,
    /// Where engines have names [default: touchstone.toml, if it is there].
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Suites to put to both: stalemates, mates, conversion, draws.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    suite: Vec<SuiteName>,
    /// Checks to run, each an id such as process/crash or a family such as draw; see `explain`.
    #[arg(long, value_name = "IDS", value_delimiter = ',', conflicts_with = "suite", value_parser = verify::known_check)]
    check: Vec<String>,
    /// Where the reports go.
    #[arg(long, value_name = "DIR", default_value = "target/touchstone/compare")]
    out: PathBuf,
    /// A few seconds for each.
    #[arg(long)]
    quick: bool,
    /// As long as it takes.
    #[arg(long, conflicts_with = "quick")]
    thorough: bool,
    /// Seconds after which nothing more is asked of each [default: 120; 20 with --quick, none with --thorough].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time_limit: Option<u64>,
    /// Threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// Cases that are printed; all stand in the report.
const SHOWN: usize = 20;

impl CompareArgs {
    fn of(&self, engine: &str, args: &[OsString], folder: &str) -> VerifyArgs {
        let program = EngineArgs {
            engine: Some(engine.to_owned()),
            args: args.to_owned(),
            config: self.config.clone(),
            check: self.check.clone(),
            time_limit: self.time_limit,
            ..EngineArgs::default()
        };
        VerifyArgs {
            suite: self.suite.clone(),
            out: self.out.join(folder),
            quick: self.quick,
            thorough: self.thorough,
            jobs: self.jobs,
            ..VerifyArgs::of_engine(program)
        }
    }
}

/// Runs both, one after the other, so that neither takes time from the other.
pub(crate) fn run(args: &CompareArgs) -> anyhow::Result<Exit> {
    let [a, b] = [args.of(&args.a, &args.args_a, "a"), args.of(&args.b, &args.args_b, "b")];
    [&a, &b].into_iter().try_for_each(|engine| verify::try_start(&engine.program))?;
    let (a, of_a) = verify::run_silently(&a)?;
    let (b, of_b) = verify::run_silently(&b)?;
    let rows = reports::compare(&a, &b);
    files::write(&args.out.join(CompareRow::FILE), &to_bytes(rows.iter().cloned()))?;
    if let (Some(card_a), Some(card_b)) = (&a.engine, &b.engine) {
        console::data(reports::text::compare(card_a, card_b, &rows, SHOWN).as_bytes())?;
    }
    console::message(&format!("reports in {}", args.out.display()));
    let worse = rows.iter().any(|row| row.is_worse() && catalogue::severity(&row.check) == Severity::Error);
    let incomplete = [(&a, of_a), (&b, of_b)].into_iter().any(|(run, exit)| is_incomplete(run, exit));
    Ok(Exit::of([
        if worse { Event::Differs } else { Event::AllAgree },
        if incomplete { Event::CouldNotRun } else { Event::AllAgree },
    ]))
}

/// Whether a check could not run; where something differs the exit code does not tell.
fn is_incomplete(run: &Run, exit: Exit) -> bool {
    exit == Exit::Incomplete
        || run.tallies().flat_map(Event::of_tally).any(|event| event == Event::CouldNotRun)
}
