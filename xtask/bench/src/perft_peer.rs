//! `bench perft --peer`: our count beside another program's, one after the other, by processor time.
//!
//! Each count is a process of its own, of ours too, whose start is in its time. Each has to print the published
//! number.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};

use crate::spread::Spread;

/// A program and its arguments, in which `{fen}` and `{depth}` stand for what is counted.
#[derive(Debug, Clone)]
pub(crate) struct Template(Vec<String>);

impl std::str::FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = shlex::split(text).filter(|words| !words.is_empty());
        let words = words.ok_or("expected a program and its arguments, with quotation marks in pairs")?;
        for place in ["{fen}", "{depth}"] {
            if !words.iter().any(|word| word.contains(place)) {
                return Err(format!(
                    "expected {place} in the arguments, such as './mperft -b -f {{fen}} -d {{depth}}'"
                ));
            }
        }
        Ok(Self(words))
    }
}

impl Template {
    /// Our program.
    fn ours(hash: u32) -> anyhow::Result<Self> {
        let program = std::env::current_exe().context("cannot tell where this program is")?;
        let (program, hash) = (program.to_string_lossy(), hash.to_string());
        let words = [&program, "perft", "--count", "{fen}", "--depth", "{depth}", "--hash", &hash];
        Ok(Self(words.map(str::to_owned).to_vec()))
    }

    /// The processor time of one count in seconds.
    fn seconds(&self, case: &Case) -> anyhow::Result<f64> {
        let words = self
            .0
            .iter()
            .map(|word| word.replace("{fen}", case.fen).replace("{depth}", &case.depth.to_string()));
        let words: Vec<String> = words.collect();
        let before = children_seconds()?;
        let output = Command::new(&words[0]).args(&words[1..]).stdin(Stdio::null()).output();
        let output = output.with_context(|| {
            let hint =
                if words[0].contains('/') { "" } else { ": a program of this folder is written ./NAME" };
            format!("cannot start {}{hint}", words[0])
        })?;
        let seconds = children_seconds()? - before;
        let said = String::from_utf8_lossy(&output.stdout);
        let complains = String::from_utf8_lossy(&output.stderr);
        let complaint = last_line(&complains);
        ensure!(output.status.success(), "{} ended with {}: {complaint}", words.join(" "), output.status);
        if !numbers(&said).any(|number| number == case.nodes) {
            let last = last_line(&said);
            bail!("{}: expected {} nodes, and it printed: {last}", words.join(" "), case.nodes);
        }
        Ok(seconds)
    }
}

/// The last line with words.
pub(crate) fn last_line(text: &str) -> &str {
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("nothing")
}

/// The numbers of a text, in which commas, points, apostrophes and underscores may separate the thousands.
fn numbers(text: &str) -> impl Iterator<Item = u64> {
    let separates = |mark: char| matches!(mark, ',' | '.' | '\'' | '_');
    text.split(move |mark: char| !mark.is_ascii_digit() && !separates(mark))
        .filter_map(move |word| word.replace(separates, "").parse().ok())
}

/// The processor time of all processes that this one has waited for.
#[cfg(unix)]
fn children_seconds() -> anyhow::Result<f64> {
    use nix::sys::resource::{UsageWho, getrusage};

    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("cannot read the processor time")?;
    let seconds = [usage.user_time(), usage.system_time()]
        .map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6);
    Ok(seconds.iter().sum())
}

#[cfg(not(unix))]
fn children_seconds() -> anyhow::Result<f64> {
    bail!("the processor time of another program can be measured on Unix alone")
}

/// What is counted: a position, a depth in plies, and the published number of nodes.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) fen: &'static str,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

impl Case {
    /// The same position to another depth.
    pub(crate) const fn to(&self, depth: u32, nodes: u64) -> Self {
        case(self.name, self.fen, depth, nodes)
    }
}

const fn case(name: &'static str, fen: &'static str, depth: u32, nodes: u64) -> Case {
    Case { name, fen, depth, nodes }
}

/// The positions of the Chess Programming Wiki, with the published numbers of nodes; then three of our suite: castling, and with numbers of
/// nodes that three programs agree on, pins and queens.
pub(crate) const CASES: [Case; 9] = [
    case("startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 7, 3_195_901_860),
    case(
        "Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        6,
        8_031_647_685,
    ),
    case("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 8, 3_009_794_393),
    case("position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6, 706_045_033),
    case("position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    case(
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        6,
        6_923_051_137,
    ),
    case("castling", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 6, 179_862_938),
    case("pins", "3r3k/b5b1/1B1N1P2/8/rQ1K1P1r/8/1P1R1N2/b2r2b1 w - - 0 1", 6, 561_050_085),
    case("many queens", "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1", 4, 34_807_627),
];

/// How this program was built.
pub(crate) fn built() -> &'static str {
    if cfg!(target_feature = "bmi2") { "for this processor, with pext" } else { "as users build it" }
}

/// Counts each position with both programs in turns, and prints a line for each.
///
/// # Errors
/// If a program cannot be started, fails or counts wrong.
pub(crate) fn measure(peer: &Template, hash: u32, rounds: u32) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let ours = Template::ours(hash)?;
    writeln!(
        out,
        "Perft, one thread, bulk counting, {}, built {}, beside {}; {rounds} rounds.",
        if hash == 0 { "no hash".to_owned() } else { format!("ours with a hash table of {hash} MiB") },
        built(),
        peer.0[0]
    )?;
    writeln!(
        out,
        "Seconds of processor time, medians, and how many times as fast ours is: median (least - most).\n"
    )?;
    writeln!(out, "{:<12}{:>6}{:>12}{:>12}{:>28}", "", "depth", "ours", "peer", "to the peer")?;
    for case in &CASES {
        let seconds = (0..rounds).map(|_| Ok((ours.seconds(case)?, peer.seconds(case)?)));
        let seconds = seconds.collect::<anyhow::Result<Vec<(f64, f64)>>>()?;
        let median = |of: fn(&(f64, f64)) -> f64| Spread::of(seconds.iter().map(of)).median;
        let ratio = Spread::of(seconds.iter().map(|(ours, peer)| peer / ours));
        writeln!(
            out,
            "{:<12}{:>6}{:>12.2}{:>12.2}{:>28}",
            case.name,
            case.depth,
            median(|times| times.0),
            median(|times| times.1),
            ratio.to_string()
        )?;
    }
    Ok(writeln!(out)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_names_both_places() {
        assert!("./peer -d {depth} -f '{fen}'".parse::<Template>().is_ok());
        for (wrong, says) in [
            ("", "a program"),
            ("./peer '", "in pairs"),
            ("./peer {fen}", "{depth}"),
            ("./peer {depth}", "{fen}"),
        ] {
            let refused = wrong.parse::<Template>().unwrap_err();
            assert!(refused.contains(says), "{wrong}: {refused}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_count_has_the_published_number() {
        let case = case("startpos", CASES[0].fen, 3, 8_902);
        // The shell ignores its arguments.
        let peer = |says: &str| format!("sh -c 'echo {says}' {{fen}} {{depth}}").parse::<Template>();
        for says in ["8902", "nodes: 8,902 in 1 ms", "8.902 nodes"] {
            peer(says).unwrap().seconds(&case).unwrap();
        }
        for says in ["8903", "89020", "-"] {
            let error = peer(says).unwrap().seconds(&case).unwrap_err().to_string();
            assert!(error.contains("expected 8902 nodes") && error.ends_with(says), "{error}");
        }
        let works = "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; echo 8902' {fen} {depth}";
        assert!(works.parse::<Template>().unwrap().seconds(&case).unwrap() > 0.001);
        let failed: Template = "sh -c 'echo 8902; exit 3' {fen} {depth}".parse().unwrap();
        assert!(failed.seconds(&case).unwrap_err().to_string().contains("exit status: 3"));
    }
}
