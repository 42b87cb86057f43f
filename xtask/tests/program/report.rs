//! `report` and `verify --html`: the reports of runs as a page.

use std::sync::LazyLock;

use crate::runs::ONE_TABLE;
use crate::sandbox::{Sandbox, half_written};

/// A sandbox with the reports of a specimen in `out`, and the page that `--html` writes.
fn specimen() -> Sandbox {
    static RUN: LazyLock<Sandbox> = LazyLock::new(|| {
        let sandbox = Sandbox::new();
        let ended = sandbox.verify("--builder queen-only --tables KPvK --quick --html page/at-once.html");
        ended.says(1, &["page: page/at-once.html"]);
        sandbox
    });
    RUN.with_folders(&["out", "page"])
}

#[test]
fn a_page_of_a_run() {
    let sandbox = specimen();
    sandbox.run(["report", "out"]).says(0, &["wrote report.html"]);
    let page = sandbox.text("report.html");
    assert_eq!(page, sandbox.text("page/at-once.html"), "--html writes the same page");
    assert!(page.contains("<title>") && page.contains("errors in 1 cause"), "{page}");
    assert!(page.contains("id=\"squares-1\"") && page.contains("id=\"wrong-entries-1\""));
    sandbox.run(["report", "out", "-o", "other.html"]).says(0, &["wrote other.html"]);
    assert_eq!(page, sandbox.text("other.html"), "the same reports, the same page");
    assert!(half_written(&sandbox.path("")).is_empty());
}

#[test]
fn pages_of_several_runs() {
    let sandbox = specimen();
    let table = ONE_TABLE.sandbox.path("out");
    let table = table.to_str().unwrap();
    sandbox.run(["report", "out", "out"]).says(0, &[]);
    assert!(sandbox.text("report.html").contains("Both give the same answers."));
    sandbox.run(["report", table, "out"]).says(0, &[]);
    let page = sandbox.text("report.html");
    assert!(page.contains("id=\"old-and-new\"") && !page.contains("id=\"trend\""));
    assert!(
        page.contains(&format!("beside <strong>{}</strong>", table.replace('/', "&#x2f;"))),
        "two folders named out"
    );
    sandbox.run(["report", "out", table, "out"]).says(0, &[]);
    let page = sandbox.text("report.html");
    assert!(page.contains("id=\"trend\"") && !page.contains("id=\"old-and-new\""));
}

#[test]
fn a_summary_and_a_badge() {
    let sandbox = specimen();
    sandbox.run(["report", "out", "--format", "markdown"]).says(0, &["wrote report.md"]);
    let summary = sandbox.text("report.md");
    assert!(summary.starts_with("**Touchstone: ") && summary.contains("\n| error | "), "{summary}");
    assert_eq!(sandbox.run(["report", "out", "--format", "markdown", "-o", "-"]).stdout, summary);
    let ended = sandbox.verify("--builder queen-only --tables KPvK --quick --format markdown");
    assert_eq!((ended.code, ended.stdout), (1, summary));
    sandbox.run(["report", "out", "--format", "badge"]).says(0, &["wrote badge.svg"]);
    assert!(sandbox.text("badge.svg").contains(" errors</title>"), "{}", sandbox.text("badge.svg"));
    let rows = sandbox.run(["report", "out", "--format", "row", "-o", "-"]).stdout;
    assert!(rows.starts_with("engine,author,verdict,compared,") && rows.contains("\n,,wrong,"), "{rows}");
    let ended = sandbox.verify("--builder queen-only --tables KPvK --quick --format row");
    assert_eq!((ended.code, ended.stdout), (1, rows));
    let two = ["regress --old-report OLD --new-report NEW --format markdown"];
    sandbox.run(["report", "out", "out", "--format", "markdown"]).says(2, &two);
    sandbox.run(["report", "out", "out", "--format", "badge"]).says(2, &["of one run"]);
}

#[test]
fn folders_that_hold_no_reports() {
    let sandbox = specimen();
    sandbox.run(["report"]).says(2, &["<DIR>"]);
    sandbox.run(["report", "nowhere"]).says(2, &["error: nowhere is not a folder"]);
    sandbox.write("empty/note.txt", "");
    let none =
        ["error: empty: not the reports of a run; `", "verify --out DIR` writes them: checks.csv: missing"];
    sandbox.run(["report", "empty"]).says(2, &none);
    sandbox.write("out/protocol.csv", "subject,check\n");
    sandbox.run(["report", "out"]).says(2, &["protocol.csv:1: expected the columns"]);
    std::fs::remove_file(sandbox.path("out/protocol.csv")).unwrap();
    sandbox.write("out/differences.csv", "subject,check\n");
    let columns = "differences.csv:1: expected the columns";
    sandbox.run(["report", "out"]).says(2, &["error: out: ", columns, "got \"subject,check\""]);
    sandbox.write("folder.html/x", "");
    ONE_TABLE
        .sandbox
        .run(["report", "out", "-o", sandbox.path("folder.html").to_str().unwrap()])
        .says(2, &["is not a regular file"]);
    let late = sandbox.verify("--tables KvK --quick --html folder.html");
    late.says(2, &["--html", "folder.html is not a regular file"]);
    assert!(sandbox.path("out/differences.csv").exists(), "it is said before the run");
}
