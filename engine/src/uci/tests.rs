//! Tests of the session in process: a scripted thinker, lines through channels, no real clock.
//!
//! Every wait has a deadline, so that a hang fails; nothing is measured.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::session::{self, Host};
use crate::tables::{Metric, TableSet, build};
use crate::thinking::{Answer, Bound, Control, Limits, NoClock, Report, Setting, Settings, Thinker};
use crate::{Game, Score};

/// What a test waits for at most.
const DEADLINE: Duration = Duration::from_secs(20);

/// When a scripted thinker answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    AtOnce,
    WhenStopped,
    WhenHit,
    Never,
}

/// What a scripted thinker was asked.
#[derive(Debug, Default)]
struct Seen {
    settings: Vec<Settings>,
    limits: Vec<Limits>,
    games: Vec<Game>,
    forgotten: usize,
}

/// Answers the last legal move, or the first of those it is to consider.
struct Scripted {
    script: Script,
    uses: &'static [Setting],
    seen: Arc<Mutex<Seen>>,
}

impl Scripted {
    fn see(&self, what: impl FnOnce(&mut Seen)) {
        what(&mut self.seen.lock().unwrap());
    }
}

impl Thinker for Scripted {
    fn name(&self) -> String {
        "Scripted".to_owned()
    }

    fn configure(&mut self, settings: &Settings) {
        self.see(|seen| seen.settings.push(settings.clone()));
    }

    fn uses(&self) -> &'static [Setting] {
        self.uses
    }

    fn forget(&mut self) {
        self.see(|seen| seen.forgotten += 1);
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        listener: &mut dyn FnMut(&Report),
    ) -> Answer {
        self.see(|seen| {
            seen.limits.push(limits.clone());
            seen.games.push(game.clone());
        });
        let best = limits.moves.first().or(game.position().legal_moves().last()).copied();
        listener(&Report {
            depth: 1,
            selective_depth: 1,
            rank: 1,
            score: Score::DRAW,
            bound: Bound::Exact,
            nodes: 1,
            hash_full: 0,
            table_hits: 0,
            line: best.into_iter().collect(),
        });
        assert!(self.script != Script::Never, "scripted defect");
        while !match self.script {
            Script::AtOnce | Script::Never => true,
            Script::WhenStopped => control.is_stopped(),
            Script::WhenHit => control.is_stopped() || !control.is_pondering(),
        } {
            thread::yield_now();
        }
        Answer { best, ponder: None, score: Score::DRAW, nodes: 1 }
    }
}

/// A world with one folder of tables, named `good`.
struct World;

impl Host for World {
    type Clock = NoClock;

    fn start_clock(&self) -> NoClock {
        NoClock
    }

    fn load_tables(&self, folder: &str) -> Result<TableSet, String> {
        match folder {
            "good" => Ok(build::production(&["KBvK".parse().unwrap()]).unwrap()),
            other => Err(format!("{other}: not there")),
        }
    }
}

/// Bytes through a channel, as a stream to read.
struct Incoming(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Incoming {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.1.is_empty() {
            match self.0.recv() {
                Ok(bytes) => self.1 = bytes,
                Err(_) => return Ok(0),
            }
        }
        let count = into.len().min(self.1.len());
        into[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// A stream to write, as lines through a channel. Nobody listening is a broken pipe.
struct Outgoing(Sender<String>, Vec<u8>);

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend(bytes);
        while let Some(end) = self.1.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.1.drain(..=end).collect();
            let line = String::from_utf8(line).unwrap().trim_end().to_owned();
            self.0.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A session that is talked to.
struct Talk {
    input: Sender<Vec<u8>>,
    output: Receiver<String>,
    session: JoinHandle<io::Result<()>>,
    seen: Arc<Mutex<Seen>>,
}

impl Talk {
    fn with(script: Script) -> Self {
        Self::using(script, Setting::ALL)
    }

    fn using(script: Script, uses: &'static [Setting]) -> Self {
        let ((input, incoming), (outgoing, output)) = (channel(), channel());
        let seen = Arc::new(Mutex::new(Seen::default()));
        let thinker = Box::new(Scripted { script, uses, seen: Arc::clone(&seen) });
        let session = thread::spawn(move || {
            let input = BufReader::new(Incoming(incoming, Vec::new()));
            session::run(World, thinker, input, Outgoing(outgoing, Vec::new()))
        });
        Self { input, output, session, seen }
    }

    fn say(&self, lines: &str) {
        self.input.send(format!("{lines}\n").into_bytes()).unwrap();
    }

    fn next(&self) -> String {
        self.output.recv_timeout(DEADLINE).expect("an answer before the deadline")
    }

    /// The lines up to one that begins so, which is the last.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = vec![self.next()];
        while !lines[lines.len() - 1].starts_with(start) {
            lines.push(self.next());
        }
        lines
    }

    /// Says something, and has all answers that come before that to `isready`, but for reports.
    fn answers(&self, lines: &str) -> Vec<String> {
        self.say(&format!("{lines}\nisready"));
        let mut answers = self.until("readyok");
        answers.pop();
        answers.retain(|line| !line.starts_with("info depth 1 "));
        answers
    }

    /// Waits until the thinker has been asked so often.
    fn asked(&self, times: usize) {
        for _ in 0..DEADLINE.as_millis() {
            if self.seen.lock().unwrap().limits.len() >= times {
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
        panic!("not asked {times} times");
    }

    fn nothing_is_answered(&self) {
        for _ in 0..200 {
            assert_eq!(self.answers(""), [""; 0]);
        }
    }

    fn check(&self, lines: &str, expected: &[&str]) {
        assert_eq!(self.answers(lines), expected, "{lines}");
    }

    fn fen(&self) -> String {
        let answers = self.answers("d");
        let fen = answers.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.expect("a FEN").to_owned()
    }

    /// Ends the input, and has what was still said.
    fn end(self) -> (io::Result<()>, Vec<String>) {
        drop(self.input);
        let mut said = Vec::new();
        while let Ok(line) = self.output.recv_timeout(DEADLINE) {
            said.push(line);
        }
        (self.session.join().unwrap(), said)
    }
}

const LAST: &str = "bestmove h2h4";

#[test]
fn uci_tells_the_name_and_the_options() {
    let talk = Talk::using(Script::AtOnce, &[Setting::Hash]);
    talk.say("uci");
    let lines = talk.until("uciok");
    assert!(lines[0].starts_with("id name Scripted ") && lines[1].starts_with("id author "), "{lines:?}");
    assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
    assert!(!lines.iter().any(|line| line.contains("Threads")));
}

#[test]
fn a_search_reports_and_answers() {
    let talk = Talk::with(Script::AtOnce);
    talk.say("go depth 1");
    let lines = talk.until("bestmove");
    assert!(lines[0].starts_with("info depth 1 seldepth 1 multipv 1 score cp 0 nodes 1 "), "{lines:?}");
    assert_eq!(lines[1..], [LAST]);
}

#[test]
fn the_answer_of_an_infinite_search_waits_for_stop() {
    let talk = Talk::with(Script::AtOnce);
    for position in ["startpos", "fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"] {
        talk.say(&format!("position {position}\ngo infinite"));
        talk.until("info depth");
        talk.nothing_is_answered();
        talk.say("stop");
        talk.until("bestmove");
    }
}

#[test]
fn the_answer_of_a_pondering_search_waits_for_ponderhit_or_stop() {
    for (script, word) in [
        (Script::AtOnce, "ponderhit"),
        (Script::AtOnce, "stop"),
        (Script::WhenHit, "ponderhit"),
        (Script::WhenHit, "stop"),
    ] {
        let talk = Talk::with(script);
        talk.say("go ponder wtime 1000 btime 1000");
        talk.until("info depth");
        talk.nothing_is_answered();
        talk.say(word);
        assert_eq!(talk.until("bestmove"), [LAST]);
        talk.check("ponderhit", &["info string ponderhit: nothing is pondered"]);
    }
}

#[test]
fn stop_ends_a_search_once() {
    let talk = Talk::with(Script::WhenStopped);
    talk.check("stop", &[]);
    talk.check("go depth 5", &[]);
    talk.say("stop\nstop");
    talk.until("bestmove");
    talk.check("stop\nstop", &[]);
    talk.say("go\nstop");
    talk.until("bestmove");
}

#[test]
fn questions_are_answered_during_a_search() {
    let talk = Talk::with(Script::WhenStopped);
    talk.say("go infinite");
    talk.nothing_is_answered();
    for (command, answer) in [("uci", "uciok"), ("d", "Key: "), ("eval", "Evaluation"), ("help", "help ")] {
        talk.say(command);
        assert!(!talk.until(answer).iter().any(|line| line.starts_with("bestmove")), "{command}");
    }
    talk.say("stop");
    assert_eq!(talk.until("bestmove"), [LAST]);
}

#[test]
fn a_second_go_is_refused() {
    for script in [Script::WhenStopped, Script::AtOnce] {
        let talk = Talk::with(script);
        talk.say("go infinite");
        talk.asked(1);
        talk.check(
            "go depth 3\ngo\nbench",
            &[
                "info string go \"depth 3\": ignored, one is under way",
                "info string go: ignored, one is under way",
                "info string bench: ignored, a search is under way",
            ],
        );
        talk.say("stop");
        assert_eq!(talk.until("bestmove").pop().as_deref(), Some(LAST));
    }
}

#[test]
fn what_the_search_stands_on_changes_after_it_has_ended() {
    for (command, ends) in [
        ("position startpos moves e2e4", true),
        ("position startpos moves e2e5", false),
        ("ucinewgame", true),
        ("setoption name Hash value 32", true),
        ("setoption name Clear Hash", true),
        ("setoption name TablePath value good", true),
        ("setoption name Hash value 0", false),
        ("setoption name Ponder value true", false),
        ("go perft 1", false),
    ] {
        let talk = Talk::with(Script::WhenStopped);
        talk.say("go infinite");
        talk.asked(1);
        assert_eq!(talk.answers(command).contains(&LAST.to_owned()), ends, "{command}");
    }
}

#[test]
fn what_comes_while_the_end_of_a_search_is_awaited_is_done_in_order() {
    let talk = Talk::with(Script::WhenStopped);
    talk.say("go infinite");
    talk.asked(1);
    talk.say("position startpos moves e2e4\nposition startpos moves d2d4\ngo infinite\nucinewgame");
    talk.until("bestmove");
    talk.until("bestmove h7h5");
    let fen = talk.fen();
    assert!(fen.contains("/3P4/"), "{fen}");
}

#[test]
fn quit_and_the_end_of_input_end_everything() {
    for (script, go, quits) in [
        (Script::WhenStopped, "go", true),
        (Script::WhenStopped, "go infinite", false),
        (Script::WhenHit, "go ponder", true),
        (Script::AtOnce, "go infinite", false),
        (Script::AtOnce, "go perft 100", true),
        (Script::AtOnce, "go perft 100", false),
        (Script::AtOnce, "isready", true),
    ] {
        let talk = Talk::with(script);
        talk.say(go);
        if quits {
            talk.say("quit\nisready");
        }
        let (result, said) = talk.end();
        assert!(result.is_ok(), "{go}");
        let searched = !go.contains("perft") && go != "isready";
        assert_eq!(said.contains(&LAST.to_owned()), searched, "{go}: {said:?}");
    }
}

#[test]
fn a_refused_position_leaves_the_old_one() {
    let talk = Talk::with(Script::AtOnce);
    let fen = "8/8/8/8/8/1K6/2R5/1k6 b - - 7 9";
    talk.say(&format!("position fen {fen}"));
    for refused in [
        "position",
        "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5b4",
        "position fen x",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos e2e4",
    ] {
        let answers = talk.answers(refused);
        assert!(answers.len() == 1 && answers[0].starts_with("info string position: "), "{answers:?}");
        assert_eq!(talk.fen(), fen, "{refused}");
    }
}

#[test]
fn a_refused_go_starts_nothing_and_an_unknown_word_is_named() {
    let talk = Talk::with(Script::WhenStopped);
    talk.check(
        "go depth x",
        &["info string go: expected a number from 0 to 65535 after \"depth\", got \"x\""],
    );
    talk.check("go btime 5", &["info string go: it is white's turn, but wtime is missing"]);
    talk.check("go fast infinite", &["info string go: unknown word \"fast\" ignored"]);
    talk.say("stop");
    talk.until("bestmove");
    assert_eq!(talk.seen.lock().unwrap().limits.len(), 1);
}

#[test]
fn positions_without_moves_are_answered_without_the_thinker() {
    let talk = Talk::with(Script::Never);
    for (fen, score) in
        [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")]
    {
        let expected = [&format!("info depth 0 score {score}"), "bestmove (none)"];
        talk.check(&format!("position fen {fen}\ngo movetime 100"), &expected);
    }
}

#[test]
fn a_defect_of_the_thinker_costs_neither_the_session_nor_the_move() {
    let talk = Talk::with(Script::Never);
    for (go, answer) in [("go", "bestmove b1a3"), ("go searchmoves e2e4", "bestmove e2e4")] {
        talk.say(go);
        let said = talk.until("bestmove");
        assert_eq!(said[1..], ["info string defect: the search failed with \"scripted defect\"", answer]);
    }
}

#[test]
fn settings_reach_the_thinker_when_it_is_asked() {
    let talk = Talk::with(Script::AtOnce);
    talk.check(
        "setoption name Hash value 64\nsetoption name Threads value 2\nsetoption name MultiPV value 3",
        &[],
    );
    talk.check("setoption name King Tables value false\nsetoption name Tables value false", &[]);
    talk.say("setoption name Hash value 7\ngo");
    talk.until("bestmove");
    let seen = talk.seen.lock().unwrap();
    let got: Vec<_> = seen.settings.iter().map(|got| (got.hash, got.threads, got.multi_pv)).collect();
    assert_eq!(got, [(64, 2, 3), (64, 2, 3), (7, 2, 3)]);
    assert!(seen.settings[0].tables.is_some() && seen.settings[1].tables.is_none());
    assert!(seen.settings[0].evaluation.king_tables && !seen.settings[2].evaluation.king_tables);
}

fn materials(talk: &Talk) -> Vec<String> {
    let seen = talk.seen.lock().unwrap();
    let tables = seen.settings[seen.settings.len() - 1].tables.clone();
    let names = |table: &crate::tables::Table| table.material().to_string();
    tables
        .iter()
        .flat_map(|set| set.iter().filter(|table| table.metric() == Metric::Dtm).map(names))
        .collect()
}

#[test]
fn tables_are_those_of_the_folder_and_the_basic_ones() {
    let talk = Talk::with(Script::AtOnce);
    let has = |name: &str| materials(&talk).contains(&name.to_owned());
    talk.check("", &[]);
    assert!(has("KQvK") && has("KRvK") && has("KPvK"));
    talk.check("setoption name TablePath value bad", &["info string setoption: TablePath: bad: not there"]);
    talk.check("setoption name TablePath value good", &[]);
    assert!(has("KBvK") && has("KQvK"));
    talk.check("setoption name TablePath value bad", &["info string setoption: TablePath: bad: not there"]);
    talk.check("setoption name Tables value false", &[]);
    assert!(materials(&talk).is_empty());
}

#[test]
fn no_tables_are_built_for_a_thinker_without_use_for_them() {
    let talk = Talk::using(Script::AtOnce, &[]);
    talk.check("setoption name Tables value true", &["info string setoption: no option \"Tables\""]);
    assert!(talk.seen.lock().unwrap().settings[0].tables.is_none());
}

#[test]
fn new_games_and_cleared_tables_are_forgotten() {
    let talk = Talk::with(Script::AtOnce);
    talk.check("ucinewgame\nsetoption name Clear Hash", &[]);
    assert_eq!(talk.seen.lock().unwrap().forgotten, 2);
}

#[test]
fn castling_is_read_and_written_in_the_mode_of_the_option() {
    let talk = Talk::with(Script::AtOnce);
    talk.say("position fen 4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1\ngo searchmoves e1g1");
    assert!(talk.until("bestmove").ends_with(&["bestmove e1g1".to_owned()]));
    talk.say("setoption name UCI_Chess960 value true\ngo searchmoves e1h1");
    let said = talk.until("bestmove");
    assert!(said[0].ends_with(" pv e1h1") && said[1] == "bestmove e1h1", "{said:?}");
    talk.check("position fen 4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1 moves e1h1", &[]);
    assert_eq!(talk.fen(), "4k2r/8/8/8/8/8/8/5RK1 b h - 1 1");
}

#[test]
fn chances_are_told_when_asked_for() {
    let talk = Talk::with(Script::AtOnce);
    talk.say("setoption name UCI_ShowWDL value true\ngo");
    assert!(talk.until("bestmove")[0].contains(" score cp 0 wdl 191 618 191 nodes "));
}

#[test]
fn the_thinker_has_the_whole_game() {
    let talk = Talk::with(Script::AtOnce);
    talk.say("position startpos moves g1f3 g8f6 f3g1 f6g8\ngo");
    talk.until("bestmove");
    let seen = talk.seen.lock().unwrap();
    assert_eq!((seen.games[0].moves().len(), seen.games[0].repetitions()), (4, 2));
}

#[test]
fn perft_counts_and_stops() {
    let talk = Talk::with(Script::Never);
    talk.say("go perft 3");
    assert!(talk.until("Nodes searched").ends_with(&["Nodes searched: 8902".to_owned()]));
    talk.next();
    talk.say("go perft 100");
    talk.nothing_is_answered();
    talk.say("stop");
    talk.until("info string perft stopped");
    talk.say("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\ngo perft 2");
    talk.until("Nodes searched: 0");
}

#[test]
fn bench_sums_up_and_leaves_the_settings_to_be_told_again() {
    let talk = Talk::with(Script::AtOnce);
    talk.check("setoption name Hash value 3", &[]);
    talk.say("bench 2");
    let said = talk.until("Signature");
    assert_eq!(said.len(), 46);
    assert!(said.contains(&"Nodes searched  : 40".to_owned()), "{said:?}");
    assert_eq!(said[45], "Signature: 40");
    talk.check("", &[]);
    let hash: Vec<usize> = talk.seen.lock().unwrap().settings.iter().map(|settings| settings.hash).collect();
    assert_eq!(hash, [3, 16, 3]);
    talk.check(
        "bench x",
        &["info string bench: expected a number from 1 to 65535 after \"bench\", got \"x\""],
    );
}

#[test]
fn what_is_no_command_is_named() {
    let talk = Talk::with(Script::AtOnce);
    talk.check("", &[]);
    talk.check(" \t \r\n\r", &[]);
    talk.check("joho debug on", &[]);
    talk.check("GO depth 3", &["info string unknown command \"GO depth 3\"; try help"]);
    talk.check("a\u{1b}[2J", &["info string unknown command \"a\\u{1b}[2J\"; try help"]);
    let long = "x".repeat(2_000_000);
    talk.check(&long, &["info string line of 2000000 bytes ignored: at most 1048576 are read"]);
    talk.input.send(b"\xff\xfe\0\x80\n".to_vec()).unwrap();
    let expected = "info string unknown command \"\u{fffd}\u{fffd}\\u{0}\u{fffd}\"; try help";
    talk.check("", &[expected]);
    talk.check(
        "\tposition\tstartpos\tmoves e2e4\r\nd",
        &talk.answers("position startpos moves e2e4\nd").iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn a_listener_that_has_gone_ends_the_session() {
    let Talk { input, output, session, .. } = Talk::with(Script::AtOnce);
    drop(output);
    input.send(b"isready\n".to_vec()).unwrap();
    assert_eq!(session.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}

/// Seeded nonsense made of the words of the protocol: whatever comes, the session goes on, and what is a position stays
/// one.
#[test]
fn nonsense_neither_ends_nor_hangs_the_session() {
    const WORDS: &str = "uci isready ucinewgame setoption position go stop ponderhit d eval help debug name value Hash \
        MultiPV TablePath good bad Clear true false startpos fen moves e2e4 e7e5 e1g1 e7e8q depth nodes mate movetime \
        wtime btime winc binc movestogo infinite ponder searchmoves perft 0 1 -1 7 99999999999999999999 x \u{e9} \
        8/8/8/8/8/1K6/2R5/1k6 b w - rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR KQkq";
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut seed = 1_u64;
    let mut below = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    for script in [Script::AtOnce, Script::WhenHit] {
        let talk = Talk::with(script);
        for _ in 0..1_000 {
            let count = 1 + below(9);
            let line: Vec<&str> = (0..count).map(|_| words[below(words.len())]).collect();
            talk.answers(&line.join(" "));
        }
        let (result, _) = talk.end();
        assert!(result.is_ok());
    }
}
