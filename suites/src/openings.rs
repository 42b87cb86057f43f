//! The books of openings that the program carries, as lines of EPD: what `match` plays.
//!
//! `balanced` has positions after eight plies. The operation `ce` is the score of the side to move in
//! centipawns, and `acn` the nodes after which our engine gave it. `endings` has positions of three and four
//! men. The operation `result` is the result of the side to move by tables: `win`, `draw` or `loss`.
//! `arbiter/examples/build_openings` built both. Knows no board: `arbiter` tests the lines.

crate::words! {
    /// A book.
    pub enum OwnBook: "book" {
        /// Openings in which neither side is ahead.
        Balanced = "balanced",
        /// Endings with known results.
        Endings = "endings",
    }
}

impl OwnBook {
    /// Its lines.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Balanced => include_str!("../data/openings/balanced.epd"),
            Self::Endings => include_str!("../data/openings/endings.epd"),
        }
    }
}
