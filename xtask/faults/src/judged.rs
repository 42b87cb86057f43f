//! What the judges saw of each mutant, and the reports.

use std::fmt::{self, Write as _};

use crate::mutant::Mutant;
use crate::product::{CRASHED, Ended, KILLED};

/// The judges, by what a message calls them.
pub(crate) const NAMES: [&str; 3] = ["tests", "verify", "verify --engine --quick"];

/// Whether a judge sees a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sight {
    Passed,
    /// A test fails, or these checks have findings.
    Seen(Vec<String>),
    /// It crashes.
    Crashed,
    /// It could not do all; the last line of its message.
    Refused(String),
    /// It did not end within five times the usual time: a user sees that.
    OutOfTime,
}

impl Sight {
    /// What a judge saw, if these checks have findings. Findings that did not come again do not count.
    pub(crate) fn of(ended: &Ended, checks: Vec<String>) -> Self {
        match ended.code {
            0 => Self::Passed,
            KILLED => Self::OutOfTime,
            // The tests end with 101, and have no checks.
            CRASHED if ended.stdout.contains("test result: FAILED") => Self::Seen(checks),
            CRASHED => Self::Crashed,
            1 if checks.is_empty() => Self::Passed,
            1 => Self::Seen(checks),
            _ if !checks.is_empty() => Self::Seen(checks),
            _ => Self::Refused(ended.stderr.lines().last().unwrap_or_default().to_owned()),
        }
    }
}

impl fmt::Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Passed => f.write_str("passes"),
            Self::Seen(checks) if checks.is_empty() => f.write_str("fails"),
            Self::Seen(checks) => write!(f, "fails ({})", checks.join(" ")),
            Self::Crashed => f.write_str("crashes"),
            Self::Refused(message) => write!(f, "ends with 2 ({message})"),
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

/// What became of a mutant: `None` if it does not compile, an error if it could not be judged.
pub(crate) type Done = anyhow::Result<Option<Judged>>;

impl Judged {
    /// The judges by name.
    pub(crate) fn sights(&self) -> [(&'static str, &Sight); 3] {
        let [tests, verify, engine] = NAMES;
        [(tests, &self.tests), (verify, &self.verify), (engine, &self.engine)]
    }

    /// Whether it is seen by a crash or by time alone.
    pub(crate) fn may_be_of_its_build(&self) -> bool {
        let has = |is: fn(&Sight) -> bool| self.sights().iter().any(|(_, sight)| is(sight));
        has(|sight| matches!(sight, Sight::Crashed | Sight::OutOfTime))
            && !has(|sight| matches!(sight, Sight::Seen(_) | Sight::Refused(_)))
    }

    /// Whether a run of `verify` sees it.
    pub(crate) fn by_product(&self) -> bool {
        self.verify != Sight::Passed || self.engine != Sight::Passed
    }
}

/// What a run showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The program sees all changes of rules, tables and texts.
    AllSeen,
    Missed,
    /// One could not be judged, or none compiles.
    Incomplete,
}

pub(crate) fn verdict(all: &[(&Mutant, Done)]) -> Verdict {
    let judged = judged(all);
    // What a search or an evaluation may do is not fixed: their shares are only told.
    let is_fixed = |mutant: &Mutant| !matches!(mutant.group(), Some("search" | "evaluation"));
    if judged.is_empty() || all.iter().any(|(_, done)| done.is_err()) {
        Verdict::Incomplete
    } else if judged.iter().any(|(mutant, judged)| is_fixed(mutant) && !judged.by_product()) {
        Verdict::Missed
    } else {
        Verdict::AllSeen
    }
}

fn judged<'a>(all: &'a [(&Mutant, Done)]) -> Vec<(&'a Mutant, &'a Judged)> {
    all.iter().filter_map(|(mutant, done)| Some((*mutant, done.as_ref().ok()?.as_ref()?))).collect()
}

/// A row a mutant.
pub(crate) fn csv(all: &[(&Mutant, Done)]) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["group", "mutant", "tests", "verify", "engine", "replay"])?;
    for (mutant, done) in all {
        let [tests, verify, engine] = match done {
            Ok(Some(judged)) => judged.sights().map(|(_, sight)| sight.to_string()),
            Ok(None) => [(); 3].map(|()| "does not compile".to_owned()),
            Err(error) => [(); 3].map(|()| format!("not judged: {error:#}")),
        };
        let group = mutant.group().unwrap_or_default();
        let replay = format!("cargo xtask faults mutants --only '{}'", mutant.name.replace('\'', r"'\''"));
        writer.write_record([group, &mutant.name, &tests, &verify, &engine, &replay])?;
    }
    Ok(writer.into_inner()?)
}

/// How the mutants were drawn, and of what.
pub(crate) struct Drawn<'a> {
    /// None: of all groups.
    pub(crate) groups: &'a [String],
    pub(crate) each: u16,
    pub(crate) seed: u64,
    pub(crate) commit: &'a str,
    pub(crate) version: String,
}

/// A page of the book.
pub(crate) fn markdown(all: &[(&Mutant, Done)], how: &Drawn) -> String {
    let judged = judged(all);
    let Drawn { groups, each, seed, commit, version } = how;
    let groups = if groups.is_empty() { String::new() } else { format!("--group {} ", groups.join(",")) };
    let unviable = all.iter().filter(|(_, done)| matches!(done, Ok(None))).count();
    let mut text = "# Mutants of our engine\n\n".to_owned();
    _ = writeln!(
        text,
        "`cargo xtask faults mutants {groups}--each {each} --seed {seed}` wrote this page at revision {} with {version}. [How Touchstone is \
         tested](tested.md#mutants) says what counts. Of the {} drawn mutants {unviable} do not compile.\n",
        commit.get(..8).unwrap_or(commit),
        all.len(),
    );
    text.push_str("| group | mutants | seen by tests | by `verify` | by `verify --engine --quick --fail-on note` | by one of the two | of all, with 95 % confidence | by none |\n");
    text.push_str("|---|--:|--:|--:|--:|--:|--:|--:|\n");
    for group in judged.chunk_by(|(one, _), (other, _)| one.group() == other.group()) {
        let count = |sees: &dyn Fn(&Judged) -> bool| group.iter().filter(|(_, judged)| sees(judged)).count();
        let [low, high] = interval(count(&Judged::by_product), group.len());
        _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {low:.0} to {high:.0} % | {} |",
            group[0].0.group().unwrap_or_default(),
            group.len(),
            count(&|judged| judged.tests != Sight::Passed),
            count(&|judged| judged.verify != Sight::Passed),
            count(&|judged| judged.engine != Sight::Passed),
            count(&Judged::by_product),
            count(&|judged| !judged.by_product() && judged.tests == Sight::Passed),
        );
    }
    let missed: Vec<_> = judged.iter().filter(|(_, judged)| !judged.by_product()).collect();
    if !missed.is_empty() {
        text.push_str("\nNo run of `verify` sees these:\n\n");
    }
    for (mutant, judged) in missed {
        let tests = if judged.tests == Sight::Passed { "no test does either" } else { "a test does" };
        _ = writeln!(text, "* `{}`; {tests}", mutant.name);
    }
    text
}

/// The ends of the interval of a share, in percent: E. B. Wilson, Probable Inference, the Law of Succession, and
/// Statistical Inference (1927), for 95 %.
fn interval(seen: usize, all: usize) -> [f64; 2] {
    const QUANTILE: f64 = 1.959_964;
    let (all, share) = (all as f64, seen as f64 / all as f64);
    let square = QUANTILE * QUANTILE / all;
    let middle = share + square / 2.0;
    let reach = (square * (share * (1.0 - share) + square / 4.0)).sqrt();
    [middle - reach, middle + reach].map(|end| end / (1.0 + square) * 100.0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::mutant::tests::mutant;

    fn ended(code: i32, stdout: &str) -> Ended {
        let stderr = "note: a\nerror: no file".to_owned();
        Ended { code, stdout: stdout.to_owned(), stderr, time: Duration::ZERO }
    }

    #[test]
    fn a_judge_sees_what_a_user_sees() {
        let checks = || vec!["perft".to_owned()];
        let sight = |code, checks| Sight::of(&ended(code, ""), checks);
        assert_eq!(sight(0, Vec::new()), Sight::Passed);
        assert_eq!(sight(1, checks()), Sight::Seen(checks()));
        // What came once.
        assert_eq!(sight(1, Vec::new()), Sight::Passed);
        assert_eq!(sight(2, checks()), Sight::Seen(checks()));
        assert_eq!(sight(2, Vec::new()), Sight::Refused("error: no file".to_owned()));
        assert_eq!(sight(CRASHED, Vec::new()), Sight::Crashed);
        assert_eq!(sight(KILLED, checks()), Sight::OutOfTime);
        let failed = ended(CRASHED, "test result: FAILED. 3 passed");
        assert_eq!(Sight::of(&failed, Vec::new()), Sight::Seen(Vec::new()));
    }

    #[test]
    fn a_share_has_the_published_interval() {
        // R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3.
        for (seen, all, low, high) in
            [(81, 263, 25.53, 36.62), (15, 148, 6.24, 16.05), (0, 20, 0.0, 16.11), (1, 29, 0.61, 17.18)]
        {
            let [from, to] = interval(seen, all);
            assert!(
                (from - low).abs() < 0.006 && (to - high).abs() < 0.006,
                "{seen} of {all}: {from} to {to}"
            );
        }
    }

    #[test]
    fn only_findings_do_not_come_from_a_build() {
        let seen = || Sight::Seen(Vec::new());
        for (tests, verify, engine, may_be) in [
            (Sight::Passed, Sight::Passed, Sight::Passed, false),
            (Sight::Passed, Sight::Crashed, Sight::Passed, true),
            (Sight::OutOfTime, Sight::Passed, Sight::Passed, true),
            (seen(), Sight::Passed, Sight::Passed, false),
            (Sight::OutOfTime, seen(), Sight::Crashed, false),
        ] {
            let judged = Judged { tests, verify, engine };
            assert_eq!(judged.may_be_of_its_build(), may_be, "{judged:?}");
        }
    }

    #[test]
    fn what_the_program_does_not_see_is_missed() {
        let [passed, seen] = [Sight::Passed, Sight::Seen(vec!["perft".to_owned()])];
        let judged = |tests: &Sight, verify: &Sight, engine: &Sight| {
            Ok(Some(Judged { tests: tests.clone(), verify: verify.clone(), engine: engine.clone() }))
        };
        let [board, search] =
            ["engine/src/board.rs", "engine/src/search/a.rs"].map(|file| mutant(file, "1:1: x's"));
        let verdict = |mutant: &Mutant, done: Done| verdict(&[(mutant, done)]);
        assert_eq!(verdict(&board, judged(&passed, &seen, &passed)), Verdict::AllSeen);
        assert_eq!(verdict(&board, judged(&passed, &passed, &seen)), Verdict::AllSeen);
        assert_eq!(verdict(&board, judged(&seen, &passed, &passed)), Verdict::Missed);
        assert_eq!(verdict(&search, judged(&seen, &passed, &passed)), Verdict::AllSeen);
        assert_eq!(verdict(&board, Ok(None)), Verdict::Incomplete);
        assert_eq!(verdict(&board, Err(anyhow::anyhow!("no disk"))), Verdict::Incomplete);

        let all = [
            (&board, judged(&seen, &passed, &passed)),
            (&board, judged(&seen, &seen, &passed)),
            (&board, Ok(None)),
            (&search, judged(&passed, &passed, &passed)),
        ];
        let how = Drawn {
            groups: &["rules".to_owned(), "search".to_owned()],
            each: 4,
            seed: 7,
            commit: "0123456789",
            version: "cargo-mutants 1".to_owned(),
        };
        let page = markdown(&all, &how);
        for line in [
            "mutants --group rules,search --each 4 --seed 7` wrote this page at revision 01234567 with cargo-mutants 1. ",
            "Of the 4 drawn mutants 1 do not compile.\n",
            "\n| rules | 2 | 2 | 1 | 0 | 1 | 9 to 91 % | 0 |\n| search | 1 | 0 | 0 | 0 | 0 | 0 to 79 % | 1 |\n",
            "\n* `engine/src/board.rs:1:1: x's`; a test does\n* `engine/src/search/a.rs:1:1: x's`; no test does either\n",
        ] {
            assert!(page.contains(line), "{line}: {page}");
        }
        let rows = String::from_utf8(csv(&all).unwrap()).unwrap();
        let row = r"rules,engine/src/board.rs:1:1: x's,fails (perft),fails (perft),passes,cargo xtask faults mutants --only 'engine/src/board.rs:1:1: x'\''s'";
        assert_eq!(rows.lines().nth(2), Some(row));
        assert_eq!(rows.lines().count(), 5);
    }
}
