//! What a run will do, checked before anything starts.

use anyhow::{Context, anyhow, bail};
use arbiter::Effort;
use arbiter::player::ENGINE;
use engine::tables::Material;
use engine::tables::builders::{self, Builder, MAX_QUICK_MEN};
use oracle::checks::Check;
use oracle::library;
use oracle::perft::RandomPositions;
use oracle::positions::Men;

use super::VerifyArgs;
use super::baseline::Extent;
use super::dump::Dump;
use super::epd::Given;
use super::selection;
use super::stored;
use super::suite_name::SuiteName;
use crate::syzygy_sources::Probed;
use crate::{console, tables};

/// The most pieces in the tables that a plain run certifies, kings included.
const MEN_OF_TABLES: usize = 3;
/// The tables of a plain run; those that they lead to are added.
const DEFAULT_TABLES: [&str; 3] = ["KPvK", "KQvK", "KRvK"];

/// What a run will do.
#[expect(clippy::struct_excessive_bools, reason = "each may hold whatever the others are")]
pub(crate) struct Plan {
    /// Tables, each after those that it leads to.
    pub(crate) tables: Vec<Material>,
    /// Those of them that this shard checks: all, unless it is one of several.
    pub(crate) own_tables: Vec<Material>,
    /// Another builder whose tables are checked.
    pub(crate) builder: Option<&'static dyn Builder>,
    /// A table exported as text.
    pub(crate) dump: Option<Dump>,
    /// Suites.
    pub(crate) suites: Vec<SuiteName>,
    /// The contents of the files of positions.
    pub(super) epd: Given,
    /// Tables with positions of the files that would take too long to build.
    pub(super) not_built: Vec<Material>,
    /// Whether tables only judge other claims, and so are only certified.
    judges_only: bool,
    /// Whether the mates that the player announces in the positions of the tables are checked.
    pub(crate) announces: bool,
    /// Whether the edge cases of the tables are counted.
    pub(crate) edge_cases: bool,
    /// Whether our engine is asked the checks of the protocol, as a process of its own.
    pub(crate) protocol: bool,
    /// Whether to take the signature of the search.
    pub(crate) signature: bool,
    /// Whether to skip what takes longest.
    pub(crate) quick: bool,
    /// The Syzygy tables that are probed, if any are. All shards of a run look for the same.
    pub(crate) probes: Option<Probed>,
    /// How much of a baseline this run covers.
    pub(crate) extent: Extent,
}

impl Plan {
    pub(super) fn new(args: &VerifyArgs, epd: Given) -> anyhow::Result<Self> {
        let builder = args.builder.as_deref().map(named_builder).transpose()?;
        let dump = Dump::new(args)?;
        if let Some(folder) =
            args.baseline.as_ref().filter(|folder| !args.update_baseline && !folder.is_dir())
        {
            bail!(
                "there is no baseline {}; make one with: verify --update-baseline --baseline DIR",
                folder.display()
            );
        }
        let asked_tables = asked_tables(args);
        let program = args.program.engine.is_some();
        let other_player = args.player() != ENGINE || program;
        let plain = asked_tables.is_empty()
            && args.suite.is_empty()
            && builder.is_none()
            && args.dump.is_none()
            && epd.is_empty()
            && !other_player;
        let suites = match &args.suite[..] {
            [] if !args.program.check.is_empty() => checked_suites(&args.program.check, &epd)?,
            [] if plain => SuiteName::ALL.to_vec(),
            [] if !epd.is_empty() => epd.suites(),
            [] if other_player => SuiteName::FOR_PLAYERS.to_vec(),
            suites => suites.to_vec(),
        };
        let counts = |suite: &SuiteName| *suite == SuiteName::Perft && program && epd.has(*suite);
        if other_player
            && let Some(suite) = suites.iter().find(|suite| !suite.is_for_players() && !counts(suite))
        {
            let option = if program { "--engine" } else { "--subject" };
            bail!("suite {} cannot be run with {option}", suite.name());
        }
        reads(&epd, &suites)?;
        if !suites.contains(&SuiteName::Mates) && args.mates.is_given() {
            bail!(
                "--mate-depth, --exact-mates and --no-bound-mates apply to the suite mates: add --suite mates"
            );
        }
        if epd.is_empty() && args.program.check.iter().any(|id| selection::family(id) == "file") {
            bail!("the checks file/* judge files of positions: name one with --epd FILE");
        }
        if args.limit().is_some() {
            takes_limit(&suites)?;
        }
        let asks_only =
            asked_tables.is_empty() && (other_player || !args.suite.is_empty() || !epd.is_empty());
        let few_men = suites.contains(&SuiteName::BestMove)
            && epd.fewest_men().is_some_and(|men| men <= MEN_OF_TABLES + 1);
        let of_files = Wanted::of(&epd, args.effort());
        let three_men = few_men || suites.iter().any(|suite| needs_tables(*suite, args));
        let judges_only = asks_only && (three_men || !of_files.tables.is_empty());
        let names: Vec<&str> = match (&asked_tables[..], builder) {
            ([], _) if asks_only && !three_men => Vec::new(),
            ([], _) => DEFAULT_TABLES.to_vec(),
            (names, _) => names.iter().map(String::as_str).collect(),
        };
        let mut materials = names.into_iter().map(buildable).collect::<anyhow::Result<Vec<_>>>()?;
        materials.extend(of_files.tables.iter().copied());
        if let Some(builder) = builder
            && !builders::with_smaller(&materials).into_iter().any(|material| builder.builds(material))
        {
            bail!("builder {} builds none of these tables", builder.name());
        }
        let extent = extent(args, plain, judges_only);
        if args.update_baseline && args.baseline.is_none() && extent != Extent::Whole {
            bail!(
                "this run covers only a part of the baseline: name the folder to write with --baseline DIR"
            );
        }
        let announces = builder.is_none()
            && args.dump.is_none()
            && !materials.iter().any(|material| material.men() > MAX_QUICK_MEN)
            && (!asked_tables.is_empty() || args.suite.is_empty() && epd.is_empty() && !program);
        let tables = walked(args, &materials)?;
        let mut plan = Self {
            own_tables: tables.clone(),
            tables,
            builder,
            dump,
            suites,
            epd,
            not_built: of_files.skipped,
            judges_only,
            announces,
            edge_cases: args.edge_cases,
            protocol: plain,
            signature: plain && !args.quick,
            quick: args.quick,
            probes: None,
            extent,
        };
        plan.probes = plan.needs_syzygy().then(|| plan.probed());
        Ok(plan)
    }

    /// Whether the production tables only judge others.
    pub(crate) fn only_to_certify(&self) -> bool {
        self.judges_only || self.builder.is_some() || self.dump.is_some()
    }

    /// Whether other sources of distances to mate are asked.
    pub(crate) fn asks_dtm_sources(&self) -> bool {
        !self.judges_only || self.builder.is_some() || self.dump.is_some()
    }

    /// The checks of the production tables. If they only judge others, they need only be certified, and no value may be
    /// stated for an illegal position.
    pub(crate) fn production_checks(&self) -> Vec<Check> {
        let only_to_certify = self.only_to_certify();
        let wanted = |check: &Check| match check {
            Check::Truth => false,
            Check::Certificate | Check::Symmetry | Check::Legality => true,
            Check::SyzygyWdl | Check::SyzygyDtz | Check::SyzygyDtm | Check::Unmove => {
                !only_to_certify && !self.quick
            }
            Check::Terminal | Check::Gaviota | Check::Prophet | Check::Census => !only_to_certify,
        };
        Check::ALL.into_iter().filter(wanted).collect()
    }

    /// The checks of another builder's tables.
    pub(crate) fn builder_checks(&self) -> Vec<Check> {
        let wanted = |check: &Check| match check {
            Check::Truth | Check::Gaviota | Check::Prophet => true,
            Check::SyzygyWdl => !self.quick,
            _ => false,
        };
        Check::ALL.into_iter().filter(wanted).collect()
    }

    /// The tables that are built. Tables of other shards judge what players say in suites.
    pub(crate) fn built(&self) -> Vec<Material> {
        if self.suites.is_empty() { builders::with_smaller(&self.own_tables) } else { self.tables.clone() }
    }

    /// Whether Syzygy tables are probed.
    fn needs_syzygy(&self) -> bool {
        !self.quick
            && (!self.tables.is_empty() && !self.judges_only
                || self.plays_endings()
                || self.needs_four_men()
                || self.reads_syzygy())
    }

    /// Whether won endings are played, which Syzygy tables of some materials judge.
    fn plays_endings(&self) -> bool {
        !self.quick && self.suites.contains(&SuiteName::Conversion)
    }

    /// Whether Syzygy tables of any four men judge best moves or mates.
    fn needs_four_men(&self) -> bool {
        let leads_there = self.epd.fewest_men().is_some_and(|men| men <= MEN_OF_TABLES + 2);
        let best_moves = leads_there && self.suites.contains(&SuiteName::BestMove);
        let mates = self.suites.contains(&SuiteName::Mates) && self.epd.has_mates_of(MEN_OF_TABLES + 1);
        !self.quick && (best_moves || mates)
    }

    /// Whether our reader of Syzygy files is checked.
    pub(crate) fn reads_syzygy(&self) -> bool {
        !self.quick && self.suites.contains(&SuiteName::Library)
    }

    /// Whether the suite perft reads files in place of our own positions.
    pub(crate) fn counts_files(&self) -> bool {
        self.suites.contains(&SuiteName::Perft) && self.epd.has(SuiteName::Perft)
    }

    /// The Syzygy tables that are probed. A dump may hold any table.
    fn probed(&self) -> Probed {
        let men = if self.dump.is_some() || self.needs_four_men() { 4 } else { 3 };
        let endings = if self.plays_endings() { arbiter::conversion::materials() } else { Vec::new() };
        let read = if self.reads_syzygy() { library::SYZYGY_TABLES.to_vec() } else { Vec::new() };
        let endings = endings
            .into_iter()
            .chain(read)
            .map(|men| men.parse().expect("an ending has the name of a table"));
        Probed::of(men, &self.tables.iter().copied().chain(endings).collect::<Vec<Material>>())
    }

    /// The length of the progress bar: how many placements all checks of tables walk.
    pub(crate) fn work(&self) -> u64 {
        let walks = self.production_checks().len()
            + usize::from(self.announces)
            + usize::from(self.edge_cases)
            + self.builder.map_or(0, |_| self.builder_checks().len());
        let placements: u64 = self.own_tables.iter().map(|material| 2 << (6 * material.men())).sum();
        placements * (walks as u64 + 1)
    }
}

/// How much of a baseline a run covers. A plain run names neither tables nor suites, and our engine is the player.
fn extent(args: &VerifyArgs, plain: bool, judges_only: bool) -> Extent {
    let default_seed = args.seed == RandomPositions::default().seed;
    if args.quick
        || args.thorough
        || judges_only
        || args.program.engine.is_some()
        || args.builder.is_some()
        || args.dump.is_some()
        || !args.epd.is_empty()
    {
        Extent::SomeChecks
    } else if plain && default_seed {
        Extent::Whole
    } else {
        Extent::Part
    }
}

/// The names of the tables that the user asks for.
fn asked_tables(args: &VerifyArgs) -> Vec<String> {
    let Some(men) = args.men else { return args.tables.clone() };
    Material::up_to(men.into()).iter().map(ToString::to_string).collect()
}

/// These tables and those that they lead to. Those of five men are there as files.
fn walked(args: &VerifyArgs, materials: &[Material]) -> anyhow::Result<Vec<Material>> {
    let tables = builders::with_smaller(materials);
    let five_men: Vec<Material> =
        tables.iter().copied().filter(|material| material.men() > MAX_QUICK_MEN).collect();
    if !five_men.is_empty() && args.builder.is_some() {
        bail!("--builder compares tables of up to {MAX_QUICK_MEN} men");
    }
    stored::check(&args.table_files, &five_men)?;
    if args.edge_cases && tables.is_empty() {
        bail!("--edge-cases counts tables, and this run has none: name them with --tables or --men");
    }
    Ok(tables)
}

/// The table with this name, if it can be built.
fn buildable(name: &str) -> anyhow::Result<Material> {
    tables::named(name).map_err(|error| anyhow!("--tables {name}: {error}"))
}

/// The suites that have some of the requested checks. With files, suites that read files need lines in them.
fn checked_suites(asked: &[String], epd: &Given) -> anyhow::Result<Vec<SuiteName>> {
    let mut suites = selection::suites(asked);
    if epd.is_empty() {
        return Ok(suites);
    }
    if selection::needs_searches(asked) && !suites.contains(&SuiteName::BestMove) {
        suites.push(SuiteName::BestMove);
    }
    suites.extend(selection::counts(asked).then_some(SuiteName::Perft));
    suites.retain(|suite| !SuiteName::READING.contains(suite) || epd.has(*suite));
    if !suites.iter().any(|suite| epd.has(*suite)) {
        bail!("no line of {} belongs to the checks of --check", epd.named());
    }
    Ok(suites)
}

/// Checks that the requested suites have lines in the files, and prints which lines are not used.
fn reads(epd: &Given, suites: &[SuiteName]) -> anyhow::Result<()> {
    let reading = |suite: &&SuiteName| SuiteName::READING.contains(suite);
    if epd.is_empty() {
        if suites.contains(&SuiteName::BestMove) {
            bail!("suite bestmove has no positions of its own: name a file with --epd FILE");
        }
        return Ok(());
    }
    if !suites.iter().any(|suite| SuiteName::READING.contains(suite)) {
        bail!(
            "--epd holds positions for the suites mates, bestmove and perft: add --suite mates, or another of them"
        );
    }
    if let Some(suite) = suites.iter().filter(reading).find(|suite| !epd.has(**suite)) {
        let has: Vec<String> = epd.suites().into_iter().map(SuiteName::name).collect();
        bail!(
            "no line of {} is for the suite {}: there are lines for {}",
            epd.named(),
            suite.name(),
            has.join(" and ")
        );
    }
    for suite in epd.suites().into_iter().filter(|suite| !suites.contains(suite)) {
        let lines = epd.lines(suite);
        let are = if lines == 1 { "1 line is" } else { &format!("{lines} lines are") };
        console::message(&format!("note: {are} for suite {}, which was not requested", suite.name()));
    }
    Ok(())
}

/// Checks that the user's limit applies to one of these suites, and prints for which it does not.
fn takes_limit(suites: &[SuiteName]) -> anyhow::Result<()> {
    let by_depth = suites.contains(&SuiteName::Stalemates);
    if !suites.iter().any(|suite| suite.takes_limit()) {
        let why = if by_depth { "suite stalemates searches to fixed depths; " } else { "" };
        bail!(
            "{why}--nodes and --movetime apply to the suites conversion, mates, draws and bestmove: add --suite conversion, or \
             another of them"
        );
    }
    if by_depth {
        console::message(
            "note: suite stalemates searches to fixed depths and ignores --nodes and --movetime",
        );
    }
    Ok(())
}

/// The most tables with four pieces that are built to judge files, including those that they lead to. Each takes seconds.
const MOST_OF_FOUR: usize = 4;

/// The tables that judge the positions of files.
struct Wanted {
    tables: Vec<Material>,
    /// Tables that would take too long to build.
    skipped: Vec<Material>,
}

impl Wanted {
    /// Those with three pieces, and those with four as far as the effort allows.
    fn of(epd: &Given, effort: Effort) -> Self {
        let most = match effort {
            Effort::Quick => 0,
            Effort::Plain => MOST_OF_FOUR,
            Effort::Thorough => usize::MAX,
        };
        let of_four = |tables: &[Material]| {
            builders::with_smaller(tables).into_iter().filter(|table| table.men() > MEN_OF_TABLES).count()
        };
        let (mut tables, mut skipped) = (Vec::new(), Vec::new());
        for table in epd.tables() {
            let with = [&tables[..], &[table]].concat();
            if of_four(&with) > most {
                skipped.push(table);
            } else {
                tables = with;
            }
        }
        Self { tables, skipped }
    }
}

fn named_builder(name: &str) -> anyhow::Result<&'static dyn Builder> {
    builders::builder(name).with_context(|| {
        let names: Vec<&str> = builders::BUILDERS.iter().map(|builder| builder.name()).collect();
        format!("there is no builder \"{name}\"; there are: {}", names.join(", "))
    })
}

/// The material of a table, as the type of the oracle.
pub(crate) fn men(material: Material) -> anyhow::Result<Men> {
    Ok(material.to_string().parse()?)
}

/// Whether tables judge a suite: of the mates, positions of the tables are put to programs only.
fn needs_tables(suite: SuiteName, args: &VerifyArgs) -> bool {
    let asks_positions = suite == SuiteName::Mates && args.program.engine.is_some() && args.epd.is_empty();
    suite.needs_tables() || asks_positions
}
