//! How this program was started, so that the commands it hands over can be typed as they stand.
//!
//! The oracle writes them as they are typed in the workspace; whoever installed the program has no cargo there.

use suites::Difference;

/// What is typed in the workspace, and what beside an installed program.
const NAMES: [(&str, &str); 3] = [
    ("cargo xtask ", "touchstone "),
    ("cargo build --release --quiet --package engine && ", ""),
    ("| target/release/engine", "| engine"),
];

/// A difference whose replay can be typed.
pub(crate) fn with_command(difference: Difference) -> Difference {
    Difference { replay: command(difference.replay), ..difference }
}

/// A command of the workspace as the user of this very program types it.
pub(crate) fn command(text: String) -> String {
    if is_run_by_cargo() { text } else { installed(&text) }
}

/// Whether `cargo run` or `cargo test` of this package started the program: cargo then tells the name of the package in an
/// environment variable.
pub(crate) fn is_run_by_cargo() -> bool {
    std::env::var_os("CARGO_PKG_NAME").is_some_and(|name| name == env!("CARGO_PKG_NAME"))
}

fn installed(text: &str) -> String {
    NAMES.iter().fold(text.to_owned(), |text, (workspace, installed)| text.replace(workspace, installed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_program_is_called_by_its_name() {
        let check = |text, expected: &str| assert_eq!(installed(text), expected);
        check("cargo xtask tables probe \"8/8 w\"", "touchstone tables probe \"8/8 w\"");
        check("cargo xtask verify --tables KPvK", "touchstone verify --tables KPvK");
        check(
            "cargo build --release --quiet --package engine && (sleep 3) | target/release/engine",
            "(sleep 3) | engine",
        );
        check("cargo xtask-full verify", "cargo xtask-full verify");
        // The program of the user stays where it is.
        let theirs = "(echo quit) | /home/me/target/release/engine --uci";
        check(theirs, theirs);
    }

    #[test]
    fn tests_are_started_by_cargo() {
        assert_eq!(command("cargo xtask verify".to_owned()), "cargo xtask verify");
    }
}
