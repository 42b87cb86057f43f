//! A player that is asked what it announces: it says nothing of the entries of tables.

use crate::claims::{Board, Claim, Claims, Color, Refusal};
use crate::subject::{InProcess, Limit, Question, Setup, Subjects};

/// What is asked of a player of a position in the tables: its first iteration.
pub(crate) const LIMIT: Limit = Limit::Depth(1);

/// A player as the subject of the check of announcements.
pub struct Announcer(Box<dyn Subjects + Send>);

impl Announcer {
    /// Our engine, or one of its misprints. The least hash table will do: where the tables know the position there is next to
    /// nothing to remember, and it is cleared often.
    pub fn new(player: InProcess) -> Self {
        Self::of(player.with_option("Hash", "1"))
    }

    /// Any player.
    pub fn of(player: impl Subjects + Send + 'static) -> Self {
        Self(Box::new(player))
    }
}

impl Claims for Announcer {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn claim(&self, _: &Board, _: Color) -> Result<Claim, Refusal> {
        Err(Refusal("a player announces; it makes no claims".to_owned()))
    }

    fn claims_dtz(&self) -> bool {
        false
    }

    fn player(&self) -> Option<&dyn Subjects> {
        Some(&*self.0)
    }

    fn replay(&self, fen: &str) -> String {
        self.0.replay(Setup::ALL, &Question::of(fen, LIMIT))
    }
}
