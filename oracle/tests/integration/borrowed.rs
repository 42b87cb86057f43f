//! A page of the book lists what the judges use of the engine. The list has to be complete, and nothing on it
//! may be unused.
//!
//! The test reads the text of the sources without tests and comments. Of Rust it knows paths that begin with
//! `engine::`, and no more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The page with the list.
const PAGE: &str = "docs/src/reference/borrowed.md";
/// The sources that are read: the judges, and the parts of the command line that call them and bring them
/// their files.
const JUDGES: [&str; 6] = [
    "oracle/src",
    "arbiter/src",
    "xtask/src/verify",
    "xtask/src/tables/check.rs",
    "xtask/src/syzygy_sources",
    "xtask/src/own_tables.rs",
];

/// Paths within the crate `engine`, by file.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A source without comments, and without a module of tests at its end.
fn code(source: &str) -> String {
    let lines = source.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    let code = lines.collect::<Vec<_>>().join("\n");
    code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned()
}

/// The modules that are declared for tests alone.
fn test_modules(code: &str) -> BTreeSet<String> {
    let after = code.split("#[cfg(test)]\n").skip(1);
    let names = after.filter_map(|rest| rest.lines().next()?.strip_suffix(';')?.rsplit_once("mod "));
    names.map(|(_, name)| name.to_owned()).collect()
}

/// The paths that a source uses. A module of its own called `engine` hides the crate.
fn uses(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if code.lines().any(|line| line.trim() == "mod engine;") {
        return found;
    }
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    for (place, _) in code.match_indices("engine") {
        let (before, after) = (&code[..place], &code[place + "engine".len()..]);
        // A module of another crate, or part of a longer name.
        if before.ends_with(is_name)
            || after.starts_with(is_name)
            || before.strip_suffix("::").is_some_and(|path| path.ends_with(is_name))
        {
            continue;
        }
        if let Some(path) = after.strip_prefix("::") {
            take(path, "", &mut found);
        } else if before.trim_end().ends_with("use") || before.trim_end().ends_with("crate") {
            found.insert("(all)".to_owned());
        }
    }
    found
}

/// Takes the paths that a text begins with, and returns the rest. A path ends with its first type, or with a
/// function.
fn take<'a>(text: &'a str, prefix: &str, found: &mut BTreeSet<String>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = take(rest, prefix, found).trim_start();
            rest = match rest.strip_prefix(',').map(str::trim_start) {
                Some(more) if !more.starts_with('}') => more,
                Some(more) => return &more[1..],
                None => return rest.strip_prefix('}').expect("a list of paths that ends"),
            };
        }
    }
    let end = text.find(|letter: char| !(letter.is_alphanumeric() || "_*".contains(letter)));
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    let path = match (prefix, name) {
        ("", name) => name.to_owned(),
        (prefix, "self") => prefix.to_owned(),
        (prefix, name) => format!("{prefix}::{name}"),
    };
    match rest.strip_prefix("::") {
        Some(rest) if name.starts_with(char::is_lowercase) => return take(rest, &path, found),
        _ => found.insert(path),
    };
    // `as` gives the item another name, which does not matter here.
    match rest.trim_start().strip_prefix("as ") {
        Some(renamed) => renamed.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_'),
        None => rest,
    }
}

/// Reads a file, or all files of a folder except tests.
fn read(path: &Path, name: &str, into: &mut Uses) {
    if path.is_file() {
        let used = uses(&code(&fs::read_to_string(path).unwrap()));
        if !used.is_empty() {
            into.insert(name.to_owned(), used);
        }
        return;
    }
    let beside = path.with_extension("rs");
    let own = [path.join("mod.rs"), path.join("lib.rs"), beside];
    let declared = own.iter().filter_map(|file| fs::read_to_string(file).ok());
    let tests: BTreeSet<String> = declared.flat_map(|source| test_modules(&code(&source))).collect();
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap();
        if !tests.contains(file.strip_suffix(".rs").unwrap_or(file)) {
            read(&path, &format!("{name}/{file}"), into);
        }
    }
}

/// The list of a page: its table.
fn listed(page: &str) -> Uses {
    let rows =
        page.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let mut listed = Uses::new();
    for row in rows.skip(2) {
        let [_, files, items, reason, _] = row.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("expected three columns: {row}")
        };
        assert!(reason.len() > 20, "there is no reason: {row}");
        let quoted =
            |text: &str| -> Vec<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
        for file in quoted(files) {
            let earlier = listed.insert(file.clone(), quoted(items).into_iter().collect());
            assert!(earlier.is_none(), "{file} is listed twice");
        }
    }
    listed
}

#[test]
fn the_list_is_what_is_used() {
    let mut used = Uses::new();
    for judge in JUDGES {
        read(&root().join(judge), judge, &mut used);
    }
    let listed = listed(&fs::read_to_string(root().join(PAGE)).unwrap());
    let pairs = |uses: &Uses| -> BTreeSet<String> {
        uses.iter()
            .flat_map(|(file, items)| items.iter().map(move |item| format!("{file}: {item}")))
            .collect()
    };
    let [used, listed] = [pairs(&used), pairs(&listed)];
    let more: Vec<_> = used.difference(&listed).collect();
    assert!(more.is_empty(), "a judge uses more of the engine than {PAGE} lists: {more:#?}");
    let gone: Vec<_> = listed.difference(&used).collect();
    assert!(gone.is_empty(), "{PAGE} lists what no judge uses any more: {gone:#?}");
    assert!(used.len() > 20, "{used:#?}");
}

#[test]
fn paths_are_found_however_they_are_written() {
    let check = |source: &str, expected: &[&str]| {
        let expected: BTreeSet<String> = expected.iter().map(|&path| path.to_owned()).collect();
        assert_eq!(uses(&code(source)), expected, "{source}");
    };
    check("use engine::Score;", &["Score"]);
    check("use engine::{Game, Score};\nuse engine::tables::Ply;", &["Game", "Score", "tables::Ply"]);
    check(
        "use engine::tables::{\n    Material,\n    build::{self, BuildError as Error, Linked},\n};",
        &["tables::Material", "tables::build", "tables::build::BuildError", "tables::build::Linked"],
    );
    check("let wdl = engine::tables::Wdl::Draw; engine::perft(&p, 3)", &["tables::Wdl", "perft"]);
    check("fn f(x: &engine::Board) -> Option<::engine::Role> {}", &["Board", "Role"]);
    check("use engine::thinking::{self as t, *};", &["thinking", "thinking::*"]);
    check("use engine as e;", &["(all)"]);
    check("use engine;\nextern crate engine;", &["(all)"]);
    check("use super::engine::Engine; my_engine::f(); let engine = 3;", &[]);
    check("// use engine::Score;\n/// [`engine::Score`]\nfn f() {} // engine::Move", &[]);
    check("use engine::Score;\n#[cfg(test)]\nmod tests {\n    use engine::Move;\n}", &["Score"]);
    check("mod engine;\npub use engine::Engine;", &[]);
    check("pub use engine_tables::EngineTables;", &[]);
    assert_eq!(test_modules("#[cfg(test)]\nmod faulty;\nmod other;\n#[cfg(test)]\npub(super) mod more;"), {
        ["faulty", "more"].map(str::to_owned).into()
    });
}

#[test]
fn the_list_is_read_row_by_row() {
    let page = "# A\n\nWords.\n\n| file | uses | why |\n|---|---|---|\n\
                | `a.rs`, `b.rs` | `Score`, `tables::Ply` | they are judged there |\n\n| `c.rs` | `D` | no |\n";
    let items: BTreeSet<String> = ["Score", "tables::Ply"].map(str::to_owned).into();
    assert_eq!(listed(page), [("a.rs".to_owned(), items.clone()), ("b.rs".to_owned(), items)].into());
}
