//! The dependencies of each crate, against a table of what is allowed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

/// What a crate may depend on, development dependencies included: crates of the workspace, and crates that
/// know chess. Nothing depends on a crate that is in no list. Crates of the workspace have the names of their
/// folders here.
struct Layer {
    name: &'static str,
    ours: &'static [&'static str],
    chess: &'static [&'static str],
}

const LAYERS: [Layer; 10] = [
    Layer { name: "suites", ours: &[], chess: &[] },
    Layer { name: "engine", ours: &[], chess: &[] },
    Layer { name: "uci", ours: &[], chess: &[] },
    Layer { name: "reports", ours: &["suites"], chess: &[] },
    Layer {
        name: "oracle",
        ours: &["engine", "suites"],
        chess: &["gaviota-sys", "prophet-sys", "shakmaty", "shakmaty-syzygy"],
    },
    Layer { name: "arbiter", ours: &["engine", "oracle", "suites", "uci"], chess: &["shakmaty"] },
    Layer { name: "xtask", ours: &["arbiter", "engine", "oracle", "reports", "suites", "uci"], chess: &[] },
    Layer {
        name: "bench",
        ours: &["arbiter", "engine", "oracle", "reports", "suites", "uci"],
        chess: &["cozy-chess", "shakmaty"],
    },
    Layer {
        name: "fuzz",
        ours: &["arbiter", "engine", "oracle", "reports", "suites", "uci"],
        chess: &["shakmaty"],
    },
    // It sees of the program what a user sees.
    Layer { name: "faults", ours: &[], chess: &[] },
];

/// Parts of the names of crates that know chess.
const CHESS: [&str; 9] =
    ["chess", "gaviota", "pgn", "pleco", "prophet", "pyrrhic", "shakmaty", "syzygy", "tablebase"];

/// The crates of the workspace.
#[derive(Deserialize)]
pub(super) struct Workspace {
    pub(super) packages: Vec<Package>,
}

/// A crate, as its manifest describes it.
#[derive(Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
}

#[derive(Deserialize)]
struct Target {
    src_path: PathBuf,
}

impl Workspace {
    /// What cargo says of this workspace.
    pub(super) fn read() -> Self {
        let mut command = Command::new(env!("CARGO"));
        command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
        let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Self::parse(&output.stdout)
    }

    fn parse(metadata: &[u8]) -> Self {
        let mut workspace: Self = serde_json::from_slice(metadata).unwrap();
        for Package { name, dependencies, .. } in &mut workspace.packages {
            for name in dependencies.iter_mut().map(|used| &mut used.name).chain([name]) {
                *name = folder(name).to_owned();
            }
        }
        workspace
    }
}

/// A line for each package that cargo compiles with these arguments of `cargo tree`: name, version and
/// features.
pub(super) fn features(arguments: &[&str]) -> BTreeSet<String> {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["tree", "--offline", "--prefix", "none", "--no-dedupe", "--format", "{p} {f}"])
        .args(arguments);
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The folder of a crate of the workspace: `touchstone-engine` is in `engine`, and `touchstone-chess` in
/// `xtask`.
fn folder(name: &str) -> &str {
    if name == "touchstone-chess" { "xtask" } else { name.strip_prefix("touchstone-").unwrap_or(name) }
}

impl Package {
    /// The files with which its library and its programs begin, tests and examples left out.
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        let sources = self.manifest_path.parent().unwrap_or(Path::new("")).join("src");
        let paths = self.targets.iter().map(|target| target.src_path.clone());
        paths.filter(|path| path.parent() == Some(&sources)).collect()
    }
}

/// A sentence for each dependency that the table does not allow.
pub(super) fn faults(workspace: &Workspace) -> Vec<String> {
    let is_ours = |name: &str| workspace.packages.iter().any(|package| package.name == name);
    let mut faults = Vec::new();
    for Package { name, dependencies, .. } in &workspace.packages {
        let Some(layer) = LAYERS.iter().find(|layer| layer.name == name) else {
            faults.push(format!("{name} is not in the table of layers"));
            continue;
        };
        for Dependency { name: used } in dependencies {
            let knows_chess = CHESS.iter().any(|part| used.contains(part));
            let allowed = if is_ours(used) { layer.ours } else { layer.chess };
            if (is_ours(used) || knows_chess) && !allowed.contains(&used.as_str()) {
                faults.push(format!("{name} -> {used}"));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A workspace of these crates, each with its dependencies.
    fn check(packages: &[(&str, &[&str])], expected: &[&str]) {
        let packages = packages.iter().map(|(name, dependencies)| Package {
            name: (*name).to_owned(),
            manifest_path: PathBuf::new(),
            dependencies: dependencies.iter().map(|name| Dependency { name: (*name).to_owned() }).collect(),
            targets: Vec::new(),
        });
        assert_eq!(faults(&Workspace { packages: packages.collect() }), expected);
    }

    #[test]
    fn a_planted_dependency_is_named() {
        check(&[("engine", &["rayon", "sha2"]), ("xtask", &["engine", "clap"])], &[]);
        check(&[("engine", &["rayon", "shakmaty"])], &["engine -> shakmaty"]);
        check(&[("engine", &["chess"])], &["engine -> chess"]);
        check(&[("uci", &["engine"]), ("engine", &[])], &["uci -> engine"]);
        check(
            &[("xtask", &["bench", "cozy-chess"]), ("bench", &[])],
            &["xtask -> bench", "xtask -> cozy-chess"],
        );
        check(&[("arbiter", &["shakmaty", "shakmaty-syzygy"])], &["arbiter -> shakmaty-syzygy"]);
        check(&[("matches", &[])], &["matches is not in the table of layers"]);
    }

    #[test]
    fn development_dependencies_count() {
        let metadata =
            br#"{"packages": [{"name": "touchstone-engine", "manifest_path": "engine/Cargo.toml", "targets": [],
            "dependencies": [{"name": "shakmaty", "kind": "dev"}, {"name": "tempfile", "kind": "dev"}]}]}"#;
        assert_eq!(faults(&Workspace::parse(metadata)), ["engine -> shakmaty"]);
    }

    #[test]
    fn every_crate_of_the_table_is_read_with_its_sources() {
        let workspace = Workspace::read();
        for Layer { name, .. } in LAYERS {
            let package = workspace.packages.iter().find(|package| package.name == name);
            assert!(package.is_some_and(|package| !package.roots().is_empty()), "{name}");
        }
    }
}
