//! Scratch.
#![allow(
    clippy::all,
    missing_docs,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr
)]
use reports::html::{Named, document};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (out, dirs) = args.split_first().unwrap();
    let runs: Vec<Named> = dirs
        .iter()
        .map(|dir| {
            let read = |dir: &std::path::Path| {
                std::fs::read_dir(dir)
                    .into_iter()
                    .flatten()
                    .flatten()
                    .filter(|e| e.path().is_file())
                    .map(|e| (e.file_name().into_string().unwrap(), std::fs::read(e.path()).unwrap()))
                    .collect::<reports::Files>()
            };
            let mut files = read(dir.as_ref());
            // Older reports.
            let d = String::from_utf8(files["differences.csv"].clone()).unwrap();
            if !d.starts_with("subject,check,severity,case,fen,stored,expected,source,explanation,cause") {
                panic!("old");
            }
            files.remove("x");
            let transcripts = read(&std::path::Path::new(dir).join("transcripts"))
                .into_iter()
                .map(|(n, b)| (n, String::from_utf8_lossy(&b).into_owned()))
                .collect();
            let t = std::time::Instant::now();
            let run = reports::Run::from_files(&files).unwrap_or_else(|e| panic!("{dir}: {e}"));
            eprintln!("read {:?}", t.elapsed());
            Named {
                name: std::path::Path::new(dir).file_name().unwrap().to_string_lossy().into_owned(),
                run,
                transcripts,
            }
        })
        .collect();
    let changes = (runs.len() == 2).then(|| reports::changes(&runs[0].run, &runs[1].run));
    let t = std::time::Instant::now();
    let page = document(&runs, changes.as_deref());
    eprintln!("page {:?} {} bytes", t.elapsed(), page.len());
    std::fs::write(out, page).unwrap();
}
