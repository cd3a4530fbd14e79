//! Completed files: what they are for, their format, and which format is made.

use crate::named::named;
use crate::words::Message;

/// No file that a carrier makes is larger: neither is more of one read, nor less of it taken.
pub const CARRIER_FILE_BYTES_MAX: usize = 24 * 1024 * 1024;

named! {
    /// What a document is for.
    DocumentType {
        Label = "label",
        CustomsDeclaration = "customs_declaration",
        CommercialInvoice = "commercial_invoice",
        ProformaInvoice = "proforma_invoice",
        PackingList = "packing_list",
        Report = "report",
        Manifest = "manifest",
    }
    /// A paper that goes along with what crosses a customs border.
    CustomsPaper {
        Declaration = "declaration",
        Invoice = "invoice",
        PackingList = "packing_list",
    }
    /// The kind of thing that a document was made for.
    SourceKind {
        Shipment = "shipment",
        Manifest = "manifest",
        Report = "report",
        Merge = "merge",
        FulfilmentRequest = "fulfilment_request",
    }
    /// A paper that a warehouse works with.
    WarehousePaper { PickList = "pick_list", PackingSlip = "packing_slip", }
    /// What a document is made of.
    Format { Pdf = "pdf", Zpl = "zpl", Png = "png", Xlsx = "xlsx", }
}

impl DocumentType {
    /// What people call it.
    pub fn title(self) -> Message {
        Message::new(match self {
            DocumentType::Label => "paper-shipping-label",
            DocumentType::CustomsDeclaration => "paper-customs-title",
            DocumentType::CommercialInvoice => "paper-invoice-commercial",
            DocumentType::ProformaInvoice => "paper-invoice-proforma",
            DocumentType::PackingList => "paper-packing-list",
            DocumentType::Report => "paper-report",
            DocumentType::Manifest => "paper-manifest",
        })
    }
}

impl WarehousePaper {
    /// What people call it.
    pub fn title(self) -> Message {
        Message::new(match self {
            WarehousePaper::PickList => "paper-pick-list",
            WarehousePaper::PackingSlip => "paper-packing-slip",
        })
    }
}

impl Format {
    /// The media type that it is served with.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Pdf => "application/pdf",
            Format::Zpl => "application/zpl",
            Format::Png => "image/png",
            Format::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// The first of the team's formats that the service offers. When there is none, nothing else is
/// quietly chosen.
pub fn negotiate(wanted: &[Format], offered: &[Format]) -> Result<Format, Message> {
    let names = |formats: &[Format]| {
        formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
    };
    wanted.iter().copied().find(|format| offered.contains(format)).ok_or_else(|| {
        Message::new("no-format").text("offered", names(offered)).text("wanted", names(wanted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // Rules: Service 7.
    #[test]
    fn the_first_wanted_format_that_is_offered_is_made_and_no_other() {
        use Format::{Pdf, Png, Zpl};
        assert_eq!(negotiate(&[Zpl, Pdf], &[Pdf, Zpl]), Ok(Zpl));
        assert_eq!(negotiate(&[Zpl, Pdf], &[Pdf]), Ok(Pdf));
        assert!(negotiate(&[Zpl, Png], &[Pdf]).is_err());
        assert!(negotiate(&[Zpl], &[]).is_err());
    }
}
