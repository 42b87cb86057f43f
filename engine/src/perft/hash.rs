//! The hash table of perft: counts of positions seen before, so that transpositions are counted once.
//!
//! Exact: an entry holds the whole state, packed into 32 bytes without loss. A count is used only if state
//! and depth are equal, so key collisions cannot make it wrong.

use std::sync::{Mutex, PoisonError};

use crate::state::State;
use crate::{Bitboard, Color, Role};

/// A cache of counts. Entries may be overwritten but are never wrong.
pub(super) trait CountCache: Sync {
    /// The stored count of a state at a depth.
    fn get(&self, state: &State, depth: u32) -> Option<u64>;
    /// Stores a count; may overwrite another.
    fn put(&self, state: &State, depth: u32, nodes: u64);
}

/// A cache that stores nothing.
pub(super) struct NoCache;

impl CountCache for NoCache {
    #[inline]
    fn get(&self, _state: &State, _depth: u32) -> Option<u64> {
        None
    }

    #[inline]
    fn put(&self, _state: &State, _depth: u32, _nodes: u64) {}
}

/// A table of fixed size, shared by all threads. Each slot has its own lock and keeps the latest entry.
pub(super) struct PerftHash {
    slots: Vec<Mutex<Slot>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Slot {
    state: Packed,
    /// Plies; 0 in an empty slot.
    depth: u32,
    nodes: u64,
}

impl PerftHash {
    /// Uses at most this many bytes, at least one slot; `None` if the memory cannot be allocated.
    pub(super) fn of_bytes(bytes: usize) -> Option<Self> {
        let count = (bytes / size_of::<Mutex<Slot>>()).max(1);
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).ok()?;
        let empty = Slot { state: Packed { planes: [0; 4], side_to_move: Color::White }, depth: 0, nodes: 0 };
        slots.resize_with(count, || Mutex::new(empty));
        Some(Self { slots })
    }

    fn slot(&self, state: &Packed, depth: u32) -> &Mutex<Slot> {
        // The high half of the product of hash and size is an evenly spread index below the size.
        let place = (u128::from(state.hash(depth)) * self.slots.len() as u128) >> 64;
        &self.slots[place as usize]
    }
}

impl CountCache for PerftHash {
    fn get(&self, state: &State, depth: u32) -> Option<u64> {
        let packed = Packed::new(state);
        let slot = *self.slot(&packed, depth).lock().unwrap_or_else(PoisonError::into_inner);
        (slot.state == packed && slot.depth == depth).then_some(slot.nodes)
    }

    fn put(&self, state: &State, depth: u32, nodes: u64) {
        let packed = Packed::new(state);
        let slot = Slot { state: packed, depth, nodes };
        *self.slot(&packed, depth).lock().unwrap_or_else(PoisonError::into_inner) = slot;
    }
}

/// A packed state: four bits a square in four planes, and the side to move.
///
/// 1 to 6 are the roles from pawn to king, 7 is a rook that may castle; Black's pieces have 8 added. 0 is an
/// empty square, 8 the square where en passant is legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Packed {
    planes: [u64; 4],
    side_to_move: Color,
}

impl Packed {
    fn new(state: &State) -> Self {
        let of = |role| state.board.role(role);
        let rooks = state.castling.rooks();
        let en_passant = state.en_passant.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let planes = [
            of(Role::Pawn) | of(Role::Bishop) | of(Role::Queen) | rooks,
            of(Role::Knight) | of(Role::Bishop) | of(Role::King) | rooks,
            of(Role::Rook) | of(Role::Queen) | of(Role::King),
            state.board.color(Color::Black) | en_passant,
        ];
        Self { planes: planes.map(|plane| plane.0), side_to_move: state.side_to_move }
    }

    fn hash(&self, depth: u32) -> u64 {
        let seed = u64::from(depth) << 1 | self.side_to_move as u64;
        self.planes.iter().fold(seed, |hash, &plane| {
            let product = u128::from(hash ^ plane ^ 0x9e37_79b9_7f4a_7c15) * 0xd134_2543_de82_ef95;
            product as u64 ^ (product >> 64) as u64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    fn state(fen: &str) -> State {
        *Position::from_fen(fen).unwrap().state()
    }

    /// States that differ in one thing each.
    fn states() -> Vec<State> {
        [
            "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1",
            "4k3/8/8/3pP3/8/8/8/R3K2R w KQ - 0 1",
            "4k3/8/8/3pP3/8/8/8/R3K2R b KQ - 0 1",
            "4k3/8/8/3pP3/8/8/8/R3K2R w K - 0 1",
            "4k3/8/8/3pP3/8/8/8/R3K2R w Q - 0 1",
            "4k3/8/8/3pP3/8/8/8/R3K2R w - - 0 1",
            "4k3/8/8/3bP3/8/8/8/R3K2R w KQ - 0 1",
            "4k3/8/8/3PP3/8/8/8/R3K2R w KQ - 0 1",
            "4k3/8/8/4P3/8/8/8/R3K2R w KQ - 0 1",
        ]
        .map(state)
        .to_vec()
    }

    #[test]
    fn only_equal_states_are_packed_alike() {
        for (i, a) in states().iter().enumerate() {
            for (j, b) in states().iter().enumerate() {
                assert_eq!(Packed::new(a) == Packed::new(b), i == j, "{i} and {j}");
            }
        }
    }

    #[test]
    fn a_hash_of_one_slot_distinguishes_states_and_depths() {
        let table = PerftHash::of_bytes(0).unwrap();
        for (nodes, state) in (1..).zip(&states()) {
            assert_eq!(table.get(state, 3), None);
            table.put(state, 3, nodes);
            assert_eq!(table.get(state, 3), Some(nodes));
            assert_eq!(table.get(state, 2), None);
        }
    }
}
