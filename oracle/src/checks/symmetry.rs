//! All images of a position and its colour flip have the value of the position.
//!
//! The images are made by transforming shakmaty's board, not with the folding of the table. This is what carries a proof
//! about one position of a class to all of them.

use shakmaty::{Board, Color};
use suites::{Findings, Verdict};

use super::walk::{self, Scope};
use super::{Check, Job, Says};
use crate::positions::{self, Placement};
use crate::table_probe::TableValue;

const CHECK: Check = Check::Symmetry;

/// Judges one legal position of each class; a case is that position with all its images and flips, so that every
/// position on 64 squares is compared.
pub(super) fn run(job: &Job) -> Findings {
    walk::judge(job, CHECK, Scope::Unique, |placement, _| judge(job, placement))
}

/// The same where nothing but these positions is walked: on 64 squares nothing is counted.
pub(super) fn of_classes(job: &Job) -> Findings {
    walk::judge_classes(job, CHECK, |placement, _| judge(job, placement))
}

fn judge(job: &Job, placement: &Placement) -> Verdict {
    let claim = match job.probe(CHECK, placement) {
        Ok(claim) => claim,
        Err(differ) => return differ,
    };
    for (image, turn) in images(&placement.board, placement.turn, job.men.has_pawns()) {
        let answer = job.subject.probe(&image, turn);
        if answer.as_ref() == Ok(&claim) {
            continue;
        }
        let answer =
            answer.map_or_else(|refusal| format!("no answer ({})", refusal.0), |claim| describe(&claim));
        let says = Says {
            stored: describe(&claim),
            expected: answer,
            source: "shakmaty",
            explanation: format!("its mirror image is {}", positions::fen(&image, turn)),
        };
        return job.differ(CHECK, placement, says);
    }
    Verdict::Agree
}

/// All other images of a placement, those with colours flipped included.
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

fn describe(claim: &TableValue) -> String {
    let plies = |distance: Option<i32>| distance.map_or("none".to_owned(), |plies| plies.to_string());
    format!("{}, dtm {}, dtz {}", claim.wdl, plies(claim.dtm.map(i32::from)), plies(claim.dtz.map(i32::from)))
}
