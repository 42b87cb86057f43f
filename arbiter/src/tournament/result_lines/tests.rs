//! The lines of matches, letter by letter, and read by the rules of the client of `OpenBench`.

use shakmaty::Color;

use super::*;
use crate::game::{End, EngineFault, FlagFall, GameRecord, PlayerRecord, ProcessorUse};
use crate::statistics::{Model, Sprt};
use crate::tournament::schedule::{PairShard, Schedule};

const NAMES: [&str; 4] = ["A", "B", "C", "D"];

fn names(engines: usize) -> Vec<String> {
    NAMES[..engines].iter().map(|name| (*name).to_owned()).collect()
}

/// A match in which each game, in the order of their numbers, has this result: `W`, `D` or `B`, or `-` if it
/// was not played.
fn standings(schedule: Schedule, results: &str) -> Standings<()> {
    let mut standings = Standings::new(schedule);
    for (number, result) in (1..).zip(results.chars()) {
        let result = match result {
            'W' => GameResult::WhiteWins,
            'D' => GameResult::Draw,
            'B' => GameResult::BlackWins,
            _ => continue,
        };
        standings.add(number, result, ()).unwrap();
    }
    standings
}

fn conditions() -> Conditions {
    Conditions {
        time_control: ["8+0.08", "8+0.08"].map(str::to_owned),
        threads: [Some(1), Some(1)],
        hash: [Some(16), Some(16)],
        book: Some("book.epd".to_owned()),
    }
}

#[track_caller]
fn check(style: OutputStyle, engines: usize, results: &str, sprt: Option<SprtState>, expected: &str) {
    let standings = standings(Schedule::round_robin(engines, 40).unwrap(), results);
    let (names, conditions) = (names(engines), conditions());
    let view = MatchView { names: &names, standings: &standings, conditions: &conditions, sprt };
    assert_eq!(style.after_game(&view) + &style.interval(&view), expected);
}

/// Eighteen pairs: three times a pair of two wins, one of a win and a draw, one of a draw and a loss, two
/// pairs of a win and a loss, and one of two draws.
const RESULTS: &str = "WBWDDWWWDDBBWBWDDWWWDDBBWBWDDWWWDDBB";

/// A test of the pairs in these results.
fn sprt(elo: [f64; 2], results: &str) -> SprtState {
    let standings = standings(Schedule::round_robin(2, 40).unwrap(), results);
    let pairs = standings.between(0, 1).and_then(|tally| tally.pair_results()).unwrap();
    let test = Sprt::new(elo, [0.05, 0.05], Model::Normalized).unwrap().test(&pairs).unwrap();
    SprtState { elo, test }
}

#[test]
fn games_begin_and_end() {
    let schedule = Schedule::round_robin(2, 50).unwrap();
    let [first, second] = [1, 2].map(|number| schedule.game(number).unwrap());
    assert_eq!(started(&first, schedule.games(), &names(2)), "Started game 1 of 100 (A vs B)\n");
    assert_eq!(started(&second, schedule.games(), &names(2)), "Started game 2 of 100 (B vs A)\n");
    let end = finished(&first, &names(2), GameResult::WhiteWins, "White mates");
    assert_eq!(end, "Finished game 1 (A vs B): 1-0 {White mates}\n");
    let end = finished(&second, &names(2), GameResult::Unfinished, "No result");
    assert_eq!(end, "Finished game 2 (B vs A): * {No result}\n");
    let broken = finished(&first, &["A\nB".to_owned()], GameResult::Draw, "x\r\ny");
    assert_eq!(broken, "Finished game 1 (A_B vs ): 1/2-1/2 {x  y}\n");
}

#[test]
fn names_are_one_word_for_who_splits_lines() {
    let names = ["my engine: 1.0", "\u{e9}\tx"].map(str::to_owned);
    let game = Schedule::round_robin(2, 1).unwrap().game(1).unwrap();
    let line = finished(&game, &names, GameResult::BlackWins, "Black mates");
    assert_eq!(line, "Finished game 1 (my_engine__1.0 vs __x): 0-1 {Black mates}\n");
}

/// Why a game ended, in the words of fastchess and of cutechess.
#[track_caller]
fn check_reason(end: End, late: Option<FlagFall>, fastchess: &str, cutechess: &str) {
    let fault = late.map(|late| EngineFault {
        late: Some(late),
        ..EngineFault::new(Color::White, "late", Vec::new(), "")
    });
    let player = |name: &str| PlayerRecord {
        name: name.to_owned(),
        time_control: "tc=1".parse().unwrap(),
        unasked: 0,
        processor: ProcessorUse::default(),
    };
    let record = GameRecord {
        white: player("A"),
        black: player("B"),
        fen: String::new(),
        chess960: false,
        opening: Vec::new(),
        moves: Vec::new(),
        replays: 0,
        end,
        fault,
    };
    let reasons = [OutputStyle::Fastchess, OutputStyle::Cutechess].map(|style| style.reason(&record));
    assert_eq!(reasons, [fastchess, cutechess]);
}

#[test]
fn reasons_are_those_of_both_programs() {
    let (white, black) = (Color::White, Color::Black);
    let both = |end: End, reason: &str| check_reason(end, None, reason, reason);
    both(End::Checkmate { winner: white }, "White mates");
    both(End::Stalemate, "Draw by stalemate");
    both(End::Repetition, "Draw by 3-fold repetition");
    both(End::FiftyMoves, "Draw by fifty moves rule");
    both(End::DeadMaterial, "Draw by insufficient mating material");
    both(End::FlagFallDraw { late: white }, "Draw by timeout");
    both(End::Crash { loser: black }, "Black disconnects");
    both(End::Hang { loser: white }, "White's connection stalls");
    both(End::BadAnswer { loser: white, text: "}: on time\n".to_owned() }, "White makes an illegal move");
    both(End::ResignAdjudication { winner: black }, "Black wins by adjudication");
    both(End::TableWin { winner: black }, "Black wins by adjudication: SyzygyTB");
    both(End::DrawAdjudication, "Draw by adjudication");
    both(End::TableDraw, "Draw by adjudication: SyzygyTB");
    let illegal = End::IllegalMove { loser: black, text: "e7e4".to_owned() };
    check_reason(illegal, None, "Black makes an illegal move", "Black makes an illegal move: e7e4");
    let late = Some(FlagFall { took: 150, had: 100 });
    let forfeit = End::TimeForfeit { loser: white };
    check_reason(forfeit, late, "White loses on time (50ms overrun)", "White loses on time");
    let length = "Draw by adjudication: maximal game length";
    check_reason(End::MaxMoves, None, "Draw by adjudication", length);
    check_reason(End::Interrupted, None, "Game interrupted", "No result");
}

#[test]
fn cutechess_of_two_engines() {
    let expected = "\
        Score of A vs B: 3 - 1 - 2  [0.667] 6\n\
        ...      A playing White: 2 - 0 - 1  [0.833] 3\n\
        ...      A playing Black: 1 - 1 - 1  [0.500] 3\n\
        ...      White vs Black: 3 - 1 - 2  [0.667] 6\n\
        Elo difference: 120.4 +/- 334.5, LOS: 84.1 %, DrawRatio: 33.3 %\n";
    check(OutputStyle::Cutechess, 2, "WBWDDW", None, expected);
}

#[test]
fn the_client_of_openbench_reads_games() {
    // The client splits a line at spaces and takes words 2 and 6, and looks for the reason after the colon.
    let schedule = Schedule::round_robin(2, 2).unwrap();
    for (game, result) in schedule.games_of(PairShard::WHOLE).zip(GameResult::ALL) {
        let line = finished(&game, &names(2), result, "Black loses on time");
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!((words[2].parse(), words[6]), (Ok(game.number), result.name()));
        assert!(line.split(':').nth(1).unwrap().contains("on time") && line.is_ascii());
    }
}

/// The numbers are those of the formulas of both programs, apart from the error of cutechess: it takes a
/// quantile of the normal distribution that is 0.2 % too small.
#[test]
fn cutechess_with_a_test() {
    let expected = "\
        Score of A vs B: 15 - 9 - 12  [0.583] 36\n\
        ...      A playing White: 9 - 3 - 6  [0.667] 18\n\
        ...      A playing Black: 6 - 6 - 6  [0.500] 18\n\
        ...      White vs Black: 15 - 9 - 12  [0.583] 36\n\
        Elo difference: 58.5 +/- 95.9, LOS: 89.0 %, DrawRatio: 33.3 %\n\
        SPRT: llr 0.264 (9.0%), lbound -2.94, ubound 2.94\n";
    check(OutputStyle::Cutechess, 2, RESULTS, Some(sprt([0.0, 10.0], RESULTS)), expected);
}

#[test]
fn cutechess_of_more_engines() {
    let expected = "\
        Rank Name                          Elo     +/-   Games   Score    Draw \n   \
        1 A                             137     119      24   68.8%   37.5% \n   \
        2 C                               0     101      24   50.0%   50.0% \n   \
        3 B                            -137     151      24   31.2%   12.5% \n";
    check(OutputStyle::Cutechess, 3, RESULTS, None, expected);
    let expected = "\
        Rank Name                          Elo     +/-   Games   Score    Draw \n   \
        1 A                             inf     nan       1  100.0%    0.0% \n   \
        2 B                            -inf     nan       1    0.0%    0.0% \n   \
        3 C                             nan     nan       0    nan%    nan% \n";
    check(OutputStyle::Cutechess, 3, "W", None, expected);
}

#[test]
fn fastchess_of_two_engines() {
    let expected = "\
        --------------------------------------------------\n\
        Results of A vs B (8+0.08, 1t, 16MB, book.epd):\n\
        Elo: 58.45 +/- 79.29, nElo: 86.86 +/- 113.49\n\
        LOS: 93.32 %, DrawRatio: 50.00 %, PairsRatio: 2.00\n\
        Games: 36, Wins: 15, Losses: 9, Draws: 12, Points: 21.0 (58.33 %)\n\
        Ptnml(0-2): [0, 3, 9, 3, 3], WL/DD Ratio: 2.00\n\
        LLR: 0.26 (9.0%) (-2.94, 2.94) [0.00, 10.00]\n\
        --------------------------------------------------\n";
    let test = Some(sprt([0.0, 10.0], RESULTS));
    check(OutputStyle::Fastchess, 2, RESULTS, test, expected);
    // The game of a half pair does not count.
    check(OutputStyle::Fastchess, 2, &format!("{RESULTS}B"), test, expected);
}

#[test]
fn fastchess_of_more_engines() {
    let expected = "\
        --------------------------------------------------\n\
        Rank Name                             Elo        +/-       nElo        +/-      Games      \
        Score       Draw           Ptnml(0-2)\n   \
        1 A                             136.97      98.47     222.22     139.00         24      68.8%      \
        50.0%      [0, 0, 6, 3, 3]\n   \
        2 C                               0.00      70.45       0.00     139.00         24      50.0%      \
        50.0%      [0, 3, 6, 3, 0]\n   \
        3 B                            -136.97      98.47    -222.22     139.00         24      31.2%      \
        50.0%      [3, 3, 6, 0, 0]\n\
        --------------------------------------------------\n";
    check(OutputStyle::Fastchess, 3, RESULTS, None, expected);
}

#[test]
fn a_single_pair_and_no_pair() {
    let expected = "\
        --------------------------------------------------\n\
        Results of A vs B (8+0.08, 1t, 16MB, book.epd):\n\
        Elo: inf +/- nan, nElo: inf +/- 481.51\n\
        LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf\n\
        Games: 2, Wins: 2, Losses: 0, Draws: 0, Points: 2.0 (100.00 %)\n\
        Ptnml(0-2): [0, 0, 0, 0, 1], WL/DD Ratio: nan\n\
        --------------------------------------------------\n";
    check(OutputStyle::Fastchess, 2, "WB", None, expected);
    check(OutputStyle::Fastchess, 2, "W", None, "");
    check(OutputStyle::Cutechess, 2, "", None, "");
    let drawn = "\
        Score of A vs B: 0 - 0 - 2  [0.500] 2\n\
        ...      A playing White: 0 - 0 - 1  [0.500] 1\n\
        ...      A playing Black: 0 - 0 - 1  [0.500] 1\n\
        ...      White vs Black: 0 - 0 - 2  [0.500] 2\n\
        Elo difference: 0.0 +/- 0.0, LOS: nan %, DrawRatio: 100.0 %\n";
    check(OutputStyle::Cutechess, 2, "DD", None, drawn);
}

#[test]
fn conditions_that_differ() {
    let standings = standings(Schedule::round_robin(2, 1).unwrap(), "DD");
    let conditions = Conditions {
        time_control: ["10+0.1", "1000 nodes"].map(str::to_owned),
        threads: [Some(1), Some(2)],
        hash: [None, None],
        book: None,
    };
    let view = MatchView { names: &names(2), standings: &standings, conditions: &conditions, sprt: None };
    let lines = OutputStyle::Fastchess.interval(&view);
    let expected = "Results of A vs B (10+0.1 - 1000 nodes, 1t - 2t, NULL):";
    assert_eq!(lines.lines().nth(1), Some(expected));
}

#[test]
fn matches_end() {
    let test = |pair: &str| Some(sprt([0.0, 50.0], &pair.repeat(40)));
    let [upper, lower, open] = ["WB", "BW", "WW"].map(test);
    let end = |style: OutputStyle, sprt| style.end(sprt);
    assert_eq!(end(OutputStyle::Fastchess, None), "Tournament finished\n");
    assert_eq!(end(OutputStyle::Fastchess, open), "Tournament finished\n");
    let accepted = "SPRT ([0.00, 50.00]) completed - H1 was accepted\n";
    assert_eq!(end(OutputStyle::Fastchess, upper), accepted);
    let accepted = "SPRT ([0.00, 50.00]) completed - H0 was accepted\n";
    assert_eq!(end(OutputStyle::Fastchess, lower), accepted);
    assert_eq!(end(OutputStyle::Cutechess, upper), "Finished match\n");
    let standings = standings(Schedule::round_robin(2, 40).unwrap(), &RESULTS[..24]);
    let (names, conditions) = (names(2), conditions());
    let view = |sprt| MatchView { names: &names, standings: &standings, conditions: &conditions, sprt };
    let last = |sprt| OutputStyle::Cutechess.interval(&view(sprt)).lines().last().map(str::to_owned);
    assert!(last(upper).is_some_and(|line| line.ends_with("ubound 2.94 - H1 was accepted")));
    assert!(last(lower).is_some_and(|line| line.ends_with("ubound 2.94 - H0 was accepted")));
}
