//! The day of a run.

use anyhow::Context;
use jiff::civil::Date;
use jiff::{Timestamp, tz::TimeZone};

/// An environment variable that replaces the clock, for tests.
const VARIABLE: &str = "TOUCHSTONE_TODAY";

/// The day in UTC, so that it is the same on all machines.
pub(crate) fn today() -> anyhow::Result<Date> {
    match std::env::var(VARIABLE) {
        Ok(text) => {
            text.parse().with_context(|| format!("{VARIABLE} is a day such as 2027-01-31, got {text:?}"))
        }
        Err(_) => Ok(Timestamp::now().to_zoned(TimeZone::UTC).date()),
    }
}
