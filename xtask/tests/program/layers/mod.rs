//! The layers of the workspace: which crate may depend on which, and no circle of modules in any crate.
//!
//! Both are read from outside: the manifests as `cargo metadata` prints them, and the sources as `syn` parses them.

mod crates;
mod modules;

use crates::Workspace;
use modules::Modules;

/// Circles that are still there: the crate, the parent module, and the modules of the circle.
const KNOWN: [(&str, &str, &[&str]); 8] = [
    ("engine", "", &["movegen", "state"]),
    ("engine", "search", &["node", "quiescence"]),
    ("oracle", "", &["authorities", "checks"]),
    ("oracle", "dump", &["columns", "row"]),
    ("oracle", "knowledge", &["tallies", "walk"]),
    ("oracle", "prover", &["proof_numbers", "search"]),
    ("arbiter", "mates", &["faults", "judge"]),
    ("arbiter", "protocol", &["check", "context", "rules", "session"]),
];

#[test]
fn crates_depend_on_those_that_the_table_allows() {
    let faults = crates::faults(&Workspace::read());
    assert!(faults.is_empty(), "dependencies that are not allowed:\n{}", faults.join("\n"));
}

#[test]
fn no_crate_has_a_circle_of_modules() {
    let mut faults = Vec::new();
    for package in Workspace::read().packages {
        for root in package.roots() {
            let modules = Modules::read(&root).unwrap_or_else(|error| panic!("{error}"));
            let circles = modules.circles().into_iter().filter(|circle| {
                let is_known = |(name, parent, names): &(&str, &str, &[&str])| {
                    package.name == *name
                        && circle.parent == *parent
                        && circle.names.iter().all(|name| names.contains(&name.as_str()))
                };
                !KNOWN.iter().any(is_known)
            });
            faults.extend(circles.map(|circle| circle.to_string()));
        }
    }
    assert!(faults.is_empty(), "circles of modules:\n{}", faults.join("\n"));
}
