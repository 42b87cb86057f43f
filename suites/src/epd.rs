//! Extended Position Description (EPD): a position and operations, one a line.
//!
//! ```text
//! 8/8/8/8/8/1K6/2R5/1k6 w - - bm #2; id "seed rook";
//! 7k/8/5KQ1/8/8/8/8/8 w - - 99 120 dm 1;
//! 7k/8/5KQ1/8/8/8/8/8 w - - 0 1
//! ```
//!
//! Four fields of a FEN, then operations, each an opcode with operands and a semicolon. A plain FEN is read
//! too, with or without operations. Counters come from the FEN, or from `hmvc` and `fmvn`, or are 0 and 1.
//! Text in quotes is one operand. Knows no board: the position may be illegal.

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epd {
    /// The position, as a FEN of six fields.
    pub fen: String,
    /// The operations, in the order of the line.
    pub operations: Vec<Operation>,
}

/// One operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The opcode, such as `bm`.
    pub opcode: String,
    /// The operands, without quotes.
    pub operands: Vec<String>,
}

/// Why a line is not EPD.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EpdError {
    /// The line has fewer than four fields.
    #[error("expected the first four fields of a FEN, got {0}")]
    Fields(usize),
    /// A quote is not closed.
    #[error("a quote is opened and not closed")]
    Quote,
    /// The line is longer than [`Epd::LONGEST`].
    #[error("the line is longer than {} characters", Epd::LONGEST)]
    Long,
}

impl Epd {
    /// The longest line that is read, in bytes.
    pub const LONGEST: usize = 1 << 20;

    /// Reads a line.
    ///
    /// # Errors
    /// If it has too few fields, is too long, or a quote in it is not closed.
    pub fn parse(line: &str) -> Result<Self, EpdError> {
        if line.len() > Self::LONGEST {
            return Err(EpdError::Long);
        }
        let (fields, rest) = leading_fields(line, 4);
        if fields.len() < 4 {
            return Err(EpdError::Fields(fields.len()));
        }
        let (counters, after) = leading_fields(rest, 2);
        let counted = counters.len() == 2 && counters.iter().all(|field| is_number(field));
        let operations = operations(if counted { after } else { rest })?;
        let counter = |place: usize, opcode: &str, otherwise: &str| {
            let given = operations.iter().find(|operation| operation.opcode == opcode);
            let given = given.and_then(|operation| operation.operands.first().map(String::as_str));
            if counted { counters[place] } else { given.filter(|text| is_number(text)).unwrap_or(otherwise) }
                .to_owned()
        };
        let number: u32 = counter(1, "fmvn", "1").parse().unwrap_or(1);
        let number = number.clamp(1, MOST_NUMBER);
        let fen = format!("{} {} {number}", fields.join(" "), counter(0, "hmvc", "0"));
        Ok(Self { fen, operations })
    }

    /// The operands of an opcode, if the line has it.
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        let operation = self.operations.iter().find(|operation| operation.opcode == opcode);
        operation.map(|operation| &operation.operands[..])
    }

    /// The operand of an opcode, if the line has it with exactly one.
    pub fn operand(&self, opcode: &str) -> Option<&str> {
        match self.operands(opcode)? {
            [operand] => Some(operand),
            _ => None,
        }
    }
}

/// The highest fullmove number that is kept. It does not matter for the position, and some programs cannot
/// read higher ones.
const MOST_NUMBER: u32 = 9_999;

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The first fields, at most `most`, and the text after them. A semicolon ends the last field.
fn leading_fields(text: &str, most: usize) -> (Vec<&str>, &str) {
    let mut rest = text.trim_start();
    let mut fields = Vec::new();
    while fields.len() < most && !rest.is_empty() && !rest.starts_with(';') {
        let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        fields.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    (fields, rest)
}

fn operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut end = |words: &mut Vec<String>| {
        let mut taken = std::mem::take(words).into_iter();
        if let Some(opcode) = taken.next() {
            operations.push(Operation { opcode, operands: taken.collect() });
        }
    };
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == ';' {
            end(&mut words);
            rest = rest[1..].trim_start();
        } else if first == '"' {
            let (quoted, after) = rest[1..].split_once('"').ok_or(EpdError::Quote)?;
            words.push(quoted.to_owned());
            rest = after.trim_start();
        } else {
            let stop = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
            words.push(rest[..stop].to_owned());
            rest = rest[stop..].trim_start();
        }
    }
    end(&mut words);
    Ok(operations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, fen: &str, operations: &[(&str, &[&str])]) {
        let epd = Epd::parse(line).unwrap();
        assert_eq!(epd.fen, fen);
        let found: Vec<(&str, Vec<&str>)> = epd
            .operations
            .iter()
            .map(|operation| {
                (operation.opcode.as_str(), operation.operands.iter().map(String::as_str).collect())
            })
            .collect();
        let expected: Vec<(&str, Vec<&str>)> =
            operations.iter().map(|&(opcode, operands)| (opcode, operands.to_vec())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_are_read_in_the_forms_that_files_use() {
        let fen = "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1";
        check("8/8/8/8/8/1K6/2R5/1k6 w - -", fen, &[]);
        check("8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;", fen, &[("bm", &["#2"])]);
        check("8/8/8/8/8/1K6/2R5/1k6 w - - bm #2", fen, &[("bm", &["#2"])]);
        check("8/8/8/8/8/1K6/2R5/1k6 w - - 99 7", "8/8/8/8/8/1K6/2R5/1k6 w - - 99 7", &[]);
        check(
            " 8/8/8/8/8/1K6/2R5/1k6  w -\t- 99 7 dm 2 ; id \"a; b\";",
            "8/8/8/8/8/1K6/2R5/1k6 w - - 99 7",
            &[("dm", &["2"]), ("id", &["a; b"])],
        );
        check(
            "8/8/8/8/8/1K6/2R5/1k6 w - - hmvc 12; fmvn 30; am Rc1+ Rd2;",
            "8/8/8/8/8/1K6/2R5/1k6 w - - 12 30",
            &[("hmvc", &["12"]), ("fmvn", &["30"]), ("am", &["Rc1+", "Rd2"])],
        );
    }

    #[test]
    fn a_semicolon_ends_the_position() {
        let late = "8/8/8/8/8/1K6/2R5/1k6 w - - 99 7";
        check("8/8/8/8/8/1K6/2R5/1k6 w - - 99 7; bm Rc1+;", late, &[("bm", &["Rc1+"])]);
        check("8/8/8/8/8/1K6/2R5/1k6 w - - 99 7;D1 20;D2 400", late, &[("D1", &["20"]), ("D2", &["400"])]);
        check("8/8/8/8/8/1K6/2R5/1k6 w - -;dm 2", "8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", &[("dm", &["2"])]);
    }

    #[test]
    fn fullmove_numbers_are_clamped() {
        check("8/8/8/8/8/1K6/2R5/1k6 w - - 3 99999", "8/8/8/8/8/1K6/2R5/1k6 w - - 3 9999", &[]);
        check("8/8/8/8/8/1K6/2R5/1k6 w - - 3 0", "8/8/8/8/8/1K6/2R5/1k6 w - - 3 1", &[]);
    }

    #[test]
    fn operands_by_opcode() {
        let epd = Epd::parse("8/8/8/8/8/1K6/2R5/1k6 w - - bm Ka1 Kb1; id \"x\"; noop;").unwrap();
        assert_eq!(epd.operands("bm").unwrap(), ["Ka1", "Kb1"]);
        assert_eq!((epd.operand("bm"), epd.operand("id"), epd.operand("noop")), (None, Some("x"), None));
        assert_eq!(epd.operands("noop"), Some(&[][..]));
    }

    #[test]
    fn malformed_lines_are_refused() {
        assert_eq!(Epd::parse("8/8 w"), Err(EpdError::Fields(2)));
        assert_eq!(Epd::parse(""), Err(EpdError::Fields(0)));
        assert_eq!(Epd::parse("8/8 w - - id \"x"), Err(EpdError::Quote));
        assert_eq!(Epd::parse(&"8 ".repeat(Epd::LONGEST)), Err(EpdError::Long));
    }
}
