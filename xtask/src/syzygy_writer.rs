//! Builds tables and writes them as Syzygy files: for `tables syzygy`, and as a source of `syzygy_sources`.

use engine::tables::builders::{self, MAX_QUICK_MEN, Setwise};
use engine::tables::file::TableFile;
use engine::tables::syzygy::{self, Written};
use engine::tables::{Material, Metric, Table, TableSet};

/// Reads the DTZ table of a material of five men: as a whole table, and as a file that is read block by block
/// if larger tables lead to it.
pub(crate) type ReadFiveMen<'a> = &'a (dyn Fn(Material) -> anyhow::Result<(Table, TableFile)> + Sync);

/// Builds tables of three and four men, and writes the Syzygy files of those that are asked for. It calls
/// `five_men` to read a table of five men. It begins with the smallest table, calls `begin` before each
/// table, and calls `emit` with the files of a table.
///
/// # Errors
/// A table that cannot be built, read or written, or an error of `emit`; the files before it have been
/// emitted.
pub(crate) fn write(
    asked: &[Material],
    five_men: ReadFiveMen,
    begin: &dyn Fn(Material),
    emit: &mut dyn FnMut(Material, &Written) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut put = |files: Option<(Material, anyhow::Result<Written>)>| match files {
        Some((material, written)) => emit(material, &written?),
        None => Ok(()),
    };
    let mut smaller = TableSet::new();
    let mut pending = None;
    for material in builders::with_smaller(asked) {
        begin(material);
        let is_asked = asked.contains(&material);
        // The files of a table are written while the next table is built.
        let (whole, files) = rayon::join(
            || with_tables_of(material, is_asked, five_men, &mut smaller),
            || written(pending.as_ref()),
        );
        put(files)?;
        let whole = whole?;
        pending = is_asked.then_some((material, whole));
    }
    put(written(pending.as_ref()))
}

/// Adds to `smaller` the table that larger tables need of a material: its DTM table, or with five men its DTZ
/// table. Returns this set and, if the files of the material are asked for, its DTZ table. The files are
/// written from them.
fn with_tables_of(
    material: Material,
    is_asked: bool,
    five_men: ReadFiveMen,
    smaller: &mut TableSet,
) -> anyhow::Result<TableSet> {
    if material.men() > MAX_QUICK_MEN {
        let (table, file) = five_men(material)?;
        let mut whole = smaller.clone();
        whole.add(table);
        smaller.add_file(file);
        return Ok(whole);
    }
    let metrics = if is_asked { &Metric::ALL[..] } else { &[Metric::Dtm] };
    let mut built = Vec::new();
    builders::tables(&Setwise, material, metrics, smaller, &mut |table| built.push(table))?;
    let (dtm, dtz): (Vec<_>, Vec<_>) = built.into_iter().partition(|table| table.metric() == Metric::Dtm);
    for table in dtm {
        smaller.add(table);
    }
    let mut whole = smaller.clone();
    for table in dtz {
        whole.add(table);
    }
    Ok(whole)
}

/// The files of a material, from its tables and those that it leads to.
fn written(pending: Option<&(Material, TableSet)>) -> Option<(Material, anyhow::Result<Written>)> {
    let (material, tables) = pending?;
    Some((*material, syzygy::write(*material, tables).map_err(Into::into)))
}
