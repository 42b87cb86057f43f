//! Subjects that play badly, each in its own way, one that plays perfectly, and what is said of them.

mod defender;
mod liars;
mod samples;

use std::sync::LazyLock;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};

use super::course::Course;
use super::{How, NotWon, Sample, run};
use crate::authorities::Authorities;
use crate::claims::{Claims, EngineTables, Wdl};
use crate::knowledge::three_men;
use crate::subject::{Aid, Limit, NoAnswer, Question, Reply, Setup, Subject, Subjects};
use crate::trials::{Effort, Outcome, Trial, Unwatched};

static TRUTH: LazyLock<&EngineTables> = LazyLock::new(|| three_men().unwrap());

fn certified() -> Authorities<'static> {
    Authorities { truth: Some(*TRUTH), ..Authorities::default() }
}

const LIMIT: Limit = Limit::Nodes(2_000);

fn ask(subjects: &dyn Subjects, authorities: &Authorities, effort: Effort) -> Outcome<Sample> {
    run(&Trial { subjects, authorities, effort, seed: 1, limit: None, watch: &Unwatched }, LIMIT)
}

/// Plays by a function of the game so far.
struct Player<F> {
    aids: &'static [Aid],
    may_be_late: bool,
    choose: F,
}

/// Without aids.
fn player<F: Fn(&Course) -> Result<Option<String>, NoAnswer> + Sync>(choose: F) -> Player<F> {
    Player { aids: &[], may_be_late: false, choose }
}

impl<F: Fn(&Course) -> Result<Option<String>, NoAnswer> + Clone + Send + Sync + 'static> Subjects
    for Player<F>
{
    fn name(&self) -> &'static str {
        "player"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Subject>, NoAnswer> {
        Ok(Box::new(Seated(self.choose.clone())))
    }

    fn has(&self, aid: Aid) -> bool {
        self.aids.contains(&aid)
    }

    fn may_be_late(&self) -> bool {
        self.may_be_late
    }

    fn replay(&self, setup: Setup, question: &Question) -> String {
        format!("{setup}: {}", question.commands().join("; "))
    }
}

struct Seated<F>(F);

impl<F: Fn(&Course) -> Result<Option<String>, NoAnswer> + Send> Subject for Seated<F> {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        assert_eq!(question.limit, LIMIT);
        let best = (self.0)(&course(question))?;
        Ok(Reply { lines: Vec::new(), best, cut: false })
    }
}

fn course(question: &Question) -> Course {
    let mut course = Course::new(position(&question.fen));
    for text in &question.moves {
        let mv = text.parse::<UciMove>().unwrap().to_move(&course.position).unwrap();
        course.play(mv);
    }
    course
}

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

/// What the certified table says of a position: result, and plies to mate.
fn truth(position: &Chess) -> (Wdl, u16) {
    let claim = TRUTH.claim(position.board(), position.turn()).unwrap();
    (claim.wdl, claim.dtm.unwrap_or_default())
}

/// The moves that keep the win, the quickest first.
fn winning(course: &Course) -> Vec<Move> {
    let loses = |&mv: &Move| truth(&course.after(mv)).0 == Wdl::Loss;
    let mut moves: Vec<Move> = course.position.legal_moves().into_iter().filter(loses).collect();
    moves.sort_by_key(|&mv| truth(&course.after(mv)).1);
    moves
}

fn best(course: &Course) -> Move {
    winning(course)[0]
}
