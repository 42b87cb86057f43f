//! Each way not to win a won game, and how it is told.

use engine::Game;
use engine::search_api::{Control, Limits, SearchInfo, SearchResult, Searcher, Setting, Settings};
use engine::specimens;

use super::super::position_history::text;
use super::*;
use crate::player::InProcess;

/// Every game but those that a queen or rook wins on the spot ends like this.
#[track_caller]
fn check(subjects: &dyn PlayerFactory, how: How, looks: impl Fn(&NotWon)) {
    let outcome = ask(subjects, &certified(), Effort::Quick);
    let not_won: Vec<&NotWon> = outcome.rows.iter().flat_map(|row| &row.not_won).collect();
    assert!(not_won.len() >= 4, "{outcome:?}");
    for game in not_won {
        assert_eq!(game.how, how, "{game:?}");
        looks(game);
    }
    for (row, findings) in outcome.rows.iter().zip(&outcome.findings) {
        assert_eq!(row.games, row.won + row.ended(how));
        assert_eq!(findings.tally.differed, u64::from(row.won < row.games), "{row:?}");
        assert_eq!(findings.tally.total(), 1);
        for difference in &findings.differences {
            assert_eq!(difference.case, format!("{}/none", row.ending));
            assert_eq!(difference.stored, format!("{} of 2 games won", row.won));
            assert_eq!(difference.expected, "all 2 won");
            assert_eq!((&difference.fen, &difference.replay), (&row.not_won[0].fen, &row.not_won[0].replay));
        }
    }
}

#[test]
fn a_win_thrown_away() {
    let throws = player(|course: &PositionHistory| {
        let draws = |&mv: &Move| truth(&course.after(mv)).0 != Wdl::Loss;
        let moves = course.position.legal_moves();
        Ok(Some(text(moves.into_iter().find(draws).unwrap_or_else(|| best(course)))))
    });
    check(&throws, How::Thrown, |game| {
        let mut course = PositionHistory::new(position(&game.fen));
        assert_eq!(truth(&course.position).0, Wdl::Win);
        course.play(game.played.parse::<UciMove>().unwrap().to_move(&course.position).unwrap());
        assert_ne!(truth(&course.position).0, Wdl::Loss, "{game:?}");
        let asked = format!("none: position fen {}", game.start);
        assert!(game.replay.starts_with(&asked) && game.replay.ends_with("; go nodes 2000"), "{game:?}");
    });
}

#[test]
fn the_way_back_again_and_again() {
    let shuffles = player(|course: &PositionHistory| {
        let mut moves = winning(course);
        moves.retain(|mv| !mv.is_zeroing() && !course.after(*mv).is_checkmate());
        moves.sort_by_key(|&mv| !course.would_draw(mv));
        // To and fro, as far as the other side lets it.
        let back = course.moves.len().checked_sub(2).map(|last| {
            let last = &course.moves[last];
            format!("{}{}", &last[2..4], &last[..2])
        });
        let returns = moves.iter().map(|&mv| text(mv)).find(|mv| Some(mv) == back.as_ref());
        Ok(returns.or_else(|| moves.first().map(|&mv| text(mv))).or_else(|| Some(text(best(course)))))
    });
    let outcome = ask(&shuffles, &certified(), Effort::Quick);
    let repetitions: u64 = outcome.rows.iter().map(|row| row.ended(How::Repetition)).sum();
    assert!(repetitions >= 2, "{outcome:?}");
    assert!(outcome.rows.iter().all(|row| row.ended(How::Thrown) + row.ended(How::Unanswered) == 0));
}

#[test]
fn fifty_moves_without_progress() {
    // Here and there, to where it has not been.
    let dawdles = player(|course: &PositionHistory| {
        let (moves, ply) = (winning(course), course.moves.len());
        let new = |mv: &&Move| {
            let after = course.after(**mv);
            !mv.is_zeroing() && !after.is_checkmate() && course.times(&after) == 0
        };
        let new: Vec<&Move> = moves.iter().filter(new).collect();
        Ok(Some(text(new.get(ply * ply * 31 % new.len().max(1)).map_or(moves[0], |&&mv| mv))))
    });
    let outcome = ask(&dawdles, &certified(), Effort::Quick);
    let late: Vec<&NotWon> = outcome.rows.iter().flat_map(|row| &row.not_won).collect();
    assert!(late.iter().filter(|game| game.how == How::FiftyMoves).count() >= 1, "{outcome:?}");
    for game in late.iter().filter(|game| game.how == How::FiftyMoves) {
        assert!(game.played.is_empty() && game.fen.contains(" 100 "), "{game:?}");
    }
}

#[test]
fn no_answer_no_move_and_no_legal_move() {
    let silent = player(|_: &PositionHistory| Err(NoAnswer::Broken("it is\nout of time".to_owned())));
    check(&silent, How::Unanswered, |game| assert_eq!((&game.fen, &*game.played), (&game.start, "")));
    check(&player(|_: &PositionHistory| Ok(None)), How::Unanswered, |game| assert_eq!(game.played, ""));
    for said in ["a1h2", "e1e9", "\u{1b}[2Jh8"] {
        let talks = player(move |_: &PositionHistory| Ok(Some(said.to_owned())));
        check(&talks, How::Unanswered, |game| {
            assert!(!game.played.contains('\u{1b}') && game.why.contains("is not legal"), "{game:?}");
        });
    }
    let chatters = player(|_: &PositionHistory| Ok(Some("e2".repeat(1_000))));
    check(&chatters, How::Unanswered, |game| assert!(game.played.len() <= 40));
}

/// It thinks at the start of each game, and breaks.
struct Breaks;

impl Searcher for Breaks {
    fn name(&self) -> String {
        "breaks".to_owned()
    }

    fn configure(&mut self, _: &Settings) {}

    fn settings_used(&self) -> &'static [Setting] {
        &[]
    }

    fn new_game(&mut self) {}

    fn search(&mut self, _: &Game, _: &Limits, _: &Control, _: &mut dyn FnMut(&SearchInfo)) -> SearchResult {
        panic!("as told")
    }
}

#[test]
fn panics_are_no_answer() {
    let breaks = InProcess::new("breaks", "", || Box::new(Breaks));
    check(&breaks, How::Unanswered, |game| {
        assert_eq!(game.why, "no answer: defect: the search failed with \"as told\"");
    });
}

/// One that does not start, or will not forget.
struct Absent {
    starts: bool,
}

impl PlayerFactory for Absent {
    fn name(&self) -> &'static str {
        "absent"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        let stubborn: Box<dyn Player> = Box::new(Stubborn);
        self.starts.then_some(stubborn).ok_or_else(|| NoAnswer::Broken("no such program".to_owned()))
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn replay(&self, _: Setup, _: &Question) -> String {
        String::new()
    }
}

struct Stubborn;

impl Player for Stubborn {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        Err(NoAnswer::Broken("never".to_owned()))
    }

    fn ask(&mut self, _: &Question) -> Result<Reply, NoAnswer> {
        panic!("it is not to be asked")
    }
}

#[test]
fn who_does_not_begin_does_not_win() {
    for (starts, why) in [(false, "no such program"), (true, "never")] {
        check(&Absent { starts }, How::Unanswered, |game| {
            assert_eq!(game.why, format!("it does not start: {why}"));
        });
    }
}

/// What is wrong of an elementary ending is found with every subject: the seeds of the specimens told of it.
#[test]
fn specimens_are_asked_like_all_others() {
    for name in specimens::NAMES {
        let specimen = InProcess::specimen(name).unwrap();
        let outcome = ask(&specimen, &certified(), Effort::Quick);
        let aids: Vec<String> = outcome.rows.iter().map(|row| row.aids.to_string()).collect();
        assert_eq!(aids, ["none"; 3], "{name}");
        assert!(outcome.rows.iter().all(|row| row.ended(How::Unanswered) == 0), "{name}: {outcome:?}");
    }
}
