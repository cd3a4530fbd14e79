//! The first run: the first user, who runs the server, with the first team.

use maud::html;
use waybill_domain::ids::{TeamId, UserId};
use waybill_domain::password::Password;
use waybill_domain::patterns::{EMAIL_MAX, is_domain, is_email};
use waybill_domain::token::TokenHash;
use waybill_domain::words::Message;
use waybill_engine::new_team;
use waybill_engine::sign_in::note_signed_in;
use waybill_store::teams::Team;
use waybill_store::users::{self, User};
use waybill_store::{Error, Tx, passwords, setup_links};

use super::fields::{Field, Problem, actor, busy, credentials, done, filled, page as draw, void};
use crate::me::password_fault;
use crate::pages::form::Form;
use crate::pages::say;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// What was typed, without the password.
#[derive(Default)]
pub struct Typed {
    name: String,
    email: String,
    team: String,
    domain: String,
}

impl Typed {
    fn read(form: &Form, problems: &mut Vec<Problem>) -> Typed {
        let typed = Typed {
            name: filled(form, "name", 100, problems),
            email: filled(form, "email", EMAIL_MAX, problems).to_lowercase(),
            team: filled(form, "team", 100, problems),
            domain: filled(form, "domain", 253, problems).to_lowercase(),
        };
        if !typed.email.is_empty() && !is_email(&typed.email) {
            problems.push(("email", Message::new("not-an-email")));
        }
        if !typed.domain.is_empty() && !is_domain(&typed.domain) {
            problems.push(("domain", Message::new("not-a-domain")));
        }
        typed
    }
}

/// The page, with what was typed.
pub fn page(request: &Request, typed: &Typed, problems: &[Problem]) -> Reply {
    let lead = html! { p { (say(request.language, "page-first-run-why")) } };
    let fields = [
        Field::text("name", "page-your-name", &typed.name).filled_with("text", "name"),
        Field::text("email", "page-email", &typed.email).filled_with("text", "username"),
        Field::new_password(),
        Field::text("team", "page-team-name", &typed.team).filled_with("text", "organization"),
        Field::text("domain", "page-team-domain", &typed.domain),
    ];
    draw(request, ("page-first-run", lead), (&fields, "page-begin"), problems)
}

/// Takes the form.
pub async fn answer(request: &Request, form: &Form, link: TokenHash) -> Result<Reply, ApiError> {
    let mut problems = Vec::new();
    let typed = Typed::read(form, &mut problems);
    let chosen = form.value("password").unwrap_or_default();
    let password = Password::chosen(chosen, &typed.email);
    let password = password.map_err(|fault| problems.push(("password", password_fault(fault))));
    let (Ok(password), true) = (password, problems.is_empty()) else {
        return Ok(page(request, &typed, &problems));
    };
    let app = &request.app;
    let hashed = match app.secrets().passwords().hash(password, app.ids().clone()).await {
        Ok(hashed) => hashed,
        Err(error) => return Ok(page(request, &typed, &[("", busy(error)?)])),
    };
    let (user, team) = made(request, &typed);
    let (session, cookie) = app.new_session(&user, &credentials(request, &user.email, chosen));
    let (act, name) = (request.act().by(actor(&user)), team.name.clone());
    let begin = move |tx: &mut Tx<'_>| {
        if !setup_links::any_use(tx, &link, act.at)? {
            return Ok(false);
        }
        users::insert(tx, &user)?;
        passwords::any_set(tx, user.id, &hashed, act.at)?;
        new_team::insert(tx, &team, user.id, &act)?;
        session.insert(tx)?;
        note_signed_in(tx, &user, &act.line(2))?;
        Ok::<_, Error>(true)
    };
    match request.write(begin).await? {
        true => Ok(done(request, &name, cookie.expose())),
        false => Ok(void(request)),
    }
}

fn made(request: &Request, typed: &Typed) -> (User, Team) {
    let (language, now) = (request.language.to_string(), request.now);
    let user = User {
        id: UserId(request.app.new_uuid()),
        name: typed.name.clone(),
        email: typed.email.clone(),
        language: language.clone(),
        is_operator: true,
        created_at: now,
    };
    let team = Team {
        id: TeamId(request.app.new_uuid()),
        name: typed.team.clone(),
        domain: typed.domain.clone(),
        language,
        created_at: now,
        updated_at: now,
    };
    (user, team)
}
