//! What others see of `match`: the lines of fastchess and cutechess as programs read them, the live table,
//! engines that end no search, and command lines of fastchess.

use std::collections::BTreeMap;
use std::process::Command;

use crate::matches::{arguments, run, sandbox};
use crate::players::{engine, hostile};
use crate::sandbox::{Ended, Sandbox};

/// What the client of `OpenBench` (commit 9906bad1) reads.
#[derive(Debug, Default, PartialEq, Eq)]
struct Client {
    /// From the view of the first engine: lost, drawn, won.
    trinomial: [u64; 3],
    pentanomial: [u64; 5],
    crashes: u64,
    time_losses: u64,
    illegal: u64,
}

impl Client {
    /// It stops at an empty line, cannot read other letters than ASCII, takes words 2 and 6 of a line with
    /// `Finished game` as the number and the result, and looks for its words between the first colon and the
    /// next.
    fn read(stdout: &str) -> Self {
        let (mut client, mut half) = (Self::default(), BTreeMap::new());
        for line in stdout.lines().map(str::trim) {
            assert!(!line.is_empty() && line.is_ascii(), "{stdout}");
            if !line.contains("Finished game") {
                continue;
            }
            let reason = line.split(':').nth(1).unwrap();
            let has = |words: &[&str]| u64::from(words.iter().any(|word| reason.contains(word)));
            client.crashes += has(&["disconnect", "stalls"]);
            client.time_losses += has(&["on time"]);
            client.illegal += has(&["illegal"]);
            let words: Vec<&str> = line.split_whitespace().collect();
            let number: u64 = words[2].parse().unwrap();
            let of_white = ["0-1", "1/2-1/2", "1-0"].iter().position(|known| *known == words[6]).unwrap();
            let of_first = if number.is_multiple_of(2) { 2 - of_white } else { of_white };
            client.trinomial[of_first] += 1;
            if let Some(other) = half.insert(number.div_ceil(2), of_first) {
                client.pentanomial[of_first + other] += 1;
            }
        }
        client
    }
}

/// The games of a PGN that the client of `OpenBench` sends to its server as errors. It takes lines up to an empty one as
/// the tags of a game, those up to the next one as its moves, and what stands between the first quotes of the tag
/// `Termination` as the reason.
fn errors(pgn: &str) -> Vec<&'static str> {
    let mut parts = pgn.split("\n\n").filter(|part| !part.is_empty());
    let mut errors = Vec::new();
    while let (Some(tags), Some(moves)) = (parts.next(), parts.next()) {
        assert!(tags.lines().all(|line| line.starts_with('[')) && !moves.starts_with('['), "{pgn}");
        let reason = tags.lines().find(|line| line.starts_with("[Termination ")).unwrap();
        let reason = reason.split('"').nth(1).unwrap();
        let known = [("abandoned", "Disconnect"), ("stalled", "Stalled"), ("illegal", "Illegal Move")];
        errors.extend(known.iter().find(|(word, _)| reason.contains(word)).map(|(_, error)| *error));
    }
    errors
}

/// Games, wins, draws, losses and pairs of the first engine.
fn standings(sandbox: &Sandbox, folder: &str) -> ([u64; 4], [u64; 5]) {
    let text = sandbox.text(&format!("{folder}/standings.csv"));
    let row = text.lines().skip(1).find(|line| line.starts_with("engine,")).unwrap();
    let fields: Vec<&str> = row.split(',').collect();
    let mut pairs = fields[6].split(' ').map(|count| count.parse().unwrap());
    ([1, 2, 3, 4].map(|at| fields[at].parse().unwrap()), [(); 5].map(|()| pairs.next().unwrap()))
}

#[test]
fn the_client_of_openbench_counts_what_the_standings_say() {
    let sandbox = sandbox();
    for style in ["fastchess", "cutechess"] {
        let ended = run(&sandbox, &format!("--rounds 4 --concurrency 3 --output {style} --out {style}"));
        ended.says(0, &[]);
        let client = Client::read(&ended.stdout);
        let ([games, wins, draws, losses], pairs) = standings(&sandbox, style);
        assert_eq!(
            (client.trinomial, client.pentanomial),
            ([losses, draws, wins], pairs),
            "{}",
            ended.stdout
        );
        assert_eq!((games, client.crashes, client.time_losses, client.illegal), (8, 0, 0, 0));
        // Each game begins before it ends.
        let at =
            |text: String| ended.stdout.find(&text).unwrap_or_else(|| panic!("{text}: {}", ended.stdout));
        for number in 1..=8 {
            let (white, black) = if number % 2 == 1 { ("engine", "weak") } else { ("weak", "engine") };
            let started = at(format!("Started game {number} of 8 ({white} vs {black})\n"));
            assert!(started < at(format!("Finished game {number} ({white} vs {black}): ")));
        }
    }
    // The same games, whatever is printed.
    assert_eq!(sandbox.text("fastchess/games.pgn"), sandbox.text("cutechess/games.pgn"));
}

#[test]
fn standings_come_at_their_intervals_and_at_the_end() {
    let sandbox = sandbox();
    let lines = |more: &str, folder: &str| {
        let ended = run(&sandbox, &format!("--out {folder} {more}"));
        ended.says(0, &[]);
        ended.stdout
    };
    let fastchess = lines("--rounds 3 --output fastchess --ratinginterval 2", "one");
    assert_eq!(fastchess.matches("Results of engine vs weak (1000 nodes - 100 nodes, ").count(), 2);
    let [_, pairs] = fastchess.rsplit_once("Ptnml(0-2): [").map(|(before, after)| [before, after]).unwrap();
    let (_, expected) = standings(&sandbox, "one");
    assert_eq!(pairs.split_once(']').unwrap().0, expected.map(|count| count.to_string()).join(", "));
    assert!(fastchess.contains("Games: 4, ") && fastchess.contains("Games: 6, "), "{fastchess}");
    assert!(fastchess.ends_with("--\nTournament finished\n"), "{fastchess}");
    let each = lines("--rounds 3 --output fastchess --ratinginterval 1", "each");
    assert_eq!(each.matches("Results of ").count(), 3, "{each}");
    let cutechess = lines("--rounds 3 --output cutechess", "two");
    let ([games, wins, draws, losses], _) = standings(&sandbox, "two");
    let score = format!("Score of engine vs weak: {wins} - {losses} - {draws}  [");
    assert_eq!(cutechess.matches("Score of engine vs weak: ").count() as u64, games, "{cutechess}");
    assert!(cutechess.contains(&score), "{cutechess}");
    assert_eq!(cutechess.matches("Elo difference: ").count(), 1, "{cutechess}");
    assert!(cutechess.ends_with(" %\nFinished match\n"), "{cutechess}");
    let test = lines("--output fastchess --ratinginterval 0 --sprt elo0=0 elo1=200 --rounds 500", "three");
    assert!(test.contains("\nLLR: ") && test.contains(" [0.00, 200.00]\n"), "{test}");
    assert!(test.contains("\nSPRT ([0.00, 200.00]) completed - H"), "{test}");
    run(&sandbox, "--ratinginterval 3 --out four")
        .says(2, &["--ratinginterval is for", "--output fastchess"]);
    assert!(!sandbox.path("four").exists());
}

#[test]
fn faults_have_the_words_that_clients_look_for() {
    let sandbox = Sandbox::new();
    let faulty = |fault: &str, limit: &str, code: i32, style: &str| {
        let words = format!(
            "--each depth=1 --of 2:name=faulty 2:arg=--fault 2:arg={fault} 2:{limit} --rounds 1 \
             --output {style} --out {fault}-{style}"
        );
        let ended = sandbox.run(["match", hostile(), hostile()].into_iter().chain(words.split_whitespace()));
        assert_eq!(ended.code, code, "{}", ended.stderr);
        let client = Client::read(&ended.stdout);
        let pgn = sandbox.text(&format!("{fault}-{style}/games.pgn"));
        assert_eq!(pgn.matches("[Event ").count() as u64, client.trinomial.iter().sum::<u64>());
        (client, errors(&pgn))
    };
    for style in ["fastchess", "cutechess"] {
        let (illegal, errors) = faulty("illegal-move", "depth=1", 1, style);
        assert_eq!((illegal.illegal, illegal.crashes, illegal.trinomial), (2, 0, [0, 0, 2]));
        assert_eq!(errors, ["Illegal Move"; 2]);
        let (crash, errors) = faulty("crash-at-go", "tc=9", 1, style);
        assert_eq!((crash.crashes, crash.illegal, crash.pentanomial), (2, 0, [0, 0, 0, 0, 1]));
        assert_eq!(errors, ["Disconnect"; 2]);
    }
    let (slow, errors) = faulty("slow", "tc=0.2", 0, "fastchess");
    assert_eq!((slow.time_losses, slow.crashes, slow.trinomial), (2, 0, [0, 0, 2]));
    assert_eq!(errors, [""; 0]);
    let (hang, errors) = faulty("no-bestmove", "tc=0.1", 1, "fastchess");
    assert_eq!((hang.crashes, hang.time_losses), (2, 0));
    assert_eq!(errors, ["Stalled"; 2]);
}

/// An engine that ends no search at its limit is told before the match begins, and loses no game by patience.
#[test]
fn an_engine_that_ends_no_search_does_not_play() {
    let sandbox = Sandbox::new();
    let check = |fault: &str, words: &str, parts: Option<&[&str]>| {
        let words = format!(
            "--of 2:name=endless 2:arg=--fault 2:arg={fault} --rounds 1 --patience 1 --out out-{fault} {words}"
        );
        let ended = sandbox.run(["match", hostile(), hostile()].into_iter().chain(words.split_whitespace()));
        ended.says(if parts.is_some() { 2 } else { 0 }, parts.unwrap_or_default());
        assert_eq!(sandbox.path(&format!("out-{fault}")).exists(), parts.is_none());
    };
    let told: [&str; 2] = ["endless did not answer \"go nodes 100\" within 5 s", "--of 2:depth=8"];
    check("nodes-are-forever", "--each nodes=5000", Some(&told));
    check("nodes-are-forever", "--of 1:nodes=5000 2:depth=1", None);
    check("depth-is-forever", "--each depth=3", Some(&["\"go depth 2\"", "--of 2:tc=8+0.08"]));
}

#[test]
fn a_match_of_fastchess_is_one_of_ours() {
    let sandbox = sandbox();
    let engine = engine();
    let line = format!(
        "fastchess -engine cmd={engine} name=engine nodes=1000 -engine cmd={engine} name=weak nodes=100 -recover \
         -openings file=book.epd format=epd order=random -rounds 3 -repeat -srand 1 -log file=x"
    );
    let program = |more: &[&str]| {
        let mut program = sandbox.program();
        program.args(["match", "--from-fastchess", &line]).args(more).env("TOUCHSTONE_TODAY", "2026-11-26");
        Ended::of(&mut program)
    };
    let theirs = program(&["--out", "theirs"]);
    theirs.says(0, &["note: -log: no effect", "match ", "--of 1:name=engine", "--out theirs"]);
    assert!(theirs.stdout.ends_with("Tournament finished\n"), "{}", theirs.stdout);
    run(&sandbox, "--rounds 3 --rules fastchess --out ours").says(0, &[]);
    assert_eq!(sandbox.text("theirs/games.pgn"), sandbox.text("ours/games.pgn"));
    // Our own words come last.
    let ours = program(&["--out", "again", "--output", "touchstone", "--rounds", "1"]);
    assert!(ours.stdout.contains("game 2 of 2: "), "{}", ours.stdout);
    let refused = sandbox.run(["match", "--from-fastchess=-engine cmd=a -engine cmd=b -noswap"]);
    refused.says(2, &["--from-fastchess: -noswap: refused", "leave it out"]);
    let refused = sandbox.run(["match", "--from-fastchess=-engine cmd=a -engine cmd=b -concurrency 9999"]);
    refused.says(2, &["9999", "--concurrency"]);
}

/// The last positions are those of the PGN, whatever finishes first, and no file is overwritten.
#[test]
fn the_last_positions_are_kept() {
    let sandbox = sandbox();
    run(&sandbox, "--rounds 2 --out one --epdout one.epd").says(0, &[]);
    run(&sandbox, "--rounds 2 --out four --epdout four.epd --concurrency 4").says(0, &[]);
    let positions = sandbox.text("one.epd");
    assert_eq!(sandbox.text("four.epd"), positions);
    let is_position = |line: &str| line.contains(" hmvc ") && line.contains("; fmvn ") && line.ends_with(';');
    assert!(positions.lines().count() == 4 && positions.lines().all(is_position), "{positions}");
    run(&sandbox, "--rounds 2 --out one --epdout one.epd --resume").says(0, &[]);
    assert_eq!(sandbox.text("one.epd"), positions);
    run(&sandbox, "--rounds 2 --out two --epdout one.epd").says(2, &["one.epd exists", "--epdout"]);
    // A match that did not begin leaves no file.
    run(&sandbox, "--rounds 2 --out two --epdout two.epd --pgnout book.epd").says(2, &["book.epd exists"]);
    assert!(!sandbox.path("two.epd").exists() && sandbox.text("one.epd") == positions);
}

/// On a terminal the table stands in place of the lines.
#[test]
fn a_terminal_shows_a_table() {
    let sandbox = sandbox();
    let words = arguments("--rounds 2 --out out").into_iter().map(|word| format!("'{word}'"));
    let line = words.collect::<Vec<_>>().join(" ");
    let mut script = Command::new("script");
    let line = format!("stty cols 100 rows 40; '{}' {line}", env!("CARGO_BIN_EXE_touchstone"));
    script.args(["-qec", &line, "/dev/null"]).current_dir(sandbox.path("")).env("TERM", "xterm");
    let ended = Ended::of(&mut script);
    assert_eq!(ended.code, 0, "{}", ended.stdout);
    for part in ["games   0 of 4", "1  engine", "\nengine   ", "games in out/games.pgn"] {
        assert!(ended.stdout.contains(part), "{part}: {}", ended.stdout);
    }
    assert!(!ended.stdout.contains("game 1 of 4: "), "{}", ended.stdout);
}
