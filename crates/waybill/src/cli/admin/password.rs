//! `waybill user password`: gives a user a password, or takes it away. The password comes from
//! standard input, because other programs can see arguments.

use std::io::{self, BufRead, IsTerminal, Write};

use clap::ArgMatches;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use waybill_domain::password::Password;
use waybill_engine::change_password::password_note;
use waybill_engine::passwords;
use waybill_store::passwords as stored;

use super::context::{AdminContext, text};
use super::error::{AdminError, PasswordError};
use super::print::line;
use crate::cli::error::Outcome;

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Outcome {
    let context = AdminContext::open(matches)?;
    let user = context.user(text(matches, "email"))?;
    let (id, note) = (user.id, password_note(&user, context.act()));
    let now = context.now;
    if matches.get_flag("remove") {
        let was_there = context.write(move |tx| {
            let was_there = stored::any_remove(tx, id, now)?;
            if was_there {
                note(tx)?;
            }
            Ok(was_there)
        })?;
        if !was_there {
            return Err(AdminError::from(PasswordError::None).into());
        }
    } else {
        let hash = new_hash(&context, &user.email).map_err(AdminError::from)?;
        let is_set = context.write(move |tx| {
            let is_set = stored::any_set(tx, id, &hash, now)?;
            if is_set {
                note(tx)?;
            }
            Ok(is_set)
        })?;
        if !is_set {
            // Deleted a moment ago.
            return Err(AdminError::NoUser(user.email).into());
        }
    }
    context.print(&line([("user_uuid", id.to_string())]))
}

fn new_hash(context: &AdminContext, email: &str) -> Result<String, PasswordError> {
    let typed = if io::stdin().is_terminal() { ask_twice()? } else { first_line()? };
    let password = Password::chosen(&typed, email)?;
    Ok(passwords::hash(&password, &context.ids)?)
}

fn first_line() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let line = line.strip_suffix('\n').unwrap_or(&line);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}

fn ask_twice() -> Result<String, PasswordError> {
    let _unseen = Unseen::begin()?;
    let first = ask("New password: ")?;
    let second = ask("The same again: ")?;
    if first == second { Ok(first) } else { Err(PasswordError::Different) }
}

fn ask(question: &str) -> io::Result<String> {
    let mut terminal = io::stderr();
    write!(terminal, "{question}")?;
    terminal.flush()?;
    let typed = first_line()?;
    // What ended the line was not shown either.
    writeln!(terminal)?;
    Ok(typed)
}

/// While this is there the terminal does not show what is typed.
struct Unseen(Termios);

impl Unseen {
    fn begin() -> io::Result<Unseen> {
        let before = tcgetattr(io::stdin())?;
        let mut unseen = before.clone();
        unseen.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Flush, &unseen)?;
        Ok(Unseen(before))
    }
}

impl Drop for Unseen {
    fn drop(&mut self) {
        // A terminal that took the one takes the other.
        let _same = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}
