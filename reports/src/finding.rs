//! A finding as text: what went wrong, and a line for each thing that is known of it.

use suites::{Difference, catalogue};

use crate::CauseGroup;
use crate::replays::Replays;

/// The most moves of a game that a line shows whole, and how many of a longer game it shows.
const MOST_MOVES: usize = 24;
const FIRST_MOVES: usize = 8;

/// What went wrong: the cause, or what a finding of the check means where no more is known.
pub(crate) fn title<'a>(check: &'a str, cause: &'a str) -> &'a str {
    if cause.is_empty() || cause == check { catalogue::wrong(check) } else { cause }
}

/// The position that was asked: a FEN with the moves that were played after it, and where they lead if they are many.
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

/// The lines about the finding that stands for a cause: a name and a text for each that is not empty. The replay is the last.
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
