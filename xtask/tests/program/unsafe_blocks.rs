//! Each `unsafe` of the workspace with its contract: `docs/src/reference/unsafe.csv`.
//!
//! The list is generated from the sources: `WRITE_UNSAFE=1 cargo test -p touchstone-chess --test program
//! unsafe_blocks` writes it. The contract is the SAFETY note, which clippy demands above each.

use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const LIST: &str = "docs/src/reference/unsafe.csv";
const NOTE: &str = "// SAFETY: ";

/// An `unsafe` with the file, the function or the item that it stands in, and its contract.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    file: String,
    inside: String,
    contract: String,
}

/// All sources of the workspace, in order.
fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let crates = ["engine", "oracle", "uci", "arbiter", "suites", "reports", "xtask"];
    let mut open: Vec<PathBuf> = crates.map(|name| Path::new(ROOT).join(name)).into();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
            open.extend(entries.filter(|path| !path.ends_with("target")));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The name of the function that begins in a line.
fn named(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    let after = |word: &str| words.iter().position(|&other| other == word).and_then(|at| words.get(at + 1));
    after("fn").map(|name| (*name).to_owned())
}

fn blocks(file: &str, text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_code = |line: &str| !line.starts_with("//");
    let begins = |line: &str| is_code(line) && (line.contains("unsafe {") || line.starts_with("unsafe impl"));
    let at = (0..lines.len()).filter(|&at| begins(lines[at]));
    at.map(|at| {
        // The note stands above the statement: no blank line, no function and no other block is between them.
        let ends = |line: &&str| line.is_empty() || line.contains("unsafe {") || named(line).is_some();
        let statement = lines[..at].iter().rev().take_while(|line| !(is_code(line) && ends(line))).count();
        let near = &lines[at - statement..at];
        let note =
            near.iter().skip_while(|line| !line.starts_with(NOTE)).take_while(|line| line.starts_with("//"));
        let note: Vec<&str> = note.map(|line| line.trim_start_matches("//").trim()).collect();
        let inside = match lines[at].strip_prefix("unsafe ") {
            Some(implemented) if implemented.starts_with("impl") => {
                implemented.trim_end_matches(" {}").to_owned()
            }
            _ => lines[..at]
                .iter()
                .rev()
                .filter(|line| is_code(line))
                .find_map(|line| named(line))
                .unwrap_or_default(),
        };
        let contract = note.join(" ").trim_start_matches("SAFETY: ").to_owned();
        Block { file: file.to_owned(), inside, contract }
    })
    .collect()
}

#[test]
fn each_unsafe_block_is_listed_with_its_contract() {
    let root: PathBuf = Path::new(ROOT).components().collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["file", "inside", "contract"]).unwrap();
    let mut listed = 0;
    for path in sources() {
        if path.ends_with("unsafe_blocks.rs") {
            continue;
        }
        let path: PathBuf = path.components().collect();
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&path).unwrap();
        let others = ["unsafe fn", "unsafe extern", "unsafe trait", "#[unsafe("];
        assert!(!others.iter().any(|form| text.contains(form)), "{name}: list this form of unsafe too");
        for block in blocks(&name, &text) {
            assert!(block.contract.ends_with('.'), "{block:?}");
            writer.write_record([&block.file, &block.inside, &block.contract]).unwrap();
            listed += 1;
        }
    }
    assert!(listed > 10, "{listed}");
    let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
    let path = Path::new(ROOT).join(LIST);
    if std::env::var_os("WRITE_UNSAFE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(stored, text, "WRITE_UNSAFE=1 cargo test -p touchstone-chess --test program unsafe_blocks");
}

#[test]
fn a_block_has_the_note_above_it_and_the_function_around_it() {
    let text = "\
// SAFETY: plain memory.
unsafe impl Send for Thing {}
fn first() {
    // SAFETY: this note
    // has two lines.
    let found = unsafe {
        call()
    };
}
";
    let block = |inside: &str, contract: &str| Block {
        file: "a.rs".to_owned(),
        inside: inside.to_owned(),
        contract: contract.to_owned(),
    };
    let without =
        "fn first() {\n    // SAFETY: of another.\n    unsafe { call() };\n    unsafe { call() };\n}\n";
    assert_eq!(blocks("a.rs", without)[1].contract, "");
    let expected =
        [block("impl Send for Thing", "plain memory."), block("first", "this note has two lines.")];
    assert_eq!(blocks("a.rs", text), expected);
}
