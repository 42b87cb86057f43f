//! The rows of the reports: of each report its file name, its columns in their order, and the words that it
//! uses.
//!
//! A field is a column; its name is the column's name. Distances and scores are from the view of the side to
//! move. Plies are half moves. The order of the columns is the order in which rows are sorted.

mod changes;
mod counts;
mod findings;

pub use changes::{CompareRow, CompareVerdict, RegressionRow, RegressionVerdict, SideState};
pub use counts::{CheckRow, SignatureRow, SpeedRow, TimingRow};
pub use findings::{DifferenceRow, FieldNote, FieldVerdict};
pub use suites::rows::*;

use crate::Row;

/// The name of the file of each report.
macro_rules! files {
    ($($row:ident: $file:literal,)+) => {
        $(impl Row for $row {
            const FILE: &'static str = $file;
        })+
    };
}

files! {
    BestMoveRow: "bestmove.csv",
    CensusRow: "census.csv",
    CheckRow: "checks.csv",
    CompareRow: "compare.csv",
    ConversionRow: "conversion.csv",
    DifferenceRow: "differences.csv",
    DrawRow: "draws.csv",
    DumpRow: "dump.csv",
    EdgeCaseRow: "edge_cases.csv",
    FieldNote: "field-notes.csv",
    HistogramRow: "histogram.csv",
    KnowledgeRow: "knowledge.csv",
    MalformedRow: "malformed.csv",
    MateRow: "mates.csv",
    PerftRow: "perft.csv",
    ProtocolRow: "protocol.csv",
    RegressionRow: "regression.csv",
    SignatureRow: "signature.csv",
    SpeedRow: "speed.csv",
    StalemateRow: "stalemates.csv",
    StalemateSubjectRow: "stalemates_subjects.csv",
    TimingRow: "timings.csv",
    WinThrownRow: "wins_thrown.csv",
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows are sorted by the words of their verdicts.
    #[test]
    fn verdicts_are_in_alphabetical_order() {
        fn check(names: &[&str]) {
            assert!(names.is_sorted(), "{names:?}");
        }
        check(&BestMoveVerdict::ALL.map(BestMoveVerdict::name));
        check(&EdgeCase::ALL.map(EdgeCase::name));
        check(&DrawVerdict::ALL.map(DrawVerdict::name));
        check(&NotWonReason::ALL.map(NotWonReason::name));
        check(&MateVerdict::ALL.map(MateVerdict::name));
        check(&PerftVerdict::ALL.map(PerftVerdict::name));
        check(&ProtocolVerdict::ALL.map(ProtocolVerdict::name));
        check(&SpeedVerdict::ALL.map(SpeedVerdict::name));
        check(&StalemateKind::ALL.map(StalemateKind::name));
    }
}
