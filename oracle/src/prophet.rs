//! Prophet's tables, probed by the C++ library libprophet (crate `prophet-sys`): DTM for three men. Its
//! tables, generator and probing code are independent of Gaviota's.
//!
//! The library, according to its header `prophet.h` and its source `prophet.cpp`:
//!
//! * A position is given as six pieces (pawn 1, knight 2, ... king 6, eight more for a black one, 0 for none)
//!   and their squares (a1 = 0, b1 = 1, ... h8 = 63), in any order. There is a table for each side to move,
//!   which the library finds whatever the colour of the stronger side.
//! * The answer is in plies, from the view of the side to move: positive for a win, negative for a loss, 0
//!   for checkmate, 1000 for any draw including stalemate, -1001 if there is no table. For illegal positions
//!   it may be anything.
//! * Threads may probe at the same time, each with its own decompression context. Only one thread may start
//!   and stop the library. It keeps its state in globals, so a process has one handle.
//! * A context holds the block unpacked last, of 32,768 values. Unpacking takes as long as a hundred probes.
//!   A block is part of one table, for some squares of the king that is not to move, rank after rank. We
//!   therefore keep contexts by table and rank, so that the order of probes hardly matters. Threads share the
//!   contexts and take turns: with their own contexts they would unpack the same blocks.
#![expect(unsafe_code, reason = "libprophet is a C++ library with a C interface")]

use std::ffi::c_int;
use std::iter;
use std::ptr::NonNull;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use prophet_sys::{
    prophet_tb_add_path, prophet_tb_create_decompress_ctx, prophet_tb_decompress_ctx, prophet_tb_deinit,
    prophet_tb_free_decompress_ctx, prophet_tb_init, prophet_tb_load_all_files, prophet_tb_probe_dtm_dctx,
};
use shakmaty::{Chess, Color, Piece, Position, Rank};

use crate::dtm_source::{DtmSource, DtmSourceError};
use crate::lease::{Files, Lease, Meaningless, embed};
use crate::table_probe::Dtm;

const NAME: &str = "prophet";

/// Whether a handle of the library is open in this process.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The tables, named by the men of the side to move, then those of the other side. `build.rs` copies them.
#[rustfmt::skip]
const FILES: &Files = embed!(
    "prophet",
    "KK.egtb.bz",
    "KPK.egtb.bz", "KNK.egtb.bz", "KBK.egtb.bz", "KRK.egtb.bz", "KQK.egtb.bz",
    "KKP.egtb.bz", "KKN.egtb.bz", "KKB.egtb.bz", "KKR.egtb.bz", "KKQ.egtb.bz"
);

/// Prophet's tables for three men. A process has one such handle at a time; threads may share it, but take
/// turns.
#[derive(Debug)]
pub struct Prophet {
    // The order of the fields matters: the library closes its files before they are deleted.
    library: Mutex<Library>,
    lease: Lease,
}

impl Prophet {
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

impl DtmSource for Prophet {
    fn name(&self) -> &'static str {
        NAME
    }

    fn dtm(&self, position: &Chess) -> Result<Option<Dtm>, DtmSourceError> {
        self.lease.check_material(position)?;
        let men = PieceLists::from_position(position);
        let context = context_index(position);
        let mut library = self.library.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = library.probe(&men, position.turn(), context);
        drop(library);
        dtm(answer).map_err(|Meaningless| self.lease.meaningless(position, answer.to_string()))
    }
}

/// The distance to mate for the side to move. The answer is [`Meaningless`] if there is no table, or if the
/// number of plies contradicts the winner.
fn dtm(answer: c_int) -> Result<Option<Dtm>, Meaningless> {
    let plies = u16::try_from(answer.unsigned_abs()).map_err(|_| Meaningless)?;
    match answer {
        1000 => Ok(None),
        0 => Ok(Some(Dtm::CHECKMATED)),
        1..1000 if plies % 2 == 1 => Ok(Some(Dtm::from_plies(plies))),
        -999..0 if plies % 2 == 0 => Ok(Some(Dtm::from_plies(plies))),
        _ => Err(Meaningless),
    }
}

/// The men in the form of the library.
#[derive(Debug)]
struct PieceLists {
    pieces: [c_int; 6],
    squares: [c_int; 6],
}

impl PieceLists {
    fn from_position(position: &Chess) -> Self {
        let mut men = Self { pieces: [0; 6], squares: [0; 6] };
        let slots = iter::zip(&mut men.pieces, &mut men.squares);
        for ((square, piece), (piece_slot, square_slot)) in position.board().iter().zip(slots) {
            *piece_slot = piece_code(piece);
            *square_slot = c_int::from(square);
        }
        men
    }
}

/// The library numbers roles as shakmaty does: pawn 1, knight 2, ... king 6.
fn piece_code(piece: Piece) -> c_int {
    c_int::from(u8::from(piece.role)) + piece.color.fold_wb(0, 8)
}

/// The index in [`FILES`] of the table of a position with at most three men.
fn table_index(position: &Chess) -> usize {
    let board = position.board();
    let third = (board.occupied() & !board.kings()).first().and_then(|square| board.piece_at(square));
    third.map_or(0, |piece| usize::from(piece.role) + if piece.color == position.turn() { 0 } else { 5 })
}

/// The number of contexts for each of [`FILES`].
const RANKS: usize = 8;

/// The context for the block of a position with at most three men: there is one for each table and each rank
/// of the king that is not to move, seen from the side to move. A table without pawns is one block.
fn context_index(position: &Chess) -> usize {
    let board = position.board();
    let king = board.king_of(!position.turn()).filter(|_| board.pawns().any());
    let rank = king.map_or(Rank::First, |king| position.turn().fold_wb(king, king.flip_vertical()).rank());
    table_index(position) * RANKS + usize::from(rank)
}

/// Buffers for unpacking, and the block unpacked last.
#[derive(Debug)]
struct Context(NonNull<prophet_tb_decompress_ctx>);

// SAFETY: a context is plain memory of its own, which the library uses only where it is passed in.
unsafe impl Send for Context {}

impl Context {
    fn new() -> Option<Self> {
        // SAFETY: creates an object that only this handle refers to.
        NonNull::new(unsafe { prophet_tb_create_decompress_ctx() }).map(Self)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: `new` created it, and it is freed here only.
        unsafe { prophet_tb_free_decompress_ctx(self.0.as_ptr()) }
    }
}

/// The library between `prophet_tb_init` and `prophet_tb_deinit`, with [`RANKS`] contexts for each of
/// [`FILES`].
#[derive(Debug)]
struct Library {
    contexts: Vec<Context>,
}

impl Library {
    /// Starts the library. The caller holds the lease.
    ///
    /// # Errors
    ///
    /// Fails if it does not find as many tables as [`FILES`] in the folder of the lease.
    fn init(lease: &Lease) -> Result<Self, DtmSourceError> {
        let folder = lease.path()?;
        let mut library = Self { contexts: Vec::new() };
        // SAFETY: no other thread is in the library, since the caller has the lease, and `prophet_tb_deinit`
        // has undone what an earlier handle did. The path is ended by zero; the folder exists as long as the
        // lease, so that the walk through it throws no C++ exception.
        let found = unsafe {
            prophet_tb_init();
            prophet_tb_add_path(folder.as_ptr())
        };
        if usize::try_from(found) != Ok(FILES.len()) {
            return Err(lease.tables_not_found());
        }
        // SAFETY: the library is initialised, and no thread probes yet. It ends the process if it cannot open
        // a file, but these files are private, and were found just before.
        unsafe { prophet_tb_load_all_files() };
        library.contexts = iter::repeat_with(Context::new)
            .take(FILES.len() * RANKS)
            .collect::<Option<_>>()
            .ok_or_else(|| lease.tables_not_found())?;
        Ok(library)
    }

    /// Probes a position without en passant and castling, with the context for its block.
    fn probe(&mut self, men: &PieceLists, turn: Color, context: usize) -> c_int {
        const NO_EN_PASSANT: c_int = 64;
        let context = &mut self.contexts[context];
        // SAFETY: the library is initialised as long as `self` lives, and `&mut self` keeps other threads
        // from the context and from the map of tables. Both lists have their six numbers. The position is
        // legal, since it comes from shakmaty, and has no more men than the tables, so that the prober's move
        // generator, map and index meet nothing that they are not made for.
        unsafe {
            prophet_tb_probe_dtm_dctx(
                men.pieces.as_ptr(),
                men.squares.as_ptr(),
                turn.fold_wb(0, 1),
                NO_EN_PASSANT,
                context.0.as_ptr(),
            )
        }
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: `prophet_tb_init` was called, and no thread is in the library any more. Contexts do not
        // point into what this frees.
        unsafe { prophet_tb_deinit() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtm_source::conformance::{self, conformance_tests};

    conformance_tests!(Prophet);

    #[test]
    fn each_position_has_its_table() {
        #[track_caller]
        fn check(fen: &str, expected: &str) {
            let position = conformance::position(fen);
            assert_eq!(FILES[table_index(&position)].0, format!("{expected}.egtb.bz"), "{fen}");
        }
        check("8/8/8/8/8/1K6/8/1k6 w - - 0 1", "KK");
        check("8/8/8/8/8/1KP5/8/1k6 w - - 0 1", "KPK");
        check("8/8/8/8/8/1KP5/8/1k6 b - - 0 1", "KKP");
        check("8/8/8/8/8/1k1n4/8/1K6 b - - 0 1", "KNK");
        check("8/8/8/8/8/1k1n4/8/1K6 w - - 0 1", "KKN");
        check("8/8/8/8/8/1KB5/8/1k6 w - - 0 1", "KBK");
        check("8/8/8/8/8/1KB5/8/1k6 b - - 0 1", "KKB");
        check("8/8/8/8/8/1KR5/8/1k6 w - - 0 1", "KRK");
        check("8/8/8/8/8/1kr5/8/1K6 w - - 0 1", "KKR");
        check("8/8/8/8/8/1KQ5/8/1k6 w - - 0 1", "KQK");
        check("8/8/8/8/8/1KQ5/8/1k6 b - - 0 1", "KKQ");
    }

    #[test]
    fn answers_without_meaning() {
        #[track_caller]
        fn check(answer: c_int, expected: Result<Option<Dtm>, Meaningless>) {
            assert_eq!(dtm(answer), expected, "{answer}");
        }
        check(1000, Ok(None));
        check(0, Ok(Some(Dtm::CHECKMATED)));
        check(31, Ok(Some(Dtm::from_plies(31))));
        check(-32, Ok(Some(Dtm::from_plies(32))));
        check(32, Err(Meaningless));
        check(-31, Err(Meaningless));
        check(-1000, Err(Meaningless));
        check(-1001, Err(Meaningless));
        check(1001, Err(Meaningless));
        check(c_int::MIN, Err(Meaningless));
        check(65_537, Err(Meaningless));
    }
}
