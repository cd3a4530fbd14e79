//! The command lines of the pages that tell people what to type: found in their text, so that a new
//! line is run without being listed here.

use std::path::Path;

/// The pages, from the root of the repository.
const PAGES: [&str; 5] = [
    "docs/operations.md",
    "docs/integrating.md",
    "docs/legacy.md",
    "docs/warehouse.md",
    "README.md",
];

/// Every `waybill …` on a page, each once, in the order of the pages: lines of code blocks, and
/// what stands between backticks in the text.
pub fn command_lines() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found: Vec<String> = Vec::new();
    for page in PAGES {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        for line in lines_of(&text) {
            if !found.contains(&line) {
                found.push(line);
            }
        }
    }
    found
}

fn lines_of(page: &str) -> Vec<String> {
    let (mut found, mut text, mut is_fenced) = (Vec::new(), String::new(), false);
    // A line of code that ends with a backslash goes on in the next.
    let page = page.replace("\\\n", " ");
    for line in page.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        let is_code = is_fenced || line.starts_with("    ");
        if is_code && !is_fence {
            let line = line.trim();
            found.extend(is_command(line).then(|| line.to_owned()));
        } else if is_fence || line.trim().is_empty() {
            found.extend(quoted(&std::mem::take(&mut text)));
        } else {
            text.push_str(line.trim());
            text.push(' ');
        }
    }
    found.extend(quoted(&text));
    found
}

/// Every metric that the operations page names.
pub fn metrics() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let names = rows.filter_map(|row| row.split('`').next());
    let is_metric = |name: &&str| name.starts_with("waybill_") || name.starts_with("process_");
    names.filter(is_metric).map(str::to_owned).collect()
}

/// What a paragraph has between backticks, which may begin on one line and end on the next.
fn quoted(paragraph: &str) -> Vec<String> {
    let parts = paragraph.split('`').skip(1).step_by(2);
    parts.map(str::trim).filter(|part| is_command(part)).map(str::to_owned).collect()
}

fn is_command(line: &str) -> bool {
    line.starts_with("waybill ")
}

#[test]
fn the_operations_page_lists_every_scope() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations.md");
    let page = std::fs::read_to_string(page).unwrap();
    let table: String = page.lines().filter(|line| line.starts_with("| `")).collect();
    for scope in waybill_domain::access::Scope::ALL {
        assert!(table.contains(&format!("`{scope}`")), "{scope}");
    }
}

#[test]
fn command_lines_are_found_in_blocks_and_between_backticks() {
    let page = "Run `waybill check` or `waybill key\nlist`, see `waybill_jobs`:\n\n    waybill a \\\n\
                \x20     --b\n    curl x\n\n```sh\nwaybill c | head -1\n```\n`waybill.key` ends.\n";
    let found = lines_of(page);
    assert_eq!(
        found,
        ["waybill check", "waybill key list", "waybill a        --b", "waybill c | head -1"]
    );
}
