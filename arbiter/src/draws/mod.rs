//! Draws: positions that rules of draws decide, and their neighbours that they do not.
//!
//! A subject is asked for each at fixed nodes, with tables and without if it can go without. Its last exact score has to
//! say the result, its move has to be legal and must not give the result away at once. Of a class that may fail only
//! the latter is demanded: its scores are observed.

mod judge;
mod misread;
mod prove;

#[cfg(test)]
mod tests;

use suites::draws::{DrawCase, GameResult};
use suites::{Difference, Evidence, Findings, Tally, Verdict};

pub use judge::{DECISIVE, DRAW_TOLERANCE};
pub use misread::{Misreading, with_clock};
pub use prove::{MOST_PLIES, Proof, Prover, check};

use super::{Effort, Outcome, SuiteContext};
use crate::player::{Aid, NoAnswer, Player, PlayerFactory, Setup};
use crate::runner::{CaseContext, PlayerPool, Reproduction, Right, is_told_apart};
use oracle::board::fen as fen_of;
pub use oracle::board::{Game, GameError};
use uci::{Limit, Question, Reply};

/// The id of the check.
pub const CHECK: &str = "draw";
/// Positions that a subject may visit for a case.
pub const NODES: u64 = 10_000;
/// The same for a draw that takes [`DEEP`] plies or more to show.
pub const NODES_DEEP: u64 = 120_000;
/// Plies. No draw of the suite takes more than [`MOST_PLIES`], but for those that may be missed.
pub const DEEP: u32 = 4;
/// What is said of a draw that is none and is taken for one at the second occurrence of a position.
const TWOFOLD: &str = "twofold";
/// What is said of a draw that is scored as one by a player that scores wins and losses so too.
const NOT_TOLD_APART: &str = "not told apart";
/// The id of what did not come again.
const FLAKY: &str = "draw/flaky";
/// What is said of a case that was not asked, or not again.
const NOT_ASKED: &str = "not asked";
/// So many times as many for those who may be late, where they were wrong at first.
const LATE: u64 = 20;

/// How a subject answered for one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Who was asked.
    pub subject: String,
    /// Id of the position in the suite.
    pub case: String,
    /// The rule.
    pub class: String,
    /// Whether it had its tables.
    pub tables: bool,
    /// What is true.
    pub expected: GameResult,
    /// The score that it gave, as UCI writes it; empty if none.
    pub score: String,
    /// What is to be said of it.
    pub verdict: &'static str,
}

/// Puts the suite to a subject.
pub fn run(context: &SuiteContext, cases: &[DrawCase]) -> Outcome<Row> {
    let with_tables = context.players.has(Aid::Tables);
    let mut setups = vec![Setup::ALL];
    if with_tables && context.effort > Effort::Quick {
        setups.push(Setup::ALL.without(Aid::Tables));
    }
    context.progress.begin((setups.len() * cases.len()) as u64);
    let asked: Vec<(Setup, &DrawCase)> =
        setups.iter().flat_map(|&setup| cases.iter().map(move |case| (setup, case))).collect();
    let pool = PlayerPool::new(context.players);
    let (mut answered, incidents) = pool.judge_all(&asked, context.progress, |turn, &(setup, case)| {
        Asker { subjects: context.players, turn, limit: context.limit }.ask(setup, case)
    });
    for setup in setups {
        observe_blanks(&mut answered, setup.has(Aid::Tables));
    }
    let (mut findings, mut rows) = (Vec::new(), Vec::new());
    for mut answer in answered {
        answer.row.tables &= with_tables;
        findings_of(&mut findings, &answer.row).record(answer.verdict);
        rows.push(answer.row);
    }
    Outcome::new(context.players.name(), findings, rows, incidents)
}

/// Where the subject, with its tables or without, does not tell wins and losses from draws, the draws that it gets right are
/// observed.
fn observe_blanks(answered: &mut [Answered], tables: bool) {
    let of_setup = answered.iter().filter(|answer| answer.row.tables == tables);
    if is_told_apart(of_setup.filter_map(|answer| Some((answer.right?, &answer.verdict)))) {
        return;
    }
    let blank = answered.iter_mut().filter(|answer| answer.row.tables == tables);
    for answer in
        blank.filter(|answer| answer.right == Some(Right::Blank) && answer.verdict == Verdict::Agree)
    {
        (answer.verdict, answer.row.verdict) = (Verdict::Observed, NOT_TOLD_APART);
    }
}

/// The findings of the class of a row.
fn findings_of<'f>(all: &'f mut Vec<Findings>, row: &Row) -> &'f mut Findings {
    let place = all.iter().position(|findings| findings.tally.case_set == row.class);
    let place = place.unwrap_or_else(|| {
        all.push(Findings::new(Tally::new(&row.subject, CHECK, Evidence::Agreement, &row.class)));
        all.len() - 1
    });
    &mut all[place]
}

/// The game of a case without its positions of other castling or en passant rights: a FEN, and the moves that are left.
/// `None` if it has no such positions.
fn without_other_rights(case: &DrawCase) -> Option<(String, Vec<String>)> {
    let game = Game::new(&case.fen, &case.moves).ok()?;
    let place = game.alike_since()?;
    Some((fen_of(&game.positions()[place]), case.moves[place..].to_vec()))
}

struct Answered {
    row: Row,
    verdict: Verdict,
    /// What the right answer looks like; `None` of a class that may fail.
    right: Option<Right>,
}

/// What was said last to a question, and whether what is wrong with it came again.
struct Heard {
    question: Question,
    reply: Result<Reply, NoAnswer>,
    judged: judge::Judged,
    again: Reproduction,
}

impl Heard {
    fn new(
        asked: (&DrawCase, bool),
        question: Question,
        reply: Result<Reply, NoAnswer>,
        again: Reproduction,
    ) -> Self {
        let judged = judged_as(asked, reply.as_ref());
        Self { question, reply, judged, again }
    }

    fn is_wrong_as(&self, other: &judge::Judged) -> bool {
        other.fault.is_some() && other.word == self.judged.word
    }
}

/// What is said of an answer to a case, if so, with what its score and move are figures.
fn judged_as((case, is_figure): (&DrawCase, bool), reply: Result<&Reply, &NoAnswer>) -> judge::Judged {
    let judged = judge::judge(case, reply);
    match judged.retry_deeper {
        _ if !is_figure || reply.is_err() => judged,
        true => judge::Judged { word: "missed", fault: None, retry_deeper: false, ..judged },
        false if judged.fault.is_none() => judge::Judged { word: "found", ..judged },
        false => judged,
    }
}

/// Asks, and judges what is said.
struct Asker<'a> {
    subjects: &'a dyn PlayerFactory,
    turn: &'a CaseContext<'a>,
    /// How long it thinks, if the user says so.
    limit: Option<Limit>,
}

impl Asker<'_> {
    fn ask(&self, setup: Setup, case: &DrawCase) -> Answered {
        let usual = if case.due.is_some_and(|due| due >= DEEP) { NODES_DEEP } else { NODES };
        let limit = self.limit.unwrap_or(Limit::Nodes(usual));
        // With fewer positions than the case takes, or a time, its score is a figure.
        let is_figure = match limit {
            Limit::Nodes(nodes) => nodes < usual,
            Limit::Depth(_) | Limit::MoveTime(_) => true,
        };
        let question = Question { fen: case.fen.clone(), moves: case.moves.clone(), limit };
        let Heard { question, reply, mut judged, again } = self.hear(setup, case, question, is_figure);
        if judged.word == "score" && self.takes_two_for_three(setup, case, &question, reply.as_ref()) {
            // Our engine has promised to count to three.
            let word = if self.subjects.is_ours() { judged.word } else { TWOFOLD };
            judged = judged.explained(word, "without the first position of the game, which its rights tell from the others, it says so too");
        }
        let verdict = match judged.fault {
            _ if let Some(reason) = reply.as_ref().err().and_then(NoAnswer::skip) => Verdict::Skip(reason),
            Some(fault) => {
                let mut found = self.difference(case, setup, &question, judged.word, fault);
                if let Some(reason) = again.record_in(&mut found, FLAKY) {
                    judged.word = NOT_ASKED;
                    Verdict::Skip(reason)
                } else {
                    judged.word = if found.check == FLAKY { "flaky" } else { judged.word };
                    Verdict::Differ(Box::new(found))
                }
            }
            None if case.may_fail || is_figure => Verdict::Observed,
            None => Verdict::Agree,
        };
        let row = Row {
            subject: self.subjects.name().to_owned(),
            case: case.id.clone(),
            class: case.class().to_owned(),
            tables: setup.has(Aid::Tables),
            expected: case.result,
            score: judged.score,
            verdict: judged.word,
        };
        let right = match case.result {
            _ if case.may_fail => None,
            GameResult::Draw => Some(Right::Blank),
            GameResult::Win | GameResult::Loss => Some(Right::Telling),
        };
        Answered { row, verdict, right }
    }

    /// Asks, and the same again where something is wrong: another process, then the same one. What came again is asked of whoever
    /// may be late with more nodes, wherever it came again.
    fn hear(&self, setup: Setup, case: &DrawCase, question: Question, is_figure: bool) -> Heard {
        let mut lease = match self.turn.lease(setup) {
            Ok(lease) => lease,
            Err(why) => return Heard::new((case, is_figure), question, Err(why), Reproduction::FreshProcess),
        };
        let first =
            Heard::new((case, is_figure), question.clone(), lease.ask(&question), Reproduction::FreshProcess);
        // No answer came twice already.
        if first.judged.fault.is_none() || first.reply.is_err() {
            return first;
        }
        let is_so = |reply: &Result<Reply, NoAnswer>| {
            first.is_wrong_as(&judged_as((case, is_figure), reply.as_ref()))
        };
        let again = lease.reproduce(|lease| lease.ask(&question), is_so);
        if !(again.came_again() && self.subjects.searches_selectively() && first.judged.retry_deeper) {
            return Heard { again, ..first };
        }
        let Limit::Nodes(nodes) = question.limit else { return Heard { again, ..first } };
        let more = Question { limit: Limit::Nodes(nodes.saturating_mul(LATE)), ..question };
        let reply = lease.ask_deeper(again, &more);
        let mut late = Heard::new((case, is_figure), more, reply, again);
        if late.judged.fault.is_none() && late.reply.is_ok() {
            late.judged.word = "late";
        } else if late.reply.is_ok() && !first.is_wrong_as(&late.judged) {
            // What else is wrong there was said once.
            return Heard { again, ..first };
        }
        late
    }

    /// Whether it says draw because a position that stood on the board once may come again, and not because it takes
    /// positions with other rights for the same: it says so too in the game without those.
    fn takes_two_for_three(
        &self,
        setup: Setup,
        case: &DrawCase,
        question: &Question,
        reply: Result<&Reply, &NoAnswer>,
    ) -> bool {
        if case.result == GameResult::Draw || !reply.is_ok_and(judge::says_draw) {
            return false;
        }
        let Some((fen, moves)) = without_other_rights(case) else { return false };
        let control = Question { fen, moves, limit: question.limit };
        self.turn.ask(setup, &control).as_ref().is_ok_and(judge::says_draw)
    }

    fn difference(
        &self,
        case: &DrawCase,
        setup: Setup,
        question: &Question,
        word: &str,
        fault: judge::Fault,
    ) -> Difference {
        let off = if setup.has(Aid::Tables) { "" } else { " without tables" };
        Difference {
            subject: self.subjects.name().to_owned(),
            check: format!("{CHECK}/{word}"),
            case: format!("{}{off}", case.id),
            fen: case.fen.clone(),
            stored: fault.stored,
            expected: fault.expected,
            source: "proof".to_owned(),
            explanation: fault.explanation,
            replay: self.subjects.replay(setup, question),
        }
    }
}
