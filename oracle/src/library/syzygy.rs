//! Our reader of Syzygy files, compared with shakmaty-syzygy, also after double steps that allow an en
//! passant capture.

use engine::Position;
use engine::tables::syzygy::{Kind, SyzygySet};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Piece, Role, Setup, Square};
use suites::{Findings, SkipReason, Verdict};

use super::{Job, Wrong, ask, gather};
use crate::board::{self, Accept};
use crate::perft::Draw;
use crate::syzygy::Syzygy;
use crate::table_probe::Wdl;

const CHECK: &str = "library/syzygy";
/// Random positions of each table.
const EACH: usize = 60;
/// The tables, some with pawns of both sides.
pub const TABLES: [&str; 14] = [
    "KPvK", "KQvK", "KRvK", "KBNvK", "KNNvK", "KPvKP", "KRvKP", "KQvKP", "KPPvK", "KRvKR", "KQvKR", "KRvKB",
    "KBPvK", "KNPvK",
];

/// A position of a table.
struct Asked {
    case: String,
    position: Chess,
}

pub(super) fn run(job: &Job, ours: &SyzygySet, truth: &Syzygy) -> Findings {
    let mut asked = Vec::new();
    for (number, table) in TABLES.into_iter().enumerate() {
        for index in 0..EACH {
            let mut draw = Draw::new(job.seed, number * EACH + index);
            let position = (0..200).find_map(|_| drawn(table, &mut draw, index % 4 == 0));
            asked.extend(position.map(|position| Asked { case: format!("{table}/{index:02}"), position }));
        }
    }
    let mut found = gather(CHECK, job.sample(), "files", &asked, |asked| judge(ours, truth, asked));
    for table in TABLES {
        found.record(whole(ours, table));
    }
    found
}

/// Whether both files of a table exist, and are sound as a whole.
fn whole(ours: &SyzygySet, table: &str) -> Verdict {
    let checked = |kind: Kind| {
        let material = table.parse().map_err(|_| "its name is not read".to_owned())?;
        let file = ours.get(material, kind).ok_or_else(|| "it is not read".to_owned())?;
        let is_named = file.material() == material && file.kind() == kind;
        file.check().map_err(|error| error.to_string())?;
        if is_named { Ok(()) } else { Err("it has another name".to_owned()) }
    };
    let fault = Kind::ALL.into_iter().find_map(|kind| {
        let told = ask(|| checked(kind)).and_then(|told| told);
        told.err().map(|error| format!("{}: {error}", kind.extension()))
    });
    let Some(got) = fault else { return Verdict::Agree };
    let (case, because) = (format!("{table}/files"), "its SHA-256 sum is the published one".to_owned());
    let expected = "a sound file".to_owned();
    Wrong { check: CHECK, case: &case, fen: "", got, expected, source: "published sums", because }.verdict()
}

/// A random position of a table. If `en_passant` is set and both sides have pawns, a pawn has just made a
/// double step beside a pawn of the other side.
fn drawn(table: &str, draw: &mut Draw, en_passant: bool) -> Option<Chess> {
    let (white, black) = table.split_once('v')?;
    let mut setup = Setup::empty();
    for (color, letters) in [(Color::White, white), (Color::Black, black)] {
        for letter in letters.chars() {
            let square = Square::ALL[draw.below(64)];
            if setup.board.piece_at(square).is_some() {
                return None;
            }
            setup.board.set_piece_at(square, Piece { color, role: Role::from_char(letter)? });
        }
    }
    setup.turn = if draw.below(2) == 0 { Color::White } else { Color::Black };
    if en_passant && white.contains('P') && black.contains('P') {
        return with_en_passant(setup, draw);
    }
    board::from_setup(setup, CastlingMode::Standard, Accept::ImpossibleCheck).ok()
}

/// The same with the pawns side by side, one of which has just made two steps.
fn with_en_passant(mut setup: Setup, draw: &mut Draw) -> Option<Chess> {
    let pawns = setup.board.by_role(Role::Pawn);
    pawns.into_iter().for_each(|pawn| setup.board.discard_piece_at(pawn));
    let file = draw.below(7) as u32;
    let (mover, taker) = (setup.turn.other(), setup.turn);
    let (rank, behind) = if mover == Color::White { (3, 2) } else { (4, 5) };
    let at = |file: u32, rank: u32| Square::new(8 * rank + file);
    for (color, square) in [(mover, at(file, rank)), (taker, at(file + 1, rank))] {
        if setup.board.piece_at(square).is_some() {
            return None;
        }
        setup.board.set_piece_at(square, Piece { color, role: Role::Pawn });
    }
    setup.ep_square = Some(at(file, behind));
    board::from_setup(setup, CastlingMode::Standard, Accept::ImpossibleCheck).ok()
}

fn judge(ours: &SyzygySet, truth: &Syzygy, asked: &Asked) -> Verdict {
    let (Ok(wdl), Ok(dtz)) = (truth.wdl(&asked.position), truth.dtz(&asked.position)) else {
        return Verdict::Skip(SkipReason::TableMissing);
    };
    let fen = board::fen_with(&asked.position, EnPassantMode::Legal);
    let told = ask(|| {
        let position = Position::from_fen(&fen).map_err(|error| error.to_string())?;
        let wdl = ours.wdl(&position).map_err(|error| error.to_string())?;
        let dtz = ours.dtz(&position).map_err(|error| error.to_string())?;
        Ok::<_, String>((wdl.signum(), dtz.0))
    });
    let sign = match wdl {
        Wdl::Win => 1,
        Wdl::Draw => 0,
        Wdl::Loss => -1,
    };
    let got = match told.and_then(|told| told) {
        Ok((found, distance)) if found.signum() == sign && dtz.allows(i32::from(distance)) => {
            return Verdict::Agree;
        }
        Ok((found, distance)) => format!("result {found}, DTZ {distance}"),
        Err(error) => error,
    };
    let expected = format!("{wdl}, {dtz:?}");
    let because = "the same files, read by another program".to_owned();
    let wrong = Wrong {
        check: CHECK,
        case: &asked.case,
        fen: &fen,
        got,
        expected,
        source: "shakmaty-syzygy",
        because,
    };
    wrong.verdict()
}
