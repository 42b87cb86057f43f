//! The options of fastchess, and what each becomes.

use anyhow::{Context, bail};

use super::Match;
use super::engines::{key_values, words};

/// What becomes of an option.
pub(super) enum Action {
    /// Words of ours.
    Translated(fn(&mut Match, &[&str]) -> anyhow::Result<()>),
    /// Nothing, since it is always so here.
    Silent,
    /// A note: no result depends on it.
    Noted,
    /// An error.
    Refused,
}

use Action::{Noted, Refused, Silent, Translated};

/// Each option, and what it is here: the row of the table in `docs/src/reference/fastchess.md`.
pub(super) const OPTIONS: &[(&str, &str, Action)] = &[
    ("-engine", "an engine, and its words with `--of`; `cmd=` is a file below `dir=`", Translated(engine)),
    ("-each", "`--each`", Translated(each)),
    (
        "-openings",
        "`--openings` (startpos, if it is not given), `--book-format`, `--order` (sequential, if it is not given), `--plies`, `--start`",
        Translated(openings),
    ),
    ("-srand", "`--seed`; the order of the openings is another one than that of fastchess", Translated(seed)),
    ("-rounds", "`--rounds` (2, if it is not given)", Translated(rounds)),
    ("-games", "always 2: another number is refused", Translated(games)),
    ("-repeat", "always so", Translated(repeat)),
    ("-concurrency", "`--concurrency`", Translated(concurrency)),
    ("-tournament", "`--seeds`, if it is `gauntlet`", Translated(tournament)),
    ("-seeds", "`--seeds`, in a gauntlet", Translated(seeds)),
    ("-sprt", "`--sprt`", Translated(sprt)),
    ("-draw", "`--draw`", Translated(draw)),
    ("-resign", "`--resign`", Translated(resign)),
    ("-maxmoves", "`--maxmoves`", Translated(max_moves)),
    ("-variant", "`--chess960`, if it is `fischerandom`", Translated(variant)),
    (
        "-pgnout",
        "`--pgnout`, `--comments`; a file that exists is refused, moves are in SAN",
        Translated(pgn_out),
    ),
    ("-epdout", "`--epdout`; a file that exists is refused", Translated(epd_out)),
    ("-output", "`--output`", Translated(output)),
    ("-ratinginterval", "`--ratinginterval`", Translated(rating_interval)),
    ("-recover", "always so", Silent),
    ("-force-concurrency", "always so", Silent),
    ("-testEnv", "always so", Silent),
    ("-scoreinterval", "no effect: the score comes after each game", Noted),
    ("-autosaveinterval", "no effect: the journal has each game before it counts", Noted),
    ("-report", "no effect: pairs count in the lines of fastchess, and games in those of cutechess", Noted),
    ("-event", "no effect: the tag Event is that of Touchstone", Noted),
    ("-site", "no effect: the tag Site is unknown", Noted),
    ("-log", "no effect: `faults/` in the folder of `--out` has the sessions of engines that failed", Noted),
    ("-crc32", "no effect", Noted),
    ("-wait", "no effect: a game begins when the one before it has ended", Noted),
    ("-show-latency", "no effect", Noted),
    ("-check-mate-pvs", "no effect: `touchstone verify` checks principal variations", Noted),
    ("-strict", "no effect: the exit code is 1 if an engine failed", Noted),
    ("-startup-ms", "no effect: an engine has 10 s to start", Noted),
    ("-ucinewgame-ms", "no effect: an engine has 10 s for `ucinewgame`", Noted),
    ("-ping-ms", "no effect: an engine has 10 s for `isready`", Noted),
    ("-noswap", "refused: each opening is played with both colours; leave it out", Refused),
    ("-reverse", "refused: the first engine begins with White; name the engines in the other order", Refused),
    (
        "-config",
        "refused: the folder of `--out` keeps the match, and `--resume` goes on with it; leave it out",
        Refused,
    ),
    ("-use-affinity", "refused: leave it out, and start touchstone with `taskset`", Refused),
    ("-tb", "`--tb`; our own tables adjudicate too, up to four men", Translated(tables)),
    ("-tbignore50", "`--tb-ignore-50`", Translated(ignore_fifty)),
    ("-tbadjudicate", "`--tb-results`", Translated(table_results)),
    ("-tbpieces", "refused: all tables of `-tb` adjudicate; leave it out", Refused),
    ("-quick", "refused: write out its engines, book, rounds and time control", Refused),
];

fn engine(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    found.engines.engines.push(words(values)?);
    Ok(())
}

fn each(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    found.engines.each.extend(words(values)?);
    Ok(())
}

fn openings(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    let words = key_values(values)?;
    for (key, value) in &words {
        match *key {
            "file" => found.add("--openings", value),
            "format" => found.add("--book-format", value),
            "order" => found.add("--order", value),
            "plies" => found.add("--plies", value),
            "start" => found.add("--start", value),
            "policy" if *value == "round" => {}
            "policy" => bail!("policy={value}: both games of a round have one opening here; leave it out"),
            _ => bail!("{key}= is not known"),
        }
    }
    if !words.iter().any(|(key, _)| *key == "order") {
        found.add("--order", "sequential");
    }
    Ok(())
}

fn tables(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    found.add("--tb", one(values)?);
    Ok(())
}

fn ignore_fifty(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    if let Some(value) = values.first() {
        bail!("{value}: it takes no value");
    }
    found.translation.words.push("--tb-ignore-50".to_owned());
    Ok(())
}

fn table_results(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    let results = match one(values)? {
        "WIN_LOSS" => "wins",
        "DRAW" => "draws",
        "BOTH" => "all",
        value => bail!("{value}: expected WIN_LOSS, DRAW or BOTH"),
    };
    found.add("--tb-results", results);
    Ok(())
}

fn sprt(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    key_values(values)?;
    found.translation.words.push("--sprt".to_owned());
    found.translation.words.extend(values.iter().map(|&word| word.to_owned()));
    Ok(())
}

fn draw(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    let words = with_defaults(values, [("movenumber", "0"), ("movecount", "1"), ("score", "0")])?;
    found.add("--draw", &words);
    Ok(())
}

fn resign(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    let words = with_defaults(values, [("movecount", "1"), ("score", "0"), ("twosided", "false")])?;
    found.add("--resign", &words);
    Ok(())
}

/// The words of a rule; what is not given has the value of fastchess.
fn with_defaults(values: &[&str], defaults: [(&str, &str); 3]) -> anyhow::Result<String> {
    let mut words = defaults;
    for (key, value) in key_values(values)? {
        let word = words.iter_mut().find(|(known, _)| *known == key);
        word.with_context(|| format!("{key}= is not known"))?.1 = value;
    }
    Ok(words.map(|(key, value)| format!("{key}={value}")).join(" "))
}

fn pgn_out(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    let mut comments = vec!["time"];
    for (key, value) in key_values(values)? {
        match (key, value) {
            ("file", _) => found.add("--pgnout", value),
            ("nodes" | "seldepth" | "nps" | "hashfull" | "tbhits" | "pv", "true") => comments.push(key),
            ("timeleft", "true") => comments.push("clock"),
            ("notation", "san") | ("append", _) | (_, "false") => {}
            _ => found.note(format!("-pgnout {key}= has no effect")),
        }
    }
    if comments.len() > 1 {
        found.add("--comments", &comments.join(","));
    }
    Ok(())
}

fn epd_out(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    let words = key_values(values)?;
    let file = words.iter().find(|(key, _)| *key == "file").context("file= is missing")?;
    found.add("--epdout", file.1);
    Ok(())
}

fn output(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    for (key, value) in key_values(values)? {
        match key {
            "format" => value.clone_into(&mut found.output),
            _ => bail!("{key}= is not known"),
        }
    }
    Ok(())
}

fn variant(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    match one(values)? {
        "standard" => {}
        "fischerandom" => found.translation.words.push("--chess960".to_owned()),
        other => bail!("\"{other}\": expected standard or fischerandom"),
    }
    Ok(())
}

fn tournament(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    found.is_gauntlet = match one(values)? {
        "roundrobin" => false,
        "gauntlet" => true,
        other => bail!("\"{other}\": expected roundrobin or gauntlet"),
    };
    Ok(())
}

fn repeat(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    found.games = if values.is_empty() { 2 } else { number(values)? };
    Ok(())
}

fn rounds(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    found.rounds = number(values)?;
    Ok(())
}

fn games(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    found.games = number(values)?;
    Ok(())
}

fn seeds(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    found.seeds = number(values)?;
    Ok(())
}

fn concurrency(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    let games = number(values)?;
    found.add("--concurrency", &games.to_string());
    Ok(())
}

fn seed(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    found.add("--seed", one(values)?);
    Ok(())
}

fn max_moves(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    found.add("--maxmoves", one(values)?);
    Ok(())
}

fn rating_interval(found: &mut Match, values: &[&str]) -> anyhow::Result<()> {
    found.add("--ratinginterval", one(values)?);
    Ok(())
}

fn one<'t>(values: &[&'t str]) -> anyhow::Result<&'t str> {
    match values {
        [value] => Ok(value),
        _ => bail!("expected one value, got {}", values.len()),
    }
}

fn number(values: &[&str]) -> anyhow::Result<u64> {
    let text = one(values)?;
    let number = text.parse().ok().filter(|number| *number > 0);
    number.with_context(|| format!("\"{text}\": expected a whole number from 1 on"))
}
