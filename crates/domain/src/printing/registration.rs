//! Codes that print agents register with: `WB-XXXX-XXXX-XXXX`, 60 random bits in Crockford's base
//! 32. People read them aloud and type them. Only a SHA-256 is stored.

use sha2::{Digest, Sha256};

use crate::ids::IdSource;
use crate::secret::Secret;
use crate::token::TokenHash;

const PREFIX: &str = "WB";
const DIGITS: usize = 12;
const GROUP: usize = 4;
/// Without the letters that look like digits, and without U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A new code.
pub fn generate_code(ids: &dyn IdSource) -> Secret<String> {
    let mut random = [0; DIGITS];
    ids.fill(&mut random);
    // 256 is eight times 32: no digit is likelier than another.
    let digits = random.map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
    let mut code = PREFIX.to_owned();
    for group in digits.chunks(GROUP) {
        code.push('-');
        code.extend(group);
    }
    Secret::new(code)
}

/// The hash to look a code up by; nothing when the text cannot be one. Small letters, missing
/// hyphens, and letters that look like digits are read as what was meant.
pub fn hash_code(text: &str) -> Option<TokenHash> {
    let is_filler = |letter: &char| *letter != '-' && *letter != ' ';
    let mut letters = text.chars().filter(is_filler).map(|letter| letter.to_ascii_uppercase());
    if !PREFIX.chars().all(|letter| letters.next() == Some(letter)) {
        return None;
    }
    let digits: Option<String> = letters.map(digit).collect();
    let digits = digits.filter(|digits| digits.len() == DIGITS)?;
    Some(Sha256::digest(digits.as_bytes()).into())
}

fn digit(letter: char) -> Option<char> {
    let meant = match letter {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    };
    ALPHABET.iter().any(|known| char::from(*known) == meant).then_some(meant)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    struct Same(u8);

    impl IdSource for Same {
        fn uuid(&self) -> Uuid {
            Uuid::nil()
        }
        fn fill(&self, buffer: &mut [u8]) {
            for (place, byte) in (0..).zip(buffer) {
                *byte = self.0.wrapping_add(place);
            }
        }
    }

    #[test]
    fn a_code_is_three_groups_of_four_and_is_found_again() {
        let code = generate_code(&Same(0));
        assert_eq!(code.expose(), "WB-0123-4567-89AB");
        assert!(hash_code(code.expose()).is_some());
        assert_ne!(hash_code(code.expose()), hash_code(generate_code(&Same(1)).expose()));
    }

    #[test]
    fn a_code_that_was_typed_is_read_as_it_was_meant() {
        let meant = hash_code("WB-0123-4567-89AB");
        for typed in
            ["wb-0123-4567-89ab", "WB0123456789AB", "wb oi23 4567 89ab", "WB-OL23-4567-89AB"]
        {
            assert_eq!(hash_code(typed), meant, "{typed}");
        }
        for other in [
            "",
            "WB",
            "WB-0123-4567-89A",
            "WB-0123-4567-89ABC",
            "0123-4567-89AB",
            "WB-U123-4567-89AB",
        ] {
            assert_eq!(hash_code(other), None, "{other}");
        }
    }
}
