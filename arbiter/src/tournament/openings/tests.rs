//! Books that are read, and books that are refused.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use oracle::board::{self, Accept, Game, Spelling, position_in};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Move, Position};

use super::*;

const NONE: ReadOptions = ReadOptions { is_chess960: false, plies: None };
const CHESS960: ReadOptions = ReadOptions { is_chess960: true, plies: None };

/// The openings of a book, each as `variant|fen|moves|name`.
fn read(text: &str, format: BookFormat, options: ReadOptions) -> Result<Vec<String>, String> {
    let book = Book::read(text.as_bytes(), format, options).map_err(|error| error.to_string())?;
    let text = |opening: BookOpening| {
        let variant = if opening.is_chess960 { "960" } else { "" };
        let (fen, name) = (opening.fen.unwrap_or_default(), opening.name.unwrap_or_default());
        format!("{variant}|{fen}|{}|{name}", opening.moves.join(" "))
    };
    Ok((0..book.len()).map(|index| text(book.opening(index).unwrap())).collect())
}

#[track_caller]
fn epd(text: &str, options: ReadOptions, expected: &[&str]) {
    assert_eq!(read(text, BookFormat::Epd, options).unwrap(), expected);
}

#[track_caller]
fn pgn(text: &str, options: ReadOptions, expected: &[&str]) {
    assert_eq!(read(text, BookFormat::Pgn, options).unwrap(), expected);
}

#[track_caller]
fn refused(text: &str, format: BookFormat, expected: &str) {
    assert_eq!(read(text, format, NONE), Err(expected.to_owned()), "{text}");
}

#[test]
fn lines_of_four_and_of_six_fields() {
    let text = "\u{feff}# comment\r\n\r\n\
        rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 id \"open\tgame\"; ce 20;\r\n\
        4k3/8/8/8/8/8/4P3/4K3 b - - 7 40\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1;";
    epd(
        text,
        NONE,
        &[
            "|rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1||open game",
            "|4k3/8/8/8/8/8/4P3/4K3 b - - 7 40||",
            "|||",
        ],
    );
}

#[test]
fn castling_rights_of_chess960() {
    let shredder = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1";
    let x_fen = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
    let inner = "1r2k1r1/8/8/8/8/8/8/RR2K1R1 w Bb - 0 1";
    epd(
        &[shredder, x_fen, inner].join("\n"),
        NONE,
        &[
            &format!("960|{x_fen}||"),
            &format!("960|{x_fen}||"),
            "960|1r2k1r1/8/8/8/8/8/8/RR2K1R1 w Bq - 0 1||",
        ],
    );
    let standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    epd(standard, NONE, &["|||"]);
    epd(standard, CHESS960, &["960|||"]);
}

#[test]
fn lines_that_are_refused() {
    let check = |text: &str, expected: &str| refused(text, BookFormat::Epd, expected);
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    check("", "the book has no opening");
    check("# only a comment\n", "the book has no opening");
    check(&format!("{good}\n\n4k3/8 w"), "line 3: expected the first four fields of a FEN, got 2");
    check(&format!("{good}\n4k3/8 w - -"), "line 2: this is no FEN: invalid board part in fen");
    let check_given = "line 1: the position is not legal: the side that is not to move is in check";
    check("4k3/4Q3/8/8/8/8/8/4K3 w - -", check_given);
    check("7k/6Q1/6K1/8/8/8/8/8 b - -", "line 1: the position is over: checkmate");
    check("7k/5Q2/6K1/8/8/8/8/8 b - -", "line 1: the position is over: stalemate");
    check("7k/8/6K1/8/8/8/8/8 b - -", "line 1: the position is over: insufficient material");
    check("4k3/8/8/8/8/8/4P3/4K3 w - - 100 90", "line 1: the position is over: fifty-move rule");
    check(&format!("{good} id \"x"), "line 1: a quote is opened and not closed");
}

#[test]
fn games_with_comments_variations_and_tags() {
    let text = "[Event \"x\"]\n[ECO \"C42\"]\n[Opening \"Petrov's Defence\"]\n[Variation \"?\"]\n\n\
        1. e4 {best} e5 (1... c5 2. Zz9 (2. Nf3)) 2. Nf3! $1 Nf6 ; end\n3. Nxe5 1-0\n\n\
        [Event \"y\"]\n[FEN \"4k3/8/8/8/3p4/8/4P3/4K2R w K - 0 1\"]\n\n1. e4 dxe3 e.p. 2. 0-0+ *\n\
        [Event \"z\"]\n\n*\n\n1. d4 d5 2. Bf4\n\n[Event \"no result before\"]\n\n1. c4 1/2-1/2";
    pgn(
        text,
        NONE,
        &[
            "||e2e4 e7e5 g1f3 g8f6 f3e5|C42 Petrov's Defence",
            "|4k3/8/8/8/3p4/8/4P3/4K2R w K - 0 1|e2e4 d4e3 e1g1|",
            "|||",
            "||d2d4 d7d5 c1f4|",
            "||c2c4|",
        ],
    );
}

#[test]
fn games_are_cut_after_their_plies() {
    let mate = "1. f3 e5 2. g4 Qh4# 0-1\n\n1. a3 1-0";
    let cut = |plies| ReadOptions { plies: Some(plies), ..NONE };
    pgn(mate, cut(3), &["||f2f3 e7e5 g2g4|", "||a2a3|"]);
    pgn(mate, cut(0), &["|||", "|||"]);
    let over = "game 1, line 1: the game is over after 4 plies: checkmate; plies=N cuts it after N plies";
    refused(mate, BookFormat::Pgn, over);
    // A move after the cut is not played.
    pgn("1. e4 Ke4 *", cut(1), &["||e2e4|"]);
}

#[test]
fn games_of_chess960() {
    let text = "[Variant \"fischerandom\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]\n\n1. O-O Kd7 *\n\n\
        [FEN \"4k3/8/8/8/8/8/4P3/4KR2 w F - 0 1\"]\n\n1. O-O Kd7 *";
    pgn(
        text,
        NONE,
        &[
            "960|4k3/8/8/8/8/8/4P3/4K2R w K - 0 1|e1h1 e8d7|",
            "960|4k3/8/8/8/8/8/4P3/4KR2 w K - 0 1|e1f1 e8d7|",
        ],
    );
}

#[test]
fn games_that_are_refused() {
    let check = |text: &str, expected: &str| refused(text, BookFormat::Pgn, expected);
    check("", "the book has no opening");
    check("; nothing\n", "the book has no opening");
    check("1. e4 *\n\n1. e4 e5\n2. Ke3 *", "game 2, line 4: 2. \"Ke3\" is not legal");
    check("1. e4 e5 2. d4 d5 3. Nd3 *", "game 1, line 1: 3. \"Nd3\" is not legal");
    check("1. e4 Nf9 *", "game 1, line 1: 1... \"Nf9\" is no move");
    check("1. e4 -- 2. d4 *", "game 1, line 1: 1... \"--\" is not legal");
    check("1. d4 d5 2. Nf3 Nf6 3. Nd2 *", "game 1, line 1: 3. \"Nd2\" can be more than one move");
    check("1. e4 (1. d4 *", "game 1, line 1: a variation is opened with ( and not closed");
    check("1. e4) *", "game 1, line 1: a ) closes no variation");
    check("1. e4 {x", "game 1, line 1: a comment is opened with { and not closed");
    check("[Event x]\n*", "game 1, line 1: expected a tag such as [Event \"name\"]");
    check(
        "[Event \"x\"]\n\n[Event \"y\"]\n\n1. e4 *",
        "game 1, line 3: the tag Event is there twice; a game without moves ends with a result such as *",
    );
    let atomic = "game 1, line 2: the variant is \"Atomic\", and only standard chess and Chess960 are played";
    check("[Variant \"Atomic\"]\n1. e4 *", atomic);
    let repeated = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *";
    let over = "the game is over after 8 plies: threefold repetition; plies=N cuts it after N plies";
    check(repeated, &format!("game 1, line 1: {over}"));
    let fen = "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n*";
    check(fen, "game 1, line 2: the position is over: insufficient material");
}

/// A game of so many plies that is not over. Pawns move and men are captured only when the fifty-move rule is
/// near.
fn long_game(plies: usize) -> String {
    (0..50).find_map(|seed| drawn_game(plies, seed)).unwrap()
}

/// Such a game of random moves, unless it ends earlier.
fn drawn_game(plies: usize, seed: u64) -> Option<String> {
    let mut game = Game::at(Chess::default());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut words = Vec::new();
    for _ in 0..plies {
        let is_late = game.clock() > 90;
        let goes_on = |mv: &&Move| game.would_draw(**mv).is_none() && !game.after(**mv).is_game_over();
        let legal = game.position().legal_moves();
        let (wanted, others): (Vec<&Move>, Vec<&Move>) =
            legal.iter().filter(goes_on).partition(|mv| mv.is_zeroing() == is_late);
        let choice = if wanted.is_empty() { others } else { wanted };
        let drawn = rng.next_u64() % (choice.len() as u64).max(1);
        let mv = **choice.get(drawn as usize)?;
        words.push(SanPlus::from_move(game.position().clone(), mv).to_string());
        game.play(mv);
    }
    Some(words.join(" ") + " *")
}

#[test]
fn long_games_and_large_books_are_refused() {
    let long = long_game(MOST_PLIES + 1);
    let limit = "game 1, line 1: the game has more than 1000 plies; plies=N cuts it after N plies";
    refused(&long, BookFormat::Pgn, limit);
    let cut = ReadOptions { plies: Some(MOST_PLIES), ..NONE };
    let whole = Book::read(long_game(MOST_PLIES).as_bytes(), BookFormat::Pgn, NONE).unwrap();
    assert_eq!(whole.opening(0).unwrap().moves.len(), MOST_PLIES);
    assert_eq!(Book::read(long.as_bytes(), BookFormat::Pgn, cut).unwrap(), whole);
    let error = Book::read(&vec![0; MOST_BYTES + 1], BookFormat::Epd, NONE).unwrap_err();
    assert_eq!(error, BookError::Bytes(MOST_BYTES + 1));
}

#[test]
fn bytes_that_are_not_text_are_refused_or_ignored() {
    let latin = b"1. e4 {Gr\xfcnfeld} e5 *";
    assert_eq!(Book::read(latin, BookFormat::Pgn, NONE).unwrap().opening(0).unwrap().moves.len(), 2);
    assert!(Book::read(b"\xff\x00\xfe", BookFormat::Pgn, NONE).is_err());
    assert!(Book::read(b"\xff\x00\xfe", BookFormat::Epd, NONE).is_err());
}

#[test]
fn the_initial_position_is_a_book() {
    for is_chess960 in [false, true] {
        let book = Book::initial_position(is_chess960);
        let opening = book.opening(0).unwrap();
        assert_eq!((book.len(), opening.fen, opening.is_chess960), (1, None, is_chess960));
        assert_eq!(book.opening(1), None);
    }
}

/// Whatever bytes of a book change: it is refused, or its openings can be played.
#[test]
fn changed_books_are_refused_or_played() {
    let pgn = "[Event \"x\"]\n[FEN \"4k3/8/8/8/3p4/8/4P3/4K2R w K - 0 1\"]\n\n\
        1. e4 {a} dxe3 $1 (1... Kd7) 2. O-O *\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n";
    let epd = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 id \"a\";\n\
        4k3/8/8/8/8/8/4P3/4K2R w K - 7 40\n";
    let letters = b" \n[](){};%.$\"\\O0-xKQNabe18/wkq\xff";
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut played, mut refused) = (0, 0);
    for _ in 0..3000 {
        for (text, format) in [(pgn, BookFormat::Pgn), (epd, BookFormat::Epd)] {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=rng.next_u64() % 3 {
                let index = (rng.next_u64() % bytes.len() as u64) as usize;
                bytes[index] = letters[(rng.next_u64() % letters.len() as u64) as usize];
            }
            match Book::read(&bytes, format, NONE) {
                Ok(book) => {
                    (0..book.len()).for_each(|index| check_playable(&book.opening(index).unwrap()));
                    played += 1;
                }
                Err(error) => refused += usize::from(!error.to_string().is_empty()),
            }
        }
    }
    assert!(played > 300 && refused > 300, "{played} {refused}");
}

#[track_caller]
fn check_playable(opening: &BookOpening) {
    let mode = CastlingMode::from_chess960(opening.is_chess960);
    let standard = board::fen(&Chess::default());
    let start = position_in(opening.fen.as_ref().unwrap_or(&standard), mode, Accept::Legal).unwrap();
    let mut game = Game::at(start);
    for text in &opening.moves {
        game.play_text(text, Spelling::Exact).unwrap();
    }
    assert!(!game.is_over(), "{opening:?}");
}
