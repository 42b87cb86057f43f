//! PlayerFactory that are wrong at times: what comes again is a finding, what does not is a note.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::player::Player;

/// When it takes a win for a draw.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In the first search of all, and never again.
    Once,
    /// In a process that was asked something before.
    Later,
    /// The same, with few nodes.
    LaterAndLate,
}

struct Unsteady {
    when: When,
    new: Arc<AtomicBool>,
}

struct Process {
    when: When,
    new: Arc<AtomicBool>,
    asked: u32,
}

impl PlayerFactory for Unsteady {
    fn name(&self) -> &'static str {
        "unsteady"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        Ok(Box::new(Process { when: self.when, new: Arc::clone(&self.new), asked: 0 }))
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn searches_selectively(&self) -> bool {
        true
    }

    fn replay(&self, _: Setup, question: &Question) -> String {
        question.commands().join("; ")
    }
}

impl Player for Process {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let game = Game::new(&question.fen, &question.moves).unwrap();
        self.asked += 1;
        let late = [NODES, NODES_DEEP].map(|nodes| Limit::Nodes(nodes * LATE)).contains(&question.limit);
        let lies = match self.when {
            When::Once => self.new.swap(false, Ordering::Relaxed),
            When::Later => self.asked > 1,
            When::LaterAndLate => self.asked > 1 && !late,
        };
        Ok(if lies { reply(Score::Centipawns(0), answer(&game).best) } else { answer(&game) })
    }
}

/// What is said of four wins in turn, and how the last finding ends.
#[track_caller]
fn check(when: When, words: [&str; 4], check: &str, nodes: u64, ends: &str) {
    let cases: Vec<DrawCase> = CASES
        .iter()
        .filter(|case| case.result == GameResult::Win && case.due.is_none())
        .take(4)
        .cloned()
        .collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let subject = Unsteady { when, new: Arc::new(true.into()) };
    let outcome = pool.install(|| put_to(&subject, Effort::Plain, &cases));
    let said: Vec<&str> = outcome.rows.iter().map(|row| row.verdict).collect();
    assert_eq!(said, words);
    let told: Vec<&Difference> = outcome.findings.iter().flat_map(|found| &found.differences).collect();
    for found in told {
        assert_eq!(found.check, check);
        assert!(found.explanation.ends_with(ends), "{found:#?}");
        assert!(found.replay.ends_with(&format!("go nodes {nodes}")), "{found:#?}");
    }
}

#[test]
fn what_comes_again_is_a_finding_and_what_does_not_is_a_note() {
    let once = "it came once: neither a fresh process nor the first one repeats it";
    check(When::Once, ["flaky", "agree", "agree", "agree"], "draw/flaky", NODES, once);
    let in_same = "a fresh process does not repeat it, the first process does";
    check(When::Later, ["agree", "score", "score", "score"], "draw/score", NODES * LATE, in_same);
    check(When::LaterAndLate, ["agree", "late", "late", "late"], "", 0, "");
}
