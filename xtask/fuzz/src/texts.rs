//! Texts: EPD, PGN, dumps, what engines print, proofs, and reports that are read back.

use std::io::{self, Cursor};

use arbiter::pgn::{self, Blocks};
use oracle::authorities::Authorities;
use oracle::board::{self, Accept, Spelling};
use oracle::dump::{self, Request, Sink};
use oracle::prover::Certificate;
use suites::Difference;
use suites::epd::Epd;

/// A line of EPD. The position that is read from it is read again as the same.
///
/// # Panics
/// If it is not.
pub fn epd(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.lines() {
        let Ok(read) = Epd::parse(line) else { continue };
        let again = Epd::parse(&read.fen);
        assert_eq!(again.map(|again| again.fen), Ok(read.fen.clone()), "{line:?}");
    }
}

/// A PGN file. Its blocks are the file, and the moves of its games are legal, one after the other.
///
/// # Panics
/// If they are not.
pub fn pgn(data: &[u8]) {
    let mut blocks = Blocks::new(data);
    let (mut bytes, mut line) = (Vec::new(), 0);
    while let Some(block) = blocks.next_block().expect("memory is read") {
        assert!(block.line > line, "block of line {} after line {line}", block.line);
        assert!(!block.is_cut, "{} bytes are too large", data.len());
        line = block.line;
        bytes.extend_from_slice(&block.bytes);
        for game in pgn::read(&block).into_iter().flatten() {
            assert_eq!(game.game.moves().len(), game.remarks.len(), "a remark for each move");
            let mut again = board::Game::at(game.game.positions()[0].clone());
            for text in game.game.uci_moves() {
                again.play_text(&text, Spelling::Exact).expect("a legal move");
            }
            assert_eq!(again.position(), game.game.position());
        }
    }
    // A byte order mark at the beginning of a line is no text.
    let lines = data.split_inclusive(|byte| matches!(byte, b'\n' | b'\r'));
    let text = lines
        .map(|line| line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line))
        .collect::<Vec<_>>()
        .concat();
    assert_eq!(bytes.escape_ascii().to_string(), text.escape_ascii().to_string());
}

/// A dump, judged by no source. It has no more rows than lines.
///
/// # Panics
/// If it has.
pub fn dump(data: &[u8]) {
    let mut sink = Counting::default();
    let aside = Cursor::new(Vec::new());
    let request = Request::default();
    let Ok(summary) = dump::verify(data, &request, &Authorities::default(), aside, &mut sink) else { return };
    let lines = data.split(|byte| matches!(byte, b'\n' | b'\r')).count() as u64;
    assert!(summary.rows <= lines, "{} rows of {lines} lines", summary.rows);
    assert!(sink.malformed <= summary.rows, "{} malformed of {} rows", sink.malformed, summary.rows);
    assert!(sink.last <= lines, "line {} of {lines}", sink.last);
}

#[derive(Default)]
struct Counting {
    malformed: u64,
    last: u64,
}

impl Sink for Counting {
    fn difference(&mut self, _: Difference) -> io::Result<()> {
        Ok(())
    }

    fn malformed(&mut self, line: u64, _: &str, _: &str) -> io::Result<()> {
        assert!(line > self.last, "line {line} after line {}", self.last);
        self.last = line;
        self.malformed += 1;
        Ok(())
    }
}

/// Lines that an engine prints.
///
/// # Panics
/// If the reader does.
pub fn uci_output(data: &[u8]) {
    for line in String::from_utf8_lossy(data).lines() {
        if let uci::Message::Info(info) = uci::Message::read(line) {
            let _ = info.line();
        }
    }
}

/// Positions, and the moves of their shortest mate.
const MATES: [(&str, i32); 4] = [
    ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 1),
    ("8/8/8/8/8/1K6/2R5/1k6 w - - 0 1", 2),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("7k/8/4K1Q1/8/8/8/8/8 w - - 0 1", 3),
];

/// A certificate: the first byte chooses the position. None proves a mate that is shorter than the shortest.
///
/// # Panics
/// If it does.
pub fn certificate(data: &[u8]) {
    let Some((choice, text)) = data.split_first() else { return };
    let (fen, shortest) = MATES[usize::from(*choice) % MATES.len()];
    let root = board::position(fen, Accept::Legal).expect("a legal position");
    let certificate = Certificate(String::from_utf8_lossy(text).into_owned());
    if let Ok(proven) = certificate.replay(&root) {
        assert!(proven.moves >= shortest, "a mate in {} is proved in {fen}", proven.moves);
    }
}

/// The files of reports in one text: parts that begin with a line `== NAME`.
pub(crate) fn files_of(data: &[u8]) -> reports::Files {
    let text = String::from_utf8_lossy(data);
    let part = |part: &str| {
        let (name, content) = part.split_once('\n').unwrap_or((part, ""));
        (name.to_owned(), content.as_bytes().to_vec())
    };
    text.split("== ").skip(1).map(part).collect()
}

/// Reports that are read back, as parts of one text. What was read is written the same each time, and is shown as a
/// page.
///
/// # Panics
/// If it is not.
pub fn report(data: &[u8]) {
    let Ok(run) = reports::Run::from_files(&files_of(data)) else { return };
    let written = run.files();
    let again = reports::Run::from_files(&written).expect("what is written is read");
    assert_eq!(again.files(), written);
    let named = [reports::html::Named { name: "fuzz".to_owned(), run, ..Default::default() }];
    assert!(!reports::html::document(&named, None).is_empty());
}
