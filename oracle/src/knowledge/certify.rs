//! Builds and certifies tables for an audit. A run of `verify` does not have tables of four men.
//!
//! One position of each symmetry class is certified, and no other is probed: [`EngineTables::folded`].

use std::sync::LazyLock;

use engine::tables::Material;
use engine::tables::builders::{self, BuildError};
use suites::Findings;

use crate::authorities::Authorities;
use crate::checks::{Check, TableJob};
use crate::positions::{Men, Scope};
use crate::run::{NoProgress, ProgressObserver};
use crate::table_probe::EngineTables;

/// Tables, and the findings of their certification.
pub struct Certified {
    /// The tables as an authority, if nothing differs.
    pub tables: Option<EngineTables>,
    /// The findings of the check `certificate`.
    pub findings: Vec<Findings>,
}

/// The materials of these tables and of all tables that they lead to. Each comes after those that it leads
/// to.
pub fn materials_of(tables: &[Men]) -> Vec<Material> {
    let named: Vec<Material> = tables.iter().filter_map(|men| men.name().parse().ok()).collect();
    builders::with_smaller(&named)
}

/// KPvK, KQvK and KRvK with the smaller tables that they lead to, built and certified once in a process.
/// `None` if the certification finds a difference.
pub fn three_men() -> Option<&'static EngineTables> {
    static TABLES: LazyLock<Option<EngineTables>> = LazyLock::new(|| {
        let published = suites::census::embedded().ok()?;
        let named =
            ["KPvK", "KQvK", "KRvK"].map(str::parse).into_iter().collect::<Result<Vec<Men>, _>>().ok()?;
        let authorities = Authorities { published: &published, ..Authorities::default() };
        let certified = certify(&materials_of(&named), &authorities, &NoProgress).ok()?;
        certified.tables
    });
    TABLES.as_ref()
}

/// Builds these tables and certifies them.
///
/// # Errors
/// If a table cannot be built.
pub fn certify(
    materials: &[Material],
    authorities: &Authorities,
    progress: &dyn ProgressObserver,
) -> Result<Certified, BuildError> {
    let set = builders::dtm_set(&builders::Setwise, materials)?;
    let subject = EngineTables::production(set);
    let mut findings = Vec::new();
    let advance = |placements| progress.advance(placements);
    for men in materials.iter().filter_map(|material| material.to_string().parse::<Men>().ok()) {
        let scope = Scope::Unique;
        let job = TableJob { scope, progress: &advance, ..TableJob::new(&subject, &men, authorities) };
        findings.push(Check::Certificate.run(&job));
    }
    let agree = findings.iter().all(|findings| findings.tally.differed == 0);
    Ok(Certified { tables: agree.then(|| subject.folded()), findings })
}
