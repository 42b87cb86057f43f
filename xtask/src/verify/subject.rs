//! What is verified if the command line names nothing: the engine of `touchstone.toml`; in a checkout of Touchstone its own engine and
//! tables.

use anyhow::bail;
use arbiter::player::ENGINE;
use suites::catalogue::Severity;

use super::external::{CONFIG_FILE, Config};
use super::{EngineArgs, VerifyArgs};
use crate::{console, program};

/// The arguments with the engine that they mean. Says what is verified if they name nothing.
pub(super) fn chosen(args: &VerifyArgs) -> anyhow::Result<VerifyArgs> {
    let args = engine_of_folder(args.clone())?;
    if args.program.engine.is_none()
        && let Some(option) = args.program.needs_engine()
    {
        bail!("{option} is about a UCI engine: name it with --engine ./mine");
    }
    let is_own = args.program.engine.is_none() && !names_tables(&args) && !names_positions(&args);
    // Our engine has promised what for others is a warning or a note.
    let fail_on = if is_own && args.player() == ENGINE { Severity::Note } else { args.fail_on };
    Ok(VerifyArgs { fail_on, ..args })
}

/// The same with the engine of the folder, if nothing else is named.
fn engine_of_folder(args: VerifyArgs) -> anyhow::Result<VerifyArgs> {
    let is_named = names_tables(&args) || args.subject.is_some() || args.program.engine.is_some();
    let needs_player = args.suite.is_empty() || args.suite.iter().any(|suite| suite.is_for_players());
    if is_named || args.shard.is_some() || !needs_player {
        return Ok(args);
    }
    let config = Config::read(args.program.config.as_deref())?;
    let engines: Vec<&str> = config.names().collect();
    let say = |engine: &str| console::message(&format!("verifying {engine} of {CONFIG_FILE}"));
    match (&engines[..], config.built()) {
        ([engine], _) => {
            say(engine);
            let program = EngineArgs { engine: Some((*engine).to_owned()), ..args.program.clone() };
            Ok(VerifyArgs { program, ..args })
        }
        ([], _) if program::is_in_workspace() && !names_positions(&args) => {
            console::message("verifying Touchstone's own tables and engine");
            Ok(args)
        }
        ([], Some(built)) if !program::is_in_workspace() => {
            say(built.engine.as_deref().unwrap_or_default());
            let program = EngineArgs {
                engine: built.engine,
                args: if args.program.args.is_empty() { built.args } else { args.program.args.clone() },
                env: built.env.into_iter().chain(args.program.env.clone()).collect(),
                option: built.option.into_iter().chain(args.program.option.clone()).collect(),
                ..args.program.clone()
            };
            Ok(VerifyArgs { program, ..args })
        }
        ([], _) if names_positions(&args) => Ok(args),
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

/// Whether tables are named, which need no engine.
fn names_tables(args: &VerifyArgs) -> bool {
    !args.tables.is_empty() || args.men.is_some() || args.builder.is_some() || args.dump.is_some()
}

/// Whether suites or files are named. They have positions for any player; without another one ours is asked.
fn names_positions(args: &VerifyArgs) -> bool {
    !args.suite.is_empty() || !args.epd.is_empty()
}
