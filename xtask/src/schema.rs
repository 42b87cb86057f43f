//! `schema`: the JSON Schemas of our documents.

use clap::ValueEnum;
use schemars::Schema;

use crate::console;
use crate::outcome::Exit;
use crate::verify::Config;

/// Print the JSON Schema of a document.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone schema config > touchstone.schema.json     for editors that check touchstone.toml
  touchstone schema verify                              of verify --format json")]
pub(crate) struct SchemaArgs {
    /// The document.
    document: Document,
}

/// A document that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Document {
    /// `touchstone.toml`.
    Config,
    /// What `verify --format json` prints.
    Verify,
    /// `engine.json`.
    Engine,
    /// `regress.json`, which `regress --format json` prints.
    Regress,
}

impl Document {
    fn schema(self) -> Schema {
        match self {
            Self::Config => schemars::schema_for!(Config),
            Self::Verify => reports::schema::verify(),
            Self::Engine => reports::schema::engine(),
            Self::Regress => reports::schema::regress(),
        }
    }
}

/// Prints a schema.
pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    console::line(&serde_json::to_string_pretty(&args.document.schema())?)?;
    Ok(Exit::Agree)
}
