//! `verify --epd`: each line belongs to the suite that reads it; other files are refused.

use reports::{BestMoveRow, CheckRow, DifferenceRow, MateRow};
use suites::Evidence;

use crate::engine::named;
use crate::sandbox::Sandbox;

/// Mates on the back rank and the fool's; an opening; and moves to avoid.
pub(crate) const WAC: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"own.001\";\n\
                   rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2 bm d8h4; id \"own.002\"; acd 4;\n\
                   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 bm e4 d4 Nf3 c4; am f3; c1 \"old\";\n";

const STS: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8; id \"points.001\"; c0 \"Rd8=10, h3=2\";\n\
                   rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2 bm Qh4; c7 \"Qh4 h5\"; c8 \"10 3\"; c9 \"d8h4 h7h5\";\n";

/// One move wins by the tables; a stalemate beside a mate that the prover finds; and a draw beside a loss.
const WRONG: &str = "8/8/8/2k5/4K3/3P4/8/8 w - - bm d4; id \"table\";\n\
                     8/8/8/2k5/4K3/3P4/8/8 w - - am Ke5; id \"avoid\";\n\
                     7k/5Q2/8/6K1/8/p7/P7/8 w - - bm Kg6; id \"prover\";\n\
                     8/8/8/8/8/k7/3q4/2K5 w - - bm Kb1; id \"loses\";\n\
                     8/8/8/2k5/4K3/3P4/8/8 w - - bm Ke5; id \"right\";\n";

pub(crate) fn of_check<'a>(rows: &'a [CheckRow], subject: &str, check: &str) -> &'a CheckRow {
    let found = rows.iter().find(|row| row.subject == subject && row.check == check);
    found.unwrap_or_else(|| panic!("{subject} {check}: {rows:?}"))
}

fn verdicts(sandbox: &Sandbox) -> Vec<String> {
    sandbox.rows::<BestMoveRow>().into_iter().map(|row| row.verdict.to_string()).collect()
}

/// A program for a shell that answers to a position that holds a text with a move, and says to a file
/// whenever it is started.
#[cfg(unix)]
fn program(moves: &[(&str, &str)], otherwise: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let case = |(text, mv): &(&str, &str)| format!("*\"{text}\"*) m={mv};;\n");
    let cases: Vec<String> = moves.iter().map(case).collect();
    let cases = cases.concat();
    let text = format!(
        "#!/bin/sh\necho started >> started\nm=0000\nwhile read line; do case \"$line\" in\n\
         uci) echo uciok;;\nisready) echo readyok;;\nquit) exit 0;;\n{cases}\
         position*) m={otherwise};;\n\
         go*) echo info depth 6 score cp 0 pv $m; echo bestmove $m;;\nesac; done\n"
    );
    sandbox.write_program("script", text);
    sandbox
}

/// Each position of these files by what stands nowhere else, and the first legal move there.
#[cfg(unix)]
const FIRST_MOVES: [(&str, &str); 4] = [
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w", "d1a1"),
    ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b", "a7a5"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "a2a3"),
    ("8/8/8/2k5/4K3/3P4/8/8 w", "d3d4"),
];

#[test]
fn our_engine_solves_and_scores() {
    let sandbox = named();
    sandbox.write("wac.epd", WAC);
    sandbox.write("sts.epd", STS);
    for who in ["--subject engine", "--engine ours --time-limit 300"] {
        let ended = sandbox.verify(&format!("--epd wac.epd --epd sts.epd {who}"));
        ended.says(0, &[]);
        let name = if who.contains("subject") { "engine" } else { "ours" };
        for line in [
            format!("wac.epd: {name} solved 3 of 3, limit nodes 100000\n"),
            format!("sts.epd: {name} solved 2 of 2 (points 20 of 20), limit nodes 100000\n"),
        ] {
            assert!(ended.stdout.contains(&line), "{line}{}", ended.stdout);
        }
        let rows: Vec<CheckRow> = sandbox.rows();
        let solved = rows.iter().filter(|row| row.check == "bestmove/solved");
        let counts: Vec<_> = solved.map(|row| (row.evidence, row.compared, row.observed)).collect();
        assert_eq!(counts, [(Evidence::Opinion, 0, 2), (Evidence::Opinion, 0, 3)]);
        // Nothing else was asked but how it breaks.
        let families = ["bestmove", "process"];
        assert!(rows.iter().all(|row| families.contains(&row.check.split('/').next().unwrap())), "{rows:?}");
    }
}

/// What it plays is legal and knows nothing: a figure, no agreement and no finding.
#[cfg(unix)]
#[test]
fn a_player_of_the_first_legal_move_solves_and_agrees_to_nothing() {
    let sandbox = program(&FIRST_MOVES, "a1a2");
    sandbox.write("wac.epd", WAC);
    sandbox.write("sts.epd", STS);
    let ended = sandbox.verify("--engine ./script --epd wac.epd --epd sts.epd --time-limit 120");
    ended.says(0, &[]);
    assert!(ended.stdout.contains("wac.epd: script solved 0 of 3, limit nodes 100000\n"), "{}", ended.stdout);
    assert!(
        ended.stdout.contains("sts.epd: script solved 0 of 2 (points 0 of 20), limit nodes 100000\n"),
        "{}",
        ended.stdout
    );
    assert_eq!(verdicts(&sandbox), ["missed"; 5]);
    let rows: Vec<CheckRow> = sandbox.rows();
    let own = || rows.iter().filter(|row| row.check.starts_with("bestmove"));
    assert!(own().all(|row| row.agreed == 0 && row.differed == 0), "{rows:?}");
    let observed = |check: &str| own().filter(|row| row.check == check).map(|row| row.observed).sum::<u64>();
    assert_eq!((observed("bestmove/solved"), observed("bestmove/thrown")), (5, 4));
}

#[cfg(unix)]
#[test]
fn illegal_moves_and_thrown_wins_are_findings() {
    let sandbox = program(&[("8/8/8/2k5/4K3/3P4/8/8 w", "d3d4")], "a1b9");
    sandbox
        .write("two.epd", "8/8/8/2k5/4K3/3P4/8/8 w - - bm Ke5;\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8;\n");
    sandbox.verify("--engine ./script --epd two.epd --time-limit 120").says(1, &[]);
    assert_eq!(verdicts(&sandbox), ["thrown", "bad move"]);
    let rows: Vec<DifferenceRow> = sandbox.rows();
    let told: Vec<String> = rows.iter().map(|row| row.0.stored.to_string()).collect();
    let found: Vec<_> =
        rows.iter().zip(&told).map(|(row, told)| (&*row.0.check, &*row.0.case, &**told)).collect();
    let expected = [
        ("bestmove/move", "two.epd/2", "the move a1b9"),
        ("bestmove/thrown", "two.epd/1", "the move d4+ (d3d4)"),
    ];
    assert_eq!(found, expected);
    assert!(rows[1].0.replay.contains("go nodes 100000"), "{rows:?}");
}

#[test]
fn tables_and_prover_overrule_a_file_that_is_wrong() {
    let sandbox = Sandbox::new();
    sandbox.write("wrong.epd", WRONG);
    let ended = sandbox.verify("--epd wrong.epd --quick");
    ended.says(1, &[]);
    assert!(
        ended.stdout.contains("wrong.epd: engine solved 1 of 1, 4 overruled, limit nodes 100000\n"),
        "{}",
        ended.stdout
    );
    let rows: Vec<CheckRow> = sandbox.rows();
    let claims = of_check(&rows, "wrong.epd", "bestmove/claim");
    assert_eq!((claims.agreed, claims.differed, claims.errors), (1, 4, 4));
    let rows: Vec<DifferenceRow> = sandbox.rows();
    let told: Vec<String> = rows.iter().map(|row| row.0.stored.to_string()).collect();
    let found: Vec<_> =
        rows.iter().zip(&told).map(|(row, told)| (&*row.0.case, &**told, &*row.0.source)).collect();
    let table = "certified production table";
    let expected = [
        ("wrong.epd/1", "bm d4+", table),
        ("wrong.epd/2", "am Ke5", table),
        ("wrong.epd/3", "bm Kg6", "shakmaty and mate prover"),
        ("wrong.epd/4", "bm Kb1", "certified production table and shakmaty"),
    ];
    assert_eq!(found, expected);
    assert!(rows.iter().all(|row| row.0.subject == "wrong.epd"), "{rows:?}");
}

/// A file that states a longer mate than there is is wrong, or can be improved: the shorter one is told with
/// its line.
#[test]
fn a_shorter_mate_than_the_files_is_told() {
    let sandbox = named();
    let file = |dm: u32, bm: u32| {
        format!("8/8/8/8/8/1K6/2R5/1k6 w - - dm {dm};\n6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm #{bm};\n")
    };
    sandbox.write("mates.epd", file(3, 4));
    for check in
        ["--subject engine --suite mates", "--engine ours --check file", "--engine ours --check file/longer"]
    {
        sandbox.verify(&format!("{check} --epd mates.epd --nodes 10000")).says(1, &[]);
        let rows: Vec<DifferenceRow> = sandbox.rows();
        let told: Vec<[String; 2]> =
            rows.iter().map(|row| [row.0.stored.to_string(), row.0.expected.to_string()]).collect();
        let found: Vec<_> = rows
            .iter()
            .zip(&told)
            .map(|(row, [stored, expected])| (&*row.0.check, &*row.0.case, &**stored, &**expected))
            .collect();
        let expected = [
            ("file/longer", "mates.epd/1", "mate in 3", "mate in 2"),
            ("file/longer", "mates.epd/2", "mate in 4", "mate in 1"),
        ];
        assert_eq!(found, expected, "{check}");
        assert!(rows[0].0.explanation.ends_with(": 1. Rc3 Ka1 2. Rc1#"), "{}", rows[0].0.explanation);
    }
    sandbox.write("mates.epd", file(2, 1));
    sandbox.verify("--subject engine --suite mates --epd mates.epd --nodes 10000").says(0, &[]);
    assert_eq!(of_check(&sandbox.rows::<CheckRow>(), "mates.epd", "file/longer").agreed, 2);
    // Which mate is there is mate/claim, and no finding of the length.
    sandbox.write("mates.epd", file(1, 1));
    sandbox.verify("--subject engine --suite mates --epd mates.epd --nodes 10000").says(1, &[]);
    let rows: Vec<DifferenceRow> = sandbox.rows();
    assert_eq!(rows.iter().map(|row| &*row.0.check).collect::<Vec<_>>(), ["mate/claim"]);
}

/// A file may mix all kinds: each line goes to the suite that reads it, and no other suite is run.
#[test]
fn each_line_belongs_to_one_suite() {
    let sandbox = named();
    let text = "8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;\n8/8/8/8/8/1K6/2R5/1k6 w - - dm 2; am Kc4;\n\
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902\n\
                id kings\nepd 8/8/8/3k4/8/3K4/8/8 w - -\nperft 1 5\nperft 2 36\n";
    sandbox.write("mixed.epd", text);
    for (who, name) in [("--subject engine", "engine"), ("--engine ours --time-limit 300", "ours")] {
        sandbox.verify(&format!("--epd mixed.epd --quick {who}")).says(0, &[]);
        let rows: Vec<CheckRow> = sandbox.rows();
        let counts = if who.contains("subject") { "perft" } else { "movegen/perft" };
        assert_eq!(of_check(&rows, name, counts).agreed, 5, "{rows:?}");
        assert_eq!(of_check(&rows, "mixed.epd", "perft/claim").agreed, 5);
        assert_eq!(of_check(&rows, name, "mate").agreed, 2);
        assert_eq!(of_check(&rows, name, "bestmove/solved").observed, 1);
        assert_eq!(sandbox.rows::<MateRow>().len(), 2);
    }
    // One suite alone, and what is left is said.
    let ended = sandbox.verify("--subject engine --epd mixed.epd --suite bestmove --quick");
    ended.says(
        0,
        &["note: 2 lines are for suite mates, which was not requested", "note: 2 lines are for suite perft"],
    );
    assert_eq!((sandbox.rows::<MateRow>().len(), verdicts(&sandbox).len()), (0, 1));
}

#[test]
fn suites_without_a_line_are_named() {
    let sandbox = named();
    sandbox.write("wac.epd", WAC);
    let check = |args: &str, parts: &[&str]| {
        sandbox.verify(args).says(2, &[&["error: "], parts].concat());
        assert!(!sandbox.path("out").exists());
    };
    check(
        "--subject engine --epd wac.epd --suite mates",
        &["no line of wac.epd is for the suite mates: there are lines for bestmove"],
    );
    check(
        "--subject engine --epd wac.epd --suite bestmove,perft",
        &["no line of wac.epd is for the suite perft"],
    );
    check(
        "--subject engine --epd wac.epd --suite draws",
        &["--epd holds positions for the suites mates, bestmove and perft: add --suite mates"],
    );
    check("--subject engine --suite bestmove", &["suite bestmove has no positions of its own", "--epd FILE"]);
    check("--engine ours --check bestmove", &["suite bestmove has no positions of its own"]);
    check(
        "--epd wac.epd --engine ours --check mate",
        &["no line of wac.epd belongs to the checks of --check"],
    );
    check("--epd wac.epd --builder first-pass", &["cannot be used with"]);
    check("--subject engine --epd nowhere.epd", &["cannot read nowhere.epd"]);
    check("--subject engine --epd .", &["--epd . is a folder"]);
    check("--subject engine --epd wac.epd --epd ./wac.epd", &["another file is also called wac.epd"]);
}

/// Nobody plays anything meanwhile, whatever else was asked for.
#[cfg(unix)]
#[test]
fn other_formats_are_refused_before_anything_starts() {
    let check = |name: &str, bytes: &[u8], expected: &str| {
        let sandbox = program(&[], "e2e4");
        sandbox.write("right.epd", WAC);
        sandbox.write(name, bytes);
        for suite in ["", " --suite mates", " --suite bestmove"] {
            let ended = sandbox.verify(&format!("--engine ./script --epd right.epd --epd {name}{suite}"));
            ended.says(
                2,
                &[
                    &format!("error: {name}{expected}"),
                    "--epd reads one position a line: EPD with bm, am or dm",
                ],
            );
            assert_eq!(ended.stdout, "");
        }
        assert!(!sandbox.path("out").exists() && !sandbox.path("started").exists(), "{name}");
    };
    check("game.pgn", b"[Event \"?\"]\n\n1. e4 e5 *\n", ":1: this is a PGN game; games cannot be read yet");
    check("moves.pgn", b"\n1. e4 e5 2. Nf3\n", ":2: this is a PGN game");
    check("empty.epd", b"", ": it has no position");
    check("blank.epd", b"# nothing\n\n", ": it has no position");
    check(
        "mine.csv",
        b"fen,wdl,dtm\n8/8/8/8/8/8/8/K6k w - - 0 1,draw,\n",
        ":1: this is CSV: a table that was exported as text is for --dump",
    );
    check("mine.bin", b"\x7fELF\x02\x01\x01\x00\x00", ": it is not text");
    check("page.html", b"<!DOCTYPE html>\n<html>", ":1: this is HTML or XML");
    check("wac.epd.gz", &[0x1f, 0x8b, 8, 0, 0], ": it is compressed by gzip: unpack it first");
    check(
        "notes.txt",
        b"Qg6 wins\nnothing\n",
        ":1: expected the first four fields of a FEN, got 2 (none of its 2 lines can be read)",
    );
}

#[test]
fn malformed_lines_are_shown_and_the_rest_is_used() {
    let sandbox = Sandbox::new();
    let bad = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Qxx;\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Ra8;\n\
               6k1/5ppp/8/8/8/8/5PPP/3R4 w - - bm Rd8;\nnonsense\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm ;\n";
    sandbox.write("some.epd", format!("{WAC}{bad}"));
    let ended = sandbox.verify("--epd some.epd");
    ended.says(
        2,
        &[
            "some.epd:4: bm \"Qxx\": expected a move such as Qg6",
            "some.epd:5: bm \"Ra8\": not legal in this position",
            "some.epd:6: the position is not legal: a side has no king",
            "some.epd:7: expected the first four fields of a FEN, got 1",
            "some.epd:8: expected a move after bm",
        ],
    );
    assert!(
        ended.stdout.contains("some.epd: engine solved 3 of 3, 5 malformed, limit nodes 100000\n"),
        "{}",
        ended.stdout
    );
    let rows: Vec<CheckRow> = sandbox.rows();
    assert_eq!(of_check(&rows, "some.epd", "bestmove/claim").skip_reasons, "malformed=5");
    // If all that can be read is not legal, nothing is asked.
    sandbox.write("all.epd", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Qxx;\n");
    sandbox
        .verify("--epd all.epd")
        .says(2, &["error: all.epd:1: bm \"Qxx\": expected a move", "the file has no usable line"]);
}

/// Against a baseline: a figure that changed is told, and breaks nothing; a move that is thrown breaks it.
#[cfg(unix)]
#[test]
fn a_baseline_shows_what_was_solved_before() {
    const FILE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8;\n8/8/8/2k5/4K3/3P4/8/8 w - - bm Ke5;\n";
    let run = |rook: &str, king: &str, flags: &str, base: Option<&Sandbox>| {
        let sandbox = program(&[("6k1", rook), ("8/8/8/2k5", king)], "e2e4");
        sandbox.write("two.epd", FILE);
        if let Some(base) = base {
            base.copy("base", &sandbox);
        }
        let ended = sandbox.verify(&format!(
            "--engine ./script --epd two.epd --quick --time-limit 120 {flags} --baseline base"
        ));
        (sandbox, ended)
    };
    let (base, ended) = run("d1d8", "e4e5", "--update-baseline", None);
    ended.says(0, &[]);
    let (_, same) = run("d1d8", "e4e5", "", Some(&base));
    assert!(
        same.code == 0 && same.stdout.contains("against the baseline: nothing changed"),
        "{}",
        same.stdout
    );
    let (_, missed) = run("d1a1", "e4e5", "", Some(&base));
    assert!(
        missed.code == 0 && missed.stdout.contains("against the baseline: 1 changed"),
        "{}",
        missed.stdout
    );
    assert!(missed.stdout.contains("bestmove.csv"), "{}", missed.stdout);
    let (thrown, ended) = run("d1d8", "d3d4", "", Some(&base));
    ended.says(1, &[]);
    assert!(ended.stdout.contains(" broken"), "{}", ended.stdout);
    // The other way round it is mended.
    let (base, _) = run("d1d8", "d3d4", "--update-baseline", None);
    drop(thrown);
    let (_, mended) = run("d1d8", "e4e5", "", Some(&base));
    assert!(
        mended.code == 0 && mended.stdout.contains(" fixed") && !mended.stdout.contains(" broken"),
        "{}",
        mended.stdout
    );
}
