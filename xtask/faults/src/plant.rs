//! What is planted: groups of faults, each of one class in one table or file.

use crate::draw::Draw;
use crate::outcome::Done;
use crate::product::Product;

type Run = Box<dyn Fn(&Product, Draw, Option<u32>) -> anyhow::Result<Done> + Send + Sync>;

/// A group of faults of one class.
pub(crate) struct Plan {
    /// Its parts: what is damaged, which table or file, and the class.
    pub(crate) id: String,
    /// Plants the faults, or only the one with this number, and asks the program.
    pub(crate) run: Run,
}

impl Plan {
    /// A group.
    pub(crate) fn new(
        id: String,
        run: impl Fn(&Product, Draw, Option<u32>) -> anyhow::Result<Done> + Send + Sync + 'static,
    ) -> Self {
        Self { id, run: Box::new(run) }
    }

    /// What is damaged, and which table or file.
    pub(crate) fn table(&self) -> &str {
        self.id.rsplit_once('/').map_or(&self.id, |(table, _)| table)
    }

    /// The class: the last part of the id.
    pub(crate) fn class(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or_default()
    }
}
