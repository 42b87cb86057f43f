//! Wrong cells of our own table files, under counts and checksums that are right for them. `tables check` has to find what does not follow
//! from the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use anyhow::{Context, bail};

use crate::draw::{Draw, Random};
use crate::outcome::{Done, Fault};
use crate::plant::Plan;
use crate::product::{Difference, Ended, Product};
use crate::table_file::{DRAW, Place, TableFile, decided, plies};

/// Files of distances to mate, and of distances to zeroing moves.
const FILES: [&str; 5] = ["KPvK.dtm", "KRvK.dtm", "KQvK.dtm", "KPvK.dtz", "KRvK.dtz"];
/// Where they are written, and changed.
const FOLDER: &str = "cells";

/// A class of faults: how many are planted, and in a quick run.
struct Class {
    name: &'static str,
    faults: [u32; 2],
    /// Whether it needs distances to mate, which follow from the moves.
    of_mates: bool,
    plant: Plant,
}

/// Changes cells of a file. Returns what it did.
type Plant = fn(&mut Work, &mut Random) -> anyhow::Result<Planted>;

struct Planted {
    what: String,
    /// The position that the program has to name; if there is none, a finding at any place is enough.
    at: Option<Place>,
}

const CLASSES: [Class; 7] = [
    Class { name: "cell", faults: [20, 2], of_mates: false, plant: cell },
    Class { name: "swapped", faults: [20, 2], of_mates: false, plant: swapped },
    Class { name: "pair", faults: [20, 1], of_mates: true, plant: |work, random| chain(work, random, 1) },
    Class { name: "chain", faults: [10, 1], of_mates: true, plant: |work, random| chain(work, random, 3) },
    Class { name: "longer-from-here", faults: [3, 1], of_mates: true, plant: longer },
    Class { name: "region", faults: [10, 1], of_mates: false, plant: region },
    Class { name: "sides", faults: [10, 1], of_mates: false, plant: sides },
];

/// A file of a table that is right.
struct Table {
    /// Such as `KPvK.dtm`.
    name: &'static str,
    file: TableFile,
    /// The used cells, with a position of each.
    positions: BTreeMap<Place, String>,
    /// The cell of each position.
    places: BTreeMap<String, Place>,
}

/// A file under work.
struct Work<'a> {
    product: &'a Product,
    table: &'a Table,
    file: TableFile,
}

/// All groups. Those of a table share what is known of it.
pub(crate) fn plans(draw: Draw) -> Vec<Plan> {
    let of_table = |name: &'static str| {
        let table = Arc::new(OnceLock::new());
        let has = |class: &&Class| name.ends_with("dtm") || !class.of_mates;
        CLASSES.iter().filter(has).map(move |class| {
            let (id, table) = (format!("table-cells/{name}/{}", class.name), table.clone());
            Plan::new(id.clone(), move |product, draw, only| {
                if table.get().is_none() {
                    _ = table.set(Table::of(product, name)?);
                }
                let table = table.get().context("a table is known twice")?;
                judged(product, table, class, &id, draw, only)
            })
        })
    };
    draw.share("table-cells", &FILES).into_iter().flat_map(of_table).collect()
}

fn judged(
    product: &Product,
    table: &Table,
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
    for number in 0..class.faults[usize::from(draw.quick)] {
        if only.is_some_and(|only| only != number) {
            continue;
        }
        let mut work = work();
        let Planted { what, at } = (class.plant)(&mut work, &mut draw.of(&format!("{id}/{number}")))?;
        let (ended, differences) = work.asked()?;
        done.time += ended.time;
        let is_it = |difference: &Difference| at.is_none() || at == work.place(&difference.fen);
        let caught = differences.into_iter().filter(is_it).map(|difference| difference.check);
        let caught_by = if ended.code == 1 { caught.collect() } else { BTreeSet::new() };
        let planted = if caught_by.is_empty() { format!("{what} (exit code {})", ended.code) } else { what };
        let place = at.map_or_else(|| table.name.to_owned(), |at| table.positions[&at].clone());
        done.faults.push(Fault { number, place, planted, caught_by });
    }
    Ok(done)
}

impl Table {
    /// Builds it. The program tells which cell a position has: it exports files whose distances are the numbers of the slots.
    fn of(product: &Product, name: &'static str) -> anyhow::Result<Self> {
        /// Distances have two bytes.
        const BASE: usize = 10_000;
        let table = name.split('.').next().unwrap_or_default();
        product.prepare(&format!("tables build {table} --out {FOLDER}"))?;
        let mates = product.path(FOLDER).join(format!("{table}.dtm"));
        let [file, numbers] = [product.path(FOLDER).join(name), mates.clone()].map(|path| {
            let bytes = std::fs::read(&path).with_context(|| format!("{} was not written", path.display()));
            TableFile::parse(&bytes?)
        });
        let (file, numbers) = (file?, numbers?);
        let mut places: BTreeMap<String, Place> = BTreeMap::new();
        for (is_high, worth) in [(false, 1), (true, BASE)] {
            std::fs::write(&mates, numbers.numbered(BASE, is_high).bytes()?)?;
            product
                .prepare(&format!("tables export {table} --file {FOLDER}/{table}.dtm --out numbered.csv"))?;
            let mut reader = csv::Reader::from_path(product.path("numbered.csv"))?;
            for row in reader.deserialize() {
                let (fen, _, plies): (String, String, usize) = row?;
                let side = usize::from(fen.contains(" b "));
                places.entry(fen).or_insert((side, 0)).1 += worth * (plies / 2);
            }
        }
        std::fs::write(&mates, numbers.bytes()?)?;
        // Of several images one stays.
        let positions = places.iter().map(|(fen, place)| (*place, fen.clone())).collect();
        Ok(Self { name, file, positions, places })
    }
}

impl Work<'_> {
    fn place(&self, fen: &str) -> Option<Place> {
        self.table.places.get(fen).copied()
    }

    fn value(&self, (side, slot): Place) -> u16 {
        self.file.cells[side][slot]
    }

    /// A used cell that is taken, if there is one.
    fn drawn(&self, random: &mut Random, takes: impl Fn(Place) -> bool) -> anyhow::Result<Place> {
        let used: Vec<Place> = self.table.positions.keys().copied().filter(|&place| takes(place)).collect();
        if used.is_empty() {
            bail!("no cell of {} has room for the fault", self.table.name);
        }
        Ok(used[random.below(used.len())])
    }

    /// What the program expects in other cells than those that are there.
    fn expected(&self) -> anyhow::Result<BTreeMap<Place, u16>> {
        let (_, differences) = self.asked()?;
        let expected = differences.iter();
        let expected = expected
            .filter_map(|difference| Some((self.place(&difference.fen)?, decided(difference.expected()?))));
        Ok(expected.collect())
    }

    /// Writes these values in a region. At least one is another.
    fn write(&mut self, region: &[Place], values: &[u16], what: &str) -> anyhow::Result<Planted> {
        let changed = region.iter().zip(values).filter(|&(&place, &value)| self.value(place) != value);
        let changed: Vec<(Place, u16)> = changed.map(|(&place, &value)| (place, value)).collect();
        let &[(first, _), ..] = &changed[..] else { bail!("a region of {} has no fault", self.table.name) };
        for &(place, value) in &changed {
            self.file.set(place, value);
        }
        let what = format!("{what} in {} cells, from {} on", changed.len(), self.table.positions[&first]);
        Ok(Planted { what, at: None })
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
        Some(plies) if plies % 2 == 1 => format!("win in {plies}"),
        Some(plies) => format!("loss in {plies}"),
    }
}

/// A cell with another value that its side has in this table, or a draw.
fn cell(work: &mut Work, random: &mut Random) -> anyhow::Result<Planted> {
    let at = work.drawn(random, |_| true)?;
    let (old, other) = (work.value(at), work.drawn(random, |place| place.0 == at.0)?);
    let new = if work.value(other) == old {
        if old == DRAW { decided(3) } else { DRAW }
    } else {
        work.value(other)
    };
    work.file.set(at, new);
    Ok(Planted { what: format!("{} for {}", in_words(new), in_words(old)), at: Some(at) })
}

/// Two cells exchanged.
fn swapped(work: &mut Work, random: &mut Random) -> anyhow::Result<Planted> {
    let at = work.drawn(random, |_| true)?;
    let old = work.value(at);
    let other = work.drawn(random, |place| place.0 == at.0 && work.value(place) != old)?;
    let new = work.value(other);
    work.file.set(at, new);
    work.file.set(other, old);
    let what =
        format!("{} for {}, exchanged with {}", in_words(new), in_words(old), work.table.positions[&other]);
    Ok(Planted { what, at: Some(at) })
}

/// A wrong distance, and all that follows from it for so many plies back: only the first one contradicts its successors.
fn chain(work: &mut Work, random: &mut Random, plies_back: u32) -> anyhow::Result<Planted> {
    /// From most distances something follows.
    const DRAWS: u32 = 50;
    for _ in 0..DRAWS {
        let at = work.drawn(random, |place| plies(work.value(place)).is_some_and(|plies| plies > 2))?;
        let old = work.value(at);
        let distance = plies(old).context("a draw was drawn")?;
        let new = decided(if random.below(2) == 0 { distance + 2 } else { distance - 2 });
        work.file.set(at, new);
        let mut followed = BTreeSet::new();
        for _ in 0..plies_back {
            for (place, cell) in work.expected()?.into_iter().filter(|&(place, _)| place != at) {
                work.file.set(place, cell);
                followed.insert(place);
            }
        }
        if !followed.is_empty() {
            let what =
                format!("{} for {}, and {} cells that follow", in_words(new), in_words(old), followed.len());
            return Ok(Planted { what, at: Some(at) });
        }
        work.file.clone_from(&work.table.file);
    }
    bail!("nothing follows from {DRAWS} drawn cells of {}", work.table.name)
}

/// The longest distances, from a drawn one on, are two plies longer: only the least of them contradict their successors.
fn longer(work: &mut Work, random: &mut Random) -> anyhow::Result<Planted> {
    /// So many plies below the longest distance.
    const BELOW: usize = 8;
    let distances = work.table.positions.keys().filter_map(|&place| Some((plies(work.value(place))?, place)));
    let distances: Vec<(u16, Place)> = distances.collect();
    let longest = distances.iter().map(|(plies, _)| *plies).max().context("no distances")?;
    let least = longest.saturating_sub(random.below(BELOW) as u16);
    for (plies, place) in distances {
        if plies >= least {
            work.file.set(place, decided(plies + 2));
        }
    }
    Ok(Planted { what: format!("two plies more from {least} on"), at: None })
}

/// So many used cells of a side, one after the other.
const REGION: usize = 256;

/// The used cells of a side from a drawn one on.
fn region_of(work: &Work, side: usize, random: &mut Random) -> anyhow::Result<Vec<Place>> {
    let used: Vec<Place> = work.table.positions.keys().copied().filter(|place| place.0 == side).collect();
    if used.len() < REGION {
        bail!("{} has {} cells of a side: too few for a region", work.table.name, used.len());
    }
    let from = random.below(used.len() - REGION + 1);
    Ok(used[from..from + REGION].to_vec())
}

/// The values of some cells in the places of others of the same side.
fn region(work: &mut Work, random: &mut Random) -> anyhow::Result<Planted> {
    let side = random.below(2);
    let [from, to] = [region_of(work, side, random)?, region_of(work, side, random)?];
    let values: Vec<u16> = from.iter().map(|&place| work.value(place)).collect();
    work.write(&to, &values, "the values of others")
}

/// The values that the men of a region have with the other side to move.
fn sides(work: &mut Work, random: &mut Random) -> anyhow::Result<Planted> {
    let side = random.below(2);
    let region = region_of(work, side, random)?;
    let value = |place: &Place| {
        let fen = &work.table.positions[place];
        let other = if place.0 == 0 { fen.replace(" w ", " b ") } else { fen.replace(" b ", " w ") };
        // With the other side to move some are illegal.
        work.value(work.place(&other).unwrap_or(*place))
    };
    let values: Vec<u16> = region.iter().map(value).collect();
    work.write(&region, &values, "the values of the other side to move")
}
