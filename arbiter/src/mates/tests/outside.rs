//! Third-party files: the mates that they state, and announcements in their positions.

use shakmaty::{Chess, Position};
use suites::epd_files::EpdFile;
use suites::mates::{MateCase, MateClaim, MateSuite};
use suites::{Evidence, SkipReason, Verdict};

use super::{AnalysedFile, Announcements, MateRow, MateVerdict, position, run_outside};
use crate::player::NoAnswer;
use crate::scripted::ScriptedPlayer;
use crate::{Effort, NoProgress, SuiteContext, SuiteOutcome};
use oracle::authorities::Authorities;
use oracle::board::uci_moves;
use oracle::knowledge::three_men;
use oracle::prover::MOST_MOVES;
use uci::{Bound, Line, Reply, Score};

/// The answer to a position, made from one without a line.
type Answers = fn(&Chess, Reply) -> Result<Reply, NoAnswer>;

fn outside(text: &str, answers: Answers) -> SuiteOutcome<MateRow> {
    judged_by(&Authorities::default(), text, answers)
}

fn judged_by(authorities: &Authorities<'_>, text: &str, answers: Answers) -> SuiteOutcome<MateRow> {
    judged_with(Effort::Quick, authorities, text, answers)
}

fn judged_with(
    effort: Effort,
    authorities: &Authorities<'_>,
    text: &str,
    answers: Answers,
) -> SuiteOutcome<MateRow> {
    let player = ScriptedPlayer::new(move |question, _| {
        let position = position(&question.fen).unwrap();
        let best = uci_moves(&position).into_iter().next();
        answers(&position, Reply { best, ..Reply::default() })
    });
    let suite = EpdFile::parse("their.epd", text.as_bytes()).unwrap().mates;
    let players = &player;
    let context = SuiteContext { players, authorities, effort, seed: 1, limit: None, progress: &NoProgress };
    let file = AnalysedFile::new(&suite, authorities, effort, &NoProgress);
    run_outside(&context, &file, Announcements::default())
}

#[test]
fn third_party_files_are_judged_too() {
    let text = "8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;\n\
                8/8/8/8/8/1K6/2R5/1k6 w - - bm #1;\n\
                8/8/8/8/8/1K6/2R5/1k6 w - - dm 3;\n\
                8/8/8/8/8/1K6/2R5/1k6 w - - 98 80 dm 2;\n\
                8/8/8/8/8/1K6/2R5/1k6 w - - 0 1\n\
                8/8 w\n\
                8/8/8/8/8/8/8/1k6 w - - bm #2;\n\
                7k/8/5KQ1/8/8/8/8/8 b - - bm #-1;\n";
    let outcome = outside(text, |_, mut reply| {
        let line = Line { depth: 1, score: Score::Mate(2), bound: Bound::Lower, nodes: None, pv: Vec::new() };
        reply.lines.push(line);
        Ok(reply)
    });
    let rows: Vec<_> = outcome.rows.iter().map(|row| (&*row.case, row.mate, row.verdict.name())).collect();
    let expected = [
        ("1", Some(2), "thrown"),
        ("2", Some(2), "thrown"),
        ("3", Some(2), "thrown"),
        ("4", None, "unsound"),
        ("5", Some(2), "thrown"),
        ("7", None, "malformed"),
        ("8", None, "unsound"),
        ("6", None, "malformed"),
    ];
    assert_eq!(rows, expected);
    let [player, file, lengths] = &outcome.findings[..] else { panic!("{:#?}", outcome.findings) };
    assert_eq!((&*player.tally.subject, player.tally.compared()), ("player", 6));
    assert_eq!(&*file.tally.subject, "their.epd");
    let wrong: Vec<&str> = file.differences.iter().map(|difference| &*difference.case).collect();
    assert_eq!(wrong, ["their.epd/2", "their.epd/4", "their.epd/8"]);
    assert_eq!((file.tally.agreed, file.tally.skipped[&SkipReason::Malformed]), (2, 2));
    assert_eq!((&*lengths.tally.check, lengths.tally.agreed), ("file/longer", 1));
    let [longer] = &lengths.differences[..] else { panic!("{lengths:#?}") };
    assert_eq!(
        (&*longer.case, &*longer.stored.to_string(), &*longer.expected.to_string()),
        ("their.epd/3", "mate in 3", "mate in 2")
    );
}

/// The tables decide mates that are too long for the prover, unless the fifty-move rule or castling rights
/// matter.
#[test]
fn tables_decide_the_positions_that_they_have() {
    let truth = three_men().unwrap();
    let text = "8/8/8/3k4/8/8/8/KR6 w - - dm 16;\n\
                8/8/8/3k4/8/8/8/KR6 w - - dm 9;\n\
                8/8/8/4k3/4P3/4K3/8/8 w - - dm 25;\n\
                8/8/8/3k4/8/8/8/KR6 w - - 80 100\n\
                8/8/8/4k3/4P3/4K3/8/8 w - - 0 1\n";
    let answers: Answers = |_, mut reply| {
        let score = Score::Mate(20);
        reply.lines.push(Line { depth: 1, score, bound: Bound::Lower, nodes: None, pv: Vec::new() });
        Ok(reply)
    };
    let outcome = judged_by(&Authorities { truth: Some(truth), ..Authorities::default() }, text, answers);
    let [mate @ .., clock, drawn] = &outcome.rows[..] else { panic!("{:#?}", outcome.rows) };
    let [long, short, draw] = mate else { panic!("{mate:#?}") };
    assert!(long.mate.is_some_and(|moves| (10..=16).contains(&moves)), "{long:?}");
    assert_eq!((long.mate, long.verdict), (short.mate, MateVerdict::Longer));
    assert_eq!([draw.verdict, drawn.verdict], [MateVerdict::Unsound; 2]);
    assert_eq!(clock.verdict, MateVerdict::Undecided);
    let [.., file, lengths] = &outcome.findings[..] else { panic!("{:#?}", outcome.findings) };
    let longer: Vec<&str> = lengths.differences.iter().map(|longer| &*longer.case).collect();
    assert_eq!((lengths.tally.agreed, longer), (0, vec!["their.epd/1"]));
    let wrong: Vec<_> = file.differences.iter().map(|wrong| (&*wrong.case, &*wrong.source)).collect();
    assert_eq!(wrong, [("their.epd/2", "tables"), ("their.epd/3", "tables")]);
    assert_eq!(file.tally.agreed, 1);
}

/// The evidence of a mate that the prover cannot decide is the word of the file.
#[test]
fn an_undecided_mate_is_taken_on_the_word_of_the_file() {
    check_undecided(Effort::Quick);
}

#[test]
#[ignore = "nightly: many nodes"]
fn a_mate_that_is_undecided_with_many_nodes_is_taken_on_the_word_of_the_file() {
    check_undecided(Effort::Plain);
}

fn check_undecided(effort: Effort) {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    // Whether a move keeps a mate of the side to move is undecided.
    let black = start.replace(" w ", " b ");
    let text = format!("{start} dm 60;\n{start} dm {};\n{black} dm -60;\n", MOST_MOVES + 1);
    let outcome = judged_with(effort, &Authorities::default(), &text, |position, mut reply| {
        let score = Score::Mate(if position.turn().is_white() { 70 } else { -70 });
        reply.lines.push(Line { depth: 1, score, bound: Bound::Exact, nodes: Some(5), pv: Vec::new() });
        Ok(reply)
    });
    let [moved, shorter, longer] = &outcome.rows[..] else { panic!("{:#?}", outcome.rows) };
    assert_eq!((longer.verdict, longer.evidence), (MateVerdict::Longer, Some(Evidence::Word)));
    assert_eq!((moved.verdict, moved.evidence), (MateVerdict::Undecided, Some(Evidence::Word)));
    assert_eq!((shorter.verdict, shorter.mate), (MateVerdict::Undecided, Some(101)));
    let [player, file] = &outcome.findings[..] else { panic!("{:#?}", outcome.findings) };
    assert_eq!((&*player.tally.case_set, player.tally.evidence), ("their.epd (on its word)", Evidence::Word));
    assert_eq!((player.tally.agreed, player.tally.skipped[&SkipReason::Undecided]), (1, 2));
    assert_eq!((file.tally.agreed, file.tally.skipped[&SkipReason::Undecided]), (0, 3));
}

#[test]
fn a_file_is_judged_even_if_there_is_no_time_to_ask_the_player() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let text = format!("{start} dm 60;\n8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;\n{start}\n");
    let outcome = outside(&text, |_, _| Err(NoAnswer::OutOfTime));
    for row in &outcome.rows {
        assert_eq!((row.verdict, row.announced), (MateVerdict::NotAsked, None));
    }
    let asked: Vec<_> = outcome.findings.iter().filter(|found| found.tally.subject == "player").collect();
    let late: u64 = asked.iter().map(|found| found.tally.skipped[&SkipReason::OutOfTime]).sum();
    assert_eq!((outcome.rows.len(), late), (3, 3));
    let [.., file, lengths] = &outcome.findings[..] else { panic!("{:#?}", outcome.findings) };
    assert_eq!((&*lengths.tally.check, lengths.tally.agreed), ("file/longer", 1));
    // One of them states no mate.
    assert_eq!((file.tally.agreed, file.tally.skipped[&SkipReason::Undecided]), (1, 1));
}

/// The first lines of the file cannot be proved.
#[test]
fn each_line_gets_few_nodes_before_any_gets_many() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let hard = format!("{start} dm 60;\n").repeat(60);
    let text = format!("{hard}r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1 bm #3;\n");
    let suite = EpdFile::parse("their.epd", text.as_bytes()).unwrap().mates;
    let file = AnalysedFile::new(&suite, &Authorities::default(), Effort::Quick, &NoProgress);
    let claims: Vec<_> = file.known.iter().map(|known| known.claim.clone().unwrap()).collect();
    assert!(claims[..60].iter().all(|claim| *claim == Verdict::Skip(SkipReason::Undecided)));
    assert_eq!(claims[60], Verdict::Agree);
}

#[test]
fn stored_proofs_decide_before_the_prover() {
    let suite = MateSuite::embedded().unwrap();
    let far =
        |case: &&MateCase| matches!(case.claim, MateClaim::Mate(5..)) && suite.proofs.contains_key(&case.id);
    let case = suite.cases.iter().find(far).unwrap();
    let MateClaim::Mate(moves) = case.claim else { panic!("it is a mate") };
    let text = format!("{} dm {moves};\n{} dm {};\n", case.fen, case.fen, moves - 1);
    let outcome = outside(&text, |_, reply| Ok(reply));
    assert!(outcome.rows.iter().all(|row| row.mate == Some(moves)), "{:?}", outcome.rows);
    let [.., file, lengths] = &outcome.findings[..] else { panic!("{:#?}", outcome.findings) };
    assert_eq!((&*lengths.tally.check, lengths.tally.agreed), ("file/longer", 1));
    assert_eq!((file.tally.agreed, &*file.differences[0].source), (1, "stored proof"));
}
