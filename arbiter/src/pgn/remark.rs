//! The comment of a move: the score, the clock and the time in it. Knows no position.
//!
//! | form | score | mate |
//! |---|---|---|
//! | `+0.35/12 0.52s`, with `tl=7.56s` (cutechess, fastchess, Touchstone) | of the mover, in pawns | `+M5/12`, in plies |
//! | `wv=0.35, mt=14000, tl=90000` (TCEC) | of White, in pawns | not read: the unit is not certain |
//! | `[%eval 0.35] [%clk 0:03:00] [%emt 0:00:07]` (lichess) | of White, of the position after the move, by an analysis | `#3`, in moves |

use shakmaty::Color;
use uci::Score;

/// What a comment says. Times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Remark {
    /// The exact score that the mover gave, from its own view.
    pub score: Option<Score>,
    /// The score that an analysis gave the position after the move, from White's view.
    pub analysis: Option<Score>,
    /// What stands on the clock after the move.
    pub clock: Option<u64>,
    /// How long the move took.
    pub time: Option<u64>,
    /// Whether the move is one of an opening book.
    pub is_book: bool,
    /// Whether its mate cannot be one in plies: mates of the winner are odd, those of the loser even.
    pub(crate) is_other_mate: bool,
}

impl Remark {
    /// Adds what another comment of the same move says.
    pub(super) fn add(&mut self, text: &str, mover: Color) {
        let said = read(text, mover);
        self.score = self.score.or(said.score);
        self.analysis = self.analysis.or(said.analysis);
        self.clock = self.clock.or(said.clock);
        self.time = self.time.or(said.time);
        self.is_book |= said.is_book;
        self.is_other_mate |= said.is_other_mate;
    }
}

fn read(text: &str, mover: Color) -> Remark {
    let mut remark = Remark::default();
    let mut rest = text;
    while let Some((_, command)) = rest.split_once("[%") {
        let Some((command, after)) = command.split_once(']') else { break };
        let (name, value) = command.split_once(' ').unwrap_or((command, ""));
        match name {
            "eval" => remark.analysis = eval(value),
            "clk" => remark.clock = clock(value.trim()),
            "emt" => remark.time = clock(value.trim()),
            _ => {}
        }
        rest = after;
    }
    let mut words = text.split([',', ' ', '\t', '\r', '\n']).filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return remark };
    remark.is_book = first == "book";
    let second = words.clone().next().unwrap_or_default();
    if let Some(value) = of_mover(first, second) {
        match value {
            Value::Centipawns(centipawns) => remark.score = Some(Score::Centipawns(centipawns)),
            Value::Mate(plies) => {
                remark.score = of_plies(plies);
                remark.is_other_mate = remark.score.is_none();
            }
        }
        remark.time = seconds(second);
    }
    for word in [first].into_iter().chain(words) {
        match word.split_once('=') {
            Some(("wv", value)) if remark.score.is_none() => {
                let of_white = pawns(value).map(|score| mover.fold_wb(score, score.saturating_neg()));
                remark.score = of_white.map(Score::Centipawns);
            }
            Some(("tl", value)) => remark.clock = duration(value),
            Some(("mt", value)) => remark.time = duration(value),
            _ => {}
        }
    }
    remark
}

/// A score of the mover as it is written.
enum Value {
    Centipawns(i32),
    /// Plies; negative if the mover is mated.
    Mate(i32),
}

/// The score in `+0.35/12 0.52s`. Without a depth a time must follow: a number alone can be anything.
fn of_mover(first: &str, second: &str) -> Option<Value> {
    let (score, depth) = match first.split_once('/') {
        Some((score, depth)) => (score, Some(depth)),
        None => (first, None),
    };
    match depth {
        Some(depth) => depth.parse::<u32>().ok().map(drop)?,
        None => seconds(second).map(drop)?,
    }
    let (sign, amount) = match score.split_at_checked(1)? {
        ("+", amount) => (1, amount),
        ("-", amount) => (-1, amount),
        _ => (1, score),
    };
    match amount.strip_prefix('M') {
        Some(plies) => {
            let plies: u16 = plies.parse().ok()?;
            // The mated side gives 0 with either sign.
            Some(Value::Mate(sign * i32::from(plies)))
        }
        None => pawns(score).map(Value::Centipawns),
    }
}

/// A mate in moves; `None` if no mate has so many plies.
fn of_plies(plies: i32) -> Option<Score> {
    let is_won = plies > 0;
    (is_won == (plies % 2 != 0)).then(|| Score::Mate(if is_won { (plies + 1) / 2 } else { plies / 2 }))
}

/// `0.35`, `#3` or `#-3`, with the depth after a comma.
fn eval(text: &str) -> Option<Score> {
    let text = text.split(',').next()?.trim();
    match text.strip_prefix('#') {
        Some(moves) => moves.parse::<i16>().ok().map(|moves| Score::Mate(moves.into())),
        None => pawns(text).map(Score::Centipawns),
    }
}

/// A decimal number of pawns in centipawns. Further decimals are cut.
fn pawns(text: &str) -> Option<i32> {
    let (is_negative, amount) = match text.split_at_checked(1)? {
        ("-", amount) => (true, amount),
        ("+", amount) => (false, amount),
        _ => (false, text),
    };
    let (whole, decimals) = amount.split_once('.')?;
    let centipawns = hundredths(whole, decimals)?;
    Some(if is_negative { -centipawns } else { centipawns })
}

fn hundredths(whole: &str, decimals: &str) -> Option<i32> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || whole.len() > 6 {
        return None;
    }
    let two: String = decimals.chars().chain("0".chars()).take(2).collect();
    Some(whole.parse::<i32>().ok()? * 100 + two.parse::<i32>().ok()?)
}

/// `0.52s` in milliseconds.
fn seconds(text: &str) -> Option<u64> {
    part(text.strip_suffix('s')?)
}

/// A time as TCEC, fastchess and Touchstone write it: `14000`, `7.56s` or `0:01:30`.
fn duration(text: &str) -> Option<u64> {
    match text.strip_suffix('s') {
        Some(seconds) => part(seconds),
        None if text.contains(':') => clock(text),
        None => text.parse::<u32>().ok().map(u64::from),
    }
}

/// `H:MM:SS` or `M:SS`, with decimals, in milliseconds.
fn clock(text: &str) -> Option<u64> {
    let mut parts = text.rsplit(':');
    let seconds = part(parts.next()?)?;
    let minutes: u64 = parts.next()?.parse::<u16>().ok()?.into();
    let hours: u64 = parts.next().map_or(Some(0), |hours| hours.parse::<u16>().ok())?.into();
    parts.next().is_none().then_some((hours * 60 + minutes) * 60_000 + seconds)
}

/// A decimal number of seconds in milliseconds. Further decimals are cut.
fn part(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let whole: u32 = whole.parse().ok()?;
    if decimals.is_empty() || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let three: String = decimals.chars().chain("00".chars()).take(3).collect();
    Some(u64::from(whole) * 1000 + three.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Color = Color::White;
    const BLACK: Color = Color::Black;

    /// Score, analysis, clock and time.
    #[track_caller]
    fn check(text: &str, mover: Color, expected: [&str; 4]) {
        let remark = read(text, mover);
        let score = |score: Option<Score>| score.map(|score| score.to_string()).unwrap_or_default();
        let time = |time: Option<u64>| time.map(|time| time.to_string()).unwrap_or_default();
        let found = [score(remark.score), score(remark.analysis), time(remark.clock), time(remark.time)];
        assert_eq!(found.each_ref().map(String::as_str), expected, "{text}");
    }

    #[test]
    fn comments_of_runners() {
        check("+0.35/12 0.52s", WHITE, ["cp 35", "", "", "520"]);
        check(
            "-0.05/9 1.005s, tl=7.56s, n=1000, sd=20, pv=\"e2e4 e7e5\"",
            BLACK,
            ["cp -5", "", "7560", "1005"],
        );
        check("0.00/1 0s, Draw by 3-fold repetition", BLACK, ["cp 0", "", "", "0"]);
        check("+M5/12 0.1s", BLACK, ["mate 3", "", "", "100"]);
        check("-M6/9 1s", WHITE, ["mate -3", "", "", "1000"]);
        check("+M1 0.52s, White mates", WHITE, ["mate 1", "", "", "520"]);
        check("-M0/1 0.52s", WHITE, ["mate 0", "", "", "520"]);
        assert!(read("book", WHITE).is_book && read("book, White mates", WHITE).is_book);
        assert!(!read("a book", WHITE).is_book);
    }

    #[test]
    fn a_mate_in_moves_is_told_from_one_in_plies() {
        for text in ["+M4/12 0.1s", "-M3/12 0.1s"] {
            let remark = read(text, WHITE);
            assert!(remark.is_other_mate && remark.score.is_none(), "{text}");
        }
        assert!(!read("+M5/12 0.1s", WHITE).is_other_mate);
    }

    #[test]
    fn comments_of_tcec_are_of_white() {
        let text = "d=31, sd=56, mt=14000, tl=5399000, s=1, n=2, pv=Nf3 d5, tb=0, h=0.0, wv=0.25, R50=50, mb=+0+0+0+0+0,";
        check(text, WHITE, ["cp 25", "", "5399000", "14000"]);
        check(text, BLACK, ["cp -25", "", "5399000", "14000"]);
        check("d=1, wv=M23, tl=0:01:30", BLACK, ["", "", "90000", ""]);
    }

    #[test]
    fn comments_of_lichess_are_of_an_analysis() {
        check("[%eval -0.17] [%clk 0:03:00]", BLACK, ["", "cp -17", "180000", ""]);
        check("[%eval #-3,20] [%emt 0:00:07.5]", WHITE, ["", "mate -3", "", "7500"]);
        check("A blunder. [%clk 1:01]", WHITE, ["", "", "61000", ""]);
    }

    #[test]
    fn other_texts_say_nothing() {
        for text in [
            "",
            " ",
            "0.35",
            "+1.5 is better",
            "35/12 0.5s",
            "1/2",
            "+0.35/x 1s",
            "[%eval ]",
            "[%eval",
            "[%clk 99999:00:00:00]",
            "tl=",
            "wv=",
            "+M70000/3 1s",
            "9999999.00/3 1s",
            "\u{bd}/3 1s",
            "\u{2013}0.35/3",
        ] {
            let found = read(text, WHITE);
            assert_eq!((found.score, found.analysis, found.clock), (None, None, None), "{text}");
        }
    }
}
