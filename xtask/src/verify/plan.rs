//! What a run will do, checked before anything starts.

use anyhow::{anyhow, bail};
use arbiter::Effort;
use engine::tables::Material;
use engine::tables::builders::{self, MAX_QUICK_MEN};
use oracle::checks::Check;
use oracle::library;
use oracle::perft::RandomPositions;
use oracle::positions::Men;

use super::baseline::BaselineScope;
use super::epd::Given;
use super::job::{Job, Judged};
use super::kept::Kept;
use super::selection;
use super::stored;
use super::suite_name::SuiteName;
use crate::progress::Progress;
use crate::syzygy_sources::Probed;
use crate::{console, tables};

/// The most pieces in the tables that a plain run certifies, kings included.
const MEN_OF_TABLES: usize = 3;
/// The tables of a plain run; those that they lead to are added.
const DEFAULT_TABLES: [&str; 3] = ["KPvK", "KQvK", "KRvK"];

/// What the production tables are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Every source judges them.
    Judged,
    /// They judge the tables of others, together with other sources. They are certified first.
    Judges,
    /// They judge players. They are certified first.
    JudgesPlayers,
}

/// What a run will do.
pub(crate) struct Plan<'j> {
    pub(crate) job: &'j Job,
    /// Tables, each after those that it leads to.
    pub(crate) tables: Vec<Material>,
    /// Those of them that this shard checks: all, unless it is one of several.
    pub(crate) own_tables: Vec<Material>,
    /// Suites.
    pub(crate) suites: Vec<SuiteName>,
    /// The contents of the files of positions.
    pub(super) epd: Given,
    /// Tables with positions of the files that would take too long to build.
    pub(super) not_built: Vec<Material>,
    purpose: Purpose,
    /// Whether the mates that the player announces in the positions of the tables are checked.
    pub(crate) announces: bool,
    /// Whether our engine is asked the checks of the protocol, as a process of its own.
    pub(crate) protocol: bool,
    /// Whether to take the signature of the search.
    pub(crate) signature: bool,
    /// The Syzygy tables that are probed, if any are. All shards of a run look for the same.
    pub(crate) probes: Option<Probed>,
    /// How much of a baseline this run covers.
    pub(crate) extent: BaselineScope,
}

impl<'j> Plan<'j> {
    /// The plan of a job, and of what its files hold.
    pub(super) fn new(job: &'j Job, epd: Given) -> anyhow::Result<Self> {
        if let Some(folder) = job.baseline.as_ref().filter(|folder| !job.updates_baseline && !folder.is_dir())
        {
            bail!(
                "there is no baseline {}; make one with: verify --update-baseline --baseline DIR",
                folder.display()
            );
        }
        let mut plan = match &job.judged {
            Judged::Builder(_) | Judged::Dump(_) => Self::of_others_tables(job, epd)?,
            Judged::Workspace | Judged::Subject(_) | Judged::Engine(_) => Self::of_player(job, epd)?,
        };
        if job.updates_baseline && job.baseline.is_none() && plan.extent != BaselineScope::Whole {
            bail!(
                "this run covers only a part of the baseline: name the folder to write with --baseline DIR"
            );
        }
        plan.probes = plan.needs_syzygy().then(|| plan.probed());
        let asks_engines = plan.protocol || matches!(job.judged, Judged::Engine(_));
        if job.syzygy.syzygy.is_some() && plan.probes.is_none() && !asks_engines {
            bail!(
                "this run probes no Syzygy tables, so that --syzygy would change nothing: leave it out{}",
                if plan.is_quick() { ", or leave out --quick" } else { "" }
            );
        }
        Ok(plan)
    }

    /// Tables of others: there are no suites, and no baseline covers them whole.
    fn of_others_tables(job: &'j Job, epd: Given) -> anyhow::Result<Self> {
        options_apply(job, &[])?;
        let usual = usual_tables();
        let materials = buildable(if job.tables.is_empty() { &usual } else { &job.tables })?;
        if let Some(builder) = job.builder()
            && !builders::with_smaller(&materials).into_iter().any(|material| builder.builds(material))
        {
            bail!("builder {} builds none of these tables", builder.name());
        }
        let tables = walked(job, &materials)?;
        Ok(Self {
            job,
            own_tables: tables.clone(),
            tables,
            suites: Vec::new(),
            epd,
            not_built: Vec::new(),
            purpose: Purpose::Judges,
            announces: false,
            protocol: false,
            signature: false,
            probes: None,
            extent: BaselineScope::SomeChecks,
        })
    }

    /// The plan of a job that judges a player: suites, and tables that the job names or that judge the
    /// player. If the job judges our own player and names nothing, everything of ours is verified.
    fn of_player(job: &'j Job, epd: Given) -> anyhow::Result<Self> {
        let is_own = matches!(job.judged, Judged::Workspace);
        let names_nothing = job.tables.is_empty() && job.suites.is_empty() && epd.is_empty();
        let is_plain = is_own && names_nothing;
        let suites = suites_of(job, &epd)?;
        reads(&epd, &suites)?;
        options_apply(job, &suites)?;
        let asks_only = job.tables.is_empty() && !is_plain;
        let few_men = suites.contains(&SuiteName::BestMove)
            && epd.fewest_men().is_some_and(|men| men <= MEN_OF_TABLES + 1);
        let of_files = Wanted::new(&epd, job.effort);
        let three_men = few_men || suites.iter().any(|suite| needs_tables(*suite, job));
        let usual = usual_tables();
        let names = match &job.tables[..] {
            [] if asks_only && !three_men => &[],
            [] => &usual[..],
            names => names,
        };
        let mut materials = buildable(names)?;
        materials.extend(of_files.tables.iter().copied());
        let judges_player = asks_only && (three_men || !of_files.tables.is_empty());
        let is_usual = job.effort == Effort::Plain && job.engine().is_none() && epd.is_empty();
        let announces = !materials.iter().any(|material| material.men() > MAX_QUICK_MEN)
            && (!job.tables.is_empty() || names_nothing && job.engine().is_none());
        let tables = walked(job, &materials)?;
        Ok(Self {
            job,
            own_tables: tables.clone(),
            tables,
            suites,
            epd,
            not_built: of_files.skipped,
            purpose: if judges_player { Purpose::JudgesPlayers } else { Purpose::Judged },
            announces,
            protocol: is_plain,
            signature: is_plain && job.effort != Effort::Quick,
            probes: None,
            extent: match () {
                () if !is_usual || judges_player => BaselineScope::SomeChecks,
                () if is_plain && job.seed == RandomPositions::default().seed => BaselineScope::Whole,
                () => BaselineScope::Part,
            },
        })
    }

    fn is_quick(&self) -> bool {
        self.job.effort == Effort::Quick
    }

    /// Whether the production tables only judge others.
    pub(crate) fn only_to_certify(&self) -> bool {
        self.purpose != Purpose::Judged
    }

    /// Whether other sources of distances to mate are asked.
    pub(crate) fn asks_dtm_sources(&self) -> bool {
        self.purpose != Purpose::JudgesPlayers
    }

    /// The checks of the production tables. If they only judge others, they need only be certified, and no
    /// value may be stated for an illegal position.
    pub(crate) fn production_checks(&self) -> Vec<Check> {
        let only_to_certify = self.only_to_certify();
        let wanted = |check: &Check| match check {
            Check::Truth => false,
            Check::Certificate | Check::Legality => true,
            Check::SyzygyWdl | Check::SyzygyDtz | Check::SyzygyDtm | Check::Unmove => {
                !only_to_certify && !self.is_quick()
            }
            Check::Terminal | Check::Symmetry | Check::Gaviota | Check::Prophet | Check::Census => {
                !only_to_certify
            }
        };
        Check::ALL.into_iter().filter(wanted).collect()
    }

    /// The checks of another builder's tables.
    pub(crate) fn builder_checks(&self) -> Vec<Check> {
        let wanted = |check: &Check| match check {
            Check::Truth | Check::Gaviota | Check::Prophet => true,
            Check::SyzygyWdl => !self.is_quick(),
            _ => false,
        };
        Check::ALL.into_iter().filter(wanted).collect()
    }

    /// The tables to build. With suites, these include the tables of other shards, which judge the answers of
    /// players.
    pub(crate) fn built(&self) -> Vec<Material> {
        if self.suites.is_empty() { builders::with_smaller(&self.own_tables) } else { self.tables.clone() }
    }

    /// Whether Syzygy tables are probed.
    fn needs_syzygy(&self) -> bool {
        !self.is_quick()
            && (!self.tables.is_empty() && self.purpose != Purpose::JudgesPlayers
                || self.plays_endings()
                || self.needs_four_men()
                || self.reads_syzygy())
    }

    /// Whether won endings are played, which Syzygy tables of some materials judge.
    fn plays_endings(&self) -> bool {
        !self.is_quick() && self.suites.contains(&SuiteName::Conversion)
    }

    /// Whether Syzygy tables of any four men judge best moves or mates.
    fn needs_four_men(&self) -> bool {
        let leads_there = self.epd.fewest_men().is_some_and(|men| men <= MEN_OF_TABLES + 2);
        let best_moves = leads_there && self.suites.contains(&SuiteName::BestMove);
        let mates = self.suites.contains(&SuiteName::Mates) && self.epd.has_mates_of(MEN_OF_TABLES + 1);
        !self.is_quick() && (best_moves || mates)
    }

    /// Whether our reader of Syzygy files is checked.
    pub(crate) fn reads_syzygy(&self) -> bool {
        !self.is_quick() && self.suites.contains(&SuiteName::Library)
    }

    /// Whether the suite perft reads files in place of our own positions.
    pub(crate) fn counts_files(&self) -> bool {
        self.suites.contains(&SuiteName::Perft) && self.epd.has(SuiteName::Perft)
    }

    /// The Syzygy tables that are probed. A dump may hold any table.
    fn probed(&self) -> Probed {
        let is_dump = matches!(self.job.judged, Judged::Dump(_));
        let men = if is_dump || self.needs_four_men() { 4 } else { 3 };
        let endings = if self.plays_endings() { arbiter::conversion::materials() } else { Vec::new() };
        let read = if self.reads_syzygy() { library::SYZYGY_TABLES.to_vec() } else { Vec::new() };
        let endings = endings
            .into_iter()
            .chain(read)
            .map(|men| men.parse().expect("an ending has the name of a table"));
        Probed::new(men, &self.tables.iter().copied().chain(endings).collect::<Vec<Material>>())
    }

    /// The progress bar. It says how much time is left where tables alone take minutes.
    pub(crate) fn progress(&self) -> Progress {
        let are_large = self.own_tables.iter().any(|&material| Kept::keeps(material));
        let of_tables = self.suites.is_empty() && are_large;
        if of_tables { Progress::with_time_left(self.work()) } else { Progress::new(Some(self.work())) }
    }

    /// The length of the progress bar: how many placements all checks of tables walk.
    fn work(&self) -> u64 {
        let walks = self.production_checks().len()
            + usize::from(self.announces)
            + usize::from(self.job.edge_cases)
            + self.job.builder().map_or(0, |_| self.builder_checks().len());
        self.own_tables.iter().copied().map(placements).sum::<u64>() * (walks as u64 + 1)
    }
}

/// The suites that are run.
fn suites_of(job: &Job, epd: &Given) -> anyhow::Result<Vec<SuiteName>> {
    let is_own = matches!(job.judged, Judged::Workspace);
    let suites = match &job.suites[..] {
        [] if !job.checks().is_empty() => checked_suites(job.checks(), epd)?,
        [] if !epd.is_empty() => epd.suites(),
        [] if !is_own => SuiteName::FOR_PLAYERS.to_vec(),
        [] if job.tables.is_empty() => SuiteName::ALL.to_vec(),
        suites => suites.to_vec(),
    };
    let counts = |suite: &SuiteName| *suite == SuiteName::Perft && job.engine().is_some() && epd.has(*suite);
    if !is_own && let Some(suite) = suites.iter().find(|suite| !suite.is_for_players() && !counts(suite)) {
        let option = if job.engine().is_some() { "--engine" } else { "--subject" };
        bail!("suite {} cannot be run with {option}", suite.name());
    }
    Ok(suites)
}

/// Checks that there is something to which the options of the job apply.
fn options_apply(job: &Job, suites: &[SuiteName]) -> anyhow::Result<()> {
    if !suites.contains(&SuiteName::Mates) && job.mates.is_given() {
        bail!("--mate-depth, --exact-mates and --no-bound-mates apply to the suite mates: add --suite mates");
    }
    if job.epd.is_empty() && job.checks().iter().any(|id| selection::family(id) == "file") {
        bail!("the checks file/* judge files of positions: name one with --epd FILE");
    }
    if job.limit.is_some() { takes_limit(suites) } else { Ok(()) }
}

fn usual_tables() -> [String; 3] {
    DEFAULT_TABLES.map(str::to_owned)
}

/// These tables and those that they lead to. Checks that the tables of five men are there as files.
fn walked(job: &Job, materials: &[Material]) -> anyhow::Result<Vec<Material>> {
    let tables = builders::with_smaller(materials);
    let five_men: Vec<Material> =
        tables.iter().copied().filter(|material| material.men() > MAX_QUICK_MEN).collect();
    if !five_men.is_empty() && job.builder().is_some() {
        bail!("--builder compares tables of up to {MAX_QUICK_MEN} men");
    }
    stored::check(&job.table_files, &five_men)?;
    if job.edge_cases && tables.is_empty() {
        bail!("--edge-cases counts tables, and this run has none: name them with --tables or --men");
    }
    Ok(tables)
}

/// The tables with these names, if they can be built.
fn buildable(names: &[String]) -> anyhow::Result<Vec<Material>> {
    let named = |name: &String| tables::named(name).map_err(|error| anyhow!("--tables {name}: {error}"));
    names.iter().map(named).collect()
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

/// The most tables with four pieces that are built to judge files, including those that they lead to. Each
/// takes seconds.
const MOST_OF_FOUR: usize = 4;

/// The tables that judge the positions of files.
struct Wanted {
    tables: Vec<Material>,
    /// Tables that would take too long to build.
    skipped: Vec<Material>,
}

impl Wanted {
    /// Those with three pieces, and those with four as far as the effort allows.
    fn new(epd: &Given, effort: Effort) -> Self {
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

/// The placements of a table, for both sides to move.
pub(crate) fn placements(material: Material) -> u64 {
    2 << (6 * material.men())
}

/// The material of a table, as the type of the oracle.
pub(crate) fn men(material: Material) -> anyhow::Result<Men> {
    Ok(material.to_string().parse()?)
}

/// Whether tables judge a suite. The suite of mates puts positions of the tables to programs only.
fn needs_tables(suite: SuiteName, job: &Job) -> bool {
    let asks_positions = suite == SuiteName::Mates && job.engine().is_some() && job.epd.is_empty();
    suite.needs_tables() || asks_positions
}
