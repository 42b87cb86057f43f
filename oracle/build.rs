//! Copies the tables of three men from the packages gaviota-sys and prophet-sys to this crate's build folder,
//! where the modules `gaviota` and `prophet` embed them. The packages publish the path of their headers
//! (`DEP_<LINKS>_INCLUDE`), and the tables are at a fixed place next to them.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    copy_tables("gaviota", "DEP_GTB_INCLUDE", "gtb/gtb4", ".gtb.cp4")?;
    copy_tables("prophet", "DEP_PROPHET_INCLUDE", "../../tables", ".egtb.bz")
}

/// Copies the files `*suffix` of a package to `OUT_DIR/library`. Without the feature of the library, the
/// variable is not set and nothing is copied.
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
