//! Whole dumps, judged by sources that the tests make up.

use std::io::{self, Cursor};
use std::sync::atomic::{AtomicU64, Ordering};

use engine::tables::builders;
use shakmaty::{Board, Chess, Color, Position, Role};
use suites::{Difference, SkipReason};

use super::{DumpSummary, Request, Sink, verify};
use crate::authorities::Authorities;
use crate::dtm_source::{DtmSource, DtmSourceError};
use crate::positions::{Men, Placement};
use crate::syzygy_files::TableFiles;
use crate::table_probe::{Dtm, EngineTables, ProbeError, TableProbe, TableValue};

#[derive(Default)]
struct Found {
    differences: Vec<Difference>,
    malformed: u64,
}

impl Sink for Found {
    fn difference(&mut self, difference: Difference) -> io::Result<()> {
        self.differences.push(difference);
        Ok(())
    }

    fn malformed(&mut self, _: u64, _: &str, _: &str) -> io::Result<()> {
        self.malformed += 1;
        Ok(())
    }
}

fn check(dump: &str, authorities: &Authorities) -> (DumpSummary, Found) {
    let mut found = Found::default();
    let aside = Cursor::new(Vec::new());
    let summary = verify(dump.as_bytes(), &Request::default(), authorities, aside, &mut found).unwrap();
    assert_eq!(found.malformed, 0);
    (summary, found)
}

/// Our tables with a count of probes.
struct Counting {
    tables: EngineTables,
    asked: AtomicU64,
}

impl TableProbe for Counting {
    fn name(&self) -> &str {
        self.tables.name()
    }

    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.tables.probe(board, turn)
    }

    fn has_dtz(&self) -> bool {
        false
    }
}

fn krvk() -> Counting {
    let tables = builders::production(&["KRvK".parse().unwrap()]).unwrap();
    Counting { tables: EngineTables::production(tables), asked: AtomicU64::new(0) }
}

/// Some positions of a table with their values.
fn positions(tables: &EngineTables) -> Vec<(Chess, String, TableValue)> {
    let men: Men = "KRvK".parse().unwrap();
    let numbers = (0..men.numbers()).step_by(37);
    let placed =
        numbers.flat_map(|number| Color::ALL.into_iter().map(move |turn| (number, turn)).collect::<Vec<_>>());
    let legal = placed.filter_map(|(number, turn)| {
        let placement = Placement::numbered(&men, number, turn)?;
        let value = tables.probe(&placement.board, turn).ok()?;
        Some((placement.legal.clone()?, placement.fen(), value))
    });
    legal.collect()
}

/// Judging a row takes one probe. Listing a wrong row takes at most one more for each move.
#[test]
fn a_wrong_row_takes_few_more_probes_than_a_right_one() {
    let truth = krvk();
    let positions = positions(&truth.tables);
    let asked = |written: fn(&TableValue) -> String| {
        truth.asked.store(0, Ordering::Relaxed);
        let rows = positions.iter().map(|(_, fen, value)| format!("{fen},{}\n", written(value)));
        let dump = [String::from("fen,wdl,dtm\n")].into_iter().chain(rows).collect::<String>();
        let (summary, found) = check(&dump, &Authorities { truth: Some(&truth), ..Authorities::default() });
        assert_eq!(summary.tallies[0].differed, found.differences.len() as u64);
        (truth.asked.load(Ordering::Relaxed), found.differences.len())
    };
    let right = asked(|value| {
        format!("{},{}", value.wdl, value.dtm.map(|dtm| dtm.plies().to_string()).unwrap_or_default())
    });
    let wrong = asked(|value| match value.dtm {
        Some(dtm) => format!("{},{}", value.wdl, dtm.plies() + 2),
        None => "win,1".to_owned(),
    });
    let rows = positions.len();
    let moves: usize = positions.iter().map(|(position, ..)| position.legal_moves().len()).sum();
    assert!(rows > 5_000);
    assert_eq!(right, (rows as u64, 0));
    assert_eq!(wrong.1, rows);
    // The first move that leads to the value is enough.
    assert!(wrong.0 < (rows + moves * 3 / 4) as u64, "{} questions, {moves} moves", wrong.0);
}

/// A source that has a draw for every position.
struct Drawing;

impl DtmSource for Drawing {
    fn name(&self) -> &'static str {
        "gaviota"
    }

    fn dtm(&self, _: &Chess) -> Result<Option<Dtm>, DtmSourceError> {
        Ok(None)
    }
}

#[test]
fn contradicting_sources_are_one_difference_a_row() {
    let truth = krvk();
    let authorities =
        Authorities { truth: Some(&truth), dtm_sources: vec![&Drawing], ..Authorities::default() };
    let won = "8/8/8/8/8/1K6/2R5/k7 w - - 0 1";
    let drawn = "8/8/8/8/8/2K5/1R6/k7 b - - 0 1";
    let (summary, found) =
        check(&format!("fen,wdl,dtm\n{won},win,1\n{drawn},draw,\n{won},draw,\n"), &authorities);
    let said: Vec<_> =
        found.differences.iter().map(|found| (found.check.as_str(), found.case.as_str())).collect();
    assert_eq!(said, [("dump/sources", "line 2"), ("dump/sources", "line 4")]);
    assert_eq!(
        found.differences[0].expected.to_string(),
        "mate in 1 (certified production table); draw (Gaviota)"
    );
    assert_eq!(found.differences[0].source, "certified production table; Gaviota");
    assert_eq!((summary.tallies.len(), summary.tallies[0].agreed, summary.tallies[0].differed), (1, 1, 2));
    let counted: Vec<_> = summary.sources.iter().map(|count| (count.agreed, count.differed)).collect();
    assert_eq!(counted, [(2, 1), (2, 1)]);
}

/// One message for each table says that Syzygy was not asked beside the certified table.
#[test]
fn rows_are_judged_without_syzygy_tables() {
    let truth = krvk();
    let syzygy = crate::syzygy::Syzygy::new(TableFiles::wanted(Vec::new(), 0));
    let authorities = Authorities { truth: Some(&truth), syzygy: Some(&syzygy), ..Authorities::default() };
    let drawn = "8/8/8/8/8/2K5/1R6/k7 b - - 0 1,draw\n";
    let (summary, found) = check(&format!("fen,wdl\n{drawn}{drawn}"), &authorities);
    assert_eq!(found.differences.len(), 0);
    let [rows, missing] = &summary.tallies[..] else { panic!("{:?}", summary.tallies) };
    assert_eq!((rows.agreed, rows.total()), (2, 2));
    assert_eq!((missing.check.as_str(), missing.case_set.as_str()), ("syzygy-wdl", "KRvK"));
    assert_eq!((missing.skipped.clone(), missing.total()), ([(SkipReason::TableMissing, 1)].into(), 1));
}

/// With two pawns the position is drawn, and without White's pawn White is mated in two.
struct OpposingPawns;

impl TableProbe for OpposingPawns {
    fn name(&self) -> &'static str {
        "opposing pawns"
    }

    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError> {
        let is_bare = (board.by_role(Role::Pawn) & board.by_color(Color::White)).is_empty();
        let plies = is_bare.then_some(turn.fold_wb(4, 5));
        Ok(TableValue::of_dtm(plies.map(Dtm::from_plies)))
    }

    fn has_dtz(&self) -> bool {
        false
    }
}

/// Tables do not hold positions with a legal en passant capture, so their value is that of the best move.
#[test]
fn positions_with_en_passant_have_the_value_of_their_best_move() {
    let authorities = Authorities { truth: Some(&OpposingPawns), ..Authorities::default() };
    let both = |with: &str, without: &str| {
        let position = "8/8/8/8/Pp6/8/8/4K1k1 b -";
        let dump = format!("fen,wdl,dtm\n{position} a3 0 1,{with}\n{position} - 0 1,{without}\n");
        let (summary, found) = check(&dump, &authorities);
        assert_eq!((summary.coverage[0].positions, summary.coverage[0].en_passant), (1, 1));
        assert_eq!(summary.coverage[0].repeated, 0);
        found
            .differences
            .into_iter()
            .map(|found| (found.expected.to_string(), found.explanation))
            .collect::<Vec<_>>()
    };
    assert_eq!(both("win,5", "draw,"), []);
    let wrong = both("draw,", "win,5");
    assert_eq!(wrong[0], ("mate in 3".to_owned(), "bxa3 (b4a3): mate in 3".to_owned()));
    assert_eq!(wrong[1].0, "draw");
}
