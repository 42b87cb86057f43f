//! `explain`: what a check tests, what is correct, and how severe a finding is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::bail;
use suites::catalogue::{self, Page};

use crate::console;
use crate::outcome::Exit;
use crate::suggest::did_you_mean;
use crate::verify::family;

/// Explain what a check tests, what is correct, and how severe a finding is.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone explain                   the list of all checks
  touchstone explain process/crash     one check
  touchstone explain process           a family of checks
  touchstone explain --markdown        all pages as one Markdown document")]
pub(crate) struct ExplainArgs {
    /// The id of a check, such as process/crash, or a family [default: list all checks].
    id: Option<String>,
    /// Print all pages as one Markdown document, the reference of checks in docs/.
    #[arg(long, conflicts_with = "id")]
    markdown: bool,
}

/// Prints the page, or the list.
pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    let text = if args.markdown { document() } else { text(args.id.as_deref())? };
    console::data(text.as_bytes())?;
    Ok(Exit::Agree)
}

fn text(id: Option<&str>) -> anyhow::Result<String> {
    let Some(id) = id else { return Ok(list(catalogue::pages())) };
    if let Some(page) = catalogue::pages().find(|page| page.id == id) {
        let Page { id, title, severity, wrong, text } = page;
        return Ok(format!("{id}: {title}\nseverity: {severity}\na finding: {wrong}\n\n{text}\n"));
    }
    let family: Vec<Page> = catalogue::pages().filter(|page| family(page.id) == id).collect();
    if family.is_empty() {
        let ids = catalogue::pages().map(|page| page.id);
        bail!("there is no check {id}{}; `explain` alone lists all", did_you_mean(id, ids));
    }
    Ok(list(family.into_iter()))
}

const DOCUMENT: &str = "\
# Checks

This page is written by `cargo xtask explain --markdown > docs/src/reference/checks.md`; do not edit it by hand. The pages
come from `suites/data/checks`. `touchstone explain ID` prints one of them.

A finding has the severity of its check: `error`, `warning` or `note`. With the default `--fail-on error`, only errors make
the exit code 1.
";

/// All pages as one Markdown document: a section for each family, a subsection for each check.
fn document() -> String {
    let mut text = DOCUMENT.to_owned();
    for (family, pages) in by_family(catalogue::pages()) {
        let _ = write!(text, "\n## {family}\n\n| check | severity | title |\n|---|---|---|\n");
        for Page { id, title, severity, .. } in &pages {
            let _ = writeln!(text, "| [`{id}`](#{}) | {severity} | {title} |", anchor(id));
        }
        for Page { id, title, severity, wrong, text: page } in &pages {
            let _ = write!(
                text,
                "\n<a id=\"{}\"></a>\n\n### {id}: {title}\n\nSeverity: {severity}. A finding: {wrong}.\n\n{page}\n",
                anchor(id)
            );
        }
    }
    text
}

/// The anchor of a check in the document. It depends on the id alone, so that links outlive a change of the
/// title.
fn anchor(id: &str) -> String {
    format!("check-{}", id.replace('/', "-"))
}

/// The pages by family, a line each.
fn list(pages: impl Iterator<Item = Page>) -> String {
    let families = by_family(pages);
    let width = families.values().flatten().map(|page| page.id.len()).max().unwrap_or_default();
    let mut text = String::new();
    for pages in families.values() {
        if !text.is_empty() {
            text.push('\n');
        }
        for Page { id, title, severity, .. } in pages {
            let _ = writeln!(text, "{id:<width$}   {severity:<7}   {title}");
        }
    }
    text
}

fn by_family(pages: impl Iterator<Item = Page>) -> BTreeMap<&'static str, Vec<Page>> {
    let mut families = BTreeMap::<_, Vec<Page>>::new();
    for page in pages {
        families.entry(family(page.id)).or_default().push(page);
    }
    families
}
