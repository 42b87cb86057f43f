//! Faults that a test defines: rules that change the lines it prints, or what it does with a line it reads.
//!
//! `--said FROM=>TO` replaces a text in each printed line. A line that becomes empty is not printed, and `\n`
//! splits a line. `FROM$` adds TO to the end of lines that begin with FROM.
//!
//! `--heard FROM=>ACT` applies to input lines that begin with FROM. ACT is `crash`, `ignore`, `wait MS`,
//! `panic MS`, which reports the panic of a thread and waits, `say TEXT`, or `hear TEXT`, which replaces the
//! line. `FROM$` is the whole line, and `\r` in it a carriage return. `A|FROM` is a line after one that begins with A, `^|FROM` the first line.
//! `busy:` before it means during a search, `idle:` without one, `long:` a line of more than 2,500 bytes,
//! `longest:` one of more than 4,000, and `soon:` less than 60 ms after the line before.

use std::time::Duration;

const LONG: usize = 2500;
const LONGEST: usize = 4000;
const SOON: Duration = Duration::from_millis(60);

/// A text, and its replacement or the act.
#[derive(Debug)]
pub(crate) struct Rule {
    from: String,
    to: String,
}

/// An input line and its context.
pub(crate) struct Line<'a> {
    pub(crate) text: &'a str,
    /// The line before, and the time since.
    pub(crate) last: Option<(&'a str, Duration)>,
    /// Whether a search is running.
    pub(crate) busy: bool,
}

impl Rule {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let (from, to) = text.split_once("=>").ok_or_else(|| format!("{text} has no =>"))?;
        Ok(Self { from: from.replace("\\r", "\r"), to: to.to_owned() })
    }

    /// The line that is printed in place of this one.
    pub(crate) fn said(&self, line: &str) -> String {
        match self.from.strip_suffix('$') {
            Some(start) if line.starts_with(start) => format!("{line}{}", self.to),
            Some(_) => line.to_owned(),
            None => line.replace(&self.from, &self.to.replace("\\n", "\n")),
        }
    }

    /// The act for a line, if the rule applies.
    pub(crate) fn heard(&self, line: &Line) -> Option<&str> {
        let mut from = self.from.as_str();
        let conditions = [
            ("busy:", line.busy),
            ("idle:", !line.busy),
            ("longest:", line.text.len() > LONGEST),
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
