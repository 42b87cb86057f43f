//! What is written is read back, whatever the text.

use reports::{
    BestMoveRow, CensusRow, CheckRow, ConversionRow, DifferenceRow, DrawRow, HistogramRow, KnowledgeRow,
    MateRow, PerftRow, PerftVerdict, RegressionRow, RegressionVerdict, Row, Side, SignatureRow, StalemateRow,
    StalemateSubjectRow, Thousandths, TimingRow, Wdl, WinThrownRow, read, to_bytes,
};
use suites::Difference;

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

    fn thousandths(&mut self) -> Option<Thousandths> {
        self.maybe().map(|number| Thousandths((number / 2) as i64 - (number / 4) as i64))
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

const SIDES: [Side; 2] = [Side::White, Side::Black];

#[test]
fn checks() {
    check(|random| CheckRow {
        subject: random.text(),
        check: random.text(),
        evidence: random.text(),
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
        side_to_move: random.pick(&SIDES),
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
fn histogram() {
    check(|random| HistogramRow {
        table: random.text(),
        side_to_move: random.pick(&SIDES),
        wdl: random.pick(&[Wdl::Win, Wdl::Draw, Wdl::Loss]),
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
            stored: random.text(),
            expected: random.text(),
            source: random.text(),
            explanation: random.text(),
            replay: random.text(),
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
        verdict: random.pick(&[PerftVerdict::Agree, PerftVerdict::Differ, PerftVerdict::LeftOut]),
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
    check(|random| StalemateRow { table: random.text(), fen: random.text(), kind: random.text() });
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
        verdict: random.text(),
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
        evidence: random.text(),
        announced: moves(random),
        verdict: random.text(),
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
        share: random.thousandths(),
        low: random.thousandths(),
        high: random.thousandths(),
        plies_lost: random.thousandths(),
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
        end: random.text(),
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
        expected: random.text(),
        score: random.text(),
        verdict: random.text(),
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
        precision: random.thousandths(),
        recall: random.thousandths(),
        spearman: random.thousandths(),
    });
}

#[test]
fn timings() {
    check(|random| TimingRow {
        subject: random.text(),
        check: random.text(),
        case_set: random.text(),
        milliseconds: random.number(),
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
fn the_name_of_a_regression_verdict_is_the_one_in_the_report() {
    for verdict in RegressionVerdict::ALL {
        let [report, case, before, after] = [const { String::new() }; 4];
        let bytes = to_bytes([RegressionRow { report, case, before, after, verdict }]);
        let line = format!(",,,,{}\n", verdict.name());
        assert!(String::from_utf8(bytes).unwrap().ends_with(&line), "{line}");
    }
}
