//! The defender and the starts, held against the table.

use super::super::defender::reply;
use super::super::rng::GameRng;
use super::super::starts;
use super::*;
use crate::adjudicator::Judge;

/// In every position of games against a perfect player he loses one ply a move, and no more; in games against a bad one,
/// too.
#[test]
fn he_holds_out_as_long_as_the_table_lets_him() {
    let authorities = certified();
    let judge = Judge::of(&authorities);
    let mut replies = 0;
    for men in ["KQvK", "KRvK", "KPvK"] {
        for (number, start) in starts::draw(men, 12, 7, &judge).into_iter().enumerate() {
            let mut chance = GameRng::of_game(7, men, number);
            let mut course = PositionHistory::new(start.position);
            while course.drawn().is_none() && !course.position.is_checkmate() {
                let moves = winning(&course);
                course
                    .play(moves[if number % 2 == 0 { 0 } else { chance.below(moves.len() as u64) as usize }]);
                if course.position.is_checkmate() || course.drawn().is_some() {
                    break;
                }
                let before = truth(&course.position);
                let mv = reply(&course, &judge, &mut chance).unwrap();
                let takes_a_draw = course.would_draw(mv);
                course.play(mv);
                replies += 1;
                assert!(takes_a_draw || truth(&course.position) == (Wdl::Win, before.1 - 1), "{men}");
            }
        }
    }
    assert!(replies > 400, "{replies}");
}

/// The king may step back to where he has stood twice: that it is not the longest way does not matter.
#[test]
fn he_takes_a_draw_by_repetition() {
    let authorities = certified();
    let judge = Judge::of(&authorities);
    let question = Question {
        moves: "h1h2 e5d5 h2h1 d5e5 h1h2 e5d5 h2h1".split(' ').map(str::to_owned).collect(),
        ..Question::of("8/8/8/4k3/8/8/8/K6R w - - 0 1", LIMIT)
    };
    for number in 0..8 {
        let mv = reply(&course(&question), &judge, &mut GameRng::of_game(1, "KRvK", number)).unwrap();
        assert_eq!(super::super::position_history::text(mv), "d5e5");
    }
}

/// Between equals chance decides, each game for itself and always the same.
#[test]
fn equals_are_chosen_by_chance() {
    let authorities = certified();
    let judge = Judge::of(&authorities);
    let lost = PositionHistory::new(position("8/8/8/4k3/8/8/8/K6R b - - 0 1"));
    let choose = |seed, game| reply(&lost, &judge, &mut GameRng::of_game(seed, "KRvK", game));
    let chosen: Vec<_> = (0..40).map(|game| choose(1, game)).collect();
    assert!(chosen.iter().any(|mv| *mv != chosen[0]));
    assert_eq!(chosen, (0..40).map(|game| choose(1, game)).collect::<Vec<_>>());
}

#[test]
fn starts_are_won_differ_and_are_the_same_whatever_the_number() {
    let authorities = certified();
    let judge = Judge::of(&authorities);
    for men in ["KQvK", "KRvK", "KPvK"] {
        let draw = |count, seed| -> Vec<String> {
            starts::draw(men, count, seed, &judge).into_iter().map(|start| start.fen).collect()
        };
        let many = draw(300, 1);
        assert_eq!(many[..20], draw(20, 1));
        assert_ne!(many[..20], draw(20, 2));
        assert_eq!(many.iter().collect::<std::collections::BTreeSet<_>>().len(), 300, "{men}");
        for (number, fen) in many.iter().enumerate() {
            let position = position(fen);
            assert_eq!(
                (truth(&position).0, position.turn().is_white()),
                (Wdl::Win, number % 2 == 0),
                "{fen}"
            );
        }
    }
}

#[test]
fn the_draw_is_the_same_in_every_version() {
    let authorities = certified();
    let fens: Vec<String> =
        starts::draw("KRvK", 3, 1, &Judge::of(&authorities)).into_iter().map(|start| start.fen).collect();
    let expected = [
        "8/8/3R4/8/6K1/8/6k1/8 w - - 0 1",
        "8/3k2K1/3r4/8/8/8/8/8 b - - 0 1",
        "8/5k2/1R6/8/8/8/8/7K w - - 0 1",
    ];
    assert_eq!(fens, expected);
}
