//! The answer of an engine to `uci`.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::uci_option::{OptionKind, UciOption};

/// The lines that an engine prints between `uci` and `uciok`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// The values of `id`, by the first word (`name`, `author`).
    pub id: BTreeMap<String, String>,
    /// The options, in the order of their declaration.
    pub options: Vec<UciOption>,
    /// Lines that are not UCI.
    pub others: Vec<String>,
}

impl Identity {
    /// The option with this name. Upper and lower case are the same.
    pub fn option(&self, name: &str) -> Option<&UciOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The options to set at the start: first our own values, except for options in `wanted`, then those in
    /// `wanted`. Our own values switch off opening books, since a book move is not the result of a search.
    /// They set threads to 1, since many copies of the engine run at once, and threads that wait for each
    /// other on a busy machine answer late.
    pub fn initial_options(&self, wanted: &[(String, String)]) -> Vec<(String, String)> {
        let is_wanted = |name: &str| wanted.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
        let ours = self
            .options
            .iter()
            .filter_map(|option| Some((option.name.clone(), initial_value(option)?.to_owned())));
        ours.filter(|(name, _)| !is_wanted(name)).chain(wanted.iter().cloned()).collect()
    }

    /// How much longer than others the engine may take for `readyok`: it may have to clear a hash table of this
    /// size, or of its default size.
    pub(crate) fn time_to_clear(&self, wanted: &[(String, String)]) -> Duration {
        let is_hash = |name: &str| name.eq_ignore_ascii_case("hash");
        let wanted = wanted.iter().rfind(|(name, _)| is_hash(name)).map(|(_, value)| &**value);
        let usual = self.options.iter().find(|option| is_hash(&option.name));
        let mebibytes = wanted.or(usual.and_then(|option| option.default.as_deref()));
        PER_MEBIBYTE * mebibytes.and_then(|text| text.parse().ok()).unwrap_or(0).min(MOST_MEBIBYTES)
    }
}

/// The time to clear a mebibyte: a hundred times what an idle machine takes.
const PER_MEBIBYTE: Duration = Duration::from_millis(10);
/// A table for which an engine gets an hour.
const MOST_MEBIBYTES: u32 = 360_000;

/// Our own value of an option. The default of the engine does not matter.
fn initial_value(option: &UciOption) -> Option<&'static str> {
    match option.kind {
        _ if is_book(option) => Some("false"),
        Some(OptionKind::Spin) if option.name.to_lowercase().contains("threads") && option.min == Some(1) => {
            Some("1")
        }
        _ => None,
    }
}

fn is_book(option: &UciOption) -> bool {
    let name: String = option.name.to_ascii_lowercase().split_whitespace().collect();
    option.kind == Some(OptionKind::Check) && ["ownbook", "book", "usebook"].contains(&name.as_str())
}

/// The command `setoption`. The value of a button is empty.
pub fn set_option(name: &str, value: &str) -> String {
    let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
    format!("setoption name {name}{value}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Message;

    #[test]
    fn books_are_off_and_threads_are_one_unless_wanted_otherwise() {
        let lines = [
            "option name OwnBook type check default true",
            "option name Use Book type check default false",
            "option name Book File type string default book.bin",
            "option name Bookish type check default true",
            "option name Number of Threads type spin default 2 min 1 max 64",
            "option name Threads per Core type spin default 0 min 0 max 4",
            "option name Threads type string default many",
        ];
        let options = lines.map(|line| match Message::read(line) {
            Message::Option(option) => option,
            message => panic!("{message:?}"),
        });
        let identity = Identity { options: options.into(), ..Identity::default() };
        let check = |wanted: &[(&str, &str)], expected: &[&str]| {
            let wanted: Vec<_> = wanted.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
            let lines: Vec<_> = identity
                .initial_options(&wanted)
                .iter()
                .map(|(name, value)| set_option(name, value))
                .collect();
            assert_eq!(lines, expected);
        };
        let [own, book] = ["setoption name OwnBook value false", "setoption name Use Book value false"];
        let one = "setoption name Number of Threads value 1";
        check(&[], &[own, book, one]);
        check(&[("Clear Hash", "")], &[own, book, one, "setoption name Clear Hash"]);
        check(&[("ownbook", "true")], &[book, one, "setoption name ownbook value true"]);
        let two = ("number of threads", "2");
        check(&[two], &[own, book, "setoption name number of threads value 2"]);
    }

    #[test]
    fn a_large_hash_table_takes_long_to_clear() {
        let option = |default: &str| {
            UciOption::read(
                format!("name Hash type spin default {default} min 1 max 999999").split_whitespace(),
            )
        };
        let check = |default: &str, wanted: &[(&str, &str)], expected: u64| {
            let options = vec![option(default)];
            let identity = Identity { options, ..Identity::default() };
            let wanted: Vec<_> =
                wanted.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
            assert_eq!(identity.time_to_clear(&wanted), Duration::from_millis(expected), "{wanted:?}");
        };
        check("16", &[], 160);
        check("16", &[("hash", "4096")], 40_960);
        check("4096", &[("Hash", "1"), ("Hash", "2"), ("Threads", "8")], 20);
        check("16", &[("Hash", "999999999")], 3_600_000);
        check("16", &[("Hash", "much")], 0);
    }
}
