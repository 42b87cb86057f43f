//! What a table stores of each class: results, or numbers of distances; and what it may leave open.

use super::classes::{Census, Class};
use super::exchange::exchange_sort;
use crate::tables::syzygy::file::flag;

/// The results that a WDL table stores are 0 for a loss to 4 for a win; from here on symbols are open.
pub(super) const OPEN: u16 = 5;
/// Open, but no better than a draw.
const UP_TO_DRAW: u8 = 6;
/// Open.
const ANY: u8 = 8;

/// The lowest open symbol that may become a result.
pub(super) const fn lowest_open(result: u16) -> u16 {
    match result {
        0 | 1 => 5,
        _ => result + 4,
    }
}

/// The results of a WDL table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Results {
    /// Which results there are.
    pub(super) exist: [bool; 5],
    /// What long runs of open symbols become, by the lowest of them.
    pub(super) fillings: [u16; 4],
}

impl Results {
    /// The results of a table with so many positions of each class. There are no cursed wins.
    pub(super) fn of(census: &Census) -> Self {
        let any = |is_in: fn(Class) -> bool| {
            (0..=u8::MAX).any(|code| census[usize::from(code)] > 0 && is_in(Class::of_code(code)))
        };
        let has_win = any(|class| matches!(class, Class::Win(_) | Class::PawnWin));
        let has_draw = any(|class| class == Class::Draw);
        let mut has_loss = any(|class| matches!(class, Class::Loss(_)));
        let has_open_draw = any(|class| class == Class::CaptureDraw);
        // There must be a result that open draws may become.
        let lowest = if has_loss {
            0
        } else if has_draw {
            2
        } else if has_win {
            4
        } else {
            5
        };
        let open = if has_open_draw { 1 } else { 3 };
        has_loss |= lowest > open + 1;
        let loss = u16::from(!has_loss);
        let draw = if has_draw { 2 } else { loss };
        let win = if has_win { 4 } else { draw };
        Self { exist: [has_loss, false, has_draw, false, has_win], fillings: [loss, draw, draw, win] }
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

/// The symbols of the classes in a WDL table.
pub(super) fn of_results() -> [u8; 256] {
    std::array::from_fn(|code| match Class::of_code(code as u8) {
        Class::Illegal | Class::CaptureWin => ANY,
        Class::Win(_) | Class::PawnWin => 4,
        Class::Draw => 2,
        Class::CaptureDraw => UP_TO_DRAW,
        Class::Loss(_) => 0,
    })
}

/// Which distances are stored in plies: those of wins and of losses. Distances of a hundred plies need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plies {
    pub(super) wins: bool,
    pub(super) losses: bool,
}

impl Plies {
    /// Of tables with White and with Black to move.
    pub(super) fn of(censuses: [&Census; 2]) -> [Self; 2] {
        const LONGEST: [Class; 2] = [Class::Win(100), Class::Loss(100)];
        let has = |side: usize, class: Class| censuses[side][usize::from(class.code())] > 0;
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
    /// Of wins and losses: the values of the numbers. Those of cursed wins and blessed losses are empty here.
    pub(super) maps: [Vec<u16>; 4],
    /// How many numbers there are; the next one is the symbol of what is open.
    pub(super) count: usize,
    /// The first number that is too rare to fill open runs.
    pub(super) first_rare: usize,
    plies: Plies,
}

impl Distances {
    /// The distances of a table with so many positions of each class; numbers of less than `rare` positions are rare.
    pub(super) fn of(census: &Census, plies: Plies, rare: u64) -> Self {
        let mut frequencies = [vec![0_u64; 101], vec![0; 101]];
        for code in (0..=u8::MAX).filter(|&code| census[usize::from(code)] > 0) {
            if let Some((map, value)) = stored(Class::of_code(code), plies) {
                frequencies[map][usize::from(value)] += census[usize::from(code)];
            }
        }
        let map = |frequencies: &Vec<u64>| {
            let mut values: Vec<u16> =
                (0..101).filter(|&value| frequencies[usize::from(value)] > 0).collect();
            let of = |value: &u16| frequencies[usize::from(*value)];
            exchange_sort(&mut values, |one, other| of(one) < of(other));
            values
        };
        let [wins, losses] = [map(&frequencies[0]), map(&frequencies[1])];
        let count = wins.len().max(losses.len()).max(1);
        let frequency = |number: usize| -> u64 {
            let of = |(map, frequencies): (&Vec<u16>, &Vec<u64>)| {
                map.get(number).map_or(0, |&value| frequencies[usize::from(value)])
            };
            [&wins, &losses].into_iter().zip(&frequencies).map(of).sum()
        };
        let first_rare = (0..count).find(|&number| frequency(number) < rare).unwrap_or(count);
        Self { maps: [wins, losses, Vec::new(), Vec::new()], count, first_rare, plies }
    }

    /// The symbols of the classes.
    pub(super) fn symbols(&self) -> [u8; 256] {
        std::array::from_fn(|code| {
            let number = stored(Class::of_code(code as u8), self.plies)
                .and_then(|(map, value)| self.maps[map].iter().position(|&other| other == u16::from(value)));
            number.unwrap_or(self.count) as u8
        })
    }

    /// The map that holds all others, if there is one: then symbols are its values, and no map is written.
    pub(super) fn only_map(&self) -> Option<&[u16]> {
        let longest = self.maps.iter().find(|map| map.len() == self.count)?;
        self.maps.iter().all(|map| longest.starts_with(map)).then_some(longest)
    }
}

/// The map and the value of a class that has a distance. Checkmate counts as a loss in one ply.
fn stored(class: Class, plies: Plies) -> Option<(usize, u8)> {
    let (map, in_plies, distance) = match class {
        Class::Win(distance) => (0, plies.wins, distance),
        Class::Loss(distance) => (1, plies.losses, distance),
        _ => return None,
    };
    let rest = distance.saturating_sub(1);
    Some((map, if in_plies { rest } else { rest / 2 }))
}
