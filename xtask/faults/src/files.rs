//! Damaged files of tables: our own (`tables check`) and Syzygy's (`verify --syzygy`). The program has to
//! refuse the file by its name, with exit code 2, or a check has to find what is wrong in it, with exit
//! code 1. It must never agree, and never crash.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, bail};

use crate::draw::{Draw, Random};
use crate::outcome::{Control, Done, Fault};
use crate::plant::Plan;
use crate::product::Product;

/// So many faults of a class in a file, and in a quick run.
const FAULTS: u32 = 20;
const QUICK: u32 = 2;

/// A dump with one row.
const ONE: &str = "one.csv";

/// A kind of file: how it is made, and how the program is asked for it.
#[derive(Clone, Copy)]
struct Kind {
    /// The folder, and the first part of the id.
    folder: &'static str,
    /// Writes the folder.
    made_by: &'static str,
    files: &'static [&'static str],
    /// Asks for a file of the folder: `{file}` and `{table}` stand for it and its table. `one.csv` is a dump
    /// with one right row of the table.
    asked: &'static str,
}

const KINDS: [Kind; 2] = [
    Kind {
        folder: "table-files",
        made_by: "tables build KQvK KRvK KPvK --out table-files",
        files: &["KQvK.dtm", "KRvK.dtm", "KPvK.dtm", "KRvK.dtz"],
        asked: "tables check table-files/{file}",
    },
    Kind {
        folder: "syzygy",
        made_by: "tables syzygy KQvK KRvK KPvK --out syzygy",
        files: &["KQvK.rtbw", "KRvK.rtbw", "KPvK.rtbz", "KRvK.rtbz"],
        asked: "verify --tables {table} --dump one.csv --partial --syzygy syzygy",
    },
];

/// Damages the bytes of a file. `other` is another file of its kind. Returns what it did.
type Damage = fn(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) -> String;

const CLASSES: [(&str, Damage); 6] = [
    ("bit", |bytes, _, random| {
        let (at, bit) = (random.below(bytes.len()), random.below(8));
        bytes[at] ^= 1 << bit;
        format!("bit {bit} of byte {at} of {}", bytes.len())
    }),
    ("bit-of-heading", |bytes, _, random| {
        let (at, bit) = (random.below(bytes.len().min(32)), random.below(8));
        bytes[at] ^= 1 << bit;
        format!("bit {bit} of byte {at} of {}", bytes.len())
    }),
    ("zeros", |bytes, _, random| {
        // A page that was never written. Zeros in place of zeros are no fault.
        const PAGE: usize = 512;
        let pages: Vec<usize> = (0..bytes.len())
            .step_by(PAGE)
            .filter(|&at| page(bytes, at, PAGE).iter().any(|&byte| byte != 0))
            .collect();
        let at = pages[random.below(pages.len())];
        let end = (at + PAGE).min(bytes.len());
        bytes[at..end].fill(0);
        format!("zeros from byte {at} to {end} of {}", bytes.len())
    }),
    ("cut", |bytes, _, random| {
        let (all, left) = (bytes.len(), random.below(bytes.len()));
        bytes.truncate(left);
        format!("{left} of {all} bytes")
    }),
    ("longer", |bytes, _, random| {
        let more = 1 + random.below(64);
        bytes.extend(std::iter::repeat_n(0, more));
        format!("{more} bytes more")
    }),
    ("other-table", |bytes, other, _| {
        other.clone_into(bytes);
        "the content of another table".to_owned()
    }),
];

fn page(bytes: &[u8], at: usize, size: usize) -> &[u8] {
    &bytes[at..(at + size).min(bytes.len())]
}

/// All groups.
pub(crate) fn plans(draw: Draw) -> Vec<Plan> {
    let of_kind = |kind: Kind| {
        draw.share(kind.folder, kind.files).into_iter().flat_map(move |file| {
            CLASSES.map(move |(class, damage)| {
                let id = format!("{}/{file}/{class}", kind.folder);
                let file = file.to_owned();
                Plan::new(id.clone(), move |product, draw, only| {
                    damaged(product, draw, only, kind, &file, &id, damage)
                })
            })
        })
    };
    KINDS.into_iter().flat_map(of_kind).collect()
}

fn damaged(
    product: &Product,
    draw: Draw,
    only: Option<u32>,
    kind: Kind,
    file: &str,
    id: &str,
    damage: Damage,
) -> anyhow::Result<Done> {
    let folder = product.path(kind.folder);
    if !folder.exists() {
        product.prepare(kind.made_by)?;
    }
    let path = folder.join(file);
    if kind.asked.contains(ONE) {
        let export = product.export(table(file), draw)?;
        std::fs::write(product.path(ONE), export.split_inclusive('\n').take(2).collect::<String>())?;
    }
    let whole = std::fs::read(&path).with_context(|| format!("{} was not written", path.display()))?;
    if whole.is_empty() {
        bail!("{} is empty", path.display());
    }
    let other = std::fs::read(other(&folder, file, kind)?)?;
    let control = control(product, kind, file)?;
    let mut random = draw.of(id);
    let mut done = Done::new(control);
    // The content of another table is one fault.
    let all = if id.ends_with("other-table") {
        1
    } else if draw.quick {
        QUICK
    } else {
        FAULTS
    };
    for number in 0..all {
        let mut bytes = whole.clone();
        let planted = damage(&mut bytes, &other, &mut random);
        if only.is_some_and(|only| only != number) {
            continue;
        }
        std::fs::write(&path, &bytes)?;
        let asked = product.judge(&asked(kind, file));
        std::fs::write(&path, &whole)?;
        let (ended, differences) = asked?;
        done.time += ended.time;
        // An error names the file; a finding is about what the file says.
        let caught_by: BTreeSet<String> = match ended.code {
            1 => differences.into_iter().map(|difference| difference.check).collect(),
            2 if ended.stderr.contains(file) => BTreeSet::from(["refused".to_owned()]),
            _ => BTreeSet::new(),
        };
        let planted =
            if caught_by.is_empty() { format!("{planted} (exit code {})", ended.code) } else { planted };
        done.faults.push(Fault { number, place: file.to_owned(), planted, caught_by });
    }
    Ok(done)
}

/// Another file with the same ending.
fn other(folder: &Path, file: &str, kind: Kind) -> anyhow::Result<std::path::PathBuf> {
    let ending = file.rsplit('.').next().unwrap_or_default();
    let tables = ["KQvK", "KRvK", "KPvK"].map(|table| format!("{table}.{ending}"));
    let other = tables.into_iter().find(|other| other != file).map(|other| folder.join(other));
    other.with_context(|| format!("{} has one file", kind.folder))
}

fn asked(kind: Kind, file: &str) -> String {
    kind.asked.replace("{file}", file).replace("{table}", table(file))
}

fn table(file: &str) -> &str {
    file.split('.').next().unwrap_or_default()
}

/// What the program says of the whole file.
fn control(product: &Product, kind: Kind, file: &str) -> anyhow::Result<Control> {
    product.control(file, || {
        let (ended, differences) = product.judge(&asked(kind, file))?;
        Ok(ended.control(&differences))
    })
}
