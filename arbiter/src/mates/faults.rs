//! Finds what is wrong with an answer: its announcements one after the other, and its move.

use shakmaty::{Chess, Position};

use super::announcement::{Announcements, Demand, announced, counted_lines};
use super::keeps_mate::{KeepsMate, MateSources};
use super::line::{self, LineVerdict};
use super::truth::{MateIn, Soundness, Truth};
use super::verdict::{MateVerdict, gravity};
use crate::findings::{Fault, RULES};
use crate::player::NoAnswer;
use oracle::board::{self, Accept, FIFTY_MOVES, Game, Spelling, legal_move};
use suites::SharedCause;
use suites::{Answer, Then};
use uci::{Bound, Line, Reply};

/// Whether a fault in the last depth of an answer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastDepth {
    /// Like a fault in any other depth.
    Counts,
    /// The search may not have finished it, so the fault is in doubt.
    InDoubt,
    /// The search has not finished it, so the fault does not count.
    Unfinished,
}

/// What is wrong with an answer.
pub(super) type MateFault = Fault<MateVerdict>;

/// Reads an answer and collects its faults.
pub(super) struct AnswerFaults<'a> {
    game: &'a Game,
    position: &'a Chess,
    pub(super) truth: Truth,
    source: &'static str,
    which: Announcements,
    last_depth: LastDepth,
    /// The greatest depth of the answer.
    deepest: Option<u32>,
    sources: MateSources<'a>,
    /// The last mate that was announced.
    pub(super) announced: Option<i32>,
    /// Nodes up to the first announcement of a forced mate.
    pub(super) nodes: Option<u64>,
    undecided: bool,
    /// The gravest fault.
    pub(super) fault: Option<MateFault>,
    /// A fault in the last depth, which the search may not have finished.
    pub(super) in_doubt: Option<MateFault>,
}

impl<'a> AnswerFaults<'a> {
    /// For an answer to a game of which `truth` is known, by the authority `source`.
    pub(super) fn new(
        game: &'a Game,
        (truth, source): (Truth, &'static str),
        (which, last_depth): (Announcements, LastDepth),
        sources: MateSources<'a>,
    ) -> Self {
        Self {
            game,
            position: game.position(),
            truth,
            source,
            which,
            last_depth,
            deepest: None,
            sources,
            announced: None,
            nodes: None,
            undecided: false,
            fault: None,
            in_doubt: None,
        }
    }

    /// Reads an answer.
    pub(super) fn read(&mut self, reply: &Reply) {
        self.deepest = reply.lines.iter().map(|line| line.depth).max();
        let lines = counted_lines(&reply.lines, self.which);
        let mut last = None;
        for &line in &lines {
            let mate = announced(line);
            let (is_sound, found) = mate.map_or((false, None), |moves| self.announcement(line, moves));
            if found.is_some_and(|found| !self.add(line, found)) {
                last = None;
                continue;
            }
            last = mate.filter(|_| is_sound);
            self.announced = mate.or(self.announced);
        }
        self.best(reply.best.as_deref(), last);
        if self.fault.is_none() && self.in_doubt.is_none() && !self.undecided {
            let last = lines.into_iter().rev().find(|line| announced(line).is_some());
            match last {
                Some(line) => {
                    self.longer(line).map(|found| self.add(line, found));
                }
                None => self.missed(reply),
            }
        }
    }

    /// Adds that no mate was announced, if one was demanded.
    fn missed(&mut self, reply: &Reply) {
        let Some(shortest) = self.demanded().filter(|_| self.which.demand != Demand::Shortest) else {
            return;
        };
        let stored =
            reply.last().map_or(Answer::NoScore(Then::Nothing), |line| crate::answer::of_score(line.score));
        self.keep_gravest(self.not_shortest(MateVerdict::Missed, stored, shortest));
    }

    /// The shortest mate, if it is demanded.
    fn demanded(&self) -> Option<i32> {
        let shortest = self.truth.shortest()?;
        let is_demanded = match self.which.demand {
            Demand::Nothing => false,
            Demand::ByTables => {
                u64::from(self.position.halfmoves()) + line::plies(shortest) <= u64::from(FIFTY_MOVES)
            }
            Demand::Promised | Demand::Shortest => true,
        };
        is_demanded.then_some(shortest)
    }

    /// Adds a fault of a line. Returns whether the line counts.
    fn add(&mut self, line: &Line, found: MateFault) -> bool {
        match self.last_depth {
            LastDepth::InDoubt if Some(line.depth) == self.deepest => self.in_doubt = Some(found),
            LastDepth::Unfinished if Some(line.depth) == self.deepest => return false,
            _ => self.keep_gravest(found),
        }
        true
    }

    /// The fault of the last announcement if it is of a longer mate than the one that is demanded. Bounds are
    /// not compared.
    fn longer(&self, line: &Line) -> Option<MateFault> {
        let (shortest, last) = (self.demanded()?, announced(line)?);
        let is_longer = last != shortest && line.bound == Bound::Exact;
        is_longer.then(|| {
            self.not_shortest(MateVerdict::Longer, crate::answer::of_line(line, Then::Nothing), shortest)
        })
    }

    /// The fault of an answer that does not announce the shortest mate though the suite demands it.
    fn not_shortest(&self, kind: MateVerdict, stored: Answer, shortest: i32) -> MateFault {
        let explanation = format!("{} is forced", MateIn(shortest));
        let (expected, source) = (MateIn(shortest).into(), self.source.to_owned());
        MateFault { kind, stored, given: None, explanation, expected, best: Vec::new(), source, cause: None }
    }

    /// Whether an announced mate is forced, and the fault of the announcement or its line.
    fn announcement(&mut self, line: &Line, moves: i32) -> (bool, Option<MateFault>) {
        match self.truth.judge(self.game, moves, self.sources.limits) {
            Soundness::Sound => {
                self.nodes = self.nodes.or(line.nodes);
                let has_line = line.bound == Bound::Exact;
                (true, has_line.then(|| self.line(line, moves)).flatten())
            }
            Soundness::Undecided => {
                self.undecided = true;
                (false, None)
            }
            Soundness::Unsound => {
                let (mate, why) = (MateIn(moves), "with the halfmove clock and the game as they stand");
                (false, Some(self.wrong(MateVerdict::Unsound, line, format!("{mate} is not forced, {why}"))))
            }
            Soundness::WrongSign => {
                (false, Some(self.wrong(MateVerdict::WrongSign, line, "the other side mates".to_owned())))
            }
        }
    }

    fn wrong(&self, kind: MateVerdict, line: &Line, explanation: String) -> MateFault {
        let expected = match self.truth {
            // The statement of a file refutes nothing.
            Truth::Stated(_) | Truth::Unknown => "no such mate".into(),
            truth => truth.into(),
        };
        let cause = if kind == MateVerdict::Unsound { self.cause_of_unsound(line) } else { None };
        let stored = crate::answer::of_line(line, Then::Nothing);
        MateFault {
            kind,
            stored,
            given: None,
            expected,
            best: Vec::new(),
            source: self.source.to_owned(),
            explanation,
            cause,
        }
    }

    /// The cause of an announced mate that is not forced: the part of the game that the engine overlooks, or
    /// a count that is one move short. `None` if a graver fault is reported.
    fn cause_of_unsound(&self, line: &Line) -> Option<SharedCause> {
        let is_gravest =
            self.fault.as_ref().is_none_or(|worst| gravity(worst.kind) < gravity(MateVerdict::Unsound));
        let moves = announced(line).filter(|_| is_gravest)?;
        let is_sound =
            |game: &Game| Truth::Unknown.judge(game, moves, self.sources.limits) == Soundness::Sound;
        let overlooked = self.overlooked(is_sound);
        if overlooked.is_some() {
            return overlooked;
        }
        match self.truth.shortest() {
            Some(shortest)
                if (shortest > 0) == (moves > 0 || shortest == 1) && shortest.abs() == moves.abs() + 1 =>
            {
                Some(SharedCause::OneMoveShort)
            }
            _ => None,
        }
    }

    /// The part of the game that an engine overlooks if it is right without this part: the earlier positions,
    /// or the clock. `None` if it is neither.
    fn overlooked(&self, is_right: impl Fn(&Game) -> bool) -> Option<SharedCause> {
        if !self.game.moves().is_empty() && is_right(&Game::at(self.position.clone())) {
            return Some(SharedCause::Repetition);
        }
        let early = board::with_clock(&board::fen(self.position), 0);
        let early = early.and_then(|fen| board::position(&fen, Accept::Legal));
        let is_clock = self.position.halfmoves() > 0 && early.is_ok_and(|early| is_right(&Game::at(early)));
        match (is_clock, self.game.moves().is_empty()) {
            (false, _) => None,
            (true, true) => Some(SharedCause::FenClock),
            (true, false) => Some(SharedCause::Clock),
        }
    }

    fn line(&self, line: &Line, moves: i32) -> Option<MateFault> {
        let LineVerdict::Wrong(why, cause) = line::judge(self.game, moves, &line.pv) else { return None };
        Some(MateFault {
            kind: MateVerdict::BadLine,
            stored: crate::answer::of_line(line, Then::Line(line.pv.join(" "))),
            given: line.pv.first().cloned(),
            best: Vec::new(),
            expected: "a line of legal moves to the mate".into(),
            source: RULES.to_owned(),
            explanation: why,
            cause,
        })
    }

    /// Reads the move. If the last announcement is a forced mate, the move has to keep it.
    fn best(&mut self, best: Option<&str>, mate: Option<i32>) {
        let mv = best.and_then(|text| legal_move(self.position, text, Spelling::Tolerant));
        let text = best.unwrap_or("(none)");
        let Some(mv) = mv else {
            if !(self.position.legal_moves().is_empty() && best.is_none()) {
                // An illegal move goes before all other faults.
                self.fault = Some(Fault::illegal_move(MateVerdict::BadMove, text));
            }
            return;
        };
        let Some(moves) = mate.filter(|&moves| moves > 0) else { return };
        match self.sources.keeps_mate(self.game, mv, moves) {
            KeepsMate::Yes => {}
            KeepsMate::Undecided => self.undecided = true,
            KeepsMate::No(source) => self.keep_gravest(MateFault {
                kind: MateVerdict::Thrown,
                stored: format!("the move {text} after announcing {}", MateIn(moves)).into(),
                given: Some(text.to_owned()),
                best: Vec::new(),
                expected: format!("a move after which the other side is {}", MateIn(1 - moves)).into(),
                source: source.to_owned(),
                explanation: format!("after {text} this mate is no longer forced"),
                cause: self.overlooked(|game| self.sources.keeps_mate(game, mv, moves) == KeepsMate::Yes),
            }),
        }
    }

    /// Adds that there is no answer.
    pub(super) fn unanswered(&mut self, why: &NoAnswer) {
        self.keep_gravest(Fault::unanswered(MateVerdict::Unanswered, why));
    }

    /// Keeps the gravest fault, and the first of equal ones.
    fn keep_gravest(&mut self, fault: MateFault) {
        if self.fault.as_ref().is_none_or(|worst| gravity(worst.kind) < gravity(fault.kind)) {
            self.fault = Some(fault);
        }
    }

    /// The verdict on the answer.
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
