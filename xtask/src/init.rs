//! `init`: writes a commented touchstone.toml.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use toml::Value;
use uci::{Identity, OptionKind, UciOption};

use crate::outcome::Exit;
use crate::regress::build;
use crate::verify::{self, CONFIG_FILE, EngineArgs};
use crate::{console, files};

/// Write a commented touchstone.toml into this folder. A file that exists is not overwritten.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone init                            without an engine: how revisions are built, and examples
  touchstone init ./mine                     ask an engine who it is, and list its options
  touchstone init gnuchess --args=--uci")]
pub(crate) struct InitArgs {
    /// A UCI engine: a file, or a program in the PATH.
    engine: Option<String>,
    /// An argument for the engine, such as --args=--uci; one option for each argument.
    #[arg(long, value_name = "ARG", requires = "engine", allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Writes the file.
pub(crate) fn run(args: &InitArgs) -> anyhow::Result<Exit> {
    let path = Path::new(CONFIG_FILE);
    if path.symlink_metadata().is_ok() {
        bail!("{CONFIG_FILE} exists already, and is not overwritten: rename it, or edit it");
    }
    let (engine, verify) = match &args.engine {
        Some(named) => {
            let program =
                EngineArgs { engine: Some(named.clone()), args: args.args.clone(), ..EngineArgs::default() };
            let (program, identity) = verify::identify(named, &program)?;
            let verify = format!("touchstone verify --engine {}", program.name);
            (engine(&program.name, named, &args.args, &identity), Some(verify))
        }
        None => (ANY_ENGINE.to_owned(), None),
    };
    let folder = std::env::current_dir()?;
    let made = build::executable(&folder).filter(|_| args.engine.is_none());
    if let Some((path, makefile)) = &made {
        console::message(&format!("{makefile} says EXE = {}: that is taken for the engine", path.display()));
    }
    let made = made.map(|(path, _)| path);
    let binary = args.engine.as_deref().and_then(|named| inside(&folder, named)).or_else(|| made.clone());
    let text = format!("{BEGINNING}\n{engine}\n{}\n{ACCEPT}", how_to_build(&folder, binary.as_deref()));
    files::create(path, text.as_bytes())?;
    let next = verify.unwrap_or_else(|| match made {
        Some(made) if made.is_file() => "touchstone verify".to_owned(),
        Some(made) => format!("build {}, then touchstone verify", made.display()),
        None => "name your engine in it, then touchstone verify".to_owned(),
    });
    console::line(&format!("wrote {CONFIG_FILE}; next: {next}"))?;
    Ok(Exit::Agree)
}

const BEGINNING: &str = "\
# How Touchstone starts, builds and judges this engine. Paths are relative to the folder of this file.
";

const ANY_ENGINE: &str = "\
# An engine: touchstone verify --engine mine
# [engine.mine]
# path = \"./mine\"
# args = [\"--uci\"]
# options = { Hash = 64 }
";

const ACCEPT: &str = "\
# Findings that do not fail a run, each with its reason: the id of a check, a family, a cause, a check with a case, or a pattern with *.
[accept]
# \"draw/twofold\" = \"it saves time\"
# \"mate/*\" = { reason = \"planned for 1.1\", until = \"2030-12-31\" }
";

/// The table of an engine, with its options as comments.
fn engine(name: &str, path: &str, args: &[OsString], identity: &Identity) -> String {
    let id = |key: &str| identity.id.get(key).map(|text| comment(text)).unwrap_or_default();
    let mut text =
        format!("# {} by {}: touchstone verify --engine {}\n", id("name"), id("author"), comment(name));
    let _ = writeln!(text, "[engine.{}]\npath = {}", key(name), quoted(path));
    let words: Vec<String> = args.iter().map(|word| quoted(&word.to_string_lossy())).collect();
    let _ = if words.is_empty() {
        writeln!(text, "# args = [\"--uci\"]")
    } else {
        writeln!(text, "args = [{}]", words.join(", "))
    };
    text.push_str("# dir = \"run\"                # the folder that it is started in\n");
    text.push_str("# env = { NAME = \"value\" }   # variables of its environment\n");
    if !identity.options.is_empty() {
        let _ = writeln!(
            text,
            "\n# Its UCI options with their defaults. Remove the # before those that are to be set."
        );
        let _ = writeln!(text, "[engine.{}.options]", key(name));
        identity.options.iter().for_each(|option| text.push_str(&line(option)));
    }
    text
}

/// An option with its default and its bounds, as a comment.
fn line(option: &UciOption) -> String {
    let UciOption { name, kind, default, min, max, vars, .. } = option;
    let name = key(name);
    let default = default.as_deref().unwrap_or_default();
    let text = |value: &str| quoted(if value == "<empty>" { "" } else { value });
    let number = |end: &Option<i64>| end.map_or("?".to_owned(), |end| end.to_string());
    match kind {
        Some(OptionKind::Button) => format!("# {name} = \"\"   # a button: naming it presses it\n"),
        Some(OptionKind::Check) => format!("# {name} = {}\n", default.eq_ignore_ascii_case("true")),
        Some(OptionKind::Spin) => {
            let value = default.parse::<i64>().map_or_else(|_| quoted(default), |number| number.to_string());
            format!("# {name} = {value}   # {} to {}\n", number(min), number(max))
        }
        Some(OptionKind::Combo) => {
            let vars: Vec<String> = vars.iter().map(|value| comment(value)).collect();
            format!("# {name} = {}   # one of: {}\n", text(default), vars.join(", "))
        }
        Some(OptionKind::String) | None => format!("# {name} = {}\n", text(default)),
    }
}

/// The table `[build]`, as `regress` guesses it; as a comment where nothing can be guessed.
fn how_to_build(folder: &Path, binary: Option<&Path>) -> String {
    const WHAT: &str = "# How `touchstone regress` and `touchstone bisect` build a revision.\n";
    let known = binary.map(|path| format!("binary = {}\n", quoted(&path.to_string_lossy())));
    let Some((guessed, _)) = build::guess(folder) else {
        let binary = known.unwrap_or_else(|| "binary = \"mine\"\n".to_owned());
        return format!("{WHAT}# [build]\n# command = \"make\"\n# {binary}");
    };
    let binary = known.unwrap_or_else(|| "# binary = \"mine\"   # the engine that it makes\n".to_owned());
    format!(
        "{WHAT}[build]\ncommand = {}\n{binary}# files = []   # what the engine needs beside it\n",
        quoted(&guessed.command)
    )
}

/// The path of an engine within a folder; `None` for one of the PATH or from elsewhere.
fn inside(folder: &Path, named: &str) -> Option<PathBuf> {
    if !named.contains(['/', '\\']) {
        return None;
    }
    let found = folder.join(named).canonicalize().ok()?;
    found.strip_prefix(folder.canonicalize().ok()?).ok().map(Path::to_owned)
}

/// A text as a TOML value on one line.
fn quoted(text: &str) -> String {
    Value::String(comment(text)).to_string()
}

/// A key, in quotes where it needs them.
fn key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}

/// A text without control characters, which a comment must not have.
fn comment(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, kind: OptionKind, default: &str) -> UciOption {
        let [name, default] = [name, default].map(str::to_owned);
        UciOption { name, kind: Some(kind), default: Some(default), ..UciOption::default() }
    }

    #[test]
    fn options_are_comments_that_can_be_set() {
        let check = |option: UciOption, expected: &str| {
            let line = line(&option);
            assert_eq!(line.trim_end(), format!("# {expected}"));
            toml::from_str::<toml::Table>(&line[2..]).unwrap_or_else(|error| panic!("{line}: {error}"));
        };
        let hash = option("Hash", OptionKind::Spin, "16");
        check(UciOption { min: Some(1), max: Some(1024), ..hash.clone() }, "Hash = 16   # 1 to 1024");
        check(hash, "Hash = 16   # ? to ?");
        check(option("Own Book", OptionKind::Check, "True"), "\"Own Book\" = true");
        check(option("Book \"File\"", OptionKind::String, "<empty>"), "'Book \"File\"' = \"\"");
        check(
            option("Clear Hash", OptionKind::Button, ""),
            "\"Clear Hash\" = \"\"   # a button: naming it presses it",
        );
        let style = option("Style", OptionKind::Combo, "Normal");
        check(
            UciOption { vars: vec!["Solid".into(), "Normal\u{1b}".into()], ..style },
            "Style = \"Normal\"   # one of: Solid, Normal",
        );
        check(option("Größe", OptionKind::Spin, "much"), "\"Größe\" = \"much\"   # ? to ?");
    }

    #[test]
    fn the_build_is_guessed() {
        let folder = tempfile::tempdir().unwrap();
        assert!(how_to_build(folder.path(), None).contains("\n# [build]\n"));
        std::fs::write(folder.path().join("Makefile"), "").unwrap();
        let text = how_to_build(folder.path(), Some(Path::new("bin/mine")));
        assert!(text.contains("\n[build]\ncommand = \"make\"\nbinary = \"bin/mine\"\n"), "{text}");
        std::fs::write(folder.path().join("mine"), "").unwrap();
        assert_eq!(inside(folder.path(), "./mine"), Some(PathBuf::from("mine")));
        assert_eq!(inside(folder.path(), "mine"), None);
        assert_eq!(inside(folder.path(), "/bin/sh"), None);
    }
}
