//! The session: reads commands and answers them.

use std::io::{self, BufRead, Write};
use std::process::{ExitCode, exit};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::{Chess, Position};

use crate::board;
use crate::fault::Faults;
use crate::mouth::{flood, say, write};
use crate::moves;
use crate::rule::Line;
use crate::search::{Limits, PendingSearch, SHOW_WDL, SMALL_HASH, think};

/// The answer to `uci`.
const IDENTITY: &[&str] = &[
    "id name Hostile",
    "id author the tests",
    "option name Hash type spin default 16 min 1 max 1024",
    "option name Clear Hash type button",
    "option name Ponder type check default false",
    "option name MultiPV type spin default 1 min 1 max 256",
    "option name Threads type spin default 1 min 1 max 8",
    "option name UCI_ShowWDL type check default false",
    "option name UCI_Chess960 type check default false",
    "option name UCI_AnalyseMode type check default false",
    "option name SyzygyPath type string default <empty>",
    "option name OwnBook type check default true",
    "option name Style type combo default Normal var Solid var Normal var Wild",
    "option name Book File type string default <empty>",
    "uciok",
    "copyprotection checking",
    "copyprotection ok",
];

/// The limits of `go` that the fault `clock-only` does not know.
const OTHER_LIMITS: [&str; 4] = ["depth", "nodes", "movetime", "mate"];

/// Replaces a line that is ignored.
const NOTHING: &str = "";

struct Session<'a> {
    faults: &'a Faults,
    position: Chess,
    lines: usize,
    search: Option<PendingSearch>,
    /// The number of searches so far.
    searches: u32,
    /// The moves of the last `searchmoves`.
    only: Vec<String>,
    /// Whether a move mated in an earlier search.
    saw_mate: bool,
    /// Whether `ucinewgame` came.
    in_game: bool,
    /// The value of `Threads`.
    threads: u32,
    /// The number of searches with more than one thread.
    parallel: u32,
    /// The plies of the longest game.
    plies: usize,
    /// The last line, and when it came.
    last: Option<(String, Instant)>,
}

/// Reads and answers until `quit` or the end of its input.
pub(crate) fn run(faults: &Faults) -> ExitCode {
    if faults.has("deaf") {
        // More answers than a session asks for.
        let others = ["readyok", "bestmove a1a1"].iter().cycle().take(2000);
        for line in IDENTITY.iter().chain(others) {
            say(faults, line);
        }
        sleep_forever();
    }
    if faults.has("silent") {
        sleep_forever();
    }
    let input = read_input();
    let mut session = Session {
        faults,
        position: Chess::default(),
        lines: 1,
        search: None,
        searches: 0,
        only: Vec::new(),
        saw_mate: false,
        in_game: false,
        threads: 1,
        parallel: 0,
        plies: 0,
        last: None,
    };
    if faults.has("uciok-unasked") {
        session.identify();
    }
    loop {
        match session.next(&input).map(|line| session.ruled(line)) {
            Ok(line) if line == NOTHING => {}
            Ok(line) if line.split_whitespace().next() == Some("quit") => {
                let overran = faults.has("short-history") && session.plies > 256;
                if faults.has("crash-at-quit") || overran {
                    std::process::abort();
                }
                if !faults.has("ignore-quit") {
                    return ExitCode::SUCCESS;
                }
            }
            Ok(lines) => lines.lines().for_each(|line| session.command(line)),
            Err(RecvTimeoutError::Timeout) => session.answer(),
            Err(RecvTimeoutError::Disconnected) if faults.has("ignore-end") => sleep_forever(),
            Err(RecvTimeoutError::Disconnected) if session.search.is_some() && faults.has("crash-at-end") => {
                std::process::abort()
            }
            Err(RecvTimeoutError::Disconnected) => {
                if session.search.as_ref().is_some_and(PendingSearch::ends_by_itself) {
                    session.answer();
                }
                return ExitCode::SUCCESS;
            }
        }
    }
}

/// The lines of the input. They are read at once, so that the writer never waits.
fn read_input() -> Receiver<String> {
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut input = io::stdin().lock();
        while matches!(input.read_until(b'\n', &mut bytes), Ok(read) if read > 0) {
            if send.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                return;
            }
            bytes.clear();
        }
    });
    lines
}

/// Takes a GiB in half a second.
fn take_memory() -> ! {
    let mut taken = Vec::new();
    for _ in 0..64 {
        taken.push(vec![1_u8; 16 << 20]);
        thread::sleep(Duration::from_millis(8));
    }
    std::hint::black_box(&taken);
    sleep_forever()
}

fn sleep_forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

impl Session<'_> {
    fn next(&self, input: &Receiver<String>) -> Result<String, RecvTimeoutError> {
        match self.search.as_ref().and_then(|search| search.due) {
            Some(due) => input.recv_timeout(due.saturating_duration_since(Instant::now())),
            None => input.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// The line, or what a rule replaces it with.
    fn ruled(&mut self, line: String) -> String {
        if self.faults.heard.is_empty() {
            return line;
        }
        let text = line.strip_suffix('\n').unwrap_or(&line);
        let last = self.last.as_ref().map(|(last, at)| (last.as_str(), at.elapsed()));
        let heard = Line { text, last, busy: self.search.is_some() };
        let act = self.faults.heard.iter().find_map(|rule| rule.heard(&heard));
        self.last = Some((text.to_owned(), Instant::now()));
        match act.map(|act| act.split_once(' ').unwrap_or((act, ""))) {
            None => line,
            Some(("crash", _)) => std::process::abort(),
            Some((act @ ("wait" | "panic"), time)) => {
                if act == "panic" {
                    let _ = writeln!(io::stderr(), "thread 'logger' panicked at src/log.rs:7:1:");
                }
                thread::sleep(Duration::from_millis(time.parse().unwrap_or_default()));
                line
            }
            Some(("say", said)) => {
                self.say(said);
                NOTHING.to_owned()
            }
            Some(("hear", others)) => others.replace("\\n", "\n"),
            Some(_) => NOTHING.to_owned(),
        }
    }

    fn say(&self, line: &str) {
        say(self.faults, line);
    }

    fn answer(&mut self) {
        if let Some(search) = self.search.take() {
            self.say(&search.last_lines(self.faults));
            if self.faults.has("answers-twice") && self.parallel % 50 == 49 {
                self.say(&search.last_lines(self.faults));
            }
        }
    }

    fn command(&mut self, line: &str) {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = tokens.split_first() else { return };
        match first {
            "uci" => self.identify(),
            "isready" if self.faults.has("no-readyok") => {}
            "isready" => self.say("readyok"),
            "stop" if self.faults.has("ignore-stop") => {}
            // The answer to a search with threads gets lost.
            "stop" if self.faults.has("loses-stop") && self.parallel % 50 == 49 => self.parallel += 1,
            "stop" => self.answer(),
            "ponderhit" => self.search.iter_mut().for_each(PendingSearch::ponderhit),
            // During a search all other commands are ignored.
            _ if self.search.is_some() => {}
            "ucinewgame" => self.new_game(),
            "setoption" => self.set_option(rest),
            "position" => match board::read(self.faults, rest) {
                Ok(position) => {
                    self.plies = self.plies.max(rest.len());
                    if self.faults.has("history-of-224") && position.halfmoves() > 224 {
                        std::process::abort();
                    }
                    self.position = position;
                }
                Err(wrong) => self.say(&format!("info string {wrong}")),
            },
            "go" if self.faults.has("clock-only") && rest.iter().any(|word| OTHER_LIMITS.contains(word)) => {
                self.say("info string only clocks are supported");
            }
            "go" => self.go(Limits::read(rest)),
            "perft" if self.faults.has("bare-perft") => {
                if let Some(depth) = rest.first().and_then(|depth| depth.parse().ok()) {
                    self.perft(depth);
                }
            }
            _ => {}
        }
    }

    fn identify(&self) {
        for line in IDENTITY {
            self.say(line);
        }
        if self.faults.has("flood-unasked") {
            flood(io::stdout().lock(), b"info string and so on\n", Duration::ZERO);
        }
    }

    fn new_game(&mut self) {
        self.in_game = true;
        if self.faults.has("crash-at-newgame") {
            std::process::abort();
        }
        if self.faults.has("hang-at-newgame") {
            sleep_forever();
        }
    }

    fn set_option(&mut self, tokens: &[&str]) {
        if let ["name", name, "value", value] = tokens
            && name.eq_ignore_ascii_case("MultiPV")
            && let Ok(lines) = value.parse::<usize>()
        {
            self.lines = lines.clamp(1, 256);
        }
        if let ["name", "Threads", "value", value] = tokens {
            self.threads = value.parse().unwrap_or(1);
        }
        if let ["name", "Hash", "value", value] = tokens {
            SMALL_HASH.store(*value == "1", Ordering::Relaxed);
        }
        if let ["name", "UCI_ShowWDL", "value", value] = tokens {
            SHOW_WDL.store(*value == "true", Ordering::Relaxed);
        }
        if let ["name", "UCI_Chess960", "value", value] = tokens {
            board::CHESS960.store(*value == "true", Ordering::Relaxed);
        }
    }

    fn go(&mut self, mut limits: Limits) {
        let faults = self.faults;
        if !limits.only.is_empty() {
            self.only.clone_from(&limits.only);
        } else if faults.has("keeps-searchmoves") {
            limits.only.clone_from(&self.only);
        }
        if faults.has("needs-newgame") && !self.in_game {
            return self.say("info string send ucinewgame first");
        }
        if faults.has("thinks-on") {
            thread::sleep(Duration::from_secs(6));
            let best =
                board::moves(faults, &self.position).first().map_or("0000".to_owned(), |&mv| board::text(mv));
            return self.say(&format!("bestmove {best}"));
        }
        self.searches += 1;
        self.parallel += u32::from(self.threads > 1);
        let is_later = self.searches > 1;
        if faults.has("crash-at-go")
            || faults.has("crash-later") && is_later
            || self.in_game && faults.now("crash-once")
        {
            let _ = writeln!(std::io::stderr(), "no node at 0x7f3a");
            std::process::abort();
        }
        if self.in_game && faults.now("hang-once") {
            sleep_forever();
        }
        let has_mate =
            || board::moves(faults, &self.position).iter().any(|&mv| board::mates(&self.position, mv));
        let lies = faults.has("unsound-mate")
            || faults.has("unsound-in-nodes") && limits.nodes.is_some()
            || faults.has("unsound-later") && is_later
            || self.in_game && !has_mate() && faults.now("unsound-once");
        if faults.has("crash-after-mate") {
            let has_mate = has_mate();
            if self.saw_mate && !has_mate {
                std::process::abort();
            }
            self.saw_mate |= has_mate;
        }
        if faults.has("crash-at-mate") && has_mate() {
            std::process::abort();
        }
        if faults.has("silent-at-mate") && has_mate() {
            sleep_forever();
        }
        if faults.has("exit-at-go") {
            exit(0);
        }
        if faults.has("unfinished") {
            write(b"info depth 1 score cp 1\nbestmove e2");
            exit(0);
        }
        let line = b"info depth 1 score cp 13 nodes 20 pv e2e4\n";
        if faults.has("flood-output") {
            flood(io::stdout().lock(), line, Duration::ZERO);
        }
        if faults.has("flood-steadily") {
            flood(io::stdout().lock(), line, Duration::from_millis(5));
        }
        if faults.has("flood-error") {
            flood(io::stderr().lock(), b"so much to say\n", Duration::ZERO);
        }
        if faults.has("greedy") {
            take_memory();
        }
        if faults.has("flood-line") {
            flood(io::stdout().lock(), b"info string and so on ", Duration::ZERO);
        }
        if let Some(depth) = limits.perft
            && !faults.has("no-perft")
            && !faults.has("bare-perft")
        {
            return self.perft(depth);
        }
        if faults.has("crash-at-castling") && self.position.legal_moves().iter().any(|mv| mv.is_castle()) {
            std::process::abort();
        }
        let mut search = think(faults, &self.position, limits, self.lines, lies);
        if faults.has("illegal-second") && self.searches == 2 {
            "bestmove e4e5".clone_into(&mut search.answer);
        }
        if faults.has("threadless") && self.threads == 0 {
            "bestmove 0000".clone_into(&mut search.answer);
        }
        if faults.has("no-bestmove") {
            search.due = None;
            sleep_forever();
        }
        self.search = Some(search);
        if self.search.as_ref().and_then(|search| search.due).is_some_and(|due| due <= Instant::now()) {
            self.answer();
        }
    }

    /// Prints perft counts: by first move, and the total.
    fn perft(&self, depth: u32) {
        let one_more = u64::from(depth == 2 && self.faults.has("miscount"));
        let mut all = one_more;
        for mv in moves::moves(self.faults, &self.position) {
            let mut after = self.position.clone();
            after.play_unchecked(mv);
            let nodes = moves::perft(self.faults, &after, depth.saturating_sub(1));
            all += nodes;
            if !self.faults.has("bare-perft") {
                self.say(&format!("{}: {nodes}", board::text(mv)));
            }
        }
        let bare = self.faults.has("bare-perft");
        self.say(&if bare { all.to_string() } else { format!("\nNodes searched: {all}\n") });
    }
}
