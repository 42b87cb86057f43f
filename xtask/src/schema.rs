//! `schema`: the JSON Schemas of our documents.

use clap::ValueEnum;

use crate::console;
use crate::outcome::Exit;

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
    /// The output of `verify --format json`.
    Verify,
    /// `engine.json`.
    Engine,
    /// `regress.json`, which `regress --format json` prints.
    Regress,
}

impl Document {
    fn schema(self) -> &'static str {
        match self {
            Self::Config => include_str!("schema/config.json"),
            Self::Verify => reports::schema::VERIFY,
            Self::Engine => reports::schema::ENGINE,
            Self::Regress => reports::schema::REGRESS,
        }
    }
}

/// Prints a schema.
pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    console::data(args.document.schema().as_bytes())?;
    Ok(Exit::Agree)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Compares the file with the schema of its type; with `WRITE_SCHEMAS` in the environment it is written.
    #[test]
    fn the_file_is_the_schema_of_the_configuration() {
        let schema = schemars::schema_for!(crate::verify::Config);
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("WRITE_SCHEMAS").is_some() {
            std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schema/config.json"), &text)
                .unwrap();
        }
        assert_eq!(text, Document::Config.schema(), "set WRITE_SCHEMAS=1 to write it");
    }
}
