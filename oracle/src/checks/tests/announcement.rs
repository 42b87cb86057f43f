//! Thinkers that announce what the table says, and thinkers that are wrong in one thing.

use std::sync::Arc;

use engine::tables::{Dtm, Ply, TableSet};
use engine::thinking::{Answer, Bound, Control, Limits, Report, Setting, Settings, Thinker};
use engine::{Game, Move, Position, Role, Score, Square};

use super::*;
use crate::engine_search::EngineSearch;

static TABLES: LazyLock<Arc<TableSet>> = LazyLock::new(|| {
    let materials = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().unwrap());
    Arc::new(build::production(&materials).unwrap())
});

const CHECK: Check = Check::Announcement;

/// All that is said of a position.
#[derive(Clone)]
struct Said {
    reports: Vec<Report>,
    answer: Answer,
}

/// What the table says, as a thinker that sees it says it.
fn truth(position: &Position) -> Said {
    let dtm = TABLES.dtm(position.board(), position.side_to_move()).unwrap();
    let score = match dtm.map(Dtm::plies) {
        None => Score::DRAW,
        Some(plies) if plies % 2 == 1 => Score::mate_in(Ply(plies)),
        Some(plies) => Score::mated_in(Ply(plies)),
    };
    let line = TABLES.best_line(position).unwrap();
    let answer = Answer { best: line.first().copied(), ponder: line.get(1).copied(), score, nodes: 1 };
    let report = Report {
        depth: u16::from(answer.best.is_some()),
        selective_depth: 1,
        rank: 1,
        score,
        bound: Bound::Exact,
        nodes: 1,
        hash_full: 0,
        table_hits: 1,
        line,
    };
    Said { reports: vec![report], answer }
}

type Tell = fn(&Position, u64, &mut Said);

/// Says the truth, passed through a lie that knows how many questions came before.
struct Speaker {
    lie: Tell,
    asked: u64,
}

impl Thinker for Speaker {
    fn name(&self) -> String {
        "speaker".to_owned()
    }

    fn configure(&mut self, _: &Settings) {}

    fn uses(&self) -> &'static [Setting] {
        &[]
    }

    fn forget(&mut self) {
        self.asked = 0;
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        _: &Control,
        listener: &mut dyn FnMut(&Report),
    ) -> Answer {
        assert_eq!((limits.depth, limits.nodes, limits.time), (Some(1), None, None));
        let mut said = truth(game.position());
        (self.lie)(game.position(), self.asked, &mut said);
        self.asked += 1;
        said.reports.iter().for_each(listener);
        said.answer
    }
}

fn speaker(lie: Tell) -> EngineSearch {
    EngineSearch::of((**TABLES).clone(), move || Box::new(Speaker { lie, asked: 0 }))
}

/// Classes of won and lost positions by published counts.
fn decided(table: &str) -> u64 {
    let rows = PUBLISHED.iter().filter(|row| row.table == table);
    rows.map(|row| row.unique.wins + row.unique.losses).sum()
}

#[test]
fn what_the_table_says_is_never_reported() {
    for table in ["KPvK", "KQvK", "KRvK"] {
        let findings = run(CHECK, &speaker(|_, _, _| ()), table);
        assert_eq!(findings.differences, [], "{table}");
        assert_eq!((findings.tally.agreed, findings.tally.total()), (decided(table), decided(table)));
    }
}

#[test]
fn only_searches_announce_and_only_where_there_is_a_mate() {
    let applies = |subject: &dyn Claims, table| CHECK.applies(subject, &men(table));
    let search = speaker(|_, _, _| ());
    for table in ["KPvK", "KQvK", "KRvK"] {
        assert!(applies(&search, table) && !applies(&*PRODUCTION, table), "{table}");
    }
    for table in ["KvK", "KBvK", "KNvK", "KBNvK"] {
        assert!(!applies(&search, table), "{table}");
    }
}

fn is_at(position: &Position, fen: &str) -> bool {
    position.to_fen().strip_prefix(fen) == Some(" 0 1")
}

impl Said {
    fn score(&mut self, change: impl Fn(u16) -> Score) {
        let dtm = u16::try_from(self.reports[0].line.len()).unwrap();
        (self.reports[0].score, self.answer.score) = (change(dtm), change(dtm));
    }

    /// Another first move, with the line that follows from it.
    fn best(&mut self, position: &Position, mv: Move) {
        self.answer.best = Some(mv);
        self.reports[0].line = vec![mv];
        if position.is_legal(mv) {
            self.reports[0].line.extend(truth(&position.play(mv)).reports[0].line.clone());
        }
    }

    /// A line with a slower third move.
    fn dawdle(&mut self, position: &Position) {
        let line = &mut self.reports[0].line;
        let third = line[..2].iter().fold(*position, |position, &mv| position.play(mv));
        line[2] = slower(&third);
    }
}

/// A move by which the mate is still given, or suffered, but not in time.
fn other(position: &Position, longer: bool) -> Move {
    let dtm = |position: &Position| TABLES.dtm(position.board(), position.side_to_move()).unwrap();
    let left = dtm(position).unwrap().plies() - 1;
    let moves = position.legal_moves().into_iter();
    let after = |mv: &Move| dtm(&position.play(*mv)).map(Dtm::plies);
    moves
        .into_iter()
        .find(|mv| after(mv).is_some_and(|plies| plies != left && (plies > left) == longer))
        .unwrap()
}

fn slower(position: &Position) -> Move {
    other(position, true)
}

const TABLE: &str = "certified production table";
const RULES: &str = "shakmaty";

/// One lie each, told of one position; how what is then stored begins, what is expected, and who says so.
const LIES: [(&str, Tell, &str, &str, &str); 19] = [
    (
        "8/8/8/4k3/8/8/2K5/R7 w - -",
        |_, _, said| said.score(|dtm| Score::mate_in(Ply(dtm - 2))),
        "mate 12 (23 plies)",
        "mate 13 (25 plies)",
        TABLE,
    ),
    (
        "8/8/8/4k3/8/8/2K5/1R6 w - -",
        |_, _, said| said.score(|dtm| Score::mate_in(Ply(dtm + 1))),
        "mate 13 (26 plies)",
        "mate 13 (25 plies)",
        TABLE,
    ),
    (
        "8/8/8/4k3/8/8/2K5/2R5 w - -",
        |_, _, said| said.score(|dtm| Score::mated_in(Ply(dtm))),
        "mate -13 (25 plies)",
        "mate 13 (25 plies)",
        TABLE,
    ),
    (
        "8/8/8/4k3/8/8/2K5/3R4 b - -",
        |_, _, said| said.score(|dtm| Score::mate_in(Ply(dtm))),
        "mate 14 (28 plies)",
        "mate -14 (28 plies)",
        TABLE,
    ),
    (
        "8/8/8/4k3/8/8/2K5/5R2 b - -",
        |_, _, said| said.score(|_| Score::centipawns(-500)),
        "cp -500",
        "mate -14 (28 plies)",
        TABLE,
    ),
    (
        "8/8/8/4k3/8/8/2K5/6R1 w - -",
        |_, _, said| said.answer.score = Score::centipawns(500),
        "mate 13 (25 plies), then cp 500",
        "mate 13 (25 plies)",
        TABLE,
    ),
    (
        "8/8/8/4k3/8/8/2K5/7R w - -",
        |_, _, said| said.reports[0].bound = Bound::Lower,
        "mate 13 (25 plies) or more",
        "mate 13 (25 plies)",
        TABLE,
    ),
    (
        "8/8/8/4k3/8/8/2K4R/8 w - -",
        |_, _, said| said.reports.clear(),
        "no report",
        "mate 13 (25 plies)",
        TABLE,
    ),
    (
        "R7/8/8/4k3/8/8/2K5/8 w - -",
        |_, _, _| panic!("a thinker that breaks"),
        "no answer: it panics",
        "mate 13 (25 plies)",
        TABLE,
    ),
    ("8/8/8/4k3/8/7R/2K5/8 w - -", |_, _, said| said.answer.best = None, "no move", "a move", TABLE),
    (
        "8/8/8/4k3/7R/8/2K5/8 w - -",
        |position, _, said| said.best(position, slower(position)),
        "the move c2b1, after which the other side sees mated in 14",
        "a move after which the other side sees mated in 12",
        TABLE,
    ),
    (
        "8/8/8/4k3/7R/8/2K5/8 b - -",
        |position, _, said| said.best(position, other(position, false)),
        "the move e5f6, after which the other side sees mate in 12",
        "a move after which the other side sees mate in 13",
        TABLE,
    ),
    (
        "8/8/7R/4k3/8/8/2K5/8 w - -",
        |position, _, said| said.best(position, Move::new(Square::A1, Square::A2)),
        "the move a1a2",
        "a legal move",
        RULES,
    ),
    (
        "R7/8/8/8/8/8/2K5/k7 b - -",
        |position, _, said| said.best(position, Move::new(Square::A1, Square::B1)),
        "the move a1b1",
        "a legal move",
        RULES,
    ),
    (
        "8/7R/8/4k3/8/8/2K5/8 w - -",
        |_, _, said| said.reports[0].line.truncate(24),
        "the line c2d3 e5d5 ",
        "a line of 25 plies to checkmate",
        RULES,
    ),
    (
        "7R/8/8/4k3/8/8/2K5/8 w - -",
        |_, _, said| said.reports[0].line.push(Move::new(Square::H1, Square::H2)),
        "the line c2c3 e5e4 ",
        "a line of 25 plies to checkmate",
        RULES,
    ),
    (
        "6R1/8/8/4k3/8/8/2K5/8 w - -",
        |_, _, said| said.reports[0].line[2].promotion = Some(Role::Queen),
        "the line c2d3 e5f4 ",
        "a line of legal moves",
        RULES,
    ),
    (
        "5R2/8/8/4k3/8/8/2K5/8 w - -",
        |position, _, said| said.dawdle(position),
        "the line c2d3 e5d5 d3c2 ",
        "after d3c2 mated in 11",
        TABLE,
    ),
    (
        "3R4/8/8/4k3/8/8/2K5/8 w - -",
        |position, _, said| said.reports[0].line[0] = slower(position),
        "the line c2b1 ",
        "a line that begins with c2d3",
        TABLE,
    ),
];

#[test]
fn each_lie_is_reported_and_nothing_else() {
    let subject = speaker(|position, _, said| {
        if let Some((_, lie, ..)) = LIES.iter().find(|(fen, ..)| is_at(position, fen)) {
            lie(position, 0, said);
        }
    });
    let findings = run(CHECK, &subject, "KRvK");
    assert_eq!(cases(&findings), cases_of("KRvK", LIES.map(|(fen, ..)| fen)));
    assert_eq!(findings.tally.total(), decided("KRvK"));
    for (fen, _, stored, expected, source) in LIES {
        let told = findings.differences.iter().find(|difference| difference.fen.starts_with(fen)).unwrap();
        assert!(told.stored.starts_with(stored), "{told:#?}");
        assert_eq!((told.expected.as_str(), told.source.as_str()), (expected, source), "{told:#?}");
        let commands = format!("(printf 'position fen {}\\ngo depth 1\\n'; ", told.fen);
        assert!(told.replay.contains(&commands), "{told:#?}");
    }
}

/// Lines of other ranks, and what was said before the last report, are not what is announced.
#[test]
fn the_last_report_on_the_best_line_counts() {
    let subject = speaker(|position, _, said| {
        let mut second = said.reports[0].clone();
        (second.rank, second.score, second.line) = (2, Score::DRAW, Vec::new());
        let mut first = second.clone();
        (first.rank, first.bound) = (1, Bound::Upper);
        if position.to_fen().starts_with("8/8/8/4k3/8/8/2K5/") {
            said.reports = vec![first, said.reports[0].clone(), second];
        }
    });
    assert_eq!(run(CHECK, &subject, "KRvK").differences, []);
}

#[test]
fn what_is_drawn_is_no_case() {
    let subject = speaker(|position, _, said| {
        assert!(said.answer.score != Score::DRAW, "{} is drawn", position.to_fen());
    });
    let findings = run(CHECK, &subject, "KPvK");
    assert_eq!((findings.tally.agreed, findings.differences.len()), (decided("KPvK"), 0));
    assert_eq!(decided("KPvK"), 62_480 + 48_802);
}

/// Each part of the placements has its own thinker, so that what one remembers does not depend on the threads.
#[test]
fn what_a_thinker_remembers_is_the_same_on_any_number_of_threads() {
    let subject = speaker(|_, asked, said| {
        if asked == 99 {
            said.answer.best = None;
        }
    });
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(CHECK, &subject, "KQvK"))
    };
    let [alone, together] = [1, 4].map(with);
    assert!(alone.tally.differed > 10, "{}", alone.tally.differed);
    assert!(alone == together);
    for difference in alone.differences {
        assert!(difference.explanation.ends_with("; asked for nothing else before, it says otherwise"));
    }
}

#[test]
fn without_a_certified_table_nothing_is_compared() {
    let authorities = Authorities { published: &PUBLISHED, ..Authorities::default() };
    let findings = run_with(CHECK, &speaker(|_, _, _| ()), "KRvK", &authorities);
    assert_eq!((findings.tally.compared(), findings.tally.skipped_total()), (0, decided("KRvK")));
    assert!(findings.tally.skipped.contains_key(&suites::SkipReason::NotCertified));
}

/// Were a table certified in which wins are missing, or one published that has more, it would be seen here.
#[test]
fn cases_are_as_many_as_published() {
    let check = |published: &[CensusRow], truth: &dyn Claims, expected: &[&str]| {
        let authorities = Authorities { published, truth: Some(truth), ..Authorities::default() };
        let findings = run_with(CHECK, &speaker(|_, _, _| ()), "KQvK", &authorities);
        assert_eq!(cases(&findings), cases_of("KQvK", expected));
    };
    let mut more = PUBLISHED.clone();
    more.iter_mut().find(|row| row.table == "KQvK").unwrap().unique.wins += 1;
    check(&more, &*PRODUCTION, &["coverage of won and lost positions"]);
    let forgetful = liar_about(&[("R7/8/8/4k3/8/8/2K5/8 w - -", Lie::Dtm(None))]);
    check(&PUBLISHED, &forgetful, &[]);
    let forgetful = liar_about(&[("Q7/8/8/3k4/8/8/8/1K6 b - -", Lie::Dtm(None))]);
    check(&PUBLISHED, &forgetful, &["coverage of won and lost positions"]);
    check(&[], &*PRODUCTION, &[]);
}
