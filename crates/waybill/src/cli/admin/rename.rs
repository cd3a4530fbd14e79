//! `waybill user rename` and `waybill team rename`.

use clap::ArgMatches;
use waybill_domain::audit::{Action, Changes, Subject};
use waybill_store::{audit, teams, users};

use super::context::{AdminContext, name, text};
use super::print::line;
use crate::cli::error::Outcome;

/// Gives a user another name.
pub fn user(context: &AdminContext, matches: &ArgMatches) -> Outcome {
    let new = name(text(matches, "name"))?;
    let id = context.user(text(matches, "email"))?.id;
    let (act, shown) = (context.act(), new.clone());
    context.write(move |tx| {
        users::any_lock(tx, id)?;
        let Some(old) = users::any_find(tx, id)? else { return Ok(()) };
        let changes = Changes::none().and("name", old.name.into(), new.as_str().into());
        if changes.is_empty() {
            return Ok(());
        }
        users::any_set_profile(tx, id, (&new, &old.language))?;
        let what = (Action::UserUpdated, &Subject::named("user", id, &new));
        audit::any_insert_for_user(tx, id, &act, what, &changes)
    })?;
    context.print(&line([("user_uuid", id.to_string()), ("name", shown)]))
}

/// Gives a team another name.
pub fn team(context: &AdminContext, matches: &ArgMatches) -> Outcome {
    let new = name(text(matches, "name"))?;
    let id = context.team(text(matches, "domain"))?.id;
    let (act, shown) = (context.act(), new.clone());
    context.write(move |tx| {
        teams::lock(tx, id)?;
        let Some(old) = teams::find(tx, id)? else { return Ok(()) };
        let changes = Changes::none().and("name", old.name.into(), new.as_str().into());
        if changes.is_empty() {
            return Ok(());
        }
        teams::set_name(tx, id, &new, act.at)?;
        teams::note(tx, id, (Action::TeamUpdated, &act), &changes)
    })?;
    context.print(&line([("team_uuid", id.to_string()), ("name", shown)]))
}
