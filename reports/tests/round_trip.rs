//! Rows are read as they were written, with any text.

use reports::{
    BestMoveRow, BestMoveVerdict, CensusRow, CheckRow, ConversionRow, DifferenceRow, DrawRow, DrawVerdict,
    EdgeCase, EdgeCaseRow, HistogramRow, KnowledgeRow, MateRow, MateVerdict, NotWonReason, PerftRow,
    PerftVerdict, ProtocolRow, ProtocolVerdict, RegressionRow, RegressionVerdict, Row, SignatureRow,
    StalemateKind, StalemateRow, StalemateSubjectRow, TimingRow, WinThrownRow, read, to_bytes,
};
use suites::census::SideToMove;
use suites::draws::GameResult;
use suites::{
    Answer, Decimal3, Difference, End, EngineScore, Evidence, Late, Played, Replay, ScoreBound, SkipReason,
    Then, ToldScore,
};

/// Xorshift: the same seed, the same rows.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[usize::try_from(self.next() % items.len() as u64).unwrap()]
    }

    /// Numbers of all sizes, the ends of the range among them.
    fn number(&mut self) -> u64 {
        match self.next() % 8 {
            0 => 0,
            1 => u64::MAX,
            _ => self.next() >> (self.next() % 64),
        }
    }

    fn maybe(&mut self) -> Option<u64> {
        self.next().is_multiple_of(2).then(|| self.number())
    }

    fn plies(&mut self) -> Option<u32> {
        self.maybe().map(|number| u32::try_from(number >> 32).unwrap())
    }

    fn decimal(&mut self) -> Option<Decimal3> {
        self.maybe().map(|number| Decimal3((number / 2) as i64 - (number / 4) as i64))
    }

    /// A word without blanks.
    fn word(&mut self) -> String {
        self.text().split_whitespace().collect()
    }

    fn words(&mut self) -> Vec<String> {
        let count = self.next() % 3;
        (0..count).map(|_| self.word()).filter(|word| !word.is_empty()).collect()
    }

    fn played(&mut self) -> Option<Played> {
        let moves = self.words();
        (!moves.is_empty()).then(|| Played { moves, fen: self.text() })
    }

    /// An answer of each kind.
    fn answer(&mut self) -> Answer {
        let depth = self.plies();
        let then = match self.next() % 4 {
            0 => Then::Nothing,
            1 => Then::NoMove,
            2 => Then::Move(self.text()),
            _ => Then::Line(self.text()),
        };
        let number = self.number() as i32;
        match self.next() % 12 {
            0 => Answer::Words(self.text()),
            1 => Answer::Distance(self.maybe().map(|plies| plies as u16)),
            2 | 3 => Answer::Score(ToldScore {
                score: self.pick(&[EngineScore::Centipawns(number), EngineScore::Mate(number)]),
                bound: self.pick(&[ScoreBound::Exact, ScoreBound::Lower, ScoreBound::Upper]),
                depth,
                then,
                mate_in_one: self.maybe().map(|centipawns| centipawns as i32),
            }),
            4 => Answer::NoScore(then),
            5 => Answer::BestMove { text: self.text(), more: self.text() },
            6 => Answer::Nodes { nodes: self.number(), depth: depth.unwrap_or_default() },
            7 => {
                Answer::Silent { awaited: self.text(), within: self.maybe().map(|time| (time, self.text())) }
            }
            8 => Answer::SecondStop,
            9 => Answer::Late(self.pick(&[Late::BestMove, Late::Answers, Late::Time])),
            10 => Answer::LivesOn,
            _ => {
                let end = match self.next() % 3 {
                    0 => End::Status(number),
                    1 => End::Signal(number, self.text()),
                    _ => End::Killed,
                };
                Answer::Ended { end, after: self.maybe().map(|_| self.text()) }
            }
        }
    }

    fn evidence(&mut self) -> Evidence {
        let sample = Evidence::Sample { seed: self.number() };
        self.pick(&[Evidence::Agreement, Evidence::Certificate, Evidence::Word, Evidence::Opinion, sample])
    }

    /// Text made of what CSV, JSON and terminals find hard.
    fn text(&mut self) -> String {
        const PIECES: [&str; 18] = [
            "",
            "a",
            " ",
            ",",
            "\"",
            "\"\"",
            "\n",
            "\r",
            "\r\n",
            "\t",
            "\\",
            ";",
            "=1+1",
            "'",
            "\u{feff}",
            "ß",
            "\0",
            "8/1P6/7k/8/4K3/8/8/8 w - - 0 1",
        ];
        (0..self.next() % 6).map(|_| self.pick(&PIECES)).collect()
    }
}

fn check<R: Row + Clone + std::fmt::Debug>(mut row: impl FnMut(&mut Random) -> R) {
    let mut random = Random(0x5eed);
    for _ in 0..200 {
        let mut rows: Vec<R> = (0..random.next() % 8).map(|_| row(&mut random)).collect();
        let bytes = to_bytes(rows.clone());
        rows.reverse();
        assert_eq!(to_bytes(rows.clone()), bytes, "the order of input shows");
        rows.sort();
        assert_eq!(read::<R>(&bytes).unwrap(), rows);
    }
}

#[test]
fn checks() {
    check(|random| CheckRow {
        subject: random.text(),
        check: random.text(),
        evidence: random.evidence(),
        case_set: random.text(),
        compared: random.number(),
        agreed: random.number(),
        differed: random.number(),
        errors: random.number(),
        observed: random.number(),
        skipped: random.number(),
        skip_reasons: random.text(),
    });
}

#[test]
fn census() {
    check(|random| CensusRow {
        table: random.text(),
        side_to_move: random.pick(&SideToMove::ALL),
        legal: random.number(),
        legal_unique: random.number(),
        wins: random.number(),
        draws: random.number(),
        losses: random.number(),
        checkmates: random.number(),
        stalemates: random.number(),
        longest_plies: random.plies(),
        longest_count: random.number(),
    });
}

#[test]
fn edge_cases() {
    check(|random| EdgeCaseRow {
        table: random.text(),
        side_to_move: random.pick(&SideToMove::ALL),
        edge_case: random.pick(&EdgeCase::ALL),
        positions: random.number(),
        positions_unique: random.number(),
        fen: random.text(),
        plies: random.plies(),
        line: random.text(),
    });
}

#[test]
fn histogram() {
    check(|random| HistogramRow {
        table: random.text(),
        side_to_move: random.pick(&SideToMove::ALL),
        wdl: random.pick(&GameResult::ALL),
        dtm: random.plies(),
        positions: random.number(),
        positions_unique: random.number(),
    });
}

#[test]
fn differences() {
    check(|random| {
        DifferenceRow(Difference {
            subject: random.text(),
            check: random.text(),
            case: random.text(),
            fen: random.text(),
            played: random.played(),
            limit: Some(random.text()).filter(|limit| !limit.is_empty()),
            stored: random.answer(),
            given: Some(random.word()).filter(|word| !word.is_empty()),
            expected: random.answer(),
            best: random.words(),
            source: random.text(),
            explanation: random.text(),
            cause: None,
            replay: Replay::shell(random.text()),
        })
    });
}

#[test]
fn perft() {
    check(|random| PerftRow {
        suite: random.text(),
        case: random.text(),
        fen: random.text(),
        depth: random.plies().unwrap_or_default(),
        nodes: random.maybe(),
        expected: random.number(),
        verdict: random.pick(&PerftVerdict::ALL),
    });
}

#[test]
fn signatures() {
    check(|random| SignatureRow {
        subject: random.text(),
        depth: random.plies().unwrap_or_default(),
        positions: random.number(),
        signature: random.number(),
    });
}

#[test]
fn stalemates() {
    check(|random| StalemateRow {
        table: random.text(),
        fen: random.text(),
        kind: random.pick(&StalemateKind::ALL),
    });
}

#[test]
fn protocol() {
    check(|random| ProtocolRow {
        subject: random.text(),
        check: random.text(),
        case: random.text(),
        verdict: random.pick(&ProtocolVerdict::ALL),
        reason: random.maybe().map(|_| random.pick(&SkipReason::ALL)),
    });
}

#[test]
fn stalemates_subjects() {
    check(|random| StalemateSubjectRow {
        subject: random.text(),
        class: random.text(),
        depth: random.plies().unwrap_or_default(),
        tables: random.pick(&[true, false]),
        positions: random.number(),
        due: random.number(),
        agreed: random.number(),
        observed: random.number(),
        wrong_score: random.number(),
        stalemated: random.number(),
        missed: random.number(),
        unanswered: random.number(),
        flaky: random.number(),
    });
}

#[test]
fn best_moves() {
    let points = |random: &mut Random| random.maybe().map(|number| (number >> 32) as u32);
    check(|random| BestMoveRow {
        subject: random.text(),
        suite: random.text(),
        line: random.number(),
        id: random.text(),
        best: random.text(),
        avoid: random.text(),
        played: random.text(),
        points: points(random),
        most_points: points(random),
        verdict: random.pick(&BestMoveVerdict::ALL),
        limit: random.text(),
    });
}

#[test]
fn mates() {
    let moves = |random: &mut Random| random.maybe().map(|number| (number >> 32) as i32);
    check(|random| MateRow {
        subject: random.text(),
        suite: random.text(),
        case: random.text(),
        class: random.text(),
        mate: moves(random),
        evidence: random.next().is_multiple_of(2).then(|| random.evidence()),
        announced: moves(random),
        verdict: random.pick(&MateVerdict::ALL),
        nodes: random.maybe(),
    });
}

#[test]
fn conversion() {
    check(|random| ConversionRow {
        subject: random.text(),
        ending: random.text(),
        aids: random.text(),
        limit: random.text(),
        games: random.number(),
        won: random.number(),
        demanded: random.maybe(),
        thrown: random.number(),
        fifty_moves: random.number(),
        repetition: random.number(),
        unanswered: random.number(),
        share: random.decimal(),
        low: random.decimal(),
        high: random.decimal(),
        plies_lost: random.decimal(),
    });
}

#[test]
fn wins_thrown() {
    check(|random| WinThrownRow {
        subject: random.text(),
        ending: random.text(),
        aids: random.text(),
        start: random.text(),
        fen: random.text(),
        played: random.text(),
        end: random.pick(&NotWonReason::ALL),
        replay: random.text(),
    });
}

#[test]
fn draws() {
    check(|random| DrawRow {
        subject: random.text(),
        case: random.text(),
        class: random.text(),
        tables: random.pick(&[false, true]),
        expected: random.pick(&GameResult::ALL),
        score: random.text(),
        verdict: random.pick(&DrawVerdict::ALL),
    });
}

#[test]
fn knowledge() {
    check(|random| KnowledgeRow {
        heuristic: random.text(),
        table: random.text(),
        positions: random.number(),
        true_positive: random.maybe(),
        false_positive: random.maybe(),
        true_negative: random.maybe(),
        false_negative: random.maybe(),
        precision: random.decimal(),
        recall: random.decimal(),
        spearman: random.decimal(),
    });
}

#[test]
fn timings() {
    check(|random| TimingRow {
        subject: random.text(),
        check: random.text(),
        case_set: random.text(),
        milliseconds: random.number(),
        per_second: random.maybe(),
    });
}

#[test]
fn regression() {
    check(|random| RegressionRow {
        report: random.text(),
        case: random.text(),
        before: random.text(),
        after: random.text(),
        verdict: random.pick(&RegressionVerdict::ALL),
    });
}

#[test]
fn the_stored_baseline_is_written_as_it_was_read() {
    fn check<R: Row>() {
        let path = format!("{}/baseline/{}", env!("CARGO_MANIFEST_DIR"), R::FILE);
        let stored = std::fs::read_to_string(path).unwrap();
        let rows = read::<R>(stored.as_bytes()).unwrap();
        assert!(String::from_utf8(to_bytes(rows)).unwrap() == stored, "{}", R::FILE);
    }
    check::<BestMoveRow>();
    check::<CensusRow>();
    check::<CheckRow>();
    check::<ConversionRow>();
    check::<DifferenceRow>();
    check::<DrawRow>();
    check::<HistogramRow>();
    check::<KnowledgeRow>();
    check::<MateRow>();
    check::<PerftRow>();
    check::<SignatureRow>();
    check::<StalemateRow>();
    check::<StalemateSubjectRow>();
    check::<WinThrownRow>();
}
