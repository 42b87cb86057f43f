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
  touchstone explain process           a family of checks")]
pub(crate) struct ExplainArgs {
    /// The id of a check, such as process/crash, or a family [default: list all checks].
    id: Option<String>,
}

/// Prints the page, or the list.
pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    console::data(text(args.id.as_deref())?.as_bytes())?;
    Ok(Exit::Agree)
}

fn text(id: Option<&str>) -> anyhow::Result<String> {
    let Some(id) = id else { return Ok(list(catalogue::pages())) };
    if let Some(page) = catalogue::pages().find(|page| page.id == id) {
        return Ok(format!("{}: {}\nseverity: {}\n\n{}\n", page.id, page.title, page.severity, page.text));
    }
    let family: Vec<Page> = catalogue::pages().filter(|page| family(page.id) == id).collect();
    if family.is_empty() {
        let ids = catalogue::pages().map(|page| page.id);
        bail!("there is no check {id}{}; `explain` alone lists all", did_you_mean(id, ids));
    }
    Ok(list(family.into_iter()))
}

/// The pages by family, a line each.
fn list(pages: impl Iterator<Item = Page>) -> String {
    let mut families = BTreeMap::<&str, Vec<Page>>::new();
    for page in pages {
        families.entry(family(page.id)).or_default().push(page);
    }
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
