//! Formats `info`, `bestmove` and the board diagram.
//!
//! Returns texts; prints nothing.

use std::fmt::Write;
use std::time::Duration;

use super::wdl_model;
use crate::search_api::{Bound, SearchInfo, SearchResult};
use crate::{CastlingMode, File, Move, Piece, Position, Rank, Square};

/// Formatting options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    /// How castling is written.
    pub(super) mode: CastlingMode,
    /// Whether `wdl` is printed.
    pub(super) show_wdl: bool,
}

/// A report as an `info` line. A report of depth 0 (a position without moves) has only a score.
pub(super) fn info(report: &SearchInfo, position: &Position, elapsed: Duration, style: Style) -> String {
    let mut text = format!("info depth {}", report.depth);
    if report.depth > 0 {
        push(&mut text, format_args!(" seldepth {} multipv {}", report.selective_depth, report.rank));
    }
    push(&mut text, format_args!(" score {}", report.score));
    text.push_str(match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if style.show_wdl {
        let wdl_model::WdlModel { win, draw, loss } = wdl_model::of(report.score, position.board());
        push(&mut text, format_args!(" wdl {win} {draw} {loss}"));
    }
    if report.depth > 0 {
        let (nodes, hash_full, hits) = (report.nodes, report.hash_full, report.table_hits);
        push(&mut text, format_args!(" nodes {nodes} nps {}", per_second(nodes, elapsed)));
        push(&mut text, format_args!(" hashfull {hash_full} tbhits {hits} time {}", elapsed.as_millis()));
    }
    if !report.line.is_empty() {
        push(&mut text, format_args!(" pv{}", line(&report.line, position, style.mode)));
    }
    text
}

fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(more);
}

/// Nodes per second.
pub(super) fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    let nanos = elapsed.as_nanos().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
}

/// Moves, each preceded by a space, in the notation of the position where it is played.
fn line(moves: &[Move], position: &Position, mode: CastlingMode) -> String {
    let (mut text, mut position) = (String::new(), *position);
    for &mv in moves {
        let Ok(next) = position.try_play(mv) else { break };
        push(&mut text, format_args!(" {}", position.as_written(mv, mode)));
        position = next;
    }
    text
}

/// The result as `bestmove`.
pub(super) fn best_move(answer: &SearchResult, position: &Position, mode: CastlingMode) -> String {
    let Some(best) = answer.best else { return "bestmove (none)".to_owned() };
    let mut text = format!("bestmove {}", position.to_uci(best, mode));
    let ponder = answer.ponder.and_then(|reply| {
        let next = position.try_play(best).ok()?;
        next.is_legal(reply).then(|| next.to_uci(reply, mode))
    });
    if let Some(reply) = ponder {
        push(&mut text, format_args!(" ponder {reply}"));
    }
    text
}

/// The score of a position without legal moves.
pub(super) fn no_legal_moves(position: &Position, style: Style) -> String {
    info(&SearchInfo::of_end(position), position, Duration::ZERO, style)
}

/// The board diagram with FEN and key, in Stockfish's format.
pub(super) fn diagram(position: &Position, mode: CastlingMode) -> String {
    const RULER: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = RULER.to_owned();
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let piece = position.board().piece_at(Square::new(file, rank));
            push(&mut text, format_args!(" | {}", piece.map_or(' ', Piece::to_char)));
        }
        push(&mut text, format_args!(" | {}\n{RULER}", rank.to_char()));
    }
    let fen = match mode {
        CastlingMode::Standard => position.to_fen(),
        CastlingMode::Chess960 => position.to_shredder_fen(),
    };
    push(&mut text, format_args!("   a   b   c   d   e   f   g   h\n\nFen: {fen}\n"));
    push(&mut text, format_args!("Key: {:016X}", position.key()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ply;
    use crate::Score;

    const STANDARD: Style = Style { mode: CastlingMode::Standard, show_wdl: false };
    const SHOWY: Style = Style { mode: CastlingMode::Chess960, show_wdl: true };
    /// White castles, Black castles.
    const CASTLES: &str = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1";

    fn moves(position: &Position, texts: &str) -> Vec<Move> {
        let mut position = *position;
        let mut played = Vec::new();
        for text in texts.split(' ') {
            let mv = position.parse_uci(text, CastlingMode::Standard).unwrap();
            position = position.play(mv);
            played.push(mv);
        }
        played
    }

    fn report(position: &Position) -> SearchInfo {
        SearchInfo {
            depth: 7,
            selective_depth: 12,
            rank: 2,
            score: Score::centipawns(-31),
            bound: Bound::Lower,
            nodes: 5_000,
            hash_full: 17,
            table_hits: 3,
            line: moves(position, "e1g1 e8c8"),
        }
    }

    #[test]
    fn info_lines_have_their_fields_in_order() {
        let position = Position::from_fen(CASTLES).unwrap();
        let elapsed = Duration::from_millis(20);
        let got = info(&report(&position), &position, elapsed, STANDARD);
        assert_eq!(
            got,
            "info depth 7 seldepth 12 multipv 2 score cp -31 lowerbound nodes 5000 nps 250000 hashfull 17 tbhits 3 \
             time 20 pv e1g1 e8c8"
        );
        let mut mate = report(&position);
        (mate.score, mate.bound) = (Score::mate_in(Ply(5)), Bound::Exact);
        let got = info(&mate, &position, elapsed, SHOWY);
        assert_eq!(
            got,
            "info depth 7 seldepth 12 multipv 2 score mate 3 wdl 1000 0 0 nodes 5000 nps 250000 hashfull 17 tbhits 3 \
             time 20 pv e1h1 e8a8"
        );
    }

    #[test]
    fn lines_end_before_a_move_that_cannot_be_played() {
        let position = Position::from_fen(CASTLES).unwrap();
        let mut report = report(&position);
        report.line.swap(0, 1);
        assert!(info(&report, &position, Duration::ZERO, STANDARD).ends_with(" pv"));
    }

    #[test]
    fn nodes_per_second_handle_any_time() {
        assert_eq!(per_second(5, Duration::ZERO), 5_000_000_000);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
        assert_eq!(per_second(3_000, Duration::from_secs(3)), 1_000);
    }

    #[test]
    fn best_moves_name_a_reply_that_can_be_played() {
        let position = Position::from_fen(CASTLES).unwrap();
        let [best, reply] = moves(&position, "e1g1 e8c8")[..] else { unreachable!("two moves") };
        for (best, ponder, mode, expected) in [
            (None, None, CastlingMode::Standard, "bestmove (none)"),
            (Some(best), None, CastlingMode::Standard, "bestmove e1g1"),
            (Some(best), Some(reply), CastlingMode::Standard, "bestmove e1g1 ponder e8c8"),
            (Some(best), Some(reply), CastlingMode::Chess960, "bestmove e1h1 ponder e8a8"),
            (Some(best), Some(best), CastlingMode::Standard, "bestmove e1g1"),
        ] {
            let answer = SearchResult { best, ponder, score: Score::DRAW, nodes: 0 };
            assert_eq!(best_move(&answer, &position, mode), expected);
        }
    }

    #[test]
    fn positions_without_moves_have_only_a_score() {
        for (fen, style, expected) in [
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", STANDARD, "info depth 0 score mate 0"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", STANDARD, "info depth 0 score cp 0"),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", SHOWY, "info depth 0 score mate 0 wdl 0 0 1000"),
        ] {
            assert_eq!(no_legal_moves(&Position::from_fen(fen).unwrap(), style), expected);
        }
    }

    #[test]
    fn diagrams_show_board_fen_and_key() {
        let position = Position::from_fen(CASTLES).unwrap();
        let drawn = diagram(&position, CastlingMode::Standard);
        assert!(drawn.contains(" | r |   |   |   | k |   |   |   | 8\n"), "{drawn}");
        assert!(drawn.contains(" |   |   |   |   | K |   |   | R | 1\n"), "{drawn}");
        assert!(drawn.contains(&format!("Fen: {CASTLES}\nKey: {:016X}", position.key())), "{drawn}");
        let shredder = CASTLES.replace("Kq", "Ha");
        assert!(diagram(&position, CastlingMode::Chess960).contains(&shredder));
    }
}
