//! `merge` of a match: the files of the whole, made of the journals of its shards.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use arbiter::tournament::journal::{game_line, header_line};
use arbiter::tournament::schedule::PairShard;
use arbiter::tournament::{InOrder, NumberSet};
use serde::de::IgnoredAny;

use super::ledger::{Files, Ledger, Played};
use super::shards::{self, Shards};
use super::tables::TableArgs;
use super::{FAULTS, JOURNAL, MERGED, PGN, TABLES_SETTING, fields, standings, write_results};
use crate::outcome::{Event, Exit};
use crate::{console, files};

/// Puts the shards in these folders together: the PGN, the standings and the journal of the match that one machine
/// would have played. With `is_partial` games may be missing, and `match --resume` in `out` plays them.
///
/// A test does not end the match here, nor when it goes on or is shown: the folder is marked by a list of the
/// shards. It is that of all complete pairs.
pub(crate) fn merge(folders: &[PathBuf], out: &Path, is_partial: bool) -> anyhow::Result<Exit> {
    // All journals are read before anything is written.
    let there = finished(&mut shards::gather(folders)?, is_partial)?;
    if shards::is_match(out) {
        bail!("{} holds a match: name another folder with --out", out.display());
    }
    files::try_folder(out)?;
    files::ignored_by_git(out)?;
    let faults = out.join(FAULTS);
    fs::create_dir_all(&faults).with_context(|| format!("cannot make the folder {}", faults.display()))?;
    let mut shards = shards::gather(folders)?;
    let schedule = shards.schedule;
    let games = || {
        let there = there.clone();
        schedule.games_of(PairShard::WHOLE).filter(move |game| there.contains(game.number))
    };
    let files = [out.join(PGN), faults];
    let sprt = shards.sprt()?;
    let files = Files::create(files, fields(&shards.header)?, None, false, "--out")?;
    let mut ledger = Ledger::new(shards.names(), schedule, games(), sprt, Some(files));
    ledger.ends_early = false;
    let of: Vec<String> = shards.parts.iter().map(|part| format!("{}\n", part.folder.display())).collect();
    files::write(&out.join(MERGED), of.concat().as_bytes())?;
    let journal = out.join(JOURNAL);
    let staged = files::stage(&journal)?;
    copy(&mut shards, InOrder::new(games()), &mut ledger, &mut BufWriter::new(staged.as_file()))
        .with_context(|| {
            format!("the match in {} is not whole: remove the folder, and merge again", out.display())
        })?;
    ledger.finish()?;
    staged.as_file().sync_data().with_context(|| format!("cannot write {}", journal.display()))?;
    files::publish(staged, &journal)?;
    standings::print(&ledger)?;
    let setting = shards.header.settings.get(TABLES_SETTING).map(String::as_str).unwrap_or_default();
    let (tables, are_here) = TableArgs::of_setting(setting);
    write_results(out, &ledger, &shards.header, &tables, false)?;
    if !are_here {
        console::message(
            "note: the Syzygy tables of the match are not here; the games were held against ours alone",
        );
    }
    ledger.print_faults(&out.join(FAULTS));
    if there.len() < schedule.games() {
        let (found, all) = (there.len(), schedule.games());
        console::message(&format!("note: {found} of {all} games are there; match --resume plays the others"));
    }
    console::message(&format!("games in {}", out.join(PGN).display()));
    Ok(Exit::from_events([if ledger.fault_count() > 0 { Event::Differs } else { Event::AllAgree }]))
}

/// The numbers of the games that the shards have.
fn finished(shards: &mut Shards, is_partial: bool) -> anyhow::Result<NumberSet> {
    let (missing, of) = (shards.missing(), shards.of);
    if !is_partial && !missing.is_empty() {
        let are = if missing.len() == 1 { "a shard is" } else { "shards are" };
        let missing = missing.join(", ");
        bail!(
            "{are} missing: {missing}; name the folders of all {of} shards, or merge what is there with --partial"
        );
    }
    let mut finished = NumberSet::default();
    for part in &mut shards.parts {
        let before = finished.len();
        while let Some((number, IgnoredAny)) = part.next_game()? {
            finished.insert(number);
        }
        let (found, all) = (finished.len() - before, shards.schedule.games_in(part.shard));
        if !is_partial && found < all {
            bail!(
                "shard {}/{of} in {} has {found} of its {all} games: go on with it by match --resume, or merge what \
                 is there with --partial",
                part.number,
                part.folder.display()
            );
        }
    }
    Ok(finished)
}

/// Hands the games to the ledger and the journal, in the order of their numbers. Of each journal no more is read
/// than the next game demands.
fn copy(
    shards: &mut Shards,
    mut order: InOrder<Played>,
    ledger: &mut Ledger,
    journal: &mut impl Write,
) -> anyhow::Result<()> {
    journal.write_all(&header_line(&shards.header)?)?;
    while let Some(next) = order.next() {
        let (number, pair) = (next.number, next.pair);
        let part = shards.parts.iter_mut().find(|part| part.shard.contains(pair));
        let (number, played) = part
            .and_then(|part| part.next_game().transpose())
            .with_context(|| format!("game {number} is not in its journal any more"))??;
        order.insert(number, played);
        while let Some((game, played)) = order.pop() {
            journal.write_all(&game_line(game.number, &played)?)?;
            ledger.add(game.number, played, &mut |_, _, _| Ok(()))?;
        }
    }
    Ok(journal.flush()?)
}
