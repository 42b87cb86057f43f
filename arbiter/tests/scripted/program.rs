//! A UCI engine for tests: plays a game of the suite `arbiter`, `scripted ID`.

use std::io::{self, Write};
use std::process::ExitCode;

use arbiter::scripted_games::ScriptedSession;

fn main() -> ExitCode {
    let id = std::env::args().nth(1).unwrap_or_default();
    let Ok(Some(case)) = suites::arbiter::embedded_case(&id) else {
        let _ = writeln!(io::stderr(), "there is no game {id}");
        return ExitCode::from(2);
    };
    match ScriptedSession::new(&case).speak(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
