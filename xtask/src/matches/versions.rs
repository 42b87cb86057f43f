//! `--match` of `regress` and `compare`: a match of a new version of an engine against the old one.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use arbiter::speed::searched_alike;
use arbiter::statistics::Decision;
use clap::parser::ValueSource;
use clap::{Args, Command, FromArgMatches};
use uci::{Program, Timeouts};

use super::plan::{Plan, adjudication, book};
use super::{MatchArgs, between, try_out};
use crate::outcome::Event;
use crate::verify::{self, EngineArgs};
use crate::{console, sprt};

/// The limit of each search, if the words name none.
const EACH: [&str; 1] = ["tc=8+0.08"];
/// The test, if the words name none: the new version is not weaker.
const TEST: [&str; 2] = ["elo0=-5", "elo1=0"];
/// The most rounds, if the words do not name them.
const ROUNDS: &str = "500";
/// The folder of the match in the folder of the reports.
const FOLDER: &str = "match";

/// A match of a new version against the old one.
pub(crate) struct VersionMatch {
    args: MatchArgs,
}

/// What the suites found before the match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suites {
    /// The new version is worse, so that no match is played.
    Broken,
    /// Both are the same program.
    OneProgram,
    /// The versions answer all cases alike.
    Alike,
    /// The versions answer some cases differently.
    Different,
}

impl VersionMatch {
    /// The match that these words describe: arguments of `match` after the engines, of which words before the first
    /// option are those of `--sprt`. The engines have these names, the new version first.
    ///
    /// # Errors
    /// If `match` refuses a word, a file that they name cannot be read, or the folder holds a match already.
    pub(crate) fn read(words: &str, names: [&str; 2], out: &Path) -> anyhow::Result<Self> {
        let words = shlex::split(words).with_context(|| format!("{words:?} has a quote without its end"))?;
        let is_test = words.first().is_some_and(|word| !word.starts_with('-'));
        let command = MatchArgs::augment_args(Command::new("match").disable_help_flag(true))
            .mut_arg("engines", |arg| arg.num_args(1..))
            .mut_arg("each", |arg| arg.default_values(EACH))
            .mut_arg("sprt", |arg| arg.default_values(TEST))
            .mut_arg("rounds", |arg| arg.default_value(ROUNDS));
        let all = ["match"].into_iter().chain(names).chain(is_test.then_some("--sprt"));
        let matches = command.try_get_matches_from(all.map(str::to_owned).chain(words)).map_err(|error| {
            let text = error.to_string();
            anyhow!("{}", text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned())
        })?;
        let mut args = MatchArgs::from_arg_matches(&matches)?;
        if let Some(other) = args.engines.get(2) {
            bail!("{other:?} is no word of an option of match");
        }
        if matches.value_source("out") != Some(ValueSource::CommandLine) {
            args.out = out.join(FOLDER);
        }
        sprt::parse(&args.sprt)?;
        adjudication(&args)?;
        book(&args)?;
        try_out(&args)?;
        Ok(Self { args })
    }

    /// Starts both engines once, so that words that are wrong show before the suites. The first engine is
    /// the new version.
    pub(crate) fn try_start(&self, engines: [&EngineArgs; 2]) -> anyhow::Result<()> {
        Plan::new(&self.args, &self.named(engines)).map(drop).context("--match")
    }

    /// How both are started, with their names in the match.
    fn named(&self, engines: [&EngineArgs; 2]) -> Vec<EngineArgs> {
        let names = self.args.engines.iter().cloned().map(Some);
        names.zip(engines).map(|(name, engine)| EngineArgs { name, ..engine.clone() }).collect()
    }

    /// Plays the match if the versions may differ in strength, and prints what it shows. The first engine is the new
    /// version.
    pub(crate) fn play(&self, engines: [&EngineArgs; 2], suites: Suites) -> anyhow::Result<Event> {
        // Words for one engine make two that are the same program differ.
        let suites =
            if self.args.of.is_empty() || suites == Suites::Broken { suites } else { Suites::Different };
        if let Some(why) = needless(engines, suites)? {
            console::line(&format!("no match: {why}"))?;
            return Ok(Event::AllAgree);
        }
        let end = between(&self.args, &self.named(engines))?;
        let test = self.args.sprt.join(" ");
        let [worst, best] = sprt::parse(&self.args.sprt)?.elo();
        let (what, event) = match end.decision {
            Some(Decision::H0) if worst < 0.0 => ("says H0: a regression".to_owned(), Event::Broken),
            Some(Decision::H0) => (format!("says H0: no gain of {best} Elo"), Event::AllAgree),
            Some(Decision::H1) => ("says H1: no regression".to_owned(), Event::AllAgree),
            _ => ("is undecided: no regression is shown".to_owned(), Event::AllAgree),
        };
        console::line(&format!("match: after {} games the test {test} {what}", end.games))?;
        if end.failed[0] > 0 {
            return Ok(Event::Broken);
        }
        end.check_engines()?;
        Ok(event)
    }
}

/// Why no match is needed.
fn needless(engines: [&EngineArgs; 2], suites: Suites) -> anyhow::Result<Option<String>> {
    Ok(match suites {
        Suites::Broken => Some("the new version is worse already".to_owned()),
        Suites::OneProgram => Some("both versions are the same program".to_owned()),
        Suites::Alike => {
            let program = |engine: &EngineArgs| {
                verify::find_program(engine.engine.as_deref().unwrap_or_default(), engine)
            };
            let [new, old]: [Program; 2] = [program(engines[0])?, program(engines[1])?];
            // Engines that cannot be compared so may differ.
            let depth = searched_alike([&old, &new], Timeouts::default()).ok().flatten();
            depth.map(|depth| {
                format!(
                    "both versions search the same nodes to depth {depth} in positions of the opening, and answer all \
                     cases alike; what acts only deeper, or on a clock, is seen by `match` alone"
                )
            })
        }
        Suites::Different => None,
    })
}
