//! The faults, what became of each, and the reports.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::draw::Draw;
use crate::outcome::{Control, Done};
use crate::plant::Plan;

/// A row of faults.csv.
#[derive(Debug, Serialize)]
struct Row<'a> {
    id: String,
    class: &'a str,
    r#where: &'a str,
    planted: &'a str,
    caught: bool,
    caught_by: String,
    replay: String,
}

struct Group {
    id: String,
    class: String,
    done: Done,
}

/// All groups of a run.
pub(crate) struct Tally {
    draw: Draw,
    groups: Vec<Group>,
    /// Groups that could not be planted, and why.
    errors: Vec<String>,
}

/// What a run showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All are caught, and none is invented.
    Perfect,
    /// One is missed or invented, or a control is refused.
    Differs,
    /// A group is empty, or could not be planted.
    Incomplete,
}

impl Tally {
    pub(crate) fn new(draw: Draw) -> Self {
        Self { draw, groups: Vec::new(), errors: Vec::new() }
    }

    pub(crate) fn add(&mut self, plan: &Plan, done: anyhow::Result<Done>) {
        match done {
            Ok(done) if done.faults.is_empty() => {
                self.errors.push(format!(
                    "{}: nothing was planted: no place has room for the fault, or no fault has this number",
                    plan.id
                ));
            }
            Ok(done) => {
                self.groups.push(Group { id: plan.id.clone(), class: plan.class().to_owned(), done });
            }
            Err(error) => self.errors.push(format!("{}: {error:#}", plan.id)),
        }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let is_perfect = |Group { done, .. }: &Group| {
            done.control == Control::Clean && done.invented.is_empty() && done.missed() == 0
        };
        if !self.errors.is_empty() || self.groups.is_empty() {
            Verdict::Incomplete
        } else if self.groups.iter().all(is_perfect) {
            Verdict::Perfect
        } else {
            Verdict::Differs
        }
    }

    /// The command that plants one fault again.
    fn replay(&self, id: &str, number: u32) -> String {
        let Draw { seed, quick } = self.draw;
        let quick = if quick { " --quick" } else { "" };
        format!("cargo xtask faults{quick} --seed {seed} --only {id}/{number}")
    }

    /// The seconds of the program, by group. Those of a dump that classes share are told with the first class.
    pub(crate) fn timings(&self) -> anyhow::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["faults", "seconds"])?;
        for Group { id, done, .. } in &self.groups {
            writer.write_record([id, &*format!("{:.1}", done.time.as_secs_f64())])?;
        }
        Ok(writer.into_inner()?)
    }

    /// One line a fault, in the order of the groups.
    pub(crate) fn csv(&self) -> anyhow::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for group in &self.groups {
            for fault in &group.done.faults {
                writer.serialize(Row {
                    class: &group.class,
                    r#where: &fault.place,
                    planted: &fault.planted,
                    caught: !fault.caught_by.is_empty(),
                    caught_by: fault.caught_by.iter().map(String::as_str).collect::<Vec<_>>().join(" "),
                    replay: self.replay(&group.id, fault.number),
                    id: format!("{}/{}", group.id, fault.number),
                })?;
            }
        }
        Ok(writer.into_inner()?)
    }

    /// A line a group, then all that is not as it should be.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let width = self.groups.iter().map(|group| group.id.len()).max().unwrap_or_default();
        for group in &self.groups {
            let done = &group.done;
            let (caught, all) = (done.faults.len() - done.missed(), done.faults.len());
            _ = writeln!(text, "{:width$}  {caught:>5} of {all:>5} caught  {}", group.id, done.checks());
        }
        for group in &self.groups {
            self.complain(group, &mut text);
        }
        for error in &self.errors {
            _ = writeln!(text, "error: {error}");
        }
        for (kind, [all, caught]) in self.kinds() {
            _ = writeln!(text, "{kind}: {caught} of {all} faults are caught");
        }
        let invented: usize = self.groups.iter().map(|group| group.done.invented.len()).sum();
        _ = writeln!(text, "{invented} findings are invented (seed {})", self.draw.seed);
        text
    }

    fn complain(&self, group: &Group, text: &mut String) {
        /// Of each group so many are shown; `faults.csv` has all.
        const SHOWN: usize = 5;
        let done = &group.done;
        if let Control::Refused(why) = &done.control {
            _ = writeln!(text, "error: {}: the control has no fault and is refused: {why}", group.id);
        }
        for fault in done.faults.iter().filter(|fault| fault.caught_by.is_empty()).take(SHOWN) {
            _ = writeln!(text, "missed: {}/{}: {}: {}", group.id, fault.number, fault.place, fault.planted);
            _ = writeln!(text, "  {}", self.replay(&group.id, fault.number));
        }
        for place in done.invented.iter().take(SHOWN) {
            _ = writeln!(text, "invented: {}: {place}", group.id);
        }
    }

    /// How many faults were planted and caught, by the first part of their ids.
    fn kinds(&self) -> BTreeMap<&str, [usize; 2]> {
        let mut kinds = BTreeMap::new();
        for Group { id, done, .. } in &self.groups {
            let [all, caught] = kinds.entry(id.split('/').next().unwrap_or_default()).or_insert([0; 2]);
            *all += done.faults.len();
            *caught += done.faults.len() - done.missed();
        }
        kinds
    }

    /// A page of the book.
    pub(crate) fn markdown(&self) -> String {
        let mut text = "# Planted faults\n\n".to_owned();
        let invented: usize = self.groups.iter().map(|group| group.done.invented.len()).sum();
        _ = writeln!(
            text,
            "`cargo xtask faults --seed {}` wrote this page. [How Touchstone is tested](tested.md#planted-faults) says what counts.\n\n\
             Findings where nothing was planted: {invented}.\n",
            self.draw.seed,
        );
        text.push_str("| kind | planted | caught |\n|---|--:|--:|\n");
        for (kind, [all, caught]) in self.kinds() {
            _ = writeln!(text, "| {kind} | {all} | {caught} |");
        }
        text.push_str("\n| faults | planted | caught | by |\n|---|--:|--:|---|\n");
        for Group { id, done, .. } in &self.groups {
            let all = done.faults.len();
            _ = writeln!(text, "| `{id}` | {all} | {} | {} |", all - done.missed(), done.checks());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Fault;

    fn done(caught: bool, control: Control, invented: &[&str]) -> Done {
        let caught_by = caught.then(|| "dump/row".to_owned()).into_iter().collect();
        let fault =
            Fault { number: 3, place: "fen".to_owned(), planted: "draw for win".to_owned(), caught_by };
        let invented = invented.iter().map(|place| (*place).to_owned()).collect();
        Done { faults: vec![fault], invented, ..Done::new(control) }
    }

    fn tally(quick: bool, done: anyhow::Result<Done>) -> Tally {
        let mut tally = Tally::new(Draw { seed: 7, quick });
        let plan = Plan::new("dump/KQvK/draw-for-win".to_owned(), |_, _, _| anyhow::bail!("not run"));
        tally.add(&plan, done);
        tally
    }

    #[test]
    fn what_is_missed_or_invented_is_told_with_its_replay() {
        let verdict = |done| tally(false, done).verdict();
        assert_eq!(verdict(Ok(done(true, Control::Clean, &[]))), Verdict::Perfect);
        assert_eq!(verdict(Ok(done(true, Control::Clean, &["line 9"]))), Verdict::Differs);
        assert_eq!(verdict(Ok(done(false, Control::Clean, &[]))), Verdict::Differs);
        assert_eq!(verdict(Ok(Done::new(Control::Clean))), Verdict::Incomplete);
        assert_eq!(verdict(Err(anyhow::anyhow!("no export"))), Verdict::Incomplete);
        for (quick, replay) in [
            (false, "cargo xtask faults --seed 7 --only dump/KQvK/draw-for-win/3"),
            (true, "cargo xtask faults --quick --seed 7 --only dump/KQvK/draw-for-win/3"),
        ] {
            let missed = tally(quick, Ok(done(false, Control::Clean, &[])));
            assert!(missed.text().contains(replay), "{}", missed.text());
            assert!(missed.text().contains("dump: 0 of 1 faults are caught"), "{}", missed.text());
            assert!(String::from_utf8(missed.csv().unwrap()).unwrap().contains(&format!("false,,{replay}")));
        }
        let refused = tally(false, Ok(done(true, Control::Refused("exit code 1".to_owned()), &[])));
        assert_eq!(refused.verdict(), Verdict::Differs);
        assert!(refused.text().contains("the control has no fault"));
    }
}
