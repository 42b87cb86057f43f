//! What a file says of the moves of a position, held against what is known of them.

use shakmaty::Move;
use suites::{Difference, Verdict};

use super::known::{Kept, Known, Told, san};
use super::reading::{BestMoveFile, Reading};
use super::{CLAIM, id};

/// What came of it.
pub(super) struct Claim {
    /// Best moves that are worse than another.
    refuted: Vec<(Move, Told)>,
    /// The moves to avoid hold all that are good.
    avoids_the_best: bool,
    /// Whether all that the file says is known to be right, where it could be wrong.
    is_right: bool,
}

impl Claim {
    pub(super) fn of(case: &Reading, known: &mut Known) -> Self {
        let kept: Vec<(Move, Kept)> = case.best.iter().map(|&mv| (mv, known.keeps(mv))).collect();
        let refuted = kept.iter().filter_map(|&(mv, kept)| match kept {
            Kept::No(told) => Some((mv, told)),
            Kept::Yes | Kept::Unknown => None,
        });
        let refuted: Vec<(Move, Told)> = refuted.collect();
        // Moves to avoid are right where each is known to be worse.
        let avoided = case.avoid.iter().all(|&mv| matches!(known.keeps(mv), Kept::No(_)));
        let is_right = avoided && kept.iter().all(|(_, kept)| *kept == Kept::Yes);
        let avoids_the_best = !case.avoid.is_empty() && known.is_only_among(&case.avoid);
        Self { refuted, avoids_the_best, is_right }
    }

    /// Whether nothing is left of what the file says, so that nothing is solved or missed.
    pub(super) fn overrules(&self, case: &Reading) -> bool {
        self.avoids_the_best || !case.best.is_empty() && self.refuted.len() == case.best.len()
    }

    /// Whether a move is best by what the file says and is not refuted.
    pub(super) fn is_best(&self, case: &Reading, mv: Move) -> bool {
        let is_named = case.best.is_empty() || case.best.contains(&mv);
        is_named && !case.avoid.contains(&mv) && !self.refuted.iter().any(|(refuted, _)| *refuted == mv)
    }

    /// The verdict on the file; `None` where nobody can tell.
    pub(super) fn verdict(&self, file: &BestMoveFile, case: &Reading, known: &Known) -> Option<Verdict> {
        let best = known.best()?;
        let differ = |stored, source, explanation, replay| {
            Some(Verdict::Differ(Box::new(Difference {
                subject: file.name.clone(),
                check: CLAIM.to_owned(),
                case: id(file, case),
                fen: case.fen.clone(),
                stored,
                expected: known.best_in_words(best),
                source,
                explanation,
                replay,
            })))
        };
        if let Some((mv, told)) = self.refuted.first() {
            return differ(
                format!("bm {}", san(&case.position, *mv)),
                known.sources(*told),
                known.words(*mv, *told),
                known.replay(*mv, *told),
            );
        }
        if self.avoids_the_best {
            let avoid: Vec<String> = case.avoid.iter().map(|&mv| san(&case.position, mv)).collect();
            let explanation = "all other moves are worse".to_owned();
            return differ(
                format!("am {}", avoid.join(" ")),
                best.source().to_owned(),
                explanation,
                known.replay_of_best(),
            );
        }
        self.is_right.then_some(Verdict::Agree)
    }
}
