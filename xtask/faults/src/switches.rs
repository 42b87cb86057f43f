//! Many mutants in one build: a changed function has a body for each of them, and a variable picks one.

use std::fmt::Write as _;
use std::ops::Range;

use crate::mutant::{Mutant, Place, Span};

#[cfg(test)]
mod switch;

/// The variable with the number of the mutant that runs. Without it nothing is changed.
pub(crate) const MUTANT_VARIABLE: &str = "TOUCHSTONE_MUTANT";

/// What the library of the engine gets at its end: `mutant_that_runs`.
pub(crate) const SWITCH: &str = include_str!("switches/switch.rs");

/// The most bodies that a function gets: each is compiled and optimised.
const MOST_BODIES: usize = 8;

/// A file in which each changed function has several bodies.
pub(crate) struct Switched {
    pub(crate) text: String,
    /// Ranges of `text`: the body of a mutant with its number, and a whole function with the numbers of all its mutants.
    places: Vec<(Range<usize>, Vec<usize>)>,
}

impl Switched {
    /// The file with these of its mutants, by number from 1. Those that get no body are left out.
    pub(crate) fn new(text: &str, mutants: &[(usize, &Mutant)]) -> Self {
        let mut switched = Self { text: String::new(), places: Vec::new() };
        let mut copied = 0;
        for (body, of_function) in functions(text, mutants) {
            switched.text.push_str(&text[copied..body.start]);
            copied = body.end;
            switched.add(&text[body.clone()], &of_function, body.start);
        }
        switched.text.push_str(&text[copied..]);
        switched
    }

    /// Adds the bodies of a function: one for each mutant, then its own.
    fn add(&mut self, body: &str, mutants: &[(usize, Range<usize>, &str)], start: usize) {
        let whole = self.text.len();
        self.text.push_str("{ match crate::mutant_that_runs() {\n");
        for &(number, ref changed, replacement) in mutants {
            let begin = self.text.len();
            let (before, after) = (&body[..changed.start - start], &body[changed.end - start..]);
            _ = writeln!(self.text, "{number} => {{ {before}{replacement}{after} }}");
            self.places.push((begin..self.text.len(), vec![number]));
        }
        _ = write!(self.text, "_ => {body} }} }}");
        self.places.push((whole..self.text.len(), mutants.iter().map(|&(number, ..)| number).collect()));
    }

    /// All mutants in it.
    pub(crate) fn mutants(&self) -> impl Iterator<Item = usize> {
        self.places.iter().flat_map(|(_, numbers)| numbers).copied()
    }

    /// The mutants that an error at this byte of the text is about: that of a body, or else all of a function.
    pub(crate) fn at(&self, byte: usize) -> &[usize] {
        let around = self.places.iter().filter(|(range, _)| range.contains(&byte));
        around.min_by_key(|(range, _)| range.len()).map_or(&[], |(_, numbers)| numbers)
    }
}

/// The body of a function, and its mutants: the number, the bytes that are replaced, and by what.
type Changed<'a> = (Range<usize>, Vec<(usize, Range<usize>, &'a str)>);

/// The functions that these mutants change, in their order.
fn functions<'a>(text: &str, mutants: &[(usize, &'a Mutant)]) -> Vec<Changed<'a>> {
    let mut functions: Vec<Changed> = Vec::new();
    for &(number, mutant) in mutants {
        let around = mutant.function.as_ref().and_then(|function| body(text, &bytes(text, &function.span)?));
        let Some((body, changed)) = around.zip(bytes(text, &mutant.span)) else { continue };
        if body.start <= changed.start && changed.end <= body.end {
            functions.push((body, vec![(number, changed, &mutant.replacement)]));
        }
    }
    // A function within a function comes after it.
    functions.sort_by_key(|(body, _)| (body.start, usize::MAX - body.end));
    functions.dedup_by(|(body, mutants), (outer, of_outer)| {
        let is_within = body.end <= outer.end;
        if is_within {
            of_outer.append(mutants);
        }
        is_within
    });
    for (_, mutants) in &mut functions {
        mutants.truncate(MOST_BODIES);
    }
    functions
}

/// The body of a function, braces included: from the first brace after its parameters. `None` for a constant
/// function, which can read no variable.
fn body(text: &str, function: &Range<usize>) -> Option<Range<usize>> {
    let (mut depth, mut has_name, mut has_parameters, mut is_comment) = (0_u32, false, false, false);
    for (at, byte) in function.clone().zip(text[function.clone()].bytes()) {
        let rest = &text.as_bytes()[at..];
        is_comment = byte != b'\n' && (is_comment || rest.starts_with(b"//"));
        match byte {
            _ if is_comment => {}
            b'(' | b'[' => depth += 1,
            b')' | b']' => {
                depth = depth.checked_sub(1)?;
                has_parameters |= has_name && byte == b')' && depth == 0;
            }
            b'f' if depth == 0 && !has_name && rest.starts_with(b"fn ") => {
                if text[function.start..at].ends_with("const ") {
                    return None;
                }
                has_name = true;
            }
            b'{' if depth == 0 && has_parameters => return Some(at..function.end),
            _ => {}
        }
    }
    None
}

/// The bytes of a span; its columns count characters.
fn bytes(text: &str, span: &Span) -> Option<Range<usize>> {
    let offset = |place: &Place| {
        let before: usize = text.split_inclusive('\n').take(place.line.checked_sub(1)?).map(str::len).sum();
        let line = text[before..].split('\n').next()?;
        let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
        Some(before + ends.into_iter().nth(place.column.checked_sub(1)?)?)
    };
    Some(offset(&span.start)?..offset(&span.end)?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::mutant::{self, Function};

    const TEXT: &str = "\
/// Its (first) parameter {is `a`.
#[allow(x, reason = \"'é' {\")]
pub(crate) fn less(a: [u8; 2]) -> bool {
    fn inner(x: u8) -> u8 { x + 1 } // é
    inner(a[0]) < a[1]
}
const A: u8 = 1;
fn other() {}
pub const fn constant() -> u8 { 1 }
";

    fn place(line: usize, column: usize) -> Place {
        Place { line, column }
    }

    fn mutant(function: Option<(Place, Place)>, (start, end): (Place, Place), replacement: &str) -> Mutant {
        let function = function.map(|(start, end)| Function { span: Span { start, end } });
        let span = Span { start, end };
        let mut mutant = mutant::tests::mutant("a.rs", "");
        mutant.function = function;
        mutant.span = span;
        replacement.clone_into(&mut mutant.replacement);
        mutant
    }

    #[test]
    fn a_function_gets_a_body_for_each_mutant() {
        let less = Some((place(1, 1), place(6, 2)));
        let inner = Some((place(4, 5), place(4, 36)));
        let mutants = [
            mutant(less, (place(5, 17), place(5, 18)), "=="),
            mutant(inner, (place(4, 31), place(4, 32)), "-"),
            // A constant has no function, this function is elsewhere, and the last one is constant.
            mutant(None, (place(7, 15), place(7, 16)), "2"),
            mutant(Some((place(8, 1), place(8, 14))), (place(5, 17), place(5, 18)), "=="),
            mutant(Some((place(9, 1), place(9, 36))), (place(9, 33), place(9, 34)), "2"),
        ];
        let numbered: Vec<(usize, &Mutant)> = (1..).zip(&mutants).collect();
        let switched = Switched::new(TEXT, &numbered);
        let body = |inner: &str, less: &str| {
            format!("{{\n    fn inner(x: u8) -> u8 {{ x {inner} 1 }} // é\n    inner(a[0]) {less} a[1]\n}}")
        };
        let (before, after) = TEXT.split_once("-> bool {").unwrap();
        let after = &after[after.find("\nconst").unwrap()..];
        let expected = format!(
            "{before}-> bool {{ match crate::mutant_that_runs() {{\n1 => {{ {} }}\n2 => {{ {} }}\n_ => {} }} }}{after}",
            body("+", "=="),
            body("-", "<"),
            body("+", "<"),
        );
        assert_eq!(switched.text, expected);
        let at = |part: &str| switched.at(switched.text.find(part).unwrap());
        assert_eq!((at("=="), at("x - 1")), (&[1][..], &[2][..]));
        assert_eq!((at("match"), at("const")), (&[1, 2][..], &[][..]));
        let mut all: Vec<usize> = switched.mutants().collect();
        all.dedup();
        assert_eq!(all, [1, 2, 1, 2]);
    }

    #[test]
    fn a_function_gets_only_so_many_bodies() {
        let mutants = vec![mutant(Some((place(8, 1), place(8, 14))), (place(8, 12), place(8, 14)), "{}"); 20];
        let numbered: Vec<(usize, &Mutant)> = (1..).zip(&mutants).collect();
        let all: BTreeSet<usize> = Switched::new(TEXT, &numbered).mutants().collect();
        assert_eq!(all, (1..=MOST_BODIES).collect());
    }

    /// Each number is read once, so that each has a process of its own.
    #[test]
    fn the_variable_picks_the_mutant() {
        if let Ok(expected) = std::env::var("EXPECTED_MUTANT") {
            assert_eq!(switch::mutant_that_runs().to_string(), expected);
            assert_eq!(switch::mutant_that_runs().to_string(), expected);
            return;
        }
        for (given, expected, passes) in
            [(None, "0", true), (Some("0"), "0", true), (Some("17"), "17", true), (Some("x"), "0", false)]
        {
            let mut process = std::process::Command::new(std::env::current_exe().unwrap());
            process.args(["--exact", "switches::tests::the_variable_picks_the_mutant"]);
            process.env_remove(MUTANT_VARIABLE).env("EXPECTED_MUTANT", expected);
            process.envs(given.map(|number| (MUTANT_VARIABLE, number)));
            assert_eq!(process.output().unwrap().status.success(), passes, "{given:?}");
        }
    }
}
