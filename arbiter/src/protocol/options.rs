//! The options of a program, and what it does when they are set.

use std::collections::BTreeMap;
use std::time::Duration;

use super::abort::{Abort, CaseProblem, CheckResult};
use super::context::{BAD_LINE, CheckContext, ProtocolCheck};
use super::positions::{MATE_IN_1, MATE_IN_2, RICH, START};
use super::session::CheckSession;
use super::{pv, rules};
use uci::{OptionKind, UciOption};

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/option-form", "A user interface builds its dialog from these lines.", form),
    ProtocolCheck::new(
        "protocol/option-default",
        "A default that is not a valid value confuses users.",
        default,
    ),
    ProtocolCheck::new("protocol/option-names", "Of two options with one name only one can be set.", names),
    ProtocolCheck::new(
        "protocol/option-bounds",
        "Users may set all values that the program declares.",
        bounds,
    )
    .slow(),
    ProtocolCheck::new(
        "protocol/option-unknown",
        "Tournament managers set options that the program does not declare.",
        unknown,
    ),
    ProtocolCheck::new(
        "protocol/option-searching",
        "A user who changes a setting during an analysis may cause it.",
        searching,
    )
    .slow(),
    ProtocolCheck::new("protocol/analyse-mode", "User interfaces set it when users analyse.", analyse_mode),
    ProtocolCheck::new("protocol/option-no-value", "An incomplete line should be ignored.", no_value)
        .over(BAD_LINE),
    ProtocolCheck::new("protocol/option-out-of-range", "Users mistype values.", out_of_range),
    ProtocolCheck::new("protocol/option-word", "Users mistype values.", word_for_number),
];

/// The largest hash table that is set, in megabytes.
const MOST_MEMORY: i64 = 64;
/// The most threads that are set.
const MOST_THREADS: i64 = 4;
/// The longest search with an option at its bound.
const LONGEST: Duration = Duration::from_millis(300);

fn options(session: &mut CheckSession) -> Result<Vec<UciOption>, Abort> {
    let options = session.identity()?.options.clone();
    if options.is_empty() { Err(Abort::Unsupported) } else { Ok(options) }
}

fn form(check: &mut CheckContext) -> CheckResult {
    each(check, "a name, a type, and what belongs to the type", |option| {
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
        (!all.is_empty()).then(|| all.join("; ").into())
    })
}

fn default(check: &mut CheckContext) -> CheckResult {
    each(check, "a default that is one of the values", |option| {
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
        wrong.then(|| format!("default {default}").into())
    })
}

/// Judges each option as a case.
fn each(check: &mut CheckContext, expected: &str, problem: fn(&UciOption) -> CaseProblem) -> CheckResult {
    for option in options(check.session())? {
        check.case(&option.name, expected, |_| Ok(problem(&option)))?;
    }
    Ok(())
}

fn names(check: &mut CheckContext) -> CheckResult {
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    for option in options(check.session())? {
        *times.entry(option.name.to_lowercase()).or_default() += 1;
    }
    for (name, times) in times {
        check.case(&name, "one option of this name", |_| {
            Ok((times > 1).then(|| format!("{times} of them")))
        })?;
    }
    Ok(())
}

fn bounds(check: &mut CheckContext) -> CheckResult {
    for option in options(check.session())?.into_iter().filter(|option| !is_left_alone(&option.name)) {
        for value in values(&option) {
            let case = format!("{}={value}", option.name);
            check.case(&case, "a session that goes on, and a legal move after stop", |session| {
                with_value(session, &option, &value, |session| {
                    let search = session.search(START, 1, LONGEST)?;
                    // It may have been stopped before its first depth.
                    Ok(rules::problem(START, &search.best).filter(|_| !search.stopped))
                })
            })?;
        }
    }
    Ok(())
}

/// A session with an option set, and then set to its default, so that the next option is tested alone.
fn with_value(
    session: &mut CheckSession,
    option: &UciOption,
    value: &str,
    run: impl FnOnce(&mut CheckSession) -> Result<CaseProblem, Abort>,
) -> Result<CaseProblem, Abort> {
    session.set_option(&option.name, value)?;
    session.ready()?;
    let problem = run(session)?;
    option.default.iter().try_for_each(|default| session.set_option(&option.name, default))?;
    Ok(problem)
}

/// The bounds of an option, in the order in which they are set.
fn values(option: &UciOption) -> Vec<String> {
    let most = most(&option.name);
    match option.kind {
        Some(OptionKind::Check) => vec!["true".to_owned(), "false".to_owned()],
        Some(OptionKind::Combo) => option.vars.clone(),
        Some(OptionKind::Spin) => {
            let max = option.max.map(|max| most.map_or(max, |most| max.min(most)));
            let least = option.min.unwrap_or(i64::MIN);
            let within = |value: &i64| *value >= least && most.is_none_or(|most| *value <= most);
            let mut bounds: Vec<i64> = option.min.into_iter().chain(max).filter(within).collect();
            bounds.dedup();
            bounds.iter().map(i64::to_string).collect()
        }
        _ => Vec::new(),
    }
}

/// The largest value that is set of an option that costs memory or threads.
fn most(name: &str) -> Option<i64> {
    let name = name.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if has(&["thread", "core", "cpu", "worker"]) {
        Some(MOST_THREADS)
    } else if uci::costs_memory(&name) {
        Some(MOST_MEMORY)
    } else {
        None
    }
}

/// Whether an option names files, or changes the game or the protocol. Such options are not set.
fn is_left_alone(name: &str) -> bool {
    let name = name.to_lowercase();
    let parts = [
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
        "variant",
    ];
    parts.iter().any(|part| name.contains(part)) || name == "protocol"
}

fn searching(check: &mut CheckContext) -> CheckResult {
    check.case("Hash", "a session that goes on after stop", |session| {
        let least = session.option("Hash")?.min.ok_or(Abort::Unsupported)?.max(1);
        session.begin_search(START, "infinite")?;
        session.pause(Duration::from_millis(100))?;
        session.set_option("Hash", &least.to_string())?;
        session.send("stop")?;
        session.ready()?;
        session.pause(Duration::from_millis(100))?;
        session.check_alive()
    })
}

fn unknown(check: &mut CheckContext) -> CheckResult {
    check.case("unknown", "a session that goes on", |session| {
        session.set_option("Touchstone Unknown Option", "1")?;
        session.check_alive()
    })
}

fn analyse_mode(check: &mut CheckContext) -> CheckResult {
    const OPTION: &str = "UCI_AnalyseMode";
    let cases = [("mate-in-1", MATE_IN_1), ("mate-in-2", MATE_IN_2), ("middlegame", RICH)];
    check.each(cases, "a legal move, and the same mate as without the option", |session, (_, position)| {
        session.option(OPTION)?;
        let mut search = |value| {
            session.set_option(OPTION, value)?;
            session.search(position, 6, LONGEST)
        };
        let (usual, analysed) = (search("false")?, search("true")?);
        let mate = |search| pv::announced(search).map(|(moves, _)| moves);
        let lost = mate(&usual).filter(|_| mate(&usual) != mate(&analysed));
        Ok(rules::problem(position, &analysed.best).or_else(|| {
            lost.map(|moves| format!("no mate {moves}, which it announces without the option").into())
        }))
    })
}

fn no_value(check: &mut CheckContext) -> CheckResult {
    check.each(
        [
            "setoption",
            "setoption name",
            "setoption name Hash",
            "setoption name Hash value",
            "setoption value 1",
        ],
        "a session that goes on",
        |session, line| {
            session.send(line)?;
            session.check_alive()
        },
    )
}

fn out_of_range(check: &mut CheckContext) -> CheckResult {
    wrong_spins(check, |option| {
        let below = option.min.and_then(|min| min.checked_sub(1));
        let above = option.max.and_then(|max| max.checked_add(1));
        below.into_iter().chain(above).map(|value| value.to_string()).collect()
    })?;
    // Above their greatest values, memory and threads would cost too much if the program took them.
    for (name, value) in [("Hash", "0"), ("Hash", "-5"), ("Threads", "0")] {
        let Some(option) = options(check.session())?
            .into_iter()
            .find(|option| option.kind == Some(OptionKind::Spin) && option.name.eq_ignore_ascii_case(name))
        else {
            continue;
        };
        if option.min.is_none_or(|min| value.parse::<i64>().is_ok_and(|value| value < min)) {
            wrong_value(check, &option, value)?;
        }
    }
    Ok(())
}

/// The session goes on after a value that the option does not have.
fn wrong_value(check: &mut CheckContext, option: &UciOption, value: &str) -> CheckResult {
    check.case(&format!("{}={value}", option.name), "a session that goes on, and a legal move", |session| {
        match with_value(session, option, value, |session| session.short_search(START))? {
            None => session.check_alive(),
            problem => Ok(problem),
        }
    })
}

fn word_for_number(check: &mut CheckContext) -> CheckResult {
    wrong_spins(check, |_| vec!["many".to_owned()])
}

/// Sets the first three spins that concern neither memory nor threads to values that they do not have.
fn wrong_spins(check: &mut CheckContext, values: fn(&UciOption) -> Vec<String>) -> CheckResult {
    let spins = options(check.session())?.into_iter().filter(|option| {
        option.kind == Some(OptionKind::Spin) && most(&option.name).is_none() && !is_left_alone(&option.name)
    });
    for option in spins.take(3) {
        for value in values(&option) {
            wrong_value(check, &option, &value)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_set_as_far_as_they_cost_little() {
        let check = |name: &str, [min, max]: [i64; 2], expected: &[i64]| {
            let option = UciOption {
                name: name.to_owned(),
                kind: Some(OptionKind::Spin),
                min: Some(min),
                max: Some(max),
                ..UciOption::default()
            };
            let expected: Vec<String> = expected.iter().map(i64::to_string).collect();
            assert_eq!(values(&option), expected, "{name} {min} {max}");
        };
        check("Contempt", [-100, 100], &[-100, 100]);
        check("Hash", [1, 65_536], &[1, MOST_MEMORY]);
        check("Hash", [1, MOST_MEMORY], &[1, MOST_MEMORY]);
        check("Hash", [MOST_MEMORY, 65_536], &[MOST_MEMORY]);
        check("Contempt", [3, 2], &[3]);
        check("Hash", [MOST_MEMORY + 1, 65_536], &[]);
        check("Threads", [1, 1024], &[1, MOST_THREADS]);
    }
}
