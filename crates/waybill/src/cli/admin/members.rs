//! Who is in a team, and who runs the installation.

use clap::ArgMatches;
use waybill_domain::access::Role;
use waybill_domain::json::Json;
use waybill_store::members::{self, MemberChange};
use waybill_store::users;

use super::context::{AdminContext, text};
use super::error::AdminError;
use super::print::line;
use crate::cli::error::Outcome;

/// `waybill team add-member` and `remove-member`. Both keep to the rules of the API, and both are
/// written down.
pub fn member(context: &AdminContext, verb: &str, matches: &ArgMatches) -> Outcome {
    let team = context.team(text(matches, "domain"))?.id;
    let user = context.user(text(matches, "email"))?.id;
    let (team_uuid, user_uuid) = (("team_uuid", team.to_string()), ("user_uuid", user.to_string()));
    let act = context.act();
    if verb == "remove-member" {
        allowed(context.write(move |tx| members::take_out(tx, team, user, &act))?)?;
        return context.print(&line([team_uuid, user_uuid]));
    }
    let named = matches
        .get_one::<String>("role")
        .map(|role| Role::parse(role).ok_or_else(|| AdminError::NotARole(role.clone())));
    let named = named.transpose()?;
    let (change, role) = context.write(move |tx| {
        let role = named.unwrap_or(Role::Member);
        let change = match members::add(tx, team, user, role, &act)? {
            MemberChange::Unchanged if named.is_some() => {
                members::change_role(tx, team, user, role, &act)?
            }
            change => change,
        };
        Ok((change, members::role_of(tx, team, user)?.unwrap_or(role)))
    })?;
    allowed(change)?;
    if change == MemberChange::Unchanged {
        eprintln!("waybill: the user was a member already, and stays {}", role.name());
    }
    context.print(&line([team_uuid, user_uuid, ("role", role.name().to_owned())]))
}

fn allowed(change: MemberChange) -> Result<(), AdminError> {
    match change {
        MemberChange::Done | MemberChange::Unchanged => Ok(()),
        MemberChange::NotAMember => Err(AdminError::NotAMember),
        MemberChange::LastAdmin => Err(AdminError::LastAdmin),
    }
}

/// `waybill user operator`: lets a user run the installation, or not any more.
pub fn operator(context: &AdminContext, matches: &ArgMatches) -> Outcome {
    let user = context.user(text(matches, "email"))?.id;
    let is_operator = !matches.get_flag("remove");
    context.write(move |tx| users::any_set_operator(tx, user, is_operator))?;
    context.print(&Json::object([
        ("user_uuid", Json::text(user)),
        ("is_operator", is_operator.into()),
    ]))
}
