//! Unusual lines to the program, and the form of its own lines.

use std::time::Duration;

use super::abort::{Abort, CaseProblem, CheckResult, no_readyok};
use super::context::{BAD_LINE, CheckContext, ProtocolCheck};
use super::positions::{RICH, START};
use super::rules;
use super::session::CheckSession;
use uci::Message;

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/unknown-command", "UCI: unknown commands are ignored.", unknown)
        .over(BAD_LINE),
    ProtocolCheck::new("protocol/go-unknown", "UCI: unknown words in a line are ignored.", unknown_limit)
        .over(BAD_LINE),
    ProtocolCheck::new("protocol/empty-lines", "Empty lines have no meaning.", empty).over(BAD_LINE),
    ProtocolCheck::new("protocol/blanks", "UCI: any white space between tokens is allowed.", blanks),
    ProtocolCheck::new("protocol/crlf", "On Windows lines end with CR LF.", crlf),
    ProtocolCheck::new("protocol/garbage", "Lines that come over a network may be garbled.", garbage)
        .over(BAD_LINE),
    ProtocolCheck::new("protocol/long-line", "Positions with many moves are long lines.", long_line)
        .over(BAD_LINE),
    ProtocolCheck::new("protocol/output-text", "User interfaces read lines of text.", output_text),
    ProtocolCheck::new(
        "protocol/output-crlf",
        "A CR before the end of the line becomes part of the last token.",
        output_crlf,
    ),
];

/// The longest search. Then `stop` is sent.
const SHORT: Duration = Duration::from_secs(1);
/// The length of a long line in bytes.
const LONG: usize = 100 << 10;

/// What is wrong with the session after these bytes.
fn after(session: &mut CheckSession, bytes: &[u8]) -> Result<CaseProblem, Abort> {
    session.send_bytes(bytes)?;
    session.check_alive()
}

fn unknown(check: &mut CheckContext) -> CheckResult {
    check.each(["xyzzy", "foo bar baz 1 2 3", "register later"], "a session that goes on", |session, line| {
        after(session, format!("{line}\n").as_bytes())
    })
}

fn unknown_limit(check: &mut CheckContext) -> CheckResult {
    check.case("go-unknown-limit", "a move and readyok", |session| {
        session.send("position startpos")?;
        let limit = session.of_depth(2, SHORT);
        session.send(&format!("go {limit} xyzzy 5"))?;
        session.wait_for_bestmove(session.quiet_time())?;
        session.check_alive()
    })
}

fn empty(check: &mut CheckContext) -> CheckResult {
    check.case("empty", "a session that goes on", |session| after(session, b"\n\n\n"))?;
    check.case("blank", "a session that goes on", |session| after(session, b"   \n\t\n \t \n"))
}

fn blanks(check: &mut CheckContext) -> CheckResult {
    let lines = [("before", "  isready\n"), ("after", "isready  \n"), ("tabs", "\tisready\t\n")];
    check.each(lines, "readyok", |session, (_, line)| answered(session, line))?;
    let fen = format!("  position  {}\t \n", RICH.replace(' ', "  "));
    let lines = [("in-position", "position   startpos\tmoves  e2e4   e7e5 \n"), ("in-fen", &fen)];
    check.each(lines, "a legal move of this position", |session, (_, line)| {
        let limit = session.of_depth(2, SHORT).replace(' ', " \t ");
        searched(session, line, &format!("go  {limit} \n"))
    })
}

/// What is wrong with the move after these lines, with `position` and `go`.
fn searched(session: &mut CheckSession, position: &str, go: &str) -> Result<CaseProblem, Abort> {
    session.send_bytes(position.as_bytes())?;
    session.send_bytes(go.as_bytes())?;
    let search = session.wait_for_bestmove(SHORT)?;
    let position: Vec<&str> = position.split_whitespace().skip(1).collect();
    Ok(rules::problem(&position.join(" "), &search.best))
}

/// Sends a line with `isready`, and waits for the answer.
fn answered(session: &mut CheckSession, line: &str) -> Result<CaseProblem, Abort> {
    session.send_bytes(line.as_bytes())?;
    let timeouts = session.timeouts().ready.min(Duration::from_secs(2));
    Ok((!session.receives(&Message::ReadyOk, timeouts)?).then(no_readyok))
}

fn crlf(check: &mut CheckContext) -> CheckResult {
    check.case("isready", "readyok", |session| answered(session, "isready\r\n"))?;
    check.case("search", "a legal move", |session| {
        let limit = session.of_depth(2, SHORT);
        searched(session, "position startpos moves e2e4\r\n", &format!("go {limit}\r\n"))
    })
}

fn garbage(check: &mut CheckContext) -> CheckResult {
    let every: Vec<u8> = (0..=255).filter(|&byte| byte != b'\n').chain([b'\n']).collect();
    let lines: [(&str, &[u8]); 5] = [
        ("high-bytes", b"\xff\xfe\xfd\xfc\n"),
        ("nul", b"\0\0\0\n"),
        ("control", b"\x01\x02\x1b[2J\x07\n"),
        ("every-byte", &every),
        ("text", b"%s%s%n$(exit)`exit`\"'\\\n"),
    ];
    check.each(lines, "a session that goes on", |session, (_, bytes)| after(session, bytes))
}

fn long_line(check: &mut CheckContext) -> CheckResult {
    let mut word = vec![b'x'; LONG];
    word.push(b'\n');
    check.case("one-word", "a session that goes on", |session| after(session, &word))?;
    let mut words = b"x ".repeat(LONG / 2);
    words.push(b'\n');
    check.case("many-words", "a session that goes on", |session| after(session, &words))?;
    check.case("option-value", "a session that goes on", |session| {
        let mut line = b"setoption name Touchstone Unknown Option value ".to_vec();
        line.extend_from_slice(&word);
        after(session, &line)
    })
}

/// A session with all usual commands.
fn usual_session(session: &mut CheckSession) -> Result<(), Abort> {
    session.start()?;
    session.short_search(START)?;
    session.short_search(RICH)?;
    session.ready()?;
    Ok(())
}

fn output_text(check: &mut CheckContext) -> CheckResult {
    check.case("session", "lines of text of less than 1 MiB", |session| {
        usual_session(session)?;
        let quirks = session.quirks()?;
        let problems =
            [(quirks.not_text, "bytes that are no text"), (quirks.too_long, "a line that is too long")];
        Ok(problems.into_iter().find_map(|(is, what)| is.then(|| what.to_owned())))
    })
}

fn output_crlf(check: &mut CheckContext) -> CheckResult {
    check.case("session", "lines that end with LF", |session| {
        usual_session(session)?;
        Ok(session.quirks()?.crlf.then(|| "lines that end with CR LF".to_owned()))
    })
}
