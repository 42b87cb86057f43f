//! `regress`: what a change did to an engine, case by case.
//!
//! It builds both versions, asks them the same cases with the same seeds at the same time, and compares their
//! answers. Before it reports a case as broken or fixed, it asks both versions again. After that, it measures
//! the speed of the versions in turn.

mod args;
pub(crate) mod build;
mod results;
mod versions;

use std::collections::BTreeSet;

use anyhow::{Context, bail};
use arbiter::speed::{Measurement, Speed, measure};
use reports::html::{self, Named, Transcripts};
use reports::replays;
use reports::{
    CompareRow, CompareVerdict, Regress, Row, Side, SpeedRow, SpeedVerdict, changes, confirm, excuse, insist,
    to_bytes,
};
use uci::Timeouts;

use crate::matches::{Suites, VersionMatch};
use crate::outcome::{Event, Exit};
use crate::progress::Progress;
use crate::verify::{self, Accepted};
use crate::{console, files, report_folder};

pub(crate) use args::{Failing, Format, RegressArgs};
use results::{Answers, results};
pub(crate) use results::{Questions, result};
pub(crate) use versions::{Version, how_to_build};

/// The folders of the reports of both versions.
const FOLDERS: [&str; 2] = ["old", "new"];
/// The most groups of changes that are printed; the report has all.
const SHOWN: usize = 10;

/// Builds and asks both versions, writes the reports, and prints the result.
pub(crate) fn run(args: &RegressArgs) -> anyhow::Result<Exit> {
    files::try_folder(&args.out)?;
    let versus = versus(args)?;
    let mut accepted = versions::accepted(args)?;
    let pair = versions::find(args)?;
    let programs = pair[1].program.as_ref().zip(pair[0].program.as_ref());
    let versus = versus.zip(programs.map(|(new, old)| [new, old]));
    if let Some((versus, engines)) = &versus {
        versus.try_start(*engines)?;
    }
    let (mut regress, runs) = compare(args, &pair)?;
    accept(&mut regress, &mut accepted);
    let are_one = (args.measures_speed() || versus.is_some()) && are_one_program(&pair)?;
    if are_one && args.measures_speed() {
        regress.notes.push("both are the same program, so that there is no difference of speed".to_owned());
    } else if args.measures_speed() {
        match speed(args, &pair) {
            Ok(rows) => regress.speed = rows,
            Err(why) => regress.notes.push(format!("the speed was not measured: {why:#}")),
        }
    }
    write(args, &regress, runs)?;
    let exit = exit(args, &regress, are_one);
    let Some((versus, engines)) = versus else { return Ok(exit) };
    let suites = match exit {
        Exit::Differs => Suites::Broken,
        _ if are_one => Suites::OneProgram,
        _ if regress.rows.iter().all(|row| row.verdict == CompareVerdict::Flaky) => Suites::Alike,
        _ => Suites::Different,
    };
    Ok(exit.max(Exit::from_events([versus.play(engines, suites)?])))
}

/// The match that `--match` asks for.
fn versus(args: &RegressArgs) -> anyhow::Result<Option<VersionMatch>> {
    let Some(words) = &args.versus else { return Ok(None) };
    if args.format != Format::Human {
        bail!(
            "--match prints its games, and no other format has them; the reports of all formats are in --out"
        );
    }
    VersionMatch::read(words, ["new", "old"], &args.out).context("--match").map(Some)
}

/// The cases that the versions answer differently, and the run of each version.
fn compare(args: &RegressArgs, pair: &[Version; 2]) -> anyhow::Result<(Regress, [Answers; 2])> {
    let asked = Questions::from_args(args);
    let [(old, mut old_files), (new, mut new_files)] = results(pair, &asked)?;
    let mut rows = changes(&old, &new);
    rows.retain(|row| !row.tells_nothing());
    let mut notes = Vec::new();
    let late = [&old, &new].map(reports::text::time);
    notes.extend(
        late.iter()
            .zip(pair)
            .filter(|(late, _)| !late.is_empty())
            .map(|(late, version)| format!("{}: {}", version.label, late.trim_end().replace('\n', "; "))),
    );
    if pair.iter().all(|version| version.program.is_some()) {
        notes.extend(ask_again(pair, &asked, [&old, &new], &mut rows, [&mut old_files, &mut new_files])?);
    }
    let mut runs = [vec![&old], vec![&new]];
    let own = pair.each_ref().map(Version::own_reports);
    let own = match own {
        [Ok(Some(old)), Ok(Some(new))] => Some([old, new]),
        [Ok(_), Ok(_)] => None,
        [old, new] => {
            let why = old.err().or(new.err()).map(|error| format!("{error:#}")).unwrap_or_default();
            notes.push(format!("the reports that the versions write of themselves were not compared: {why}"));
            None
        }
    };
    if let Some([old, new]) = &own {
        rows.extend(changes(old, new).into_iter().filter(|row| !row.tells_nothing()));
        runs[0].push(old);
        runs[1].push(new);
    }
    rows.sort();
    let [of_old, of_new] = runs;
    let regress = Regress {
        old: Side::new(&pair[0].label, of_old),
        new: Side::new(&pair[1].label, of_new),
        rows,
        notes,
        fails_from: args.fails_from(),
        cut_off: late.iter().any(|late| !late.is_empty()),
        folder: uci::quoted(&args.out.display().to_string()),
        starts: pair.iter().filter_map(start).collect(),
        ..Regress::default()
    };
    Ok((regress, [(old, old_files), (new, new_files)]))
}

/// For a version that was built, the word that starts it, and the one that starts it in a checkout.
fn start(version: &Version) -> Option<[String; 2]> {
    let (built, within) = (version.program.as_ref()?.engine.as_deref()?, version.within.as_ref()?);
    Some([uci::quoted(built), uci::quoted(&format!("./{}", within.display()))])
}

/// Marks wrong answers that the author accepts.
fn accept(regress: &mut Regress, accepted: &mut Accepted) {
    for row in regress.rows.iter_mut().filter(|row| row.is_worse() || row.is_open()) {
        if let Some(reason) = accepted.accept(&*row).map(str::to_owned) {
            row.accept(&reason);
        }
    }
    regress.rows.sort();
    regress.notes.extend(accepted.expired());
}

/// Asks both versions again for the checks in which they differ. A difference that does not come again is
/// flaky, unless it is an error of the protocol that the new version alone has in further runs. Returns notes: on
/// differences that could not be asked again, which stay as they are, on such errors, and on hangs that the old
/// version has by chance too.
fn ask_again(
    pair: &[Version; 2],
    asked: &Questions,
    first: [&reports::Run; 2],
    rows: &mut Vec<CompareRow>,
    transcripts: [&mut Transcripts; 2],
) -> anyhow::Result<Vec<String>> {
    let open = rows.iter().filter(|row| row.verdict != CompareVerdict::Flaky);
    let asked_again: BTreeSet<&str> = open.map(repeats).collect();
    let checks: Vec<String> =
        asked_again.into_iter().filter(|id| verify::known_check(id).is_ok()).map(str::to_owned).collect();
    if checks.is_empty() {
        return Ok(Vec::new());
    }
    let [(old, of_old), (new, of_new)] = results(pair, &asked.again(checks))?;
    let [old_files, new_files] = transcripts;
    old_files.extend(of_old);
    new_files.extend(of_new);
    let broken = rows.iter().filter(|row| row.verdict == CompareVerdict::Broken);
    let came: BTreeSet<(String, String)> = broken.map(|row| (row.check.clone(), row.case.clone())).collect();
    let open = confirm(rows, first, [&old, &new]);
    let of_rows = |doubtful: &[&CompareRow]| {
        let checks: BTreeSet<&str> = doubtful.iter().map(|row| repeats(row)).collect();
        asked.again(checks.into_iter().map(str::to_owned).collect())
    };
    let insisted = insist(rows, &came, [first[0], &old], |doubtful| {
        let [(old, of_old), (new, of_new)] = results(pair, &of_rows(doubtful))?;
        old_files.extend(of_old);
        new_files.extend(of_new);
        anyhow::Ok([old, new])
    })?;
    let excused = excuse(rows, [first[0], &old], |doubtful| {
        let (run, files) = results::result(&pair[0], &of_rows(doubtful))?;
        old_files.extend(files);
        anyhow::Ok(run)
    })?;
    let notes = [
        (
            insisted,
            "asked further times, the new version alone has these errors again, so that they are broken",
        ),
        (open, "asked again, a version gave no answer, so that these changes stand as they came first"),
        (
            excused,
            "asked further times, the old version hangs in the same cases, so that these hangs are flaky",
        ),
    ];
    let noted = notes.into_iter().filter(|(count, _)| *count > 0);
    Ok(noted.map(|(count, note)| format!("{note}: {count}")).collect())
}

/// The check or family that is asked again for a difference. In the protocol, it is the check alone. For a
/// failure of the process, it is the family over which it failed, with which the case begins. Elsewhere, it
/// is the family of the check, whose checks judge the same answers.
fn repeats(row: &CompareRow) -> &str {
    let family = verify::family(&row.check);
    if family == "protocol" && !row.check.ends_with("/flaky") {
        return &row.check;
    }
    let of_case = row.case.split('/').next().filter(|of_case| verify::known_check(of_case).is_ok());
    of_case.filter(|_| family == "process").unwrap_or(family)
}

/// Measures the speed of both. A difference between builds of ours may come from the build, such as a build
/// by profile. It stands only if a second build of each version has it too.
fn speed(args: &RegressArgs, pair: &[Version; 2]) -> anyhow::Result<Vec<SpeedRow>> {
    let rows = measured(args, pair)?;
    if rows.iter().all(|row| row.verdict == SpeedVerdict::Noise) {
        return Ok(rows);
    }
    let Some(again) = versions::built_again(args, pair)? else { return Ok(rows) };
    let again = if are_one_program(&again)? { Vec::new() } else { measured(args, &again)? };
    let confirmed = |row: &SpeedRow| match again.iter().find(|other| other.measure == row.measure) {
        Some(other) => row.confirmed(other),
        None => SpeedRow { verdict: SpeedVerdict::Noise, ..row.clone() },
    };
    Ok(rows.iter().map(confirmed).collect())
}

/// Whether both are builds of ours, and one program byte for byte. A script, or a program with files beside
/// it, may run something else.
fn are_one_program(pair: &[Version; 2]) -> anyhow::Result<bool> {
    if pair.iter().any(|version| version.within.is_none() || version.has_files) {
        return Ok(false);
    }
    let [old, new] = pair.each_ref().map(Version::program);
    let (Some(old), Some(new)) = (old?, new?) else { return Ok(false) };
    let bytes = files::read(&old.path, results::LARGEST)?;
    Ok(!bytes.starts_with(b"#!") && bytes == files::read(&new.path, results::LARGEST)?)
}

fn measured(args: &RegressArgs, pair: &[Version; 2]) -> anyhow::Result<Vec<SpeedRow>> {
    let [old, new] = pair.each_ref().map(Version::program);
    let (Some(old), Some(new)) = (old?, new?) else { bail!("there are no two programs") };
    let progress = Progress::new(Some(0));
    progress.say("speed");
    let measurement = Measurement { seed: args.seed, ..args.measurement() };
    let speeds = measure([&old, &new], Timeouts::default(), &measurement, &progress)?;
    Ok(speeds.into_iter().map(speed_row).collect())
}

/// The row of a measure of one build of each version.
fn speed_row(speed: Speed) -> SpeedRow {
    let Speed { measure, rounds, medians: [a, b], ratio, interval: [low, high], p, verdict } = speed;
    SpeedRow { measure: measure.to_owned(), rounds, a, b, ratio, low, high, p, verdict, builds: 1 }
}

/// Writes the reports of both versions, the comparison in all formats and the page, and prints the result.
fn write(args: &RegressArgs, regress: &Regress, answers: [Answers; 2]) -> anyhow::Result<()> {
    // They are of an earlier run, until those of both versions are there.
    for name in [CompareRow::FILE, html::FILE] {
        files::remove(&args.out.join(name))?;
    }
    for (folder, (run, transcripts)) in FOLDERS.into_iter().zip(&answers) {
        report_folder::put(&args.out.join(folder), &run.files(), Vec::new())?;
        report_folder::put_transcripts(&args.out.join(folder), transcripts)?;
    }
    let labels = [&regress.old.label, &regress.new.label].map(Clone::clone);
    let named = labels.into_iter().zip(answers);
    let named = named.map(|(name, (run, transcripts))| Named { name, run, transcripts });
    let page = html::document(&named.collect::<Vec<_>>(), Some(regress));
    let reports = [
        (SpeedRow::FILE, to_bytes(regress.speed.iter().cloned())),
        ("regress.md", regress.markdown().into_bytes()),
        ("regress.json", regress.json()),
        ("junit.xml", regress.junit()),
        (html::FILE, page),
        (CompareRow::FILE, to_bytes(regress.rows.iter().cloned())),
    ];
    for (name, bytes) in reports {
        files::write(&args.out.join(name), &bytes)?;
    }
    let scripts = regress.replays().files();
    for (name, bytes) in &scripts {
        files::write(&args.out.join(name), bytes)?;
    }
    files::remove_others(&args.out, replays::FOLDER, &scripts)?;
    match args.format {
        Format::Human => {
            console::colored(&regress.colored_text(SHOWN))?;
            console::message(&format!("page: {}", args.out.join(html::FILE).display()));
        }
        Format::Markdown => console::data(regress.markdown().as_bytes())?,
        Format::Json => console::data(&regress.json())?,
        Format::Junit => console::data(&regress.junit())?,
    }
    Ok(())
}

fn exit(args: &RegressArgs, regress: &Regress, are_one: bool) -> Exit {
    let too_slow = args.fail_on.iter().any(|failing| match failing {
        Failing::Slower(per_cent) => regress.speed.iter().any(|row| row.slower_by() > *per_cent),
        Failing::From(_) => false,
    });
    let asks_speed = args.fail_on.iter().any(|failing| matches!(failing, Failing::Slower(_)));
    let nothing = regress.old.compared == 0
        || regress.new.compared == 0
        || asks_speed && regress.speed.is_empty() && !are_one;
    Exit::from_events([
        if regress.is_broken() || too_slow { Event::Broken } else { Event::AllAgree },
        if nothing || regress.is_incomplete() { Event::CouldNotRun } else { Event::AllAgree },
    ])
}
