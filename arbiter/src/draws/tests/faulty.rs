//! PlayerFactory that are wrong in one way: each is found in just the classes that are about it.

use shakmaty::{Color, Position, Role};

use super::*;
use crate::player::{Misprint, Player};

type Answers = dyn Fn(&Question, &Game) -> Result<Reply, NoAnswer> + Sync + Send;

/// Answers by a function of the question, which is given the game as it is too.
#[derive(Clone, Copy)]
struct ScriptedPlayer(&'static Answers);

impl PlayerFactory for ScriptedPlayer {
    fn name(&self) -> &'static str {
        "player"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        Ok(Box::new(*self))
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn replay(&self, _: Setup, question: &Question) -> String {
        question.commands().join("; ")
    }
}

impl Player for ScriptedPlayer {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        assert!([NODES, NODES_DEEP].map(Limit::Nodes).contains(&question.limit));
        let game =
            Game::new(&question.fen, &question.moves).map_err(|error| NoAnswer::Broken(error.to_string()))?;
        (self.0)(question, &game)
    }
}

#[track_caller]
fn check(answers: &'static Answers, expected: &[&str]) {
    let outcome = put_to(&ScriptedPlayer(answers), Effort::Plain, &CASES);
    assert_eq!(failed(&outcome), expected.iter().copied().collect());
    assert_eq!(outcome.rows.len(), CASES.len());
}

/// The truth, but for another score where that says one.
fn but(game: &Game, score: Option<i32>) -> Reply {
    let mut said = answer(game);
    if let Some(score) = score {
        said.lines[0].score = Score::Centipawns(score);
    }
    said
}

fn misread(how: Misreading, question: &Question, game: &Game) -> Reply {
    how.read(&question.fen, &question.moves).map_or_else(|_| answer(game), |misread| solve(&misread))
}

#[test]
fn who_knows_all_is_never_reported() {
    check(&|_, game| Ok(answer(game)), &[]);
    // Noise, and half a word before the last one.
    check(
        &|question, game| {
            let mut said = answer(game);
            if let Score::Centipawns(score) = &mut said.lines[0].score {
                *score += i32::try_from(question.fen.len() % 9).unwrap() * 10 - 40;
            }
            let bound = Line { bound: Bound::Lower, score: Score::Mate(7), ..said.lines[0].clone() };
            said.lines.push(bound);
            Ok(said)
        },
        &[],
    );
}

#[test]
fn misreadings() {
    check(
        &|question, game| Ok(misread(Misreading::FenClock, question, game)),
        // Who does not see the clock does not set it back either.
        &["fifty-clock", "fifty-moves", "mate-too-late", "zeroing-saves"],
    );
    check(&|question, game| Ok(misread(Misreading::MovesClock, question, game)), &["fifty-moves"]);
    check(
        &|question, game| Ok(misread(Misreading::Past, question, game)),
        &["repetition", "repetition-avoided", "repetition-castling", "repetition-en-passant"],
    );
    check(
        &|question, game| Ok(misread(Misreading::Identity, question, game)),
        &["repetition-castling", "repetition-en-passant"],
    );
    check(&|question, game| Ok(misread(Misreading::Square, question, game)), &["repetition-en-passant"]);
}

/// A draw at the second occurrence is no mistake about rights, and is told by another name.
#[test]
fn the_second_occurrence_taken_for_a_draw() {
    let ids = |answers: &'static Answers| -> BTreeSet<(String, String)> {
        let outcome = put_to(&ScriptedPlayer(answers), Effort::Plain, &CASES);
        let told = outcome.findings.into_iter().flat_map(|findings| findings.differences);
        told.map(|told| (told.case.split('/').next().unwrap().to_owned(), told.check)).collect()
    };
    let of = |check: &str| -> BTreeSet<(String, String)> {
        ["repetition-castling", "repetition-en-passant"]
            .map(|class| (class.to_owned(), check.to_owned()))
            .into()
    };
    let twofold: &Answers = &|_, game| {
        let mut after = game.clone();
        let repeats = game.position().legal_moves().into_iter().any(|mv| {
            after.play(mv);
            let stood = after.stood_since(0);
            after.take_back();
            stood
        });
        let mut said = solve(game);
        if repeats && said.lines[0].score == Score::Centipawns(-500) {
            said.lines[0].score = Score::Centipawns(0);
        }
        Ok(said)
    };
    assert_eq!(ids(twofold), of("draw/twofold"));
    assert_eq!(ids(&|question, game| Ok(misread(Misreading::Identity, question, game))), of("draw/score"));
}

/// Our engine has promised not to: of it that is no note.
#[test]
fn of_our_engine_the_second_occurrence_is_an_error() {
    let cases: Vec<DrawCase> =
        CASES.iter().filter(|case| case.class().starts_with("repetition-")).cloned().collect();
    let outcome = put_to(&InProcess::misprinted(Misprint::Twofold), Effort::Quick, &cases);
    let told: Vec<_> = outcome.findings.iter().flat_map(|findings| &findings.differences).collect();
    assert!(told.len() >= 10, "{told:#?}");
    assert!(
        told.iter()
            .all(|told| told.check == "draw/score" && told.explanation.starts_with("without the first"))
    );
}

/// Whoever takes other rights for the same is right about a game that has none.
#[test]
fn the_game_without_other_rights_has_the_same_result() {
    let classes = ["repetition-castling", "repetition-en-passant"];
    let decided = CASES.iter().filter(|case| case.result != GameResult::Draw);
    let mut controls = 0;
    for case in decided.filter(|case| classes.contains(&case.class())) {
        let (fen, moves) = without_other_rights(case).unwrap();
        let misread = Misreading::Identity.read(&fen, &moves).unwrap();
        let proof = Prover { tables: Some(*TABLES) }.prove(&misread, MOST_PLIES);
        assert_eq!(proof.map(|proof| proof.result), Some(case.result), "{}", case.id);
        controls += 1;
    }
    assert_eq!(controls, 14);
    assert!(
        without_other_rights(CASES.iter().find(|case| case.class() == "dead-material").unwrap()).is_none()
    );
}

#[test]
fn the_mate_on_the_hundredth_ply_taken_for_a_draw() {
    let liar: &Answers = &|_, game| {
        let left = 100 - game.clock();
        let last = left <= 5 && Prover::default().prove(game, left).is_some_and(|proof| proof.plies == left);
        Ok(but(game, last.then_some(0)))
    };
    check(liar, &["mate-at-100"]);
}

#[test]
fn a_clock_that_is_never_set_back() {
    let liar: &Answers = &|_, game| {
        let left = 100 - game.clock();
        let drawn = left <= 3
            && Prover::default().prove(game, left).is_none_or(|proof| proof.result == GameResult::Draw);
        Ok(but(game, drawn.then_some(0)))
    };
    check(liar, &["zeroing-saves"]);
}

/// Men in hundredths of a pawn, from the view of the side to move.
fn material(game: &Game) -> i32 {
    let position = game.position();
    let worth = |color: Color| {
        let men = position.board().material_side(color);
        Role::ALL
            .iter()
            .zip([100, 300, 300, 500, 900, 0])
            .map(|(&role, worth)| i32::from(men[role]) * worth)
            .sum::<i32>()
    };
    worth(position.turn()) - worth(!position.turn())
}

#[test]
fn men_that_are_counted_and_no_more() {
    let dead: &Answers = &|_, game| {
        let dead = game.position().is_insufficient_material();
        Ok(but(game, dead.then(|| material(game))))
    };
    check(dead, &["dead-material"]);
    let lone_pawn: &Answers = &|_, game| {
        let board = game.position().board();
        let races = board.occupied().count() == 3 && board.pawns().any() && game.clock() < 90;
        Ok(but(game, races.then(|| material(game) * 9)))
    };
    check(lone_pawn, &["dead-material", "promotion-stalemate"]);
    let no_checks: &Answers = &|question, game| {
        let men = game.position().board().occupied().count();
        Ok(but(game, (men == 6 && question.moves.is_empty()).then(|| material(game))))
    };
    check(no_checks, &["perpetual"]);
    let few: &Answers = &|_, game| {
        let board = game.position().board();
        let minors = board.knights() | board.bishops();
        let few = minors.any() && board.rooks_and_queens().is_empty();
        let few = few
            && Color::ALL.iter().all(|&color| {
                let own = board.by_color(color) & minors;
                own.count() <= 1 || (own & board.bishops()).is_empty()
            });
        Ok(but(game, few.then_some(0)))
    };
    check(few, &["not-dead"]);
}

#[test]
fn a_fortress_may_be_missed() {
    let liar: &Answers = &|_, game| {
        let blocked = game.position().board().pawns().count() > 8;
        Ok(but(game, blocked.then_some(700)))
    };
    let outcome = put_to(&ScriptedPlayer(liar), Effort::Plain, &CASES);
    assert_eq!(failed(&outcome), BTreeSet::new());
    for row in outcome.rows {
        assert_eq!(row.verdict, if row.class == "fortress" { "missed" } else { "agree" }, "{}", row.case);
        assert_eq!(row.score, answer_of(&row), "{}", row.case);
    }
}

fn answer_of(row: &Row) -> String {
    if row.class == "fortress" {
        return "cp 700".to_owned();
    }
    match row.expected {
        GameResult::Win => "cp 500",
        GameResult::Draw => "cp 0",
        GameResult::Loss => "cp -500",
    }
    .to_owned()
}

/// One case, answered so.
#[track_caller]
fn says(id: &str, answers: &'static Answers, stored: &str, expected: &str, explanation: &str) {
    let case: Vec<DrawCase> = CASES.iter().filter(|case| case.id == id).cloned().collect();
    let outcome = put_to(&ScriptedPlayer(answers), Effort::Plain, &case);
    let [difference] = &outcome.findings[0].differences[..] else { panic!("{outcome:#?}") };
    assert_eq!((&*difference.case, &*difference.stored), (id, stored));
    assert_eq!((&*difference.expected, &*difference.explanation), (expected, explanation));
    assert!(difference.replay.contains(&case[0].fen));
}

#[test]
fn answers_that_are_none() {
    const WIN: &str = "win: mate, or a score above cp 100";
    const HUNDREDTH: &str = "mate on the hundredth ply is mate: checkmate goes before the draw";
    says(
        "mate-at-100/01",
        &|_, _| Err(NoAnswer::Broken("it sleeps".to_owned())),
        "no answer: it sleeps",
        WIN,
        HUNDREDTH,
    );
    says("mate-at-100/01", &|_, _| Ok(Reply::default()), "no score", WIN, HUNDREDTH);
    says("mate-at-100/01", &|_, game| Ok(but(game, Some(100))), "cp 100", WIN, HUNDREDTH);
    let slow: &Answers = &|_, game| Ok(reply(Score::Mate(4), answer(game).best));
    says("mate-at-100/02", slow, "mate 4", WIN, HUNDREDTH);
    let silent: &Answers = &|_, game| Ok(reply(answer(game).lines[0].score, None));
    says("mate-at-100/01", silent, "no move", WIN, "there are legal moves");
    let illegal: &Answers = &|_, game| Ok(reply(answer(game).lines[0].score, Some("a1h9".to_owned())));
    says("mate-at-100/01", illegal, "the move a1h9", WIN, "the move is not legal");
    says(
        "fifty-clock/01",
        &|_, game| Ok(but(game, Some(51))),
        "cp 51",
        "draw: a score between cp -50 and cp 50",
        "the clock of the FEN counts: nobody mates or sets it back before the hundredth ply",
    );
}

/// Promotes to a queen whatever happens.
#[test]
fn a_move_that_gives_the_win_away() {
    let liar: &Answers = &|_, game| {
        let moves = game.position().legal_moves();
        let queen = moves.iter().find(|mv| mv.promotion() == Some(Role::Queen));
        let queen = queen.map(|mv| mv.to_uci(shakmaty::CastlingMode::Standard).to_string());
        let said = answer(game);
        Ok(Reply { best: queen.or(said.best), ..said })
    };
    let outcome = put_to(&ScriptedPlayer(liar), Effort::Plain, &CASES);
    assert_eq!(failed(&outcome), BTreeSet::from(["promotion-stalemate"]));
    let rows: Vec<_> = outcome.rows.iter().filter(|row| row.verdict == "move").collect();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.expected == GameResult::Win));
}

#[test]
fn the_report_is_the_same_on_any_number_of_threads() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| put_to(&ScriptedPlayer(&|_, game| Ok(but(game, Some(-200)))), Effort::Plain, &CASES))
    };
    assert_eq!(with(1), with(4));
}
