//! Positions that each mode sees or overlooks, and the cost in nodes.

use super::super::piece_values::MATE;
use super::*;
use crate::{CastlingMode, Role};

const CHECKMATE: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
/// The bishop is pinned: stalemate. From H.G. Muller's description.
const PINNED: &str = "8/8/8/8/8/4p1k1/8/4r1BK w - - 0 1";

fn balance(fen: &str) -> Points {
    Mailbox::from_position(&position(fen)).balance()
}

#[test]
fn mate_and_stalemate_are_seen_from_one_ply_up() {
    assert!(position(CHECKMATE).is_checkmate() && position(PINNED).is_stalemate());
    for mode in Mode::ALL {
        assert_eq!(open(mode, PINNED, 0), balance(PINNED), "no leaf sees stalemate");
        assert_eq!(open(mode, PINNED, 1), 0);
        assert_eq!(open(mode, CHECKMATE, 1), -MATE);
        let in_leaf = if mode == Mode::Threats { -MATE } else { balance(CHECKMATE) };
        assert_eq!(open(mode, CHECKMATE, 0), in_leaf, "{}", mode.name());
    }
}

#[test]
fn a_mate_scores_half_a_king_minus_a_point_for_each_move() {
    assert_eq!(MATE, INFINITY / 2);
    let (in_one, in_two) = ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "7k/8/4K3/8/8/8/8/6Q1 w - - 0 1");
    let lost = "7k/5K2/8/8/8/8/8/Q7 b - - 0 1";
    for mode in Mode::ALL {
        assert_eq!(open(mode, in_one, 2), MATE - 1);
        assert_eq!(open(mode, in_two, 4), MATE - 2);
        assert_eq!(think(mode, in_one, 2).score.to_string(), "mate 1");
        assert_eq!(think(mode, in_two, 4).score.to_string(), "mate 2");
        assert_eq!(think(mode, in_one, 1).score.is_mate(), mode == Mode::Threats);
        assert_eq!(think(mode, lost, 3).score.to_string(), "mate -1");
    }
}

#[test]
fn only_leaves_of_the_threats_mode_see_a_fork() {
    // The pawn forks rook and knight, or is elsewhere.
    let fork = "6k1/8/3p4/4p3/3R1N2/8/8/6K1 w - - 0 1";
    let quiet = "6k1/8/3pp3/8/3R1N2/8/8/6K1 w - - 0 1";
    for mode in Mode::ALL {
        assert_eq!(open(mode, quiet, 0), balance(quiet));
        let lost = balance(fork) - open(mode, fork, 0);
        assert_eq!(lost > 100, mode == Mode::Threats, "{} loses {lost}", mode.name());
    }
}

/// The same in the threats mode: its leaves search the opponent's captures, not their own.
#[test]
fn leaves_see_no_own_captures_except_recaptures() {
    // The queen is attacked; the pawn on e5 is defended, the pawn on h2 is not.
    let fen = "6k1/8/3p4/4p3/3Q4/8/7p/6K1 w - - 0 1";
    for mode in Mode::ALL {
        assert_eq!(best(mode, fen, 1), "g1h2", "neither takes on e5 nor saves the queen");
    }
}

/// The stalemated side has no better alternative than -500, -250 or -100: with a higher alpha more replies
/// cut off.
#[test]
fn a_raised_alpha_hides_the_stalemate_except_in_the_guarded_mode() {
    for alpha in [-500, -450, -250, -100] {
        for depth in 1..=3 {
            let seen = |mode| search(mode, PINNED, depth, alpha, INFINITY).0;
            assert_eq!(seen(Mode::Guarded), 0);
            for mode in [Mode::Plain, Mode::Threats] {
                assert!(seen(mode) <= alpha, "{} sees at most {alpha}, a loss, in a draw", mode.name());
            }
        }
    }
}

/// Whether the side to move has a forced mate in this many plies, by the rules alone.
fn mates_within(position: &Position, plies: u8) -> bool {
    let mates = |mv| {
        let after = position.play(mv);
        let replies = after.legal_moves();
        let lost = |&reply: &Move| mates_within(&after.play(reply), plies - 2);
        after.is_checkmate() || plies > 2 && !replies.is_empty() && replies.iter().all(lost)
    };
    position.legal_moves().into_iter().any(mates)
}

/// Found among 1.4 million random positions with a king on h1, a pinned piece beside it, a piece to give
/// away, and a stronger enemy: a move forces stalemate, and the two modes choose differently.
#[test]
fn the_guarded_mode_sacrifices_its_queen_for_a_stalemate_that_the_plain_mode_overlooks() {
    for (fen, depth, draws, loses, plies) in [
        ("8/8/8/8/Q7/8/4q3/2k2rNK w - - 0 1", 3, "a4c2", "a4b4", 3),
        ("8/8/8/5Qp1/7k/8/4q3/5rBK w - - 0 1", 3, "f5h3", "f5d7", 5),
        ("8/8/8/5Qp1/7k/8/4q3/5rBK w - - 0 1", 4, "f5h3", "f5d7", 5),
        ("k7/8/8/8/8/1R6/3r4/2q3BK w - - 0 1", 5, "b3b8", "b3b6", 7),
    ] {
        let root = position(fen);
        let after = |text: &str| root.play(root.parse_uci(text, CastlingMode::Standard).unwrap());
        let given = after(draws);
        assert!(given.has_legal_move());
        assert!(given.legal_moves().into_iter().all(|mv| given.play(mv).is_stalemate()), "{fen}");
        assert!(mates_within(&after(loses), plies), "{fen}");
        let (plain, guarded) = (think(Mode::Plain, fen, depth), think(Mode::Guarded, fen, depth));
        assert_eq!(guarded.best.unwrap().to_string(), draws);
        assert_eq!(plain.best.unwrap().to_string(), loses);
        assert!(plain.score < Score::centipawns(-200) && guarded.score >= Score::centipawns(-1), "{fen}");
    }
}

/// Searches one in `one_of` tempting positions.
fn stalemates_at_depth_1_only(one_of: usize) {
    let stalemates = |mode: Mode, depth: u16| {
        let fens = tempting(one_of);
        assert!(fens.len() > 400 / one_of);
        let ends = |fen: &&String| position(fen).play(think(mode, fen, depth).best.unwrap()).is_stalemate();
        fens.iter().filter(ends).count()
    };
    for mode in Mode::ALL {
        assert!(stalemates(mode, 1) > 0, "{}: no leaf sees stalemate", mode.name());
        assert_eq!(stalemates(mode, 2), 0, "{}", mode.name());
    }
}

#[test]
fn a_bare_king_is_not_stalemated_once_the_reply_is_searched() {
    stalemates_at_depth_1_only(40);
}

#[test]
#[ignore = "nightly: five times as many positions"]
fn a_bare_king_is_not_stalemated_in_more_positions() {
    stalemates_at_depth_1_only(8);
}

/// King and queen against the king on a8, with one stalemating move and no mate.
fn tempting(one_of: usize) -> Vec<String> {
    let squares = || crate::Square::ALL.into_iter();
    let positions = squares().flat_map(|king| squares().map(move |queen| (king, queen)));
    positions
        .filter_map(|(king, queen)| {
            let mut board = crate::Board::EMPTY;
            let white = |role| crate::Piece { color: crate::Color::White, role };
            board.put(crate::Square::A8, crate::Piece { color: crate::Color::Black, role: Role::King });
            board.put(king, white(Role::King));
            board.put(queen, white(Role::Queen));
            let position = Position::from_board(board, crate::Color::White).ok()?;
            let after: Vec<_> = position.legal_moves().into_iter().map(|mv| position.play(mv)).collect();
            let tempting =
                after.iter().any(Position::is_stalemate) && !after.iter().any(Position::is_checkmate);
            tempting.then(|| position.to_fen())
        })
        .step_by(one_of)
        .collect()
}

/// The guard costs a few per cent of nodes: each first cutoff checks the king first. In the last position it
/// finds the stalemate at once and saves more than it costs.
#[test]
fn the_guard_and_the_threats_cost_nodes() {
    for (fen, depth, plain, guarded, threats) in [
        (START, 5, 75_192, 78_426, 287_408),
        (BUSY, 3, 10_052, 10_224, 222_436),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 9_342, 9_945, 30_472),
        ("8/8/8/5Qp1/7k/8/4q3/5rBK w - - 0 1", 4, 10_203, 6_328, 91_939),
    ] {
        let nodes = Mode::ALL.map(|mode| think(mode, fen, depth).nodes);
        assert_eq!(nodes, [plain, guarded, threats], "{fen}");
    }
}
