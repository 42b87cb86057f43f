//! Misprints: our engine with one fault in what it prints, for checks that should find it.
//!
//! A misprint alters the score in `info` lines after the session has printed them. The search itself is not
//! touched.

use oracle::board::{self, Accept, Game, Spelling};
use shakmaty::{Color, File, Position, Rank, Square};
use uci::Question;

suites::words! {
    /// Which scores are printed wrongly. The words are the names of our engine with this misprint.
    pub enum Misprint: "misprint" {
        /// Each mate in two moves or more is one move shorter.
        ShortWins = "misprint-short-wins",
        /// Each mate is one move longer.
        LongWins = "misprint-long-wins",
        /// Each mate in four moves or more is one move longer.
        LongWinsOfFour = "misprint-long-wins-of-four",
        /// Being mated in two moves or more is one move sooner.
        ShortLosses = "misprint-short-losses",
        /// Being mated is one move later.
        LongLosses = "misprint-long-losses",
        /// Mates are two moves longer if White has a bare king.
        WhiteBare = "misprint-white-bare",
        /// Mates are one move longer if the king of the side with more men stands in the triangle f5, h5, h7.
        OneImage = "misprint-one-image",
        /// A lost position is scored as a draw if one move leads to a position that occurred before.
        Twofold = "misprint-twofold",
    }
}

impl Misprint {
    /// A line of the answer to a question, as it is printed.
    pub(super) fn print(self, question: &Question, line: &str) -> String {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        let Some(index) = tokens.windows(3).position(|tokens| tokens[0] == "score") else {
            return line.to_owned();
        };
        let Ok(number) = tokens[index + 2].parse::<i64>() else { return line.to_owned() };
        let score = match tokens[index + 1] {
            "mate" => self.mate(question, number),
            _ => self.centipawns(question, number),
        };
        let [before, after] = [&tokens[..index], &tokens[index + 3..]].map(|tokens| tokens.join(" "));
        format!("{before} score {score} {after}")
    }

    /// The score that replaces a mate in this number of moves.
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

    /// The score that replaces this number of centipawns.
    fn centipawns(self, question: &Question, number: i64) -> String {
        let is_drawn = self == Self::Twofold && number < 0 && may_repeat(question);
        format!("cp {}", if is_drawn { 0 } else { number })
    }
}

/// The board where the game starts. It is empty if the FEN cannot be read.
fn first_board(question: &Question) -> shakmaty::Board {
    board::setup(&question.fen).map_or_else(|_| shakmaty::Board::empty(), |setup| setup.board)
}

fn is_bare(question: &Question, color: Color) -> bool {
    first_board(question).by_color(color).count() == 1
}

/// Whether the king of the side with more men stands in the triangle f5, h5, h7, one of eight symmetric
/// images.
fn is_in_triangle(question: &Question) -> bool {
    let board = first_board(question);
    let men = |color| board.by_color(color).count();
    let stronger = Color::from_white(men(Color::White) > men(Color::Black));
    let is_there = |king: Square| {
        let (file, rank) = (u32::from(king.file()), u32::from(king.rank()));
        file >= u32::from(File::E) && rank >= u32::from(Rank::Fifth) && rank < file
    };
    board.king_of(stronger).is_some_and(is_there)
}

/// Whether a legal move leads to a position that stood on the board before.
fn may_repeat(question: &Question) -> bool {
    let Ok(start) = board::position(&question.fen, Accept::Legal) else { return false };
    let mut game = Game::at(start);
    let is_played = |text: &String| game.play_text(text, Spelling::Tolerant).is_ok();
    question.moves.iter().all(is_played)
        && game.position().legal_moves().into_iter().any(|mv| game.positions().contains(&game.after(mv)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::Limit;

    fn printed(misprint: Misprint, fen: &str, moves: &str, score: &str) -> String {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let question = Question { moves, ..Question::new(fen, Limit::Depth(1)) };
        let line = misprint.print(&question, &format!("info depth 1 score {score} nodes 1 pv a1a2"));
        let score = line.strip_prefix("info depth 1 score ").unwrap().strip_suffix(" nodes 1 pv a1a2");
        score.unwrap().to_owned()
    }

    const WHITE: &str = "8/8/8/8/8/1K6/2R5/k7 w - - 0 1";
    const BLACK: &str = "8/8/8/8/8/1k6/2r5/K7 w - - 0 1";
    const IMAGE: &str = "8/6K1/8/8/5R2/8/8/k7 w - - 0 1";

    #[test]
    fn each_misprint_alters_its_own_scores() {
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
    fn a_twofold_repetition_that_one_move_reaches_is_a_draw() {
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
