//! The documents: their links, the table of contents of the book, and the pages that a command writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::sandbox::Sandbox;

/// Documents outside the book.
const DOCUMENTS: [&str; 4] = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"];
/// The folder of the book's pages.
const PAGES: &str = "docs/src";
const CONTENTS: &str = "docs/src/SUMMARY.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The Markdown files of a folder and its subfolders, as paths from the root.
fn markdown(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(Result::unwrap);
    let path = |entry: fs::DirEntry| format!("{folder}/{}", entry.file_name().to_str().unwrap());
    let (folders, files): (Vec<_>, Vec<_>) = entries.map(path).partition(|path| root().join(path).is_dir());
    let files =
        files.into_iter().filter(|file| Path::new(file).extension().is_some_and(|suffix| suffix == "md"));
    files.chain(folders.iter().flat_map(|folder| markdown(folder))).collect()
}

/// The lines outside fenced blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// A line without its inline code.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// The targets of the inline links of a document.
fn links(text: &str) -> Vec<String> {
    let targets = |line: &str| {
        let line = without_code(line);
        let parts = line.split("](").skip(1).filter_map(|part| part.split_once(')'));
        parts.map(|(target, _)| target.to_owned()).collect::<Vec<_>>()
    };
    prose(text).flat_map(targets).collect()
}

/// The anchors of a document as mdBook and GitHub name them: its headings, and its HTML anchors.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen = BTreeMap::<String, usize>::new();
    let mut anchors = BTreeSet::new();
    for line in prose(text) {
        if let Some(id) = line.strip_prefix("<a id=\"") {
            anchors.insert(id.split_once('"').unwrap().0.to_owned());
        }
        let title = line.trim_start_matches('#');
        if title.len() < line.len() && title.starts_with(' ') {
            let kept = title.trim().chars().filter(|&c| c.is_alphanumeric() || "_- ".contains(c));
            let id: String =
                kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect();
            let times = seen.entry(id.clone()).or_default();
            anchors.insert(if *times == 0 { id } else { format!("{id}-{times}") });
            *times += 1;
        }
    }
    anchors
}

/// A relative link as a path from the root, without `..`.
fn resolved(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> =
        Path::new(page).parent().unwrap().iter().map(|part| part.to_str().unwrap()).collect();
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(part) => parts.push(part.to_str().unwrap()),
            _ => {}
        }
    }
    parts.join("/")
}

/// What is wrong with a link of a page; `None` if nothing is.
fn fault(page: &str, link: &str) -> Option<String> {
    if link.contains("://") {
        return None;
    }
    let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
    let file = if target.is_empty() { page.to_owned() } else { resolved(page, target) };
    if !root().join(&file).exists() {
        return Some(format!("{page}: {link}: there is no {file}"));
    }
    if page.starts_with(PAGES) && !file.starts_with(PAGES) {
        return Some(format!("{page}: {link} leaves the book"));
    }
    if !anchor.is_empty() && !anchors(&read(&file)).contains(anchor) {
        return Some(format!("{page}: {link}: {file} has no such heading"));
    }
    None
}

#[test]
fn every_relative_link_has_a_target() {
    let pages = DOCUMENTS.map(str::to_owned).into_iter().chain(markdown(PAGES));
    let checked: Vec<(String, String)> = pages
        .flat_map(|page| links(&read(&page)).into_iter().map(move |link| (page.clone(), link)))
        .collect();
    assert!(checked.len() > 50, "only {} links found", checked.len());
    let faults: Vec<String> = checked.iter().filter_map(|(page, link)| fault(page, link)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_broken_link_is_found() {
    assert_eq!(links("[a](b.md#c) `[no](x)` [d](e)\n```\n[f](g)\n```\n"), ["b.md#c", "e"]);
    assert!(anchors("# The `a/b`: c\n\n## x\n## x\n").iter().eq(["the-ab-c", "x", "x-1"]));
    assert_eq!(fault("README.md", "CONTRIBUTING.md#three-commands"), None);
    for link in ["nowhere.md", "CONTRIBUTING.md#nowhere", "#nowhere"] {
        assert!(fault("README.md", link).is_some(), "{link}");
    }
    assert!(fault(CONTENTS, "../../README.md").is_some());
}

#[test]
fn the_contents_name_every_page_once() {
    let mut named: Vec<String> = links(&read(CONTENTS)).iter().map(|link| resolved(CONTENTS, link)).collect();
    named.push(CONTENTS.to_owned());
    named.sort_unstable();
    assert_eq!(named, markdown(PAGES).into_iter().collect::<Vec<_>>());
}

/// The rows of the table of three columns that follows a heading.
fn rows_of(page: &str, heading: &str) -> Vec<[String; 3]> {
    let (_, section) = page.split_once(&format!("\n{heading}\n")).unwrap();
    let (_, table) = section.split_once("|---|---|---|\n").unwrap();
    let cells = |row: &str| {
        let row = row.trim_matches('|').replace("\\|", "\0");
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace('\0', "|")).collect();
        cells.try_into().unwrap_or_else(|cells| panic!("{cells:?}"))
    };
    table.lines().take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// Each defect that was missed once has a player that the check finds.
#[test]
fn each_defect_that_was_missed_has_a_faulty_player() {
    let page = read("docs/src/explanation/tested.md");
    // The rule of each player, and the checks that find it.
    let players: Vec<[String; 2]> = PLAYERS.into_iter().flat_map(rules_and_checks).collect();
    let rows = rows_of(&page, "### Defects that were missed once");
    assert_eq!(rows.len(), 17, "{rows:?}");
    for [defect, check, player] in rows {
        let [check, player] = [&check, &player].map(|cell| cell.trim_matches('`'));
        let finds = |[rule, found]: &[String; 2]| rule == player && found.split(' ').any(|id| id == check);
        assert!(players.iter().any(finds), "{defect}");
    }
}

/// The files of faulty players.
const PLAYERS: [&str; 2] =
    ["docs/src/reference/faulty-players.csv", "docs/src/reference/faulty-suite-players.csv"];

/// The rule or the options of each player of a file, and the checks that find it.
fn rules_and_checks(file: &str) -> Vec<[String; 2]> {
    let text = read(file);
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let names = table.headers().unwrap().clone();
    let column = |wanted: &str| names.iter().position(|name| name == wanted);
    let (rule, found) = (column("rule").or(column("options")).unwrap(), column("found by").unwrap());
    table.records().map(|row| row.unwrap()).map(|row| [rule, found].map(|at| row[at].to_owned())).collect()
}

/// Each quantity is held from both sides, by checks that are there.
#[test]
fn each_quantity_has_a_check_from_both_sides() {
    let rows = rows_of(&read("docs/src/explanation/tested.md"), "## From both sides");
    assert!(rows.len() > 25, "{rows:?}");
    for cells in rows {
        for cell in &cells[1..] {
            let checks: Vec<&str> = cell.split(", ").map(|id| id.trim_matches('`')).collect();
            let is_check = |id: &&str| suites::catalogue::pages().any(|page| page.id == *id);
            assert!(!cell.is_empty() && checks.iter().all(is_check), "{cells:?}");
        }
    }
}

#[test]
fn the_reference_of_checks_is_what_explain_prints() {
    let page = read("docs/src/reference/checks.md");
    let told = Sandbox::new().run(["explain", "--markdown"]);
    assert_eq!(told.code, 0);
    assert!(
        told.stdout == page,
        "write it anew: cargo xtask explain --markdown > docs/src/reference/checks.md"
    );
    for check in suites::catalogue::pages() {
        assert!(page.contains(&format!("\n### {}: {}\n", check.id, check.title)), "{}", check.id);
        assert!(page.contains(check.text), "{}", check.id);
    }
}

/// The tutorial shows each mend as it is committed, and each mend removes lines that stand in the engine.
#[test]
fn the_tutorial_shows_the_files_beside_it() {
    let (page, engine) = (read("docs/src/tutorial/small-engine.md"), read("docs/src/tutorial/pebble.py"));
    for number in 1..=3 {
        let mend = read(&format!("docs/src/tutorial/mend-{number}.diff"));
        assert!(page.contains(&format!("```diff\n{mend}```\n")), "mend-{number}.diff");
        let removed = mend.lines().filter(|line| line.starts_with('-') && !line.starts_with("---"));
        for line in removed {
            assert!(engine.contains(&format!("\n{}\n", &line[1..])), "mend-{number}.diff: {line}");
        }
    }
}

#[test]
fn the_readme_is_short_and_gives_the_commands_that_ci_runs() {
    let (readme, steps) = (read("README.md"), read(".ci/run"));
    assert!(readme.lines().count() <= 150);
    for command in ["verify", "verify --engine ./mine", "verify --dump mine.csv"] {
        assert!(readme.contains(&format!("\n    touchstone {command} ")), "{command}");
    }
    assert!(readme.contains("\n    cargo test --workspace "));
    assert!(steps.contains("\nstep cargo test --workspace "));
}
