//! The UCI options: one table that is printed, parsed and applied.
//!
//! Knows no searcher and loads no file: it only records the choices.

use std::time::Duration;

use derive_more::Display;

use super::tokens::{quoted, split};
use crate::CastlingMode;
use crate::search_api::{Setting, Settings};

/// The current values of the options.
#[derive(Debug, Clone)]
pub(super) struct Choices {
    /// The settings of the searcher. `tables` stays `None`: it depends on the three fields below.
    pub(super) settings: Settings,
    /// Whether tables are probed.
    pub(super) tables: bool,
    /// The folder of the tables; `None` for those built in memory.
    pub(super) table_path: Option<String>,
    /// The bound of the cache for blocks of table files, in MiB.
    pub(super) table_cache: usize,
    /// How castling is written.
    pub(super) mode: CastlingMode,
    /// Whether `info` prints `wdl`.
    pub(super) show_wdl: bool,
    /// Time between the end of the search and the stop of the clock.
    pub(super) overhead: Duration,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            tables: true,
            table_path: None,
            table_cache: 64,
            mode: CastlingMode::Standard,
            show_wdl: false,
            overhead: Duration::from_millis(10),
        }
    }
}

/// The action of the session after an option was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing: the session reads the value itself.
    Nothing,
    /// Pass new settings to the searcher.
    Configure,
    /// Load tables.
    LoadTables,
    /// Clear the hash table.
    Clear,
}

/// The type of an option, with its default, its bounds, and its setter.
#[derive(Display)]
enum OptionKind {
    #[display("type spin default {default} min {least} max {most}")]
    Spin { default: usize, most: usize, least: usize, set: fn(&mut Choices, usize) },
    #[display("type check default {default}")]
    Check { default: bool, set: fn(&mut Choices, bool) },
    #[display("type string default {EMPTY}")]
    Text { set: fn(&mut Choices, Option<String>) },
    #[display("type button")]
    Button,
}

struct UciOption {
    name: &'static str,
    kind: OptionKind,
    effect: Effect,
    /// The setting of the searcher that the option needs.
    needs: Option<Setting>,
}

impl UciOption {
    /// An option that the session reads itself.
    const fn new(name: &'static str, kind: OptionKind) -> Self {
        Self { name, kind, effect: Effect::Nothing, needs: None }
    }

    /// The same option with an effect on the searcher, which has to use this setting.
    const fn with(self, effect: Effect, setting: Setting) -> Self {
        Self { effect, needs: Some(setting), ..self }
    }
}

const fn spin(default: usize, least: usize, most: usize, set: fn(&mut Choices, usize)) -> OptionKind {
    OptionKind::Spin { default, least, most, set }
}

const fn check(default: bool, set: fn(&mut Choices, bool)) -> OptionKind {
    OptionKind::Check { default, set }
}

const OPTIONS: [UciOption; 13] = [
    // 0 is allowed, so that the effect of the hash table can be measured.
    UciOption::new("Hash", spin(16, 0, Settings::MOST_HASH, |to, value| to.settings.hash = value))
        .with(Effect::Configure, Setting::Hash),
    UciOption::new("Clear Hash", OptionKind::Button).with(Effect::Clear, Setting::Hash),
    UciOption::new("Threads", spin(1, 1, Settings::MOST_THREADS, |to, value| to.settings.threads = value))
        .with(Effect::Configure, Setting::Threads),
    UciOption::new("MultiPV", spin(1, 1, Settings::MOST_LINES, |to, value| to.settings.multi_pv = value))
        .with(Effect::Configure, Setting::MultiPv),
    // The user interface decides whether to ponder. The option tells it that pondering is supported.
    UciOption::new("Ponder", check(false, |_, _| {})),
    UciOption::new(
        "UCI_Chess960",
        check(false, |to, on| to.mode = if on { CastlingMode::Chess960 } else { CastlingMode::Standard }),
    ),
    UciOption::new("UCI_ShowWDL", check(false, |to, on| to.show_wdl = on)),
    UciOption::new(
        "Move Overhead",
        spin(10, 0, 10_000, |to, value| to.overhead = Duration::from_millis(value as u64)),
    ),
    UciOption::new("TablePath", OptionKind::Text { set: |to, value| to.table_path = value })
        .with(Effect::LoadTables, Setting::Tables),
    UciOption::new("TableCache", spin(64, 1, 65_536, |to, value| to.table_cache = value))
        .with(Effect::LoadTables, Setting::Tables),
    UciOption::new("Tables", check(true, |to, on| to.tables = on)).with(Effect::Configure, Setting::Tables),
    UciOption::new("Endgame Knowledge", check(true, |to, on| to.settings.evaluation.knowledge = on))
        .with(Effect::Configure, Setting::Evaluation),
    UciOption::new("King Tables", check(true, |to, on| to.settings.evaluation.king_tables = on))
        .with(Effect::Configure, Setting::Evaluation),
];

/// The protocol's text for an empty string.
const EMPTY: &str = "<empty>";

/// Why a `setoption` is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum OptionError {
    /// No `name`.
    #[error("expected \"name NAME [value VALUE]\", got {}", quoted(.0))]
    NoName(String),
    /// Not an option of this program with this searcher.
    #[error("no option {}", quoted(.0))]
    Unknown(String),
    /// Not a valid value of the option.
    #[error("{name}: expected {expected}, got {}", .got.as_deref().map_or("no value".to_owned(), quoted))]
    Value {
        /// The option.
        name: &'static str,
        /// The values that the option accepts.
        expected: String,
        /// The value.
        got: Option<String>,
    },
}

/// The options available with a searcher that uses these settings, as printed by `uci`.
pub(super) fn offer(uses: &[Setting]) -> String {
    let lines: Vec<String> =
        offered(uses).map(|option| format!("option name {} {}", option.name, option.kind)).collect();
    lines.join("\n")
}

fn offered(uses: &[Setting]) -> impl Iterator<Item = &'static UciOption> {
    OPTIONS.iter().filter(|option| option.needs.is_none_or(|setting| uses.contains(&setting)))
}

/// Executes `setoption`. A rejected one changes nothing.
pub(super) fn set(text: &str, uses: &[Setting], choices: &mut Choices) -> Result<Effect, OptionError> {
    let (name, value) = name_and_value(text)?;
    let mut offered = offered(uses);
    let option = offered
        .find(|option| option.name.eq_ignore_ascii_case(&name))
        .ok_or_else(|| OptionError::Unknown(name.chars().take(64).collect()))?;
    option.kind.apply(value, choices).map_err(|expected| OptionError::Value {
        name: option.name,
        expected,
        got: value.map(|value| value.chars().take(64).collect()),
    })?;
    Ok(option.effect)
}

impl OptionKind {
    /// Parses and sets a value. The error says which value was expected.
    fn apply(&self, value: Option<&str>, choices: &mut Choices) -> Result<(), String> {
        match self {
            &Self::Spin { least, most, set, .. } => {
                let number = value.and_then(|value| value.parse().ok());
                let number = number.filter(|number| (least..=most).contains(number));
                set(choices, number.ok_or_else(|| format!("a number from {least} to {most}"))?);
            }
            Self::Check { set, .. } => {
                let is = |text: &str| value.is_some_and(|value| value.eq_ignore_ascii_case(text));
                if !is("true") && !is("false") {
                    return Err("true or false".to_owned());
                }
                set(choices, is("true"));
            }
            Self::Text { set } => {
                let value = value.ok_or_else(|| format!("a text, or {EMPTY}"))?;
                set(choices, (!value.is_empty() && value != EMPTY).then(|| value.to_owned()));
            }
            Self::Button => {}
        }
        Ok(())
    }
}

/// The name with single spaces between its words, and the value unchanged: paths may contain several spaces.
fn name_and_value(text: &str) -> Result<(String, Option<&str>), OptionError> {
    let refused = || OptionError::NoName(text.trim().chars().take(64).collect());
    let (_, mut rest) = split(text).filter(|(word, _)| *word == "name").ok_or_else(refused)?;
    let (mut name, mut value) = (Vec::new(), None);
    while let Some((word, after)) = split(rest) {
        if word == "value" {
            value = Some(after.trim());
            break;
        }
        name.push(word);
        rest = after;
    }
    if name.is_empty() { Err(refused()) } else { Ok((name.join(" "), value)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(text: &str) -> Result<(Effect, Choices), String> {
        let mut choices = Choices::default();
        let effect = set(text, Setting::ALL, &mut choices).map_err(|error| error.to_string())?;
        Ok((effect, choices))
    }

    fn after(text: &str) -> Choices {
        chosen(text).unwrap().1
    }

    #[test]
    fn options_are_printed_in_the_protocols_format() {
        assert_eq!(
            offer(Setting::ALL),
            "option name Hash type spin default 16 min 0 max 4096\n\
             option name Clear Hash type button\n\
             option name Threads type spin default 1 min 1 max 256\n\
             option name MultiPV type spin default 1 min 1 max 256\n\
             option name Ponder type check default false\n\
             option name UCI_Chess960 type check default false\n\
             option name UCI_ShowWDL type check default false\n\
             option name Move Overhead type spin default 10 min 0 max 10000\n\
             option name TablePath type string default <empty>\n\
             option name TableCache type spin default 64 min 1 max 65536\n\
             option name Tables type check default true\n\
             option name Endgame Knowledge type check default true\n\
             option name King Tables type check default true"
        );
    }

    #[test]
    fn only_options_of_the_searcher_are_offered_and_accepted() {
        let offer = offer(&[Setting::Hash]);
        assert!(offer.contains("Clear Hash") && offer.contains("Ponder"));
        assert!(!offer.contains("Threads") && !offer.contains("Tables"));
        let error = set("name Threads value 2", &[Setting::Hash], &mut Choices::default()).unwrap_err();
        assert_eq!(error.to_string(), "no option \"Threads\"");
    }

    /// The defaults in the table equal the defaults of the choices: setting them changes nothing.
    #[test]
    fn defaults_are_the_defaults() {
        for option in &OPTIONS {
            let default = match option.kind {
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Check { default, .. } => default.to_string(),
                OptionKind::Text { .. } | OptionKind::Button => EMPTY.to_owned(),
            };
            let choices = after(&format!("name {} value {default}", option.name));
            assert_eq!(format!("{choices:?}"), format!("{:?}", Choices::default()), "{}", option.name);
        }
    }

    #[test]
    fn each_option_changes_what_it_names() {
        assert_eq!(after("name Hash value 64").settings.hash, 64);
        assert_eq!(after("name hASH  value  64 ").settings.hash, 64);
        assert_eq!(after("name Hash value 0").settings.hash, 0);
        assert_eq!(after("name Threads value 3").settings.threads, 3);
        assert_eq!(after("name MultiPV value 4").settings.multi_pv, 4);
        assert_eq!(after("name UCI_Chess960 value true").mode, CastlingMode::Chess960);
        assert!(after("name uci_showwdl value TRUE").show_wdl);
        assert_eq!(after("name move  overhead value 0").overhead, Duration::ZERO);
        assert_eq!(after("name TablePath value /a  b/value c").table_path.as_deref(), Some("/a  b/value c"));
        assert_eq!(after("name TablePath value <empty>").table_path, None);
        assert_eq!(after("name TablePath value").table_path, None);
        assert!(!after("name Tables value false").tables);
        assert!(!after("name Endgame Knowledge value false").settings.evaluation.knowledge);
        assert!(!after("name King Tables value false").settings.evaluation.king_tables);
        assert_eq!(chosen("name Clear Hash").unwrap().0, Effect::Clear);
        assert_eq!(chosen("name TablePath value x").unwrap().0, Effect::LoadTables);
        assert_eq!(chosen("name Ponder value true").unwrap().0, Effect::Nothing);
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (text, expected) in [
            ("", "expected \"name NAME [value VALUE]\", got \"\""),
            ("Hash value 3", "expected \"name NAME [value VALUE]\", got \"Hash value 3\""),
            ("name value 3", "expected \"name NAME [value VALUE]\", got \"name value 3\""),
            ("name Hash Size value 3", "no option \"Hash Size\""),
            ("name Hash value 4097", "Hash: expected a number from 0 to 4096, got \"4097\""),
            ("name Hash value -5", "Hash: expected a number from 0 to 4096, got \"-5\""),
            (
                "name Hash value 99999999999999999999",
                "Hash: expected a number from 0 to 4096, got \"99999999999999999999\"",
            ),
            ("name Hash", "Hash: expected a number from 0 to 4096, got no value"),
            ("name Ponder value maybe", "Ponder: expected true or false, got \"maybe\""),
            ("name TablePath", "TablePath: expected a text, or <empty>, got no value"),
        ] {
            assert_eq!(chosen(text).unwrap_err(), expected, "{text}");
        }
    }
}
