//! Finds the program that the command line or `touchstone.toml` names.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use uci::Program;

use super::super::engine_args::EngineArgs;
use super::config::{Config, Entry, FILE};
use crate::suggest::did_you_mean;

/// The program `name`, a file or a name, with the options of the command line. They override those of the
/// file.
pub(crate) fn find(name: &str, args: &EngineArgs) -> anyhow::Result<Program> {
    let config = Config::read(args.config.as_deref())?;
    let mut program = match config.engine(name) {
        Some(entry) => of_entry(name, entry, &config)?,
        None => Program {
            name: file_name(Path::new(name)),
            path: located(Path::new(name)).with_context(|| unknown(name, args, &config))?,
            ..Program::default()
        },
    };
    if !args.args.is_empty() {
        program.arguments.clone_from(&args.args);
    }
    if let Some(name) = &args.name {
        program.name.clone_from(name);
    }
    let variables = args.env.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    program.environment.extend(variables);
    for (name, value) in &args.option {
        program.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        program.options.push((name.clone(), value.clone()));
    }
    program.memory = args.memory.or(program.memory);
    program.directory = args.dir.clone().or(program.directory);
    program.isolated |= args.isolate;
    if program.isolated && program.directory.is_some() {
        bail!("{} is isolated, in an empty folder: leave out its dir", program.name);
    }
    if let Some(directory) = program.directory.as_ref().filter(|directory| !directory.is_dir()) {
        bail!("{} cannot be started in {}, which is not a folder", program.name, directory.display());
    }
    if program.directory.is_some() || program.isolated {
        // A relative path would be relative to that directory.
        program.path = std::path::absolute(&program.path)?;
    }
    Ok(program)
}

fn of_entry(name: &str, entry: &Entry, config: &Config) -> anyhow::Result<Program> {
    let is_bare = entry.path.components().count() == 1;
    let path = if is_bare { entry.path.clone() } else { config.in_folder(&entry.path) };
    Ok(Program {
        name: name.to_owned(),
        path: located(&path).with_context(|| format!("the engine {name} of {FILE}"))?,
        arguments: entry.args.iter().map(OsString::from).collect(),
        directory: entry.dir.as_ref().map(|directory| config.in_folder(directory)),
        environment: entry.env.iter().map(|(name, value)| (name.into(), value.into())).collect(),
        isolated: entry.isolate,
        memory: entry.memory.map(|memory| u64::from(memory.get())),
        options: entry.options.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
        ..Program::default()
    })
}

/// An executable file: the path itself, or a program in the PATH.
fn located(path: &Path) -> anyhow::Result<PathBuf> {
    let shown = path.display();
    if path.components().count() == 1 && !path.is_absolute() && !shown.to_string().contains(['/', '\\']) {
        return match which::which(path) {
            Ok(found) => Ok(found),
            Err(_) if path.is_file() => {
                bail!("{shown} is not in the PATH; use ./{shown} for the file in this folder")
            }
            Err(_) => bail!("there is no program {shown} in the PATH; name its file, such as ./{shown}"),
        };
    }
    match std::fs::metadata(path) {
        Err(error) => bail!("cannot find the program {shown}: {error}"),
        Ok(metadata) if metadata.is_dir() => bail!("{shown} is a folder; name the program in it"),
        Ok(_) if which::which(path).is_err() => {
            bail!("{shown} is not executable (chmod +x {shown}, if it should be)")
        }
        Ok(_) => Ok(path.to_owned()),
    }
}

/// The context of the error for an unknown name.
fn unknown(name: &str, args: &EngineArgs, config: &Config) -> String {
    let file = args.config.as_deref().unwrap_or(Path::new(FILE));
    match config.names().next() {
        Some(_) => format!("{} names no engine {name}{}", file.display(), did_you_mean(name, config.names())),
        None => format!("the engine {name}"),
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    name.strip_suffix(".exe").unwrap_or(&name).to_owned()
}
