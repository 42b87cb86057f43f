//! The production builder against the reference, entry by entry.

use super::{built, materials};
use crate::tables::builders::{Retrograde, Setwise, production, with_smaller};
use crate::tables::{Material, Metric};

/// Compares both metrics of these tables.
fn check(tables: &[Material]) {
    let set = production(tables).unwrap();
    for &material in tables {
        let expected = built(&Retrograde, material, &Metric::ALL, &set);
        for table in expected {
            let built = set.get(material, table.metric()).unwrap();
            let cells = built.cells().iter().flatten().zip(table.cells().iter().flatten());
            let different = cells.filter(|(built, expected)| built != expected).count();
            assert_eq!(different, 0, "{material} {}", table.metric());
        }
    }
}

#[test]
fn tables_of_three_men_are_those_of_the_reference() {
    check(&Material::up_to(3));
}

#[test]
fn a_table_of_four_men_is_that_of_the_reference() {
    check(&materials("KBvKN"));
}

#[test]
#[ignore = "nightly: builds all tables of four men twice"]
fn all_tables_of_four_men_are_those_of_the_reference() {
    check(&Material::up_to(4));
}

/// The bytes of a table do not depend on the number of threads.
#[test]
fn threads_change_nothing() {
    threads_change_nothing_in("KPvK");
    threads_change_nothing_in("KBvKN");
}

#[test]
#[ignore = "nightly: tables of three and of four men are built by default"]
fn threads_change_nothing_with_a_pawn_among_four_men() {
    threads_change_nothing_in("KNvKP");
}

fn threads_change_nothing_in(table: &str) {
    let material = materials(table);
    let set = production(&with_smaller(&material)[..with_smaller(&material).len() - 1]).unwrap();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| built(&Setwise, material[0], &Metric::ALL, &set))
    };
    assert!(with(1) == with(3), "{table}");
}
