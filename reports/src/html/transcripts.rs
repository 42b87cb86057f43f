//! The last lines of transcripts that lie beside the reports.

use std::collections::BTreeMap;

use serde::Serialize;

use super::finding::short;

/// The most lines of a transcript that are shown.
const LINES: usize = 16;

/// The texts of transcripts by the name of their file.
pub type Transcripts = BTreeMap<String, String>;

/// The end of a transcript.
#[derive(Debug, Serialize)]
pub(super) struct Excerpt {
    file: String,
    lines: Vec<String>,
}

/// The end of the transcript of the first of these checks that has one. The name of the file is the check,
/// with `-` for `/`.
pub(super) fn excerpt<'a>(
    transcripts: &Transcripts,
    checks: impl Iterator<Item = &'a str>,
) -> Option<Excerpt> {
    checks.into_iter().find_map(|check| {
        let name = check.replace('/', "-");
        let own = |(file, _): &(&String, &String)| {
            let rest = file.strip_prefix(&name).and_then(|rest| rest.strip_suffix(".txt"));
            // `process-crash-001.txt` has a number; `protocol-bad-fen-go.txt` is of another check.
            rest.is_some_and(|rest| rest.chars().all(|letter| letter == '-' || letter.is_ascii_digit()))
        };
        let (file, text) = transcripts.iter().find(own)?;
        let lines: Vec<&str> = text.lines().collect();
        let lines = &lines[lines.len().saturating_sub(LINES)..];
        Some(Excerpt { file: short(file), lines: lines.iter().map(|line| short(line)).collect() })
    })
}
