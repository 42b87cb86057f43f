//! Which tables a run probes: what files it needs.

use engine::tables::{Material, builders};
use suites::syzygy::men_of;

/// All tables up to a number of men, and some of more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Probed {
    men: u8,
    tables: Vec<String>,
}

impl Probed {
    /// All tables up to so many men.
    pub(crate) fn up_to(men: u8) -> Self {
        Self::new(men, &[])
    }

    /// All tables up to so many men, these tables, and all that they lead to.
    pub(crate) fn new(men: u8, materials: &[Material]) -> Self {
        let tables = builders::with_smaller(materials).iter().map(ToString::to_string).collect();
        Self { men, tables }
    }

    /// Whether a file is that of such a table.
    pub(super) fn has(&self, file: &str) -> bool {
        let Some(men) = men_of(file) else { return false };
        let is_named = |(name, _)| self.tables.iter().any(|table| table == name);
        men <= self.men || file.split_once('.').is_some_and(is_named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_probed_by_number_of_men_or_by_name() {
        let of = |probed: Probed| {
            let files = ["KQvK.rtbw", "KNvKP.rtbz", "KQvKN.rtbz", "KQvKR.rtbw", "KQRvKR.rtbw", "KQvK.txt"];
            files.map(|file| probed.has(file))
        };
        assert_eq!(of(Probed::up_to(3)), [true, false, false, false, false, false]);
        assert_eq!(of(Probed::up_to(4)), [true, true, true, true, false, false]);
        // A pawn may become a queen.
        let materials = ["KNvKP".parse().unwrap()];
        assert_eq!(of(Probed::new(3, &materials)), [true, true, true, false, false, false]);
    }
}
