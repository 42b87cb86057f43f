//! Plays the games of a schedule, several at the same time: starts engines, keeps them from game to game, and
//! starts those anew that died.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use shakmaty::{ByColor, Chess};
use uci::{Engine, Failure, Program, Timeouts};

use super::openings::{Book, OpeningOrder};
use super::schedule::ScheduledGame;
use crate::game::{self, Adjudication, Conditions, End, GameRecord, Opening, Player, Rules, TimeControl};
use crate::game_tables::GameTables;
use crate::sync::locked;

/// An engine of a match.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// The program. Its name is that in the records.
    pub program: Program,
    /// The limits of its searches.
    pub time_control: TimeControl,
}

/// How the games of a match are played.
pub struct Host<'a> {
    /// The engines, by their index in the schedule.
    pub entrants: &'a [Entrant],
    /// The openings.
    pub book: &'a Book,
    /// Which pair gets which opening.
    pub order: &'a OpeningOrder,
    /// What a late answer is.
    pub rules: Rules,
    /// When a game is ended before the rules end it.
    pub adjudication: Adjudication,
    /// The tables of adjudication.
    pub tables: &'a GameTables,
    /// How long a search without a limit of time may take.
    pub patience: Duration,
    /// How often at most a game is played again in which a starved engine was late.
    pub most_replays: u32,
    /// Games at the same time.
    pub concurrency: usize,
}

/// What happens to a game of a match.
#[derive(Debug)]
pub enum GameEvent {
    /// It begins.
    Started,
    /// It ended.
    Finished(Box<GameRecord>),
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// An engine does not start, at two tries.
    #[error(
        "{engine} does not start: {failure}; the games so far are kept, and --resume goes on with the match"
    )]
    Start {
        /// Its name.
        engine: String,
        /// How it fails.
        failure: Failure,
    },
    /// An opening of the book cannot be played.
    #[error("the opening of game {game} cannot be played: {fault}")]
    Opening {
        /// The number of the game.
        game: u64,
        /// What is wrong.
        fault: String,
    },
}

impl Host<'_> {
    /// Plays games, and tells `happened` when one begins and when it ends, in this order. If that returns
    /// false no other game is begun, and those that are being played are broken off.
    ///
    /// # Errors
    /// The first reason why the match cannot go on. The games that were finished before have been handed over.
    pub fn play(
        &self,
        games: impl Iterator<Item = ScheduledGame> + Send,
        happened: &mut dyn FnMut(ScheduledGame, GameEvent) -> bool,
    ) -> Result<(), HostError> {
        let is_stopped = AtomicBool::new(false);
        let games = Mutex::new(games);
        // A worker waits until its last games are noted: memory does not grow, and few games are lost to a kill.
        let (sender, receiver) = mpsc::sync_channel(self.concurrency);
        let mut result = Ok(());
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let (games, is_stopped) = (&games, &is_stopped);
                scope.spawn(move || self.work(&|| locked(games).next(), is_stopped, &sender));
            }
            drop(sender);
            for (game, event) in receiver {
                let goes_on = match event {
                    Ok(GameEvent::Finished(record)) if record.end == End::Interrupted => true,
                    Ok(event) => is_stopped.load(Ordering::Relaxed) || happened(game, event),
                    Err(error) => {
                        if result.is_ok() {
                            result = Err(error);
                        }
                        false
                    }
                };
                if !goes_on {
                    is_stopped.store(true, Ordering::Relaxed);
                }
            }
        });
        result
    }

    /// Plays one game after the other.
    fn work(
        &self,
        next: &dyn Fn() -> Option<ScheduledGame>,
        is_stopped: &AtomicBool,
        events: &mpsc::SyncSender<(ScheduledGame, Result<GameEvent, HostError>)>,
    ) {
        let is_stopped = || is_stopped.load(Ordering::Relaxed) || uci::all_are_ended();
        let mut seats: Vec<Option<Engine>> = self.entrants.iter().map(|_| None).collect();
        while !is_stopped()
            && let Some(game) = next()
        {
            let tell = |event| events.send((game, event)).is_ok();
            let goes_on = tell(Ok(GameEvent::Started)) && {
                let mut play = || self.play_one(&game, &mut seats, &is_stopped);
                let played = counted(self.most_replays, &mut play);
                tell(played.map(|record| GameEvent::Finished(Box::new(record))))
            };
            if !goes_on {
                break;
            }
        }
        for engine in seats.into_iter().flatten() {
            engine.quit();
        }
    }

    fn play_one(
        &self,
        game: &ScheduledGame,
        seats: &mut [Option<Engine>],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<GameRecord, HostError> {
        let opening = self.opening(game)?;
        let sides = ByColor { white: game.white(), black: game.black() };
        // No more engines run than play.
        for (index, seat) in seats.iter_mut().enumerate() {
            if ![sides.white, sides.black].contains(&index)
                && let Some(engine) = seat.take()
            {
                engine.quit();
            }
        }
        for &index in [&sides.white, &sides.black] {
            if seats[index].as_ref().is_none_or(Engine::is_over) {
                seats[index] = Some(self.start(index)?);
            }
        }
        let conditions = Conditions {
            rules: self.rules,
            adjudication: self.adjudication,
            patience: self.patience,
            probe: &|position: &Chess| self.tables.probe(position),
            ..Conditions::new(&opening)
        };
        let mut seated =
            seats.iter_mut().enumerate().filter_map(|(index, seat)| Some((index, seat.as_mut()?)));
        let (Some(one), Some(other)) = (seated.next(), seated.next()) else {
            unreachable!("both engines were started")
        };
        let (white, black) = if one.0 == sides.white { (one, other) } else { (other, one) };
        let player = |(index, engine)| {
            let Entrant { program, time_control } = &self.entrants[index];
            Player { engine, name: &program.name, time_control: *time_control }
        };
        let players = ByColor { white: player(white), black: player(black) };
        let record = game::play(players, &conditions, is_stopped);
        // An engine that hangs may be alive, if it answers `stop`.
        if let End::Hang { loser } = record.end {
            seats[*sides.get(loser)] = None;
        }
        Ok(record)
    }

    fn opening(&self, game: &ScheduledGame) -> Result<Opening, HostError> {
        let fault = |fault: String| HostError::Opening { game: game.number, fault };
        let index = self.order.index(game.pair);
        let opening =
            self.book.opening(index).ok_or_else(|| fault(format!("the book has no opening {index}")))?;
        let fen = opening.fen.as_deref().unwrap_or(game::START_FEN);
        Opening::new(fen, opening.is_chess960, &opening.moves).map_err(|error| fault(error.to_string()))
    }

    fn start(&self, index: usize) -> Result<Engine, HostError> {
        let program = &self.entrants[index].program;
        Engine::start(program, Timeouts::default())
            .or_else(|_| Engine::start(program, Timeouts::default()))
            .map_err(|failure| HostError::Start { engine: program.name.clone(), failure })
    }
}

/// The game that counts: the first one that no starved engine lost on time, or the last one that may be played.
fn counted<E>(most_replays: u32, play: &mut dyn FnMut() -> Result<GameRecord, E>) -> Result<GameRecord, E> {
    let mut record = play()?;
    for replays in 1..=most_replays {
        if !record.is_starved_flag_fall() {
            break;
        }
        record = GameRecord { replays, ..play()? };
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use shakmaty::Color;

    use super::*;
    use crate::game::{PlayerRecord, ProcessorUse};

    /// A game that Black lost on time, with what it got of the processor.
    fn late(waited: u64) -> GameRecord {
        let player = |processor| PlayerRecord {
            name: "engine".to_owned(),
            time_control: "tc=1".parse().unwrap(),
            unasked: 0,
            processor,
        };
        GameRecord {
            white: player(ProcessorUse { ran: 1, waited: 1_000 }),
            black: player(ProcessorUse { ran: 500, waited }),
            fen: game::START_FEN.to_owned(),
            chess960: false,
            opening: Vec::new(),
            moves: Vec::new(),
            end: End::TimeForfeit { loser: Color::Black },
            fault: None,
            replays: 0,
        }
    }

    #[test]
    fn games_that_a_starved_engine_lost_on_time_are_played_again() {
        // How long Black waited in each game; how many games may be played again, and are.
        let check = |games: &[u64], most: u32, expected: u32| {
            let mut games = games.iter();
            let record = counted(most, &mut || Ok::<_, Infallible>(late(*games.next().unwrap()))).unwrap();
            assert_eq!(record.replays, expected, "{games:?}");
        };
        let (starved, fed) = (501, 499);
        check(&[starved], 0, 0);
        check(&[fed, starved], 3, 0);
        check(&[starved, fed, starved], 3, 1);
        check(&[starved, starved, fed], 3, 2);
        check(&[starved; 4], 3, 3);
    }
}
