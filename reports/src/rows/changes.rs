//! The rows that compare two runs: with a baseline, and of two engines.

use serde::{Deserialize, Serialize};
use suites::catalogue::Severity;
use suites::natural::Natural;
use suites::{ordered, word};

// `regression.csv`: the rows that changed between an earlier run, the baseline, and this one.

suites::words! {
    /// What a change between two runs means. The worst comes first.
    pub enum RegressionVerdict: "verdict" {
        /// A new difference, or a check that compares less than before.
        Broken = "broken",
        /// A difference is gone, and its check compares as much as before.
        Fixed = "fixed",
        /// The figures changed.
        Changed = "changed",
        /// The row is new.
        Added = "added",
        /// The row is gone.
        Gone = "gone",
    }
}

/// One changed row of one report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RegressionRow {
    /// File name of the report.
    pub report: String,
    /// The key columns of the row, joined by blanks.
    pub case: String,
    /// The changed figures in the baseline: `agreed=331352 differed=0`; empty if the row is new.
    pub before: String,
    /// The same figures in this run; empty if the row is gone.
    pub after: String,
    /// What the change means.
    #[serde(with = "word")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = RegressionVerdict::ALL.map(RegressionVerdict::name))))]
    pub verdict: RegressionVerdict,
}

ordered!(RegressionRow, row => (&row.report, Natural(&row.case), &row.before, &row.after, row.verdict));

// `compare.csv`: the cases that two engines, or two versions of one, answer differently.

suites::words! {
    /// What the difference between two answers means. The worst comes first.
    #[derive(Default)]
    pub enum CompareVerdict: "verdict" {
        /// b is wrong, and a is right or less gravely wrong.
        Broken = "broken",
        /// a was compared, and b was not, or in fewer cases.
        OnlyA = "only a",
        /// b was compared, and a was not, or in fewer cases.
        OnlyB = "only b",
        /// a is wrong, and b is right or less gravely wrong.
        Fixed = "fixed",
        /// The answers are not the same. Both are right, or both are wrong.
        #[default]
        Changed = "changed",
        /// The difference did not come again when both were asked again.
        Flaky = "flaky",
        /// b is wrong, which its author accepts; the explanation begins with the reason.
        Accepted = "accepted",
    }
}

impl CompareVerdict {
    /// The word where the two are versions of one engine.
    pub(crate) fn of_versions(self) -> &'static str {
        match self {
            Self::OnlyA => "compared only before",
            Self::OnlyB => "compared only now",
            other => other.name(),
        }
    }
}

suites::words! {
    /// What one of two engines did in a case or a case set. The text beside it says more.
    pub enum SideState: "state" {
        /// It agrees.
        Agrees = "agrees",
        /// It is wrong.
        Differs = "differs",
        /// Some cases of the set have no required answer, and no report says which.
        NotWrong = "not wrong",
        /// The case has no required answer.
        Observed = "observed",
        /// It was not asked.
        NotAsked = "not asked",
        /// It was asked, and not compared, or in fewer cases.
        NotCompared = "not compared",
        /// How many cases of the set agree, or a figure of which nothing is demanded.
        Counted = "counted",
    }
}

/// A case, and the answers of both. The position, what is right, and the command are those of the wrong
/// answer; of b's if both are wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CompareRow {
    /// Id of the check.
    pub check: String,
    /// The case; the case set if one of the two was asked fewer of its cases, or none.
    pub case: String,
    /// Engine a: `agrees`, `differs: ` and its answer, its answer alone if nothing is demanded, `not asked`,
    /// or `not compared` and why.
    pub a: String,
    /// Engine b, in the same words.
    pub b: String,
    /// What the difference means.
    #[serde(with = "word")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = CompareVerdict::ALL.map(CompareVerdict::name))))]
    pub verdict: CompareVerdict,
    /// How grave the wrong answer is; `None` if none is wrong.
    #[serde(with = "word::or_empty")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["", "note", "warning", "error"])))]
    pub severity: Option<Severity>,
    /// The position, or empty where the case is no single position.
    pub fen: String,
    /// The right answer.
    pub expected: String,
    /// The source of the right answer.
    pub source: String,
    /// Why it is right, in one sentence.
    pub explanation: String,
    /// What this row shares with others: how the wrong answer is wrong, or what changed.
    pub cause: String,
    /// The command that reproduces the wrong answer.
    pub replay: String,
    /// The moves that were played after the position, as they were sent.
    #[serde(default)]
    pub moves: String,
    /// The position after them.
    #[serde(default)]
    pub position_after: String,
    /// The move of the wrong answer, in UCI notation.
    #[serde(default)]
    pub given: String,
    /// The moves that are right, in UCI notation, as far as they are known.
    #[serde(default)]
    pub best: String,
    /// What engine a did, as a word; reports of earlier versions do not have it.
    #[serde(default, with = "word::or_empty")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub a_state: Option<SideState>,
    /// The same of engine b.
    #[serde(default, with = "word::or_empty")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub b_state: Option<SideState>,
}

ordered!(CompareRow, row => {
    let CompareRow { check, case, a, b, verdict, severity, fen, expected, source, explanation, cause, replay, moves, position_after, given, best, a_state, b_state } = row;
    let words = (expected, source, explanation, cause, replay);
    (check, Natural(case), a, b, verdict, severity, fen, words, (moves, position_after, given, best, a_state, b_state))
});

impl CompareRow {
    pub(crate) const AGREES: &str = "agrees";
    /// Some cases of the set have no required answer, and no report says which.
    pub(crate) const NOT_WRONG: &str = "not wrong: it agrees, or nothing is demanded";
    /// The case has no required answer.
    pub(crate) const OBSERVED: &str = "observed: nothing is demanded";
    /// The engine was not asked for the case, or for any case of the set.
    pub(crate) const NOT_ASKED: &str = "not asked";
    /// Start of the text for a wrong answer.
    pub(crate) const DIFFERS: &str = "differs: ";
    /// Start of the text for a wrong answer if the other engine's is more gravely wrong.
    pub(crate) const LESSER: &str = "differs, less gravely: ";

    /// Makes a broken case accepted, for this reason.
    pub fn accept(&mut self, reason: &str) {
        self.verdict = CompareVerdict::Accepted;
        let explanation = std::mem::take(&mut self.explanation);
        let rest = if explanation.is_empty() { String::new() } else { format!("; {explanation}") };
        self.explanation = format!("accepted: {reason}{rest}");
    }

    /// The word for a note that only one of two versions has; `None` of other rows, and if notes fail the run. A
    /// note is no fault, so that it breaks and fixes nothing.
    pub(crate) fn of_note(&self, fails_from: Severity) -> Option<&'static str> {
        match (self.verdict, self.severity) {
            _ if fails_from == Severity::Note => None,
            (CompareVerdict::Broken, Some(Severity::Note)) => Some("new note"),
            (CompareVerdict::Fixed, Some(Severity::Note)) => Some("note gone"),
            _ => None,
        }
    }

    /// Whether b is wrong, and a is right or less gravely wrong.
    pub fn is_worse(&self) -> bool {
        self.verdict == CompareVerdict::Broken
    }

    /// Whether a is wrong, and b is right or less gravely wrong.
    pub fn is_better(&self) -> bool {
        self.verdict == CompareVerdict::Fixed
    }

    /// Whether b is wrong and a was not compared, so that it is not known which is better.
    pub fn is_open(&self) -> bool {
        self.verdict == CompareVerdict::OnlyB && self.severity.is_some()
    }

    /// Whether a was compared in a case, or a case set, and b was not asked it, or fewer of its cases.
    pub fn is_lost(&self) -> bool {
        self.verdict == CompareVerdict::OnlyA
            && (self.severity.is_none() || self.b_state == Some(SideState::NotAsked))
    }

    /// Whether nothing is demanded in this case set of one of the two: other rows say what differs in it.
    pub fn tells_nothing(&self) -> bool {
        let has_figures = [self.a_state, self.b_state].contains(&Some(SideState::Observed));
        self.verdict != CompareVerdict::Changed && self.severity.is_none() && has_figures
    }

    /// Whether both are right, or nothing is demanded: only what was said is not the same.
    pub fn is_neutral(&self) -> bool {
        self.verdict == CompareVerdict::Changed && self.severity.is_none()
    }
}
