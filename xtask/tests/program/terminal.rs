//! What a run looks like on a terminal, which `script` of util-linux provides: colours, and tables that fit.

use std::process::Command;

use crate::players::hostile;
use crate::sandbox::{Ended, Sandbox};

/// Three findings of two causes, in two checks that no line can hold with all that is to be said of them.
const RUN: &str =
    "verify --engine mine --out out --jobs 1 --check protocol/id-author,protocol/id-name,protocol/debug";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let args = "args = [\"--said\", \"id author the tests=>id author\", \"--heard\", \"debug off=>crash\"]";
    sandbox.write("touchstone.toml", format!("[engine.mine]\npath = \"{}\"\n{args}\n", hostile()));
    sandbox
}

/// What the run prints on a terminal of 80 columns.
fn on_a_terminal(sandbox: &Sandbox, more: &str, variables: &[(&str, &str)]) -> String {
    let line =
        format!("stty cols 80 rows 24; '{}' {RUN} {more} 2>/dev/null", env!("CARGO_BIN_EXE_touchstone"));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(sandbox.path("")).env("TERM", "xterm");
    script.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
    Ended::of(&mut script).stdout.replace("\r\n", "\n")
}

fn without_colors(text: &str) -> String {
    let mut plain = String::new();
    for (index, part) in text.split("\u{1b}[").enumerate() {
        plain.push_str(if index == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    plain
}

#[test]
fn tables_fit_and_the_summary_is_last() {
    let sandbox = sandbox();
    let colored = on_a_terminal(&sandbox, "", &[]);
    assert!(colored.contains("\u{1b}[31m"), "{colored}");
    let text = without_colors(&colored);
    let parts: Vec<&str> = text.split("\n\n").collect();
    let table = text.lines().skip_while(|line| *line != "mine").take_while(|line| !line.is_empty());
    assert!(table.clone().count() > 3 && table.clone().all(|line| line.chars().count() <= 80), "{text}");
    // A line for each cause, then the counts, then the verdict.
    let last = parts.last().unwrap();
    assert!(last.starts_with("mine: "), "{text}");
    let found = parts[parts.len() - 3];
    assert!(found.lines().any(|line| line.contains("protocol/id-author")), "{text}");
    assert!(found.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn colours_are_asked_for_and_refused() {
    let sandbox = sandbox();
    let check = |more: &str, variables: &[(&str, &str)], expected: bool| {
        let text = on_a_terminal(&sandbox, more, variables);
        assert_eq!(text.contains('\u{1b}'), expected, "{more} {variables:?} {text}");
    };
    check("--color never", &[], false);
    check("--color auto", &[("NO_COLOR", "1")], false);
    check("--color always", &[("NO_COLOR", "1")], true);
    // Where it is no terminal, nothing is colored or shortened unless it is asked for.
    let piped = |more: &[&str], variables: &[(&str, &str)]| {
        let mut program = sandbox.program();
        program.args(RUN.split(' ')).args(more).env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        Ended::of(&mut program).stdout
    };
    let plain = piped(&[], &[]);
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let colored = piped(&["--color", "always"], &[]);
    assert!(colored.contains('\u{1b}'), "{colored}");
    let timeless =
        |text: &str| text.split(' ').filter(|word| word.parse::<f64>().is_err()).collect::<Vec<_>>().concat();
    assert_eq!(timeless(&without_colors(&colored)), timeless(&plain));
    assert!(piped(&[], &[("CLICOLOR_FORCE", "1")]).contains('\u{1b}'));
}
