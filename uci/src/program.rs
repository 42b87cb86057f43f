//! The program to start.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use crate::identity::set_option;
use crate::mate_scale::MateScale;
use crate::transcript::Archived;

/// A UCI engine: its file, how to start it, and its options.
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
    /// Whether each process gets an empty folder of its own as its working directory and its home, and none of the
    /// variables of this process but `PATH`, and `SystemRoot` on Windows. The path has to be absolute.
    pub isolated: bool,
    /// The most memory in MiB that it may have for itself, beside its hash table. It is read four times a second,
    /// where the system tells it.
    pub memory: Option<u64>,
    /// UCI options that are set after the handshake, in this order.
    pub options: Vec<(String, String)>,
    /// Lines that it needs between its options and its first search, see [`Program::adapt`].
    pub first_lines: Vec<String>,
    /// The scale of its mates, if it prints them in centipawns, see [`Program::adapt`].
    pub mate_scale: Option<MateScale>,
    /// Records whole sessions.
    pub archive: Archived,
    /// The name of the sessions in the archive; the name of the program if empty.
    pub session: String,
}

/// The variables that name the folder of an isolated program: its home, and where its temporary files are.
pub(crate) const FOLDERS: [&str; 5] = ["HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"];
/// The variables that an isolated program keeps, if they are set: it may not start without them.
pub(crate) const KEPT: [&str; 2] = ["PATH", "SystemRoot"];

/// How long a replayed program may live after its last input, in seconds.
const AFTER_INPUT: u64 = 10;

/// Lines that a replay sends, and how long it waits after them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayStep {
    /// The lines.
    pub lines: Vec<String>,
    /// The time.
    pub wait: Duration,
}

impl Program {
    /// The same program, with another name for its sessions.
    pub fn for_session(&self, session: impl Into<String>) -> Self {
        Self { session: session.into(), ..self.clone() }
    }

    /// A shell command that sets these options, sends these lines, waits for `seconds`, and quits. If `stop`
    /// is set, it sends `stop` before `quit`.
    pub fn replay(&self, options: &[(String, String)], lines: &[String], seconds: u64, stop: bool) -> String {
        let step = |lines: &[String], seconds| ReplayStep {
            lines: lines.to_vec(),
            wait: Duration::from_secs(seconds),
        };
        let mut steps = vec![step(lines, seconds)];
        steps.extend(stop.then(|| step(&["stop".to_owned()], 1)));
        self.replay_steps(options, steps)
    }

    /// A shell command that sets these options, goes through these steps, and quits.
    pub fn replay_steps(&self, options: &[(String, String)], steps: Vec<ReplayStep>) -> String {
        let set_up = options.iter().map(|(name, value)| set_option(name, value));
        let mut start: Vec<String> = ["uci".to_owned()].into_iter().chain(set_up).collect();
        start.extend_from_slice(&self.first_lines);
        let (mut feed, mut time) = (String::new(), Duration::ZERO);
        for ReplayStep { lines, wait } in steps {
            start.extend(lines);
            let words: Vec<String> = start.drain(..).map(|line| quoted(&line)).collect();
            feed = format!("{feed}printf '%s\\n' {}; sleep {}; ", words.join(" "), wait.as_secs_f64());
            time += wait;
        }
        self.fed_by(&format!("({feed}echo quit)"), time)
    }

    /// A shell command that starts the program with the output of `feed` as its input, which takes this time.
    /// If the program does not end with its input, the command ends it some seconds later.
    pub fn fed_by(&self, feed: &str, time: Duration) -> String {
        let mut words = vec!["timeout".to_owned(), (time.as_secs() + AFTER_INPUT).to_string()];
        if self.isolated {
            words.extend(["env", "-i", r#"PATH="$PATH""#, r#"HOME="$d""#].map(str::to_owned));
        } else if !self.environment.is_empty() {
            words.push("env".to_owned());
        }
        if !self.environment.is_empty() {
            let variable = |(name, value): &(OsString, OsString)| {
                quoted(&format!("{}={}", name.to_string_lossy(), value.to_string_lossy()))
            };
            words.extend(self.environment.iter().map(variable));
        }
        words.push(quoted(&self.path.to_string_lossy()));
        words.extend(self.arguments.iter().map(|argument| quoted(&argument.to_string_lossy())));
        let command = words.join(" ");
        match &self.directory {
            _ if self.isolated => {
                format!(r#"{feed} | (d=$(mktemp -d) && cd "$d" && {command}; rm -rf "$d")"#)
            }
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
    fn a_session_has_the_name_that_it_was_given() {
        let program = Program { name: "mine".to_owned(), isolated: true, ..Program::default() };
        let named = program.for_session("mates");
        assert_eq!((&*named.name, &*named.session, named.isolated), ("mine", "mates", true));
    }

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
        let stopped = "(printf '%s\\n' uci 'go depth 1'; sleep 1; printf '%s\\n' stop; sleep 1; echo quit) | timeout 12 ./mine";
        assert_eq!(program.replay(&[], &lines[1..], 1, true), stopped);
        program.arguments = vec!["--uci".into(), "a b".into()];
        program.environment = vec![("LEVEL".into(), "very high".into())];
        assert_eq!(
            program.replay(&[], &lines[1..], 2, false),
            format!("{feed} | timeout 12 env 'LEVEL=very high' ./mine --uci 'a b'")
        );
        let step =
            |line: &str, ms| ReplayStep { lines: vec![line.to_owned()], wait: Duration::from_millis(ms) };
        let steps = vec![step("go depth 2", 300), step("go depth 1", 2000)];
        let after = "(printf '%s\\n' uci 'go depth 2'; sleep 0.3; printf '%s\\n' 'go depth 1'; sleep 2; echo quit) | timeout 12 ";
        assert!(program.replay_steps(&[], steps).starts_with(after));
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
        program = Program { path: "/mine".into(), isolated: true, ..Program::default() };
        program.environment = vec![("LEVEL".into(), "3".into())];
        let clean = r#"env -i PATH="$PATH" HOME="$d" LEVEL=3 /mine"#;
        assert_eq!(
            program.replay(&[], &lines[1..], 2, false),
            format!(r#"{feed} | (d=$(mktemp -d) && cd "$d" && timeout 12 {clean}; rm -rf "$d")"#)
        );
    }
}
