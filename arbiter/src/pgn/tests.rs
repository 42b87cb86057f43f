//! Files of games, as programs write them and as they are damaged.

use oracle::board::fen;

use super::*;

/// For each game its line, players, moves and result; or the line and the fault.
fn told(text: impl AsRef<[u8]>) -> Vec<String> {
    let mut blocks = Blocks::new(text.as_ref());
    let mut told = Vec::new();
    while let Some(block) = blocks.next_block().unwrap() {
        for game in read(&block) {
            told.push(match game {
                Ok(game) => {
                    let illegal =
                        game.illegal.as_ref().map(|text| format!(" illegal {text}")).unwrap_or_default();
                    let result = game.result.map(|result| format!(" {result}")).unwrap_or_default();
                    let moves = game.game.uci_moves().join(" ");
                    format!(
                        "{}: {}-{} {moves}{illegal}{result}",
                        game.line,
                        game.tag("White"),
                        game.tag("Black")
                    )
                }
                Err(error) => format!("{}: {error}", error.line),
            });
        }
    }
    told
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(told(text), expected, "{text}");
    assert_eq!(told(text.replace('\n', "\r\n")), expected, "Windows: {text}");
    assert_eq!(told(text.replace('\n', "\r")), expected, "old Macs: {text}");
}

#[test]
fn games_follow_each_other() {
    check(
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5\n2. Nf3 1-0\n\n[White \"C\"]\n[Black \"A\"]\n\n*\n[White \"D\"]\n",
        &["1: A-B e2e4 e7e5 g1f3 1-0", "7: C-A  *", "11: D- "],
    );
    check("1. e4 1-0\n\n1. d4 {x}\n\nd5 0-1\n{ the end }\n", &["1: - e2e4 1-0", "3: - d2d4 d7d5 0-1"]);
    check("", &[]);
    check("\n\n; nothing\n{ nothing }\n", &[]);
}

#[test]
fn variations_annotations_and_comments_are_no_moves() {
    check(
        "1. e4! $1 {best (by test) [x} (1. d4 d5 (1... Nf6 {x}) 2. c4 1-0) e5 ; 2. a4\n% 2. b4\n2. Nf3?! 1/2-1/2",
        &["1: - e2e4 e7e5 g1f3 1/2-1/2"],
    );
    check("1. e4 {a {nested} comment} e5 *", &["1: - e2e4 e7e5 *"]);
    check("1. e4 {an open { brace} e5 *", &["1: - e2e4 e7e5 *"]);
}

#[test]
fn starts_of_all_kinds() {
    let shredder =
        "[Variant \"fischerandom\"]\n[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\"]\n";
    check(&format!("{shredder}1. O-O O-O-O *"), &["1: - e1g1 e8b8 *"]);
    check(&format!("{} 1. O-O *", shredder.replace("GBgb", "KQkq")), &["1: - e1g1 *"]);
    check(&format!("{} 1. O-O *", shredder.replace("[Variant \"fischerandom\"]\n", "")), &["1: - e1g1 *"]);
    check("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 7\"]\n7... Kd7 8. e4 *", &["1: - e8d7 e2e4 *"]);
    let bad = "the position is not legal: a side has no king";
    // The line is that of the tag.
    check("[FEN \"4k3/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n", &[&format!("1: {bad}")]);
    for none in ["", "?", "-", " "] {
        check(&format!("[FEN \"{none}\"]\n1. e4 *"), &["1: - e2e4 *"]);
    }
    // Rights that the position does not allow.
    check("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w KQkq e6 0 1\"]\n1. e4 *", &["1: - e2e4 *"]);
    check("[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\"]\n1. O-O *", &["1: - e1h1 *"]);
    let variant = "2: the variant is \"Atomic\", and only standard chess and Chess960 are judged";
    check("[Variant \"Atomic\"]\n1. e4 *\n[White \"A\"]\n*", &[variant, "3: A-  *"]);
}

#[test]
fn a_game_that_cannot_be_read_is_named_and_the_next_is_read() {
    let next = "\n[White \"A\"]\n1. d4 *\n";
    let with = |moves: &str, fault: &str, line: u64| {
        check(&format!("{moves}{next}"), &[fault, &format!("{line}: A- d2d4 *")]);
    };
    with("1. e4\nxyz *", "2: 1... \"xyz\" is no move", 3);
    with("1. e4 (1. d4 *", "2: a variation is opened with ( and not closed", 2);
    with("1. e4 )", "1: a ) closes no variation", 2);
    with("1. e4 --", "1: 1... \"--\" is no move", 2);
    with("1. Nf3 a6 2. d3 a5 3. Nd2 *", "1: 3. \"Nd2\" can be more than one move", 2);
    check(
        "1. e4 {x\n\n[Event \"x\"]\n1. d4 *\n",
        &["1: a comment is opened with { and not closed", "3: - d2d4 *"],
    );
    let tag = "1: expected a tag such as [Event \"name\"]";
    check("[White x]\n1. e4 *", &[tag]);
    // What follows in the block is read, and no tag of the bad game is taken for the next game's.
    check(
        "1. d4 xyz 1-0\n1. f3 e5 2. g4 Qh4# 1-0",
        &["1: 1... \"xyz\" is no move", "2: - f2f3 e7e5 g2g4 d8h4 1-0"],
    );
    check("1. d4 xyz (1. e4 0-1) d5 {*} 1-0\n1. d3 *", &["1: 1... \"xyz\" is no move", "2: - d2d3 *"]);
    check("1. d4 [ e5 1-0 1. d3 *", &[tag, "1: - d2d3 *"]);
    check("[White x]\n[Black \"A\"]\n[Event \"B\"]\n\n1. e4 *\n1. d4 *", &[tag, "6: - d2d4 *"]);
    check(
        "[FEN \"x\"]\n[White \"A\"]\n\n*\n\n1. d4 *",
        &["1: this is no FEN: invalid board part in fen", "6: - d2d4 *"],
    );
    check(
        "[Event \"a\"]\n[FEN \"x\"]\n[Event \"b\"]\n*",
        &["2: this is no FEN: invalid board part in fen", "3: -  *"],
    );
    let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(3001);
    check(&long, &["1: the game has more than 12000 plies"]);
}

#[test]
fn a_result_that_stands_twice_is_no_game() {
    check("1. e4 1-0 {White mates} 1-0\n*\n\n[White \"A\"]\n*", &["1: - e2e4 1-0", "4: A-  *"]);
}

#[test]
fn bytes_that_are_not_utf_8_are_latin_1() {
    let text = [b"[White \"K\xfchn\"]\n[Black \"", "M\u{fc}ller".as_bytes(), b"\"]\n1. e4 *"].concat();
    assert_eq!(told(text), ["1: K\u{fc}hn-M\u{fc}ller e2e4 *"]);
}

#[test]
fn an_illegal_move_ends_the_moves_and_not_the_game() {
    check("1. e4 e5 2. Ke3 {x} Nf6 0-1\n[White \"A\"]\n*", &["1: - e2e4 e7e5 illegal Ke3 0-1", "2: A-  *"]);
}

#[test]
fn remarks_belong_to_moves() {
    let text = "{first} 1. e4 {book} e5 {+0.10/9 0.5s} {[%clk 0:01:00]} 2. Nf3 {-0.20/9 0.1s, White loses on time} 0-1";
    let games = read(&Blocks::new(text.as_bytes()).next_block().unwrap().unwrap());
    let game = games[0].as_ref().unwrap();
    let scores: Vec<_> =
        game.remarks.iter().map(|remark| remark.score.map(|score| score.to_string())).collect();
    assert_eq!(scores, [None, Some("cp 10".to_owned()), Some("cp -20".to_owned())]);
    assert_eq!((game.remarks[0].is_book, game.remarks[1].clock), (true, Some(60_000)));
    assert!(game.last_comment.ends_with("White loses on time"), "{}", game.last_comment);
    assert_eq!(fen(game.game.position()).split(' ').nth(1), Some("b"));
}

/// Bytes are put into a game, or changed. The game must be read or named, and the next one read.
#[test]
fn damaged_files_are_read_or_named() {
    let text = "[Event \"A\"]\n[FEN \"4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1\"]\n\n1. O-O-O {+0.3/4 0.1s [%clk 0:01:02]} (1. e4) Kd7 $3 2. e4!! 1-0\n";
    let mut unreadable = 0;
    for at in 0..text.len() {
        for byte in *b"\0{}()[]\"\\;%\n\r.*#- 0NeO\xff" {
            for length in [0, 1] {
                let mut bytes = text.as_bytes().to_vec();
                bytes.splice(at..at + length, [byte]);
                bytes.extend_from_slice(b"\n[Event \"next\"]\n\n1. d4 *\n");
                let mut blocks = Blocks::new(&bytes[..]);
                let mut games = Vec::new();
                while let Some(block) = blocks.next_block().unwrap() {
                    games.extend(read(&block));
                }
                unreadable += games.iter().filter(|game| game.is_err()).count();
                let last = games.last().unwrap().as_ref().unwrap();
                assert_eq!(last.game.uci_moves(), ["d2d4"], "{}", String::from_utf8_lossy(&bytes));
            }
        }
    }
    assert!(unreadable > 500, "{unreadable}");
}
