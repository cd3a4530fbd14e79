//! `waybill client`: apps that act for users, and programs that act for a team.

use clap::{ArgAction, ArgMatches, Command};
use waybill_domain::access::{Role, Scope, Scopes};
use waybill_domain::audit::{Action, Changes};
use waybill_domain::ids::{IdSource, OAuthClientId, TeamId};
use waybill_domain::json::Json;
use waybill_domain::oauth::{OLD_SECRET_LIFE, redirect};
use waybill_domain::secret::Secret;
use waybill_domain::token::{TokenHash, TokenKind, generate_client_id};
use waybill_store::Tx;
use waybill_store::oauth::clients::{self, Client};

use super::context::{AdminContext, flag, group, name, option, required, text, verb};
use super::error::AdminError;
use super::print::line;
use crate::cli::error::{CliError, Outcome};

/// `waybill client`.
pub fn client_command() -> Command {
    let id = || required("client-id", "What the client calls itself: wbc_…");
    let redirect_uri = option("redirect-uri", "Where browsers may be sent for it; may be repeated");
    group("client", "Makes, lists and removes OAuth clients")
        .subcommand(
            verb("create", "Makes a client and shows its secret once")
                .arg(required("name", "What people call the client"))
                .arg(option("team", "The domain of the team in which it may act for itself"))
                .arg(option("role", "What it is there, admin or member [default: member]"))
                .arg(redirect_uri.value_name("URI").action(ArgAction::Append))
                .arg(option("scopes", "The most that it may ever ask for [default: *]"))
                .arg(flag("public", "It has no secret, as an app on a telephone")),
        )
        .subcommand(verb("list", "Lists all clients"))
        .subcommand(
            verb("rotate-secret", "Makes a new secret; the old one works for 24 hours more")
                .arg(id())
                .arg(flag("now", "The old secret ends at once")),
        )
        .subcommand(
            verb("revoke", "Ends everything that users allowed the client, and its tokens")
                .arg(id())
                .arg(option("email", "Only what this user allowed")),
        )
        .subcommand(verb("delete", "Removes a client and ends everything that it has").arg(id()))
}

/// `waybill client …`
pub fn client(matches: &ArgMatches) -> Outcome {
    let Some((verb, matches)) = matches.subcommand() else { return Err(CliError::NoVerb) };
    if verb == "create" {
        let new = NewClient::read(matches)?;
        return create(&AdminContext::open(matches)?, new);
    }
    let context = AdminContext::open(matches)?;
    if verb == "list" {
        let all = context.read(clients::any_list)?;
        return context.print_list(all.into_iter().map(view));
    }
    let wanted = text(matches, "client-id").to_owned();
    let name = wanted.clone();
    let found = context.read(move |tx| clients::any_find(tx, &wanted))?;
    let client = found.ok_or(AdminError::NoClient(name))?;
    match verb {
        "rotate-secret" => rotate(&context, client, matches.get_flag("now")),
        "revoke" => {
            let email = matches.get_one::<String>("email");
            revoke(&context, &client, email.map(String::as_str))
        }
        _ => {
            let (gone, act) = (client.clone(), context.act());
            let is_first = context.write(move |tx| {
                let is_first = clients::any_delete(tx, gone.id, &act)?;
                if is_first {
                    clients::note(tx, &gone, (Action::OAuthClientDeleted, &act), &Changes::none())?;
                }
                Ok(is_first)
            })?;
            match is_first {
                true => context.print(&named(&client)),
                // Another command was faster.
                false => Err(AdminError::NoClient(client.client_id).into()),
            }
        }
    }
}

/// A client to be.
#[derive(Debug)]
struct NewClient {
    name: String,
    team: Option<String>,
    role: Role,
    redirect_uris: Vec<String>,
    scopes: Scopes,
    is_public: bool,
}

impl NewClient {
    /// What makes no sense is refused before the database is opened.
    fn read(matches: &ArgMatches) -> Result<NewClient, AdminError> {
        let is_public = matches.get_flag("public");
        let team = matches.get_one::<String>("team").cloned();
        let role = matches.get_one::<String>("role");
        let given = matches.get_many::<String>("redirect-uri").into_iter().flatten();
        let mut redirect_uris: Vec<String> = Vec::new();
        for uri in given {
            let wrong = |fault| AdminError::RedirectUri(uri.clone(), fault);
            redirect::check(uri, is_public).map_err(wrong)?;
            if !redirect_uris.contains(uri) {
                redirect_uris.push(uri.clone());
            }
        }
        match (team.is_some(), redirect_uris.is_empty()) {
            (false, true) if is_public => return Err(AdminError::PublicWithoutRedirect),
            (true, _) if is_public => return Err(AdminError::PublicWithTeam),
            (false, true) => return Err(AdminError::IdleClient),
            (false, _) if role.is_some() => return Err(AdminError::RoleWithoutTeam),
            _ => {}
        }
        let read_role = |role: &String| Role::parse(role).ok_or(AdminError::NotARole(role.clone()));
        Ok(NewClient {
            name: name(text(matches, "name"))?,
            team,
            role: role.map(read_role).transpose()?.unwrap_or(Role::Member),
            redirect_uris,
            scopes: scopes(matches.get_one::<String>("scopes").map_or("*", String::as_str))?,
            is_public,
        })
    }

    fn row(
        self,
        context: &AdminContext,
        team: Option<TeamId>,
        secret: Option<TokenHash>,
    ) -> Client {
        Client {
            id: OAuthClientId(context.ids.uuid()),
            client_id: generate_client_id(&context.ids),
            name: self.name,
            is_public: self.is_public,
            secret_hash: secret,
            team,
            role: team.map(|_| self.role),
            scopes: self.scopes.to_string(),
            redirect_uris: self.redirect_uris,
            created_at: context.now,
            last_used_at: None,
        }
    }
}

fn scopes(given: &str) -> Result<Scopes, AdminError> {
    // An unset variable of a script must not become all rights.
    if given.trim().is_empty() {
        return Err(AdminError::NoScopes);
    }
    let scopes = Scopes::parse(given).map_err(AdminError::Scopes)?;
    let mut operators = Scope::ALL.iter().copied().filter(|scope| !scope.is_for_apps());
    match operators.find(|scope| scopes.names(*scope)) {
        Some(scope) => Err(AdminError::OperatorScope(scope)),
        None if scopes.is_empty() => Err(AdminError::NoScopes),
        None => Ok(scopes.in_order()),
    }
}

fn create(context: &AdminContext, new: NewClient) -> Outcome {
    let team = match &new.team {
        Some(domain) => Some(context.team(domain)?.id),
        None => None,
    };
    let secret = (!new.is_public).then(|| secret(context));
    let client = new.row(context, team, secret.as_ref().map(|(_, hash)| *hash));
    let (row, act) = (client.clone(), context.act());
    context.write(move |tx| {
        clients::insert(tx, &row)?;
        let changes = Changes::none().and("role", Json::Null, row.role.map(Role::name).into()).and(
            "scopes",
            Json::Null,
            row.scopes.as_str().into(),
        );
        clients::note(tx, &row, (Action::OAuthClientCreated, &act), &changes)
    })?;
    context.print(&with_secret(&client, secret.map(|(secret, _)| secret)))
}

fn rotate(context: &AdminContext, client: Client, is_now: bool) -> Outcome {
    let (secret, hash) = secret(context);
    let old_until = (!is_now).then(|| context.now.plus(OLD_SECRET_LIFE));
    let (row, act) = (client.clone(), context.act());
    let is_rotated = context.write(move |tx| {
        let is_rotated = clients::any_set_secret(tx, row.id, &hash, (old_until, act.at))?;
        if is_rotated {
            let changes = Changes::none().and("secret", 0.into(), 1.into()).hiding(&["secret"]);
            clients::note(tx, &row, (Action::OAuthClientSecretRotated, &act), &changes)?;
        }
        Ok(is_rotated)
    })?;
    match is_rotated {
        true => context.print(&with_secret(&client, Some(secret))),
        false => Err(AdminError::PublicClient.into()),
    }
}

fn revoke(context: &AdminContext, client: &Client, email: Option<&str>) -> Outcome {
    // An empty address, as of an unset variable, is nobody's and must not become everybody's.
    let user = email.map(|email| context.user(email)).transpose()?.map(|user| user.id);
    let (id, act) = (client.id, context.act());
    context.write(move |tx: &mut Tx<'_>| clients::any_revoke(tx, id, user, &act))?;
    context.print(&named(client))
}

fn secret(context: &AdminContext) -> (Secret<String>, TokenHash) {
    let secret = TokenKind::ClientSecret.generate(&context.ids);
    let hash = TokenKind::ClientSecret.hash(secret.expose());
    (secret, hash.expect("our own secrets are well-formed"))
}

fn named(client: &Client) -> Json {
    line([("client_uuid", client.id.to_string()), ("client_id", client.client_id.clone())])
}

fn with_secret(client: &Client, secret: Option<Secret<String>>) -> Json {
    Json::object([
        ("client_uuid", Json::text(client.id)),
        ("client_id", client.client_id.as_str().into()),
        ("client_secret", secret.map(|secret| secret.expose().clone()).into()),
    ])
}

fn view(client: Client) -> Json {
    Json::object([
        ("client_uuid", Json::text(client.id)),
        ("client_id", client.client_id.into()),
        ("name", client.name.into()),
        ("is_public", client.is_public.into()),
        ("team_uuid", client.team.map(Json::text).into()),
        ("role", client.role.map(Role::name).into()),
        ("redirect_uris", Json::list(client.redirect_uris.into_iter().map(Json::from))),
        ("scopes", client.scopes.into()),
        ("created_at", Json::text(client.created_at)),
        ("last_used_at", client.last_used_at.map(Json::text).into()),
    ])
}
