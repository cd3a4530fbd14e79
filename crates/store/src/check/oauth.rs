//! The rules about tokens of apps.

use super::rule::Rule;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "a family of tokens has one refresh token that is good",
        sql: "SELECT 'refresh', grant_id FROM oauth_refresh_token WHERE used_at IS NULL
               GROUP BY grant_id HAVING count(*) > 1 LIMIT 100",
        age: None,
    },
    Rule {
        name: "no access token of a family that was ended is good",
        sql: "SELECT 'access', token.id FROM oauth_access_token AS token
                JOIN oauth_grant AS family ON family.id = token.grant_id
               WHERE family.ended_at IS NOT NULL AND token.revoked_at IS NULL LIMIT 100",
        age: None,
    },
    Rule {
        name: "no refresh token of a family that was ended is good",
        sql: "SELECT 'refresh', family.id FROM oauth_grant AS family
                JOIN oauth_refresh_token AS token ON token.grant_id = family.id
               WHERE family.ended_at IS NOT NULL AND token.used_at IS NULL LIMIT 100",
        age: None,
    },
    Rule {
        name: "no family of a client that was deleted is good",
        sql: "SELECT client.client_id, family.id FROM oauth_client AS client
                JOIN oauth_grant AS family ON family.client = client.id
               WHERE client.deleted_at IS NOT NULL AND family.ended_at IS NULL LIMIT 100",
        age: None,
    },
    Rule {
        name: "no token of a client that was deleted is good",
        sql: "SELECT client.client_id, token.id FROM oauth_client AS client
                JOIN oauth_access_token AS token ON token.client = client.id
               WHERE client.deleted_at IS NOT NULL AND token.revoked_at IS NULL
                 AND token.expires_at > client.deleted_at LIMIT 100",
        age: None,
    },
    Rule {
        name: "a family of tokens is of a user in its team",
        sql: "SELECT 'grant', id FROM oauth_grant
               WHERE ended_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM member
                                  WHERE member.team = oauth_grant.team
                                    AND member.user_id = oauth_grant.user_id)
               LIMIT 100",
        age: None,
    },
];
