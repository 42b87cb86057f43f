//! An option that an engine declares.

use crate::field_error::FieldError;

/// `option name NAME type TYPE [default X] [min X] [max X] [var X]...`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UciOption {
    /// The name, which may contain blanks.
    pub name: String,
    /// The type; `None` if it is missing or unknown.
    pub kind: Option<OptionKind>,
    /// The default value, as printed.
    pub default: Option<String>,
    /// The minimum of a spin.
    pub min: Option<i64>,
    /// The maximum of a spin.
    pub max: Option<i64>,
    /// The values of a combo.
    pub vars: Vec<String>,
    /// Errors in the line.
    pub faults: Vec<FieldError>,
}

/// The types of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// An integer with a minimum and a maximum.
    Spin,
    /// One of several values.
    Combo,
    /// An action.
    Button,
    /// Text.
    String,
}

impl UciOption {
    pub(crate) fn read<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut is_text = false;
        for word in words {
            let within = fields.last().map(|(field, _)| *field);
            is_text |= within == Some("type") && fields.last().is_some_and(|(_, kind)| kind == &["string"]);
            let begins = match word {
                // Within a name, only `type` begins another field.
                "type" => within == Some("name"),
                // A default string may contain any word.
                "default" => within != Some("name") && !(is_text && within == Some("default")),
                "min" | "max" | "var" => within != Some("name") && !is_text,
                _ => false,
            };
            if begins || fields.is_empty() {
                fields.push((word, Vec::new()));
            } else if let Some((_, values)) = fields.last_mut() {
                values.push(word);
            }
        }
        let mut read = Self::default();
        for (field, values) in fields {
            read.field(field, &values.join(" "));
        }
        if read.name.is_empty() {
            read.faults.push(FieldError::new("name", "no name stands there"));
        }
        read
    }

    fn field(&mut self, field: &str, value: &str) {
        match field {
            "name" => value.clone_into(&mut self.name),
            "type" => {
                self.kind = OptionKind::named(value);
                if self.kind.is_none() {
                    self.faults.push(FieldError::new("type", format!("\"{value}\" is no type of options")));
                }
            }
            "default" => self.default = Some(value.to_owned()),
            "min" => self.min = self.number("min", value),
            "max" => self.max = self.number("max", value),
            "var" => self.vars.push(value.to_owned()),
            other => self.faults.push(FieldError::new(other, "an option begins with its name")),
        }
    }

    fn number(&mut self, field: &str, value: &str) -> Option<i64> {
        let read = value.parse().ok();
        if read.is_none() {
            self.faults.push(FieldError::new(field, format!("\"{value}\" is no whole number")));
        }
        read
    }
}

impl OptionKind {
    /// The type with this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "check" => Self::Check,
            "spin" => Self::Spin,
            "combo" => Self::Combo,
            "button" => Self::Button,
            "string" => Self::String,
            _ => return None,
        })
    }
}

/// Whether an option of this name is the size of a table or of other memory.
pub fn costs_memory(name: &str) -> bool {
    let name = name.to_lowercase();
    ["hash", "cache", "memory", "ram", "size"].iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> UciOption {
        UciOption::read(line.split_whitespace().skip(1))
    }

    fn option(name: &str, kind: OptionKind, default: Option<&str>) -> UciOption {
        UciOption {
            name: name.to_owned(),
            kind: Some(kind),
            default: default.map(str::to_owned),
            min: None,
            max: None,
            vars: Vec::new(),
            faults: Vec::new(),
        }
    }

    #[test]
    fn lines_of_real_engines() {
        let check = |line: &str, expected: UciOption| assert_eq!(read(line), expected, "{line}");
        check(
            "option name Skill Level type spin default 20 min -5 max 33554432",
            UciOption {
                min: Some(-5),
                max: Some(33_554_432),
                ..option("Skill Level", OptionKind::Spin, Some("20"))
            },
        );
        check("option name Clear Hash type button", option("Clear Hash", OptionKind::Button, None));
        check(
            "option name Ponder type check default false",
            option("Ponder", OptionKind::Check, Some("false")),
        );
        check(
            "option name Style type combo default Very Solid var Very Solid var Normal",
            UciOption {
                vars: vec!["Very Solid".to_owned(), "Normal".to_owned()],
                ..option("Style", OptionKind::Combo, Some("Very Solid"))
            },
        );
        check(
            "option name Debug Log File type string default",
            option("Debug Log File", OptionKind::String, Some("")),
        );
        check(
            "option name Path type string default <empty>",
            option("Path", OptionKind::String, Some("<empty>")),
        );
        check(
            "option name Path type string default my max files by type",
            option("Path", OptionKind::String, Some("my max files by type")),
        );
        check("option  name\tmax depth  type check", option("max depth", OptionKind::Check, None));
    }

    #[test]
    fn a_malformed_field_is_recorded_and_the_rest_is_used() {
        let check = |line: &str, fields: &[&str]| {
            let option = read(line);
            let faults: Vec<&str> = option.faults.iter().map(|fault| fault.field.as_str()).collect();
            assert_eq!(faults, fields, "{line}");
        };
        check("option", &["name"]);
        check("option type check default true", &["name"]);
        check("option Hash type spin default 1 min 1 max 2", &["Hash", "name"]);
        check("option name Hash type number default 1", &["type"]);
        check("option name Hash type spin default 1 min one max 99999999999999999999", &["min", "max"]);
        check("option name Hash", &[]);
        assert_eq!(read("option name Hash").kind, None);
        assert_eq!(read("option name Hash type spin min one max 7").max, Some(7));
    }
}
