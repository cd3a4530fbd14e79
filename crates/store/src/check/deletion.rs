//! The rules about teams and users that were deleted.

use std::time::Duration;

use super::rule::{Age, Rule};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "nothing of a deleted team lets anybody in or goes on",
        sql: "SELECT 'member', user_id FROM team JOIN member ON member.team = team.id
               WHERE team.deleted_at IS NOT NULL
              UNION ALL
              SELECT 'token', token.id FROM team JOIN token ON token.team = team.id
               WHERE team.deleted_at IS NOT NULL AND revoked_at IS NULL
              UNION ALL
              SELECT 'invitation', invitation.id
                FROM team JOIN invitation ON invitation.team = team.id
               WHERE team.deleted_at IS NOT NULL
                 AND accepted_at IS NULL AND revoked_at IS NULL
              UNION ALL
              SELECT 'client', app.id FROM team JOIN oauth_client AS app ON app.team = team.id
               WHERE team.deleted_at IS NOT NULL AND app.deleted_at IS NULL
              UNION ALL
              SELECT 'grant', given.id FROM team JOIN oauth_grant AS given ON given.team = team.id
               WHERE team.deleted_at IS NOT NULL AND ended_at IS NULL
              UNION ALL
              SELECT 'agent', agent.id FROM team JOIN print_agent AS agent ON agent.team = team.id
               WHERE team.deleted_at IS NOT NULL AND agent.deleted_at IS NULL
              UNION ALL
              SELECT 'webhook', hook.id FROM team JOIN webhook AS hook ON hook.team = team.id
               WHERE team.deleted_at IS NOT NULL AND hook.deleted_at IS NULL
              UNION ALL
              SELECT 'account', account.id
                FROM team JOIN carrier_account AS account ON account.team = team.id
               WHERE team.deleted_at IS NOT NULL AND length(credentials) > 0
              UNION ALL
              SELECT 'kept body', shipment
                FROM team JOIN legacy_booking ON legacy_booking.team = team.id
               WHERE team.deleted_at IS NOT NULL
              UNION ALL
              SELECT 'kept body', request.id
                FROM team JOIN wms_fulfilment AS request ON request.team = team.id
               WHERE team.deleted_at IS NOT NULL AND request.input <> '{}'
               LIMIT 100",
        age: None,
    },
    Rule {
        name: "what was sent for a deleted shipment is erased",
        sql: "SELECT 'kept body', shipment FROM legacy_booking
               WHERE EXISTS (SELECT 1 FROM shipment
                              WHERE shipment.team = legacy_booking.team
                                AND shipment.id = legacy_booking.shipment
                                AND state = 'deleted') LIMIT 100",
        age: None,
    },
    Rule {
        name: "the jobs of a deleted team end",
        sql: "SELECT job.kind, job.subject FROM team JOIN job ON job.team = team.id
               WHERE team.deleted_at < $1 LIMIT 100",
        age: Some(Age::LateInAll(Duration::from_mins(5))),
    },
    Rule {
        name: "nothing of a deleted user lets it in",
        sql: "SELECT 'member', team FROM app_user JOIN member ON member.user_id = app_user.id
               WHERE app_user.deleted_at IS NOT NULL
              UNION ALL
              SELECT 'token', token.id FROM app_user JOIN token ON token.user_id = app_user.id
               WHERE app_user.deleted_at IS NOT NULL AND revoked_at IS NULL
              UNION ALL
              SELECT 'password', user_id
                FROM app_user JOIN user_password ON user_password.user_id = app_user.id
               WHERE app_user.deleted_at IS NOT NULL
              UNION ALL
              SELECT 'session', session.id
                FROM app_user JOIN browser_session AS session ON session.user_id = app_user.id
               WHERE app_user.deleted_at IS NOT NULL AND ended_at IS NULL
               LIMIT 100",
        age: None,
    },
];
