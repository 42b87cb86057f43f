//! Whether a game that a match runner wrote ended as its script demands.

use std::fmt;

use oracle::board::Accept;
use suites::arbiter::{ArbiterCase, ExpectedEnd, GameEnd};

use crate::game::GameResult;
use crate::judge::told_end::ToldEnd;
use crate::pgn::{PgnGame, start};

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The game begins with another position.
    Position,
    /// The moves are not those of the script.
    Moves {
        /// The first ply that differs, from 1.
        ply: usize,
    },
    /// The game has another result.
    Result {
        /// The result of the file.
        found: String,
        /// The end that the file names.
        told: String,
    },
    /// The game ended before it was over.
    Early {
        /// How many plies were played.
        plies: usize,
    },
    /// The game went on when it was over.
    Late {
        /// How many plies were played.
        plies: usize,
    },
    /// The file names another end.
    End {
        /// The end that it names.
        told: String,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position => f.write_str("the first position is not that of the script"),
            Self::Moves { ply } => write!(f, "ply {ply} is not that of the script"),
            Self::Result { found, told } => write!(f, "the result is {found}: {told}"),
            Self::Early { plies } => write!(f, "the game ended after {plies} plies"),
            Self::Late { plies } => write!(f, "the game went on for {plies} plies"),
            Self::End { told } => write!(f, "the end is told as: {told}"),
        }
    }
}

/// Holds a game of a runner against its script. A moment that is wrong goes before a wrong result, which follows from it.
///
/// # Errors
/// What is wrong.
pub fn judge(game: &PgnGame, case: &ArbiterCase, expected: ExpectedEnd) -> Result<(), Fault> {
    // As the reader of PGN reads the tag `FEN`.
    let first = start(Some(&case.fen), case.chess960, Accept::WrongRights);
    if !first.is_ok_and(|first| first == game.game.positions()[0]) {
        return Err(Fault::Position);
    }
    let answers = case.play.iter().filter_map(|answer| answer.best.as_ref());
    let script: Vec<&String> = case.book.iter().chain(answers).collect();
    let played = game.game.uci_moves();
    if let Some(at) = played.iter().zip(&script).position(|(played, scripted)| played != *scripted) {
        return Err(Fault::Moves { ply: at + 1 });
    }
    let plies = played.len();
    // Runners may write the answer down that came too late.
    let is_late = matches!(expected.end, GameEnd::Time | GameEnd::TimeDraw);
    let most = expected.plies + usize::from(is_late);
    if plies > most {
        return Err(Fault::Late { plies });
    }
    // A runner may notice at once that a process ended, or when it asks it again.
    if plies < expected.plies && expected.end != GameEnd::Crash {
        return Err(Fault::Early { plies });
    }
    let told = told(game);
    let found = game.result.unwrap_or(GameResult::Unfinished);
    if found.name() != expected.result.name() {
        return Err(Fault::Result { found: found.to_string(), told });
    }
    if names(game, expected.end) { Ok(()) } else { Err(Fault::End { told }) }
}

/// The words of c-chess-cli for ends on the board. In games of people they can mean something else.
const TERMINATIONS: [(&str, GameEnd); 5] = [
    ("checkmate", GameEnd::Checkmate),
    ("stalemate", GameEnd::Stalemate),
    ("insufficient material", GameEnd::DeadMaterial),
    ("3-fold repetition", GameEnd::Repetition),
    ("50 moves rule", GameEnd::FiftyMoves),
];

/// Whether the end that a game names can be this one. A game that names none is not to blame.
fn names(game: &PgnGame, end: GameEnd) -> bool {
    let termination = game.tag("Termination").to_lowercase();
    let comment = game.last_comment.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| termination.contains(word) || comment.contains(word));
    if let Some((_, told)) = TERMINATIONS.iter().find(|(word, _)| *word == termination) {
        return *told == end;
    }
    match (ToldEnd::of(game), end) {
        // Runners write "normal" for ends on the board alone. A sentence that is not known names no end.
        (ToldEnd::Other, end) => termination != "normal" || end.is_on_board(),
        (ToldEnd::Checkmate, GameEnd::Checkmate)
        | (ToldEnd::Stalemate, GameEnd::Stalemate)
        | (ToldEnd::Repetition, GameEnd::Repetition)
        | (ToldEnd::FiftyMoves, GameEnd::FiftyMoves)
        | (ToldEnd::DeadMaterial, GameEnd::DeadMaterial)
        | (ToldEnd::Time(_), GameEnd::Time | GameEnd::TimeDraw) => true,
        (ToldEnd::Adjudication { by_tables }, GameEnd::TableWin | GameEnd::TableDraw) => by_tables,
        (ToldEnd::Adjudication { by_tables }, GameEnd::Resign | GameEnd::ScoreDraw | GameEnd::MaxMoves) => {
            !by_tables
        }
        (ToldEnd::Unnatural, GameEnd::Illegal) => says(&["illegal", "no move", "rules infraction"]),
        // fastchess writes "abandoned" for an engine that hangs, too.
        (ToldEnd::Unnatural, GameEnd::Crash) => {
            says(&["disconnect", "abandoned", "crash"]) && !says(&["stall"])
        }
        _ => false,
    }
}

/// How a game says that it ended: the last part of its last comment, or the tag.
fn told(game: &PgnGame) -> String {
    let last = game.last_comment.rsplit(", ").next().unwrap_or_default();
    let last = if last.contains(' ') { last } else { "" };
    let tag = game.tag("Termination");
    let text = if last.is_empty() { tag } else { last };
    // fastchess says by how much an answer was late, which differs from run to run.
    let text = text.split_once(" (").map_or(text, |(text, _)| text);
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Block, read};

    const CASE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 play \"a1a8\"; end \"1-0 checkmate 1\"; rule \"x\"; id \"a/1\";";

    /// Holds a game against a case of one line.
    fn verdict(case: &str, tags: &str, moves: &str) -> Result<(), Fault> {
        let [case] = &suites::arbiter::parse("x.epd", &format!("# cases: 1\n{case}")).unwrap()[..] else {
            panic!("one case")
        };
        let text = format!("[Event \"x\"]\n[FEN \"{}\"]\n{tags}\n\n{moves}\n", case.fen);
        let block = Block { bytes: text.into_bytes(), line: 1, is_cut: false };
        let [Ok(game)] = &read(&block)[..] else { panic!("one game: {moves}") };
        judge(game, case, case.end)
    }

    #[test]
    fn a_game_from_another_position() {
        let [case] = &suites::arbiter::parse("x.epd", &format!("# cases: 1\n{CASE}")).unwrap()[..] else {
            panic!("one case")
        };
        let tags = [
            "",
            "[FEN \"6k1/5pp1/8/8/8/8/5PPP/R5K1 w - - 0 1\"]",
            "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1\"]",
        ];
        for tag in tags {
            let text = format!("[Event \"x\"]\n{tag}\n\n{{White mates}} 1-0\n");
            let block = Block { bytes: text.into_bytes(), line: 1, is_cut: false };
            let [Ok(game)] = &read(&block)[..] else { panic!("one game: {tag}") };
            assert_eq!(judge(game, case, case.end), Err(Fault::Position), "{tag}");
        }
    }

    /// An end that a game names by a word which does not fit it.
    #[test]
    fn a_normal_end_is_one_on_the_board() {
        const NORMAL: &str = "[Termination \"normal\"]";
        assert_eq!(verdict(CASE, NORMAL, "1. Ra8# 1-0"), Ok(()));
        assert_eq!(verdict(CASE, "[Termination \"checkmate\"]", "1. Ra8# 1-0"), Ok(()));
        for word in ["stalemate", "insufficient material", "3-fold repetition", "50 moves rule"] {
            let told = verdict(CASE, &format!("[Termination \"{word}\"]"), "1. Ra8# 1-0");
            assert!(matches!(told, Err(Fault::End { .. })), "{word}: {told:?}");
        }
        for end in ["time", "illegal", "crash", "resign"] {
            let case = CASE.replace("1-0 checkmate 1", &format!("0-1 {end} 0"));
            assert_eq!(verdict(&case, "", "0-1"), Ok(()), "{end}");
            assert_eq!(verdict(&case, "", "{White gave up} 0-1"), Ok(()), "{end}");
            assert_eq!(verdict(&case, NORMAL, "0-1"), Err(Fault::End { told: "normal".to_owned() }), "{end}");
        }
        let crash = CASE.replace("1-0 checkmate 1", "0-1 crash 0");
        let stalls = "White's connection stalls";
        let found = verdict(&crash, "[Termination \"abandoned\"]", &format!("{{{stalls}}} 0-1"));
        assert_eq!(found, Err(Fault::End { told: stalls.to_owned() }));
    }

    #[test]
    fn a_game_that_ended_as_it_has_to() {
        for moves in ["1. Ra8# 1-0", "1. Ra8# {+M1/1 0.1s, White mates} 1-0"] {
            assert_eq!(verdict(CASE, "", moves), Ok(()), "{moves}");
        }
        let time = CASE.replace("1-0 checkmate 1", "0-1 time 0");
        for moves in ["{White loses on time} 0-1", "1. Ra8# {0.3s, White loses on time (99ms overrun)} 0-1"] {
            assert_eq!(verdict(&time, "[Termination \"time forfeit\"]", moves), Ok(()), "{moves}");
        }
        let crash = CASE.replace("1-0 checkmate 1", "0-1 crash 0");
        assert_eq!(verdict(&crash, "[Termination \"abandoned\"]", "{White disconnects} 0-1"), Ok(()));
    }

    #[test]
    fn each_fault_is_found() {
        let told = |text: &str| text.to_owned();
        let check = |case: &str, moves: &str, expected: Fault| {
            assert_eq!(verdict(case, "", moves), Err(expected), "{moves}");
        };
        check(CASE, "1. Kf1 {White mates} 1-0", Fault::Moves { ply: 1 });
        check(CASE, "{Draw by stalemate} 1/2-1/2", Fault::Early { plies: 0 });
        let early = CASE.replace("checkmate 1", "resign 0");
        check(&early, "1. Ra8# {White mates} 1-0", Fault::Late { plies: 1 });
        check(
            CASE,
            "1. Ra8# {0.1s, Draw by stalemate} 1/2-1/2",
            Fault::Result { found: told("1/2-1/2"), told: told("Draw by stalemate") },
        );
        check(CASE, "1. Ra8# {Black loses on time} 1-0", Fault::End { told: told("Black loses on time") });
        let tables = CASE.replace("checkmate", "table-win");
        check(
            &tables,
            "1. Ra8# {White wins by adjudication} 1-0",
            Fault::End { told: told("White wins by adjudication") },
        );
        assert_eq!(verdict(&tables, "", "1. Ra8# {White wins by adjudication: SyzygyTB} 1-0"), Ok(()));
        let illegal = CASE.replace("1-0 checkmate 1", "0-1 illegal 0");
        assert!(verdict(&illegal, "[Termination \"abandoned\"]", "0-1").is_err());
    }
}
