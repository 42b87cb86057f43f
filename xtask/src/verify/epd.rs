//! The files of `--epd`, all of which are read before anything starts.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use arbiter::bestmove::BestMoveFile;
use arbiter::mates;
use engine::tables::{Material, builders};
use oracle::perft::CountFile;
use oracle::positions::Men;
use suites::epd_files::{EpdFile, FileMateSuite, MOST_BYTES, Malformed};

use super::suite_name::SuiteName;
use crate::console;
use crate::shard::sum;

/// The most malformed lines of each file that are shown on standard error.
const NAMED: usize = 10;

/// The contents of the files, by suite.
#[derive(Default)]
pub(crate) struct Given {
    /// For suite `mates`.
    pub(super) mates: Vec<FileMateSuite>,
    /// For suite `bestmove`.
    pub(super) best_moves: Vec<BestMoveFile>,
    /// For suite `perft`.
    pub(super) counts: Vec<CountFile>,
    /// The names of all files, and the SHA-256 sums of their bytes.
    files: Vec<(String, String)>,
}

impl Given {
    /// Reads these files.
    ///
    /// # Errors
    /// A file that is missing, has another format or no usable line; two files with one name.
    pub(super) fn read(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let mut given = Self::default();
        paths.iter().try_for_each(|path| given.add(path))?;
        Ok(given)
    }

    fn add(&mut self, path: &Path) -> anyhow::Result<()> {
        let shown = path.display().to_string();
        let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
        if self.files.iter().any(|(other, _)| *other == name) {
            bail!("--epd {shown}: another file is also called {name}, and reports identify files by name");
        }
        let bytes = bytes(path)?;
        let EpdFile { mates, best_moves, counts } = EpdFile::parse(&name, &bytes)
            .map_err(|refused| anyhow!("{}", refused.to_string().replacen(&name, &shown, 1)))?;
        let mates = mates::with_legal_positions(mates);
        let (best_moves, counts) = (BestMoveFile::read(best_moves), CountFile::read(counts));
        let mut malformed: Malformed = [&mates.malformed, &best_moves.malformed, &counts.malformed]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        malformed.sort_unstable();
        if mates.cases.is_empty() && best_moves.cases.is_empty() && counts.cases.is_empty() {
            let (line, fault) = malformed.first().cloned().unwrap_or_default();
            bail!("{shown}:{line}: {fault} (the file has no usable line)");
        }
        for (line, fault) in malformed.iter().take(NAMED) {
            console::message(&format!("{shown}:{line}: {fault}"));
        }
        if malformed.len() > NAMED {
            console::message(&format!("and {} more malformed lines in {shown}", malformed.len() - NAMED));
        }
        self.mates.extend(Some(mates).filter(|part| !part.cases.is_empty() || !part.malformed.is_empty()));
        let is_used = |part: &BestMoveFile| !part.cases.is_empty() || !part.malformed.is_empty();
        self.best_moves.extend(Some(best_moves).filter(is_used));
        self.counts.extend(Some(counts).filter(|part| !part.cases.is_empty() || !part.malformed.is_empty()));
        self.files.push((name, sum(&bytes)));
        Ok(())
    }

    /// Whether no file was named.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The suites that have lines in the files.
    pub(super) fn suites(&self) -> Vec<SuiteName> {
        SuiteName::READING.into_iter().filter(|suite| self.has(*suite)).collect()
    }

    /// Whether a suite has lines in the files.
    pub(super) fn has(&self, suite: SuiteName) -> bool {
        self.lines(suite) > 0
    }

    /// How many lines of the files belong to a suite, malformed ones included.
    pub(super) fn lines(&self, suite: SuiteName) -> usize {
        self.files(suite).into_iter().map(|(_, lines)| lines).sum()
    }

    /// The files with lines of a suite, and how many, malformed ones included.
    pub(super) fn files(&self, suite: SuiteName) -> Vec<(&str, usize)> {
        match suite {
            SuiteName::Mates => lines(&self.mates, |file| (&file.name, file.cases.len(), &file.malformed)),
            SuiteName::BestMove => {
                lines(&self.best_moves, |file| (&file.name, file.cases.len(), &file.malformed))
            }
            SuiteName::Perft => lines(&self.counts, |file| (&file.name, file.cases.len(), &file.malformed)),
            _ => Vec::new(),
        }
    }

    /// The names of all files, and the SHA-256 sums of their bytes.
    pub(super) fn sums(&self) -> &[(String, String)] {
        &self.files
    }

    /// Keeps the lines of these suites in these files.
    pub(super) fn retain(&mut self, keeps: impl Fn(SuiteName, &str) -> bool) {
        self.mates.retain(|file| keeps(SuiteName::Mates, &file.name));
        self.best_moves.retain(|file| keeps(SuiteName::BestMove, &file.name));
        self.counts.retain(|file| keeps(SuiteName::Perft, &file.name));
    }

    /// The names of the files.
    pub(super) fn named(&self) -> String {
        self.files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The tables with positions of the files, each once, without those that cannot be built.
    pub(super) fn tables(&self) -> Vec<Material> {
        let mates = self.mates.iter().flat_map(|file| &file.cases).map(|case| &case.fen);
        let best_moves = self.best_moves.iter().flat_map(|file| &file.cases).map(|case| &case.fen);
        let material = |fen: &String| {
            let material: Material = Men::of_fen(fen)?.name().parse().ok()?;
            (material.men() <= builders::MAX_QUICK_MEN).then_some(material)
        };
        let all: BTreeSet<Material> = mates.chain(best_moves).filter_map(material).collect();
        all.into_iter().collect()
    }

    /// Whether a mate has a position with this many pieces.
    pub(super) fn has_mates_of(&self, men: usize) -> bool {
        let count = |fen: &str| {
            fen.chars().take_while(|letter| *letter != ' ').filter(char::is_ascii_alphabetic).count()
        };
        self.mates.iter().flat_map(|file| &file.cases).any(|case| count(&case.fen) == men)
    }

    /// The fewest pieces in a position with best moves.
    pub(super) fn fewest_men(&self) -> Option<usize> {
        self.best_moves.iter().filter_map(BestMoveFile::fewest_men).min()
    }
}

/// The names of some files, and how many lines each has.
fn lines<F>(files: &[F], parts: impl Fn(&F) -> (&str, usize, &Malformed)) -> Vec<(&str, usize)> {
    let lines = |(name, cases, malformed): (_, usize, &Malformed)| (name, cases + malformed.len());
    files.iter().map(|file| lines(parts(file))).collect()
}

/// The bytes of a file of bounded size.
fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let shown = path.display();
    if path.is_dir() {
        bail!("--epd {shown} is a folder; name a file in it");
    }
    let file = std::fs::File::open(path).with_context(|| format!("cannot read {shown}"))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        bail!("{shown} is longer than {} MiB; split it", MOST_BYTES >> 20);
    }
    Ok(bytes)
}
