//! From the start to the first `readyok`.

use super::abort::CheckResult;
use super::context::Check;
use super::context::CheckContext;
use uci::{Message, Search};

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/uciok", "A user interface waits for uciok before anything else.", uciok),
    Check::new("protocol/id-name", "It is the name that users and tournaments show.", id_name),
    Check::new("protocol/id-author", "UCI asks for it after id name.", id_author),
    Check::new("protocol/uci-twice", "A user interface that connects anew says uci again.", uci_twice),
    Check::new("protocol/isready", "A user interface waits for readyok before it goes on.", is_ready),
    Check::new("protocol/isready-twice", "Each isready is answered, or the interface waits for ever.", twice),
    Check::new(
        "protocol/isready-searching",
        "UCI asks for readyok at once, also during a search, and without ending it.",
        searching,
    ),
    Check::new("protocol/debug", "debug may be said at any time.", debug),
];

fn uciok(h: &mut CheckContext) -> CheckResult {
    h.case("uci", "uciok", |e| {
        e.launch()?;
        e.handshake()?;
        Ok(None)
    })
}

fn id_name(h: &mut CheckContext) -> CheckResult {
    id(h, "name")
}

fn id_author(h: &mut CheckContext) -> CheckResult {
    id(h, "author")
}

fn id(h: &mut CheckContext, key: &str) -> CheckResult {
    h.case("uci", &format!("id {key} with a text, before uciok"), |e| {
        let told = e.identity()?.id.get(key).is_some_and(|text| !text.is_empty());
        Ok((!told).then(|| format!("no id {key}")))
    })
}

fn uci_twice(h: &mut CheckContext) -> CheckResult {
    h.case("second", "uciok again, with the same options", |e| {
        e.start()?;
        let first = e.identity()?.options.clone();
        e.say("uci")?;
        let said = e.ready()?;
        if !said.contains(&Message::UciOk) {
            return Ok(Some("no uciok".to_owned()));
        }
        let second = said.iter().filter(|said| matches!(said, Message::Option(_))).count();
        let differ = || format!("{second} options after {}", first.len());
        Ok((second != first.len()).then(differ))
    })
}

fn is_ready(h: &mut CheckContext) -> CheckResult {
    h.case("first", "readyok", |e| {
        e.launch()?;
        e.handshake()?;
        e.ready()?;
        Ok(None)
    })
}

fn twice(h: &mut CheckContext) -> CheckResult {
    h.case("two-at-once", "readyok twice", |e| {
        e.say("isready")?;
        e.ready()?;
        let timeouts = e.timeouts().ready;
        // The first answer has been heard; the second is still to come.
        Ok((!e.comes(&Message::ReadyOk, timeouts)?).then(|| "readyok once".to_owned()))
    })
}

fn searching(h: &mut CheckContext) -> CheckResult {
    h.case("infinite", "readyok at once, and bestmove only after stop", |e| {
        e.say("position startpos")?;
        e.say("go infinite")?;
        e.pause(e.awhile() / 3)?;
        let before = e.ready()?;
        let during = e.pause(e.awhile() / 3)?;
        if before.iter().chain(&during).any(|said| matches!(said, Message::BestMove(_))) {
            return Ok(Some("bestmove before stop".to_owned()));
        }
        let Search { stopped, .. } = e.stop()?;
        Ok(stopped.then(|| "no bestmove after stop".to_owned()))
    })
}

fn debug(h: &mut CheckContext) -> CheckResult {
    h.case("on-off", "a session that goes on", |e| {
        e.say("debug on")?;
        e.ready()?;
        e.say("debug off")?;
        e.goes_on()
    })
}
