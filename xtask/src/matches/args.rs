//! The arguments of `match`.

use std::num::NonZeroU32;
use std::path::PathBuf;

use arbiter::game::{PgnField, Rules};
use arbiter::tournament::openings::BookFormat;
use clap::{ArgAction, Subcommand, ValueEnum};

use super::status::StatusArgs;
use crate::shard::Shard;

use super::tables::TableArgs;

/// Let engines play each other, judge every end by the rules, and print Elo and the verdict of a test.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "\
Examples:
  touchstone match ./new ./old --each tc=8+0.08 --rounds 500
  touchstone match ./new ./old --each tc=8+0.08 --rounds 20000 --sprt elo0=0 elo1=2
  touchstone match stockfish toga2 gnuchess --each nodes=20000 --of gnuchess:arg=--uci --concurrency 2
  touchstone match ./mine stockfish --each nodes=20000 --openings endings     endings with known results
  touchstone match ./mine ./mine --of 2:name=deep --each depth=4 --of 2:depth=6
  touchstone match ./new ./old --each tc=8+0.08 --tb own       adjudicate by our tables of up to four men
  touchstone match ./new ./old --each tc=8+0.08 --resume       go on with a match that was killed
  touchstone match ./new ./old --each tc=8+0.08 --output fastchess
  touchstone match --from-fastchess '-engine cmd=./old -engine cmd=./new -each tc=8+0.08 -rounds 50' --out mine
  touchstone match ./new ./old --each nodes=20000 --rounds 5000 --shard 2/8 --out shards/2
  touchstone match status shards                               the score of shards that run

Words of engines are those of cutechess: tc=40/60+0.6, st=, nodes=, depth=, timemargin= (milliseconds), name=, arg=, dir=, option.NAME=VALUE.
A round is two games of each pairing, with one opening and colours reversed.
The folder of --out gets games.pgn, match.jsonl (the journal), standings.csv, report.html (the page), differences.csv and disagreements.epd (the
games held against tables), and faults/ with the sessions of engines that failed.

Exit codes: 0 the match is over; 1 an engine crashed, hung, or gave an illegal move or none; 2 a wrong argument, or an engine that does not play.")]
pub(crate) struct MatchArgs {
    /// What else a match can be asked.
    #[command(subcommand)]
    pub(super) verb: Option<MatchVerb>,
    /// UCI engines: files, programs in the PATH, or names in touchstone.toml.
    #[arg(required_unless_present = "from_fastchess", num_args = 2.., value_name = "ENGINE")]
    pub(super) engines: Vec<String>,
    /// Words for each engine, such as tc=8+0.08 option.Hash=16.
    #[arg(long, num_args = 1.., value_name = "WORD")]
    pub(super) each: Vec<String>,
    /// A word for one engine, named as here or by its number from 1, such as new:option.Threads=2. It comes after
    /// the words for each.
    #[arg(long, num_args = 1.., value_name = "ENGINE:WORD")]
    pub(super) of: Vec<String>,
    /// The file that names engines [default: touchstone.toml, if it exists].
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// The openings: a book of the program (balanced or endings), startpos, or a file of EPD or FEN lines or PGN.
    #[arg(long, value_name = "BOOK", default_value = "balanced")]
    pub(super) openings: String,
    /// The format of the book: epd or pgn [default: by the name of the file].
    #[arg(long, value_name = "FORMAT")]
    pub(super) book_format: Option<BookFormat>,
    /// The order of the openings.
    #[arg(long, value_enum, default_value_t = OpeningsOrder::Random)]
    pub(super) order: OpeningsOrder,
    /// The seed of the order.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// The number of the first opening, from 1.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) start: usize,
    /// Cut the games of a PGN book after so many plies.
    #[arg(long, value_name = "N")]
    pub(super) plies: Option<usize>,
    /// All openings are of Chess960.
    #[arg(long)]
    pub(super) chess960: bool,
    /// Rounds: pairs of games of each pairing.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(super) rounds: u64,
    /// A gauntlet: the first N engines play each of the others.
    #[arg(long, value_name = "N")]
    pub(super) seeds: Option<usize>,
    /// Play a share of the pairs: 2/8 is the second of eight. `merge` puts the shards together.
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// Games at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) concurrency: u16,
    /// End as soon as a test of the first engine against the second one is decided: elo0= elo1= and alpha= beta=
    /// model=, see `sprt`.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub(super) sprt: Vec<String>,
    /// What a late answer is if the other side cannot mate: fide says a draw, lichess a draw if too few men are the
    /// reason, cutechess a draw if the other side has its king alone, and fastchess a loss.
    #[arg(long, value_name = "RULES", default_value_t = Rules::Fide)]
    pub(super) rules: Rules,
    /// Adjudicate a loss: movecount=3 score=600 twosided=true.
    #[arg(long, num_args = 1.., action = ArgAction::Set, value_name = "KEY=VALUE", value_parser = rule_words)]
    pub(super) resign: Vec<String>,
    /// Adjudicate a draw: movenumber=40 movecount=8 score=10.
    #[arg(long, num_args = 1.., action = ArgAction::Set, value_name = "KEY=VALUE", value_parser = rule_words)]
    pub(super) draw: Vec<String>,
    /// Adjudicate a draw after so many moves of each side.
    #[arg(long, value_name = "N")]
    pub(super) maxmoves: Option<NonZeroU32>,
    #[command(flatten)]
    pub(super) tables: TableArgs,
    /// The most seconds of a search that no clock limits. An engine that takes longer hangs, and loses.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(super) patience: u64,
    /// Play a game again in which an engine was late that got less than half of the processor, at most N times [default
    /// N: 3]. Then it counts.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_value_t = 0,
          default_missing_value = "3", hide_default_value = true, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub(super) replay_starved: u32,
    /// The PGN file [default: games.pgn in the folder of --out].
    #[arg(long, value_name = "FILE")]
    pub(super) pgnout: Option<PathBuf>,
    /// The file for the last position of each game, as EPD.
    #[arg(long, value_name = "FILE")]
    pub(super) epdout: Option<PathBuf>,
    /// What comments in the PGN hold beside score and depth [default: time, if a clock limits the searches].
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FIELDS")]
    pub(super) comments: Option<Vec<Comment>>,
    /// Play the match that this command line of fastchess means, and say which one of ours does so. Other
    /// options here replace those of fastchess.
    #[arg(long, value_name = "COMMAND LINE", allow_hyphen_values = true, conflicts_with = "engines")]
    pub(super) from_fastchess: Option<String>,
    /// Whose lines are printed: ours, or those of fastchess or cutechess for programs that parse them.
    #[arg(long, value_enum, value_name = "PROGRAM", default_value_t = Output::Touchstone)]
    pub(super) output: Output,
    /// With the lines of another program: print the standings each N pairs (fastchess) or games (cutechess), and
    /// with 0 only at the end [default: 10 for fastchess, 0 for cutechess].
    #[arg(long, value_name = "N")]
    pub(super) ratinginterval: Option<u64>,
    /// The folder of the match.
    #[arg(long, value_name = "DIR", default_value = "target/touchstone/match")]
    pub(super) out: PathBuf,
    /// Go on with the match in the folder. The other arguments must be those with which it was begun.
    #[arg(long)]
    pub(super) resume: bool,
}

/// The subcommands of `match`. An engine of such a name is written `./status`.
#[derive(Debug, Subcommand)]
pub(super) enum MatchVerb {
    Status(StatusArgs),
}

/// How openings are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum OpeningsOrder {
    /// As in the book.
    Sequential,
    /// Shuffled by the seed; none comes twice before all have come.
    Random,
}

/// Whose lines are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    /// Ours.
    Touchstone,
    /// Those of fastchess.
    Fastchess,
    /// Those of cutechess.
    Cutechess,
}

/// A field of the comments in the PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Comment {
    /// The time of the move.
    Time,
    /// What stands on the clock after it.
    Clock,
    /// Nodes.
    Nodes,
    /// The greatest depth.
    Seldepth,
    /// Nodes per second.
    Nps,
    /// How full the hash table is.
    Hashfull,
    /// Positions found in endgame tables.
    Tbhits,
    /// The principal variation.
    Pv,
}

impl Comment {
    /// The words of these fields, with commas between them.
    pub(super) fn list(comments: &[Self]) -> String {
        let words = comments.iter().filter_map(Self::to_possible_value);
        words.map(|word| word.get_name().to_owned()).collect::<Vec<_>>().join(",")
    }

    /// The fields of such a list.
    pub(super) fn listed(text: &str) -> Result<Vec<Self>, String> {
        text.split_terminator(',').map(|word| Self::from_str(word, false)).collect()
    }
}

impl From<Comment> for PgnField {
    fn from(comment: Comment) -> Self {
        match comment {
            Comment::Time => Self::Time,
            Comment::Clock => Self::Clock,
            Comment::Nodes => Self::Nodes,
            Comment::Seldepth => Self::SelectiveDepth,
            Comment::Nps => Self::Nps,
            Comment::Hashfull => Self::HashFull,
            Comment::Tbhits => Self::TbHits,
            Comment::Pv => Self::Pv,
        }
    }
}

/// Words of a rule. An engine that stands behind the option is no word of it.
fn rule_words(text: &str) -> Result<String, String> {
    match text.split_whitespace().find(|word| !word.contains('=') && *word != "twosided") {
        Some(word) => Err(format!("{word} is no KEY=VALUE; engines stand before the option")),
        None => Ok(text.to_owned()),
    }
}
