//! Suites in EPD: a position and declared operations a line.

use super::{FormatError, FormatFault, Place, lines, shown};
use crate::epd::Epd;

/// A case that is a line of EPD.
pub(crate) trait EpdCase: Sized {
    /// The operations that a line may have, each once.
    const OPERATIONS: &'static [&'static str];

    /// Whether a line may have this operation.
    fn is_operation(opcode: &str) -> bool {
        Self::OPERATIONS.contains(&opcode)
    }

    /// Reads one line, which has an id: no other line has the same.
    fn from_epd(line: &EpdLine<'_>) -> Result<Self, FormatError>;
}

/// One line.
pub(crate) struct EpdLine<'a> {
    place: Place<'a>,
    text: &'a str,
    epd: Epd,
}

/// Reads a suite; `file` names it in errors.
pub(crate) fn epd<C: EpdCase>(file: &str, text: &str) -> Result<Vec<C>, FormatError> {
    lines(file, text, |place, text| {
        let epd =
            Epd::parse(text).map_err(|fault| place.error(FormatFault::Epd { fault, got: shown(text) }))?;
        for (place_in_line, operation) in epd.operations.iter().enumerate() {
            let opcode = &*operation.opcode;
            let is_repeated = epd.operations[..place_in_line].iter().any(|earlier| earlier.opcode == opcode);
            if is_repeated || !C::is_operation(opcode) {
                let expected = format!("the operations {}, each once", C::OPERATIONS.join(", "));
                return Err(place.unexpected(expected, opcode));
            }
        }
        let line = EpdLine { place: *place, text, epd };
        let case = C::from_epd(&line)?;
        Ok((line.epd.operand("id").unwrap_or_default().to_owned(), case))
    })
}

impl<'a> EpdLine<'a> {
    /// The line, for errors.
    pub(crate) fn place(&self) -> &Place<'a> {
        &self.place
    }

    /// The operations.
    pub(crate) fn epd(&self) -> &Epd {
        &self.epd
    }

    /// The error that this line should have something else.
    pub(crate) fn unexpected(&self, expected: &str) -> FormatError {
        self.place.unexpected(expected, self.text)
    }

    /// The position as a FEN of six fields; the counters are 0 and 1 if the line has none.
    pub(crate) fn position(&self) -> String {
        self.epd.fen.clone()
    }

    /// The position, which must be a FEN of six fields.
    pub(crate) fn whole_fen(&self) -> Result<String, FormatError> {
        if self.text.starts_with(&self.epd.fen) {
            Ok(self.epd.fen.clone())
        } else {
            Err(self.unexpected("a FEN of six fields"))
        }
    }

    /// The id: a class, a slash and a number.
    pub(crate) fn id(&self) -> Result<&str, FormatError> {
        let is_name = |part: &str, others: &str| {
            let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || others.contains(c);
            !part.is_empty() && part.chars().all(is_letter)
        };
        let id = self.operand("id", "one id \"class/number\"")?;
        match id.split_once('/') {
            Some((class, number)) if is_name(class, "- ") && is_name(number, "-") => Ok(id),
            _ => Err(self.place.unexpected("an id \"class/number\"", id)),
        }
    }

    /// The one operand of an operation that the line must have.
    pub(crate) fn operand(&self, opcode: &str, expected: &str) -> Result<&str, FormatError> {
        self.epd.operand(opcode).ok_or_else(|| self.unexpected(expected))
    }

    /// A number in decimal after an operation that the line may have.
    pub(crate) fn number<T: std::str::FromStr>(
        &self,
        opcode: &str,
        expected: &str,
    ) -> Result<Option<T>, FormatError> {
        let operands = self.epd.operands(opcode);
        operands.map(|operands| self.place.number(expected, &operands.join(" "))).transpose()
    }

    /// The moves of the game after the FEN, in quotes after `moves`, as UCI writes them; none if the line has
    /// none.
    pub(crate) fn moves(&self) -> Result<Vec<String>, FormatError> {
        match self.epd.operands("moves") {
            None => Ok(Vec::new()),
            Some([moves]) => Ok(moves.split_whitespace().map(str::to_owned).collect()),
            Some(_) => Err(self.unexpected("moves in quotes")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Game {
        id: String,
        moves: Vec<String>,
        due: Option<u8>,
    }

    impl EpdCase for Game {
        const OPERATIONS: &'static [&'static str] = &["id", "moves", "due"];

        fn from_epd(line: &EpdLine<'_>) -> Result<Self, FormatError> {
            line.whole_fen()?;
            let due = line.number("due", "a number of plies")?;
            Ok(Self { id: line.id()?.to_owned(), moves: line.moves()?, due })
        }
    }

    const FEN: &str = "7k/8/5K2/8/8/8/8/R7 w - - 3 9";

    fn read(body: &str) -> Result<Vec<Game>, String> {
        let text = format!("# cases: 1\n{}", body.replace("FEN", FEN));
        epd("x.epd", &text).map_err(|error| error.to_string())
    }

    #[test]
    fn operations_may_come_in_any_order() {
        let [game] = &read("FEN due 3; moves \"a1a2 h8g8\"; id \"two words/01\";").unwrap()[..] else {
            panic!("one case")
        };
        assert_eq!((game.id.as_str(), game.moves.len(), game.due), ("two words/01", 2, Some(3)));
    }

    #[test]
    fn errors_name_file_and_line() {
        let check = |body: &str, expected: &str| {
            let error = read(body).unwrap_err();
            assert!(error.starts_with(&format!("x.epd:2: {expected}")), "{error}");
        };
        check("8/8 w", "expected the first four fields of a FEN, got 2: \"8/8 w\"");
        check("FEN id \"x", "a quote is opened and not closed: \"7k/8");
        check("8/8/8/8/8/1K6/2R5/1k6 w - - id \"a/1\";", "expected a FEN of six fields, got \"8/8");
        check("FEN bm Ra1; id \"a/1\";", "expected the operations id, moves, due, each once, got \"bm\"");
        check(
            "FEN due 1; due 2; id \"a/1\";",
            "expected the operations id, moves, due, each once, got \"due\"",
        );
        check("FEN due 1;", "expected one id \"class/number\", got \"7k/8");
        check("FEN id \"a\";", "expected an id \"class/number\", got \"a\"");
        check("FEN id \"A/1\";", "expected an id \"class/number\", got \"A/1\"");
        check("FEN id \"a/\";", "expected an id \"class/number\", got \"a/\"");
        check("FEN due x; id \"a/1\";", "expected a number of plies, got \"x\"");
        check("FEN moves a1a2 a2a1; id \"a/1\";", "expected moves in quotes, got \"7k/8");
    }
}
