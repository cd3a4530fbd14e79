//! Whose account a carrier is asked with for its service points. They are everybody's: one account
//! that the carrier refuses must not keep all teams from them.

use uuid::Uuid;
use waybill_carriers::Account;
use waybill_carriers::environment::Environment;
use waybill_domain::ids::AccountId;
use waybill_store::{Error, Tx, carrier_accounts};

/// So many accounts take turns.
const TURNS_MAX: usize = 5;
/// So often another account is tried, over all countries of one refresh. Carriers lock what fails
/// too often.
const OTHERS_MAX: usize = 10;
/// After so many questions in a row that no account was let in with, nothing more is asked.
const IN_VAIN_MAX: usize = 3;

/// What is remembered of the accounts with a carrier.
#[derive(Clone, Copy, Default, Debug)]
pub struct KnownAccounts {
    /// The one that worked last.
    worked: Option<AccountId>,
    /// The last one that was tried when none worked: those after it are next.
    tried: Option<AccountId>,
}

impl KnownAccounts {
    /// Those that are to be tried, in this order: the one that worked last, and those that were
    /// added after the last one that was tried in vain, or else the oldest.
    pub fn list(
        self,
        tx: &mut Tx<'_>,
        carrier: &str,
    ) -> Result<Vec<carrier_accounts::Account>, Error> {
        let mut rows = Vec::new();
        if let Some(id) = self.worked {
            let found = carrier_accounts::any_find(tx, id)?.map(|(_, row)| row);
            rows.extend(found.filter(|row| row.is_active && !row.credentials.is_empty()));
        }
        let oldest = AccountId(Uuid::nil());
        let limit = i64::try_from(TURNS_MAX).unwrap_or(i64::MAX);
        for after in self.tried.into_iter().chain([oldest]) {
            for row in carrier_accounts::any_list_active(tx, carrier, after, limit)? {
                if rows.len() < TURNS_MAX && rows.iter().all(|known| known.id != row.id) {
                    rows.push(row);
                }
            }
        }
        Ok(rows)
    }

    /// What is known after these were tried.
    pub fn after(self, rotation: &AccountRotation) -> KnownAccounts {
        match rotation.worked {
            Some(worked) => KnownAccounts { worked: Some(worked), tried: None },
            None => KnownAccounts { tried: rotation.tried.or(self.tried), ..self },
        }
    }

    /// The same when none up to this one can even be opened.
    pub fn after_locked(self, last: AccountId) -> KnownAccounts {
        KnownAccounts { tried: Some(last), ..self }
    }
}

/// Accounts that a carrier is asked with, one after the other.
pub struct AccountRotation {
    accounts: Vec<Account>,
    /// The last one that was read.
    last: AccountId,
    /// The same, once all of them were refused for a question.
    tried: Option<AccountId>,
    /// The one that worked last.
    worked: Option<AccountId>,
    /// How many of them were refused for this question.
    refused: usize,
    /// How often another one may still be tried.
    others: usize,
    /// How many questions in a row no account was let in with.
    in_vain: usize,
}

impl AccountRotation {
    /// These take turns, in this order; `last` is the last one that was read. What a carrier tells
    /// an account for trying things out is not for those who ship: such ones are asked only where
    /// there are no others.
    pub fn new(mut accounts: Vec<Account>, last: AccountId) -> AccountRotation {
        let is_test = |account: &Account| Environment::of(&account.options).is_test();
        if !accounts.iter().all(is_test) {
            accounts.retain(|account| !is_test(account));
        }
        let (tried, worked, others) = (None, None, OTHERS_MAX);
        AccountRotation { accounts, last, tried, worked, refused: 0, others, in_vain: 0 }
    }

    /// Whether asking goes on. A carrier may refuse an account for one country; one that it refuses
    /// for several is not let in at all.
    pub fn goes_on(&self) -> bool {
        self.in_vain < IN_VAIN_MAX
    }

    /// The one that is asked with now.
    pub fn first(&self) -> Option<&Account> {
        self.accounts.first()
    }

    /// The carrier let the first one in: it stays there for the next question.
    pub fn worked(&mut self) {
        self.worked = self.first().map(|account| account.id);
        (self.refused, self.in_vain) = (0, 0);
    }

    /// The carrier refused the first one, and it goes to the end. True when another one may be
    /// tried for the same question.
    pub fn refused(&mut self) -> bool {
        self.accounts.rotate_left(1);
        self.refused += 1;
        if self.refused < self.accounts.len() && self.others > 0 {
            self.others -= 1;
            return true;
        }
        // The next question begins with the one that is let in elsewhere.
        let place = self.accounts.iter().position(|it| Some(it.id) == self.worked);
        self.accounts.rotate_left(place.unwrap_or(0));
        (self.refused, self.tried) = (0, Some(self.last));
        self.in_vain += 1;
        false
    }
}

#[cfg(test)]
mod tests {
    use waybill_carriers::IssuedTokens;
    use waybill_domain::json::Json;
    use waybill_domain::secret::Secret;
    use waybill_domain::time::Time;

    use super::*;

    fn account(number: u128) -> Account {
        Account {
            id: AccountId(Uuid::from_u128(number)),
            changed_at: Time(0),
            credentials: Secret::new(Json::Null),
            options: Json::Null,
            issued: IssuedTokens::default(),
        }
    }

    fn rotation(count: u128) -> AccountRotation {
        AccountRotation::new((1..=count).map(account).collect(), AccountId(Uuid::from_u128(count)))
    }

    fn first(rotation: &AccountRotation) -> u128 {
        rotation.first().unwrap().id.0.as_u128()
    }

    #[test]
    fn each_account_is_tried_once_for_a_question_and_one_that_works_stays_first() {
        let mut rotation = rotation(3);
        assert!(rotation.refused());
        assert_eq!(first(&rotation), 2);
        rotation.worked();
        assert_eq!(first(&rotation), 2);
        assert!(
            rotation.refused() && rotation.refused() && !rotation.refused(),
            "two others, then no more"
        );
        assert_eq!(first(&rotation), 2, "the next question begins with the one that worked");
        let known = KnownAccounts::default().after(&rotation);
        assert_eq!(known.worked, Some(AccountId(Uuid::from_u128(2))));
    }

    #[test]
    fn where_no_account_is_let_in_few_are_tried_and_those_after_them_are_next() {
        let mut rotation = rotation(5);
        let (mut questions, mut others) = (0, 0);
        while questions < 20 {
            match rotation.refused() {
                true => others += 1,
                false => questions += 1,
            }
        }
        assert_eq!(others, OTHERS_MAX);
        let worked = Some(AccountId(Uuid::from_u128(7)));
        let known = KnownAccounts { worked, tried: None }.after(&rotation);
        assert_eq!((known.worked, known.tried), (worked, Some(AccountId(Uuid::from_u128(5)))));
    }

    #[test]
    fn an_account_for_trying_things_out_is_asked_only_where_there_is_no_other() {
        let test = |number| Account {
            options: Json::object([("environment", "test".into())]),
            ..account(number)
        };
        let last = AccountId(Uuid::from_u128(3));
        let mut mixed = AccountRotation::new(vec![test(1), account(2), test(3)], last);
        assert_eq!(first(&mixed), 2);
        assert!(!mixed.refused(), "no other is left");
        let known = KnownAccounts::default().after(&mixed);
        assert_eq!(known.tried, Some(last), "those that were passed over are not read again");
        assert_eq!(first(&AccountRotation::new(vec![test(1), test(3)], last)), 1);
    }

    #[test]
    fn a_carrier_that_lets_no_account_in_is_not_asked_for_all_its_countries() {
        let mut rotation = rotation(1);
        for _ in 0..IN_VAIN_MAX {
            assert!(rotation.goes_on());
            rotation.refused();
        }
        assert!(!rotation.goes_on());
        rotation.worked();
        assert!(rotation.goes_on());
    }
}
