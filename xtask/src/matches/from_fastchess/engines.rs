//! The engines of a command line of fastchess.

use std::path::Path;

use anyhow::{Context, bail};

/// A word of an engine: its key and its value.
type Word = (String, String);

/// The words of `-engine` and `-each`.
#[derive(Debug, Default)]
pub(super) struct Engines {
    pub(super) each: Vec<Word>,
    pub(super) engines: Vec<Vec<Word>>,
}

/// The words KEY=VALUE.
pub(super) fn key_values<'t>(values: &[&'t str]) -> anyhow::Result<Vec<(&'t str, &'t str)>> {
    let split = |text: &'t str| {
        let parts = text.split_once('=').filter(|(key, value)| !key.is_empty() && !value.is_empty());
        parts.with_context(|| format!("\"{text}\": expected KEY=VALUE"))
    };
    values.iter().map(|text| split(text)).collect()
}

/// The words of an engine, with one name for each key.
pub(super) fn words(values: &[&str]) -> anyhow::Result<Vec<Word>> {
    let word = |(key, value): (&str, &str)| {
        let (key, value) = match key {
            "plies" => ("depth", value.to_owned()),
            "tc" if value == "infinite" => (key, "inf".to_owned()),
            // fastchess reads 10s as ten seconds.
            "tc" | "st" => (key, value.replace('s', "")),
            _ => (key, value.to_owned()),
        };
        (key.to_owned(), value)
    };
    Ok(key_values(values)?.into_iter().map(word).collect())
}

impl Engines {
    /// Our words: the engines, `--each` and `--of`. In fastchess the words for each come last, so that they
    /// replace those of an engine.
    pub(super) fn words(self) -> anyhow::Result<Vec<String>> {
        let Self { each, engines } = self;
        if engines.len() < 2 {
            bail!(
                "a match has two engines or more, each with -engine cmd=FILE, and {} are given",
                engines.len()
            );
        }
        let (own, shared): (Vec<Word>, Vec<Word>) = each.into_iter().partition(|(key, _)| is_own(key));
        let mut names: Vec<String> = Vec::new();
        let (mut paths, mut of) = (Vec::new(), Vec::new());
        for (number, mut words) in (1..).zip(engines) {
            words.retain(|(key, _)| !shared.iter().any(|(replaced, _)| replaced == key));
            words.extend(own.iter().cloned());
            let value =
                |key: &str| words.iter().rfind(|(known, _)| known == key).map(|(_, value)| value.as_str());
            let command = value("cmd").with_context(|| format!("engine {number} has no cmd="))?;
            paths.push(Path::new(value("dir").unwrap_or_default()).join(command).display().to_string());
            let name = name(value("name").unwrap_or_else(|| stem(command)), &mut names);
            of.push(format!("{number}:name={name}"));
            for (key, value) in &words {
                of.extend(of_engine(key, value)?.iter().map(|word| format!("{number}:{word}")));
            }
        }
        let mut words = paths;
        if !shared.is_empty() {
            words.push("--each".to_owned());
            words.extend(shared.iter().map(|(key, value)| format!("{key}={value}")));
        }
        words.push("--of".to_owned());
        words.extend(of);
        Ok(words)
    }
}

/// Whether each engine needs words of its own for this key of `-each`.
fn is_own(key: &str) -> bool {
    !matches!(key, "tc" | "st" | "nodes" | "depth" | "timemargin") && !key.starts_with("option.")
}

/// The name of a command: its file without folder and extension.
fn stem(command: &str) -> &str {
    Path::new(command).file_stem().and_then(|stem| stem.to_str()).unwrap_or(command)
}

/// A name that no engine before has: fastchess counts equal ones.
fn name(wanted: &str, names: &mut Vec<String>) -> String {
    names.push(wanted.to_owned());
    match names.iter().filter(|name| *name == wanted).count() {
        1 => wanted.to_owned(),
        times => format!("{wanted}_{times}"),
    }
}

/// Our words for one of an engine. Its command and its name are told in another way.
fn of_engine(key: &str, value: &str) -> anyhow::Result<Vec<String>> {
    match key {
        "cmd" | "name" => Ok(Vec::new()),
        "proto" if value == "uci" => Ok(Vec::new()),
        "proto" => bail!("proto={value}: engines speak UCI here"),
        "restart" if value == "off" => Ok(Vec::new()),
        "restart" => bail!("restart={value}: an engine goes on from game to game here; leave it out"),
        "args" => {
            let arguments =
                shlex::split(value).with_context(|| format!("args={value}: a quote is not closed"))?;
            Ok(arguments.iter().map(|argument| format!("arg={argument}")).collect())
        }
        _ => Ok(vec![format!("{key}={value}")]),
    }
}
