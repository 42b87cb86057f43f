//! Move generators with faults, and the differences that the check reports.

use shakmaty::{Chess, EnPassantMode, Move, Position, Role};
use suites::perft::{Castling, PerftSuite};
use suites::{Difference, SkipReason};

use crate::board::{self, Accept};

use super::authority::mode;
use super::{
    EngineMoves, MoveSource, MoveSourceError, PerftFindings, PerftVerdict, RandomPositions, check_random,
    check_suite,
};

/// The greatest count: enough to cover every rule, and fast.
const NODES: u64 = 20_000;
const DRAW: RandomPositions = RandomPositions { seed: 1, count: 400, depth: 2 };

/// shakmaty's moves without those of one kind.
struct FaultyGenerator {
    name: &'static str,
    unknown: fn(&Chess, Move) -> bool,
}

impl FaultyGenerator {
    fn position(fen: &str, castling: Castling) -> Chess {
        board::position_in(fen, mode(castling), Accept::Legal).unwrap()
    }

    fn moves(&self, position: &Chess) -> Vec<Move> {
        position.legal_moves().into_iter().filter(|&m| !(self.unknown)(position, m)).collect()
    }

    fn count(&self, position: &Chess, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let after = |m| self.count(&board::after(position, m), depth - 1);
        self.moves(position).into_iter().map(after).sum()
    }
}

impl MoveSource for FaultyGenerator {
    fn name(&self) -> &str {
        self.name
    }

    fn legal_moves(&self, fen: &str, castling: Castling) -> Result<Vec<String>, MoveSourceError> {
        let moves = self.moves(&Self::position(fen, castling));
        Ok(moves.into_iter().map(|m| board::uci_text(m, mode(castling))).collect())
    }

    fn perft(&self, fen: &str, depth: u32, castling: Castling) -> Result<u64, MoveSourceError> {
        Ok(self.count(&Self::position(fen, castling), depth))
    }
}

/// The engine with changed answers.
struct Changed<C> {
    perft: fn(&str, u32, u64) -> Result<u64, MoveSourceError>,
    moves: C,
}

impl<C: Fn(&str, Vec<String>) -> Vec<String> + Sync> MoveSource for Changed<C> {
    fn name(&self) -> &'static str {
        "changed"
    }

    fn legal_moves(&self, fen: &str, castling: Castling) -> Result<Vec<String>, MoveSourceError> {
        Ok((self.moves)(fen, EngineMoves.legal_moves(fen, castling)?))
    }

    fn perft(&self, fen: &str, depth: u32, castling: Castling) -> Result<u64, MoveSourceError> {
        (self.perft)(fen, depth, EngineMoves.perft(fen, depth, castling)?)
    }
}

fn suites() -> [PerftSuite; 2] {
    PerftSuite::embedded().unwrap()
}

fn standard() -> PerftSuite {
    let [standard, _] = suites();
    standard
}

/// All differences of a generator, in both suites and the random positions.
fn differences(generator: &dyn MoveSource) -> Vec<Difference> {
    let [standard, chess960] = suites();
    let found = [
        check_suite(generator, &standard, NODES),
        check_suite(generator, &chess960, NODES),
        check_random(generator, &DRAW),
    ];
    assert!(
        found.iter().all(|found| found.findings.tally.differed == found.findings.differences.len() as u64)
    );
    found.into_iter().flat_map(|found| found.findings.differences).collect()
}

/// The check finds the fault. In each smallest position moves are missing, and the explanation names exactly
/// these.
#[track_caller]
fn check(name: &'static str, unknown: fn(&Chess, Move) -> bool, at_least: usize) {
    let found = differences(&FaultyGenerator { name, unknown });
    assert!(found.len() >= at_least, "{name}: {} differences", found.len());
    for difference in found {
        assert_eq!((difference.subject.as_str(), difference.check.as_str()), (name, "perft"));
        let castling = if difference.case.starts_with("chess960/") || is_chess960(&difference) {
            Castling::Chess960
        } else {
            Castling::Standard
        };
        let position = FaultyGenerator::position(&difference.fen, castling);
        let legal = position.legal_moves();
        let mut lacking: Vec<_> = legal
            .iter()
            .filter(|&&m| unknown(&position, m))
            .map(|&m| board::uci_text(m, mode(castling)))
            .collect();
        lacking.sort_unstable();
        assert!(!lacking.is_empty(), "{difference:#?}");
        let named = difference.explanation.strip_prefix("missing moves: ").unwrap();
        let named = named.split(", after").next().unwrap();
        assert_eq!(named.split(" and ").next().unwrap(), lacking[..lacking.len().min(12)].join(" "));
        assert_eq!(difference.expected.to_string(), format!("{} nodes at depth 1", legal.len()));
        assert_eq!(
            difference.stored.to_string(),
            format!("{} nodes at depth 1", legal.len() - lacking.len())
        );
        assert_eq!(difference.replay, format!("cargo xtask perft \"{}\" 1 --divide", difference.fen));
    }
}

/// Every fourth random position is a Chess960 position.
fn is_chess960(difference: &Difference) -> bool {
    let index = difference.case.rsplit_once("random-").map(|(_, index)| index.parse::<usize>().unwrap());
    index.is_some_and(|index| index % 4 == 3)
}

#[test]
fn the_engine_agrees() {
    assert_eq!(differences(&EngineMoves), []);
}

#[test]
fn a_generator_without_a_kind_of_move_differs() {
    check("no en passant", |_, m| m.is_en_passant(), 15);
    check("no castling", |_, m| m.is_castle(), 20);
    check("no long castling", |_, m| matches!(m, Move::Castle { king, rook } if rook < king), 10);
    check("queens only", |_, m| m.promotion().is_some_and(|role| role != Role::Queen), 20);
    check("no knights", |_, m| m.promotion() == Some(Role::Knight), 20);
    check("no captures by promotion", |_, m| m.is_promotion() && m.is_capture(), 5);
    check("no double steps for Black", |_, m| is_double_step_of_black(m), 20);
    check("no king's moves in double check", |position, _| position.checkers().count() == 2, 2);
}

fn is_double_step_of_black(m: Move) -> bool {
    matches!(m, Move::Normal { role: Role::Pawn, from, to, .. } if u32::from(from) == u32::from(to) + 16)
}

#[test]
fn who_counts_a_move_twice_is_caught() {
    let twice = Changed {
        perft: |_, depth, nodes| Ok(nodes + u64::from(depth == 1 && nodes == 20)),
        moves: |_: &str, moves: Vec<String>| {
            let first = moves.iter().min().cloned();
            if moves.len() == 20 { moves.into_iter().chain(first).collect() } else { moves }
        },
    };
    let found = check_suite(&twice, &standard(), 100).findings.differences;
    let start = found.iter().find(|difference| difference.case == "perft/start").unwrap();
    assert_eq!(start.explanation, "extra moves: a2a3");
    assert_eq!(
        (start.stored.to_string().as_str(), start.expected.to_string().as_str()),
        ("21 nodes at depth 1", "20 nodes at depth 1")
    );
}

#[test]
fn who_knows_the_moves_but_plays_them_wrongly_is_caught_where_it_happens() {
    let wrong = Changed {
        perft: |_, depth, nodes| Ok(if depth == 3 { nodes - 1 } else { nodes }),
        moves: |_: &str, moves| moves,
    };
    let found = check_suite(&wrong, &standard(), 10_000).findings.differences;
    let start = found.iter().find(|difference| difference.case == "perft/start").unwrap();
    assert!(start.explanation.starts_with("the moves are right"), "{}", start.explanation);
    assert_eq!(start.stored.to_string(), "8901 nodes at depth 3");
    assert_eq!(start.replay, format!("cargo xtask perft \"{}\" 3 --divide", start.fen));
}

#[test]
fn a_panic_is_the_failure_of_its_case_alone() {
    let fragile = Changed {
        perft: |fen, _, nodes| {
            assert!(!fen.contains(" c6 "), "en passant on {}", fen.split(' ').nth(3).unwrap());
            Ok(nodes)
        },
        moves: |_: &str, moves| moves,
    };
    let found = check_suite(&fragile, &standard(), 5);
    let cases: Vec<_> =
        found.findings.differences.iter().map(|difference| difference.case.as_str()).collect();
    assert_eq!(
        cases,
        ["perft/en-passant-discovers-check-on-rank", "perft/en-passant-illegal-hence-stalemate"]
    );
    assert_eq!(found.findings.differences[0].stored.to_string(), "panics: en passant on c6");
    assert_eq!(found.findings.tally.total(), standard().cases.len() as u64);
    let row = found.rows.iter().find(|row| row.case == "en-passant-illegal-hence-stalemate").unwrap();
    assert_eq!((row.nodes, row.expected, row.verdict), (None, 0, PerftVerdict::Differ));
}

#[test]
fn who_refuses_a_position_is_quoted() {
    let narrow = Changed {
        perft: |fen, _, nodes| {
            if fen.contains('Q') {
                Err(MoveSourceError::Position("too many moves".into()))
            } else {
                Ok(nodes)
            }
        },
        moves: |_: &str, moves| moves,
    };
    let found = check_suite(&narrow, &standard(), 300).findings.differences;
    let many = found.iter().find(|difference| difference.case == "perft/218-moves").unwrap();
    assert_eq!(many.stored.to_string(), "refuses the position: too many moves");
    assert_eq!(many.expected.to_string(), "218 nodes at depth 1");
}

#[test]
fn a_wrong_figure_in_a_file_is_the_files_fault() {
    let text = "# cases: 1\n8/8/8/3k4/8/3K4/8/8 w - - 0 1 ;id \"kings\" ;D1 5 ;D2 37 ;D3 257\n";
    let suite = PerftSuite::parse("mine", Castling::Standard, "mine.epd", text).unwrap();
    let PerftFindings { findings, rows } = check_suite(&EngineMoves, &suite, NODES);
    let [difference] = &findings.differences[..] else { panic!("one difference") };
    assert_eq!((difference.source.as_str(), difference.case.as_str()), ("suite mine", "mine/kings"));
    assert_eq!(
        (difference.stored.to_string().as_str(), difference.expected.to_string().as_str()),
        ("36 nodes at depth 2", "37 nodes at depth 2")
    );
    let seen: Vec<_> = rows.iter().map(|row| (row.depth, row.nodes, row.expected, row.verdict)).collect();
    let (agree, differ) = (PerftVerdict::Agree, PerftVerdict::Differ);
    assert_eq!(seen, [(1, Some(5), 5, agree), (2, Some(36), 37, differ), (3, Some(257), 257, agree)]);
}

#[test]
fn who_repeats_a_wrong_figure_of_a_file_is_caught() {
    let text = "# cases: 1\n8/8/8/3k4/8/3K4/8/8 w - - 0 1 ;id \"kings\" ;D1 5 ;D2 37\n";
    let suite = PerftSuite::parse("mine", Castling::Standard, "mine.epd", text).unwrap();
    let parrot =
        Changed { perft: |_, depth, nodes| Ok(nodes + u64::from(depth == 2)), moves: |_: &str, moves| moves };
    let PerftFindings { findings, rows } = check_suite(&parrot, &suite, NODES);
    let [difference] = &findings.differences[..] else { panic!("one difference") };
    assert_eq!(
        (difference.source.as_str(), difference.stored.to_string().as_str()),
        ("shakmaty", "37 nodes at depth 2")
    );
    assert_eq!((rows[1].nodes, rows[1].expected, rows[1].verdict), (Some(37), 37, PerftVerdict::Differ));
}

#[test]
fn who_takes_en_passant_illegally_is_shown_with_the_square() {
    let rash = |fen: &str| fen.starts_with("3k4/8/8/K1Pp3r/8/8/8/8 w - d6");
    let text = "# cases: 1\n3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1 ;id \"to-come\" ;D1 18 ;D2 92\n";
    let suite = PerftSuite::parse("mine", Castling::Standard, "mine.epd", text).unwrap();
    let generator = Changed {
        perft: |fen, depth, nodes| {
            let one_more = (fen.contains(" b ") && depth == 2) || (fen.contains(" d6 ") && depth == 1);
            Ok(nodes + u64::from(one_more))
        },
        moves: |fen: &str, mut moves: Vec<String>| {
            if rash(fen) {
                moves.push("c5d6".to_owned());
            }
            moves
        },
    };
    let [difference] = &check_suite(&generator, &suite, NODES).findings.differences[..] else {
        panic!("one")
    };
    assert!(rash(&difference.fen), "{}", difference.fen);
    assert_eq!(difference.explanation, "extra moves: c5d6, after d7d5 from the case's position");
}

#[test]
fn who_cannot_read_a_notation_is_shown_it() {
    let plain = Changed {
        perft: |fen, _, nodes| {
            if fen.contains(" GBgb ") { Err(MoveSourceError::Position("GBgb".into())) } else { Ok(nodes) }
        },
        moves: |_: &str, moves| moves,
    };
    let [_, chess960] = suites();
    let found = check_suite(&plain, &chess960, NODES).findings.differences;
    let start = found.iter().find(|difference| difference.case == "chess960/start-as-shredder-fen").unwrap();
    assert!(start.fen.contains(" GBgb "), "{}", start.fen);
    assert_eq!(start.stored.to_string(), "refuses the position: GBgb");
}

#[test]
fn what_is_no_position_is_skipped_by_name() {
    let text = "# cases: 2\n8/8/8/8/8/3K4/8/8 w - - 0 1 ;id \"one-king\" ;D1 8\n\
                8/8/8/3k4/8/3K4/8/8 w - - 0 1 ;id \"kings\" ;D1 5\n";
    let suite = PerftSuite::parse("mine", Castling::Standard, "mine.epd", text).unwrap();
    let tally = check_suite(&EngineMoves, &suite, NODES).findings.tally;
    assert_eq!((tally.agreed, tally.differed), (1, 0));
    assert_eq!(tally.skipped, [(SkipReason::Malformed, 1)].into());
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let generator = FaultyGenerator { name: "no en passant", unknown: |_, m| m.is_en_passant() };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (check_suite(&generator, &standard(), 1_000), check_random(&generator, &DRAW)))
    };
    assert_eq!(with(1), with(4));
}

#[test]
fn the_smallest_position_keeps_the_square_that_en_passant_needs() {
    let generator = FaultyGenerator { name: "no en passant", unknown: |_, m| m.is_en_passant() };
    for difference in differences(&generator) {
        let position = FaultyGenerator::position(&difference.fen, Castling::Chess960);
        assert!(position.ep_square(EnPassantMode::Legal).is_some(), "{}", difference.fen);
    }
}
