//! Fathom, a library with which C and C++ engines probe Syzygy files, as a program: `xtask/bench/fathom.c`.

use std::io::{Seek, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use shakmaty::{Chess, Position};

/// What Fathom says of positions, and how long it took.
pub(crate) struct Probed {
    /// Seconds of all WDL probes.
    pub(crate) wdl_seconds: f64,
    /// Seconds of all DTZ probes.
    pub(crate) dtz_seconds: f64,
    /// WDL (-2 to 2) and DTZ of each position.
    pub(crate) answers: Vec<(i32, i32)>,
}

/// Lets the program probe these positions in the folders of `SYZYGY_PATH`.
///
/// # Errors
/// It cannot be started, fails, or prints something else.
pub(crate) fn probe<'a>(
    program: &Path,
    positions: impl Iterator<Item = &'a Chess>,
) -> anyhow::Result<Probed> {
    let name = program.display();
    // A file, so that a program that prints before it has read all does not wait for us.
    let mut input = tempfile::tempfile()?;
    for position in positions {
        input.write_all(line(position).as_bytes())?;
    }
    input.rewind()?;
    let output = Command::new(program)
        .arg(std::env::var_os("SYZYGY_PATH").unwrap_or_default())
        .stdin(input)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| {
            format!("--fathom: cannot start {name}; xtask/bench/fathom.c says how it is built")
        })?;
    ensure!(output.status.success(), "{name} ended with {}", output.status);
    let said = String::from_utf8_lossy(&output.stdout);
    parse(&said).with_context(|| {
        let first: String = said.lines().next().unwrap_or("nothing").chars().take(60).collect();
        format!("{name}: expected seconds and answers, and it printed: {first}")
    })
}

fn parse(said: &str) -> Option<Probed> {
    let mut lines = said.lines().map(|line| line.split_once(' '));
    let (wdl, dtz) = lines.next()??;
    let seconds = |word: &str| word.parse().ok().filter(|seconds: &f64| seconds.is_finite());
    let answers = lines.map(|line| {
        let (wdl, dtz) = line?;
        Some((wdl.parse().ok()?, dtz.parse().ok()?))
    });
    Some(Probed {
        wdl_seconds: seconds(wdl)?,
        dtz_seconds: seconds(dtz)?,
        answers: answers.collect::<Option<Vec<_>>>()?,
    })
}

/// The bitboards of a position, and whether White is to move.
fn line(position: &Chess) -> String {
    let board = position.board();
    let sets = [
        board.white(),
        board.black(),
        board.kings(),
        board.queens(),
        board.rooks(),
        board.bishops(),
        board.knights(),
        board.pawns(),
    ];
    let words: Vec<String> = sets.iter().map(|set| format!("{:x}", u64::from(*set))).collect();
    format!("{} {}\n", words.join(" "), u8::from(position.turn().is_white()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_answers() {
        let fen: shakmaty::fen::Fen = "8/8/8/8/8/2k5/1R6/K7 b - - 0 1".parse().unwrap();
        let position = fen.into_position(shakmaty::CastlingMode::Standard).unwrap();
        assert_eq!(line(&position), "201 40000 40001 0 200 0 0 0 0\n");
        let probed = parse("0.25 1.5\n2 27\n-2 -1\n").unwrap();
        assert_eq!((probed.wdl_seconds, probed.dtz_seconds), (0.25, 1.5));
        assert_eq!(probed.answers, [(2, 27), (-2, -1)]);
        for wrong in ["", "0.25\n", "0.25 1.5\n2\n", "no answer\n", "nan inf\n"] {
            assert!(parse(wrong).is_none(), "{wrong}");
        }
    }
}
