//! Lists in settings that change some of the values of a table: `webhooks=200,templates=5000`.

/// Why a list is not taken.
#[derive(PartialEq, Eq, Debug)]
pub enum ListFault<'a> {
    /// This part has no `=`.
    NoValue(&'a str),
    /// The table has nothing of this name.
    Unknown(&'a str),
    /// What stands in this place of the table is given twice.
    Twice(usize),
}

/// The changes: for each its place in the table of these names, and the text of its value.
pub fn read_changes<'a>(
    list: &'a str,
    names: &[&str],
) -> Result<Vec<(usize, &'a str)>, ListFault<'a>> {
    let mut changes: Vec<(usize, &str)> = Vec::new();
    for change in list.split(',').map(str::trim).filter(|change| !change.is_empty()) {
        let (name, value) = change.split_once('=').ok_or(ListFault::NoValue(change))?;
        let (name, value) = (name.trim(), value.trim());
        let index = names.iter().position(|known| *known == name);
        let index = index.ok_or(ListFault::Unknown(name))?;
        if changes.iter().any(|(seen, _)| *seen == index) {
            return Err(ListFault::Twice(index));
        }
        changes.push((index, value));
    }
    Ok(changes)
}
