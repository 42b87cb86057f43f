//! Endgame tables: the distance to mate of every position with at most five men.
//!
//! In reading order: the men of a table ([`Material`]), its values ([`Wdl`], [`Dtm`], [`Dtz`]), the slot of a
//! position (`fold`, [`Layout`]), a table ([`Table`]), a set of tables ([`TableSet`]), the builders, the file
//! format ([`mod@file`]), and Syzygy files ([`syzygy`]).
//!
//! Tables hold positions without castling and en passant rights and ignore the fifty-move rule; with four men
//! or fewer that rule changes no result. A double step that allows an en passant capture is worth its best
//! reply, which may be that capture, and [`TableSet::probe_of`] resolves positions with en passant rights by
//! one ply.
//! Builders use attacks alone: only [`TableSet`] uses the move generator, and nothing here uses the search.

mod fold;
mod layout;
mod line;
mod material;
mod runs;
mod set;
mod table;
mod value;

pub mod builders;
pub mod file;
pub mod syzygy;

pub use layout::Layout;
pub use material::{MAX_MEN, Material, MaterialError};
pub use set::{Neighbours, Probe, ProbeError, TableSet};
pub use table::{Counts, Metric, Table};
pub use value::{Dtm, Dtz, Wdl};

pub(crate) use layout::Placement;
