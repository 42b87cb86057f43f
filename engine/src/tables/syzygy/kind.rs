//! The two kinds of Syzygy files.

use derive_more::Display;

/// The values of a Syzygy file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
pub enum Kind {
    /// Results: `.rtbw`.
    #[display("WDL")]
    Wdl,
    /// Distances to zeroing moves: `.rtbz`.
    #[display("DTZ")]
    Dtz,
}

impl Kind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Wdl, Self::Dtz];

    /// The end of the names of such files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }

    /// The first four bytes of such files.
    pub(super) const fn magic(self) -> u32 {
        match self {
            Self::Wdl => 0x5d23_e871,
            Self::Dtz => 0xa50c_66d7,
        }
    }
}
