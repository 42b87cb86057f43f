//! Builders: algorithms that compute tables.
//!
//! [`Setwise`] is the production builder. [`Retrograde`] is the plain reference for its tests. It,
//! [`Alternating`] and [`SecondPass`] compute the same tables by other algorithms. [`FirstPass`] and those that
//! are [`Flawed`] are *specimens*: they contain known mistakes, and the checks of the oracle must detect them.

mod alternating;
mod draft;
mod flawed;
mod linked;
mod retrograde;
mod setwise;
mod successors;
mod unmoves;

use crate::tables::{Material, Metric, Table, TableSet};

pub use alternating::Alternating;
pub use flawed::{
    Flawed, NO_BISHOP, NO_EN_PASSANT, NO_EN_PASSANT_UNMOVES, NO_KNIGHT, NO_ROOK, QUEEN_ONLY, WRONG_CAPTURE,
};
pub use linked::{FirstPass, SecondPass};
pub use retrograde::Retrograde;
pub use setwise::Setwise;
pub use unmoves::{Unmove, unmoves, unmoves_to};

/// Computes tables from smaller ones.
pub trait Builder: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// A description in one sentence.
    fn about(&self) -> &'static str;

    /// Whether it contains a known mistake.
    fn is_specimen(&self) -> bool {
        false
    }

    /// The metrics of its tables.
    fn metrics(&self) -> &'static [Metric] {
        &[Metric::Dtm]
    }

    /// Whether it builds this material with its own algorithm. [`Setwise`] builds the others.
    fn builds(&self, material: Material) -> bool;

    /// Computes the tables of a material from the DTM tables of all smaller ones, and the DTZ tables of those
    /// of five men: one for each of these metrics that it supports, in the order of [`Metric::ALL`]. Each
    /// goes to `emit` as soon as it is finished, so that the largest need not be in memory together.
    ///
    /// # Errors
    ///
    /// The builder does not build this material, or `smaller` lacks a table that it needs, or has a damaged
    /// one.
    fn build(
        &self,
        material: Material,
        metrics: &[Metric],
        smaller: &TableSet,
        emit: &mut dyn FnMut(Table),
    ) -> Result<(), BuildError>;
}

/// All builders, the production builder first.
pub static BUILDERS: [&dyn Builder; 12] = [
    &Setwise,
    &Retrograde,
    &Alternating,
    &QUEEN_ONLY,
    &FirstPass,
    &SecondPass,
    &NO_ROOK,
    &NO_BISHOP,
    &NO_KNIGHT,
    &NO_EN_PASSANT,
    &NO_EN_PASSANT_UNMOVES,
    &WRONG_CAPTURE,
];

/// The builder with this name.
pub fn builder(name: &str) -> Option<&'static dyn Builder> {
    BUILDERS.into_iter().find(|builder| builder.name() == name)
}

/// Why a table cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A smaller table that captures or promotions lead to is missing.
    #[error("{material} needs the table {missing} first")]
    MissingSmaller {
        /// The table to build.
        material: Material,
        /// The missing table.
        missing: Material,
    },
    /// A table that promotions lead to is there, but its DTZ table is missing.
    #[error("the DTZ table of {material} needs that of {missing} first")]
    MissingDtz {
        /// The table to build.
        material: Material,
        /// The missing table.
        missing: Material,
    },
    /// The file of a smaller table is damaged.
    #[error("{material} needs the table {smaller}: {fault}")]
    DamagedSmaller {
        /// The table to build.
        material: Material,
        /// The damaged table.
        smaller: Material,
        /// The fault, with the name of the file.
        fault: String,
    },
    /// The builder does not support this material.
    #[error("the builder {builder} does not build {material}")]
    NotForThis {
        /// The builder.
        builder: &'static str,
        /// The material.
        material: Material,
    },
}

/// The most men of tables that are built by default: those of five men take minutes each.
pub const MAX_QUICK_MEN: usize = 4;

/// Builds these tables and all smaller ones they need, DTM and DTZ, with the production builder.
///
/// # Errors
/// As [`Builder::build`], for any of them.
pub fn production(materials: &[Material]) -> Result<TableSet, BuildError> {
    set(&Setwise, materials, &Metric::ALL)
}

/// Builds the DTM tables of these materials and all smaller ones, with `builder` where it supports the
/// material.
///
/// # Errors
/// As [`Builder::build`], for any of them.
pub fn dtm_set(builder: &dyn Builder, materials: &[Material]) -> Result<TableSet, BuildError> {
    set(builder, materials, &[Metric::Dtm])
}

/// Builds the tables of these metrics of these materials and all smaller ones, with `builder` where it
/// supports the material and the metric.
///
/// # Errors
/// As [`Builder::build`], for any of them.
pub fn set(
    builder: &dyn Builder,
    materials: &[Material],
    metrics: &[Metric],
) -> Result<TableSet, BuildError> {
    let mut set = TableSet::new();
    for material in with_smaller(materials) {
        let mut built = Vec::new();
        tables(builder, material, metrics, &set, &mut |table| built.push(table))?;
        for table in built {
            set.add(table);
        }
    }
    Ok(set)
}

/// Builds the tables of one material from the DTM tables of all smaller ones, with `builder` where it
/// supports the material, else with the production builder: one for each of these metrics that it computes,
/// each to `emit`.
///
/// # Errors
/// As [`Builder::build`].
pub fn tables(
    builder: &dyn Builder,
    material: Material,
    metrics: &[Metric],
    smaller: &TableSet,
    emit: &mut dyn FnMut(Table),
) -> Result<(), BuildError> {
    let builder = if builder.builds(material) { builder } else { &Setwise };
    builder.build(material, metrics, smaller, emit)
}

/// These materials and all that captures and promotions lead to. Each comes after those that it needs.
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

/// Checks that all smaller tables are there.
fn demand_smaller(material: Material, smaller: &TableSet) -> Result<(), BuildError> {
    match material.smaller().into_iter().find(|&step| !smaller.has(step, Metric::Dtm)) {
        Some(missing) => Err(BuildError::MissingSmaller { material, missing }),
        None => Ok(()),
    }
}

/// All smaller tables, in memory.
fn load_smaller(material: Material, smaller: &TableSet) -> Result<TableSet, BuildError> {
    demand_smaller(material, smaller)?;
    load(material, &material.smaller(), smaller, Metric::Dtm)
}

/// These tables, in memory, to build those of `material`.
fn load(
    material: Material,
    wanted: &[Material],
    smaller: &TableSet,
    metric: Metric,
) -> Result<TableSet, BuildError> {
    let loaded = smaller.in_memory(wanted, metric);
    loaded.map_err(|(smaller, fault)| BuildError::DamagedSmaller { material, smaller, fault })
}

#[cfg(test)]
pub(in crate::tables) mod tests;
