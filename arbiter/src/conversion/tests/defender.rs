//! The defender, compared with the certified tables.

use super::super::defender::reply;
use super::super::rng::GameRng;
use super::super::starts;
use super::*;
use crate::adjudicator::Adjudicator;

/// In games against a perfect player and against one that only keeps the win, each reply is one ply nearer to
/// mate.
#[test]
fn the_defender_delays_mate_as_long_as_possible() {
    let authorities = certified();
    let adjudicator = Adjudicator::new(&authorities);
    let mut replies = 0;
    for men in ["KQvK", "KRvK", "KPvK"] {
        for (number, start) in starts::draw(ending(men), 12, 7, &adjudicator).into_iter().enumerate() {
            let mut rng = GameRng::of_game(7, men, number);
            let mut game = Game::at(start.position);
            while game.drawn().is_none() && !game.position().is_checkmate() {
                let moves = winning(&game);
                game.play(moves[if number % 2 == 0 { 0 } else { rng.below(moves.len() as u64) as usize }]);
                if game.position().is_checkmate() || game.drawn().is_some() {
                    break;
                }
                let before = truth(game.position());
                let mv = reply(&game, &adjudicator, &mut rng).unwrap();
                let takes_a_draw = game.would_draw(mv).is_some();
                game.play(mv);
                replies += 1;
                assert!(takes_a_draw || truth(game.position()) == (Wdl::Win, before.1 - 1), "{men}");
            }
        }
    }
    assert!(replies > 400, "{replies}");
}

/// The king can repeat a position for the third time.
#[test]
fn the_defender_takes_a_draw_by_repetition() {
    let authorities = certified();
    let adjudicator = Adjudicator::new(&authorities);
    let question = Question {
        moves: "h1h2 e5d5 h2h1 d5e5 h1h2 e5d5 h2h1".split(' ').map(str::to_owned).collect(),
        ..Question::new("8/8/8/4k3/8/8/8/K6R w - - 0 1", LIMIT)
    };
    for number in 0..8 {
        let mv = reply(&game(&question), &adjudicator, &mut GameRng::of_game(1, "KRvK", number)).unwrap();
        assert_eq!(text(mv), "d5e5");
    }
}

/// The draw depends on the seed and the game alone.
#[test]
fn equal_moves_are_drawn_at_random() {
    let authorities = certified();
    let adjudicator = Adjudicator::new(&authorities);
    let lost = Game::at(position("8/8/8/4k3/8/8/8/K6R b - - 0 1"));
    let choose = |seed, game| reply(&lost, &adjudicator, &mut GameRng::of_game(seed, "KRvK", game));
    let chosen: Vec<_> = (0..40).map(|game| choose(1, game)).collect();
    assert!(chosen.iter().any(|mv| *mv != chosen[0]));
    assert_eq!(chosen, (0..40).map(|game| choose(1, game)).collect::<Vec<_>>());
}
