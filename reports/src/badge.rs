//! The verdict on a run as a badge: an SVG for the README of an engine.

use crate::Run;
use crate::verdict::Verdict;

/// The file's name.
pub const FILE: &str = "badge.svg";

const LABEL: &str = "touchstone";
/// The width of a letter of Verdana at 11 pixels, on average, in tenths of a pixel.
const LETTER: usize = 66;
/// The space beside a text, in pixels.
const MARGIN: usize = 6;

/// The badge. Its letters are spaced to fit, so that it looks the same in each font.
pub fn document(run: &Run) -> Vec<u8> {
    let Verdict { class, words, .. } = Verdict::new(run);
    let color = match class {
        "right" => "#2e7d32",
        "wrong" => "#b3261e",
        _ => "#8a5a00",
    };
    let [label, value] = [LABEL, &words].map(|text| text.chars().count() * LETTER / 10);
    let left = label + 2 * MARGIN;
    let text = format!(
        include_str!("badge.svg"),
        label = LABEL,
        words = words,
        color = color,
        width = left + value + 2 * MARGIN,
        left = left,
        right = value + 2 * MARGIN,
        label_width = label,
        value_width = value,
        label_x = MARGIN,
        value_x = left + MARGIN,
    );
    text.into_bytes()
}
