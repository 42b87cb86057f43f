//! From a wrong count to the smallest position that is counted wrongly.
//!
//! At each step the generator gets the FEN of a position. If its moves are right and its counts after each
//! move are right too, the fault is in playing a move, and the descent ends.

use suites::perft::Castling;
use suites::{Difference, SharedCause};

use super::authority::Authority;
use super::source::{MoveSource, MoveSourceError, ask};
use super::{CHECK, nodes_at, replay};

/// The most moves of one kind in an explanation.
const SHOWN: usize = 12;

/// A descent for one generator.
pub(super) struct Descent<'a> {
    subject: &'a dyn MoveSource,
    castling: Castling,
}

/// The end of a descent.
struct Smallest {
    position: Authority,
    fen: String,
    depth: u32,
    path: Vec<String>,
    fault: Fault,
}

/// What is wrong in a position.
struct Fault {
    text: String,
    /// The rule that the moves break.
    rule: Option<SharedCause>,
}

impl Fault {
    fn new(text: String) -> Self {
        Self { text, rule: None }
    }
}

impl<'a> Descent<'a> {
    pub(super) fn new(subject: &'a dyn MoveSource, castling: Castling) -> Self {
        Self { subject, castling }
    }

    /// The difference at the smallest wrong position below one that is counted wrongly at `depth`. `fen` is
    /// the root as the generator got it.
    pub(super) fn difference(&self, case: &str, root: &Authority, fen: &str, depth: u32) -> Difference {
        let smallest = self.smallest(root.clone(), fen.to_owned(), depth, Vec::new());
        let counted = self.count(&smallest.fen, smallest.depth);
        let way = match &smallest.path[..] {
            [] => String::new(),
            path => format!(", after {} from the case's position", path.join(" ")),
        };
        Difference {
            given: None,
            best: Vec::new(),
            subject: self.subject.name().to_owned(),
            check: CHECK.to_owned(),
            case: case.to_owned(),
            stored: counted
                .map_or_else(|refusal| refusal.to_string().into(), |nodes| nodes_at(nodes, smallest.depth)),
            expected: nodes_at(smallest.position.perft(smallest.depth), smallest.depth),
            source: "shakmaty".to_owned(),
            explanation: format!("{}{way}", smallest.fault.text),
            cause: smallest.fault.rule.map(Into::into),
            replay: replay(&smallest.fen, smallest.depth),
            fen: smallest.fen,
            played: None,
            limit: None,
        }
    }

    fn smallest(&self, position: Authority, fen: String, depth: u32, mut path: Vec<String>) -> Smallest {
        if let Some(fault) = self.move_fault(&position, &fen) {
            // A fault in the moves shows at depth 1, unless only the list of moves is wrong.
            let depth = if self.count(&fen, 1) == Ok(position.perft(1)) { depth } else { 1 };
            return Smallest { position, fen, depth, path, fault };
        }
        let rest = depth.saturating_sub(1);
        let wrong = if rest == 0 { None } else { self.wrong_successor(&position, rest) };
        if let Some((played, next)) = wrong {
            path.push(played);
            let fen = next.fen();
            return self.smallest(next, fen, rest, path);
        }
        let fault = "the moves are right and so is the count after each, set up afresh: the fault is in playing a \
                     move or in adding up";
        Smallest { position, fen, depth, path, fault: Fault::new(fault.to_owned()) }
    }

    /// The first successor, in the order of the moves' text, that the generator counts wrongly.
    fn wrong_successor(&self, position: &Authority, depth: u32) -> Option<(String, Authority)> {
        let mut successors: Vec<_> = position.successors().collect();
        successors.sort_by(|one, other| one.0.cmp(&other.0));
        successors.into_iter().find(|(_, next)| self.count(&next.fen(), depth) != Ok(next.perft(depth)))
    }

    /// The fault in the generator's moves in a position.
    fn move_fault(&self, position: &Authority, fen: &str) -> Option<Fault> {
        let mut moves = match ask(|| self.subject.legal_moves(fen, self.castling)) {
            Ok(moves) => moves,
            Err(MoveSourceError::Untold) => return self.number_fault(position, fen).map(Fault::new),
            Err(refusal) => return Some(Fault::new(refusal.to_string())),
        };
        moves.sort_unstable();
        let legal = position.legal_moves();
        let (extra, missing) = (beyond(&moves, &legal), beyond(&legal, &moves));
        let rule = position.broken_rule(&extra, &missing);
        let faults: Vec<_> = [("extra", extra), ("missing", missing)]
            .into_iter()
            .filter(|(_, moves)| !moves.is_empty())
            .map(|(kind, moves)| format!("{kind} moves: {}", listed(&moves)))
            .collect();
        (!faults.is_empty()).then(|| Fault { text: faults.join("; "), rule })
    }

    /// The fault in the number of moves, for a generator that does not name its moves.
    fn number_fault(&self, position: &Authority, fen: &str) -> Option<String> {
        let legal = position.perft(1);
        match self.count(fen, 1) {
            Ok(moves) if moves == legal => None,
            Ok(moves) => Some(format!("{moves} moves where there are {legal}; it does not name them")),
            Err(refusal) => Some(refusal.to_string()),
        }
    }

    fn count(&self, fen: &str, depth: u32) -> Result<u64, MoveSourceError> {
        ask(|| self.subject.perft(fen, depth, self.castling))
    }
}

/// The items of a sorted list that another sorted list lacks. A repeated item counts as one too many.
fn beyond<'a>(list: &'a [String], other: &[String]) -> Vec<&'a str> {
    let mut rest = other.iter().peekable();
    let mut found = Vec::new();
    for item in list {
        while rest.next_if(|candidate| *candidate < item).is_some() {}
        if rest.next_if(|candidate| *candidate == item).is_none() {
            found.push(item.as_str());
        }
    }
    found
}

fn listed(moves: &[&str]) -> String {
    let shown = moves.iter().take(SHOWN).copied().collect::<Vec<_>>().join(" ");
    match moves.len().checked_sub(SHOWN) {
        Some(rest @ 1..) => format!("{shown} and {rest} more"),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(list: &str, other: &str, expected: &str) {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(beyond(&words(list), &words(other)).join(" "), expected);
    }

    #[test]
    fn lists_are_compared_with_repetitions() {
        check("a b c", "a b c", "");
        check("a b c", "b", "a c");
        check("b", "a b c", "");
        check("a a b", "a b", "a");
        check("a", "", "a");
        check("", "a", "");
    }

    #[test]
    fn long_lists_are_cut() {
        let moves = ["a1a2"; 14];
        assert!(listed(&moves).ends_with("a1a2 and 2 more"));
        assert_eq!(listed(&moves[..12]).matches("a1a2").count(), 12);
        assert!(!listed(&moves[..12]).contains("more"));
    }
}
