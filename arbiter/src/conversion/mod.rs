//! Does it win what is won? Won endings, drawn with a seed, played out against a defender who errs nowhere.
//!
//! A case is a sample: one ending with one set of aids. It agrees if the subject answered every question with a legal
//! move, and won as many games as the ending demands of it (see `endings`); where nothing is demanded, it is observed. In reading order: what is played, who
//! judges, where games begin, the rules, the defender, one game, and what the counts say.
//!
//! Whatever is unsure of itself here would blame the subject: a game that the judges cannot follow to its end is no
//! verdict on anybody, and its sample is skipped.

mod defender;
mod endings;
mod game;
mod position_history;
mod rng;
mod starts;
mod statistics;

#[cfg(test)]
mod tests;

use rayon::prelude::*;
use suites::{Difference, Evidence, Findings, SkipReason, Tally, Verdict};

use self::endings::Ending;
use self::game::{End, Fault, Played};
use self::rng::GameRng;
use self::starts::Start;
use super::{Incident, NoProgress, Outcome, SuiteContext};
use crate::adjudicator::Judge;
use crate::player::{Aid, NoAnswer, Setup};
use crate::runner::{CaseContext, PlayerLease, PlayerPool, Reproduction};
use uci::Limit;

pub use self::statistics::{Interval, interval};

const CHECK: &str = "conversion";
/// Id of what did not come again.
const FLAKY: &str = "conversion/flaky";
/// Positions that a subject visits for a move, if nobody wants it otherwise.
pub const NODES: u64 = 20_000;

/// How the games of one ending with one set of aids came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The ending.
    pub ending: String,
    /// The aids that were on.
    pub aids: Setup,
    /// How long the subject thought about a move.
    pub limit: Limit,
    /// Games that must be won for the sample to agree, if the ending demands any.
    pub demanded: Option<u64>,
    /// Games played.
    pub games: u64,
    /// Won by mate.
    pub won: u64,
    /// Games won from a start whose distance to mate is known, and the plies that they took longer, all together.
    pub plies_lost: (u64, u64),
    /// The games that were not won.
    pub not_won: Vec<NotWon>,
    /// Games in which an answer was wrong that was right when the same was asked again: the first such answer of each.
    pub flaky: Vec<NotWon>,
}

impl Sample {
    /// How many games had to be won, if fewer were.
    fn short(&self) -> Option<u64> {
        self.demanded.filter(|&demanded| self.won < demanded)
    }

    /// How many games ended so.
    pub fn ended(&self, how: How) -> u64 {
        self.not_won.iter().filter(|game| game.how == how).count() as u64
    }

    /// The first game in which a question was not answered, or not with a legal move.
    fn unanswered(&self) -> Option<&NotWon> {
        self.not_won.iter().find(|game| game.how == How::Unanswered)
    }
}

/// A game that was not won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotWon {
    /// Where it began.
    pub start: String,
    /// How it ended.
    pub how: How,
    /// The position before the move that is to blame; without such a move the last one.
    pub fen: String,
    /// That move, or what stood in its place; empty if there is none.
    pub played: String,
    /// The command that asks the subject's last question again.
    pub replay: String,
    /// Who says that it could be won.
    source: &'static str,
    why: String,
}

/// How a game ends that is not won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// A move after which the position is no longer won.
    Thrown,
    /// A hundred plies without capture or pawn's move, while still won.
    FiftyMoves,
    /// The position stands for the third time, while still won.
    Repetition,
    /// No answer, or no legal move.
    Unanswered,
}

impl How {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Thrown => "thrown",
            Self::FiftyMoves => "fifty moves",
            Self::Repetition => "repetition",
            Self::Unanswered => "unanswered",
        }
    }
}

/// Plays all samples; a subject thinks so long about each move.
pub fn run(context: &SuiteContext, limit: Limit) -> Outcome<Sample> {
    let judge = Judge::of(context.authorities);
    let endings = endings::played(context.effort);
    let drawn: Vec<Vec<Start>> = endings
        .par_iter()
        .map(|ending| starts::draw(ending.men, ending.most_games(context.effort), context.seed, &judge))
        .collect();
    let setups = setups(context);
    let games = |ending: &Ending, &setup: &Setup| ending.games(context.effort, is_demanding(context, setup));
    let counts = endings.iter().flat_map(|ending| setups.iter().map(|setup| games(ending, setup)));
    context.progress.begin(counts.sum::<usize>() as u64);
    let table = Table { context, judge: &judge, limit };
    // All games of one setup together, so that the cores have work to the end.
    let mut incidents = Vec::new();
    let by_setup: Vec<Vec<Vec<Played>>> = setups
        .iter()
        .map(|setup| {
            let sizes: Vec<usize> = endings.iter().map(|ending| games(ending, setup)).collect();
            table.play(*setup, &endings, &drawn, &sizes, &mut incidents)
        })
        .collect();
    let (mut all, mut rows) = (Vec::new(), Vec::new());
    for (place, ending) in endings.iter().enumerate() {
        let tally =
            Tally::new(context.players.name(), CHECK, Evidence::Sample { seed: context.seed }, ending.men);
        let mut findings = Findings::new(tally);
        for (setup, played) in setups.iter().zip(&by_setup) {
            let size = games(ending, setup);
            if size == 0 {
                continue;
            }
            let missing = table.missing(ending, size, &played[place]);
            let sample = table.sample(ending, *setup, &played[place], missing.is_none());
            match missing {
                // What was seen of a sample that is not whole was seen all the same.
                Some(reason) if sample.unanswered().is_none() => findings.record(Verdict::Skip(reason)),
                _ => {
                    let again = table.again(ending, &sample, &drawn[place], &played[place], &mut incidents);
                    findings.record(table.verdict(&sample, &again));
                    rows.push(sample);
                }
            }
        }
        all.push(findings);
    }
    Outcome::new(context.players.name(), all, rows, incidents)
}

/// With all aids that the subject has, and without each of them; the latter without tables too, for where they have the
/// ending they leave nothing to the others; with none, and with each alone.
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

/// All aids that the subject can go without.
fn full(context: &SuiteContext) -> Setup {
    let aids = Aid::ALL.into_iter().filter(|&aid| context.players.has(aid));
    aids.fold(Setup::NONE, Setup::with)
}

/// Whether endings make demands of a subject with these aids: as it plays, and as it plays where it has no tables.
fn is_demanding(context: &SuiteContext, setup: Setup) -> bool {
    let full = full(context);
    setup == full || setup == full.without(Aid::Tables)
}

/// Where games are played.
struct Table<'a> {
    context: &'a SuiteContext<'a>,
    judge: &'a Judge<'a>,
    limit: Limit,
}

impl Table<'_> {
    /// The first games of each ending with these aids, by ending.
    fn play(
        &self,
        setup: Setup,
        endings: &[&Ending],
        drawn: &[Vec<Start>],
        sizes: &[usize],
        incidents: &mut Vec<Incident>,
    ) -> Vec<Vec<Played>> {
        let jobs: Vec<(usize, usize)> = (0..endings.len())
            .flat_map(|ending| (0..sizes[ending].min(drawn[ending].len())).map(move |game| (ending, game)))
            .collect();
        let play = |turn: &CaseContext<'_>, &(ending, game): &(usize, usize)| {
            let chance = GameRng::of_game(self.context.seed, endings[ending].men, game);
            (ending, self.sit_down(turn.lease(setup), &drawn[ending][game], chance))
        };
        let pool = PlayerPool::new(self.context.players);
        let (all, failed) = pool.judge_all(&jobs, self.context.progress, play);
        incidents.extend(failed);
        let mut by_ending: Vec<Vec<Played>> = endings.iter().map(|_| Vec::new()).collect();
        for (ending, played) in all {
            by_ending[ending].push(played);
        }
        by_ending
    }

    /// One game.
    fn sit_down(&self, lease: Result<PlayerLease<'_>, NoAnswer>, start: &Start, chance: GameRng) -> Played {
        match lease {
            Ok(mut subject) => game::play(&mut subject, start, self.judge, self.limit, chance),
            Err(why) => game::never_begun(start, self.limit, &why),
        }
    }

    /// Why a sample is not whole, if it is not.
    fn missing(&self, ending: &Ending, size: usize, played: &[Played]) -> Option<SkipReason> {
        let not_asked = played.iter().find_map(|game| match game.end {
            End::NotAsked(reason) => Some(reason),
            _ => None,
        });
        let unjudged = || played.len() < size || played.iter().any(|game| game.end == End::Unjudged);
        not_asked.or_else(|| unjudged().then(|| self.judge.absent(ending.men)))
    }

    /// What the games of one sample come to that were played to their end. Of one that is not whole nothing is demanded.
    fn sample(&self, ending: &Ending, aids: Setup, played: &[Played], is_whole: bool) -> Sample {
        let games = played.iter().filter(|game| matches!(game.end, End::Won | End::NotWon(_))).count() as u64;
        let demand = ending.demand.filter(|_| is_whole && is_demanding(self.context, aids));
        let won = || played.iter().filter(|game| game.end == End::Won);
        let lost: Vec<u64> = won().filter_map(Played::plies_lost).collect();
        let told = |game: &Played, how, fault: &Fault| NotWon {
            start: game.start.clone(),
            how,
            fen: fault.fen.clone(),
            played: fault.played.clone(),
            replay: self.context.players.replay(aids, &fault.question),
            source: fault.source,
            why: fault.why.clone(),
        };
        let not_won = played.iter().filter_map(|game| {
            let (End::NotWon(how), Some(fault)) = (game.end, &game.fault) else { return None };
            Some(told(game, how, fault))
        });
        let flaky = played.iter().filter_map(|game| Some(told(game, How::Unanswered, game.flaky.as_ref()?)));
        Sample {
            ending: ending.men.to_owned(),
            aids,
            limit: self.limit,
            demanded: demand.map(|demand| demand.of(games)),
            games,
            won: won().count() as u64,
            plies_lost: (lost.len() as u64, lost.iter().sum()),
            not_won: not_won.collect(),
            flaky: flaky.collect(),
        }
    }

    /// Whether too few games are won again, where too few were: those that were not won are played again, each in a process of
    /// its own, until enough of them are not won again.
    fn again(
        &self,
        ending: &Ending,
        sample: &Sample,
        drawn: &[Start],
        played: &[Played],
        incidents: &mut Vec<Incident>,
    ) -> Reproduction {
        let (Some(demanded), None) = (sample.short(), sample.unanswered()) else {
            return Reproduction::FreshProcess;
        };
        let mut allowed = sample.games - demanded;
        let lost = played.iter().enumerate().filter(|(_, game)| matches!(game.end, End::NotWon(_)));
        for (number, _) in lost {
            let chance = GameRng::of_game(self.context.seed, ending.men, number);
            let pool = PlayerPool::new(self.context.players);
            let (again, failed) = pool.judge_all(&[chance], &NoProgress, |turn, chance| {
                self.sit_down(turn.fresh_lease(sample.aids), &drawn[number], chance.clone()).end
            });
            incidents.extend(failed);
            match again[..] {
                [End::NotAsked(reason)] => return Reproduction::NotAsked(reason),
                [End::NotWon(_)] if allowed == 0 => return Reproduction::FreshProcess,
                [End::NotWon(_)] => allowed -= 1,
                _ => {}
            }
        }
        Reproduction::Never
    }

    fn verdict(&self, sample: &Sample, again: &Reproduction) -> Verdict {
        let searches_selectively = self.context.players.searches_selectively();
        let short = sample.short();
        let legal = || "a legal move whenever it is asked".to_owned();
        let (check, which, game, expected) = match (sample.unanswered(), short, sample.not_won.first()) {
            // Whoever may be late is only warned of being short.
            (Some(game), short, _) if short.is_none() || searches_selectively => {
                ("conversion/unanswered", "the first game without", game, legal())
            }
            (_, Some(demanded), Some(game)) => {
                let check = if searches_selectively { "conversion/share" } else { "conversion/won" };
                let least = if demanded == sample.games { "all" } else { "at least" };
                (check, "the first game not won", game, format!("{least} {demanded} won"))
            }
            _ => match sample.flaky.first() {
                Some(game) => (FLAKY, "the first game with an answer that did not come again", game, legal()),
                None if sample.demanded.is_none() => return Verdict::Observed,
                None => return Verdict::Agree,
            },
        };
        let mut found = Difference {
            subject: self.context.players.name().to_owned(),
            check: check.to_owned(),
            case: format!("{}/{}", sample.ending, sample.aids),
            fen: game.fen.clone(),
            stored: format!("{} of {} games won", sample.won, sample.games),
            expected,
            source: game.source.to_owned(),
            explanation: format!("{which}, from {}: {}", game.start, game.why),
            replay: game.replay.clone(),
        };
        // What is no legal move came twice already.
        match again {
            _ if !matches!(check, "conversion/share" | "conversion/won") => {}
            Reproduction::NotAsked(reason) => return Verdict::Skip(*reason),
            Reproduction::Never => {
                FLAKY.clone_into(&mut found.check);
                found.explanation = format!("{}; played again, enough games are won", found.explanation);
            }
            Reproduction::FreshProcess | Reproduction::SameProcess => {}
        }
        Verdict::Differ(Box::new(found))
    }
}
