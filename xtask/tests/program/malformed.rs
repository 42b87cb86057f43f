//! Malformed rows of a dump: each is shown with its line, and the next one is read.

use reports::{CheckRow, MalformedRow};

use crate::sandbox::{Ended, Sandbox};

const RIGHT: &[u8] = b"8/8/8/8/8/8/8/K6k w - - 0 1,draw,";
const WRONG: &[u8] = b"8/8/8/8/8/8/8/K6k b - - 0 1,win,1";

/// One row, and what is wrong with it.
const ROWS: [(&[u8], &str); 21] = [
    (b"nonsense,draw,", "this is no FEN: invalid board part in fen"),
    (b"8/8/8/8/8/8/8/K7 w - - 0 1,draw,", "the position is not legal: a side has no king"),
    (
        b"8/8/8/8/8/8/8/Kk6 w - - 0 1,draw,",
        "the position is not legal: the side that is not to move is in check",
    ),
    (
        b"8/8/8/8/8/8/8/KP5k w - - 0 1,draw,",
        "the position is not legal: a pawn stands on the first or last rank",
    ),
    (b"4k3/8/8/8/8/8/8/4K2R w K - 0 1,win,9", "castling rights: no table has such positions"),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,drawn,", "expected win, draw or loss, got \"drawn\""),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,1-0,", "expected win, draw or loss, got \"1-0\""),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,win,x", "expected plies to mate, got \"x\""),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,win,", "a win needs its plies to mate"),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,draw,1", "a draw has no plies to mate, got \"1\""),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,win,99999999999", "expected plies to mate, got \"99999999999\""),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,draw", "expected 3 fields, got 2"),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,draw,,", "expected 3 fields, got 4"),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1", "expected 3 fields, got 1"),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,\"draw,", "a quote is not closed"),
    (b"\"8/8/8/8/8/8/8/K6k w - - 0 1,draw,", "a quote is not closed"),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,draw,\r8/8/8/8/8/8/8/K6k w - - 0 1,win,1", "expected 3 fields, got 5"),
    (b"\x00\x01\x02\xff\xfe", "expected 3 fields, got 1"),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,draw\xff,", "expected win, draw or loss, got \"draw\u{fffd}\""),
    (b"8/8/8/8/8/8/8/K6k w - - 0 1,win,\xd9\xa1", "expected plies to mate, got \"\u{661}\""),
    (b"fen,wdl,dtm", "this is no FEN: invalid board part in fen"),
];

fn verify(dump: &[u8]) -> (Sandbox, Ended) {
    let sandbox = Sandbox::new();
    sandbox.write("mine.csv", dump);
    let ended = sandbox.verify("--tables KvK --quick --dump mine.csv --partial");
    (sandbox, ended)
}

/// The rows as they are counted: each is one case, whatever is wrong with it.
fn counted(sandbox: &Sandbox) -> CheckRow {
    let rows: Vec<CheckRow> = sandbox.rows();
    let mut of_dump = rows.into_iter().filter(|row| row.subject == "dump");
    let counted = of_dump.next().unwrap();
    assert!(of_dump.next().is_none());
    counted
}

#[track_caller]
fn check(rows: &[(&[u8], &str)]) {
    let mut dump = b"fen,wdl,dtm\n".to_vec();
    let mut expected = Vec::new();
    for ((row, fault), line) in rows.iter().zip((2..).step_by(2)) {
        dump.extend([*row, b"\n", RIGHT, b"\n"].concat());
        expected.push((line, (*fault).to_owned()));
    }
    let (sandbox, ended) = verify(&dump);
    let malformed: Vec<MalformedRow> = sandbox.rows();
    assert_eq!(malformed.iter().map(|row| (row.line, row.fault.clone())).collect::<Vec<_>>(), expected);
    for (line, fault) in expected.iter().take(10) {
        ended.says(2, &[&format!("mine.csv:{line}: {fault}\n")]);
    }
    let rest = format!("and {} more malformed rows, all in malformed.csv", rows.len().saturating_sub(10));
    assert_eq!(ended.stderr.contains(&rest), rows.len() > 10, "{}", ended.stderr);
    let (rows, counted) = (rows.len() as u64, counted(&sandbox));
    assert_eq!((counted.agreed, counted.differed, counted.skipped), (rows, 0, rows));
    assert_eq!(counted.skip_reasons, format!("malformed={rows}"));
}

#[test]
fn each_malformed_row_is_shown_and_the_next_is_read() {
    check(&ROWS);
    check(&ROWS[..10]);
}

#[test]
fn a_line_of_a_megabyte_is_one_malformed_row() {
    let long = vec![b'8'; 1 << 20];
    check(&[(&long, "the line is longer than 1024 bytes"), (b"x", "expected 3 fields, got 1")]);
    let quoted = [b"\"".as_slice(), &long].concat();
    check(&[(&quoted, "the line is longer than 1024 bytes")]);
}

#[test]
fn a_difference_decides_the_exit_code() {
    let dump = [b"fen,wdl,dtm\nnonsense,draw,\n", WRONG, b"\n", RIGHT, b"\n"].concat();
    let (sandbox, ended) = verify(&dump);
    ended.says(1, &["mine.csv:2: "]);
    let counted = counted(&sandbox);
    assert_eq!((counted.agreed, counted.differed, counted.skipped), (1, 1, 1));
    assert!(sandbox.text("out/differences.csv").contains("dump,dump/row,error,line 3,"));
}

/// Marks, line ends and empty lines that editors and other programs leave behind are no fault.
#[test]
fn byte_order_marks_and_blank_lines_are_accepted() {
    let check = |dump: &str| {
        let (sandbox, ended) = verify(dump.as_bytes());
        ended.says(0, &[]);
        assert_eq!(counted(&sandbox).agreed, 2, "{dump:?}");
    };
    let [white, black] = ["w", "b"].map(|side| format!("8/8/8/8/8/8/8/K6k {side} - - 0 1,draw,"));
    check(&format!("\u{feff}fen,wdl,dtm\n{white}\n{black}\n"));
    check(&format!("fen,wdl,dtm\r\n{white}\r\n{black}\r\n"));
    check(&format!("\u{feff}FEN,WDL,DTM\r\n\r\n{white}\r\n  \r\n\n{black}"));
    check(&format!("fen,wdl,dtm\n\"{}\",\"draw\",\"\"\n{black}\n\n", &white[..white.len() - 6]));
}

#[test]
fn an_empty_line_counts_as_a_line() {
    let (sandbox, ended) = verify(b"fen,wdl,dtm\n\n\nnonsense\n");
    ended.says(2, &["mine.csv:4: "]);
    assert_eq!(
        sandbox.text("out/malformed.csv"),
        "line,found,fault\n4,nonsense,\"expected 3 fields, got 1\"\n"
    );
}

/// As many rows as a table has, and of none can anything be made: so many are counted, and not twice as many.
#[test]
fn a_row_that_two_sources_cannot_read_is_one_row() {
    let rows = 331_352;
    let dump = [b"fen,wdl,dtm\n".to_vec(), b"8/8/8/8/8/8/8/K6k - - 0 1,draw,\n".repeat(rows)].concat();
    let sandbox = Sandbox::new();
    sandbox.write("mine.csv", dump);
    let ended = crate::runs::verify_in(sandbox, "--tables KvK --dump mine.csv --partial");
    ended.ended.says(2, &["and 331342 more malformed rows, all in malformed.csv"]);
    assert!(ended.ended.stdout.contains("not compared: 331,352 malformed"), "{}", ended.ended.stdout);
    let counted = counted(&ended.sandbox);
    assert_eq!((counted.compared, counted.skipped), (0, rows as u64));
    let malformed: Vec<MalformedRow> = ended.sandbox.rows();
    assert!(malformed.iter().map(|row| row.line).eq(2..rows as u64 + 2));
}
