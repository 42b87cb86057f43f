//! `play-script`: the player of `arbiter-test`, a UCI engine that plays a scripted game. It is not listed in the help.

use std::io;

use anyhow::Context;
use arbiter::scripted_games::ScriptedSession;
use suites::arbiter::embedded_case;

use crate::outcome::Exit;

/// Play a scripted game as a UCI engine, for `arbiter-test`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  touchstone arbiter-test --case checkmate/01 -- fastchess")]
pub(crate) struct PlayScriptArgs {
    /// The id of the game.
    id: String,
}

/// Plays until `quit`, the end of the input, or the end of the script's process.
pub(crate) fn run(args: &PlayScriptArgs) -> anyhow::Result<Exit> {
    let case = embedded_case(&args.id)?.with_context(|| format!("there is no scripted game {}", args.id))?;
    // A runner that was killed closes the pipes.
    let _ = ScriptedSession::new(&case).speak(io::stdin().lock(), io::stdout().lock());
    Ok(Exit::Agree)
}
