//! What commands print. Whoever reads it may go away, as `head` does: then there is nothing left to
//! do, and the command ends as other programs do that write into a closed pipe.

use std::borrow::Cow;
use std::fmt::Arguments;
use std::io::{Error, ErrorKind, Write, stderr, stdout};

use waybill_domain::patterns::is_control;

/// What a shell tells of a program that SIGPIPE ended: 128 and the number of the signal.
const BROKEN_PIPE: i32 = 128 + 13;

/// Prints a line on standard output.
pub fn line(words: Arguments<'_>) {
    if let Err(error) = writeln!(stdout(), "{}", inert(&words.to_string())) {
        end(&error);
    }
}

/// Prints a line on standard error. Nobody can be told that this failed.
pub fn complain(words: Arguments<'_>) {
    let _unheard = writeln!(stderr(), "{}", inert(&words.to_string()));
}

/// A text of others as a part of a line: what would move a cursor, turn the reading direction or
/// begin a line of its own is written out.
pub fn escaped(text: &str) -> Cow<'_, str> {
    replaced(text, is_control)
}

/// The same for whole output, which has lines.
fn inert(text: &str) -> Cow<'_, str> {
    replaced(text, |c| is_control(c) && !matches!(c, '\n' | '\t'))
}

/// The form of JSON, because some of what is printed is that.
fn replaced(text: &str, is_odd: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_odd) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_odd(c) {
            true => plain.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// Ends the program because standard output takes nothing more.
fn end(error: &Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(BROKEN_PIPE);
    }
    complain(format_args!("waybill: standard output: {error}"));
    std::process::exit(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_wrote_cannot_steer_a_terminal() {
        assert_eq!(
            escaped("\u{1b}[2J\u{9b}1m\u{202e}ø\r\n"),
            "\\u001b[2J\\u009b1m\\u202eø\\u000d\\u000a"
        );
        assert_eq!(inert("a\tb\nc\u{7}"), "a\tb\nc\\u0007");
        assert!(matches!(inert("Smørrebrød 書籍"), Cow::Borrowed(_)));
    }
}
