//! The sources together: a server on this machine, an archive made here, directories and caches that lie.

mod five_men;
#[cfg(unix)]
mod pip;
mod writers;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use suites::syzygy::{Checksum, Pin, Sha256};

use super::*;

const ONE: &str = "KPvK.rtbw";
const TWO: &str = "KQvK.rtbw";

fn content(name: &str) -> Vec<u8> {
    format!("the bytes of {name}").into_bytes()
}

fn sum(bytes: &[u8]) -> Sha256 {
    use sha2::Digest;
    Sha256(sha2::Sha256::digest(bytes).into())
}

fn pins() -> Vec<Pin> {
    [ONE, TWO].map(|file| Pin { file: file.into(), men: 3, sums: [sum(&content(file)); 2] }).into()
}

/// A place of its own for each test, and sources that have nothing: no directory, no writer, no pip, no mirror.
struct Bench {
    folder: tempfile::TempDir,
    sources: Sources,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let package = Package {
            python: folder.path().join("python3"),
            sha256: Sha256([0; 32]),
            timeout: Duration::from_secs(20),
        };
        let cache = Cache::new(&folder.path().join("cache"));
        Self {
            sources: Sources {
                published: Arc::new(Published { pins: pins(), five_men: Vec::new() }),
                directories: Vec::new(),
                cache,
                quick_writer: None,
                package,
                mirrors: Vec::new(),
                slow_writer: None,
            },
            folder,
        }
    }

    /// Only the sums of these files are published.
    fn published(&mut self, pins: Vec<Pin>) {
        self.sources.published = Arc::new(Published { pins, five_men: Vec::new() });
    }

    fn directory(&mut self, name: &str, files: &[(&str, &[u8])]) -> PathBuf {
        let directory = self.folder.path().join(name);
        std::fs::create_dir(&directory).unwrap();
        for (name, bytes) in files {
            std::fs::write(directory.join(name), bytes).unwrap();
        }
        self.sources.directories.push(directory.clone());
        directory
    }

    fn mirror(&mut self, server: &Server) {
        self.sources.mirrors.push(Mirror::new(&server.address).unwrap());
    }

    /// A program in place of python that puts `archive` where pip would.
    #[cfg(unix)]
    fn pip(&mut self, archive: &[u8]) {
        let kept = self.folder.path().join("archive");
        std::fs::write(&kept, archive).unwrap();
        self.sources.package.sha256 = sum(archive);
        let body = format!(
            "while [ \"$1\" != --dest ]; do shift; done\ncp '{}' \"$2/chess-1.11.2.tar.gz\"",
            kept.display()
        );
        self.program(&body);
    }

    #[cfg(unix)]
    fn program(&self, body: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = &self.sources.package.python;
        std::fs::write(path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn locate(&self) -> Located {
        self.sources.locate(&Probed::up_to(3), &|_| {})
    }
}

/// A server on this machine that answers each request as the function says, and counts them.
struct Server {
    address: String,
    requests: Arc<AtomicUsize>,
}

impl Server {
    fn new(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/tables/", listener.local_addr().unwrap());
        let requests = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                count.fetch_add(1, Ordering::SeqCst);
                let mut request = [0; 4096];
                let length = stream.read(&mut request).unwrap_or(0);
                let text = String::from_utf8_lossy(&request[..length]).into_owned();
                let path = text.split(' ').nth(1).unwrap_or_default();
                let _ = stream.write_all(&answer(path.strip_prefix("/tables/").unwrap_or_default()));
            }
        });
        Self { address, requests }
    }

    /// Serves the right bytes of each file.
    fn honest() -> Self {
        Self::new(|name| answer("200 OK", &content(name)))
    }
}

fn answer(status: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

#[track_caller]
fn assert_warned(located: &Located, parts: &[&str]) {
    let causes = located.causes();
    assert!(
        causes.iter().any(|cause| parts.iter().all(|part| cause.contains(part))),
        "{parts:?} in none of {causes:#?}"
    );
}

#[test]
fn without_any_source_the_shortfall_says_what_is_missing_and_how_to_get_it() {
    let shortfall = Bench::new().locate().shortfall().unwrap();
    let text = shortfall.to_string();
    for part in [
        "Syzygy table files not at hand: 2",
        "KPvK.rtbw: missing",
        "did not start",
        "tables fetch ",
        "--mirror URL",
        "--syzygy DIR",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

#[test]
fn a_directory_of_the_users_comes_first_and_stays_as_it_is() {
    let mut bench = Bench::new();
    let server = Server::honest();
    bench.mirror(&server);
    let directory = bench.directory("mine", &[(ONE, &content(ONE)), (TWO, b"bad")]);
    let located = bench.sources.locate(&Probed::up_to(5), &|_| {});
    assert_eq!(located.shortfall(), None);
    assert_eq!(server.requests.load(Ordering::SeqCst), 1, "only the bad file is fetched");
    assert_warned(&located, &["mine", TWO, "corrupt: expected SHA-256", &sum(b"bad").to_string()]);
    assert_eq!(std::fs::read(directory.join(TWO)).unwrap(), b"bad");
    assert!(!bench.sources.cache.path(ONE).exists(), "what a directory has is not copied");
}

#[test]
fn what_was_fetched_is_in_the_cache_the_next_time() {
    let mut bench = Bench::new();
    let server = Server::honest();
    bench.mirror(&server);
    assert_eq!(bench.locate().shortfall(), None);
    assert_eq!(bench.locate().shortfall(), None);
    assert_eq!(server.requests.load(Ordering::SeqCst), 2);
}

#[test]
fn a_bad_file_in_the_cache_is_named_and_fetched_again() {
    let mut bench = Bench::new();
    bench.mirror(&Server::honest());
    bench.sources.cache.write(ONE, b"damaged").unwrap();
    bench.sources.cache.write(TWO, &content(TWO)).unwrap();
    let located = bench.locate();
    assert_eq!(located.shortfall(), None);
    assert_warned(&located, &["cache", ONE, "corrupt", &sum(b"damaged").to_string()]);
    assert_eq!(std::fs::read(bench.sources.cache.path(ONE)).unwrap(), content(ONE));
}

#[test]
fn a_mirror_that_lies_fills_no_cache() {
    let mut bench = Bench::new();
    bench.mirror(&Server::new(|_| answer("200 OK", b"something else")));
    let located = bench.locate();
    assert_eq!(located.shortfall().unwrap().missing.len(), 2);
    assert_warned(&located, &["127.0.0.1", ONE, "corrupt", &sum(b"something else").to_string()]);
    assert!(!bench.sources.cache.path(ONE).exists());
}

#[test]
fn one_mirror_may_have_what_another_lacks() {
    let mut bench = Bench::new();
    let only = |wanted: &'static str| {
        Server::new(move |name| {
            if name == wanted { answer("200 OK", &content(name)) } else { answer("404 Not Found", b"") }
        })
    };
    bench.mirror(&only(ONE));
    assert_eq!(bench.locate().shortfall().unwrap().missing.len(), 1);
    bench.mirror(&only(TWO));
    let located = bench.locate();
    assert_eq!(located.shortfall(), None);
    assert_warned(&located, &["status 404", "(1 of 1 files failed)"]);
    assert_eq!(located.warnings, [""; 0], "nothing is wrong");
}

#[test]
fn answers_that_cannot_be_used_are_errors() {
    for (body, part) in [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nshort".to_vec(), ""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort".to_vec(), ""),
        (b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n".to_vec(), "status 302"),
        (b"no answer of HTTP".to_vec(), ""),
        (Vec::new(), ""),
        (answer("500 Internal Server Error", b""), "status 500"),
    ] {
        let mut bench = Bench::new();
        let shown = String::from_utf8_lossy(&body).into_owned();
        bench.mirror(&Server::new(move |_| body.clone()));
        let located = bench.locate();
        assert!(located.shortfall().is_some(), "{shown}");
        assert_warned(&located, &["files failed)", part]);
    }
}

#[test]
fn a_mirror_that_does_not_answer_is_given_up_after_one_file() {
    let mut bench = Bench::new();
    let server = Server::new(|_| {
        std::thread::sleep(Duration::from_secs(20));
        Vec::new()
    });
    bench.sources.mirrors.push(Mirror::with_timeout(&server.address, Duration::from_millis(100)).unwrap());
    let started = std::time::Instant::now();
    let located = bench.locate();
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert_warned(&located, &["timeout", "(1 of 2 files failed)"]);
}

#[test]
fn fetch_fills_the_cache_from_a_directory_too() {
    let mut bench = Bench::new();
    bench.directory("mine", &[(ONE, &content(ONE)), (TWO, &content(TWO))]);
    bench.sources.fetch(&Probed::up_to(3), &|_| {}).unwrap();
    assert_eq!(std::fs::read(bench.sources.cache.path(TWO)).unwrap(), content(TWO));
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_one_that_is_not_there_is_not() {
    let mut bench = Bench::new();
    let directory = bench.directory("mine", &[]);
    std::fs::create_dir(directory.join(ONE)).unwrap();
    for located in
        [bench.locate().warnings, bench.sources.fetch(&Probed::up_to(3), &|_| {}).unwrap_err().causes]
    {
        let about = |name| located.iter().filter(|warning| warning.contains(name)).count();
        assert_eq!((about(ONE), about(TWO)), (1, 0), "{located:#?}");
    }
}

#[test]
fn fetch_fails_if_the_cache_cannot_be_written() {
    let mut bench = Bench::new();
    bench.mirror(&Server::honest());
    std::fs::write(bench.folder.path().join("cache"), b"a file in the place of the folder").unwrap();
    assert_eq!(bench.locate().shortfall(), None, "the bytes serve without a cache");
    let shortfall = bench.sources.fetch(&Probed::up_to(3), &|_| {}).unwrap_err();
    assert!(shortfall.to_string().contains("not written"), "{shortfall}");
}
