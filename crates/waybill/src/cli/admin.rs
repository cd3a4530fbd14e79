//! Users, teams and tokens, from the command line. Works beside a running server.

mod clients;
mod context;
mod create;
mod delete;
mod error;
mod members;
mod password;
mod print;
mod rename;

use std::time::Duration;

use clap::{Arg, ArgMatches, Command};
pub use clients::{client, client_command};
pub use context::moment;
use context::{AdminContext, flag, group, option, or, output, required, text, verb};
use create::NewUser;
pub use create::{NewTeam, NewToken, create_team, insert_token};
pub use error::AdminError;
use error::DAYS_MAX;
use print::line;
use waybill_domain::access::Scopes;
use waybill_domain::audit::Action;
use waybill_domain::ids::{IdSource, TokenId, UserId};
use waybill_domain::json::Json;
use waybill_store::{members as stored, teams, tokens, users};

use super::database::open_or_create;
use super::error::{CliError, Outcome};
use super::settings::config;

fn email() -> Arg {
    required("email", "The user's e-mail address")
}

fn domain() -> Arg {
    required("domain", "The team's domain, such as shop.example.com")
}

fn language() -> Arg {
    option("language", "en, da, sv, nb, fi or de [default: en]")
}

/// What people call it.
fn named(help: &'static str) -> Arg {
    required("name", help)
}

/// `waybill user`, `waybill team`, `waybill token`.
pub fn commands() -> [Command; 3] {
    [user_command(), team_command(), token_command()]
}

fn user_command() -> Command {
    group("user", "Adds and lists users, and gives them passwords")
        .subcommand(
            verb("create", "Adds a user")
                .arg(named("What people call the user"))
                .arg(email())
                .arg(language())
                .arg(flag("operator", "The user runs the installation")),
        )
        .subcommand(
            verb("operator", "Lets a user run the installation")
                .arg(email())
                .arg(flag("remove", "Not any more")),
        )
        .subcommand(verb("list", "Lists all users"))
        .subcommand(
            verb("rename", "Gives a user another name")
                .arg(email())
                .arg(named("What people call the user")),
        )
        .subcommand(verb("delete", "Ends a user, with everything that lets it in").arg(email()))
        .subcommand(
            verb("password", "Gives a user the password on standard input, for signing in")
                .arg(email())
                .arg(flag("remove", "Takes the password away instead")),
        )
}

fn team_command() -> Command {
    group("team", "Adds and lists teams, and decides who is in them")
        .subcommand(
            verb("create", "Adds a team with an administrator and a token")
                .arg(named("What people call the team"))
                .arg(domain())
                .arg(option("email", "The administrator [default: admin@DOMAIN]"))
                .arg(language()),
        )
        .subcommand(verb("list", "Lists all teams"))
        .subcommand(
            verb("rename", "Gives a team another name")
                .arg(domain())
                .arg(named("What people call the team")),
        )
        .subcommand(
            verb("delete", "Ends a team, with everything that lets somebody into it").arg(domain()),
        )
        .subcommand(
            verb("add-member", "Puts a user into a team, or changes its role")
                .arg(domain())
                .arg(email())
                .arg(option("role", "admin or member [default: as it is, or member]")),
        )
        .subcommand(verb("remove-member", "Takes a user out of a team").arg(domain()).arg(email()))
}

fn token_command() -> Command {
    group("token", "Makes, lists and revokes API tokens")
        .subcommand(
            verb("create", "Makes a token and shows it once")
                .arg(email())
                .arg(option("name", "What the token is for [default: api]"))
                .arg(option("scopes", "Such as \"shipments:read documents:read\" [default: *]"))
                .arg(option("team", "The domain of the only team that it is good for"))
                .arg(
                    option("expires-in-days", "After how many days it ends [default: never]")
                        .allow_hyphen_values(true),
                ),
        )
        .subcommand(verb("list", "Lists a user's tokens").arg(email()))
        .subcommand(
            verb("revoke", "Ends a token at once").arg(required("uuid", "The token's UUID")),
        )
}

/// `waybill user …`
pub fn user(matches: &ArgMatches) -> Outcome {
    let Some((verb, matches)) = matches.subcommand() else { return Err(CliError::NoVerb) };
    match verb {
        "create" => return add_user(matches),
        "password" => return password::run(matches),
        _ => {}
    }
    let context = AdminContext::open(matches)?;
    match verb {
        "operator" => return members::operator(&context, matches),
        "rename" => return rename::user(&context, matches),
        "delete" => return delete::user(&context, matches),
        _ => {}
    }
    let users = context.read(users::any_list)?;
    context.print_list(users.into_iter().map(|user| {
        Json::object([
            ("user_uuid", Json::text(user.id)),
            ("email", user.email.into()),
            ("name", user.name.into()),
            ("is_operator", user.is_operator.into()),
        ])
    }))
}

/// What makes no sense is refused before a database is made for it.
fn add_user(matches: &ArgMatches) -> Outcome {
    let (now, ids) = moment();
    let user = NewUser {
        id: UserId(ids.uuid()),
        name: text(matches, "name").to_owned(),
        email: text(matches, "email").to_owned(),
        language: or(text(matches, "language"), "en").to_owned(),
    };
    let is_operator = matches.get_flag("operator");
    let user = users::User { is_operator, ..user.check(now)? };
    let store = open_or_create(&config(matches)?)?;
    let context = AdminContext { store, now, ids, output: output(matches) };
    let row = user.clone();
    context.write(move |tx| users::insert(tx, &row)).map_err(AdminError::from)?;
    context.print(&line([("user_uuid", user.id.to_string())]))
}

/// `waybill team …`
pub fn team(matches: &ArgMatches) -> Outcome {
    let Some((verb, matches)) = matches.subcommand() else { return Err(CliError::NoVerb) };
    if verb == "create" {
        return add_team(matches);
    }
    let context = AdminContext::open(matches)?;
    match verb {
        "list" => {}
        "rename" => return rename::team(&context, matches),
        "delete" => return delete::team(&context, matches),
        _ => return members::member(&context, verb, matches),
    }
    let teams = context.read(teams::any_list)?;
    context.print_list(teams.into_iter().map(|team| {
        let uuid = team.id.to_string();
        line([("team_uuid", uuid), ("domain", team.domain), ("name", team.name)])
    }))
}

fn add_team(matches: &ArgMatches) -> Outcome {
    let (now, ids) = moment();
    let mut new = NewTeam::named(text(matches, "name"), text(matches, "domain"), now, &ids);
    new.admin.email = or(text(matches, "email"), &new.admin.email).to_owned();
    new.language = or(text(matches, "language"), "en").to_owned();
    new.check()?;
    let config = config(matches)?;
    let store = open_or_create(&config)?;
    let wanted = new.admin.email.to_lowercase();
    if let Some(known) = store.blocking_read(move |tx| users::any_find_by_email(tx, &wanted))? {
        // Whoever has the account runs the team: it may be older than the team's owner thinks.
        let since = known.created_at.to_string();
        let since = since.split('T').next().unwrap_or_default().to_owned();
        eprintln!(
            "waybill: {} is an account of \"{}\" since {since}, and becomes the administrator",
            known.email, known.name
        );
    }
    let made = create::create_team_blocking(&store, &config.quotas, new)?;
    let context = AdminContext { store, now, ids, output: output(matches) };
    context.print(&line([
        ("team_uuid", made.team.to_string()),
        ("user_uuid", made.user.to_string()),
        ("token", made.token.expose().clone()),
    ]))
}

/// `waybill token …`
pub fn token(matches: &ArgMatches) -> Outcome {
    let Some((verb, matches)) = matches.subcommand() else { return Err(CliError::NoVerb) };
    let context = AdminContext::open(matches)?;
    match verb {
        "create" => create_token(&context, matches),
        "list" => {
            let user = context.user(text(matches, "email"))?.id;
            let tokens = context.read(move |tx| tokens::any_list_of_user(tx, user))?;
            context.print_list(tokens.into_iter().map(print::token))
        }
        _ => {
            let uuid = text(matches, "uuid");
            let id = TokenId::parse(uuid).ok_or_else(|| AdminError::NotAUuid(uuid.to_owned()))?;
            let act = context.act();
            let is_revoked = context.write(move |tx| {
                let Some(token) = tokens::any_find(tx, id)? else { return Ok(false) };
                tokens::any_note(tx, &token, (Action::TokenRevoked, &act))?;
                tokens::any_revoke(tx, id, act.at)
            })?;
            match is_revoked {
                true => context.print(&line([("token_uuid", id.to_string())])),
                false => Err(AdminError::NoToken.into()),
            }
        }
    }
}

fn create_token(context: &AdminContext, matches: &ArgMatches) -> Outcome {
    let user = context.user(text(matches, "email"))?.id;
    // Nor must an unset variable make a token good in all teams.
    let domain = matches.get_one::<String>("team");
    let team = domain.map(|domain| context.team(domain)).transpose()?.map(|team| team.id);
    let scopes = matches.get_one::<String>("scopes").map_or("*", String::as_str);
    // An unset variable of a script must not become all rights.
    if scopes.trim().is_empty() {
        return Err(AdminError::NoScopes.into());
    }
    let scopes = Scopes::parse(scopes).map_err(AdminError::Scopes)?;
    let expires_at = match text(matches, "expires-in-days") {
        "" => None,
        days => {
            // A token that has ended, or ends after all of us, is a slip.
            let count = days.parse().ok().filter(|days| (1..=DAYS_MAX).contains(days));
            let wrong = || AdminError::NotDays(days.to_owned());
            Some(context.now.plus(Duration::from_hours(24 * count.ok_or_else(wrong)?)))
        }
    };
    let name = or(text(matches, "name"), "api");
    let new = NewToken::make(user, name, &scopes, context.now, &context.ids);
    let new = NewToken { row: tokens::Token { expires_at, team, ..new.row }, ..new };
    let (row, hash, act) = (new.row.clone(), new.hash, context.act());
    let limits = config(matches)?.quotas;
    let made = context.write(move |tx| {
        if let Some(team) = row.team {
            // Whoever leaves the team meanwhile takes this token along.
            teams::lock(tx, team)?;
            if stored::role_of(tx, team, row.user)?.is_none() {
                return Ok(None);
            }
        }
        create::insert_token(tx, &limits, &row, &hash, &act).map(Some)
    })?;
    made.ok_or(AdminError::NotAMember)?.map_err(AdminError::QuotaReached)?;
    context.print(&line([
        ("token_uuid", new.row.id.to_string()),
        ("token", new.secret.expose().clone()),
    ]))
}
