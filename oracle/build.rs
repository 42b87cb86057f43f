//! Copies the three-men tables that gaviota-sys and prophet-sys carry in their packages into this crate's build
//! folder, from where the modules `gaviota` and `prophet` embed them. A package says where its headers are
//! (`DEP_<LINKS>_INCLUDE`); the tables lie at a fixed place beside them.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    copy_tables("gaviota", "DEP_GTB_INCLUDE", "gtb/gtb4", ".gtb.cp4")?;
    copy_tables("prophet", "DEP_PROPHET_INCLUDE", "../../tables", ".egtb.bz")
}

/// Copies the files `*suffix` of a package to `OUT_DIR/library`. Without the feature of that library its
/// variable is not set, and there is nothing to do.
fn copy_tables(library: &str, variable: &str, folder: &str, suffix: &str) -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed={variable}");
    let Some(include) = env::var_os(variable) else { return Ok(()) };
    let from = Path::new(&include).join(folder);
    let to = Path::new(&env::var("OUT_DIR")?).join(library);
    fs::create_dir_all(&to)?;
    let entries = fs::read_dir(&from).map_err(|error| format!("{}: {error}", from.display()))?;
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_string_lossy().ends_with(suffix) {
            fs::write(to.join(entry.file_name()), fs::read(entry.path())?)?;
        }
    }
    Ok(())
}
