//! The cross-checks: the only crate that knows shakmaty, Syzygy and the other authorities.

pub mod perft;
pub mod syzygy_files;
