//! The end of a team, by its administrators.

use uuid::Uuid;
use waybill_domain::words::Message;
use waybill_store::team_deletion::{self, TeamDeletion};
use waybill_store::{Tx, teams};

use super::caller::Member;
use super::given_scopes::maker;
use super::members::still_admin;
use super::reply::{ApiError, Reply};
use super::request::Request;
use super::writer::Writer;

/// `DELETE /v2/teams/{teamUuid}?domain=…`: whoever asks names the team a second time, because
/// nothing brings it back.
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let who = request.who.as_ref();
    maker(who.ok_or_else(|| ApiError::Internal("nobody asks".to_owned()))?)?;
    let team = request.read(move |tx| teams::find(tx, member.team)).await?;
    let domain = team.ok_or(ApiError::NotFound)?.domain;
    let mut query = request.query.knowing(&["domain"]);
    if query.text("domain").is_none_or(|named| !named.eq_ignore_ascii_case(&domain)) {
        query.refuse("domain", Message::new("not-the-domain").text("domain", domain));
    }
    query.finish()?;
    let act = request.act();
    // Whoever holds the team is waited for, so this request does not hold it itself.
    let writer = Writer { team: None, ..request.writer() };
    let deleted = writer.write(move |tx: &mut Tx<'_>| {
        if !team_deletion::lock(tx, member.team)? {
            return Ok(TeamDeletion::Gone);
        }
        still_admin(tx, member)?;
        Ok::<_, ApiError>(team_deletion::delete(tx, member.team, &act)?)
    });
    let deleted = deleted.await?;
    request.api.callers().forget();
    match deleted {
        TeamDeletion::Done(agents) => {
            for agent in agents {
                request.app.wake_everywhere(agent.into());
            }
            request.app.wake_runner();
            Ok(Reply::nothing())
        }
        TeamDeletion::Gone => Err(ApiError::NotFound),
        TeamDeletion::Booking(ids) => Err(busy("team-is-booking", &ids)),
        TeamDeletion::Printing(ids) => Err(busy("team-is-printing", &ids)),
    }
}

/// Something must end first.
fn busy(key: &'static str, ids: &[Uuid]) -> ApiError {
    let named: Vec<String> = ids.iter().map(Uuid::to_string).collect();
    ApiError::Conflict(Message::new(key).text("ids", named.join(", ")))
}
