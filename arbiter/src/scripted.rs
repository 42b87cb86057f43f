//! A scripted player: its answers are a function of the question and of how many it was asked before.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use suites::Replay;

use uci::{Limit, Question, Reply};

use crate::player::{Aid, NoAnswer, Player, PlayerFactory, Setup};

/// How many questions came before one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Before {
    /// To the same process.
    pub(crate) in_process: u32,
    /// To all processes.
    pub(crate) in_all: u32,
}

type Script = dyn Fn(&Question, Before) -> Result<Reply, NoAnswer> + Send + Sync;

/// Plays by a script. Without further settings it starts, has no aids and does not search selectively.
#[derive(Clone)]
pub(crate) struct ScriptedPlayer {
    aids: &'static [Aid],
    searches_selectively: bool,
    /// Whether it keeps no limit but time.
    keeps_time: bool,
    /// Why it does not start.
    start: Result<(), NoAnswer>,
    /// Why it fails at a new game.
    new_game: Result<(), NoAnswer>,
    asked: Arc<AtomicU32>,
    script: Arc<Script>,
}

impl ScriptedPlayer {
    pub(crate) fn new(
        script: impl Fn(&Question, Before) -> Result<Reply, NoAnswer> + Send + Sync + 'static,
    ) -> Self {
        Self {
            aids: &[],
            searches_selectively: false,
            keeps_time: false,
            start: Ok(()),
            new_game: Ok(()),
            asked: Arc::default(),
            script: Arc::new(script),
        }
    }

    pub(crate) fn with_aids(self, aids: &'static [Aid]) -> Self {
        Self { aids, ..self }
    }

    pub(crate) fn searching_selectively(self) -> Self {
        Self { searches_selectively: true, ..self }
    }

    pub(crate) fn keeping_time(self) -> Self {
        Self { keeps_time: true, ..self }
    }

    pub(crate) fn failing_at_start(self, why: NoAnswer) -> Self {
        Self { start: Err(why), ..self }
    }

    pub(crate) fn failing_at_new_game(self, why: NoAnswer) -> Self {
        Self { new_game: Err(why), ..self }
    }
}

impl PlayerFactory for ScriptedPlayer {
    fn name(&self) -> &'static str {
        "player"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        self.start.clone()?;
        Ok(Box::new(Process { player: self.clone(), asked: 0 }))
    }

    fn has(&self, aid: Aid) -> bool {
        self.aids.contains(&aid)
    }

    fn searches_selectively(&self) -> bool {
        self.searches_selectively
    }

    fn gets_time_for(&self, limit: Limit) -> bool {
        self.keeps_time && matches!(limit, Limit::Depth(_) | Limit::Nodes(_))
    }

    fn replay(&self, setup: Setup, question: &Question) -> Replay {
        Replay::shell(format!("{setup}: {}", question.commands().join("; ")))
    }
}

struct Process {
    player: ScriptedPlayer,
    asked: u32,
}

impl Player for Process {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        self.player.new_game.clone()
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let in_all = self.player.asked.fetch_add(1, Ordering::Relaxed);
        let before = Before { in_process: self.asked, in_all };
        self.asked += 1;
        (self.player.script)(question, before)
    }
}
