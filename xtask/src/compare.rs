//! `compare`: the differences between two engines.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context;
use reports::{CompareRow, Row, Run, to_bytes};
use suites::catalogue::{self, Severity};

use crate::matches::{Suites, VersionMatch};
use crate::outcome::{Event, Exit};
use crate::verify::{self, EngineArgs, Job, SuiteName};
use crate::{console, extent, files};

/// Run the same suites and checks on two UCI engines, and show the cases in which one is wrong and the other
/// is right.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone compare old/mine new/mine                what the new build broke, and what it fixed
  touchstone compare stockfish gnuchess --args-b=--uci --quick
  touchstone compare stable next --suite mates        two engines of touchstone.toml
  touchstone compare ./mine ./mine --option-b Threads=4   the same binary with two settings
  touchstone compare ./old ./new --quick --match=\"--each nodes=20000 --rounds 200\"     then a match, if nothing broke

The reports of each engine are in the folders a and b of --out, with compare.csv beside them.

Exit codes: 0 the second engine gets nothing wrong that the first gets right; 1 it does; 2 a check could not run on one of
the two, or the second is wrong where the first was not compared.")]
pub(crate) struct CompareArgs {
    /// A UCI engine: a file, a program in the PATH, or a name in touchstone.toml.
    a: String,
    /// Another UCI engine.
    b: String,
    /// An argument for the first engine, such as --args-a=--uci; one option for each argument.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    args_a: Vec<OsString>,
    /// An argument for the second engine.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    args_b: Vec<OsString>,
    /// A UCI option for the first engine, such as Hash=16; for a button only its name.
    #[arg(long, value_name = "NAME=VALUE", value_parser = verify::option)]
    option_a: Vec<(String, String)>,
    /// A UCI option for the second engine.
    #[arg(long, value_name = "NAME=VALUE", value_parser = verify::option)]
    option_b: Vec<(String, String)>,
    /// The file that names engines [default: touchstone.toml, if it exists].
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Suites to run on both: stalemates, mates, conversion, draws.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    suite: Vec<SuiteName>,
    /// Checks to run: ids such as process/crash, or families such as draw; see `explain`.
    #[arg(long, value_name = "IDS", value_delimiter = ',', conflicts_with = "suite", value_parser = verify::known_check)]
    check: Vec<String>,
    /// The folder for reports.
    #[arg(long, value_name = "DIR", default_value = "target/touchstone/compare")]
    out: PathBuf,
    /// Ask a smaller share of the cases: about a minute for each engine.
    #[arg(long)]
    quick: bool,
    /// Ask more cases, and longer searches.
    #[arg(long, conflicts_with = "quick")]
    thorough: bool,
    /// The most seconds that the run of each engine may take [default: 1800; 600 with --quick, none with
    /// --thorough]. The cases do not depend on it. If a run reaches it, the exit code is 2.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=verify::MOST_SECONDS))]
    time_limit: Option<u64>,
    /// After the suites, if the second engine broke nothing: let it play against the first one, see `match`. WORDS are
    /// arguments of match after the engines, which are called b and a; words before the first option are those of --sprt
    /// [default: elo0=-5 elo1=0 --each tc=8+0.08 --rounds 500]. If the test says H0 the exit code is 1. The files are in
    /// the folder match of --out. Engines that play alike need no match, and none is played.
    #[arg(long = "match", value_name = "WORDS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    versus: Option<String>,
    /// Threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// The most cases that are printed; the report has all.
const SHOWN: usize = 20;

impl CompareArgs {
    fn a(&self) -> Job {
        self.of("a", &self.a, &self.args_a, &self.option_a)
    }

    fn b(&self) -> Job {
        self.of("b", &self.b, &self.args_b, &self.option_b)
    }

    fn of(&self, folder: &str, engine: &str, args: &[OsString], option: &[(String, String)]) -> Job {
        let program = EngineArgs {
            engine: Some(engine.to_owned()),
            args: args.to_owned(),
            option: option.to_owned(),
            config: self.config.clone(),
            check: self.check.clone(),
            time_limit: self.time_limit,
            ..EngineArgs::default()
        };
        Job {
            suites: self.suite.clone(),
            out: self.out.join(folder),
            effort: extent::effort(self.quick, self.thorough),
            threads: self.jobs.map_or(0, usize::from),
            ..Job::of_engine(program)
        }
    }
}

/// Runs the engines one after the other, so that they do not compete for the processor.
pub(crate) fn run(args: &CompareArgs) -> anyhow::Result<Exit> {
    let [job_a, job_b] = [args.a(), args.b()];
    files::try_folder(&args.out)?;
    let read = |words: &String| VersionMatch::read(words, ["b", "a"], &args.out).context("--match");
    let versus = args.versus.as_ref().map(read).transpose()?;
    [&job_a, &job_b]
        .into_iter()
        .filter_map(|job| job.engine())
        .try_for_each(verify::try_start)
        .map_err(|error| verify::without_reports(error, &[&args.out, &job_a.out, &job_b.out]))?;
    let engines = job_b.engine().zip(job_a.engine()).map(|(b, a)| [b, a]);
    let versus = versus.zip(engines);
    if let Some((versus, engines)) = &versus {
        versus.try_start(*engines)?;
    }
    files::ignored_by_git(&args.out)?;
    let (a, of_a) = verify::run_silently(&job_a)?;
    let (b, of_b) = verify::run_silently(&job_b)?;
    let rows = reports::compare(&a, &b);
    files::write(&args.out.join(CompareRow::FILE), &to_bytes(rows.iter().cloned()))?;
    if let (Some(card_a), Some(card_b)) = (&a.engine, &b.engine) {
        console::data(reports::text::compare(card_a, card_b, &rows, SHOWN).as_bytes())?;
    }
    for (side, run) in [("a", &a), ("b", &b)] {
        let time = reports::text::time(run);
        if !time.is_empty() {
            console::data(format!("{side}  {time}").as_bytes())?;
        }
    }
    console::message(&format!("reports in {}", args.out.display()));
    let exit = exit_of(&rows, [(&a, of_a), (&b, of_b)]);
    let Some((versus, engines)) = versus else { return Ok(exit) };
    let suites = match exit {
        Exit::Differs => Suites::Broken,
        _ if rows.is_empty() => Suites::Alike,
        _ => Suites::Different,
    };
    Ok(exit.max(Exit::from_events([versus.play(engines, suites)?])))
}

/// The exit code of a comparison, from the rows and the exit code of each run.
fn exit_of(rows: &[CompareRow], runs: [(&Run, Exit); 2]) -> Exit {
    let grave: Vec<&CompareRow> =
        rows.iter().filter(|row| catalogue::severity(&row.check) == Severity::Error).collect();
    let worse = grave.iter().any(|row| row.is_worse());
    let open = grave.iter().any(|row| row.is_open());
    let incomplete = runs.into_iter().any(|(run, exit)| is_incomplete(run, exit));
    Exit::from_events([
        if worse { Event::Differs } else { Event::AllAgree },
        if open || incomplete { Event::CouldNotRun } else { Event::AllAgree },
    ])
}

/// Whether a check could not run. The exit code does not show that if something differs.
fn is_incomplete(run: &Run, exit: Exit) -> bool {
    exit == Exit::Incomplete
        || run.tallies().flat_map(Event::of_tally).any(|event| event == Event::CouldNotRun)
}

#[cfg(test)]
mod tests {
    use suites::{Difference, Evidence, SkipReason, Tally};

    use super::*;

    /// A run of one check with ten cases, of which some differ and some are skipped.
    fn run(differed: u64, skipped: u64, reason: SkipReason) -> Run {
        let mut tally = Tally::new("mine", "stalemate", Evidence::Agreement, "corner");
        tally.agreed = 10 - differed - skipped;
        if skipped > 0 {
            tally.skip(reason, skipped);
        }
        let mut run = Run::default();
        for number in 0..differed {
            tally.differ("stalemate/move");
            run.differences.push(Difference {
                subject: "mine".to_owned(),
                check: "stalemate/move".to_owned(),
                case: format!("corner/{number}"),
                stored: "a1a2".into(),
                ..Difference::default()
            });
        }
        run.checks.push(reports::CheckRun { tally, duration: None, optional: false });
        run
    }

    #[test]
    fn a_check_that_one_of_two_engines_could_not_run() {
        use SkipReason::{OutOfTime, Undecided, Unsupported};
        let ended = |run: &Run| Exit::from_events(run.tallies().flat_map(Event::of_tally));
        let check = |a: &Run, b: &Run, code| {
            let exit = exit_of(&reports::compare(a, b), [(a, ended(a)), (b, ended(b))]);
            assert_eq!(exit.code(), code, "{a:#?} {b:#?}");
        };
        let (right, wrong) = (run(0, 0, OutOfTime), run(1, 0, OutOfTime));
        check(&right, &right, 0);
        check(&right, &wrong, 1);
        check(&wrong, &right, 0);
        check(&wrong, &wrong, 0);
        for reason in [OutOfTime, Undecided] {
            let (nothing, part) = (run(0, 10, reason), run(0, 4, reason));
            check(&right, &nothing, 2);
            check(&nothing, &right, 2);
            // Some of the others may be wrong; the prover's limits are no fault of the run.
            let open = if reason == OutOfTime { 2 } else { 0 };
            check(&right, &part, open);
            check(&part, &right, open);
            // Whether the first engine gets these right is unknown.
            check(&nothing, &wrong, 2);
            check(&part, &wrong, 2);
            check(&wrong, &part, open);
            check(&right, &run(1, 4, reason), 1);
        }
        let does_not = run(0, 10, Unsupported);
        check(&right, &does_not, 0);
        check(&does_not, &right, 0);
        check(&wrong, &does_not, 0);
        check(&does_not, &wrong, 2);
    }
}
