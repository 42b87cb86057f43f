//! Thinkers that announce what the table says, and thinkers that are wrong in one thing.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex};
use suites::Replay;

use engine::Ply;
use engine::search_api::{
    Bound as EngineBound, Control, Limits, SearchInfo, SearchResult, Searcher, Setting, Settings,
};
use engine::tables::{Dtm, TableSet, builders};
use engine::{Game, Position as EnginePosition, Score as EngineScore};
use oracle::board::fen as fen_of;
use oracle::positions;
use oracle::table_probe::{Board, Color, EngineTables, ProbeError, TableValue};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Role, Square};
use suites::census::{self, PublishedCounts};

use super::*;
use crate::player::InProcess;

static PUBLISHED: LazyLock<Vec<PublishedCounts>> = LazyLock::new(|| census::embedded().unwrap());

static PRODUCTION: LazyLock<EngineTables> = LazyLock::new(|| EngineTables::production((**TABLES).clone()));

static TABLES: LazyLock<Arc<TableSet>> = LazyLock::new(|| {
    let materials = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().unwrap());
    Arc::new(builders::production(&materials).unwrap())
});

fn men(table: &str) -> Men {
    table.parse().unwrap()
}

/// The board and the side to move of the first fields of a FEN, legal or not.
fn placement(fen: &str) -> (Board, Color) {
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    (setup.board, setup.turn)
}

/// What the check says of a player, with the certified table and published counts.
fn run(player: &dyn PlayerFactory, table: &str) -> Findings {
    let authorities =
        Authorities { published: &PUBLISHED, truth: Some(&*PRODUCTION), ..Authorities::default() };
    run_with(player, table, &authorities)
}

fn run_with(player: &dyn PlayerFactory, table: &str, authorities: &Authorities) -> Findings {
    let men = men(table);
    let findings =
        super::run(&Job { player, men: &men, authorities, seed: 1, quick: false, progress: &|_| () });
    assert_eq!(findings.tally.differed, findings.differences.len() as u64);
    for difference in &findings.differences {
        assert_eq!((&*difference.subject, &*difference.check), (player.name(), CHECK));
        assert_ne!(difference.stored, difference.expected, "{difference:#?}");
        let texts = [&*difference.source, &*difference.explanation, &*difference.replay];
        assert!(texts.iter().all(|text| !text.is_empty()), "{difference:#?}");
        assert!(difference.case.starts_with(&format!("{table}/")), "{difference:#?}");
        assert!(difference.fen.is_empty() || difference.replay.contains(&difference.fen));
    }
    findings
}

/// The cases that differ.
fn differing(findings: &Findings) -> BTreeSet<String> {
    let cases: BTreeSet<_> = findings.differences.iter().map(|difference| difference.case.clone()).collect();
    assert_eq!(cases.len(), findings.differences.len(), "a case is reported twice");
    cases
}

/// The cases that positions are.
fn cases_of(table: &str, positions: impl IntoIterator<Item = impl AsRef<str>>) -> BTreeSet<String> {
    positions.into_iter().map(|position| format!("{table}/{}", position.as_ref())).collect()
}

/// The production table without this position, which it calls drawn.
struct Without {
    board: Board,
    turn: Color,
}

impl Without {
    fn of(position: &str) -> Self {
        let (board, turn) = placement(position);
        Self { board, turn }
    }
}

impl TableProbe for Without {
    fn name(&self) -> &'static str {
        "without"
    }

    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError> {
        let value = PRODUCTION.probe(board, turn)?;
        let dtm = value.dtm.filter(|_| (board, turn) != (&self.board, self.turn));
        Ok(TableValue { dtm, wdl: oracle::table_probe::Wdl::of_dtm(dtm), ..value })
    }

    fn has_dtz(&self) -> bool {
        false
    }
}

/// All that is said of a position.
struct Said {
    reports: Vec<SearchInfo>,
    answer: SearchResult,
}

/// What the table says, as a thinker that sees it says it.
fn truth(position: &EnginePosition) -> Said {
    let dtm = TABLES.dtm(position.board(), position.side_to_move()).unwrap();
    let score = match dtm.map(Dtm::plies) {
        None => EngineScore::DRAW,
        Some(plies) if plies % 2 == 1 => EngineScore::mate_in(Ply(plies)),
        Some(plies) => EngineScore::mated_in(Ply(plies)),
    };
    let line = TABLES.best_line(position).unwrap();
    let answer = SearchResult { best: line.first().copied(), ponder: line.get(1).copied(), score, nodes: 1 };
    let report = SearchInfo {
        depth: u16::from(answer.best.is_some()),
        selective_depth: 1,
        rank: 1,
        score,
        bound: EngineBound::Exact,
        nodes: 1,
        hash_full: 0,
        table_hits: 1,
        line,
    };
    Said { reports: vec![report], answer }
}

/// Says the truth, but for what depends on how many questions came before.
struct Speaker {
    lie: fn(u64, &mut Said),
    asked: u64,
}

impl Searcher for Speaker {
    fn name(&self) -> String {
        "speaker".to_owned()
    }

    fn configure(&mut self, _: &Settings) {}

    fn settings_used(&self) -> &'static [Setting] {
        &[]
    }

    fn new_game(&mut self) {
        self.asked = 0;
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        _: &Control,
        listener: &mut dyn FnMut(&SearchInfo),
    ) -> SearchResult {
        assert_eq!((limits.depth, limits.nodes, limits.time), (Some(1), None, None));
        let mut said = truth(game.position());
        (self.lie)(self.asked, &mut said);
        self.asked += 1;
        said.reports.iter().for_each(listener);
        said.answer
    }
}

fn speaker(lie: fn(u64, &mut Said)) -> InProcess {
    let speaker = InProcess::new("speaker", "", move || Box::new(Speaker { lie, asked: 0 }));
    speaker.with_aids(&[Aid::Tables])
}

fn honest() -> InProcess {
    speaker(|_, _| ())
}

/// What is heard of the honest speaker, passed through a lie.
type Tell = fn(&Chess, &mut Reply);

/// Lies about single positions, or about all.
#[derive(Clone, Copy)]
struct Teller {
    lies: &'static [Lied],
    always: Option<Tell>,
}

/// A lie about a position: how what is then stored begins, what is expected, and who says so.
type Lied = (&'static str, Tell, &'static str, &'static str, &'static str);

struct Telling(Teller, Box<dyn Player>);

fn teller(always: Tell) -> Teller {
    Teller { lies: &[], always: Some(always) }
}

impl PlayerFactory for Teller {
    fn name(&self) -> &'static str {
        "teller"
    }

    fn start(&self, setup: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        Ok(Box::new(Telling(*self, speaker(|_, _| ()).start(setup)?)))
    }

    fn has(&self, aid: Aid) -> bool {
        aid == Aid::Tables
    }

    fn replay(&self, _: Setup, question: &Question) -> Replay {
        Replay::shell(question.commands().join("; "))
    }
}

impl Player for Telling {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        self.1.forget()
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let mut reply = self.1.ask(question)?;
        let about = |(fen, ..): &&Lied| question.fen.strip_prefix(fen) == Some(" 0 1");
        let lie = self.0.lies.iter().find(about).map(|(_, lie, ..)| *lie).or(self.0.always);
        if let Some(lie) = lie {
            let (board, turn) = placement(&question.fen);
            lie(&positions::position(board, turn).unwrap(), &mut reply);
        }
        Ok(reply)
    }
}

/// Cases by published counts: two of each class of won and lost positions.
fn decided(table: &str) -> u64 {
    let rows = PUBLISHED.iter().filter(|row| row.table == table);
    rows.map(|row| 2 * (row.unique.wins + row.unique.losses)).sum()
}

#[test]
fn what_the_table_says_is_never_reported() {
    for table in ["KPvK", "KQvK", "KRvK"] {
        let findings = run(&honest(), table);
        assert_eq!(findings.differences, [], "{table}");
        assert_eq!((findings.tally.agreed, findings.tally.total()), (decided(table), decided(table)));
    }
}

#[test]
fn only_searches_announce_and_only_where_there_is_a_mate() {
    let without_tables = InProcess::named("micromax").unwrap();
    for table in ["KPvK", "KQvK", "KRvK"] {
        assert!(applies(&honest(), &men(table)) && !applies(&without_tables, &men(table)), "{table}");
    }
    for table in ["KvK", "KBvK", "KNvK", "KBNvK"] {
        assert!(!applies(&honest(), &men(table)), "{table}");
    }
}

/// The distance that the table has, in plies.
fn dtm(position: &Chess) -> u16 {
    PRODUCTION.probe(position.board(), position.turn()).unwrap().dtm.unwrap().plies()
}

fn played(position: &Chess, line: &[String]) -> Chess {
    let mut position = position.clone();
    for text in line {
        let mv = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(mv);
    }
    position
}

/// A move by which the mate is still given, or suffered, but not in time.
fn other(position: &Chess, longer: bool) -> String {
    let left = dtm(position) - 1;
    let moves = position.legal_moves().into_iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string());
    let after = |text: &String| {
        let after = played(position, std::slice::from_ref(text));
        PRODUCTION.probe(after.board(), after.turn()).unwrap().dtm.map(oracle::table_probe::Dtm::plies)
    };
    let is_other = |plies: u16| plies != left && (plies > left) == longer;
    moves.into_iter().find(|text| after(text).is_some_and(is_other)).unwrap()
}

fn score(reply: &mut Reply, score: Score) {
    reply.lines[0].score = score;
}

/// Another first move, with what follows from it.
fn best(position: &Chess, reply: &mut Reply, text: String) {
    let after = fen_of(&played(position, std::slice::from_ref(&text)));
    let mut speaker = speaker(|_, _| ()).start(Setup::ALL).unwrap();
    let follows = speaker.ask(&Question::of(&after, Limit::Depth(1))).unwrap();
    reply.lines[0].pv = [vec![text.clone()], follows.lines[0].pv.clone()].concat();
    reply.best = Some(text);
}

fn line(reply: &mut Reply, change: impl Fn(&mut Vec<String>)) {
    change(&mut reply.lines[0].pv);
}

/// One lie each, told of one position, which is one that is drawn. Every other one has Black as the stronger side.
const LIES: [Lied; 19] = [
    ("8/8/8/3k4/8/8/5K2/7R w - -", |_, reply| score(reply, Score::Mate(12)), "mate 12", "mate 13", TABLE),
    ("8/8/8/3K4/8/8/5k2/6r1 b - -", |_, reply| score(reply, Score::Mate(14)), "mate 14", "mate 13", TABLE),
    ("8/8/8/3k4/8/6KR/8/8 w - -", |_, reply| score(reply, Score::Mate(-13)), "mate -13", "mate 13", TABLE),
    ("8/8/1k6/r7/4K3/8/8/8 w - -", |_, reply| score(reply, Score::Mate(14)), "mate 14", "mate -14", TABLE),
    (
        "8/8/6K1/8/3k4/7R/8/8 b - -",
        |_, reply| score(reply, Score::Centipawns(-500)),
        "cp -500",
        "mate -14",
        TABLE,
    ),
    (
        "6r1/2k5/8/8/4K3/8/8/8 b - -",
        |_, reply| score(reply, Score::Centipawns(30_000)),
        "cp 30000",
        "mate 13",
        TABLE,
    ),
    (
        "7R/2K5/8/8/4k3/8/8/8 w - -",
        |_, reply| reply.lines[0].bound = Bound::Lower,
        "mate 13 or more",
        "mate 13",
        TABLE,
    ),
    ("6r1/8/8/3K4/8/6k1/8/8 b - -", |_, reply| reply.lines.clear(), "no score", "mate 13", TABLE),
    ("5r2/8/8/3K4/8/6k1/8/8 b - -", |_, reply| reply.best = None, "no move", "a move", TABLE),
    (
        "8/5K2/8/R7/3k4/8/8/8 w - -",
        |position, reply| best(position, reply, other(position, true)),
        "the move a5a1, after which the other side sees mated in 14",
        "a move after which the other side sees mated in 12",
        TABLE,
    ),
    (
        "8/8/6k1/8/3K4/8/8/4r3 w - -",
        |position, reply| best(position, reply, other(position, false)),
        "the move d4c3, after which the other side sees mate in 12",
        "a move after which the other side sees mate in 13",
        TABLE,
    ),
    (
        "2R5/8/8/3k4/8/6K1/8/8 w - -",
        |_, reply| reply.best = Some("a1a2".to_owned()),
        "the move a1a2",
        "a legal move",
        RULES,
    ),
    (
        "8/8/8/8/8/1k6/8/K6r w - -",
        |_, reply| reply.best = Some("a1b1".to_owned()),
        "the move a1b1",
        "a legal move",
        RULES,
    ),
    ("R7/8/8/8/8/8/2K5/k7 b - -", |_, reply| score(reply, Score::Mate(1)), "mate 1", "mate 0", TABLE),
    (
        "8/8/6k1/8/3K4/8/8/1r6 b - -",
        |_, reply| line(reply, |pv| pv.truncate(24)),
        "the line g6f5 d4d3 b1d1 ",
        "a line of 25 plies to checkmate",
        RULES,
    ),
    (
        "7R/8/8/4k3/8/8/2K5/8 w - -",
        |_, reply| line(reply, |pv| pv.push("h1h2".to_owned())),
        "the line c2c3 e5e4 h8h5 ",
        "a line of 25 plies to checkmate",
        RULES,
    ),
    (
        "8/7r/8/4K3/8/1k6/8/8 b - -",
        |_, reply| line(reply, |pv| pv[2].push('q')),
        "the line b3c4 e5e4 h7h5q ",
        "a line of legal moves",
        RULES,
    ),
    (
        "2R5/8/8/3k4/8/8/5K2/8 w - -",
        |position, reply| line(reply, |pv| pv[2] = other(&played(position, &pv[..2]), true)),
        "the line f2e3 d5e5 c8c1 ",
        "after c8c1 mated in 11",
        TABLE,
    ),
    (
        "3r4/8/8/4K3/8/8/2k5/8 b - -",
        |position, reply| line(reply, |pv| pv[0] = other(position, true)),
        "the line d8d1 ",
        "a line that begins with c2d3",
        TABLE,
    ),
];

#[test]
fn each_lie_is_reported_and_nothing_else() {
    let findings = run(&Teller { lies: &LIES, always: None }, "KRvK");
    assert_eq!(differing(&findings), cases_of("KRvK", LIES.map(|(fen, ..)| fen)));
    assert_eq!(findings.tally.total(), decided("KRvK"));
    for (fen, _, stored, expected, source) in LIES {
        let told = findings.differences.iter().find(|difference| difference.fen.starts_with(fen)).unwrap();
        assert!(told.stored.starts_with(stored), "{told:#?}");
        assert_eq!((told.expected.as_str(), told.source.as_str()), (expected, source), "{told:#?}");
        assert_eq!(told.replay, format!("position fen {}; go depth 1", told.fen));
    }
}

/// Lines of other ranks, and what was said before the last report, are not what is announced.
#[test]
fn the_last_report_on_the_best_line_counts() {
    let subject = speaker(|_, said| {
        let mut second = said.reports[0].clone();
        (second.rank, second.score, second.line) = (2, EngineScore::DRAW, Vec::new());
        let mut first = second.clone();
        (first.rank, first.bound) = (1, EngineBound::Upper);
        said.reports = vec![first, said.reports[0].clone(), second];
    });
    assert_eq!(run(&subject, "KRvK").differences, []);
}

#[test]
fn a_thinker_that_breaks_is_reported_wherever_it_does() {
    let subject = speaker(|asked, _| assert!(asked != 7, "a thinker that breaks"));
    let findings = run(&subject, "KQvK");
    assert!(findings.tally.differed > 10, "{}", findings.tally.differed);
    for told in findings.differences {
        assert!(told.stored.starts_with("no answer: defect: "), "{told:#?}");
        assert!(told.explanation.ends_with("; asked for nothing else before, it says otherwise"));
    }
}

#[test]
fn what_is_drawn_is_no_case() {
    let subject = teller(|_, reply| {
        assert!(matches!(reply.lines[0].score, Score::Mate(_)), "{reply:?} is drawn");
    });
    let findings = run(&subject, "KPvK");
    assert_eq!((findings.tally.agreed, findings.differences.len()), (decided("KPvK"), 0));
    assert_eq!(decided("KPvK"), 2 * (62_480 + 48_802));
}

/// Each part of the placements begins with a new game, so that what is remembered does not depend on the threads.
#[test]
fn what_is_remembered_is_the_same_on_any_number_of_threads() {
    let subject = speaker(|asked, said| {
        if asked == 99 {
            said.answer.best = None;
        }
    });
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&subject, "KQvK"))
    };
    let [alone, together] = [1, 4].map(with);
    assert!(alone.tally.differed > 10, "{}", alone.tally.differed);
    assert!(alone == together);
    for difference in alone.differences {
        assert!(difference.explanation.ends_with("; asked for nothing else before, it says otherwise"));
    }
}

/// The positions of a table that are asked for.
fn asked(seed: u64, quick: bool) -> BTreeSet<String> {
    static ASKED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let subject = teller(|position, _| {
        ASKED.lock().unwrap().insert(fen_of(position));
    });
    let authorities =
        Authorities { published: &PUBLISHED, truth: Some(&*PRODUCTION), ..Authorities::default() };
    let (men, progress) = (men("KQvK"), &|_| ());
    let job = Job { player: &subject, men: &men, authorities: &authorities, seed, quick, progress };
    let findings = super::run(&job);
    let asked = std::mem::take(&mut *ASKED.lock().unwrap());
    assert_eq!((findings.tally.agreed, findings.tally.total()), (asked.len() as u64, asked.len() as u64));
    asked
}

/// Of every class one image with each side as the stronger one, and which it is depends on the seed alone. In a quick run it is
/// one of these.
#[test]
fn both_colours_and_any_image_are_asked_for() {
    let [one, again, two] = [1, 1, 2].map(|seed| asked(seed, false));
    assert_eq!((one.len() as u64, &one), (decided("KQvK"), &again));
    let same = one.intersection(&two).count();
    assert!((one.len() / 16..one.len() / 4).contains(&same), "{same} of {}", one.len());
    let with =
        |asked: &BTreeSet<String>, letter: char| asked.iter().filter(|fen| fen.contains(letter)).count();
    assert_eq!(['Q', 'q'].map(|queen| with(&one, queen)), [one.len() / 2; 2]);
    // The queen stands on each square about as often as on any other.
    for square in Square::ALL {
        let there = one.iter().filter(|fen| {
            let (board, _) = placement(fen);
            board.by_role(Role::Queen).contains(square)
        });
        let share = one.len() / 64;
        assert!((share / 2..2 * share).contains(&there.count()), "{square}");
    }
    let quick = asked(1, true);
    assert!(quick.len() == one.len() / 2 && quick.is_subset(&one));
    assert!((quick.len() * 2 / 5..quick.len() * 3 / 5).contains(&with(&quick, 'q')));
}

#[test]
fn without_a_certified_table_nothing_is_compared() {
    let authorities = Authorities { published: &PUBLISHED, ..Authorities::default() };
    let findings = run_with(&honest(), "KRvK", &authorities);
    assert_eq!((findings.tally.compared(), findings.tally.skipped_total()), (0, decided("KRvK")));
    assert!(findings.tally.skipped.contains_key(&suites::SkipReason::NotCertified));
}

/// Were a table certified in which wins are missing, or one published that has more, it would be seen here.
#[test]
fn cases_are_as_many_as_published() {
    let check = |published: &[PublishedCounts], truth: &dyn TableProbe, expected: &[&str]| {
        let authorities = Authorities { published, truth: Some(truth), ..Authorities::default() };
        let findings = run_with(&honest(), "KQvK", &authorities);
        assert_eq!(differing(&findings), cases_of("KQvK", expected));
    };
    let mut more = PUBLISHED.clone();
    more.iter_mut().find(|row| row.table == "KQvK").unwrap().unique.wins += 1;
    check(&more, &*PRODUCTION, &["coverage of won and lost positions"]);
    let forgetful = Without::of("R7/8/8/4k3/8/8/2K5/8 w - -");
    check(&PUBLISHED, &forgetful, &[]);
    let forgetful = Without::of("Q7/8/8/3k4/8/8/8/1K6 b - -");
    check(&PUBLISHED, &forgetful, &["coverage of won and lost positions"]);
    check(&[], &*PRODUCTION, &[]);
}
