//! The least, the middle and the most of several measurements.

use std::fmt;

/// Of at least one value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    pub(crate) least: f64,
    pub(crate) median: f64,
    pub(crate) most: f64,
}

impl Spread {
    /// # Panics
    /// If there is no value.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_unstable_by(f64::total_cmp);
        let last = values.len() - 1;
        let median = f64::midpoint(values[last / 2], values[last.div_ceil(2)]);
        Self { least: values[0], median, most: values[last] }
    }
}

impl Spread {
    /// `None` if there is no value.
    pub(crate) fn of_any(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut values = values.peekable();
        values.peek()?;
        Some(Self::of(values))
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} ({:.2} - {:.2})", self.median, self.least, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_an_even_number_lies_between() {
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0].into_iter()).to_string(), "2.50 (1.00 - 4.00)");
        assert_eq!(Spread::of([7.0].into_iter()).to_string(), "7.00 (7.00 - 7.00)");
    }
}
