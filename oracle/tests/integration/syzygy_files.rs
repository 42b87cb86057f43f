//! Syzygy files that the engine writes, against the sums of the official ones; and the engine's reader of
//! such files against shakmaty-syzygy, position by position.
//!
//! The files are built here, so that nothing is fetched: bytes whose sum is known are the official ones.

use engine::tables::syzygy::{self, Kind, SyzygyFile, SyzygySet, Wdl};
use engine::tables::{Material, TableSet, builders};
use oracle::positions::{self, Men, Placement};
use oracle::syzygy_files::{FileStatus, TableFiles};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};
use shakmaty_syzygy::Tablebase;

/// The same files in both readers.
struct Readers {
    ours: SyzygySet,
    theirs: Tablebase<Chess>,
}

/// Writes the files of some tables, and demands that those of three and four men are the official ones.
fn readers(written: &[Material], tables: &TableSet) -> Readers {
    let mut files = TableFiles::wanted(suites::syzygy::embedded().unwrap(), 5);
    let mut ours = SyzygySet::new();
    for &material in written.iter().filter(|material| material.men() > 2) {
        let both = syzygy::write(material, tables).unwrap();
        for kind in Kind::ALL {
            let name = format!("{material}.{}", kind.extension());
            let bytes = both.of(kind).to_vec();
            let file = SyzygyFile::read(material, kind, bytes.clone()).unwrap();
            file.check().unwrap();
            ours.add(file);
            let status = files.add(&name, bytes);
            let is_known = matches!(status, FileStatus::Pinned { .. });
            assert_eq!(is_known, material.men() < 5, "{name}: {status}");
        }
    }
    Readers { ours, theirs: files.tablebase() }
}

fn wdl(wdl: shakmaty_syzygy::Wdl) -> Wdl {
    use shakmaty_syzygy::Wdl as Theirs;
    match wdl {
        Theirs::Loss => Wdl::Loss,
        Theirs::BlessedLoss => Wdl::BlessedLoss,
        Theirs::Draw => Wdl::Draw,
        Theirs::CursedWin => Wdl::CursedWin,
        Theirs::Win => Wdl::Win,
    }
}

fn fen(position: &Chess) -> String {
    positions::fen(position.board(), position.turn())
}

/// Both readers say the same of a position.
fn compare(readers: &Readers, position: &Chess, fen: &str) {
    let own = engine::Position::from_fen(fen).unwrap();
    let results =
        (readers.ours.wdl(&own).unwrap(), wdl(readers.theirs.probe_wdl_after_zeroing(position).unwrap()));
    assert_eq!(results.0, results.1, "{fen}");
    let distance = readers.theirs.probe_dtz(position).unwrap().ignore_rounding().0;
    assert_eq!(i32::from(readers.ours.dtz(&own).unwrap().0), distance, "{fen}");
}

/// Compares every so many-th position of a table, and returns how many these are.
fn compare_table(readers: &Readers, material: Material, step: u64) -> usize {
    let men: Men = material.to_string().parse().unwrap();
    let numbers = (0..men.numbers() / step).into_par_iter().map(|place| place * step);
    let compared = numbers.map(|number| {
        let legal = |turn| Placement::numbered(&men, number, turn).and_then(|placement| placement.legal);
        let found = [Color::White, Color::Black].into_iter().filter_map(legal);
        found.map(|position| compare(readers, &position, &fen(&position))).count()
    });
    compared.sum()
}

/// Compares the results of every position of a table, one of each symmetry class, and returns how many these
/// are.
fn compare_results(readers: &Readers, material: Material) -> usize {
    let men: Men = material.to_string().parse().unwrap();
    let compared = (0..men.numbers()).into_par_iter().map(|number| {
        let legal = |turn| Placement::of_class(&men, number, turn).and_then(|placement| placement.legal);
        let mut count = 0;
        for position in [Color::White, Color::Black].into_iter().filter_map(legal) {
            let result = readers.ours.wdl(&own(&position)).unwrap();
            let expected = wdl(readers.theirs.probe_wdl_after_zeroing(&position).unwrap());
            assert_eq!(result, expected, "{}", fen(&position));
            count += 1;
        }
        count
    });
    compared.sum()
}

/// A position of the engine's.
fn own(position: &Chess) -> engine::Position {
    let mut board = engine::Board::EMPTY;
    for (square, piece) in position.board() {
        let color = piece.color.fold_wb(engine::Color::White, engine::Color::Black);
        let role = engine::Role::ALL[usize::from(piece.role) - 1];
        board.put(engine::Square::from_index(usize::from(square)), engine::Piece { color, role });
    }
    let side = position.turn().fold_wb(engine::Color::White, engine::Color::Black);
    engine::Position::from_board(board, side).unwrap()
}

#[test]
fn files_of_three_men_are_the_official_ones_and_both_readers_agree() {
    let materials = Material::up_to(3);
    let tables = builders::production(&materials).unwrap();
    let readers = readers(&materials, &tables);
    // One that is prime to the number of squares: all squares of all men occur.
    let step = 7;
    let compared: Vec<usize> =
        materials.iter().map(|&material| compare_table(&readers, material, step)).collect();
    assert!(compared[1..].iter().all(|&count| count > 45_000), "{compared:?}");
}

/// Writes a table with all that it leads to, and compares every so many-th position of it.
fn write_and_compare(table: &str, step: u64) -> usize {
    let material: Material = table.parse().unwrap();
    let materials = builders::with_smaller(&[material]);
    let tables = builders::production(&materials).unwrap();
    compare_table(&readers(&materials, &tables), material, step)
}

#[test]
fn both_readers_agree_on_a_table_of_four_men() {
    assert!(write_and_compare("KRvKN", 1_999) > 10_000);
}

#[test]
#[ignore = "nightly: writes all files of four men, and reads every result with both readers"]
fn files_of_four_men_are_the_official_ones_and_both_readers_agree() {
    let materials = Material::up_to(4);
    let tables = builders::production(&materials).unwrap();
    let readers = readers(&materials, &tables);
    let mut results = 0;
    for &material in &materials[1..] {
        let step = if material.men() == 3 { 1 } else { 1_499 };
        assert!(compare_table(&readers, material, step) > 5_000, "{material}");
        results += compare_results(&readers, material);
    }
    // All legal positions of three and four men, one of each symmetry class: as many as `verify --men 4` has
    // for Syzygy, bare kings apart.
    assert_eq!(results, 144_070_753);
    assert!(compare_en_passant(&readers) > 5_000);
}

#[test]
#[ignore = "nightly: builds and writes a table of five men"]
fn both_readers_agree_on_a_table_with_cursed_wins() {
    // Prime to the number of squares.
    assert!(write_and_compare("KBBvKN", 4_999) > 200_000);
}

/// Compares positions of `KPvKP` in which a double step can be captured en passant.
fn compare_en_passant(readers: &Readers) -> usize {
    let men: Men = "KPvKP".parse().unwrap();
    let mut compared = 0;
    for number in (0..men.numbers()).step_by(7) {
        let placement = Placement::numbered(&men, number, Color::Black).and_then(|placement| placement.legal);
        let Some(position) = placement else { continue };
        let fen = fen(&position);
        let Some(white_pawn) = fourth_rank_pawn(&position) else { continue };
        let with_right = fen.replace(" - - ", &format!(" - {} ", white_pawn.offset(-8).unwrap()));
        let Ok(setup) = with_right.parse::<shakmaty::fen::Fen>() else { continue };
        let Ok(position) = setup.into_position::<Chess>(shakmaty::CastlingMode::Standard) else { continue };
        if engine::Position::from_fen(&with_right).is_ok_and(|own| own.en_passant().is_some()) {
            compare(readers, &position, &with_right);
            compared += 1;
        }
    }
    compared
}

/// The white pawn, if it is on the fourth rank.
fn fourth_rank_pawn(position: &Chess) -> Option<shakmaty::Square> {
    let board = position.board();
    let pawn = (board.white() & board.pawns()).first()?;
    (pawn.rank() == shakmaty::Rank::Fourth).then_some(pawn)
}
