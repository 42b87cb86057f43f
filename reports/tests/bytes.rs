//! The bytes of reports: headers, line ends, order.

use crate::fixture::run;
use reports::{
    CensusRow, CheckRow, DifferenceRow, EdgeCaseRow, HistogramRow, PerftRow, RegressionRow, Row, RowWriter,
    Run, SignatureRow, StalemateRow, TimingRow, columns, read, to_bytes,
};

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_report_without_rows_has_a_header() {
    fn check<R: Row>(expected: &str) {
        assert_eq!(text(to_bytes::<R>([])), format!("{expected}\n"));
        assert_eq!(columns::<R>().join(","), expected);
        assert!(read::<R>(format!("{expected}\n").as_bytes()).unwrap().is_empty());
    }
    check::<CheckRow>(
        "subject,check,evidence,case_set,compared,agreed,differed,errors,observed,skipped,skip_reasons",
    );
    check::<CensusRow>(
        "table,side_to_move,legal,legal_unique,wins,draws,losses,checkmates,stalemates,longest_plies,longest_count",
    );
    check::<EdgeCaseRow>("table,side_to_move,edge_case,positions,positions_unique,fen,plies,line");
    check::<HistogramRow>("table,side_to_move,wdl,dtm,positions,positions_unique");
    check::<DifferenceRow>(
        "subject,check,severity,case,fen,stored,expected,source,explanation,cause,replay,moves,position_after,given,best,stored_value,expected_value,limit",
    );
    check::<PerftRow>("suite,case,fen,depth,nodes,expected,verdict");
    check::<SignatureRow>("subject,depth,positions,signature");
    check::<StalemateRow>("table,fen,kind");
    check::<TimingRow>("subject,check,case_set,milliseconds,per_second");
    check::<RegressionRow>("report,case,before,after,verdict");
}

#[test]
fn fields_are_in_the_order_of_the_columns() {
    let files = run().files();
    assert_eq!(
        text(files["census.csv"].clone()),
        "table,side_to_move,legal,legal_unique,wins,draws,losses,checkmates,stalemates,longest_plies,longest_count\n\
         KQvK,white,3612,462,3612,0,0,0,0,19,8\n\
         KQvK,black,3612,462,0,12,3600,5,6,19,8\n\
         KvK,white,3612,462,0,3612,0,0,0,,0\n"
    );
    assert_eq!(
        text(files["edge_cases.csv"].clone()),
        "table,side_to_move,edge_case,positions,positions_unique,fen,plies,line\n\
         KPvK,white,longest-win,6,3,8/8/8/8/8/1K6/3R4/k7 w - - 0 1,3,d2d3 a1b1 d3d1\n\
         KPvK,white,underpromotion,0,0,,,\n\
         KPvK,black,mutual-zugzwang-half,160,80,1k6/1P6/2K5/8/8/8/8/8 b - - 0 1,,\n"
    );
    assert_eq!(
        text(files["stalemates.csv"].clone()),
        "table,fen,kind\n\
         KPvK,4k3/4P3/4K3/8/8/8/8/8 b - - 0 1,pawn in front of its king\n\
         KQvK,k7/2Q5/1K6/8/8/8/8/8 b - - 0 1,corner\n"
    );
}

#[test]
fn lines_end_with_one_line_feed() {
    let document = ("document".to_owned(), reports::json::document(&run()));
    for (name, bytes) in run().files().into_iter().chain([document]) {
        assert!(!bytes.contains(&b'\r'), "{name}");
        assert!(bytes.ends_with(b"\n") && !bytes.ends_with(b"\n\n"), "{name}");
    }
}

#[test]
fn a_stream_writes_the_same_bytes_as_a_report() {
    let mut rows: Vec<DifferenceRow> = run().differences.into_iter().map(DifferenceRow).collect();
    let stream = |rows: &[DifferenceRow]| {
        let mut writer = RowWriter::new(Vec::new()).unwrap();
        for row in rows {
            writer.write(row).unwrap();
        }
        writer.finish().unwrap()
    };
    rows.sort();
    assert_eq!(text(stream(&rows)), text(to_bytes(rows.clone())));
    rows.reverse();
    assert_ne!(stream(&rows), to_bytes(rows.clone()), "a stream keeps the order given");
    assert_eq!(read::<DifferenceRow>(&stream(&rows)).unwrap(), rows);
}

#[test]
fn a_stream_returns_the_error_of_its_sink() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut writer = RowWriter::<_, StalemateRow>::new(Full).unwrap();
    let rows = run().stalemates;
    let written = rows.iter().try_for_each(|row| writer.write(row));
    let error = written.and_then(|()| writer.finish().map(drop)).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn the_order_of_the_input_does_not_matter() {
    let straight = run();
    let mut turned = run();
    turned.checks.reverse();
    turned.differences.reverse();
    turned.census.reverse();
    turned.histogram.reverse();
    turned.perft.reverse();
    turned.stalemates.reverse();
    turned.signatures.reverse();
    let forms = |run: &Run| {
        let texts = (reports::text::render(run, 1), reports::github::annotations(run, 1));
        (run.files(), texts, reports::json::document(run))
    };
    assert_eq!(forms(&straight), forms(&turned));
}
