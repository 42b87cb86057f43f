//! Our own engine as a program: this one, with the verb `engine`.

use std::io::ErrorKind;

use anyhow::Context;
use engine::program;
use engine::search::AlphaBeta;
use engine::search_api::Settings;
use uci::Program;

use crate::outcome::Exit;

/// Speaks UCI until `quit` or the end of input.
pub(crate) fn speak() -> anyhow::Result<Exit> {
    match program::run(Box::new(AlphaBeta::new(&Settings::default()))) {
        // The reader of the output has closed it.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(Exit::Agree),
    }
}

/// How it is started.
pub(crate) fn program() -> anyhow::Result<Program> {
    let path = std::env::current_exe().context("cannot find this program")?;
    let arguments = vec!["engine".into()];
    Ok(Program { name: arbiter::player::ENGINE.to_owned(), path, arguments, ..Program::default() })
}
