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
    let steps: Vec<_> =
        board.men_from(Spot::at(0, 0)).flat_map(|from| board.steps_of(from, Want::All)).collect();
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
#[ignore]
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

struct Dice(u64);
impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}
fn mates(p: &Position, plies: u32) -> bool {
    // side to move mates in so many plies
    if plies == 0 {
        return false;
    }
    p.legal_moves().into_iter().any(|mv| {
        let n = p.play_unchecked(mv);
        if n.is_checkmate() {
            return true;
        }
        plies >= 3
            && n.has_legal_move()
            && n.legal_moves().into_iter().all(|r| mates(&n.play_unchecked(r), plies - 2))
    })
}
fn draws_after(p: &Position) -> bool {
    // opponent to move: every reply is stalemate
    let r = p.legal_moves();
    !r.is_empty() && r.into_iter().all(|mv| p.play_unchecked(mv).is_stalemate())
}
#[test]
#[ignore]
fn hunt() {
    use crate::{Board, Color, Piece, Square};
    let mut dice = Dice(12345);
    let seed: u64 = std::env::var("SEED").unwrap_or("1".into()).parse().unwrap();
    dice.0 = seed;
    let t = std::time::Instant::now();
    let mut found = 0;
    let mut n = 0u64;
    let mut cand = 0;
    while t.elapsed().as_secs() < 100 && found < 25 {
        n += 1;
        let mut board = Board::EMPTY;
        let w = |role| Piece { color: Color::White, role };
        let b = |role| Piece { color: Color::Black, role };
        let pick = |l: &[Role], d: &mut Dice| l[d.roll(l.len() as u64) as usize];
        board.put(Square::H1, w(Role::King));
        let mut list = vec![(Square::G1, w(pick(&[Role::Bishop, Role::Bishop, Role::Knight], &mut dice)))];
        let e = pick(&[Role::Queen, Role::Rook, Role::Queen], &mut dice);
        let sq = |d: &mut Dice| Square::from_index(d.roll(64) as usize);
        let first = |d: &mut Dice| Square::from_index(d.roll(6) as usize);
        list.push((if dice.roll(2) == 0 { first(&mut dice) } else { sq(&mut dice) }, b(Role::Rook)));
        list.push((sq(&mut dice), b(Role::King)));
        list.push((sq(&mut dice), w(e)));
        if dice.roll(2) == 0 {
            list.push((sq(&mut dice), w(pick(&[Role::Pawn, Role::Rook, Role::Bishop], &mut dice))));
        }
        list.push((sq(&mut dice), b(pick(&[Role::Pawn, Role::Queen, Role::Rook], &mut dice))));
        if dice.roll(2) == 0 {
            list.push((sq(&mut dice), b(Role::Pawn)));
        }
        let mut ok = true;
        for (s, p) in list {
            if board.occupied().contains(s) {
                ok = false;
                break;
            }
            board.put(s, p);
        }
        if !ok {
            continue;
        }
        let Ok(p) = Position::from_board(board, Color::White) else { continue };
        let good: Vec<Move> =
            p.legal_moves().into_iter().filter(|&mv| draws_after(&p.play_unchecked(mv))).collect();
        if good.is_empty() {
            continue;
        }
        cand += 1;
        let fen = p.to_fen();
        for depth in [3, 4, 5] {
            let m = think(Mode::Plain, &fen, depth);
            let g = think(Mode::Guarded, &fen, depth);
            let (mb, gb) = (m.best.unwrap(), g.best.unwrap());
            if good.contains(&gb) && !good.contains(&mb) {
                let after = p.play(mb);
                let loses = (1..=7).step_by(2).find(|&k| mates(&after, k));
                if loses.is_none() {
                    continue;
                }
                println!(
                    "{fen} depth {depth} plain {mb} {} guarded {gb} {} loses {loses:?}",
                    m.score, g.score
                );
                found += 1;
            }
        }
    }
    println!("{n} tried, {cand} candidates");
}
