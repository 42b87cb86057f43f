//! Compares the best moves and moves to avoid of a file with the proved results.

use shakmaty::Move;
use suites::{Answer, Verdict};

use super::known::{KnownMoves, MoveGrade, MoveResult, san};
use super::reading::{BestMoveFile, BestMovePosition};
use super::{CLAIM, id};
use crate::findings::{Fault, FaultCase};

/// The statement of a file on a position, compared with the proved results.
pub(super) struct FileClaim {
    /// Best moves that are worse than another move.
    refuted: Vec<(Move, MoveResult)>,
    /// Whether the file says to avoid all moves with the best result.
    avoids_the_best: bool,
    /// Whether the whole statement is proved.
    is_right: bool,
}

impl FileClaim {
    pub(super) fn new(case: &BestMovePosition, known: &mut KnownMoves) -> Self {
        let graded: Vec<(Move, MoveGrade)> = case.best.iter().map(|&mv| (mv, known.grade(mv))).collect();
        let refuted = graded.iter().filter_map(|&(mv, grade)| match grade {
            MoveGrade::Worse(of_move) => Some((mv, of_move)),
            MoveGrade::Best | MoveGrade::Unknown => None,
        });
        let refuted: Vec<(Move, MoveResult)> = refuted.collect();
        let avoided = case.avoid.iter().all(|&mv| matches!(known.grade(mv), MoveGrade::Worse(_)));
        let is_right = avoided && graded.iter().all(|(_, grade)| *grade == MoveGrade::Best);
        let avoids_the_best = !case.avoid.is_empty() && known.is_only_among(&case.avoid);
        Self { refuted, avoids_the_best, is_right }
    }

    /// Whether the statement is refuted as a whole, so that the position cannot be solved.
    pub(super) fn overrules(&self, case: &BestMovePosition) -> bool {
        self.avoids_the_best || !case.best.is_empty() && self.refuted.len() == case.best.len()
    }

    /// Whether a move is best by the file and is not refuted.
    pub(super) fn is_best(&self, case: &BestMovePosition, mv: Move) -> bool {
        let is_named = case.best.is_empty() || case.best.contains(&mv);
        is_named && !case.avoid.contains(&mv) && !self.refuted.iter().any(|(refuted, _)| *refuted == mv)
    }

    /// The verdict on the file; `None` if the statement is neither proved nor refuted.
    pub(super) fn verdict(
        &self,
        file: &BestMoveFile,
        case: &BestMovePosition,
        known: &KnownMoves,
    ) -> Option<Verdict> {
        let best = known.best()?;
        let differ = |stored: Answer, source, explanation, replay| {
            let expected = known.best_in_words(best);
            let (given, expected, best) = (None, expected.into(), best.move_text().into_iter().collect());
            let fault = Fault { kind: (), stored, given, expected, best, source, explanation, cause: None };
            let (player, check, case_id) = (&*file.name, CLAIM.to_owned(), id(file, case));
            let found =
                FaultCase { player, check, case: case_id, fen: &case.fen, played: None, limit: None, replay };
            Some(fault.verdict(found))
        };
        if let Some((mv, of_move)) = self.refuted.first() {
            return differ(
                format!("bm {}", san(&case.position, *mv)).into(),
                known.sources(*of_move),
                known.in_words(*mv, *of_move),
                known.replay(*mv, *of_move),
            );
        }
        if self.avoids_the_best {
            let avoid: Vec<String> = case.avoid.iter().map(|&mv| san(&case.position, mv)).collect();
            let explanation = "all other moves are worse".to_owned();
            return differ(
                format!("am {}", avoid.join(" ")).into(),
                best.of_move.source.to_owned(),
                explanation,
                known.replay_of_best(),
            );
        }
        self.is_right.then_some(Verdict::Agree)
    }
}
