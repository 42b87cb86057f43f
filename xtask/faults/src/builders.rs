//! Wrong rules in a builder of tables: specimens that forget promotions or en passant, that count the first win they
//! find, or that look captures up in another table. The files that they write have right checksums.

use std::collections::BTreeSet;

use crate::draw::Draw;
use crate::outcome::{Control, Done, Fault};
use crate::plant::Plan;
use crate::product::{Ended, Product};

/// The builders of a table: those with a mistake, and what it is; and those that make the same table in other ways.
struct OfTable {
    table: &'static str,
    wrong: &'static [(&'static str, &'static str)],
    right: &'static [&'static str],
    runs: &'static [Way],
}

/// A run of the program for a builder: its name and the commands.
type Way = (&'static str, &'static [&'static str]);

const MEMORY: Way = ("memory", &["verify --tables {table} --quick --builder {builder}"]);
const FILE: Way =
    ("file", &["tables build {table} --builder {builder} --out built", "tables check built/{table}.dtm"]);

/// The first is that of quick runs: the others have four men, and take minutes.
const TABLES: [OfTable; 3] = [
    OfTable {
        table: "KPvK",
        wrong: &[
            ("queen-only", "pawns promote to queens alone"),
            ("first-pass", "a win keeps the distance that was found first"),
            ("no-rook", "pawns do not promote to rooks"),
        ],
        right: &["setwise", "retrograde", "alternating", "second-pass"],
        runs: &[MEMORY, FILE],
    },
    OfTable {
        table: "KPvKP",
        wrong: &[
            ("no-en-passant", "pawns do not capture en passant"),
            ("no-en-passant-unmoves", "un-moves forget the en passant captures that they allow"),
            ("no-knight", "pawns do not promote to knights"),
        ],
        right: &["setwise"],
        runs: &[MEMORY],
    },
    OfTable {
        table: "KQvKR",
        wrong: &[("wrong-capture", "captures are looked up in the wrong smaller table")],
        right: &["setwise"],
        runs: &[MEMORY],
    },
];

/// All groups.
pub(crate) fn plans(draw: Draw) -> Vec<Plan> {
    let of_table = |of: &'static OfTable| {
        of.runs.iter().map(move |(name, commands)| {
            let id = format!("builder/{}/{name}", of.table);
            Plan::new(id, move |product, draw, only| judged(product, draw, of, commands, only))
        })
    };
    TABLES.iter().take(if draw.quick { 1 } else { TABLES.len() }).flat_map(of_table).collect()
}

fn judged(
    product: &Product,
    draw: Draw,
    of: &OfTable,
    commands: &[&str],
    only: Option<u32>,
) -> anyhow::Result<Done> {
    let mut done = Done::new(Control::Clean);
    for ((builder, wrong), number) in of.wrong.iter().zip(0..) {
        if only.is_some_and(|only| only != number) {
            continue;
        }
        let (ended, checks) = asked(product, of.table, commands, builder)?;
        done.time += ended.time;
        let caught_by = if ended.code == 1 { checks } else { BTreeSet::new() };
        let (place, planted) = ((*builder).to_owned(), (*wrong).to_owned());
        done.faults.push(Fault { number, place, planted, caught_by });
    }
    for builder in draw.share("builder", of.right) {
        let (Ended { code, .. }, checks) = asked(product, of.table, commands, builder)?;
        if code != 0 || !checks.is_empty() {
            done.control = Control::Refused(format!("the builder {builder}: exit code {code}"));
        }
    }
    Ok(done)
}

/// Runs the commands for a builder. Returns how the last one ended, and the checks that found something.
fn asked(
    product: &Product,
    table: &str,
    commands: &[&str],
    builder: &str,
) -> anyhow::Result<(Ended, BTreeSet<String>)> {
    let filled = |command: &&str| command.replace("{table}", table).replace("{builder}", builder);
    let commands: Vec<String> = commands.iter().map(filled).collect();
    let (last, first) = commands.split_last().map_or(("", &[][..]), |(last, first)| (&**last, first));
    for command in first {
        // A builder writes over the file of another.
        product.prepare(&format!("{command} --again"))?;
    }
    let (ended, differences) = product.judge(last)?;
    Ok((ended, differences.into_iter().map(|difference| difference.check).collect()))
}
