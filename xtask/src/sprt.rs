//! `sprt`: the statistics of a match from its results.

use std::fmt::Write as _;

use anyhow::{Context, bail};
use arbiter::statistics::{Estimate, Measures, Model, Results, Sprt, Test};
use clap::ValueEnum;
use reports::decimals;
use reports::match_data::Strength;
use serde::Serialize;

use crate::console;
use crate::outcome::Exit;

/// Print the Elo of results, and what a sequential probability ratio test says of them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone sprt --wdl 76,123,89                                           Elo, normalised Elo and their errors
  touchstone sprt --penta 1,322,4449,392,8 elo0=-2.5 elo1=0.5 model=normalized
  touchstone sprt --penta 34,54,63,64,75 elo0=0 elo1=5 --format json
  touchstone sprt elo0=0 elo1=2 --expect 3                                  games until the test ends, if 3 nElo are true

Exit codes: 0 whatever the test says; 2 a wrong argument.")]
pub(crate) struct SprtArgs {
    /// The test: elo0=, elo1= (both are needed), alpha= and beta= (0.05), model=normalized, logistic or
    /// bayesian (normalized).
    #[arg(value_name = "KEY=VALUE")]
    test: Vec<String>,
    /// Games that the first engine won, drew and lost.
    #[arg(long, value_name = "W,D,L", value_parser = Results::games, allow_hyphen_values = true)]
    wdl: Option<Results>,
    /// Pairs of games in which it made 0, 0.5, 1, 1.5 and 2 points.
    #[arg(long, value_name = "LL,LD,DD,WD,WW", value_parser = Results::pairs, conflicts_with = "wdl", allow_hyphen_values = true)]
    penta: Option<Results>,
    /// A true difference, in the Elo of the model: how many games the test takes then on average.
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    expect: Option<f64>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// How figures are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A line for each figure.
    Human,
    /// One JSON document; what is infinite or was not asked is null.
    Json,
}

/// The figures as JSON.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Document {
    games: Option<u64>,
    score: Option<f64>,
    draw_ratio: Option<f64>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    los: Option<f64>,
    llr: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
    result: Option<&'static str>,
    expected_games: Option<f64>,
    expected_h1: Option<f64>,
}

/// Computes and prints.
pub(crate) fn run(args: &SprtArgs) -> anyhow::Result<Exit> {
    let sprt = if args.test.is_empty() { None } else { Some(parse(&args.test)?) };
    let results = args.wdl.as_ref().or(args.penta.as_ref());
    let measures = results.map(Results::measures);
    let test = match (&sprt, results) {
        (Some(sprt), Some(results)) => Some(sprt.test(results)?),
        _ => None,
    };
    let expected = args.expect.map(|elo| expected(sprt.as_ref(), results, elo)).transpose()?;
    if measures.is_none() && expected.is_none() {
        bail!("name results with --wdl W,D,L or --penta LL,LD,DD,WD,WW, or a difference with --expect ELO");
    }
    match args.format {
        Format::Human => console::data(lines(measures, test, expected).as_bytes())?,
        Format::Json => {
            let document = document(measures, test, expected);
            console::line(&serde_json::to_string_pretty(&document)?)?;
        }
    }
    Ok(Exit::Agree)
}

/// The test that these words mean, such as `elo0=0 elo1=2 model=logistic`.
///
/// # Errors
/// A word that is none of them or comes twice, a bound that is missing, or values that make no test.
pub(crate) fn parse(words: &[String]) -> anyhow::Result<Sprt> {
    const KEYS: [&str; 5] = ["elo0", "elo1", "alpha", "beta", "model"];
    let mut values = KEYS.map(|_| None);
    for word in words {
        let (key, value) = word.split_once('=').with_context(|| format!("\"{word}\": expected KEY=VALUE"))?;
        let Some(index) = KEYS.iter().position(|known| *known == key) else {
            bail!("\"{word}\": expected one of {}", KEYS.map(|key| format!("{key}=")).join(", "));
        };
        if values[index].replace(value).is_some() {
            bail!("{key}= is given twice");
        }
    }
    let number = |index: usize, usual: Option<f64>| -> anyhow::Result<f64> {
        let (key, Some(text)) = (KEYS[index], values[index]) else {
            return usual.with_context(|| format!("{}= is missing, as in elo0=0 elo1=2", KEYS[index]));
        };
        text.parse().with_context(|| format!("{key}={text}: expected a number"))
    };
    let elo = [number(0, None)?, number(1, None)?];
    let rates = [number(2, Some(0.05))?, number(3, Some(0.05))?];
    let model = values[4].map_or(Ok(Model::Normalized), str::parse)?;
    Ok(Sprt::new(elo, rates, model)?)
}

/// The games that the test takes on average, and how likely it then ends with H1.
fn expected(sprt: Option<&Sprt>, results: Option<&Results>, elo: f64) -> anyhow::Result<(f64, f64)> {
    let sprt = sprt.context("--expect is about a test: name its bounds, as in elo0=0 elo1=2")?;
    if !elo.is_finite() {
        bail!("--expect {elo}: expected a number");
    }
    sprt.expected(elo, results).context(
        "--expect in another model than normalized needs results that are not all the same: \
         how widely games scatter decides how many are needed",
    )
}

/// An estimate with its error, as text.
pub(crate) fn estimate(Estimate { value, error }: Estimate) -> String {
    format!("{} +/- {error:.2}", decimals(value, 2))
}

/// The log likelihood ratio of a test, with its bounds.
pub(crate) fn ratio(Test { llr, lower, upper, .. }: &Test) -> String {
    format!("{} ({lower:.2}, {upper:.2})", decimals(*llr, 2))
}

/// The measures as the page of a match has them.
pub(crate) fn strength(&Measures { elo, normalized, superiority, .. }: &Measures) -> Strength {
    Strength {
        elo: elo.value,
        elo_error: elo.error,
        normalized: normalized.value,
        normalized_error: normalized.error,
        superiority,
    }
}

fn lines(measures: Option<Measures>, test: Option<Test>, expected: Option<(f64, f64)>) -> String {
    let mut text = String::new();
    if let Some(measures) = measures {
        let Measures { games, score, elo, normalized, superiority, draw_ratio } = measures;
        let _ =
            writeln!(text, "games  {games}, score {:.2} %, drawn {:.2} %", 100.0 * score, 100.0 * draw_ratio);
        if let Some(words) = strength(&measures).without_numbers(games) {
            let _ = writeln!(text, "Elo    {}", words.trim_start_matches("Elo "));
        } else {
            let _ = writeln!(text, "Elo    {}", estimate(elo));
            let _ = writeln!(text, "nElo   {}", estimate(normalized));
        }
        let _ = writeln!(text, "LOS    {:.2} %", 100.0 * superiority);
    }
    if let Some(test) = test {
        let _ = writeln!(text, "LLR    {}: {}", ratio(&test), test.decision);
    }
    if let Some((games, passes)) = expected {
        let _ =
            writeln!(text, "takes  {games:.0} games on average, and ends with H1 in {:.1} %", 100.0 * passes);
    }
    text
}

/// The figures of results and of a test; what is expected are the games of the test and the share that ends with H1.
pub(crate) fn document(
    measures: Option<Measures>,
    test: Option<Test>,
    expected: Option<(f64, f64)>,
) -> Document {
    let mut document = Document::default();
    if let Some(measures) = measures {
        document = Document {
            games: Some(measures.games),
            score: Some(measures.score),
            draw_ratio: Some(measures.draw_ratio),
            elo: Some(measures.elo.value),
            elo_error: Some(measures.elo.error),
            nelo: Some(measures.normalized.value),
            nelo_error: Some(measures.normalized.error),
            los: Some(measures.superiority),
            ..document
        };
    }
    if let Some(test) = test {
        document = Document {
            llr: Some(test.llr),
            lower: Some(test.lower),
            upper: Some(test.upper),
            result: Some(test.decision.name()),
            ..document
        };
    }
    if let Some((games, passes)) = expected {
        document = Document { expected_games: Some(games), expected_h1: Some(passes), ..document };
    }
    document
}
