//! What commands print. Whoever reads it may go away, as `head` does: then there is nothing left to
//! do, and the command ends as other programs do that write into a closed pipe.

use std::fmt::Arguments;
use std::io::{Error, ErrorKind, Write, stderr, stdout};

/// What a shell tells of a program that SIGPIPE ended: 128 and the number of the signal.
const BROKEN_PIPE: i32 = 128 + 13;

/// Prints a line on standard output.
pub fn line(words: Arguments<'_>) {
    if let Err(error) = writeln!(stdout(), "{words}") {
        end(&error);
    }
}

/// Prints a line on standard error. Nobody can be told that this failed.
pub fn complain(words: Arguments<'_>) {
    let _unheard = writeln!(stderr(), "{words}");
}

/// Ends the program because standard output takes nothing more.
fn end(error: &Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(BROKEN_PIPE);
    }
    complain(format_args!("waybill: standard output: {error}"));
    std::process::exit(1);
}
