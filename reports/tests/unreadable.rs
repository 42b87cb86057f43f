//! Malformed reports are refused with file, line and what was found.

use reports::{CheckRow, HistogramRow, Row, StalemateKind, StalemateRow, read};

fn refused<R: Row + std::fmt::Debug>(text: &[u8], expected: &str) {
    assert_eq!(read::<R>(text).unwrap_err().to_string(), expected);
}

#[test]
fn stalemates() {
    let check = |text: &str, expected: &str| refused::<StalemateRow>(text.as_bytes(), expected);
    check("", "stalemates.csv:1: expected the columns \"table,fen,kind\", got \"\"");
    check("table,fen\n", "stalemates.csv:1: expected the columns \"table,fen,kind\", got \"table,fen\"");
    check(
        "fen,table,kind\n",
        "stalemates.csv:1: expected the columns \"table,fen,kind\", got \"fen,table,kind\"",
    );
    check("table,fen,kind\na,b,edge\na,b\n", "stalemates.csv:3: expected 3 fields, got 2");
    check("table,fen,kind\na,b,edge,d\n", "stalemates.csv:2: expected 3 fields, got 4");
    check("table,fen,kind\n\"a\nb\",b,edge\na,b\n", "stalemates.csv:4: expected 3 fields, got 2");
    let quote = "expected quotes in pairs, got an odd number of them";
    check("table,fen,kind\na,b,\"edge\na,b,edge\na,b,edge\n", &format!("stalemates.csv:2: {quote}"));
    check("table,fen,kind\na,b,edge\na,\"b,edge\na,b,edge\n", &format!("stalemates.csv:3: {quote}"));
    refused::<StalemateRow>(
        b"table,fen,kind\na,b,edge\na,\xff,edge\n",
        "stalemates.csv:3: expected UTF-8, got byte 0xff",
    );
}

#[test]
fn figures() {
    const HEADER: &str = "table,side_to_move,wdl,dtm,positions,positions_unique";
    let check = |row: &str, expected| {
        refused::<HistogramRow>(format!("{HEADER}\nKQvK,white,win,1,2,1\n{row}\n").as_bytes(), expected);
    };
    check(
        "KQvK,white,win,one,2,1",
        "histogram.csv:3: column dtm: invalid digit found in string, got \"one\"",
    );
    check(
        "KQvK,white,win,1,,1",
        "histogram.csv:3: column positions: cannot parse integer from empty string, got \"\"",
    );
    check(
        "KQvK,white,win,1,-2,1",
        "histogram.csv:3: column positions: invalid digit found in string, got \"-2\"",
    );
    check(
        "KQvK,red,win,1,2,1",
        "histogram.csv:3: unknown side to move \"red\", expected \"white\", \"black\"",
    );
}

#[test]
fn another_report() {
    refused::<CheckRow>(
        b"table,fen,kind\n",
        "checks.csv:1: expected the columns \"subject,check,evidence,case_set,compared,agreed,differed,errors,observed,skipped,\
         skip_reasons\", got \"table,fen,kind\"",
    );
}

#[test]
fn lines_may_end_as_on_windows() {
    let rows = read::<StalemateRow>(b"table,fen,kind\r\na,b,edge\r\n").unwrap();
    assert_eq!(rows, [StalemateRow { table: "a".into(), fen: "b".into(), kind: StalemateKind::Edge }]);
}
