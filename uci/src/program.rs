//! The program to start.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::identity::set_option;
use crate::mate_scale::MateScale;
use crate::transcript::Archived;

/// A UCI engine: the file, how it is started, and its options.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Its name in reports.
    pub name: String,
    /// The file, or a name in the PATH.
    pub path: PathBuf,
    /// The arguments.
    pub arguments: Vec<OsString>,
    /// The working directory; that of this process if `None`.
    pub directory: Option<PathBuf>,
    /// Environment variables beside those of this process.
    pub environment: Vec<(OsString, OsString)>,
    /// UCI options that are set after the handshake, in this order.
    pub options: Vec<(String, String)>,
    /// Lines that it needs after its options and before its first search, see [`Program::adapt`].
    pub first_lines: Vec<String>,
    /// How it prints mates, if in centipawns, see [`Program::adapt`].
    pub mate_scale: Option<MateScale>,
    /// Records whole sessions.
    pub archive: Archived,
    /// The name of the sessions in the archive; the name of the program if empty.
    pub session: String,
}

/// How long a replayed program may live after its last input, in seconds.
const AFTER_INPUT: u64 = 10;
/// How long a replay waits for the answer to an earlier search, in seconds.
const EARLIER: u64 = 1;

impl Program {
    /// The same program, with another name for its sessions.
    pub fn for_session(&self, session: impl Into<String>) -> Self {
        Self { session: session.into(), ..self.clone() }
    }

    /// A shell command that sets these options, sends these lines, waits for `seconds`, and quits; with `stop`, it sends `stop`
    /// before.
    pub fn replay(&self, options: &[(String, String)], lines: &[String], seconds: u64, stop: bool) -> String {
        self.replay_after(options, &[], lines, seconds, stop)
    }

    /// The same after earlier searches, each with its lines and a second of its own.
    pub fn replay_after(
        &self,
        options: &[(String, String)],
        earlier: &[Vec<String>],
        lines: &[String],
        seconds: u64,
        stop: bool,
    ) -> String {
        let mut words = vec!["uci".to_owned()];
        words.extend(options.iter().map(|(name, value)| quoted(&set_option(name, value))));
        words.extend(self.first_lines.iter().map(|line| quoted(line)));
        let mut feed = "(printf '%s\\n'".to_owned();
        for search in earlier {
            words.extend(search.iter().map(|line| quoted(line)));
            feed = format!("{feed} {}; sleep {EARLIER}; printf '%s\\n'", words.join(" "));
            words.clear();
        }
        words.extend(lines.iter().map(|line| quoted(line)));
        let stop = if stop { "; echo stop; sleep 1" } else { "" };
        let feed = format!("{feed} {}; sleep {seconds}{stop}; echo quit)", words.join(" "));
        self.fed_by(&feed, Duration::from_secs(seconds + EARLIER * earlier.len() as u64))
    }

    /// A shell command that starts the program with the output of `feed` as its input, which takes this time. A program that does not
    /// end with its input is ended some seconds later.
    pub fn fed_by(&self, feed: &str, time: Duration) -> String {
        let mut words = vec!["timeout".to_owned(), (time.as_secs() + AFTER_INPUT).to_string()];
        if !self.environment.is_empty() {
            words.push("env".to_owned());
            let variable = |(name, value): &(OsString, OsString)| {
                quoted(&format!("{}={}", name.to_string_lossy(), value.to_string_lossy()))
            };
            words.extend(self.environment.iter().map(variable));
        }
        words.push(quoted(&self.path.to_string_lossy()));
        words.extend(self.arguments.iter().map(|argument| quoted(&argument.to_string_lossy())));
        let command = words.join(" ");
        match &self.directory {
            Some(directory) => format!("{feed} | (cd {} && {command})", quoted(&directory.to_string_lossy())),
            None => format!("{feed} | {command}"),
        }
    }
}

/// A word in quotes for a shell, if it needs them.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        let check = |word: &str, expected: &str| assert_eq!(quoted(word), expected);
        check("/usr/games/stockfish", "/usr/games/stockfish");
        check("--uci", "--uci");
        check("", "''");
        check("my engine", "'my engine'");
        check("it's", "'it'\\''s'");
        check("$HOME;%s\\n", "'$HOME;%s\\n'");
    }

    #[test]
    fn a_replay_is_one_shell_command() {
        let lines = ["uci".to_owned(), "go depth 1".to_owned()];
        let mut program = Program { path: "./mine".into(), ..Program::default() };
        let feed = "(printf '%s\\n' uci 'go depth 1'; sleep 2; echo quit)";
        assert_eq!(program.replay(&[], &lines[1..], 2, false), format!("{feed} | timeout 12 ./mine"));
        let stopped =
            "(printf '%s\\n' uci 'go depth 1'; sleep 1; echo stop; sleep 1; echo quit) | timeout 11 ./mine";
        assert_eq!(program.replay(&[], &lines[1..], 1, true), stopped);
        program.arguments = vec!["--uci".into(), "a b".into()];
        program.environment = vec![("LEVEL".into(), "very high".into())];
        assert_eq!(
            program.replay(&[], &lines[1..], 2, false),
            format!("{feed} | timeout 12 env 'LEVEL=very high' ./mine --uci 'a b'")
        );
        let earlier = vec![vec!["go depth 2".to_owned()]];
        let after = "(printf '%s\\n' uci 'go depth 2'; sleep 1; printf '%s\\n' 'go depth 1'; sleep 2; echo quit) | timeout 13 ";
        assert!(program.replay_after(&[], &earlier, &lines[1..], 2, false).starts_with(after));
        let options = [("OwnBook", "false"), ("Clear Hash", "")].map(|(n, v)| (n.to_owned(), v.to_owned()));
        let set_up = "(printf '%s\\n' uci 'setoption name OwnBook value false' 'setoption name Clear Hash' \
                      'go depth 1'; sleep 2; echo quit) | ";
        assert!(program.replay(&options, &lines[1..], 2, false).starts_with(set_up));
        program = Program {
            path: "./mine".into(),
            directory: Some("/tmp/its folder".into()),
            ..Program::default()
        };
        assert_eq!(
            program.replay(&[], &lines[1..], 2, false),
            format!("{feed} | (cd '/tmp/its folder' && timeout 12 ./mine)")
        );
    }
}
