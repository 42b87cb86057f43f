//! Whether a wrong answer came again when the same was asked.

use suites::{Difference, SkipReason};
use uci::Question;

use crate::player::{Asked, NoAnswer};

/// How many earlier questions a fresh process is asked before a wrong answer is asked for again, from few to
/// many.
const EARLIER: [usize; 4] = [1, 4, 16, 50];

/// Whether a wrong answer came again when the same was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reproduction {
    /// It came again in a process that was started for it.
    FreshProcess,
    /// It came again in the process that answered first, and not in a fresh one.
    SameProcess,
    /// It came again in a fresh process that was asked so many earlier questions before.
    AfterOthers(usize),
    /// It did not come again.
    Never,
    /// It came again in no fresh process, not even after the earlier questions.
    Lost {
        /// How often it was asked in all.
        tries: usize,
        /// How many earlier questions are known.
        earlier: usize,
        /// Whether it came again in the process that answered first.
        in_first: bool,
    },
    /// The player was not asked again.
    NotAsked(SkipReason),
}

/// The process that is asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Process {
    /// One that is started for it.
    Fresh,
    /// The one that answered first.
    Same,
}

/// Whether a wrong answer came again in this process, or why the player was not asked.
pub(crate) fn came_again<A>(came: bool, answer: Result<A, NoAnswer>) -> Result<bool, SkipReason> {
    if came { Ok(true) } else { answer.err().and_then(|why| why.not_asked()).map_or(Ok(false), Err) }
}

impl Reproduction {
    /// Asks a fresh process, and if the wrong answer does not come there, the same one. `comes_again` asks
    /// and says whether it came, or why the player was not asked.
    pub(crate) fn find(mut comes_again: impl FnMut(Process) -> Result<bool, SkipReason>) -> Self {
        let fresh = comes_again(Process::Fresh);
        if fresh == Ok(true) {
            return Self::FreshProcess;
        }
        let same = comes_again(Process::Same);
        if same == Ok(true) {
            return Self::SameProcess;
        }
        fresh.err().or(same.err()).map_or(Self::Never, Self::NotAsked)
    }

    /// Whether it came again.
    pub(crate) fn came_again(self) -> bool {
        matches!(self, Self::FreshProcess | Self::SameProcess | Self::AfterOthers(_))
    }

    /// Whether it is a note: it was asked again, and no command shows it.
    pub(crate) fn is_flaky(self) -> bool {
        matches!(self, Self::Never | Self::Lost { .. })
    }

    /// Adds to a difference whether it came again. A difference that did not gets the id of a note, `flaky`.
    /// Returns the reason to skip the case if the player was not asked.
    pub(crate) fn record_in(self, found: &mut Difference, flaky: &str) -> Option<SkipReason> {
        if let Self::NotAsked(reason) = self {
            return Some(reason);
        }
        if let Some(words) = self.words() {
            found.explanation = format!("{}; {words}", found.explanation);
        }
        if self.is_flaky() {
            flaky.clone_into(&mut found.check);
        }
        None
    }

    /// The words for an explanation. None if a fresh process gives the wrong answer too.
    pub(crate) fn words(self) -> Option<String> {
        let questions = |count| if count == 1 { "question".to_owned() } else { format!("{count} questions") };
        match self {
            Self::FreshProcess | Self::NotAsked(_) => None,
            Self::SameProcess => {
                Some("a fresh process does not repeat it, the first process does".to_owned())
            }
            Self::AfterOthers(earlier) => Some(format!(
                "a fresh process repeats it only after the {} before it, which the command asks too",
                questions(earlier)
            )),
            Self::Never => Some(
                "it came in 1 of 3 tries: neither a fresh process nor the first one repeats it".to_owned(),
            ),
            Self::Lost { tries, earlier, in_first } => Some(format!(
                "it came in {} of {tries} tries: no fresh process repeats it, also not after the {} before it, \
                 which the command asks",
                1 + usize::from(in_first),
                questions(earlier)
            )),
        }
    }
}

/// Whether a wrong answer came again, and the questions that show it, of which it answers the last.
#[derive(Debug, Clone)]
pub(crate) struct Repeated {
    pub(crate) how: Reproduction,
    pub(crate) series: Vec<Asked>,
}

impl Repeated {
    /// A question that needs no other one before it.
    pub(crate) fn alone(how: Reproduction, question: &Question) -> Self {
        Self { how, series: vec![Asked::on(question.clone())] }
    }

    /// The same with another last question.
    pub(crate) fn of_last(&self, question: &Question) -> Self {
        let mut other = self.clone();
        if let Some(last) = other.series.last_mut() {
            last.question.clone_from(question);
        }
        other
    }
}

/// The numbers of earlier questions to try, if there are so many.
pub(crate) fn earlier_counts(most: usize) -> impl Iterator<Item = usize> {
    let tried = EARLIER.into_iter().zip([0].into_iter().chain(EARLIER));
    tried.filter(move |(_, fewer)| *fewer < most).map(move |(count, _)| count.min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_earlier_questions_are_tried_before_many() {
        let counts = |most| earlier_counts(most).collect::<Vec<_>>();
        assert_eq!(counts(0), [0; 0]);
        assert_eq!(counts(1), [1]);
        assert_eq!(counts(3), [1, 3]);
        assert_eq!(counts(16), [1, 4, 16]);
        assert_eq!(counts(60), [1, 4, 16, 50]);
    }
}
