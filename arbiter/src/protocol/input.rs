//! Lines that are odd: of ours, and of the program.

use std::time::Duration;

use super::abort::Fault;
use super::abort::{Abort, CheckResult};
use super::context::Check;
use super::context::CheckContext;
use super::positions::{RICH, START};
use super::rules;
use super::session::Session;
use uci::Message;

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/unknown-command", "UCI: what is unknown is to be ignored.", unknown),
    Check::new("protocol/empty-lines", "Empty lines say nothing.", empty),
    Check::new("protocol/blanks", "UCI: any white space between words is allowed.", blanks),
    Check::new("protocol/crlf", "Programs of other systems end lines with CR LF.", crlf),
    Check::new("protocol/garbage", "What comes over a network may be garbled.", garbage),
    Check::new("protocol/long-line", "Positions with many moves are long lines.", long_line),
    Check::new("protocol/output-text", "Interfaces read lines of text.", output_text),
    Check::new(
        "protocol/output-crlf",
        "A CR before the end of the line becomes a part of the last word.",
        output_crlf,
    ),
];

/// Bytes of a long line.
const LONG: usize = 100 << 10;

/// Says bytes, and sees whether the session goes on.
fn after(e: &mut Session, bytes: &[u8]) -> Result<Fault, Abort> {
    e.say_bytes(bytes)?;
    e.goes_on()
}

fn unknown(h: &mut CheckContext) -> CheckResult {
    for line in ["xyzzy", "foo bar baz 1 2 3", "register later"] {
        h.case(line, "a session that goes on", |e| after(e, format!("{line}\n").as_bytes()))?;
    }
    h.case("go-unknown-limit", "a session that goes on", |e| {
        e.say("position startpos")?;
        e.say("go depth 2 xyzzy 5")?;
        e.hear(e.awhile())?;
        e.goes_on()
    })
}

fn empty(h: &mut CheckContext) -> CheckResult {
    h.case("empty", "a session that goes on", |e| after(e, b"\n\n\n"))?;
    h.case("blank", "a session that goes on", |e| after(e, b"   \n\t\n \t \n"))
}

fn blanks(h: &mut CheckContext) -> CheckResult {
    for (case, line) in [("before", "  isready\n"), ("after", "isready  \n"), ("tabs", "\tisready\t\n")] {
        h.case(case, "readyok", |e| {
            e.say_bytes(line.as_bytes())?;
            answered(e)
        })?;
    }
    for (case, line) in [
        ("in-position", "position   startpos\tmoves  e2e4   e7e5 \n".to_owned()),
        ("in-fen", format!("  position  {}\t \n", RICH.replace(' ', "  "))),
    ] {
        let position = line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ");
        h.case(case, "a legal move of this position", |e| {
            e.say_bytes(line.as_bytes())?;
            e.say_bytes(b"go  depth \t 2 \n")?;
            let search = e.hear(Duration::from_secs(1))?;
            Ok(rules::fault(&position, &search.best))
        })?;
    }
    Ok(())
}

/// Whether an `isready` that was said is answered.
fn answered(e: &mut Session) -> Result<Fault, Abort> {
    // It is ready: nothing is to be set up any more.
    let timeouts = e.timeouts().ready.min(Duration::from_secs(2));
    Ok((!e.comes(&Message::ReadyOk, timeouts)?).then(|| "no readyok".to_owned()))
}

fn crlf(h: &mut CheckContext) -> CheckResult {
    h.case("isready", "readyok", |e| {
        e.say_bytes(b"isready\r\n")?;
        answered(e)
    })?;
    h.case("search", "a legal move", |e| {
        e.say_bytes(b"position startpos moves e2e4\r\n")?;
        e.say_bytes(b"go depth 2\r\n")?;
        let search = e.hear(Duration::from_secs(1))?;
        Ok(rules::fault("startpos moves e2e4", &search.best))
    })
}

fn garbage(h: &mut CheckContext) -> CheckResult {
    let every: Vec<u8> = (0..=255).filter(|&byte| byte != b'\n').chain([b'\n']).collect();
    let lines: [(&str, &[u8]); 5] = [
        ("high-bytes", b"\xff\xfe\xfd\xfc\n"),
        ("nul", b"\0\0\0\n"),
        ("control", b"\x01\x02\x1b[2J\x07\n"),
        ("every-byte", &every),
        ("text", b"%s%s%n$(exit)`exit`\"'\\\n"),
    ];
    for (case, bytes) in lines {
        h.case(case, "a session that goes on", |e| after(e, bytes))?;
    }
    Ok(())
}

fn long_line(h: &mut CheckContext) -> CheckResult {
    let mut word = vec![b'x'; LONG];
    word.push(b'\n');
    h.case("one-word", "a session that goes on", |e| after(e, &word))?;
    let mut words = b"x ".repeat(LONG / 2);
    words.push(b'\n');
    h.case("many-words", "a session that goes on", |e| after(e, &words))?;
    h.case("option-value", "a session that goes on", |e| {
        let mut line = b"setoption name Touchstone Unknown Option value ".to_vec();
        line.extend_from_slice(&word);
        after(e, &line)
    })
}

/// A session in which all kinds of lines are said.
fn talk(e: &mut Session) -> Result<(), Abort> {
    e.start()?;
    e.glance(START)?;
    e.glance(RICH)?;
    e.ready()?;
    Ok(())
}

fn output_text(h: &mut CheckContext) -> CheckResult {
    h.case("session", "lines of text of less than 1 MiB", |e| {
        talk(e)?;
        let odd = e.quirks()?;
        let faults = [(odd.not_text, "bytes that are no text"), (odd.too_long, "a line that is too long")];
        Ok(faults.into_iter().find_map(|(is, what)| is.then(|| what.to_owned())))
    })
}

fn output_crlf(h: &mut CheckContext) -> CheckResult {
    h.case("session", "lines that end with LF", |e| {
        talk(e)?;
        Ok(e.quirks()?.crlf.then(|| "lines that end with CR LF".to_owned()))
    })
}
