//! `go perft`: counts leaf nodes move by move, and can be stopped.
//!
//! The last plies are counted by [`perft()`], which cannot be stopped but is fast.

use crate::search_api::Control;
use crate::{CastlingMode, Position, perft};

/// Plies that are counted without checking for `stop`: well below a millisecond.
const UNASKED: u32 = 2;

/// Prints the count of each move in Stockfish's format. Returns the last line (the sum, or that it was
/// stopped), to be printed when the job is done.
pub(super) fn divide(
    position: &Position,
    depth: u32,
    mode: CastlingMode,
    control: &Control,
    say: &mut dyn FnMut(String),
) -> String {
    let mut sum = u64::from(depth == 0);
    for &mv in position.legal_moves().iter().take(if depth == 0 { 0 } else { usize::MAX }) {
        let Some(nodes) = count(&position.play_unchecked(mv), depth - 1, control) else {
            return "info string perft stopped".to_owned();
        };
        sum = sum.wrapping_add(nodes);
        say(format!("{}: {nodes}", position.to_uci(mv, mode)));
    }
    format!("\nNodes searched: {sum}\n")
}

/// `None` if stopped. Counts beyond 64 bits, which take years, wrap around.
fn count(position: &Position, depth: u32, control: &Control) -> Option<u64> {
    if control.is_stopped() {
        return None;
    }
    if depth <= UNASKED {
        return Some(perft(position, depth));
    }
    let moves = position.legal_moves();
    moves.iter().try_fold(0_u64, |sum, &mv| {
        Some(sum.wrapping_add(count(&position.play_unchecked(mv), depth - 1, control)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(depth: u32, control: &Control) -> Vec<String> {
        let mut said = Vec::new();
        let mut say = |line| said.push(line);
        let last = divide(&Position::starting(), depth, CastlingMode::Standard, control, &mut say);
        said.push(last);
        said
    }

    #[test]
    fn counts_are_those_of_perft() {
        let control = Control::default();
        assert_eq!(said(0, &control), ["\nNodes searched: 1\n"]);
        assert_eq!(said(1, &control)[20], "\nNodes searched: 20\n");
        let lines = said(4, &control);
        assert_eq!(lines[20], "\nNodes searched: 197281\n");
        assert!(lines.contains(&"e2e4: 13160".to_owned()) && lines.len() == 21, "{lines:?}");
    }

    #[test]
    fn a_stopped_perft_prints_no_sum() {
        let control = Control::default();
        control.stop();
        assert_eq!(said(100, &control), ["info string perft stopped"]);
    }
}
