//! JSON Schemas of the documents. The tests derive the schemas from the types and compare them with the
//! files. The program carries the files, so it needs no library that makes schemas.

/// The schema of `verify --format json`.
pub const VERIFY: &str = include_str!("schema/verify.json");
/// The schema of `engine.json`.
pub const ENGINE: &str = include_str!("schema/engine.json");
/// The schema of `regress.json`.
pub const REGRESS: &str = include_str!("schema/regress.json");

#[cfg(test)]
mod tests {
    use std::path::Path;

    use schemars::JsonSchema;
    use schemars::generate::SchemaSettings;

    use super::*;

    /// Compares a file with the schema of its type. If `WRITE_SCHEMAS` is in the environment, it writes the
    /// file.
    #[track_caller]
    fn check<T: JsonSchema>(name: &str, file: &str) {
        let schema =
            SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("WRITE_SCHEMAS").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schema").join(name);
            std::fs::write(path, &text).unwrap();
        }
        assert_eq!(text, file, "set WRITE_SCHEMAS=1 to write {name}");
    }

    #[test]
    fn the_files_are_the_schemas_of_the_types() {
        check::<crate::json::Document>("verify.json", VERIFY);
        check::<crate::EngineCard>("engine.json", ENGINE);
        check::<crate::regress::json::Document>("regress.json", REGRESS);
    }
}
