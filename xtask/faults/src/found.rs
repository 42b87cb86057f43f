//! What the program finds in a dump.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::Deserialize;

use crate::outcome::Control;
use crate::product::{Difference, Product};

/// A row of malformed.csv.
#[derive(Debug, Deserialize)]
struct Malformed {
    line: usize,
}

/// What the program found.
pub(crate) struct Found {
    /// The checks that name a line; `malformed` for a line that is not read.
    by_line: BTreeMap<usize, BTreeSet<String>>,
    /// Findings that name no line: check and case.
    elsewhere: Vec<(String, String)>,
    code: i32,
    pub(crate) time: Duration,
}

/// What the program has to name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Line(usize),
    /// A check and its case.
    Case(&'static str, String),
}

impl Found {
    /// Asks the program for a dump of a table.
    pub(crate) fn of(product: &Product, name: &str, option: &str, dump: &str) -> anyhow::Result<Self> {
        std::fs::write(product.path("dump.csv"), dump)?;
        let asked = format!("verify --tables {name} --dump dump.csv{option}");
        let (ended, differences) = product.judge(&asked)?;
        let mut found =
            Self { by_line: BTreeMap::new(), elsewhere: Vec::new(), code: ended.code, time: ended.time };
        for Difference { check, case, .. } in differences {
            match case.strip_prefix("line ").and_then(|line| line.parse().ok()) {
                Some(line) => _ = found.by_line.entry(line).or_default().insert(check),
                None => found.elsewhere.push((check, case)),
            }
        }
        for Malformed { line } in product.rows("malformed.csv")? {
            found.by_line.entry(line).or_default().insert("malformed".to_owned());
        }
        Ok(found)
    }

    /// The checks that name this place. A finding that the exit code hides is none.
    pub(crate) fn at(&self, place: &Place) -> BTreeSet<String> {
        if !matches!(self.code, 1 | 2) {
            return BTreeSet::new();
        }
        match place {
            Place::Line(line) => self.by_line.get(line).cloned().unwrap_or_default(),
            Place::Case(check, case) => {
                let is_it = |(found, of): &&(String, String)| found == check && of == case;
                self.elsewhere.iter().filter(is_it).map(|(check, _)| check.clone()).collect()
            }
        }
    }

    /// The findings at other places.
    pub(crate) fn others(&self, places: &BTreeSet<usize>, case: Option<&Place>) -> Vec<String> {
        let lines =
            self.by_line.keys().filter(|line| !places.contains(line)).map(|line| format!("line {line}"));
        let is_other = |(check, of): &&(String, String)| match case {
            Some(Place::Case(planted, planted_case)) => (&**check, of) != (planted, planted_case),
            _ => true,
        };
        let elsewhere = self.elsewhere.iter().filter(is_other).map(|(check, case)| format!("{check} {case}"));
        lines.chain(elsewhere).collect()
    }

    /// Why nothing can be caught: the program ended as no run ends that finds something.
    pub(crate) fn end(&self) -> String {
        match self.code {
            0..=2 => String::new(),
            _ => " (the program crashed or hung)".to_owned(),
        }
    }

    /// The verdict on a dump without faults.
    pub(crate) fn control(&self) -> Control {
        let findings = self.by_line.len() + self.elsewhere.len();
        if self.code == 0 && findings == 0 {
            Control::Clean
        } else {
            Control::Refused(format!("exit code {}, {findings} findings", self.code))
        }
    }
}
