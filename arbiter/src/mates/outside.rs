//! Files of others: their own claims, and what is announced in their positions.

use shakmaty::Position;
use suites::epd_files::EpdFile;
use suites::mates::{MateCase, MateClaim, MateSuite};
use suites::{Evidence, Replay, SkipReason, Verdict};

use super::faulty::{Lie, moves_of};
use super::{Announcements, MateRow, MateVerdict, Prepared, position, run_outside};
use crate::player::{Aid, NoAnswer, Player, PlayerFactory, Setup};
use crate::{Effort, NoProgress, Outcome, SuiteContext};
use oracle::authorities::Authorities;
use oracle::knowledge::three_men;
use oracle::prover::MOST_MOVES;
use uci::{Bound, Line, Question, Reply, Score};

/// A file of others, answered by one who always says the same.
fn outside(text: &str, lie: Lie) -> Outcome<MateRow> {
    judged_by(&Authorities::default(), text, lie)
}

fn judged_by(authorities: &Authorities<'_>, text: &str, lie: Lie) -> Outcome<MateRow> {
    struct Parrot(Lie);
    impl PlayerFactory for Parrot {
        fn name(&self) -> &'static str {
            "parrot"
        }
        fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
            Ok(Box::new(Self(self.0)))
        }
        fn has(&self, _: Aid) -> bool {
            false
        }
        fn replay(&self, _: Setup, _: &Question) -> Replay {
            Replay::default()
        }
    }
    impl Player for Parrot {
        fn forget(&mut self) -> Result<(), NoAnswer> {
            Ok(())
        }
        fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
            let position = position(&question.fen).unwrap();
            let case = MateCase {
                id: String::new(),
                fen: question.fen.clone(),
                moves: Vec::new(),
                claim: MateClaim::NoMate(1),
            };
            let reply = Reply { lines: Vec::new(), best: moves_of(&position).into_iter().next(), cut: false };
            (self.0)(&case, &position, reply)
        }
    }
    let suite = EpdFile::parse("their.epd", text.as_bytes()).unwrap().mates;
    let subjects = Parrot(lie);
    let context = SuiteContext {
        players: &subjects,
        authorities,
        effort: Effort::Plain,
        seed: 1,
        limit: None,
        progress: &NoProgress,
    };
    let prepared = Prepared::new(&suite, authorities, context.effort, &NoProgress);
    run_outside(&context, &prepared, Announcements::default())
}

#[test]
fn files_of_others_are_judged_too() {
    let text = "8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;\n\
                8/8/8/8/8/1K6/2R5/1k6 w - - bm #1;\n\
                8/8/8/8/8/1K6/2R5/1k6 w - - dm 3;\n\
                8/8/8/8/8/1K6/2R5/1k6 w - - 98 80 dm 2;\n\
                8/8/8/8/8/1K6/2R5/1k6 w - - 0 1\n\
                8/8 w\n\
                8/8/8/8/8/8/8/1k6 w - - bm #2;\n\
                7k/8/5KQ1/8/8/8/8/8 b - - bm #-1;\n";
    let outcome = outside(text, |_, _, mut reply| {
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
    let [parrot, file] = &outcome.findings[..] else { panic!("{:#?}", outcome.findings) };
    assert_eq!((&*parrot.tally.subject, parrot.tally.compared()), ("parrot", 6));
    assert_eq!(&*file.tally.subject, "their.epd");
    let wrong: Vec<&str> = file.differences.iter().map(|difference| &*difference.case).collect();
    assert_eq!(wrong, ["their.epd/2", "their.epd/4", "their.epd/8"]);
    assert_eq!((file.tally.agreed, file.tally.skipped[&SkipReason::Malformed]), (2, 2));
}

/// What is far beyond the prover stands in the tables, but for what the halfmove clock forbids, and for castling rights.
#[test]
fn tables_decide_what_they_have() {
    let truth = three_men().unwrap();
    let text = "8/8/8/3k4/8/8/8/KR6 w - - dm 16;\n\
                8/8/8/3k4/8/8/8/KR6 w - - dm 9;\n\
                8/8/8/4k3/4P3/4K3/8/8 w - - dm 25;\n\
                8/8/8/3k4/8/8/8/KR6 w - - 80 100\n\
                8/8/8/4k3/4P3/4K3/8/8 w - - 0 1\n";
    let lie: Lie = |_, _, mut reply| {
        let score = Score::Mate(20);
        reply.lines.push(Line { depth: 1, score, bound: Bound::Lower, nodes: None, pv: Vec::new() });
        Ok(reply)
    };
    let outcome = judged_by(&Authorities { truth: Some(truth), ..Authorities::default() }, text, lie);
    let [mate @ .., clock, drawn] = &outcome.rows[..] else { panic!("{:#?}", outcome.rows) };
    let [long, short, draw] = mate else { panic!("{mate:#?}") };
    assert!(long.mate.is_some_and(|moves| (10..=16).contains(&moves)), "{long:?}");
    assert_eq!((long.mate, long.verdict), (short.mate, MateVerdict::Longer));
    assert_eq!([draw.verdict, drawn.verdict], [MateVerdict::Unsound; 2]);
    assert_eq!(clock.verdict, MateVerdict::Undecided);
    let file = &outcome.findings[outcome.findings.len() - 1];
    let wrong: Vec<_> = file.differences.iter().map(|wrong| (&*wrong.case, &*wrong.source)).collect();
    assert_eq!(wrong, [("their.epd/2", "tables"), ("their.epd/3", "tables")]);
    assert_eq!(file.tally.agreed, 1);
}

/// A mate beyond all limits of the prover is taken on the word of the file, and said to be.
#[test]
fn what_nobody_can_decide_is_taken_on_the_word_of_the_file() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    // Of a mate that the side to move gives, nobody knows whether its move keeps it.
    let black = start.replace(" w ", " b ");
    let text = format!("{start} dm 60;\n{start} dm {};\n{black} dm -60;\n", MOST_MOVES + 1);
    let outcome = outside(&text, |_, position, mut reply| {
        let score = Score::Mate(if position.turn().is_white() { 70 } else { -70 });
        reply.lines.push(Line { depth: 1, score, bound: Bound::Exact, nodes: Some(5), pv: Vec::new() });
        Ok(reply)
    });
    let [moved, shorter, longer] = &outcome.rows[..] else { panic!("{:#?}", outcome.rows) };
    assert_eq!((longer.verdict, longer.evidence), (MateVerdict::Longer, Some(Evidence::Word)));
    assert_eq!((moved.verdict, moved.evidence), (MateVerdict::Undecided, Some(Evidence::Word)));
    assert_eq!((shorter.verdict, shorter.mate), (MateVerdict::Undecided, Some(101)));
    let [subject, file] = &outcome.findings[..] else { panic!("{:#?}", outcome.findings) };
    assert_eq!(
        (&*subject.tally.case_set, subject.tally.evidence),
        ("their.epd (on its word)", Evidence::Word)
    );
    assert_eq!((subject.tally.agreed, subject.tally.skipped[&SkipReason::Undecided]), (1, 2));
    assert_eq!((file.tally.agreed, file.tally.skipped[&SkipReason::Undecided]), (0, 3));
}

/// What a file says is proved whether or not there is time to ask for it.
#[test]
fn a_file_is_judged_whoever_is_asked() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let text = format!("{start} dm 60;\n8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;\n{start}\n");
    let outcome = outside(&text, |_, _, _| Err(NoAnswer::OutOfTime));
    for row in &outcome.rows {
        assert_eq!((row.verdict, row.announced), (MateVerdict::NotAsked, None));
    }
    let asked: Vec<_> = outcome.findings.iter().filter(|found| found.tally.subject == "parrot").collect();
    let late: u64 = asked.iter().map(|found| found.tally.skipped[&SkipReason::OutOfTime]).sum();
    assert_eq!((outcome.rows.len(), late), (3, 3));
    let file = &outcome.findings[outcome.findings.len() - 1];
    // One of them speaks of no mate.
    assert_eq!((file.tally.agreed, file.tally.skipped[&SkipReason::Undecided]), (1, 1));
}

/// A file whose first lines nobody can prove: each line gets a little before any gets much.
#[test]
fn hard_lines_take_nothing_from_easy_ones() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let hard = format!("{start} dm 60;\n").repeat(60);
    let text = format!("{hard}r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1 bm #3;\n");
    let suite = EpdFile::parse("their.epd", text.as_bytes()).unwrap().mates;
    let prepared = Prepared::new(&suite, &Authorities::default(), Effort::Quick, &NoProgress);
    let claims: Vec<_> = prepared.known.iter().map(|known| known.claim.clone().unwrap()).collect();
    assert!(claims[..60].iter().all(|claim| *claim == Verdict::Skip(SkipReason::Undecided)));
    assert_eq!(claims[60], Verdict::Agree);
}

/// A position of our suite is decided by its stored proof, where the prover may not look at a single position.
#[test]
fn stored_proofs_are_asked_before_the_prover() {
    let suite = MateSuite::embedded().unwrap();
    let far =
        |case: &&MateCase| matches!(case.claim, MateClaim::Mate(5..)) && suite.proofs.contains_key(&case.id);
    let case = suite.cases.iter().find(far).unwrap();
    let MateClaim::Mate(moves) = case.claim else { panic!("it is a mate") };
    let text = format!("{} dm {moves};\n{} dm {};\n", case.fen, case.fen, moves - 1);
    let outcome = outside(&text, |_, _, reply| Ok(reply));
    assert!(outcome.rows.iter().all(|row| row.mate == Some(moves)), "{:?}", outcome.rows);
    let file = &outcome.findings[outcome.findings.len() - 1];
    assert_eq!((file.tally.agreed, &*file.differences[0].source), (1, "stored proof"));
}
