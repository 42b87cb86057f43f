//! Writes Syzygy files from our tables, byte for byte equal to the official ones.
//!
//! The writer makes the same choices as the official files where the format leaves one: the order of the men
//! ([`search`]), the values of open positions ([`filling`]), the paired symbols, and the order of equal
//! items. In reading order: the classes of positions, the symbols of classes, the orders of the men, of which
//! [`known`] ones need no search, and the walk through them, the sample, the compression, the bytes.

mod assemble;
mod blocks;
mod class;
mod classes;
mod classify;
mod compress;
mod distance_pairs;
mod exchange;
mod filling;
mod huffman;
mod known;
mod pairing;
mod permutations;
mod result_pairs;
mod runs;
mod sample;
mod search;
mod symbols;
mod walk;

use std::sync::OnceLock;

use rayon::prelude::*;

use super::Kind;
use super::file::{flag, is_symmetric};
use super::numbering::Numbering;
use crate::parallel::collected;
use crate::tables::{MAX_MEN, Material, Metric, TableSet};
use crate::{Color, Role};
use assemble::{Part, Values};
use classes::Classes;
use known::Known;
use permutations::Permutation;
use runs::Runs;
use sample::{Random, Segment};
use search::Choice;
use symbols::{Distances, Plies, Results};
use walk::Walk;

/// Why a file cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The writer does not support tables of this many men.
    #[error("{0} has not three to five men: such Syzygy files are not written")]
    Men(Material),
    /// A table that is needed is not in memory.
    #[error("the {1} table {0} is needed")]
    Missing(Material, Metric),
    /// There are more kinds of distances, or longer ones, than in any known table of five men.
    #[error(
        "{0} has more than 250 kinds of distances, or one of more than 612 plies: such Syzygy files are not written"
    )]
    Distances(Material),
}

/// The bytes of the files of a material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The `.rtbw` file.
    pub wdl: Vec<u8>,
    /// The `.rtbz` file.
    pub dtz: Vec<u8>,
}

impl Written {
    /// The bytes of a kind.
    pub fn of(&self, kind: Kind) -> &[u8] {
        match kind {
            Kind::Wdl => &self.wdl,
            Kind::Dtz => &self.dtz,
        }
    }
}

/// Writes both files of a material. It needs the DTZ table of the material and the DTM tables of smaller ones
/// of up to four men, in memory, and the DTZ tables of smaller ones of five men, which may be files.
///
/// # Errors
/// The material has not three to five men, a table is missing, or has distances that no table of five men
/// has.
pub fn write(material: Material, tables: &TableSet) -> Result<Written, WriteError> {
    write_in(material, tables, known::section)
}

/// The same with these known orders; others are searched for.
fn write_in(
    material: Material,
    tables: &TableSet,
    known: impl Fn(Material, usize) -> Option<Known>,
) -> Result<Written, WriteError> {
    if !(3..=MAX_MEN).contains(&material.men()) {
        return Err(WriteError::Men(material));
    }
    let classes = Classes::new(material, tables)?;
    let orders = permutations::all(classes.men());
    let mut random = Random::new();
    let leading_files = if material.has_pawns() { 0..4 } else { 0..1 };
    let (mut wdl, mut dtz) = (Vec::new(), Vec::new());
    for leading_file in leading_files {
        let known = known(material, leading_file);
        let section = Section::new(material, &classes, &orders, leading_file, known, &mut random);
        let (results, distances) = rayon::join(|| section.results(), || section.distances());
        wdl.push(results);
        dtz.push(vec![distances]);
    }
    let [wdl, dtz] =
        [(Kind::Wdl, wdl), (Kind::Dtz, dtz)].map(|(kind, parts)| assemble::file(material, kind, &parts));
    Ok(Written { wdl, dtz })
}

/// The tables of one file of the leading pawn, or all.
struct Section<'a> {
    classes: &'a Classes,
    orders: &'a [Permutation],
    leading_file: usize,
    known: Option<Known>,
    numberings: Vec<Numbering>,
    segments: Vec<Segment>,
    /// For each order the classes of the positions of the sample, once they are needed.
    samples: Vec<OnceLock<Runs<[u8; 2]>>>,
    sides: &'static [Color],
    results: Vec<Results>,
    distances: Vec<Distances>,
    plies: [Plies; 2],
}

impl<'a> Section<'a> {
    fn new(
        material: Material,
        classes: &'a Classes,
        orders: &'a [Permutation],
        leading_file: usize,
        known: Option<Known>,
        random: &mut Random,
    ) -> Self {
        let numbering = |order: &Permutation| {
            Numbering::new(&order.sequence, order.places, leading_file).expect("an order of the men")
        };
        let numberings: Vec<Numbering> = orders.iter().map(numbering).collect();
        let segments = sample::segments(numberings[0].size(), classes.men().len(), random);
        let censuses = Color::ALL.map(|side| classes.census(side, leading_file));
        let plies = Plies::from_censuses([&censuses[0], &censuses[1]]);
        let rare = rare(classes);
        let distances =
            censuses.iter().zip(plies).map(|(census, plies)| Distances::from_census(census, plies, rare));
        Self {
            classes,
            orders,
            leading_file,
            known,
            samples: numberings.iter().map(|_| OnceLock::new()).collect(),
            numberings,
            segments,
            sides: if is_symmetric(material) { &Color::ALL[..1] } else { &Color::ALL },
            results: censuses.iter().map(Results::from_census).collect(),
            distances: distances.collect(),
            plies,
        }
    }

    /// The classes of positions in an order.
    fn codes(&self, order: usize, segments: &[Segment]) -> Runs<[u8; 2]> {
        Walk::new(self.classes, &self.numberings[order], self.leading_file).codes(segments)
    }

    /// The symbols of all positions.
    fn whole(&self, order: usize, side: Color, symbols: &[u8; 256]) -> Runs {
        let codes = self.codes(order, &[(0, self.numberings[order].size())]);
        symbols_of(&codes, side, symbols)
    }

    /// The symbols of the sample.
    fn sample(&self, order: usize, side: Color, symbols: &[u8; 256]) -> Runs {
        // A thread that waits here cannot deadlock: `codes` gives no work to other threads.
        let codes = self.samples[order].get_or_init(|| self.codes(order, &self.segments));
        symbols_of(codes, side, symbols)
    }

    /// The best order for a table. `estimate` estimates its size with an order from the data of the sample.
    fn choose(&self, side: Color, symbols: &[u8; 256], estimate: impl Fn(&Runs) -> u64 + Sync) -> Choice {
        search::best(self.orders, |orders| {
            let size = |&order: &usize| estimate(&self.sample(order, side, symbols));
            collected(orders.par_iter().map(size))
        })
    }

    /// The WDL tables, by side to move.
    fn results(&self) -> Vec<Part<'a>> {
        let part = |&side: &Color| {
            let results = &self.results[side.index()];
            let flags = self.plies[side.index()].flags();
            if let Some(value) = results.single() {
                return Part {
                    order: &self.orders[0],
                    flags,
                    values: Values::Single(Some(value)),
                    maps: None,
                };
            }
            let symbols = &results.symbols;
            let searched =
                || self.choose(side, symbols, |data| compress::estimate_results(data, results)).order;
            let order = self.known.map_or_else(searched, |known| known.results[side.index()]);
            let data = self.whole(order, side, symbols);
            let values = Values::Compressed(Box::new(compress::results(&data, results)));
            Part { order: &self.orders[order], flags, values, maps: None }
        };
        collected(self.sides.par_iter().map(part))
    }

    /// The DTZ table of the side to move that makes it smaller.
    fn distances(&self) -> Part<'a> {
        let (side, order) = self.known.map_or_else(|| self.smaller_side(), |known| known.distances);
        let distances = &self.distances[side.index()];
        let flags = self.plies[side.index()].flags() | side.pick(0, flag::BLACK);
        let men = &self.orders[order];
        if distances.count == 1 {
            return Part { order: men, flags, values: Values::Single(None), maps: None };
        }
        let data = self.whole(order, side, &distances.symbols);
        let maps = distances.only_map().is_none().then(|| distances.maps.clone());
        Part {
            order: men,
            flags,
            values: Values::Compressed(Box::new(compress::distances(&data, distances))),
            maps,
        }
    }

    /// The side to move that makes the distances smaller, and their best order. White, if both are equal.
    fn smaller_side(&self) -> (Color, usize) {
        let choice = |&side: &Color| {
            let distances = &self.distances[side.index()];
            let nothing = (side, Choice { order: 0, size: 0 });
            if distances.count == 1 {
                return nothing;
            }
            let estimate = |data: &Runs| compress::estimate_distances(data, distances);
            (side, self.choose(side, &distances.symbols, estimate))
        };
        let choices = collected(self.sides.par_iter().map(choice));
        let smaller = choices.into_iter().min_by_key(|(_, choice)| choice.size);
        smaller.map_or((Color::White, 0), |(side, choice)| (side, choice.order))
    }
}

/// The symbols of classes with a side to move.
fn symbols_of(codes: &Runs<[u8; 2]>, side: Color, symbols: &[u8; 256]) -> Runs {
    codes.map(|code| u16::from(symbols[usize::from(code[side.index()])]))
}

/// A distance is rare if fewer positions have it.
fn rare(classes: &Classes) -> u64 {
    let men = classes.men();
    let pawns = men.iter().filter(|man| man.role == Role::Pawn).count() as u64;
    let others: u64 = (pawns.max(1)..men.len() as u64).map(|placed| 64 - placed).product();
    match (pawns, men.len()) {
        (0, 3) => 31_332 / 3_500,
        (0, 4) => 1_911_252 / 3_500,
        (0, _) => 114_675_120 / 3_500,
        _ => 6 * (1..pawns).map(|placed| 48 - placed).product::<u64>() * others / 7_000,
    }
}
