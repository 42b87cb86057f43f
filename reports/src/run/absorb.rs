//! Two parts of a run as one run.

use super::Run;

impl Run {
    /// Adds what another part of the same run found. No check on one case set may be in both parts.
    ///
    /// The exporters sort, so that the order in which parts are added changes no report.
    pub fn absorb(&mut self, other: Self) {
        // All fields are named, so that a new one cannot be forgotten.
        let Self {
            checks,
            differences,
            census,
            histogram,
            perft,
            stalemates,
            signatures,
            stalemates_subjects,
            mates,
            best_moves,
            conversion,
            wins_thrown,
            draws,
            dump,
            edge_cases,
            knowledge,
            fails_from,
            engine,
            regression,
            folder: _,
        } = other;
        self.checks.extend(checks);
        self.differences.extend(differences);
        self.census.extend(census);
        self.histogram.extend(histogram);
        self.perft.extend(perft);
        self.stalemates.extend(stalemates);
        self.signatures.extend(signatures);
        self.stalemates_subjects.extend(stalemates_subjects);
        self.mates.extend(mates);
        self.best_moves.extend(best_moves);
        self.conversion.extend(conversion);
        self.wins_thrown.extend(wins_thrown);
        self.draws.extend(draws);
        self.dump.extend(dump);
        self.edge_cases.extend(edge_cases);
        self.knowledge.extend(knowledge);
        self.fails_from = self.fails_from.min(fails_from);
        self.engine = self.engine.take().or(engine);
        if let Some(rows) = regression {
            self.regression.get_or_insert_default().extend(rows);
        }
    }
}
