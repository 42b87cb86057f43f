//! A line for each search whose signature was taken.

use std::fmt::Write as _;

use super::layout::{grouped, plain};
use crate::SignatureRow;

/// One line a signature. Its number is written without commas, as it is quoted in messages of commits.
pub fn signatures(rows: &[SignatureRow]) -> String {
    let mut rows: Vec<&SignatureRow> = rows.iter().collect();
    rows.sort();
    let mut text = String::new();
    for SignatureRow { subject, depth, positions, signature } in rows {
        let (subject, positions) = (plain(subject), grouped(*positions));
        let _ =
            writeln!(text, "signature of {subject}: {signature} ({positions} positions to depth {depth})");
    }
    text
}
