//! The tables of a match: ours, and those of the folders of `--tb`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use arbiter::game::{TableResults, TableRule};
use arbiter::game_tables::GameTables;
use oracle::syzygy::Syzygy;
use sha2::Digest;
use suites::syzygy::Sha256;

use crate::own_tables::OwnTables;

/// The word for our own tables.
const OWN: &str = "own";

/// Which tables adjudicate.
#[derive(Debug, clap::Args)]
pub(super) struct TableArgs {
    /// Adjudicate by endgame tables: "own", which are our tables of up to four men, or folders of Syzygy tables
    /// for more men beside them, separated as in PATH.
    #[arg(long, value_name = "own|DIR")]
    tb: Option<OsString>,
    /// Which results of tables are adjudicated: all, wins or draws.
    #[arg(long, value_name = "RESULTS", requires = "tb", default_value_t = TableResults::All)]
    tb_results: TableResults,
    /// Adjudicate wins of tables that the fifty-move rule draws, or may draw.
    #[arg(long = "tb-ignore-50", requires = "tb")]
    tb_ignore_50: bool,
}

impl TableArgs {
    /// When a game is adjudicated by tables.
    pub(super) fn rule(&self) -> Option<TableRule> {
        self.tb.as_ref()?;
        Some(TableRule { results: self.tb_results, ignores_fifty_moves: self.tb_ignore_50 })
    }

    /// The tables of a match with this setting in its header, and whether they are all here.
    pub(super) fn of_setting(setting: &str) -> (GameTables, bool) {
        let of_folders = || {
            let (folders, _) = setting.rsplit_once(' ')?;
            let (tb, tb_results) = (Some(folders.into()), TableResults::All);
            let args = Self { tb, tb_results, tb_ignore_50: false };
            args.words().ok().filter(|words| words == setting)?;
            args.open().ok()
        };
        match of_folders() {
            Some(tables) => (tables, true),
            None => (GameTables::new(Box::new(OwnTables::new()), None), ["", OWN].contains(&setting)),
        }
    }

    fn folders(&self) -> Vec<PathBuf> {
        folders(self.tb.as_deref())
    }

    /// The tables. Ours are always there, since they judge the games too.
    ///
    /// # Errors
    /// A folder that cannot be read or has no table, or a file that is not whole.
    pub(super) fn open(&self) -> anyhow::Result<GameTables> {
        open(&self.folders())
    }

    /// The tables in the header of the journal: the folders, and a sum over the names and lengths of their
    /// Syzygy files.
    pub(super) fn words(&self) -> anyhow::Result<String> {
        let Some(text) = &self.tb else { return Ok(String::new()) };
        let mut files = BTreeMap::new();
        for folder in self.folders() {
            for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
                let entry = entry?;
                let name = entry.file_name();
                if Path::new(&name).extension().is_some_and(|ending| ending == "rtbw" || ending == "rtbz") {
                    files.insert(name, entry.metadata()?.len());
                }
            }
        }
        let text = text.to_string_lossy().into_owned();
        if files.is_empty() {
            return Ok(text);
        }
        let mut sum = sha2::Sha256::new();
        for (name, length) in files {
            sum.update(name.as_encoded_bytes());
            sum.update(length.to_le_bytes());
        }
        Ok(format!("{text} {}", Sha256(sum.finalize().into())))
    }
}

/// The folders that `--tb` names.
pub(crate) fn folders(tb: Option<&OsStr>) -> Vec<PathBuf> {
    let named = tb.into_iter().filter(|text| *text != OWN);
    named.flat_map(std::env::split_paths).filter(|path| !path.as_os_str().is_empty()).collect()
}

/// Our tables, and the Syzygy tables of these folders.
///
/// # Errors
/// A folder that cannot be read or has no table, or a file that is not whole.
pub(crate) fn open(folders: &[PathBuf]) -> anyhow::Result<GameTables> {
    let mut syzygy = None;
    if !folders.is_empty() {
        let (tables, files) = Syzygy::of_folders(folders.iter().map(PathBuf::as_path))
            .context("--tb: name \"own\", or folders of Syzygy tables")?;
        if files == 0 {
            let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
            bail!("--tb: no Syzygy table, such as KRPvKR.rtbw, is in {}", folders.join(", "));
        }
        syzygy = Some(tables);
    }
    Ok(GameTables::new(Box::new(OwnTables::new()), syzygy))
}

#[cfg(test)]
mod tests {
    use arbiter::game::TableResult::{Draw, Loss, Win};
    use arbiter::game::TableValue;
    use arbiter::game_tables::SmallTables;
    use engine::tables::Material;
    use oracle::board::{Accept, position};

    use super::*;
    use crate::syzygy_writer;

    /// No tables of few men, so that Syzygy is asked.
    struct NoTables;

    impl SmallTables for NoTables {
        fn most_men(&self) -> usize {
            0
        }

        fn probe(&self, _: &str) -> Option<TableValue> {
            None
        }
    }

    fn write(folder: &Path) {
        let asked = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"].map(|name| name.parse::<Material>().unwrap());
        syzygy_writer::write(&asked, &|_| unreachable!(), &|_| {}, &mut |material, written| {
            fs::write(folder.join(format!("{material}.rtbw")), &written.wdl)?;
            Ok(fs::write(folder.join(format!("{material}.rtbz")), &written.dtz)?)
        })
        .unwrap();
    }

    fn syzygy(folder: &Path) -> GameTables {
        let (syzygy, files) = Syzygy::of_folders([folder]).unwrap();
        assert!(files >= 10);
        GameTables::new(Box::new(NoTables), Some(syzygy))
    }

    #[test]
    fn syzygy_files_say_what_our_tables_say() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path());
        let (syzygy, own) = (syzygy(folder.path()), OwnTables::new());
        let probe = |fen: &str| syzygy.probe(&position(fen, Accept::Legal).unwrap());
        let mut results = Vec::new();
        for fen in [
            "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1",
            "8/8/8/8/8/1K6/3R4/1k6 b - - 7 1",
            "8/1P6/7k/8/4K3/8/8/8 w - - 0 1",
            "8/8/8/8/3k4/3p4/8/3K4 w - - 0 1",
            "8/8/8/8/3k4/3p4/8/4K3 b - - 0 1",
            "8/8/8/8/8/2k5/3p4/3K4 w - - 0 1",
        ] {
            let expected = own.probe(fen).map(|value| TableValue { plies_to_mate: None, ..value });
            assert_eq!(probe(fen), expected, "{fen}");
            results.push(expected.unwrap().result);
        }
        assert_eq!(results, [Win, Loss, Win, Draw, Win, Loss]);
        assert_eq!(probe("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None, "castling rights");
        assert_eq!(probe("4k3/8/8/8/8/8/7R/4K2R w - - 0 1"), None, "no such file");
        assert_eq!(syzygy.fault(), None);
    }

    #[test]
    fn a_damaged_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path());
        fs::write(folder.path().join("KRvK.rtbw"), [0; 80]).unwrap();
        let syzygy = syzygy(folder.path());
        assert_eq!(syzygy.probe(&position("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", Accept::Legal).unwrap()), None);
        assert!(syzygy.fault().is_some_and(|fault| fault.contains("KRvK")), "{:?}", syzygy.fault());
    }
}
