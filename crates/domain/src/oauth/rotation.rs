//! What becomes of a refresh token that somebody brings.

use crate::time::Time;

/// A refresh token and its family, as they are when it is brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefreshState {
    /// Whether it is a token of the client that brings it.
    pub is_of_client: bool,
    /// Whether it was used before.
    pub is_used: bool,
    /// When it ends by itself.
    pub expires_at: Time,
    /// Whether its family was ended.
    pub has_family_ended: bool,
    /// When its family ends by itself.
    pub family_expires_at: Time,
    /// Whether its user is in its team.
    pub is_member: bool,
}

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rotation {
    /// It is used up, and the next one is given.
    Rotate,
    /// Nothing is given and nothing changes.
    Refuse,
    /// Somebody else has used it: all tokens of its family end.
    EndFamily,
}

/// Decides.
pub fn decide(token: &RefreshState, now: Time) -> Rotation {
    let is_family_live = !token.has_family_ended && token.family_expires_at > now;
    match token {
        // What another client brings was stolen from somebody, but not necessarily by now.
        RefreshState { is_of_client: false, .. } => Rotation::Refuse,
        _ if !is_family_live => Rotation::Refuse,
        // Also when its own time is over: two had it.
        RefreshState { is_used: true, .. } => Rotation::EndFamily,
        RefreshState { is_member: false, .. } => Rotation::Refuse,
        _ if token.expires_at <= now => Rotation::Refuse,
        _ => Rotation::Rotate,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time(1000);
    const GOOD: RefreshState = RefreshState {
        is_of_client: true,
        is_used: false,
        expires_at: Time(1001),
        has_family_ended: false,
        family_expires_at: Time(1001),
        is_member: true,
    };

    #[test]
    fn a_good_token_gives_the_next_one() {
        assert_eq!(decide(&GOOD, NOW), Rotation::Rotate);
    }

    #[test]
    fn a_token_that_was_used_ends_its_family_also_when_it_has_expired() {
        for expires_at in [Time(1), Time(1001)] {
            let used = RefreshState { is_used: true, expires_at, ..GOOD };
            assert_eq!(decide(&used, NOW), Rotation::EndFamily);
            let gone = RefreshState { is_member: false, ..used };
            assert_eq!(decide(&gone, NOW), Rotation::EndFamily);
        }
    }

    #[test]
    fn another_client_changes_nothing() {
        for is_used in [true, false] {
            let foreign = RefreshState { is_of_client: false, is_used, ..GOOD };
            assert_eq!(decide(&foreign, NOW), Rotation::Refuse);
        }
    }

    #[test]
    fn what_is_over_is_refused_at_its_very_moment() {
        for over in [
            RefreshState { expires_at: NOW, ..GOOD },
            RefreshState { family_expires_at: NOW, ..GOOD },
            RefreshState { has_family_ended: true, ..GOOD },
            RefreshState { has_family_ended: true, is_used: true, ..GOOD },
            RefreshState { is_member: false, ..GOOD },
        ] {
            assert_eq!(decide(&over, NOW), Rotation::Refuse, "{over:?}");
        }
    }

    #[test]
    fn nothing_revives_a_token_whatever_time_it_is() {
        let used = RefreshState { is_used: true, ..GOOD };
        let ended = RefreshState { has_family_ended: true, ..GOOD };
        for now in [Time(i64::MIN), Time(0), NOW, Time(i64::MAX)] {
            assert_ne!(decide(&used, now), Rotation::Rotate);
            assert_eq!(decide(&ended, now), Rotation::Refuse);
        }
    }
}
