//! The certificate compared with a second implementation of its rules, as a maximum of scores.

use shakmaty::Position;

use super::*;
use crate::board;

/// More than the longest distance in plies.
const MATE: i32 = 1 << 20;

pub(super) fn successors(position: &Chess) -> Vec<Chess> {
    position.legal_moves().into_iter().map(|mv| board::after(position, mv)).collect()
}

/// A score: short wins are best, then long wins, draws, long losses, short losses.
pub(super) fn score(value: &TableValue) -> i32 {
    let plies = value.dtm.map_or(0, |dtm| i32::from(dtm.plies()));
    match value.wdl {
        Wdl::Win => MATE - plies,
        Wdl::Draw => 0,
        Wdl::Loss => plies - MATE,
    }
}

/// The score of a position: the best of its successors' scores, each from the other side's view and one ply
/// further away. A successor with en passant rights is worth its own best successor. `None` if the table
/// lacks a value.
pub(super) fn best(subject: &dyn TableProbe, position: &Chess) -> Option<i32> {
    let worth = |after: &Chess| {
        let score = match after.legal_ep_square() {
            Some(_) => -best(subject, after)?,
            None => -score(&subject.probe(after.board(), after.turn()).ok()?),
        };
        Some(score - score.signum())
    };
    let worths: Option<Vec<i32>> = successors(position).iter().map(worth).collect();
    let none = if position.is_check() { -MATE } else { 0 };
    worths.map(|worths| worths.into_iter().max().unwrap_or(none))
}

/// A hash of the placement.
fn spread(board: &Board, turn: Color) -> u64 {
    let men = board.clone().into_iter().map(|(square, piece)| {
        square.to_usize() as u64 * 16 + piece.role as u64 * 2 + u64::from(piece.color.is_white())
    });
    men.chain([u64::from(turn.is_white())])
        .fold(7, |sum: u64, man| (sum ^ man).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
}

/// One entry in 512 is wrong, in one of eight ways.
fn scattered() -> FaultyTable<impl Fn(&Board, Color, Answer) -> Answer + Sync> {
    faulty(|board, turn, answer| {
        let number = spread(board, turn);
        let dtm = answer.as_ref().ok().and_then(|value| value.dtm).map(Dtm::plies);
        let faults = [
            dtm.map(|plies| plies + 2),
            dtm.map(|plies| plies.saturating_sub(2)),
            dtm.map(|plies| plies + 1),
            None,
            Some(8),
            Some(9),
            Some(0),
            Some(1),
        ];
        if !number.is_multiple_of(512) {
            return answer;
        }
        TableFault::Plies(faults[(number >> 32) as usize % faults.len()]).of(answer)
    })
}

#[test]
fn every_entry_that_its_successors_contradict_is_reported() {
    scattered_errors(Walk::Sample);
}

#[test]
#[ignore = "nightly: walks whole tables"]
fn every_entry_that_its_successors_contradict_is_reported_on_whole_tables() {
    scattered_errors(Walk::Whole);
}

fn scattered_errors(walk: Walk) {
    let table = "KPvK";
    let subject = scattered();
    let wrong = legal(table).into_iter().filter(|(placement, position)| {
        Some(score(&subject.probe(&placement.board, placement.turn).unwrap())) != best(&subject, position)
    });
    let expected = cases_of(table, wrong.map(|(placement, _)| name(&placement)));
    assert!(expected.len() > 1_000, "{}", expected.len());
    check_subject(walk, Check::Certificate, &subject, table, &expected);
}

#[test]
fn findings_do_not_depend_on_the_number_of_threads() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let bare = [Check::Legality, Check::Truth, Check::Symmetry, Check::Census];
            let findings = bare.map(|check| run(check, &scattered(), "KvK"));
            (findings, run(Check::Certificate, &scattered(), "KvK"))
        })
    };
    let [alone, together] = [1, 4].map(with);
    assert!(alone.0.iter().all(|findings| !findings.differences.is_empty()));
    assert!(alone == together);
}
