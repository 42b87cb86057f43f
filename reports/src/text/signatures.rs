//! A line for each search signature.

use std::fmt::Write as _;

use crate::SignatureRow;
use crate::layout::{grouped, plain};

/// One line for each signature. The number has no commas, as in commit messages.
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
