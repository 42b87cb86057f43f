//! The table of what is known: a name, a rule, an idea an entry.
//!
//! To know one material more, add one line to [`ENTRIES`]; a whole family, one to [`FAMILIES`]. Knows no rule itself.

use super::signature::Signature;
use super::view::View;
use super::{Scale, lone_king, scale};
use crate::Color;

/// What is done with a position of a known material. The view is that of the stronger side: the one named first.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// It is worth so much to the stronger side.
    Value(fn(&View) -> i32),
    /// So much of an advantage is left.
    Scale(fn(&View) -> Scale),
}

/// One material.
pub(super) struct Entry {
    pub(super) name: &'static str,
    signature: Signature,
    pub(super) rule: Rule,
    pub(super) idea: &'static str,
}

/// Many materials.
pub(super) struct Family {
    pub(super) name: &'static str,
    /// Whether the position is of this family, with the viewing side as the stronger.
    pub(super) fits: fn(&View) -> bool,
    pub(super) rule: Rule,
    pub(super) idea: &'static str,
}

const fn value(name: &'static str, value: fn(&View) -> i32, idea: &'static str) -> Entry {
    entry(name, Rule::Value(value), idea)
}

const fn scaled(name: &'static str, scale: fn(&View) -> Scale, idea: &'static str) -> Entry {
    entry(name, Rule::Scale(scale), idea)
}

/// A bad name does not compile.
const fn entry(name: &'static str, rule: Rule, idea: &'static str) -> Entry {
    let signature = Signature::named(name).expect("a material such as KRvKP");
    Entry { name, signature, rule, idea }
}

/// What is known of single materials, the stronger side first.
#[rustfmt::skip]
pub(super) static ENTRIES: [Entry; ALL.len()] = ALL;

#[rustfmt::skip]
const ALL: [Entry; 4] = [
    value("KQvK",  lone_king::queen,             "the king to the edge, kings close"),
    value("KRvK",  lone_king::rook,              "the king to the edge, kings close"),
    value("KBBvK", lone_king::bishops,           "bishops of both colours: the king to a corner"),
    value("KBNvK", lone_king::bishop_and_knight, "the king to a corner of the bishop's colour"),
];

/// What is known of families, tried in this order.
pub(super) static FAMILIES: [Family; 2] = [
    Family {
        name: "dead material",
        fits: |view| view.board().is_dead_material(),
        rule: Rule::Value(|_| super::DRAWN),
        idea: "no mate can arise",
    },
    Family {
        name: "KXvK",
        fits: lone_king::is_enough,
        rule: Rule::Value(lone_king::any_force),
        idea: "enough to mate: the king to the edge, kings close",
    },
];

/// Slots of the hash table: some eight for each key, so that probes are short.
const BITS: u32 = 10;
const SLOTS: usize = 1 << BITS;

/// A material, for one of the sides as the stronger, and its entry.
#[derive(Clone, Copy)]
struct Slot {
    signature: Signature,
    entry: u8,
    strong: Color,
}

/// Both sides of every entry, by linear probing.
static HASHED: [Slot; SLOTS] = {
    let mut slots = [Slot { signature: Signature::NONE, entry: 0, strong: Color::White }; SLOTS];
    let mut entry = 0;
    while entry < ALL.len() {
        let signature = ALL[entry].signature;
        slots = with(slots, Slot { signature, entry: entry as u8, strong: Color::White });
        if !signature.is(signature.flipped()) {
            let black = Slot { signature: signature.flipped(), entry: entry as u8, strong: Color::Black };
            slots = with(slots, black);
        }
        entry += 1;
    }
    slots
};

/// The table with one more slot taken. Two entries for one material do not compile.
const fn with(mut slots: [Slot; SLOTS], new: Slot) -> [Slot; SLOTS] {
    let mut at = new.signature.hash(BITS);
    while !slots[at].signature.is(Signature::NONE) {
        assert!(!slots[at].signature.is(new.signature), "two entries for one material");
        at = (at + 1) % SLOTS;
    }
    slots[at] = new;
    slots
}

/// The entry of a material, and its stronger side.
pub(super) fn find(signature: Signature) -> Option<(usize, Color)> {
    let mut at = signature.hash(BITS);
    while !HASHED[at].signature.is(Signature::NONE) {
        if HASHED[at].signature.is(signature) {
            return Some((HASHED[at].entry.into(), HASHED[at].strong));
        }
        at = (at + 1) % SLOTS;
    }
    None
}
