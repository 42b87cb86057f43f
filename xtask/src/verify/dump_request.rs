//! The arguments of `--dump`.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use oracle::dump::{Columns, Reading, Request, Unit, View};
use uci::quoted;

use crate::program;

/// How a dump is read.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ReadArgs {
    /// The columns of a dump without a header, such as fen,_,wdl: fen, wdl, dtm, and _ for an ignored column.
    #[arg(long, value_name = "NAMES", requires = "dump", value_parser = Columns::listed)]
    columns: Option<Columns>,
    /// The unit of dtm in a dump [default: plies].
    #[arg(long, requires = "dump", value_parser = unit())]
    unit: Option<Unit>,
    /// The side from whose view a dump has its values; opponent is the side that is not to move [default:
    /// side-to-move].
    #[arg(long, requires = "dump", value_parser = view())]
    view: Option<View>,
    /// The dump has only a part of its tables: missing positions are no difference.
    #[arg(long, requires = "dump")]
    partial: bool,
}

fn unit() -> impl TypedValueParser<Value = Unit> {
    PossibleValuesParser::new(Unit::ALL.map(Unit::name))
        .map(|name| Unit::ALL.into_iter().find(|unit| unit.name() == name).unwrap_or_default())
}

fn view() -> impl TypedValueParser<Value = View> {
    PossibleValuesParser::new(View::ALL.map(View::name))
        .map(|name| View::ALL.into_iter().find(|view| view.name() == name).unwrap_or_default())
}

/// A dump to check.
#[derive(Clone)]
pub(crate) struct Dump {
    pub(super) path: PathBuf,
    pub(super) request: Request,
}

impl Dump {
    /// The dump in a file.
    pub(crate) fn new(path: &Path, read: &ReadArgs, tables: &[String], quick: bool) -> anyhow::Result<Self> {
        if path.is_dir() {
            bail!("--dump takes one file, and {} is a folder{}", path.display(), file_in(path));
        }
        if path.as_os_str() != "-" && !path.exists() {
            let export = program::command("tables export KPvK");
            bail!("there is no file {}; export one with: {export}", path.display());
        }
        let ReadArgs { columns, unit, view, partial } = read;
        let reading = Reading { unit: unit.unwrap_or_default(), view: view.unwrap_or_default() };
        let (columns, arguments) = (columns.clone(), arguments(path, read, tables, quick));
        let request = Request { columns, reading, is_partial: *partial, arguments };
        Ok(Self { path: path.to_owned(), request })
    }
}

/// A hint with a file in a folder; empty if there is none.
fn file_in(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let files = entries.map(|entry| entry.path()).filter(|path| path.is_file());
    files.min().map(|file| format!(": name a file in it, such as {}", file.display())).unwrap_or_default()
}

/// The arguments that check this dump again, without unit and view.
fn arguments(path: &Path, read: &ReadArgs, tables: &[String], quick: bool) -> String {
    let mut words = Vec::new();
    if !tables.is_empty() {
        words.push(format!("--tables {}", quoted(&tables.join(","))));
    }
    if quick {
        words.push("--quick".to_owned());
    }
    words.push(format!("--dump {}", quoted(&path.to_string_lossy())));
    if let Some(columns) = &read.columns {
        words.push(format!("--columns {columns}"));
    }
    if read.partial {
        words.push("--partial".to_owned());
    }
    words.join(" ")
}
