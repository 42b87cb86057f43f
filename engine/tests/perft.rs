//! Published perft figures, and the ways of counting against each other.

use engine::{Position, perft};

/// The lines of a data file that say something.
fn lines(data: &str) -> impl Iterator<Item = &str> {
    data.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[test]
fn counts_are_the_published_ones() {
    let mut cases = 0;
    for line in lines(include_str!("data/perft.txt")) {
        let (fen, counts) = line.split_once(" ; ").unwrap();
        let position = Position::from_fen(fen).unwrap();
        for count in counts.split(' ') {
            let (depth, nodes) = count.split_once(':').unwrap();
            assert_eq!(perft(&position, depth.parse().unwrap()).to_string(), nodes, "{fen} to depth {depth}");
            cases += 1;
        }
    }
    assert!(cases > 20, "only {cases} cases");
}
