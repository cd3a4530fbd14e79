//! What the carriers answer. They let everybody in, and take every booking.

use std::fmt::Write;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A customer of this name waits for a slow carrier.
pub const SLOW: &str = "Slow Jensen";
/// For so long.
pub const SLOW_TIME: Duration = Duration::from_secs(2);

const BRING: &str = r#"
[[exchange]]
name = "book"
books = "{reference}"
request = { method = "POST", path = "/booking/api/create", json = '''
  {"consignments": [{"correlationId": "{reference}",
   "packages": ["{each package}", {"correlationId": "{reference}-{n}"}]}]}''' }
answer = { json = '''{"consignments": [{"correlationId": "{reference}", "errors": null,
  "confirmation": {"consignmentNumber": "C-{reference}", "links": {
  "labels": "{url}/labels/{reference}.pdf",
  "tracking": "https://tracking.bring.com/tracking.html?q=C-{reference}"},
  "packages": ["{each package}", {"packageNumber": "P-{reference}-{n}",
  "correlationId": "{reference}-{n}"}]}}]}''' }

[[exchange]]
name = "label"
request = { method = "GET", path = "/labels/{label}" }
answer = { headers = { content-type = "application/pdf" }, base64 = "A_LABEL" }
"#;

const POSTNORD: &str = r#"
[[exchange]]
name = "book"
books = "{reference}"
request = { method = "POST", path = "/rest/shipment/v3/edi/labels/pdf", json = '''
  {"shipment": [{"shipmentIdentification": {"shipmentId": "{reference}"},
   "goodsItem": [{"items": ["{each item}", {"itemIdentification": {"itemId": "0"}}]}]}]}''' }
answer = { json = '''{"bookingResponse": {"bookingId": "BOOK-{reference}", "idInformation": [{
  "status": "OK", "ids": ["{each item}", {"idType": "itemId", "value": "{n}0{reference}",
  "printId": "P{n}-{reference}"}]}]}, "labelPrintout": ["{each item}", {
  "itemIds": [{"itemIds": "{n}0{reference}", "status": "OK"}], "printout": {"type": "LABEL",
  "labelFormat": "PDF", "encoding": "base64", "data": "A_LABEL"}}]}''' }
"#;

const GLS: &str = r#"
[[exchange]]
name = "token"
request = { method = "POST", path = "/oauth2/v2/token" }
answer = { json = '{"access_token": "token-1", "token_type": "Bearer", "expires_in": 14400}' }

[[exchange]]
name = "book slowly"
books = "{reference}"
request = { method = "POST", path = "/shipit-farm/v1/backend/rs/shipments", json = '''
  {"Shipment": {"ShipmentReference": ["{reference}", "{more}"],
   "Consignee": {"Address": {"Name1": "SLOW_NAME"}}, "ShipmentUnit": ["{each unit}", {}]}}''' }
answer = { delay_ms = SLOW_TIME, json = '''BOOKED''' }

[[exchange]]
name = "book"
books = "{reference}"
request = { method = "POST", path = "/shipit-farm/v1/backend/rs/shipments", json = '''
  {"Shipment": {"ShipmentReference": ["{reference}", "{more}"],
   "ShipmentUnit": ["{each unit}", {}]}}''' }
answer = { json = '''BOOKED''' }
"#;

const GLS_BOOKED: &str = r#"{"CreatedShipment": {"ShipmentReference": ["{reference}"],
  "ParcelData": ["{each unit}", {"TrackID": "T{n}{reference}", "ParcelNumber": "50{n}{reference}",
  "ShipmentUnitReference": ["{reference}-{n}"]}],
  "PrintData": ["{each unit}", {"LabelFormat": "PDF", "Data": ["A_LABEL"]}],
  "CustomerID": "1", "PickupLocation": "DK550"}}"#;

const DAO: &str = r#"
[[exchange]]
name = "book"
books = "{reference}"
request = { path = "/DAODirekte/leveringsordre.php", query = { faktura = "{reference}" } }
answer = { json = '''{"status": "OK", "fejlkode": "", "fejltekst": "", "resultat": {
  "stregkode": "D{reference}"}}''' }

[[exchange]]
name = "label"
request = { path = "/HentLabel.php", query = { stregkode = "{any}" } }
answer = { headers = { content-type = "application/pdf" }, base64 = "A_LABEL" }
"#;

const BUDBEE: &str = r#"
[[exchange]]
name = "book"
books = "{reference}"
request = { method = "POST", path = "/multiple/orders", json = '''
  {"cart": {"cartId": "{reference}"}, "parcels": [{"shipmentId": "{parcel}"}]}''' }
answer = { json = '''{"id": "O-{reference}", "parcels": [{"id": 1, "shipmentId": "{parcel}",
  "packageId": "P-{reference}", "label": "{url}/labels/{reference}.pdf"}]}''' }

[[exchange]]
name = "label"
request = { method = "GET", path = "/labels/{label}" }
answer = { headers = { content-type = "application/pdf" }, base64 = "A_LABEL" }

[[exchange]]
name = "where people look"
request = { method = "GET", path = "/parcels/{number}/tracking-url" }
answer = { json = '{"url": "https://track.budbee.example/{number}"}' }
"#;

/// The exchanges of a carrier.
pub fn of(code: &str) -> String {
    let text = match code {
        "bring" => BRING,
        "postnord" => POSTNORD,
        "gls" => GLS,
        "dao" => DAO,
        _ => BUDBEE,
    };
    text.replace("BOOKED", GLS_BOOKED)
        .replace("SLOW_NAME", SLOW)
        .replace("SLOW_TIME", &SLOW_TIME.as_millis().to_string())
        .replace("A_LABEL", &STANDARD.encode(label()))
}

/// A label of 10 by 15 centimetres with one line on it.
fn label() -> Vec<u8> {
    let drawn = "BT /F1 12 Tf 20 400 Td (A label) Tj ET";
    let stream = format!("<< /Length {} >>\nstream\n{drawn}\nendstream", drawn.len());
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 283.46 425.2] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>",
        &stream,
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ];
    let (mut file, mut table) = ("%PDF-1.4\n".to_owned(), String::new());
    for (place, object) in objects.iter().enumerate() {
        let _infallible = writeln!(table, "{:010} 00000 n ", file.len());
        let _infallible = write!(file, "{} 0 obj\n{object}\nendobj\n", place + 1);
    }
    let start = file.len();
    let count = objects.len() + 1;
    let _infallible = write!(
        file,
        "xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R >>\n\
         startxref\n{start}\n%%EOF\n"
    );
    file.into_bytes()
}
