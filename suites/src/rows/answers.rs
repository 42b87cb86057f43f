//! The rows about players: what each answered in the positions of the suites.

use crate::draws::GameResult;
use crate::natural::Natural;
use crate::{Decimal3, ordered, word};
use crate::{Evidence, SkipReason, Verdict};
use serde::{Deserialize, Serialize};

// `stalemates_subjects.csv`: answers to the suite `stalemates`, counted by class and depth.

/// One class at one depth.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StalemateSubjectRow {
    /// Name of the engine.
    pub subject: String,
    /// The class of positions.
    pub class: String,
    /// Search depth in plies.
    pub depth: u32,
    /// Whether the engine had its tables.
    pub tables: bool,
    /// Positions asked.
    pub positions: u64,
    /// Positions whose answer is judged at this depth.
    pub due: u64,
    /// Right answers to these, without those that count as observed.
    pub agreed: u64,
    /// Answers without a fault where nothing is required: the answer is not judged at this depth, or the
    /// engine gives the same score to every position. Notes of `stalemate/shallow` count here too.
    pub observed: u64,
    /// Wrong scores.
    pub wrong_score: u64,
    /// Moves that stalemate in a won position.
    pub stalemated: u64,
    /// Moves that miss a saving stalemate.
    pub missed: u64,
    /// No answer, no score, or an illegal move.
    pub unanswered: u64,
    /// Wrong answers that were right when asked again; not counted in the columns before.
    pub flaky: u64,
}

// `protocol.csv`: how the cases of the checks of the protocol came out.

crate::words! {
    /// How a case of a check of the protocol came out.
    pub enum ProtocolVerdict: "verdict" {
        /// The engine did what the check demands.
        Agrees = "agrees",
        /// It did not; the finding is in `differences.csv`.
        Differs = "differs",
        /// Its fault came once, on a machine that may have been busy.
        Observed = "observed",
        /// The case was not compared.
        Skipped = "skipped",
    }
}

/// One case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProtocolRow {
    /// Name of the engine.
    pub subject: String,
    /// The check.
    pub check: String,
    /// The case, as its finding names it.
    pub case: String,
    /// How it came out.
    #[serde(with = "word")]
    pub verdict: ProtocolVerdict,
    /// Why it was not compared; `None` if it was.
    #[serde(with = "word::or_empty")]
    pub reason: Option<SkipReason>,
}

impl ProtocolRow {
    /// The row of a case with this verdict.
    pub fn new(subject: &str, check: &str, case: &str, verdict: &Verdict) -> Self {
        let (verdict, reason) = match verdict {
            Verdict::Agree => (ProtocolVerdict::Agrees, None),
            Verdict::Differ(_) => (ProtocolVerdict::Differs, None),
            Verdict::Observed => (ProtocolVerdict::Observed, None),
            Verdict::Skip(reason) => (ProtocolVerdict::Skipped, Some(*reason)),
        };
        let (subject, check, case) = (subject.to_owned(), check.to_owned(), case.to_owned());
        Self { subject, check, case, verdict, reason }
    }
}

// `mates.csv`: the mate announced in each position with a known mate, or without one.

crate::words! {
    /// How a position of the suite `mates`, or of a file in its place, came out.
    pub enum MateVerdict: "verdict" {
        /// The principal variation is illegal, or does not mate.
        BadLine = "bad line",
        /// The move is not legal.
        BadMove = "bad move",
        /// The shortest mate was announced.
        Exact = "exact",
        /// The answer was wrong, and right when the position was asked again.
        Flaky = "flaky",
        /// A longer mate than the shortest was announced.
        Longer = "longer",
        /// The line of the file cannot be read; the engine was not asked.
        Malformed = "malformed",
        /// No mate was announced, and the engine has promised to announce this one.
        Missed = "missed",
        /// No mate was announced, and there is none.
        None = "none",
        /// The engine was not asked: the time limit was reached, or the engine was given up.
        NotAsked = "not asked",
        /// No mate was announced, and there is one.
        NotFound = "not found",
        /// No mate was announced, and there is none; but the engine announces too few of the mates that there
        /// are.
        NotToldApart = "not told apart",
        /// The move loses the announced mate.
        Thrown = "thrown",
        /// There was no answer.
        Unanswered = "unanswered",
        /// A mate was announced, and it could not be decided whether it is there, or whether the move keeps
        /// it.
        Undecided = "undecided",
        /// No mate was announced, and it is not known whether there is one.
        Unknown = "unknown",
        /// The announced mate is not there.
        Unsound = "unsound",
        /// The mate was announced for the wrong side.
        WrongSign = "wrong sign",
    }
}

/// One position. Mates are in moves, negative where the side to move is mated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MateRow {
    /// Name of the engine.
    pub subject: String,
    /// The suite, or the name of a file.
    pub suite: String,
    /// Id of the position in the suite; its line in a file.
    pub case: String,
    /// What the position tests; the name of the file if it is from a file.
    pub class: String,
    /// The shortest mate; `None` if there is none, or none is known.
    pub mate: Option<i32>,
    /// The evidence for the mate, or for its absence; `None` if there is no evidence.
    #[serde(with = "word::or_empty")]
    pub evidence: Option<Evidence>,
    /// The last mate that the engine announced; `None` if it announced none.
    pub announced: Option<i32>,
    /// How it came out.
    #[serde(with = "word")]
    pub verdict: MateVerdict,
    /// Nodes searched up to the first true announcement; `None` if there was none.
    pub nodes: Option<u64>,
}

ordered!(MateRow, row => {
    let MateRow { subject, suite, case, class, mate, evidence, announced, verdict, nodes } = row;
    let evidence = evidence.map(|evidence| evidence.to_string());
    (subject, suite, Natural(case), class, mate, evidence, announced, verdict, nodes)
});

// `bestmove.csv`: the move played in each position of a file with best moves.

crate::words! {
    /// How a position with best moves came out.
    pub enum BestMoveVerdict: "verdict" {
        /// The move is not legal.
        BadMove = "bad move",
        /// The answer was wrong, and right when the position was asked again.
        Flaky = "flaky",
        /// The line of the file cannot be read; the engine was not asked.
        Malformed = "malformed",
        /// The move is none of the best moves, or one to avoid.
        Missed = "missed",
        /// The engine was not asked: the time limit was reached, or the engine was given up.
        NotAsked = "not asked",
        /// The best moves of the file are refuted.
        Overruled = "overruled",
        /// The move is one of the best moves and none to avoid.
        Solved = "solved",
        /// The move is proved to be worse than another one.
        Thrown = "thrown",
        /// There was no answer.
        Unanswered = "unanswered",
    }
}

/// One position. Moves are in SAN.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BestMoveRow {
    /// Name of the engine.
    pub subject: String,
    /// Name of the file.
    pub suite: String,
    /// Line of the position in the file, counted from 1.
    pub line: u64,
    /// The `id` of the line; empty if it has none.
    pub id: String,
    /// The best moves of the line, separated by blanks; empty if it names none.
    pub best: String,
    /// The moves to avoid, separated by blanks; empty if it names none.
    pub avoid: String,
    /// The move that was played; the text of the answer if it is not a legal move; empty if there was no
    /// answer.
    pub played: String,
    /// Points for the move; `None` if the line gives no points, or its best moves are refuted.
    pub points: Option<u32>,
    /// The most points for any move of the line; `None` as above.
    pub most_points: Option<u32>,
    /// How it came out.
    #[serde(with = "word")]
    pub verdict: BestMoveVerdict,
    /// The limit of the search, as `go` takes it; empty if the position was not asked.
    pub limit: String,
}

// `conversion.csv`: how many won endings are won against a perfect defender.

/// One ending with one set of aids.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ConversionRow {
    /// Name of the engine.
    pub subject: String,
    /// The ending, such as `KBNvK`.
    pub ending: String,
    /// The aids that were on, joined by `+`; `none` if none was.
    pub aids: String,
    /// The search limit for each move, as `go` takes it.
    pub limit: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub won: u64,
    /// How many games must be won; `None` if no number is required.
    pub demanded: Option<u64>,
    /// Games in which a move gave the win away.
    pub thrown: u64,
    /// Games drawn by the fifty-move rule in a won position.
    pub fifty_moves: u64,
    /// Games drawn by repetition in a won position.
    pub repetition: u64,
    /// Games that ended without an answer, or with an illegal move.
    pub unanswered: u64,
    /// Games won divided by games played.
    pub share: Option<Decimal3>,
    /// Lower end of the 95 % confidence interval of `share`.
    pub low: Option<Decimal3>,
    /// Upper end of that interval.
    pub high: Option<Decimal3>,
    /// Average number of plies that won games took beyond the distance to mate; `None` if no distance is
    /// known.
    pub plies_lost: Option<Decimal3>,
}

// `wins_thrown.csv`: the games of won endings that were not won.

crate::words! {
    /// How a game of a won ending ended without a win.
    pub enum NotWonReason: "end" {
        /// Draw by the fifty-move rule in a won position.
        FiftyMoves = "fifty moves",
        /// Draw by repetition in a won position.
        Repetition = "repetition",
        /// A move gave the win away.
        Thrown = "thrown",
        /// There was no answer, or an illegal move.
        Unanswered = "unanswered",
    }
}

/// One game.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WinThrownRow {
    /// Name of the engine, which has the winning side.
    pub subject: String,
    /// The ending, such as `KBNvK`.
    pub ending: String,
    /// The aids that were on, joined by `+`; `none` if none was.
    pub aids: String,
    /// The position at the start of the game.
    pub start: String,
    /// The position before the wrong move; the last position if no move was wrong.
    pub fen: String,
    /// The wrong move, as UCI writes it; empty if no move was wrong.
    pub played: String,
    /// How the game ended.
    #[serde(with = "word")]
    pub end: NotWonReason,
    /// The command that asks for the move again.
    pub replay: String,
}

// `draws.csv`: the score given to each position of the suite `draws`.

crate::words! {
    /// How a position of the suite `draws` came out.
    pub enum DrawVerdict: "verdict" {
        /// Score and move are right.
        Agree = "agree",
        /// Bishops on squares of one colour are not scored as a draw. No mate is possible with them.
        DeadBishops = "dead-bishops",
        /// The answer was wrong, and right when the position was asked again.
        Flaky = "flaky",
        /// Score and move are right, in a class that engines are not expected to see, or with fewer nodes
        /// than the case needs.
        Found = "found",
        /// The answer was wrong, and right with twenty times as many nodes.
        FoundDeeper = "late",
        /// Score or move is wrong, in a class that engines are not expected to see, or with fewer nodes than
        /// the case needs.
        Missed = "missed",
        /// The move is illegal, or gives the result away.
        Move = "move",
        /// The engine was not asked: the time limit was reached, or the engine was given up.
        NotAsked = "not asked",
        /// The score is right, but the engine scores decided positions as draws too.
        NotToldApart = "not told apart",
        /// A draw by perpetual check is not seen.
        Perpetual = "perpetual",
        /// The score is wrong.
        Score = "score",
        /// The score is wrong: the engine scores a twofold repetition as a draw.
        Twofold = "twofold",
        /// There was no answer, or no exact score.
        Unanswered = "unanswered",
    }
}

/// One position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRow {
    /// Name of the engine.
    pub subject: String,
    /// Id of the position in the suite.
    pub case: String,
    /// The draw rule.
    pub class: String,
    /// Whether the engine had its tables.
    pub tables: bool,
    /// The true result for the side to move.
    #[serde(with = "word")]
    pub expected: GameResult,
    /// The engine's score, as UCI writes it; empty if it gave none.
    pub score: String,
    /// How it came out.
    #[serde(with = "word")]
    pub verdict: DrawVerdict,
}

ordered!(DrawRow, row => {
    let DrawRow { subject, case, class, tables, expected, score, verdict } = row;
    (subject, Natural(case), class, tables, expected.name(), score, verdict)
});
