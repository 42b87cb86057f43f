//! Programs that are heard again before they are blamed.

use suites::mates::{MateCase, MateSuite};

use super::liars::{SUITE, mate, moves_of, says, tried};
use super::position;
use crate::subject::{Aid, Limit, NoAnswer, Question, Reply, Score, Setup, Subject, Subjects};
use crate::trials::Effort;

/// Announces a mate in one that is not there: always, or only in a search that ends in the middle of an iteration, or in a
/// process that was asked something before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hasty {
    Always,
    InNodes,
    Later,
    /// Told to stop before the end of the depth, it says the same again.
    Slow,
    /// Besides, its move is not legal; asked by depth, nothing is wrong.
    Illegal,
}

struct Process {
    kind: Hasty,
    asked: u32,
}

impl Subjects for Hasty {
    fn name(&self) -> &'static str {
        "hasty"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Subject>, NoAnswer> {
        Ok(Box::new(Process { kind: *self, asked: 0 }))
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn may_be_late(&self) -> bool {
        true
    }

    fn replay(&self, _: Setup, question: &Question) -> String {
        question.commands().join("; ")
    }
}

impl Subject for Process {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        self.asked += 1;
        let is_wrong = match self.kind {
            Hasty::Always | Hasty::Slow => true,
            Hasty::InNodes | Hasty::Illegal => matches!(question.limit, Limit::Nodes(_)),
            Hasty::Later => self.asked > 1,
        };
        assert!([Limit::Nodes(20_000), Limit::Depth(9)].contains(&question.limit));
        let best = moves_of(&position(&question.fen).unwrap()).swap_remove(0);
        let mut reply = says(1, vec![best]);
        reply.cut = self.kind == Hasty::Slow;
        if !is_wrong {
            reply.lines[0].score = Score::Centipawns(20);
        } else if self.kind == Hasty::Illegal {
            reply.best = Some("a1b9".to_owned());
        }
        Ok(reply)
    }
}

#[test]
fn what_a_program_announces_has_to_come_again_in_an_iteration_that_is_finished() {
    let cases: Vec<MateCase> =
        SUITE.cases.iter().filter(|case| mate(case).is_none()).take(8).cloned().collect();
    let suite = MateSuite { cases, proofs: SUITE.proofs.clone() };
    let differences = |kind: Hasty| -> Vec<(String, String)> {
        let outcome = tried(&kind, Effort::Plain, &suite);
        let told = outcome.findings.into_iter().flat_map(|findings| findings.differences);
        told.map(|told| (told.check, told.replay)).collect()
    };
    let always = differences(Hasty::Always);
    assert_eq!(always.len(), 8);
    let again =
        |(check, replay): &(String, String)| check == "mate/unsound" && replay.ends_with("go depth 9");
    assert!(always.iter().all(again), "{always:#?}");
    for kind in [Hasty::InNodes, Hasty::Later, Hasty::Slow] {
        assert_eq!(differences(kind), []);
    }
    let illegal = differences(Hasty::Illegal);
    assert_eq!(illegal.len(), 8);
    assert!(illegal.iter().all(|(check, _)| check == "mate/move"), "{illegal:#?}");
}
