//! Plays a game between two running engines.

use std::time::Duration;

use shakmaty::{ByColor, Chess, Color, Move, Position};
use uci::{Engine, Failure, Message, Search};

use oracle::board::{Game, uci_text};

use super::adjudication::{Adjudication, Adjudicator};
use super::clock::{Clock, go, whole_milliseconds};
use super::end::End;
use super::opening::{Opening, append_move};
use super::processor::Meter;
use super::record::{EngineFault, GameRecord, MOST_ANSWER, MOST_NAME, PlayedMove, PlayerRecord, bounded};
use super::rules::Rules;
use super::tables::TableValue;
use super::time_control::TimeControl;
use crate::move_text::is_uci_move;

/// Time after the end of the clock and the margin at which `stop` is sent.
const GRACE: Duration = Duration::from_millis(500);
/// The option that selects the castling of Chess960.
const CHESS960: &str = "UCI_Chess960";

/// A player of a game.
pub struct Player<'a> {
    /// The running engine, after its handshake.
    pub engine: &'a mut Engine,
    /// Its name in the record.
    pub name: &'a str,
    /// The limits of its searches.
    pub time_control: TimeControl,
}

/// The conditions of a game beside its players.
#[derive(Clone, Copy)]
pub struct Conditions<'a> {
    /// How the game begins.
    pub opening: &'a Opening,
    /// What a late answer is.
    pub rules: Rules,
    /// When the game is ended before the rules end it.
    pub adjudication: Adjudication,
    /// Looks a position up in endgame tables. Called if adjudication asks for tables.
    pub probe: &'a (dyn Fn(&Chess) -> Option<TableValue> + Sync),
    /// How long a search without a limit of time may take. Then the engine hangs.
    pub patience: Duration,
}

impl<'a> Conditions<'a> {
    /// The rules of FIDE, no adjudication, and a minute for a search without a limit of time.
    pub fn new(opening: &'a Opening) -> Self {
        Self {
            opening,
            rules: Rules::default(),
            adjudication: Adjudication::default(),
            probe: &|_| None,
            patience: Duration::from_mins(1),
        }
    }
}

/// Plays a game to its end.
///
/// Each engine gets `ucinewgame`, and `UCI_Chess960` if it has that option. The time of a move runs
/// from the moment at which `go` was written to the pipe until the line with `bestmove` arrived there. Before
/// that, off the clock, what the engine has printed unasked is cleared away: it gets `isready` while the other side
/// thinks, and must have answered.
///
/// `is_stopped` is asked before each move, during searches, and when an engine fails, since whatever stops a
/// match may also kill its engines. If it is true the game is unfinished, and a search that runs is cut short.
///
/// An engine that failed is dead afterwards ([`Engine::is_over`]). An engine that is late or plays an illegal
/// move can play the next game. One that hangs ([`End::Hang`]) and answers `stop` is alive, and is not to be used.
pub fn play(
    players: ByColor<Player<'_>>,
    conditions: &Conditions<'_>,
    is_stopped: &dyn Fn() -> bool,
) -> GameRecord {
    let opening = conditions.opening;
    let mut playing = Playing {
        clocks: players.as_ref().map(|player| Clock::new(player.time_control)),
        players,
        conditions,
        is_stopped,
        game: opening.game().clone(),
        position: opening.command(),
        moves: Vec::new(),
        adjudicator: Adjudicator::new(conditions.adjudication),
        unasked: ByColor::default(),
        meters: ByColor::default(),
        fault: None,
    };
    let end = playing.run();
    playing.into_record(end)
}

/// A game that is being played.
struct Playing<'a> {
    players: ByColor<Player<'a>>,
    conditions: &'a Conditions<'a>,
    is_stopped: &'a dyn Fn() -> bool,
    game: Game,
    /// The command `position` with the moves so far.
    position: String,
    moves: Vec<PlayedMove>,
    clocks: ByColor<Clock>,
    adjudicator: Adjudicator,
    /// How often each side printed `bestmove` unasked.
    unasked: ByColor<u64>,
    meters: ByColor<Meter>,
    fault: Option<EngineFault>,
}

impl Playing<'_> {
    fn run(&mut self) -> End {
        if let Err(end) = self.begin() {
            return end;
        }
        loop {
            if let Some(end) = self.judged() {
                return end;
            }
            if (self.is_stopped)() {
                return End::Interrupted;
            }
            if let Err(end) = self.ply() {
                return end;
            }
        }
    }

    /// Begins a new game for both engines. Both prepare it at the same time.
    fn begin(&mut self) -> Result<(), End> {
        let is_chess960 = self.conditions.opening.is_chess960();
        for player in &mut self.players {
            if let Some(option) = player.engine.identity().option(CHESS960) {
                let name = option.name.clone();
                player.engine.set_option(&name, if is_chess960 { "true" } else { "false" });
            }
            player.engine.send("ucinewgame");
            player.engine.ask_ready();
        }
        for side in Color::ALL {
            self.wait_until_ready(side)?;
            let is_timed = self.clocks.get(side).allowance().is_some();
            *self.meters.get_mut(side) = Meter::start(self.players.get(side).engine, is_timed);
        }
        Ok(())
    }

    fn wait_until_ready(&mut self, side: Color) -> Result<(), End> {
        let engine = &mut *self.players.get_mut(side).engine;
        let printed =
            engine.receive_ready().and_then(|before| Ok([before, engine.receive_arrived()?].concat()));
        let printed = printed.map_err(|failure| self.failed(side, &failure, Vec::new(), Duration::ZERO))?;
        let unasked = printed.iter().filter(|message| matches!(message, Message::BestMove(_))).count();
        *self.unasked.get_mut(side) += unasked as u64;
        Ok(())
    }

    /// The end by the rules, else by adjudication.
    fn judged(&self) -> Option<End> {
        let by_rules = End::by_rules(&self.game);
        by_rules.or_else(|| self.adjudicator.end(self.game.position(), &self.conditions.probe))
    }

    /// Asks for a move, judges time and legality, and plays it.
    fn ply(&mut self) -> Result<(), End> {
        let side = self.game.position().turn();
        self.wait_until_ready(side)?;
        let commands = [self.position.clone(), go(side, &self.clocks)];
        let allowance = self.clocks.get(side).allowance();
        let within = allowance.map_or(self.conditions.patience, |time| time + GRACE);
        let meter = self.meters.get_mut(side);
        meter.look(self.players.get(side).engine);
        let sent = self.players.get_mut(side).engine.send_search(&commands);
        self.players.get_mut(!side).engine.ask_ready();
        let engine = &mut *self.players.get_mut(side).engine;
        let is_stopped = self.is_stopped;
        let mut is_cut = || {
            meter.note();
            is_stopped()
        };
        // An engine may report a panic of a thread and play on.
        let search = match engine.receive_search_unless(sent, within, &mut is_cut) {
            Ok(search) if search.stopped && is_stopped() => return Err(End::Interrupted),
            Ok(search) => search,
            Err(failure) => {
                // What a process that was killed got is not known.
                *meter = Meter::default();
                return Err(self.failed(side, &failure, commands.to_vec(), sent.elapsed()));
            }
        };
        let processor = meter.look(engine);
        meter.end_search(search.took);
        let mv = self.checked_move(side, &search, &commands)?;
        let text = uci_text(mv, self.game.position().castles().mode());
        append_move(&mut self.position, &text);
        self.moves.push(PlayedMove {
            processor: processor.map(whole_milliseconds),
            clock: self.clocks.get(side).left(),
            ..PlayedMove::new(text, &search)
        });
        self.game.play(mv);
        let score = self.moves.last().and_then(|played| played.score);
        self.adjudicator.note(self.game.position(), score);
        Ok(())
    }

    /// The move of a search: in time, and legal. Time is judged first.
    fn checked_move(&mut self, side: Color, search: &Search, commands: &[String]) -> Result<Move, End> {
        if let Err(late) = self.clocks.get_mut(side).charge(search.took) {
            let reason = format!("the answer took {} ms, with {} ms on the clock", late.took, late.had);
            let fault = self.fault(side, &reason, commands.to_vec(), search.took);
            self.fault = Some(EngineFault { late: Some(late), ..fault });
            return Err(self.conditions.rules.flag_fall(self.game.position(), side));
        }
        if search.stopped && self.clocks.get(side).allowance().is_none() {
            let waited = self.conditions.patience.as_millis();
            let reason = format!("no bestmove within {waited} ms; it came after stop");
            self.fault = Some(self.fault(side, &reason, commands.to_vec(), search.took));
            return Err(End::Hang { loser: side });
        }
        let answer = &search.best.text;
        self.game.legal(answer).ok_or_else(|| {
            let text = bounded(answer, MOST_ANSWER);
            let text = if text.is_empty() { "bestmove without a move".to_owned() } else { text };
            self.fault =
                Some(self.fault(side, &format!("bestmove {answer}"), commands.to_vec(), search.took));
            if is_uci_move(answer) {
                End::IllegalMove { loser: side, text }
            } else {
                End::BadAnswer { loser: side, text }
            }
        })
    }

    /// The end of a game in which the session of an engine failed, so long after the commands.
    fn failed(&mut self, side: Color, failure: &Failure, commands: Vec<String>, took: Duration) -> End {
        if (self.is_stopped)() {
            return End::Interrupted;
        }
        let fault = self.fault(side, &failure.to_string(), commands, took);
        self.fault = Some(EngineFault { failure: Some(failure.id().to_owned()), ..fault });
        match failure {
            Failure::NotStarted(_) | Failure::Ended { .. } | Failure::Mute { .. } => {
                End::Crash { loser: side }
            }
            Failure::Silent { .. } | Failure::Deaf { .. } => End::Hang { loser: side },
            Failure::Flooded { .. } => End::BadAnswer { loser: side, text: "too much output".to_owned() },
            Failure::Greedy { .. } => End::BadAnswer { loser: side, text: "too much memory".to_owned() },
        }
    }

    fn fault(&self, side: Color, reason: &str, commands: Vec<String>, took: Duration) -> EngineFault {
        let transcript = self.players.get(side).engine.transcript().to_string();
        EngineFault {
            took: whole_milliseconds(took),
            ..EngineFault::new(side, reason, commands, &transcript)
        }
    }

    fn into_record(self, end: End) -> GameRecord {
        let Self { players, unasked, meters, conditions, .. } = self;
        let recorded = players.zip(unasked.zip(meters)).map(|(player, (unasked, meter))| PlayerRecord {
            name: bounded(player.name, MOST_NAME),
            time_control: player.time_control,
            unasked,
            processor: meter.whole(),
        });
        GameRecord {
            white: recorded.white,
            black: recorded.black,
            fen: conditions.opening.fen().to_owned(),
            chess960: conditions.opening.is_chess960(),
            opening: conditions.opening.game().uci_moves(),
            moves: self.moves,
            end,
            fault: self.fault,
            replays: 0,
        }
    }
}
