//! All images of a position, also with colours exchanged, have the value of the position.
//!
//! The images are made on shakmaty's board, not with the folding of the table. With this check, a proof for one position of
//! a class holds for all of them.

use shakmaty::{Board, Chess, Color};
use suites::{Findings, Verdict};

use super::walk;
use super::{Check, DifferenceText, TableJob};
use crate::positions::{self, Placement, Scope};
use crate::table_probe::TableValue;

const CHECK: Check = Check::Symmetry;

/// Judges one legal position of each class. A case is that position with all its images, so that every position on 64
/// squares is compared. If the scope is the classes, the other positions of each class are not counted.
pub(super) fn run(job: &TableJob) -> Findings {
    let judge = |placement: &Placement, _: &Chess| judge(job, placement);
    match job.scope {
        Scope::Raw => walk::judge(job, CHECK, Scope::Unique, judge),
        Scope::Unique => walk::judge_classes(job, CHECK, judge),
    }
}

pub(super) fn judge(job: &TableJob, placement: &Placement) -> Verdict {
    let value = match job.probe(CHECK, placement) {
        Ok(value) => value,
        Err(differ) => return differ,
    };
    for (image, turn) in images(&placement.board, placement.turn, job.men.has_pawns()) {
        let answer = job.subject.probe(&image, turn);
        if answer.as_ref() == Ok(&value) {
            continue;
        }
        let answer =
            answer.map_or_else(|refusal| format!("no answer ({})", refusal.0), |value| describe(&value));
        let text = DifferenceText {
            stored: describe(&value),
            expected: answer,
            source: "shakmaty",
            explanation: format!("its mirror image is {}", positions::fen(&image, turn)),
        };
        return job.differ(CHECK, placement, text);
    }
    Verdict::Agree
}

/// All other images of a placement, including those with colours exchanged.
fn images(board: &Board, turn: Color, pawns: bool) -> Vec<(Board, Color)> {
    let mut boards = vec![board.clone()];
    let mut double = |transform: fn(&mut Board)| {
        for mut image in boards.clone() {
            transform(&mut image);
            boards.push(image);
        }
    };
    double(Board::flip_horizontal);
    if !pawns {
        double(Board::flip_vertical);
        double(Board::flip_diagonal);
    }
    let flipped = boards.iter().map(|image| (image.clone().into_mirrored(), !turn)).collect::<Vec<_>>();
    boards.into_iter().map(|image| (image, turn)).chain(flipped).skip(1).collect()
}

fn describe(value: &TableValue) -> String {
    let plies = |plies: Option<i32>| plies.map_or("none".to_owned(), |plies| plies.to_string());
    let (dtm, dtz) = (value.dtm.map(|dtm| dtm.plies().into()), value.dtz.map(|dtz| dtz.plies().into()));
    format!("{}, dtm {}, dtz {}", value.wdl, plies(dtm), plies(dtz))
}
