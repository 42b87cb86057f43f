//! The messages of cargo, a JSON object on each line.

use std::path::PathBuf;

use anyhow::{Context, bail};
use serde::Deserialize;

/// A place that an error of the compiler names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Error {
    /// From the folder of the workspace.
    pub(crate) file: String,
    pub(crate) byte: usize,
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
    spans: Vec<Span>,
}

#[derive(Debug, Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
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

/// All places of all errors.
pub(crate) fn errors(text: &str) -> anyhow::Result<Vec<Error>> {
    let mut errors = Vec::new();
    for diagnostic in messages(text)?.into_iter().filter_map(|message| message.diagnostic) {
        if diagnostic.level != "error" {
            continue;
        }
        let mut spans = diagnostic.spans;
        while let Some(span) = spans.pop() {
            errors.push(Error { file: span.file_name, byte: span.byte_start });
            spans.extend(span.expansion.map(|expansion| expansion.span));
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
    fn an_error_has_the_places_of_its_spans_and_of_macros_around_them() {
        let diagnostic = |level: &str, spans: &str| {
            format!(r#"{{"reason":"compiler-message","message":{{"level":"{level}","spans":[{spans}]}}}}"#)
        };
        let span = |file: &str, byte: usize, expansion: &str| {
            format!(r#"{{"file_name":"{file}","byte_start":{byte},"expansion":{expansion}}}"#)
        };
        let call = format!(r#"{{"span":{}}}"#, span("b.rs", 2, "null"));
        let text = [
            diagnostic("warning", &span("w.rs", 9, "null")),
            diagnostic("error", &span("a.rs", 1, &call)),
            diagnostic("error", ""),
        ];
        let error = |file: &str, byte| Error { file: file.to_owned(), byte };
        assert_eq!(errors(&text.join("\n")).unwrap(), [error("a.rs", 1), error("b.rs", 2)]);
    }
}
