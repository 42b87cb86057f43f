//! The games of a file: read in bounded parts, judged on all cores, and reported in the order of the file.

use std::io::BufRead;
use std::path::Path;

use anyhow::Context;
use arbiter::game_tables::GameTables;
use arbiter::judge::{JudgedPgn, judge_pgn};
use arbiter::pgn::{self, Block, Blocks, PgnGame, UnreadableGame};
use rayon::prelude::*;

use super::JudgeArgs;
use super::output::{Judged, Reports};
use crate::progress::Progress;
use crate::text_input;

/// About how many bytes of a file are read at once.
const PART: usize = 2 << 20;

/// Judges the games of a file.
pub(super) fn judge(
    path: &Path,
    args: &JudgeArgs,
    tables: &GameTables,
    progress: &Progress,
    reports: &mut Reports,
) -> anyhow::Result<()> {
    let shown = || path.display().to_string();
    reports.begin_file(path);
    let mut blocks = Blocks::new(text_input::open(path, "games", progress)?);
    let mut number = 0;
    loop {
        let part = part(&mut blocks).with_context(shown)?;
        if part.is_empty() || args.game.is_some_and(|asked| asked <= number) {
            break;
        }
        let games: Vec<Result<PgnGame, UnreadableGame>> = part.par_iter().flat_map_iter(pgn::read).collect();
        let numbered = games.into_iter().zip(number + 1..);
        let asked: Vec<_> = numbered
            .inspect(|(_, at)| number = *at)
            .filter(|(_, at)| args.game.is_none_or(|asked| asked == *at))
            .collect();
        let judged: Vec<(u64, Judged)> = asked
            .into_par_iter()
            .map(|(game, number)| (number, game.map(|game| judged(game, args, tables))))
            .collect();
        for (number, game) in judged {
            reports.add(number, game)?;
        }
    }
    reports.end_file();
    Ok(())
}

fn judged(game: PgnGame, args: &JudgeArgs, tables: &GameTables) -> (PgnGame, JudgedPgn) {
    let found = judge_pgn(&game, &args.policy(), &|position| tables.probe(position));
    (game, found)
}

/// The next blocks; none at the end of the file.
fn part<R: BufRead>(blocks: &mut Blocks<R>) -> std::io::Result<Vec<Block>> {
    let (mut part, mut bytes) = (Vec::new(), 0);
    while bytes < PART
        && let Some(block) = blocks.next_block()?
    {
        bytes += block.bytes.len();
        part.push(block);
    }
    Ok(part)
}
