//! The oracles that are features of the build, opened where they are built.

use oracle::dtm_source::DtmSource;

/// Gaviota and Prophet, as far as this program has them.
#[derive(Default)]
pub(crate) struct Foreign {
    sources: Vec<Box<dyn DtmSource>>,
}

impl Foreign {
    /// Opens those that are built.
    #[cfg_attr(
        not(any(feature = "gaviota", feature = "prophet")),
        expect(clippy::unnecessary_wraps, reason = "opening fails only where there is something to open")
    )]
    pub(crate) fn open() -> anyhow::Result<Self> {
        let sources: Vec<Box<dyn DtmSource>> = vec![
            #[cfg(feature = "gaviota")]
            Box::new(oracle::gaviota::Gaviota::open()?),
            #[cfg(feature = "prophet")]
            Box::new(oracle::prophet::Prophet::open()?),
        ];
        Ok(Self { sources })
    }

    /// As authorities take them.
    pub(crate) fn sources(&self) -> Vec<&dyn DtmSource> {
        self.sources.iter().map(AsRef::as_ref).collect()
    }
}
