//! The subject of a run if the command line names none: the engine of `touchstone.toml`, or, in a checkout of
//! Touchstone, its own engine and tables.

use anyhow::bail;

use super::args::VerifyArgs;
use super::engine_args::EngineArgs;
use super::external::{CONFIG_FILE, Config};
use crate::{console, program};

/// The engine that the arguments mean: the one that they name; that of the folder, if nothing else is named;
/// or none. Says what is verified if they name nothing.
pub(super) fn engine_of(args: &VerifyArgs) -> anyhow::Result<EngineArgs> {
    let is_named = args.names_tables() || args.subject.is_some() || args.program.engine.is_some();
    let needs_player = args.suite.is_empty() || args.suite.iter().any(|suite| suite.is_for_players());
    if is_named || args.shard.is_some() || !needs_player {
        return Ok(args.program.clone());
    }
    let config = Config::read(args.program.config.as_deref())?;
    let engines: Vec<&str> = config.names().collect();
    let say = |engine: &str| console::message(&format!("verifying {engine} of {CONFIG_FILE}"));
    match (&engines[..], config.built()) {
        ([engine], _) => {
            say(engine);
            Ok(EngineArgs { engine: Some((*engine).to_owned()), ..args.program.clone() })
        }
        ([], _) if program::is_in_workspace() && !args.names_positions() => {
            console::message("verifying Touchstone's own tables and engine");
            Ok(args.program.clone())
        }
        ([], Some(built)) if !program::is_in_workspace() => {
            say(built.engine.as_deref().unwrap_or_default());
            Ok(EngineArgs {
                engine: built.engine,
                args: if args.program.args.is_empty() { built.args } else { args.program.args.clone() },
                isolate: args.program.isolate || built.isolate,
                memory: args.program.memory.or(built.memory),
                env: built.env.into_iter().chain(args.program.env.clone()).collect(),
                option: built.option.into_iter().chain(args.program.option.clone()).collect(),
                ..args.program.clone()
            })
        }
        ([], _) if args.names_positions() => Ok(args.program.clone()),
        ([], _) => bail!(
            "which engine? name it with --engine ./mine, or write {CONFIG_FILE} with: {}; --subject engine verifies Touchstone's own",
            program::command("init ./mine")
        ),
        _ => bail!(
            "{CONFIG_FILE} names {} engines; choose one: --engine {}",
            engines.len(),
            engines.join(", --engine ")
        ),
    }
}
