//! Data as runs of equal symbols: most of a table is runs, and pairs of equal symbols are replaced by the
//! run.

/// Equal symbols in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run<T = u16> {
    pub(super) symbol: T,
    pub(super) len: u32,
}

/// Runs, of which no two neighbours have the same symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Runs<T = u16>(Vec<Run<T>>);

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy + PartialEq> Runs<T> {
    /// Appends equal symbols.
    #[inline]
    pub(super) fn push(&mut self, symbol: T, len: u32) {
        match self.0.last_mut() {
            Some(last) if last.symbol == symbol => last.len += len,
            _ if len == 0 => {}
            _ => self.0.push(Run { symbol, len }),
        }
    }

    pub(super) fn as_slice(&self) -> &[Run<T>] {
        &self.0
    }

    pub(super) fn last(&self) -> Option<Run<T>> {
        self.0.last().copied()
    }

    /// How many symbols there are.
    pub(super) fn symbols(&self) -> u64 {
        self.0.iter().map(|run| u64::from(run.len)).sum()
    }

    /// Removes all runs.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The runs of other symbols.
    pub(super) fn map<U: Copy + PartialEq>(&self, symbol: impl Fn(T) -> U) -> Runs<U> {
        let mut mapped = Runs(Vec::with_capacity(self.0.len()));
        for run in &self.0 {
            mapped.push(symbol(run.symbol), run.len);
        }
        mapped
    }

    /// The symbols, one by one.
    pub(super) fn flat(&self) -> Vec<T> {
        self.0.iter().flat_map(|run| std::iter::repeat_n(run.symbol, run.len as usize)).collect()
    }
}
