//! `perft`: all options give the same count.

use crate::sandbox::run;

/// Lines of `--divide` and the count of all.
fn perft(args: &[&str]) -> (Vec<(String, u64)>, u64) {
    let ended = run(&[&["perft"], args].concat());
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    let (moves, nodes) = ended.stdout.rsplit_once("Nodes searched: ").unwrap();
    let lines = moves.lines().filter(|line| !line.is_empty());
    let lines = lines.map(|line| line.split_once(": ").unwrap());
    (
        lines.map(|(mv, nodes)| (mv.to_owned(), nodes.parse().unwrap())).collect(),
        nodes.trim().parse().unwrap(),
    )
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn all_ways_of_counting_agree() {
    for (fen, depth, nodes) in [("startpos", "4", 197_281), (KIWIPETE, "3", 97_862), ("startpos", "0", 1)] {
        for options in [&[][..], &["--threads", "2"], &["--hash", "16"], &["--threads", "2", "--hash", "16"]]
        {
            assert_eq!(perft(&[&[fen, depth], options].concat()), (vec![], nodes), "{fen} {options:?}");
        }
    }
}

#[test]
fn divide_lists_each_move_and_adds_up() {
    let (moves, nodes) = perft(&["startpos", "4", "--divide", "--threads", "2", "--hash", "16"]);
    assert_eq!((moves.len(), nodes), (20, 197_281));
    assert_eq!(moves.iter().map(|(_, nodes)| nodes).sum::<u64>(), nodes);
    assert!(moves.is_sorted());
    assert!(moves.contains(&("e2e4".to_owned(), 13_160)));
}

#[test]
fn castling_is_written_as_asked() {
    let names = |options: &[&str]| {
        let (moves, _) = perft(&[&[KIWIPETE, "1", "--divide"], options].concat());
        moves.into_iter().map(|(mv, _)| mv).collect::<Vec<_>>()
    };
    let (standard, chess960) = (names(&[]), names(&["--chess960"]));
    assert!(standard.contains(&"e1g1".to_owned()) && !standard.contains(&"e1h1".to_owned()));
    assert!(chess960.contains(&"e1h1".to_owned()) && !chess960.contains(&"e1g1".to_owned()));
    assert_eq!(standard.len(), 48);
}
