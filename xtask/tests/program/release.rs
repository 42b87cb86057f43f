//! The archives of a release: the scripts that make, publish and install them, and the files that name them.
//! A shell script stands in for cargo, and a folder for the service.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use saphyr::{LoadableYamlNode, Yaml};

use crate::sandbox::{Ended, Sandbox};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const INSTALL: &str = include_str!("../../../scripts/release/install.sh");
const WORKFLOW: &str = include_str!("../../../.github/workflows/release.yml");
const DOCKERFILE: &str = include_str!("../../../Dockerfile");
const MANIFEST: &str = include_str!("../../Cargo.toml");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The target of the program for this machine.
fn target() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}

/// Writes a shell script that can be run. A link in its place is replaced, and not followed.
pub(crate) fn program(sandbox: &Sandbox, name: &str, text: &str) {
    let _ = std::fs::remove_file(sandbox.path(name));
    sandbox.write_program(name, format!("#!/bin/sh\n{text}\n"));
}

/// Runs a command of the shell in the sandbox, with the programs of its folder `bin`. Returns what it prints.
fn shell(sandbox: &Sandbox, line: &str) -> Ended {
    let path = format!("{}:{}", sandbox.path("bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(sandbox.path("")).env("PATH", path);
    Ended::of(command.env("TOUCHSTONE_RELEASES", releases(sandbox)).env_remove("CARGO_TARGET_DIR"))
}

/// The address of the releases of [`release`].
pub(crate) fn releases(sandbox: &Sandbox) -> String {
    format!("file://{}", sandbox.path("releases").display())
}

/// Copies the scripts into `tree`, which pins version 9.9.9 in `releases`. The program of that release runs
/// ours.
pub(crate) fn release(sandbox: &Sandbox) {
    let name = format!("touchstone-9.9.9-{}", target());
    program(
        sandbox,
        &format!("made/{name}/touchstone"),
        &format!("exec {} \"$@\"", env!("CARGO_BIN_EXE_touchstone")),
    );
    let line = format!(
        "set -e\nmkdir -p tree releases/v9.9.9\ncp -r {ROOT}/scripts {ROOT}/Cargo.toml tree\n\
         tar -czf releases/v9.9.9/{name}.tar.gz -C made {name}\n\
         cd releases/v9.9.9 && sha256sum *.tar.gz >>../../tree/scripts/release/SHA256SUMS"
    );
    shell(sandbox, &line).says(0, &[]);
}

/// A sandbox with such a release, and what installing it into `to` says.
fn installed(before: &str) -> (Sandbox, Ended) {
    let sandbox = Sandbox::new();
    release(&sandbox);
    let ended = shell(&sandbox, &format!("{before}\ntree/scripts/release/install.sh to"));
    (sandbox, ended)
}

#[test]
fn the_released_program_is_installed_if_it_has_the_sum() {
    let (sandbox, ended) = installed("");
    ended.says(0, &[]);
    assert_eq!(ended.stdout, "touchstone 9.9.9 is in to\n");
    let version = shell(&sandbox, "to/touchstone --version");
    assert_eq!(version.stdout, format!("touchstone {VERSION}\n"));
}

#[test]
fn what_cannot_be_installed_is_refused_with_the_reason() {
    let check = |before: &str, parts: &[&str]| {
        let (sandbox, ended) = installed(before);
        ended.says(2, parts);
        assert!(!sandbox.path("to").exists(), "{before}");
    };
    let target = target();
    check(
        "echo more >>releases/v9.9.9/*.tar.gz",
        &["is not the release", "SHA256SUMS says", "Nothing is installed"],
    );
    check("rm releases/v9.9.9/*", &["cannot fetch file://", "TOUCHSTONE_RELEASES"]);
    check("echo '# none' >tree/scripts/release/SHA256SUMS", &["has no sum for", &target, "build: true"]);
    check(
        "cd tree/scripts/release && sed -i p SHA256SUMS && cd ../../..",
        &["more than one sum for", &target],
    );
    let sparc = "printf '#!/bin/sh\\nif test $1 = -s; then echo SunOS; else echo sun4v; fi\\n' >bin/uname; chmod +x bin/uname";
    check(
        &format!("mkdir bin; {sparc}"),
        &["no release has a program for SunOS sun4v", "cargo install --path xtask --locked"],
    );
    check("set -- tree/scripts/release/install.sh; \"$@\"; exit", &["expected a folder, got 0 arguments"]);
}

#[test]
fn without_another_address_the_repository_of_the_manifest_is_asked() {
    let sandbox = Sandbox::new();
    release(&sandbox);
    program(&sandbox, "bin/curl", "for last; do :; done\necho \"$last\" >asked\nexit 22");
    shell(&sandbox, "unset TOUCHSTONE_RELEASES; tree/scripts/release/install.sh to")
        .says(2, &["cannot fetch https://"]);
    let expected = format!("{}/v9.9.9/touchstone-9.9.9-{}.tar.gz\n", address(), target());
    assert_eq!(sandbox.text("asked"), expected);
}

/// The address of the sources, by the manifest of the workspace.
fn repository() -> String {
    let manifest: toml::Table = toml::from_str(include_str!("../../../Cargo.toml")).unwrap();
    manifest["workspace"]["package"]["repository"].as_str().unwrap().to_owned()
}

/// The address of all releases.
fn address() -> String {
    format!("{}/releases/download", repository())
}

/// What else needs the address reads it there, or names the line.
#[test]
fn the_address_of_the_sources_stands_in_the_manifest_alone() {
    let address = repository();
    let (_, path) = address.split_once("://").unwrap();
    let (_, name) = path.split_once('/').unwrap();
    let mut git = Command::new("git");
    git.args(["grep", "--name-only", "--ignore-case", "--fixed-strings", "-e", name]).current_dir(ROOT);
    let found = Ended::of(&mut git);
    assert_eq!(found.stdout, "Cargo.toml\n", "{name}: {}", found.stderr);
    let lines = include_str!("../../../Cargo.toml").lines().filter(|line| line.contains(name));
    assert_eq!(lines.collect::<Vec<_>>(), [format!("repository = \"{address}\"")]);
}

/// Makes an archive in a copy of the sources; a script that copies our program stands in for cargo.
fn build(sandbox: &Sandbox, folder: &str, target: &str, before: &str) -> Ended {
    let ours = env!("CARGO_BIN_EXE_touchstone");
    let cargo = format!(
        "case \"$1 $2\" in 'cyclonedx --version') echo cargo-cyclonedx-cyclonedx 0.5.9; exit ;; esac\n\
         if [ $1 = cyclonedx ]; then mkdir -p xtask; echo \"\\\"path+file://$PWD/xtask#touchstone-chess@0.1.0\\\"\" >xtask/touchstone-sbom.json; exit; fi\n\
         echo \"$@\" >{0}/asked\necho \"$CARGO_ENCODED_RUSTFLAGS\" >{0}/flags\nmkdir -p target/{target}/release\n\
         printf '#!/bin/sh\\nexec {ours} \"$@\"\\n' >target/{target}/release/touchstone\nchmod 700 target/{target}/release/touchstone",
        sandbox.path("").display()
    );
    program(sandbox, "bin/cargo", &cargo);
    let line = format!(
        "set -e\nmkdir -p {folder}\ncp -r {ROOT}/scripts {ROOT}/Cargo.toml {ROOT}/README.md {ROOT}/CHANGELOG.md {ROOT}/LICENSE {folder}\n\
         export SOURCE_DATE_EPOCH=1700000000\n{before}\n{folder}/scripts/release/build.sh {target} {folder}.out"
    );
    shell(sandbox, &line)
}

#[test]
fn an_archive_has_the_program_its_completions_and_its_pages() {
    let sandbox = Sandbox::new();
    build(&sandbox, "one", &target(), "").says(0, &[]);
    let asked = sandbox.text("asked");
    assert_eq!(
        asked,
        format!(
            "build --release --locked --package touchstone-chess --bin touchstone --target {}\n",
            target()
        )
    );
    let flags = sandbox.text("flags");
    let root = sandbox.path("one").canonicalize().unwrap();
    assert!(
        flags.contains(&format!("--remap-path-prefix={}=/touchstone\u{1f}", root.display())),
        "{flags:?}"
    );
    assert!(flags.ends_with("\u{1f}-Ctarget-feature=+crt-static\n"), "{flags:?}");
    let name = format!("touchstone-{VERSION}-{}", target());
    let listed = shell(&sandbox, &format!("tar -xzf one.out/{name}.tar.gz && cd {name} && find . -type f"));
    let files: BTreeSet<&str> = listed.stdout.lines().collect();
    for file in [
        "./touchstone",
        "./README.md",
        "./CHANGELOG.md",
        "./LICENSE",
        "./completions/touchstone.bash",
        "./completions/touchstone.elv",
        "./completions/touchstone.fish",
        "./completions/_touchstone",
        "./completions/_touchstone.ps1",
        "./touchstone.cdx.json",
        "./man/touchstone.1",
        "./man/touchstone-tables-build.1",
    ] {
        assert!(files.contains(file), "{file} is not in {files:?}");
    }
    assert!(!sandbox.text(&format!("{name}/man/touchstone-verify.1")).contains("cargo xtask"));
    assert!(sandbox.text(&format!("{name}/completions/_touchstone")).starts_with("#compdef touchstone"));
    let crates = sandbox.text(&format!("{name}/touchstone.cdx.json"));
    assert_eq!(crates, "\"path+file:///touchstone/xtask#touchstone-chess@0.1.0\"\n");
    assert!(!sandbox.path("one/xtask/touchstone-sbom.json").exists());
    build(&sandbox, "mac", "aarch64-apple-darwin", "").says(0, &[]);
    assert!(!sandbox.text("flags").contains("crt-static"));
}

#[test]
fn two_archives_from_two_folders_are_equal() {
    let sandbox = Sandbox::new();
    build(&sandbox, "one", &target(), "umask 077").says(0, &[]);
    build(&sandbox, "two/deeper", &target(), "umask 022; touch -d @1 two/deeper/README.md").says(0, &[]);
    shell(&sandbox, "cmp one.out/*.tar.gz two/deeper.out/*.tar.gz").says(0, &[]);
    // The bytes follow the time of the sources.
    build(&sandbox, "three", &target(), "export SOURCE_DATE_EPOCH=1700000001").says(0, &[]);
    assert_eq!(shell(&sandbox, "cmp one.out/*.tar.gz three.out/*.tar.gz").code, 1);
}

#[test]
fn an_archive_without_the_time_of_its_sources_is_refused() {
    let sandbox = Sandbox::new();
    let without = "unset SOURCE_DATE_EPOCH";
    build(&sandbox, "one", &target(), without).says(2, &["this is no git checkout: set SOURCE_DATE_EPOCH"]);
    build(&sandbox, "two", &format!("{} out more", target()), "").says(2, &["got 4 arguments"]);
}

#[test]
fn a_release_has_the_sums_of_its_archives() {
    let sandbox = Sandbox::new();
    program(&sandbox, "bin/gh", "echo \"$@\" >../asked");
    let publish =
        |tag: &str| shell(&sandbox, &format!("TAG={tag} {ROOT}/scripts/release/publish.sh archives"));
    std::fs::create_dir(sandbox.path("archives")).unwrap();
    publish("v9.9.9").says(2, &["the tag is 'v9.9.9'", &format!("expected v{VERSION}")]);
    publish(&format!("v{VERSION}")).says(2, &["there is no touchstone-"]);
    let name = format!("touchstone-{VERSION}-one.tar.gz");
    sandbox.write(&format!("archives/{name}"), "one");
    publish(&format!("v{VERSION}")).says(0, &[]);
    shell(&sandbox, "cd archives && sha256sum --check --strict SHA256SUMS").says(0, &[]);
    let asked = sandbox.text("asked");
    assert!(asked.starts_with(&format!("release create v{VERSION} --draft --verify-tag ")), "{asked}");
    assert!(asked.ends_with(&format!(" {name} SHA256SUMS\n")), "{asked}");
}

/// The targets of the script that installs.
fn targets() -> BTreeSet<&'static str> {
    let parts = INSTALL.split(" target=").skip(1);
    parts.map(|part| part.split_whitespace().next().unwrap()).collect()
}

#[test]
fn the_workflow_makes_an_archive_for_each_target() {
    let workflow = Yaml::load_from_str(WORKFLOW).unwrap().remove(0);
    let matrix = workflow["jobs"]["archive"]["strategy"]["matrix"]["include"].as_sequence().unwrap();
    let text = |entry: &Yaml<'_>, key: &str| entry[key].as_str().unwrap().to_owned();
    let made: BTreeSet<String> = matrix.iter().map(|entry| text(entry, "target")).collect();
    assert_eq!(made, targets().into_iter().map(str::to_owned).collect());
    let steps = workflow["jobs"]["publish"]["steps"].as_sequence().unwrap();
    let last = steps.last().map(|step| text(step, "run"));
    for line in matrix.iter().map(|entry| text(entry, "script")).chain(last) {
        let script = Path::new(ROOT).join(line.split(' ').next().unwrap());
        assert_eq!(script.metadata().unwrap().permissions().mode() & 0o111, 0o111, "{line}");
    }
    for entry in matrix {
        let (target, script) = (text(entry, "target"), text(entry, "script"));
        // That script makes archives for the machine on which it runs.
        assert!(script == ".ci/release archives" || script.contains(&target), "{script}");
    }
    let least = env!("CARGO_PKG_RUST_VERSION");
    assert!(WORKFLOW.contains(&format!("rustup toolchain install {least}.0 ")), "{least}");
}

#[test]
fn cargo_binstall_finds_the_archives() {
    let manifest: toml::Table = toml::from_str(MANIFEST).unwrap();
    let general = &manifest["package"]["metadata"]["binstall"];
    let check = |asked: &str, made: &str| {
        let own = general["overrides"].get(asked).unwrap_or(general);
        let filled = |key: &str| {
            let text = own[key].as_str().unwrap().replace("{ repo }/releases/download", &address());
            text.replace("{ version }", VERSION).replace("{ target }", asked).replace("{ bin }", "touchstone")
        };
        let name = format!("touchstone-{VERSION}-{made}");
        assert_eq!(filled("pkg-url"), format!("{}/v{VERSION}/{name}.tar.gz", address()));
        assert_eq!(filled("bin-dir").replace("{ binary-ext }", ""), format!("{name}/touchstone"));
    };
    for target in &targets() {
        check(target, target);
    }
    for processor in ["x86_64", "aarch64"] {
        check(&format!("{processor}-unknown-linux-musl"), &format!("{processor}-unknown-linux-gnu"));
    }
}

/// What is wrong with the list of sums. They are those of all archives of one release, or there is none.
fn wrong_in_sums(text: &str) -> Option<String> {
    let mut pins = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let pin = line.split_once("  touchstone-").and_then(|(sum, archive)| {
            let is_sum = sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
            let name = archive.strip_suffix(".tar.gz").filter(|_| is_sum)?;
            name.split_once('-')
        });
        let Some((version, target)) = pin.filter(|(_, target)| targets().contains(target)) else {
            return Some(format!("no archive of a release: {line}"));
        };
        if pins.insert(target, version).is_some() {
            return Some(format!("{target} is there twice"));
        }
    }
    let versions: BTreeSet<&str> = pins.values().copied().collect();
    match versions.len() {
        0 => None,
        1 => (pins.len() != targets().len()).then(|| "a target is missing".to_owned()),
        _ => Some("two releases".to_owned()),
    }
}

#[test]
fn the_pinned_sums_are_of_one_release() {
    let pinned = std::fs::read_to_string(Path::new(ROOT).join("scripts/release/SHA256SUMS")).unwrap();
    assert_eq!(wrong_in_sums(&pinned), None);
    let line = |target: &&str| format!("{}  touchstone-9.9.9-{target}.tar.gz\n", "0a".repeat(32));
    let lines: Vec<String> = targets().iter().map(line).collect();
    let whole = lines.concat();
    assert_eq!(wrong_in_sums(&whole), None);
    let check = |text: &str, part: &str| {
        assert!(wrong_in_sums(text).is_some_and(|wrong| wrong.contains(part)), "{part}: {text}");
    };
    check(&whole.replacen("9.9.9", "9.9.8", 1), "two releases");
    check(&whole.replacen("0a", "0", 1), "no archive of a release");
    check(&whole.replacen(*targets().first().unwrap(), "sparc", 1), "no archive of a release");
    check(&lines[1..].concat(), "a target is missing");
    check(&[&whole, &lines[0][..]].concat(), "is there twice");
}

/// The image takes the released program, unless a build is asked for. Its steps name files that are there.
#[test]
fn the_image_takes_the_released_program() {
    assert!(DOCKERFILE.contains("\nARG PROGRAM=released\n"));
    let stage = |name: &str| {
        let text = DOCKERFILE.split(&format!(" AS {name}\n")).nth(1).unwrap_or_else(|| panic!("{name}"));
        text.split("\nFROM ").next().unwrap()
    };
    assert!(stage("released").contains("\nRUN scripts/release/install.sh /opt/touchstone/bin"));
    assert!(!stage("released").contains("cargo"));
    assert!(stage("built").contains("\nRUN cargo install --locked --path xtask "));
    assert!(DOCKERFILE.contains("\nFROM ${PROGRAM} AS "));
    for line in stage("released").lines().filter_map(|line| line.strip_prefix("COPY ")) {
        let source = line.split(' ').next().unwrap();
        assert!(Path::new(ROOT).join(source).exists(), "{source}");
    }
}
