//! A change of one expression of our engine, and the group to which it belongs.

use serde::Deserialize;

/// A change of one expression, as `cargo mutants --list --json --diff` prints it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Mutant {
    /// File, line, column, and what is replaced in which function.
    pub(crate) name: String,
    pub(crate) file: String,
    /// None around a constant.
    pub(crate) function: Option<Function>,
    /// What is replaced.
    pub(crate) span: Span,
    pub(crate) replacement: String,
    /// Its first two lines name no file.
    diff: String,
}

/// A function, from its comments and attributes to its last brace.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Function {
    pub(crate) span: Span,
}

/// A part of a file. Its end is after the last character.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Span {
    pub(crate) start: Place,
    pub(crate) end: Place,
}

/// Both count from 1; columns count characters.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// The groups, and how the paths of their files begin; what no other group has belongs to the rules.
pub(crate) const GROUPS: [(&str, &[&str]); 5] = [
    ("tables", &["engine/src/tables/"]),
    ("text", &["engine/src/uci/", "engine/src/fen/", "engine/src/notation", "engine/src/program"]),
    ("search", &["engine/src/search", "engine/src/time_management", "engine/src/score", "engine/src/bench"]),
    ("evaluation", &["engine/src/eval/"]),
    ("rules", &["engine/src/"]),
];
/// The command line, programs that are wrong on purpose, and builders with which only tests compare the tables.
const LEFT_OUT: [&str; 8] = [
    "engine/src/main.rs",
    "engine/src/specimens/",
    "engine/src/tables/builders/alternating.rs",
    "engine/src/tables/builders/draft.rs",
    "engine/src/tables/builders/flawed.rs",
    "engine/src/tables/builders/linked.rs",
    "engine/src/tables/builders/retrograde.rs",
    "engine/src/tables/builders/successors.rs",
];

impl Mutant {
    /// Its group; `None` if it is left out.
    pub(crate) fn group(&self) -> Option<&'static str> {
        let is_of = |starts: &[&str]| starts.iter().any(|start| self.file.starts_with(start));
        if is_of(&LEFT_OUT) {
            return None;
        }
        GROUPS.iter().find(|(_, starts)| is_of(starts)).map(|&(name, _)| name)
    }

    /// The change as `git apply` takes it.
    pub(crate) fn patch(&self) -> String {
        let hunks: String = self.diff.split_inclusive('\n').skip(2).collect();
        format!("--- a/{0}\n+++ b/{0}\n{hunks}", self.file)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn mutant(file: &str, name: &str) -> Mutant {
        let diff = "--- engine/src/a.rs\n+++ replace < with <= in a\n@@ -1,1 +1,1 @@\n-a < b\n+a <= b\n";
        let place = Place { line: 1, column: 3 };
        Mutant {
            name: format!("{file}:{name}"),
            file: file.to_owned(),
            function: None,
            span: Span { start: place, end: place },
            replacement: "<=".to_owned(),
            diff: diff.to_owned(),
        }
    }

    #[test]
    fn each_file_belongs_to_a_group() {
        for (file, group) in [
            ("engine/src/tables/fold.rs", Some("tables")),
            ("engine/src/uci/go.rs", Some("text")),
            ("engine/src/movegen/mod.rs", Some("rules")),
            ("engine/src/search_api.rs", Some("search")),
            ("engine/src/specimens/mod.rs", None),
            ("engine/src/main.rs", None),
            ("engine/src/tables/builders/flawed.rs", None),
            ("engine/src/tables/builders/linked.rs", None),
        ] {
            assert_eq!(mutant(file, "").group(), group, "{file}");
        }
    }

    #[test]
    fn a_patch_names_the_file() {
        let patch = mutant("engine/src/a.rs", "").patch();
        assert_eq!(patch, "--- a/engine/src/a.rs\n+++ b/engine/src/a.rs\n@@ -1,1 +1,1 @@\n-a < b\n+a <= b\n");
    }
}
