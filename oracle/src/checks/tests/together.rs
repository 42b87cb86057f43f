//! Checks in one walk find the same as each check alone.

use super::TableFault::{Plies, Refuse, Wdl as Result};
use super::*;
use crate::checks::Check::{Census, Certificate, Legality, Symmetry, Terminal};
use crate::checks::together;

const CHECKS: [Check; 5] =
    [Check::Legality, Check::Certificate, Check::Terminal, Check::Symmetry, Check::Census];

/// Compares the findings of both ways, over the classes of a table. Returns which checks have a difference.
fn check(subject: &dyn TableProbe, table: &str) -> Vec<Check> {
    let men = men(table);
    let authorities = Authorities { published: &PUBLISHED, ..Authorities::default() };
    let job = TableJob { scope: Scope::Unique, ..TableJob::new(subject, &men, &authorities) };
    let runs = together(&job, &CHECKS).runs;
    assert_eq!(runs.len(), CHECKS.len());
    for run in &runs {
        let alone = run.check.run(&job);
        assert_eq!(run.findings.differences, alone.differences, "{} {table}", run.check);
        assert_eq!(run.findings.tally, alone.tally, "{} {table}", run.check);
    }
    runs.iter().filter(|run| run.findings.tally.differed > 0).map(|run| run.check).collect()
}

#[test]
fn right_tables_have_no_difference() {
    for table in ["KvK", "KPvK", "KQvK"] {
        assert_eq!(check(&*PRODUCTION, table), [], "{table}");
    }
}

#[test]
fn faults_are_found_as_by_each_check_alone() {
    let mated = "8/8/8/8/8/1K6/1Q6/1k6 b - -";
    let stalemated = "8/8/8/8/8/1K6/2Q5/k7 b - -";
    let illegal = "8/8/8/8/8/1KQ5/1k6/8 w - -";
    for (position, fault, expected) in [
        (mated, Plies(None), &[Certificate, Terminal, Symmetry, Census][..]),
        (mated, Result(Wdl::Draw), &[Certificate, Terminal, Symmetry, Census]),
        (stalemated, Plies(Some(2)), &[Certificate, Terminal, Symmetry, Census]),
        (mated, Refuse, &[Legality, Certificate, Terminal, Symmetry, Census]),
        (illegal, Plies(Some(3)), &[Legality]),
    ] {
        let (board, turn) = placement(position);
        let class = (0..8).map(|image| {
            let mut board = board.clone();
            let flips: [fn(&mut Board); 3] =
                [Board::flip_horizontal, Board::flip_vertical, Board::flip_diagonal];
            for (bit, flip) in flips.into_iter().enumerate() {
                if image >> bit & 1 == 1 {
                    flip(&mut board);
                }
            }
            board
        });
        let men = men("KQvK");
        let least = class.min_by_key(|board| men.number_of(board)).unwrap();
        let representative = crate::positions::fen(&least, turn);
        let found = check(&faulty_at(&[(&representative, fault)]), "KQvK");
        for check in expected {
            assert!(found.contains(check), "{check} misses {position}: {found:?}");
        }
    }
}
