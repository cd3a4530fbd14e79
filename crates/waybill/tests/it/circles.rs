//! Which files of a crate need each other, read off their `use` lines and the paths in their code.
//! Files in a circle can only be understood together, so a circle stays small: what several files
//! share goes into a file that imports none of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::{none, sources};

/// The most files that may need each other.
const CIRCLE_MAX: usize = 3;
/// A re-export leads on to another one so many times.
const EXPORTS_MAX: usize = 5;

/// A module or a name, by its path from the root of its crate.
type Path = Vec<String>;

/// What a file names of its own crate.
#[derive(Default)]
struct Names {
    used: Vec<Path>,
    /// Names that others find here, and where they come from.
    exported: BTreeMap<String, Path>,
}

/// The module of a file below `src`.
fn module_of(file: &str) -> Path {
    let mut module = segments(&file.trim_end_matches(".rs").replace('/', "::"));
    if module.last().is_some_and(|last| ["lib", "main", "mod"].contains(&last.as_str())) {
        module.pop();
    }
    module
}

fn segments(path: &str) -> Path {
    path.split("::").map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// A source without its comments and its tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let lines = text.lines().map(|line| line.split("// ").next().unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// The trees of the `use` statements, each with whether it re-exports, and the rest of the code.
fn split_uses(code: &str) -> (Vec<(bool, String)>, String) {
    let (mut uses, mut rest) = (Vec::<(bool, String)>::new(), String::new());
    let mut is_open = false;
    for line in code.lines() {
        let statement = line.trim().split_once("use ").filter(|(visibility, _)| {
            let visibility = visibility.trim();
            let is_limited = visibility.starts_with("pub(") && visibility.ends_with(')');
            is_limited || ["", "pub"].contains(&visibility)
        });
        match (statement, uses.last_mut()) {
            (_, Some((_, tree))) if is_open => tree.push_str(line.trim()),
            (Some((visibility, tree)), _) => {
                uses.push((!visibility.is_empty(), tree.to_owned()));
                is_open = true;
            }
            _ => rest = rest + line + "\n",
        }
        is_open &= !line.contains(';');
    }
    let trees = uses.into_iter().map(|(is_export, tree)| {
        let tree = tree.split(';').next().unwrap_or_default().to_owned();
        (is_export, tree)
    });
    (trees.collect(), rest)
}

/// The branches of a `use` tree between braces.
fn branches(list: &str) -> Vec<String> {
    let (mut depth, mut found) = (0, vec![String::new()]);
    for letter in list.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match letter {
            ',' if depth == 0 => found.push(String::new()),
            _ => found.last_mut().unwrap().push(letter),
        }
    }
    found.retain(|branch| !branch.trim().is_empty());
    found
}

/// Every path of a `use` tree, with the name that it has from then on.
fn expand(tree: &str, before: &[String]) -> Vec<(String, Path)> {
    if let Some((start, list)) = tree.split_once('{') {
        let before = [before, &segments(start)].concat();
        let list = list.trim().strip_suffix('}').unwrap_or(list);
        return branches(list).iter().flat_map(|branch| expand(branch, &before)).collect();
    }
    let (path, other_name) = tree.split_once(" as ").unwrap_or((tree, ""));
    let mut path = [before, &segments(path)].concat();
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let name = if other_name.is_empty() { path.last().cloned() } else { Some(other_name.into()) };
    vec![(name.unwrap_or_default().trim().to_owned(), path)]
}

/// The paths that stand in code.
fn inline_paths(code: &str) -> impl Iterator<Item = Path> {
    let words = code.split(|it: char| !it.is_alphanumeric() && it != '_' && it != ':');
    words.filter(|word| word.contains("::") && !word.starts_with(':')).map(segments)
}

/// A path as it is written in a module, from the root of the crate. Nothing for one that leads to
/// another crate.
fn from_root(path: &[String], module: &[String], modules: &BTreeSet<Path>) -> Option<Path> {
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([module, &path[1..]].concat()),
        "super" => {
            let up = path.iter().take_while(|part| *part == "super").count();
            let parent = &module[..module.len().checked_sub(up)?];
            Some([parent, &path[up..]].concat())
        }
        _ => {
            let child = [module, &path[..1]].concat();
            modules.contains(&child).then(|| [module, path].concat())
        }
    }
}

fn names(module: &[String], text: &str, modules: &BTreeSet<Path>) -> Names {
    let mut names = Names::default();
    let (uses, rest) = split_uses(&code(text));
    for (is_export, tree) in uses {
        for (name, path) in expand(&tree, &[]) {
            let Some(path) = from_root(&path, module, modules) else { continue };
            names.used.push(path.clone());
            if is_export {
                names.exported.insert(name, path);
            }
        }
    }
    names.used.extend(inline_paths(&rest).filter_map(|path| from_root(&path, module, modules)));
    names
}

/// The module that has what a path names, wherever that is re-exported.
fn home(path: &[String], all: &BTreeMap<Path, Names>, exports_left: usize) -> Option<Path> {
    let length = (0..=path.len()).rev().find(|length| all.contains_key(&path[..*length]))?;
    let (module, rest) = path.split_at(length);
    let exported = rest.first().and_then(|name| all[module].exported.get(name));
    match exported.filter(|_| exports_left > 0) {
        Some(path) => home(&[path, &rest[1..]].concat(), all, exports_left - 1),
        None => Some(module.to_vec()),
    }
}

/// Every module that can be reached from a module.
fn reached<'a>(from: &'a Path, edges: &'a BTreeMap<Path, BTreeSet<Path>>) -> BTreeSet<&'a Path> {
    let (mut found, mut left) = (BTreeSet::new(), vec![from]);
    while let Some(next) = left.pop() {
        left.extend(edges[next].iter().filter(|to| found.insert(*to)));
    }
    found
}

/// How a module is called.
fn told(module: &Path) -> String {
    if module.is_empty() { "lib".to_owned() } else { module.join("::") }
}

/// The circles among the files of a crate, given by their paths below `src` and their texts.
fn circles(files: &[(&str, &str)]) -> BTreeSet<Vec<String>> {
    let is_test = |file: &str| file.split(['/', '.']).any(|part| part == "tests");
    let files = || files.iter().filter(|(file, _)| !is_test(file));
    let modules: BTreeSet<Path> = files().map(|(file, _)| module_of(file)).collect();
    let mut all: BTreeMap<Path, Names> = BTreeMap::new();
    for (file, text) in files() {
        let module = module_of(file);
        let found = names(&module, text, &modules);
        // `lib.rs` and `main.rs` are both the root.
        let known = all.entry(module).or_default();
        known.used.extend(found.used);
        known.exported.extend(found.exported);
    }
    let edges_of = |(module, names): (&Path, &Names)| {
        let homes = names.used.iter().filter_map(|path| home(path, &all, EXPORTS_MAX));
        (module.clone(), homes.filter(|other| other != module).collect())
    };
    let edges: BTreeMap<Path, BTreeSet<Path>> = all.iter().map(edges_of).collect();
    let reach: BTreeMap<&Path, _> =
        edges.keys().map(|from| (from, reached(from, &edges))).collect();
    let circle = |(from, to): (&&Path, &BTreeSet<&Path>)| {
        let back = to.iter().filter(|other| reach[*other].contains(from));
        let circle: Vec<String> = back.map(|module| told(module)).collect();
        (!circle.is_empty()).then_some(circle)
    };
    reach.iter().filter_map(circle).collect()
}

#[test]
fn no_circle_of_files_is_larger_than_three() {
    let sources = sources();
    let mut crates: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (path, text) in &sources {
        let inside = path.strip_prefix("crates/").and_then(|path| path.split_once("/src/"));
        if let Some((name, file)) = inside {
            crates.entry(name).or_default().push((file, text));
        }
    }
    assert!(crates.len() > 8);
    let mut problems = Vec::new();
    for (name, files) in crates {
        let large = circles(&files).into_iter().filter(|circle| circle.len() > CIRCLE_MAX);
        problems.extend(large.map(|circle| format!("{name}: {}", circle.join(", "))));
    }
    none(problems);
}

#[test]
fn a_circle_is_found_through_imports_re_exports_and_paths_in_code() {
    let files = [
        ("lib.rs", "mod a;\npub mod b;\nmod leaf;\npub use b::{c::Deep, four as other};\n"),
        ("a.rs", "use crate::{\n    b::two::{self, Two},\n    leaf::Leaf,\n};\n"),
        ("b/mod.rs", "pub(crate) mod c;\npub mod two;\npub use c::four;\nfn f() { two::g() }\n"),
        ("b/two.rs", "// use crate::leaf;\nfn g() { super::four::<u8>() }\n"),
        ("b/c.rs", "fn four() -> crate::a::A {}\n"),
        ("leaf.rs", "use std::fmt;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n"),
        ("leaf/tests.rs", "use crate::a::A;\n"),
    ];
    let of = |circle: &[&str]| BTreeSet::from([circle.iter().map(|it| (*it).into()).collect()]);
    assert_eq!(circles(&files), of(&["a", "b::c", "b::two"]));
    let mut back = files;
    back[5].1 = "use super::other;\nuse crate::Deep as D;\n";
    assert_eq!(circles(&back), of(&["a", "b::c", "b::two", "leaf"]));
    back[4].1 = "fn four() {}\n";
    assert_eq!(circles(&back), BTreeSet::new());
}
