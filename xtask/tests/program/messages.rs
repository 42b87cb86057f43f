//! Messages are for people: no code reads a finding back out of its words. What code needs is a field or a
//! value, `suites::Answer`.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// The fields of a finding that are words, or whose words are made by `Display`.
const FIELDS: [&str; 3] = ["stored", "expected", "explanation"];
/// What would read them.
const READS: [&str; 9] = [
    " == \"",
    ".as_str()",
    ".starts_with(",
    ".ends_with(",
    ".contains(",
    ".split",
    ".rsplit",
    ".strip_",
    ".to_string().s",
];

/// The sources of a crate without its tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match () {
            () if path.is_dir() && name != "tests" => sources(&path, found),
            () if path.extension().is_some_and(|ending| ending == "rs")
                && !["tests.rs", "faulty.rs"].contains(&&*name) =>
            {
                found.push(path);
            }
            () => {}
        }
    }
}

/// The lines that read a message, by file and number.
fn reading(name: &str, text: &str) -> Vec<String> {
    let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let reads = |line: &str| {
        let is_field = |(at, _): (usize, &str)| {
            line[..at].ends_with('.')
                || !line[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
        };
        let reads_field =
            |field: &str, read: &str| line.match_indices(&format!("{field}{read}")).any(is_field);
        FIELDS.iter().any(|field| READS.iter().any(|read| reads_field(field, read)))
    };
    let lines = product.lines().zip(1..).filter(|(line, _)| reads(line));
    lines.map(|(line, number)| format!("{name}:{number}: {}", line.trim())).collect()
}

#[test]
fn no_code_reads_a_message() {
    let mut found = Vec::new();
    for package in ["suites", "oracle", "arbiter", "reports", "xtask"] {
        sources(&Path::new(ROOT).join(package).join("src"), &mut found);
    }
    assert!(found.len() > 300, "{} sources", found.len());
    let faults: Vec<String> = found
        .iter()
        .flat_map(|path| {
            let name = path.strip_prefix(ROOT).unwrap().to_string_lossy();
            reading(&name, &fs::read_to_string(path).unwrap())
        })
        .collect();
    assert!(faults.is_empty(), "these read a message back:\n{}", faults.join("\n"));
}

#[test]
fn a_planted_one_is_seen() {
    let planted =
        "fn is_mate(found: &Difference) -> bool {\n    found.stored.to_string().starts_with(\"mate \")\n}\n";
    assert_eq!(reading("x.rs", planted), ["x.rs:2: found.stored.to_string().starts_with(\"mate \")"]);
    assert_eq!(reading("x.rs", "if found.expected == \"draw\" {}").len(), 1);
    assert_eq!(reading("x.rs", "if found.stored == Answer::LivesOn {}"), [""; 0]);
    assert_eq!(
        reading("x.rs", "#[cfg(test)]\nmod tests {\nassert_eq!(found.stored.as_str(), \"\");"),
        [""; 0]
    );
    assert_eq!(reading("x.rs", "#[cfg(test)]\nmod tests;\nlet is = stored.contains(\"x\");").len(), 1);
}
