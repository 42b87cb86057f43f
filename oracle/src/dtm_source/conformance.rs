//! Tests that every DTM source has to pass: single positions with known values, checkmate and stalemate, and
//! the published counts of KQvK, KRvK and KPvK.

use std::collections::BTreeMap;
use std::thread;

use shakmaty::{Chess, Color, EnPassantMode, Position, Square};
use suites::census::{self, Outcomes, PublishedCounts, SideToMove};

use super::{DtmSource, DtmSourceError};
use crate::board::{self, Accept};
use crate::positions::{self, Men, Placement};
use crate::table_probe::{Dtm, Wdl, wdl_of};

/// The position of a FEN.
pub(crate) fn position(fen: &str) -> Chess {
    board::position(fen, Accept::Legal).unwrap()
}

/// All legal positions of a table with `turn` to move, on 64 squares.
fn legal_positions(table: &str, turn: Color) -> impl Iterator<Item = Chess> {
    let men: Men = table.parse().unwrap();
    (0..men.numbers()).filter_map(move |number| Placement::numbered(&men, number, turn)?.legal)
}

/// Single positions whose value is known.
pub(crate) fn check_answers(source: &dyn DtmSource) {
    let check = |fen: &str, plies: Option<u16>| {
        let expected = plies.map(Dtm::from_plies);
        assert_eq!(source.dtm(&position(fen)).unwrap(), expected, "{}: {fen}", source.name());
    };
    // Rook and queen, both sides to move.
    check("8/8/8/8/8/1KR5/8/1k6 w - - 0 1", Some(3));
    check("8/8/8/8/8/1KR5/8/1k6 b - - 0 1", Some(2));
    check("8/8/8/8/8/1KQ5/8/1k6 w - - 0 1", Some(1));
    check("8/8/8/8/8/1KQ5/8/1k6 b - - 0 1", None);
    // Checkmate and stalemate, with either colour.
    check("8/8/8/8/8/1K6/1Q6/1k6 b - - 0 1", Some(0));
    check("8/8/8/8/8/1k6/1q6/1K6 w - - 0 1", Some(0));
    check("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None);
    check("7K/5q2/6k1/8/8/8/8/8 w - - 0 1", None);
    // Mate in 5 by Kf5, which early KPvK programs scored wrongly.
    check("8/1P6/7k/8/4K3/8/8/8 w - - 0 1", Some(9));
    // A promotion trap: only the rook wins.
    check("8/1P6/k7/8/K7/8/8/8 w - - 0 1", Some(13));
    // The undefended queen is captured.
    check("8/8/8/8/8/8/1kQ5/7K b - - 0 1", None);
    // Insufficient material.
    check("8/8/8/8/8/1K6/8/1k6 w - - 0 1", None);
    check("8/8/8/8/8/1KB5/8/1k6 w - - 0 1", None);
    check("8/8/8/8/8/1KN5/8/1k6 b - - 0 1", None);
    // An en passant square in the FEN where no capture is possible.
    let double_step = position("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
    assert_eq!(double_step.to_setup(EnPassantMode::Always).ep_square, Some(Square::E3));
    let without = position("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    assert_eq!(source.dtm(&double_step).unwrap(), source.dtm(&without).unwrap());
}

/// The published counts of the tables with wins, for each side to move.
fn published() -> impl Iterator<Item = (PublishedCounts, Color)> {
    let rows = census::embedded().unwrap().into_iter();
    let rows = rows.filter(|row| ["KQvK", "KRvK", "KPvK"].contains(&row.table.as_str()));
    rows.map(|row| {
        let turn = Color::from_white(row.side_to_move == SideToMove::White);
        (row, turn)
    })
}

/// All positions of KQvK, KRvK and KPvK, and the draws of KBvK and KNvK.
pub(crate) fn check_counts(source: &dyn DtmSource) {
    assert_eq!(published().count(), 6);
    for (row, turn) in published() {
        check_table(source, &row, turn);
    }
    for (table, turn) in
        [("KBvK", Color::White), ("KBvK", Color::Black), ("KNvK", Color::White), ("KNvK", Color::Black)]
    {
        assert!(legal_positions(table, turn).all(|position| source.dtm(&position).unwrap().is_none()));
    }
}

fn check_table(source: &dyn DtmSource, row: &PublishedCounts, turn: Color) {
    let mut outcomes = Outcomes { legal: 0, wins: 0, draws: 0, losses: 0 };
    let mut positions_by_plies = BTreeMap::new();
    for position in legal_positions(&row.table, turn) {
        let dtm = source.dtm(&position).unwrap();
        assert_eq!(
            dtm == Some(Dtm::CHECKMATED),
            position.is_checkmate(),
            "{}: {}",
            source.name(),
            board::fen(&position)
        );
        outcomes.legal += 1;
        *match wdl_of(dtm) {
            Wdl::Draw => &mut outcomes.draws,
            Wdl::Win => &mut outcomes.wins,
            Wdl::Loss => &mut outcomes.losses,
        } += 1;
        *positions_by_plies.entry(dtm).or_insert(0) += 1;
    }
    let counted = format!("{}: {}, {turn} to move", source.name(), row.table);
    assert_eq!(Some(outcomes), row.raw, "{counted}");
    let checkmates = positions_by_plies.get(&Some(Dtm::CHECKMATED)).copied().unwrap_or(0);
    assert!(
        row.checkmates.is_none_or(|published| checkmates == published),
        "{counted}: {checkmates} checkmates"
    );
    let (longest, count) = positions_by_plies.last_key_value().unwrap();
    assert_eq!(longest.map(|dtm| u32::from(dtm.plies())), row.longest_plies, "{counted}");
    assert_eq!(Some(*count), row.longest_count, "{counted}");
}

/// The same positions with the colours exchanged have the same values.
pub(crate) fn check_colour_flip(source: &dyn DtmSource) {
    for (row, turn) in published() {
        for position in legal_positions(&row.table, turn) {
            let flipped = positions::position(position.board().clone().into_mirrored(), !turn).unwrap();
            let answers = [&position, &flipped].map(|position| source.dtm(position).unwrap());
            assert_eq!(answers[0], answers[1], "{}: {}", source.name(), board::fen(&position));
        }
    }
}

/// Material without a table and castling rights are refused, each with its own error.
pub(crate) fn check_refusals(source: &dyn DtmSource) {
    let check = |fen: &str, expected: usize| {
        let answer = source.dtm(&position(fen));
        assert!(
            matches!(answer, Err(DtmSourceError::TooManyMen { men, .. }) if men == expected),
            "{fen}: {answer:?}"
        );
    };
    check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 32);
    check("8/8/8/8/8/1KRr4/8/1k6 w - - 0 1", 4);
    check("8/8/8/8/8/1KQQ4/8/1k6 b - - 0 1", 4);
    check("8/8/8/k7/4Pp2/8/8/K7 b - e3 0 1", 4);
    check("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 4);
    for fen in ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "r3k3/8/8/8/8/8/8/4K3 w q - 0 1"] {
        let answer = source.dtm(&position(fen));
        assert!(matches!(answer, Err(DtmSourceError::CastlingRights { .. })), "{fen}: {answer:?}");
    }
}

/// Threads that probe different tables at the same time get the same answers as one thread.
pub(crate) fn check_threads(source: &dyn DtmSource) {
    let answers = |(row, turn): (PublishedCounts, Color)| -> Vec<_> {
        legal_positions(&row.table, turn).map(|position| source.dtm(&position).unwrap()).collect()
    };
    let alone: Vec<_> = published().map(answers).collect();
    let together: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = published().map(|table| scope.spawn(move || answers(table))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(alone, together);
}

/// The tests of the module of a library: it has `NAME`, `TAKEN`, `FILES` and `Library` in scope.
macro_rules! conformance_tests {
    ($source:ident) => {
        /// A process has one handle at a time, so the tests take turns.
        fn turn() -> std::sync::MutexGuard<'static, ()> {
            static TURN: Mutex<()> = Mutex::new(());
            TURN.lock().unwrap_or_else(PoisonError::into_inner)
        }

        fn with_source(test: impl FnOnce(&dyn DtmSource)) {
            let _turn = turn();
            test(&$source::open().unwrap());
        }

        #[test]
        fn single_positions_have_their_known_values() {
            with_source(conformance::check_answers);
        }

        #[test]
        fn counts_are_the_published_ones() {
            with_source(conformance::check_counts);
        }

        #[test]
        fn values_do_not_depend_on_colours() {
            with_source(conformance::check_colour_flip);
        }

        #[test]
        fn positions_outside_the_tables_are_refused() {
            with_source(conformance::check_refusals);
        }

        #[test]
        fn threads_get_the_same_answers_as_one_thread() {
            with_source(conformance::check_threads);
        }

        #[test]
        fn a_process_has_one_handle_at_a_time() {
            with_source(|_| {
                let second = $source::open();
                assert!(matches!(second, Err(DtmSourceError::AlreadyOpen { library }) if library == NAME));
            });
            with_source(conformance::check_answers);
        }

        #[test]
        fn a_folder_without_all_tables_is_refused() {
            let _turn = turn();
            for missing in FILES {
                let files: Vec<_> = FILES.iter().filter(|file| *file != missing).copied().collect();
                let lease = Lease::new(NAME, &TAKEN, &files).unwrap();
                assert!(Library::init(&lease).is_err(), "without {}", missing.0);
            }
            assert!($source::open().is_ok());
        }
    };
}

pub(crate) use conformance_tests;
