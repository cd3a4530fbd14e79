//! The sandbox's label as a file: one page of 100 x 150 mm for each parcel, drawn within bounds.

use waybill_domain::document::Format;

use crate::harness::{Running, folder, label, plan};

fn count(bytes: &[u8], what: &[u8]) -> usize {
    bytes.windows(what.len()).filter(|window| *window == what).count()
}

#[tokio::test]
async fn a_label_has_a_page_for_each_parcel_that_was_taken() {
    let folder = folder("label");
    let running = Running::start().await;
    let order = plan("sandbox:pickup_point", "", 3);
    let accepted = running.accepted(&order).await;
    let pdf = &accepted.files.files[0].bytes;
    // Kept for a look with other tools: `pdftotext`, `pdftoppm` and `zbarimg`.
    std::fs::write(folder.join("label.pdf"), pdf).unwrap();
    assert_eq!(count(pdf, b"/Type /Page "), 3);
    assert_eq!(count(pdf, b"/MediaBox [0 0 283.46 425.20]"), 3);
    for (index, parcel) in accepted.parcels.iter().enumerate() {
        let number = &parcel.tracking_number;
        assert_eq!(count(pdf, format!("({number})").as_bytes()), 1);
        assert_eq!(count(pdf, format!("({} of 3)", index + 1).as_bytes()), 1);
    }
    // Names in WinAnsi, brackets escaped, for sender and receiver on each page.
    assert_eq!(count(pdf, b"(\xC5se N\xF8rg\xE5rd)"), 6);
    assert_eq!(count(pdf, b"(B\xF8ger & Co \\(ApS\\))"), 6);
    assert_eq!(count(pdf, format!("(Reference: {})", order.reference).as_bytes()), 3);

    let zpl = waybill_carriers::booking::Plan {
        label: Some(label(Format::Zpl)),
        ..plan("sandbox:home", "", 1)
    };
    let accepted = running.accepted(&zpl).await;
    std::fs::write(folder.join("label.zpl"), &accepted.files.files[0].bytes).unwrap();
}

#[tokio::test]
async fn the_largest_booking_fits_in_an_answer() {
    let folder = folder("labels");
    let running = Running::start().await;
    let accepted = running.accepted(&plan("sandbox:home", "sim:qr sim:dropoff", 99)).await;
    std::fs::write(folder.join("labels.pdf"), &accepted.files.files[0].bytes).unwrap();
    assert_eq!(accepted.parcels.len(), 99);
    assert_eq!(count(&accepted.files.files[0].bytes, b"/Type /Page "), 99);
}
