//! JSON Schemas of the documents.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use crate::EngineCard;

/// The schema of `verify --format json`.
pub fn verify() -> Schema {
    of::<crate::json::Document>()
}

/// The schema of `engine.json`.
pub fn engine() -> Schema {
    of::<EngineCard>()
}

/// The schema of `regress.json`.
pub fn regress() -> Schema {
    of::<crate::regress::json::Document>()
}

fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}
