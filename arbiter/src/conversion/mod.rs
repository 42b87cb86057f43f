//! The suite `conversion`: players play out won endings against a perfect defender.
//!
//! A case is a sample: the games of one ending with one set of aids. It agrees if the player answered every
//! question with a legal move and won as many games as the ending demands (see `endings`). Where nothing is
//! demanded, it is observed. If a game cannot be adjudicated to its end, the sample is skipped. `starts`
//! chooses the first positions, `defender` plays the weaker side, `game` plays one game, and `statistics`
//! computes confidence intervals.

mod defender;
mod endings;
mod game;
mod rng;
mod starts;
mod statistics;

#[cfg(test)]
mod tests;

use oracle::parallel;
pub use suites::rows::NotWonReason;
use suites::{Evidence, Findings, Replay, SkipReason, Tally, Verdict};

use self::endings::Ending;
use self::game::{Conditions, GameEnd, PlayedGame};
use self::rng::GameRng;
use self::starts::Start;
use super::{Incident, NoProgress, SuiteContext, SuiteOutcome};
use crate::adjudicator::Adjudicator;
use crate::findings::{Fault, FaultCase};
use crate::player::{Aid, NoAnswer, Setup};
use crate::runner::{PlayerLease, PlayerPool, Reproduction};
use uci::{Limit, Question};

pub use self::endings::materials;
pub use self::statistics::{Interval, interval};

/// The id of the check.
const CHECK: &str = "conversion";
/// A question was not answered with a legal move.
const UNANSWERED: &str = "conversion/unanswered";
/// A player that searches selectively won too few games.
const SHARE: &str = "conversion/share";
/// Another player won too few games.
const WON: &str = "conversion/won";
/// The player announced a mate, and did not win.
const ANNOUNCED: &str = "conversion/announced";
/// A fault did not come again.
const FLAKY: &str = "conversion/flaky";
/// Nodes of a search for a move, unless the user gives a limit.
pub const NODES: u64 = 20_000;

/// The results of the games of one ending with one set of aids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The ending.
    pub ending: String,
    /// The aids that were on.
    pub aids: Setup,
    /// The limit of a search.
    pub limit: Limit,
    /// Games that have to be won, if the ending demands any.
    pub demanded: Option<u64>,
    /// Games played.
    pub games: u64,
    /// Games won by mate.
    pub won: u64,
    /// Games won from a start whose distance to mate is known, and the sum of the plies by which they
    /// exceeded this distance.
    pub plies_lost: (u64, u64),
    /// The games that were not won.
    pub not_won: Vec<NotWon>,
    /// The first wrong answer of each game that did not come again when the same was asked.
    pub flaky: Vec<NotWon>,
}

impl Sample {
    /// How many games had to be won, if fewer were won.
    fn short(&self) -> Option<u64> {
        self.demanded.filter(|&demanded| self.won < demanded)
    }

    /// How many games were not won for this reason.
    pub fn ended(&self, reason: NotWonReason) -> u64 {
        self.not_won.iter().filter(|game| game.reason == reason).count() as u64
    }

    /// The first game with a question that was not answered with a legal move.
    fn unanswered(&self) -> Option<&NotWon> {
        self.not_won.iter().find(|game| game.reason == NotWonReason::Unanswered)
    }
}

/// A game that was not won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotWon {
    /// The FEN at the start.
    pub start: String,
    /// Why it was not won.
    pub reason: NotWonReason,
    /// The FEN before the losing move; without such a move, of the last position.
    pub fen: String,
    /// The losing move, or the answer in place of a move; empty if there is none.
    pub played: String,
    /// The command that asks the last question again.
    pub replay: Replay,
    /// The tables by which the start was won.
    source: &'static str,
    explanation: String,
    /// In how many moves the player announced mate with its last move.
    announced: Option<i32>,
}

/// Plays all samples. The player has this limit for each move.
pub fn run(context: &SuiteContext, limit: Limit) -> SuiteOutcome<Sample> {
    let adjudicator = Adjudicator::new(context.authorities);
    let endings = endings::played(context.effort);
    let starts = parallel::map_each(&endings, |ending| {
        starts::draw(ending, ending.most_games(context.effort), context.seed, &adjudicator)
    });
    let setups = setups(context);
    let games = |ending: &Ending, &setup: &Setup| ending.games(context.effort, is_demanding(context, setup));
    let mut run = ConversionRun { context, adjudicator: &adjudicator, limit, incidents: Vec::new() };
    // The games of all endings with one set-up are played together, so that no core is idle before the end.
    let by_setup: Vec<Vec<Vec<PlayedGame>>> = setups
        .iter()
        .map(|setup| {
            let sizes: Vec<usize> = endings.iter().map(|ending| games(ending, setup)).collect();
            run.play_all(*setup, &endings, &starts, &sizes)
        })
        .collect();
    let (mut all, mut rows) = (Vec::new(), Vec::new());
    for (index, ending) in endings.iter().enumerate() {
        let evidence = Evidence::Sample { seed: context.seed };
        let mut findings = Findings::new(Tally::new(context.players.name(), CHECK, evidence, ending.men));
        for (setup, played) in setups.iter().zip(&by_setup) {
            let size = games(ending, setup);
            if size == 0 {
                continue;
            }
            let played = &played[index];
            let skipped = run.skipped(ending, size, played);
            let sample = run.sample(ending, *setup, played, skipped.is_none());
            match skipped {
                // An illegal move is reported even if other games of the sample are missing.
                Some(reason) if sample.unanswered().is_none() => findings.record(Verdict::Skip(reason)),
                _ => {
                    let again = run.play_again(ending, &sample, &starts[index], played);
                    let announced = run.announced(ending, &sample, &starts[index], played);
                    findings.record(match announced {
                        Err(reason) => Verdict::Skip(reason),
                        Ok(announced) => run.verdict(&sample, again, announced.as_ref()),
                    });
                    rows.push(sample);
                }
            }
        }
        all.push(findings);
    }
    SuiteOutcome::new(context.players.name(), all, rows, run.incidents)
}

/// The sets of aids that are played: all aids; all aids but one; all but tables; all but tables and one other
/// aid; none; each aid alone. The tables are left out since the other aids do not matter where tables have
/// the ending.
fn setups(context: &SuiteContext) -> Vec<Setup> {
    let aids: Vec<Aid> = Aid::ALL.into_iter().filter(|&aid| context.players.has(aid)).collect();
    let full = full(context);
    let without = [full, full.without(Aid::Tables)].into_iter().flat_map(|most| {
        let less = aids.iter().map(move |&aid| most.without(aid));
        [most].into_iter().chain(less)
    });
    let alone = aids.iter().map(|&aid| Setup::NONE.with(aid));
    let mut setups = Vec::new();
    for setup in without.chain([Setup::NONE]).chain(alone) {
        if !setups.contains(&setup) {
            setups.push(setup);
        }
    }
    setups
}

/// All aids that the player can play without.
fn full(context: &SuiteContext) -> Setup {
    let aids = Aid::ALL.into_iter().filter(|&aid| context.players.has(aid));
    aids.fold(Setup::NONE, Setup::with)
}

/// Whether games have to be won with these aids: with all, and with all but tables.
fn is_demanding(context: &SuiteContext, setup: Setup) -> bool {
    let full = full(context);
    setup == full || setup == full.without(Aid::Tables)
}

/// A run of the suite.
struct ConversionRun<'a> {
    context: &'a SuiteContext<'a>,
    adjudicator: &'a Adjudicator<'a>,
    limit: Limit,
    incidents: Vec<Incident>,
}

impl ConversionRun<'_> {
    /// Plays as many games of each ending as `sizes` says; returns them by ending.
    fn play_all(
        &mut self,
        setup: Setup,
        endings: &[&Ending],
        starts: &[Vec<Start>],
        sizes: &[usize],
    ) -> Vec<Vec<PlayedGame>> {
        let jobs: Vec<(usize, usize)> = (0..endings.len())
            .flat_map(|ending| (0..sizes[ending].min(starts[ending].len())).map(move |game| (ending, game)))
            .collect();
        let pool = PlayerPool::new(self.context.players);
        let (all, incidents) = pool.judge_all(
            &jobs,
            |_| "",
            self.context.progress,
            |case_context, &(ending, game)| {
                let rng = GameRng::of_game(self.context.seed, endings[ending].men, game);
                (ending, self.play(setup, case_context.lease(setup), &starts[ending][game], rng))
            },
        );
        self.incidents.extend(incidents);
        let mut by_ending: Vec<Vec<PlayedGame>> = endings.iter().map(|_| Vec::new()).collect();
        for (ending, played) in all {
            by_ending[ending].push(played);
        }
        by_ending
    }

    /// Plays one game.
    fn play(
        &self,
        setup: Setup,
        lease: Result<PlayerLease<'_>, NoAnswer>,
        start: &Start,
        rng: GameRng,
    ) -> PlayedGame {
        let replay = |question: &Question| self.context.players.replay(setup, question);
        let conditions = Conditions { adjudicator: self.adjudicator, limit: self.limit, replay: &replay };
        match lease {
            Ok(mut player) => game::play(&mut player, start, conditions, rng),
            Err(why) => game::never_started(start, conditions, &why),
        }
    }

    /// Why a sample is skipped, if not all its games were played and adjudicated.
    fn skipped(&self, ending: &Ending, size: usize, played: &[PlayedGame]) -> Option<SkipReason> {
        let not_asked = played.iter().find_map(|game| match game.end {
            GameEnd::NotAsked(reason) => Some(reason),
            _ => None,
        });
        let is_missing =
            || played.len() < size || played.iter().any(|game| game.end == GameEnd::NotAdjudicated);
        not_asked.or_else(|| is_missing().then(|| self.adjudicator.absent(ending.men)))
    }

    /// The results of the games that were played to their end. If games are missing, nothing is demanded.
    fn sample(&self, ending: &Ending, aids: Setup, played: &[PlayedGame], is_complete: bool) -> Sample {
        let is_over = |game: &&PlayedGame| matches!(game.end, GameEnd::Won | GameEnd::NotWon(_));
        let games = played.iter().filter(is_over).count() as u64;
        let demand = ending.demand.filter(|_| is_complete && is_demanding(self.context, aids));
        let won = || played.iter().filter(|game| game.end == GameEnd::Won);
        let lost: Vec<u64> = won().filter_map(PlayedGame::plies_lost).collect();
        let not_won = played.iter().filter_map(|game| match &game.end {
            GameEnd::NotWon(not_won) => Some(not_won.clone()),
            _ => None,
        });
        Sample {
            ending: ending.men.to_owned(),
            aids,
            limit: self.limit,
            demanded: demand.map(|demand| demand.of(games)),
            games,
            won: won().count() as u64,
            plies_lost: (lost.len() as u64, lost.iter().sum()),
            not_won: not_won.collect(),
            flaky: played.iter().filter_map(|game| game.flaky.clone()).collect(),
        }
    }

    /// If the player won too few games, plays those that it did not win again, each in a process of its own.
    /// It stops as soon as the player fails to win so many of them again that the sample stays short.
    fn play_again(
        &mut self,
        ending: &Ending,
        sample: &Sample,
        starts: &[Start],
        played: &[PlayedGame],
    ) -> Reproduction {
        let (Some(demanded), None) = (sample.short(), sample.unanswered()) else {
            return Reproduction::FreshProcess;
        };
        let mut allowed = sample.games - demanded;
        let not_won = played.iter().enumerate().filter(|(_, game)| matches!(game.end, GameEnd::NotWon(_)));
        for (number, _) in not_won {
            match self.play_fresh(ending, sample, starts, number) {
                Some(GameEnd::NotAsked(reason)) => return Reproduction::NotAsked(reason),
                Some(GameEnd::NotWon(_)) if allowed == 0 => return Reproduction::FreshProcess,
                Some(GameEnd::NotWon(_)) => allowed -= 1,
                _ => {}
            }
        }
        Reproduction::Never
    }

    /// Plays a game of a sample again, in a process of its own.
    fn play_fresh(
        &mut self,
        ending: &Ending,
        sample: &Sample,
        starts: &[Start],
        number: usize,
    ) -> Option<GameEnd> {
        let pool = PlayerPool::new(self.context.players);
        let (mut again, incidents) = pool.judge_all(
            &[number],
            |_| "",
            &NoProgress,
            |case_context, &number| {
                let lease = case_context.fresh_lease(sample.aids);
                let rng = GameRng::of_game(self.context.seed, ending.men, number);
                self.play(sample.aids, lease, &starts[number], rng).end
            },
        );
        self.incidents.extend(incidents);
        again.pop()
    }

    /// The first game that the player did not win although it announced a mate, if it does the same again.
    ///
    /// # Errors
    /// If the player was not asked again.
    fn announced(
        &mut self,
        ending: &Ending,
        sample: &Sample,
        starts: &[Start],
        played: &[PlayedGame],
    ) -> Result<Option<NotWon>, SkipReason> {
        for (number, game) in played.iter().enumerate() {
            let GameEnd::NotWon(NotWon { announced: Some(_), .. }) = &game.end else { continue };
            match self.play_fresh(ending, sample, starts, number) {
                Some(GameEnd::NotAsked(reason)) => return Err(reason),
                Some(GameEnd::NotWon(again)) if again.announced.is_some() => return Ok(Some(again)),
                _ => {}
            }
        }
        Ok(None)
    }

    /// The verdict on a sample; `again` is whether too few games were won when they were played again, and
    /// `announced` the game that was not won after a mate was announced.
    fn verdict(&self, sample: &Sample, again: Reproduction, announced: Option<&NotWon>) -> Verdict {
        let searches_selectively = self.context.players.searches_selectively();
        let short = sample.short();
        let legal = || "a legal move whenever it is asked".to_owned();
        let (check, which, game, expected) = match (sample.unanswered(), short, sample.not_won.first()) {
            // For players that search selectively, too few wins are only a warning, so an illegal move goes
            // first.
            (Some(game), short, _) if short.is_none() || searches_selectively => {
                (UNANSWERED, "the first game without", game, legal())
            }
            _ if let Some(game) = announced => {
                (ANNOUNCED, "the game", game, "the mate that it announced".to_owned())
            }
            (_, Some(demanded), Some(game)) => {
                let check = if searches_selectively { SHARE } else { WON };
                let least = if demanded == sample.games { "all" } else { "at least" };
                (check, "the first game not won", game, format!("{least} {demanded} won"))
            }
            _ => match sample.flaky.first() {
                Some(game) => {
                    let which = "the first game with a wrong answer that did not come again";
                    (FLAKY, which, game, legal())
                }
                None if sample.demanded.is_none() => return Verdict::Observed,
                None => return Verdict::Agree,
            },
        };
        let mut fault = Fault {
            kind: check,
            stored: match game.announced {
                Some(moves) if check == ANNOUNCED => format!("mate {moves}, and no win").into(),
                _ => format!("{} of {} games won", sample.won, sample.games).into(),
            },
            given: None,
            best: Vec::new(),
            expected: expected.into(),
            source: game.source.to_owned(),
            explanation: format!("{which}, from {}: {}", game.start, game.explanation),
            cause: None,
        };
        // The game has already asked again after wrong answers.
        if matches!(check, SHARE | WON) {
            match again {
                Reproduction::NotAsked(reason) => return Verdict::Skip(reason),
                again if again.is_flaky() => {
                    fault.kind = FLAKY;
                    fault.explanation += "; played again, enough games are won";
                }
                _ => {}
            }
        }
        let check = fault.kind.to_owned();
        fault.verdict(FaultCase {
            player: self.context.players.name(),
            check,
            case: format!("{}/{}", sample.ending, sample.aids),
            fen: &game.fen,
            played: None,
            limit: Some(self.limit.to_string()),
            replay: game.replay.clone(),
        })
    }
}
