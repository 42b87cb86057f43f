//! The command line: the verbs and their arguments.

use std::path::PathBuf;

use clap::{ColorChoice, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use crate::arbiter_test::ArbiterTestArgs;
use crate::audit_eval::AuditEvalArgs;
use crate::bench::BenchArgs;
use crate::bisect::BisectArgs;
use crate::cache::CacheCommand;
use crate::ci::CiArgs;
use crate::compare::CompareArgs;
use crate::explain::ExplainArgs;
use crate::faults::FaultsArgs;
use crate::field_test::FieldTestArgs;
use crate::init::InitArgs;
use crate::judge::JudgeArgs;
use crate::matches::MatchArgs;
use crate::merge::MergeArgs;
use crate::outcome::Exit;
use crate::perft::PerftArgs;
use crate::play_script::PlayScriptArgs;
use crate::prove::ProveArgs;
use crate::regress::RegressArgs;
use crate::report::ReportArgs;
use crate::schema::SchemaArgs;
use crate::sprt::SprtArgs;
use crate::tables::TablesCommand;
use crate::verify::VerifyArgs;
use crate::{
    arbiter_test, audit_eval, bench, bisect, cache, ci, compare, console, explain, faults, field_test, init,
    judge, man, matches, merge, own_engine, perft, play_script, program, prove, regress, report, schema,
    sprt, tables, verify,
};

/// Checks the claims of chess engines and endgame tables, proves each verdict, and prints the command that
/// reproduces it.
#[derive(Debug, Parser)]
#[command(name = "touchstone", version, propagate_version = true)]
#[command(after_help = "In the workspace `cargo xtask` runs the same program.")]
pub(crate) struct Cli {
    /// When to print colours: auto prints them on a terminal, and obeys `NO_COLOR` and `CLICOLOR_FORCE`.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Verify(Box<VerifyArgs>),
    Regress(Box<RegressArgs>),
    Bisect(BisectArgs),
    Compare(Box<CompareArgs>),
    Match(Box<MatchArgs>),
    Judge(JudgeArgs),
    ArbiterTest(ArbiterTestArgs),
    #[command(hide = true)]
    PlayScript(PlayScriptArgs),
    Merge(MergeArgs),
    Init(InitArgs),
    Report(ReportArgs),
    Explain(ExplainArgs),
    #[command(subcommand)]
    Tables(TablesCommand),
    Perft(PerftArgs),
    Prove(ProveArgs),
    Sprt(SprtArgs),
    AuditEval(AuditEvalArgs),
    Bench(BenchArgs),
    Faults(FaultsArgs),
    FieldTest(FieldTestArgs),
    #[command(subcommand)]
    Cache(CacheCommand),
    /// Run Touchstone's own engine, which speaks UCI on standard input and output.
    #[command(after_help = "Example:\n  touchstone verify --engine touchstone --args=engine")]
    Engine,
    Schema(SchemaArgs),
    Ci(CiArgs),
    /// Print completions for a shell.
    #[command(after_help = "Example:\n  touchstone completions bash > /etc/bash_completion.d/touchstone")]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write pages for `man`, one for each verb.
    #[command(after_help = "Example:\n  touchstone man ~/.local/share/man/man1")]
    Man {
        /// The folder.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// What to do next, printed if there is no verb.
const NEXT: &str = "\
Touchstone checks the claims of chess engines and endgame tables.

  cargo xtask verify --engine ./mine    what a UCI engine gets wrong, in a few minutes
  cargo xtask regress                   what your change did to the engine of this repository
  cargo xtask init ./mine               write touchstone.toml: how the engine is started, built and judged
  cargo xtask --help                    all commands
";

/// Parses the command line. The examples in the help call the program as the user called it.
pub(crate) fn read() -> Cli {
    let matches = with_examples(Cli::command(), &program::examples).get_matches();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// A verb and its subcommands, with examples that can be typed as printed.
fn with_examples(verb: Command, typed: &dyn Fn(&str) -> String) -> Command {
    let examples = verb.get_after_help().map(|text| typed(&text.to_string()));
    let verb = match examples {
        Some(examples) => verb.after_help(examples),
        None => verb,
    };
    let names: Vec<String> = verb.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    names.into_iter().fold(verb, |verb, name| verb.mut_subcommand(name, |verb| with_examples(verb, typed)))
}

/// Runs a verb.
pub(crate) fn run(cli: Cli) -> anyhow::Result<Exit> {
    console::set_color(cli.color);
    let Some(verb) = cli.verb else {
        console::data(program::examples(NEXT).as_bytes())?;
        return Ok(Exit::Agree);
    };
    match verb {
        Verb::Verify(args) => verify::run(&args),
        Verb::Regress(args) => regress::run(&args),
        Verb::Bisect(args) => bisect::run(&args),
        Verb::Init(args) => init::run(&args),
        Verb::Engine => own_engine::speak(),
        Verb::Schema(args) => schema::run(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Match(args) => matches::run(&args),
        Verb::Judge(args) => judge::run(&args),
        Verb::ArbiterTest(args) => arbiter_test::run(&args),
        Verb::PlayScript(args) => play_script::run(&args),
        Verb::Merge(args) => merge::run(&args),
        Verb::Report(args) => report::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::FieldTest(args) => field_test::run(&args),
        Verb::Tables(command) => tables::run(command),
        Verb::Perft(args) => perft::run(&args),
        Verb::Prove(args) => prove::run(&args),
        Verb::Sprt(args) => sprt::run(&args),
        Verb::AuditEval(args) => audit_eval::run(&args),
        Verb::Bench(args) => bench::run(&args),
        Verb::Faults(args) => faults::run(&args),
        Verb::Cache(command) => cache::run(&command),
        Verb::Ci(args) => ci::run(&args),
        Verb::Man { folder } => man::run(with_examples(Cli::command(), &program::installed), &folder),
        Verb::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "touchstone", &mut script);
            console::data(&script)?;
            Ok(Exit::Agree)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_valid() {
        Cli::command().debug_assert();
    }
}
