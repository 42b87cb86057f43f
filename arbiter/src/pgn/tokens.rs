//! The words of a PGN file: tags, moves, comments, results and the brackets of variations. Move numbers and
//! annotations (NAGs) are skipped. Knows no rules.
//!
//! The crate `pgn-reader` skips words that it cannot read, so that a misprinted move would be lost. Here each
//! word that is no number and no result is handed on as a move. It also ends a game at each empty line, and it
//! counts no lines.

use crate::game::GameResult;

/// A text that is no PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenFault {
    /// A tag is not written as `[Name "value"]`.
    #[error("expected a tag such as [Event \"name\"]")]
    Tag,
    /// A comment is not closed.
    #[error("a comment is opened with {{ and not closed")]
    Comment,
}

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// `[Name "value"]`.
    Tag { name: &'a str, value: String },
    /// A word that should be a move.
    Move(&'a str),
    /// The text between braces.
    Comment(&'a str),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// The result, with which a game ends.
    Result(GameResult),
}

/// A place in a PGN file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tokens<'a> {
    rest: &'a str,
    line: usize,
    /// Whether the rest begins with a line: there `%` makes the line a comment.
    at_line_start: bool,
    /// Whether comments can hold comments. By the standard they cannot: the first `}` closes.
    is_nested: bool,
}

impl<'a> Tokens<'a> {
    /// The beginning of a file.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, at_line_start: true, is_nested: false }
    }

    /// The beginning of a file whose comments hold comments.
    pub(crate) fn nested(text: &'a str) -> Self {
        Self { is_nested: true, ..Self::new(text) }
    }

    /// The line of this place, from 1.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// The next word, or `None` at the end of the file.
    pub(crate) fn next(&mut self) -> Result<Option<Token<'a>>, TokenFault> {
        while let Some(first) = self.rest.bytes().next() {
            match first {
                b'%' if self.at_line_start => self.skip_line(),
                b';' => self.skip_line(),
                b'{' => {
                    let end = self.comment_end().ok_or(TokenFault::Comment)?;
                    return Ok(Some(Token::Comment(&self.take(end + 1)[1..end])));
                }
                b'$' => {
                    let digits = self.rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
                    self.take(1 + digits);
                }
                b'(' => return Ok(Some(self.single(Token::Open))),
                b')' => return Ok(Some(self.single(Token::Close))),
                b'*' => return Ok(Some(self.single(Token::Result(GameResult::Unfinished)))),
                b'[' => return self.tag().map(Some),
                b'.' | b'!' | b'?' => {
                    self.take(1);
                }
                _ if first.is_ascii_whitespace() => {
                    let blanks = self.rest.bytes().take_while(u8::is_ascii_whitespace).count();
                    self.take(blanks);
                }
                _ => {
                    if let Some(token) = self.word() {
                        return Ok(Some(token));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Passes a text that is no PGN: the rest of the line if that was to be a tag, a bracket among moves, the file if a
    /// comment is not closed.
    pub(crate) fn skip(&mut self, fault: TokenFault, is_among_moves: bool) {
        match fault {
            TokenFault::Tag if is_among_moves => _ = self.take(1),
            TokenFault::Tag => self.skip_line(),
            TokenFault::Comment => _ = self.take(self.rest.len()),
        }
    }

    /// Where the comment ends that the rest begins with.
    fn comment_end(&self) -> Option<usize> {
        if !self.is_nested {
            return self.rest.find('}');
        }
        let mut depth = 0_usize;
        let closes = |(at, brace): (usize, &str)| {
            depth = if brace == "{" { depth + 1 } else { depth - 1 };
            (depth == 0).then_some(at)
        };
        self.rest.match_indices(['{', '}']).find_map(closes)
    }

    /// A token of one byte.
    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.take(1);
        token
    }

    /// Passes the first bytes of the rest, and returns them.
    fn take(&mut self, bytes: usize) -> &'a str {
        let text = self.rest.as_bytes();
        // CR and LF together are one break.
        let is_break =
            |&at: &usize| text[at] == b'\n' || text[at] == b'\r' && text.get(at + 1) != Some(&b'\n');
        self.line += (0..bytes).filter(is_break).count();
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.at_line_start = taken.ends_with(['\n', '\r']);
        taken
    }

    /// Passes the rest of the line.
    fn skip_line(&mut self) {
        let end = self.rest.find(['\n', '\r']).map_or(self.rest.len(), |end| end + 1);
        self.take(end);
    }

    /// A move or a result; `None` for a move number and for the mark of an en passant capture.
    fn word(&mut self) -> Option<Token<'a>> {
        if self.rest.starts_with("e.p.") {
            self.take(4);
            return None;
        }
        let ends = |c: char| {
            c.is_whitespace()
                || matches!(c, '{' | '}' | '(' | ')' | '[' | ']' | ';' | '.' | '!' | '?' | '$' | '*' | '"')
        };
        let end = self.rest.char_indices().skip(1).find(|&(_, c)| ends(c));
        let word = self.take(end.map_or(self.rest.len(), |(at, _)| at));
        match word {
            "1-0" => Some(Token::Result(GameResult::WhiteWins)),
            "0-1" => Some(Token::Result(GameResult::BlackWins)),
            "1/2-1/2" | "1/2" => Some(Token::Result(GameResult::Draw)),
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => None,
            _ => Some(Token::Move(word)),
        }
    }

    fn tag(&mut self) -> Result<Token<'a>, TokenFault> {
        let blank = [' ', '\t'];
        let text = self.rest[1..].trim_start_matches(blank);
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|&end| end > 0);
        let (name, text) = text.split_at(end.ok_or(TokenFault::Tag)?);
        let text = text.trim_start_matches(blank).strip_prefix('"').ok_or(TokenFault::Tag)?;
        let (value, after) = closed(text)
            .map(|(value, after)| (value, after.trim_start_matches(blank)))
            .filter(|(_, after)| after.starts_with(']'))
            .or_else(|| not_closed(text))
            .ok_or(TokenFault::Tag)?;
        self.take(self.rest.len() - after.len() + 1);
        Ok(Token::Tag { name, value })
    }
}

/// The value before the quote that closes it, and the rest of the text. A backslash escapes a quote and a backslash alone.
fn closed(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        let rest = &text[at + letter.len_utf8()..];
        match letter {
            '"' => return Some((value, rest)),
            '\n' | '\r' => return None,
            '\\' if rest.starts_with(['"', '\\']) => value.extend(letters.next().map(|(_, letter)| letter)),
            _ => value.push(letter),
        }
    }
    None
}

/// The same of a value with quotes in it, or with a backslash at its end: it ends before the first bracket of the line.
fn not_closed(text: &str) -> Option<(String, &str)> {
    let end = text.find([']', '\n', '\r']).filter(|&end| text[end..].starts_with(']'))?;
    let value = text[..end].trim_end().strip_suffix('"')?;
    Some((value.to_owned(), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a text, and the line of its end.
    fn words(text: &str) -> Result<(String, usize), TokenFault> {
        words_of(Tokens::new(text))
    }

    fn words_of(mut tokens: Tokens<'_>) -> Result<(String, usize), TokenFault> {
        let mut words = Vec::new();
        while let Some(token) = tokens.next()? {
            words.push(match token {
                Token::Tag { name, value } => format!("{name}={value}"),
                Token::Move(text) => text.to_owned(),
                Token::Open => "(".to_owned(),
                Token::Close => ")".to_owned(),
                Token::Comment(text) => format!("{{{text}}}"),
                Token::Result(result) => format!("={result}"),
            });
        }
        Ok((words.join(" "), tokens.line()))
    }

    #[track_caller]
    fn check(text: &str, expected: &str, line: usize) {
        assert_eq!(words(text), Ok((expected.to_owned(), line)), "{text}");
    }

    #[test]
    fn numbers_and_annotations_are_skipped() {
        check("1. e4 {a ( [ 1. d4}e5 $1 2.Nf3!? ; rest 3. a4\nNc6 *", "e4 {a ( [ 1. d4} e5 Nf3 Nc6 =*", 2);
        check("12...Nf6 1/2-1/2\n% 1. e4\n0-1", "Nf6 =1/2-1/2 =0-1", 3);
        check("Nf6 ; e5\r% d5\r\r\n0-1\r\n", "Nf6 =0-1", 5);
        check("1.e4 (1.d4 (1.c4) d5) e5 1-0", "e4 ( d4 ( c4 ) d5 ) e5 =1-0", 1);
        check("exd6 e.p. Kd8 $", "exd6 Kd8", 1);
        check("", "", 1);
    }

    #[test]
    fn words_that_are_no_moves_are_not_lost() {
        check("1. e2-e9 \u{bd}-\u{bd} 0-0 -- } \" ] %x", "e2-e9 \u{bd}-\u{bd} 0-0 -- } \" ] %x", 1);
        check("{x}%no comment", "{x} %no comment", 1);
    }

    #[test]
    fn comments_in_comments_are_read_if_asked() {
        let text = "e4 {a {b} c} e5 {} 1/2";
        check(text, "e4 {a {b} c } e5 {} =1/2-1/2", 1);
        let nested = words_of(Tokens::nested(text)).unwrap().0;
        assert_eq!(nested, "e4 {a {b} c} e5 {} =1/2-1/2");
        assert_eq!(words_of(Tokens::nested("{a {b}")), Err(TokenFault::Comment));
    }

    #[test]
    fn tags() {
        check(
            "[Event \"a [b] {c\"]\n[ White  \"q \\\"x\\\" \\\\\" ] *",
            "Event=a [b] {c White=q \"x\" \\ =*",
            2,
        );
        // Values that are not closed by the standard end before the first bracket.
        check("[Event \"C:\\games\\\"][Site \"a\\b\"]\n*", "Event=C:\\games\\ Site=a\\b =*", 2);
        check("[Event \"The \"Big\" game\"] *", "Event=The \"Big\" game =*", 1);
        for text in [
            "[",
            "[Event]",
            "[Event \"x",
            "[Event \"x\"",
            "[Ev ent \"x\"]",
            "[\"x\"]",
            "[E \"x\\\" ",
            "[E \"x\" y][F \"z\"]",
            "[E \"\n\"]",
        ] {
            assert_eq!(words(text), Err(TokenFault::Tag), "{text}");
        }
        assert_eq!(words("e4 {x"), Err(TokenFault::Comment));
    }
}
