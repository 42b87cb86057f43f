//! Compared with tables of three men, which the check `certificate` proves.

use shakmaty::{Color, Position};

use super::*;
use crate::knowledge::three_men;
use crate::positions::{Men, Placement};
use crate::table_probe::TableProbe;

/// Every `step`-th placement, for mates in at most `most` moves, both sides to move.
fn check_table(table: &str, step: usize, most: u16) {
    let tables = three_men().unwrap();
    let men: Men = table.parse().unwrap();
    let (mut mates, mut none) = (0, 0);
    for number in (0..men.numbers()).step_by(step) {
        for turn in Color::ALL {
            let Some(placement) = Placement::numbered(&men, number, turn) else { continue };
            let Some(position) = placement.legal.clone() else { continue };
            let dtm = tables.probe(position.board(), turn).unwrap().dtm.map(|dtm| i32::from(dtm.plies()));
            let mate = dtm.map(|plies| if plies % 2 == 1 { plies.midpoint(1) } else { -plies / 2 });
            // Either the mate, or a refutation, which takes more work.
            let near = mate.filter(|moves| moves.abs() <= i32::from(most));
            let asked = near.unwrap_or(2);
            assert_eq!(proven(&position, asked + asked.signum()), near, "{}", placement.fen());
            assert_eq!(
                proven(&position, -1),
                mate.filter(|moves| [0, -1].contains(moves)),
                "{}",
                placement.fen()
            );
            if near.is_some() { mates += 1 } else { none += 1 }
        }
    }
    assert!(mates > 40 && none > 100, "{table}: {mates} mates, {none} others");
}

/// One test for three tables, which are certified once in a process.
#[test]
fn mates_are_those_of_the_tables() {
    check_table("KQvK", 1_213, 4);
    check_table("KRvK", 409, 5);
    check_table("KPvK", 41, 4);
}
