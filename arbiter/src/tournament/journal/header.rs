//! The header of a journal: all that decides which games a match has and how they are played.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tournament::schedule::{PairShard, Schedule, ScheduleError};

/// The format that this program writes and reads.
pub const FORMAT: u32 = 1;

/// All that decides which games a match has and how they are played. Two runs with equal headers are of one
/// match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchHeader {
    /// The format of the journal: [`FORMAT`].
    pub format: u32,
    /// The engines, in their order.
    pub engines: Vec<EngineHeader>,
    /// Who plays whom.
    pub schedule: ScheduleHeader,
    /// The openings.
    pub openings: OpeningsHeader,
    /// The seed of all random choices.
    pub seed: u64,
    /// Other settings by name, such as rules and adjudication.
    pub settings: BTreeMap<String, String>,
}

/// An engine of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineHeader {
    /// Its name in the tournament.
    pub name: String,
    /// The program with its arguments.
    pub command: Vec<String>,
    /// The SHA-256 of the program in hexadecimal, if it is known.
    pub sha256: Option<String>,
    /// The UCI options that are set.
    pub options: BTreeMap<String, String>,
    /// The limits of its searches, such as `tc=10+0.1`.
    pub limit: String,
}

/// The schedule of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleHeader {
    /// How many rounds there are.
    pub rounds: u64,
    /// How many engines play each of the others in a gauntlet; `None` in a round robin.
    pub seeds: Option<u64>,
    /// The number of the shard, from 1, and the number of shards.
    pub shard: [u64; 2],
}

/// The openings of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningsHeader {
    /// The SHA-256 of the book in hexadecimal.
    pub sha256: String,
    /// After how many plies its games are cut.
    pub plies: Option<u64>,
    /// Whether the openings are shuffled by the seed.
    pub is_shuffled: bool,
    /// The number of the first opening, from 1.
    pub start: u64,
    /// Whether all openings are of Chess960.
    pub is_chess960: bool,
}

/// A field in which two headers differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderDifference {
    /// The field, such as `engines[1].options.Hash`.
    pub field: String,
    /// Its value in the journal, as JSON; `nothing` if it is missing.
    pub journal: String,
    /// Its value in this match.
    pub this: String,
}

impl MatchHeader {
    /// Who plays whom in the whole match.
    ///
    /// # Errors
    /// If there is no such match.
    pub fn schedule(&self) -> Result<Schedule, ScheduleError> {
        let (engines, ScheduleHeader { rounds, seeds, .. }) = (self.engines.len(), self.schedule);
        match seeds {
            Some(seeds) => Schedule::gauntlet(engines, usize::try_from(seeds).unwrap_or(usize::MAX), rounds),
            None => Schedule::round_robin(engines, rounds),
        }
    }

    /// The share of the pairs.
    ///
    /// # Errors
    /// If there is no such shard.
    pub fn shard(&self) -> Result<PairShard, ScheduleError> {
        let [number, of] = self.schedule.shard;
        PairShard::new(number, of)
    }

    /// The first field in which this header, that of a journal, differs from the one of a match.
    pub fn difference(&self, this: &Self) -> Option<HeaderDifference> {
        let value = |header: &Self| serde_json::to_value(header).unwrap_or_default();
        difference("", Some(&value(self)), Some(&value(this)))
    }
}

fn difference(field: &str, journal: Option<&Value>, this: Option<&Value>) -> Option<HeaderDifference> {
    match (journal, this) {
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let names = one.keys().chain(other.keys().filter(|&name| !one.contains_key(name)));
            let inner =
                |name: &String| if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
            names.into_iter().find_map(|name| difference(&inner(name), one.get(name), other.get(name)))
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => (0..one.len().max(other.len()))
            .find_map(|index| difference(&format!("{field}[{index}]"), one.get(index), other.get(index))),
        (one, other) if one == other => None,
        (one, other) => {
            let text = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
            Some(HeaderDifference { field: field.to_owned(), journal: text(one), this: text(other) })
        }
    }
}

#[cfg(test)]
pub(super) fn example() -> MatchHeader {
    let engine = |name: &str| EngineHeader {
        name: name.to_owned(),
        command: vec![format!("./{name}"), "--uci".to_owned()],
        sha256: None,
        options: BTreeMap::from([("Hash".to_owned(), "16".to_owned())]),
        limit: "nodes=100".to_owned(),
    };
    MatchHeader {
        format: FORMAT,
        engines: vec![engine("A"), engine("B")],
        schedule: ScheduleHeader { rounds: 10, seeds: None, shard: [1, 1] },
        openings: OpeningsHeader {
            sha256: "00ff".to_owned(),
            plies: Some(8),
            is_shuffled: true,
            start: 1,
            is_chess960: false,
        },
        seed: 7,
        settings: BTreeMap::from([("rules".to_owned(), "fide".to_owned())]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(change: impl Fn(&mut MatchHeader), field: &str, journal: &str, this: &str) {
        let mut changed = example();
        change(&mut changed);
        let expected = [field, journal, this].map(str::to_owned);
        let found = example().difference(&changed).map(|found| [found.field, found.journal, found.this]);
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn a_difference_has_its_field_and_both_values() {
        assert_eq!(example().difference(&example()), None);
        check(|header| header.seed = 8, "seed", "7", "8");
        check(|header| header.engines[1].name = "C".to_owned(), "engines[1].name", "\"B\"", "\"C\"");
        let hash = |header: &mut MatchHeader| {
            header.engines[0].options.insert("Hash".to_owned(), "32".to_owned());
        };
        check(hash, "engines[0].options.Hash", "\"16\"", "\"32\"");
        check(|header| header.engines[0].options.clear(), "engines[0].options.Hash", "\"16\"", "nothing");
        let tablebases = |header: &mut MatchHeader| {
            header.settings.insert("tb".to_owned(), "own".to_owned());
        };
        check(tablebases, "settings.tb", "nothing", "\"own\"");
        check(|header| header.schedule.shard = [2, 3], "schedule.shard[0]", "1", "2");
        check(|header| header.openings.plies = None, "openings.plies", "8", "null");
        check(
            |header| header.engines.truncate(1),
            "engines[1]",
            "{\"command\":[\"./B\",\"--uci\"],\
            \"limit\":\"nodes=100\",\"name\":\"B\",\"options\":{\"Hash\":\"16\"},\"sha256\":null}",
            "nothing",
        );
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let text = serde_json::to_string(&example()).unwrap();
        assert_eq!(serde_json::from_str::<MatchHeader>(&text).unwrap(), example());
    }
}
