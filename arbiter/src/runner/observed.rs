//! Which right answers are agreements.
//!
//! A *blank* answer is any legal move with a score of 0, as from a player that knows only the rules. It is
//! right in a drawn position, or where there is no mate to announce. Such a case agrees only if the player
//! was right in at least half of the cases where a blank answer is wrong. Until then the case is observed.

use suites::Verdict;

/// What the right answer to a case looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Right {
    /// A blank answer is right.
    Blank,
    /// A blank answer is wrong.
    Telling,
}

/// Whether a player with these verdicts tells the two kinds of cases apart: at least half of the cases in
/// which a blank answer is wrong agree. Skipped cases do not count. Observed cases count: a mate that was not
/// found is a blank answer.
pub(crate) fn is_told_apart<'v>(cases: impl IntoIterator<Item = (Right, &'v Verdict)>) -> bool {
    let (mut agreed, mut answered) = (0u64, 0u64);
    for (right, verdict) in cases {
        match verdict {
            Verdict::Skip(_) => {}
            _ if right == Right::Blank => {}
            Verdict::Agree => {
                agreed += 1;
                answered += 1;
            }
            Verdict::Differ(_) | Verdict::Observed => answered += 1,
        }
    }
    answered > 0 && 2 * agreed >= answered
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash, Hasher};

    use oracle::board::{self, Accept, Game, Spelling};
    use oracle::knowledge::three_men;
    use shakmaty::Chess;
    use suites::epd_files::EpdFile;
    use suites::mates::MateSuite;
    use suites::{Findings, SkipReason};

    use super::*;
    use crate::scripted::ScriptedPlayer;
    use crate::{Effort, NoProgress, SuiteContext, conversion, draws, mates, stalemates};
    use oracle::authorities::Authorities;
    use uci::{Bound, Limit, Line, Question, Reply, Score};

    #[test]
    fn half_of_the_telling_cases_have_to_agree() {
        let check = |telling: &[Verdict], expected| {
            let blank = [Verdict::Agree, Verdict::Agree];
            let cases = telling.iter().map(|verdict| (Right::Telling, verdict));
            let cases = cases.chain(blank.iter().map(|verdict| (Right::Blank, verdict)));
            assert_eq!(is_told_apart(cases), expected, "{telling:?}");
        };
        let (agree, observed) = (Verdict::Agree, Verdict::Observed);
        let skip = Verdict::Skip(SkipReason::Undecided);
        check(&[], false);
        check(std::slice::from_ref(&skip), false);
        check(std::slice::from_ref(&observed), false);
        check(&[agree.clone(), observed.clone()], true);
        check(&[agree.clone(), observed.clone(), observed.clone()], false);
        check(&[agree, observed, skip], true);
    }

    /// A player that plays any legal move and scores 0 in every position.
    fn blank(searches_selectively: bool) -> ScriptedPlayer {
        let player = ScriptedPlayer::new(|question, _| {
            let position = position(question);
            let moves = board::uci_moves(&position);
            let mut hasher = DefaultHasher::new();
            position.hash(&mut hasher);
            let index = hasher.finish() as usize % moves.len().max(1);
            let best = moves.get(index).cloned();
            let (score, bound) = (Score::Centipawns(0), Bound::Exact);
            let line = Line { depth: 1, score, bound, nodes: None, pv: best.iter().cloned().collect() };
            Ok(Reply { lines: vec![line], best, cut: false })
        });
        if searches_selectively { player.searching_selectively() } else { player }
    }

    fn position(question: &Question) -> Chess {
        let mut game = Game::at(board::position(&question.fen, Accept::ImpossibleCheck).unwrap());
        question.moves.iter().for_each(|text| game.play_text(text, Spelling::Tolerant).unwrap());
        game.position().clone()
    }

    /// A mate and a draw that the tables know, a mate that the prover finds, and two positions without a
    /// known value.
    const EPD: &str = "8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;\n8/8/8/4k3/4P3/4K3/8/8 w - - 0 1\n\
                       7k/5Q2/8/6K1/8/8/8/8 b - - 0 1\n\
                       1b6/8/8/8/8/5P2/3p1K2/k7 b - - dm 1;\n\
                       rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

    #[test]
    fn a_player_without_knowledge_agrees_in_no_case() {
        let authorities = Authorities { truth: Some(three_men().unwrap()), ..Authorities::default() };
        let which = mates::Announcements::default();
        let file = mates::with_legal_positions(EpdFile::parse("their.epd", EPD.as_bytes()).unwrap().mates);
        assert_eq!(file.malformed, []);
        for (searches_selectively, effort) in
            [(false, Effort::Plain), (true, Effort::Plain), (true, Effort::Quick)]
        {
            let players = &blank(searches_selectively);
            let (limit, progress) = (None, &NoProgress);
            let context =
                SuiteContext { players, authorities: &authorities, effort, seed: 1, limit, progress };
            let limit = Limit::Nodes(conversion::NODES);
            let prepared = mates::AnalysedFile::new(&file, &authorities, effort, &NoProgress);
            let suites: [(&str, Vec<Findings>); 5] = [
                (
                    "stalemates",
                    stalemates::run(&context, &suites::stalemates::embedded().unwrap()).unwrap().findings,
                ),
                ("mates", mates::run(&context, &MateSuite::embedded().unwrap(), which).findings),
                ("a file", mates::run_outside(&context, &prepared, which).findings),
                ("draws", draws::run(&context, &suites::draws::embedded().unwrap()).findings),
                ("conversion", conversion::run(&context, limit).findings),
            ];
            for (suite, findings) in suites {
                let tallies =
                    || findings.iter().map(|found| &found.tally).filter(|tally| tally.subject == "player");
                assert!(tallies().map(suites::Tally::answered).sum::<u64>() > 2, "{suite}");
                for tally in tallies() {
                    assert_eq!(tally.agreed, 0, "{suite}: {tally:?}");
                }
            }
        }
    }
}
