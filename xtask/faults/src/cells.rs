//! Wrong cells of our own table files, under counts and checksums that are right for them. `tables check` has to name those that contradict
//! the rules, or another table.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use anyhow::{Context, bail};

use crate::draw::{Draw, Random};
use crate::outcome::{Done, Fault};
use crate::plant::Plan;
use crate::product::{Difference, Ended, Product};
use crate::rows::with_other_side;
use crate::table_file::{DRAW, Slot, TableFile, decided, is_loss, plies};

/// Files of distances to mate.
const MATES: [&str; 3] = ["KPvK.dtm", "KRvK.dtm", "KQvK.dtm"];
/// Files of distances to zeroing moves.
const ZEROING: [&str; 2] = ["KPvK.dtz", "KRvK.dtz"];
/// The ending of files of distances to mate.
const OF_MATES: &str = ".dtm";
/// Where they are written, and changed.
const FOLDER: &str = "cells";

/// A class of faults.
struct Class {
    name: &'static str,
    /// So many in a file, and in a quick run.
    faults: u32,
    quick: u32,
    /// Whether it needs distances to mate, which follow from the moves.
    of_mates: bool,
    plant: Plant,
}

/// Changes cells of a file. Returns what it did.
type Plant = fn(&mut Work, &mut Random) -> anyhow::Result<Planted>;

struct Planted {
    what: String,
    /// The cells that contradict the rules whatever the others are: the program has to name each. If there are none, it has to name one of
    /// those that were changed.
    at: Vec<Slot>,
}

const CLASSES: [Class; 7] = [
    Class { name: "cell", faults: 20, quick: 2, of_mates: false, plant: cell },
    Class { name: "swapped", faults: 20, quick: 2, of_mates: false, plant: swapped },
    Class {
        name: "pair",
        faults: 20,
        quick: 1,
        of_mates: true,
        plant: |work, random| chain(work, random, 1),
    },
    Class {
        name: "chain",
        faults: 10,
        quick: 1,
        of_mates: true,
        plant: |work, random| chain(work, random, 3),
    },
    Class { name: "longer-from-here", faults: 1, quick: 1, of_mates: true, plant: longer },
    Class { name: "region", faults: 10, quick: 1, of_mates: false, plant: region },
    Class { name: "sides", faults: 10, quick: 1, of_mates: false, plant: sides },
];

/// A file of a table that is right.
struct Right {
    /// Such as `KPvK.dtm`.
    name: &'static str,
    file: TableFile,
    /// The used cells, with a position of each.
    positions: BTreeMap<Slot, String>,
    /// The cell of each position.
    slots: BTreeMap<String, Slot>,
}

/// A file under work.
struct Work<'a> {
    product: &'a Product,
    table: &'a Right,
    file: TableFile,
}

/// All groups. Those of a table share what is known of it.
pub(crate) fn plans(draw: Draw) -> Vec<Plan> {
    let of_table = |name: &'static str| {
        let table = Arc::new(OnceLock::new());
        let has = |class: &&Class| name.ends_with(OF_MATES) || !class.of_mates;
        CLASSES.iter().filter(has).map(move |class| {
            let (id, table) = (format!("table-cells/{name}/{}", class.name), table.clone());
            Plan::new(id.clone(), move |product, draw, only| {
                if table.get().is_none() {
                    _ = table.set(Right::of(product, name)?);
                }
                let table = table.get().context("a file was not read")?;
                judged(product, table, class, &id, draw, only)
            })
        })
    };
    let drawn = |files: &'static [&'static str]| draw.share("table-cells", files);
    let files = drawn(&MATES).into_iter().chain(drawn(&ZEROING));
    files.flat_map(of_table).collect()
}

fn judged(
    product: &Product,
    table: &Right,
    class: &Class,
    id: &str,
    draw: Draw,
    only: Option<u32>,
) -> anyhow::Result<Done> {
    let work = || Work { product, table, file: table.file.clone() };
    // What we write without a change is no fault.
    let control = product.control(table.name, || {
        let (ended, differences) = work().asked()?;
        Ok(ended.control(&differences))
    })?;
    let mut done = Done::new(control);
    for number in 0..if draw.quick { class.quick } else { class.faults } {
        if only.is_some_and(|only| only != number) {
            continue;
        }
        let mut work = work();
        let Planted { what, at } = (class.plant)(&mut work, &mut draw.of(&format!("{id}/{number}")))?;
        let changed = work.changed();
        let (ended, differences) = work.asked()?;
        done.time += ended.time;
        let named: BTreeSet<Slot> =
            differences.iter().filter_map(|difference| work.slot(&difference.fen)).collect();
        // A distance to zeroing is compared with Syzygy's, each by itself; one to mate follows from those of other cells.
        let each_alone = !table.name.ends_with(OF_MATES);
        let is_caught = if each_alone {
            named.is_superset(&changed)
        } else {
            at.iter().all(|slot| named.contains(slot)) && !named.is_disjoint(&changed)
        };
        if each_alone {
            done.invented.extend(named.difference(&changed).map(|slot| table.positions[slot].clone()));
        }
        let checks = differences.into_iter().map(|difference| difference.check);
        let caught_by = if ended.code == 1 && is_caught { checks.collect() } else { BTreeSet::new() };
        let planted = if caught_by.is_empty() { format!("{what} (exit code {})", ended.code) } else { what };
        let place = at.first().or(changed.first()).map_or(table.name, |slot| &table.positions[slot]);
        done.faults.push(Fault { number, place: place.to_owned(), planted, caught_by });
    }
    Ok(done)
}

impl Right {
    /// Builds it. The program tells which cell a position has: it exports files whose distances are the numbers of the slots.
    fn of(product: &Product, name: &'static str) -> anyhow::Result<Self> {
        /// Distances have two bytes.
        const BASE: usize = 10_000;
        let table = name.split('.').next().unwrap_or_default();
        product.prepare(&format!("tables build {table} --out {FOLDER}"))?;
        let mates = product.path(FOLDER).join(format!("{table}{OF_MATES}"));
        let [file, of_mates] = [product.path(FOLDER).join(name), mates.clone()].map(|path| {
            let bytes = std::fs::read(&path).with_context(|| format!("{} was not written", path.display()));
            TableFile::parse(&bytes?)
        });
        let (file, of_mates) = (file?, of_mates?);
        let mut slots: BTreeMap<String, Slot> = BTreeMap::new();
        for (is_high, worth) in [(false, 1), (true, BASE)] {
            std::fs::write(&mates, of_mates.numbered(BASE, is_high).bytes()?)?;
            product.prepare(&format!(
                "tables export {table} --file {FOLDER}/{table}{OF_MATES} --out numbered.csv"
            ))?;
            let mut reader = csv::Reader::from_path(product.path("numbered.csv"))?;
            for row in reader.deserialize() {
                let (fen, _, plies): (String, String, usize) = row?;
                let side = usize::from(fen.contains(" b "));
                slots.entry(fen).or_insert((side, 0)).1 += worth * (plies / 2);
            }
        }
        std::fs::write(&mates, of_mates.bytes()?)?;
        // Of several images one stays.
        let positions = slots.iter().map(|(fen, slot)| (*slot, fen.clone())).collect();
        Ok(Self { name, file, positions, slots })
    }
}

impl Work<'_> {
    fn slot(&self, fen: &str) -> Option<Slot> {
        self.table.slots.get(fen).copied()
    }

    fn value(&self, (side, slot): Slot) -> u16 {
        self.file.cells[side][slot]
    }

    /// A used cell that is taken, if there is one.
    fn drawn(&self, random: &mut Random, takes: impl Fn(Slot) -> bool) -> anyhow::Result<Slot> {
        let used: Vec<Slot> = self.table.positions.keys().copied().filter(|&slot| takes(slot)).collect();
        if used.is_empty() {
            bail!("no cell of {} has room for the fault", self.table.name);
        }
        Ok(used[random.below(used.len())])
    }

    /// What the program expects in other cells than those that are there.
    fn expected(&self) -> anyhow::Result<BTreeMap<Slot, u16>> {
        let (_, differences) = self.asked()?;
        let expected = differences.iter();
        let expected = expected
            .filter_map(|difference| Some((self.slot(&difference.fen)?, decided(difference.expected()?))));
        Ok(expected.collect())
    }

    /// Writes these values in a region. Returns `None` if they are there already.
    fn write(&mut self, region: &[Slot], values: &[u16], what: &str) -> Option<Planted> {
        for (&slot, &value) in region.iter().zip(values) {
            self.file.set(slot, value);
        }
        let changed = self.changed();
        let first = changed.first()?;
        let what = format!("{what} in {} cells, from {} on", changed.len(), self.table.positions[first]);
        Some(Planted { what, at: Vec::new() })
    }

    /// The used cells with another value than they had.
    fn changed(&self) -> BTreeSet<Slot> {
        let right = |&(side, slot): &Slot| self.table.file.cells[side][slot];
        self.table.positions.keys().copied().filter(|slot| self.value(*slot) != right(slot)).collect()
    }

    /// What the program says of the file.
    fn asked(&self) -> anyhow::Result<(Ended, Vec<Difference>)> {
        let name = self.table.name;
        std::fs::write(self.product.path(FOLDER).join(name), self.file.bytes()?)?;
        self.product.judge(&format!("tables check {FOLDER}/{name}"))
    }
}

fn in_words(cell: u16) -> String {
    match plies(cell) {
        None => "draw".to_owned(),
        Some(plies) if is_loss(cell) => format!("loss in {plies}"),
        Some(plies) => format!("win in {plies}"),
    }
}

/// A cell with another value that its side has in this table, or a draw.
fn cell(work: &mut Work, random: &mut Random) -> anyhow::Result<Planted> {
    let at = work.drawn(random, |_| true)?;
    let (old, other) = (work.value(at), work.drawn(random, |slot| slot.0 == at.0)?);
    let new = if work.value(other) == old {
        if old == DRAW { decided(3) } else { DRAW }
    } else {
        work.value(other)
    };
    work.file.set(at, new);
    Ok(Planted { what: format!("{} for {}", in_words(new), in_words(old)), at: vec![at] })
}

/// Two cells exchanged.
fn swapped(work: &mut Work, random: &mut Random) -> anyhow::Result<Planted> {
    let at = work.drawn(random, |_| true)?;
    let old = work.value(at);
    let other = work.drawn(random, |slot| slot.0 == at.0 && work.value(slot) != old)?;
    let new = work.value(other);
    work.file.set(at, new);
    work.file.set(other, old);
    let what =
        format!("{} for {}, exchanged with {}", in_words(new), in_words(old), work.table.positions[&other]);
    Ok(Planted { what, at: vec![at, other] })
}

/// A wrong distance, and all that follows from it for so many plies back: of these cells the first one alone contradicts its successors.
fn chain(work: &mut Work, random: &mut Random, plies_back: u32) -> anyhow::Result<Planted> {
    // From most distances something follows.
    for _ in 0..DRAWS {
        let at = work.drawn(random, |slot| plies(work.value(slot)).is_some_and(|plies| plies > 2))?;
        let old = work.value(at);
        let distance = plies(old).context("a draw was drawn")?;
        let new = decided(if random.below(2) == 0 { distance + 2 } else { distance - 2 });
        work.file.set(at, new);
        let mut followed = BTreeSet::new();
        for _ in 0..plies_back {
            for (slot, cell) in work.expected()?.into_iter().filter(|&(slot, _)| slot != at) {
                work.file.set(slot, cell);
                followed.insert(slot);
            }
        }
        if !followed.is_empty() {
            let what =
                format!("{} for {}, and {} cells that follow", in_words(new), in_words(old), followed.len());
            return Ok(Planted { what, at: vec![at] });
        }
        work.file.clone_from(&work.table.file);
    }
    bail!("nothing follows from {DRAWS} drawn cells of {}", work.table.name)
}

/// The longest distances, from a drawn one on, are two plies longer: of these cells the least alone contradict their successors.
fn longer(work: &mut Work, random: &mut Random) -> anyhow::Result<Planted> {
    /// So many plies below the longest distance.
    const BELOW: usize = 8;
    let distances = work.table.positions.keys().filter_map(|&slot| Some((plies(work.value(slot))?, slot)));
    let distances: Vec<(u16, Slot)> = distances.collect();
    let longest = distances.iter().map(|(plies, _)| *plies).max().context("no distances")?;
    let least = longest.saturating_sub(random.below(BELOW) as u16);
    for (plies, slot) in distances {
        if plies >= least {
            work.file.set(slot, decided(plies + 2));
        }
    }
    Ok(Planted { what: format!("two plies more from {least} on"), at: Vec::new() })
}

/// So many used cells of a side, one after the other.
const REGION: usize = 256;
/// How often a region is drawn until one has room for the fault.
const DRAWS: u32 = 50;

/// The used cells of a side from a drawn one on.
fn region_of(work: &Work, side: usize, random: &mut Random) -> anyhow::Result<Vec<Slot>> {
    let used: Vec<Slot> = work.table.positions.keys().copied().filter(|slot| slot.0 == side).collect();
    if used.len() < REGION {
        bail!("{} has {} cells of a side: too few for a region", work.table.name, used.len());
    }
    let from = random.below(used.len() - REGION + 1);
    Ok(used[from..from + REGION].to_vec())
}

/// The values of some cells in the places of others of the same side.
fn region(work: &mut Work, random: &mut Random) -> anyhow::Result<Planted> {
    for _ in 0..DRAWS {
        let side = random.below(2);
        let [from, to] = [region_of(work, side, random)?, region_of(work, side, random)?];
        let values: Vec<u16> = from.iter().map(|&slot| work.value(slot)).collect();
        if let Some(planted) = work.write(&to, &values, "the values of others") {
            return Ok(planted);
        }
    }
    bail!("{DRAWS} regions of {} are equal to others", work.table.name)
}

/// The values that the men of a region have with the other side to move.
fn sides(work: &mut Work, random: &mut Random) -> anyhow::Result<Planted> {
    for _ in 0..DRAWS {
        let side = random.below(2);
        let region = region_of(work, side, random)?;
        // With the other side to move some are illegal.
        let other = |slot| work.slot(&with_other_side(&work.table.positions[slot])).unwrap_or(*slot);
        let values: Vec<u16> = region.iter().map(|slot| work.value(other(slot))).collect();
        if let Some(planted) = work.write(&region, &values, "the values of the other side to move") {
            return Ok(planted);
        }
    }
    bail!("{DRAWS} regions of {} have the values of the other side", work.table.name)
}
