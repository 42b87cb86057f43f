//! What is proposed for each class, and which proposals are accepted.

use arbiter::draws::{DrawProver, Game, Misreading};
use oracle::board::after;
use shakmaty::{Chess, Color, File, Piece, Position, Rank, Role, Setup, Square};
use suites::draws::GameResult::{Draw, Loss, Win};

use super::random::{self, Proposal, Random, clocked, legal};
use super::{Builder, Proved};

type Add = fn(&mut Builder, &str);

/// All classes in the order of the file.
pub(crate) const ALL: [(&str, Add); 14] = [
    ("fifty-clock", fifty_clock),
    ("fifty-moves", fifty_moves),
    ("mate-at-100", mate_at_100),
    ("mate-too-late", mate_too_late),
    ("zeroing-saves", zeroing_saves),
    ("repetition", repetition),
    ("repetition-avoided", repetition_avoided),
    ("repetition-castling", repetition_castling),
    ("repetition-en-passant", repetition_en_passant),
    ("dead-material", dead_material),
    ("not-dead", not_dead),
    ("promotion-stalemate", promotion_stalemate),
    ("perpetual", perpetual),
    ("fortress", fortress),
];

const LONE: [&str; 6] = ["KQvK", "KRvK", "KQvK", "KRvK", "KRRvK", "KQRvK"];

fn anywhere(_: Piece, _: Square) -> bool {
    true
}

/// A position of one of these tables with a clock from this range.
fn with_clock(random: &mut Random, men: &[&str], clocks: std::ops::Range<usize>) -> Option<Proposal> {
    let turn = random.turn();
    let position = {
        let men = *random.pick(men);
        random.place(men, turn, anywhere)?
    };
    let clock = clocks.start + random.below(clocks.len());
    Some(Proposal::of(clocked(&position, clock as u32)))
}

/// A game that starts with one of these clocks and reaches a clock of 95 or more.
fn walked(random: &mut Random, men: &[&str], clocks: &[usize], captures: bool) -> Option<Proposal> {
    let turn = random.turn();
    let start = {
        let men = *random.pick(men);
        random.place(men, turn, anywhere)?
    };
    let clock = *random.pick(clocks);
    let plies = 95 + random.below(5) - clock;
    let moves = random.walk(&start, plies, captures)?;
    Some(Proposal { fen: clocked(&start, clock as u32), moves })
}

fn fifty_clock(builder: &mut Builder, class: &str) {
    let accept = |proved: &Proved| proved.result == Draw && proved.turns_on(Misreading::FenClock);
    builder.add(class, 12, false, |random| with_clock(random, &LONE, 95..100), accept);
}

fn fifty_moves(builder: &mut Builder, class: &str) {
    let accept = |proved: &Proved| proved.result == Draw && proved.turns_on(Misreading::MovesClock);
    builder.add(class, 8, false, |random| walked(random, &LONE[..4], &[0, 20, 40, 60], false), accept);
    // The moves reset the clock of the FEN.
    let propose = |random: &mut Random| {
        let turn = random.turn();
        let start = {
            let men = *random.pick(&["KQvKN", "KRvKN", "KQvKB", "KQvKP"]);
            random.place(men, turn, anywhere)?
        };
        let moves = random.walk(&start, 16, true)?;
        Some(Proposal { fen: clocked(&start, 84 + random.below(6) as u32), moves })
    };
    let accept = |proved: &Proved| {
        proved.result != Draw
            && (1..10).contains(&proved.game.clock())
            && proved.game.position().board().occupied().count() == 3
    };
    builder.add(class, 4, false, propose, accept);
}

/// Whether the rules alone prove a mate on the hundredth ply and none before.
fn mates_at_100(proved: &Proved) -> bool {
    let left = 100 - proved.game.clock();
    left <= 5
        && proved.result != Draw
        && DrawProver::default().prove(&proved.game, left).is_some_and(|proof| proof.plies == left)
}

fn mate_at_100(builder: &mut Builder, class: &str) {
    const MEN: [&str; 8] = ["KQvK", "KRvK", "KRRvK", "KQRvK", "KBNvK", "KBBvK", "KQvKR", "KRvKN"];
    for clock in 95..100 {
        builder.add(class, 3, false, |random| with_clock(random, &MEN, clock..clock + 1), mates_at_100);
    }
    builder.add(class, 3, false, |random| walked(random, &LONE[..4], &[40, 60, 80], false), mates_at_100);
}

/// The cases of `mate_at_100` with a clock that is one ply higher.
fn mate_too_late(builder: &mut Builder, class: &str) {
    let twins: Vec<Proposal> = builder
        .cases
        .iter()
        .filter(|case| case.class.name() == "mate-at-100" && case.moves.is_empty())
        .filter_map(|case| {
            let clock = Game::new(&case.fen, &[]).ok()?.clock();
            Some(Proposal::of(oracle::board::with_clock(&case.fen, clock + 1).ok()?))
        })
        .collect();
    let accept = |proved: &Proved| proved.result == Draw;
    for twin in twins {
        if let Some(case) = builder.prove(class, &twin, false, accept) {
            builder.cases.push(case);
        }
    }
}

fn zeroing_saves(builder: &mut Builder, class: &str) {
    const MEN: [&str; 6] = ["KPvK", "KPvK", "KQvKR", "KRvKN", "KRvKB", "KQvKP"];
    let accept = |proved: &Proved| {
        let left = 100 - proved.game.clock();
        let mates = DrawProver::default().prove(&proved.game, left);
        proved.result != Draw && mates.is_none_or(|proof| proof.result == Draw)
    };
    builder.add(class, 8, false, |random| with_clock(random, &MEN[..2], 97..100), accept);
    builder.add(class, 6, false, |random| with_clock(random, &MEN[2..], 98..100), accept);
}

fn there_and_back(random: &mut Random, men: &str, turn: Color) -> Option<Proposal> {
    let first = random.place(men, turn, anywhere)?;
    let moves = random.there_and_back(&first)?;
    Some(Proposal { fen: clocked(&first, random.below(30) as u32), moves })
}

fn repetition(builder: &mut Builder, class: &str) {
    let propose = |random: &mut Random| {
        let men = *random.pick(&LONE);
        there_and_back(random, men, Color::White)
    };
    let accept = |proved: &Proved| proved.result == Draw && proved.misread(Misreading::Past) == Some(Loss);
    builder.add(class, 12, false, propose, accept);
}

fn repetition_avoided(builder: &mut Builder, class: &str) {
    let propose = |random: &mut Random| {
        let men = *random.pick(&LONE[..2]);
        there_and_back(random, men, Color::Black)
    };
    let accept = |proved: &Proved| {
        // The move that repeats would be the best one.
        let without = Misreading::Past.read(&proved.proposal.fen, &proved.proposal.moves).ok();
        let mates = |game: &Game| DrawProver::default().prove(game, 5);
        let quick = without.and_then(|game| mates(&game));
        proved.result == Win && quick.is_some() && mates(&proved.game) != quick
    };
    builder.add(class, 6, false, propose, accept);
}

/// White's king and rooks on their first squares with castling rights, and other white men.
fn at_home(random: &mut Random, others: &str) -> Option<Chess> {
    let mut setup = Setup { turn: Color::White, ..Setup::empty() };
    let mut put = |square, color, role| {
        let empty = setup.board.piece_at(square).is_none();
        setup.board.set_piece_at(square, Piece { color, role });
        empty.then_some(())
    };
    put(Square::E1, Color::White, Role::King)?;
    let choices: [&[Square]; 3] = [&[Square::A1], &[Square::H1], &[Square::A1, Square::H1]];
    let rooks = *random.pick(&choices);
    for &rook in rooks {
        put(rook, Color::White, Role::Rook)?;
    }
    put(random.square(), Color::Black, Role::King)?;
    for letter in others.chars() {
        put(random.square(), Color::White, Role::from_char(letter)?)?;
    }
    for &rook in rooks {
        setup.castling_rights.add(rook);
    }
    legal(setup)
}

fn repetition_castling(builder: &mut Builder, class: &str) {
    let propose = |random: &mut Random, others: &str| {
        let first = at_home(random, others)?;
        let moves = random.there_and_back(&first)?;
        Some(Proposal { fen: clocked(&first, random.below(30) as u32), moves })
    };
    let differs =
        |proved: &Proved| proved.result == Loss && proved.misread(Misreading::Identity) == Some(Draw);
    builder.add(class, 8, false, |random| propose(random, ""), differs);
    // The castling right stays: it is the same position.
    let same = |proved: &Proved| {
        let rights = proved.game.position().castles().any();
        rights && proved.result == Draw && proved.misread(Misreading::Past) == Some(Loss)
    };
    builder.add(class, 4, false, |random| propose(random, "Q"), same);
}

/// A game that starts with or right after the double step of a black pawn, with or without a white pawn
/// beside it.
fn stepped(random: &mut Random, beside: bool) -> Option<Proposal> {
    let file = File::new(random.below(8) as u32);
    let neighbour = file.offset(if random.coin() { 1 } else { -1 })?;
    let mut setup = Setup { turn: Color::White, ..Setup::empty() };
    let mut men = vec![
        (Square::from_coords(file, Rank::Fifth), Color::Black, Role::Pawn),
        (random.square(), Color::White, Role::King),
        (random.square(), Color::Black, Role::King),
        (random.square(), Color::White, Role::Queen),
        (random.square(), Color::White, Role::Rook),
        (random.square(), Color::Black, Role::Rook),
    ];
    if beside {
        men.push((Square::from_coords(neighbour, Rank::Fifth), Color::White, Role::Pawn));
    }
    for (square, color, role) in men {
        if setup.board.piece_at(square).is_some() {
            return None;
        }
        setup.board.set_piece_at(square, Piece { color, role });
    }
    let over = Square::from_coords(file, Rank::Sixth);
    let from = Square::from_coords(file, Rank::Seventh);
    let mut before = setup.clone();
    setup.ep_square = Some(over);
    let first = legal(setup)?;
    let mut moves = random.there_and_back(&first)?;
    if random.coin() {
        return Some(Proposal { fen: random::with_square(&first), moves });
    }
    let pawn = before.board.remove_piece_at(Square::from_coords(file, Rank::Fifth))?;
    before.board.set_piece_at(from, pawn);
    before.turn = Color::Black;
    moves.insert(0, format!("{from}{}", Square::from_coords(file, Rank::Fifth)));
    Some(Proposal::of(clocked(&legal(before)?, 4))).map(|proposal| Proposal { moves, ..proposal })
}

fn repetition_en_passant(builder: &mut Builder, class: &str) {
    let differs =
        |proved: &Proved| proved.result == Loss && proved.misread(Misreading::Identity) == Some(Draw);
    builder.add(class, 6, false, |random| stepped(random, true), differs);
    // There is no legal en passant capture: it is the same position.
    let same = |proved: &Proved| proved.result == Draw && proved.misread(Misreading::Square) == Some(Loss);
    builder.add(class, 4, false, |random| stepped(random, false), same);
    builder.add(class, 1, false, |random| stepped(random, true), same);
}

fn dead_material(builder: &mut Builder, class: &str) {
    const DEAD: [&str; 7] = ["KvK", "KBvK", "KNvK", "KBvKB", "KBBvK", "KBBvKB", "KBBvKBB"];
    const NEARLY: [&str; 6] = ["KvKQ", "KvKR", "KBvKQ", "KNvKR", "KvKP", "KNvKQ"];
    let dead = |proved: &Proved| proved.game.position().is_insufficient_material();
    for men in DEAD {
        builder.add(class, 1, false, |random| with_clock(random, &[men], 0..60), dead);
    }
    let before = |proved: &Proved| {
        let position = proved.game.position();
        let takes = |capture: &shakmaty::Move| {
            capture.is_capture() && after(position, *capture).is_insufficient_material()
        };
        proved.result == Draw && !dead(proved) && position.legal_moves().iter().any(takes)
    };
    for men in NEARLY {
        builder.add(class, 2, false, |random| with_clock(random, &[men], 0..60), before);
    }
}

fn not_dead(builder: &mut Builder, class: &str) {
    const MEN: [(&str, usize); 6] =
        [("KBvKN", 1), ("KNvKN", 1), ("KBvKB", 2), ("KNNvK", 2), ("KNvKP", 2), ("KBvKP", 2)];
    fn cornered(piece: Piece, square: Square) -> bool {
        let (file, rank) = match piece.role {
            Role::King => (File::C, Rank::Sixth),
            Role::Pawn => (File::H, Rank::First),
            _ => (File::D, Rank::Fifth),
        };
        square.file() <= file && square.rank() >= rank
    }
    let accept = |proved: &Proved| proved.result != Draw;
    for (men, count) in MEN {
        let propose = |random: &mut Random| {
            let turn = random.turn();
            Some(Proposal::of(clocked(&random.place(men, turn, cornered)?, random.below(60) as u32)))
        };
        builder.add(class, count, false, propose, accept);
    }
}

fn promotion_stalemate(builder: &mut Builder, class: &str) {
    let advanced = |piece: Piece, square: Square| piece.role != Role::Pawn || square.rank() >= Rank::Sixth;
    let propose = move |random: &mut Random| {
        let turn = random.turn();
        Some(Proposal::of(clocked(&random.place("KPvK", turn, advanced)?, random.below(60) as u32)))
    };
    let stalemates = |position: &Chess| {
        let queens =
            |mv: &shakmaty::Move| mv.promotion() == Some(Role::Queen) && after(position, *mv).is_stalemate();
        position.legal_moves().iter().any(queens)
    };
    let soon = |position: &Chess| {
        let next = |mv: &shakmaty::Move| stalemates(&after(position, *mv));
        stalemates(position) || position.legal_moves().iter().any(next)
    };
    let taken = |position: &Chess| position.legal_moves().iter().any(|mv| mv.is_capture());
    builder.add(class, 8, false, propose, |proved| {
        let position = proved.game.position();
        proved.result == Draw && soon(position) && !taken(position)
    });
    builder
        .add(class, 3, false, propose, |proved| proved.result == Win && stalemates(proved.game.position()));
}

fn perpetual(builder: &mut Builder, class: &str) {
    const MEN: [&str; 4] = ["KQvKQRR", "KQvKQRP", "KQvKRRP", "KQvKQRB"];
    let propose = |random: &mut Random| {
        let position = {
            let men = *random.pick(&MEN);
            random.place(men, Color::White, anywhere)?
        };
        // Black threatens mate.
        let passed = position.clone().swap_turn().ok()?;
        let mates = |position: &Chess| {
            position.legal_moves().into_iter().any(|mv| after(position, mv).is_checkmate())
        };
        let checks = |mv: shakmaty::Move| after(&position, mv).is_check();
        let loses = |mv: shakmaty::Move| mates(&after(&position, mv));
        let moves = position.legal_moves();
        let checked = moves.iter().any(|&mv| checks(mv));
        if !mates(&passed)
            || mates(&position)
            || !checked
            || !moves.into_iter().all(|mv| checks(mv) || loses(mv))
        {
            return None;
        }
        Some(Proposal::of(clocked(&position, random.below(40) as u32)))
    };
    builder.add(class, 8, false, propose, |proved| {
        proved.result == Draw && DrawProver::default().prove(&proved.game, 4).is_none()
    });
}

fn fortress(builder: &mut Builder, class: &str) {
    for bishops in [0, 1] {
        let propose = |random: &mut Random| {
            let position = random::blocked_pawns(random, bishops)?;
            Some(Proposal::of(clocked(&position, random.below(40) as u32)))
        };
        builder.add(class, 4 + bishops * 2, true, propose, |_| true);
    }
}
