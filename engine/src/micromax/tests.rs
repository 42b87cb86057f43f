//! What each mode sees and does not see, and that all of them keep to the rules.

use super::mailbox::Mailbox;
use super::search::{Node, Search};
use super::spot::Spot;
use super::steps::Want;
use super::worth::{INFINITY, Points};
use super::{Memories, Mode};
use crate::thinking::{Control, Limits, Report};
use crate::{Game, Move, Position, Role, Score, specimen};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

/// What a search of the position alone says, with a window; and how many nodes it took.
fn search(mode: Mode, fen: &str, depth: u8, alpha: Points, beta: Points) -> (Points, u64) {
    let board = Mailbox::of(&position(fen));
    let (limits, control) = (Limits::default(), Control::default());
    let mut search = Search {
        board,
        mode,
        memories: &mut Memories::new(),
        limits: &limits,
        control: &control,
        nodes: 0,
        deepest: 0,
        next_glance: 0,
        stopped: false,
    };
    let score = search.board.balance();
    let before = search.board.clone();
    let node = Node { alpha, beta, score, depth, ply: 0, last: None, unproven: false, leaf: mode.leaf() };
    let value = search.value(&node);
    assert_eq!(search.board, before, "all moves are taken back");
    (value, search.nodes)
}

fn open(mode: Mode, fen: &str, depth: u8) -> Points {
    search(mode, fen, depth, -INFINITY, INFINITY).0
}

struct Thoughts {
    best: Option<Move>,
    score: Score,
    nodes: u64,
    reports: Vec<Report>,
}

fn think_within(mode: Mode, fen: &str, limits: &Limits) -> Thoughts {
    let mut thinker = specimen::by_name(mode.name()).unwrap();
    let mut reports = Vec::new();
    let game = Game::new(position(fen));
    let answer =
        thinker.think(&game, limits, &Control::default(), &mut |report| reports.push(report.clone()));
    Thoughts { best: answer.best, score: answer.score, nodes: answer.nodes, reports }
}

fn think(mode: Mode, fen: &str, depth: u16) -> Thoughts {
    think_within(mode, fen, &Limits { depth: Some(depth), ..Limits::default() })
}

fn best(mode: Mode, fen: &str, depth: u16) -> String {
    think(mode, fen, depth).best.unwrap().to_string()
}

/// Positions after so many plies, underpromotions left out; of the mailbox, and of the rules.
fn perft(board: &mut Mailbox, position: &Position, depth: u8) -> (u64, u64) {
    let rules = position.legal_moves().into_iter();
    let rules = rules.filter(|mv| matches!(mv.promotion, None | Some(Role::Queen)));
    if depth == 0 {
        return (1, 1);
    }
    let theirs = rules.map(|mv| perft_rules(&position.play(mv), depth - 1)).sum();
    (perft_mailbox(board, depth), theirs)
}

fn perft_rules(position: &Position, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves().into_iter();
    let known = moves.filter(|mv| matches!(mv.promotion, None | Some(Role::Queen)));
    known.map(|mv| perft_rules(&position.play(mv), depth - 1)).sum()
}

fn perft_mailbox(board: &mut Mailbox, depth: u8) -> u64 {
    if board.can_take_king() {
        return 0;
    }
    if depth == 0 {
        return 1;
    }
    let steps: Vec<_> = Spot::at(0, 0).round().flat_map(|from| board.steps_of(from, Want::All)).collect();
    let mut sum = 0;
    for step in steps {
        let before = board.clone();
        let undo = board.make(step);
        sum += perft_mailbox(board, depth - 1);
        board.unmake(step, undo);
        assert_eq!(*board, before);
    }
    sum
}

#[test]
fn moves_that_lose_no_king_are_the_legal_ones() {
    for (fen, depth) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
        ("4k3/8/8/8/8/8/3pP2p/R3K2R w KQ - 0 1", 4),
    ] {
        let position = position(fen);
        let (ours, rules) = perft(&mut Mailbox::of(&position), &position, depth);
        assert_eq!(ours, rules, "{fen}");
    }
}

#[test]
fn tmp() {
    let fen = "8/8/8/8/8/4p1k1/8/4r1BK w - - 0 1";
    for mode in Mode::ALL {
        for d in 0..4 {
            println!(
                "{mode:?} {d} {} {:?} {:?} {:?}",
                open(mode, fen, d),
                search(mode, fen, d, -450, INFINITY),
                search(mode, fen, d, -250, INFINITY),
                search(mode, fen, d, -100, INFINITY)
            );
        }
    }
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ] {
        for mode in Mode::ALL {
            for d in [4, 6] {
                let t = std::time::Instant::now();
                let th = think(mode, fen, d);
                println!(
                    "{mode:?} {d} {} nodes {} {:?} {}",
                    th.score,
                    th.nodes,
                    t.elapsed(),
                    th.reports
                        .last()
                        .unwrap()
                        .line
                        .iter()
                        .map(|m| m.to_string())
                        .collect::<Vec<_>>()
                        .join(" ")
                );
            }
        }
    }
}
