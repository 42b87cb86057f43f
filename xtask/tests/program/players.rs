//! The programs that the tests start: our engine, a faulty engine, a proxy, and the one that plants faults. Cargo builds them here, since
//! it builds only the programs of the tested package itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

static ENGINE: LazyLock<PathBuf> = LazyLock::new(|| built("engine"));
static FAULTS: LazyLock<PathBuf> = LazyLock::new(|| built("faults"));
static HOSTILE: LazyLock<PathBuf> = LazyLock::new(|| built("hostile"));
static PROXY: LazyLock<PathBuf> = LazyLock::new(|| built("proxy"));

/// The folder of the programs. They are built for the whole workspace and with a test (that of `oracle`), as
/// `cargo test --workspace` has built them already: what only tests need decides with which features
/// libraries are compiled.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_BIN_EXE_touchstone")).parent().unwrap();
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--locked", "--workspace", "--target-dir"]).arg(folder.parent().unwrap());
    cargo
        .args(
            ["engine", "faults", "hostile", "proxy", "touchstone"].map(|name| ["--bin", name]).as_flattened(),
        )
        .args(["--test", "integration"]);
    cargo.arg("--manifest-path").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml"));
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(cargo.status().unwrap().success());
    folder.to_owned()
});

/// Our engine.
pub(crate) fn engine() -> &'static str {
    ENGINE.to_str().unwrap()
}

/// The program that plants faults.
pub(crate) fn faults() -> &'static str {
    FAULTS.to_str().unwrap()
}

/// The engine for tests, which has faults by name.
pub(crate) fn hostile() -> &'static str {
    HOSTILE.to_str().unwrap()
}

/// The proxy that alters what an engine prints.
pub(crate) fn proxy() -> &'static str {
    PROXY.to_str().unwrap()
}

fn built(name: &str) -> PathBuf {
    FOLDER.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}
