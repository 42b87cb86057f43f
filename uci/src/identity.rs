//! What a program says of itself.

use std::collections::BTreeMap;

use crate::uci_option::{OptionKind, UciOption};

/// What a program says of itself between `uci` and `uciok`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// What follows `id`, by its first word.
    pub id: BTreeMap<String, String>,
    /// The options, in its order.
    pub options: Vec<UciOption>,
    /// What else it said.
    pub others: Vec<String>,
    /// Whether it said `uciok`.
    pub complete: bool,
}

impl Identity {
    /// The option of this name. Names are the same whatever the case of their letters.
    pub fn option(&self, name: &str) -> Option<&UciOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The options to be set at the start, unless they are among what is wanted: those that let it play from a book are
    /// off, since what it plays from a book is no search; and there is one thread, since many copies run at once, and
    /// threads that wait for each other on a busy machine are late.
    pub fn set_up(&self, wanted: &[(String, String)]) -> Vec<(String, String)> {
        let is_wanted = |name: &str| wanted.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
        let ours = self
            .options
            .iter()
            .filter_map(|option| Some((option.name.clone(), at_start(option)?.to_owned())));
        ours.filter(|(name, _)| !is_wanted(name)).chain(wanted.iter().cloned()).collect()
    }
}

/// What we set an option to, whatever its default.
fn at_start(option: &UciOption) -> Option<&'static str> {
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

/// The line that sets an option; a button has no value.
pub fn set_option(name: &str, value: &str) -> String {
    let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
    format!("setoption name {name}{value}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Message;

    #[test]
    fn books_are_off_and_there_is_one_thread_unless_it_is_wanted_otherwise() {
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
            said => panic!("{said:?}"),
        });
        let identity = Identity { options: options.into(), ..Identity::default() };
        let check = |wanted: &[(&str, &str)], expected: &[&str]| {
            let wanted: Vec<_> = wanted.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
            let lines: Vec<_> =
                identity.set_up(&wanted).iter().map(|(name, value)| set_option(name, value)).collect();
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
}
