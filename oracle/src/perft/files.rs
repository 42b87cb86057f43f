//! Perft files of users: their counts and those of a generator, compared with shakmaty's.
//!
//! A case is one count: a position at a depth. The check compares the count of the file and that of the
//! generator with shakmaty's, and so shows which of them is wrong. Only the first wrong count of each
//! position is a difference. Counts above a bound are left out. A stated count that is too low is found
//! without counting to the end.

use suites::epd_files::{CountCase, CountSuite, Malformed};
use suites::perft::{Castling, NodeCount};
use suites::{Answer, Difference, Evidence, Findings, SkipReason, Tally, Verdict};

use crate::board::{self, Accept};
use crate::parallel;

use super::authority::{Authority, Bounded};
use super::descend::Descent;
use super::source::{self, MoveSource, MoveSourceError};
use super::{CHECK, PerftFindings, PerftRow, PerftVerdict, nodes_at, replay};

/// Id of the check of files.
const CLAIM: &str = "perft/claim";
/// The default bound on counts.
pub const MOST_NODES: u64 = 20_000_000;

/// A perft file with the true counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountFile {
    /// The name of the file.
    pub name: String,
    /// Its positions, in the order of the file.
    pub cases: Vec<FileCase>,
    /// Lines that cannot be read, and why.
    pub malformed: Malformed,
}

/// A position with its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCase {
    /// Its line, from 1.
    pub line: u64,
    /// The FEN as the file has it.
    pub fen: String,
    /// The castling rules.
    pub castling: Castling,
    /// Whether a game can reach it, judged by checks and the number of men. A generator may refuse a position
    /// that no game reaches.
    pub is_possible: bool,
    /// The counts, with rising depth.
    pub figures: Vec<Figure>,
}

/// A count of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figure {
    /// The count that the file states.
    pub stated: NodeCount,
    /// The true count.
    pub truth: TrueCount,
}

/// The true number of move sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrueCount {
    /// It was not counted, or it is above the bound.
    LeftOut,
    /// The exact count.
    Nodes(u64),
    /// It is greater than this number, and greater than the stated count.
    MoreThan(u64),
}

impl Figure {
    fn is_wrong(&self) -> bool {
        match self.truth {
            TrueCount::LeftOut => false,
            TrueCount::Nodes(nodes) => nodes != self.stated.nodes,
            TrueCount::MoreThan(_) => true,
        }
    }

    /// The true count, if it is known exactly.
    pub fn nodes(&self) -> Option<u64> {
        match self.truth {
            TrueCount::Nodes(nodes) => Some(nodes),
            TrueCount::LeftOut | TrueCount::MoreThan(_) => None,
        }
    }
}

impl CountFile {
    /// Reads the positions of a file, with the castling rules of Chess960 if a position needs them.
    pub fn read(suite: CountSuite) -> Self {
        let CountSuite { name, cases, mut malformed } = suite;
        let mut read = Vec::with_capacity(cases.len());
        for case in cases {
            match read_case(case) {
                Ok(case) => read.push(case),
                Err(fault) => malformed.push(fault),
            }
        }
        malformed.sort_unstable();
        Self { name, cases: read, malformed }
    }

    /// Counts the positions with shakmaty, where the stated count is at most `most`. `None` is no bound.
    pub fn count(&mut self, most: Option<u64>) {
        let truths = parallel::map_each(&self.cases, |case| {
            let position = Authority::read(&case.fen, case.castling)?;
            let of = |figure: &Figure| truth(&position, figure.stated, most.unwrap_or(u64::MAX));
            Some(case.figures.iter().map(of).collect::<Vec<_>>())
        });
        for (case, truths) in self.cases.iter_mut().zip(truths) {
            case.figures
                .iter_mut()
                .zip(truths.into_iter().flatten())
                .for_each(|(figure, truth)| figure.truth = truth);
        }
    }

    /// The number of counts that are left out.
    pub fn left_out(&self) -> u64 {
        let figures = self.cases.iter().flat_map(|case| &case.figures);
        figures.filter(|figure| figure.truth == TrueCount::LeftOut).count() as u64
    }

    /// The verdicts on the stated counts.
    pub fn claims(&self) -> Findings {
        let mut findings = Findings::new(Tally::new(&self.name, CLAIM, Evidence::Agreement, &self.name));
        for case in &self.cases {
            let wrong: Vec<&Figure> = case.figures.iter().filter(|figure| figure.is_wrong()).collect();
            for figure in &case.figures {
                findings.record(match (figure.truth, wrong.first()) {
                    (TrueCount::LeftOut, _) => Verdict::Skip(SkipReason::LeftOut),
                    _ if !figure.is_wrong() => Verdict::Agree,
                    (_, Some(first)) if *first == figure => {
                        Verdict::Differ(Box::new(self.wrong_figure(case, figure, &wrong[1..])))
                    }
                    // The other wrong counts probably have the same cause.
                    _ => Verdict::Skip(SkipReason::NotCertified),
                });
            }
        }
        if !self.malformed.is_empty() {
            findings.tally.skip(SkipReason::Malformed, self.malformed.len() as u64);
        }
        findings
    }

    fn wrong_figure(&self, case: &FileCase, figure: &Figure, further: &[&Figure]) -> Difference {
        let NodeCount { depth, nodes } = figure.stated;
        let expected = match figure.truth {
            TrueCount::MoreThan(most) => format!("more than {}", nodes_at(most, depth)).into(),
            TrueCount::Nodes(nodes) => nodes_at(nodes, depth),
            TrueCount::LeftOut => Answer::default(),
        };
        let depths: Vec<String> = further.iter().map(|figure| figure.stated.depth.to_string()).collect();
        let also = match &depths[..] {
            [] => String::new(),
            depths => format!("; so are those at depth {}", depths.join(", ")),
        };
        Difference {
            given: None,
            best: Vec::new(),
            subject: self.name.clone(),
            check: CLAIM.to_owned(),
            case: self.id(case),
            fen: case.fen.clone(),
            played: None,
            limit: None,
            stored: nodes_at(nodes, depth),
            expected,
            source: "shakmaty".to_owned(),
            explanation: format!("the count in the file is wrong{also}"),
            cause: None,
            replay: replay(&case.fen, depth),
        }
    }

    /// The id of a position in differences.
    pub fn id(&self, case: &FileCase) -> String {
        format!("{}/{}", self.name, case.line)
    }
}

fn read_case(case: CountCase) -> Result<FileCase, (u64, String)> {
    let CountCase { line, fen, counts } = case;
    let modes = [Castling::Standard, Castling::Chess960];
    let castling = modes.into_iter().find(|&castling| Authority::read(&fen, castling).is_some());
    let castling = castling.ok_or_else(|| {
        let fault = board::position_of_any_mode(&fen, Accept::Unreachable).err();
        (line, fault.map_or_else(|| "this is not a position".to_owned(), |fault| fault.to_string()))
    })?;
    let figures = counts.into_iter().map(|stated| Figure { stated, truth: TrueCount::LeftOut }).collect();
    Ok(FileCase { line, is_possible: Authority::is_possible(&fen, castling), fen, castling, figures })
}

fn truth(position: &Authority, stated: NodeCount, most: u64) -> TrueCount {
    if stated.nodes > most {
        return TrueCount::LeftOut;
    }
    // A count above this one shows that the stated count is wrong.
    let enough = stated.nodes.saturating_mul(2).max(MOST_NODES.min(most));
    match position.perft_within(stated.depth, enough) {
        Bounded::Exactly(nodes) => TrueCount::Nodes(nodes),
        Bounded::More => TrueCount::MoreThan(enough),
        Bounded::Unknown => TrueCount::LeftOut,
    }
}

/// Checks a move generator with the positions of a file that was counted.
pub fn check_file(subject: &dyn MoveSource, file: &CountFile) -> PerftFindings {
    let judged = parallel::map_each(&file.cases, |case| judge(subject, file, case));
    let mut findings = Findings::new(Tally::new(subject.name(), CHECK, Evidence::Agreement, &file.name));
    let mut rows = Vec::new();
    for (verdict, row) in judged.into_iter().flatten() {
        findings.record(verdict);
        rows.push(row);
    }
    PerftFindings { findings, rows }
}

/// Checks a position at each depth. The first wrong count is the difference, and later depths are left out.
fn judge(subject: &dyn MoveSource, file: &CountFile, case: &FileCase) -> Vec<(Verdict, PerftRow)> {
    let FileCase { line, fen, castling, figures, .. } = case;
    let position = Authority::read(fen, *castling);
    let mut is_wrong = false;
    let judge = |figure: &Figure| {
        let depth = figure.stated.depth;
        let row = |nodes, verdict| PerftRow {
            suite: file.name.clone(),
            case: line.to_string(),
            fen: fen.clone(),
            depth,
            nodes,
            expected: figure.stated.nodes,
            verdict,
        };
        let (Some(nodes), Some(position)) = (figure.nodes(), &position) else {
            return (Verdict::Skip(SkipReason::LeftOut), row(None, PerftVerdict::LeftOut));
        };
        if is_wrong {
            return (Verdict::Skip(SkipReason::NotCertified), row(None, PerftVerdict::LeftOut));
        }
        let counted = source::ask(|| subject.perft(fen, depth, *castling));
        if !case.is_possible && matches!(counted, Err(MoveSourceError::Position(_))) {
            return (Verdict::Skip(SkipReason::Unsupported), row(None, PerftVerdict::LeftOut));
        }
        is_wrong = counted != Ok(nodes);
        let verdict = if is_wrong {
            let descent = Descent::new(subject, *castling);
            Verdict::Differ(Box::new(descent.difference(&file.id(case), position, fen, depth)))
        } else {
            Verdict::Agree
        };
        let agrees = !is_wrong && !figure.is_wrong();
        let told = if agrees { PerftVerdict::Agree } else { PerftVerdict::Differ };
        (verdict, row(counted.ok(), told))
    };
    figures.iter().map(judge).collect()
}

#[cfg(test)]
mod tests {
    use suites::epd_files::EpdFile;

    use super::super::EngineMoves;
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn file(text: &str, most: Option<u64>) -> CountFile {
        let text = text.replace("START", START).replace("KIWIPETE", KIWIPETE);
        let suite = EpdFile::parse("x.perft", text.as_bytes()).unwrap().counts;
        let mut file = CountFile::read(suite);
        file.count(most);
        file
    }

    /// Our generator without castling.
    struct NoCastling;

    impl MoveSource for NoCastling {
        fn name(&self) -> &'static str {
            "no castling"
        }

        fn legal_moves(&self, fen: &str, castling: Castling) -> Result<Vec<String>, MoveSourceError> {
            EngineMoves.legal_moves(&without_rights(fen), castling)
        }

        fn perft(&self, fen: &str, depth: u32, castling: Castling) -> Result<u64, MoveSourceError> {
            EngineMoves.perft(&without_rights(fen), depth, castling)
        }
    }

    fn without_rights(fen: &str) -> String {
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[2] = "-";
        fields.join(" ")
    }

    fn counts(findings: &Findings) -> (u64, u64, Vec<(SkipReason, u64)>) {
        let Tally { agreed, differed, skipped, .. } = &findings.tally;
        (*agreed, *differed, skipped.iter().map(|(reason, count)| (*reason, *count)).collect())
    }

    #[test]
    fn right_figures_agree_and_those_above_the_bound_are_left_out() {
        let file = file("START ;D1 20 ;D2 400 ;D3 8902 ;D5 4865609\nKIWIPETE ;D1 48", Some(10_000));
        let left_out = vec![(SkipReason::LeftOut, 1)];
        assert_eq!(counts(&file.claims()), (4, 0, left_out.clone()));
        let PerftFindings { findings, rows } = check_file(&EngineMoves, &file);
        assert_eq!(counts(&findings), (4, 0, left_out));
        assert_eq!(
            (findings.tally.subject.as_str(), findings.tally.case_set.as_str()),
            ("engine", "x.perft")
        );
        let seen: Vec<_> = rows.iter().map(|row| (&*row.case, row.depth, row.nodes, row.verdict)).collect();
        let agree = PerftVerdict::Agree;
        let expected = [
            ("1", 1, Some(20), agree),
            ("1", 2, Some(400), agree),
            ("1", 3, Some(8_902), agree),
            ("1", 5, None, PerftVerdict::LeftOut),
            ("2", 1, Some(48), agree),
        ];
        assert_eq!(seen, expected);
        assert_eq!(self::file("START ;D5 4865609", None).cases[0].figures[0].nodes(), Some(4_865_609));
    }

    #[test]
    fn a_wrong_count_in_the_file_is_one_difference() {
        let file = file("START ;D1 20 ;D2 401 ;D3 8903 ;D4 197281\nKIWIPETE ;D1 48", Some(1_000_000));
        let claims = file.claims();
        assert_eq!(counts(&claims), (3, 1, vec![(SkipReason::NotCertified, 1)]));
        let [told] = &claims.differences[..] else { panic!("{claims:#?}") };
        assert_eq!((&*told.subject, &*told.check, &*told.case), ("x.perft", "perft/claim", "x.perft/1"));
        assert_eq!(
            (&*told.stored.to_string(), &*told.expected.to_string()),
            ("401 nodes at depth 2", "400 nodes at depth 2")
        );
        assert_eq!(told.explanation, "the count in the file is wrong; so are those at depth 3");
        let PerftFindings { findings, rows } = check_file(&EngineMoves, &file);
        assert_eq!(counts(&findings), (5, 0, vec![]));
        assert_eq!(
            (rows[1].nodes, rows[1].expected, rows[1].verdict),
            (Some(400), 401, PerftVerdict::Differ)
        );
    }

    /// The true count is above the bound, so the stated count is wrong, and the generator does not have to
    /// count to the end.
    #[test]
    fn a_figure_far_too_low_takes_no_time() {
        let file = file("START ;D9 5 ;D1 20", None);
        let claims = file.claims();
        assert_eq!(counts(&claims), (1, 1, vec![]));
        assert_eq!(claims.differences[0].expected.to_string(), "more than 20000000 nodes at depth 9");
        assert_eq!(counts(&check_file(&EngineMoves, &file).findings), (1, 0, vec![(SkipReason::LeftOut, 1)]));
    }

    #[test]
    fn a_wrong_generator_is_told_once_for_each_position_and_the_file_is_right() {
        let file = file("KIWIPETE ;D1 48 ;D2 2039 ;D3 97862\nSTART ;D1 20 ;D2 400", Some(1_000_000));
        assert_eq!(counts(&file.claims()), (5, 0, vec![]));
        let PerftFindings { findings, rows } = check_file(&NoCastling, &file);
        assert_eq!(counts(&findings), (2, 1, vec![(SkipReason::NotCertified, 2)]));
        let [told] = &findings.differences[..] else { panic!("{findings:#?}") };
        assert_eq!((&*told.subject, &*told.check, &*told.case), ("no castling", "perft", "x.perft/1"));
        assert_eq!(told.explanation, "missing moves: e1c1 e1g1");
        assert_eq!((rows[0].nodes, rows[0].verdict), (Some(46), PerftVerdict::Differ));
    }

    #[test]
    fn castling_of_chess960_is_read() {
        let text = "epd bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\nperft 1 21\nperft 2 528\n\
                    epd r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq -\nperft 1 23\nperft 2 522\n";
        let file = file(text, None);
        assert!(file.cases.iter().all(|case| case.castling == Castling::Chess960));
        assert_eq!(counts(&check_file(&EngineMoves, &file).findings), (4, 0, vec![]));
    }

    /// The position has more men than promotions explain. shakmaty counts its moves, but a generator may
    /// refuse it.
    #[test]
    fn a_position_that_no_game_reaches_may_be_refused() {
        let queens = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - -";
        let file = file(&format!("{queens} ;D1 270\nSTART ;D1 20"), Some(1_000));
        assert_eq!(counts(&file.claims()), (2, 0, vec![]));
        let findings = check_file(&EngineMoves, &file).findings;
        assert_eq!(counts(&findings), (1, 0, vec![(SkipReason::Unsupported, 1)]));
    }

    #[test]
    fn what_is_no_position_is_malformed() {
        let file = file("START ;D1 20\n8/8/8/8/8/8/8/k7 w - - 0 1 ;D1 3\nxyz/8 w - - ;D1 3", None);
        let faults: Vec<_> = file.malformed.iter().map(|(line, fault)| (*line, fault.as_str())).collect();
        assert_eq!(faults.len(), 2);
        assert_eq!((faults[0].0, faults[0].1), (2, "the position is not legal: a side has no king"));
        assert!(faults[1].0 == 3 && faults[1].1.starts_with("this is no FEN: "), "{faults:?}");
        assert_eq!(counts(&file.claims()), (1, 0, vec![(SkipReason::Malformed, 2)]));
    }
}
