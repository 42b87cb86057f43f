//! The figures of a run by case. A figure may change without being right or wrong.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::case::Case;
use crate::{DrawVerdict, MateVerdict, Run};

/// The figures of one case, each with its name and its text. If several change, the first one is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Figure(Vec<(&'static str, String)>);

impl Figure {
    /// The name of the first figure that differs from the other's; `None` if all are equal.
    pub(super) fn changed(&self, other: &Self) -> Option<&'static str> {
        self.0.iter().zip(&other.0).find(|(one, other)| one != other).map(|(one, _)| one.0)
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> =
            self.0.iter().map(|(_, text)| text.as_str()).filter(|text| !text.is_empty()).collect();
        f.write_str(&texts.join(", "))
    }
}

/// The figures of a run by case. `subject` gives the subject that a case names. Figures of subjects without
/// one are left out.
pub(super) fn of<'a>(
    run: &'a Run,
    subject: impl Fn(&'a str) -> Option<&'a str>,
) -> BTreeMap<Case<'a>, Figure> {
    let mut figures = BTreeMap::new();
    let mut add = |check, id: Cow<'a, str>, of: &'a str, parts: Vec<(&'static str, String)>| {
        if let Some(subject) = subject(of) {
            figures.insert(Case { check, id, subject }, Figure(parts));
        }
    };
    for row in &run.mates {
        if matches!(row.verdict, MateVerdict::NotAsked | MateVerdict::Malformed | MateVerdict::Unanswered) {
            continue;
        }
        let announced = row.announced.map_or("no mate".to_owned(), |mate| format!("mate {mate}"));
        let nodes = row.nodes.map(|nodes| format!("after {nodes} nodes")).unwrap_or_default();
        let parts = vec![("the announced mate", announced), ("nodes up to the announcement", nodes)];
        add("mate", mate_case(&row.suite, &row.case), &row.subject, parts);
    }
    let is_answered = |verdict| !matches!(verdict, DrawVerdict::NotAsked | DrawVerdict::Unanswered);
    for row in run.draws.iter().filter(|row| is_answered(row.verdict)) {
        let parts = vec![("the score of a draw", row.score.clone())];
        add("draw", draw_case(&row.case, row.tables), &row.subject, parts);
    }
    for row in &run.best_moves {
        let id = Cow::Owned(format!("{}/{}", row.suite, row.line));
        add("bestmove", id, &row.subject, vec![("the move", row.played.clone())]);
    }
    for row in &run.conversion {
        let lost = row.plies_lost.map(|plies| format!("{plies} extra plies")).unwrap_or_default();
        let won = format!("{} of {} won", row.won, row.games);
        let id = Cow::Owned(format!("{}/{}", row.ending, row.aids));
        add("conversion", id, &row.subject, vec![("won endings", won), ("extra plies", lost)]);
    }
    for row in &run.signatures {
        let id = Cow::Owned(format!("depth {}", row.depth));
        let nodes = format!("{} nodes over {} positions", row.signature, row.positions);
        add("signature", id, &row.subject, vec![("the signature", nodes)]);
    }
    for row in &run.knowledge {
        let share =
            |name: &str, share: Option<suites::Decimal3>| share.map(|share| format!("{name} {share}"));
        let shares = [("precision", row.precision), ("recall", row.recall), ("spearman", row.spearman)];
        let text: Vec<String> = shares.into_iter().filter_map(|(name, value)| share(name, value)).collect();
        add("knowledge", Cow::Borrowed(&row.table), &row.heuristic, vec![("the heuristic", text.join(", "))]);
    }
    figures
}

/// The case of a row of `mates.csv` in the findings. Ids of cases from files begin with the file.
pub(super) fn mate_case<'a>(suite: &str, case: &'a str) -> Cow<'a, str> {
    const OURS: &str = "mates";
    if suite == OURS { Cow::Borrowed(case) } else { Cow::Owned(format!("{suite}/{case}")) }
}

/// The case of a row of `draws.csv` in the findings.
pub(super) fn draw_case(case: &str, tables: bool) -> Cow<'_, str> {
    if tables { Cow::Borrowed(case) } else { Cow::Owned(format!("{case} without tables")) }
}
