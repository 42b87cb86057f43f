//! Positions: FENs read and written, moves, the positions after them, keys, checks, and the end of the game.

use engine::{CastlingMode, Position};
use shakmaty::{Chess, EnPassantMode, Position as _, Setup, Square};
use suites::perft::Castling;
use suites::{Evidence, Findings, Tally, Verdict};

use super::{Asked, Job, SUBJECT, Wrong, ask, first_difference, gather};
use crate::board::{self, Accept};
use crate::parallel;

const REFUSAL: &str = "library/refusal";

/// Facts about a position, as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// The moves in UCI notation, sorted; then the texts of other moves that are accepted.
    pub(super) moves: Vec<String>,
    /// For each move the FEN after it and whether its key is that of the FEN.
    pub(super) after: Vec<String>,
    /// The FENs, who gives check, and how the game ends.
    pub(super) printed: Vec<String>,
}

pub(super) fn run(job: &Job, positions: &[Asked]) -> Vec<Findings> {
    let verdicts = parallel::map_each(positions, verdicts);
    let mut found =
        PARTS.map(|(check, _)| Findings::new(Tally::new(SUBJECT, check, Evidence::Agreement, "positions")));
    for of_position in verdicts {
        found.iter_mut().zip(of_position).for_each(|(findings, verdict)| findings.record(verdict));
    }
    let mutated = mutations(positions);
    let mut refused = gather(REFUSAL, job.sample(), "changed FENs", &mutated, refusal);
    for (number, fen) in REFUSED.into_iter().enumerate() {
        refused.record(refused_always(number, fen));
    }
    for (number, fen) in GREATEST.into_iter().enumerate() {
        refused.record(accepted_always(number, fen));
    }
    found.into_iter().chain([refused]).collect()
}

/// FENs that the engine refuses, even if shakmaty accepts them: counters that are not plain numbers, castling
/// rights without a rook or given twice, en passant squares that no pawn has passed, and more men than
/// promotions explain.
const REFUSED: [&str; 16] = [
    "4k3/8/8/8/8/8/8/4K3 w - - +5 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 007 1",
    "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 01",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 70000",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x",
    "4k3/8/8/8/8/8/8/4K2R w Q - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w KK - 0 1",
    "4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1",
    "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1",
    "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1",
    "4k3/8/8/8/8/8/8/4K3 b - e3 0 1",
    "4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1",
    "4k3/8/8/8/8/8/PPPPPPPP/NNN1K3 w - - 0 1",
    "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
    "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
];

/// The first so many of them are no FENs, so that not even a setup is read of them.
const NO_FENS: usize = 6;

fn refused_always(number: usize, fen: &str) -> Verdict {
    let got = match ask(|| (Position::from_fen(fen).is_ok(), engine::Setup::from_fen(fen).is_ok())) {
        Ok((true, _)) => "accepted".to_owned(),
        Ok((_, true)) if number < NO_FENS => "read by Setup::from_fen".to_owned(),
        Ok(_) => return Verdict::Agree,
        Err(panic) => panic,
    };
    let (case, because) = (format!("refused/{number:02}"), "no game leads there, or it is no FEN".to_owned());
    let expected = "refused".to_owned();
    Wrong { check: REFUSAL, case: &case, fen, got, expected, source: "definition", because }.verdict()
}

/// FENs with the greatest counters that our engine documents. It accepts them, and prints them as they are.
const GREATEST: [&str; 2] = ["4k3/8/8/8/8/8/8/R3K3 w - - 9999 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 9999"];

fn accepted_always(number: usize, fen: &str) -> Verdict {
    let got = match ask(|| Position::from_fen(fen).map(Position::to_fen)) {
        Ok(Ok(printed)) if printed == fen => return Verdict::Agree,
        Ok(Ok(printed)) => printed,
        Ok(Err(error)) => error.to_string(),
        Err(panic) => panic,
    };
    let (case, because) = (format!("accepted/{number:02}"), "9999 is the greatest counter".to_owned());
    let expected = fen.to_owned();
    Wrong { check: REFUSAL, case: &case, fen, got, expected, source: "definition", because }.verdict()
}

/// A part of the facts.
type Part = fn(&Facts) -> &[String];

/// The checks, and the part of the facts that each compares.
const PARTS: [(&str, Part); 3] = [
    ("library/moves", |facts| &facts.moves),
    ("library/after", |facts| &facts.after),
    ("library/fen", |facts| &facts.printed),
];

fn verdicts(asked: &Asked) -> [Verdict; 3] {
    let (got, truth) = (ask(|| facts(asked)), truth(asked));
    PARTS.map(|(check, part)| {
        judge(check, asked, got.as_ref().map(part).map_err(String::as_str), part(&truth))
    })
}

/// The verdict on one part of the facts.
pub(super) fn judge(
    check: &str,
    asked: &Asked,
    got: Result<&[String], &str>,
    expected: &[String],
) -> Verdict {
    let (got, expected) = match got {
        Ok(got) => match first_difference(got, expected) {
            Some(difference) => difference,
            None => return Verdict::Agree,
        },
        Err(panic) => (panic.to_owned(), "an answer".to_owned()),
    };
    let because = "shakmaty reads, moves and writes the same position".to_owned();
    Wrong { check, case: &asked.case, fen: &asked.fen, got, expected, source: "shakmaty", because }.verdict()
}

/// The facts according to the engine. It parses texts of all moves of own men, with each promotion.
pub(super) fn facts(asked: &Asked) -> Facts {
    let mode = mode(asked.castling);
    let position = match Position::from_fen(&asked.fen) {
        Ok(position) => position,
        Err(error) => return Facts { moves: vec![format!("refused: {error}")], ..Facts::default() },
    };
    let legal = position.legal_moves();
    let mut moves: Vec<(String, engine::Move)> =
        legal.iter().map(|&mv| (position.to_uci(mv, mode), mv)).collect();
    moves.sort();
    let named: Vec<String> = moves.iter().map(|(text, _)| text.clone()).collect();
    let accepted = candidates(&asked.fen).filter(|text| {
        let parsed = position.parse_uci(text, mode).is_ok();
        let made = made(text).is_some_and(|mv| position.is_legal(mv) || position.try_play(mv).is_ok());
        parsed || made
    });
    let mut accepted: Vec<String> = accepted.map(|text| format!("accepts {text}")).collect();
    accepted.sort();
    let after = |(text, mv): &(String, engine::Move)| {
        let next = position.play(*mv);
        let fen = next.to_fen();
        let same = position.try_play(*mv).is_ok_and(|tried| tried == next)
            && position.parse_uci(text, mode).is_ok_and(|parsed| parsed == *mv);
        let read = Position::from_fen(&fen).is_ok_and(|read| read.key() == next.key() && read.repeats(&next));
        format!("{text}: {fen}{}", if same && read { "" } else { ", with another key" })
    };
    Facts {
        moves: [named, accepted].concat(),
        after: moves.iter().map(after).collect(),
        printed: vec![
            position.to_fen(),
            position.to_shredder_fen(),
            engine::Setup::from_fen(&asked.fen)
                .map_or_else(|error| error.to_string(), |setup| setup_fen(&setup)),
            format!("checkers {}", squares(position.checkers())),
            format!("ends: {}", ended(&position)),
            format!("men {}", men(position.board())),
            format!("castling rooks {}", castling_rooks(&position)),
        ],
    }
}

/// The men by square, if all functions that return them agree.
fn men(board: &engine::Board) -> String {
    let of_square = |square: engine::Square| {
        let piece = board.piece_at(square)?;
        let agrees = board.role_at(square) == Some(piece.role)
            && board.color_at(square) == Some(piece.color)
            && board.pieces(piece.color, piece.role).contains(square)
            && board
                .flip_colors()
                .piece_at(square.flip_vertical())
                .is_some_and(|flipped| flipped.color != piece.color);
        let letter = if agrees { piece.to_char() } else { '?' };
        Some(format!("{letter}{square}"))
    };
    let mut men: Vec<String> = engine::Square::ALL.into_iter().filter_map(of_square).collect();
    men.sort();
    let kings = engine::Color::ALL.map(|color| {
        let king = board.pieces(color, engine::Role::King);
        if king.is_single() && board.king(color) == king.first() { "one king" } else { "no one king" }
    });
    format!("{}; {}", men.join(" "), kings.join(", "))
}

/// The rooks that may castle, White's and Black's.
fn castling_rooks(position: &Position) -> String {
    let rights = position.castling();
    let turned = rights.flip_colors();
    let of = |color: engine::Color| {
        let same = turned.rooks_of(!color).count() == rights.rooks_of(color).count();
        format!("{}{}", squares(rights.rooks_of(color)), if same { "" } else { " (turned wrongly)" })
    };
    engine::Color::ALL.map(of).join(", ")
}

/// The move of a text, made of its squares and its promotion.
fn made(text: &str) -> Option<engine::Move> {
    let promotion = match text.get(4..)? {
        "" => None,
        letter => Some(engine::Role::from_char(letter.chars().next().filter(char::is_ascii_lowercase)?)?),
    };
    Some(engine::Move { from: text.get(..2)?.parse().ok()?, to: text.get(2..4)?.parse().ok()?, promotion })
}

/// The FEN of a setup; it has to be read back as the same setup.
fn setup_fen(setup: &engine::Setup) -> String {
    let again = [setup.to_fen(), setup.to_shredder_fen()].map(|fen| engine::Setup::from_fen(&fen));
    if again.iter().all(|read| read.as_ref() == Ok(setup)) {
        "read as written".to_owned()
    } else {
        setup.to_fen()
    }
}

fn squares(squares: engine::Bitboard) -> String {
    let mut names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    names.sort();
    names.join(" ")
}

fn ended(position: &Position) -> String {
    let told = position.outcome().map_or("no".to_owned(), |outcome| outcome.to_string());
    let flags = [
        ("checkmate", position.is_checkmate()),
        ("stalemate", position.is_stalemate()),
        ("dead material", position.board().is_dead_material()),
        ("moves", position.has_legal_move()),
    ];
    let flags: Vec<&str> = flags.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect();
    format!("{told}; {}", flags.join(", "))
}

fn mode(castling: Castling) -> CastlingMode {
    match castling {
        Castling::Standard => CastlingMode::Standard,
        Castling::Chess960 => CastlingMode::Chess960,
    }
}

/// The facts according to shakmaty.
pub(super) fn truth(asked: &Asked) -> Facts {
    let mode = match asked.castling {
        Castling::Standard => shakmaty::CastlingMode::Standard,
        Castling::Chess960 => shakmaty::CastlingMode::Chess960,
    };
    let Ok(position) = board::position_in(&asked.fen, mode, Accept::Unreachable) else {
        return Facts::default();
    };
    let mut moves: Vec<(String, shakmaty::Move)> =
        position.legal_moves().iter().map(|&mv| (board::uci_text(mv, mode), mv)).collect();
    moves.sort_by(|one, other| one.0.cmp(&other.0));
    let named: Vec<String> = moves.iter().map(|(text, _)| text.clone()).collect();
    // The texts include no moves of a king.
    let of_others = moves.iter().filter(|(_, mv)| mv.role() != shakmaty::Role::King);
    let accepted: Vec<String> = of_others.map(|(text, _)| format!("accepts {text}")).collect();
    let after =
        moves.iter().map(|(text, mv)| format!("{text}: {}", board::fen(&board::after(&position, *mv))));
    Facts {
        after: after.collect(),
        moves: [named, accepted].concat(),
        printed: vec![
            board::fen(&position),
            shredder(&position),
            "read as written".to_owned(),
            format!("checkers {}", checkers(&position)),
            format!("ends: {}", true_end(&position)),
            format!("men {}", true_men(&position)),
            format!("castling rooks {}", true_castling_rooks(&position)),
        ],
    }
}

fn true_men(position: &Chess) -> String {
    let man = |(square, piece): (Square, shakmaty::Piece)| format!("{}{square}", piece.char());
    let mut men: Vec<String> = position.board().iter().map(man).collect();
    men.sort();
    format!("{}; one king, one king", men.join(" "))
}

fn true_castling_rooks(position: &Chess) -> String {
    let rights = position.castles().castling_rights();
    let of = |color: shakmaty::Color| {
        let rooks = rights & position.board().by_color(color);
        let mut names: Vec<String> = rooks.into_iter().map(|square| square.to_string()).collect();
        names.sort();
        names.join(" ")
    };
    [shakmaty::Color::White, shakmaty::Color::Black].map(of).join(", ")
}

/// Castling rights by the files of their rooks, the king's side first.
pub(super) fn shredder(position: &Chess) -> String {
    let setup: Setup = position.to_setup(EnPassantMode::Legal);
    let mut letters = String::new();
    for color in [shakmaty::Color::White, shakmaty::Color::Black] {
        let rooks = setup.castling_rights & setup.board.by_color(color);
        let mut rooks: Vec<Square> = rooks.into_iter().collect();
        rooks.sort_by_key(|rook| std::cmp::Reverse(rook.file()));
        letters.extend(rooks.iter().map(|rook| match color {
            shakmaty::Color::White => rook.file().upper_char(),
            shakmaty::Color::Black => rook.file().char(),
        }));
    }
    let fen = board::fen(position);
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[2] = if letters.is_empty() { "-" } else { &letters };
    fields.join(" ")
}

fn checkers(position: &Chess) -> String {
    let mut names: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    names.sort();
    names.join(" ")
}

fn true_end(position: &Chess) -> String {
    let has_moves = !position.legal_moves().is_empty();
    let is_dead = position.is_insufficient_material();
    let told = match (has_moves, position.is_check()) {
        (false, true) => format!("checkmate: {} wins", position.turn().other().to_string().to_lowercase()),
        (false, false) => "draw: stalemate".to_owned(),
        (true, _) if is_dead => "draw: dead material".to_owned(),
        (true, _) if position.halfmoves() >= 150 => "draw: seventy-five moves".to_owned(),
        (true, _) => "no".to_owned(),
    };
    let flags = [
        ("checkmate", position.is_checkmate()),
        ("stalemate", position.is_stalemate()),
        ("dead material", is_dead),
        ("moves", has_moves),
    ];
    let flags: Vec<&str> = flags.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect();
    format!("{told}; {}", flags.join(", "))
}

/// The texts of moves from each square to each other one, with and without a promotion. Castling is not among
/// them: its spelling depends on the mode.
fn candidates(fen: &str) -> impl Iterator<Item = String> + use<> {
    let own = fen.split(' ').nth(1).unwrap_or("w").to_owned();
    let board = fen.split(' ').next().unwrap_or_default().parse::<shakmaty::Board>().unwrap_or_default();
    let color = if own == "w" { shakmaty::Color::White } else { shakmaty::Color::Black };
    let men = board.by_color(color) & !board.by_role(shakmaty::Role::King);
    men.into_iter().flat_map(move |from| {
        let promotes = board.role_at(from) == Some(shakmaty::Role::Pawn);
        Square::ALL.into_iter().filter(move |to| *to != from).flat_map(move |to| {
            let kinds: &[&str] = if promotes { &["", "q", "r", "b", "n", "k", "p", "Q"] } else { &["", "q"] };
            kinds.iter().map(move |kind| format!("{from}{to}{kind}"))
        })
    })
}

/// A changed FEN: the position that it comes from, and the change.
#[derive(Debug, Clone)]
struct Changed {
    case: String,
    fen: String,
}

/// A change of a FEN.
type Change = fn(&str) -> String;

/// Changes of FENs. Some stay legal.
const CHANGES: [(&str, Change); 9] = [
    ("no white king", |fen| board_of(fen, |board| board.replacen('K', "1", 1))),
    ("no black king", |fen| board_of(fen, |board| board.replacen('k', "1", 1))),
    ("two black kings", |fen| board_of(fen, |board| replaced(board, |letter| !"kK".contains(letter), 'k'))),
    ("a pawn on the last rank", |fen| {
        board_of(fen, |board| {
            replaced(board, |letter| letter.is_ascii_alphabetic() && !"kK".contains(letter), 'P')
        })
    }),
    ("a pawn on the first rank", |fen| {
        board_of(fen, |board| {
            let (rest, last) = board.rsplit_once('/').unwrap_or_default();
            format!(
                "{rest}/{}",
                replaced(last, |letter| letter.is_ascii_alphabetic() && !"kK".contains(letter), 'p')
            )
        })
    }),
    ("the other side to move", |fen| {
        let fields: Vec<&str> = fen.split(' ').collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        [fields[0], side, fields[2], "-", fields[4], fields[5]].join(" ")
    }),
    ("a rank too long", |fen| board_of(fen, |board| format!("{board}1"))),
    ("seven ranks", |fen| board_of(fen, |board| board.rsplit_once('/').unwrap_or_default().0.to_owned())),
    ("an unknown man", |fen| {
        board_of(fen, |board| replaced(board, |letter| letter.is_ascii_alphabetic(), 'x'))
    }),
];

/// The FEN with another board.
fn board_of(fen: &str, change: impl Fn(&str) -> String) -> String {
    let (board, rest) = fen.split_once(' ').unwrap_or_default();
    format!("{} {rest}", change(board))
}

/// The text with its first letter of this kind replaced.
fn replaced(text: &str, is_wanted: impl Fn(char) -> bool, by: char) -> String {
    let place = text.find(|letter: char| letter.is_ascii_alphabetic() && is_wanted(letter));
    place.map_or_else(|| text.to_owned(), |place| format!("{}{by}{}", &text[..place], &text[place + 1..]))
}

fn mutations(positions: &[Asked]) -> Vec<Changed> {
    let changed = |(number, asked): (usize, &Asked)| {
        let (what, change) = CHANGES[number % CHANGES.len()];
        // Castling rights and en passant squares have their own rules.
        let fields: Vec<&str> = asked.fen.split(' ').collect();
        let plain = [fields[0], fields[1], "-", "-", fields[4], fields[5]].join(" ");
        Changed { case: format!("{}/{what}", asked.case), fen: change(&plain) }
    };
    positions.iter().enumerate().map(changed).collect()
}

/// Whether the engine refuses a changed FEN exactly if shakmaty does.
fn refusal(changed: &Changed) -> Verdict {
    let is_legal = board::position(&changed.fen, Accept::Unreachable).is_ok();
    let word = |accepted: bool| if accepted { "accepted" } else { "refused" }.to_owned();
    let got = ask(|| Position::from_fen(&changed.fen).is_ok());
    if got == Ok(is_legal) {
        return Verdict::Agree;
    }
    let because = board::position(&changed.fen, Accept::Unreachable).err();
    let wrong = Wrong {
        check: REFUSAL,
        case: &changed.case,
        fen: &changed.fen,
        got: got.map_or_else(|panic| panic, word),
        expected: word(is_legal),
        source: "shakmaty",
        because: because.map_or_else(|| "the position is legal".to_owned(), |error| error.to_string()),
    };
    wrong.verdict()
}
