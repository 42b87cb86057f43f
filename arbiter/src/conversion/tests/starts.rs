//! Which positions the games start from.

use engine::tables::{TableSet, builders};
use suites::census::{self, SideToMove};

use super::*;
use crate::adjudicator::Adjudicator;
use crate::conversion::starts;
use crate::test_tables::QUEEN_AGAINST_ROOK;

/// The longest mate of `KRvKP` with White to move, in plies, which the published counts do not tell.
const LONGEST_OF_ROOK_AND_PAWN: u32 = 51;

#[test]
fn a_hard_ending_begins_with_a_longest_mate() {
    begin_with_a_longest_mate(&["KQvKR"], QUEEN_AGAINST_ROOK.clone());
}

#[test]
#[ignore = "nightly: one ending is tested by default"]
fn hard_endings_begin_with_a_longest_mate() {
    let hard = endings::played(Effort::Plain).into_iter().filter(|ending| ending.hardest.is_some());
    let names: Vec<&str> = hard.map(|ending| ending.men).collect();
    assert_eq!(names.len(), 6);
    let materials: Vec<_> = names.iter().map(|name| name.parse().unwrap()).collect();
    begin_with_a_longest_mate(&names, builders::production(&materials).unwrap());
}

fn begin_with_a_longest_mate(names: &[&str], tables: TableSet) {
    let hard: Vec<_> =
        endings::played(Effort::Plain).into_iter().filter(|ending| names.contains(&ending.men)).collect();
    assert_eq!(hard.len(), names.len());
    let tables = EngineTables::production(tables);
    let authorities = Authorities { truth: Some(&tables), ..Authorities::default() };
    let published = census::embedded().unwrap();
    for ending in hard {
        let of_white =
            |row: &&census::PublishedCounts| row.table == ending.men && row.side_to_move == SideToMove::White;
        let longest = published.iter().find(of_white).unwrap().longest_plies;
        let longest = longest.unwrap_or(LONGEST_OF_ROOK_AND_PAWN);
        let starts = starts::draw(ending, 3, 1, &Adjudicator::new(&authorities));
        assert_eq!(starts[0].mate, Some(longest), "{}", ending.men);
        assert_eq!(starts[0].position.turn(), shakmaty::Color::White);
        // The others are drawn: the stronger side is Black, then White.
        assert_eq!(starts[1].position.turn(), shakmaty::Color::Black);
        assert!(starts.len() == 3 && starts[2].fen != starts[0].fen);
    }
}

/// Without a table for the hardest start there are none at all.
#[test]
fn an_ending_without_tables_has_no_starts() {
    let authorities = certified();
    let adjudicator = Adjudicator::new(&authorities);
    for ending in endings::played(Effort::Plain) {
        let starts = starts::draw(ending, 2, 1, &adjudicator);
        assert_eq!(starts.len(), if ending.men.len() == "KRvK".len() { 2 } else { 0 }, "{}", ending.men);
    }
}

#[test]
fn starts_are_won_and_different_and_do_not_depend_on_their_number() {
    let authorities = certified();
    let adjudicator = Adjudicator::new(&authorities);
    for men in ["KQvK", "KRvK", "KPvK"] {
        let draw = |count, seed| -> Vec<String> {
            starts::draw(ending(men), count, seed, &adjudicator).into_iter().map(|start| start.fen).collect()
        };
        let many = draw(300, 1);
        assert_eq!(many[..20], draw(20, 1));
        assert_ne!(many[..20], draw(20, 2));
        assert_eq!(many.iter().collect::<std::collections::BTreeSet<_>>().len(), 300, "{men}");
        for (number, fen) in many.iter().enumerate() {
            let position = position(fen);
            assert_eq!(
                (truth(&position).0, position.turn().is_white()),
                (Wdl::Win, number % 2 == 0),
                "{fen}"
            );
        }
    }
}

#[test]
fn the_starts_are_the_same_in_every_version() {
    let authorities = certified();
    let fens: Vec<String> = starts::draw(ending("KRvK"), 3, 1, &Adjudicator::new(&authorities))
        .into_iter()
        .map(|start| start.fen)
        .collect();
    let expected = [
        "8/8/3R4/8/6K1/8/6k1/8 w - - 0 1",
        "8/3k2K1/3r4/8/8/8/8/8 b - - 0 1",
        "8/5k2/1R6/8/8/8/8/7K w - - 0 1",
    ];
    assert_eq!(fens, expected);
}
