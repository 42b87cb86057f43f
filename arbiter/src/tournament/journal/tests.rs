//! Journals that are torn, damaged, of other matches, and on disks that are full.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use serde::Deserialize;

use super::header::example;
use super::*;
use crate::game::{End, EngineFault, GameRecord, PlayedMove, PlayerRecord, ProcessorUse};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    result: String,
    moves: u32,
}

/// A file in memory on a disk of limited size.
#[derive(Debug, Clone)]
struct Memory {
    bytes: Cursor<Vec<u8>>,
    size: usize,
    /// The length at the last call of `sync`.
    synced: usize,
}

impl Memory {
    fn new(bytes: &[u8]) -> Self {
        Self { bytes: Cursor::new(bytes.to_vec()), size: usize::MAX, synced: bytes.len() }
    }

    fn text(&self) -> String {
        String::from_utf8(self.bytes.get_ref().clone()).unwrap()
    }
}

impl Read for Memory {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.size.saturating_sub(self.bytes.position() as usize);
        if room == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.write(&bytes[..bytes.len().min(room)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Memory {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

impl Storage for Memory {
    fn lock(&self) -> io::Result<bool> {
        Ok(true)
    }

    fn unlock(&self) {}

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.bytes.get_mut().truncate(length as usize);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.synced = self.bytes.get_ref().len();
        Ok(())
    }
}

fn record(game: u64) -> Record {
    Record { result: format!("line\n\"{game}\" \u{e9}"), moves: 7 * game as u32 }
}

/// An open journal, and the games that it had.
type Opened = (Journal<Memory>, Vec<(u64, Record)>);

fn open(storage: Memory) -> Result<Opened, JournalError> {
    let mut games = Vec::new();
    let mut journal = Journal::open(storage, &example())?;
    journal.read(|game, record| games.push((game, record)))?;
    Ok((journal, games))
}

/// A journal with these games.
fn journal(games: &[u64]) -> Vec<u8> {
    let (mut journal, _) = open(Memory::new(b"")).unwrap();
    for &game in games {
        journal.append(game, &record(game)).unwrap();
    }
    journal.storage.bytes.get_ref().clone()
}

fn error(bytes: &[u8]) -> String {
    open(Memory::new(bytes)).unwrap_err().to_string()
}

#[test]
fn games_are_read_back_in_their_order() {
    let bytes = journal(&[2, 1, 5]);
    let (opened, games) = open(Memory::new(&bytes)).unwrap();
    assert_eq!(games, [2, 1, 5].map(|game| (game, record(game))));
    assert_eq!((opened.finished().len(), opened.finished().contains(5)), (3, true));
    assert_eq!(opened.storage.bytes.get_ref(), &bytes);
    let mut reader = Reader::new(&bytes[..]).unwrap().unwrap();
    let read: Vec<_> = std::iter::from_fn(|| reader.next_game::<Record>().unwrap()).collect();
    assert_eq!((reader.header(), read), (&example(), games));
}

/// Cuts a journal at each byte. Exactly the whole lines are read, and games that are added then are read too.
#[test]
fn a_journal_that_is_torn_anywhere_goes_on() {
    let bytes = journal(&[1, 3, 2]);
    let mut counts = [0; 4];
    for cut in 0..=bytes.len() {
        let torn = &bytes[..cut];
        let lines = torn.split(|&byte| byte == b'\n').count() - 1;
        let games = lines.saturating_sub(1);
        counts[games] += 1;
        let (mut opened, found) = open(Memory::new(torn)).unwrap();
        assert_eq!(found, [1, 3, 2][..games].iter().map(|&game| (game, record(game))).collect::<Vec<_>>());
        opened.append(9, &record(9)).unwrap();
        let storage = opened.storage.clone();
        assert_eq!(storage.synced, storage.bytes.get_ref().len());
        let (_, again) = open(storage).unwrap();
        assert_eq!(again, [found, vec![(9, record(9))]].concat(), "{cut}");
        assert_eq!(Reader::new(torn).unwrap().is_some(), lines > 0);
    }
    assert!(counts[..3].iter().all(|&count| count > 10) && counts[3] == 1, "{counts:?}");
}

#[test]
fn damaged_lines_are_named() {
    let bytes = journal(&[1, 2, 3]);
    let text = String::from_utf8(bytes).unwrap();
    let check = |text: &str, begin: &str, end: &str| {
        let found = error(text.as_bytes());
        assert!(found.starts_with(begin) && found.ends_with(end), "{found}");
    };
    let todo = "; restore the line, or delete it to play its game again";
    check(&text.replace("\"moves\":14", "\"moves\":1\u{0}"), "line 3 is damaged: ", todo);
    check(&text.replace("\"moves\":21", "\"moves\":-1"), "line 4 is damaged: ", todo);
    check(&text.replace("\"game\":2", "\"game\":2,\"x\":1"), "line 3 is damaged: unknown field `x`", todo);
    check(&text.replace("\n{\"game\":1", "\n\n{\"game\":1"), "line 2 is damaged: EOF", todo);
    let twice = text.replace("\"game\":3", "\"game\":1");
    check(&twice, "line 4: game 1 is there a second time", "; delete one of its lines");
    let long = format!("{text}{}\n", "x".repeat(LONGEST_LINE));
    check(&long, &format!("line 5 has more than {LONGEST_LINE} bytes"), todo);
    check(
        &text.replace("\"seed\":7", "\"seed\":\"x\""),
        "line 1, the header of the match, is damaged: ",
        "begin the match anew",
    );
    check(&text.replace("\"format\":1", "\"format\":2"), "the journal has format 2", "that began it");
    let other = "the journal is of another match: seed is 8 there and 7 here";
    check(&text.replace("\"seed\":7", "\"seed\":8"), other, "or another folder");
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let no_journal = "line 1 is not the header of a match; give another file or folder";
    for text in [
        &"x".repeat(LONGEST_LINE),
        "hello",
        "hello\n",
        "{}\n",
        "[Event \"x\"]\n\n1. e4 *\n",
        "\n",
        "{\"format\":\"1\"}\n",
        "{\"format\":9",
    ] {
        assert_eq!(error(text.as_bytes()), no_journal, "{text}");
    }
    let mut file = Memory::new(b"hello");
    assert!(Journal::open(&mut file, &example()).is_err());
    assert_eq!(file.text(), "hello");
}

impl<S: Storage> Storage for &mut S {
    fn lock(&self) -> io::Result<bool> {
        (**self).lock()
    }

    fn unlock(&self) {
        (**self).unlock();
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        (**self).truncate(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}

/// A process that is being started has the file as well, until it is the program of the engine.
#[test]
fn a_journal_that_is_closed_is_locked_no_more() {
    let path = std::env::temp_dir().join(format!("touchstone-closed-journal-{}", std::process::id()));
    let file = File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
    let inherited = file.try_clone().unwrap();
    drop(Journal::open(file, &example()).unwrap());
    let other = File::open(&path).unwrap().try_lock();
    std::fs::remove_file(&path).unwrap();
    drop(inherited);
    assert!(other.is_ok(), "{other:?}");
}

#[test]
fn a_full_disk_loses_no_game() {
    let whole = journal(&[1, 2]).len();
    let first = journal(&[1]).len();
    for room in first..whole {
        let mut disk = Memory { size: room, ..Memory::new(&journal(&[1])) };
        let mut opened = Journal::open(&mut disk, &example()).unwrap();
        for _ in 0..2 {
            let failed = opened.append(2, &record(2)).unwrap_err();
            assert!(matches!(failed, JournalError::Io(_)), "{failed}");
            assert!(!opened.finished().contains(2));
        }
        drop(opened);
        disk.size = usize::MAX;
        let (mut resumed, games) = open(disk).unwrap();
        assert_eq!(games, [(1, record(1))]);
        resumed.append(2, &record(2)).unwrap();
        assert_eq!(resumed.storage.bytes.get_ref(), &journal(&[1, 2]));
    }
}

#[test]
fn games_that_cannot_be_added() {
    let (mut opened, _) = open(Memory::new(&journal(&[1]))).unwrap();
    assert!(matches!(opened.append(1, &record(1)), Err(JournalError::Known(1))));
    let long = Record { result: "x".repeat(LONGEST_LINE), moves: 1 };
    assert!(matches!(opened.append(2, &long), Err(JournalError::LongRecord(2))));
    let keys = std::collections::BTreeMap::from([((1, 2), 3)]);
    assert!(matches!(opened.append(2, &keys), Err(JournalError::Record { game: 2, .. })));
    opened.append(2, &record(2)).unwrap();
    assert_eq!(opened.storage.bytes.get_ref(), &journal(&[1, 2]));
}

/// Whatever byte of a journal changes: it is read, or an error is returned.
#[test]
fn changed_bytes_are_read_or_refused() {
    let bytes = journal(&[1, 2]);
    let mut refused = 0;
    for index in 0..bytes.len() {
        for byte in [0, b'\n', b'"', b'9', 0xff] {
            let mut changed = bytes.clone();
            changed[index] = byte;
            match open(Memory::new(&changed)) {
                Ok((_, games)) => assert!(games.len() <= 2),
                Err(error) => refused += usize::from(!error.to_string().is_empty()),
            }
        }
    }
    assert!(refused > 3 * bytes.len(), "{refused} of {}", 5 * bytes.len());
}

#[test]
fn a_journal_in_a_file() {
    let path = std::env::temp_dir().join(format!("touchstone-journal-{}", std::process::id()));
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(true);
    let mut opened = Journal::open(options.open(&path).unwrap(), &example()).unwrap();
    opened.append(1, &record(1)).unwrap();
    drop(opened);
    let written = std::fs::read(&path).unwrap();
    std::fs::write(&path, [&written[..], b"{\"game\":2,"].concat()).unwrap();
    options.truncate(false);
    let resumed = Journal::open(options.open(&path).unwrap(), &example()).unwrap();
    assert_eq!(resumed.finished().len(), 1);
    let second = Journal::open(options.open(&path).unwrap(), &example());
    assert!(matches!(second, Err(JournalError::InUse)));
    assert_eq!(std::fs::read(&path).unwrap(), written);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(written, journal(&[1]));
}

/// A game of at most 16 pawns and 30 other men without the kings has at most 96 pawn moves and 30 captures, and
/// ends if none of them comes within 100 plies.
const MOST_PLIES: usize = (96 + 30 + 1) * 100;

/// Each move with all that is kept of it, as long as it can be, and an engine that fails at the end.
#[test]
fn the_longest_game_fits_into_a_line() {
    let least = i32::MIN;
    let (most, pv) = (u64::MAX, "a7a8q ".repeat(1000));
    let info = format!(
        "info depth {} seldepth {} score cp {least} nodes {most} nps {most} hashfull {} tbhits {most} pv {pv}",
        u32::MAX,
        u32::MAX,
        u32::MAX
    );
    let uci::Message::Info(info) = uci::Message::read(&info) else { panic!("{info}") };
    let took = std::time::Duration::from_millis(most);
    let search = uci::Search { infos: vec![(took, *info)], took, ..uci::Search::default() };
    let played = PlayedMove {
        processor: Some(most),
        clock: Some(most),
        ..PlayedMove::new("a7a8q".to_owned(), &search)
    };
    assert!(played.score.is_some() && played.nodes == Some(most) && played.pv.len() > 10, "{played:?}");
    let moves = vec![played; MOST_PLIES];
    let position = format!("position fen {} moves{}", "r".repeat(100), " a7a8q".repeat(MOST_PLIES));
    let player = |name: &str| PlayerRecord {
        name: name.repeat(200),
        time_control: "tc=8+0.08".parse().unwrap(),
        unasked: most,
        processor: ProcessorUse { ran: most, waited: most },
    };
    let commands = vec![position, "go ".to_owned() + &"x".repeat(200)];
    let record = GameRecord {
        white: player("\u{1}"),
        black: player("\u{1}"),
        fen: "r".repeat(100),
        chess960: true,
        opening: vec!["a7a8q".to_owned(); MOST_PLIES],
        moves,
        replays: u32::MAX,
        end: End::Crash { loser: shakmaty::Color::White },
        fault: Some(EngineFault::new(
            shakmaty::Color::White,
            &"\u{1}".repeat(1 << 20),
            commands,
            &"\u{1}".repeat(1 << 20),
        )),
    };
    let line = game_line(u64::MAX, &record).unwrap();
    assert!(line.len() > LONGEST_LINE / 4, "{}", line.len());
    assert!(line.len() < LONGEST_LINE / 4 * 3, "room is left for what is added to a record: {}", line.len());
    let mut journal = open(Memory::new(b"")).unwrap().0;
    journal.append(1, &record).unwrap();
    let mut games = Vec::new();
    journal.read(|game, read: GameRecord| games.push((game, read == record))).unwrap();
    assert_eq!(games, [(1, true)]);
}
