//! What a program lets users set, and what comes of it.

use std::collections::BTreeMap;
use std::time::Duration;

use super::abort::Fault;
use super::abort::{Abort, CheckResult};
use super::context::Check;
use super::context::CheckContext;
use super::positions::START;
use super::session::Session;
use uci::{OptionKind, UciOption};

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/option-form", "A user interface builds its dialogue from these lines.", form),
    Check::new("protocol/option-default", "A default that cannot be set confuses users.", default),
    Check::new("protocol/option-names", "Of two options of one name only one can be set.", names),
    Check::new("protocol/option-bounds", "Users may set what the program offers.", bounds).slow(),
    Check::new("protocol/option-unknown", "Tournament managers set options without asking.", unknown),
    Check::new("protocol/option-no-value", "A line that says too little is to be passed over.", no_value),
    Check::new("protocol/option-out-of-range", "Users mistype values.", out_of_range),
];

/// Megabytes of a hash table, and threads, that are set at most.
const MOST_MEMORY: i64 = 64;
const MOST_THREADS: i64 = 4;
/// How long a search with an option at its bound lasts at most.
const TRIED: Duration = Duration::from_millis(300);

fn options(e: &mut Session) -> Result<Vec<UciOption>, Abort> {
    let options = e.identity()?.options.clone();
    if options.is_empty() { Err(Abort::Unsupported) } else { Ok(options) }
}

fn form(h: &mut CheckContext) -> CheckResult {
    each(h, "a name, a type, and what belongs to the type", |option| {
        let faults = option.faults.iter().map(ToString::to_string);
        let missing = match option.kind {
            None => Some("no type of UCI"),
            Some(OptionKind::Spin) if option.min.is_none() || option.max.is_none() => {
                Some("no min or no max")
            }
            Some(OptionKind::Spin) if option.min > option.max => Some("min above max"),
            Some(OptionKind::Combo) if option.vars.is_empty() => Some("no var"),
            Some(OptionKind::Spin | OptionKind::Combo | OptionKind::Check) if option.default.is_none() => {
                Some("no default")
            }
            Some(_) => None,
        };
        let all: Vec<String> = faults.chain(missing.map(str::to_owned)).collect();
        (!all.is_empty()).then(|| all.join("; "))
    })
}

fn default(h: &mut CheckContext) -> CheckResult {
    each(h, "a default that is one of the values", |option| {
        let default = option.default.as_deref()?;
        let wrong = match option.kind {
            Some(OptionKind::Check) => !matches!(default, "true" | "false"),
            Some(OptionKind::Combo) => {
                !option.vars.is_empty() && !option.vars.iter().any(|var| var == default)
            }
            Some(OptionKind::Spin) => default.parse::<i64>().map_or(true, |value| {
                option.min.is_some_and(|min| value < min) || option.max.is_some_and(|max| value > max)
            }),
            _ => false,
        };
        wrong.then(|| format!("default {default}"))
    })
}

/// Each option is a case.
fn each(h: &mut CheckContext, expected: &str, fault: fn(&UciOption) -> Fault) -> CheckResult {
    for option in options(h.session())? {
        h.case(&option.name, expected, |_| Ok(fault(&option)))?;
    }
    Ok(())
}

fn names(h: &mut CheckContext) -> CheckResult {
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    for option in options(h.session())? {
        *times.entry(option.name.to_lowercase()).or_default() += 1;
    }
    for (name, times) in times {
        h.case(&name, "one option of this name", |_| Ok((times > 1).then(|| format!("{times} of them"))))?;
    }
    Ok(())
}

fn bounds(h: &mut CheckContext) -> CheckResult {
    for option in options(h.session())?.into_iter().filter(|option| !is_left_alone(&option.name)) {
        for value in values(&option) {
            let case = format!("{}={value}", option.name);
            h.case(&case, "a session that goes on, and a move after stop", |e| {
                e.set_option(&option.name, &value)?;
                e.ready()?;
                e.go(START, "depth 1", TRIED)?;
                // The next option is to be seen by itself.
                if let Some(default) = &option.default {
                    e.set_option(&option.name, default)?;
                }
                Ok(None)
            })?;
        }
    }
    Ok(())
}

/// The bounds of an option, in the order in which they are set.
fn values(option: &UciOption) -> Vec<String> {
    let most = most(&option.name);
    match option.kind {
        Some(OptionKind::Check) => vec!["true".to_owned(), "false".to_owned()],
        Some(OptionKind::Combo) => option.vars.clone(),
        Some(OptionKind::Spin) => {
            let max = option.max.map(|max| most.map_or(max, |most| max.min(most)));
            let within = |value: &i64| most.is_none_or(|most| *value <= most);
            option.min.into_iter().chain(max).filter(within).map(|value| value.to_string()).collect()
        }
        _ => Vec::new(),
    }
}

/// The most that is set of what costs memory or threads.
fn most(name: &str) -> Option<i64> {
    let name = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["thread", "core", "cpu", "worker"]) {
        Some(MOST_THREADS)
    } else if has(&["hash", "cache", "memory", "size"]) {
        Some(MOST_MEMORY)
    } else {
        None
    }
}

/// Whether an option speaks of files, or makes another game or protocol of it.
fn is_left_alone(name: &str) -> bool {
    let name = name.to_lowercase();
    let words = [
        "file",
        "path",
        "dir",
        "log",
        "book",
        "tablebase",
        "egbb",
        "bitbase",
        "net",
        "nnue",
        "learn",
        "experience",
    ];
    words.iter().any(|word| name.contains(word)) || matches!(name.as_str(), "protocol" | "uci_variant")
}

fn unknown(h: &mut CheckContext) -> CheckResult {
    h.case("unknown", "a session that goes on", |e| {
        e.set_option("Touchstone Unknown Option", "1")?;
        e.goes_on()
    })
}

fn no_value(h: &mut CheckContext) -> CheckResult {
    for line in [
        "setoption",
        "setoption name",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption value 1",
    ] {
        h.case(line, "a session that goes on", |e| {
            e.say(line)?;
            e.goes_on()
        })?;
    }
    Ok(())
}

fn out_of_range(h: &mut CheckContext) -> CheckResult {
    let spins = options(h.session())?.into_iter().filter(|option| {
        option.kind == Some(OptionKind::Spin) && most(&option.name).is_none() && !is_left_alone(&option.name)
    });
    for option in spins.take(3) {
        let below = option.min.and_then(|min| min.checked_sub(1)).map(|value| value.to_string());
        let above = option.max.and_then(|max| max.checked_add(1)).map(|value| value.to_string());
        for value in [below, above, Some("many".to_owned())].into_iter().flatten() {
            h.case(&format!("{}={value}", option.name), "a session that goes on", |e| {
                e.set_option(&option.name, &value)?;
                e.ready()?;
                if let Some(default) = &option.default {
                    e.set_option(&option.name, default)?;
                }
                e.goes_on()
            })?;
        }
    }
    Ok(())
}
