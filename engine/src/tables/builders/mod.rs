//! Builders: the ways a table comes to be.
//!
//! [`Retrograde`] is the production builder. [`Alternating`] and [`SecondPass`] reach the same tables by other
//! roads. [`QueenOnly`] and [`FirstPass`] are *specimens*: wrong on purpose, each as people have got it wrong, so
//! that a check which stays silent on them is known to be worthless.

mod alternating;
mod draft;
mod linked;
mod retrograde;
mod successors;

use crate::tables::{MAX_MEN, Material, Metric, Table, TableSet};

pub use alternating::Alternating;
pub use linked::{FirstPass, SecondPass};
pub use retrograde::{QueenOnly, Retrograde};

/// A way to build a DTM table from smaller ones.
pub trait Builder: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it does, in one sentence.
    fn about(&self) -> &'static str;

    /// Whether it is wrong on purpose.
    fn is_specimen(&self) -> bool {
        false
    }

    /// Whether it has a way of its own for this material. Others are left to [`Retrograde`].
    fn builds(&self, material: Material) -> bool;

    /// The DTM table of a material, given all smaller ones.
    ///
    /// # Errors
    /// The builder does not build this material, or a smaller table that it needs is not in `smaller`.
    fn build(&self, material: Material, smaller: &TableSet) -> Result<Table, BuildError>;
}

/// All builders, the production builder first.
pub const BUILDERS: [&dyn Builder; 5] = [&Retrograde, &Alternating, &QueenOnly, &FirstPass, &SecondPass];

/// The builder of a name.
pub fn builder(name: &str) -> Option<&'static dyn Builder> {
    BUILDERS.into_iter().find(|builder| builder.name() == name)
}

/// The most men whose tables are built.
///
/// Five fit the format and the layout; building them is not done until each is checked.
pub const MAX_BUILT_MEN: usize = 4;

/// Why a table is not built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A smaller table that captures or promotions lead to is not in the set.
    #[error("{material} needs the table {missing} first")]
    MissingSmaller {
        /// What was to be built.
        material: Material,
        /// What it needs.
        missing: Material,
    },
    /// Pawns of both sides may take en passant, which no builder here resolves.
    #[error("{0} has pawns on both sides: en passant is not built")]
    OpposingPawns(Material),
    /// More men than are built.
    #[error("{0} has more than {MAX_BUILT_MEN} men; tables of up to {MAX_MEN} are read, not built")]
    TooManyMen(Material),
    /// The builder has no way to build this material.
    #[error("the builder {builder} does not build {material}")]
    NotForThis {
        /// Name of the builder.
        builder: &'static str,
        /// What it was asked for.
        material: Material,
    },
}

/// Whether production can build a material.
///
/// # Errors
/// It has too many men, or it or a smaller one that it leads to has pawns on both sides.
pub fn check(material: Material) -> Result<(), BuildError> {
    if material.men() > MAX_BUILT_MEN {
        return Err(BuildError::TooManyMen(material));
    }
    match material.smaller().into_iter().chain([material]).find(|step| step.has_opposing_pawns()) {
        Some(_) => Err(BuildError::OpposingPawns(material)),
        None => Ok(()),
    }
}

/// These tables and all smaller ones they need, DTM and DTZ, by the production builder.
///
/// # Errors
/// As [`check`], for any of them.
pub fn production(materials: &[Material]) -> Result<TableSet, BuildError> {
    let mut set = dtm_set(&Retrograde, materials)?;
    for material in with_smaller(materials) {
        let table = retrograde::dtz(material, &set)?;
        set.add(table);
    }
    Ok(set)
}

/// The DTM tables of these materials and all smaller ones, by `builder` wherever it has a way of its own.
///
/// # Errors
/// As [`check`], for any of them.
pub fn dtm_set(builder: &dyn Builder, materials: &[Material]) -> Result<TableSet, BuildError> {
    materials.iter().try_for_each(|&material| check(material))?;
    let mut set = TableSet::new();
    for material in with_smaller(materials) {
        let builder = if builder.builds(material) { builder } else { &Retrograde };
        let table = builder.build(material, &set)?;
        set.add(table);
    }
    Ok(set)
}

/// These materials and all that captures and promotions lead to, each after those that it needs.
pub fn with_smaller(materials: &[Material]) -> Vec<Material> {
    let mut all: Vec<Material> = Vec::new();
    for &material in materials {
        for step in material.smaller().into_iter().chain([material]) {
            if !all.contains(&step) {
                all.push(step);
            }
        }
    }
    all
}

/// Checks that all smaller tables of a metric are there.
fn demand_smaller(material: Material, smaller: &TableSet) -> Result<(), BuildError> {
    match material.smaller().into_iter().find(|&step| smaller.get(step, Metric::Dtm).is_none()) {
        Some(missing) => Err(BuildError::MissingSmaller { material, missing }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
