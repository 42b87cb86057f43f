//! Colours of words, as ANSI sequences.

use anstyle::{AnsiColor, Style};

/// The colour of a severity or a verdict; `None` for other words.
fn style(word: &str) -> Option<Style> {
    let color = match word {
        "error" | "broken" | "differ" => AnsiColor::Red,
        "warning" | "changed" | "flaky" | "expired" => AnsiColor::Yellow,
        "fixed" | "agree" => AnsiColor::Green,
        "note" | "accepted" => AnsiColor::Cyan,
        _ => return None,
    };
    Some(color.on_default().bold())
}

fn painted(word: &str) -> String {
    style(word).map_or_else(|| word.to_owned(), |style| format!("{style}{word}{style:#}"))
}

/// Colours the severity or the verdict at the start of each line.
pub fn paint(text: &str) -> String {
    let line = |line: &str| {
        let end = line.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(line.len());
        let (word, rest) = line.split_at(end);
        format!("{}{rest}", painted(word))
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Colours the word `differ` in each line, or the word `agree` in a line where nothing differs.
pub(super) fn outcomes(text: &str) -> String {
    let line = |line: &str| {
        let found = ["differ", "agree"].into_iter().find_map(|word| Some((last(line, word)?, word)));
        found.map_or_else(
            || line.to_owned(),
            |(place, word)| format!("{}{}{}", &line[..place], painted(word), &line[place + word.len()..]),
        )
    };
    text.split_inclusive('\n').map(line).collect()
}

/// The place of the last occurrence of a whole word.
fn last(line: &str, word: &str) -> Option<usize> {
    let is_whole = |place: &usize| {
        line[..*place].ends_with(' ') && !line[place + word.len()..].starts_with(char::is_alphabetic)
    };
    line.rmatch_indices(word).map(|(place, _)| place).find(is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: &str = "\u{1b}[1m\u{1b}[31m";
    const GREEN: &str = "\u{1b}[1m\u{1b}[32m";
    const END: &str = "\u{1b}[0m";

    #[test]
    fn first_words_have_colours() {
        let text = "error: mine draw/score: 1\n  error: of the engine\nerrors\n\nwhat error\n";
        assert_eq!(paint(text), text.replacen("error", &format!("{RED}error{END}"), 1));
    }

    #[test]
    fn outcomes_have_colours() {
        let check = |line: &str, expected: String| assert_eq!(outcomes(line), expected);
        check(
            "mine: 3 of 4 agree, 1 differ, in 1 check",
            format!("mine: 3 of 4 agree, 1 {RED}differ{END}, in 1 check"),
        );
        check("  perft   102 of 102   agree\n", format!("  perft   102 of 102   {GREEN}agree{END}\n"));
        check("  perft   agreement   nothing compared", "  perft   agreement   nothing compared".to_owned());
    }
}
