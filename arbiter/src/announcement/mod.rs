//! The check `announcement`: it judges the mate, the move and the line that a player announces at depth 1 in
//! the positions of its tables.
//!
//! The check asks the player through the text of its UCI session. A case is a won or lost position,
//! checkmates included; draws are no cases. Each symmetry class has two cases: one image with White as the
//! stronger side and one with Black. The seed draws both images. A quick run asks for one of the two, which
//! the seed draws too. Of a larger table the check asks for a sample of these classes, or for all if there
//! are few. The authority is the certified table; shakmaty gives the legal moves.
//! The line has to be legal, each ply of it has to be one ply nearer to mate, and it has to end in mate. This
//! checks the distance in plies, while the score gives it in moves.
//!
//! The check walks the placements in parts. Each part starts with a new game, so that the hash table of the
//! player is the same for any number of threads.

use std::cmp::Ordering;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use oracle::authorities::Authorities;
use oracle::board::{Spelling, after, legal_move};
use oracle::checks::{self, CountedFindings, DifferenceText, Label, Placed, Share, better_move, resolved};
use oracle::positions::{Men, Placement};
use oracle::table_probe::{Dtm, TableProbe, describe_dtm};
use shakmaty::{Chess, Position};
use suites::{Answer, Evidence, Findings, SkipReason, Verdict};
use uci::{Bound, Limit, Line, Question, Reply, Score};

use crate::findings::RULES;
use crate::player::{Aid, NoAnswer, Player, PlayerFactory, Setup};
use crate::runner::Pool;

#[cfg(test)]
mod tests;

/// The id of the check.
pub const CHECK: &str = "announcement";
/// The limit of a search: the first iteration, in which the engine probes its tables.
const LIMIT: Limit = Limit::Depth(1);
const TABLE: &str = "certified production table";
/// The end of an explanation, if the player does not show the same fault after a new game.
const NOT_AGAIN: &str = "; after a new game the answer is different";

/// A player and a table that it is asked about.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The player.
    pub player: &'a dyn PlayerFactory,
    /// The men of the table.
    pub men: &'a Men,
    /// The certified table, and published counts.
    pub authorities: &'a Authorities<'a>,
    /// The seed that draws the images and the sample.
    pub seed: u64,
    /// About how many classes of won and lost positions are drawn; `None` for all.
    pub sample: Option<u64>,
    /// Whether a class has one case instead of two.
    pub quick: bool,
    /// Is called from time to time with the number of placements that were walked since the last call.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl Job<'_> {
    fn label(&self) -> Label<'_> {
        let evidence = Evidence::Agreement;
        Label { subject: self.player.name(), check: CHECK, evidence, men: self.men }
    }

    fn differ(&self, placement: &Placement, says: DifferenceText) -> Verdict {
        let replay = self.player.replay(Setup::ALL, &Question::new(&placement.fen(), LIMIT));
        self.label().differ(placement, says, replay)
    }
}

/// Whether the player announces the mates of this table. It builds the tables of three men at its start, and
/// may read larger ones.
pub fn applies(player: &dyn PlayerFactory, men: &Men) -> bool {
    player.has(Aid::Tables)
        && (matches!(men.name(), "KPvK" | "KQvK" | "KRvK") || player.reads_table(men.name()))
}

/// Asks for every symmetry class of won and lost positions of a table.
pub fn run(job: &Job) -> Findings {
    let Some(truth) = job.authorities.truth else {
        let mut findings = job.label().findings();
        findings.tally.skip(SkipReason::NotCertified, cases(job).unwrap_or(1));
        return findings;
    };
    let idle = Pool::default();
    let visit = |part: &mut Part, placement: &Placement| {
        part.walked.count(placement);
        if placement.legal.is_none() {
            return;
        }
        let dtm = match truth.probe(&placement.board, placement.turn) {
            Ok(claim) => claim.dtm,
            Err(_) => return part.walked.findings.tally.skip(SkipReason::NoSource, cases_of_class(job)),
        };
        let Some(dtm) = dtm else { return };
        for image in drawn(job, placement) {
            let verdict = part.player.judge(job, &image, truth, dtm);
            part.walked.findings.record(verdict);
        }
    };
    let empty = || Part {
        walked: CountedFindings::new(job.label().findings()),
        player: PartPlayer { players: job.player, idle: &idle, player: None },
    };
    let join = |part: Part, other: Part| {
        let empty = empty();
        Part { walked: part.walked.join(other.walked), ..empty }
    };
    let Some(sample) = job.sample else {
        let walked = checks::fold(Placed::Classes, job.men, job.progress, empty, visit, join).walked;
        return complete(job, walked.of_classes());
    };
    let share =
        job.authorities.published_decided(job.men).map(|decided| Share::new(job.seed, sample, decided));
    let is_drawn = |number, turn| match share {
        None => false,
        Some(None) => true,
        Some(Some(share)) => share.contains(number, turn),
    };
    let mut findings =
        checks::fold(Placed::Drawn(&is_drawn), job.men, job.progress, empty, visit, join).walked.findings;
    match share {
        None => findings.tally.skip(SkipReason::NoSource, 1),
        Some(None) => compare_cases(job, findings.tally.total(), &mut findings),
        Some(Some(_)) => {
            let left_out = cases(job).unwrap_or(0).saturating_sub(findings.tally.total());
            findings.tally.skip(SkipReason::LeftOut, left_out);
        }
    }
    findings
}

/// The number of cases of a class.
fn cases_of_class(job: &Job) -> u64 {
    if job.quick { 1 } else { 2 }
}

/// The number of cases by published counts.
fn cases(job: &Job) -> Option<u64> {
    Some(cases_of_class(job) * job.authorities.published_decided(job.men)?)
}

/// The images of a class that the check asks for: one with the colours of the placement, then one with the
/// colours exchanged. They depend on the seed and the class alone.
fn drawn(job: &Job, placement: &Placement) -> Vec<Placement> {
    let mut rng = ChaCha8Rng::seed_from_u64(job.seed);
    rng.set_stream(placement.number << 1 | u64::from(placement.turn.is_white()));
    let mut image = |placement: Placement| placement.image(rng.next_u64() % job.men.images());
    let mut both = vec![image(placement.clone()), image(placement.with_colors_exchanged())];
    if job.quick {
        both.swap_remove((rng.next_u64() % 2) as usize);
    }
    both
}

/// The findings of a walk over all positions. They include a difference if the number of positions, or of
/// cases, is not the published one.
fn complete(job: &Job, walked: CountedFindings) -> Findings {
    let found = walked.findings.tally.total();
    let mut findings = walked.complete(&job.label(), job.authorities);
    compare_cases(job, found, &mut findings);
    findings
}

/// Adds a difference if the number of cases is not that of the published counts. Without published counts it
/// adds none.
fn compare_cases(job: &Job, found: u64, findings: &mut Findings) {
    let Some(expected) = cases(job).filter(|&cases| cases != found) else { return };
    let says = DifferenceText {
        stored: format!("{found} positions asked for").into(),
        best: None,
        expected: format!("{expected} won or lost positions").into(),
        source: "published counts",
        explanation: "the check asked for too few or too many classes of won and lost positions".to_owned(),
    };
    findings.record(job.label().differ_in("coverage of won and lost positions", says));
}

/// A part of the placements.
struct Part<'a> {
    walked: CountedFindings,
    player: PartPlayer<'a>,
}

/// The player of a part. It is returned to the pool afterwards.
struct PartPlayer<'a> {
    players: &'a dyn PlayerFactory,
    idle: &'a Pool<(), Box<dyn Player>>,
    player: Option<Box<dyn Player>>,
}

impl Drop for PartPlayer<'_> {
    fn drop(&mut self) {
        if let Some(player) = self.player.take() {
            self.idle.put_back((), player);
        }
    }
}

impl PartPlayer<'_> {
    fn judge(&mut self, job: &Job, placement: &Placement, truth: &dyn TableProbe, dtm: Dtm) -> Verdict {
        let Some(position) = &placement.legal else { return Verdict::Skip(SkipReason::NoSource) };
        let case = DecidedPosition { truth, position, dtm };
        let question = Question::new(&placement.fen(), LIMIT);
        let Some(mut says) = case.fault_of(self.ask(&question)) else { return Verdict::Agree };
        // Ask the same of a second player, whose hash table is empty.
        let mut other = PartPlayer { player: None, ..*self };
        if case.fault_of(other.ask(&question)).as_ref() != Some(&says) {
            says.explanation += NOT_AGAIN;
        }
        job.differ(placement, says)
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        // A player that fails is not asked again.
        let mut player = self.player.take().map_or_else(|| self.take(), Ok)?;
        let reply = player.ask(question)?;
        self.player = Some(player);
        Ok(reply)
    }

    /// A player after a new game.
    fn take(&self) -> Result<Box<dyn Player>, NoAnswer> {
        let Some(mut player) = self.idle.take(&()) else { return self.players.start(Setup::ALL) };
        player.forget()?;
        Ok(player)
    }
}

/// A won or lost position and its distance to mate in plies.
struct DecidedPosition<'a> {
    truth: &'a dyn TableProbe,
    position: &'a Chess,
    dtm: Dtm,
}

impl DecidedPosition<'_> {
    /// The first fault of an answer.
    fn fault_of(&self, reply: Result<Reply, NoAnswer>) -> Option<DifferenceText> {
        let expected = announced(self.dtm).to_string();
        let Reply { lines, best, .. } = match reply {
            Ok(reply) => reply,
            Err(why) => return Some(self.by_table(format!("no answer: {why}"), expected)),
        };
        let Some(line) = lines.last() else {
            return Some(self.by_table("no score".to_owned(), expected));
        };
        self.score(line).or_else(|| self.best(best.as_deref())).or_else(|| self.line(&line.pv, best))
    }

    fn score(&self, line: &Line) -> Option<DifferenceText> {
        let expected = announced(self.dtm);
        if (line.score, line.bound) == (expected, Bound::Exact) {
            return None;
        }
        Some(self.by_table(line.score_in_words(), expected.to_string()))
    }

    fn best(&self, best: Option<&str>) -> Option<DifferenceText> {
        let Some(best) = best else {
            return (self.dtm > Dtm::CHECKMATED)
                .then(|| self.by_table("no move".to_owned(), "a move".to_owned()));
        };
        let Some(mv) = legal_move(self.position, best, Spelling::Tolerant) else {
            let why = "the move is not legal".to_owned();
            return Some(by_rules(format!("the move {best}"), "a legal move".to_owned(), why));
        };
        let after = self.distance(&after(self.position, mv));
        let next = self.dtm.one_less();
        let worse = after != next;
        let comes_to = |dtm| format!("after which the other side sees {}", describe_dtm(dtm));
        worse.then(|| {
            let expected = format!("a move {}", comes_to(next));
            self.by_table(format!("the move {best}, {}", comes_to(after)), expected)
        })
    }

    fn line(&self, pv: &[String], best: Option<String>) -> Option<DifferenceText> {
        let stored = || format!("the line {}", pv.join(" "));
        if pv.first() != best.as_ref() {
            let best = best.unwrap_or("nothing".to_owned());
            return Some(self.by_table(stored(), format!("a line that begins with {best}")));
        }
        let mut position = self.position.clone();
        for (left, text) in (0..self.dtm.plies()).rev().map(Dtm::from_plies).zip(pv) {
            let Some(mv) = legal_move(&position, text, Spelling::Tolerant) else {
                let why = format!("{text} is not legal");
                return Some(by_rules(stored(), "a line of legal moves".to_owned(), why));
            };
            position = after(&position, mv);
            let distance = self.distance(&position);
            if distance != Some(left) {
                let expected = format!("after {text} {}", describe_dtm(Some(left)));
                let stored = format!("{}: after {text} {}", stored(), describe_dtm(distance));
                return Some(self.by_table(stored, expected));
            }
        }
        let plies = usize::from(self.dtm.plies());
        let why = match pv.len().cmp(&plies) {
            Ordering::Less => "it ends before checkmate".to_owned(),
            Ordering::Greater => "it goes on after checkmate".to_owned(),
            Ordering::Equal if position.is_checkmate() => return None,
            Ordering::Equal => "it does not end in checkmate".to_owned(),
        };
        Some(by_rules(stored(), format!("a line of {plies} plies to checkmate"), why))
    }

    /// The distance to mate in plies by the certified table.
    fn distance(&self, position: &Chess) -> Option<Dtm> {
        resolved(self.truth, position).ok()?.dtm
    }

    fn by_table(&self, stored: impl Into<Answer>, expected: impl Into<Answer>) -> DifferenceText {
        let (best, explanation) = better_move(self.truth, self.position);
        DifferenceText { stored: stored.into(), expected: expected.into(), best, source: TABLE, explanation }
    }
}

/// The score for a distance to mate in plies: odd is a win, even a loss.
fn announced(dtm: Dtm) -> Score {
    let plies = i32::from(dtm.plies());
    Score::Mate(if plies % 2 == 1 { (plies + 1) / 2 } else { -plies / 2 })
}

fn by_rules(stored: String, expected: String, explanation: String) -> DifferenceText {
    let (stored, expected) = (stored.into(), expected.into());
    DifferenceText { stored, expected, best: None, source: RULES, explanation }
}
