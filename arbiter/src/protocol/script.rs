//! The lines that were sent to a program, as a command that sends them again.

use std::fmt::Write;
use std::time::Duration;

use suites::Played;
use uci::Program;

use crate::asked;

/// The longest line that is written into a command in full, in bytes.
const LONGEST: usize = 8 << 10;

/// The lines that were sent to one process, and the pauses between them.
#[derive(Debug, Clone, Default)]
pub(super) struct Script {
    steps: Vec<Step>,
    /// The arguments of the last `position` command.
    position: String,
    /// The arguments of the last `go` since then.
    limit: Option<String>,
    /// Whether its process has to end: the command then prints the exit status.
    ends: bool,
    /// Whether its input ends without `quit`.
    ends_input: bool,
}

#[derive(Debug, Clone)]
enum Step {
    Send(Vec<u8>),
    Wait(Duration),
}

impl Script {
    /// Adds bytes, which include the ends of lines.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        let line = std::str::from_utf8(bytes).unwrap_or_default();
        if let Some(position) = line.strip_prefix("position ") {
            position.trim().clone_into(&mut self.position);
            self.limit = None;
        } else if let Some(limit) = line.strip_prefix("go ") {
            self.limit = Some(limit.trim().to_owned());
        }
        match self.steps.last_mut() {
            Some(Step::Send(sent)) if sent.len() + bytes.len() <= LONGEST => sent.extend_from_slice(bytes),
            _ => self.steps.push(Step::Send(bytes.to_vec())),
        }
    }

    /// Adds a pause.
    pub(super) fn wait(&mut self, time: Duration) {
        self.steps.push(Step::Wait(time));
    }

    /// Adds the pause after a search: the long pause if the search took longer than the short one and no `stop` ended
    /// it.
    pub(super) fn wait_after_search(
        &mut self,
        took: Duration,
        is_stopped: bool,
        [long, short]: [Duration; 2],
    ) {
        self.wait(if took > short && !is_stopped { long } else { short });
    }

    /// Adds that the process has to end.
    pub(super) fn end(&mut self) {
        self.ends = true;
    }

    /// Adds that the input ends here.
    pub(super) fn end_input(&mut self) {
        self.ends_input = true;
    }

    /// Whether the command ends with `quit` by itself. Some programs read their last line again and again at
    /// the end of the input.
    fn needs_quit(&self) -> bool {
        let has_quit = |step: &Step| matches!(step, Step::Send(bytes) if bytes.ends_with(b"quit\n"));
        !self.ends_input && !self.steps.last().is_some_and(has_quit)
    }

    /// The FEN of the last `position` command, and the moves after it.
    pub(super) fn asked(&self) -> (String, Option<Played>) {
        asked::of_position(&self.position)
    }

    /// The words after the last `go` since then.
    pub(super) fn limit(&self) -> Option<String> {
        self.limit.clone()
    }

    /// The command. It does not depend on measured times.
    pub(super) fn command(&self, program: &Program) -> String {
        // A check without a session judges the answer to `uci`.
        let mut command =
            if self.steps.is_empty() { "(printf 'uci\\n'; ".to_owned() } else { "(".to_owned() };
        for step in &self.steps {
            let _ = match step {
                Step::Send(bytes) => write!(command, "{}; ", printf(bytes)),
                Step::Wait(time) => write!(command, "sleep {}; ", time.as_secs_f64()),
            };
        }
        if self.ends_input {
            command.truncate(command.trim_end_matches("; ").len());
        }
        command.push_str(match self.needs_quit() {
            true => "sleep 1; printf 'quit\\n')",
            false if self.ends_input => ")",
            false => "sleep 1)",
        });
        let waits = self.steps.iter().map(|step| match step {
            Step::Send(_) => Duration::ZERO,
            Step::Wait(time) => *time,
        });
        let fed = program.fed_by(&command, waits.sum());
        if self.ends { format!("{fed}; echo status $?") } else { fed }
    }
}

fn printf(bytes: &[u8]) -> String {
    if bytes.len() > LONGEST
        && let Some((before, letter, times, blank)) = repeated(bytes.strip_suffix(b"\n").unwrap_or(bytes))
    {
        let start = if before.is_empty() { String::new() } else { format!("{}; ", printf(before)) };
        let joined = if blank { "tr '\\n' ' '" } else { "tr -d '\\n'" };
        return format!("{start}yes {} | head -n {times} | {joined}; echo", char::from(letter));
    }
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\\' => text.push_str("\\\\"),
            b'%' => text.push_str("%%"),
            b'\'' => text.push_str("'\\''"),
            b' '..=b'~' => text.push(char::from(byte)),
            other => {
                let _ = write!(text, "\\{other:03o}");
            }
        }
    }
    format!("printf '{text}'")
}

/// A long line that ends with one repeated letter: what comes before, the letter, how often it is repeated,
/// and whether each is followed by a blank.
fn repeated(line: &[u8]) -> Option<(&[u8], u8, usize, bool)> {
    let blank = line.last() == Some(&b' ');
    let unit = if blank { 2 } else { 1 };
    let letter = line[line.len().checked_sub(unit)?..].first().copied().filter(u8::is_ascii_alphanumeric)?;
    let same = |chunk: &&[u8]| chunk[0] == letter && (!blank || chunk[1] == b' ');
    let times = line.rchunks_exact(unit).take_while(same).count();
    (times * unit > LONGEST / 2).then(|| (&line[..line.len() - times * unit], letter, times, blank))
}

/// A text with escapes in place of control characters, which garbage for the program may hold.
pub(super) fn printable(text: &str) -> String {
    text.chars().fold(String::new(), |mut printable, c| {
        if c.is_control() {
            printable.extend(c.escape_default());
        } else {
            printable.push(c);
        }
        printable
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_long_only_after_a_long_search_that_ended_by_itself() {
        let pauses = [(30, false), (31, false), (31, true), (0, true)].map(|(took, is_stopped)| {
            let mut script = Script::default();
            let [long, short, took] = [900, 30, took].map(Duration::from_millis);
            script.wait_after_search(took, is_stopped, [long, short]);
            match script.steps[..] {
                [Step::Wait(pause)] => pause.as_millis(),
                _ => panic!("one pause"),
            }
        });
        assert_eq!(pauses, [30, 900, 30, 30]);
    }

    #[test]
    fn a_script_is_a_command() {
        let mut script = Script::default();
        script.send(b"uci\n");
        script.send(b"position fen 8/8/8/8/8/8/8/8 w - - 0 1 moves a1a2\n");
        script.wait(Duration::from_millis(300));
        script.send(b"it's 100% \x01\\\n");
        let mut long = vec![b'x'; 10_000];
        long.push(b'\n');
        script.send(&long);
        script.send(format!("go {}\n", "x ".repeat(5000)).as_bytes());
        let program = Program { path: "a b".into(), arguments: vec!["--uci".into()], ..Program::default() };
        assert_eq!(
            script.command(&program),
            "(printf 'uci\\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1 moves a1a2\\n'; sleep 0.3; \
             printf 'it'\\''s 100%% \\001\\\\\\n'; yes x | head -n 10000 | tr -d '\\n'; echo; \
             printf 'go '; yes x | head -n 5000 | tr '\\n' ' '; echo; sleep 1; printf 'quit\\n') | timeout 10 'a b' --uci"
        );
        assert_eq!(
            Script::default().command(&program),
            "(printf 'uci\\n'; sleep 1; printf 'quit\\n') | timeout 10 'a b' --uci"
        );
        assert_eq!(script.asked().0, "8/8/8/8/8/8/8/8 w - - 0 1");
        script.send(b"position startpos\n");
        assert!(script.asked().0.starts_with("rnbqkbnr/") && script.asked().1.is_none());
        for line in [&b"quit\n"[..], b"isready\n"] {
            let mut script = script.clone();
            script.send(line);
            let command = script.command(&program);
            assert_eq!(command.matches("quit").count(), 1, "{command}");
        }
        script.end_input();
        assert!(script.command(&program).ends_with("position startpos\\n') | timeout 10 'a b' --uci"));
        script.end();
        assert!(script.command(&program).ends_with(" | timeout 10 'a b' --uci; echo status $?"));
    }
}
