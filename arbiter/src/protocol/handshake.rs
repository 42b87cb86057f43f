//! From the start to the first `readyok`.

use std::time::Duration;

use super::abort::{Abort, CheckResult, no_readyok};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::RICH;
use suites::{Answer, SharedCause};
use uci::{Message, Search};

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/uciok", "A user interface waits for uciok before anything else.", uciok)
        .first(),
    ProtocolCheck::new(
        "protocol/uciok-unasked",
        "uciok answers uci: a user interface that waits for one gets two.",
        unasked,
    )
    .with_cause(SharedCause::Handshake)
    .first(),
    ProtocolCheck::new("protocol/id-name", "It is the name that users and tournaments show.", id_name),
    ProtocolCheck::new("protocol/id-author", "UCI demands it after id name.", id_author),
    ProtocolCheck::new(
        "protocol/uci-twice",
        "A user interface that connects again sends uci again.",
        uci_twice,
    )
    .with_cause(SharedCause::Handshake),
    ProtocolCheck::new("protocol/isready", "A user interface waits for readyok before it goes on.", is_ready),
    ProtocolCheck::new(
        "protocol/isready-twice",
        "The user interface waits for an answer to each isready.",
        twice,
    ),
    ProtocolCheck::new(
        "protocol/isready-searching",
        "UCI demands readyok at once, also during a search, and without ending it.",
        searching,
    )
    .first(),
    ProtocolCheck::new("protocol/debug", "UCI allows debug at any time.", debug),
    ProtocolCheck::new(
        "protocol/registration",
        "A user interface shows whether the program is registered.",
        registration,
    )
    .first(),
];

/// The longest time for `readyok` during a search. It must be missing more than once.
const READY: Duration = Duration::from_secs(2);

fn uciok(check: &mut CheckContext) -> CheckResult {
    check.case("uci", "uciok", |session| {
        session.launch()?;
        session.handshake()?;
        Ok(None::<Answer>)
    })
}

fn unasked(check: &mut CheckContext) -> CheckResult {
    check.case("before-uci", "no uciok before uci", |session| {
        session.launch()?;
        let messages = session.pause(session.quiet_time())?;
        Ok(messages.contains(&Message::UciOk).then(|| "uciok".to_owned()))
    })
}

fn id_name(check: &mut CheckContext) -> CheckResult {
    id(check, "name")
}

fn id_author(check: &mut CheckContext) -> CheckResult {
    id(check, "author")
}

fn id(check: &mut CheckContext, key: &str) -> CheckResult {
    check.case("uci", &format!("id {key} with a text, before uciok"), |session| {
        let is_given = session.identity()?.id.get(key).is_some_and(|text| !text.is_empty());
        Ok((!is_given).then(|| format!("no id {key}")))
    })
}

fn uci_twice(check: &mut CheckContext) -> CheckResult {
    check.case("second", "uciok again, with the same options", |session| {
        session.start()?;
        let first = session.identity()?.options.clone();
        session.send("uci")?;
        let messages = session.ready()?;
        if !messages.contains(&Message::UciOk) {
            return Ok(Some("no uciok".to_owned()));
        }
        let second = messages.iter().filter(|message| matches!(message, Message::Option(_))).count();
        let differ = || format!("{second} options after {}", first.len());
        Ok((second != first.len()).then(differ))
    })
}

fn is_ready(check: &mut CheckContext) -> CheckResult {
    check.case("first", "readyok", |session| {
        session.launch()?;
        session.handshake()?;
        session.ready()?;
        Ok(None::<Answer>)
    })
}

fn twice(check: &mut CheckContext) -> CheckResult {
    check.case("two-at-once", "readyok twice", |session| {
        session.send("isready")?;
        session.ready()?;
        let timeouts = session.timeouts().ready;
        Ok((!session.receives(&Message::ReadyOk, timeouts)?).then(|| "readyok once".to_owned()))
    })
}

fn searching(check: &mut CheckContext) -> CheckResult {
    check.case("infinite", "readyok at once, and bestmove only after stop", |session| {
        session.begin_search(RICH, "infinite")?;
        let is_move = |message: &Message| matches!(message, Message::BestMove(_));
        // Another check reports a search that does not wait for stop.
        if session.pause(session.quiet_time() / 3)?.iter().any(is_move) {
            session.kill_process();
            return Err(Abort::FailedElsewhere);
        }
        session.send("isready")?;
        let (before, came) = session.receive_until(&Message::ReadyOk, session.timeouts().ready.min(READY))?;
        if !came {
            return Ok(Some(no_readyok()));
        }
        let during = session.pause(session.quiet_time() / 3)?;
        if before.iter().chain(&during).any(is_move) {
            return Ok(Some("bestmove before stop".into()));
        }
        let Search { stopped, .. } = session.stop()?;
        Ok(stopped.then(|| "no bestmove after stop".into()))
    })
}

fn debug(check: &mut CheckContext) -> CheckResult {
    check.case("on-off", "a session that goes on", |session| {
        session.send("debug on")?;
        session.ready()?;
        session.send("debug off")?;
        session.check_alive()
    })
}

fn registration(check: &mut CheckContext) -> CheckResult {
    check.case("start", "checking, ok or error after uciok", |session| {
        session.start()?;
        session.ready()?;
        let printed: Vec<String> = session.printed().map(str::to_owned).collect();
        let told = printed.iter().any(|line| matches!(Message::read(line), Message::Registration(_)));
        if told { Ok(misprint(&printed)) } else { Err(Abort::Unsupported) }
    })
}

/// What is wrong with the lines about copy protection and registration among these of a session.
fn misprint(printed: &[String]) -> Option<Answer> {
    let uciok = printed.iter().position(|line| Message::read(line) == Message::UciOk);
    printed.iter().enumerate().find_map(|(index, line)| {
        let Message::Registration(line) = Message::read(line) else { return None };
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_known = matches!(words[..], [_, "checking" | "ok" | "error"]);
        let is_early = uciok.is_some_and(|uciok| index < uciok);
        let place = if is_early { " before uciok" } else { "" };
        (!is_known || is_early).then(|| format!("{line}{place}").into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registration_is_told_after_uciok() {
        let misprint = |lines: &[&str]| {
            let lines: Vec<String> = lines.iter().copied().map(str::to_owned).collect();
            misprint(&lines).map(|answer| answer.to_string())
        };
        let good = ["uciok", "copyprotection checking", "registration checking", "copyprotection ok"];
        assert_eq!(misprint(&[&good[..], &["registration error", "readyok"]].concat()), None);
        assert_eq!(
            misprint(&["copyprotection ok", "uciok"]),
            Some("copyprotection ok before uciok".to_owned())
        );
        assert_eq!(misprint(&["uciok", "registration good"]), Some("registration good".to_owned()));
    }
}
