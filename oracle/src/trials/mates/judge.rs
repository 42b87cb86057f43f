//! One verdict a case: what is wrong with an answer, if anything is, and what it is worth.

use shakmaty::{Chess, Position};
use suites::{Difference, SkipReason, Verdict};

use super::kept::{Keepers, Kept};
use super::line::{self, LineVerdict};
use super::truth::{Moves, Soundness, Truth, is_over};
use super::word::{Announcements, Demand, announced, words};
use super::{CHECK, MateRow};
use crate::game::Game;
use crate::prover::Limits;
use crate::subject::{Bound, Line, NoAnswer, Reply};
use crate::trials::blank::Right;
use crate::trials::worth::Judge;

/// What is to be said of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MateVerdict {
    /// The shortest mate was announced.
    Exact,
    /// A longer one than there is.
    Longer,
    /// No mate was announced, and there is none.
    None,
    /// No mate was announced, and there is none; but the subject announces too few of those that there are.
    NotToldApart,
    /// No mate was announced, and there is one.
    NotFound,
    /// No mate was announced, and nobody knows whether there is one.
    Unknown,
    /// A mate was announced of which nobody knows whether it is there, or whether the move keeps it.
    Undecided,
    /// The line of the position says nothing: nobody was asked.
    Malformed,
    /// Nobody was asked, for time was over, or the subject was given up.
    NotAsked,
    /// The move loses the mate that was announced.
    Thrown,
    /// The line is not legal, or does not mate.
    BadLine,
    /// The move is not legal.
    BadMove,
    /// A mate was announced that is not there.
    Unsound,
    /// A mate was announced for the wrong side.
    WrongSign,
    /// There was no answer.
    Unanswered,
}

impl MateVerdict {
    /// All.
    pub const ALL: [Self; 15] = [
        Self::Exact,
        Self::Longer,
        Self::None,
        Self::NotToldApart,
        Self::NotFound,
        Self::Unknown,
        Self::Undecided,
        Self::Malformed,
        Self::NotAsked,
        Self::Thrown,
        Self::BadLine,
        Self::BadMove,
        Self::Unsound,
        Self::WrongSign,
        Self::Unanswered,
    ];

    /// Id of the check that speaks of it.
    const fn check(self) -> &'static str {
        match self {
            Self::Thrown => "mate/thrown",
            Self::BadLine => "mate/line",
            Self::BadMove => "mate/move",
            Self::Unsound => "mate/unsound",
            Self::WrongSign => "mate/sign",
            Self::Unanswered => "mate/unanswered",
            Self::Longer => "mate/longer",
            Self::Exact
            | Self::None
            | Self::NotToldApart
            | Self::NotFound
            | Self::Unknown
            | Self::Undecided
            | Self::Malformed
            | Self::NotAsked => CHECK,
        }
    }

    /// As it stands in the report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Longer => "longer",
            Self::None => "none",
            Self::NotToldApart => "not told apart",
            Self::NotFound => "not found",
            Self::Unknown => "unknown",
            Self::Undecided => "undecided",
            Self::Malformed => "malformed",
            Self::NotAsked => "not asked",
            Self::Thrown => "thrown",
            Self::BadLine => "bad line",
            Self::BadMove => "bad move",
            Self::Unsound => "unsound",
            Self::WrongSign => "wrong sign",
            Self::Unanswered => "unanswered",
        }
    }
}

/// A position, and what is known of it.
pub(super) struct Case<'a> {
    pub(super) suite: &'a str,
    /// In the report.
    pub(super) name: String,
    /// Among differences: begins with the class and a slash.
    pub(super) id: String,
    pub(super) class: String,
    pub(super) fen: &'a str,
    /// The moves of the game since.
    pub(super) moves: &'a [String],
    /// `None` if the FEN is no position.
    pub(super) game: Option<&'a Game>,
    /// Before anybody is asked.
    pub(super) truth: Truth,
    /// The proof of that which stands beside the suite.
    pub(super) proof: Option<&'a str>,
    /// Who says so, and who is asked for what is not known.
    pub(super) source: &'static str,
}

/// What came of a case.
pub(super) struct Judged {
    /// `None` if nobody was asked.
    pub(super) verdict: Option<Verdict>,
    pub(super) row: MateRow,
    /// What the right answer looks like; `None` if nobody knows it.
    pub(super) right: Option<Right>,
    /// The depth of the announcement that is at fault.
    pub(super) depth: Option<u32>,
}

impl Judged {
    /// Why nobody was asked, though there is a position.
    pub(super) fn not_asked(&self) -> Option<SkipReason> {
        match self.verdict {
            Some(Verdict::Skip(reason)) if self.row.verdict == MateVerdict::NotAsked => Some(reason),
            _ => None,
        }
    }
}

/// Judges the reply to a case, or that there is none. `replay` shows the reply again.
pub(super) fn judge(
    subject: &str,
    case: &Case<'_>,
    reply: Option<Result<Reply, NoAnswer>>,
    (which, limits, tables): (Announcements, &Limits, &Judge<'_>),
    replay: &dyn Fn() -> String,
) -> Judged {
    let mut row = MateRow {
        suite: case.suite.to_owned(),
        case: case.name.clone(),
        class: case.class.clone(),
        mate: case.truth.mate(),
        evidence: case.truth.evidence(),
        announced: None,
        verdict: MateVerdict::Malformed,
        nodes: None,
    };
    let (Some(game), Some(reply)) = (case.game, reply) else {
        return Judged { verdict: None, row, right: None, depth: None };
    };
    if let Some(reason) = reply.as_ref().err().and_then(NoAnswer::skip) {
        row.verdict = MateVerdict::NotAsked;
        return Judged { verdict: Some(Verdict::Skip(reason)), row, right: None, depth: None };
    }
    let (truth, source) = (case.truth, case.source);
    let mut hearing = Hearing {
        game,
        position: game.position(),
        truth,
        source,
        which,
        limits,
        keepers: Keepers { tables, proof: case.proof, limits },
        announced: None,
        nodes: None,
        undecided: false,
        fault: None,
    };
    match &reply {
        Ok(reply) => hearing.hear(reply),
        Err(why) => hearing.unanswered(why),
    }
    row.mate = hearing.truth.mate();
    row.evidence = hearing.truth.evidence();
    row.announced = hearing.announced;
    row.nodes = hearing.nodes;
    row.verdict = hearing.verdict();
    let depth = hearing.fault.as_ref().and_then(|fault| fault.depth);
    let verdict = match hearing.fault {
        Some(fault) => Verdict::Differ(Box::new(Difference {
            subject: subject.to_owned(),
            check: fault.kind.check().to_owned(),
            case: case.id.clone(),
            fen: case.fen.to_owned(),
            stored: fault.stored,
            expected: fault.expected,
            source: fault.source,
            explanation: fault.explanation,
            replay: replay(),
        })),
        None => match row.verdict {
            MateVerdict::Undecided => Verdict::Skip(SkipReason::Undecided),
            MateVerdict::NotFound | MateVerdict::Unknown => Verdict::Observed,
            _ => Verdict::Agree,
        },
    };
    Judged { verdict: Some(verdict), row, right: hearing.truth.right(), depth }
}

/// What is wrong with an answer.
struct Fault {
    kind: MateVerdict,
    stored: String,
    expected: String,
    source: String,
    explanation: String,
    /// The depth of the announcement that is at fault; `None` if none is.
    depth: Option<u32>,
}

/// What has been heard of an answer so far.
struct Hearing<'a> {
    game: &'a Game,
    position: &'a Chess,
    truth: Truth,
    source: &'static str,
    which: Announcements,
    limits: &'a Limits,
    keepers: Keepers<'a>,
    announced: Option<i32>,
    nodes: Option<u64>,
    undecided: bool,
    fault: Option<Fault>,
}

impl Hearing<'_> {
    fn hear(&mut self, reply: &Reply) {
        let words = words(&reply.lines, self.which);
        let mut last = None;
        for &word in &words {
            let claim = announced(word);
            last = claim
                .filter(|&moves| self.announcement(word, moves) == Soundness::Sound)
                .map(|moves| (moves, word.depth));
            self.announced = claim.or(self.announced);
        }
        self.best(reply.best.as_deref(), last);
        if self.fault.is_none() && !self.undecided {
            let last = words.into_iter().rev().find(|word| announced(word).is_some());
            self.fault = last.and_then(|word| self.longer(word));
        }
    }

    /// What is wrong with the last announcement if the shortest mate is demanded, and it is of a longer one. A bound says
    /// nothing of that.
    fn longer(&self, word: &Line) -> Option<Fault> {
        let (shortest, last) = (self.truth.shortest()?, announced(word)?);
        let is_demanded = match self.which.demand {
            Demand::Nothing => false,
            Demand::ByTables => u64::from(self.position.halfmoves()) + line::plies(shortest) <= 100,
            Demand::Shortest => true,
        };
        (is_demanded && last != shortest && word.bound == Bound::Exact).then(|| Fault {
            kind: MateVerdict::Longer,
            stored: said(word),
            expected: Moves(shortest).to_string(),
            source: self.source.to_owned(),
            explanation: format!("{} is forced", Moves(shortest)),
            depth: Some(word.depth),
        })
    }

    fn announcement(&mut self, word: &Line, moves: i32) -> Soundness {
        let soundness = self.truth.judge(self.game, moves, self.limits);
        match soundness {
            Soundness::Sound => {
                self.nodes = self.nodes.or(word.nodes);
                if word.bound == Bound::Exact {
                    self.line(word, moves);
                }
            }
            Soundness::Undecided => self.undecided = true,
            Soundness::Unsound => {
                let why = format!(
                    "{} is not forced, with the halfmove clock and the game as they stand",
                    Moves(moves)
                );
                self.wrong(MateVerdict::Unsound, word, why);
            }
            Soundness::WrongSign => {
                self.wrong(MateVerdict::WrongSign, word, "it is the other side that mates".to_owned());
            }
        }
        soundness
    }

    fn wrong(&mut self, kind: MateVerdict, word: &Line, explanation: String) {
        let expected = match self.truth {
            // What a file says is not what refutes.
            Truth::Word(_) | Truth::Unknown => "no such mate".to_owned(),
            truth => truth.to_string(),
        };
        self.find(Fault {
            kind,
            stored: said(word),
            expected,
            source: self.source.to_owned(),
            explanation,
            depth: Some(word.depth),
        });
    }

    fn line(&mut self, word: &Line, moves: i32) {
        if let LineVerdict::Wrong(why) = line::judge(self.game, moves, &word.pv) {
            self.find(Fault {
                kind: MateVerdict::BadLine,
                stored: format!("{} with the line {}", said(word), word.pv.join(" ")),
                expected: "a line of legal moves to the mate".to_owned(),
                source: "shakmaty".to_owned(),
                explanation: why,
                depth: Some(word.depth),
            });
        }
    }

    /// The move, and whether it keeps a mate that was announced last and is there.
    fn best(&mut self, best: Option<&str>, mate: Option<(i32, u32)>) {
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
                    depth: None,
                });
            }
            return;
        };
        let Some((moves, depth)) = mate.filter(|&(moves, _)| moves > 0) else { return };
        match self.keepers.ask(self.game, mv, moves) {
            Kept::Yes => {}
            Kept::Undecided => self.undecided = true,
            Kept::No(source) => self.find(Fault {
                kind: MateVerdict::Thrown,
                stored: format!("the move {text} after announcing {}", Moves(moves)),
                expected: format!("a move after which the other side is {}", Moves(1 - moves)),
                source: source.to_owned(),
                explanation: format!("after {text} there is no such mate any more"),
                depth: Some(depth),
            }),
        }
    }

    fn unanswered(&mut self, why: &NoAnswer) {
        self.find(Fault {
            kind: MateVerdict::Unanswered,
            stored: format!("no answer: {why}"),
            expected: "an answer".to_owned(),
            source: "shakmaty".to_owned(),
            explanation: "the position is legal".to_owned(),
            depth: None,
        });
    }

    /// Keeps the worst fault, of equal ones the first.
    fn find(&mut self, fault: Fault) {
        if self.fault.as_ref().is_none_or(|worst| worst.kind < fault.kind) {
            self.fault = Some(fault);
        }
    }

    fn verdict(&self) -> MateVerdict {
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
