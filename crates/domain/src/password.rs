//! What a password may be. It is compared in one normal form (NFC), so that the same letters from
//! two keyboards are the same password.

use unicode_normalization::UnicodeNormalization;

use crate::secret::Secret;

/// The fewest characters of a password.
pub const LENGTH_MIN: usize = 12;
/// The most characters of a password.
pub const LENGTH_MAX: usize = 128;

/// A password in its normal form.
#[derive(Clone, Debug)]
pub struct Password(Secret<String>);

/// Why a text cannot become somebody's password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PasswordFault {
    /// It has too few characters.
    #[error("the password has fewer than {LENGTH_MIN} characters")]
    TooShort,
    /// It has too many characters.
    #[error("the password has more than {LENGTH_MAX} characters")]
    TooLong,
    /// It is what everybody would try first.
    #[error("the password is the e-mail address")]
    IsEmail,
}

impl Password {
    /// What somebody typed, to be compared with what is stored.
    pub fn typed(text: &str) -> Password {
        Password(Secret::new(text.nfc().collect()))
    }

    /// What the user with this e-mail address chose, if it may be a password.
    pub fn chosen(text: &str, email: &str) -> Result<Password, PasswordFault> {
        let password = Password::typed(text);
        let chosen = password.0.expose();
        let email: String = email.nfc().collect();
        match chosen.chars().count() {
            ..LENGTH_MIN => Err(PasswordFault::TooShort),
            LENGTH_MIN..=LENGTH_MAX if chosen.to_lowercase() == email.to_lowercase() => {
                Err(PasswordFault::IsEmail)
            }
            LENGTH_MIN..=LENGTH_MAX => Ok(password),
            _ => Err(PasswordFault::TooLong),
        }
    }

    /// The bytes that are hashed.
    pub fn bytes(&self) -> &[u8] {
        self.0.expose().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Option<PasswordFault> {
        Password::chosen(text, "ada@shop.example.com").err()
    }

    #[test]
    fn a_password_has_12_to_128_characters_however_many_bytes() {
        assert_eq!(fault(&"x".repeat(11)), Some(PasswordFault::TooShort));
        assert_eq!(fault(&"x".repeat(12)), None);
        assert_eq!(fault(&"ø".repeat(128)), None);
        assert_eq!(fault(&"x".repeat(129)), Some(PasswordFault::TooLong));
        assert_eq!(fault(""), Some(PasswordFault::TooShort));
    }

    #[test]
    fn characters_are_counted_in_normal_form() {
        let apart = "a\u{30a}".repeat(6);
        assert_eq!(apart.chars().count(), 12);
        assert_eq!(fault(&apart), Some(PasswordFault::TooShort));
        assert_eq!(fault(&"a\u{30a}".repeat(128)), None);
    }

    #[test]
    fn the_same_letters_are_the_same_password_whatever_the_keyboard_made_of_them() {
        let (whole, apart) = ("blåbærgrød på bordet", "bla\u{30a}bærgrød pa\u{30a} bordet");
        assert_eq!(Password::typed(whole).bytes(), Password::typed(apart).bytes());
        assert_ne!(Password::typed("A").bytes(), Password::typed("a").bytes());
        assert_ne!(Password::typed(" a").bytes(), Password::typed("a").bytes());
    }

    #[test]
    fn the_email_address_is_not_a_password_in_any_spelling() {
        for text in ["ada@shop.example.com", "ADA@Shop.Example.Com"] {
            assert_eq!(fault(text), Some(PasswordFault::IsEmail), "{text}");
        }
    }

    #[test]
    fn a_password_prints_nothing_of_itself() {
        let printed = format!("{:?}", Password::typed("correct horse battery"));
        assert!(!printed.contains("horse"), "{printed}");
    }
}
