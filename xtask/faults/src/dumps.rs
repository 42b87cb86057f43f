//! Wrong rows of a dump: `verify --dump` has to name the line of each, and no other.
//!
//! All wrong values of a table stand in one dump. The program judges each row by itself, so that none hides another.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow, bail};

use crate::draw::{Draw, Random};
use crate::found::{Found, Place};
use crate::outcome::{Done, Fault};
use crate::plant::Plan;
use crate::product::{Product, share};
use crate::rows::{Row, Table, Value, with_other_side};

/// Tables of three men with wins.
const DECIDED: [&str; 3] = ["KPvK", "KRvK", "KQvK"];
/// Those that are drawn throughout.
const DRAWN: [&str; 2] = ["KNvK", "KBvK"];
/// Tables of four men. Of their positions [`Product::export`] has a share.
const FOUR_MEN: [&str; 6] = ["KPvKP", "KRvKP", "KQvKR", "KRvKB", "KBNvK", "KPPvK"];
/// A table of five men, in which the fifty-move rule makes some wins draws.
const FIVE_MEN: [&str; 1] = ["KBNvKN"];

/// So many faults of a class in a table: with wins, drawn throughout, and in a quick run.
const FAULTS: usize = 1_000;
const FAULTS_DRAWN: usize = 5_000;
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

/// A class of faults in one row.
struct Class {
    name: &'static str,
    change: Change,
}

const fn class(name: &'static str, change: Change) -> Class {
    Class { name, change }
}

const STALEMATE: &str = "mate-for-stalemate";

const CLASSES: [Class; 13] = [
    class("win-for-draw", |table, row, _| result_changed(table, row, "draw", "win")),
    class("loss-for-draw", |table, row, _| result_changed(table, row, "draw", "loss")),
    class(STALEMATE, |table, row, _| mated(table, row)),
    class("one-ply-longer", |table, row, _| plies_changed(table, row, 1)),
    class("one-ply-shorter", |table, row, _| plies_changed(table, row, -1)),
    class("two-plies-longer", |table, row, _| plies_changed(table, row, 2)),
    class("two-plies-shorter", |table, row, _| plies_changed(table, row, -2)),
    class("draw-for-win", |table, row, _| result_changed(table, row, "win", "draw")),
    class("draw-for-loss", |table, row, _| result_changed(table, row, "loss", "draw")),
    class("loss-for-win", |table, row, _| result_changed(table, row, "win", "loss")),
    class("win-for-loss", |table, row, _| result_changed(table, row, "loss", "win")),
    class("other-side", |table, row, _| other_side(table, row)),
    class("other-entry", |table, row, random| {
        let other = table.value(random.below(table.rows.len()));
        (other != table.value(row)).then_some(other)
    }),
];

/// The classes that a table has. Only tables of three men have that of stalemates: the program lists all of theirs.
fn classes(name: &str) -> Vec<&'static Class> {
    let of_draws = ["win-for-draw", "loss-for-draw"];
    let has = |class: &&Class| {
        let of_all = class.name != STALEMATE || DECIDED.contains(&name);
        if DRAWN.contains(&name) { of_draws.contains(&class.name) } else { of_all }
    };
    CLASSES.iter().filter(has).collect()
}

/// The value of the same men with the other side to move.
fn other_side<'a>(table: &Table<'a>, row: usize) -> Option<Value<'a>> {
    let other = table.value_of(&with_other_side(table.rows[row].fen))?;
    (other != table.value(row)).then_some(other)
}

/// All groups. A quick run has a table with wins and one without.
pub(crate) fn plans(draw: Draw) -> Vec<Plan> {
    let three_men = draw.share("dump", &DECIDED).into_iter().flat_map(|table| {
        of_values(table).into_iter().chain([of_region(table)]).chain(of_lines(table)).collect::<Vec<_>>()
    });
    let more_men = FOUR_MEN.into_iter().chain(FIVE_MEN).filter(|_| !draw.quick);
    let others = draw.share("drawn", &DRAWN).into_iter().chain(more_men);
    three_men.chain(others.flat_map(of_values)).collect()
}

/// What became of the faults of each class in one dump.
type ByClass = BTreeMap<&'static str, Done>;

/// Wrong values. The class that is asked first asks for all, and has the findings in rows without faults.
fn of_values(table: &'static str) -> Vec<Plan> {
    let shared: Arc<Mutex<Option<Result<ByClass, String>>>> = Arc::default();
    let of_class = |class: &'static Class| {
        let (id, shared) = (format!("dump/{table}/{}", class.name), shared.clone());
        Plan::new(id, move |product, draw, only| {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let judged = shared.get_or_insert_with(|| {
                values(product, draw, only, table, class.name).map_err(|error| format!("{error:#}"))
            });
            let done = judged.as_mut().map_err(|error| anyhow!("{error}"))?;
            done.remove(class.name).context("a class is asked twice")
        })
    };
    classes(table).into_iter().map(of_class).collect()
}

fn of_region(table: &'static str) -> Plan {
    let id = format!("dump/{table}/region");
    Plan::new(id.clone(), move |product, draw, only| region(product, draw, only, table, &id))
}

/// Wrong lines, each in a dump of its own.
fn of_lines(table: &'static str) -> [Plan; 3] {
    [("illegal-row", illegal as OfLines), ("doubled-row", doubled), ("forgotten-row", forgotten)].map(
        |(class, change)| {
            let id = format!("dump/{table}/{class}");
            Plan::new(id.clone(), move |product, draw, only| one_row(product, draw, only, table, &id, change))
        },
    )
}

/// The rows of each class, so that each row has one fault at most. All stalemates are for one class.
fn rows_of(classes: &[&'static Class], table: &Table, draw: Draw) -> BTreeMap<&'static str, Vec<usize>> {
    let others: Vec<&str> =
        classes.iter().map(|class| class.name).filter(|name| *name != STALEMATE).collect();
    let mut rows: BTreeMap<&str, Vec<usize>> = classes.iter().map(|class| (class.name, Vec::new())).collect();
    for (row, Row { fen, .. }) in table.rows.iter().enumerate() {
        let other = others[draw.part_of(fen, others.len())];
        rows.entry(if table.is_stalemate(row) { STALEMATE } else { other }).or_default().push(row);
    }
    rows
}

/// A stalemate taken for a mate.
fn mated<'a>(table: &Table<'a>, row: usize) -> Option<Value<'a>> {
    table.is_stalemate(row).then_some(Value { result: "loss", plies: Some(0) })
}

/// A planted value: the class, the number of the fault in it, and the row.
struct Planted<'a> {
    class: &'static str,
    number: u32,
    row: usize,
    value: Value<'a>,
}

/// Plants wrong values in drawn rows: those of all classes, or one of the first class.
fn values(
    product: &Product,
    draw: Draw,
    only: Option<u32>,
    name: &str,
    first: &'static str,
) -> anyhow::Result<ByClass> {
    let text = product.export(name, draw)?;
    let classes = classes(name);
    let has_stalemates = classes.iter().any(|class| class.name == STALEMATE);
    let stalemates = if has_stalemates { product.stalemates(name)? } else { BTreeSet::new() };
    let table = Table::new(&text, stalemates)?;
    let wanted = match draw.quick {
        true => QUICK,
        false if DRAWN.contains(&name) => FAULTS_DRAWN,
        false => FAULTS,
    };
    let rows = rows_of(&classes, &table, draw);
    let mut planted = Vec::new();
    for &Class { name: class, change } in &classes {
        let mut random = draw.of(&format!("dump/{name}/{class}"));
        // Few rows may have room for the fault: each is tried, from a drawn one on.
        let rows = &rows[class];
        let count = rows.len().max(1);
        let (start, step) = (random.below(count), coprime(count, random.below(count)));
        let tried = (0..rows.len()).map(|visited| rows[(start + visited * step) % count]);
        let found = tried.filter_map(|row| Some((row, change(&table, row, &mut random)?))).take(wanted);
        planted.extend((0..).zip(found).map(|(number, (row, value))| Planted { class, number, row, value }));
    }
    planted.retain(|fault| only.is_none_or(|only| (first, only) == (fault.class, fault.number)));
    let mut done = judge(product, draw, name, first, &table, &planted)?;
    let control = done[first].control.clone();
    for class in classes {
        done.entry(class.name).or_insert_with(|| Done::new(control.clone()));
    }
    Ok(done)
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
    const CLASS: &str = "region";
    let text = product.export(name, draw)?;
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
    let copied = (0..).zip(copied);
    let copied = copied.map(|(number, (row, value))| Planted { class: CLASS, number, row, value });
    let planted: Vec<Planted> = copied.filter(|fault| only.is_none_or(|only| only == fault.number)).collect();
    judge(product, draw, name, CLASS, &table, &planted)?.remove(CLASS).context("a region was not judged")
}

/// In a quick run a dump has the rows with faults, and of the others one of so many.
const LEFT_OUT: usize = 64;

/// Writes the dump and asks the program for it. The findings in rows without faults are told with the first class.
fn judge(
    product: &Product,
    draw: Draw,
    name: &str,
    first: &'static str,
    table: &Table,
    planted: &[Planted],
) -> anyhow::Result<ByClass> {
    let values: BTreeMap<usize, Value> = planted.iter().map(|fault| (fault.row, fault.value)).collect();
    let is_written = |row: &usize| !draw.quick || row.is_multiple_of(LEFT_OUT) || values.contains_key(row);
    let written: Vec<usize> = (0..table.rows.len()).filter(is_written).collect();
    // The control has the same rows.
    let option = if draw.quick || share(name) > 1 { " --partial" } else { "" };
    let control = Found::of(product, name, option, &table.dump(&written, &BTreeMap::new()))?.control();
    let found = Found::of(product, name, option, &table.dump(&written, &values))?;
    // The heading is line 1.
    let line_of: BTreeMap<usize, usize> = written.iter().copied().zip(2..).collect();
    let lines: BTreeSet<usize> = values.keys().map(|row| line_of[row]).collect();
    let (faults, invented, time) = (Vec::new(), found.others(&lines, None), found.time);
    let of_first = Done { faults, control: control.clone(), invented, time };
    let mut done = BTreeMap::from([(first, of_first)]);
    for &Planted { class, number, row, value } in planted {
        let Row { fen, value: true_value } = table.rows[row];
        let planted = format!("{} for {}{}", value.in_words(), true_value.in_words(), found.end());
        let caught_by = found.at(&Place::Line(line_of[&row]));
        let of_class = done.entry(class).or_insert_with(|| Done::new(control.clone()));
        of_class.faults.push(Fault { number, place: fen.to_owned(), planted, caught_by });
    }
    Ok(done)
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
    let text = product.export(name, draw)?;
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
            let class = CLASSES.iter().find(|other| other.name == class).unwrap();
            text((class.change)(&table, row, &mut random))
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
        assert_eq!((changed(STALEMATE, 2), changed(STALEMATE, 0)), ("loss,0".into(), String::new()));
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
