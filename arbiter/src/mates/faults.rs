//! What is wrong with an answer, if anything is: its announcements one after the other, and its move.

use shakmaty::{Chess, Position};

use super::announcement::{Announcements, Demand, announced, words};
use super::kept::{Keepers, Kept};
use super::line::{self, LineVerdict};
use super::truth::{Moves, Soundness, Truth, is_over};
use super::verdict::MateVerdict;
use crate::player::NoAnswer;
use oracle::board::Game;
use oracle::prover::ProverLimits;
use uci::{Bound, Line, Reply};

/// What the last depth of an answer is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastDepth {
    /// As much as any other.
    Counts,
    /// It may not have come to the end of it: what is wrong there is in doubt.
    InDoubt,
    /// It has not: what is wrong there is not its word.
    Unfinished,
}

/// What is wrong with an answer.
pub(super) struct Fault {
    pub(super) kind: MateVerdict,
    pub(super) stored: String,
    pub(super) expected: String,
    pub(super) source: String,
    pub(super) explanation: String,
}

/// What has been heard of an answer so far.
pub(super) struct Hearing<'a> {
    game: &'a Game,
    position: &'a Chess,
    pub(super) truth: Truth,
    source: &'static str,
    which: Announcements,
    last_depth: LastDepth,
    /// The last depth of the answer.
    deepest: Option<u32>,
    limits: &'a ProverLimits,
    keepers: Keepers<'a>,
    pub(super) announced: Option<i32>,
    /// Nodes up to the first announcement that is true.
    pub(super) nodes: Option<u64>,
    undecided: bool,
    pub(super) fault: Option<Fault>,
    /// What is wrong in a depth that it may not have come to the end of.
    pub(super) in_doubt: Option<Fault>,
}

impl<'a> Hearing<'a> {
    /// Of a game of which this is known; who says so.
    pub(super) fn new(
        game: &'a Game,
        (truth, source): (Truth, &'static str),
        (which, last_depth): (Announcements, LastDepth),
        keepers: Keepers<'a>,
    ) -> Self {
        Self {
            game,
            position: game.position(),
            truth,
            source,
            which,
            last_depth,
            deepest: None,
            limits: keepers.limits,
            keepers,
            announced: None,
            nodes: None,
            undecided: false,
            fault: None,
            in_doubt: None,
        }
    }

    /// Hears an answer.
    pub(super) fn hear(&mut self, reply: &Reply) {
        self.deepest = reply.lines.iter().map(|line| line.depth).max();
        let words = words(&reply.lines, self.which);
        let mut last = None;
        for &word in &words {
            let claim = announced(word);
            let (is_sound, found) = claim.map_or((false, None), |moves| self.announcement(word, moves));
            if found.is_some_and(|found| !self.blame(word, found)) {
                last = None;
                continue;
            }
            last = claim.filter(|_| is_sound);
            self.announced = claim.or(self.announced);
        }
        self.best(reply.best.as_deref(), last);
        if self.fault.is_none() && self.in_doubt.is_none() && !self.undecided {
            let last = words.into_iter().rev().find(|word| announced(word).is_some());
            match last {
                Some(word) => {
                    if let Some(found) = self.longer(word) {
                        self.blame(word, found);
                    }
                }
                None => self.missed(reply),
            }
        }
    }

    /// Finds that nothing was announced, if that was demanded.
    fn missed(&mut self, reply: &Reply) {
        let Some(shortest) = self.demanded().filter(|_| self.which.demand != Demand::Shortest) else {
            return;
        };
        let stored = reply.last().map_or("no score".to_owned(), |line| line.score.to_string());
        self.find(Fault {
            kind: MateVerdict::Missed,
            stored,
            expected: Moves(shortest).to_string(),
            source: self.source.to_owned(),
            explanation: format!("{} is forced", Moves(shortest)),
        });
    }

    /// The shortest mate, if it is demanded.
    fn demanded(&self) -> Option<i32> {
        let shortest = self.truth.shortest()?;
        let is_demanded = match self.which.demand {
            Demand::Nothing => false,
            Demand::ByTables => u64::from(self.position.halfmoves()) + line::plies(shortest) <= 100,
            Demand::Promised | Demand::Shortest => true,
        };
        is_demanded.then_some(shortest)
    }

    /// Keeps what is wrong with a line, and tells whether the line is its word.
    fn blame(&mut self, word: &Line, found: Fault) -> bool {
        match self.last_depth {
            LastDepth::InDoubt if Some(word.depth) == self.deepest => self.in_doubt = Some(found),
            LastDepth::Unfinished if Some(word.depth) == self.deepest => return false,
            _ => self.find(found),
        }
        true
    }

    /// What is wrong with the last announcement if the shortest mate is demanded, and it is of a longer one. A bound says
    /// nothing of that.
    fn longer(&self, word: &Line) -> Option<Fault> {
        let (shortest, last) = (self.demanded()?, announced(word)?);
        (last != shortest && word.bound == Bound::Exact).then(|| Fault {
            kind: MateVerdict::Longer,
            stored: said(word),
            expected: Moves(shortest).to_string(),
            source: self.source.to_owned(),
            explanation: format!("{} is forced", Moves(shortest)),
        })
    }

    /// Whether an announcement is true, and what is wrong with it or its line.
    fn announcement(&mut self, word: &Line, moves: i32) -> (bool, Option<Fault>) {
        match self.truth.judge(self.game, moves, self.limits) {
            Soundness::Sound => {
                self.nodes = self.nodes.or(word.nodes);
                let has_line = word.bound == Bound::Exact;
                (true, has_line.then(|| self.line(word, moves)).flatten())
            }
            Soundness::Undecided => {
                self.undecided = true;
                (false, None)
            }
            Soundness::Unsound => {
                let why = format!(
                    "{} is not forced, with the halfmove clock and the game as they stand",
                    Moves(moves)
                );
                (false, Some(self.wrong(MateVerdict::Unsound, word, why)))
            }
            Soundness::WrongSign => {
                let why = "it is the other side that mates".to_owned();
                (false, Some(self.wrong(MateVerdict::WrongSign, word, why)))
            }
        }
    }

    fn wrong(&self, kind: MateVerdict, word: &Line, explanation: String) -> Fault {
        let expected = match self.truth {
            // What a file says is not what refutes.
            Truth::Word(_) | Truth::Unknown => "no such mate".to_owned(),
            truth => truth.to_string(),
        };
        Fault { kind, stored: said(word), expected, source: self.source.to_owned(), explanation }
    }

    fn line(&self, word: &Line, moves: i32) -> Option<Fault> {
        let LineVerdict::Wrong(why) = line::judge(self.game, moves, &word.pv) else { return None };
        Some(Fault {
            kind: MateVerdict::BadLine,
            stored: format!("{} with the line {}", said(word), word.pv.join(" ")),
            expected: "a line of legal moves to the mate".to_owned(),
            source: "shakmaty".to_owned(),
            explanation: why,
        })
    }

    /// The move, and whether it keeps a mate that was announced last and is there.
    fn best(&mut self, best: Option<&str>, mate: Option<i32>) {
        let mv = best.and_then(|text| line::legal(self.position, text));
        let text = best.unwrap_or("(none)");
        let Some(mv) = mv else {
            if !(is_over(self.position) && best.is_none()) {
                // Whatever it announced, this is no matter of another search.
                self.fault = Some(Fault {
                    kind: MateVerdict::BadMove,
                    stored: format!("the move {text}"),
                    expected: "a legal move".to_owned(),
                    source: "shakmaty".to_owned(),
                    explanation: format!("{text} is not legal"),
                });
            }
            return;
        };
        let Some(moves) = mate.filter(|&moves| moves > 0) else { return };
        match self.keepers.ask(self.game, mv, moves) {
            Kept::Yes => {}
            Kept::Undecided => self.undecided = true,
            Kept::No(source) => self.find(Fault {
                kind: MateVerdict::Thrown,
                stored: format!("the move {text} after announcing {}", Moves(moves)),
                expected: format!("a move after which the other side is {}", Moves(1 - moves)),
                source: source.to_owned(),
                explanation: format!("after {text} there is no such mate any more"),
            }),
        }
    }

    /// Hears that there is none.
    pub(super) fn unanswered(&mut self, why: &NoAnswer) {
        self.find(Fault {
            kind: MateVerdict::Unanswered,
            stored: format!("no answer: {why}"),
            expected: "an answer".to_owned(),
            source: "shakmaty".to_owned(),
            explanation: "the position is legal".to_owned(),
        });
    }

    /// Keeps the worst fault, of equal ones the first.
    fn find(&mut self, fault: Fault) {
        if self.fault.as_ref().is_none_or(|worst| worst.kind < fault.kind) {
            self.fault = Some(fault);
        }
    }

    /// What is to be said of it.
    pub(super) fn verdict(&self) -> MateVerdict {
        match (&self.fault, self.announced, self.truth.mate()) {
            (Some(fault), ..) => fault.kind,
            (None, None, Some(_)) => MateVerdict::NotFound,
            (None, None, None) if self.truth == Truth::Unknown => MateVerdict::Unknown,
            (None, None, None) => MateVerdict::None,
            (None, ..) if self.undecided => MateVerdict::Undecided,
            (None, Some(announced), Some(mate)) if announced == mate => MateVerdict::Exact,
            (None, Some(_), _) => MateVerdict::Longer,
        }
    }
}

/// An announcement as it was made.
fn said(word: &Line) -> String {
    let bound = match word.bound {
        Bound::Exact => "",
        Bound::Lower => " or more",
        Bound::Upper => " or less",
    };
    format!("{}{bound} at depth {}", word.score, word.depth)
}
