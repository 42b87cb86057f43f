//! The cross-checks.

#[cfg(any(feature = "gaviota", feature = "prophet"))]
mod claim;
#[cfg(any(feature = "gaviota", feature = "prophet"))]
pub mod dtm_source;
#[cfg(feature = "gaviota")]
pub mod gaviota;
#[cfg(feature = "prophet")]
pub mod prophet;
