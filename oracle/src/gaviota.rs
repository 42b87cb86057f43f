//! Gaviota's tables, probed by the C library libgtb (crate `gaviota-sys`): DTM for three men.
//!
//! The library, according to its header `gtb-probe.h` and its source `gtb-probe.c`:
//!
//! * A position is given as two lists, one per colour, of squares (a1 = 0, b1 = 1, ... h8 = 63) ended by
//!   `tb_NOSQUARE`, and of pieces ended by `tb_NOPIECE`, in any order. The stronger side may have either
//!   colour: the library turns the board where it must.
//! * The answer is `tb_WMATE` or `tb_BMATE` with the number of plies; checkmate is 0 plies. `tb_DRAW` is any
//!   draw, including stalemate; `tb_FORBID` is an illegal position.
//! * The library says that threads may probe at the same time, and has a mutex around its cache. But it keeps
//!   the number of the table used last in a static variable outside that mutex (`egtb_get_id`). Two threads
//!   that probe different tables read and write it at the same time. We therefore allow one thread at a time.
//!   A probe takes well under a microsecond, so nothing is lost.
//! * It keeps the arguments of `tb_init` in globals, so a process has one handle.
#![expect(unsafe_code, reason = "libgtb is a C library")]

use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint};
use std::iter;
use std::ptr::NonNull;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use gaviota_sys::{
    TB_castling, TB_compression_scheme, TB_pieces, TB_return_values, TB_sides, TB_squares, tb_MAXPATHLEN,
    tb_done, tb_init, tb_probe_hard, tbcache_done, tbcache_init, tbpaths_add, tbpaths_done, tbpaths_init,
};
use shakmaty::{Chess, Color, Position, Role, Square};

use crate::dtm_source::{DtmSource, DtmSourceError, MAX_MEN};
use crate::lease::{Files, Lease, Meaningless, embed};
use crate::table_probe::Dtm;

const NAME: &str = "gaviota";

/// Whether a handle of the library is open in this process.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Room for all blocks of the five tables, 28 of 32 KiB each. Each is read and unpacked once.
const CACHE_BYTES: usize = 1 << 20;

/// The tables, compressed with scheme 4. `build.rs` copies them.
const FILES: &Files =
    embed!("gaviota", "kbk.gtb.cp4", "knk.gtb.cp4", "kpk.gtb.cp4", "kqk.gtb.cp4", "krk.gtb.cp4");

/// Gaviota's tables for three men. A process has one such handle at a time; threads may share it, but take
/// turns.
#[derive(Debug)]
pub struct Gaviota {
    // The order of the fields matters: the library closes its files before they are deleted.
    library: Mutex<Library>,
    lease: Lease,
}

impl Gaviota {
    /// Unpacks the tables into a private folder, which is deleted with the handle, and starts the library.
    ///
    /// # Errors
    ///
    /// Fails if a handle is open already, if the tables cannot be unpacked, or if the library does not find
    /// them.
    pub fn open() -> Result<Self, DtmSourceError> {
        let lease = Lease::new(NAME, &TAKEN, FILES)?;
        let library = Library::init(&lease)?;
        Ok(Self { library: Mutex::new(library), lease })
    }
}

impl DtmSource for Gaviota {
    fn name(&self) -> &'static str {
        NAME
    }

    fn dtm(&self, position: &Chess) -> Result<Option<Dtm>, DtmSourceError> {
        self.lease.check_material(position)?;
        let white = PieceLists::from_position(position, Color::White);
        let black = PieceLists::from_position(position, Color::Black);
        let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = library.probe(position.turn(), &white, &black);
        drop(library);
        answer
            .dtm(position.turn())
            .map_err(|Meaningless| self.lease.meaningless(position, format!("{answer:?}")))
    }
}

/// The men of one colour in the form of the library: two lists with terminators.
#[derive(Debug)]
struct PieceLists {
    squares: [c_uint; MAX_MEN + 1],
    pieces: [c_uchar; MAX_MEN + 1],
}

impl PieceLists {
    /// The lists of at most [`MAX_MEN`] men; further men are left out, so that the terminators stay.
    fn new(men: impl IntoIterator<Item = (Square, Role)>) -> Self {
        let mut squares = [TB_squares::tb_NOSQUARE as c_uint; MAX_MEN + 1];
        let mut pieces = [TB_pieces::tb_NOPIECE as c_uchar; MAX_MEN + 1];
        let slots = iter::zip(&mut squares, &mut pieces).take(MAX_MEN);
        for ((square_slot, piece_slot), (square, role)) in slots.zip(men) {
            *square_slot = c_uint::from(square);
            *piece_slot = piece_code(role) as c_uchar;
        }
        Self { squares, pieces }
    }

    /// The men of one colour.
    fn from_position(position: &Chess, color: Color) -> Self {
        let board = position.board().iter();
        Self::new(board.filter(|(_, piece)| piece.color == color).map(|(square, piece)| (square, piece.role)))
    }
}

fn piece_code(role: Role) -> TB_pieces {
    match role {
        Role::Pawn => TB_pieces::tb_PAWN,
        Role::Knight => TB_pieces::tb_KNIGHT,
        Role::Bishop => TB_pieces::tb_BISHOP,
        Role::Rook => TB_pieces::tb_ROOK,
        Role::Queen => TB_pieces::tb_QUEEN,
        Role::King => TB_pieces::tb_KING,
    }
}

/// The result of a probe.
#[derive(Debug, Clone, Copy)]
struct Answer {
    /// Whether the library found the position.
    found: bool,
    /// Which side mates.
    info: TB_return_values,
    /// In how many plies.
    plies: c_uint,
}

impl Answer {
    /// The distance to mate for the side to move. The answer is [`Meaningless`] if the position is unknown or
    /// illegal, or if the number of plies contradicts the winner.
    fn dtm(self, turn: Color) -> Result<Option<Dtm>, Meaningless> {
        let winner = match self.info {
            _ if !self.found => return Err(Meaningless),
            TB_return_values::tb_DRAW => return Ok(None),
            TB_return_values::tb_WMATE => Color::White,
            TB_return_values::tb_BMATE => Color::Black,
            _ => return Err(Meaningless),
        };
        let plies = u16::try_from(self.plies).map_err(|_| Meaningless)?;
        let turn_wins = plies % 2 == 1;
        if turn_wins == (winner == turn) { Ok(Some(Dtm::from_plies(plies))) } else { Err(Meaningless) }
    }
}

/// The library between `tb_init` and `tb_done`, and the list of paths to which it holds pointers.
#[derive(Debug)]
struct Library {
    paths: NonNull<*const c_char>,
}

// SAFETY: the list is memory of `malloc`, and nothing in the library is bound to a thread.
unsafe impl Send for Library {}

impl Library {
    /// Starts the library. The caller holds the lease.
    ///
    /// # Errors
    ///
    /// Fails if it does not find all tables of three men in the folder of the lease.
    fn init(lease: &Lease) -> Result<Self, DtmSourceError> {
        let folder = lease.path()?;
        if !is_readable(&folder) {
            return Err(lease.tables_not_found());
        }
        // SAFETY: `tbpaths_init` gives a list or null, `tbpaths_add` takes either; it copies the string,
        // which is ended by zero, and gives the list's new place.
        let paths = NonNull::new(unsafe { tbpaths_add(tbpaths_init(), folder.as_ptr()) })
            .ok_or_else(|| lease.tables_not_found())?;
        let mut library = Self { paths };
        // SAFETY: the library is not initialised and no other thread is in it, since the caller has the
        // lease. It keeps pointers into the list, which lives until after `tb_done`. At verbosity 0 it prints
        // nothing, and so fills no buffer with the path. `tbcache_init` wants the scheme to be known.
        unsafe {
            tb_init(0, TB_compression_scheme::tb_CP4 as c_int, paths.as_ptr());
            tbcache_init(CACHE_BYTES, 0);
        }
        if library.has_all_tables() { Ok(library) } else { Err(lease.tables_not_found()) }
    }

    /// Whether each table of three men answers. `tb_availability` cannot say this: its bit for "three men
    /// complete" is the bit of the last table only.
    fn has_all_tables(&mut self) -> bool {
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().all(|role| {
            let white = PieceLists::new([(Square::B3, Role::King), (Square::C3, role)]);
            let black = PieceLists::new([(Square::B1, Role::King)]);
            self.probe(Color::White, &white, &black).found
        })
    }

    /// Probes a position of at most [`MAX_MEN`] men, without en passant and castling.
    #[expect(clippy::unused_self, reason = "only the holder of the library may probe it")]
    fn probe(&mut self, turn: Color, white: &PieceLists, black: &PieceLists) -> Answer {
        let mut info = TB_return_values::tb_UNKNOWN.0;
        let mut plies = 0;
        // SAFETY: the library is initialised as long as `self` lives, and `&mut self` keeps other threads
        // out. Each list has its terminator and is far below the library's limit of 17. All squares are on
        // the board, the position comes from shakmaty with one king a side, and the results outlive the call.
        let found = unsafe {
            tb_probe_hard(
                turn.fold_wb(TB_sides::tb_WHITE_TO_MOVE, TB_sides::tb_BLACK_TO_MOVE) as c_uint,
                TB_squares::tb_NOSQUARE as c_uint,
                TB_castling::tb_NOCASTLE.0,
                white.squares.as_ptr(),
                black.squares.as_ptr(),
                white.pieces.as_ptr(),
                black.pieces.as_ptr(),
                &raw mut info,
                &raw mut plies,
            )
        };
        Answer { found: found != 0, info: TB_return_values(info), plies }
    }
}

/// Whether the library reads the path correctly: it splits paths at semicolons, and copies them into buffers
/// of a fixed length.
fn is_readable(folder: &CStr) -> bool {
    folder.count_bytes() < tb_MAXPATHLEN as usize && !folder.to_bytes().contains(&b';')
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: `tb_init` and `tbcache_init` were called once, and no thread is in the library any more.
        // The list of paths goes last, since the library pointed into it until `tb_done`.
        unsafe {
            tbcache_done();
            tb_done();
            tbpaths_done(self.paths.as_ptr());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtm_source::conformance::{self, conformance_tests};
    use std::ffi::CString;

    conformance_tests!(Gaviota);

    #[test]
    fn answers_without_meaning() {
        #[track_caller]
        fn check(
            found: bool,
            info: TB_return_values,
            plies: c_uint,
            expected: Result<Option<Dtm>, Meaningless>,
        ) {
            let answer = Answer { found, info, plies };
            assert_eq!(answer.dtm(Color::White), expected, "{answer:?}");
        }
        check(true, TB_return_values::tb_DRAW, 0, Ok(None));
        check(true, TB_return_values::tb_WMATE, 31, Ok(Some(Dtm::from_plies(31))));
        check(true, TB_return_values::tb_BMATE, 32, Ok(Some(Dtm::from_plies(32))));
        check(true, TB_return_values::tb_BMATE, 0, Ok(Some(Dtm::CHECKMATED)));
        check(true, TB_return_values::tb_WMATE, 32, Err(Meaningless));
        check(true, TB_return_values::tb_BMATE, 31, Err(Meaningless));
        check(true, TB_return_values::tb_WMATE, 0, Err(Meaningless));
        check(true, TB_return_values::tb_WMATE, 65_537, Err(Meaningless));
        check(true, TB_return_values::tb_FORBID, 0, Err(Meaningless));
        check(true, TB_return_values::tb_UNKNOWN, 0, Err(Meaningless));
        check(false, TB_return_values::tb_DRAW, 0, Err(Meaningless));
        check(false, TB_return_values::tb_WMATE, 31, Err(Meaningless));
    }

    #[test]
    fn a_path_that_the_library_would_misread_is_refused() {
        #[track_caller]
        fn check(path: &str, expected: bool) {
            assert_eq!(is_readable(&CString::new(path).unwrap()), expected, "{path}");
        }
        check("/tmp/touchstone-gaviota-1", true);
        check("/tmp/a;b/touchstone-gaviota-1", false);
        check(&"x".repeat(1023), true);
        check(&"x".repeat(1024), false);
    }
}
