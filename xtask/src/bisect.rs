//! `bisect`: the revision that broke a check, by `git bisect` in a clone.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::bail;
use reports::{CompareRow, CompareVerdict, Run, causes, changes};
use suites::{Difference, SkipReason};

use crate::git::{Bisection, Checkout, Repository, Revision};
use crate::outcome::{Event, Exit};
use crate::regress::build::{self, BuildFailure, Which};
use crate::regress::{self, Questions, Version, result};
use crate::verify::{self, Build};
use crate::{console, extent, files};

/// Find the revision that broke a check.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone bisect --check draw/score v1.0..HEAD          the first revision with a finding of draw/score
  touchstone bisect --check movegen v1.0                   any finding of a family; up to HEAD
  touchstone bisect --check mate/unsound --case castling/01 v1.0..v1.1

Revisions are built as by regress, in a clone in the cache; the repository is only read. A revision that does not build is skipped.
bisect.log in --out has what was asked, as `git bisect replay` reads it.

Exit codes: 0 the revision was found; 2 it was not.")]
pub(crate) struct BisectArgs {
    /// A revision without the finding, and one with it [default of the second: HEAD].
    #[arg(value_name = "GOOD[..BAD]")]
    range: String,
    /// The check, or a family of checks.
    #[arg(long, value_name = "ID", value_parser = verify::known_check)]
    check: String,
    /// Only a finding in this case counts.
    #[arg(long, value_name = "CASE")]
    case: Option<String>,
    /// An argument for the engine, such as --args=--uci; one option for each argument.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    args: Vec<OsString>,
    /// A UCI option to set, such as Hash=16; for a button only its name.
    #[arg(long, value_name = "NAME=VALUE", value_parser = verify::option)]
    option: Vec<(String, String)>,
    /// The file that says how a revision is built [default: touchstone.toml at the root of the repository, if
    /// it exists].
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder for the logs.
    #[arg(long, value_name = "DIR", default_value = "target/touchstone/bisect")]
    out: PathBuf,
    /// Ask a smaller share of the cases of each revision.
    #[arg(long)]
    quick: bool,
    /// The most seconds for each revision [default: 1800; 600 with --quick]. One that takes longer is
    /// skipped.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=verify::MOST_SECONDS))]
    time_limit: Option<u64>,
}

/// The log of what was asked.
const LOG: &str = "bisect.log";

/// Searches for the revision and prints it.
pub(crate) fn run(args: &BisectArgs) -> anyhow::Result<Exit> {
    files::try_folder(&args.out)?;
    let repository = Repository::here()?;
    let (good, bad) = args.range.split_once("..").unwrap_or((&args.range, "HEAD"));
    let good = repository.revision(good)?;
    let bad = repository.revision(if bad.is_empty() { "HEAD" } else { bad })?;
    std::fs::create_dir_all(&args.out)?;
    let how = regress::how_to_build(&repository, args.config.as_deref())?;
    let checkout = repository
        .checkout("bisect", || console::message("waiting for another bisect of this repository"))?;
    let mut search = Search { args, how: &how, checkout: &checkout, bad: Run::default() };
    let shown = match search.test(&bad)? {
        Test::Bad(found, run) => {
            search.bad = *run;
            found
        }
        Test::Good => bail!("{} has no finding of {}{}", bad.label, args.check, search.of_case()),
        Test::Skip(why) => bail!("{why:#}\nname another revision that is bad"),
    };
    match search.test(&good)? {
        Test::Good => {}
        Test::Bad(found, _) => bail!("{} has the finding too: {}; name an older one", good.label, found.case),
        Test::Skip(why) => bail!("{why:#}\nname another revision that is good"),
    }
    let found = search.run(&good, &bad, shown)?;
    let log = args.out.join(LOG);
    files::write(&log, checkout.bisect_log()?.as_bytes())?;
    console::data(text(&found).as_bytes())?;
    console::message(&format!("log in {}", log.display()));
    Ok(Exit::from_events([match found {
        (Bisection::Found(_), _) => Event::AllAgree,
        _ => Event::CouldNotRun,
    }]))
}

/// How a revision did.
enum Test {
    Good,
    /// The finding, and the run.
    Bad(Box<Difference>, Box<Run>),
    /// It cannot be tested.
    Skip(anyhow::Error),
}

struct Search<'a> {
    args: &'a BisectArgs,
    how: &'a Build,
    checkout: &'a Checkout,
    /// The run of the revision that is known to be bad.
    bad: Run,
}

impl Search<'_> {
    /// Bisects. Returns where it ended, with the finding of the last bad revision.
    fn run(
        &self,
        good: &Revision,
        bad: &Revision,
        mut shown: Box<Difference>,
    ) -> anyhow::Result<(Bisection, Box<Difference>)> {
        let mut state = self.checkout.bisect(good, bad)?;
        while let Bisection::Next(revision) = &state {
            let mark = match self.test(revision)? {
                Test::Good => "good",
                Test::Bad(found, _) => {
                    shown = found;
                    "bad"
                }
                Test::Skip(_) => "skip",
            };
            state = self.checkout.bisect_mark(revision, mark)?;
        }
        Ok((state, shown))
    }

    /// Builds a revision and asks it.
    fn test(&self, revision: &Revision) -> anyhow::Result<Test> {
        let log = self.args.out.join("build.log");
        let built = match build::known_or_build(self.checkout, revision, self.how, &log, Which::First) {
            Err(error) if error.is::<BuildFailure>() => {
                console::message(&format!("skip  {}: it does not build", revision.label));
                return Ok(Test::Skip(error));
            }
            built => built?,
        };
        let version = Version::of_build(revision, &built, self.how, &self.args.args, &self.args.option);
        let asked = Questions::of_check(
            &self.args.check,
            extent::effort(self.args.quick, false),
            self.args.time_limit,
        );
        let test = match result(&version, &asked).map(|(run, _)| run) {
            Ok(run) => self.judge(run),
            Err(error) => Test::Skip(error),
        };
        let how = match &test {
            Test::Good => "good ".to_owned(),
            Test::Bad(..) => "bad  ".to_owned(),
            Test::Skip(_) => "skip ".to_owned(),
        };
        let why = match &test {
            Test::Skip(why) => format!(": {why:#}"),
            _ => String::new(),
        };
        console::message(&format!("{how} {}{why}", revision.label));
        Ok(test)
    }

    /// Bad, if the run has the finding. A run that did not ask all cases is good only if it is right in a
    /// case that the bad revision gets wrong.
    fn judge(&self, run: Run) -> Test {
        let counts = |found: &&Difference| {
            let is_check = found.check == self.args.check || verify::family(&found.check) == self.args.check;
            is_check && self.args.case.as_ref().is_none_or(|case| found.case == *case)
        };
        let found = causes(run.differences.iter().filter(counts)).first().map(|group| group.first.clone());
        if let Some(found) = found {
            return Test::Bad(Box::new(found), Box::new(run));
        }
        let family = verify::family(&self.args.check);
        let counts = |tally: &&suites::Tally| {
            [self.args.check.as_str(), family].contains(&tally.check.as_str())
                || family == self.args.check && verify::family(&tally.check) == family
        };
        let is_open = |tally: &suites::Tally| {
            [SkipReason::OutOfTime, SkipReason::GivenUp]
                .iter()
                .any(|reason| tally.skipped.contains_key(reason))
        };
        let tallies: Vec<&suites::Tally> = run.tallies().filter(counts).collect();
        if tallies.iter().any(|tally| tally.answered() > 0) && !tallies.iter().any(|tally| is_open(tally)) {
            return Test::Good;
        }
        let is_mended = |row: &CompareRow| {
            let is_asked = self.args.case.as_ref().is_none_or(|case| row.case == *case);
            row.verdict == CompareVerdict::Fixed
                && is_asked
                && (row.check == self.args.check || verify::family(&row.check) == self.args.check)
        };
        if changes(&self.bad, &run).iter().any(is_mended) {
            return Test::Good;
        }
        Test::Skip(anyhow::anyhow!(
            "not all cases of {} were answered: out of time, given up, failed elsewhere, or not supported",
            self.args.check
        ))
    }

    fn of_case(&self) -> String {
        self.args.case.as_ref().map(|case| format!(" in the case {case}")).unwrap_or_default()
    }
}

fn text((state, shown): &(Bisection, Box<Difference>)) -> String {
    let mut text = match state {
        Bisection::Found(revision) => format!("first bad: {}\n{}\n", revision.label, revision.commit),
        Bisection::Among(revisions) => {
            let labels: Vec<&str> = revisions.iter().map(|revision| revision.label.as_str()).collect();
            format!(
                "the first bad one is among these, of which only the last could be tested:\n  {}\n",
                labels.join("\n  ")
            )
        }
        Bisection::Next(_) => String::new(),
    };
    let Difference { check, case, fen, stored, expected, replay, .. } = &**shown;
    let (got, expected) = (&stored.to_string(), &expected.to_string());
    for (name, value) in
        [("check", check), ("case", case), ("position", fen), ("got", got), ("expected", expected)]
    {
        if !value.is_empty() {
            let _ = writeln!(text, "  {name:<8}  {value}");
        }
    }
    let _ = writeln!(text, "  {replay}");
    text
}
