//! The counts of one heuristic over a table, and their results: rows, and a verdict if its yes must never be
//! wrong.

use shakmaty::Color;
use suites::Decimal3;
use suites::rows::KnowledgeRow;
use suites::{Difference, Replay, Verdict};

use super::heuristic::{Claimed, EvaluatedPosition, Heuristic, Kind};
use super::spearman::{Pairs, spearman};
use super::{CHECK, SUBJECT};
use crate::board;
use crate::positions::Men;
use crate::table_probe::{Dtm, Wdl, describe_dtm};

/// The true value of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrueValue {
    /// White's result.
    pub(super) white: Wdl,
    /// Distance to mate, if either side wins.
    pub(super) dtm: Option<Dtm>,
}

/// Yes and no compared with the results.
#[derive(Debug, Clone, Copy, Default)]
struct HeuristicAnswers {
    /// Yes, and it is true.
    true_positive: u64,
    /// Yes, and it is not true.
    false_positive: u64,
    /// No, and it is not true.
    true_negative: u64,
    /// No, and it is true.
    false_negative: u64,
}

/// Steps of best play: White's move and Black's reply, from White's view.
#[derive(Debug, Clone, Copy, Default)]
struct Steps {
    /// The number did not fall.
    kept: u64,
    /// The number fell.
    fell: u64,
}

/// The counts of one heuristic over a table.
#[derive(Debug, Clone, Default)]
pub(super) struct Tallies {
    /// Positions to which the heuristic applied.
    asked: u64,
    answers: HeuristicAnswers,
    /// The number of the heuristic and the nearness of mate, in positions that White wins.
    pairs: Pairs,
    steps: Steps,
    /// The first position where its yes is wrong.
    wrong: Option<Wrong>,
}

#[derive(Debug, Clone)]
struct Wrong {
    fen: String,
    truth: String,
}

impl Tallies {
    /// Computes the heuristic for a position, and returns its number.
    pub(super) fn ask(
        &mut self,
        heuristic: &Heuristic,
        seen: &mut EvaluatedPosition,
        truth: TrueValue,
    ) -> Option<i32> {
        match heuristic.kind {
            Kind::Says(claimed, says) => {
                if let Some(yes) = says(seen) {
                    self.asked += 1;
                    self.answer(yes, claimed, seen, truth);
                }
                None
            }
            Kind::Ranks(number) => {
                let number = number(seen)?;
                self.asked += 1;
                self.rank(number, truth);
                Some(number)
            }
            Kind::Values(least, number) => {
                let number = number(seen)?;
                self.asked += 1;
                self.answer(number >= least, Claimed::Win, seen, truth);
                self.rank(number, truth);
                Some(number)
            }
        }
    }

    fn answer(&mut self, yes: bool, claimed: Claimed, seen: &EvaluatedPosition, truth: TrueValue) {
        let holds = claimed.holds(truth.white);
        let answers = &mut self.answers;
        *match (yes, holds) {
            (true, true) => &mut answers.true_positive,
            (true, false) => &mut answers.false_positive,
            (false, false) => &mut answers.true_negative,
            (false, true) => &mut answers.false_negative,
        } += 1;
        if yes && !holds && self.wrong.is_none() {
            let color = if seen.white_to_move() { Color::White } else { Color::Black };
            let truth = format!("{color}, to move: {}", describe_dtm(truth.dtm));
            self.wrong = Some(Wrong { fen: board::fen(seen.position()), truth });
        }
    }

    fn rank(&mut self, number: i32, truth: TrueValue) {
        if let Some(dtm) = truth.dtm.filter(|_| truth.white == Wdl::Win) {
            *self.pairs.entry((number, -i32::from(dtm.plies()))).or_default() += 1;
        }
    }

    /// Counts a step of best play.
    pub(super) fn step(&mut self, before: i32, after: i32) {
        *(if after >= before { &mut self.steps.kept } else { &mut self.steps.fell }) += 1;
    }

    /// Joins the next part of the same walk.
    pub(super) fn absorb(&mut self, next: Self) {
        self.asked += next.asked;
        self.answers.true_positive += next.answers.true_positive;
        self.answers.false_positive += next.answers.false_positive;
        self.answers.true_negative += next.answers.true_negative;
        self.answers.false_negative += next.answers.false_negative;
        for (pair, count) in next.pairs {
            *self.pairs.entry(pair).or_default() += count;
        }
        self.steps.kept += next.steps.kept;
        self.steps.fell += next.steps.fell;
        self.wrong = self.wrong.take().or(next.wrong);
    }

    /// The rows of a heuristic: one for positions, and one for steps if there are any.
    pub(super) fn rows(&self, heuristic: &Heuristic, men: &Men) -> Vec<KnowledgeRow> {
        let row = |name: String, positions, answers, spearman: Option<i64>| {
            let [true_positive, false_positive, true_negative, false_negative] = answers;
            let share = |rest: Option<u64>| Decimal3::ratio(true_positive?, true_positive? + rest?);
            KnowledgeRow {
                heuristic: name,
                table: men.name().to_owned(),
                positions,
                true_positive,
                false_positive,
                true_negative,
                false_negative,
                precision: share(false_positive),
                recall: share(false_negative),
                spearman: spearman.map(Decimal3),
            }
        };
        let HeuristicAnswers { true_positive, false_positive, true_negative, false_negative } = self.answers;
        let answers = match heuristic.kind {
            Kind::Ranks(_) => [None; 4],
            _ => [true_positive, false_positive, true_negative, false_negative].map(Some),
        };
        let Steps { kept, fell } = self.steps;
        let whole = row(heuristic.name.to_owned(), self.asked, answers, spearman(&self.pairs));
        let along = [Some(kept), None, None, Some(fell)];
        let along =
            (kept + fell > 0).then(|| row(format!("{}: steps", heuristic.name), kept + fell, along, None));
        std::iter::once(whole).chain(along).collect()
    }

    /// The verdict, if its yes must never be wrong.
    pub(super) fn verdict(&self, heuristic: &Heuristic, men: &Men) -> Option<Verdict> {
        if !heuristic.yes_is_sure {
            return None;
        }
        let claimed = match heuristic.kind {
            Kind::Says(claimed, _) => claimed,
            Kind::Ranks(_) | Kind::Values(..) => Claimed::Win,
        };
        let Some(wrong) = &self.wrong else { return Some(Verdict::Agree) };
        let times = self.answers.false_positive;
        Some(Verdict::Differ(Box::new(Difference {
            subject: SUBJECT.to_owned(),
            check: CHECK.to_owned(),
            case: format!("{men}/{}", heuristic.name),
            fen: wrong.fen.clone(),
            played: None,
            limit: None,
            stored: claimed.words().into(),
            given: None,
            expected: wrong.truth.clone().into(),
            best: Vec::new(),
            source: "certified production table".to_owned(),
            explanation: format!("its yes is wrong in {times} positions, of which this is the first"),
            cause: None,
            replay: Replay::touchstone(format_args!("tables probe \"{}\"", wrong.fen)),
        })))
    }
}
