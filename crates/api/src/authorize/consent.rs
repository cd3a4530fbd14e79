//! The consent page: what the app wants, where, and who agrees. It is shown every time.

use axum::http::StatusCode;
use maud::{Markup, html};
use waybill_domain::ids::TeamId;
use waybill_domain::oauth::ErrorCode;
use waybill_domain::oauth::authorization::Refusal;
use waybill_domain::secret::Secret;
use waybill_domain::token::TokenKind;
use waybill_domain::words::Message;
use waybill_store::oauth::clients;
use waybill_store::oauth::codes::{self, Code};
use waybill_store::oauth::grants;
use waybill_store::sessions::Session;
use waybill_store::teams::{self, Team};
use waybill_store::users::User;
use waybill_store::{Error, Tx};

use super::forms::{self, Step};
use super::request::{Authorization, PATH, refuse};
use crate::pages::browser::Browser;
use crate::pages::form::Form;
use crate::pages::{Page, refused, say, say_with, see_other};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// More teams than this are shown in a box of their own.
const TEAMS_SHOWN: usize = 5;

/// The page, as it is shown first.
pub async fn page(
    request: &Request,
    authorization: &Authorization,
    session: &Session,
    user: &User,
) -> Result<Reply, ApiError> {
    show(request, authorization, (session, user), (StatusCode::OK, None)).await
}

async fn show(
    request: &Request,
    authorization: &Authorization,
    (session, user): (&Session, &User),
    (status, problem): (StatusCode, Option<Message>),
) -> Result<Reply, ApiError> {
    let id = user.id;
    let teams = request.read(move |tx| teams::list_of_user(tx, id)).await?;
    let teams: Vec<Team> = teams.into_iter().map(|(team, _)| team).collect();
    let (language, browser) = (request.language, Browser::of(request));
    let asked = &authorization.asked;
    let hidden = |step| forms::hidden(request, authorization, &browser, step, Some(session));
    let sentence = |key, blank, value: &str| say_with(language, key, blank, value);
    let main = html! {
        h1 { (sentence("page-consent", "app", &authorization.client.name)) }
        p.lead { (sentence("page-way-back", "host", asked.way_back.host())) }
        section {
            h2 #scopes { (say(language, "page-may")) }
            ul.scopes aria-labelledby="scopes" {
                @for scope in asked.scopes.in_words() { li { (scope.say(language)) } }
            }
        }
        form method="post" action=(request.page_path(PATH)) {
            (hidden(Step::Consent))
            (team_choice(request, &teams, problem.as_ref()))
            div.buttons {
                @if !teams.is_empty() {
                    button.main type="submit" name="consent" value="allow" {
                        (say(language, "page-allow"))
                    }
                }
                button type="submit" name="consent" value="deny" formnovalidate {
                    (say(language, "page-deny"))
                }
            }
        }
        footer.who {
            p.quiet { (sentence("page-signed-in", "name", &user.name)) br; bdi { (user.email) } }
            form method="post" action=(request.page_path(PATH)) {
                (hidden(Step::SignOut))
                input type="hidden" name="sign_out" value="1";
                button.link type="submit" { (say(language, "page-sign-out")) }
            }
        }
    };
    let title = Message::new("page-consent").text("app", &authorization.client.name).say(language);
    let form_action = Some(asked.way_back.source());
    let page = Page { name: "consent", language, title, main, form_action };
    Ok(browser.remember(page.into_reply(status), request.app.base_url()))
}

fn team_choice(request: &Request, teams: &[Team], problem: Option<&Message>) -> Markup {
    let language = request.language;
    let problem = problem.map(|problem| problem.say(language));
    html! {
        @match teams {
            [] => p.problem { (say(language, "page-no-team")) },
            [team] => {
                p { (say_with(language, "page-in-team", "team", &team.name)) }
                input type="hidden" name="team_uuid" value=(team.id);
            }
            teams => {
                fieldset aria-describedby=[problem.as_ref().map(|_| "problem")] {
                    legend { (say(language, "page-which-team")) }
                    @if let Some(problem) = &problem {
                        p.problem #problem role="alert" { (problem) }
                    }
                    div.choices.long[teams.len() > TEAMS_SHOWN] {
                        @for team in teams {
                            label {
                                input type="radio" name="team_uuid" value=(team.id) required;
                                span { bdi { (team.name) } small { bdi { (team.domain) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Takes the form: leads back to the app with a code, or without one.
pub async fn answer(
    request: &Request,
    authorization: &Authorization,
    form: &Form,
    (session, user): (&Session, &User),
) -> Result<Reply, ApiError> {
    let way_back = &authorization.asked.way_back;
    let issuer = request.app.base_url();
    if form.value("consent") == Some("deny") {
        let code = ErrorCode::AccessDenied;
        let told = [("error", code.name()), ("error_description", code.description())];
        return Ok(see_other(way_back.with(&told, issuer)));
    }
    let named = form.value("team_uuid").unwrap_or_default();
    if named.is_empty() || form.value("consent") != Some("allow") {
        let choose = (StatusCode::UNPROCESSABLE_ENTITY, Some(Message::new("page-choose-team")));
        return show(request, authorization, (session, user), choose).await;
    }
    let given = match TeamId::parse(named) {
        Some(team) => give_code(request, authorization, user, team).await?,
        None => Err(NotGiven::NotAMember),
    };
    match given {
        Ok(code) => Ok(see_other(way_back.with(&[("code", code.expose().as_str())], issuer))),
        Err(NotGiven::NoClient) => Ok(refuse(request, Refusal::UnknownClient)),
        Err(NotGiven::NotAMember) => {
            let why = Message::new("page-other-team-why");
            Ok(refused(StatusCode::FORBIDDEN, "page-other-team", &why, request.language))
        }
    }
}

/// Why there is no code.
enum NotGiven {
    /// The app was deleted meanwhile.
    NoClient,
    /// The user is not in the team.
    NotAMember,
}

async fn give_code(
    request: &Request,
    authorization: &Authorization,
    user: &User,
    team: TeamId,
) -> Result<Result<Secret<String>, NotGiven>, ApiError> {
    let asked = &authorization.asked;
    let secret = TokenKind::Code.generate(request.app.ids().as_ref());
    let hash = TokenKind::Code.hash(secret.expose()).expect("our own codes are well-formed");
    let code = Code {
        client: authorization.client.id,
        redirect_uri: asked.way_back.redirect_uri.clone(),
        is_redirect_sent: asked.is_redirect_sent,
        challenge: asked.challenge.clone(),
        user: user.id,
        team,
        scopes: asked.scopes.to_string(),
        created_at: request.now,
    };
    let give = move |tx: &mut Tx<'_>| {
        if !clients::any_lock(tx, code.client)? {
            return Ok(Err(NotGiven::NoClient));
        }
        // Whoever is deleted or leaves the team at this moment ends the code, or is seen to have
        // left. The app first, as whoever comes with the code locks them.
        if !grants::lock_member(tx, team, code.user)? {
            return Ok(Err(NotGiven::NotAMember));
        }
        codes::insert(tx, &code, &hash)?;
        Ok::<_, Error>(Ok(()))
    };
    Ok(request.write(give).await?.map(|()| secret))
}
