//! Games with what has to be found in them. The tables are real ones of three men.

use std::sync::LazyLock;

use engine::tables::{TableSet, Wdl, builders};
use oracle::board::{Accept, Game, Spelling, fen, legal_move, position, uci_moves};
use shakmaty::{Chess, Position};
use suites::catalogue::{self, Severity};
use suites::{Difference, Replay, SharedCause};
use uci::Score;

use super::*;
use crate::game::TableResult;

static TABLES: LazyLock<TableSet> = LazyLock::new(|| {
    builders::production(&["KQvK", "KRvK", "KPvK"].map(|name| name.parse().unwrap())).unwrap()
});

/// Rook and king against king: mate in 2.
const TWO: &str = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White draws with Kd2 alone.
const HELD: &str = "8/8/8/8/3k4/3p4/8/3K4 w - - 0 1";

pub(super) fn probe(position: &Chess) -> Option<TableValue> {
    let probe = TABLES.probe_of(&engine::Position::from_fen(&fen(position)).ok()?).ok()?;
    let result = match probe.wdl() {
        Wdl::Win => TableResult::Win,
        Wdl::Draw => TableResult::Draw,
        Wdl::Loss => TableResult::Loss,
    };
    let plies_to_zero = probe.dtz.map(|dtz| dtz.0.unsigned_abs().into());
    let plies_to_mate = probe.dtm.map(|dtm| dtm.plies().into());
    Some(TableValue { result, plies_to_zero, is_rounded: false, plies_to_mate })
}

fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::at(position(fen, Accept::Legal).unwrap());
    for text in moves.split_whitespace() {
        game.play_text(text, Spelling::Exact).unwrap();
    }
    game
}

/// `cp 35`, `mate -3`, and `-` for none, separated by commas.
fn scores(text: &str) -> Vec<Option<Score>> {
    let read = |text: &str| match text.trim().split_once(' ') {
        Some(("cp", number)) => Some(Score::Centipawns(number.parse().unwrap())),
        Some(("mate", number)) => Some(Score::Mate(number.parse().unwrap())),
        _ => None,
    };
    text.split(',').map(read).collect()
}

fn judged(fen: &str, moves: &str, told: &str, result: GameResult) -> Judgement {
    let game = game(fen, moves);
    let finished =
        FinishedGame { game: &game, opening: 0, scores: &scores(told), result, is_adjudicated: false };
    judge(&finished, &probe)
}

/// `ply id player move: expected | got` for each finding.
fn lines(findings: &[Finding]) -> Vec<String> {
    let line = |found: &Finding| {
        let player = found.player.map_or("-", |color| color.fold_wb("White", "Black"));
        let played = found.played.as_deref().unwrap_or("-");
        let (expected, got) = (found.expected(), found.got());
        format!("{} {} {player} {played}: {expected} | {got}", found.ply, found.id())
    };
    findings.iter().map(line).collect()
}

#[track_caller]
fn check(fen: &str, moves: &str, told: &str, result: GameResult, expected: &[&str]) {
    assert_eq!(lines(&judged(fen, moves, told, result).findings), expected);
}

const DRAW: GameResult = GameResult::Draw;
const WHITE: GameResult = GameResult::WhiteWins;

#[test]
fn a_thrown_result_is_found_once() {
    let thrown = "0 game/win-to-draw White c2c1: White wins in 3 plies, kept by c2c3 | drawn";
    check(TWO, "c2c1 b1c1", "", DRAW, &[thrown]);
    check(
        HELD,
        "d1e1 d4e3 e1d1 d3d2",
        "",
        GameResult::BlackWins,
        &["0 game/draw-to-loss White d1e1: drawn, kept by d1d2 | Black wins in 19 plies"],
    );
    let lost = "0 game/draw-to-loss Black d8e8: drawn, kept by d8d7 | White wins in 19 plies";
    check("3k4/8/3P4/3K4/8/8/8/8 b - - 0 1", "d8e8 d5e6 e8d8 d6d7", "", WHITE, &[lost]);
    check(HELD, "d1d2 d4e4 d2d1 e4d4", "", DRAW, &[]);
}

/// "Only" is said where the result of each other move is known.
#[test]
fn a_move_is_the_only_one_if_all_others_are_known() {
    let game = game(HELD, "d1e1 d4e3");
    let scores = [None, None];
    let finished =
        FinishedGame { game: &game, opening: 0, scores: &scores, result: DRAW, is_adjudicated: false };
    let kept = |unknown: &str| {
        let found =
            &judge(&finished, &|position| (fen(position) != unknown).then(|| probe(position))?).findings[0];
        found.difference(&NAME, Replay::default()).explanation
    };
    assert!(kept("").contains("; only d1d2 kept the result"), "{}", kept(""));
    // After d1c1, which loses.
    let open = kept("8/8/8/8/3k4/3p4/8/2K5 b - - 1 1");
    assert!(open.contains("; d1d2 kept the result"), "{open}");
}

#[test]
fn the_fifty_moves_may_be_the_only_reason() {
    let late = "k7/8/1K6/8/8/8/8/7R w - - 98 80";
    let slow = "0 game/win-too-slow White h1g1: White wins in 1 plies, kept by h1h8 | \
                drawn by the fifty-move rule (clock 99, 2 plies to go)";
    check(late, "h1g1 a8b8", "", DRAW, &[slow]);
    check(&late.replace("98", "97"), "h1g1 a8b8 g1g8", "", WHITE, &[]);
    // The position was drawn before the move, so that no win was thrown. A mate on the hundredth ply wins.
    check(&late.replace("98 ", "99 "), "h1h8", "", WHITE, &[]);
    check("8/8/8/4k3/8/8/8/R3K3 w - - 99 80", "a1a2", "", DRAW, &[]);
    // Nobody claimed the draw, and Black had one move.
    check("k7/8/2K5/8/8/8/8/7R w - - 98 80", "c6b6 a8b8 h1h8", "", WHITE, &[]);
}

#[test]
fn a_win_that_is_repeated_away_is_thrown_by_the_winner() {
    let round = "a1a2 e5e4 a2a1 e4e5 ";
    let fen = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";
    let expected =
        "6 game/win-to-draw White a2a1: White wins in 25 plies, kept by a2a5 | drawn by 3-fold repetition";
    check(fen, &round.repeat(2), "", DRAW, &[expected]);
    check(fen, round, "", WHITE, &[]);
    // Nobody claimed the draw, and Black resigned.
    check(fen, &round.repeat(2), "", WHITE, &[]);
}

#[test]
fn mates_that_are_not_there_are_errors() {
    let check = |told: &str, expected: &[&str]| check(TWO, "c2c3 b1a1 c3c1", told, WHITE, expected);
    check("mate 2,mate -1,mate 1", &[]);
    check("mate 9,mate -9,mate 7", &[]);
    check("mate 1", &["0 game/mate-unsound White c2c3: White wins in 3 plies | mate 1"]);
    check("mate -2", &["0 game/mate-unsound White c2c3: White wins in 3 plies | mate -2"]);
    check("-,mate 1", &["1 game/mate-unsound Black b1a1: White wins in 2 plies | mate 1"]);
    check("mate 0,mate 0", &[]);
    assert_eq!(judged(TWO, "c2c3", "mate 1", WHITE).findings[0].id().severity(), Severity::Error);
    // A row of them is one, in a drawn position too.
    let row =
        ["0 game/mate-unsound White d1d2: drawn | mate -4", "1 game/mate-unsound Black d4e4: drawn | mate 3"];
    self::check(HELD, "d1d2 d4e4 d2d1 e4d4", "mate -4,mate 3,mate -9,mate 2", DRAW, &row);
    // A move without a score ends the row.
    let again = [row[0], "4 game/mate-unsound White d1d2: drawn | mate -2"];
    self::check(HELD, "d1d2 d4e4 d2d1 e4d4 d1d2", "mate -4,-,-,-,mate -2", DRAW, &again);
}

#[test]
fn no_table_is_needed_where_a_side_cannot_mate() {
    let fen = "4k3/8/8/8/8/8/8/R2BK2R b - - 0 1";
    let told = "mate 5,cp 0,mate -5";
    let unsound = "0 game/mate-unsound Black e8e7: drawn at best: too few men to mate | mate 5";
    check(fen, "e8e7 e1e2 e7e6", told, WHITE, &[unsound]);
}

#[test]
fn the_fifty_moves_end_a_mate_that_comes_too_late() {
    let late = "8/8/8/8/8/1K6/2R5/1k6 w - - 98 80";
    let unsound =
        "0 game/mate-unsound White c2c3: drawn by the fifty-move rule (clock 98, 3 plies to go) | mate 2";
    check(late, "c2c3 b1a1", "mate 2", DRAW, &[unsound]);
    check(&late.replace("98", "97"), "c2c3 b1a1 c3c1", "mate 2", WHITE, &[]);
}

#[test]
fn a_mate_must_come_in_time() {
    let late = "0 game/mate-not-kept White c2d2: mate within 3 plies | mate 2";
    let moves = "c2d2 b1a1 d2c2 a1b1";
    check(TWO, moves, "mate 2,mate -9,mate 2,mate -2", WHITE, &[late]);
    check(TWO, "c2d2 b1a1 d2d1", "mate 2,mate -9,mate 1", WHITE, &[]);
    check(TWO, moves, "mate 3,mate -9,mate 2,mate -2", WHITE, &[]);
    // The game ended before the mate was due: by a draw, or by a loss on time or the like.
    let round = "a1a2 e5e4 a2a1 e4e5 ".repeat(2);
    let fen = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";
    let repeated =
        "6 game/win-to-draw White a2a1: White wins in 25 plies, kept by a2a5 | drawn by 3-fold repetition";
    check(fen, &round, "mate 20", DRAW, &[repeated]);
    let outside = "4k3/8/8/8/8/8/PPP5/R3K3 w - - 0 1";
    let kept = "0 game/mate-not-kept White a1b1: mate within 39 plies | mate 20";
    let round = "a1b1 e8d8 b1a1 d8e8 ".repeat(2);
    check(outside, &round, "mate 20,-,mate 19", DRAW, &[kept]);
    check(outside, "a1b1", "mate 20", GameResult::BlackWins, &[]);
    // The side that announced it was mated before; or it lost otherwise.
    let mated = "f2f3 e7e5 g2g4 d8h4";
    let own = "0 game/mate-not-kept White f2f3: mate within 9 plies | mate 5";
    check(INITIAL, mated, "mate 5", GameResult::BlackWins, &[own]);
    check(INITIAL, &mated[..14], "mate 5", GameResult::BlackWins, &[]);
    check(INITIAL, mated, "-,mate 5", GameResult::BlackWins, &[]);
    // A thrown win is a finding already.
    let thrown = "0 game/win-to-draw White c2c1: White wins in 3 plies, kept by c2c3 | drawn";
    check(TWO, "c2c1 b1c1", "mate 2", DRAW, &[thrown]);
}

#[test]
fn scores_of_drawn_positions_are_notes() {
    let round = "d1d2 d4e4 d2d1 e4d4 d1d2 d4e4";
    let told = "cp -299,cp 300,cp -450,cp 310,cp 20,cp 900";
    let expected = [
        "1 game/score-of-draw Black d4e4: drawn | cp 900, 3 moves in a row",
        "2 game/score-of-draw White d2d1: drawn | cp -450",
    ];
    check(HELD, round, told, DRAW, &expected);
    // A move without a score ends the row.
    let gap = [
        "0 game/score-of-draw White d1d2: drawn | cp 400",
        "4 game/score-of-draw White d1d2: drawn | cp 500",
    ];
    check(HELD, round, "cp 400,-,-,-,cp 500", DRAW, &gap);
    let findings = judged(HELD, round, told, DRAW).findings;
    assert!(findings.iter().all(|found| found.id().severity() == Severity::Note));
}

#[test]
fn results_are_held_against_the_last_position() {
    let mated = "2 game/wrong-result - -: White wins by checkmate | 1/2-1/2";
    check(TWO, "c2c3 b1a1 c3c1", "", DRAW, &["3".to_owned() + &mated[1..]].each_ref().map(|text| &text[..]));
    let adjudicated = |fen: &str, moves: &str, result, is_adjudicated| {
        let game = game(fen, moves);
        let finished = FinishedGame { game: &game, opening: 0, scores: &[], result, is_adjudicated };
        lines(&judge(&finished, &probe).findings)
    };
    let drawn = "1 game/wrong-adjudication - -: drawn | 1-0 by adjudication";
    assert_eq!(adjudicated(HELD, "d1d2", WHITE, true), [drawn]);
    assert_eq!(adjudicated(HELD, "d1d2", WHITE, false), [""; 0], "lost on time");
    let won = "1 game/wrong-adjudication - -: White wins in 2 plies | 1/2-1/2 by adjudication";
    assert_eq!(adjudicated(TWO, "c2c3", DRAW, true), [won]);
    assert_eq!(adjudicated(TWO, "c2c3", WHITE, true), [""; 0]);
    assert_eq!(adjudicated(TWO, "c2c3", GameResult::Unfinished, true), [""; 0]);
    let outside = "4k3/8/8/8/8/8/PPP5/R3K3 w - - 0 1";
    assert_eq!(adjudicated(outside, "a1b1", DRAW, true), [""; 0], "no table knows it");
}

/// Answer, right answer, right moves, cause and reason of the first finding as a difference.
#[track_caller]
fn difference(fen: &str, moves: &str, told: &str, expected: [&str; 5]) -> Difference {
    let found = &judged(fen, moves, told, DRAW).findings[0];
    let name = GameName { number: 7, white: "new", black: "old", end: "1/2-1/2, Draw by stalemate" };
    let found = found.difference(&name, Replay::shell("./new"));
    let (stored, right) = (found.stored.to_string(), found.expected.to_string());
    let because = found.explanation.strip_suffix("; the game ended 1/2-1/2, Draw by stalemate").unwrap();
    assert_eq!([&stored, &right, &*found.best.join(" "), found.cause_words(), because], expected);
    found
}

#[test]
fn a_finding_is_a_difference() {
    let kept = "c2c1 was played; c2c3, c2c4, c2c5, c2c6 and 10 more moves kept the result";
    let best = "c2c3 c2c4 c2c5 c2c6 c2c7 c2c8 c2d2 b3c3 c2e2 c2f2 c2a2 c2b2 c2g2 c2h2";
    let thrown = difference(TWO, "c2c1 b1c1", "", ["draw", "mate in 2", best, "", kept]);
    assert_eq!((&*thrown.subject, &*thrown.check, &*thrown.fen), ("new", "game/win-to-draw", TWO));
    assert_eq!((&*thrown.case, thrown.given.as_deref()), ("game 7 ply 0 (new - old)", Some("c2c1")));
    assert_eq!((&*thrown.source, &*thrown.replay), ("endgame tables", "./new"));
    let lost = ["mated in 10", "draw", "d1d2", "", "d1e1 was played; only d1d2 kept the result"];
    difference(HELD, "d1e1 d4e3", "", lost);
    let round = "a1a2 e5e4 a2a1 e4e5 ".repeat(2);
    let no_castling = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";
    let found = &judged(no_castling, &round, "", DRAW).findings[0];
    assert_eq!(found.difference(&NAME, Replay::default()).cause, Some(SharedCause::RepeatedWin.into()));
    let false_mate = ["mate -4", "draw", "", "announced mates are not forced", "no such mate can be forced"];
    difference(HELD, "d1d2", "mate -4", false_mate);
    let short =
        ["mate 1", "mate in 2", "", "mates are announced one move too short", "no such mate can be forced"];
    difference(TWO, "c2c3", "mate 1", short);
    let late = TWO.replace("0 1", "98 80");
    let clock = "the fifty-move rule ends the game before";
    let slow = "drawn by the fifty-move rule (clock 98, 3 plies to go)";
    difference(&late, "c2c3 b1a1", "mate 2", ["mate 2", slow, "", SharedCause::Clock.name(), clock]);
    let kept = "a side that can force a mate can play it, whatever the other side does";
    let not_kept = ["mate 2", "mate within 3 plies", "", "", kept];
    let late = difference(TWO, "c2d2 b1a1 d2c2 a1b1", "mate 2,mate -9,mate 2,mate -2", not_kept);
    assert_eq!((&*late.source, late.given), ("the engine's own score", None));
    let score = ["cp 900", "draw", "", "", "2 moves in a row had such scores"];
    difference(HELD, "d1d2 d4e4 d2d1 e4d4", "cp 900,cp 0,cp 400,cp 0", score);
}

const NAME: GameName<'_> = GameName { number: 1, white: "A", black: "B", end: "" };

#[test]
fn each_kind_has_a_page_of_its_own() {
    for id in FindingId::ALL {
        assert_eq!(catalogue::find(id.name()).map(|page| page.id), Some(id.name()));
    }
}

#[test]
fn a_table_without_mates_gives_its_distance() {
    let without = |position: &Chess| Some(TableValue { plies_to_mate: None, ..probe(position)? });
    let game = game(TWO, "c2c1 b1c1");
    let finished = FinishedGame { game: &game, opening: 0, scores: &[], result: DRAW, is_adjudicated: false };
    let found = judge(&finished, &without).findings.remove(0).difference(&NAME, Replay::default());
    assert_eq!(
        [found.stored, found.expected].map(|answer| answer.to_string()),
        ["draw", "White wins (DTZ 3)"]
    );
}

#[test]
fn moves_of_the_opening_are_nobody_s() {
    let game = game(TWO, "c2c1 b1c1 b3b4 c1c2");
    let of = |opening| {
        let finished =
            FinishedGame { game: &game, opening, scores: &[], result: DRAW, is_adjudicated: false };
        judge(&finished, &probe).findings.len()
    };
    assert_eq!([0, 1, 4].map(of), [1, 0, 0]);
}

#[test]
fn players_disagree_about_mates_and_results() {
    let check = |fen: &str, moves: &str, told: &str, expected: &[(usize, &str, &str)]| {
        let found = judged(fen, moves, told, DRAW).disagreements;
        let words: Vec<(usize, String, String)> = found
            .iter()
            .map(|one| (one.ply, one.scores.white.to_string(), one.scores.black.to_string()))
            .collect();
        let words: Vec<(usize, &str, &str)> =
            words.iter().map(|(ply, white, black)| (*ply, &white[..], &black[..])).collect();
        assert_eq!(words, expected);
    };
    let (outside, moves) = ("4k3/8/8/8/8/8/PPP5/R3K3 w - - 0 1", "a1b1 e8d8 b1a1 d8e8");
    check(outside, moves, "mate 5,cp -20,cp 0,cp 0", &[]);
    check(outside, moves, "mate 5,cp 0,cp 0,cp 0", &[(1, "mate 5", "cp 0")]);
    check(outside, moves, "mate 5,mate 9,mate 4,cp 30", &[(1, "mate 5", "mate 9")]);
    check(outside, moves, "cp 500,cp 0,cp 500,cp 0", &[]);
    check(HELD, "d1d2 d4e4 d2d1 e4d4", "cp 0,cp 300,cp 0,cp 0", &[(1, "cp 0", "cp 300")]);
    check(HELD, "d1d2 d4e4 d2d1 e4d4", "cp -300,cp 300,cp -99,cp 101", &[(2, "cp -99", "cp 300")]);
}

/// Perfect games with true scores, from all positions of a sample: nothing may be found in them.
#[test]
fn nothing_is_found_in_perfect_games() {
    let mut games = 0;
    for (number, men) in [("R", 97), ("Q", 89), ("P", 31)]
        .into_iter()
        .flat_map(|(man, step)| (0..64 * 64 * 64).step_by(step * 16).map(move |number| (number, man)))
    {
        let squares = [number % 64, number / 64 % 64, number / 4096];
        let Some(start) = placed(squares, men, number % 3 == 0) else { continue };
        if probe(&start).is_none() {
            continue;
        }
        let (moves, told, result) = perfect(&start);
        let mut game = Game::at(start);
        for text in &moves {
            game.play_text(text, Spelling::Exact).unwrap();
        }
        let finished = FinishedGame { game: &game, opening: 0, scores: &told, result, is_adjudicated: false };
        assert_eq!(judge(&finished, &probe), Judgement::default(), "{moves:?}");
        games += 1;
    }
    assert!(games > 300, "{games}");
}

/// The position with two kings and a white man on these squares.
pub(super) fn placed(squares: [usize; 3], man: &str, is_black: bool) -> Option<Chess> {
    let mut board = ["1"; 64];
    for (square, name) in squares.into_iter().zip(["K", "k", man]) {
        if board[square] != "1" {
            return None;
        }
        board[square] = name;
    }
    let ranks: Vec<String> = board.chunks(8).map(<[&str]>::concat).collect();
    position(&format!("{} {} - - 0 1", ranks.join("/"), if is_black { "b" } else { "w" }), Accept::Legal).ok()
}

/// The moves, scores and result of best play; a draw is left after four moves.
pub(super) fn perfect(start: &Chess) -> (Vec<String>, Vec<Option<Score>>, GameResult) {
    let (mut position, mut moves, mut told) = (start.clone(), Vec::new(), Vec::new());
    while !position.legal_moves().is_empty() && !position.is_insufficient_material() {
        let value = probe(&position).unwrap();
        let score = match (value.result, value.plies_to_mate) {
            (TableResult::Win, Some(plies)) => Score::Mate(plies.div_ceil(2) as i32),
            (TableResult::Loss, Some(plies)) => Score::Mate(-(plies as i32) / 2),
            _ if moves.len() >= 4 => return (moves, told, DRAW),
            _ => Score::Centipawns(0),
        };
        let after = |text: &String| {
            let mv = legal_move(&position, text, Spelling::Exact).unwrap();
            oracle::board::after(&position, mv)
        };
        // The value of the other side after the move: its quickest loss, else a draw, else its slowest win.
        let worth = |text: &String| {
            let next = after(text);
            if next.is_checkmate() {
                return (0, 0);
            }
            if next.is_stalemate() || next.is_insufficient_material() {
                return (1, 0);
            }
            let value = probe(&next).unwrap();
            let plies = i64::from(value.plies_to_mate.unwrap_or_default());
            match value.result {
                TableResult::Loss => (0, plies),
                TableResult::Win => (2, -plies),
                _ => (1, 0),
            }
        };
        let best = uci_moves(&position).into_iter().min_by_key(worth).unwrap();
        position = after(&best);
        moves.push(best);
        told.push(Some(score));
    }
    let result = if position.is_checkmate() { GameResult::won_by(!position.turn()) } else { DRAW };
    (moves, told, result)
}
