//! Tables of five men: read from the files that `tables build` wrote, for building them takes minutes each.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use engine::tables::builders::MAX_QUICK_MEN;
use engine::tables::file::BlockCache;
use engine::tables::{Material, Metric, TableSet};

use crate::tables::path;
use crate::{program, tables};

/// Checks that the files of these tables, each after those that it leads to, are there.
pub(super) fn check(folder: &Path, materials: &[Material]) -> anyhow::Result<()> {
    let files = materials.iter().flat_map(|&material| Metric::ALL.map(|metric| (material, metric)));
    let mut missing = files.filter(|&(material, metric)| !path(folder, material, metric).is_file());
    // The command for the last one also builds all tables that it needs.
    if let Some((material, metric)) = missing.next_back() {
        let build = program::command(format!("tables build {material} --out \"{}\"", folder.display()));
        bail!("there is no {}; make it with: {build}", path(folder, material, metric).display());
    }
    Ok(())
}

/// The tables of a material, and the DTM tables of five men that its moves lead to, beside the smaller ones.
pub(super) fn load(folder: &Path, material: Material, smaller: &TableSet) -> anyhow::Result<TableSet> {
    let mut set = smaller.clone();
    let mut read = |material: Material, metric: Metric| -> anyhow::Result<()> {
        let path = path(folder, material, metric);
        let table = tables::read(&path)?;
        tables::demand(&path, (table.material(), table.metric()), (material, metric))?;
        set.add(table);
        Ok(())
    };
    let mut successors = material.successors();
    successors.retain(|step| step.men() > MAX_QUICK_MEN);
    successors.sort_unstable();
    successors.dedup();
    for step in successors {
        read(step, Metric::Dtm).with_context(|| format!("{material} leads to {step}"))?;
    }
    Metric::ALL.into_iter().try_for_each(|metric| read(material, metric))?;
    Ok(set)
}

/// Mebibytes of unpacked blocks of the tables that judge a dump.
const CACHE: usize = 1024;

/// These tables, and the DTM tables of five men of the folder, read block by block.
pub(super) fn with_files(
    folder: &Path,
    materials: &[Material],
    smaller: &TableSet,
) -> anyhow::Result<TableSet> {
    let mut set = smaller.clone();
    let cache = Arc::new(BlockCache::new(CACHE));
    for &material in materials {
        let path = path(folder, material, Metric::Dtm);
        let file = tables::open(&path, &cache)?;
        tables::demand(&path, (file.material(), file.metric()), (material, Metric::Dtm))?;
        set.add_file(file);
    }
    Ok(set)
}
