//! Players with one fault each: findings are in the classes about this fault alone.

use shakmaty::{Color, Position, Role};

use suites::Cause;

use super::*;
use crate::draws::control::without_other_rights;
use crate::player::Misprint;
use oracle::board::{Accept, FIFTY_MOVES, position, with_clock};

type Answers = fn(&Question, &Game) -> Result<Reply, NoAnswer>;

/// Answers by a function of the question and its game.
fn player(answers: Answers) -> ScriptedPlayer {
    ScriptedPlayer::new(move |question, _| {
        assert!([NODES, NODES_DEEP].map(Limit::Nodes).contains(&question.limit));
        let game = match Game::new(&question.fen, &question.moves) {
            // A control: the clock is far above the limit.
            Err(GameError::Over { .. }) => start(&question.fen),
            game => game.map_err(|error| NoAnswer::Broken(error.to_string()))?,
        };
        answers(question, &game)
    })
}

#[track_caller]
fn check(answers: Answers, expected: &[&str]) {
    let outcome = put_to(&player(answers), Effort::Plain, &CASES);
    assert_eq!(failed(&outcome), expected.iter().copied().collect());
    assert_eq!(outcome.rows.len(), CASES.len());
}

/// A position with any clock, without the moves before it.
fn start(fen: &str) -> Game {
    Game::at(position(fen, Accept::Legal).unwrap())
}

/// The right answer with this score, if one is given.
fn with_score(game: &Game, score: Option<i32>) -> Reply {
    let mut answered = answer(game);
    if let Some(score) = score {
        answered.lines[0].score = Score::Centipawns(score);
    }
    answered
}

fn misread(how: Misreading, question: &Question, game: &Game) -> Reply {
    if game.clock() > FIFTY_MOVES {
        let clock = if how == Misreading::FenClock { 0 } else { game.clock() };
        return solve(&start(&with_clock(&question.fen, clock).unwrap()));
    }
    match how.read(&question.fen, &question.moves) {
        Ok(misread) if misread.positions() != game.positions() || misread.clock() != game.clock() => {
            solve(&misread)
        }
        _ => answer(game),
    }
}

#[test]
fn right_answers_are_not_reported() {
    check(|_, game| Ok(answer(game)), &[]);
    // Noise in the scores, and a bound after the last exact score.
    check(
        |question, game| {
            let mut answered = answer(game);
            if let Score::Centipawns(score) = &mut answered.lines[0].score {
                *score += i32::try_from(question.fen.len() % 9).unwrap() * 10 - 40;
            }
            let bound = Line { bound: Bound::Lower, score: Score::Mate(7), ..answered.lines[0].clone() };
            answered.lines.push(bound);
            Ok(answered)
        },
        &[],
    );
}

#[test]
fn misread_games_are_found_in_their_classes() {
    check(
        |question, game| Ok(misread(Misreading::FenClock, question, game)),
        // A player that ignores the clock does not reset it either.
        &["fifty-clock", "fifty-moves", "mate-too-late", "zeroing-saves"],
    );
    check(|question, game| Ok(misread(Misreading::MovesClock, question, game)), &["fifty-moves"]);
    check(
        |question, game| Ok(misread(Misreading::Past, question, game)),
        &["repetition", "repetition-avoided", "repetition-castling", "repetition-en-passant"],
    );
    check(
        |question, game| Ok(misread(Misreading::Identity, question, game)),
        &["repetition-castling", "repetition-en-passant"],
    );
    check(|question, game| Ok(misread(Misreading::Square, question, game)), &["repetition-en-passant"]);
}

#[test]
fn the_findings_of_a_misreading_have_one_cause() {
    let check = |answers: Answers, expected: SharedCause| {
        let outcome = put_to(&player(answers), Effort::Plain, &CASES);
        let found = outcome.findings.into_iter().flat_map(|findings| findings.differences);
        let mut found: Vec<Difference> = found.filter(|found| found.check == "draw/score").collect();
        crate::join_causes(&mut found, "player");
        let causes: BTreeSet<Option<Cause>> = found.iter().map(|found| found.cause.clone()).collect();
        assert_eq!(causes.into_iter().collect::<Vec<_>>(), [Some(Cause::Shared(expected))]);
    };
    check(|question, game| Ok(misread(Misreading::FenClock, question, game)), SharedCause::FenClock);
    check(|question, game| Ok(misread(Misreading::MovesClock, question, game)), SharedCause::Clock);
    check(|question, game| Ok(misread(Misreading::Past, question, game)), SharedCause::Repetition);
    let late: Answers = |_, game| {
        let earlier = game.clock().checked_sub(10).filter(|_| game.clock() > 60);
        let Some(clock) = earlier else { return Ok(answer(game)) };
        Ok(solve(&start(&with_clock(&fen_of(game.position()), clock).unwrap())))
    };
    check(late, SharedCause::LateLimit);
}

/// A draw at the second occurrence has a verdict of its own: castling and en passant rights are not confused.
#[test]
fn a_draw_at_the_second_occurrence_is_twofold() {
    let ids = |answers: Answers| -> BTreeSet<(String, String)> {
        let outcome = put_to(&player(answers), Effort::Plain, &CASES);
        let found = outcome.findings.into_iter().flat_map(|findings| findings.differences);
        found.map(|found| (found.case.split('/').next().unwrap().to_owned(), found.check)).collect()
    };
    let of = |check: &str| -> BTreeSet<(String, String)> {
        ["repetition-castling", "repetition-en-passant"]
            .map(|class| (class.to_owned(), check.to_owned()))
            .into()
    };
    let twofold: Answers = |_, game| {
        let mut after = game.clone();
        let repeats = game.position().legal_moves().into_iter().any(|mv| {
            after.play(mv);
            let stood = after.stood_since(0);
            after.take_back();
            stood
        });
        let mut answered = solve(game);
        if repeats && answered.lines[0].score == Score::Centipawns(-500) {
            answered.lines[0].score = Score::Centipawns(0);
        }
        Ok(answered)
    };
    assert_eq!(ids(twofold), of("draw/twofold"));
    assert_eq!(ids(|question, game| Ok(misread(Misreading::Identity, question, game))), of("draw/score"));
}

/// Our engine promises to draw by the third occurrence only.
#[test]
fn a_draw_at_the_second_occurrence_is_an_error_of_our_engine() {
    let cases: Vec<DrawCase> =
        CASES.iter().filter(|case| case.class.name().starts_with("repetition-")).cloned().collect();
    let outcome = put_to(&InProcess::misprinted(Misprint::Twofold), Effort::Quick, &cases);
    let found: Vec<_> = outcome.findings.iter().flat_map(|findings| &findings.differences).collect();
    assert!(found.len() >= 10, "{found:#?}");
    let is_expected =
        |found: &&Difference| found.check == "draw/score" && found.explanation == TWOFOLD_EXPLANATION;
    assert!(found.iter().all(is_expected), "{found:#?}");
}

/// A player that ignores rights is right about a game in which they do not change.
#[test]
fn the_game_without_other_rights_has_the_same_result() {
    let classes = ["repetition-castling", "repetition-en-passant"];
    let decided = CASES.iter().filter(|case| case.result != GameResult::Draw);
    let mut controls = 0;
    for case in decided.filter(|case| classes.contains(&case.class.name())) {
        let (fen, moves) = without_other_rights(case).unwrap();
        let misread = Misreading::Identity.read(&fen, &moves).unwrap();
        let proof = DrawProver { tables: Some(*TABLES) }.prove(&misread, MOST_PLIES);
        assert_eq!(proof.map(|proof| proof.result), Some(case.result), "{}", case.id);
        controls += 1;
    }
    assert_eq!(controls, 14);
    assert!(
        without_other_rights(CASES.iter().find(|case| case.class == DrawClass::DeadMaterial).unwrap())
            .is_none()
    );
}

#[test]
fn a_mate_on_the_hundredth_ply_scored_as_a_draw() {
    let faulty: Answers = |_, game| {
        let left = 100 - game.clock();
        let last =
            left <= 5 && DrawProver::default().prove(game, left).is_some_and(|proof| proof.plies == left);
        Ok(with_score(game, last.then_some(0)))
    };
    check(faulty, &["mate-at-100"]);
}

#[test]
fn a_clock_that_is_never_reset() {
    let faulty: Answers = |_, game| {
        let left = 100 - game.clock();
        let drawn = left <= 3
            && DrawProver::default().prove(game, left).is_none_or(|proof| proof.result == GameResult::Draw);
        Ok(with_score(game, drawn.then_some(0)))
    };
    check(faulty, &["zeroing-saves"]);
}

/// Material in centipawns, from the view of the side to move.
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
fn scores_by_material_alone() {
    let dead: Answers = |_, game| {
        let dead = game.position().is_insufficient_material();
        Ok(with_score(game, dead.then(|| material(game))))
    };
    check(dead, &["dead-material"]);
    let lone_pawn: Answers = |_, game| {
        let board = game.position().board();
        let races = board.occupied().count() == 3 && board.pawns().any() && game.clock() < 90;
        Ok(with_score(game, races.then(|| material(game) * 9)))
    };
    check(lone_pawn, &["dead-material", "promotion-stalemate"]);
    let no_checks: Answers = |question, game| {
        let men = game.position().board().occupied().count();
        Ok(with_score(game, (men == 6 && question.moves.is_empty()).then(|| material(game))))
    };
    check(no_checks, &["perpetual"]);
    let few: Answers = |_, game| {
        let board = game.position().board();
        let minors = board.knights() | board.bishops();
        let few = minors.any() && board.rooks_and_queens().is_empty();
        let few = few
            && Color::ALL.iter().all(|&color| {
                let own = board.by_color(color) & minors;
                own.count() <= 1 || (own & board.bishops()).is_empty()
            });
        Ok(with_score(game, few.then_some(0)))
    };
    check(few, &["not-dead"]);
}

#[test]
fn a_fortress_may_be_missed() {
    let faulty: Answers = |_, game| {
        let blocked = game.position().board().pawns().count() > 8;
        Ok(with_score(game, blocked.then_some(700)))
    };
    let outcome = put_to(&player(faulty), Effort::Plain, &CASES);
    assert_eq!(failed(&outcome), BTreeSet::new());
    for row in outcome.rows {
        assert_eq!(
            row.verdict,
            if row.class == "fortress" { DrawVerdict::Missed } else { DrawVerdict::Agree },
            "{}",
            row.case
        );
        assert_eq!(row.score, score_of(&row), "{}", row.case);
    }
}

fn score_of(row: &DrawRow) -> String {
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

/// Checks the difference of one case.
#[track_caller]
fn check_case(id: &str, answers: Answers, stored: &str, expected: &str, explanation: &str) {
    let case: Vec<DrawCase> = CASES.iter().filter(|case| case.id == id).cloned().collect();
    let outcome = put_to(&player(answers), Effort::Plain, &case);
    let [difference] = &outcome.findings[0].differences[..] else { panic!("{outcome:#?}") };
    assert_eq!((&*difference.case, &*difference.stored.to_string()), (id, stored));
    assert_eq!((&*difference.expected.to_string(), &*difference.explanation), (expected, explanation));
    assert!(difference.replay.contains(&case[0].fen));
}

#[test]
fn missing_scores_and_moves_are_reported() {
    const WIN: &str = "win: mate, or a score above cp 100";
    const HUNDREDTH: &str = "checkmate on the hundredth ply goes before the fifty-move rule";
    check_case(
        "mate-at-100/01",
        |_, _| Err(NoAnswer::Broken("it sleeps".to_owned())),
        "no answer: it sleeps",
        WIN,
        HUNDREDTH,
    );
    check_case("mate-at-100/01", |_, game| Ok(with_score(game, Some(100))), "cp 100", WIN, HUNDREDTH);
    let slow: Answers = |_, game| Ok(reply(Score::Mate(4), answer(game).best));
    let late = format!("{HUNDREDTH}; this mate would come after it");
    check_case("mate-at-100/02", slow, "mate 4", WIN, &late);
    let no_move: Answers = |_, game| Ok(reply(answer(game).lines[0].score, None));
    check_case("mate-at-100/01", no_move, "no move", WIN, "there are legal moves");
    let illegal: Answers = |_, game| Ok(reply(answer(game).lines[0].score, Some("a1h9".to_owned())));
    check_case("mate-at-100/01", illegal, "the move a1h9", WIN, "the move is not legal");
    check_case(
        "fifty-clock/01",
        |_, game| Ok(with_score(game, Some(51))),
        "cp 51",
        "draw: a score between cp -50 and cp 50",
        "the halfmove clock of the FEN counts: neither side mates or resets it before the hundredth ply",
    );
}

#[test]
fn a_missing_score_is_a_fault_if_others_are_given() {
    let cases: Vec<DrawCase> = CASES.iter().take(2).cloned().collect();
    let silent: Answers = |_, game| Ok(Reply { lines: Vec::new(), ..answer(game) });
    let outcome = put_to(&player(silent), Effort::Plain, &cases);
    for findings in &outcome.findings {
        let skipped = findings.tally.skipped.get(&SkipReason::Unsupported).copied();
        assert_eq!((skipped, findings.tally.total()), (Some(findings.tally.total()), findings.tally.total()));
    }
    let second = cases[1].fen.clone();
    let at_times = ScriptedPlayer::new(move |question, _| {
        let game = Game::new(&question.fen, &question.moves).unwrap();
        let right = answer(&game);
        Ok(if question.fen == second { Reply { lines: Vec::new(), ..right } } else { right })
    });
    let outcome = put_to(&at_times, Effort::Plain, &cases);
    let found: Vec<String> = outcome
        .findings
        .iter()
        .flat_map(|found| &found.differences)
        .map(|found| found.stored.to_string())
        .collect();
    assert_eq!(found, ["no score"]);
}

#[test]
fn only_bounds_are_no_score_and_no_fault() {
    let bounds: Answers = |_, game| {
        let mut reply = answer(game);
        reply.lines.iter_mut().for_each(|line| line.bound = Bound::Lower);
        Ok(reply)
    };
    let outcome = put_to(&player(bounds), Effort::Plain, &CASES);
    assert_eq!(failed(&outcome), BTreeSet::new());
    let tallies = outcome.findings.iter().map(|findings| &findings.tally);
    assert_eq!(tallies.map(|tally| tally.agreed).sum::<u64>(), 0);
}

/// It always promotes to a queen.
#[test]
fn a_move_that_gives_the_win_away() {
    let faulty: Answers = |_, game| {
        let moves = game.position().legal_moves();
        let queen = moves.iter().find(|mv| mv.promotion() == Some(Role::Queen));
        let queen = queen.map(|&mv| uci_text(mv, shakmaty::CastlingMode::Standard));
        let answered = answer(game);
        Ok(Reply { best: queen.or(answered.best), ..answered })
    };
    let outcome = put_to(&player(faulty), Effort::Plain, &CASES);
    assert_eq!(failed(&outcome), BTreeSet::from(["promotion-stalemate"]));
    let rows: Vec<_> = outcome.rows.iter().filter(|row| row.verdict == DrawVerdict::Move).collect();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.expected == GameResult::Win));
}

#[test]
fn the_report_is_the_same_on_any_number_of_threads() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| put_to(&player(|_, game| Ok(with_score(game, Some(-200)))), Effort::Plain, &CASES))
    };
    assert_eq!(with(1), with(4));
}

/// The result is right, and another check judges how far the mate is.
#[test]
fn a_side_that_is_mated_may_say_so_with_any_number() {
    let case: Vec<DrawCase> = CASES.iter().filter(|case| case.id == "mate-at-100/11").cloned().collect();
    let late: Answers = |_, game| Ok(reply(Score::Mate(-9), answer(game).best));
    assert_eq!(put_to(&player(late), Effort::Plain, &case).findings[0].tally.differed, 0);
    let won: Answers = |_, game| Ok(reply(Score::Mate(9), answer(game).best));
    assert_eq!(put_to(&player(won), Effort::Plain, &case).findings[0].tally.differed, 1);
}

/// A selective search may cut such a line off.
#[test]
fn a_perpetual_check_that_is_not_seen_is_a_warning() {
    let cases: Vec<DrawCase> = CASES
        .iter()
        .filter(|case| ["perpetual/01", "fifty-clock/01"].contains(&&*case.id))
        .cloned()
        .collect();
    let lost: Answers = |_, game| Ok(with_score(game, Some(-900)));
    let outcome = put_to(&player(lost), Effort::Plain, &cases);
    let found = outcome.findings.iter().flat_map(|findings| &findings.differences);
    let mut found: Vec<&str> = found.map(|found| &*found.check).collect();
    found.sort_unstable();
    assert_eq!(found, ["draw/perpetual", "draw/score"]);
    let severity = |id| suites::catalogue::find(id).unwrap().severity;
    assert!(severity("draw/perpetual") < severity("draw/score"));
}
