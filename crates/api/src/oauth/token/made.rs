//! Tokens that are made before it is known whether they are given: what makes them must not run
//! twice, and a transaction may.

use waybill_domain::ids::{GrantId, IdSource, OAuthClientId, TeamId, TokenId};
use waybill_domain::oauth::{ACCESS_LIFE, REFRESH_LIFE};
use waybill_domain::secret::Secret;
use waybill_domain::time::Time;
use waybill_domain::token::{TokenHash, TokenKind};
use waybill_store::oauth::access::{self, AccessToken};
use waybill_store::oauth::grants::Grant;
use waybill_store::oauth::refresh::{self, RefreshToken};
use waybill_store::{Error, Tx};

/// What is told once, and under which ids it is stored.
#[derive(Clone)]
pub struct Secrets {
    /// The access token.
    pub access: Secret<String>,
    /// The refresh token.
    pub refresh: Secret<String>,
    /// The family, where one begins.
    pub grant: GrantId,
    id: TokenId,
    access_hash: TokenHash,
    refresh_hash: TokenHash,
}

impl Secrets {
    /// New ones.
    pub fn make(ids: &dyn IdSource) -> Secrets {
        let make = |kind: TokenKind| {
            let secret = kind.generate(ids);
            let hash = kind.hash(secret.expose()).expect("our own tokens are well-formed");
            (secret, hash)
        };
        let (access, access_hash) = make(TokenKind::Access);
        let (refresh, refresh_hash) = make(TokenKind::Refresh);
        let (grant, id) = (GrantId(ids.uuid()), TokenId(ids.uuid()));
        Secrets { access, refresh, grant, id, access_hash, refresh_hash }
    }

    /// Stores the access token of a client that acts for itself.
    pub fn insert_own(
        &self,
        tx: &mut Tx<'_>,
        (client, team): (OAuthClientId, TeamId),
        scopes: &str,
        now: Time,
    ) -> Result<(), Error> {
        self.insert_access(tx, (client, team, None), scopes, now)
    }

    /// Stores the next tokens of a family.
    pub fn insert_both(
        &self,
        tx: &mut Tx<'_>,
        family: &Grant,
        scopes: &str,
        now: Time,
    ) -> Result<(), Error> {
        let refresh = RefreshToken {
            grant: family.id,
            created_at: now,
            expires_at: now.plus(REFRESH_LIFE).min(family.expires_at),
            used_at: None,
        };
        refresh::insert(tx, &refresh, &self.refresh_hash)?;
        self.insert_access(tx, (family.client, family.team, Some(family.id)), scopes, now)
    }

    fn insert_access(
        &self,
        tx: &mut Tx<'_>,
        (client, team, grant): (OAuthClientId, TeamId, Option<GrantId>),
        scopes: &str,
        now: Time,
    ) -> Result<(), Error> {
        let token = AccessToken {
            id: self.id,
            client,
            team,
            grant,
            scopes: scopes.to_owned(),
            created_at: now,
            expires_at: now.plus(ACCESS_LIFE),
            revoked_at: None,
        };
        access::insert(tx, &token, &self.access_hash)
    }
}
