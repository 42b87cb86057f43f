//! A finding as text: a title that says what went wrong, and a line for each known fact.

use suites::{Answer, Cause, Difference, End, catalogue};

use crate::CauseGroup;
use crate::replays::Replays;

/// A line shows a game of at most this many moves whole. Of a longer game, it shows the first moves.
const MOST_MOVES: usize = 24;
const FIRST_MOVES: usize = 8;

/// What went wrong: the cause, or, if only the check is known, the words of the check's page.
pub(crate) fn title<'a>(check: &'a str, cause: &'a str) -> &'a str {
    if cause.is_empty() || cause == check { catalogue::wrong(check) } else { cause }
}

/// What went wrong in a finding. If no cause is known and the process crashed in a check that is not about
/// the process, the crash is what went wrong.
pub(crate) fn title_of(found: &Difference) -> &str {
    let of_its_own = found.check.starts_with("process/") || found.check.ends_with("/flaky");
    let has_crashed =
        matches!(&found.stored, Answer::Ended { after: Some(_), end } if *end != End::Status(0));
    let is_crash = has_crashed && !of_its_own;
    match &found.cause {
        None | Some(Cause::Check(_)) if is_crash => catalogue::wrong("process/crash"),
        _ => title(&found.check, found.cause_words()),
    }
}

/// The position that was asked: a FEN, the moves that were played after it, and, if there are many of them,
/// the position after them.
pub(crate) fn position(fen: &str, moves: &str, after: &str) -> String {
    if moves.is_empty() {
        return fen.to_owned();
    }
    let count = moves.split(' ').count();
    if count <= MOST_MOVES {
        return format!("{fen} moves {moves}");
    }
    let first: Vec<&str> = moves.split(' ').take(FIRST_MOVES).collect();
    format!("{fen} moves {} … ({count} moves, to {after})", first.join(" "))
}

/// The lines about the finding that stands for a cause: a name and a text for each fact that is known. The
/// replay is the last line.
pub(crate) fn lines(
    group: &CauseGroup,
    answer: &'static str,
    replays: &Replays,
) -> Vec<(&'static str, String)> {
    let Difference { check, case, fen, played, stored, expected, source, explanation, replay, .. } =
        group.first;
    let [moves, after] = match played {
        Some(played) => [played.moves.join(" "), played.fen.clone()],
        None => [String::new(), String::new()],
    };
    let lines = [
        ("check", format!("{check}: {case}")),
        ("position", position(fen, &moves, &after)),
        (answer, stored.to_string()),
        ("expected", expected.to_string()),
        ("source", source.clone()),
        ("because", explanation.clone()),
        ("more", group.more().unwrap_or_default()),
        ("replay", replays.line(replay)),
    ];
    lines.into_iter().filter(|(_, text)| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_says_what_went_wrong() {
        assert_eq!(title("protocol/blanks", ""), "does not accept any white space between words");
        assert_eq!(title("protocol/blanks", "protocol/blanks"), title("protocol/blanks", ""));
        assert_eq!(title("mate/unsound", "mates are counted in plies"), "mates are counted in plies");
    }

    #[test]
    fn a_crash_over_another_question_is_a_crash() {
        let of = |check: &str, status, after: Option<&str>, cause: Option<Cause>| {
            let stored = Answer::Ended { end: End::Status(status), after: after.map(str::to_owned) };
            title_of(&Difference { check: check.to_owned(), stored, cause, ..Difference::default() })
                .to_owned()
        };
        let titled = |after, cause| of("protocol/bestmove-legal", 1, after, cause);
        assert_eq!(titled(Some("go depth 1"), None), "crashes");
        assert_eq!(titled(None, None), catalogue::wrong("protocol/bestmove-legal"));
        for (check, status) in
            [("process/exit", 0), ("process/flaky", 1), ("protocol/flaky", 1), ("protocol/stop", 0)]
        {
            let of_check = Some(Cause::Check(check.to_owned()));
            assert_eq!(of(check, status, Some("go depth 1"), of_check), catalogue::wrong(check));
        }
        let panic = "index out of bounds";
        assert_eq!(titled(Some("go depth 1"), Some(Cause::Message(panic.to_owned()))), panic);
    }

    #[test]
    fn a_position_has_the_moves_after_it() {
        let fen = "8/8/8/8/5R2/3K4/8/3k4 w - - 0 2";
        let after = "8/8/8/8/4R3/3K4/8/2k5 w - - 2 3";
        assert_eq!(position(fen, "f4e4 d1c1", after), format!("{fen} moves f4e4 d1c1"));
        assert_eq!(position(fen, "", ""), fen);
        let long = "f4e4 d1c1 e4f4 c1d1 ".repeat(8);
        let shown = position(fen, long.trim(), "8/8/8/8/5R2/3K4/8/3k4 w - - 32 18");
        let end =
            "f4e4 d1c1 e4f4 c1d1 f4e4 d1c1 e4f4 c1d1 … (32 moves, to 8/8/8/8/5R2/3K4/8/3k4 w - - 32 18)";
        assert_eq!(shown, format!("{fen} moves {end}"));
    }
}
