//! What the judges saw of each mutant, and the reports.

use std::fmt::{self, Write as _};

use crate::mutants::Mutant;
use crate::workshop::NAMES;

/// Whether a judge sees a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sight {
    Passed,
    /// Its exit code, and the checks that have findings.
    Seen {
        code: i32,
        checks: Vec<String>,
    },
    /// It did not end within five times the usual time: a user sees that.
    OutOfTime,
}

impl fmt::Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Passed => f.write_str("passes"),
            Self::Seen { code, checks } if checks.is_empty() => write!(f, "ends with {code}"),
            Self::Seen { code, checks } => write!(f, "ends with {code} ({})", checks.join(" ")),
            Self::OutOfTime => f.write_str("does not end"),
        }
    }
}

/// What became of a mutant.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub(crate) tests: Sight,
    pub(crate) verify: Sight,
    pub(crate) engine: Sight,
}

impl Judged {
    /// The judges by name.
    pub(crate) fn sights(&self) -> [(&'static str, &Sight); 3] {
        let [tests, verify, engine] = NAMES;
        [(tests, &self.tests), (verify, &self.verify), (engine, &self.engine)]
    }

    /// Whether a run of `verify` sees it.
    pub(crate) fn by_product(&self) -> bool {
        self.verify != Sight::Passed || self.engine != Sight::Passed
    }
}

/// A row a mutant.
pub(crate) fn csv(judged: &[(&Mutant, Judged)]) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["group", "mutant", "tests", "verify", "engine", "replay"])?;
    for (mutant, judged) in judged {
        let [tests, verify, engine] = judged.sights().map(|(_, sight)| sight.to_string());
        let group = mutant.group().unwrap_or_default();
        writer.write_record([group, &mutant.name, &tests, &verify, &engine, &replay(mutant)])?;
    }
    Ok(writer.into_inner()?)
}

fn replay(mutant: &Mutant) -> String {
    format!("cargo xtask faults mutants --only '{}'", mutant.name.replace('\'', r"'\''"))
}

/// A page of the book.
pub(crate) fn markdown(
    judged: &[(&Mutant, Judged)],
    unviable: usize,
    seed: u64,
    only: Option<&str>,
) -> String {
    let mut text = "# Mutants of our engine\n\n".to_owned();
    let how = only.map_or_else(
        || format!("cargo xtask faults mutants --seed {seed}"),
        |only| format!("cargo xtask faults mutants --only '{only}'"),
    );
    _ = writeln!(
        text,
        "`{how}` wrote this page. [How Touchstone is tested](tested.md#mutants) says what counts. Of the drawn mutants \
         {unviable} do not compile.\n"
    );
    text.push_str("| group | mutants | seen by tests | by `verify` | by `verify --engine --quick` | by one of the two | by none |\n");
    text.push_str("|---|--:|--:|--:|--:|--:|--:|\n");
    for group in judged.chunk_by(|(one, _), (other, _)| one.group() == other.group()) {
        let count = |sees: &dyn Fn(&Judged) -> bool| group.iter().filter(|(_, judged)| sees(judged)).count();
        _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            group[0].0.group().unwrap_or_default(),
            group.len(),
            count(&|judged| judged.tests != Sight::Passed),
            count(&|judged| judged.verify != Sight::Passed),
            count(&|judged| judged.engine != Sight::Passed),
            count(&Judged::by_product),
            count(&|judged| !judged.by_product() && judged.tests == Sight::Passed),
        );
    }
    let missed: Vec<&(&Mutant, Judged)> = judged.iter().filter(|(_, judged)| !judged.by_product()).collect();
    if !missed.is_empty() {
        text.push_str("\nNo run of `verify` sees these:\n\n");
    }
    for (mutant, judged) in missed {
        let tests = if judged.tests == Sight::Passed { "no test does either" } else { "a test does" };
        _ = writeln!(text, "* `{}`; {tests}", mutant.name);
    }
    text
}
