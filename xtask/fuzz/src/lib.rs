//! What random input must not do to the readers of the workspace: one function for each kind of input.
//!
//! None may panic, hang or take memory without a bound. Where another reader is at hand, both have to say the
//! same; where the input is a damaged file, no damage may be read as something else. `fuzz_targets` has a
//! program of cargo-fuzz for each function, and `corpus` has inputs, which the tests change at random.

mod files;
mod positions;
mod session;
mod texts;

pub use files::{syzygy_file, table_file};
pub use positions::{fen, game};
pub use session::session;
pub use texts::{certificate, dump, epd, pgn, report, uci_output};

#[cfg(test)]
mod tests;
