//! PlayerFactory that play badly, each in its own way, one that plays perfectly, and what is said of them.

mod defender;
mod faulty;
mod samples;

use std::sync::LazyLock;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};

use super::position_history::PositionHistory;
use super::{How, NotWon, Sample, run};
use crate::player::{Aid, NoAnswer, Player, PlayerFactory, Setup};
use crate::{Effort, NoProgress, Outcome, SuiteContext};
use oracle::authorities::Authorities;
use oracle::knowledge::three_men;
use oracle::table_probe::{EngineTables, TableProbe, Wdl};
use uci::{Limit, Question, Reply};

static TRUTH: LazyLock<&EngineTables> = LazyLock::new(|| three_men().unwrap());

fn certified() -> Authorities<'static> {
    Authorities { truth: Some(*TRUTH), ..Authorities::default() }
}

const LIMIT: Limit = Limit::Nodes(2_000);

fn ask(subjects: &dyn PlayerFactory, authorities: &Authorities, effort: Effort) -> Outcome<Sample> {
    run(
        &SuiteContext { players: subjects, authorities, effort, seed: 1, limit: None, progress: &NoProgress },
        LIMIT,
    )
}

/// Plays by a function of the game so far.
struct ScriptedPlayer<F> {
    aids: &'static [Aid],
    searches_selectively: bool,
    choose: F,
}

/// Without aids.
fn player<F: Fn(&PositionHistory) -> Result<Option<String>, NoAnswer> + Sync>(
    choose: F,
) -> ScriptedPlayer<F> {
    ScriptedPlayer { aids: &[], searches_selectively: false, choose }
}

impl<F: Fn(&PositionHistory) -> Result<Option<String>, NoAnswer> + Clone + Send + Sync + 'static>
    PlayerFactory for ScriptedPlayer<F>
{
    fn name(&self) -> &'static str {
        "player"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        Ok(Box::new(Seated(self.choose.clone())))
    }

    fn has(&self, aid: Aid) -> bool {
        self.aids.contains(&aid)
    }

    fn searches_selectively(&self) -> bool {
        self.searches_selectively
    }

    fn replay(&self, setup: Setup, question: &Question) -> String {
        format!("{setup}: {}", question.commands().join("; "))
    }
}

struct Seated<F>(F);

impl<F: Fn(&PositionHistory) -> Result<Option<String>, NoAnswer> + Send> Player for Seated<F> {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        assert_eq!(question.limit, LIMIT);
        let best = (self.0)(&course(question))?;
        Ok(Reply { lines: Vec::new(), best, cut: false })
    }
}

fn course(question: &Question) -> PositionHistory {
    let mut course = PositionHistory::new(position(&question.fen));
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
    let claim = TRUTH.probe(position.board(), position.turn()).unwrap();
    (claim.wdl, claim.dtm.unwrap_or_default())
}

/// The moves that keep the win, the quickest first.
fn winning(course: &PositionHistory) -> Vec<Move> {
    let loses = |&mv: &Move| truth(&course.after(mv)).0 == Wdl::Loss;
    let mut moves: Vec<Move> = course.position.legal_moves().into_iter().filter(loses).collect();
    moves.sort_by_key(|&mv| truth(&course.after(mv)).1);
    moves
}

fn best(course: &PositionHistory) -> Move {
    winning(course)[0]
}
