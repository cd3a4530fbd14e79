//! A printer: where it is, and which of our formats it takes.

use super::abilities::Abilities;
use crate::document::Format;
use crate::endpoint::Endpoint;

/// The longest address of a printer, RFC 8011 section 5.1.6.
const URI_BYTES_MAX: usize = 1023;
/// The port of IPP, with TLS too (RFC 7472).
const IPP_PORT: u16 = 631;

/// Where the demo's printer is kept to be. It listens at another address after each start.
pub const VIRTUAL_PRINTER: &str = "virtual:demo";

/// The address of a printer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uri {
    /// As printers want to be called: as it was given, with scheme and host in small letters, so
    /// that one printer has one address.
    pub text: String,
    /// Where that is.
    pub endpoint: Endpoint,
}

/// Why an address is not that of a printer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UriProblem {
    /// It is neither `ipp` nor `ipps`.
    Scheme,
    /// It has a user, a password, a query or a fragment.
    Extra,
    /// It is too long.
    Length,
    /// It is not written as an address should be.
    Malformed,
    /// It has a port that we do not call.
    Port,
}

impl UriProblem {
    /// The sentence for it.
    pub fn key(self) -> &'static str {
        match self {
            UriProblem::Scheme => "printer-uri-scheme",
            UriProblem::Extra => "printer-uri-extra",
            UriProblem::Length => "printer-uri-length",
            UriProblem::Malformed => "printer-uri-malformed",
            UriProblem::Port => "printer-uri-port",
        }
    }
}

impl Uri {
    /// Reads `ipp://host/path` or `ipps://host/path`.
    pub fn parse(text: &str) -> Result<Uri, UriProblem> {
        if text.len() > URI_BYTES_MAX {
            return Err(UriProblem::Length);
        }
        let (scheme, rest) = text.split_once("://").ok_or(UriProblem::Scheme)?;
        let is_https = match scheme.to_ascii_lowercase().as_str() {
            "ipps" => true,
            "ipp" => false,
            _ => return Err(UriProblem::Scheme),
        };
        if rest.contains(['?', '#', '@']) {
            return Err(UriProblem::Extra);
        }
        let scheme = if is_https { "https" } else { "http" };
        let endpoint = Endpoint::parse(&format!("{scheme}://{rest}"));
        let mut endpoint = endpoint.ok_or(UriProblem::Malformed)?;
        let authority = rest.split('/').next().unwrap_or_default();
        let has_port = authority.rsplit(']').next().is_some_and(|end| end.contains(':'));
        if !has_port {
            endpoint.port = IPP_PORT;
            endpoint.authority = format!("{}:{IPP_PORT}", endpoint.authority);
        }
        match endpoint.port {
            443 | IPP_PORT | 1024.. => {
                let scheme = if is_https { "ipps" } else { "ipp" };
                let (host, path) = rest.split_at(authority.len());
                let text = format!("{scheme}://{}{path}", host.to_ascii_lowercase());
                Ok(Uri { text, endpoint })
            }
            _ => Err(UriProblem::Port),
        }
    }
}

/// Our formats that a printer takes, each with the type that it is sent as.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FormatTypes(pub Vec<(Format, String)>);

const RAW_TYPE: &str = "application/vnd.cups-raw";
const ZPL_TYPES: &[&str] = &["application/vnd.zebra-zpl", "application/zpl", "application/x-zpl"];

impl FormatTypes {
    /// What a printer takes. A raw queue hands everything on as it is, also what the device behind
    /// it cannot read: there it is ZPL alone. ZPL never goes unnamed to a queue with a driver,
    /// which would take it for a text and print its source.
    pub fn of(abilities: &Abilities) -> FormatTypes {
        let model = abilities.model.as_deref().unwrap_or_default();
        let lists = |wanted: &str| abilities.types.iter().any(|kind| kind == wanted);
        let is_raw = matches!(model, "Local Raw Printer" | "Remote Raw Printer")
            || (abilities.sizes.is_none() && lists(RAW_TYPE));
        if is_raw {
            return FormatTypes(vec![(Format::Zpl, "application/octet-stream".to_owned())]);
        }
        let mut known = Vec::new();
        for format in [Format::Pdf, Format::Png, Format::Xlsx] {
            if lists(format.media_type()) {
                known.push((format, format.media_type().to_owned()));
            }
        }
        let speaks_zpl = model.to_ascii_lowercase().contains("zebra")
            || abilities.device_id.as_deref().is_some_and(has_zpl_command);
        let listed = ZPL_TYPES.iter().find(|kind| lists(kind));
        let raw = Some(&RAW_TYPE).filter(|kind| speaks_zpl && lists(kind));
        if let Some(kind) = listed.or(raw) {
            known.push((Format::Zpl, (*kind).to_owned()));
        }
        FormatTypes(known)
    }

    /// The type that a file of this format is sent as. Nothing when the printer does not take it.
    pub fn of_format(&self, format: Format) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == format).map(|(_, kind)| kind.as_str())
    }

    /// The formats.
    pub fn formats(&self) -> impl Iterator<Item = Format> + '_ {
        self.0.iter().map(|(format, _)| *format)
    }
}

/// Whether an IEEE 1284 device id lists ZPL among its commands.
fn has_zpl_command(device_id: &str) -> bool {
    let commands = device_id.split(';').filter_map(|pair| {
        let (name, value) = pair.split_once(':')?;
        matches!(name.trim(), "CMD" | "COMMAND SET").then_some(value)
    });
    commands.flat_map(|value| value.split(',')).any(|command| command.trim().contains("ZPL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_port_leads_to_that_of_ipp() {
        let uri = Uri::parse("ipp://printer.local/printers/zebra").unwrap();
        assert_eq!((uri.endpoint.port, uri.endpoint.path.as_str()), (631, "/printers/zebra"));
        assert_eq!(uri.endpoint.authority, "printer.local:631");
        let secured = Uri::parse("ipps://10.0.0.7/").unwrap();
        assert_eq!((secured.endpoint.port, secured.endpoint.is_https), (631, true));
        assert_eq!(Uri::parse("ipp://[::1]:8631/ipp/print").unwrap().endpoint.port, 8631);
        assert_eq!(Uri::parse("ipp://[::1]/").unwrap().endpoint.port, 631);
        assert!(Uri::parse("IPPS://10.0.0.7/").unwrap().endpoint.is_https);
    }

    #[test]
    fn an_address_is_the_same_in_capital_letters() {
        let uri = Uri::parse("IPP://Printer.LOCAL:8631/Printers/Zebra").unwrap();
        assert_eq!(uri.text, "ipp://printer.local:8631/Printers/Zebra");
        assert_eq!(Uri::parse("IPPS://[FD00::7]").unwrap().text, "ipps://[fd00::7]");
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said() {
        let long = format!("ipp://a/{}", "a".repeat(1023));
        for (text, problem) in [
            ("http://a/", UriProblem::Scheme),
            ("socket://a:9100", UriProblem::Scheme),
            ("", UriProblem::Scheme),
            ("ipp://user:pw@a/", UriProblem::Extra),
            ("ipp://a/?x=1", UriProblem::Extra),
            ("ipp://a/#x", UriProblem::Extra),
            (&long, UriProblem::Length),
            ("ipp://a:25/", UriProblem::Port),
            ("ipp:///", UriProblem::Malformed),
            ("ipp://a b/", UriProblem::Malformed),
        ] {
            assert_eq!(Uri::parse(text).err(), Some(problem), "{text}");
        }
    }

    fn formats(types: &[&str], model: &str, device_id: &str, has_media: bool) -> String {
        let abilities = Abilities {
            types: types.iter().map(|kind| (*kind).to_owned()).collect(),
            model: Some(model.to_owned()),
            device_id: Some(device_id.to_owned()),
            sizes: has_media.then(Vec::new),
            ..Abilities::default()
        };
        let FormatTypes(known) = FormatTypes::of(&abilities);
        let words = known.iter().map(|(format, kind)| format!("{}={kind}", format.name()));
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_raw_queue_takes_zpl_alone_whatever_it_lists() {
        let types = ["application/pdf", "application/octet-stream", RAW_TYPE];
        let zpl = "zpl=application/octet-stream";
        assert_eq!(formats(&types, "Local Raw Printer", "", true), zpl);
        assert_eq!(formats(&types, "Zebra", "", false), zpl);
    }

    #[test]
    fn zpl_never_goes_unnamed_to_a_queue_with_a_driver() {
        let types = ["application/octet-stream", "application/pdf", RAW_TYPE];
        assert_eq!(
            formats(&types, "Office Jet", "MFG:HP;CMD:PCL,PDF;", true),
            "pdf=application/pdf"
        );
        let raw = format!("pdf=application/pdf zpl={RAW_TYPE}");
        assert_eq!(formats(&types, "Zebra ZD421", "", true), raw);
        assert_eq!(formats(&types, "ZTC", "MFG:Zebra ;COMMAND SET:ZPL II;", true), raw);
        assert_eq!(
            formats(&["application/zpl", "image/png"], "Eve", "", true),
            "png=image/png zpl=application/zpl"
        );
    }
}
