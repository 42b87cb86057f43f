//! The messages of cargo, a JSON object on each line.

use std::path::PathBuf;

use anyhow::{Context, bail};
use serde::Deserialize;

/// An error of the compiler.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Error {
    /// As the compiler prints it for people.
    pub(crate) text: String,
    /// What it is about: a file, from the folder of the workspace, and a byte of it. Around the call of a macro both
    /// the macro and the call.
    pub(crate) places: Vec<(String, usize)>,
}

#[derive(Debug, Deserialize)]
struct Message {
    executable: Option<PathBuf>,
    profile: Option<Profile>,
    #[serde(rename = "message")]
    diagnostic: Option<Diagnostic>,
}

#[derive(Debug, Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Debug, Deserialize)]
struct Diagnostic {
    level: String,
    rendered: Option<String>,
    spans: Vec<Span>,
}

#[derive(Debug, Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    is_primary: bool,
    expansion: Option<Box<Expansion>>,
}

/// The call of the macro in which a span is.
#[derive(Debug, Deserialize)]
struct Expansion {
    span: Span,
}

fn messages(text: &str) -> anyhow::Result<Vec<Message>> {
    let lines = text.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).context("cargo prints another message")).collect()
}

/// The program of tests.
pub(crate) fn test_program(text: &str) -> anyhow::Result<PathBuf> {
    for message in messages(text)? {
        if let (Some(program), Some(Profile { test: true })) = (message.executable, message.profile) {
            return Ok(program);
        }
    }
    bail!("cargo names no program of tests")
}

/// All errors. What has no place, such as a failed linker, is none.
pub(crate) fn errors(text: &str) -> anyhow::Result<Vec<Error>> {
    let mut errors = Vec::new();
    for diagnostic in messages(text)?.into_iter().filter_map(|message| message.diagnostic) {
        if diagnostic.level != "error" {
            continue;
        }
        let mut spans: Vec<Span> = diagnostic.spans.into_iter().filter(|span| span.is_primary).collect();
        let mut places = Vec::new();
        while let Some(span) = spans.pop() {
            places.push((span.file_name, span.byte_start));
            spans.extend(span.expansion.map(|expansion| expansion.span));
        }
        if !places.is_empty() {
            errors.push(Error { text: diagnostic.rendered.unwrap_or_default(), places });
        }
    }
    Ok(errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_of_tests_is_found_among_the_messages() {
        let message = |test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","profile":{{"test":{test}}},"executable":{executable}}}"#
            )
        };
        let messages =
            [message(false, "\"engine\""), message(true, "null"), message(true, "\"deps/engine-1\"")];
        assert_eq!(test_program(&messages.join("\n")).unwrap(), PathBuf::from("deps/engine-1"));
        assert!(test_program(&messages[..2].join("\n")).is_err());
    }

    #[test]
    fn an_error_has_the_places_of_its_main_spans_and_of_macros_around_them() {
        let diagnostic = |level: &str, spans: &str| {
            format!(
                r#"{{"reason":"compiler-message","message":{{"level":"{level}","rendered":"wrong","spans":[{spans}]}}}}"#
            )
        };
        let span = |file: &str, byte: usize, is_primary: bool, expansion: &str| {
            format!(
                r#"{{"file_name":"{file}","byte_start":{byte},"is_primary":{is_primary},"expansion":{expansion}}}"#
            )
        };
        let call = format!(r#"{{"span":{}}}"#, span("b.rs", 2, false, "null"));
        let both = [span("a.rs", 1, true, &call), span("other.rs", 3, false, "null")].join(",");
        let text = [
            diagnostic("warning", &span("w.rs", 9, true, "null")),
            diagnostic("error", &both),
            diagnostic("error", ""),
        ];
        let places = vec![("a.rs".to_owned(), 1), ("b.rs".to_owned(), 2)];
        assert_eq!(errors(&text.join("\n")).unwrap(), [Error { text: "wrong".to_owned(), places }]);
    }
}
