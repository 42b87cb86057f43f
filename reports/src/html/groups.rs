//! The findings of a page by cause, the gravest first, and how much of them the page holds.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::Serialize;
use suites::catalogue::{self, Severity};

use super::changes::word;
use super::finding::{Finding, FindingView, short};
use super::transcripts::{Excerpt, Transcripts, excerpt};
use crate::causes::{by_gravity, cause_or_check};
use crate::layout::grouped;
use crate::match_data::{KindOfFinding, MatchFindings};
use crate::{CompareRow, CompareVerdict, Run, finding};

/// The most groups that are shown.
const MOST_GROUPS: usize = 300;
/// The most bytes of JSON for the findings after the first ones of each group.
const MOST_BYTES: usize = 6 << 20;
/// How many findings of each group come before the rest of any group.
const FIRST: usize = 200;
/// The most checks that a group names.
const MOST_CHECKS: usize = 6;

/// Findings with one cause, or, if no cause is known, with one check.
#[derive(Debug)]
pub(super) struct Group<'a> {
    /// The severity, or what a change means.
    tag: String,
    /// Empty if it goes without saying.
    subject: &'a str,
    /// What went wrong.
    title: &'a str,
    /// The word for an answer: the answer of a table is `stored`.
    answer: &'static str,
    findings: Vec<Finding<'a>>,
    /// How many others there are.
    others: usize,
}

impl Group<'_> {
    fn count(&self) -> usize {
        self.findings.len() + self.others
    }
}

/// The findings of a match by engine and cause.
pub(super) fn of_match<'a>(findings: &'a MatchFindings) -> Vec<Group<'a>> {
    let group = |kind: &'a KindOfFinding| -> Option<Group<'a>> {
        let first = kind.worst.first()?;
        Some(Group {
            tag: catalogue::severity(&first.check).to_string(),
            subject: &first.subject,
            title: finding::title_of(first),
            answer: "got",
            findings: kind.worst.iter().map(Finding::from).collect(),
            others: usize::try_from(kind.others).unwrap_or(usize::MAX),
        })
    };
    findings.by_gravity().into_iter().filter_map(group).collect()
}

/// The differences of a run by subject and cause.
pub(super) fn of_run(run: &Run) -> Vec<Group<'_>> {
    let sorted = by_gravity(&run.differences);
    let mut groups = Vec::<Group>::new();
    let mut known = BTreeMap::<(&str, &str), usize>::new();
    for found in sorted {
        let cause = cause_or_check(found);
        match known.entry((&found.subject, cause)) {
            Entry::Occupied(place) => groups[*place.get()].findings.push(found.into()),
            Entry::Vacant(place) => {
                place.insert(groups.len());
                let tag = catalogue::severity(&found.check).to_string();
                let answer = run.answer_word(&found.check, &found.subject);
                let findings = vec![found.into()];
                let title = finding::title_of(found);
                groups.push(Group { tag, subject: &found.subject, title, answer, findings, others: 0 });
            }
        }
    }
    // A run of one subject does not repeat its name.
    if groups.iter().all(|group| group.subject == groups[0].subject) {
        for group in &mut groups {
            group.subject = "";
        }
    }
    groups
}

/// The changes between two runs by what they mean and by cause, the worst first, then the largest.
pub(super) fn of_changes(rows: &[CompareRow], fails_from: Severity) -> Vec<Group<'_>> {
    let mut groups = BTreeMap::<((bool, CompareVerdict), &str, &str), Vec<Finding>>::new();
    for row in rows {
        let of_note = row.of_note(fails_from);
        let rank = (of_note.is_some(), row.verdict);
        let cause = if row.cause.is_empty() { &row.check } else { &row.cause };
        let title = if row.severity.is_some() { finding::title(&row.check, cause) } else { cause };
        groups
            .entry((rank, of_note.unwrap_or_else(|| word(row.verdict)), title))
            .or_default()
            .push(row.into());
    }
    let group = |((rank, tag, title), findings): ((_, &str, _), Vec<_>)| {
        let tag = tag.to_owned();
        (rank, Group { tag, subject: "", answer: "new", title, findings, others: 0 })
    };
    let mut groups: Vec<((bool, CompareVerdict), Group)> = groups.into_iter().map(group).collect();
    groups.sort_by_key(|(rank, group)| (*rank, std::cmp::Reverse(group.findings.len())));
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Groups as the template shows them.
#[derive(Debug, Serialize)]
pub(super) struct GroupsView {
    id: &'static str,
    groups: Vec<GroupView>,
    /// The tags with their numbers of groups, in their order.
    tags: Vec<(String, String)>,
    findings: String,
    /// Groups that are not shown, and findings that the page does not hold; empty if there is none.
    cut: String,
}

/// One group.
#[derive(Debug, Serialize)]
struct GroupView {
    id: String,
    tag: String,
    class: String,
    title: String,
    subject: String,
    /// How many findings each check has.
    checks: String,
    is_one_check: bool,
    /// What a right answer is, by the page of the check.
    right: String,
    /// The paragraphs of that page.
    page: Vec<String>,
    count: String,
    answer: &'static str,
    first: FindingView,
    /// How many findings the page does not hold.
    cut: String,
    transcript: Option<Excerpt>,
}

/// The findings after the first of each group, for the script: each text once, and for each finding the
/// numbers of its texts.
#[derive(Debug, Default, Serialize)]
pub(super) struct Rows {
    fields: Vec<&'static str>,
    texts: Vec<String>,
    groups: BTreeMap<String, Vec<Vec<usize>>>,
    #[serde(skip)]
    known: BTreeMap<String, usize>,
    #[serde(skip)]
    bytes: usize,
}

impl Rows {
    /// Adds a finding, unless the page would become too large.
    fn add(&mut self, group: &str, finding: &Finding) -> bool {
        if self.bytes > MOST_BYTES {
            return false;
        }
        let fields = finding.fields();
        self.fields = fields.iter().map(|(name, _)| *name).collect();
        let fields = fields.map(|(_, text)| self.number(text));
        self.bytes += fields.len() * 6;
        self.groups.entry(group.to_owned()).or_default().push(fields.to_vec());
        true
    }

    fn number(&mut self, text: String) -> usize {
        if let Some(number) = self.known.get(&text) {
            return *number;
        }
        let escapes =
            text.chars().filter(|letter| letter.is_control() || "<>&\"\\".contains(*letter)).count();
        self.bytes += text.len() + 5 * escapes + 3;
        self.texts.push(text.clone());
        self.known.insert(text, self.texts.len() - 1);
        self.texts.len() - 1
    }

    /// The JSON document. Nothing in it looks like a tag.
    ///
    /// # Panics
    /// Never: it is text and numbers.
    pub(super) fn document(&self) -> String {
        let json = serde_json::to_string(self).expect("a document is text and numbers");
        json.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
    }
}

impl GroupsView {
    /// The groups under an id, with all findings but the first of each in `rows`.
    pub(super) fn new(
        id: &'static str,
        groups: &[Group],
        rows: &mut Rows,
        transcripts: &Transcripts,
    ) -> Self {
        let mut tags = Vec::<(String, usize)>::new();
        for group in groups {
            match tags.iter_mut().find(|(tag, _)| *tag == group.tag) {
                Some((_, count)) => *count += 1,
                None => tags.push((group.tag.clone(), 1)),
            }
        }
        let shown = &groups[..groups.len().min(MOST_GROUPS)];
        let name = |number: usize| format!("{id}-{}", number + 1);
        // The first findings of all groups come before the rest of any.
        let mut held = vec![1; shown.len()];
        for part in [1..FIRST, FIRST..usize::MAX] {
            for (number, (group, held)) in shown.iter().zip(&mut held).enumerate() {
                let findings = group.findings.iter().take(part.end).skip(part.start);
                *held += findings.take_while(|finding| rows.add(&name(number), finding)).count();
            }
        }
        let view =
            |(number, group): (usize, &Group)| GroupView::new(name(number), group, held[number], transcripts);
        let views: Vec<GroupView> = shown.iter().enumerate().map(view).collect();
        let held: usize = held.iter().sum();
        let all: usize = groups.iter().map(Group::count).sum();
        let count = |count: usize| grouped(count as u64);
        let groups_cut = groups.len() - shown.len();
        let cut = match (groups_cut, all - held) {
            (_, 0) => String::new(),
            (0, rest) => format!("{} of {} findings are not on this page", count(rest), count(all)),
            (groups, rest) => {
                format!(
                    "{} groups, and {} of {} findings, are not on this page",
                    count(groups),
                    count(rest),
                    count(all)
                )
            }
        };
        let tags = tags.into_iter().map(|(tag, number)| (tag, count(number))).collect();
        Self { id, groups: views, tags, findings: count(all), cut }
    }
}

impl GroupView {
    /// The view of a group. The page holds `held` of its findings.
    fn new(id: String, group: &Group, held: usize, transcripts: &Transcripts) -> Self {
        let first = group.findings.first().expect("a group has a finding");
        let rest = group.count() - held;
        let mut checks = BTreeMap::<&str, u64>::new();
        for finding in &group.findings {
            *checks.entry(finding.check).or_default() += 1;
        }
        let named = checks.iter().map(|(check, count)| match checks.len() {
            1 => short(check),
            _ => format!("{} in {}", grouped(*count), short(check)),
        });
        let mut named: Vec<String> = named.take(MOST_CHECKS).collect();
        named.extend(
            (checks.len() > MOST_CHECKS).then(|| format!("{} more checks", checks.len() - MOST_CHECKS)),
        );
        let page = catalogue::find(first.check);
        Self {
            tag: group.tag.clone(),
            class: group.tag.replace(' ', "-"),
            title: short(group.title),
            subject: short(group.subject),
            checks: named.join(", "),
            is_one_check: checks.len() == 1,
            right: page.map(|page| page.title.to_owned()).unwrap_or_default(),
            page: page.map(|page| paragraphs(page.text)).unwrap_or_default(),
            count: grouped(group.count() as u64),
            answer: group.answer,
            first: first.into(),
            cut: if rest == 0 { String::new() } else { grouped(rest as u64) },
            transcript: excerpt(transcripts, checks.keys().copied()),
            id,
        }
    }
}

/// The paragraphs of a page, each on one line.
fn paragraphs(text: &str) -> Vec<String> {
    text.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}
