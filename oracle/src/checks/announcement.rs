//! What a search announces at depth 1 with the tables it plays by: the mate and its distance, the move, and the line.
//!
//! A case is a won or lost position, one for each symmetry class, checkmates among them; what is drawn is none. The
//! truth is the table that was certified in the same run, never what the search itself finds; moves are shakmaty's.
//! The line has to be legal, as long as the mate is far, and end in it, each ply one nearer to it.
//!
//! The placements are asked for in parts, each of a thinker of its own that begins with nothing: what one remembers of
//! other positions is then the same whatever the number of threads.

use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind};

use engine::tables::Ply;
use engine::thinking::{Answer, Bound, Control, Limits, Report, Thinker};
use engine::{Game, Score, ScoreKind};
use shakmaty::{Chess, Move, Position};
use suites::{Findings, SkipReason, Verdict};

use super::walk::{self, Walked};
use super::{Check, Job, Says, better_move};
use crate::claims::{Claims, Thinkers, Wdl, describe_dtm, engine_board, engine_color};
use crate::positions::Placement;

const CHECK: Check = Check::Announcement;
const TABLE: &str = "certified production table";
const RULES: &str = "shakmaty";

/// Asks for every won or lost position of the job's men.
pub(super) fn run(job: &Job) -> Findings {
    let Some(thinkers) = job.subject.thinkers() else { return job.findings(CHECK) };
    let Some(truth) = job.authorities.truth else {
        let mut findings = job.findings(CHECK);
        let cases = job.authorities.published_decided(job.men).unwrap_or(1);
        findings.tally.skip(SkipReason::NotCertified, cases);
        return findings;
    };
    let visit = |part: &mut Part, placement: &Placement| {
        part.walked.count(placement);
        let Some(position) = placement.legal.as_ref().filter(|_| placement.is_representative()) else {
            return;
        };
        let verdict = match truth.claim(&placement.board, placement.turn) {
            Ok(claim) => match claim.dtm {
                Some(dtm) => part.judge(job, placement, &Case { truth, position, dtm }, thinkers),
                None => return,
            },
            Err(_) => Verdict::Skip(SkipReason::NoSource),
        };
        part.walked.findings.record(verdict);
    };
    let empty = || Part { walked: Walked::new(job.findings(CHECK)), thinker: None };
    let whole = walk::fold(job, empty, visit, |part, other| Part {
        walked: part.walked.join(other.walked),
        thinker: None,
    });
    complete(job, whole.walked)
}

/// The findings, with a difference if the cases are not as many as are won or lost by published counts.
fn complete(job: &Job, walked: Walked) -> Findings {
    let found = walked.findings.tally.total();
    let mut findings = walked.complete(job, CHECK);
    // Where nothing is published, the walk has said so.
    let Some(expected) = job.authorities.published_decided(job.men).filter(|&cases| cases != found) else {
        return findings;
    };
    let says = Says {
        stored: format!("{found} positions asked for"),
        expected: format!("{expected} won or lost positions"),
        source: "published counts",
        explanation: "the check did not ask for every won or lost position, or for more".to_owned(),
    };
    findings.record(job.differ_in(CHECK, "coverage of won and lost positions", says));
    findings
}

/// What was asked for in a part of the placements, and who is asked.
struct Part {
    walked: Walked,
    thinker: Option<Box<dyn Thinker>>,
}

impl Part {
    fn judge(&mut self, job: &Job, placement: &Placement, case: &Case, thinkers: &Thinkers) -> Verdict {
        let thinker = self.thinker.get_or_insert_with(thinkers);
        let asked = ask(&mut **thinker, placement);
        if asked.is_err() {
            self.thinker = None;
        }
        let Some(mut says) = case.fault_of(asked) else { return Verdict::Agree };
        if case.fault_of(ask(&mut *thinkers(), placement)).as_ref() != Some(&says) {
            says.explanation += "; asked for nothing else before, it says otherwise";
        }
        job.differ(CHECK, placement, says)
    }
}

/// What a thinker said of a position.
struct Announcement {
    /// The last report on the best line.
    report: Option<Report>,
    answer: Answer,
}

/// Asks for a position at depth 1. The error is why there is no answer.
fn ask(thinker: &mut dyn Thinker, placement: &Placement) -> Result<Announcement, String> {
    let board = engine_board(&placement.board);
    let position = engine::Position::from_board(board, engine_color(placement.turn))
        .map_err(|error| format!("it refuses the position: {error}"))?;
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let mut report = None;
    let mut listener = |said: &Report| {
        if said.rank == 1 {
            report = Some(said.clone());
        }
    };
    let question = || thinker.think(&Game::new(position), &limits, &Control::default(), &mut listener);
    // What breaks over one position is that position's fault, and no other's.
    let answer = catch_unwind(AssertUnwindSafe(question)).map_err(|_| "it panics".to_owned())?;
    Ok(Announcement { report, answer })
}

/// A won or lost position and its distance to mate in plies.
struct Case<'a> {
    truth: &'a dyn Claims,
    position: &'a Chess,
    dtm: u16,
}

impl Case<'_> {
    /// The first thing that is wrong with what was said, if anything is.
    fn fault_of(&self, asked: Result<Announcement, String>) -> Option<Says> {
        let Announcement { report, answer } = match asked {
            Ok(announcement) => announcement,
            Err(why) => return Some(self.by_table(format!("no answer: {why}"), self.announced())),
        };
        let Some(report) = report else {
            return Some(self.by_table("no report".to_owned(), self.announced()));
        };
        self.score(&report, &answer).or_else(|| self.best(&answer)).or_else(|| self.line(&report, &answer))
    }

    fn score(&self, report: &Report, answer: &Answer) -> Option<Says> {
        let bound = match report.bound {
            Bound::Exact => "",
            Bound::Lower => " or more",
            Bound::Upper => " or less",
        };
        let said = if report.score == answer.score {
            format!("{}{bound}", words(report.score))
        } else {
            format!("{}{bound}, then {}", words(report.score), words(answer.score))
        };
        let expected = self.announced();
        (said != expected).then(|| self.by_table(said, expected))
    }

    fn best(&self, answer: &Answer) -> Option<Says> {
        let Some(best) = answer.best else {
            return (self.dtm > 0).then(|| self.by_table("no move".to_owned(), "a move".to_owned()));
        };
        let Some(mv) = legal(self.position, best) else {
            let why = "the move is not legal".to_owned();
            return Some(by_rules(format!("the move {best}"), "a legal move".to_owned(), why));
        };
        let after = self.distance(&played(self.position, mv));
        let worse = after != Some(self.dtm - 1);
        let comes_to = |dtm| format!("after which the other side sees {}", describe_dtm(dtm));
        worse.then(|| {
            let expected = format!("a move {}", comes_to(Some(self.dtm - 1)));
            self.by_table(format!("the move {best}, {}", comes_to(after)), expected)
        })
    }

    fn line(&self, report: &Report, answer: &Answer) -> Option<Says> {
        let stored = || {
            let moves: Vec<String> = report.line.iter().map(ToString::to_string).collect();
            format!("the line {}", moves.join(" "))
        };
        if report.line.first().copied() != answer.best {
            let best = answer.best.map_or("nothing".to_owned(), |mv| mv.to_string());
            return Some(self.by_table(stored(), format!("a line that begins with {best}")));
        }
        let mut position = self.position.clone();
        for (left, &mv) in (0..self.dtm).rev().zip(&report.line) {
            let Some(legal) = legal(&position, mv) else {
                let why = format!("{mv} is not legal");
                return Some(by_rules(stored(), "a line of legal moves".to_owned(), why));
            };
            position = played(&position, legal);
            let after = self.distance(&position);
            if after != Some(left) {
                let expected = format!("after {mv} {}", describe_dtm(Some(left)));
                return Some(
                    self.by_table(format!("{}: after {mv} {}", stored(), describe_dtm(after)), expected),
                );
            }
        }
        let (length, plies) = (report.line.len(), usize::from(self.dtm));
        let why = match length.cmp(&plies) {
            Ordering::Less => "it ends before checkmate".to_owned(),
            Ordering::Greater => "it goes on after checkmate".to_owned(),
            Ordering::Equal if position.is_checkmate() => return None,
            Ordering::Equal => "it does not end in checkmate".to_owned(),
        };
        Some(by_rules(stored(), format!("a line of {plies} plies to checkmate"), why))
    }

    /// The score that is right.
    fn announced(&self) -> String {
        words(match Wdl::of_dtm(Some(self.dtm)) {
            Wdl::Win => Score::mate_in(Ply(self.dtm)),
            Wdl::Loss | Wdl::Draw => Score::mated_in(Ply(self.dtm)),
        })
    }

    /// What the certified table says of a position that moves have led to.
    fn distance(&self, position: &Chess) -> Option<u16> {
        self.truth.claim(position.board(), position.turn()).ok()?.dtm
    }

    fn by_table(&self, stored: String, expected: String) -> Says {
        Says { stored, expected, source: TABLE, explanation: better_move(self.truth, self.position) }
    }
}

fn by_rules(stored: String, expected: String, explanation: String) -> Says {
    Says { stored, expected, source: RULES, explanation }
}

/// A score as UCI tells it; UCI counts mates in moves, so the plies stand beside it.
fn words(score: Score) -> String {
    match score.kind() {
        ScoreKind::Centipawns(_) => score.to_string(),
        ScoreKind::Mate(Ply(plies)) | ScoreKind::Mated(Ply(plies)) => format!("{score} ({plies} plies)"),
    }
}

/// The legal move of a position that is written with the same squares and the same promotion.
fn legal(position: &Chess, mv: engine::Move) -> Option<Move> {
    let promotion = mv.promotion.map(engine::Role::to_char);
    position.legal_moves().into_iter().find(|legal| {
        legal.from().is_some_and(|from| usize::from(from) == mv.from.index())
            && usize::from(legal.to()) == mv.to.index()
            && legal.promotion().map(shakmaty::Role::char) == promotion
    })
}

fn played(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}
