//! Text layout: digits in groups, aligned columns, control characters escaped.

use std::fmt::Write as _;

/// A number with a comma between each three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with this many decimals. A zero has no sign.
pub fn decimals(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|letter| "0.".contains(letter)) => zero.to_owned(),
        _ => text,
    }
}

/// A text on one line, with control characters escaped.
pub fn plain(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line
}

/// The alignment of a column.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Align {
    Left,
    Right,
}

/// One line for each row, its cells in columns three spaces apart. All rows have as many cells as there are
/// columns. Empty columns are left out.
pub(crate) fn table<R: AsRef<[String]>>(columns: &[Align], rows: &[R]) -> Vec<String> {
    let width =
        |column: usize| rows.iter().map(|row| row.as_ref()[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let line = |row: &R| {
        let cells = row.as_ref().iter().zip(columns).zip(&widths).filter(|(_, width)| **width > 0);
        let cells = cells.map(|((cell, align), &width)| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("   ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// If entries are hidden, appends a line that counts them and names the report that has all entries.
pub(crate) fn rest(text: &mut String, hidden: u64, file: &str) {
    if hidden > 0 {
        let _ = writeln!(text, "and {} more: all are in {file}", grouped(hidden));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        let check = |number, expected| assert_eq!(grouped(number), expected);
        check(0, "0");
        check(999, "999");
        check(1_000, "1,000");
        check(1_907_004, "1,907,004");
        check(u64::MAX, "18,446,744,073,709,551,615");
    }

    #[test]
    fn a_zero_has_no_sign() {
        let check = |value, expected| assert_eq!(decimals(value, 2), expected);
        check(-0.001, "0.00");
        check(-0.0, "0.00");
        check(0.004, "0.00");
        check(-0.006, "-0.01");
        check(-100.0, "-100.00");
        check(2.944, "2.94");
        assert_eq!(decimals(-0.4, 0), "0");
    }

    #[test]
    fn a_line_stays_one_line() {
        let check = |text, expected| assert_eq!(plain(text), expected);
        check("mate in 5, \"Kf5\"", "mate in 5, \"Kf5\"");
        check("one\r\ntwo", "one\\r\\ntwo");
        check("\u{1b}[31mred", "\\u{1b}[31mred");
        check("Zugzwang für Weiß", "Zugzwang für Weiß");
    }

    #[test]
    fn columns_are_aligned() {
        let row = |name: &str, count: &str| [name.to_owned(), count.to_owned()];
        let lines = table(&[Align::Left, Align::Right], &[row("ä", "1,000"), row("bcd", "7"), row("e", "")]);
        assert_eq!(lines, ["ä     1,000", "bcd       7", "e"]);
        let lines =
            table(&[Align::Left; 3], &[["a", "", "b"], ["cd", "", ""]].map(|row| row.map(str::to_owned)));
        assert_eq!(lines, ["a    b", "cd"]);
    }
}
