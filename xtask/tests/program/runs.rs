//! Runs that several tests share, and the Syzygy tables, which the tests need.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use crate::sandbox::{Ended, Sandbox};

/// A run that is over.
pub(crate) struct Run {
    pub(crate) sandbox: Sandbox,
    pub(crate) ended: Ended,
}

/// Runs `verify`, once the Syzygy tables are at hand.
pub(crate) fn verify(args: &str) -> Run {
    verify_in(Sandbox::new(), args)
}

/// The same in a folder with files.
pub(crate) fn verify_in(sandbox: Sandbox, args: &str) -> Run {
    syzygy();
    let ended = sandbox.verify(args);
    Run { sandbox, ended }
}

/// The folder with the Syzygy tables of three men; where they cannot be had, the program says why.
pub(crate) fn syzygy() -> PathBuf {
    static FETCHED: LazyLock<Ended> = LazyLock::new(|| Sandbox::new().run(["tables", "fetch"]));
    assert_eq!(FETCHED.code, 0, "{}", FETCHED.stderr);
    let own = std::env::var_os("TOUCHSTONE_CACHE").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let system = || {
        use etcetera::BaseStrategy;
        etcetera::choose_base_strategy().unwrap().cache_dir().join("touchstone")
    };
    own.unwrap_or_else(system).join("syzygy")
}

/// A plain run: all tables and suites. It takes minutes, so that only nightly tests use it.
pub(crate) static PLAIN: LazyLock<Run> = LazyLock::new(|| verify(""));

/// One table with all its checks.
pub(crate) static ONE_TABLE: LazyLock<Run> = LazyLock::new(|| verify("--tables KQvK"));

/// Samples of the suites that take least time.
pub(crate) static SAMPLES: LazyLock<Run> =
    LazyLock::new(|| verify("--quick --suite perft,chess960,random,stalemates"));

/// The specimen with the most differences, on two threads.
pub(crate) static FIRST_PASS: LazyLock<Run> =
    LazyLock::new(|| verify("--builder first-pass --jobs 2 --format json"));

/// All positions of `KPvK` by a builder: what stands after the FEN, by FEN.
pub(crate) fn export(builder: &str) -> BTreeMap<String, String> {
    let sandbox = Sandbox::new();
    let ended = sandbox.run(["tables", "export", "KPvK", "--builder", builder, "--out", "table.csv"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let text = sandbox.text("table.csv");
    let rows = text.strip_prefix("fen,wdl,dtm\n").unwrap().lines();
    rows.map(|row| row.split_once(',').map(|(fen, value)| (fen.to_owned(), value.to_owned())).unwrap())
        .collect()
}

/// A value of an export in the words of the reports.
pub(crate) fn words(value: &str) -> String {
    match value.split_once(',').unwrap() {
        ("draw", "") => "draw".to_owned(),
        ("loss", "0") => "checkmated".to_owned(),
        ("win", plies) => format!("mate in {}", plies.parse::<u32>().unwrap().div_ceil(2)),
        ("loss", plies) => format!("mated in {}", plies.parse::<u32>().unwrap() / 2),
        _ => panic!("{value}"),
    }
}
