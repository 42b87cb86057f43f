//! The table of endgame rules: name, rule and idea of each entry.
//!
//! For a new material add a line to [`ENTRIES`]; for a family of materials, one to [`FAMILIES`]. Contains no
//! rules itself.

use super::signature::Signature;
use super::view::View;
use super::{Scale, heavy, kpvk, lone_king, minor, rook, rook_pawn, scale};
use crate::{Color, Role};

/// The rule for a known material. The view is that of the stronger side, which the name has first.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// A value in centipawns for the stronger side.
    Value(fn(&View) -> i32),
    /// A scale for an advantage.
    Scale(fn(&View) -> Scale),
}

/// A single material.
pub(super) struct EndgameEntry {
    pub(super) name: &'static str,
    signature: Signature,
    pub(super) rule: Rule,
    pub(super) idea: &'static str,
}

/// A family of materials.
pub(super) struct Family {
    pub(super) name: &'static str,
    /// Whether the position belongs to this family, with the viewing side as the stronger.
    pub(super) fits: fn(&View) -> bool,
    pub(super) rule: Rule,
    pub(super) idea: &'static str,
}

const fn value(name: &'static str, value: fn(&View) -> i32, idea: &'static str) -> EndgameEntry {
    entry(name, Rule::Value(value), idea)
}

const fn scaled(name: &'static str, scale: fn(&View) -> Scale, idea: &'static str) -> EndgameEntry {
    entry(name, Rule::Scale(scale), idea)
}

/// An invalid name is a compile-time error.
const fn entry(name: &'static str, rule: Rule, idea: &'static str) -> EndgameEntry {
    let signature = Signature::named(name).expect("a material such as KRvKP");
    EndgameEntry { name, signature, rule, idea }
}

/// Single materials, the stronger side first.
pub(super) static ENTRIES: [EndgameEntry; ALL.len()] = ALL;

#[rustfmt::skip]
const ALL: [EndgameEntry; 31] = [
    value("KPvK",    kpvk::pawn,                      "key squares, opposition, the square of the pawn"),
    value("KQvK",    lone_king::queen,                "the king to the edge, kings close"),
    value("KRvK",    lone_king::rook,                 "the king to the edge, kings close"),
    value("KBBvK",   lone_king::bishops,              "bishops of both colours: the king to a corner"),
    value("KBNvK",   lone_king::bishop_and_knight,    "the king to a corner of the bishop's colour"),
    value("KNNvK",   minor::two_knights,              "mate cannot be forced, yet the draw is not dead"),
    value("KNNvKP",  minor::two_knights_against_pawn, "won if the pawn is held up behind Troitzky's line"),
    value("KRvKP",   heavy::rook_against_pawn,        "won if a king is in time before the pawn"),
    value("KRvKB",   rook::against_bishop,            "drawn, unless the bishop falls"),
    value("KRvKN",   rook::against_knight,            "drawn; a knight far from its king is lost"),
    value("KQvKP",   heavy::queen_against_pawn,       "won, but for rook's and bishop's pawns on the seventh"),
    value("KQvKR",   heavy::queen_against_rook,       "won: the king to the edge, away from its rook"),
    scaled("KRPvKR", rook_pawn::rook_and_pawn_against_rook,  "Philidor's third rank, Lucena's bridge"),
    scaled("KBPvKB", minor::bishop_and_pawn_against_bishop,  "opposite colours, a king before the pawn"),
    scaled("KBPvKN", minor::bishop_and_pawn_against_knight,  "a king before the pawn, off the bishop's colour"),
    scaled("KNPvKB", minor::knight_and_pawn_against_minor,   "a king before the pawn"),
    scaled("KNPvKN", minor::knight_and_pawn_against_minor,   "a king before the pawn"),
    scaled("KQvKQ",  scale::drawn,  "equal pieces without pawns"),
    scaled("KRvKR",  scale::drawn,  "equal pieces without pawns"),
    scaled("KBvKB",  scale::drawn,  "equal pieces without pawns"),
    scaled("KNvKN",  scale::drawn,  "equal pieces without pawns"),
    scaled("KBvKN",  scale::drawn,  "equal pieces without pawns"),
    scaled("KQNvKQ", scale::hardly, "a minor more without pawns"),
    scaled("KQBvKQ", scale::hardly, "a minor more without pawns"),
    scaled("KRNvKR", scale::hardly, "a minor more without pawns"),
    scaled("KRBvKR", scale::hardly, "a minor more without pawns: difficult, not won"),
    scaled("KBNvKN", scale::hardly, "a minor more without pawns"),
    scaled("KBNvKB", scale::hardly, "a minor more without pawns"),
    scaled("KNNvKN", scale::drawn,  "a minor more without pawns"),
    scaled("KNNvKB", scale::drawn,  "a minor more without pawns"),
    scaled("KBBvKB", scale::hardly, "a minor more without pawns"),
];

/// Families, tried in this order.
pub(super) static FAMILIES: [Family; 4] = [
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
    Family {
        name: "KBPsvK",
        fits: |view| view.is_bare() && minor::is_wrong_rook_pawn(view),
        rule: Rule::Value(minor::wrong_rook_pawn),
        idea: "the bishop does not cover the corner that the king holds",
    },
    Family {
        name: "KPsvK",
        fits: |view| {
            view.is_bare() && view.men(Color::White) == view.strong(Role::Pawn).with(view.strong_king)
        },
        rule: Rule::Value(kpvk::pawns),
        idea: "one pawn that wins alone is enough",
    },
];

/// Slots of the hash table: about eight for each key, so that probes are short.
const BITS: u32 = 10;
const SLOTS: usize = 1 << BITS;

/// A material, one side as the stronger, and its entry.
#[derive(Clone, Copy)]
struct Slot {
    signature: Signature,
    entry: u8,
    strong: Color,
}

/// All entries for both colours, with linear probing.
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

/// Inserts into the table. Two entries for one material are a compile-time error.
const fn with(mut slots: [Slot; SLOTS], new: Slot) -> [Slot; SLOTS] {
    let mut at = new.signature.hash(BITS);
    while !slots[at].signature.is(Signature::NONE) {
        assert!(!slots[at].signature.is(new.signature), "two entries for one material");
        at = (at + 1) % SLOTS;
    }
    slots[at] = new;
    slots
}

/// The entry of a material and its stronger side.
pub(super) fn find(signature: Signature) -> Option<(&'static EndgameEntry, Color)> {
    let mut at = signature.hash(BITS);
    while !HASHED[at].signature.is(Signature::NONE) {
        if HASHED[at].signature.is(signature) {
            return Some((&ENTRIES[usize::from(HASHED[at].entry)], HASHED[at].strong));
        }
        at = (at + 1) % SLOTS;
    }
    None
}
