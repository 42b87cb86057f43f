//! The verbs, as clap reads them.

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::audit_eval::AuditEvalArgs;
use crate::bench::BenchArgs;
use crate::ci::CiArgs;
use crate::compare::CompareArgs;
use crate::explain::ExplainArgs;
use crate::field_test::FieldTestArgs;
use crate::outcome::Exit;
use crate::perft::PerftArgs;
use crate::prove::ProveArgs;
use crate::tables::TablesCommand;
use crate::verify::VerifyArgs;
use crate::{audit_eval, bench, ci, compare, console, explain, field_test, perft, prove, tables, verify};

/// Says which claims of a chess engine or an endgame table are true, proves it, and hands over the reproduction.
#[derive(Debug, Parser)]
#[command(name = "touchstone", version, propagate_version = true)]
#[command(after_help = "In the workspace every verb is also `cargo xtask VERB`.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Verify(Box<VerifyArgs>),
    Compare(Box<CompareArgs>),
    Explain(ExplainArgs),
    #[command(subcommand)]
    Tables(TablesCommand),
    Perft(PerftArgs),
    Prove(ProveArgs),
    AuditEval(AuditEvalArgs),
    Bench(BenchArgs),
    FieldTest(FieldTestArgs),
    Ci(CiArgs),
    /// Print completions for a shell.
    #[command(after_help = "Example:\n  touchstone completions bash > /etc/bash_completion.d/touchstone")]
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// Does what is asked.
pub(crate) fn run(cli: Cli) -> anyhow::Result<Exit> {
    match cli.verb {
        Verb::Verify(args) => verify::run(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::FieldTest(args) => field_test::run(&args),
        Verb::Tables(command) => tables::run(command),
        Verb::Perft(args) => perft::run(&args),
        Verb::Prove(args) => prove::run(&args),
        Verb::AuditEval(args) => audit_eval::run(&args),
        Verb::Bench(args) => bench::run(&args),
        Verb::Ci(args) => ci::run(&args),
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
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
