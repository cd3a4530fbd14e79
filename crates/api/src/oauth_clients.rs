//! OAuth clients that act for themselves in a team. The secret is shown once. Clients that send
//! browsers somewhere are made by the command line alone: an app that asks people of other teams is
//! not a team's to make.

use axum::http::StatusCode;
use waybill_domain::access::{Role, Scopes};
use waybill_domain::audit::{Action, Changes};
use waybill_domain::fields::{FieldErrors, Fields, Text, one_of, read_knowing};
use waybill_domain::ids::OAuthClientId;
use waybill_domain::json::Json;
use waybill_domain::oauth::OLD_SECRET_LIFE;
use waybill_domain::quota::Quota;
use waybill_domain::secret::Secret;
use waybill_domain::token::{TokenHash, TokenKind, generate_client_id};
use waybill_store::Tx;
use waybill_store::oauth::clients::{self, Client};

use super::caller::{Caller, Member};
use super::given_scopes::{lasting_maker, read_scopes};
use super::lists::NewestFirst;
use super::members::still_admin;
use super::quotas;
use super::reply::{ApiError, Reply};
use super::request::{Idempotent, Request, run_idempotent};

/// `GET …/oauth-clients`, the newest first.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let page = NewestFirst::read(&request, member, "listOAuthClients")?;
    let (cursor, wanted) = page.wanted();
    let rows = request.read(move |tx| clients::list(tx, member.team, cursor, wanted)).await?;
    let body = page.envelope(&request, member, rows, |row| row.id.into(), view)?;
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// `POST …/oauth-clients`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let who = request.who.clone();
    let who = who.ok_or_else(|| ApiError::Internal("nobody asks".to_owned()))?;
    lasting_maker(&who)?;
    let read = |fields: &Fields| ClientInput::read(fields, &who);
    let input = errors.or(read_knowing(&body, FieldErrors::default(), read))?;
    let (secret, hash) = new_secret(&request)?;
    let (id, now) = (OAuthClientId(request.app.new_uuid()), request.now);
    let client = Client {
        id,
        client_id: generate_client_id(request.app.ids().as_ref()),
        name: input.name,
        is_public: false,
        secret_hash: Some(hash),
        team: Some(member.team),
        role: Some(input.role),
        scopes: input.scopes.in_order().to_string(),
        redirect_uris: Vec::new(),
        created_at: now,
        last_used_at: None,
    };
    let (row, app, act) = (client.clone(), request.app.clone(), request.act());
    let insert = move |tx: &mut Tx<'_>| {
        run_idempotent(tx, member, claim.as_ref(), now, (id.into(), 201), |tx| {
            still_admin(tx, member)?;
            let used = quotas::used(tx, Quota::OAuthClients, member.team)?;
            app.quotas().check(Quota::OAuthClients, used).map_err(ApiError::Conflict)?;
            clients::insert(tx, &row)?;
            let changes = Changes::none()
                .and("role", Json::Null, row.role.map(Role::name).into())
                .and("scopes", Json::Null, row.scopes.as_str().into());
            Ok(clients::note(tx, &row, (Action::OAuthClientCreated, &act), &changes)?)
        })
    };
    match request.write(insert).await? {
        Idempotent::Executed => {
            let shown = with_secret(&client, Some(secret));
            Ok(Reply::made(shown).private())
        }
        // Nobody can say the secret again.
        Idempotent::Replayed(id, _) => {
            let id = OAuthClientId(id);
            let found = request.read(move |tx| clients::find(tx, member.team, id)).await?;
            let shown = with_secret(&found.ok_or(ApiError::Deleted)?, None);
            Ok(Reply::made(shown).private().replayed())
        }
    }
}

/// `POST …/oauth-clients/{client}/rotate-secret`: the old secret works a day more, unless it is to
/// end now.
pub async fn rotate(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let client = find(&request, member).await?;
    let who = request.who.clone();
    let who = who.ok_or_else(|| ApiError::Internal("nobody asks".to_owned()))?;
    lasting_maker(&who)?;
    // Whoever knows the secret is the client.
    let stored = Scopes::parse(&client.scopes);
    who.has_these(&stored.map_err(|error| ApiError::Internal(error.to_string()))?)?;
    let (body, errors) = request.optional_json_body().await?;
    let read = |fields: &Fields| Some(fields.boolean("now").optional().unwrap_or(false));
    let is_now = errors.or(read_knowing(&body, FieldErrors::default(), read))?;
    let (secret, hash) = new_secret(&request)?;
    let old_until = (!is_now).then(|| request.now.plus(OLD_SECRET_LIFE));
    let (row, act) = (client.clone(), request.act());
    let rotated = request.write(move |tx| {
        still_admin(tx, member)?;
        if !clients::any_set_secret(tx, row.id, &hash, (old_until, act.at))? {
            return Err(ApiError::NotFound);
        }
        let changes = Changes::none().and("secret", 0.into(), 1.into()).hiding(&["secret"]);
        Ok(clients::note(tx, &row, (Action::OAuthClientSecretRotated, &act), &changes)?)
    });
    rotated.await?;
    Ok(Reply::data(with_secret(&client, Some(secret))).private())
}

/// `DELETE …/oauth-clients/{client}`: it ends with everything that it has.
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let client = find(&request, member).await?;
    request.query.knowing(&[]).finish()?;
    let act = request.act();
    let deleted = request.write(move |tx| {
        still_admin(tx, member)?;
        if !clients::any_delete(tx, client.id, &act)? {
            return Err(ApiError::NotFound);
        }
        Ok(clients::note(tx, &client, (Action::OAuthClientDeleted, &act), &Changes::none())?)
    });
    deleted.await?;
    request.api.callers().forget();
    Ok(Reply::nothing())
}

async fn find(request: &Request, member: Member) -> Result<Client, ApiError> {
    let id = request.id("client", OAuthClientId::parse)?;
    let found = request.read(move |tx| clients::find(tx, member.team, id)).await?;
    found.ok_or(ApiError::NotFound)
}

fn new_secret(request: &Request) -> Result<(Secret<String>, TokenHash), ApiError> {
    let secret = TokenKind::ClientSecret.generate(request.app.ids().as_ref());
    let hash = TokenKind::ClientSecret.hash(secret.expose());
    let hash = hash.ok_or_else(|| ApiError::Internal("a secret is not one".to_owned()))?;
    Ok((secret, hash))
}

/// A client as an administrator describes it.
struct ClientInput {
    name: String,
    role: Role,
    scopes: Scopes,
}

impl ClientInput {
    fn read(fields: &Fields, who: &Caller) -> Option<ClientInput> {
        let name = fields.text("name", Text::filled(100)).required();
        let names = [Role::Admin.name(), Role::Member.name()];
        let role = fields.parsed("role", Role::parse, || one_of(&names)).optional();
        let scopes = read_scopes(fields, who);
        Some(ClientInput { name: name?, role: role.unwrap_or(Role::Member), scopes: scopes? })
    }
}

fn view(row: &Client) -> Json {
    Json::object([
        ("uuid", Json::text(row.id)),
        ("client_id", row.client_id.as_str().into()),
        ("name", row.name.as_str().into()),
        ("role", row.role.map(Role::name).into()),
        ("scopes", Json::list(row.scopes.split(' ').map(Json::text))),
        ("created_at", Json::text(row.created_at)),
        ("last_used_at", row.last_used_at.map(Json::text).into()),
    ])
}

fn with_secret(row: &Client, secret: Option<Secret<String>>) -> Json {
    let mut shown = view(row);
    if let Json::Object(members) = &mut shown {
        let secret = secret.map(|secret| secret.expose().clone());
        members.push(("client_secret".into(), secret.into()));
    }
    shown
}
