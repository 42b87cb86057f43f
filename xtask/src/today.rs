//! The day of a run.

use anyhow::Context;
use chrono::{NaiveDate, Utc};

/// An environment variable that replaces the clock, for tests.
const VARIABLE: &str = "TOUCHSTONE_TODAY";

/// The day in UTC, so that it is the same on all machines.
pub(crate) fn today() -> anyhow::Result<NaiveDate> {
    match std::env::var(VARIABLE) {
        Ok(text) => {
            day(&text).with_context(|| format!("{VARIABLE} is a day such as 2027-01-31, got {text:?}"))
        }
        Err(_) => Ok(Utc::now().date_naive()),
    }
}

/// The day that a text such as 2027-01-31 names.
pub(crate) fn day(text: &str) -> Option<NaiveDate> {
    // chrono also reads 2027-1-31 and +02027-01-31.
    text.parse().ok().filter(|day: &NaiveDate| day.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_one_form() {
        assert_eq!(day("2028-02-29"), NaiveDate::from_ymd_opt(2028, 2, 29));
        for wrong in ["2027-02-29", "2027-1-31", "+2027-01-31", " 2027-01-31", "2027-01-31T00", "soon", ""] {
            assert_eq!(day(wrong), None, "{wrong}");
        }
    }
}
