//! The engine that was checked, and how it was run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::finding::short;
use crate::{EngineCard, Run};

/// Names and values.
pub(super) type Facts = Vec<(&'static str, String)>;

/// The title of the page: the engine, or the subjects of the run.
pub(super) fn title(run: &Run) -> String {
    if let Some(card) = &run.engine {
        return short(&card.introduction());
    }
    let mut subjects: Vec<&str> = run.tallies().map(|tally| tally.subject.as_str()).collect();
    subjects.sort_unstable();
    subjects.dedup();
    let named = subjects[..subjects.len().min(4)].join(", ");
    short(&if subjects.len() > 4 { format!("{named} and {} more", subjects.len() - 4) } else { named })
}

/// When an engine was asked, of which revision, and by which command; empty where that is not known.
#[derive(Debug, Default, Serialize)]
pub(super) struct Origin {
    day: String,
    revision: String,
    command: String,
}

/// What `engine.json` says of it.
pub(super) fn origin(card: Option<&EngineCard>) -> Origin {
    let text = |text: &Option<String>| text.as_deref().map(short).unwrap_or_default();
    card.map_or_else(Origin::default, |card| Origin {
        day: text(&card.day),
        revision: text(&card.revision),
        command: text(&card.command),
    })
}

/// What `engine.json` says; empty if no program was checked.
pub(super) fn facts(card: Option<&EngineCard>) -> Facts {
    let Some(card) = card else { return Vec::new() };
    let pairs = |map: &BTreeMap<String, String>| {
        map.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
    };
    let arguments: Vec<&str> = card.arguments.iter().map(String::as_str).collect();
    let machine = &card.machine;
    let memory = machine.memory_mib.map(|mib| format!("{mib} MiB"));
    let cores = format!("{} threads", machine.cores);
    let machine =
        [machine.processor.clone(), Some(format!("{} {}", machine.os, machine.arch)), Some(cores), memory];
    let facts = [
        ("Engine", card.introduction()),
        ("Program", [&[card.path.as_str()], &arguments[..]].concat().join(" ")),
        ("SHA-256", card.sha256.clone().unwrap_or_default()),
        ("Options", pairs(card.set_up.as_ref().unwrap_or(&card.options))),
        ("Limits of go", card.keeps.as_ref().map(pairs).unwrap_or_default()),
        ("Hash table", card.hash.clone().unwrap_or_default()),
        ("After quit", card.after_quit.clone()),
        ("Machine", machine.into_iter().flatten().collect::<Vec<_>>().join(", ")),
        ("Effort", card.effort.clone()),
        ("Time limit", card.seconds.map(|seconds| format!("{seconds} s")).unwrap_or_default()),
        ("Limit per search", card.limit.clone().unwrap_or_default()),
        ("Processes", card.jobs.to_string()),
        ("Seed", card.seed.to_string()),
        ("Revision", card.revision.clone().unwrap_or_default()),
        ("Command", card.command.clone().unwrap_or_default()),
        ("Day", card.day.clone().unwrap_or_default()),
        ("Touchstone", card.touchstone.clone()),
    ];
    facts
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name, short(&value)))
        .collect()
}
