//! The command line of fastchess (commit 74deac23) as one of `match`.

mod engines;
mod options;

use std::ffi::OsString;

use anyhow::{Context, bail};
use clap::Parser;

use super::INITIAL;
use super::args::MatchArgs;
use crate::{console, program};
use engines::Engines;
use options::{Action, OPTIONS};

/// `match` alone, so that the words of fastchess can be followed by some of ours. A later word replaces an
/// earlier one.
#[derive(Debug, Parser)]
#[command(name = "touchstone match", args_override_self = true)]
struct Parsed {
    #[command(flatten)]
    args: MatchArgs,
}

/// The match that this command line of fastchess means, and the command that plays it.
///
/// # Errors
/// If it is none of fastchess, or has an option that changes the results and is not known here.
pub(super) fn arguments(line: &str) -> anyhow::Result<MatchArgs> {
    let Translation { words, notes } = translate(line).context("--from-fastchess")?;
    let words: Vec<OsString> = words.into_iter().map(OsString::from).chain(own_words()).collect();
    for note in notes {
        console::message(&format!("note: {note}"));
    }
    let shown: Vec<String> = words.iter().map(|word| uci::quoted(&word.to_string_lossy())).collect();
    console::message(&program::command(format!("match {}", shown.join(" "))));
    let parsed = Parsed::try_parse_from(std::iter::once("match".into()).chain(words));
    match parsed {
        Ok(parsed) => Ok(parsed.args),
        Err(error) => {
            bail!("--from-fastchess: {}", error.to_string().trim_start_matches("error: ").trim_end())
        }
    }
}

/// The words of this run beside `--from-fastchess` and its value.
fn own_words() -> Vec<OsString> {
    const OPTION: &str = "--from-fastchess";
    let mut words: Vec<OsString> = std::env::args_os().skip_while(|word| word != "match").skip(1).collect();
    let is_option = |word: &OsString| word == OPTION;
    if let Some(at) = words.iter().position(is_option) {
        words.drain(at..words.len().min(at + 2));
    } else {
        let joined = format!("{OPTION}=");
        words.retain(|word| !word.to_string_lossy().starts_with(&joined));
    }
    words
}

/// Our words, and what is to be said about them.
#[derive(Debug, Default)]
struct Translation {
    words: Vec<String>,
    notes: Vec<String>,
}

/// The options so far.
struct Match {
    engines: Engines,
    rounds: u64,
    games: u64,
    is_gauntlet: bool,
    seeds: u64,
    output: String,
    /// Other words of ours, and notes.
    translation: Translation,
}

impl Match {
    fn add(&mut self, option: &str, value: &str) {
        self.translation.words.extend([option, value].map(str::to_owned));
    }

    fn note(&mut self, text: String) {
        self.translation.notes.push(text);
    }

    /// The whole, once all options are known.
    fn finish(self) -> anyhow::Result<Translation> {
        let Self { engines, mut rounds, mut games, is_gauntlet, seeds, output, translation } = self;
        if games > 2 {
            // fastchess takes one for the other, too.
            (rounds, games) = (games, rounds);
        }
        if games != 2 {
            bail!(
                "-games {games}: a round is two games with one opening and colours reversed. Leave it out, or give 2"
            );
        }
        let mut words = engines.words()?;
        words.extend(translation.words);
        let is_opening = |word: &String| word == "--openings";
        if !words.iter().any(is_opening) {
            words.extend(["--openings", INITIAL].map(str::to_owned));
        }
        words.extend(["--rounds".to_owned(), rounds.to_string()]);
        if is_gauntlet {
            words.extend(["--seeds".to_owned(), seeds.to_string()]);
        }
        words.extend(["--rules", "fastchess", "--output", &output].map(str::to_owned));
        Ok(Translation { words, notes: translation.notes })
    }
}

fn translate(line: &str) -> anyhow::Result<Translation> {
    let words = shlex::split(line).context("a quote is not closed")?;
    let mut words = words.iter().map(String::as_str).peekable();
    // The program itself.
    words.next_if(|word| !word.starts_with('-'));
    let mut found = Match {
        engines: Engines::default(),
        rounds: 2,
        games: 2,
        is_gauntlet: false,
        seeds: 1,
        output: "fastchess".to_owned(),
        translation: Translation::default(),
    };
    while let Some(name) = words.next() {
        // A value may be a negative number.
        let is_value = |word: &&str| {
            word.strip_prefix('-').is_none_or(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let values: Vec<&str> = std::iter::from_fn(|| words.next_if(is_value)).collect();
        let Some((_, here, action)) = OPTIONS.iter().find(|(known, ..)| *known == name) else {
            bail!("{name} is no option of fastchess that is known here: leave it out");
        };
        match action {
            Action::Translated(translate) => {
                translate(&mut found, &values).with_context(|| name.to_owned())?;
            }
            Action::Noted => found.note(format!("{name}: {here}")),
            Action::Silent => {}
            Action::Refused => bail!("{name}: {here}"),
        }
    }
    found.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "-engine cmd=./a -engine cmd=./b -each tc=8+0.08";

    /// Our words for two engines and these options, apart from what each match has.
    #[track_caller]
    fn check(options: &str, expected: &str) {
        let found = translate(&format!("{TWO} {options}")).unwrap().words.join(" ");
        // Without a book of the command games begin at the initial position.
        assert_eq!(found.matches("--openings ").count(), 1, "{found}");
        let found = found.replace("--openings startpos ", "");
        let begin = "./a ./b --each tc=8+0.08 --of 1:name=a 2:name=b";
        let found = found.strip_prefix(begin).unwrap_or(&found).trim_start();
        let end = "--rounds 2 --rules fastchess --output fastchess";
        assert_eq!(found.strip_suffix(end).unwrap_or(found).trim_end(), expected, "{options}");
    }

    #[track_caller]
    fn check_error(line: &str, expected: &str) {
        let error = format!("{:#}", translate(line).unwrap_err());
        assert!(error.contains(expected), "{line}: {error}");
    }

    #[test]
    fn a_command_of_the_manual() {
        let line = "fastchess \
            -engine cmd=Engine1.exe name=Engine1 option.Threads=1 nodes=2000000 \
            -engine cmd=Engine2.exe name=Engine2 option.Threads=2 nodes=1000000 \
            -openings file=UHO_Lichess_4852_v1.epd format=epd order=random \
            -each tc=300+5 -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 \
            -sprt elo0=0 elo1=2 alpha=0.05 beta=0.05 \
            -rounds 100000 -concurrency 3 -pgnout notation=san nodes=true file=./games/sprt.pgn";
        let expected = "Engine1.exe Engine2.exe --each tc=300+5 \
            --of 1:name=Engine1 1:option.Threads=1 1:nodes=2000000 \
            2:name=Engine2 2:option.Threads=2 2:nodes=1000000 \
            --openings UHO_Lichess_4852_v1.epd --book-format epd --order random \
            --resign movecount=3 score=600 twosided=false --draw movenumber=34 movecount=8 score=20 \
            --sprt elo0=0 elo1=2 alpha=0.05 beta=0.05 --concurrency 3 --pgnout ./games/sprt.pgn \
            --comments time,nodes --rounds 100000 --rules fastchess --output fastchess";
        let found = translate(line).unwrap();
        assert_eq!(found.words.join(" "), expected);
        assert_eq!(found.notes, [""; 0]);
    }

    #[test]
    fn the_client_of_openbench_is_understood() {
        let line = "./fastchess-ob -recover -variant standard -testEnv -concurrency 4 -rounds 32 -games 2 \
            -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 \
            -engine dir=Engines/ cmd=./mine-1 proto=uci tc=8.00+0.08 timemargin=250 option.Threads=1 \
            option.Hash=16 name=mine-1-dev \
            -engine dir=Engines/ cmd=./mine-2 proto=uci tc=8.00+0.08 timemargin=250 option.Threads=1 \
            option.Hash=16 name=mine-2-base \
            -openings file=Books/book.epd format=epd order=random start=17 -srand 42 \
            -pgnout file=PGNs/1.pgn seldepth=true nodes=true match_line='^info string pgncomment .*'";
        let found = translate(line).unwrap();
        let text = found.words.join(" ");
        assert!(
            text.starts_with(
                "Engines/./mine-1 Engines/./mine-2 --of 1:name=mine-1-dev 1:dir=Engines/ 1:tc=8.00+0.08"
            ),
            "{text}"
        );
        assert!(
            text.contains("--openings Books/book.epd --book-format epd --order random --start 17 --seed 42"),
            "{text}"
        );
        assert!(
            text.ends_with("--comments time,seldepth,nodes --rounds 32 --rules fastchess --output fastchess"),
            "{text}"
        );
        assert!(found.notes.iter().any(|note| note.contains("match_line")), "{:?}", found.notes);
    }

    #[test]
    fn each_option() {
        check("", "");
        check("-repeat -recover -games 2 -variant standard -tournament roundrobin", "");
        check(
            "-openings file=b.pgn plies=8 start=3",
            "--openings b.pgn --plies 8 --start 3 --order sequential",
        );
        check("-draw score=5", "--draw movenumber=0 movecount=1 score=5");
        check("-resign score=500 twosided=true", "--resign movecount=1 score=500 twosided=true");
        check("-maxmoves 200", "--maxmoves 200");
        check("-tb a:b -tbignore50 -tbadjudicate WIN_LOSS", "--tb a:b --tb-ignore-50 --tb-results wins");
        check("-variant fischerandom", "--chess960");
        check("-srand 7 -ratinginterval 5", "--seed 7 --ratinginterval 5");
        check("-sprt elo0=-3 elo1=1", "--sprt elo0=-3 elo1=1");
        check(
            "-pgnout file=g.pgn pv=true timeleft=true nps=false",
            "--pgnout g.pgn --comments time,pv,clock",
        );
        check("-rounds 5", "--rounds 5 --rules fastchess --output fastchess");
        check("-games 10 -rounds 2", "--rounds 10 --rules fastchess --output fastchess");
        check(
            "-repeat 2 -tournament gauntlet -seeds 3",
            "--rounds 2 --seeds 3 --rules fastchess --output fastchess",
        );
        check("-output format=cutechess", "--rounds 2 --rules fastchess --output cutechess");
    }

    #[test]
    fn what_is_not_there_is_named() {
        let two = |options: &str| format!("{TWO} {options}");
        check_error(&two("-noswap"), "-noswap: refused");
        check_error(&two("-games 1"), "-games 1: a round is two games");
        check_error(&two("-nonsense 3"), "-nonsense is no option of fastchess that is known here");
        check_error(&two("-concurrency 0"), "-concurrency: \"0\"");
        check_error(&two("-concurrency"), "-concurrency: expected one value, got 0");
        check_error(&two("-openings book.epd"), "-openings: \"book.epd\": expected KEY=VALUE");
        check_error(&two("-openings file=b.epd policy=encounter"), "-openings: policy=encounter");
        check_error(&two("-tbpieces 5"), "-tbpieces: refused");
        check_error(&two("-tbadjudicate ALL"), "-tbadjudicate: ALL");
        check_error(&two("-variant atomic"), "-variant: \"atomic\"");
        check_error(&two("-engine cmd='./c"), "a quote is not closed");
        check_error("-engine cmd=./a -each tc=1", "two engines or more");
        check_error("-engine name=a -engine cmd=b -each tc=1", "engine 1 has no cmd=");
        check_error("-engine cmd=a restart=on -engine cmd=b", "restart=on");
        check_error("-engine cmd=a proto=xboard -engine cmd=b", "proto=xboard");
        let notes = translate(&two("-log file=x -autosaveinterval 5")).unwrap().notes;
        assert_eq!(notes.len(), 2);
    }

    #[test]
    fn words_for_each_replace_those_of_engines() {
        let line = "-engine cmd=d/a nodes=5 option.Hash=1 option.X=2 args='-x \"y z\"' -engine cmd=a depth=3 \
                    -each nodes=7 option.Hash=16 plies=4";
        let expected = "d/a a --each nodes=7 option.Hash=16 depth=4 --of 1:name=a 1:option.X=2 \
                        1:arg=-x 1:arg=y z 2:name=a_2";
        let found = translate(line).unwrap().words.join(" ");
        assert!(found.starts_with(expected), "{found}");
        let found = translate("-engine cmd=a -engine cmd=b tc=10s+0.1s -each name=x dir=d").unwrap();
        let expected = "d/a d/b --of 1:name=x 1:dir=d 2:name=x_2 2:tc=10+0.1 2:dir=d";
        assert!(found.words.join(" ").starts_with(expected), "{:?}", found.words);
    }

    /// The page has a row for each option.
    #[test]
    fn the_page_has_the_table() {
        let page = include_str!("../../../../docs/src/reference/fastchess.md");
        let is_row = |line: &&str| line.starts_with("| `-") && !line.starts_with("| `--");
        let rows: Vec<&str> = page.lines().filter(is_row).collect();
        let expected: Vec<String> =
            OPTIONS.iter().map(|(name, here, _)| format!("| `{name}` | {here} |")).collect();
        assert_eq!(rows, expected, "write this:\n{}", expected.join("\n"));
    }
}
