//! What the judges say of each case, as rows of reports. The crate `reports` names the files, and has the rows that it derives itself.
//!
//! A field is a column; its name is the column's name. Distances and scores are from the view of the side to
//! move. Plies are half moves. The order of the columns is the order in which rows are sorted.

mod answers;
mod perft;
mod speed;
mod tables;

pub use answers::{
    BestMoveRow, BestMoveVerdict, ConversionRow, DrawRow, DrawVerdict, MateRow, MateVerdict, NotWonReason,
    ProtocolRow, ProtocolVerdict, StalemateSubjectRow, WinThrownRow,
};
pub use perft::{PerftRow, PerftVerdict};
pub use speed::SpeedVerdict;
pub use tables::{
    CensusRow, DumpRow, EdgeCase, EdgeCaseRow, HistogramRow, KnowledgeRow, MalformedRow, StalemateKind,
    StalemateRow,
};
