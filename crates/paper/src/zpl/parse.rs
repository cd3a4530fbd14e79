//! ZPL into commands, the way a printer reads it.
//!
//! Beside `^` and `~` a printer listens to their control characters, so this reader does too:
//! whatever it sees as one command, no printer sees as two.

/// One command with what follows it, up to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Command<'a> {
    /// `^` or `~`.
    pub prefix: u8,
    /// Two letters in capitals; `A` and a space for the font command.
    pub name: [u8; 2],
    pub rest: &'a [u8],
}

impl<'a> Command<'a> {
    /// The parameters, which are separated by commas.
    pub fn parameters(&self) -> impl Iterator<Item = &'a [u8]> {
        self.rest.split(|byte| matches!(byte, b',' | 0x1f)).map(<[u8]>::trim_ascii)
    }

    /// A parameter as a whole number.
    pub fn number(&self, index: usize) -> Option<i64> {
        let text = std::str::from_utf8(self.parameters().nth(index)?).ok()?;
        text.parse().ok()
    }

    /// `^XA` as text.
    pub fn title(&self) -> String {
        let name = String::from_utf8_lossy(&self.name);
        format!("{}{}", char::from(self.prefix), name.trim_end())
    }
}

fn prefix(byte: u8) -> Option<u8> {
    match byte {
        b'^' | 0x1e => Some(b'^'),
        b'~' | 0x10 => Some(b'~'),
        _ => None,
    }
}

/// The commands, and the bytes before the first one.
pub(crate) fn commands(bytes: &[u8]) -> (&[u8], impl Iterator<Item = Command<'_>>) {
    let first = bytes.iter().position(|byte| prefix(*byte).is_some()).unwrap_or(bytes.len());
    let (before, mut rest) = bytes.split_at(first);
    let commands = std::iter::from_fn(move || {
        let (start, after) = rest.split_first()?;
        let end = after.iter().position(|byte| prefix(*byte).is_some()).unwrap_or(after.len());
        let (body, following) = after.split_at(end);
        rest = following;
        Some(command(prefix(*start)?, body))
    });
    (before, commands)
}

fn command(prefix: u8, body: &[u8]) -> Command<'_> {
    let letter = |index: usize| body.get(index).map_or(b' ', u8::to_ascii_uppercase);
    // The font command has one letter; the next one is the font's name.
    if prefix == b'^' && letter(0) == b'A' {
        return Command { prefix, name: [b'A', b' '], rest: body.get(1..).unwrap_or_default() };
    }
    Command { prefix, name: [letter(0), letter(1)], rest: body.get(2..).unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_prefixes_too() {
        let (before, commands) = commands(b"! U1\x1exa^A0N,30\x10JR~hs^FDa,b");
        assert_eq!(before, b"! U1");
        let titles: Vec<String> = commands.map(|command| command.title()).collect();
        assert_eq!(titles, ["^XA", "^A", "~JR", "~HS", "^FD"]);
    }
}
