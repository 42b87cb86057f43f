//! A record as PGN, in the form that cutechess and fastchess write.

use shakmaty::san::SanPlus;
use shakmaty::{Color, Position};
use uci::Score;

use oracle::board::{Game, GameError};

use super::record::{GameRecord, MOST_NAME, PlayedMove, bounded};

/// The most columns of a line of moves. PGN's export format has less than 80.
const COLUMNS: usize = 79;

/// The tags of a game that its record does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PgnTags<'a> {
    /// The name of the match.
    pub event: &'a str,
    /// The place.
    pub site: &'a str,
    /// The day, as `2026.11.26`.
    pub date: &'a str,
    /// The round.
    pub round: &'a str,
    /// When the game began. The tag is left out if `None`.
    pub game_start_time: Option<&'a str>,
}

impl Default for PgnTags<'_> {
    /// Unknown values, as the PGN standard writes them.
    fn default() -> Self {
        Self { event: "?", site: "?", date: "????.??.??", round: "?", game_start_time: None }
    }
}

/// What the comment of a move holds beside score and depth. The names are those of fastchess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PgnField {
    /// The time of the move: `0.52s`.
    Time,
    /// What stands on the clock after the move: `tl=7.56s`.
    Clock,
    /// Nodes: `n=1000`.
    Nodes,
    /// The greatest depth in plies: `sd=20`.
    SelectiveDepth,
    /// Nodes per second: `nps=1000000`.
    Nps,
    /// How full the hash table is, in permille: `hashfull=12`.
    HashFull,
    /// Positions found in endgame tables: `tbhits=3`.
    TbHits,
    /// The principal variation in UCI notation: `pv="e2e4 e7e5"`.
    Pv,
}

/// Writes a game, with an empty line after the tags and after the moves.
///
/// The score of a move, in pawns, is that of the mover. A mate is written in plies, as cutechess and
/// fastchess do: `+M5` mates in three moves, `-M6` is mated in three. The moves of the opening have the
/// comment `book`. The last comment tells how the game ended, and with it a move that is not legal: it is
/// never written as a move.
///
/// # Errors
/// If the first position or a move of the record is not legal.
pub fn pgn(record: &GameRecord, tags: &PgnTags, fields: &[PgnField]) -> Result<String, GameError> {
    let game = record.game()?;
    let mut text = String::new();
    for (name, value) in tag_pairs(record, tags, &game) {
        text.extend(["[", name, " \"", &escaped(&value), "\"]\n"]);
    }
    text.push('\n');
    text.push_str(&wrapped(&tokens(record, &game, fields)));
    text.push('\n');
    Ok(text)
}

fn tag_pairs(record: &GameRecord, tags: &PgnTags, game: &Game) -> Vec<(&'static str, String)> {
    let mut pairs = vec![
        ("Event", tags.event.to_owned()),
        ("Site", tags.site.to_owned()),
        ("Date", tags.date.to_owned()),
        ("Round", tags.round.to_owned()),
        ("White", record.white.name.clone()),
        ("Black", record.black.name.clone()),
        ("Result", record.result().to_string()),
    ];
    if record.chess960 {
        pairs.push(("Variant", "fischerandom".to_owned()));
    }
    if record.chess960 || game.positions()[0] != shakmaty::Chess::default() {
        pairs.push(("SetUp", "1".to_owned()));
        pairs.push(("FEN", record.fen.clone()));
    }
    let [white, black] = [&record.white, &record.black].map(|player| player.time_control.pgn());
    if white == black {
        pairs.push(("TimeControl", white));
    } else {
        pairs.push(("TimeControl", "?".to_owned()));
        pairs.push(("WhiteTimeControl", white));
        pairs.push(("BlackTimeControl", black));
    }
    pairs.push(("Termination", record.end.termination().to_owned()));
    pairs.push(("PlyCount", game.moves().len().to_string()));
    let starved: Vec<&str> = record.starved().map(|player| player.name.as_str()).collect();
    if !starved.is_empty() {
        pairs.push(("Starved", starved.join(", ")));
    }
    pairs.extend(tags.game_start_time.map(|time| ("GameStartTime", time.to_owned())));
    pairs
}

/// The value of a tag, with quotes and backslashes escaped.
fn escaped(value: &str) -> String {
    bounded(value, MOST_NAME).replace('\\', "\\\\").replace('"', "\\\"")
}

/// The words of the moves and comments, and the result.
fn tokens(record: &GameRecord, game: &Game, fields: &[PgnField]) -> Vec<String> {
    let mut tokens = Vec::new();
    let plies = game.moves().len();
    for (ply, (position, &mv)) in game.positions().iter().zip(game.moves()).enumerate() {
        match position.turn() {
            Color::White => tokens.push(format!("{}.", position.fullmoves())),
            Color::Black if ply == 0 => tokens.push(format!("{}...", position.fullmoves())),
            Color::Black => {}
        }
        tokens.push(SanPlus::from_move(position.clone(), mv).to_string());
        let mut parts = match ply.checked_sub(record.opening.len()) {
            None => vec!["book".to_owned()],
            Some(index) => record.moves.get(index).map(|played| parts(played, fields)).unwrap_or_default(),
        };
        if ply + 1 == plies {
            parts.push(record.end.to_string());
        }
        push_comment(&mut tokens, &parts.join(", "));
    }
    if plies == 0 {
        push_comment(&mut tokens, &record.end.to_string());
    }
    tokens.push(record.result().to_string());
    tokens
}

/// The parts of the comment of a move.
fn parts(played: &PlayedMove, fields: &[PgnField]) -> Vec<String> {
    let depth = played.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let score = played.score.map(|score| format!("{}{depth}", score_text(score)));
    let time = fields.contains(&PgnField::Time).then(|| seconds(played.time));
    let first = [score, time].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let number = |name: &str, value: Option<u64>| value.map(|value| format!("{name}={value}"));
    let more = fields.iter().filter_map(|field| match field {
        PgnField::Time => None,
        PgnField::Clock => played.clock.map(|left| format!("tl={}", seconds(left))),
        PgnField::Nodes => number("n", played.nodes),
        PgnField::SelectiveDepth => number("sd", played.seldepth.map(u64::from)),
        PgnField::Nps => number("nps", played.nps),
        PgnField::HashFull => number("hashfull", played.hashfull.map(u64::from)),
        PgnField::TbHits => number("tbhits", played.tbhits),
        PgnField::Pv => (!played.pv.is_empty()).then(|| format!("pv=\"{}\"", played.pv.join(" "))),
    });
    Some(first).filter(|first| !first.is_empty()).into_iter().chain(more).collect()
}

/// A score in pawns with its sign, or the plies to mate.
fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(centipawns) => {
            let sign = match centipawns.signum() {
                1 => "+",
                0 => "",
                _ => "-",
            };
            let amount = centipawns.unsigned_abs();
            format!("{sign}{}.{:02}", amount / 100, amount % 100)
        }
        Score::Mate(moves) if moves > 0 => format!("+M{}", 2 * i64::from(moves) - 1),
        Score::Mate(moves) => format!("-M{}", 2 * i64::from(moves).abs()),
    }
}

/// Milliseconds as seconds, with two decimals, or three if needed.
fn seconds(milliseconds: u64) -> String {
    let (whole, part) = (milliseconds / 1000, milliseconds % 1000);
    if part % 10 == 0 { format!("{whole}.{:02}s", part / 10) } else { format!("{whole}.{part:03}s") }
}

/// Adds the words of a comment. A closing brace would end it, and a line that begins with a percent sign is
/// none of the game.
fn push_comment(tokens: &mut Vec<String>, text: &str) {
    let plain: String = text
        .chars()
        .map(|c| match c {
            '{' => '(',
            '}' => ')',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    let safe = |word: &str| if word.starts_with('%') { format!("'{word}") } else { word.to_owned() };
    let mut words: Vec<String> = plain.split_whitespace().map(safe).collect();
    if let Some(first) = words.first_mut() {
        first.insert(0, '{');
    }
    if let Some(last) = words.last_mut() {
        last.push('}');
    }
    tokens.extend(words);
}

/// The tokens on lines of at most [`COLUMNS`] characters, each with a line break. A longer token has a line
/// of its own.
fn wrapped(tokens: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for token in tokens {
        let width = token.chars().count();
        if column > 0 && column + 1 + width > COLUMNS {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(token);
        column += width;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::super::end::End;
    use super::super::opening::Opening;
    use super::super::processor::ProcessorUse;
    use super::super::record::PlayerRecord;
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn record(fen: &str, opening: &str, moves: &str, end: End) -> GameRecord {
        let player = |name: &str| PlayerRecord {
            name: name.to_owned(),
            time_control: "tc=8+0.08".parse().unwrap(),
            unasked: 0,
            processor: ProcessorUse::default(),
        };
        let moves =
            words(moves).into_iter().map(|uci| PlayedMove { uci, time: 520, ..PlayedMove::default() });
        GameRecord {
            white: player("A"),
            black: player("B"),
            fen: fen.to_owned(),
            chess960: false,
            opening: words(opening),
            moves: moves.collect(),
            end,
            fault: None,
            replays: 0,
        }
    }

    #[test]
    fn starved_engines_have_a_tag() {
        let mut record = standard("", "e2e4", End::TimeForfeit { loser: Color::Black });
        let text = |record: &GameRecord| pgn(record, &PgnTags::default(), &[]).unwrap();
        assert!(!text(&record).contains("Starved"));
        record.black.processor = ProcessorUse { ran: 100, waited: 200 };
        assert!(text(&record).contains("\n[Starved \"B\"]\n"), "{}", text(&record));
        record.white.processor = record.black.processor;
        assert!(text(&record).contains("\n[Starved \"A, B\"]\n"), "{}", text(&record));
    }

    fn standard(opening: &str, moves: &str, end: End) -> GameRecord {
        record(Opening::default().fen(), opening, moves, end)
    }

    /// The lines after the tags, with the time of each move.
    #[track_caller]
    fn check(record: &GameRecord, expected: &str) {
        let text = pgn(record, &PgnTags::default(), &[PgnField::Time]).unwrap();
        let (_, moves) = text.split_once("\n\n").unwrap();
        assert_eq!(moves, format!("{expected}\n\n"));
    }

    #[test]
    fn a_whole_game() {
        let mate = End::Checkmate { winner: Color::Black };
        let mut record = standard("f2f3 e7e5", "g2g4 d8h4", mate);
        record.moves[0].score = Some(Score::Centipawns(-35));
        record.moves[0].depth = Some(12);
        record.moves[1].score = Some(Score::Mate(1));
        let tags =
            PgnTags { event: "Test", game_start_time: Some("2026-11-26T13:00:00"), ..PgnTags::default() };
        let expected = "[Event \"Test\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n\
                        [Black \"B\"]\n[Result \"0-1\"]\n[TimeControl \"8+0.08\"]\n[Termination \"normal\"]\n\
                        [PlyCount \"4\"]\n[GameStartTime \"2026-11-26T13:00:00\"]\n\n1. f3 {book} e5 {book} \
                        2. g4 {-0.35/12 0.52s} Qh4# {+M1 0.52s, Black mates} 0-1\n\n";
        let text = pgn(&record, &tags, &[PgnField::Time]).unwrap();
        let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(&text), lines(expected));
    }

    #[test]
    fn black_to_move_and_another_start() {
        let fen = "4k3/8/8/8/8/8/4P3/R3K3 b Q - 7 31";
        let record = record(fen, "", "e8e7 e1c1", End::Interrupted);
        check(&record, "31... Ke7 {0.52s} 32. O-O-O {0.52s, Unfinished: the match was stopped} *");
        let text = pgn(&record, &PgnTags::default(), &[]).unwrap();
        assert!(
            text.contains(&format!("[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n[TimeControl")),
            "{text}"
        );
        assert!(text.contains("\n31... Ke7 32. O-O-O {Unfinished: the match was stopped} *\n"), "{text}");
    }

    #[test]
    fn a_game_without_moves_tells_its_end() {
        let crash = standard("", "", End::Crash { loser: Color::White });
        check(&crash, "{White disconnects} 0-1");
        let book = standard("f2f3 e7e5 g2g4 d8h4", "", End::Checkmate { winner: Color::Black });
        check(&book, "1. f3 {book} e5 {book} 2. g4 {book} Qh4# {book, Black mates} 0-1");
    }

    #[test]
    fn an_illegal_move_is_a_comment() {
        let text = "%e2}e5\n{\"x".to_owned();
        let record = standard("", "e2e4", End::IllegalMove { loser: Color::Black, text });
        check(&record, "1. e4 {0.52s, Black makes an illegal move: '%e2)e5 (\"x} 1-0");
    }

    #[test]
    fn chess960_and_different_clocks() {
        let fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1";
        let mut record = record(fen, "", "e1g1 e8b8", End::DrawAdjudication);
        record.chess960 = true;
        record.black.time_control = "st=1".parse().unwrap();
        check(&record, "1. O-O {0.52s} O-O-O {0.52s, Draw by adjudication} 1/2-1/2");
        let text = pgn(&record, &PgnTags::default(), &[]).unwrap();
        let tags = format!(
            "[Variant \"fischerandom\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n[TimeControl \"?\"]\n\
             [WhiteTimeControl \"8+0.08\"]\n[BlackTimeControl \"1/1\"]\n[Termination \"adjudication\"]\n"
        );
        assert!(text.contains(&tags), "{text}");
        record.fen = Opening::default().fen().to_owned();
        record.moves.clear();
        let text = pgn(&record, &PgnTags::default(), &[]).unwrap();
        assert!(text.contains("[FEN \"rnbqkbnr/"), "Chess960 always has a FEN: {text}");
    }

    #[test]
    fn fields_of_comments() {
        let mut record = standard("", "e2e4", End::Interrupted);
        record.moves[0] = PlayedMove {
            score: Some(Score::Mate(-3)),
            depth: Some(9),
            seldepth: Some(20),
            nodes: Some(1000),
            nps: Some(50_000),
            hashfull: Some(12),
            tbhits: Some(0),
            pv: words("e2e4 e7e5"),
            time: 1005,
            clock: Some(7560),
            ..record.moves[0].clone()
        };
        let fields = [
            PgnField::Time,
            PgnField::Clock,
            PgnField::Nodes,
            PgnField::SelectiveDepth,
            PgnField::Nps,
            PgnField::HashFull,
            PgnField::TbHits,
            PgnField::Pv,
        ];
        let text = pgn(&record, &PgnTags::default(), &fields).unwrap();
        let comment = "{-M6/9 1.005s, tl=7.56s, n=1000, sd=20, nps=50000, hashfull=12, tbhits=0, \
                       pv=\"e2e4 e7e5\", Unfinished: the match was stopped}";
        assert!(text.replace('\n', " ").contains(comment), "{text}");
    }

    #[test]
    fn scores_in_pawns_and_plies() {
        let check = |score, expected| assert_eq!(score_text(score), expected);
        check(Score::Centipawns(35), "+0.35");
        check(Score::Centipawns(-5), "-0.05");
        check(Score::Centipawns(0), "0.00");
        check(Score::Centipawns(i32::MIN), "-21474836.48");
        check(Score::Mate(3), "+M5");
        check(Score::Mate(-3), "-M6");
        check(Score::Mate(0), "-M0");
        check(Score::Mate(i32::MIN), "-M4294967296");
    }

    #[test]
    fn names_are_escaped() {
        let mut record = standard("", "", End::Interrupted);
        record.white.name = "A \"B\\C\"\n]".to_owned();
        record.black.name = "x".repeat(9999);
        let text = pgn(&record, &PgnTags::default(), &[]).unwrap();
        assert!(text.contains("[White \"A \\\"B\\\\C\\\" ]\"]\n"), "{text}");
        assert!(text.contains(&format!("[Black \"{}\"]\n", "x".repeat(MOST_NAME))), "{text}");
    }

    #[test]
    fn lines_are_short_and_hold_all_words() {
        let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(40);
        let record = standard("", &moves, End::Interrupted);
        let text = pgn(&record, &PgnTags::default(), &[PgnField::Time]).unwrap();
        assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
        let (_, found) = text.split_once("\n\n").unwrap();
        assert_eq!(found.split_whitespace().filter(|word| word.starts_with('N')).count(), 160);
        assert!(found.lines().count() > 20 && found.contains(" 80. Ng1 {0.52s} Ng8"), "{found}");
        let long = End::BadAnswer { loser: Color::White, text: "y".repeat(200) };
        let text = pgn(&standard("", "", long), &PgnTags::default(), &[]).unwrap();
        assert!(text.ends_with(&format!("\n{}}}\n0-1\n\n", "y".repeat(200))), "{text}");
    }

    #[test]
    fn a_record_with_an_illegal_move_is_refused() {
        let record = standard("", "e2e4 e2e4", End::Interrupted);
        let error = pgn(&record, &PgnTags::default(), &[]).unwrap_err().to_string();
        assert_eq!(error, "e2e4 is not legal after 1 moves");
    }
}
