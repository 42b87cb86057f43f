//! The program as a user runs it: a command, its exit code, its texts and the files that it writes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::draw::Draw;
use crate::outcome::Control;

/// The program, and a folder in which it is run.
pub(crate) struct Product {
    program: PathBuf,
    folder: tempfile::TempDir,
    exports: RefCell<BTreeMap<String, Rc<String>>>,
    controls: RefCell<BTreeMap<String, Control>>,
}

/// A row of differences.csv.
#[derive(Debug, Deserialize)]
pub(crate) struct Difference {
    pub(crate) check: String,
    pub(crate) case: String,
    #[serde(default)]
    pub(crate) fen: String,
    /// JSON.
    #[serde(default)]
    expected_value: String,
}

impl Difference {
    /// The distance to mate that is expected, in plies; none if something else is.
    pub(crate) fn expected(&self) -> Option<u16> {
        let value: serde_json::Value = serde_json::from_str(&self.expected_value).ok()?;
        value["distance"].as_u64()?.try_into().ok()
    }
}

/// A command that is over.
pub(crate) struct Ended {
    /// [`CRASHED`] and [`KILLED`] are none of its own.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) time: Duration,
}

impl Ended {
    /// The verdict on what has no fault.
    pub(crate) fn control(&self, differences: &[Difference]) -> Control {
        match self.code {
            0 if differences.is_empty() => Control::Clean,
            code => Control::Refused(format!("exit code {code}: {}", self.stderr.trim())),
        }
    }
}

/// In place of an exit code: a panic or a signal.
pub(crate) const CRASHED: i32 = -1;
/// In place of an exit code: it did not end in time.
pub(crate) const KILLED: i32 = -2;

/// Of the export of a table, one of so many placements of men is kept: of three men all, and with each further man one of 64.
pub(crate) fn share(table: &str) -> usize {
    const SQUARES: usize = 64;
    (3..men(table)).map(|_| SQUARES).product()
}

/// The most men of tables that the program builds whenever it needs them.
const MOST_BUILT: usize = 4;

/// How many men a table has, by its name, such as `KQvK`.
fn men(table: &str) -> usize {
    table.replace('v', "").len()
}

/// Runs a command until it ends, or ends it. Its output goes into two files.
pub(crate) fn run(command: &mut Command, texts: &[PathBuf; 2], limit: Duration) -> anyhow::Result<Ended> {
    const WAIT: Duration = Duration::from_millis(5);
    let started = Instant::now();
    command.stdout(File::create(&texts[0])?).stderr(File::create(&texts[1])?);
    // The commands that it prints name the installed program.
    command.env_remove("CARGO_PKG_NAME");
    let mut child = command.spawn()?;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if started.elapsed() > limit => {
                end(&mut child)?;
                break None;
            }
            None => std::thread::sleep(WAIT),
        }
    };
    let time = started.elapsed();
    let [stdout, stderr] = texts.each_ref().map(std::fs::read);
    let (stdout, stderr) = (text(&stdout?), text(&stderr?));
    let code = match status {
        None => KILLED,
        Some(status) => status.code().filter(|&code| code != 101).unwrap_or(CRASHED),
    };
    Ok(Ended { code, stdout, stderr, time })
}

/// Asks a program to end, so that it ends those that it started; kills it if it does not.
fn end(child: &mut Child) -> std::io::Result<()> {
    const GRACE: Duration = Duration::from_secs(10);
    // Elsewhere there is no such request.
    if cfg!(unix) {
        _ = Command::new("sh").args(["-c", &format!("kill -TERM {}", child.id())]).status();
        let asked = Instant::now();
        while asked.elapsed() < GRACE {
            if child.try_wait()?.is_some() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    child.kill()?;
    child.wait().map(drop)
}

impl Product {
    pub(crate) fn new(program: &Path) -> anyhow::Result<Self> {
        // A path is looked for from here, a bare name among the programs.
        let is_path = program.components().count() > 1;
        let program = if is_path {
            program.canonicalize().with_context(|| format!("cannot find {}", program.display()))?
        } else {
            program.to_owned()
        };
        Ok(Self {
            program,
            folder: tempfile::tempdir()?,
            exports: RefCell::default(),
            controls: RefCell::default(),
        })
    }

    /// A file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs it.
    pub(crate) fn run(&self, args: &str) -> anyhow::Result<Ended> {
        /// The longest runs take some minutes: builders of four men, a table of five.
        const LIMIT: Duration = Duration::from_hours(1);
        let mut command = Command::new(&self.program);
        command.current_dir(self.folder.path()).args(args.split_whitespace()).stdin(Stdio::null());
        let texts = ["stdout", "stderr"].map(|name| self.path(name));
        run(&mut command, &texts, LIMIT).with_context(|| format!("cannot start {}", self.program.display()))
    }

    /// Runs a command that prepares something and must end with 0.
    pub(crate) fn prepare(&self, args: &str) -> anyhow::Result<Ended> {
        let ended = self.run(args)?;
        if ended.code != 0 {
            bail!("`touchstone {args}` ended with {}: {}", ended.code, ended.stderr.trim());
        }
        Ok(ended)
    }

    /// The folder of the tables of five men, in which this one is built; none for a table of fewer men.
    fn built(&self, table: &str) -> anyhow::Result<Option<&'static str>> {
        const FOLDER: &str = "target/tables";
        if men(table) <= MOST_BUILT {
            return Ok(None);
        }
        // It keeps a table that is there.
        self.prepare(&format!("tables build {table} --out {FOLDER}"))?;
        Ok(Some(FOLDER))
    }

    /// The rows of a table, as `tables export` writes them: of three men all, of more one of [`share`] placements of men. Each table is
    /// exported once.
    pub(crate) fn export(&self, table: &str, draw: Draw) -> anyhow::Result<Rc<String>> {
        if let Some(text) = self.exports.borrow().get(table) {
            return Ok(text.clone());
        }
        let from =
            self.built(table)?.map_or_else(String::new, |folder| format!(" --file {folder}/{table}.dtm"));
        let args = format!("tables export {table} --one-of {} --seed {}{from}", share(table), draw.seed);
        let text = Rc::new(self.prepare(&args)?.stdout);
        self.exports.borrow_mut().insert(table.to_owned(), text.clone());
        Ok(text)
    }

    /// What it says of something without a fault: asked once for each name.
    pub(crate) fn control(
        &self,
        name: &str,
        ask: impl FnOnce() -> anyhow::Result<Control>,
    ) -> anyhow::Result<Control> {
        if let Some(known) = self.controls.borrow().get(name) {
            return Ok(known.clone());
        }
        let control = ask()?;
        self.controls.borrow_mut().insert(name.to_owned(), control.clone());
        Ok(control)
    }

    /// Runs it into an empty folder `out`, and returns its differences.
    pub(crate) fn judge(&self, args: &str) -> anyhow::Result<(Ended, Vec<Difference>)> {
        let out = self.path("out");
        if out.exists() {
            std::fs::remove_dir_all(&out)?;
        }
        let ended = self.run(&format!("{args} --out out"))?;
        Ok((ended, self.rows("differences.csv")?))
    }

    /// The rows of a report of the last run; none if there is none.
    pub(crate) fn rows<T: DeserializeOwned>(&self, report: &str) -> anyhow::Result<Vec<T>> {
        let path = self.path("out").join(report);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let mut reader = csv::Reader::from_path(&path)?;
        reader.deserialize().collect::<Result<_, _>>().with_context(|| report.to_owned())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_a_table_follows_its_men() {
        assert_eq!(["KQvK", "KRvKP", "KBNvKN"].map(share), [1, 64, 4_096]);
    }
}
