//! The catalog as the API shows it.

use super::{Addon, Carrier, Service};
use crate::json::Json;
use crate::language::Language;

impl Carrier {
    /// `{code, name, logo_url, icon_url}`; the images are served below the base URL.
    pub fn entry(&self, base_url: &str) -> Json {
        let image = |name: &str| Json::text(format!("{base_url}/v2/carriers/{}/{name}", self.code));
        Json::object([
            ("code", self.code.as_str().into()),
            ("name", self.name.as_str().into()),
            ("logo_url", image("logo.svg")),
            ("icon_url", image("icon.svg")),
        ])
    }

    /// The entry with its services and their constraints, as the catalog lists it.
    pub fn to_json(&self, base_url: &str, language: Language) -> Json {
        let services = self.services.iter().map(|service| {
            let mut shown = service.to_json(language);
            if let Json::Object(members) = &mut shown {
                members.push(("constraints".into(), service.schema()));
            }
            shown
        });
        let services = ("services".into(), Json::list(services));
        let Json::Object(members) = self.entry(base_url) else { return Json::Null };
        Json::Object(members.into_iter().chain([services]).collect())
    }
}

impl Service {
    /// The service without its constraints, as routes show it.
    pub fn to_json(&self, language: Language) -> Json {
        let formats = self.label_formats.iter().map(|format| format.name().into());
        Json::object([
            ("service_code", self.code.as_str().into()),
            ("service_name", self.names.say(language).into()),
            ("is_pickup", self.is_pickup.into()),
            ("is_return", self.is_return.into()),
            ("from_countries", Json::list(self.from_countries.iter().map(Json::text))),
            ("to_countries", Json::list(self.to_countries.iter().map(Json::text))),
            ("addons", Json::list(self.addons.iter().map(|addon| addon.to_json(language)))),
            ("label_formats", Json::list(formats)),
            ("label_sizes", Json::list(self.label_sizes.iter().map(Json::text))),
        ])
    }
}

impl Addon {
    /// `{code, name, description, value_schema, is_required}`
    pub fn to_json(&self, language: Language) -> Json {
        Json::object([
            ("code", self.code.as_str().into()),
            ("name", self.names.say(language).into()),
            ("description", self.descriptions.say(language).into()),
            ("value_schema", self.value.schema().into()),
            ("is_required", self.is_required.into()),
        ])
    }
}
