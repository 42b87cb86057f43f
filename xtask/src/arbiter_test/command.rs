//! The command line by which a runner plays a scripted game.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use arbiter::game::Rules;
use suites::arbiter::{ArbiterCase, MatchSettings, Policy};

use super::ArbiterTestArgs;

/// In a template: a PGN file with the opening, and an EPD file with the first position.
const BOOK: &str = "{book}";
const EPD: &str = "{epd}";

/// The verb of this program that plays a script.
const PLAYER: &str = "play-script";

/// Whose options a runner has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Fastchess,
    Cutechess,
    Touchstone,
    /// Those of its template.
    Template,
}

/// A runner, and how it is started.
pub(super) struct Runner {
    program: PathBuf,
    dialect: Dialect,
    words: Vec<String>,
    /// The program that plays the scripts.
    player: PathBuf,
    tables: Option<PathBuf>,
    pub(super) policy: Policy,
    pub(super) patience: Duration,
}

/// The files of a game.
pub(super) struct GameFiles {
    /// The opening, as EPD.
    pub(super) epd: PathBuf,
    /// The opening, as PGN.
    pub(super) book: PathBuf,
    /// The games that the runner writes.
    pub(super) pgn: PathBuf,
    /// A folder for whatever else it writes.
    pub(super) other: PathBuf,
}

impl Runner {
    pub(super) fn new(args: &ArbiterTestArgs) -> anyhow::Result<Self> {
        let [name, words @ ..] = &args.runner[..] else { bail!("name the runner after --") };
        let program = which::which(name).with_context(|| format!("cannot find the runner {name}"))?;
        let program = std::path::absolute(&program).unwrap_or(program);
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        let dialect = match &*stem {
            "fastchess" => Dialect::Fastchess,
            "cutechess-cli" => Dialect::Cutechess,
            "touchstone" => Dialect::Touchstone,
            _ => Dialect::Template,
        };
        if dialect == Dialect::Template {
            let has = |word: &str| words.iter().any(|given| given.contains(word));
            let missing = ["{player}", "{script}", "{pgn}"].into_iter().find(|word| !has(word));
            let missing = missing.or_else(|| (!has(BOOK) && !has(EPD)).then_some(BOOK));
            if let Some(word) = missing {
                bail!(
                    "the options of {name} are not known: write its command line with {{player}}, {{script}}, {{pgn}}, and {BOOK} or \
                     {EPD}; {word} is missing"
                );
            }
        }
        if let Some(folder) = &args.tb {
            check_tables(folder)?;
        }
        let usual = match dialect {
            Dialect::Fastchess => Policy::Fastchess,
            Dialect::Cutechess => Policy::Cutechess,
            Dialect::Touchstone | Dialect::Template => Policy::Fide,
        };
        let policy = args.policy.unwrap_or(usual);
        if dialect == Dialect::Touchstone && policy.name().parse::<Rules>().is_err() {
            bail!(
                "--policy {policy}: `match` has no such rules; expected fide, lichess, fastchess or cutechess"
            );
        }
        Ok(Self {
            program,
            dialect,
            words: words.to_vec(),
            player: std::env::current_exe().context("cannot find this program")?,
            tables: args.tb.as_ref().map(std::path::absolute).transpose()?,
            policy,
            patience: Duration::from_secs(args.patience),
        })
    }

    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    /// The words by which one game is asked for again.
    pub(super) fn replay(&self, id: &str) -> String {
        let words = self.words.iter().fold(String::new(), |text, word| text + " " + &uci::quoted(word));
        let tables =
            self.tables.as_ref().map(|folder| format!(" --tb {}", uci::quoted(&folder.to_string_lossy())));
        let program = uci::quoted(&self.program.to_string_lossy());
        let tables = tables.unwrap_or_default();
        format!("arbiter-test --policy {} --case {id}{tables} -- {program}{words}", self.policy)
    }

    /// Why the runner cannot play a game, if it cannot.
    pub(super) fn cannot_play(&self, case: &ArbiterCase) -> Option<&'static str> {
        match self.dialect {
            Dialect::Template if case.settings != MatchSettings::default() => {
                Some("the template has no settings")
            }
            Dialect::Template if case.chess960 => Some("the template has no Chess960"),
            Dialect::Template
                if !case.book.is_empty() && !self.words.iter().any(|word| word.contains(BOOK)) =>
            {
                Some("the template has no {book}")
            }
            Dialect::Fastchess | Dialect::Cutechess if case.settings.tables && self.tables.is_none() => {
                Some("no tables: name their folder with --tb")
            }
            _ => None,
        }
    }

    /// Whether its options have it play each opening twice.
    pub(super) fn plays_pairs(&self) -> bool {
        self.dialect != Dialect::Template
    }

    /// The arguments for a game.
    pub(super) fn arguments(&self, case: &ArbiterCase, files: &GameFiles) -> Vec<OsString> {
        let words = match self.dialect {
            Dialect::Fastchess => self.fastchess(case, files),
            Dialect::Cutechess => self.cutechess(case, files),
            Dialect::Touchstone => self.touchstone(case, files),
            Dialect::Template => Vec::new(),
        };
        let own = self.words.iter().map(|word| {
            let word = word
                .replace("{player}", &shown(&self.player))
                .replace("{script}", &format!("{PLAYER} {}", case.id));
            let word = word.replace(BOOK, &shown(&files.book)).replace(EPD, &shown(&files.epd));
            word.replace("{pgn}", &shown(&files.pgn))
        });
        words.into_iter().chain(own).map(OsString::from).collect()
    }

    fn fastchess(&self, case: &ArbiterCase, files: &GameFiles) -> Vec<String> {
        let engine = |name: &str| {
            vec![
                "-engine".to_owned(),
                format!("cmd={}", shown(&self.player)),
                format!("name={name}"),
                format!("args={PLAYER} {}", case.id),
            ]
        };
        let mut words = [engine("first"), engine("second"), vec!["-each".to_owned()]].concat();
        words.extend(limits(&case.settings));
        let (book, format) = book(case, files);
        words.extend(openings(&book, format));
        words.extend(["-pgnout".to_owned(), format!("file={}", shown(&files.pgn))]);
        words.extend(self.adjudication(case));
        words
    }

    fn cutechess(&self, case: &ArbiterCase, files: &GameFiles) -> Vec<String> {
        let engine = |name: &str| {
            vec![
                "-engine".to_owned(),
                format!("cmd={}", shown(&self.player)),
                format!("name={name}"),
                format!("arg={PLAYER}"),
                format!("arg={}", case.id),
            ]
        };
        let mut words = [engine("first"), engine("second"), split("-each proto=uci")].concat();
        words.extend(case.settings.clock.is_none().then(|| "tc=inf".to_owned()));
        words.extend(limits(&case.settings));
        // It reads the clocks of a FEN in games alone: those of EPD lines are the operations hmvc and fmvn.
        words.extend(openings(&shown(&files.book), "pgn"));
        words.extend(["-pgnout".to_owned(), shown(&files.pgn)]);
        words.extend(self.adjudication(case));
        words
    }

    /// The options of adjudication and of Chess960, which fastchess has from cutechess.
    fn adjudication(&self, case: &ArbiterCase) -> Vec<String> {
        let MatchSettings { resign, draw, max_moves, tables, .. } = &case.settings;
        let resign = resign.map(|rule| {
            let both = if rule.two_sided { " twosided=true" } else { "" };
            format!("-resign movecount={} score={}{both}", rule.move_count, rule.score)
        });
        let draw = draw.map(|rule| {
            format!(
                "-draw movenumber={} movecount={} score={}",
                rule.move_number, rule.move_count, rule.score
            )
        });
        let all = [
            case.chess960.then(|| "-variant fischerandom".to_owned()),
            resign,
            draw,
            max_moves.map(|moves| format!("-maxmoves {moves}")),
        ];
        let mut words: Vec<String> = all.into_iter().flatten().flat_map(|text| split(&text)).collect();
        if let Some(folder) = self.tables.as_ref().filter(|_| *tables) {
            words.extend(["-tb".to_owned(), shown(folder)]);
        }
        words
    }

    fn touchstone(&self, case: &ArbiterCase, files: &GameFiles) -> Vec<String> {
        let MatchSettings { resign, draw, max_moves, tables, .. } = &case.settings;
        let player = shown(&self.player);
        let mut words = vec!["match".to_owned(), player.clone(), player, "--each".to_owned()];
        words.extend([format!("arg={PLAYER}"), format!("arg={}", case.id)]);
        words.extend(limits(&case.settings));
        let (book, format) = book(case, files);
        words.extend(split("--of 1:name=first --of 2:name=second --rounds 1 --order sequential"));
        words.extend(["--openings".to_owned(), book, "--book-format".to_owned(), format.to_owned()]);
        words.extend(["--out".to_owned(), shown(&files.other), "--pgnout".to_owned(), shown(&files.pgn)]);
        words.extend(["--rules".to_owned(), self.policy.name().to_owned()]);
        words.extend(case.chess960.then(|| "--chess960".to_owned()));
        if let Some(rule) = resign {
            let both = if rule.two_sided { " twosided=true" } else { "" };
            words.extend([
                "--resign".to_owned(),
                format!("movecount={} score={}{both}", rule.move_count, rule.score),
            ]);
        }
        if let Some(rule) = draw {
            let rule =
                format!("movenumber={} movecount={} score={}", rule.move_number, rule.move_count, rule.score);
            words.extend(["--draw".to_owned(), rule]);
        }
        words.extend(max_moves.iter().flat_map(|moves| ["--maxmoves".to_owned(), moves.to_string()]));
        if *tables {
            words.extend(["--tb".to_owned(), self.tables.as_deref().map_or_else(|| "own".to_owned(), shown)]);
        }
        words
    }
}

/// The games expect that tables know three men and no more.
fn check_tables(folder: &Path) -> anyhow::Result<()> {
    for entry in folder.read_dir().with_context(|| format!("--tb {}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let men = name.strip_suffix(".rtbw").map(|table| table.replace('v', "").len());
        if men.is_some_and(|men| men > 3) {
            bail!(
                "--tb {}: {name} has more than three men, and the games expect that no table has",
                folder.display()
            );
        }
    }
    Ok(())
}

/// The words that limit the searches. A script does not search, so that one node does where no clock runs.
fn limits(settings: &MatchSettings) -> Vec<String> {
    let clock = settings.clock.as_ref().map_or_else(|| "nodes=1".to_owned(), |clock| format!("tc={clock}"));
    let margin = settings.margin.map(|margin| format!("timemargin={margin}"));
    [Some(clock), margin].into_iter().flatten().collect()
}

/// The file of the opening and its format. Some runners read no games without moves.
fn book(case: &ArbiterCase, files: &GameFiles) -> (String, &'static str) {
    if case.book.is_empty() { (shown(&files.epd), "epd") } else { (shown(&files.book), "pgn") }
}

/// The opening and how often it is played, in the words of fastchess and cutechess. A path may have blanks.
fn openings(book: &str, format: &str) -> Vec<String> {
    let mut words = split("-games 2 -rounds 1 -repeat -concurrency 1 -recover -openings");
    words.extend([format!("file={book}"), format!("format={format}"), "order=sequential".to_owned()]);
    words
}

fn split(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
