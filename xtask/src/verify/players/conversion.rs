//! The suite `conversion`: its samples as rows of two reports.

use std::time::Instant;

use arbiter::SuiteContext;
use arbiter::conversion::{self, NotWon, NotWonReason, Sample};
use reports::{ConversionRow, WinThrownRow};
use suites::Decimal3;
use uci::Limit;

use super::super::Collected;
use super::collect;
use crate::program;

pub(super) fn run(context: &SuiteContext, found: &mut Collected) {
    let started = Instant::now();
    let subject = context.players.name();
    let limit = context.limit.unwrap_or(Limit::Nodes(conversion::NODES));
    for sample in collect(conversion::run(context, limit), started, found) {
        found.run.wins_thrown.extend(sample.not_won.iter().map(|game| thrown(subject, &sample, game)));
        found.run.conversion.push(row(subject, &sample));
    }
}

fn row(subject: &str, sample: &Sample) -> ConversionRow {
    let interval = conversion::interval(sample.won, sample.games);
    let (measured, plies_lost) = sample.plies_lost;
    ConversionRow {
        subject: subject.to_owned(),
        ending: sample.ending.clone(),
        aids: sample.aids.to_string(),
        limit: sample.limit.to_string(),
        games: sample.games,
        won: sample.won,
        demanded: sample.demanded,
        thrown: sample.ended(NotWonReason::Thrown),
        fifty_moves: sample.ended(NotWonReason::FiftyMoves),
        repetition: sample.ended(NotWonReason::Repetition),
        unanswered: sample.ended(NotWonReason::Unanswered),
        share: Decimal3::ratio(sample.won, sample.games),
        low: interval.and_then(|interval| Decimal3::rounded(interval.low)),
        high: interval.and_then(|interval| Decimal3::rounded(interval.high)),
        plies_lost: Decimal3::ratio(plies_lost, measured),
    }
}

fn thrown(subject: &str, sample: &Sample, game: &NotWon) -> WinThrownRow {
    WinThrownRow {
        subject: subject.to_owned(),
        ending: sample.ending.clone(),
        aids: sample.aids.to_string(),
        start: game.start.clone(),
        fen: game.fen.clone(),
        played: game.played.clone(),
        end: game.reason,
        replay: program::typed(&game.replay),
    }
}
