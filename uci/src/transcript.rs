//! The lines that were sent and received, with times. A transcript keeps the last of them; an [`Archive`] can
//! record all.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::message::Message;

/// How many bytes are kept.
const KEPT: usize = 64 << 10;
/// How many bytes of a line are kept.
const KEPT_OF_LINE: usize = 4 << 10;
/// Texts that mark the first line of the message of a panic, an assertion or an exception.
const PANICS: [&str; 7] = [
    "Traceback (most recent call last)",
    "panicked at",
    "Assertion ",
    "assertion failed",
    "terminate called",
    "Sanitizer:",
    "overflowed its stack",
];
/// What others write where a line begins: engines have words such as "time panic" in theirs.
const STARTS: [&str; 14] = [
    // The C library: memory that was freed twice or written beyond its end.
    "free(): ",
    "malloc(): ",
    "malloc_consolidate(): ",
    "realloc(): ",
    "munmap_chunk(): ",
    "double free or corruption",
    "corrupted size",
    "corrupted double-linked",
    "*** stack smashing detected",
    // Go, Java and .NET.
    "panic: ",
    "fatal error: ",
    "Exception in thread",
    "Unhandled exception",
    "Unhandled Exception",
];
/// A function that is missing stands after the name of the program.
const MISSING: &str = ": symbol lookup error: ";
/// The most letters of such a message.
const MESSAGE: usize = 200;
/// How many bytes a line counts in addition to its text.
const LINE: usize = 16;

/// Where a line comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// It was sent to the engine.
    ToEngine,
    /// The engine printed it to standard output.
    FromEngine,
    /// The engine printed it to standard error.
    Error,
    /// It describes an event, such as the end of the process.
    Event,
}

/// A line of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Since the start of the process.
    pub at: Duration,
    /// Where it comes from.
    pub direction: Direction,
    /// The text without line break, cut if it is long.
    pub text: String,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.direction {
            Direction::ToEngine => ">",
            Direction::FromEngine => "<",
            Direction::Error => "!",
            Direction::Event => "#",
        };
        write!(f, "{:>12.6} {mark} {}", self.at.as_secs_f64(), self.text)
    }
}

/// The last lines of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transcript {
    entries: VecDeque<Entry>,
    kept: usize,
    dropped: u64,
}

impl Transcript {
    /// Adds a line, and drops the oldest ones if there are too many.
    pub fn add(&mut self, mut entry: Entry) {
        entry.text.truncate(entry.text.floor_char_boundary(KEPT_OF_LINE));
        self.kept += entry.text.len() + LINE;
        self.entries.push_back(entry);
        while self.kept > KEPT {
            let Some(first) = self.entries.pop_front() else { break };
            self.kept -= first.text.len() + LINE;
            self.dropped += 1;
        }
    }

    /// The lines, oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// The texts that the engine printed since the last `go`: `info string`, lines that are not UCI, and
    /// standard error.
    pub fn texts_since_go(&self) -> impl Iterator<Item = &str> {
        let is_go = |entry: &Entry| entry.direction == Direction::ToEngine && entry.text.starts_with("go");
        let last = self.entries.iter().rposition(is_go).unwrap_or_default();
        self.entries.iter().skip(last).filter_map(|entry| {
            match (entry.direction, Message::read(&entry.text)) {
                (Direction::Error, _) | (Direction::FromEngine, Message::Other(_)) => Some(entry.text.trim()),
                (Direction::FromEngine, Message::Info(info)) if info.is_text() => {
                    let text = entry.text.trim_start().trim_start_matches("info").trim();
                    Some(text.strip_prefix("string").unwrap_or(text).trim())
                }
                _ => None,
            }
        })
    }

    /// The first message of a panic, an assertion or an exception that the engine wrote to standard error
    /// since its last answer. It is one line. Parts that vary with the case (numbers, FENs and the value of a
    /// Rust error) are replaced or left out.
    pub fn panic(&self) -> Option<String> {
        let errors = self.errors();
        let start = errors.iter().position(|line| is_panic(line))?;
        if errors[start].contains("Traceback") {
            return exception(&errors[start..]);
        }
        if let Some(function) = go_function(&errors[start..]) {
            return Some(message([errors[start], "in", function]));
        }
        // The message of a Rust panic stands on the next line, and so does the text of a C++ exception.
        let more =
            errors.get(start + 1).filter(|more| errors[start].ends_with(':') || more.contains("what():"));
        let more =
            more.map(|more| if errors[start].contains("panicked at") { without_value(more) } else { more });
        Some(message([errors[start]].into_iter().chain(more)))
    }

    /// The last line that the engine wrote to standard error since its last answer, without numbers and
    /// addresses.
    pub fn last_error(&self) -> Option<String> {
        let last = self.errors().into_iter().rfind(|line| !line.trim().is_empty())?;
        Some(without_digits(last.trim()).chars().filter(|c| !c.is_control()).take(MESSAGE).collect())
    }

    /// What the engine wrote to standard error since its last answer.
    fn errors(&self) -> Vec<&str> {
        let answers = ["bestmove", "readyok", "uciok"];
        let is_answer = |entry: &Entry| {
            entry.direction == Direction::FromEngine
                && answers.iter().any(|answer| entry.text.starts_with(answer))
        };
        let last = self.entries.iter().rposition(is_answer).map_or(0, |index| index + 1);
        self.entries()
            .skip(last)
            .filter(|entry| entry.direction == Direction::Error)
            .map(|entry| entry.text.as_str())
            .collect()
    }
}

/// Lines as one, without the parts that vary.
fn message<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let words = lines.into_iter().flat_map(str::split_whitespace).filter_map(without_numbers);
    words.collect::<Vec<_>>().join(" ").chars().take(MESSAGE).collect()
}

fn is_panic(line: &str) -> bool {
    PANICS.iter().any(|word| line.contains(word))
        || STARTS.iter().any(|word| line.starts_with(word))
        || line.contains(MISSING)
}

/// The exception of a Python program and the line of the program that raised it: the last ones of a
/// traceback.
fn exception(lines: &[&str]) -> Option<String> {
    let place = lines.iter().rev().find(|line| line.trim_start().starts_with("File "))?;
    let raised = lines.iter().rev().find(|line| line.starts_with(char::is_alphabetic))?;
    let what = raised.split(':').next().unwrap_or_default();
    Some(format!("{what} at {}", place.trim()).chars().take(MESSAGE).collect())
}

/// The function of a Go program that panicked: the first one of the trace that is not of its runtime.
fn go_function<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let mut trace = lines.iter().skip_while(|line| !line.starts_with("goroutine ")).skip(1);
    let call = trace.find(|line| {
        let is_of_runtime = line.starts_with("runtime.") || line.starts_with("panic(");
        line.starts_with(char::is_alphabetic) && !is_of_runtime
    })?;
    Some(call.rsplit_once('(').map_or(call, |(function, _)| function))
}

/// The message of a Rust panic without the value after it: the place in the source tells panics apart.
fn without_value(message: &str) -> &str {
    message.split_once(": ").map_or(message, |(what, _)| what)
}

/// A word of a message without the parts that vary with the case. Places in source files stay; numbers of
/// threads are left out.
fn without_numbers(word: &str) -> Option<String> {
    if word.starts_with('(') && word[1..].trim_end_matches(')').parse::<u64>().is_ok() {
        return None;
    }
    if word.contains('.') && word.contains(':') {
        return Some(word.to_owned());
    }
    if word.matches('/').count() == 7 {
        return Some("FEN".to_owned());
    }
    Some(without_digits(word))
}

/// A text with a `#` for each number and each address.
fn without_digits(text: &str) -> String {
    let mut parts = text.split("0x");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push('0');
        shown.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    let mut text = String::new();
    for c in shown.chars() {
        match c {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            _ => text.push(c),
        }
    }
    text
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.dropped > 0 {
            writeln!(f, "({} earlier lines are not kept)", self.dropped)?;
        }
        self.entries.iter().try_for_each(|entry| writeln!(f, "{entry}"))
    }
}

/// Records whole sessions, for instance in a folder. It reports its own errors.
pub trait Archive: Send + Sync {
    /// Begins a session. Several sessions may have the same name, also at the same time. `None` if this one
    /// is not recorded.
    fn begin(&self, session: &str) -> Option<Box<dyn Record>>;
}

/// Records one session, which ends when this is dropped.
pub trait Record: Send {
    /// Records a line, which is not cut.
    fn write(&mut self, entry: &Entry);
}

/// An optional archive.
#[derive(Clone, Default)]
pub struct Archived(Option<Arc<dyn Archive>>);

impl Archived {
    /// Records to this archive.
    pub fn to(archive: Arc<dyn Archive>) -> Self {
        Self(Some(archive))
    }

    pub(crate) fn begin(&self, session: &str) -> Option<Box<dyn Record>> {
        self.0.as_ref()?.begin(session)
    }
}

impl fmt::Debug for Archived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Archived" } else { "not archived" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> Entry {
        Entry { at: Duration::from_millis(1500), direction: Direction::FromEngine, text: text.to_owned() }
    }

    #[test]
    fn lines_are_shown_with_times() {
        let mut transcript = Transcript::default();
        transcript.add(Entry { direction: Direction::ToEngine, ..entry("uci") });
        transcript.add(entry("uciok"));
        assert_eq!(transcript.to_string(), "    1.500000 > uci\n    1.500000 < uciok\n");
    }

    #[test]
    fn texts_are_those_since_the_last_search() {
        let mut transcript = Transcript::default();
        let lines = [
            (Direction::FromEngine, "loading"),
            (Direction::ToEngine, "go depth 1"),
            (Direction::FromEngine, "info string old"),
            (Direction::ToEngine, "go depth 2"),
            (Direction::FromEngine, "info depth 2 score cp 5"),
            (Direction::FromEngine, "info string new"),
            (Direction::Error, " careful "),
            (Direction::Event, "an event"),
            (Direction::FromEngine, "thinking"),
            (Direction::FromEngine, "bestmove e2e4"),
        ];
        for (direction, text) in lines {
            transcript.add(Entry { direction, ..entry(text) });
        }
        assert_eq!(transcript.texts_since_go().collect::<Vec<_>>(), ["new", "careful", "thinking"]);
    }

    #[test]
    fn the_message_of_a_panic_is_found() {
        let check = |lines: &[&str], expected: Option<&str>| {
            let mut transcript = Transcript::default();
            transcript.add(Entry { direction: Direction::Error, ..entry("NNUE loaded:") });
            for line in lines {
                transcript.add(Entry { direction: Direction::Error, ..entry(line) });
                transcript.add(entry("info string thread 'main' panicked at nothing"));
            }
            assert_eq!(transcript.panic().as_deref(), expected);
            transcript.add(Entry { direction: Direction::Error, ..entry("12 left") });
            transcript.add(Entry { direction: Direction::Error, ..entry(" ") });
            assert_eq!(transcript.last_error().as_deref(), Some("# left"));
            transcript.add(entry("bestmove e2e4"));
            assert_eq!(transcript.last_error(), None);
        };
        check(&[], None);
        check(&["illegal FEN"], None);
        check(&["free(): invalid pointer: 0x00007f3a12 ***"], Some("free(): invalid pointer: # ***"));
        check(&["corrupted size vs. prev_size"], Some("corrupted size vs. prev_size"));
        check(
            &["*** stack smashing detected ***: terminated"],
            Some("*** stack smashing detected ***: terminated"),
        );
        check(
            &["panic: runtime error: index out of range [64] with length 64", "", "goroutine 1 [running]:"],
            Some("panic: runtime error: index out of range [#] with length #"),
        );
        check(
            &[
                "panic: runtime error: index out of range [3] with length 2",
                "",
                "goroutine 1 [running]:",
                "panic({0x4a0000?, 0xc0000180d0?})",
                "\t/usr/lib/go/src/runtime/panic.go:884 +0x212",
                "mine/board.(*Board).LoadFEN(0xc0001, {0xc0002, 0x1c})",
                "\t/home/me/mine/board/board.go:250 +0x519",
            ],
            Some("panic: runtime error: index out of range [#] with length # in mine/board.(*Board).LoadFEN"),
        );
        check(&["time panic: score dropped by 62"], None);
        check(&["the hash table has corrupted entries"], None);
        check(
            &["/usr/x: symbol lookup error: undefined symbol: tb"],
            Some("/usr/x: symbol lookup error: undefined symbol: tb"),
        );
        assert_eq!(without_digits("12:01:33.5 [0x7f3a] at 0xFF."), "#:#:#.# [#] at #.");
        check(
            &[
                "",
                "thread 'main' (1234) panicked at src/search.rs:12:5:",
                "index out of bounds",
                "note: run with",
            ],
            Some("thread 'main' panicked at src/search.rs:12:5: index out of bounds"),
        );
        let traceback = |value: &str| {
            let raised = format!("ValueError: invalid literal: '{value}'");
            let lines =
                ["Traceback (most recent call last):", "  File \"a.py\", line 9, in <module>", "    run()"];
            let place = ["  File \"a.py\", line 4, in run", "    int(word)", "    ^^^", &raised];
            check(&[&lines[..], &place].concat(), Some("ValueError at File \"a.py\", line 4, in run"));
        };
        ["many", "x"].into_iter().for_each(traceback);
        let unwrap = "thread 'main' panicked at src/fen.rs:213:45:";
        let on_error = "called `Result::unwrap()` on an `Err` value";
        for value in ["InvalidCastlingRights", "BadField(3, \"x\")"] {
            let expected = format!("{unwrap} {on_error}");
            check(&[unwrap, &format!("{on_error}: {value}")], Some(&expected));
        }
        check(
            &["terminate called after throwing an instance of 'std::invalid_argument'", "  what():  stof"],
            Some("terminate called after throwing an instance of 'std::invalid_argument' what(): stof"),
        );
        check(
            &["thread 'search-3' panicked at src/tt.rs:7:1:", "the len is 224 but the index is 231"],
            Some("thread 'search-#' panicked at src/tt.rs:7:1: the len is # but the index is #"),
        );
        check(
            &["Assertion `legal' failed: 8/8/8/8/8/8/8/K6k w", "thread 'main' panicked at src/main.rs:1:1:"],
            Some("Assertion `legal' failed: FEN w"),
        );
        check(
            &["x: board.c:77: set: Assertion `king != 0' failed.", "Aborted"],
            Some("x: board.c:77: set: Assertion `king != #' failed."),
        );
    }

    #[test]
    fn the_last_lines_are_kept() {
        for text in ["", "info depth 1 score cp 10", &"ä".repeat(KEPT)] {
            let mut transcript = Transcript::default();
            for _ in 0..20_000 {
                transcript.add(entry(text));
            }
            let kept: usize = transcript.entries().map(|entry| entry.text.len() + LINE).sum();
            assert!(kept <= KEPT && kept + KEPT_OF_LINE + LINE > KEPT, "{kept}");
            let count = transcript.entries().count() as u64;
            assert!(transcript.to_string().starts_with(&format!("({} earlier", 20_000 - count)));
        }
    }
}
