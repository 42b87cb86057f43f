//! Which checks `--check` selects.

use suites::catalogue;

use super::suite_name::SuiteName;
use crate::suggest::did_you_mean;

/// The family of check ids of each suite.
const FAMILIES: [(&str, SuiteName); 6] = [
    ("stalemate", SuiteName::Stalemates),
    ("mate", SuiteName::Mates),
    ("bestmove", SuiteName::BestMove),
    ("conversion", SuiteName::Conversion),
    ("draw", SuiteName::Draws),
    // What a user's file says of mates.
    ("file", SuiteName::Mates),
];

/// The family of the checks of games, which `verify` does not play.
const GAMES: &str = "game";

/// Parses the id of a check or a family.
pub(crate) fn known(id: &str) -> Result<String, String> {
    if family(id) == GAMES {
        return Err("the checks of game/* are of games, which `match` plays and judges".to_owned());
    }
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

/// The part of an id before the slash. The name of a suite, such as `draws`, stands for its family.
pub(crate) fn family(id: &str) -> &str {
    let family = id.split('/').next().unwrap_or(id);
    let suite = FAMILIES.iter().find(|(known, _)| family.strip_suffix('s') == Some(known));
    suite.map_or(family, |(known, _)| known)
}

/// The check of perft counts, which reads files.
pub(super) const COUNTS: &str = "movegen/perft";

/// The check of the counts in perft files.
const CLAIM: &str = "perft/claim";

/// The check of best moves that also counts the cases of the checks below.
const SOLVED: &str = "bestmove/solved";
const UNDER_SOLVED: [&str; 3] = ["bestmove/move", "bestmove/unanswered", "bestmove/flaky"];

/// The check of the start of an engine. It needs no search.
pub(super) const START: &str = "process/start";

/// The suites that have some of these checks. Checks of the process, except of its start, need all suites
/// with own positions.
pub(crate) fn suites(asked: &[String]) -> Vec<SuiteName> {
    let needs_searches = needs_searches(asked);
    let is_asked = |known: &str| asked.iter().any(|id| family(id) == known);
    let is_run = |(known, suite): &(&str, SuiteName)| {
        is_asked(known) || needs_searches && SuiteName::FOR_PLAYERS.contains(suite)
    };
    let mut suites: Vec<SuiteName> = FAMILIES.into_iter().filter(is_run).map(|(_, suite)| suite).collect();
    suites.sort();
    suites.dedup();
    suites
}

/// Whether checks of the process are selected, except of its start.
pub(crate) fn needs_searches(asked: &[String]) -> bool {
    asked.iter().any(|id| family(id) == "process" && id != START)
}

/// Whether perft of the engine is selected.
pub(crate) fn counts(asked: &[String]) -> bool {
    asked.iter().any(|id| ["movegen", COUNTS].contains(&id.as_str()))
}

/// Whether a check is selected: by its id, by its family, or because it is the tally of a selected check.
/// Failures of the process are always selected.
pub(super) fn is_asked(asked: &[String], id: &str) -> bool {
    let is_family = |id: &str| !id.contains('/');
    let same_family = |known: &str| family(known) == family(id) && (is_family(known) || is_family(id));
    // A flaky finding belongs to every check of its family.
    let is_flaky = |known: &str| id.ends_with("/flaky") && family(known) == family(id);
    let is = |known: &String| known == id || same_family(known) || is_flaky(known);
    asked.is_empty() || family(id) == "process" || asked.iter().any(is)
}

/// Whether a run with these checks reports this one: if it is selected, if it judges the perft file that the
/// engine is checked with, or if it counts the cases of a selected check.
pub(super) fn selects(asked: &[String], check: &str) -> bool {
    let counts = |id: &String| check == SOLVED && UNDER_SOLVED.contains(&id.as_str());
    is_asked(asked, check) || check == CLAIM && is_asked(asked, COUNTS) || asked.iter().any(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_selected_by_id_and_family() {
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
    fn only_the_suites_that_the_checks_need_are_run() {
        let check = |asked: &[&str], expected: &[SuiteName]| {
            let asked: Vec<String> = asked.iter().map(|&id| id.to_owned()).collect();
            assert_eq!(suites(&asked), expected, "{asked:?}");
        };
        check(&[START], &[]);
        check(&[START, "protocol/stop"], &[]);
        check(&["draw/move", START], &[SuiteName::Draws]);
        check(&["mate", "stalemates"], &[SuiteName::Stalemates, SuiteName::Mates]);
        check(&["process/crash"], &SuiteName::FOR_PLAYERS);
        check(&["process"], &SuiteName::FOR_PLAYERS);
        check(&["bestmove/thrown"], &[SuiteName::BestMove]);
    }

    #[test]
    fn known_names_are_accepted() {
        for id in ["process", "process/crash", "draw", "draws", "conversion"] {
            assert_eq!(known(id).as_deref(), Ok(id));
        }
        assert!(known("game/win-to-draw").unwrap_err().contains("`match`"));
        let error = known("process/crahs").unwrap_err();
        assert!(error.contains("did you mean process/crash"), "{error}");
    }
}
