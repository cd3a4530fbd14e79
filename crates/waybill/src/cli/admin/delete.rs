//! `waybill user delete` and `waybill team delete`. Both keep to the rules of the API, and both are
//! written down.

use clap::ArgMatches;
use waybill_store::team_deletion::{self, TeamDeletion};
use waybill_store::user_deletion::{self, UserDeletion};

use super::context::{AdminContext, text};
use super::error::AdminError;
use super::print::line;
use crate::cli::error::Outcome;

/// Ends a user.
pub fn user(context: &AdminContext, matches: &ArgMatches) -> Outcome {
    let (email, act) = (text(matches, "email"), context.act());
    let id = context.user(email)?.id;
    match context.write(move |tx| user_deletion::any_delete(tx, id, &act))? {
        UserDeletion::Done => context.print(&line([("user_uuid", id.to_string())])),
        UserDeletion::Gone => Err(AdminError::NoUser(email.to_owned()).into()),
        UserDeletion::LastAdmin(domains) => Err(AdminError::LastAdminOf(domains).into()),
    }
}

/// Ends a team.
pub fn team(context: &AdminContext, matches: &ArgMatches) -> Outcome {
    let (domain, act) = (text(matches, "domain"), context.act());
    let id = context.team(domain)?.id;
    match context.write(move |tx| team_deletion::delete(tx, id, &act))? {
        TeamDeletion::Done(_) => context.print(&line([("team_uuid", id.to_string())])),
        TeamDeletion::Gone => Err(AdminError::NoTeam(domain.to_owned()).into()),
        TeamDeletion::Booking(ids) => Err(AdminError::TeamBooks(ids).into()),
        TeamDeletion::Printing(ids) => Err(AdminError::TeamPrints(ids).into()),
    }
}
