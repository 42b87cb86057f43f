//! An option as a program declares it.

use super::said::Fault;

/// `option name NAME type TYPE [default X] [min X] [max X] [var X]...`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// Its name, which may hold blanks.
    pub name: String,
    /// Its type; `None` if there is none, or another than the five.
    pub kind: Option<Kind>,
    /// The value that it has at the start, as it stands; `None` if none is told.
    pub default: Option<String>,
    /// The smallest value of a spin.
    pub min: Option<i64>,
    /// The greatest value of a spin.
    pub max: Option<i64>,
    /// The values of a combo.
    pub vars: Vec<String>,
    /// What is wrong with the line.
    pub faults: Vec<Fault>,
}

/// The types of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Check,
    /// A whole number within bounds.
    Spin,
    /// One of some values.
    Combo,
    /// Something to be done.
    Button,
    /// Text.
    String,
}

impl Declared {
    pub(super) fn read<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in words {
            // Within the name all words are of it, but for `type`, which ends it.
            let in_name = fields.last().is_some_and(|(field, _)| *field == "name");
            let begins = match word {
                "name" => fields.is_empty(),
                "type" => true,
                "default" | "min" | "max" | "var" => !in_name,
                _ => false,
            };
            if begins || fields.is_empty() {
                fields.push((word, Vec::new()));
            } else if let Some((_, values)) = fields.last_mut() {
                values.push(word);
            }
        }
        let mut read = Self {
            name: String::new(),
            kind: None,
            default: None,
            min: None,
            max: None,
            vars: Vec::new(),
            faults: Vec::new(),
        };
        for (field, values) in fields {
            read.field(field, &values.join(" "));
        }
        if read.name.is_empty() {
            read.faults.push(Fault::new("name", "no name stands there"));
        }
        read
    }

    fn field(&mut self, field: &str, value: &str) {
        match field {
            "name" => value.clone_into(&mut self.name),
            "type" => {
                self.kind = Kind::named(value);
                if self.kind.is_none() {
                    self.faults.push(Fault::new("type", format!("\"{value}\" is no type of options")));
                }
            }
            "default" => self.default = Some(value.to_owned()),
            "min" => self.min = self.number("min", value),
            "max" => self.max = self.number("max", value),
            "var" => self.vars.push(value.to_owned()),
            other => self.faults.push(Fault::new(other, "an option begins with its name")),
        }
    }

    fn number(&mut self, field: &str, value: &str) -> Option<i64> {
        let read = value.parse().ok();
        if read.is_none() {
            self.faults.push(Fault::new(field, format!("\"{value}\" is no whole number")));
        }
        read
    }
}

impl Kind {
    /// The type of this name.
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
