//! The card of an engine: its name, its file, how it was started, and on which machine.

use std::io;
use std::path::Path;

use arbiter::conversion;
use reports::EngineCard;
use sha2::{Digest, Sha256};
use uci::Limit;
use uci::{LimitSupport, Support};

use super::{EngineRun, machine};
use crate::today::today;
use crate::{git, program};

impl EngineRun<'_> {
    /// The card of the engine.
    pub(in super::super) fn card(&self) -> EngineCard {
        let (program, job) = (&self.program, self.job);
        let variables = program.environment.iter();
        EngineCard {
            schema: EngineCard::SCHEMA,
            name: program.name.clone(),
            id: self.identity.id.clone(),
            path: program.path.display().to_string(),
            sha256: sha256(&program.path).ok(),
            arguments: program.arguments.iter().map(|text| text.to_string_lossy().into_owned()).collect(),
            directory: program.directory.as_ref().map(|folder| folder.display().to_string()),
            isolated: program.isolated,
            environment: variables
                .map(|(name, value)| (name.to_string_lossy().into(), value.to_string_lossy().into()))
                .collect(),
            options: program.options.iter().cloned().collect(),
            set_up: self.players.options().map(|options| options.into_iter().collect()),
            hash: self.players.limits().map(|limits| of_new_game(&limits).to_owned()),
            after_quit: self.exit.to_string(),
            keeps: self.players.limits().map(|keeps| {
                let limits = [("nodes", keeps.nodes), ("depth", keeps.depth), ("movetime", keeps.move_time)];
                let clock = (keeps.clock != Support::Unknown).then_some(("clock", keeps.clock));
                let limits = limits.into_iter().chain(clock);
                limits.map(|(limit, kept)| (limit.to_owned(), kept.to_string())).collect()
            }),
            machine: machine::this(),
            touchstone: env!("CARGO_PKG_VERSION").to_owned(),
            seed: job.seed,
            effort: job.effort.to_string(),
            seconds: self.engine.limit(job.effort).map(|limit| limit.as_secs()),
            jobs: rayon::current_num_threads() as u64,
            conversion: job.limit.unwrap_or(Limit::Nodes(conversion::NODES)).to_string(),
            limit: job.limit.map(|limit| limit.to_string()),
            command: Some(program::command_line()),
            revision: git::described(&program.path),
            day: today().ok().map(|day| day.to_string()),
        }
    }
}

/// How the hash table is cleared between two cases.
fn of_new_game(limits: &LimitSupport) -> &'static str {
    match limits.new_game {
        None => "cleared by ucinewgame before each case",
        Some(_) => "a new process for each case",
    }
}

/// SHA-256 of a file in hexadecimal.
fn sha256(path: &Path) -> io::Result<String> {
    Ok(suites::syzygy::Sha256(Sha256::digest(std::fs::read(path)?).into()).to_string())
}
