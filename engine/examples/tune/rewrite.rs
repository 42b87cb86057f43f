//! Replaces the numbers of the data file of weights. Its pairs are in the order of the weights, so each is
//! replaced in place; names and comments stay.
//!
//! Knows that a pair is `(middlegame, endgame)` and that comments begin with `//`; no files.

use std::fmt::Write;

use engine::eval::Tapered;
use engine::eval::tuning::Weight;

/// The text before the first pair.
const START: &str = "\nweights! {\n";

/// The text with the pairs of `old` replaced by those of `new`.
///
/// # Errors
///
/// The pairs of the text are not those of `old`: it is not the file that this program was built from.
pub(crate) fn rewrite(text: &str, old: &[Weight], new: &[Weight]) -> Result<String, String> {
    let start = text.find(START).ok_or("no line \"weights! {\"")? + START.len();
    let (head, data) = text.split_at(start);
    let mut pairs = old.iter().zip(new);
    let mut out = head.to_owned();
    for line in data.split_inclusive('\n') {
        if line.trim_start().starts_with("//") {
            out.push_str(line);
        } else {
            push_line(&mut out, line, &mut pairs)?;
        }
    }
    match pairs.next() {
        Some((weight, _)) => Err(format!("no pair for {}[{}]", weight.name, weight.place)),
        None => Ok(out),
    }
}

fn push_line<'a>(
    out: &mut String,
    line: &str,
    pairs: &mut impl Iterator<Item = (&'a Weight, &'a Weight)>,
) -> Result<(), String> {
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('(') {
        let unclosed = || format!("no pair in \"{}\"", line.trim());
        let (found, after) = after.split_once(')').ok_or_else(unclosed)?;
        let found = parse(found).ok_or_else(unclosed)?;
        let (old, new) = pairs.next().ok_or("more pairs than weights")?;
        if found != old.value {
            return Err(format!("{}[{}] is another than this program was built with", old.name, old.place));
        }
        out.push_str(before);
        write!(out, "({:4}, {:4})", new.value.middlegame(), new.value.endgame())
            .map_err(|error| error.to_string())?;
        rest = after;
    }
    out.push_str(rest);
    Ok(())
}

fn parse(pair: &str) -> Option<Tapered> {
    let (middlegame, endgame) = pair.split_once(',')?;
    Some(Tapered::new(middlegame.trim().parse().ok()?, endgame.trim().parse().ok()?))
}
