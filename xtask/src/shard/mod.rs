//! `--shard I/N`: a run on several machines, each with its share of the work. `merge` puts the shares
//! together.

mod folder;
mod gather;
mod share;

use std::fmt;
use std::str::FromStr;

pub(crate) use folder::{Begun, Verb, sum};
pub(crate) use gather::{Part, gather};
pub(crate) use share::share;

/// The most shards of a run.
const MOST: u32 = 1_000;

/// One of the shards of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Its number, from 1.
    number: u32,
    /// How many shards the run has.
    of: u32,
}

impl Shard {
    /// Its number, from 1, and how many shards the run has.
    pub(crate) fn numbers(self) -> [u64; 2] {
        [self.number, self.of].map(u64::from)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((whole(number)?, whole(of)?)));
        let (number, of) =
            numbers.ok_or_else(|| "expected I/N, such as 1/3 for the first of three shards".to_owned())?;
        if !(1..=MOST).contains(&of) {
            return Err(format!("a run has 1 to {MOST} shards"));
        }
        if !(1..=of).contains(&number) {
            return Err(format!("the shards of a run of {of} are 1/{of} to {of}/{of}"));
        }
        Ok(Self { number, of })
    }
}

/// A number without a sign.
fn whole(text: &str) -> Option<u32> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shards_of_a_run_are_shards() {
        for text in ["1/1", "1/3", "3/3", "1000/1000"] {
            assert_eq!(text.parse::<Shard>().map(|shard| shard.to_string()).as_deref(), Ok(text));
        }
        let check = |text: &str, part: &str| {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        };
        check("0/3", "are 1/3 to 3/3");
        check("4/3", "are 1/3 to 3/3");
        check("1/0", "1 to 1000 shards");
        check("1/1001", "1 to 1000 shards");
        for text in ["x", "", "/", "1", "1/", "/3", "1/3/3", "+1/3", "-1/3", " 1/3", "99999999999/3"] {
            check(text, "expected I/N");
        }
    }
}
