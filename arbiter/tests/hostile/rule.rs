//! Faults that a test makes up: what it says instead of a line, or does when it hears one.
//!
//! `--said FROM=>TO` puts one text in place of another in each line that it says; a line that becomes empty is not said,
//! and `\n` makes two of one. `FROM$` adds to the end of lines that begin so.
//!
//! `--heard FROM=>ACT` does something when it hears a line that begins so: `crash`, `ignore`, `say TEXT`, or `hear TEXT`, as if
//! that had been said. `FROM$` is the whole line. `A|FROM` is a line after one that begins with A, `^|FROM` the first line;
//! `busy:`, `idle:` and `long:` before it ask for a search, for none, or for a line of more than 2,000 bytes, and `soon:` for less than
//! 60 ms since the line before.

use std::time::Duration;

const LONG: usize = 2000;
const SOON: Duration = Duration::from_millis(60);

/// A text and what is to become of it.
#[derive(Debug)]
pub(crate) struct Rule {
    from: String,
    to: String,
}

/// A line that is heard, and what is known of it.
pub(crate) struct Line<'a> {
    pub(crate) text: &'a str,
    /// The line before, if there is one, and the time since.
    pub(crate) last: Option<(&'a str, Duration)>,
    /// Whether a search goes on.
    pub(crate) busy: bool,
}

impl Rule {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let (from, to) = text.split_once("=>").ok_or_else(|| format!("{text} has no =>"))?;
        Ok(Self { from: from.to_owned(), to: to.to_owned() })
    }

    /// What is said in place of a line.
    pub(crate) fn said(&self, line: &str) -> String {
        match self.from.strip_suffix('$') {
            Some(start) if line.starts_with(start) => format!("{line}{}", self.to),
            Some(_) => line.to_owned(),
            None => line.replace(&self.from, &self.to.replace("\\n", "\n")),
        }
    }

    /// What is to be done about a line, if it is meant.
    pub(crate) fn heard(&self, line: &Line) -> Option<&str> {
        let mut from = self.from.as_str();
        let conditions = [
            ("busy:", line.busy),
            ("idle:", !line.busy),
            ("long:", line.text.len() > LONG),
            ("soon:", line.last.is_some_and(|(_, since)| since < SOON)),
        ];
        for (word, holds) in conditions {
            if let Some(rest) = from.strip_prefix(word) {
                if !holds {
                    return None;
                }
                from = rest;
            }
        }
        if let Some((before, rest)) = from.split_once('|') {
            let follows = match line.last {
                None => before == "^",
                Some((last, _)) => before != "^" && last.starts_with(before),
            };
            if !follows {
                return None;
            }
            from = rest;
        }
        let meant = match from.strip_suffix('$') {
            Some(whole) => line.text == whole,
            None => line.text.starts_with(from),
        };
        meant.then_some(self.to.as_str())
    }
}
