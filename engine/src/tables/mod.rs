//! Endgame tables: every position of a material with at most five men, and its distance to mate.
//!
//! In reading order: what a table is of ([`Material`]), what it says ([`Wdl`], [`Dtm`], [`Dtz`]), where an
//! entry stands (`fold`, [`Layout`]), the table itself ([`Table`]) and several together ([`TableSet`]), how they
//! come to be (the builders), and their bytes on disk ([`mod@file`]).
//!
//! Tables know no castling and no en passant, and no fifty-move rule: DTM ignores it, and with four men or fewer it
//! changes no result. They are built from attacks alone: builders know nothing of the move generator, which only
//! [`TableSet::best_line`] asks, and nothing here knows of a search.

mod fold;
mod layout;
mod line;
mod material;
mod set;
mod table;
mod value;

pub mod builders;
pub mod file;

pub use layout::Layout;
pub use material::{MAX_MEN, Material, MaterialError};
pub use set::{Probe, ProbeError, TableSet};
pub use table::{Counts, Metric, Table};
pub use value::{Dtm, Dtz, Wdl};

pub(crate) use layout::Placement;
