//! The suite put to players with one fault each, and to one that plays perfectly.

mod defender;
mod faulty;
mod samples;
mod starts;

use std::sync::LazyLock;

use shakmaty::{CastlingMode, Chess, Move, Position};

use super::endings::{self, Ending};
use super::{ANNOUNCED, NotWon, NotWonReason, Sample, WON, run};
use crate::player::{Aid, NoAnswer, PlayerFactory};
use crate::scripted::ScriptedPlayer;
use crate::{Effort, NoProgress, SuiteContext, SuiteOutcome};
use oracle::authorities::Authorities;
use oracle::board::{self, Accept, Game, uci_text};
use oracle::knowledge::three_men;
use oracle::table_probe::{Dtm, EngineTables, TableProbe, Wdl};
use uci::{Limit, Question, Reply};

static TRUTH: LazyLock<&EngineTables> = LazyLock::new(|| three_men().unwrap());

fn certified() -> Authorities<'static> {
    Authorities { truth: Some(*TRUTH), ..Authorities::default() }
}

/// The ending of this name.
fn ending(men: &str) -> &'static Ending {
    endings::played(Effort::Plain).into_iter().find(|ending| ending.men == men).unwrap()
}

const LIMIT: Limit = Limit::Nodes(2_000);

fn ask(players: &dyn PlayerFactory, authorities: &Authorities, effort: Effort) -> SuiteOutcome<Sample> {
    run(&SuiteContext { players, authorities, effort, seed: 1, limit: None, progress: &NoProgress }, LIMIT)
}

/// A player whose move is a function of the game.
fn player(
    choose: impl Fn(&Game) -> Result<Option<String>, NoAnswer> + Send + Sync + 'static,
) -> ScriptedPlayer {
    ScriptedPlayer::new(move |question, _| {
        assert_eq!(question.limit, LIMIT);
        let best = choose(&game(question))?;
        Ok(Reply { best, ..Reply::default() })
    })
}

/// The game of a question, whether it is over or not.
fn game(question: &Question) -> Game {
    let mut game = Game::at(position(&question.fen));
    for text in &question.moves {
        game.play_text(text, board::Spelling::Exact).unwrap();
    }
    game
}

fn position(fen: &str) -> Chess {
    board::position(fen, Accept::Legal).unwrap()
}

fn text(mv: Move) -> String {
    uci_text(mv, CastlingMode::Standard)
}

/// The result and the plies to mate by the certified table.
fn truth(position: &Chess) -> (Wdl, u16) {
    let value = TRUTH.probe(position.board(), position.turn()).unwrap();
    (value.wdl, value.dtm.map_or(0, Dtm::plies))
}

/// The moves that keep the win, the quickest first.
fn winning(game: &Game) -> Vec<Move> {
    let wins = |&mv: &Move| truth(&game.after(mv)).0 == Wdl::Loss;
    let mut moves: Vec<Move> = game.position().legal_moves().into_iter().filter(wins).collect();
    moves.sort_by_key(|&mv| truth(&game.after(mv)).1);
    moves
}

fn best(game: &Game) -> Move {
    winning(game)[0]
}

/// A move that gives the win away, if there is one.
fn throwing(game: &Game) -> Option<Move> {
    let throws = |&mv: &Move| truth(&game.after(mv)).0 != Wdl::Loss;
    game.position().legal_moves().into_iter().find(throws)
}
