//! A made-up run with realistic names.

use std::time::Duration;

use reports::{
    BestMoveRow, BestMoveVerdict, CensusRow, CheckRun, ConversionRow, DrawRow, DrawVerdict, DumpRow,
    EdgeCase, EdgeCaseRow, EngineCard, HistogramRow, KnowledgeRow, Machine, MateRow, MateVerdict,
    NotWonReason, PerftRow, PerftVerdict, ProtocolRow, Run, SignatureRow, StalemateKind, StalemateRow,
    StalemateSubjectRow, WinThrownRow,
};
use suites::catalogue::Severity;
use suites::census::SideToMove;
use suites::draws::GameResult;
use suites::{Decimal3, Difference, Evidence, Replay, SkipReason, Tally, Verdict};

pub(crate) fn tally(check: &str, evidence: Evidence, case_set: &str, agreed: u64, differed: u64) -> Tally {
    Tally { agreed, differed, ..Tally::new("production", check, evidence, case_set) }
}

pub(crate) fn skipping(mut tally: Tally, reason: SkipReason, cases: u64) -> Tally {
    tally.skip(reason, cases);
    tally
}

pub(crate) fn difference(check: &str, case: &str) -> Difference {
    let fen = case.split_once('/').map(|(_, position)| format!("{position} - - 0 1")).unwrap_or_default();
    Difference {
        subject: "production".to_owned(),
        check: check.to_owned(),
        case: case.to_owned(),
        fen: fen.clone(),
        played: None,
        limit: None,
        stored: "win 11".into(),
        given: None,
        expected: "win 9".into(),
        best: Vec::new(),
        source: "certificate".to_owned(),
        explanation: "b8=Q mates in 6, \"Kf5\" in 5".to_owned(),
        cause: None,
        replay: Replay::shell(format!("cargo xtask tables probe \"{fen}\"")),
    }
}

/// Twelve tallies of four subjects: agreeing, differing, observed, skipped for each reason, empty.
fn tallies() -> Vec<Tally> {
    let dump = Tally { agreed: 1_000, ..Tally::new("dump", "syzygy-wdl", Evidence::Agreement, "KPvK") };
    let dump = skipping(skipping(dump, SkipReason::TableMissing, 2), SkipReason::Malformed, 3);
    let sample = Evidence::Sample { seed: 7 };
    vec![
        tally("certificate", Evidence::Certificate, "KPvK", 331_350, 2),
        tally("certificate", Evidence::Certificate, "KQvK", 368_452, 0),
        tally("certificate", Evidence::Certificate, "KRvK", 399_112, 0),
        tally("census", Evidence::Census, "KQvK", 11, 0),
        tally("syzygy-dtz", sample, "KQvK", 500, 0),
        skipping(tally("syzygy-dtm", Evidence::Agreement, "KRvK", 0, 0), SkipReason::TableMissing, 399_112),
        skipping(tally("gaviota", Evidence::Agreement, "KQvK", 0, 0), SkipReason::NotInThisBuild, 368_452),
        tally("prophet", Evidence::Agreement, "KQvK", 368_452, 0),
        tally("symmetry", Evidence::Agreement, "KvK", 0, 0),
        Tally { agreed: 3, observed: 21, ..Tally::new("engine", "conversion", sample, "KBNvK KRvK") },
        Tally { agreed: 40, ..Tally::new("movegen", "perft", Evidence::Agreement, "standard") },
        dump,
    ]
}

pub(crate) fn run() -> Run {
    let times = [310, 2_040, 90, 0, 12, 0, 0, 80, 0, 4_000, 61_500, 7];
    let timed = |(tally, milliseconds): (Tally, u64)| {
        let duration = (milliseconds > 0).then(|| Duration::from_millis(milliseconds));
        let optional = matches!(tally.check.as_str(), "gaviota" | "prophet");
        CheckRun { tally, duration, optional }
    };
    Run {
        checks: tallies().into_iter().zip(times).map(timed).collect(),
        differences: vec![
            difference("certificate", "KPvK/8/1P6/7k/8/4K3/8/8/8 w"),
            Difference {
                explanation: "two\nlines".to_owned(),
                ..difference("certificate", "KPvK/8/1P6/7k/8/5K2/8/8/8 w")
            },
        ],
        census: census(),
        histogram: histogram(),
        perft: perft(),
        stalemates: vec![
            stalemate("KQvK", "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", StalemateKind::Corner),
            stalemate("KPvK", "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", StalemateKind::PawnInFront),
        ],
        signatures: vec![SignatureRow {
            subject: "engine".to_owned(),
            depth: 12,
            positions: 1_040,
            signature: 1_234_567,
        }],
        stalemates_subjects: vec![stalemate_subject(2, 17), stalemate_subject(1, 18)],
        mates: vec![
            mate("mate-in-2/07", Some(2), Some(3), MateVerdict::Longer, Some(1_200)),
            mate("mated-in-4/02", Some(-4), Some(-4), MateVerdict::Exact, Some(58_000)),
            mate("false-mate/03", None, None, MateVerdict::None, None),
        ],
        best_moves: vec![
            best_move(2, BestMoveVerdict::Missed, Some(3)),
            best_move(10, BestMoveVerdict::Solved, Some(10)),
            best_move(3, BestMoveVerdict::Overruled, None),
        ],
        conversion: vec![conversion("tables+knowledge+hash+king-tables", 20), conversion("hash", 13)],
        wins_thrown: vec![WinThrownRow {
            subject: "engine".to_owned(),
            ending: "KBNvK".to_owned(),
            aids: "hash".to_owned(),
            start: "8/8/8/3k4/8/8/8/KBN5 w - - 0 1".to_owned(),
            fen: "8/8/8/3k4/8/8/8/KBN5 w - - 0 1".to_owned(),
            played: "b1a2".to_owned(),
            end: NotWonReason::Thrown,
            replay: "printf 'position fen 8/8/8/3k4/8/8/8/KBN5 w - - 0 1\\ngo nodes 20000\\n'".to_owned(),
        }],
        draws: vec![
            draw("fifty-clock/01", true, GameResult::Draw, "cp 12", DrawVerdict::Agree),
            draw("fifty-clock/01", false, GameResult::Draw, "cp 90", DrawVerdict::Score),
            draw("mate-at-100/01", true, GameResult::Win, "", DrawVerdict::Unanswered),
        ],
        dump: vec![dump("certified production table", 331_347, 5), dump("Syzygy tables", 331_349, 3)],
        edge_cases: edge_cases(),
        protocol: vec![
            protocol("mate-in-1", &Verdict::Agree),
            protocol("mated-in-1", &Verdict::Skip(SkipReason::Unsupported)),
        ],
        knowledge: vec![
            knowledge("rule of the square (printed)", Some(90), None),
            knowledge("lone king (printed)", None, Some(-40)),
        ],
        fails_from: Severity::Error,
        engine: Some(card()),
        regression: None,
        folder: String::new(),
    }
}

/// The row of a case of `protocol/mate-count`.
pub(crate) fn protocol(case: &str, verdict: &Verdict) -> ProtocolRow {
    ProtocolRow::new("mine", "protocol/mate-count", case, verdict)
}

fn edge_cases() -> Vec<EdgeCaseRow> {
    let row = |side_to_move, edge_case, positions, fen: &str| EdgeCaseRow {
        table: "KPvK".to_owned(),
        side_to_move,
        edge_case,
        positions,
        positions_unique: positions / 2,
        fen: fen.to_owned(),
        plies: None,
        line: String::new(),
    };
    let longest = row(SideToMove::White, EdgeCase::LongestWin, 6, "8/8/8/8/8/1K6/3R4/k7 w - - 0 1");
    vec![
        row(SideToMove::Black, EdgeCase::MutualZugzwangHalf, 160, "1k6/1P6/2K5/8/8/8/8/8 b - - 0 1"),
        row(SideToMove::White, EdgeCase::Underpromotion, 0, ""),
        EdgeCaseRow { plies: Some(3), line: "d2d3 a1b1 d3d1".to_owned(), ..longest },
    ]
}

fn dump(source: &str, agreed: u64, differed: u64) -> DumpRow {
    DumpRow { source: source.to_owned(), agreed, differed, unknown: 0 }
}

pub(crate) fn card() -> EngineCard {
    let texts = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    EngineCard {
        schema: EngineCard::SCHEMA,
        name: "mine".to_owned(),
        id: texts(&[("name", "Mine 2.0"), ("author", "A. Person")]),
        path: "/home/me/mine".to_owned(),
        sha256: Some("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned()),
        arguments: vec!["--uci".to_owned()],
        directory: None,
        isolated: false,
        environment: texts(&[]),
        options: texts(&[("Hash", "16")]),
        set_up: Some(texts(&[("Hash", "16"), ("OwnBook", "false")])),
        hash: Some("cleared by ucinewgame before each case".to_owned()),
        after_quit: "status 0".to_owned(),
        keeps: Some(texts(&[("nodes", "kept"), ("depth", "kept"), ("movetime", "late")])),
        machine: Machine {
            os: "linux".to_owned(),
            arch: "x86_64".to_owned(),
            cores: 8,
            processor: Some("AMD EPYC 9B14".to_owned()),
            memory_mib: None,
        },
        touchstone: "0.1.0".to_owned(),
        seed: 1,
        effort: "plain".to_owned(),
        seconds: Some(120),
        jobs: 8,
        conversion: "nodes 20000".to_owned(),
        limit: None,
        command: Some("touchstone verify --engine ./mine".to_owned()),
        revision: Some("v2.0-3-g1a2b3c4".to_owned()),
        day: Some("2027-01-31".to_owned()),
    }
}

fn stalemate_subject(depth: u32, agreed: u64) -> StalemateSubjectRow {
    StalemateSubjectRow {
        subject: "micromax".to_owned(),
        class: "last move pinned".to_owned(),
        depth,
        tables: false,
        positions: 20,
        due: 18,
        agreed,
        observed: 2,
        wrong_score: 18 - agreed,
        stalemated: 0,
        missed: 18 - agreed,
        unanswered: 0,
        flaky: 0,
    }
}

fn mate(
    case: &str,
    mate: Option<i32>,
    announced: Option<i32>,
    verdict: MateVerdict,
    nodes: Option<u64>,
) -> MateRow {
    MateRow {
        subject: "engine".to_owned(),
        suite: "mates".to_owned(),
        case: case.to_owned(),
        class: case.split('/').next().unwrap().to_owned(),
        mate,
        evidence: mate.map(|_| Evidence::Certificate),
        announced,
        verdict,
        nodes,
    }
}

fn best_move(line: u64, verdict: BestMoveVerdict, points: Option<u32>) -> BestMoveRow {
    BestMoveRow {
        subject: "engine".to_owned(),
        suite: "sts.epd".to_owned(),
        line,
        id: format!("Undermine.{line:03}"),
        best: "f5".to_owned(),
        avoid: String::new(),
        played: if verdict == BestMoveVerdict::Solved { "f5" } else { "Bf2" }.to_owned(),
        points,
        most_points: points.map(|_| 10),
        verdict,
        limit: "nodes 100000".to_owned(),
    }
}

fn conversion(aids: &str, won: u64) -> ConversionRow {
    ConversionRow {
        subject: "engine".to_owned(),
        ending: "KBNvK".to_owned(),
        aids: aids.to_owned(),
        limit: "nodes 20000".to_owned(),
        games: 20,
        won,
        demanded: (won == 20).then_some(19),
        thrown: 0,
        fifty_moves: 20 - won,
        repetition: 0,
        unanswered: 0,
        share: Decimal3::ratio(won, 20),
        low: Some(Decimal3(if won == 20 { 839 } else { 433 })),
        high: Some(Decimal3(if won == 20 { 1_000 } else { 819 })),
        plies_lost: Some(Decimal3(12_700)),
    }
}

fn draw(case: &str, tables: bool, expected: GameResult, score: &str, verdict: DrawVerdict) -> DrawRow {
    DrawRow {
        subject: "engine".to_owned(),
        case: case.to_owned(),
        class: case.split('/').next().unwrap().to_owned(),
        tables,
        expected,
        score: score.to_owned(),
        verdict,
    }
}

fn knowledge(heuristic: &str, true_positive: Option<u64>, spearman: Option<i64>) -> KnowledgeRow {
    let of_its_kind = |count: u64| true_positive.map(|_| count);
    KnowledgeRow {
        heuristic: heuristic.to_owned(),
        table: "KPvK".to_owned(),
        positions: 200,
        true_positive,
        false_positive: of_its_kind(10),
        true_negative: of_its_kind(80),
        false_negative: of_its_kind(20),
        precision: of_its_kind(900).map(|thousandths| Decimal3(thousandths as i64)),
        recall: of_its_kind(818).map(|thousandths| Decimal3(thousandths as i64)),
        spearman: spearman.map(Decimal3),
    }
}

fn stalemate(table: &str, fen: &str, kind: StalemateKind) -> StalemateRow {
    StalemateRow { table: table.to_owned(), fen: fen.to_owned(), kind }
}

fn census() -> Vec<CensusRow> {
    let all_drawn = CensusRow {
        table: "KvK".to_owned(),
        side_to_move: SideToMove::White,
        legal: 3_612,
        legal_unique: 462,
        wins: 0,
        draws: 3_612,
        losses: 0,
        checkmates: 0,
        stalemates: 0,
        longest_plies: None,
        longest_count: 0,
    };
    let white = CensusRow {
        table: "KQvK".to_owned(),
        wins: 3_612,
        draws: 0,
        longest_plies: Some(19),
        longest_count: 8,
        ..all_drawn.clone()
    };
    let black = CensusRow {
        side_to_move: SideToMove::Black,
        wins: 0,
        draws: 12,
        losses: 3_600,
        checkmates: 5,
        stalemates: 6,
        ..white.clone()
    };
    vec![all_drawn, black, white]
}

fn histogram() -> Vec<HistogramRow> {
    let row = |side_to_move, wdl, dtm, positions| HistogramRow {
        table: "KQvK".to_owned(),
        side_to_move,
        wdl,
        dtm,
        positions,
        positions_unique: positions / 8,
    };
    vec![
        row(SideToMove::Black, GameResult::Loss, Some(10), 80),
        row(SideToMove::Black, GameResult::Draw, None, 16),
        row(SideToMove::Black, GameResult::Loss, Some(0), 24),
        row(SideToMove::White, GameResult::Win, Some(11), 88),
        row(SideToMove::White, GameResult::Win, Some(9), 72),
        row(SideToMove::Black, GameResult::Loss, Some(2), 8),
    ]
}

fn perft() -> Vec<PerftRow> {
    let row = |case: &str, depth, nodes, expected, verdict| PerftRow {
        suite: "standard".to_owned(),
        case: case.to_owned(),
        fen: "8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned(),
        depth,
        nodes,
        expected,
        verdict,
    };
    vec![
        row("start", 10, Some(20), 20, PerftVerdict::Agree),
        row("start", 9, Some(19), 20, PerftVerdict::Differ),
        row("refused", 1, None, 20, PerftVerdict::Differ),
        row("start", 11, None, 20, PerftVerdict::LeftOut),
    ]
}
