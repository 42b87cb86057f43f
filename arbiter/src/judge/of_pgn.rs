//! Games of files: what their tags and comments say, and all that is held against them.

use shakmaty::Color;
use uci::Score;

use super::endings::{self, Ending};
use super::finding::{Fault, Finding, Reason};
use super::pgn_ends::PgnEnd;
use super::told_end::ToldEnd;
use super::{FinishedGame, Judged, Probe, clocks, findings, mates, scores};
use crate::game::{GameResult, Rules};
use crate::pgn::PgnGame;

/// How games of files are judged.
#[derive(Debug, Clone, Copy, Default)]
pub struct PgnPolicy {
    /// Whose rules end games.
    pub rules: Rules,
    /// How many plies at the beginning of each game are not held against tables. Their scores are not judged.
    pub from_ply: usize,
}

/// A game that was judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedPgn {
    /// The result; [`GameResult::Unfinished`] if the file has none, or two.
    pub result: GameResult,
    /// In the order of the plies.
    pub findings: Vec<Finding>,
    /// The endings that it reached.
    pub endings: Vec<Ending>,
}

/// Judges a game of a file.
pub fn judge_pgn(game: &PgnGame, policy: &PgnPolicy, probe: Probe<'_>) -> JudgedPgn {
    let told = ToldEnd::of(game);
    let (result, two_results) = result(game);
    let opening = game.book_plies().max(policy.from_ply).min(game.game.moves().len());
    let finished = FinishedGame {
        game: &game.game,
        opening,
        scores: &of_players(game)[opening..],
        // After an illegal move the last position is not that of the end.
        result: if game.illegal.is_some() { GameResult::Unfinished } else { result },
        is_adjudicated: matches!(told, ToldEnd::Adjudication { .. }),
    };
    let judged = Judged::new(&finished, probe);
    let mut found = findings(&judged);
    found.retain(|finding| !is_by_other_rule(finding, told));
    let at_end = |fault| judged.finding(judged.last(), None, fault);
    found.extend(two_results.map(at_end));
    found.extend(PgnEnd { game, judged: &judged, told, result, rules: policy.rules }.findings());
    found.extend(clocks::findings(game, &judged));
    let endings = endings::endings(&judged);
    found.extend(of_analysis(game, judged));
    found.sort_by_key(|finding| (finding.ply, finding.id()));
    JudgedPgn { result, findings: found, endings }
}

/// The result of the tag and of the text, which may contradict each other.
fn result(game: &PgnGame) -> (GameResult, Option<Fault>) {
    let tag: GameResult = match game.tag("Result").trim() {
        "1/2" => GameResult::Draw,
        text => {
            GameResult::ALL.into_iter().find(|known| known.name() == text).unwrap_or(GameResult::Unfinished)
        }
    };
    let text = game.result.unwrap_or(GameResult::Unfinished);
    match (tag, text) {
        (GameResult::Unfinished, known) | (known, GameResult::Unfinished) => (known, None),
        (tag, text) if tag == text => (tag, None),
        (tag, text) => (GameResult::Unfinished, Some(Fault::TwoResults { tag, text })),
    }
}

/// The scores that the players gave. If a mate of the game cannot be one in plies, the unit of its mates is not
/// known.
fn of_players(game: &PgnGame) -> Vec<Option<Score>> {
    let is_known = !game.remarks.iter().any(|remark| remark.is_other_mate);
    let keeps = |score: &Score| is_known || matches!(score, Score::Centipawns(_));
    game.remarks.iter().map(|remark| remark.score.filter(keeps)).collect()
}

/// Tables can adjudicate wins that the fifty-move rule draws, if the runner is told so.
fn is_by_other_rule(finding: &Finding, told: ToldEnd) -> bool {
    let by_tables = told == ToldEnd::Adjudication { by_tables: true };
    by_tables
        && matches!(
            &finding.fault,
            Fault::WrongAdjudication { truth, .. } if matches!(truth.reason, Reason::FiftyMoves { .. })
        )
}

/// What an analysis in the comments says of positions, as lichess writes it. It is of no player.
fn of_analysis(game: &PgnGame, judged: Judged<'_>) -> Vec<Finding> {
    if game.remarks.iter().all(|remark| remark.analysis.is_none()) {
        return Vec::new();
    }
    // The score stands after the move before the position.
    let of_white = |ply: usize| game.remarks[ply.checked_sub(1)?].analysis;
    let of_mover = |ply| of_white(ply).map(|score| seen_by(score, judged.mover(ply)));
    let scores: Vec<Option<Score>> = (judged.finished.opening..judged.last()).map(of_mover).collect();
    let finished = FinishedGame { scores: &scores, ..*judged.finished };
    let judged = Judged { finished: &finished, probe: judged.probe, truths: judged.truths };
    let mut found = mates::findings(&judged, &[]);
    found.retain(|finding| matches!(finding.fault, Fault::MateUnsound { .. }));
    found.extend(scores::findings(&judged));
    found.into_iter().map(|finding| Finding { player: None, ..finding }).collect()
}

/// A score of White's view from that of a side.
fn seen_by(score: Score, side: Color) -> Score {
    let of_side = |number: i32| side.fold_wb(number, number.saturating_neg());
    match score {
        Score::Centipawns(centipawns) => Score::Centipawns(of_side(centipawns)),
        Score::Mate(moves) => Score::Mate(of_side(moves)),
    }
}
