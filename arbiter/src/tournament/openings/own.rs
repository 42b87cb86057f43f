//! Tests of the books that the program carries.

use std::collections::{BTreeMap, BTreeSet};

use engine::search::AlphaBeta;
use engine::search_api::{Control, Limits, NoClock, Searcher, Settings};
use engine::tables::{TableSet, builders};
use engine::{Game, Position, ScoreKind};
use oracle::positions::Men;
use suites::draws::GameResult;
use suites::epd::Epd;
use suites::openings::OwnBook;

use super::{Book, BookFormat, ReadOptions};
use crate::test_tables::QUEEN_AGAINST_ROOK;

fn lines(book: OwnBook) -> Vec<Epd> {
    let lines = book.text().lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| Epd::parse(line).unwrap()).collect()
}

/// A book is read only if each of its positions is legal and not over.
#[test]
fn all_openings_can_be_played_and_are_distinct() {
    for (book, count) in [(OwnBook::Balanced, 200), (OwnBook::Endings, 270)] {
        let read = Book::read(book.text().as_bytes(), BookFormat::Epd, ReadOptions::default()).unwrap();
        assert_eq!(read.len(), count, "{book}");
        let positions: BTreeSet<Option<String>> =
            (0..count).map(|index| read.opening(index).unwrap().fen).collect();
        assert_eq!(positions.len(), count, "{book}");
    }
}

/// The bound is wider than that of the builder, since a later engine searches other trees.
#[test]
fn balanced_openings_are_balanced() {
    let mut engine = AlphaBeta::new(&Settings { hash: 1, ..Settings::default() });
    for epd in lines(OwnBook::Balanced) {
        let told: i32 = epd.operand("ce").unwrap().parse().unwrap();
        assert!(told.abs() <= 20, "{epd:?}");
        engine.new_game();
        let game = Game::new(Position::from_fen(&epd.fen).unwrap());
        let nodes = epd.operand("acn").unwrap().parse().unwrap();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let score = engine.search(&game, &limits, &Control::new(NoClock), &mut |_| ()).score;
        assert!(matches!(score.kind(), ScoreKind::Centipawns(score) if score.abs() <= 80), "{score} {epd:?}");
    }
}

/// The endings of this book, by the names of their tables.
fn endings() -> BTreeMap<String, Vec<Epd>> {
    let mut endings: BTreeMap<String, Vec<Epd>> = BTreeMap::new();
    for epd in lines(OwnBook::Endings) {
        let men = Men::of_fen(&epd.fen).unwrap();
        endings.entry(men.name().to_owned()).or_default().push(epd);
    }
    endings
}

/// The other tables take many seconds.
#[test]
fn results_of_queen_against_rook_are_those_of_the_table() {
    let mut endings = endings();
    endings.retain(|name, _| name == "KQvKR");
    check_results(&endings, &QUEEN_AGAINST_ROOK);
}

#[test]
#[ignore = "nightly: one ending is tested by default"]
fn results_of_endings_are_those_of_the_tables() {
    let endings = endings();
    let materials: Vec<_> = endings.keys().map(|name| name.parse().unwrap()).collect();
    check_results(&endings, &builders::dtm_set(&builders::Setwise, &materials).unwrap());
}

fn check_results(endings: &BTreeMap<String, Vec<Epd>>, tables: &TableSet) {
    let mut counts: BTreeMap<(&str, GameResult), usize> = BTreeMap::new();
    for (name, epd) in endings.iter().flat_map(|(name, lines)| lines.iter().map(move |epd| (&**name, epd))) {
        let probe = tables.probe_of(&Position::from_fen(&epd.fen).unwrap()).unwrap();
        assert!(probe.dtm.is_none_or(|dtm| dtm.plies() >= 10), "{epd:?}");
        let wdl = probe.wdl();
        let result: GameResult = epd.operand("result").unwrap().parse().unwrap();
        assert_eq!(result.name(), format!("{wdl:?}").to_lowercase(), "{epd:?}");
        *counts.entry((name, result)).or_default() += 1;
    }
    assert_eq!(counts.len(), 3 * endings.len());
    assert!(counts.values().all(|count| *count == 6), "{counts:?}");
}
