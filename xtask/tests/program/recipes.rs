//! The recipes of the page on build servers: each is run as the page has it, with stand-ins for the services,
//! `make` and Docker.

use std::collections::BTreeMap;

use saphyr::{LoadableYamlNode, Yaml};

use crate::action::{GH, git, origin};
use crate::job::{ASKED, Job, Tools, WRONG};
use crate::release::{program, release, releases};
use crate::sandbox::Ended;

const PAGE: &str = include_str!("../../../docs/src/how-to/ci.md");
const DESCRIPTION: &str = include_str!("../../../action.yml");
const DOCKERFILE: &str = include_str!("../../../Dockerfile");

/// The block of the page that begins so.
fn block(language: &str, start: &str) -> &'static str {
    let mut blocks = PAGE.split("```").skip(1).step_by(2);
    let text = blocks.find_map(|block| {
        block.strip_prefix(language)?.strip_prefix('\n').filter(|text| text.starts_with(start))
    });
    text.unwrap_or_else(|| panic!("the page has no block {start:?}"))
}

fn yaml(text: &str) -> Yaml<'_> {
    Yaml::load_from_str(text).unwrap().remove(0)
}

/// The lines of code of the page, outside fenced blocks, that begin with this word.
fn lines(word: &str) -> Vec<&'static str> {
    let prose = PAGE.split("```").step_by(2).flat_map(str::lines);
    let code = prose.filter_map(|line| line.strip_prefix("    "));
    code.filter(|line| line.starts_with(&format!("{word} "))).collect()
}

/// The runner of a workflow: what its service keeps between runs, and what it tells.
#[derive(Default)]
struct Service {
    /// What stands for the contexts in expressions, such as `inputs.engine`.
    values: BTreeMap<String, String>,
    /// The entries of the cache.
    saved: Vec<String>,
    /// The steps of the last run by script or action.
    ran: Vec<String>,
}

impl Service {
    fn set(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), value.to_owned());
    }

    fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// A text with its expressions filled in.
    fn filled(&self, text: &str) -> String {
        let mut parts = text.split("${{ ");
        let mut filled = parts.next().unwrap().to_owned();
        for part in parts {
            let (name, rest) = part.split_once(" }}").unwrap();
            filled += self.value(name);
            filled += rest;
        }
        filled
    }

    /// Whether a condition holds, given that nothing has failed yet.
    fn holds(&self, condition: &str) -> bool {
        condition.split(" && ").all(|term| match term.split_once(' ') {
            None => term == "always()" || !self.value(term).is_empty(),
            Some((name, comparison)) => {
                let (operator, text) = comparison.split_once(' ').unwrap();
                (self.value(name) == text.trim_matches('\'')) == (operator == "==")
            }
        })
    }

    /// Runs the steps of the action with these inputs in the folder `repo` of a job. Returns the exit code.
    fn act(&mut self, job: &Job, inputs: &Yaml<'_>) -> i32 {
        let action = yaml(DESCRIPTION);
        self.ran.clear();
        self.values.retain(|name, _| !name.starts_with("steps.") && !name.starts_with("inputs."));
        for (name, input) in action["inputs"].as_mapping().unwrap() {
            let name = name.as_str().unwrap();
            let given = inputs.as_mapping_get(name).unwrap_or(&input["default"]).as_str().unwrap();
            let value = self.filled(given);
            self.set(&format!("inputs.{name}"), &value);
        }
        let mut code = 0;
        for step in action["runs"]["steps"].as_sequence().unwrap() {
            let text = |key: &str| step.as_mapping_get(key).map(|value| value.as_str().unwrap());
            let condition = text("if").unwrap_or("");
            if (code != 0 && !condition.starts_with("always()"))
                || !(condition.is_empty() || self.holds(condition))
            {
                continue;
            }
            if let Some(action) = text("uses") {
                self.ran.push(action.to_owned());
                self.uses(job, action, step);
            } else {
                let line = text("run").unwrap();
                self.ran.push(line.rsplit('/').next().unwrap().trim_matches('"').to_owned());
                code = self.run(job, line, step).max(code);
            }
            let outcome = if code == 0 { "success" } else { "failure" };
            if let Some(id) = text("id") {
                self.set(&format!("steps.{id}.outcome"), outcome);
            }
        }
        code
    }

    /// An action of the service.
    fn uses(&mut self, job: &Job, action: &str, step: &Yaml<'_>) {
        let with = |key: &str| self.filled(step["with"][key].as_str().unwrap());
        match action {
            "actions/cache/restore@v4" => {
                let key = with("key");
                if self.saved.contains(&key) {
                    self.set("steps.cache.outputs.cache-hit", "true");
                } else {
                    // Another machine, whose home is empty.
                    let _ = std::fs::remove_dir_all(job.sandbox.path("home"));
                }
            }
            "actions/cache/save@v4" => {
                let folder = with("path").replace("~/", "home/");
                assert!(job.sandbox.path(&folder).join("touchstone").is_file(), "{folder}");
                assert!(!self.saved.contains(&with("key")), "an entry is never replaced");
                self.saved.push(with("key"));
            }
            "actions/upload-artifact@v4" => {
                assert!(job.sandbox.path("repo").join(with("path")).join("checks.csv").is_file());
            }
            _ => panic!("{action}"),
        }
    }

    /// A step with lines of the shell.
    fn run(&mut self, job: &Job, lines: &str, step: &Yaml<'_>) -> i32 {
        let lines_of = |file: &str| {
            let text = std::fs::read_to_string(job.sandbox.path(file)).unwrap_or_default();
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let releases = releases(&job.sandbox);
        let mut shell = job.shell(&[
            ("TOUCHSTONE_RELEASES", &releases),
            ("GITHUB_REPOSITORY", "me/mine"),
            ("GITHUB_SERVER_URL", "https://example.org"),
            ("GITHUB_RUN_ID", "34"),
        ]);
        shell.current_dir(job.sandbox.path("repo")).env("PATH", job.path(&lines_of("path")));
        shell.env("GITHUB_ACTION_PATH", job.sandbox.path("tree")).args(["-e", "-c", lines]);
        shell.envs(lines_of("env").iter().map(|line| line.split_once('=').unwrap()));
        for (name, value) in step["env"].as_mapping().unwrap() {
            shell.env(name.as_str().unwrap(), self.filled(value.as_str().unwrap()));
        }
        let ended = Ended::of(&mut shell);
        assert!(ended.code < 2, "{lines}: {}{}", ended.stdout, ended.stderr);
        let id = step.as_mapping_get("id").map_or("", |id| id.as_str().unwrap());
        for line in lines_of("output") {
            let (name, value) = line.split_once('=').unwrap();
            self.set(&format!("steps.{id}.outputs.{name}"), value);
        }
        let _ = std::fs::remove_file(job.sandbox.path("output"));
        ended.code
    }
}

/// A push, one more, and two runs of a pull request, of an engine that is wrong.
#[test]
fn the_workflow_for_github() {
    let workflow = yaml(block("yaml", "name: touchstone\n"));
    let steps = workflow["jobs"]["touchstone"]["steps"].as_sequence().unwrap();
    let [checkout, build, check] = &steps[..] else { panic!("three steps") };
    assert_eq!(checkout["uses"].as_str(), Some("actions/checkout@v4"));
    assert_eq!(check["uses"].as_str(), Some("OWNER/touchstone@COMMIT"));
    let known = yaml(DESCRIPTION);
    for name in check["with"].as_mapping().unwrap().keys() {
        assert!(known["inputs"].as_mapping().unwrap().contains_key(name), "{name:?}");
    }
    for tools in Tools::all() {
        let job = Job::new(tools, WRONG);
        release(&job.sandbox);
        std::fs::remove_file(job.sandbox.path("bin/touchstone")).unwrap();
        program(&job.sandbox, "bin/make", "cp ../mine mine");
        program(&job.sandbox, "bin/gh", GH);
        let base = origin(&job);
        git(&job, "", &["clone", "--quiet", "origin", "repo"]);
        job.lines(&format!("cd repo; {}", build["run"].as_str().unwrap()), &[]).says(0, &[]);
        // The page asks more, which takes longer.
        let more = format!("{ASKED} --no-speed");
        let inputs = |arguments: &str| {
            let text = format!("{{engine: ./mine, comment: \"true\", arguments: '--quick {arguments}'}}");
            assert_eq!(check["with"]["engine"].as_str(), Some("./mine"));
            assert_eq!(check["with"]["comment"].as_str(), Some("true"));
            assert_eq!(check["with"]["arguments"].as_str(), Some("--quick"));
            text
        };
        let mut service = Service::default();
        let push = inputs(ASKED);
        assert_eq!(service.act(&job, &yaml(&push)), 1);
        let steps = |service: &Service| service.ran.join(" ");
        let first = "key.sh actions/cache/restore@v4 install.sh actions/cache/save@v4 check.sh actions/upload-artifact@v4";
        assert_eq!(steps(&service), first);
        // The program is there again, though the run was red, and nothing is saved.
        std::fs::remove_dir_all(job.sandbox.path("releases")).unwrap();
        assert_eq!(service.act(&job, &yaml(&push)), 1);
        let second = first.replace(" actions/cache/save@v4", "");
        assert_eq!(steps(&service), second);
        assert!(!job.sandbox.path("repo/comment").exists());
        service.set("github.event.pull_request.number", "12");
        service.set("github.event.pull_request.base.sha", &base);
        let request = inputs(&more);
        for call in ["POST repos/me/mine/issues/12/comments ", "PATCH repos/me/mine/issues/comments/7 "] {
            assert_eq!(service.act(&job, &yaml(&request)), 1);
            assert_eq!(steps(&service), format!("{second} comment.sh"));
            let comment = job.sandbox.text("repo/comment");
            assert!(comment.starts_with("<!-- touchstone -->\n**Touchstone: 1 broken**"), "{comment}");
            assert!(job.sandbox.text("repo/asked").lines().last().unwrap().contains(call), "{call}");
        }
    }
}

/// With a clone of a repository that pins a release, and a `make` that makes nothing.
#[test]
fn the_job_for_gitlab() {
    let job_of_page = yaml(block("yaml", "touchstone:\n"));
    let lines = job_of_page["touchstone"]["script"].as_sequence().unwrap();
    let lines: Vec<&str> = lines.iter().map(|line| line.as_str().unwrap()).collect();
    let text = lines.join("\n");
    let cases = [("", 0), (WRONG, 1)];
    for (tools, (arguments, code)) in
        Tools::all().into_iter().flat_map(|tools| cases.map(|case| (tools, case)))
    {
        let job = Job::new(tools, arguments);
        release(&job.sandbox);
        program(&job.sandbox, "bin/make", "");
        std::fs::remove_file(job.sandbox.path("bin/touchstone")).unwrap();
        git(&job, "tree", &["init", "--quiet"]);
        git(&job, "tree", &["add", "--all"]);
        git(&job, "tree", &["commit", "--quiet", "-m", "begin"]);
        let commit = git(&job, "tree", &["rev-parse", "HEAD"]);
        let text = text
            .replace("REPOSITORY", &job.sandbox.path("tree").display().to_string())
            .replace("COMMIT", &commit)
            .replace("--engine ./mine", &format!("--engine ./mine {ASKED}"));
        let ended = job.lines(&text, &[("TOUCHSTONE_RELEASES", &releases(&job.sandbox))]);
        ended.says(code, &[]);
        assert!(ended.stdout.starts_with("touchstone 9.9.9 is in .touchstone/bin\n"), "{}", ended.stdout);
        for path in ["report.html", "badge.svg", "junit.xml"] {
            assert!(job.sandbox.path(&format!("target/touchstone/{path}")).is_file(), "{path}");
        }
    }
}

/// Stands in for `docker`: it starts the program in the folder of the volume, as the image would.
const DOCKER: &str = "\
verb=$1; shift
case $verb in
    build) echo \"$@\" >>built; exit ;;
    run) ;;
    *) exit 125 ;;
esac
volume= user=
while :; do
    case $1 in
        --rm) shift ;;
        --volume) volume=$2; shift 2 ;;
        --user) user=$2; shift 2 ;;
        touchstone) shift; break ;;
        *) exit 125 ;;
    esac
done
test \"${volume#*:}\" = /work && test \"$user\" = \"$(id -u):$(id -g)\" || exit 125
echo \"${volume%:*}\" >folder
cd \"${volume%:*}\" && exec touchstone \"$@\"";

#[test]
fn the_lines_for_docker() {
    for part in
        ["\nWORKDIR /work\n", "\nENTRYPOINT [\"touchstone\"]\n", "\nARG PROGRAM=released\n", " AS built\n"]
    {
        assert!(DOCKERFILE.contains(part), "{part:?}");
    }
    let lines = lines("docker");
    let [released, built, run] = &lines[..] else { panic!("{lines:?}") };
    for tools in Tools::all() {
        let job = Job::new(tools, WRONG);
        program(&job.sandbox, "bin/docker", DOCKER);
        job.lines(released, &[]).says(0, &[]);
        job.lines(built, &[]).says(0, &[]);
        let expected = "--tag touchstone .\n--tag touchstone --build-arg PROGRAM=built .\n";
        assert_eq!(job.sandbox.text("built"), expected);
        let run = run.replace("--engine ./mine", &format!("--engine ./mine {ASKED}"));
        job.lines(&run, &[]).says(1, &[]);
        let folder = job.sandbox.path("").canonicalize().unwrap();
        assert_eq!(job.sandbox.text("folder").trim_end_matches(['/', '\n']), folder.to_str().unwrap());
        assert!(job.sandbox.path("target/touchstone/checks.csv").is_file());
    }
}

/// What is known is accepted, is a baseline, or is compared with.
#[test]
fn the_lines_for_known_findings() {
    let job = Job::new(Tools::Machine, "");
    let lines = lines("touchstone");
    assert_eq!(lines.len(), 3, "{lines:?}");
    job.engine("mine-main", WRONG);
    job.engine("mine-branch", WRONG);
    for line in lines {
        let more = if line.starts_with("touchstone regress ") { " --no-speed" } else { "" };
        job.lines(&format!("{line} {ASKED}{more}"), &[]).says(0, &[]);
    }
    assert!(job.sandbox.path("touchstone-baseline/checks.csv").is_file());
    let accepted = block("toml", "[accept]\n");
    let config =
        format!("[engine.mine]\npath = \"./mine\"\n\n{accepted}\"protocol/id-author\" = \"nobody\"\n");
    job.sandbox.write("touchstone.toml", config);
    job.engine("mine", WRONG);
    job.lines(&format!("touchstone verify {ASKED}"), &[]).says(0, &[]);
}
