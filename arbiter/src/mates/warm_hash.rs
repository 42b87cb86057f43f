//! Asks one process for many positions of one small table, one after the other without a new game, each for a
//! short time.
//!
//! If other positions fill the hash table, or if time cuts a search off, a program may give a mate that is
//! not there or a draw in a won position. The certified table judges. After a wrong answer the suite asks a
//! fresh process. If that process answers otherwise, the suite also asks other fresh processes the last
//! questions before it, as few as show the fault.

use std::time::Duration;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use oracle::positions::{Men, Placement};
use oracle::table_probe::{Dtm, Wdl, distance, wdl_of};
use shakmaty::{Color, Position};
use suites::{Answer, EngineScore, Evidence, Findings, SkipReason, Tally, Then, ToldScore, Verdict};
use uci::{Limit, Line, Question, Reply, Score};

use super::announcement::{Announcements, announced, counted_lines};
use super::verdict::{MateVerdict, check_of};
use super::{CHECK, MateRow};
use crate::findings::{DRAW_TOLERANCE, Fault, FaultCase};
use crate::player::{Asked, NoAnswer, Player, Setup};
use crate::runner::{CaseContext, PlayerPool, earlier_counts};
use crate::{SuiteContext, SuiteOutcome, by_effort};
use suites::SharedCause;

/// The class of these cases in reports.
const CLASS: &str = "warm-hash";
const TABLES: [&str; 3] = ["KPvK", "KQvK", "KRvK"];
/// The positions that one process is asked.
const IN_ONE_PROCESS: usize = 50;
/// The times of the searches in milliseconds, in turn.
const TIMES: [u64; 8] = [10, 10, 20, 10, 10, 30, 10, 10];
/// A score of at least this many centipawns says that the position is won.
const WON: i32 = 200;

/// What is wrong with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WarmFault {
    /// A mate that is not forced.
    Mate,
    /// A draw in a position that is won.
    Draw,
}

/// A position of a table.
struct TablePosition {
    fen: String,
    dtm: Option<Dtm>,
    has_pawn: bool,
    time: Duration,
}

/// The positions that one process is asked.
struct Series {
    table: &'static str,
    number: u64,
    positions: Vec<TablePosition>,
}

/// Asks a program for positions of the tables of three men.
pub fn run_warm_hash(context: &SuiteContext) -> SuiteOutcome<MateRow> {
    let evidence = Evidence::Sample { seed: context.seed };
    let mut findings = Findings::new(Tally::new(context.players.name(), CHECK, evidence, CLASS));
    if context.authorities.truth.is_none() {
        findings.tally.skip(SkipReason::NotCertified, 1);
        return SuiteOutcome::new(context.players.name(), vec![findings], Vec::new(), Vec::new());
    }
    let series = series(context);
    let pool = PlayerPool::new(context.players);
    let (judged, incidents) = pool.judge_all(
        &series,
        |series| series.table,
        context.progress,
        |case_context, series| SeriesRun { context, case_context, series }.judge(),
    );
    judged.into_iter().flatten().for_each(|verdict| findings.record(verdict));
    SuiteOutcome::new(context.players.name(), vec![findings], Vec::new(), incidents)
}

/// The series of a run, drawn by its seed.
fn series(context: &SuiteContext) -> Vec<Series> {
    let count = by_effort(context.effort, [1, 4, 40]);
    let of_table = |name: &'static str| {
        (1..=count).map(move |number| Series {
            table: name,
            number,
            positions: positions(context, name, number),
        })
    };
    TABLES.into_iter().flat_map(of_table).collect()
}

/// Legal positions with a move, of both colours.
fn positions(context: &SuiteContext, table: &str, number: u64) -> Vec<TablePosition> {
    let (Some(truth), Ok(men)) = (context.authorities.truth, table.parse::<Men>()) else { return Vec::new() };
    let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
    rng.set_stream(number << 8 | u64::from(table.as_bytes()[1]));
    let drawn = std::iter::repeat_with(|| {
        let turn = if rng.next_u64().is_multiple_of(2) { Color::White } else { Color::Black };
        let drawn = Placement::numbered(&men, rng.next_u64() % men.numbers(), turn)?;
        let image = drawn.image(rng.next_u64() % men.images());
        let image = if rng.next_u64().is_multiple_of(2) { image.with_colors_exchanged() } else { image };
        let has_move = image.legal.as_ref().is_some_and(|position| !position.legal_moves().is_empty());
        let dtm = truth.probe(&image.board, image.turn).ok()?.dtm;
        has_move.then(|| (image.fen(), dtm))
    });
    let times = TIMES.into_iter().cycle().map(Duration::from_millis);
    let position = |((fen, dtm), time)| TablePosition { fen, dtm, has_pawn: men.has_pawns(), time };
    drawn.flatten().zip(times).take(IN_ONE_PROCESS).map(position).collect()
}

impl TablePosition {
    fn question(&self) -> Question {
        Question::new(&self.fen, Limit::MoveTime(self.time))
    }

    /// The fault of an answer, and the score that shows it.
    fn fault_of(&self, reply: &Reply) -> Option<(WarmFault, Answer)> {
        let deepest = reply.lines.iter().map(|line| line.depth).max();
        // In an unfinished iteration a loss does not count: a later move may avoid it.
        let false_mate = |line: &&Line| match line.score {
            Score::Mate(moves) => (moves > 0 || Some(line.depth) < deepest) && !self.is_forced(moves),
            Score::Centipawns(_) => false,
        };
        if let Some(line) = Self::claims(reply).into_iter().find(false_mate) {
            return Some((WarmFault::Mate, crate::answer::of_line(line, Then::Nothing)));
        }
        let last = reply.last()?;
        let is_draw = matches!(last.score, Score::Centipawns(value) if value.abs() <= DRAW_TOLERANCE);
        let is_won = wdl_of(self.dtm) == Wdl::Win && !self.has_pawn;
        (is_won && is_draw && last.depth >= 4).then(|| (WarmFault::Draw, crate::answer::of_score(last.score)))
    }

    /// Whether mate in so many moves or fewer is forced; for a negative number, mate of the side to move.
    fn is_forced(&self, moves: i32) -> bool {
        let Some(plies) = self.dtm.map(|dtm| i32::from(dtm.plies())) else { return false };
        match wdl_of(self.dtm) {
            Wdl::Win => moves > 0 && plies < 2 * moves,
            Wdl::Loss => moves <= 0 && plies <= -2 * moves,
            Wdl::Draw => false,
        }
    }

    /// Whether the score `mate N` at the start of a text is one move too short.
    fn is_one_short(&self, answer: &Answer) -> bool {
        let Answer::Score(ToldScore { score: EngineScore::Mate(moves), .. }) = *answer else { return false };
        !self.is_forced(moves) && self.is_forced(if moves < 0 { moves - 1 } else { moves + 1 })
    }

    /// The lines of an answer that may be false: the last exact score of each depth. A score that the same depth
    /// takes back, of a mate for either side, is no claim: the first move of a depth is told before the others are
    /// searched, and some programs print bounds without saying so.
    fn claims(reply: &Reply) -> Vec<&Line> {
        counted_lines(&reply.lines, Announcements { bounds: false, ..Announcements::default() })
    }

    /// Whether an answer announces a mate that is forced, as an exact score or as a bound.
    fn announces(&self, reply: &Reply) -> bool {
        let is_forced = |line: &Line| announced(line).is_some_and(|moves| self.is_forced(moves));
        counted_lines(&reply.lines, Announcements::default()).into_iter().any(is_forced)
    }

    /// Whether an answer says that the position is won.
    fn is_won_by(reply: &Reply) -> bool {
        reply.last().is_some_and(|line| match line.score {
            Score::Centipawns(value) => value >= WON,
            Score::Mate(moves) => moves > 0,
        })
    }
}

/// A series put to a program.
struct SeriesRun<'a> {
    context: &'a SuiteContext<'a>,
    case_context: &'a CaseContext<'a>,
    series: &'a Series,
}

impl SeriesRun<'_> {
    /// One verdict for each position. After the first finding or failure the others are skipped.
    fn judge(&self) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        let mut lease = match self.case_context.fresh_lease(Setup::ALL) {
            Ok(lease) => lease,
            Err(why) => {
                let reason = why.skip().unwrap_or(SkipReason::GivenUp);
                return vec![Verdict::Skip(reason); self.series.positions.len()];
            }
        };
        for (index, position) in self.series.positions.iter().enumerate() {
            let reply = match lease.ask(&position.question()) {
                Ok(reply) => reply,
                // The incident tells how it failed.
                Err(why) => {
                    verdicts.push(Verdict::Skip(why.skip().unwrap_or(SkipReason::GivenUp)));
                    break;
                }
            };
            let Some((fault, _)) = position.fault_of(&reply) else {
                verdicts.push(if position.announces(&reply) { Verdict::Agree } else { Verdict::Observed });
                continue;
            };
            match self.reproduced(index, fault, &reply) {
                Ok(Some(found)) => {
                    verdicts.push(found);
                    break;
                }
                Ok(None) => verdicts.push(Verdict::Observed),
                Err(why) => {
                    verdicts.push(Verdict::Skip(why.skip().unwrap_or(SkipReason::Undecided)));
                    break;
                }
            }
        }
        // After a finding or a failure the rest of the series is not asked.
        let left = self.series.positions.len().saturating_sub(verdicts.len());
        let reason = match verdicts.last() {
            Some(&Verdict::Skip(reason)) => reason,
            _ => SkipReason::GivenUp,
        };
        verdicts.extend(std::iter::repeat_n(Verdict::Skip(reason), left));
        verdicts
    }

    /// The finding, with as few earlier questions as show it. A false mate that does not come again is a
    /// note. `None` for a draw that does not come again, or if a fresh process sees no win either.
    fn reproduced(&self, index: usize, fault: WarmFault, first: &Reply) -> Result<Option<Verdict>, NoAnswer> {
        let position = &self.series.positions[index];
        // Ask twice, since the time of a search varies.
        for _ in 0..2 {
            let alone = self.ask_after(index, 0)?;
            match (fault, position.fault_of(&alone)) {
                (WarmFault::Draw, _) if !TablePosition::is_won_by(&alone) => return Ok(None),
                (WarmFault::Mate, Some((WarmFault::Mate, stored))) => {
                    return Ok(Some(self.found(
                        check_of(MateVerdict::Unsound),
                        index,
                        0,
                        stored,
                        "no such mate is forced",
                    )));
                }
                _ => {}
            }
        }
        let mut tries = 3;
        for earlier in earlier_counts(index) {
            tries += 1;
            let reply = self.ask_after(index, earlier)?;
            if let Some((_, stored)) = position.fault_of(&reply).filter(|(again, _)| *again == fault) {
                // A search that is cut off may end with a score of nothing.
                if fault == WarmFault::Draw && !self.is_draw_with_more_time(index, earlier)? {
                    continue;
                }
                let check = if fault == WarmFault::Mate { "mate/warm-hash" } else { "mate/warm-draw" };
                let positions = if earlier == 1 { "position" } else { "positions" };
                let why = format!(
                    "a fresh process does not say so; it does after {earlier} other {positions}, without ucinewgame"
                );
                return Ok(Some(self.found(check, index, earlier, stored, &why)));
            }
        }
        let once = format!(
            "it came in 1 of {tries} tries: no fresh process repeats it, also not after the questions before it, which the command asks"
        );
        let first = position.fault_of(first).map(|(_, stored)| stored).unwrap_or_default();
        Ok((fault == WarmFault::Mate)
            .then(|| self.found(check_of(MateVerdict::Flaky), index, index, first, &once)))
    }

    /// The answer of a fresh process after so many earlier questions.
    fn ask_after(&self, index: usize, earlier: usize) -> Result<Reply, NoAnswer> {
        self.ask_last(index, earlier, &self.series.positions[index].question())
    }

    /// Whether the answer is a draw too if the last search gets ten times the time.
    fn is_draw_with_more_time(&self, index: usize, earlier: usize) -> Result<bool, NoAnswer> {
        let position = &self.series.positions[index];
        let longer = Question::new(&position.fen, Limit::MoveTime(10 * position.time));
        let reply = self.ask_last(index, earlier, &longer)?;
        Ok(matches!(position.fault_of(&reply), Some((WarmFault::Draw, _))))
    }

    /// The answer of a fresh process to a question after so many earlier ones.
    fn ask_last(&self, index: usize, earlier: usize, last: &Question) -> Result<Reply, NoAnswer> {
        let mut lease = self.case_context.fresh_lease(Setup::ALL)?;
        for position in &self.series.positions[index - earlier..index] {
            lease.ask(&position.question())?;
        }
        lease.ask(last)
    }

    fn found(&self, check: &str, index: usize, earlier: usize, stored: Answer, why: &str) -> Verdict {
        let position = &self.series.positions[index];
        let asked = &self.series.positions[index - earlier..=index];
        let series: Vec<Asked> = asked.iter().map(|position| Asked::on(position.question())).collect();
        let players = self.context.players;
        let is_one_short = position.is_one_short(&stored);
        let fault = Fault {
            kind: (),
            stored,
            given: None,
            best: Vec::new(),
            expected: distance(position.dtm),
            source: "certified production table".to_owned(),
            explanation: why.to_owned(),
            cause: is_one_short.then_some(SharedCause::OneMoveShort),
        };
        fault.verdict(FaultCase {
            player: players.name(),
            check: check.to_owned(),
            case: format!("{CLASS}/{}/{}/{}", self.series.table, self.series.number, index + 1),
            fen: &position.fen,
            played: None,
            limit: series.last().map(|asked| asked.question.limit.to_string()),
            replay: players.replay_series(Setup::ALL, &series),
        })
    }
}
