//! What was said to a program, as a command that says it again.

use std::fmt::Write;
use std::time::Duration;

use uci::Program;

/// The longest line that stands in a command as it is.
const LONGEST: usize = 8 << 10;

/// The lines for one process, and the pauses between them.
#[derive(Debug, Clone, Default)]
pub(super) struct Script {
    steps: Vec<Step>,
    /// The position that was set up last.
    fen: String,
}

#[derive(Debug, Clone)]
enum Step {
    Say(Vec<u8>),
    Wait(Duration),
}

impl Script {
    /// Bytes are said, the end of the line included.
    pub(super) fn say(&mut self, bytes: &[u8]) {
        if let Some(position) =
            std::str::from_utf8(bytes).ok().and_then(|line| line.strip_prefix("position "))
        {
            let fen = position.strip_prefix("fen ").unwrap_or_default();
            fen.split(" moves").next().unwrap_or_default().trim().clone_into(&mut self.fen);
        }
        match self.steps.last_mut() {
            Some(Step::Say(said)) if said.len() + bytes.len() <= LONGEST => said.extend_from_slice(bytes),
            _ => self.steps.push(Step::Say(bytes.to_vec())),
        }
    }

    /// Time passes.
    pub(super) fn wait(&mut self, time: Duration) {
        self.steps.push(Step::Wait(time));
    }

    /// The position that was set up last; empty if none was by a FEN.
    pub(super) fn fen(&self) -> &str {
        &self.fen
    }

    /// The command. It depends on nothing that was measured.
    pub(super) fn command(&self, program: &Program) -> String {
        let mut command = "(".to_owned();
        for step in &self.steps {
            let _ = match step {
                Step::Say(bytes) => write!(command, "{}; ", printf(bytes)),
                Step::Wait(time) => write!(command, "sleep {}; ", time.as_secs_f64()),
            };
        }
        command.push_str("sleep 1)");
        program.fed_by(&command)
    }
}

fn printf(bytes: &[u8]) -> String {
    if bytes.len() > LONGEST
        && let Some((before, word, times, blank)) = repeated(bytes.strip_suffix(b"\n").unwrap_or(bytes))
    {
        let start = if before.is_empty() { String::new() } else { format!("{}; ", printf(before)) };
        let joined = if blank { "tr '\\n' ' '" } else { "tr -d '\\n'" };
        return format!("{start}yes {} | head -n {times} | {joined}; echo", char::from(word));
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

/// What comes before a letter that is repeated to the end of a long line, the letter, how often it comes, and whether blanks
/// config after it.
fn repeated(line: &[u8]) -> Option<(&[u8], u8, usize, bool)> {
    let blank = line.last() == Some(&b' ');
    let unit = if blank { 2 } else { 1 };
    let word = line[line.len().checked_sub(unit)?..].first().copied().filter(u8::is_ascii_alphanumeric)?;
    let same = |chunk: &&[u8]| chunk[0] == word && (!blank || chunk[1] == b' ');
    let times = line.rchunks_exact(unit).take_while(same).count();
    (times * unit > LONGEST / 2).then(|| (&line[..line.len() - times * unit], word, times, blank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_a_command() {
        let mut script = Script::default();
        script.say(b"uci\n");
        script.say(b"position fen 8/8/8/8/8/8/8/8 w - - 0 1 moves a1a2\n");
        script.wait(Duration::from_millis(300));
        script.say(b"it's 100% \x01\\\n");
        let mut long = vec![b'x'; 10_000];
        long.push(b'\n');
        script.say(&long);
        script.say(format!("go {}\n", "x ".repeat(5000)).as_bytes());
        let program = Program { path: "a b".into(), arguments: vec!["--uci".into()], ..Program::default() };
        assert_eq!(
            script.command(&program),
            "(printf 'uci\\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1 moves a1a2\\n'; sleep 0.3; \
             printf 'it'\\''s 100%% \\001\\\\\\n'; yes x | head -n 10000 | tr -d '\\n'; echo; \
             printf 'go '; yes x | head -n 5000 | tr '\\n' ' '; echo; sleep 1) | 'a b' --uci"
        );
        assert_eq!(script.fen(), "8/8/8/8/8/8/8/8 w - - 0 1");
        script.say(b"position startpos\n");
        assert_eq!(script.fen(), "");
    }
}
