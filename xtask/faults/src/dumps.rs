//! Wrong rows of a dump: `verify --dump` has to name the line of each, and no other.
//!
//! All faults of a group stand in one dump. The program judges each row by itself, so that none hides
//! another.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;

use crate::found::{Found, Place};
use crate::outcome::{Done, Fault};
use crate::plant::{Draw, Plan, Random};
use crate::product::Product;
use crate::rows::{Row, Table, Value};

/// Tables of three men.
const TABLES: [&str; 5] = ["KPvK", "KNvK", "KBvK", "KRvK", "KQvK"];
/// Those with wins.
const DECIDED: [&str; 3] = ["KPvK", "KRvK", "KQvK"];

/// So many faults of a class in a table, and in a quick run.
const FAULTS: usize = 1_000;
const QUICK: usize = 100;

/// The value of a row with the fault; none if the fault cannot be there.
type Change = for<'a> fn(&Table<'a>, usize, &mut Random) -> Option<Value<'a>>;

fn plies_changed<'a>(table: &Table<'a>, row: usize, change: i16) -> Option<Value<'a>> {
    let value = table.value(row);
    let plies = value.plies?.checked_add_signed(change)?;
    // A win in 0 plies is no value: the row would not be read.
    (plies > 0 || value.result == "loss").then_some(Value { plies: Some(plies), ..value })
}

fn result_changed<'a>(table: &Table<'a>, row: usize, from: &str, to: &'static str) -> Option<Value<'a>> {
    let value = table.value(row);
    let plies = match to {
        "draw" => None,
        // Wins have odd distances, losses even ones.
        "win" => Some(value.plies.map_or(1, |plies| plies + 1)),
        _ => Some(value.plies.map_or(2, |plies| plies.saturating_sub(1))),
    };
    (value.result == from).then_some(Value { result: to, plies })
}

/// The classes of faults in one row.
const CLASSES: [(&str, &[&str], Change); 12] = [
    ("one-ply-longer", &DECIDED, |table, row, _| plies_changed(table, row, 1)),
    ("one-ply-shorter", &DECIDED, |table, row, _| plies_changed(table, row, -1)),
    ("two-plies-longer", &DECIDED, |table, row, _| plies_changed(table, row, 2)),
    ("two-plies-shorter", &DECIDED, |table, row, _| plies_changed(table, row, -2)),
    ("draw-for-win", &DECIDED, |table, row, _| result_changed(table, row, "win", "draw")),
    ("draw-for-loss", &DECIDED, |table, row, _| result_changed(table, row, "loss", "draw")),
    ("loss-for-win", &DECIDED, |table, row, _| result_changed(table, row, "win", "loss")),
    ("win-for-loss", &DECIDED, |table, row, _| result_changed(table, row, "loss", "win")),
    ("win-for-draw", &TABLES, |table, row, _| result_changed(table, row, "draw", "win")),
    ("loss-for-draw", &TABLES, |table, row, _| result_changed(table, row, "draw", "loss")),
    ("other-side", &DECIDED, |table, row, _| other_side(table, row)),
    ("other-entry", &DECIDED, |table, row, random| {
        let other = table.value(random.below(table.rows.len()));
        (other != table.value(row)).then_some(other)
    }),
];

/// The value of the same men with the other side to move.
fn other_side<'a>(table: &Table<'a>, row: usize) -> Option<Value<'a>> {
    let fen = table.rows[row].fen;
    let exchanged = if fen.contains(" w ") { fen.replace(" w ", " b ") } else { fen.replace(" b ", " w ") };
    let other = table.value_of(&exchanged)?;
    (other != table.value(row)).then_some(other)
}

/// All groups.
pub(crate) fn plans(draw: Draw) -> Vec<Plan> {
    let of_class = |&(class, tables, change): &(&'static str, &'static [&'static str], Change)| {
        let of_table = move |table: &'static str| {
            let id = format!("dump/{table}/{class}");
            Plan::new(id.clone(), move |product, draw, only| values(product, draw, only, table, &id, change))
        };
        draw.share("dump", tables).into_iter().map(of_table).collect::<Vec<_>>()
    };
    let stalemates = draw.share("dump", &DECIDED).into_iter().map(|table| {
        let id = format!("dump/{table}/mate-for-stalemate");
        Plan::new(id.clone(), move |product, draw, only| values(product, draw, only, table, &id, mated))
    });
    let regions = draw.share("dump", &DECIDED).into_iter().map(|table| {
        let id = format!("dump/{table}/region");
        Plan::new(id.clone(), move |product, draw, only| region(product, draw, only, table, &id))
    });
    let others = draw.share("dump", &DECIDED).into_iter().flat_map(|table| {
        [("illegal-row", illegal as OfLines), ("doubled-row", doubled), ("forgotten-row", forgotten)].map(
            |(class, change)| {
                let id = format!("dump/{table}/{class}");
                Plan::new(id.clone(), move |product, draw, only| {
                    one_row(product, draw, only, table, &id, change)
                })
            },
        )
    });
    CLASSES.iter().flat_map(of_class).chain(stalemates).chain(regions).chain(others).collect()
}

/// A stalemate taken for a mate.
fn mated<'a>(table: &Table<'a>, row: usize, _: &mut Random) -> Option<Value<'a>> {
    table.is_stalemate(row).then_some(Value { result: "loss", plies: Some(0) })
}

/// Plants wrong values in drawn rows.
fn values(
    product: &Product,
    draw: Draw,
    only: Option<u32>,
    name: &str,
    id: &str,
    change: Change,
) -> anyhow::Result<Done> {
    let text = product.export(name)?;
    let stalemates = if id.ends_with("stalemate") { product.stalemates(name)? } else { BTreeSet::new() };
    let table = Table::new(&text, stalemates)?;
    let mut random = draw.of(id);
    let wanted = if draw.quick { QUICK } else { FAULTS };
    let mut planted = Vec::new();
    // Few rows may have room for the fault: each is tried, from a drawn one on.
    let (rows, start) = (table.rows.len(), random.below(table.rows.len()));
    let step = coprime(rows, random.below(rows));
    for number in 0..rows {
        if planted.len() == wanted {
            break;
        }
        let row = (start + number * step) % rows;
        if let Some(value) = change(&table, row, &mut random) {
            planted.push((row, value));
        }
    }
    judge(product, draw, id, name, &table, &kept(planted, only))
}

/// The faults that are asked for. Their numbers are the order in which they were drawn, so that a quick run
/// plants the first ones of a whole run.
fn kept(planted: Vec<(usize, Value<'_>)>, only: Option<u32>) -> Vec<(u32, usize, Value<'_>)> {
    let numbered = (0..).zip(planted).map(|(number, (row, value))| (number, row, value));
    numbered.filter(|(number, ..)| only.is_none_or(|only| only == *number)).collect()
}

/// A step with which all of `count` rows are visited, near a drawn number.
fn coprime(count: usize, drawn: usize) -> usize {
    let divisor = |mut one: usize, mut other: usize| {
        while other > 0 {
            (one, other) = (other, one % other);
        }
        one
    };
    (drawn.max(1)..=drawn + count).find(|&step| divisor(step, count) == 1).unwrap_or(1)
}

/// Plants the values of one region of the table in another.
fn region(product: &Product, draw: Draw, only: Option<u32>, name: &str, id: &str) -> anyhow::Result<Done> {
    const ROWS: usize = 512;
    let text = product.export(name)?;
    let table = Table::new(&text, BTreeSet::new())?;
    if table.rows.len() < 2 * ROWS {
        bail!("{name} has {} rows: too few for two regions", table.rows.len());
    }
    let mut random = draw.of(id);
    // Two regions that do not overlap.
    let from = random.below(table.rows.len() - ROWS);
    let to = (from + ROWS + random.below(table.rows.len() - 2 * ROWS + 1)) % (table.rows.len() - ROWS + 1);
    let copied = (0..ROWS).filter_map(|row| {
        let value = table.value(from + row);
        (value != table.value(to + row)).then_some((to + row, value))
    });
    judge(product, draw, id, name, &table, &kept(copied.collect(), only))
}

/// In a quick run a dump has the rows with faults, and of the others one of so many.
const LEFT_OUT: usize = 64;

/// Writes the dump and asks the program for it.
fn judge(
    product: &Product,
    draw: Draw,
    id: &str,
    name: &str,
    table: &Table,
    planted: &[(u32, usize, Value)],
) -> anyhow::Result<Done> {
    let values: BTreeMap<usize, Value> = planted.iter().map(|&(_, row, value)| (row, value)).collect();
    let is_written = |row: &usize| !draw.quick || row.is_multiple_of(LEFT_OUT) || values.contains_key(row);
    let written: Vec<usize> = (0..table.rows.len()).filter(is_written).collect();
    // The control has the same rows. Whole dumps of a table are the same for all classes.
    let (option, of_control) = if draw.quick { (" --partial", id) } else { ("", name) };
    let control = product.control(of_control, || {
        Ok(Found::of(product, name, option, &table.dump(&written, &BTreeMap::new()))?.control())
    })?;
    let found = Found::of(product, name, option, &table.dump(&written, &values))?;
    // The heading is line 1.
    let line_of: BTreeMap<usize, usize> = written.iter().copied().zip(2..).collect();
    let faults = planted.iter().map(|&(number, row, value)| {
        let Row { fen, value: true_value } = table.rows[row];
        let planted = format!("{} for {}{}", value.in_words(), true_value.in_words(), found.end());
        let caught_by = found.at(&Place::Line(line_of[&row]));
        Fault { number, place: fen.to_owned(), planted, caught_by }
    });
    let lines: BTreeSet<usize> = values.keys().map(|row| line_of[row]).collect();
    Ok(Done { faults: faults.collect(), control, invented: found.others(&lines, None), time: found.time })
}

impl Product {
    /// The stalemates of a table, as the program lists them.
    fn stalemates(&self, name: &str) -> anyhow::Result<BTreeSet<String>> {
        let asked = format!("tables explore {name} --only stalemate --limit 100000");
        Ok(self.prepare(&asked)?.stdout.lines().map(str::to_owned).collect())
    }
}

/// Changes the lines of a dump of a table, heading included.
type OfLines = fn(&mut Vec<String>, &str, &mut Random) -> Changed;

/// A change of lines: the position, what was done, and what the program has to name.
struct Changed {
    fen: String,
    planted: &'static str,
    place: Place,
}

/// An illegal position with a value: the kings stand side by side.
fn illegal(lines: &mut Vec<String>, _: &str, random: &mut Random) -> Changed {
    let file = random.below(7);
    let empty = |count: usize| if count > 0 { count.to_string() } else { String::new() };
    let fen = format!("8/8/8/8/8/8/8/{}Kk{} w - - 0 1", empty(file), empty(6 - file));
    lines.push(format!("{fen},draw,"));
    Changed { fen, planted: "draw for an illegal position", place: Place::Line(lines.len()) }
}

/// A row in the place of another: as many rows as there were, and one position less.
#[expect(clippy::ptr_arg, reason = "one of several functions that change the lines")]
fn doubled(lines: &mut Vec<String>, table: &str, random: &mut Random) -> Changed {
    let lost = 2 + random.below(lines.len() - 2);
    let fen = fen(&lines[lost]);
    let other = lines[lost - 1].clone();
    lines[lost] = other;
    Changed { fen, planted: "the row of another position", place: Place::Case(COVERAGE, table.to_owned()) }
}

/// A position without a row.
fn forgotten(lines: &mut Vec<String>, table: &str, random: &mut Random) -> Changed {
    let row = lines.remove(1 + random.below(lines.len() - 1));
    Changed { fen: fen(&row), planted: "no row", place: Place::Case(COVERAGE, table.to_owned()) }
}

const COVERAGE: &str = "dump/coverage";

fn fen(row: &str) -> String {
    row.split(',').next().unwrap_or_default().to_owned()
}

/// Plants faults that change the lines of a dump, each in a dump of its own.
fn one_row(
    product: &Product,
    draw: Draw,
    only: Option<u32>,
    name: &str,
    id: &str,
    change: OfLines,
) -> anyhow::Result<Done> {
    let text = product.export(name)?;
    let control =
        product.control(&format!("{name}, whole"), || Ok(Found::of(product, name, "", &text)?.control()))?;
    let mut random = draw.of(id);
    let mut done = Done::new(control);
    for number in 0..if draw.quick { 1 } else { 3 } {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        if lines.len() < 3 {
            bail!("{name} has fewer than two rows");
        }
        let Changed { fen, planted, place } = change(&mut lines, name, &mut random);
        if only.is_some_and(|only| only != number) {
            continue;
        }
        let found = Found::of(product, name, "", &(lines.join("\n") + "\n"))?;
        let planted_line = match place {
            Place::Line(line) => Some(line),
            Place::Case(..) => None,
        };
        done.time += found.time;
        done.invented.extend(found.others(&planted_line.into_iter().collect(), Some(&place)));
        let planted = format!("{planted}{}", found.end());
        done.faults.push(Fault { number, place: fen, planted, caught_by: found.at(&place) });
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fen,wdl,dtm\na w ,win,3\na b ,loss,2\nb w ,draw,\n";

    #[test]
    fn each_class_changes_the_value() {
        let table = Table::new(TEXT, BTreeSet::from(["b w ".to_owned()])).unwrap();
        let mut random = Draw { seed: 1, quick: false }.of("x");
        let text = |value: Option<Value>| value.map(|value| value.to_string()).unwrap_or_default();
        let mut changed = |class: &str, row| {
            let (_, _, change) = CLASSES.iter().find(|(name, ..)| *name == class).unwrap();
            text(change(&table, row, &mut random))
        };
        assert_eq!(
            (changed("one-ply-longer", 0), changed("two-plies-shorter", 0)),
            ("win,4".into(), "win,1".into())
        );
        assert_eq!((changed("draw-for-win", 0), changed("draw-for-win", 1)), ("draw,".into(), String::new()));
        assert_eq!(
            (changed("win-for-loss", 1), changed("loss-for-win", 0)),
            ("win,3".into(), "loss,2".into())
        );
        assert_eq!(
            (changed("loss-for-draw", 2), changed("win-for-draw", 2)),
            ("loss,2".into(), "win,1".into())
        );
        assert_eq!((changed("other-side", 0), changed("other-side", 2)), ("loss,2".into(), String::new()));
        assert_eq!(text(mated(&table, 2, &mut random)), "loss,0");
        assert_eq!(text(mated(&table, 0, &mut random)), "");
    }

    #[test]
    fn a_step_visits_all_rows() {
        for count in [1, 2, 6, 30, 64] {
            for drawn in 0..count {
                let step = coprime(count, drawn);
                let visited: BTreeSet<usize> = (0..count).map(|number| number * step % count).collect();
                assert_eq!(visited.len(), count, "{count} {drawn}");
            }
        }
    }
}
