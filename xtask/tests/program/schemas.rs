//! The JSON Schemas: the published files are those that the program prints, and real documents follow them.

use std::path::Path;

use serde_json::Value;

use crate::players::hostile;
use crate::sandbox::{Ended, Sandbox, run};

const NAMES: [&str; 4] = ["config", "verify", "engine", "regress"];

fn schema(name: &str) -> Value {
    let ended = run(&["schema", name]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap()
}

/// The places where a document does not follow a schema.
fn faults(name: &str, document: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(&schema(name)).unwrap();
    validator.iter_errors(document).map(|error| format!("{error} at {}", error.instance_path())).collect()
}

#[track_caller]
fn follows(name: &str, document: &Value) {
    assert_eq!(faults(name, document), [""; 0], "{document:#}");
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn toml(text: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap()
}

#[test]
fn the_published_schemas_are_those_of_the_program() {
    for name in NAMES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/reference/schemas");
        let published = std::fs::read_to_string(path.join(format!("{name}.json"))).unwrap();
        assert_eq!(
            published,
            run(&["schema", name]).stdout,
            "touchstone schema {name} > schemas/{name}.json"
        );
        jsonschema::meta::validate(&json(&published)).unwrap();
    }
}

#[test]
fn files_of_users_follow_their_schema() {
    let page = include_str!("../../../docs/src/reference/config.md");
    let examples: Vec<&str> =
        page.split("```toml\n").skip(1).filter_map(|text| Some(text.split_once("```")?.0)).collect();
    assert!(examples.len() > 1);
    for text in examples.into_iter().chain([include_str!("../../../touchstone.toml")]) {
        follows("config", &toml(text));
    }
    let sandbox = Sandbox::new();
    sandbox.run(["init", hostile()]).says(0, &[]);
    follows("config", &toml(&sandbox.text("touchstone.toml")));
    for wrong in [
        "[engine.mine]\nargs = []",
        "[engine.mine]\npath = \"x\"\nargz = []",
        "[build]\nbinary = \"x\"",
        "[accept]\ndraw = 1",
        "[accept]\ndraw = { until = \"2027-01-31\" }",
        "[engine.mine]\npath = \"x\"\noptions = { Hash = [1] }",
    ] {
        assert_ne!(faults("config", &toml(wrong)), [""; 0], "{wrong}");
    }
}

#[test]
fn documents_of_runs_follow_their_schemas() {
    let sandbox = Sandbox::new();
    let script = |name: &str, arguments: &str| {
        sandbox.write_program(name, format!("#!/bin/sh\nexec {} {arguments}\n", hostile()));
    };
    script("right", "");
    script("wrong", "--said 'id author the tests=>id author'");
    let checks = "protocol/id-author,protocol/id-name";
    let ended = sandbox.verify(&format!("--engine ./wrong --check {checks} --format json"));
    let document = json(&ended.stdout);
    assert_eq!(document["differences"].as_array().unwrap().len(), 1);
    follows("verify", &document);
    follows("engine", &json(&sandbox.text("out/engine.json")));
    let mut broken = document.clone();
    broken["differences"][0]["severity"] = "grave".into();
    broken.as_object_mut().unwrap().remove("summary");
    assert_eq!(faults("verify", &broken).len(), 2);
    assert_ne!(faults("engine", &document), [""; 0]);

    let regress = "regress --quick --old ./right --new ./wrong --out new --format json --check";
    let mut program = sandbox.program();
    program.args(regress.split(' ')).arg(checks).env("TOUCHSTONE_CACHE", sandbox.path("cache"));
    let ended = Ended::of(&mut program);
    let document = json(&ended.stdout);
    assert_eq!(document["changes"].as_array().unwrap().len(), 1, "{document:#} {}", ended.stderr);
    assert!(!document["speed"].as_array().unwrap().is_empty(), "{document:#}");
    follows("regress", &document);
    follows("regress", &json(&sandbox.text("new/regress.json")));
    assert_ne!(faults("verify", &document), [""; 0]);
}

/// A run of tables, with a baseline.
#[test]
fn a_document_with_a_baseline_follows_its_schema() {
    let sandbox = Sandbox::new();
    sandbox.verify("--tables KvK --quick --baseline base --update-baseline").says(0, &[]);
    let ended = sandbox.verify("--tables KvK --quick --baseline base --format json");
    let document = json(&ended.stdout);
    assert!(document["regression"].is_array(), "{document:#}");
    follows("verify", &document);
}
