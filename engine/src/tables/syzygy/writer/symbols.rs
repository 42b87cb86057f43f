//! The symbols of each class in a table: results, numbers of distances, or open symbols.

use super::class::Class;
use super::classes::Census;
use super::exchange::exchange_sort;
use crate::tables::syzygy::file::flag;

/// The results that a WDL table stores are 0 for a loss to 4 for a win; from here on symbols are open.
pub(super) const OPEN: u16 = 5;
/// Open, but no better than a draw.
const UP_TO_DRAW: u8 = 6;
/// Open.
const ANY: u8 = 8;
/// The values of distances are below this: longer ones are refused when the classes are made.
const MOST_VALUES: usize = 256;

/// The lowest open symbol that may become a result.
pub(super) const fn lowest_open(result: u16) -> u16 {
    match result {
        0 | 1 => 5,
        _ => result + 4,
    }
}

/// The results of a WDL table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Results {
    /// Which results occur.
    pub(super) exist: [bool; 5],
    /// The results that long runs of open symbols become, by the lowest of them.
    pub(super) fillings: [u16; 4],
    /// The symbols of the classes, by their codes.
    pub(super) symbols: [u8; 256],
}

impl Results {
    /// The results of a table, given the number of positions of each class. A capture leads to at most four
    /// men, so no cursed win or blessed loss is open.
    pub(super) fn from_census(census: &Census) -> Self {
        let mut exist = [false; 5];
        let mut symbols = [ANY; 256];
        for (&(class, count), symbol) in census.iter().zip(&mut symbols) {
            *symbol = result_of(class);
            if let Some(exists) = exist.get_mut(usize::from(*symbol)) {
                *exists |= count > 0;
            }
        }
        let has_open_draw = census.iter().any(|&(class, count)| class == Class::CaptureDraw && count > 0);
        // There must be a result that open draws may become.
        let lowest = exist.iter().position(|&exists| exists).unwrap_or(exist.len());
        exist[0] |= lowest > if has_open_draw { 2 } else { 4 };
        let first = |results: &[u16], other: u16| {
            results.iter().copied().find(|&result| exist[usize::from(result)]).unwrap_or(other)
        };
        let loss = first(&[0], 1);
        let fillings = [loss, first(&[2], loss), first(&[2, 0, 3], 1), 0];
        let win = first(&[4], fillings[2]);
        Self { exist, fillings: [fillings[0], fillings[1], fillings[2], win], symbols }
    }

    /// How many results there are.
    pub(super) fn count(&self) -> usize {
        self.exist.iter().filter(|&&exists| exists).count()
    }

    /// The only result.
    pub(super) fn single(&self) -> Option<u8> {
        let first = self.exist.iter().position(|&exists| exists)?;
        (self.count() == 1).then_some(first as u8)
    }
}

/// The symbol of a class in a WDL table.
fn result_of(class: Class) -> u8 {
    match class {
        Class::Illegal | Class::CaptureWin => ANY,
        Class::Win(_) | Class::PawnWin => 4,
        Class::CursedWin(_) | Class::PawnCursedWin => 3,
        Class::Draw => 2,
        Class::CaptureDraw => UP_TO_DRAW,
        Class::BlessedLoss(_) => 1,
        Class::Loss(_) => 0,
    }
}

/// Which distances are stored in plies: those of wins and of losses. Distances of a hundred plies need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plies {
    pub(super) wins: bool,
    pub(super) losses: bool,
}

impl Plies {
    /// Of tables with White and with Black to move.
    pub(super) fn from_censuses(censuses: [&Census; 2]) -> [Self; 2] {
        const LONGEST: [Class; 2] = [Class::Win(100), Class::Loss(100)];
        let has = |side: usize, class: Class| {
            censuses[side].iter().any(|&(other, count)| other == class && count > 0)
        };
        let [white, black] = [0, 1].map(|side| has(side, LONGEST[0]) || has(1 - side, LONGEST[1]));
        [Self { wins: white, losses: black }, Self { wins: black, losses: white }]
    }

    pub(super) fn flags(self) -> u8 {
        let wins = if self.wins { flag::WIN_PLIES } else { 0 };
        wins | if self.losses { flag::LOSS_PLIES } else { 0 }
    }
}

/// The numbers of distances in a DTZ table: the most frequent first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Distances {
    /// Of wins, losses, cursed wins and blessed losses: the values of the numbers.
    pub(super) maps: [Vec<u16>; 4],
    /// How many numbers there are; the next number is the open symbol.
    pub(super) count: usize,
    /// The first number that is too rare to fill open runs.
    pub(super) first_rare: usize,
    /// The symbols of the classes, by their codes.
    pub(super) symbols: [u8; 256],
}

impl Distances {
    /// The distances of a table, given the number of positions of each class. A number of less than `rare`
    /// positions is rare.
    pub(super) fn from_census(census: &Census, plies: Plies, rare: u64) -> Self {
        let mut frequencies = [(); 4].map(|()| vec![0_u64; MOST_VALUES]);
        for &(class, count) in census {
            if let Some((map, value)) = stored(class, plies) {
                frequencies[map][usize::from(value)] += count;
            }
        }
        let maps = frequencies.each_ref().map(|frequencies| {
            let of = |value: &u16| frequencies[usize::from(*value)];
            let mut values: Vec<u16> = (0..MOST_VALUES as u16).filter(|value| of(value) > 0).collect();
            exchange_sort(&mut values, |one, other| of(one) < of(other));
            values
        });
        let count = maps.iter().map(Vec::len).max().unwrap_or_default().max(1);
        let frequency = |number: usize| -> u64 {
            let of = |(map, frequencies): (&Vec<u16>, &Vec<u64>)| {
                map.get(number).map_or(0, |&value| frequencies[usize::from(value)])
            };
            maps.iter().zip(&frequencies).map(of).sum()
        };
        let first_rare = (0..count).find(|&number| frequency(number) < rare).unwrap_or(count);
        let mut symbols = [count as u8; 256];
        for (&(class, _), symbol) in census.iter().zip(&mut symbols) {
            let number = stored(class, plies)
                .and_then(|(map, value)| maps[map].iter().position(|&other| other == value));
            *symbol = number.unwrap_or(count) as u8;
        }
        Self { maps, count, first_rare, symbols }
    }

    /// The map that holds all distances, if there is one: symbols are then its values, and no map is written.
    pub(super) fn only_map(&self) -> Option<&[u16]> {
        let longest = self.maps.iter().find(|map| map.len() == self.count)?;
        self.maps.iter().all(|map| longest.starts_with(map)).then_some(longest)
    }
}

/// The map and the value of a class that has a distance. Checkmate counts as a loss in one ply.
fn stored(class: Class, plies: Plies) -> Option<(usize, u16)> {
    let (map, in_plies, distance) = match class {
        Class::Win(distance) => (0, plies.wins, distance),
        Class::Loss(distance) => (1, plies.losses, distance),
        Class::CursedWin(moves) => return Some((2, moves)),
        Class::BlessedLoss(moves) => return Some((3, moves)),
        _ => return None,
    };
    let rest = distance.saturating_sub(1);
    Some((map, if in_plies { rest } else { rest / 2 }))
}
