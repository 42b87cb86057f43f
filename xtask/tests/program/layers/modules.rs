//! The modules of a crate, which of them use which, and the circles among siblings.
//!
//! A module uses another if it names it or an item of it: in a `use`, or in a path that begins with `crate`,
//! `self` or `super`. Names that a module re-exports are followed to where they are defined. A module and its
//! parent may use each other. What is there for tests alone is left out.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Ident, Item, ItemMod, ItemUse, UseTree};

/// The path of a module from the root of its crate.
type Name = Vec<String>;

/// How many re-exports of re-exports are followed.
const FOLLOWED: usize = 8;

/// The modules of a crate.
pub(super) struct Modules {
    /// The name of the folder of the crate.
    package: String,
    modules: BTreeMap<Name, Module>,
}

/// What is known of one module.
#[derive(Default)]
struct Module {
    /// Its file, from the folder `src`.
    file: String,
    /// The items that are defined in it.
    defined: BTreeSet<String>,
    /// The names that it imports, and the paths that they stand for.
    imports: BTreeMap<String, Vec<String>>,
    /// The modules of which it imports all names.
    globs: Vec<Vec<String>>,
    /// All paths in it that may lead to other modules.
    paths: BTreeSet<Vec<String>>,
}

/// Some siblings that use each other in a circle.
#[derive(Debug)]
pub(super) struct Circle {
    /// For each arrow the file that uses and the file that is used.
    arrows: Vec<String>,
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.arrows.join("\n"))?;
        writeln!(f)
    }
}

impl Modules {
    /// Reads the crate that begins with this file.
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let sources = root.parent().unwrap_or(Path::new(""));
        let package = sources.parent().and_then(Path::file_name).unwrap_or_default();
        let text = |file: &str| std::fs::read_to_string(sources.join(file)).ok();
        let file = root.file_name().unwrap_or_default().to_string_lossy();
        Self::parse(&package.to_string_lossy(), &file, &text)
    }

    /// Reads the crate whose files have these texts.
    fn parse(package: &str, root: &str, text: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let mut modules = Self { package: package.to_owned(), modules: BTreeMap::new() };
        modules.add_file(&[], root, text)?;
        Ok(modules)
    }

    fn add_file(
        &mut self,
        name: &[String],
        file: &str,
        text: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(), String> {
        let source = text(file).ok_or_else(|| format!("cannot read {}/{file}", self.package))?;
        let syntax = syn::parse_file(&source).map_err(|error| format!("{}/{file}: {error}", self.package))?;
        self.add_items(name, file, &syntax.items, text)
    }

    fn add_items(
        &mut self,
        name: &[String],
        file: &str,
        items: &[Item],
        text: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(), String> {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        for item in items {
            module.visit_item(item);
        }
        self.modules.insert(name.to_owned(), module);
        for item in items {
            let Item::Mod(ItemMod { attrs, ident, content, .. }) = item else { continue };
            if is_for_tests(attrs) {
                continue;
            }
            let name = [name, &[ident.to_string()]].concat();
            if let Some((_, items)) = content {
                self.add_items(&name, file, items, text)?;
                continue;
            }
            let path: PathBuf = name.iter().collect();
            let folder = path.join("mod.rs").to_string_lossy().replace('\\', "/");
            let leaf = path.with_extension("rs").to_string_lossy().replace('\\', "/");
            let file = if text(&folder).is_some() { folder } else { leaf };
            self.add_file(&name, &file, text)?;
        }
        Ok(())
    }

    /// The circles among the children of each module: of those that are entangled with each other the
    /// shortest one.
    pub(super) fn circles(&self) -> Vec<Circle> {
        let arrows = self.arrows();
        let mut circles = Vec::new();
        for arrows in arrows.values() {
            let mut seen = BTreeSet::new();
            for start in arrows.keys().map(|(from, _)| from) {
                let Some(names) = shortest_circle(arrows, start).filter(|_| !seen.contains(start)) else {
                    continue;
                };
                seen.extend(names.iter().cloned());
                let next = names.iter().cycle().skip(1);
                let told = names.iter().zip(next).map(|(from, to)| {
                    let (user, used) = &arrows[&(from.clone(), to.clone())];
                    format!("{}/src/{user} -> {used}", self.package)
                });
                circles.push(Circle { arrows: told.collect() });
            }
        }
        circles
    }

    /// For each module which of its children use which, with the files of one such use.
    fn arrows(&self) -> BTreeMap<Name, Arrows> {
        let mut arrows = BTreeMap::<Name, Arrows>::new();
        for (user, module) in &self.modules {
            for used in module.paths.iter().filter_map(|path| self.resolve(user, path, FOLLOWED)) {
                let common = user.iter().zip(&used).take_while(|(one, other)| one == other).count();
                if let (Some(from), Some(to)) = (user.get(common), used.get(common)) {
                    let files = (module.file.clone(), self.modules[&used].file.clone());
                    let siblings = arrows.entry(user[..common].to_owned()).or_default();
                    siblings.entry((from.clone(), to.clone())).or_insert(files);
                }
            }
        }
        arrows
    }

    /// The module that a path leads to, or that defines what it leads to; `None` if that is another crate.
    fn resolve(&self, from: &[String], path: &[String], follow: usize) -> Option<Name> {
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Name::new(),
            "self" => from.to_owned(),
            "super" => from.split_last()?.1.to_owned(),
            _ => {
                rest = path;
                from.to_owned()
            }
        };
        while let Some((name, others)) = rest.split_first() {
            let child = [&at[..], std::slice::from_ref(name)].concat();
            if name == "super" {
                at.pop();
            } else if self.modules.contains_key(&child) {
                at = child;
            } else if let Some(import) = self.import(&at, name, follow) {
                let known = [&import[..], others].concat();
                return if follow == 0 { None } else { self.resolve(&at, &known, follow - 1) };
            } else if at == from && !matches!(first.as_str(), "crate" | "self" | "super") {
                return None;
            } else {
                break;
            }
            rest = others;
        }
        Some(at)
    }

    /// The path that a name stands for which a module imports.
    fn import(&self, module: &Name, name: &str, follow: usize) -> Option<Vec<String>> {
        let Module { imports, globs, defined, .. } = &self.modules[module];
        if defined.contains(name) {
            return None;
        }
        if let Some(path) = imports.get(name) {
            // `use foo;` would name itself.
            return (path.len() > 1).then(|| path.clone());
        }
        let has = |glob: &&Vec<String>| {
            let target = if follow == 0 { None } else { self.resolve(module, glob, follow - 1) };
            target.filter(|target| target != module).is_some_and(|target| {
                let Module { defined, imports, .. } = &self.modules[&target];
                defined.contains(name) || imports.contains_key(name)
            })
        };
        globs.iter().find(has).map(|glob| [&glob[..], &[name.to_owned()]].concat())
    }
}

/// Which siblings use which, with the files of one such use.
type Arrows = BTreeMap<(String, String), (String, String)>;

/// The shortest way along the arrows from a module back to it.
fn shortest_circle(arrows: &Arrows, start: &String) -> Option<Vec<String>> {
    let mut ways = VecDeque::from([vec![start.clone()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for (_, to) in arrows.keys().filter(|(from, _)| Some(from) == way.last()) {
            if to == start {
                return Some(way);
            }
            if seen.insert(to) {
                ways.push_back([&way[..], std::slice::from_ref(to)].concat());
            }
        }
    }
    None
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<Ident>().is_ok_and(|condition| condition == "test")
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The name that an item defines, if it defines one.
fn defined(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

impl Module {
    fn add_use(&mut self, mut path: Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(tree) => {
                path.push(tree.ident.to_string());
                self.add_use(path, &tree.tree);
            }
            UseTree::Group(tree) => tree.items.iter().for_each(|tree| self.add_use(path.clone(), tree)),
            UseTree::Glob(_) => {
                self.paths.insert(path.clone());
                self.globs.push(path);
            }
            UseTree::Name(tree) if tree.ident == "self" => {
                let name = path.last().cloned().unwrap_or_default();
                self.add_import(name, path);
            }
            UseTree::Name(tree) => {
                path.push(tree.ident.to_string());
                self.add_import(tree.ident.to_string(), path);
            }
            UseTree::Rename(tree) => {
                if tree.ident != "self" {
                    path.push(tree.ident.to_string());
                }
                self.add_import(tree.rename.to_string(), path);
            }
        }
    }

    fn add_import(&mut self, name: String, path: Vec<String>) {
        self.paths.insert(path.clone());
        self.imports.insert(name, path);
    }

    /// Takes the paths in what a macro is given, of which nothing is known but its tokens.
    fn add_tokens(&mut self, tokens: &str) {
        let words: Vec<&str> = tokens.split_whitespace().collect();
        for (place, word) in
            words.iter().enumerate().filter(|(_, word)| ["crate", "self", "super"].contains(word))
        {
            let further =
                words[place + 1..].chunks_exact(2).take_while(|pair| pair[0] == "::").map(|pair| pair[1]);
            let path: Vec<String> = std::iter::once(*word).chain(further).map(str::to_owned).collect();
            if path.len() > 1 {
                self.paths.insert(path);
            }
        }
    }
}

impl<'a> Visit<'a> for Module {
    fn visit_item(&mut self, item: &'a Item) {
        if is_for_tests(attributes(item)) {
            return;
        }
        self.defined.extend(defined(item));
        // Modules within this one are read by themselves.
        if !matches!(item, Item::Mod(_)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        if item.leading_colon.is_none() {
            self.add_use(Vec::new(), &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 && ["crate", "self", "super"].contains(&names[0].as_str()) {
            self.paths.insert(names);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        self.add_tokens(&mac.tokens.to_string());
        visit::visit_macro(self, mac);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles of a crate with these files.
    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let text =
            |file: &str| files.iter().find(|(name, _)| *name == file).map(|(_, text)| (*text).to_owned());
        let modules = Modules::parse("mine", "lib.rs", &text).unwrap();
        let circles: Vec<String> = modules.circles().iter().map(ToString::to_string).collect();
        assert_eq!(circles, expected);
    }

    /// A crate with two modules.
    #[track_caller]
    fn pair(one: &str, two: &str, expected: &[&str]) {
        check(&[("lib.rs", "mod one; mod two;"), ("one.rs", one), ("two.rs", two)], expected);
    }

    const BOTH: &str = "mine/src/one.rs -> two.rs\nmine/src/two.rs -> one.rs\n";

    #[test]
    fn arrows_in_one_direction_are_no_circle() {
        pair("use crate::two::Two;", "pub struct Two;", &[]);
        pair("use super::two; fn f() { two::f() }", "use std::fmt; pub fn f() {}", &[]);
    }

    #[test]
    fn an_arrow_that_runs_back_is_named() {
        let one = "use crate::two::Two; pub struct One;";
        pair(one, "use crate::one::One; pub struct Two;", &[BOTH]);
        pair(one, "use super::{one::{self, One as Other}}; pub struct Two;", &[BOTH]);
        pair(one, "use super::one::*; pub struct Two;", &[BOTH]);
        pair(one, "pub struct Two(crate::one::One);", &[BOTH]);
        pair(one, "pub fn f(two: &impl Into<super::one::One>) {}", &[BOTH]);
        pair(one, "pub fn f() { println!(\"{:?}\", crate::one::One); }", &[BOTH]);
        pair(one, "macro_rules! make { () => { $crate::one::One } }", &[BOTH]);
    }

    #[test]
    fn what_is_for_tests_alone_does_not_count() {
        let one = "use crate::two::Two; pub struct One;";
        pair(one, "pub struct Two; #[cfg(test)] mod tests { use crate::one::One; }", &[]);
        pair(one, "pub struct Two; #[cfg(test)] use crate::one::One;", &[]);
        pair(one, "pub struct Two; #[cfg(unix)] use crate::one::One;", &[BOTH]);
    }

    #[test]
    fn names_are_followed_to_where_they_are_defined() {
        let check = |root: &str, two: &str, expected: &[&str]| {
            let one = "use crate::two::Two; pub struct One; pub struct Other;";
            check(
                &[("lib.rs", &format!("mod one; mod two; {root}")), ("one.rs", one), ("two.rs", two)],
                expected,
            );
        };
        check("pub use one::One;", "pub struct Two(crate::One);", &[BOTH]);
        check("pub use one::*;", "use super::Other;", &[BOTH]);
        check("pub use self::one as first;", "use crate::first::One;", &[BOTH]);
        check("pub struct Three;", "use crate::Three; pub struct Two;", &[]);
    }

    #[test]
    fn modules_below_count_for_those_above() {
        let files = |back: &'static str| {
            [
                ("lib.rs", "mod one; mod two;"),
                ("one/mod.rs", "mod inner; pub struct One;"),
                ("one/inner.rs", "use crate::two::Two; use super::One;"),
                ("two.rs", back),
            ]
        };
        check(&files("pub struct Two;"), &[]);
        check(
            &files("use crate::one::One; pub struct Two;"),
            &["mine/src/one/inner.rs -> two.rs\nmine/src/two.rs -> one/mod.rs\n"],
        );
    }

    #[test]
    fn circles_are_found_at_every_level_and_of_any_length() {
        let files = [
            ("lib.rs", "mod outer;"),
            ("outer/mod.rs", "mod a; mod b; mod c; mod d { use super::a; }"),
            ("outer/a.rs", "use super::b;"),
            ("outer/b.rs", "use crate::outer::c;"),
            ("outer/c.rs", "use super::super::outer::a::A;"),
        ];
        check(
            &files,
            &[
                "mine/src/outer/a.rs -> outer/b.rs\nmine/src/outer/b.rs -> outer/c.rs\nmine/src/outer/c.rs -> outer/a.rs\n",
            ],
        );
    }
}
