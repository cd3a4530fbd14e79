//! Limits and layering, read off the sources. A limit is raised only here, where a review sees it.

mod names;

use std::fs;
use std::path::{Path, PathBuf};

use waybill_carriers::registry::CARRIERS;

const FILE_MAX: usize = 500;
const FUNCTION_MAX: usize = 70;
const LINE_MAX: usize = 100;
/// Statements that may have two texts, one for each database.
const BOTH_MAX: usize = 5;
/// The translation layer stays small enough to be read in one sitting.
const SQL_LAYER_MAX: usize = 300;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every Rust source of ours: path from the root, and text.
pub fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in ["crates", "bench", "fuzz"] {
        collect(&root().join(folder), &mut found);
    }
    assert!(found.len() > 40);
    found
}

fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs") || path.contains("/testing")
}

/// The part of a source before its test module.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text)
}

#[track_caller]
pub fn none(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn files_and_lines_are_short() {
    let mut problems = Vec::new();
    for (path, text) in sources() {
        let lines = code(&text).lines().count();
        if lines > FILE_MAX {
            problems.push(format!("{path} has {lines} lines"));
        }
        for (index, line) in text.lines().enumerate() {
            let is_data = line.contains('"') && (is_test(&path) || index >= lines);
            if line.chars().count() > LINE_MAX && !is_data && !line.contains("setting(\"") {
                problems.push(format!("{path}:{} is longer than {LINE_MAX}", index + 1));
            }
        }
    }
    none(problems);
}

/// Whether a function begins with this line, whoever may see it.
fn is_function(line: &str) -> bool {
    let is_said_before =
        |word: &&str| word.starts_with("pub") || ["const", "async", "unsafe"].contains(word);
    let mut words = line.split(' ').skip_while(|word| {
        is_said_before(word) || ["super)", "crate)"].iter().any(|end| word.ends_with(end))
    });
    words.next() == Some("fn")
}

#[test]
fn functions_fit_on_one_screen() {
    let mut problems = Vec::new();
    for (path, text) in sources() {
        let mut open: Option<(usize, usize, String)> = None;
        for (index, line) in text.lines().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let words = line.trim_start();
            if is_function(words) && open.is_none() && !words.ends_with(';') {
                open = Some((index, indent, words.to_owned()));
            }
            let closes = words == "}" || words == "};";
            if let Some((start, at, name)) = open.clone().filter(|_| closes)
                && at == indent
            {
                if index - start + 1 > FUNCTION_MAX {
                    problems.push(format!("{path}:{} {name} is too long", start + 1));
                }
                open = None;
            }
        }
    }
    none(problems);
}

/// The numbered rules of the contract about booking and documents. Those that tell a client or an
/// author what to do are left out: the first of the service's, and the last of a shipment's.
const RULES: [(&str, std::ops::RangeInclusive<u32>); 11] = [
    ("Service", 2..=7),
    ("Booking flow", 1..=9),
    ("Carrier roles", 1..=10),
    ("Parties and delivery", 1..=3),
    ("Measurement objects", 1..=7),
    ("Shipment", 1..=5),
    ("Sync", 1..=6),
    ("Document", 1..=6),
    ("Idempotency-Key", 1..=9),
    ("Errors", 1..=8),
    ("Tracking feed", 1..=9),
];

/// The rules that a line such as `// Rules: Booking flow 1, 4; Service 4: why` names.
fn named(line: &str) -> Vec<(String, u32)> {
    let Some(list) = line.trim_start().strip_prefix("// Rules: ") else { return Vec::new() };
    let list = list.split(':').next().unwrap_or_default().trim_end_matches('.');
    let mut all = Vec::new();
    for part in list.split(';').map(str::trim) {
        let digits = part.find(|letter: char| letter.is_ascii_digit()).unwrap_or(part.len());
        let (section, numbers) = part.split_at(digits);
        for number in numbers.split(',').map(str::trim) {
            let number = number.parse().unwrap_or_else(|_| panic!("{line}"));
            all.push((section.trim().to_owned(), number));
        }
    }
    all
}

#[test]
fn every_rule_about_booking_has_a_test_that_names_it() {
    let tested: Vec<(String, u32)> =
        sources().iter().flat_map(|(_, text)| text.lines().flat_map(named)).collect();
    let mut problems = Vec::new();
    for (section, numbers) in RULES {
        for number in numbers {
            if !tested.contains(&(section.to_owned(), number)) {
                problems.push(format!("no test names the rule {section} {number}"));
            }
        }
    }
    for (section, number) in &tested {
        let is_known = RULES.iter().any(|(name, all)| name == section && all.contains(number));
        if !is_known {
            problems.push(format!("there is no rule {section} {number}"));
        }
    }
    none(problems);
}

#[test]
fn every_module_says_what_it_is_for() {
    let missing = |(path, text): &(String, String)| {
        let is_part = path.ends_with("/tests.rs");
        (!is_part && !text.starts_with("//!")).then(|| format!("{path} has no `//!` header"))
    };
    none(sources().iter().filter_map(missing).collect());
}

#[test]
fn sql_is_only_in_the_store_and_in_the_spool_of_an_agent() {
    let verbs = ["SELECT ", "INSERT INTO ", "DELETE FROM ", "UPDATE "];
    let mut problems = Vec::new();
    for (path, text) in sources() {
        // An agent's spool has tables of its own, and SQLite alone: the store, which speaks
        // to two and belongs to the server, is not taken to warehouses for it.
        let is_home = ["crates/store/", "crates/agent/src/spool/", "bench/"];
        if is_home.iter().any(|home| path.starts_with(home)) || is_test(&path) {
            continue;
        }
        for (index, line) in text.lines().enumerate() {
            let is_comment = line.trim_start().starts_with("//");
            if !is_comment && verbs.iter().any(|verb| line.contains(&format!("\"{verb}"))) {
                problems.push(format!("{path}:{} has SQL", index + 1));
            }
        }
    }
    none(problems);
}

/// Which crates of ours a crate may use. The compiler keeps to what the manifests say.
const ARROWS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("outbound", &["domain"]),
    ("replay", &["domain", "outbound"]),
    ("sandbox", &["domain"]),
    ("sandbox-printer", &["domain", "printing"]),
    ("paper", &["domain"]),
    ("store", &["domain"]),
    ("oracle", &["domain"]),
    ("carriers", &["domain", "outbound"]),
    ("printing", &["domain", "outbound"]),
    ("agent", &["domain", "outbound", "printing"]),
    ("engine", &["carriers", "domain", "outbound", "paper", "printing", "store"]),
    ("api", &["carriers", "domain", "engine", "outbound", "paper", "printing", "store"]),
    ("worker", &["carriers", "domain", "engine", "outbound", "paper", "printing", "store"]),
    (
        "waybill",
        &[
            "agent",
            "api",
            "carriers",
            "domain",
            "engine",
            "outbound",
            "paper",
            "printing",
            "replay",
            "sandbox",
            "sandbox-printer",
            "store",
            "worker",
        ],
    ),
];

/// What only those crates may use that are made for it.
const FOREIGN: &[(&str, &[&str])] = &[
    ("axum", &["api"]),
    (
        "tokio",
        &[
            "outbound",
            "carriers",
            "printing",
            "replay",
            "sandbox",
            "sandbox-printer",
            "store",
            "agent",
            "engine",
            "api",
            "worker",
            "waybill",
        ],
    ),
    ("rusqlite", &["agent", "store"]),
    ("postgres", &["store"]),
    ("clap", &["waybill"]),
    ("rustls", &["outbound", "store"]),
];

/// The dependencies of a crate that are not for its tests alone.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = root().join(format!("crates/{name}/Cargo.toml"));
    let text = std::fs::read_to_string(manifest).unwrap();
    let section = text.split("\n[").find(|section| section.starts_with("dependencies]")).unwrap();
    let names = section.lines().skip(1).filter_map(|line| line.split(['.', ' ']).next());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[test]
fn crates_use_only_what_they_may() {
    let mut problems = Vec::new();
    let folders = std::fs::read_dir(root().join("crates")).unwrap();
    for name in folders.map(|folder| folder.unwrap().file_name().into_string().unwrap()) {
        let Some((_, allowed)) = ARROWS.iter().find(|(crate_name, _)| *crate_name == name) else {
            problems.push(format!("{name} has no arrows"));
            continue;
        };
        for used in dependencies(&name) {
            let is_ours = used.strip_prefix("waybill-");
            if is_ours.is_some_and(|used| !allowed.contains(&used)) {
                problems.push(format!("{name} uses {used}"));
            }
            let makers = FOREIGN.iter().find(|(foreign, _)| *foreign == used);
            if makers.is_some_and(|(_, makers)| !makers.contains(&name.as_str())) {
                problems.push(format!("{name} uses {used}"));
            }
        }
    }
    none(problems);
}

/// A permit is the right to send. Only the store makes one, and the mistake that is planted on
/// purpose.
#[test]
fn a_permit_is_made_only_with_a_committed_intent() {
    let makes = |(path, text): &(String, String)| {
        let is_made = code(text).contains("Permit::for_committed_intent(");
        (is_made && !is_test(path)).then(|| path.clone())
    };
    let makers: Vec<String> = sources().iter().filter_map(makes).collect();
    assert_eq!(makers, ["crates/engine/src/planted.rs", "crates/store/src/carrier_calls.rs"]);
}

/// A carrier is a folder and a line. Only the command line knows the sandbox by name: it runs the
/// carrier itself.
#[test]
fn only_the_registry_names_a_carrier() {
    let may_name = ["carriers/", "sandbox/", "waybill/src/cli/", "waybill/src/config.rs"];
    let mut problems = Vec::new();
    for (path, text) in sources() {
        let inside = path.strip_prefix("crates/").unwrap_or("bench");
        let is_free = inside == "bench" || may_name.iter().any(|it| inside.starts_with(it));
        if is_free || is_test(&path) {
            continue;
        }
        for row in CARRIERS {
            let names = [format!("\"{}\"", row.code), format!("\"{}:", row.code)];
            if names.iter().any(|name| code(&text).contains(name.as_str())) {
                problems.push(format!("{path} names the carrier {}", row.code));
            }
        }
    }
    none(problems);
}

#[test]
fn answers_reach_a_test_only_through_the_oracle() {
    let readers = ["ServiceExt", "AsyncReadExt", "BodyExt", "hyper::client"];
    let may_read = |path: &str| {
        // Those who hear from us, and what is not ours: a bucket, a proxy, the way to a carrier or
        // to a printer.
        let hears = [
            "receiver.rs",
            "bucket.rs",
            "harness/proxy.rs",
            "harness/front.rs",
            "harness/echo.rs",
            "webhooks/tls.rs",
            "extra_carrier/service.rs",
            "crash/print/line.rs",
        ];
        let asks = ["harness/answers.rs", "harness/socket.rs", "crash/http.rs"];
        hears.iter().chain(&asks).any(|file| path.ends_with(file))
    };
    let is_ours = |path: &str| {
        let rooms = ["crates/waybill/tests/", "bench/tests/", "bench/src/crash/"];
        rooms.iter().any(|room| path.starts_with(room)) && !path.ends_with("/tidy.rs")
    };
    let uses = |(path, text): &(String, String)| {
        let reader = readers.iter().find(|reader| text.contains(*reader))?;
        (is_ours(path) && !may_read(path)).then(|| format!("{path} uses {reader}"))
    };
    none(sources().iter().filter_map(uses).collect());
}

#[test]
fn team_data_is_reached_only_through_the_team() {
    let mut problems = Vec::new();
    let teamless = ["users.rs", "meta.rs", "check.rs"];
    for (path, text) in sources().iter().filter(|(path, _)| path.starts_with("crates/store/src/")) {
        if text.contains("pub fn insert(tx") && !teamless.iter().any(|file| path.ends_with(file)) {
            for line in code(text).lines().filter(|line| line.starts_with("pub fn ")) {
                let name = line.trim_start_matches("pub fn ").split('(').next().unwrap();
                let is_open =
                    name.starts_with("any_") || name == "insert" || name == "list_of_user";
                let names_team = line.contains("team: TeamId") || line.ends_with('(');
                if line.contains("tx") && !is_open && !names_team {
                    problems.push(format!("{path}: {name} takes no team and is not any_{name}"));
                }
            }
        }
    }
    none(problems);
}

#[test]
fn the_sql_layer_stays_small_and_statements_stay_shared() {
    let mut twice = 0;
    for (path, text) in sources() {
        if path == "crates/store/src/sql.rs" {
            assert!(code(&text).lines().count() <= SQL_LAYER_MAX, "{path} has grown");
        }
        if path.starts_with("crates/store/src/") {
            twice += text.matches("Both {").count();
        }
    }
    assert!(twice <= BOTH_MAX, "{twice} statements have two texts");
}

#[test]
fn a_state_is_given_to_a_sentence_only_for_choosing_its_words() {
    let mut problems = Vec::new();
    for (path, text) in sources() {
        for (index, line) in code(&text).lines().enumerate().filter(|_| !is_test(&path)) {
            let Some((_, filled)) = line.split_once(".text(\"") else { continue };
            let name = filled.split('"').next().unwrap_or_default();
            if filled.contains("state") && name != "state" {
                let place = format!("{path}:{}", index + 1);
                problems.push(format!("{place}: call the blank \"state\" and choose by it"));
            }
        }
    }
    none(problems);
}

#[test]
fn nothing_is_left_for_later_without_saying_so() {
    // Written in halves, so that this list does not find itself.
    let marks = [["TO", "DO"], ["FIX", "ME"], ["HA", "CK"], ["#[ig", "nore"], ["#[al", "low("]];
    let marks = marks.map(|halves| halves.concat());
    let mut problems = Vec::new();
    for (path, text) in sources() {
        for (index, line) in text.lines().enumerate() {
            let is_left = marks.iter().any(|mark| line.contains(mark.as_str()));
            if is_left {
                problems.push(format!("{path}:{}: {}", index + 1, line.trim()));
            }
        }
    }
    none(problems);
}

#[test]
fn every_source_is_part_of_a_crate() {
    let all = sources();
    let mut problems = Vec::new();
    for (path, _) in &all {
        let file = Path::new(path);
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        let is_build =
            path.strip_suffix("/build.rs").is_some_and(|home| home.split('/').count() == 2);
        let is_root = ["main", "lib", "mod"].contains(&stem.as_str())
            || is_build
            || path.starts_with("fuzz/fuzz_targets/");
        let declaration = format!("mod {stem};");
        let is_declared = all.iter().any(|(_, text)| text.contains(&declaration));
        if !is_root && !is_declared {
            problems.push(format!("{path} is reachable from no `mod`"));
        }
    }
    none(problems);
}

/// The arguments of a generic type, from behind its `<`.
fn type_arguments(text: &str) -> Vec<String> {
    let (mut depth, mut before) = (0, ' ');
    let mut arguments = vec![String::new()];
    for letter in text.chars() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            // The head of an arrow closes nothing.
            '>' if before == '-' => {}
            '>' | ')' | ']' if depth == 0 => break,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        match letter {
            ',' if depth == 0 => arguments.push(String::new()),
            _ => arguments.last_mut().unwrap().push(letter),
        }
        before = letter;
    }
    arguments.iter().map(|argument| argument.trim().to_owned()).collect()
}

/// The lines of a source that name a result whose error is a text.
fn text_errors(text: &str) -> Vec<usize> {
    let starts = ["Result<", "Result::<", "Ok::<", "Err::<"];
    let starts = starts.iter().flat_map(|start| text.match_indices(start));
    let is_text = |(at, start): &(usize, &str)| {
        let arguments = type_arguments(&text[at + start.len()..]);
        let error = arguments.get(1).map(|error| error.rsplit("::").next().unwrap());
        matches!(error, Some("String" | "&'static str" | "&str" | "Box<str>"))
    };
    let found = starts.filter(is_text).map(|(at, _)| text[..at].matches('\n').count() + 1);
    found.collect()
}

#[test]
fn errors_are_types_not_texts() {
    let planted = "fn a() -> Result<(u8, Box<dyn Fn(u8) -> u8>), String>\n\
        fn b() -> Result<\n    Vec<Result<u8, Error>>,\n    std::string::String,\n>\n\
        fn c() -> Result<HashMap<String, String>, Error> { Ok::<_, String>(1) }";
    assert_eq!(text_errors(planted), [1, 2, 6]);
    let mut problems = Vec::new();
    for (path, text) in sources() {
        let Some((name, inside)) = path.strip_prefix("crates/").and_then(|it| it.split_once('/'))
        else {
            continue;
        };
        let is_exempt = name == "oracle";
        if inside.starts_with("src/") && !is_exempt && !is_test(&path) {
            let lines = text_errors(code(&text)).into_iter();
            problems.extend(lines.map(|line| format!("{path}:{line} has a text for an error")));
        }
    }
    none(problems);
}
