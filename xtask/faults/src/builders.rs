//! Wrong rules in a builder of tables: specimens that forget underpromotions, or that count the first win
//! they find. The files that they write have right checksums.

use std::collections::BTreeSet;

use crate::outcome::{Control, Done, Fault};
use crate::plant::{Draw, Plan};
use crate::product::{Ended, Product};

/// A builder, and what it does wrong.
const WRONG: [(&str, &str); 2] = [
    ("queen-only", "pawns promote to queens alone"),
    ("first-pass", "a win keeps the distance that was found first"),
];
/// Builders that make the same table in other ways.
const RIGHT: [&str; 4] = ["setwise", "retrograde", "alternating", "second-pass"];

/// Runs of the program for a builder: its tables in memory, and its file.
const RUNS: [(&str, &[&str]); 2] = [
    ("memory", &["verify --tables KPvK --quick --builder {builder}"]),
    ("file", &["tables build KPvK --builder {builder} --out built", "tables check built/KPvK.dtm"]),
];

/// All groups.
pub(crate) fn plans() -> Vec<Plan> {
    let of_run = |(name, commands): (&str, &'static [&'static str])| {
        let id = format!("builder/KPvK/{name}");
        Plan::new(id, move |product, draw, only| judged(product, draw, commands, only))
    };
    RUNS.into_iter().map(of_run).collect()
}

fn judged(product: &Product, draw: Draw, commands: &[&str], only: Option<u32>) -> anyhow::Result<Done> {
    let mut done = Done::new(Control::Clean);
    for ((builder, wrong), number) in WRONG.into_iter().zip(0..) {
        if only.is_some_and(|only| only != number) {
            continue;
        }
        let (ended, checks) = asked(product, commands, builder)?;
        done.time += ended.time;
        let caught_by = if ended.code == 1 { checks } else { BTreeSet::new() };
        let (place, planted) = (builder.to_owned(), wrong.to_owned());
        done.faults.push(Fault { number, place, planted, caught_by });
    }
    for builder in draw.share("builder", &RIGHT) {
        let (Ended { code, .. }, checks) = asked(product, commands, builder)?;
        if code != 0 || !checks.is_empty() {
            done.control = Control::Refused(format!("the builder {builder}: exit code {code}"));
        }
    }
    Ok(done)
}

/// Runs the commands for a builder. Returns how the last one ended, and the checks that found something.
fn asked(product: &Product, commands: &[&str], builder: &str) -> anyhow::Result<(Ended, BTreeSet<String>)> {
    let commands: Vec<String> =
        commands.iter().map(|command| command.replace("{builder}", builder)).collect();
    let (last, first) = commands.split_last().map_or(("", &[][..]), |(last, first)| (&**last, first));
    for command in first {
        // A builder writes over the file of another.
        product.prepare(&format!("{command} --again"))?;
    }
    let (ended, differences) = product.judge(last)?;
    Ok((ended, differences.into_iter().map(|difference| difference.check).collect()))
}
