//! The functions that the crate `engine` exports, and which check reaches each:
//! `docs/src/reference/exports.csv`.
//!
//! The list is generated from the sources: `WRITE_EXPORTS=1 cargo test -p touchstone-chess --test program
//! exports` writes it. A function is reached where a source of a check, or a part of the engine that a check
//! drives, names it and its type. What nothing reaches fails the test.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use suites::catalogue;
use syn::{ImplItem, Item, ItemImpl, TraitItem, Type, Visibility};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const LIST: &str = "docs/src/reference/exports.csv";

/// Sources, and the check that they are part of or that drives them. The first that names a function counts.
const REACHES: [(&str, &str); 31] = [
    ("oracle/src/library/positions.rs", "library/moves"),
    ("oracle/src/library/games.rs", "library/games"),
    ("oracle/src/library/counts.rs", "library/counts"),
    ("oracle/src/library/sessions.rs", "library/sessions"),
    ("oracle/src/library/search.rs", "library/search"),
    ("oracle/src/library/evaluation.rs", "library/evaluation"),
    ("oracle/src/library/attacks.rs", "library/attacks"),
    ("oracle/src/library/time.rs", "library/time"),
    ("oracle/src/library/files.rs", "library/files"),
    ("oracle/src/library/syzygy.rs", "library/syzygy"),
    ("xtask/src/verify/library.rs", "library/syzygy"),
    ("oracle/src/perft/", "perft"),
    ("oracle/src/table_probe/", "certificate"),
    ("oracle/src/knowledge/", "knowledge"),
    ("arbiter/src/announcement/", "announcement"),
    ("arbiter/src/player/", "mate/unsound"),
    ("xtask/src/own_engine.rs", "protocol/uciok"),
    ("xtask/src/verify/tables.rs", "certificate"),
    ("xtask/src/verify/plan.rs", "certificate"),
    ("xtask/src/verify/job.rs", "certificate"),
    ("xtask/src/syzygy_writer.rs", "syzygy-wdl"),
    ("engine/src/program.rs", "protocol/uciok"),
    ("engine/src/uci/", "protocol/info-score"),
    ("engine/src/search/", "mate/unsound"),
    ("engine/src/eval/", "library/evaluation"),
    ("engine/src/movegen/", "library/moves"),
    ("engine/src/fen/", "library/fen"),
    ("engine/src/perft/", "library/counts"),
    ("engine/src/tables/builders/", "certificate"),
    ("engine/src/tables/", "certificate"),
    ("engine/src/", "library/moves"),
];
/// What only other verbs, examples and specimens use: each is named here with its reason.
const ELSEWHERE: [(&str, &str); 5] = [
    ("bench::signature", "signature.csv of a plain run, which is held to the baseline"),
    ("Builder::about", "text of `tables build --help`"),
    ("Builder::is_specimen", "text of `tables build --help`"),
    ("Builder::metrics", "which files `tables build` writes"),
    ("Source::read_at", "called in its own file for each block that library/files reads"),
];

/// A function: its file, its type if it has one, and its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Export {
    file: String,
    owner: String,
    name: String,
}

fn sources(folder: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut open = vec![Path::new(ROOT).join(folder)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
            open.extend(entries.filter(|path| !path.ends_with("tests") && !path.ends_with("tests.rs")));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push((relative(&path), product(&std::fs::read_to_string(&path).unwrap())));
        }
    }
    files.sort();
    files
}

fn relative(path: &Path) -> String {
    let root: PathBuf = Path::new(ROOT).components().collect();
    let path: PathBuf = path.components().collect();
    path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/")
}

/// A source without its tests, which are at its end, and without comments.
fn product(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).fold(String::new(), |mut all, line| {
        let _ = writeln!(all, "{line}");
        all
    })
}

/// The functions that a source exports. What is public can be reached: the lint `unreachable_pub` is on.
fn exports(file: &str, text: &str) -> Vec<Export> {
    let syntax = syn::parse_file(text).unwrap_or_else(|error| panic!("{file}: {error}"));
    let module =
        file.trim_end_matches("/mod.rs").trim_end_matches(".rs").rsplit('/').next().unwrap_or_default();
    let mut found = Vec::new();
    let mut add = |owner: &str, name: String| {
        found.push(Export { file: file.to_owned(), owner: owner.to_owned(), name });
    };
    let is_public = |visibility: &Visibility| matches!(visibility, Visibility::Public(_));
    for item in syntax.items {
        match item {
            Item::Fn(item) if is_public(&item.vis) => add(module, item.sig.ident.to_string()),
            Item::Trait(item) if is_public(&item.vis) => {
                for part in item.items {
                    if let TraitItem::Fn(part) = part {
                        add(&item.ident.to_string(), part.sig.ident.to_string());
                    }
                }
            }
            Item::Impl(ItemImpl { trait_: None, self_ty, items, .. }) => {
                let Type::Path(owner) = *self_ty else { continue };
                let owner = owner.path.segments.last().unwrap().ident.to_string();
                for part in items {
                    if let ImplItem::Fn(part) = part
                        && is_public(&part.vis)
                    {
                        add(&owner, part.sig.ident.to_string());
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a source names a function and the type that has it.
fn names(text: &str, Export { file, owner, name }: &Export) -> bool {
    let is_free = owner.chars().next().is_some_and(char::is_lowercase);
    let is_called = text.match_indices(name.as_str()).any(|(place, _)| {
        let before = text[..place].chars().next_back();
        let after = text[place + name.len()..].chars().next();
        let begins = before.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_');
        let ends = after.is_some_and(|letter| "(:),;".contains(letter) || letter.is_whitespace());
        begins && ends && (is_free || before.is_some_and(|letter| ".:".contains(letter)))
    });
    let folders = file
        .split('/')
        .filter(|part| is_free && !["engine", "src"].contains(part) && *part != owner && !part.contains('.'));
    let is_known = folders.into_iter().any(|folder| text.contains(&format!("{folder}::")));
    let of_owner = if is_free { format!("{owner}::{name}") } else { owner.clone() };
    let is_named = text.contains(&of_owner) || text.contains(&format!("engine::{name}"));
    // Iterators and options have functions of these names.
    let is_common = ["any", "first", "map", "count", "len", "is_empty"].contains(&name.as_str());
    is_called && (is_known || is_named || !is_common && owner_is_known(owner))
}

/// Types that sources use without naming them: values of other calls.
fn owner_is_known(owner: &str) -> bool {
    [
        "Bitboard",
        "Board",
        "Square",
        "CastlingRights",
        "Dtm",
        "Probe",
        "Counts",
        "Table",
        "SyzygyFile",
        "Source",
        "Builder",
    ]
    .contains(&owner)
}

fn list() -> (String, Vec<String>) {
    let checks: Vec<_> =
        ["oracle/src", "arbiter/src", "xtask/src", "engine/src"].into_iter().flat_map(sources).collect();
    let is_product = |file: &str| !file.ends_with("main.rs") && !file.contains("/specimens/");
    let engine = checks.iter().filter(|(file, _)| file.starts_with("engine/src/") && is_product(file));
    let all: BTreeSet<Export> = engine.flat_map(|(file, text)| exports(file, text)).collect();
    let mut text = "export,check,source\n".to_owned();
    let mut unreached = Vec::new();
    for export in &all {
        let whole = format!("{}::{}", export.owner, export.name);
        if let Some((_, why)) = ELSEWHERE.iter().find(|(name, _)| *name == whole) {
            let _ = writeln!(text, "{whole},,{why}");
            continue;
        }
        let reached = REACHES.iter().find_map(|(place, check)| {
            let of_place = checks.iter().filter(|(file, _)| file.starts_with(place) && *file != export.file);
            let source = of_place.filter(|(_, text)| names(text, export)).map(|(file, _)| file).next()?;
            Some((check, source))
        });
        match reached {
            Some((check, source)) => {
                let _ = writeln!(text, "{whole},{check},{source}");
            }
            None => unreached.push(format!("{whole} of {}", export.file)),
        }
    }
    (text, unreached)
}

#[test]
fn each_export_of_the_engine_is_reached_by_a_check() {
    let (text, unreached) = list();
    assert!(
        unreached.is_empty(),
        "exports that no check reaches; check them, or make them private:\n{}",
        unreached.join("\n")
    );
    let path = Path::new(ROOT).join(LIST);
    if std::env::var_os("WRITE_EXPORTS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(stored, text, "WRITE_EXPORTS=1 cargo test -p touchstone-chess --test program exports");
}

#[test]
fn what_reaches_an_export_is_a_check() {
    for (place, check) in REACHES {
        assert!(catalogue::pages().any(|page| page.id == check), "{check}");
        assert!(Path::new(ROOT).join(place).exists(), "{place}");
    }
}

#[test]
fn an_export_is_found_by_its_name_and_its_type() {
    let export = |owner: &str, name: &str| Export {
        file: String::new(),
        owner: owner.to_owned(),
        name: name.to_owned(),
    };
    let text = "let mut set = TableSet::new(); set.probe(board); engine::divide(&position)";
    for (owner, name, expected) in [
        ("TableSet", "probe", true),
        ("TableSet", "new", true),
        ("TableFile", "new", false),
        ("TableSet", "probe_of", false),
        ("perft", "divide", true),
        ("perft", "perft", false),
    ] {
        assert_eq!(names(text, &export(owner, name)), expected, "{owner}::{name}");
    }
    let found = exports(
        "a/b.rs",
        "pub fn one() {} fn two() {} pub struct T; impl T { pub fn three(&self) {} fn four() {} }",
    );
    let names: Vec<_> = found.iter().map(|export| format!("{}::{}", export.owner, export.name)).collect();
    assert_eq!(names, ["b::one", "T::three"]);
}
