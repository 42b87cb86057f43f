//! Replays that are too long for a line. Each becomes a script beside the reports, and a short command calls
//! it.

use std::collections::BTreeMap;

/// The most letters of a replay that is shown as it is.
const LONGEST: usize = 300;
/// The most scripts.
const MOST: usize = 1_000;
/// The folder of the scripts, in that of the reports.
pub const FOLDER: &str = "replays";

/// The scripts of a run, by the replay that each holds.
#[derive(Debug, Default)]
pub struct Replays<'a> {
    folder: &'a str,
    scripts: BTreeMap<&'a str, String>,
}

impl<'a> Replays<'a> {
    /// Makes a script for each long replay. `replays` has pairs of a check and a replay, in the order in
    /// which they are listed. `folder` is the folder of the reports, as a word for a shell. If it is empty,
    /// the reports are in no folder, and each replay is shown as it is.
    pub fn new(folder: &'a str, replays: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut scripts = BTreeMap::new();
        let mut of_check = BTreeMap::<&str, usize>::new();
        let is_long = |(_, replay): &(&str, &str)| !folder.is_empty() && replay.chars().count() > LONGEST;
        for (check, replay) in replays.into_iter().filter(is_long) {
            if scripts.len() == MOST {
                break;
            }
            scripts.entry(replay).or_insert_with(|| {
                let number = of_check.entry(check).or_default();
                *number += 1;
                format!("{FOLDER}/{}-{number}.sh", check.replace('/', "-"))
            });
        }
        Self { folder, scripts }
    }

    /// The command that replays this: a call of its script, or the replay itself.
    pub fn line(&self, replay: &str) -> String {
        match self.scripts.get(replay) {
            Some(script) => format!("sh {}/{script}", self.folder),
            None => replay.to_owned(),
        }
    }

    /// The scripts as files: bytes by name.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let script =
            |(replay, name): (&&str, &String)| (name.clone(), format!("#!/bin/sh\n{replay}\n").into_bytes());
        self.scripts.iter().map(script).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_replay_is_a_script_beside_the_reports() {
        let long = "x".repeat(LONGEST + 1);
        let other = "y".repeat(LONGEST + 1);
        let given =
            [("draw/flaky", "short"), ("draw/flaky", &long), ("draw/flaky", &other), ("draw/score", &long)];
        let replays = Replays::new("'out dir'", given);
        assert_eq!(replays.line("short"), "short");
        assert_eq!(replays.line(&long), "sh 'out dir'/replays/draw-flaky-1.sh");
        assert_eq!(replays.line(&other), "sh 'out dir'/replays/draw-flaky-2.sh");
        assert_eq!(replays.files()["replays/draw-flaky-1.sh"], format!("#!/bin/sh\n{long}\n").into_bytes());
        assert_eq!(Replays::new("", given).line(&long), long);
    }
}
