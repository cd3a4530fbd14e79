//! Whether a carrier's real service is meant, or the one for trying things out.

use waybill_domain::fields::{Fields, one_of};
use waybill_domain::json::Json;

use crate::registry::Connector;
use crate::urls::BaseUrl;

const NAMES: &[&str] = &["production", "test"];
const OPTION: &str = "environment";

/// Which of a carrier's services an account is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Environment {
    /// The real one.
    Production,
    /// The one for trying things out.
    Test,
}

impl Environment {
    /// Reads the option; the real one when it is left out.
    pub fn read(fields: &Fields) -> Option<Environment> {
        let parse = |text: &str| match text {
            "production" => Some(Environment::Production),
            "test" => Some(Environment::Test),
            _ => None,
        };
        let chosen = fields.parsed(OPTION, parse, || one_of(NAMES));
        Some(chosen.optional().unwrap_or(Environment::Production))
    }

    /// What the options of an account say that were checked before.
    pub fn of(options: &Json) -> Environment {
        match options.member_text(OPTION) {
            Some("test") => Environment::Test,
            _ => Environment::Production,
        }
    }

    /// Whether it is for trying things out.
    pub fn is_test(self) -> bool {
        self == Environment::Test
    }
}

/// Where both services of a carrier are.
pub struct Hosts {
    production: BaseUrl,
    test: BaseUrl,
}

impl Hosts {
    /// The carrier's hosts, or what the operator put in the place of both.
    pub fn new(connector: &Connector, production: &'static str, test: &'static str) -> Hosts {
        Hosts { production: connector.main(production), test: connector.test(test) }
    }

    /// Where an account with these options calls.
    pub fn of(&self, options: &Json) -> &BaseUrl {
        match Environment::of(options) {
            Environment::Production => &self.production,
            Environment::Test => &self.test,
        }
    }
}
