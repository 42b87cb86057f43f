//! Which checks are asked for by `--check`.

use suites::catalogue;

use super::suite_name::SuiteName;
use crate::suggest::did_you_mean;

/// The families of ids that each suite has, and the suites that they are names of.
const FAMILIES: [(&str, SuiteName); 5] = [
    ("stalemate", SuiteName::Stalemates),
    ("mate", SuiteName::Mates),
    ("bestmove", SuiteName::BestMove),
    ("conversion", SuiteName::Conversion),
    ("draw", SuiteName::Draws),
];

/// An id of a check or a family that there is.
pub(crate) fn known(id: &str) -> Result<String, String> {
    let is = |known: &str| known == id || family(known) == family(id) && !id.contains('/');
    if catalogue::pages().any(|page| is(page.id))
        || FAMILIES.iter().any(|(known, _)| *known == family(id) && !id.contains('/'))
    {
        return Ok(id.to_owned());
    }
    let ids = catalogue::pages().map(|page| page.id).chain(catalogue::pages().map(|page| family(page.id)));
    let ids = ids.chain(FAMILIES.iter().map(|(known, _)| *known));
    Err(format!("there is no such check{}; `explain` lists all", did_you_mean(id, ids)))
}

/// What stands before the slash of an id. The suites have the names of their families in the plural.
pub(crate) fn family(id: &str) -> &str {
    let family = id.split('/').next().unwrap_or(id);
    let suite = FAMILIES.iter().find(|(known, _)| family.strip_suffix('s') == Some(known));
    suite.map_or(family, |(known, _)| known)
}

/// The check of counts, which reads files of others.
pub(super) const COUNTS: &str = "movegen/perft";

/// The check of the figures of perft files.
const CLAIM: &str = "perft/claim";

/// The check of best moves under which these others are counted.
const SOLVED: &str = "bestmove/solved";
const UNDER_SOLVED: [&str; 3] = ["bestmove/move", "bestmove/unanswered", "bestmove/flaky"];

/// The check of the start of a process: it needs no question.
pub(super) const START: &str = "process/start";

/// The suites of which some checks are asked for. All that have positions of their own show how a process breaks, but at its
/// start.
pub(crate) fn suites(asked: &[String]) -> Vec<SuiteName> {
    let breaks = breaks(asked);
    let is_asked = |known: &str| asked.iter().any(|id| family(id) == known);
    let is_run =
        |(known, suite): &(&str, SuiteName)| is_asked(known) || breaks && SuiteName::TRIALS.contains(suite);
    FAMILIES.into_iter().filter(is_run).map(|(_, suite)| suite).collect()
}

/// Whether it is asked how a process breaks, but at its start.
pub(crate) fn breaks(asked: &[String]) -> bool {
    asked.iter().any(|id| family(id) == "process" && id != START)
}

/// Whether a program's counts are asked for.
pub(crate) fn counts(asked: &[String]) -> bool {
    asked.iter().any(|id| ["movegen", COUNTS].contains(&id.as_str()))
}

/// Whether a check is asked for: by its id, its family, or one of those that it counts the cases of. How a process breaks is
/// always told.
pub(super) fn is_asked(asked: &[String], id: &str) -> bool {
    let is_family = |id: &str| !id.contains('/');
    let same_family = |known: &str| family(known) == family(id) && (is_family(known) || is_family(id));
    // What did not come again is told by whatever check it was.
    let is_flaky = |known: &str| id.ends_with("/flaky") && family(known) == family(id);
    let is = |known: &String| known == id || same_family(known) || is_flaky(known);
    asked.is_empty() || family(id) == "process" || asked.iter().any(is)
}

/// Whether a run that was asked for these checks tells of this one. What judges the program is no check of it. A file is judged
/// with those who count for it, and what has no counts of its own is counted by another check.
pub(super) fn selects(asked: &[String], check: &str) -> bool {
    let counts = |id: &String| check == SOLVED && UNDER_SOLVED.contains(&id.as_str());
    is_asked(asked, check) || check == CLAIM && is_asked(asked, COUNTS) || asked.iter().any(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_families_and_who_counts_for_them() {
        let check = |asked: &str, id, expected| {
            assert_eq!(is_asked(&[asked.to_owned()], id), expected, "{asked} {id}");
        };
        check("draw", "draw/move", true);
        check("draws", "draw/move", true);
        check("draw/move", "draw/move", true);
        check("draw/move", "draw/score", false);
        check("draw/move", "draw", true);
        check("draw/move", "mate", false);
        check("draw/move", "draw/flaky", true);
        check("draw/move", "mate/flaky", false);
        check("draw", "process/crash", true);
        assert!(is_asked(&[], "anything"));
    }

    #[test]
    fn what_a_check_needs_is_run_and_no_more() {
        let check = |asked: &[&str], expected: &[SuiteName]| {
            let asked: Vec<String> = asked.iter().map(|&id| id.to_owned()).collect();
            assert_eq!(suites(&asked), expected, "{asked:?}");
        };
        check(&[START], &[]);
        check(&[START, "protocol/stop"], &[]);
        check(&["draw/move", START], &[SuiteName::Draws]);
        check(&["mate", "stalemates"], &[SuiteName::Stalemates, SuiteName::Mates]);
        check(&["process/crash"], &SuiteName::TRIALS);
        check(&["process"], &SuiteName::TRIALS);
        check(&["bestmove/thrown"], &[SuiteName::BestMove]);
    }

    #[test]
    fn names_that_there_are() {
        for id in ["process", "process/crash", "draw", "draws", "conversion"] {
            assert_eq!(known(id).as_deref(), Ok(id));
        }
        let error = known("process/crahs").unwrap_err();
        assert!(error.contains("did you mean process/crash"), "{error}");
    }
}
