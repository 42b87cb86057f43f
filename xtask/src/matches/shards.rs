//! The journals of a match that one machine plays or several, each with its share of the pairs. They are read while
//! they are written: no lock is taken, and a last line that is torn is left out.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use arbiter::statistics::Sprt;
use arbiter::tournament::NumberSet;
use arbiter::tournament::journal::{MatchHeader, Reader, ScheduleHeader};
use arbiter::tournament::schedule::{MOST_SHARDS, PairShard, Schedule, ScheduledGame};
use serde::de::{DeserializeOwned, IgnoredAny};

use super::{EPD_SETTING, JOURNAL, MERGED, PGN_SETTING};
use crate::sprt;

/// The journals of a match, in the order of their shards.
pub(super) struct Shards {
    /// The header of the whole match.
    pub(super) header: MatchHeader,
    pub(super) schedule: Schedule,
    /// How many shards the match has.
    pub(super) of: u64,
    /// The shards that have begun.
    pub(super) parts: Vec<Part>,
}

/// The journal of a shard.
pub(super) struct Part {
    pub(super) folder: PathBuf,
    /// The number of the shard, from 1.
    pub(super) number: u64,
    pub(super) shard: PairShard,
    schedule: Schedule,
    reader: Reader<File>,
}

impl Part {
    /// The header of the shard.
    pub(super) fn header(&self) -> &MatchHeader {
        self.reader.header()
    }

    /// The next game with its number, in the order of the journal.
    pub(super) fn next_game<T: DeserializeOwned>(&mut self) -> anyhow::Result<Option<(u64, T)>> {
        let path = self.folder.join(JOURNAL);
        let next = self.reader.next_game().with_context(|| path.display().to_string())?;
        if let Some((number, _)) = &next
            && !self.schedule.game(*number).is_some_and(|game| self.shard.contains(game.pair))
        {
            let [shard, of] = self.reader.header().schedule.shard;
            bail!("{}: game {number} is none of shard {shard}/{of}", path.display());
        }
        Ok(next)
    }
}

impl Shards {
    /// The names of the engines.
    pub(super) fn names(&self) -> Vec<String> {
        self.header.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// The test that the match is for.
    pub(super) fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let words = self.header.settings.get("sprt").map(String::as_str).unwrap_or_default();
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() { Ok(None) } else { sprt::parse(&words).map(Some) }
    }

    /// The shards that have not begun, such as `2/3`.
    pub(super) fn missing(&self) -> Vec<String> {
        let is_there = |number: &u64| self.parts.iter().any(|part| part.number == *number);
        (1..=self.of)
            .filter(|number| !is_there(number))
            .map(|number| format!("{number}/{}", self.of))
            .collect()
    }
}

/// Whether this is the folder of a match.
pub(crate) fn is_match(folder: &Path) -> bool {
    folder.join(JOURNAL).is_file()
}

/// Whether this is the folder of a match, or of folders of matches.
pub(crate) fn has_match(folder: &Path) -> bool {
    matches_in(folder).is_ok_and(|found| !found.is_empty())
}

/// Whether `merge` made this match of shards. No test ends it, and no engine that fails.
pub(super) fn is_merged(folder: &Path) -> bool {
    folder.join(MERGED).exists()
}

/// The numbers of the games in the journal of a folder.
fn finished(folder: &Path) -> anyhow::Result<NumberSet> {
    let mut finished = NumberSet::default();
    if let Some(mut part) = part(folder.to_owned())? {
        while let Some((number, IgnoredAny)) = part.next_game()? {
            finished.insert(number);
        }
    }
    Ok(finished)
}

/// The games of a match, or a shard, in the order of their numbers. Of a merged match games may be missing.
pub(super) fn games_there(
    folder: &Path,
    schedule: Schedule,
    shard: PairShard,
) -> anyhow::Result<impl Iterator<Item = ScheduledGame> + use<>> {
    let there = if is_merged(folder) { Some(finished(folder)?) } else { None };
    let is_there = move |game: &ScheduledGame| there.as_ref().is_none_or(|there| there.contains(game.number));
    Ok(schedule.games_of(shard).filter(is_there))
}

/// Opens the journals in these folders, or in the folders within them.
///
/// # Errors
/// What is no folder or no journal, journals of different matches, a shard that is there twice, and no match at all.
pub(super) fn gather(folders: &[PathBuf]) -> anyhow::Result<Shards> {
    let listed = || folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ");
    begun(folders)?.with_context(|| format!("no match has begun in {}", listed()))
}

/// The same. `None` if no match has begun there yet.
pub(super) fn begun(folders: &[PathBuf]) -> anyhow::Result<Option<Shards>> {
    let mut parts: Vec<Part> = Vec::new();
    for folder in folders {
        for folder in matches_in(folder)? {
            parts.extend(part(folder)?);
            if parts.len() as u64 > MOST_SHARDS {
                bail!("there are more than {MOST_SHARDS} matches: name the folders of the shards of one");
            }
        }
    }
    parts.sort_by_key(|part| part.number);
    let Some(first) = parts.first() else { return Ok(None) };
    let header = comparable(first.reader.header());
    for part in &parts {
        if let Some(difference) = header.difference(&comparable(part.reader.header())) {
            bail!(
                "{} and {} are of different matches: {} is {} and {}",
                first.folder.display(),
                part.folder.display(),
                difference.field,
                difference.journal,
                difference.this
            );
        }
    }
    let of = header.schedule.shard[1];
    let mut neighbours = parts.iter().zip(parts.iter().skip(1));
    if let Some((one, other)) = neighbours.find(|(one, other)| one.number == other.number) {
        let [first, second] = [&one.folder, &other.folder].map(|folder| folder.display());
        bail!("shard {}/{of} is there twice: in {first} and in {second}", one.number);
    }
    let header = MatchHeader { schedule: ScheduleHeader { shard: [1, 1], ..header.schedule }, ..header };
    Ok(Some(Shards { schedule: header.schedule()?, header, of, parts }))
}

/// A header without what differs between the shards of a match: the number, and the files that each one writes.
fn comparable(header: &MatchHeader) -> MatchHeader {
    let mut header = header.clone();
    header.schedule.shard[0] = 1;
    header.settings.insert(PGN_SETTING.to_owned(), String::new());
    header.settings.remove(EPD_SETTING);
    header
}

/// This folder if it is that of a match, else those within it.
fn matches_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if is_match(folder) {
        return Ok(vec![folder.to_owned()]);
    }
    let entries =
        fs::read_dir(folder).with_context(|| format!("{} is no folder of matches", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        if is_match(&path) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The journal in a folder, if its header is written.
fn part(folder: PathBuf) -> anyhow::Result<Option<Part>> {
    let path = folder.join(JOURNAL);
    let shown = || path.display().to_string();
    let Some(reader) = Reader::new(File::open(&path).with_context(shown)?).with_context(shown)? else {
        return Ok(None);
    };
    let schedule = reader.header().schedule().with_context(shown)?;
    let shard = reader.header().shard().with_context(shown)?;
    Ok(Some(Part { number: reader.header().schedule.shard[0], folder, shard, schedule, reader }))
}
