//! The oracles that are cargo features: Gaviota and Prophet.

use oracle::dtm_source::DtmSource;

/// Gaviota and Prophet, if they are in this build.
#[derive(Default)]
pub(crate) struct ThirdParty {
    sources: Vec<Box<dyn DtmSource>>,
}

impl ThirdParty {
    /// Opens those that are in this build.
    #[cfg_attr(
        not(any(feature = "gaviota", feature = "prophet")),
        expect(clippy::unnecessary_wraps, reason = "opening fails only if there is something to open")
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

    /// As a list for [`oracle::authorities::Authorities`].
    pub(crate) fn sources(&self) -> Vec<&dyn DtmSource> {
        self.sources.iter().map(AsRef::as_ref).collect()
    }
}
