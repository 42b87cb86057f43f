//! Misprints: our engine with one fault in what it prints, for checks that should find it.
//!
//! A misprint alters a line of `info` between the session and whoever hears it, and nothing else: the engine stays right.

use std::fmt;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, File, Position, Rank, Setup, Square};

use uci::Question;

/// What is printed wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misprint {
    /// Each mate in two moves or more is one move shorter than it is.
    ShortWins,
    /// Each mate is one move longer.
    LongWins,
    /// Each mate in four moves or more is one move longer.
    LongWinsOfFour,
    /// Being mated in two moves or more is one move sooner.
    ShortLosses,
    /// Being mated is one move later.
    LongLosses,
    /// Where White has a bare king, distances are two moves longer.
    WhiteBare,
    /// Where the king of the side with more men stands in the triangle f5, h5, h7, distances are one move longer.
    OneImage,
    /// A lost position is drawn where one move repeats a position for the second time.
    Twofold,
}

impl Misprint {
    /// All.
    pub const ALL: [Self; 8] = [
        Self::ShortWins,
        Self::LongWins,
        Self::LongWinsOfFour,
        Self::ShortLosses,
        Self::LongLosses,
        Self::WhiteBare,
        Self::OneImage,
        Self::Twofold,
    ];

    /// The name of our engine with it.
    pub fn name(self) -> String {
        format!("misprint-{self}")
    }

    /// A line of the answer to a question, as it is printed.
    pub(super) fn print(self, question: &Question, line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(place) = words.windows(3).position(|words| words[0] == "score") else {
            return line.to_owned();
        };
        let Ok(number) = words[place + 2].parse::<i64>() else { return line.to_owned() };
        let score = match words[place + 1] {
            "mate" => self.mate(question, number),
            _ => self.hundredths(question, number),
        };
        let [before, after] = [&words[..place], &words[place + 3..]].map(|words| words.join(" "));
        format!("{before} score {score} {after}")
    }

    /// What stands in place of a mate in so many moves.
    fn mate(self, question: &Question, moves: i64) -> String {
        let away = if moves < 0 { -1 } else { 1 };
        let wrong = match self {
            Self::ShortWins if moves > 1 => moves - 1,
            Self::LongWins if moves > 0 => moves + 1,
            Self::LongWinsOfFour if moves >= 4 => moves + 1,
            Self::ShortLosses if moves < -1 => moves + 1,
            Self::LongLosses if moves < 0 => moves - 1,
            Self::WhiteBare if moves != 0 && is_bare(question, Color::White) => moves + 2 * away,
            Self::OneImage if moves != 0 && is_in_triangle(question) => moves + away,
            Self::Twofold if moves < 0 && may_repeat(question) => return "cp 0".to_owned(),
            _ => moves,
        };
        format!("mate {wrong}")
    }

    /// What stands in place of so many hundredths of a pawn.
    fn hundredths(self, question: &Question, number: i64) -> String {
        let is_drawn = self == Self::Twofold && number < 0 && may_repeat(question);
        format!("cp {}", if is_drawn { 0 } else { number })
    }
}

impl fmt::Display for Misprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ShortWins => "short-wins",
            Self::LongWins => "long-wins",
            Self::LongWinsOfFour => "long-wins-of-four",
            Self::ShortLosses => "short-losses",
            Self::LongLosses => "long-losses",
            Self::WhiteBare => "white-bare",
            Self::OneImage => "one-image",
            Self::Twofold => "twofold",
        })
    }
}

/// The men where the game begins.
fn setup(question: &Question) -> Setup {
    question.fen.parse::<Fen>().map_or_else(|_| Setup::empty(), Fen::into_setup)
}

fn is_bare(question: &Question, color: Color) -> bool {
    setup(question).board.by_color(color).count() == 1
}

/// Whether it is this image of eight in which the king of the side with more men stands.
fn is_in_triangle(question: &Question) -> bool {
    let board = setup(question).board;
    let men = |color| board.by_color(color).count();
    let stronger = Color::from_white(men(Color::White) > men(Color::Black));
    let is_there = |king: Square| {
        let (file, rank) = (u32::from(king.file()), u32::from(king.rank()));
        file >= u32::from(File::E) && rank >= u32::from(Rank::Fifth) && rank < file
    };
    board.king_of(stronger).is_some_and(is_there)
}

/// Whether a move leads to a position that stood on the board in the game.
fn may_repeat(question: &Question) -> bool {
    let Ok(start) = setup(question).position::<Chess>(CastlingMode::Standard) else { return false };
    let mut game = vec![start];
    for text in &question.moves {
        let mut position = game[game.len() - 1].clone();
        let Some(mv) = text.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&position).ok()) else {
            return false;
        };
        position.play_unchecked(mv);
        game.push(position);
    }
    let present = &game[game.len() - 1];
    present.legal_moves().into_iter().any(|mv| {
        let mut after = present.clone();
        after.play_unchecked(mv);
        game.contains(&after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::Limit;

    fn printed(misprint: Misprint, fen: &str, moves: &str, score: &str) -> String {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let question = Question { fen: fen.to_owned(), moves, limit: Limit::Depth(1) };
        let line = misprint.print(&question, &format!("info depth 1 score {score} nodes 1 pv a1a2"));
        let score = line.strip_prefix("info depth 1 score ").unwrap().strip_suffix(" nodes 1 pv a1a2");
        score.unwrap().to_owned()
    }

    const WHITE: &str = "8/8/8/8/8/1K6/2R5/k7 w - - 0 1";
    const BLACK: &str = "8/8/8/8/8/1k6/2r5/K7 w - - 0 1";
    const IMAGE: &str = "8/6K1/8/8/5R2/8/8/k7 w - - 0 1";

    #[test]
    fn each_misprint_alters_its_own() {
        use Misprint::{
            LongLosses, LongWins, LongWinsOfFour, OneImage, ShortLosses, ShortWins, Twofold, WhiteBare,
        };
        let check = |misprint, fen, cases: &[(&str, &str)]| {
            for (score, expected) in cases {
                assert_eq!(printed(misprint, fen, "", score), *expected, "{misprint} {score}");
            }
        };
        check(ShortWins, WHITE, &[("mate 2", "mate 1"), ("mate 1", "mate 1"), ("mate -2", "mate -2")]);
        check(LongWins, WHITE, &[("mate 1", "mate 2"), ("mate -2", "mate -2"), ("mate 0", "mate 0")]);
        check(LongWinsOfFour, WHITE, &[("mate 3", "mate 3"), ("mate 4", "mate 5")]);
        check(ShortLosses, WHITE, &[("mate -2", "mate -1"), ("mate -1", "mate -1"), ("mate 2", "mate 2")]);
        check(LongLosses, WHITE, &[("mate -1", "mate -2"), ("mate 0", "mate 0"), ("cp -31", "cp -31")]);
        check(WhiteBare, WHITE, &[("mate 5", "mate 5"), ("mate -5", "mate -5")]);
        check(WhiteBare, BLACK, &[("mate 5", "mate 7"), ("mate -5", "mate -7"), ("mate 0", "mate 0")]);
        check(OneImage, WHITE, &[("mate 5", "mate 5")]);
        check(OneImage, BLACK, &[("mate 5", "mate 5")]);
        check(OneImage, IMAGE, &[("mate 5", "mate 5")]);
        check(OneImage, "8/7K/8/8/5R2/8/8/k7 w - - 0 1", &[("mate 5", "mate 6"), ("mate -5", "mate -6")]);
        check(Twofold, WHITE, &[("mate -5", "mate -5"), ("cp -500", "cp -500")]);
    }

    #[test]
    fn the_second_occurrence_is_one_that_a_move_leads_to() {
        let check = |moves, score, expected| {
            assert_eq!(printed(Misprint::Twofold, BLACK, moves, score), expected, "{moves}");
        };
        check("", "mate -9", "mate -9");
        check("a1b1 c2c3 b1a1", "mate -9", "cp 0");
        check("a1b1 c2c3 b1a1", "cp -500", "cp 0");
        check("a1b1 c2c3 b1a1", "mate 9", "mate 9");
        check("a1b1 c2c4 b1a1", "mate -9", "cp 0");
        check("a1b1 c2c3", "mate -9", "mate -9");
    }
}
