//! A run as a page: one HTML document that needs no other file, no network, and no program but a browser.
//!
//! Plain data in, bytes out. The templates escape all texts, since the checked programs write some of them.
//! The same reports give the same bytes. The size of the document is bounded: it holds the groups of findings
//! first, then as many findings as fit, and it says what was cut.

mod about;
mod changes;
mod charts;
mod checked;
mod finding;
mod groups;
mod match_page;
mod transcripts;

use minijinja::Environment;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use serde::Serialize;

pub use match_page::match_document;
pub use transcripts::Transcripts;

use crate::verdict::Verdict;
use crate::{Regress, Run, text};
use about::{Facts, Origin};
use changes::FigureOfBoth;
use charts::Figure;
use checked::{SkippedView, SubjectView};
use groups::{GroupsView, Rows};

/// The file's name.
pub const FILE: &str = "report.html";

/// The reports of one run, with a name for them.
#[derive(Debug, Clone, Default)]
pub struct Named {
    /// How the page names the run: a folder, or a revision.
    pub name: String,
    /// The run.
    pub run: Run,
    /// The transcripts that lie beside the reports.
    pub transcripts: Transcripts,
}

const TEMPLATES: [(&str, &str); 6] = [
    ("base.html", include_str!("templates/base.html")),
    ("page.html", include_str!("templates/page.html")),
    ("match.html", include_str!("templates/match.html")),
    ("groups.html", include_str!("templates/groups.html")),
    ("figures.html", include_str!("templates/figures.html")),
    ("tables.html", include_str!("templates/tables.html")),
];
/// The most subjects with a line.
const MOST_SUBJECTS: usize = 40;
const STYLE: &str = include_str!("templates/style.css");
const THEME: &str = include_str!("templates/theme.js");
const SCRIPT: &str = include_str!("templates/script.js");
const PIECES: &str = include_str!("templates/pieces.svg");

/// The page of the last of these runs. With two runs, it shows the other one beside the last, and `changes`
/// between them with their headline. With more runs, it shows the trend.
///
/// # Panics
/// If there is no run. The templates are part of the program: a test renders all of them.
pub fn document(runs: &[Named], changes: Option<&Regress>) -> Vec<u8> {
    let last = runs.last().expect("a page shows a run");
    let found = groups::of_run(&last.run);
    let mut rows = Rows::default();
    // The last run's transcripts belong to its findings.
    let change = changes.map(Regress::headline);
    let changed = changes.map(|changes| groups::of_changes(&changes.rows, changes.fails_from));
    let changed =
        changed.map(|groups| GroupsView::new("changes", &groups, &mut rows, &Transcripts::default()));
    let findings = GroupsView::new("findings", &found, &mut rows, &last.transcripts);
    let old = runs.first().filter(|_| runs.len() == 2);
    let page = Page {
        title: about::title(&last.run),
        name: finding::short(&last.name),
        names: runs.iter().map(|named| finding::short(&named.name)).collect(),
        verdict: Verdict::new(&last.run),
        subject_lines: text::summary(&last.run).lines().take(MOST_SUBJECTS).map(finding::short).collect(),
        change,
        summary: old.map(|old| changes::summary(old, last)),
        changed,
        findings,
        unlisted: last.run.differed().saturating_sub(last.run.differences.len() as u64),
        subjects: checked::checked(&last.run),
        skipped: checked::skipped(&last.run),
        without_features: checked::is_without_features(&last.run),
        trend: charts::trend(runs),
        figures: charts::figures(runs),
        facts: about::facts(last.run.engine.as_ref()),
        origin: about::origin(last.run.engine.as_ref()),
        rows: rows.document(),
        style: STYLE,
        theme: THEME,
        script: SCRIPT,
        pieces: PIECES,
    };
    rendered("page.html", &page)
}

/// A page by its template.
fn rendered(template: &str, page: &impl Serialize) -> Vec<u8> {
    let environment = environment();
    let page = environment.get_template(template).and_then(|template| template.render(Serde(page)));
    let mut bytes = page.expect("the templates fit the page").into_bytes();
    bytes.push(b'\n');
    bytes
}

/// What the templates show.
#[derive(Serialize)]
struct Page {
    title: String,
    name: String,
    /// The names of all runs.
    names: Vec<String>,
    verdict: Verdict,
    /// A line for each subject.
    subject_lines: Vec<String>,
    /// What changed, in one line.
    change: Option<String>,
    /// The figures of two runs.
    summary: Option<Vec<FigureOfBoth>>,
    changed: Option<GroupsView>,
    findings: GroupsView,
    /// How many differences are counted and not in the list.
    unlisted: u64,
    subjects: Vec<SubjectView>,
    skipped: Vec<SkippedView>,
    without_features: bool,
    trend: Vec<Figure>,
    figures: Vec<Figure>,
    facts: Facts,
    /// When and how the engine was asked.
    origin: Origin,
    /// The findings that the script shows.
    rows: String,
    style: &'static str,
    theme: &'static str,
    script: &'static str,
    pieces: &'static str,
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.expect("the usual marks"));
    for (name, source) in TEMPLATES {
        environment.add_template(name, source).expect("the templates are well-formed");
    }
    environment
}
