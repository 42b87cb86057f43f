//! The layers of the workspace: which crate may depend on which, and no circle of modules in any crate.
//!
//! Both are read from outside: the manifests as `cargo metadata` prints them, and the sources as `syn` parses
//! them.

mod crates;
mod modules;

use crates::Workspace;
use modules::Modules;

#[test]
fn crates_depend_on_those_that_the_table_allows() {
    let faults = crates::faults(&Workspace::read());
    assert!(faults.is_empty(), "dependencies that are not allowed:\n{}", faults.join("\n"));
}

#[test]
fn tests_use_the_dependencies_that_the_program_is_built_with() {
    let of_tests = crates::features(&["--workspace", "--edges", "normal,build,dev"]);
    for edges in [["--package", "touchstone-chess"].as_slice(), &["--workspace"]] {
        let of_program = crates::features(&[edges, &["--edges", "normal,build"]].concat());
        let twice: Vec<&String> = of_program.difference(&of_tests).collect();
        assert!(twice.is_empty(), "compiled once more for tests, see `hashbrown` in Cargo.toml: {twice:#?}");
    }
}

#[test]
fn no_crate_has_a_circle_of_modules() {
    let mut faults = Vec::new();
    for package in Workspace::read().packages {
        for root in package.roots() {
            let modules = Modules::read(&root).unwrap_or_else(|error| panic!("{error}"));
            faults.extend(modules.circles().iter().map(ToString::to_string));
        }
    }
    assert!(faults.is_empty(), "circles of modules:\n{}", faults.join("\n"));
}
