//! The key file: one key a line in 64 hexadecimal digits, the newest first. Blank lines and lines
//! that begin with `#` say nothing. A line `next …` holds a key that opens and verifies already but
//! does not sign yet: it is given to all servers before the first of them begins to use it.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use waybill_domain::ids::IdSource;

use super::{KeyFault, KeyFileError, KeyId, Keys, encode};

/// More keys than anybody needs, and few enough to try them all.
pub(super) const KEYS_MAX: usize = 32;
const NEXT: &str = "next ";

/// How a ring is turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A new key is put on the ring, which is not used yet.
    Prepare,
    /// The key that was prepared becomes the first, or a new one when none was.
    Rotate,
}

fn explain(path: &Path, fault: impl Into<KeyFault>) -> KeyFileError {
    KeyFileError { path: path.to_owned(), fault: fault.into() }
}

pub(super) fn load(path: &Path) -> Result<Keys, KeyFileError> {
    let text = read(path).map_err(|error| explain(path, error))?;
    parse(&text).map_err(|error| explain(path, error))
}

pub(super) fn find(path: &Path) -> Result<Option<Keys>, KeyFileError> {
    match read(path) {
        Ok(text) => {
            let keys = parse(&text).map_err(|error| explain(path, error))?;
            warn_if_others_read(path);
            Ok(Some(keys))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            probe(path).map(|()| None).map_err(|error| explain(path, error))
        }
        Err(error) => Err(explain(path, error)),
    }
}

/// Whoever reads the keys opens every credential and signs for us.
fn warn_if_others_read(path: &Path) {
    let mode = std::fs::metadata(path).map_or(0, |found| found.mode());
    if mode & 0o077 != 0 {
        tracing::warn!(
            path = %path.display(),
            mode = format!("{:o}", mode & 0o777),
            "others can read the secret key file: run chmod 600 on it"
        );
    }
}

/// Whether a file can be made there. Two who ask at once get the same answer.
fn probe(path: &Path) -> std::io::Result<()> {
    let probe = path.with_extension("probe");
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&probe) {
        Ok(_) => std::fs::remove_file(&probe),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

pub(super) fn load_or_create(path: &Path, ids: &dyn IdSource) -> Result<Keys, KeyFileError> {
    match read(path) {
        Ok(text) => parse(&text).map_err(|error| explain(path, error)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let master = generate(ids);
            let text = format!("{}\n", encode(&master));
            write(path, &text, None).map_err(|error| explain(path, error))?;
            Ok(Keys::new(master))
        }
        Err(error) => Err(explain(path, error)),
    }
}

pub(super) fn rotate(path: &Path, turn: Turn, ids: &dyn IdSource) -> Result<KeyId, KeyFileError> {
    let text = read(path).map_err(|error| explain(path, error))?;
    parse(&text).map_err(|error| explain(path, error))?;
    let (text, master) = turned(&text, turn, generate(ids)).map_err(|why| explain(path, why))?;
    parse(&text).map_err(|error| explain(path, error))?;
    let owner = std::fs::metadata(path).map_err(|error| explain(path, error))?;
    let owner = Some((owner.uid(), owner.gid()));
    write(path, &text, owner).map_err(|error| explain(path, error))?;
    Ok(Keys::new(master).first.id())
}

fn generate(ids: &dyn IdSource) -> [u8; 32] {
    let mut master = [0; 32];
    ids.fill(&mut master);
    master
}

fn read(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    File::open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// A line of the file with something to say.
enum Line {
    Key([u8; 32]),
    Next([u8; 32]),
}

fn read_line(line: &str) -> Option<Result<Line, ()>> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let key = match line.strip_prefix(NEXT) {
        Some(key) => decode(key.trim()).map(Line::Next),
        None => decode(line).map(Line::Key),
    };
    Some(key.ok_or(()))
}

fn parse(text: &str) -> Result<Keys, KeyFault> {
    let (mut keys, mut next) = (Vec::new(), None);
    for (index, line) in text.lines().enumerate() {
        match read_line(line) {
            None => {}
            Some(Ok(Line::Key(key))) => keys.push(key),
            Some(Ok(Line::Next(key))) if next.is_none() => next = Some(key),
            Some(Ok(Line::Next(_))) => return Err(KeyFault::TwoNext),
            Some(Err(())) => return Err(KeyFault::Line(index + 1)),
        }
    }
    if keys.len() > KEYS_MAX {
        return Err(KeyFault::TooMany);
    }
    let mut keys = keys.into_iter();
    let first = keys.next().ok_or(KeyFault::NoKey)?;
    let keys = keys.chain(next);
    Ok(keys.fold(Keys::new(first), Keys::opening))
}

/// The text of the file after a turn, comments and all, and the key that it brought or promoted.
fn turned(text: &str, turn: Turn, fresh: [u8; 32]) -> Result<(String, [u8; 32]), KeyFault> {
    let is_next = |line: &&str| matches!(read_line(line), Some(Ok(Line::Next(_))));
    let next = text.lines().find_map(|line| match read_line(line) {
        Some(Ok(Line::Next(key))) => Some(key),
        _ => None,
    });
    let mut lines: Vec<String> =
        text.lines().filter(|line| !is_next(line)).map(str::to_owned).collect();
    let key = match (turn, next) {
        (Turn::Prepare, Some(_)) => return Err(KeyFault::Prepared),
        (Turn::Prepare, None) => {
            lines.push(format!("{NEXT}{}", encode(&fresh)));
            fresh
        }
        (Turn::Rotate, next) => {
            let key = next.unwrap_or(fresh);
            let is_key = |line: &String| matches!(read_line(line), Some(Ok(Line::Key(_))));
            let first = lines.iter().position(is_key).unwrap_or(lines.len());
            lines.insert(first, encode(&key));
            key
        }
    };
    Ok((lines.join("\n") + "\n", key))
}

/// As many links as Linux follows.
const LINKS_MAX: usize = 40;

/// Writes the whole file under another name first, so that a crash leaves the old one or the new
/// one, and two who write at once do not lose a key of each other.
fn write(path: &Path, text: &str, owner: Option<(u32, u32)>) -> std::io::Result<()> {
    let path = &follow_links(path);
    let draft = path.with_extension("draft");
    let explain = |error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => std::io::Error::other(format!(
            "somebody else is writing it, or was cut off: remove {} when nobody is",
            draft.display()
        )),
        _ => error,
    };
    let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft);
    let mut file = opened.map_err(explain)?;
    let fill = |file: &mut File| {
        file.write_all(text.as_bytes())?;
        if let Some((user, group)) = owner {
            std::os::unix::fs::fchown(&*file, Some(user), Some(group))?;
        }
        file.sync_all()?;
        std::fs::rename(&draft, path)
    };
    fill(&mut file).inspect_err(|_| {
        // What could not be finished must not stand in the way of the next attempt.
        let _gone = std::fs::remove_file(&draft);
    })?;
    File::open(folder(path))?.sync_all()
}

/// The file that links lead to, whether it is there or not. Whoever linked it wants it there.
fn follow_links(path: &Path) -> PathBuf {
    let mut file = path.to_owned();
    for _ in 0..LINKS_MAX {
        let Ok(target) = std::fs::read_link(&file) else { break };
        file = folder(&file).join(target);
    }
    file
}

fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn decode(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; 32];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[index * 2..index * 2 + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(byte: u8) -> String {
        encode(&[byte; 32])
    }

    fn ids(masters: &[u8]) -> Vec<KeyId> {
        masters.iter().flat_map(|byte| Keys::new([*byte; 32]).ids()).collect()
    }

    #[test]
    fn a_key_is_exactly_64_hexadecimal_digits() {
        assert_eq!(decode(&encode(&[9; 32])), Some([9; 32]));
        for bad in ["", "zz", &"g".repeat(64), &"0".repeat(63), &"é".repeat(32)] {
            assert_eq!(decode(bad), None);
        }
    }

    #[test]
    fn a_file_holds_one_key_or_several_with_comments() {
        assert_eq!(parse(&hex(1)).unwrap().ids(), ids(&[1]));
        let text = format!("# ours\n{}\n\n  {}  \nnext {}\n", hex(2), hex(1), hex(3));
        assert_eq!(parse(&text).unwrap().ids(), ids(&[2, 1, 3]));
        for (bad, words) in [
            ("# nothing\n".to_owned(), "holds no key"),
            (format!("{}\n12\n", hex(1)), "line 2 must hold 64"),
            (format!("next {}\n", hex(1)), "holds no key"),
            (format!("{}\nnext {}\nnext {}\n", hex(1), hex(2), hex(3)), "only one key"),
            (format!("{}\n", hex(1)).repeat(KEYS_MAX + 1), "more than"),
        ] {
            let error = parse(&bad).unwrap_err().to_string();
            assert!(error.contains(words) && !error.contains(&hex(1)), "{error}");
        }
    }

    #[test]
    fn a_turn_keeps_every_key_and_every_comment() {
        let text = format!("# ours\n{}\n# the first\n{}", hex(2), hex(1));
        let (prepared, key) = turned(&text, Turn::Prepare, [3; 32]).unwrap();
        assert_eq!(key, [3; 32]);
        assert_eq!(parse(&prepared).unwrap().ids(), ids(&[2, 1, 3]));
        assert!(turned(&prepared, Turn::Prepare, [4; 32]).is_err());
        let (rotated, key) = turned(&prepared, Turn::Rotate, [4; 32]).unwrap();
        assert_eq!(key, [3; 32]);
        assert_eq!(parse(&rotated).unwrap().ids(), ids(&[3, 2, 1]));
        let (again, key) = turned(&rotated, Turn::Rotate, [4; 32]).unwrap();
        assert_eq!(key, [4; 32]);
        let expected =
            format!("# ours\n{}\n{}\n{}\n# the first\n{}\n", hex(4), hex(3), hex(2), hex(1));
        assert_eq!(again, expected);
    }
}
