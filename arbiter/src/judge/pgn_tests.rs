//! Games of files with what has to be found in them, and perfect games with a mistake in each.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use oracle::board::{Spelling, after, fen, legal_move, uci_moves};
use shakmaty::{Chess, Position};

use super::tests::{perfect, placed, probe};
use super::*;
use crate::game::Rules;
use crate::pgn::{Blocks, PgnGame, read};

fn game(text: &str) -> PgnGame {
    let block = Blocks::new(text.as_bytes()).next_block().unwrap().unwrap();
    read(&block).remove(0).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// `ply id player: expected | got` for each finding.
fn found(text: &str, rules: Rules) -> Vec<String> {
    let judged = judge_pgn(&game(text), &PgnPolicy { rules, from_ply: 0 }, &probe);
    let line = |found: &Finding| {
        let player = found.player.map_or("-", |color| color.fold_wb("White", "Black"));
        format!("{} {} {player}: {} | {}", found.ply, found.id(), found.expected(), found.got())
    };
    judged.findings.iter().map(line).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(found(text, Rules::Fide), expected, "{text}");
}

/// Rook and king against king: mate in 2.
const TWO: &str = "[FEN \"8/8/8/8/8/1K6/2R5/1k6 w - - 0 1\"]\n";
/// The same with pawns, which no table knows.
const PAWNS: &str = "[FEN \"4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1\"]\n";
/// White draws with Kd2 alone.
const HELD: &str = "[FEN \"8/8/8/8/3k4/3p4/8/3K4 w - - 0 1\"]\n";
const ROUND: &str = "Ra1-b1 Kd8 Ra1 Ke8 ";

#[test]
fn games_of_people_may_end_as_they_like() {
    for text in [
        "1. e4 e5 1/2-1/2",
        "1. e4 e5 1-0",
        "1. e4 e5 *",
        "1. e4 e5",
        "[Result \"1-0\"]\n1. e4 e5 *",
        "[Result \"*\"]\n[PlyCount \"?\"]\n1. e4 e5 1-0",
        "[Termination \"Time forfeit\"]\n1. e4 e5 0-1",
        "[Termination \"abandoned\"]\n1. e4 e5 0-1",
        "[Result \"0-1\"]\n[PlyCount \"4\"]\n1. f3 e5 2. g4 Qh4# 0-1",
        "1. e4 {White mates in 3, by repetition} e5 {a draw by 3-fold repetition is near} 1/2-1/2",
        &format!("{PAWNS}{} 1-0", ROUND.repeat(5)),
        &format!("[Date \"1972.07.11\"]\n{PAWNS}{} 1-0", ROUND.repeat(5)),
        &format!("{TWO}Rc3 Ka1 Rc1# 1-0"),
        &format!("{TWO}Rc3 1-0"),
        &format!("{TWO}Rc3 {{White wins on time, Black loses on time}} 1-0"),
    ] {
        check(text, &[]);
    }
}

#[test]
fn results_are_those_of_the_board() {
    check("1. f3 e5 2. g4 Qh4# 1-0", &["4 game/wrong-result -: Black wins by checkmate | 1-0"]);
    check("1. f3 e5 2. g4 Qh4# *", &["4 game/no-result -: Black wins by checkmate | *"]);
    check("[Result \"1/2-1/2\"]\n1. e4 1-0", &["1 game/two-results -: 1-0 | 1/2-1/2 in the tag"]);
    check("[PlyCount \"7\"]\n1. e4 1-0", &["1 game/wrong-tag -: 1 | PlyCount 7"]);
    check(
        &format!("{TWO}Rc1+ Kxc1 1-0"),
        &[
            "0 game/win-to-draw White: White wins in 3 plies, kept by c2c3 | drawn",
            "2 game/wrong-result -: drawn by insufficient material | 1-0",
        ],
    );
    check(&format!("{TWO}Rc3 1/2-1/2"), &["1 game/given-away White: White wins in 2 plies | 1/2-1/2"]);
    check(&format!("{HELD}Kd2 0-1"), &["1 game/given-away White: drawn | 0-1"]);
    check(&format!("[Termination \"time forfeit\"]\n{HELD}Kd2 0-1"), &[]);
    let adjudicated = "1 game/wrong-adjudication -: drawn | 0-1 by adjudication";
    check(&format!("[Termination \"adjudication\"]\n{HELD}Kd2 0-1"), &[adjudicated]);
    check(&format!("{HELD}Kd2 {{0.00/1 0.1s, Black wins by adjudication}} 0-1"), &[adjudicated]);
    check(&format!("{HELD}Kd2 {{0.00/1 0.1s, Black wins by adjudication: SyzygyTB}} 0-1"), &[adjudicated]);
}

/// Tables of a runner can adjudicate without the fifty-move rule, which draws this won position.
#[test]
fn adjudications_by_tables_are_told_by_comments_and_by_tags() {
    let slow = TWO.replace("0 1\"", "98 99\"");
    let tags = |details: &str| {
        format!("[Termination \"adjudication\"]\n[TerminationDetails \"{details}\"]\n{slow}Rc5 1-0")
    };
    let drawn = "1 game/wrong-adjudication -: drawn by the fifty-move rule (clock 99, 2 plies to go) | 1-0 by adjudication";
    for details in ["TB position", "SyzygyTB", "White wins by adjudication: SyzygyTB"] {
        check(&tags(details), &[]);
    }
    check(&tags("TCEC win rule"), &[drawn]);
}

#[test]
fn an_illegal_move_is_the_end_of_what_is_known() {
    check("1. e4 e5 2. Ke3 Nf6 1-0", &["2 game/illegal-move White: a legal move | Ke3"]);
    check("1. f3 e5 2. g4 Qh4# 3. Kf2 1-0", &["4 game/illegal-move White: a legal move | Kf2"]);
}

#[test]
fn ends_that_come_too_early() {
    let early = |words: &str, told: &str| {
        let text = format!("1. e4 e5 {{+0.10/3 0.1s, {words}}} 1/2-1/2");
        check(&text, &[&format!("2 game/ended-early -: the game goes on | {told}")]);
        let details = words.strip_prefix("Draw by ").unwrap_or(words);
        check(
            &format!("[TerminationDetails \"{details}\"]\n1. e4 e5 1/2-1/2"),
            &[&format!("2 game/ended-early -: the game goes on | {told}")],
        );
    };
    early("Draw by 3-fold repetition", "3-fold repetition");
    early("Draw by fifty moves rule", "fifty moves");
    early("Draw by stalemate", "stalemate");
    early("Draw by insufficient mating material", "insufficient material");
    early("White mates", "checkmate");
    check(
        &format!(
            "{PAWNS}{}{{Draw by 3-fold repetition}} 1/2-1/2",
            ROUND.repeat(2).replace("Ra1 Ke8", "Ra1 {x} Ke8")
        ),
        &[],
    );
}

#[test]
fn ends_that_come_too_late() {
    let moves = ROUND.repeat(3);
    let late = |told: &str| format!("{PAWNS}{moves}{{{told}}} 1/2-1/2");
    let third = "8 game/ended-late -: the game ends by 3-fold repetition | 4 more plies";
    check(&late("Draw by 3-fold repetition"), &[third]);
    check(&late("agreed"), &[]);
    assert_eq!(found(&late("agreed"), Rules::Fastchess), [third]);
    let modern = format!("[Date \"2014.07.01\"]\n{PAWNS}{} 1-0", ROUND.repeat(5));
    check(&modern, &["16 game/ended-late -: the game ends by 5-fold repetition | 4 more plies"]);
    check(&modern.replace("2014.07.01", "2014.06.30"), &[]);
    let clock = |clock: u32| {
        format!("[Date \"2020.??.??\"]\n{}Rb1 Kd8 1/2-1/2", PAWNS.replace("0 1\"", &format!("{clock} 99\"")))
    };
    check(&clock(148), &[]);
    check(&clock(149), &["1 game/ended-late -: the game ends by 75 moves | 1 more ply"]);
    let dead = "[FEN \"8/8/8/8/8/1K6/8/1kB5 b - - 0 1\"]\nKxc1 Kc3 Kd1 1/2-1/2";
    check(dead, &[]);
    let ended = "0 game/ended-late -: the game ends by insufficient material | 3 more plies";
    assert_eq!(found(dead, Rules::Lichess), [ended]);
}

#[test]
fn a_loss_on_time_to_a_side_that_cannot_mate() {
    let bare = "[FEN \"4k3/8/8/8/8/8/PPPP4/4K2R w - - 0 1\"]\n";
    let drawn = "1 game/loss-on-time -: drawn: the other side cannot mate (too few men) | 0-1 on time";
    for text in [
        format!("{bare}[Termination \"time forfeit\"]\nRg1 0-1"),
        format!("{bare}Rg1 {{White loses on time}} 0-1"),
        format!("{bare}Rg1 {{+1.00/3 9s, White loses on time (12ms overrun)}} 0-1"),
    ] {
        check(&text, &[drawn]);
        assert_eq!(found(&text, Rules::Fastchess), [""; 0]);
    }
    check(&format!("{bare}[Termination \"time forfeit\"]\nRg1 1-0"), &[]);
    check(&format!("{bare}Rg1 {{Black loses on time}} 0-1"), &[]);
    let won = |fen: &str, mv: &str| format!("[FEN \"{fen}\"]\n{mv} {{White loses on time}} 0-1");
    let found_by = |fen, mv, rules| found(&won(fen, mv), rules);
    let why = |why| format!("1 game/loss-on-time -: drawn: the other side cannot mate ({why}) | 0-1 on time");
    let blocked = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 b - - 0 1";
    assert_eq!(found_by(blocked, "Kd7", Rules::Fide), [why("blocked men")]);
    assert_eq!(found_by(blocked, "Kd7", Rules::Lichess), [""; 0]);
    // The bishop never gets out.
    let shut = "5bk1/4p1p1/4P1P1/8/8/8/8/4K3 b - - 0 1";
    assert_eq!(found_by(shut, "Kh8", Rules::Fide), [why("no position that can be reached is a mate")]);
    // The rook can be given for a pawn, and opens the chain.
    assert_eq!(found_by("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/R3K3 b - - 0 1", "Kd7", Rules::Fide), [""; 0]);
}

#[test]
fn dead_positions_end_games_by_the_rules_of_fide() {
    let blocked = "[FEN \"4k3/8/8/p1p1p1p1/P1P1P3/8/6P1/4K3 w - - 0 1\"]\n";
    check(&format!("{blocked}g4 1/2-1/2"), &[]);
    check(
        &format!("{blocked}g4 Kd7 Ke2 1/2-1/2"),
        &["1 game/dead-position -: drawn: no side can mate | 1/2-1/2 after 2 more plies"],
    );
    check(&format!("{blocked}g4 1-0"), &["1 game/dead-position -: drawn: no side can mate | 1-0"]);
    check(&format!("{blocked}g3 Kd7 Ke2 1-0"), &[]);
    check(&format!("{blocked}g4 {{Draw by insufficient mating material}} 1/2-1/2"), &[]);
    check(
        &format!("{blocked}g3 {{Draw by insufficient mating material}} 1/2-1/2"),
        &["1 game/ended-early -: the game goes on | insufficient material"],
    );
    let alive = game(&format!("{blocked}g3 {{Draw by insufficient mating material}} 1/2-1/2"));
    let judged = judge_pgn(&alive, &PgnPolicy::default(), &|_| None);
    let Fault::EndedEarly { mate: Some((winner, moves)), .. } = &judged.findings[0].fault else {
        panic!("no mate")
    };
    let mut mated = alive.game.clone();
    for text in moves {
        mated.play_text(text, Spelling::Exact).unwrap();
    }
    assert!(mated.position().is_checkmate() && mated.position().turn() != *winner, "{moves:?}");
    // So many positions can be reached that it is undecided.
    let undecided = "[FEN \"5bk1/4p1p1/4P1P1/8/8/8/8/1B1BKB2 w - - 0 1\"]\n";
    check(&format!("{undecided}Ke2 {{Draw by insufficient mating material}} 1/2-1/2"), &[]);
    for rules in [Rules::Lichess, Rules::Fastchess, Rules::Cutechess] {
        assert_eq!(found(&format!("{blocked}g4 Kd7 Ke2 1-0"), rules), [""; 0]);
    }
    // The capture is forced, and leaves bare kings.
    check("[FEN \"8/8/8/8/8/8/1q6/K2k4 w - - 0 1\"]\nKxb2 1/2-1/2", &[]);
    // The capture is forced, and stalemates.
    check("[FEN \"8/8/8/8/4q3/kQ6/8/K7 b - - 0 1\"]\nKxb3 1/2-1/2", &[]);
}

#[test]
fn scores_are_those_of_the_mover_and_of_an_analysis() {
    let mated = "0 game/mate-unsound White: White wins in 3 plies | mate 1";
    check(
        &format!("{TWO}Rc3 {{+M1/9 0.1s}} Ka1 {{-M2/9 0.1s}} Rc1# {{+M1/9 0.1s, White mates}} 1-0"),
        &[mated],
    );
    check(&format!("{TWO}Rc3 {{+M3/9 0.1s}} Ka1 {{-M2/9 0.1s}} Rc1# {{+M1/9 0.1s, White mates}} 1-0"), &[]);
    // Mates in moves: two moves cannot be plies.
    check(&format!("{TWO}Rc3 {{+M2/9 0.1s}} Ka1 {{-M1/9 0.1s}} Rc1# {{+M1/9 0.1s}} 1-0"), &[]);
    let analysis = "1 game/mate-unsound -: White wins in 2 plies | mate 1";
    check(&format!("{TWO}Rc3 {{[%eval #-1]}} Ka1 {{[%eval #1]}} Rc1# 1-0"), &[analysis]);
    check(&format!("{TWO}Rc3 {{[%eval #1]}} Ka1 {{[%eval #1]}} Rc1# 1-0"), &[]);
    check(
        &format!("{HELD}Kd2 {{book}} Ke4 {{+4.00/1 1s}} 1/2-1/2"),
        &["1 game/score-of-draw Black: drawn | cp 400"],
    );
    check(&format!("{HELD}Kd2 {{wv=-4.00, mt=1}} 1/2-1/2"), &["0 game/score-of-draw White: drawn | cp -400"]);
}

#[test]
fn moves_of_a_book_are_not_held_against_tables() {
    check(&format!("{TWO}Rc1+ {{book}} Kxc1 {{book}} 1/2-1/2"), &[]);
    let judged = judge_pgn(
        &game(&format!("{TWO}Rc1+ Kxc1 1/2-1/2")),
        &PgnPolicy { from_ply: 2, ..PgnPolicy::default() },
        &probe,
    );
    assert_eq!(judged.findings, []);
}

/// Without a table: from a late ply on, a game that went on too long is still found.
#[test]
fn the_first_ply_of_tables_hides_no_end() {
    let late = |moves: &str| {
        let text = format!("{PAWNS}{moves}{{Draw by 3-fold repetition}} 1/2-1/2");
        let policy = PgnPolicy { from_ply: 99, ..PgnPolicy::default() };
        judge_pgn(&game(&text), &policy, &probe).findings.iter().map(|found| found.ply).collect::<Vec<_>>()
    };
    assert_eq!(late(&ROUND.repeat(3)), [8]);
    // Moves of a book are no player's.
    assert_eq!(late(&ROUND.repeat(3).replace(' ', " {book} ")), [0; 0]);
}

#[test]
fn clocks_that_gain_more_than_the_increment() {
    let text = |control: &str, last: &str| {
        format!(
            "[TimeControl \"{control}\"]\n1. e4 {{[%clk 0:03:00]}} e5 {{[%clk 0:03:00]}} 2. d4 {{[%clk 0:02:58]}} d5 {{[%clk {last}]}} *"
        )
    };
    check(&text("180+2", "0:03:03"), &[]);
    let gained = "3 game/clock -: at most 180.000 s + 2.000 s | 184.000 s";
    check(&text("180+2", "0:03:04"), &[gained]);
    check(&text("40/180:60", "0:03:04"), &[]);
    check(&text("?", "0:03:04"), &[]);
    let told = "1. e4 {+0.1/3 1.00s, tl=9.00s} e5 2. d4 {+0.10/3 5.00s, tl=8.00s} *";
    check(
        &format!("[TimeControl \"10+0.1\"]\n{told}"),
        &["2 game/clock -: at most 9.000 s - 5.000 s + 0.100 s | 8.000 s"],
    );
}

#[test]
fn endings_are_told_with_their_result() {
    let endings = |text: &str| judge_pgn(&game(text), &PgnPolicy::default(), &probe).endings;
    let ending = |ply, material: &str, result| Ending { ply, material: material.to_owned(), result };
    let promotion = "[FEN \"8/1P6/7k/8/4K3/8/8/8 w - - 0 1\"]\nb8=Q Kg6 1-0";
    let (white, draw) = (GameResult::WhiteWins, GameResult::Draw);
    assert_eq!(endings(promotion), [ending(0, "KPvK", white), ending(1, "KQvK", white)]);
    assert_eq!(endings(&format!("{HELD}Kd2 1/2-1/2")), [ending(0, "KPvK", draw)]);
    assert_eq!(endings("1. e4 *"), []);
}

/// Perfect games, in each of which one move throws the result and perfect play follows: that move is found, and
/// nothing else.
#[test]
fn planted_mistakes_are_found_and_none_is_invented() {
    let mut planted = 0;
    for (number, man) in [("R", 97_usize), ("Q", 89), ("P", 31)]
        .into_iter()
        .flat_map(|(man, step)| (0..64 * 64 * 64).step_by(step * 16).map(move |number| (number, man)))
    {
        let squares = [number % 64, number / 64 % 64, number / 4096];
        let Some(start) = placed(squares, man, number % 3 == 0).filter(|start| probe(start).is_some()) else {
            continue;
        };
        let (moves, _, result) = perfect(&start);
        assert_eq!(found(&text(&start, &moves, result), Rules::Fide), [""; 0]);
        let mut position = start.clone();
        for (ply, text_of_move) in moves.iter().enumerate() {
            let worse = (ply + number % 5).is_multiple_of(5).then(|| mistake(&position)).flatten();
            if let Some(mistake) = worse {
                let thrown = played(&position, &mistake);
                let (rest, _, result) = perfect(&thrown);
                let line: Vec<String> = moves[..ply].iter().cloned().chain([mistake]).chain(rest).collect();
                let text = text(&start, &line, result);
                let [found] = &found(&text, Rules::Fide)[..] else {
                    panic!("{ply}: {:?} {text}", found(&text, Rules::Fide))
                };
                let kinds =
                    ["win-to-draw", "win-to-loss", "draw-to-loss"].map(|kind| format!("{ply} game/{kind} "));
                assert!(kinds.iter().any(|kind| found.starts_with(kind)), "{found}: {text}");
                planted += 1;
            }
            position = played(&position, text_of_move);
        }
    }
    assert!(planted > 200, "{planted}");
}

fn played(position: &Chess, text: &str) -> Chess {
    after(position, legal_move(position, text, Spelling::Exact).unwrap())
}

/// The first move that makes the result worse.
fn mistake(position: &Chess) -> Option<String> {
    let worth = |position: &Chess| match probe(position)?.winner(position.turn()) {
        None => Some(1),
        Some(winner) => Some(if winner == position.turn() { 2 } else { 0 }),
    };
    let own = worth(position)?;
    uci_moves(position).into_iter().find(|text| {
        let next = played(position, text);
        let is_drawn = next.is_stalemate() || next.is_insufficient_material();
        let other = if is_drawn { Some(1) } else { worth(&next) };
        other.is_some_and(|other| 2 - other < own)
    })
}

fn text(start: &Chess, moves: &[String], result: GameResult) -> String {
    format!("[FEN \"{}\"]\n[Result \"{result}\"]\n\n{} {result}\n", fen(start), moves.join(" "))
}

/// Games of each program, with pieces of them cut, doubled, moved and overwritten: what can still be read is judged, and nothing
/// panics. The seeds are the numbers of the texts.
#[test]
fn damaged_games_are_judged() {
    let texts = [
        "[Event \"A\"]\n[FEN \"8/8/8/8/8/1K6/2R5/1k6 w - - 98 80\"]\n[Result \"1-0\"]\n[PlyCount \"3\"]\n\n\
         1. Rc3 {+M2/9 0.1s} Ka1 {-M1/8 0.1s} 2. Rc1# {+M1/7 0.1s, White mates} 1-0\n\n",
        "[Event \"B\"]\n[TimeControl \"60+1\"]\n[Termination \"Time forfeit\"]\n\n1. e4 { [%eval 0.17] [%clk 0:03:00] } (1. d4 $2) \
         e5 { [%eval #-3] [%clk 0:02:58] } 2. O-O?! ; rest\n2. Ke2 0-1\n\n",
        "[Event \"C\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w H - 0 1\"]\n\n\
         1. O-O {d=31, mt=14000, tl=5399000, wv=0.25} Kd7 {book} 2. Rf7+ 1/2-1/2\n\n",
    ];
    let whole = texts.concat().into_bytes();
    let mut judged = 0;
    for seed in 0..3_000 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut below = |bound: usize| random.next_u64() as usize % bound;
        let mut bytes = whole.clone();
        for _ in 0..=below(4) {
            let (from, to) = (below(bytes.len()), below(bytes.len()));
            let piece = bytes[from.min(to)..from.max(to).min(from.min(to) + 40)].to_vec();
            match below(4) {
                0 => drop(bytes.splice(from..from, piece)),
                1 => drop(bytes.drain(from.min(to)..from.min(to) + piece.len())),
                2 => bytes[from] = below(256) as u8,
                _ => bytes.truncate(bytes.len().max(2) - below(bytes.len() / 4 + 1)),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let mut blocks = Blocks::new(&bytes[..]);
        while let Some(block) = blocks.next_block().unwrap() {
            for game in read(&block).into_iter().flatten() {
                judged += judge_pgn(&game, &PgnPolicy::default(), &probe).endings.len();
            }
        }
    }
    assert!(judged > 1_000, "{judged}");
}
