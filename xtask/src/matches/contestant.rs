//! The engines of a match, by the words of the command line.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use arbiter::game::TimeControl;
use arbiter::tournament::host::Entrant;
use arbiter::tournament::journal::EngineHeader;
use arbiter::tournament::trial;
use sha2::Digest;
use suites::syzygy::Sha256;
use uci::Program;

use super::args::MatchArgs;
use crate::verify::{self, EngineArgs};

/// The words of cutechess that limit a search.
const LIMITS: [&str; 5] = ["tc", "st", "nodes", "depth", "timemargin"];

/// An engine of a match.
pub(super) struct Contestant {
    pub(super) program: Program,
    pub(super) control: TimeControl,
    /// Whether it has the option for Chess960.
    pub(super) plays_chess960: bool,
    /// The values of its options `Threads` and `Hash`, if it has them.
    pub(super) threads: Option<u64>,
    pub(super) hash: Option<u64>,
    /// The options that are set at its start, ours among them.
    options: Vec<(String, String)>,
}

/// Finds all engines, starts each once, and tries whether its searches end. `bases` is how each one is started,
/// before the words of the match.
pub(super) fn find(args: &MatchArgs, bases: &[EngineArgs]) -> anyhow::Result<Vec<Contestant>> {
    let mut words: Vec<Vec<&str>> =
        args.engines.iter().map(|_| args.each.iter().map(String::as_str).collect()).collect();
    for text in &args.of {
        let (index, word) = of_one(text, &args.engines)?;
        words[index].push(word);
    }
    let contestants: Vec<Contestant> = args
        .engines
        .iter()
        .zip(&words)
        .zip(bases)
        .map(|((name, words), base)| contestant(name, words, base))
        .collect::<anyhow::Result<_>>()?;
    for (index, one) in contestants.iter().enumerate() {
        let name = &one.program.name;
        if let Some(other) = contestants[..index].iter().position(|other| other.program.name == *name) {
            bail!(
                "engines {} and {} are both called {name}: give one another name, as with --of {}:name=new",
                other + 1,
                index + 1,
                index + 1
            );
        }
    }
    for (number, one) in (1..).zip(&contestants) {
        trial::ends_its_search(&one.entrant()).map_err(|endless| {
            let advice = format!("as in --of {number}:tc=8+0.08 or --of {number}:depth=8");
            anyhow!("{endless}. Give it a limit that it keeps, {advice}")
        })?;
    }
    Ok(contestants)
}

/// The engine that `ENGINE:WORD` is about, and the word.
fn of_one<'t>(text: &'t str, engines: &[String]) -> anyhow::Result<(usize, &'t str)> {
    let of_number =
        |name: &str| name.parse::<usize>().ok().filter(|number| (1..=engines.len()).contains(number));
    let splits = text.match_indices(':').map(|(at, _)| (&text[..at], &text[at + 1..]));
    for (name, word) in splits {
        let mut named = engines.iter().enumerate().filter(|(_, engine)| *engine == name);
        match (named.next(), named.next()) {
            (Some((index, _)), None) => return Ok((index, word)),
            (Some(_), Some(_)) => bail!("--of {text}: two engines are named {name}; write its number from 1"),
            _ => {}
        }
        if let Some(number) = of_number(name) {
            return Ok((number - 1, word));
        }
    }
    bail!(
        "--of \"{text}\": expected ENGINE:WORD with an engine of this match or its number, as in 2:nodes=1000"
    )
}

fn contestant(name: &str, words: &[&str], base: &EngineArgs) -> anyhow::Result<Contestant> {
    let mut engine = base.clone();
    // A later word replaces an earlier one of the same key.
    let mut limits: Vec<(&str, &str)> = Vec::new();
    for word in words {
        let (key, value) =
            word.split_once('=').with_context(|| format!("\"{word}\": expected a word such as tc=8+0.08"))?;
        match key {
            _ if LIMITS.contains(&key) => {
                limits.retain(|(known, _)| *known != key);
                limits.push((key, value));
            }
            "name" => engine.name = Some(value.to_owned()),
            "arg" => engine.args.push(value.into()),
            "dir" => engine.dir = Some(value.into()),
            "memory" => {
                let most = value.parse().ok().filter(|most| *most > 0);
                engine.memory = Some(most.with_context(|| format!("\"{word}\": expected a number of MiB"))?);
            }
            _ => match key.strip_prefix("option.") {
                Some(option) => {
                    let option = format!("{option}={value}");
                    engine.option.push(verify::option(&option).map_err(anyhow::Error::msg)?);
                }
                None => {
                    bail!(
                        "\"{word}\": expected {}=, name=, arg=, dir=, memory= or option.NAME=",
                        LIMITS.join("=, ")
                    )
                }
            },
        }
    }
    let limits: Vec<String> = limits.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let control = limits.join(" ").parse().with_context(|| format!("the words of {name}"))?;
    let (program, identity) = verify::identify(base.engine.as_deref().unwrap_or(name), &engine)?;
    let options = identity.initial_options(&program.options);
    let value = |name: &str| {
        let set = options.iter().rfind(|(option, _)| option.eq_ignore_ascii_case(name));
        let default = identity.option(name)?.default.as_ref();
        set.map(|(_, value)| value).or(default)?.parse().ok()
    };
    let plays_chess960 = identity.option("UCI_Chess960").is_some();
    let (threads, hash) = (value("Threads"), value("Hash"));
    Ok(Contestant { program, control, plays_chess960, threads, hash, options })
}

impl Contestant {
    /// It as it plays.
    pub(super) fn entrant(&self) -> Entrant {
        Entrant { program: self.program.clone(), time_control: self.control }
    }

    /// What decides how it plays.
    pub(super) fn header(&self) -> anyhow::Result<EngineHeader> {
        let Program { name, path, arguments, .. } = &self.program;
        let command = std::iter::once(path.display().to_string());
        Ok(EngineHeader {
            name: name.clone(),
            command: command
                .chain(arguments.iter().map(|text| text.to_string_lossy().into_owned()))
                .collect(),
            sha256: Some(sum_of(path)?),
            options: self.options.iter().cloned().collect(),
            limit: self.control.to_string(),
        })
    }
}

/// The SHA-256 sum of a file, which may be large.
fn sum_of(path: &Path) -> anyhow::Result<String> {
    let shown = || format!("cannot read {}", path.display());
    let mut file = File::open(path).with_context(shown)?;
    let (mut sum, mut part) = (sha2::Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part).with_context(shown)? {
            0 => return Ok(Sha256(sum.finalize().into()).to_string()),
            read => sum.update(&part[..read]),
        }
    }
}
