//! All images of a position, also with colours exchanged, have the value of the position.
//!
//! shakmaty's squares make the images, not the folding of the table; a test holds them to shakmaty's boards. With
//! this check, a proof for one position of a class holds for all of them.

use shakmaty::Chess;
use suites::{Findings, Verdict};

use super::walk;
use super::{Check, DifferenceText, TableJob};
use crate::positions::{self, Image, Placement};
use crate::table_probe::TableValue;

const CHECK: Check = Check::Symmetry;

/// Judges one legal position of each class. A case is that position with all its images, so that every
/// position on 64 squares is compared.
pub(super) fn run(job: &TableJob) -> Findings {
    walk::judge_classes(job, CHECK, &judge)
}

pub(super) fn judge(job: &TableJob, placement: &Placement, _: &Chess, value: &TableValue) -> Verdict {
    let men = placement.men();
    let symmetries = 0..job.men.images();
    let of_colors = |exchanged| symmetries.clone().map(move |symmetry| Image { symmetry, exchanged });
    for image in of_colors(false).skip(1).chain(of_colors(true)) {
        let answer = job.subject.probe_image(&men, image, placement.turn);
        if answer.as_ref() == Ok(value) {
            continue;
        }
        let answer =
            answer.map_or_else(|refusal| format!("no answer ({})", refusal.0), |value| describe(&value));
        let (board, turn) = image.position(&men, placement.turn);
        let text = DifferenceText {
            stored: describe(value).into(),
            expected: answer.into(),
            best: None,
            source: "shakmaty",
            explanation: format!("its mirror image is {}", positions::fen(&board, turn)),
        };
        return job.differ(CHECK, placement, text);
    }
    Verdict::Agree
}

fn describe(value: &TableValue) -> String {
    let plies = |plies: Option<i32>| plies.map_or("none".to_owned(), |plies| plies.to_string());
    let (dtm, dtz) = (value.dtm.map(|dtm| dtm.plies().into()), value.dtz.map(|dtz| dtz.plies().into()));
    format!("{}, dtm {}, dtz {}", value.wdl, plies(dtm), plies(dtz))
}
