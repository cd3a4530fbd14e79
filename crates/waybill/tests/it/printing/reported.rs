//! Reports of print jobs.

use std::time::Duration;

use calamine::{Data, Reader, Xlsx};
use serde_json::{Value, json};
use waybill_domain::time::Time;

use super::{Printing, text};
use crate::harness::{Database, databases};

databases! {
    a_report_has_a_row_for_each_print_job_and_both_files_agree
    a_report_of_print_jobs_is_told_in_six_languages
    print_jobs_outside_the_period_and_of_other_teams_are_not_reported
}

/// Asks for a report of the jobs of a period, and waits for its two files.
async fn report(test: &Printing, (from, to): (Time, Time), language: &str) -> [Vec<u8>; 2] {
    let app = &test.fixture.app;
    let body = json!({"type": "print_jobs", "from": from.to_string(), "to": to.to_string(),
        "formats": ["xlsx", "pdf"]});
    let path = test.beta("/reports");
    let post = app.post(&path).admin().header("accept-language", language);
    let asked = post.json(&body.to_string()).send().await.expect(202);
    assert_eq!(asked.at("/data/type"), "print_jobs");
    let path = format!("{path}/{}", text(&asked, "/data/uuid"));
    for _ in 0..400 {
        let report = app.get(&path).admin().send().await.expect(200);
        if report.at("/data/state") == "pending" {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        }
        assert_eq!(report.at("/data/state"), "ready");
        let mut files = [Vec::new(), Vec::new()];
        for (place, file) in files.iter_mut().enumerate() {
            let url = text(&report, &format!("/data/documents/{place}/url"));
            let path = url.strip_prefix("http://waybill.test").unwrap().to_owned();
            *file = app.get(&path).send().await.expect(200).bytes.to_vec();
        }
        return files;
    }
    panic!("the report was never ready");
}

/// All of today.
fn today(test: &Printing) -> (Time, Time) {
    let now = test.fixture.app.app.now();
    (Time(now.0 - 86_400_000_000), now.plus(Duration::from_hours(24)))
}

/// The title of the sheet, and its rows, the head first.
fn sheet(file: &[u8]) -> (String, Vec<Vec<Data>>) {
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(file)).unwrap();
    let name = book.sheet_names()[0].clone();
    let range = book.worksheet_range(&name).unwrap();
    (name, range.rows().map(<[Data]>::to_vec).collect())
}

/// The words of a paper, read by poppler.
fn words(file: &[u8]) -> String {
    let name = format!("waybill-print-report-{}-{}.pdf", std::process::id(), file.len());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, file).unwrap();
    let read = std::process::Command::new("pdftotext").arg("-layout").arg(&path).arg("-").output();
    std::fs::remove_file(&path).unwrap();
    String::from_utf8(read.expect("./tools installs poppler").stdout).unwrap()
}

/// The figures, which stand in a line below that of their names.
fn figures(text: &str, names: &[&str]) -> Vec<usize> {
    let mut lines = text.lines().skip_while(|line| !names.iter().all(|name| line.contains(name)));
    let found = lines.find_map(|line| {
        let figures: Result<Vec<usize>, _> = line.split_whitespace().map(str::parse).collect();
        figures.ok().filter(|figures| !figures.is_empty())
    });
    found.unwrap_or_else(|| panic!("no {names:?} in {text}"))
}

/// A job that was printed, one that waits and one that failed.
async fn jobs(test: &Printing) {
    let good = test.printer("").await;
    let stopped = text(&test.add("Kitchen", "/stopped").await.expect(201), "/data/uuid");
    let document = text(&test.book("REPORT").await, "/data/documents/0/uuid");
    let printed = test.print(&document, Some(&good), json!({"copies": 2})).await.expect(201);
    test.until(&text(&printed, "/data/uuid"), "printed").await;
    let failed = test.print(&document, Some(&stopped), json!({})).await.expect(201);
    test.cancel(&text(&failed, "/data/uuid")).await.expect(200);
    test.print(&document, Some(&stopped), json!({})).await.expect(201);
}

async fn a_report_has_a_row_for_each_print_job_and_both_files_agree(database: Database) {
    let test = Printing::new(database).await;
    jobs(&test).await;
    let [xlsx, pdf] = report(&test, today(&test), "en").await;
    let (title, rows) = sheet(&xlsx);
    assert_eq!(title, "Print jobs");
    let head: Vec<String> = rows[0].iter().map(ToString::to_string).collect();
    let names = [
        "Created (UTC)",
        "Document",
        "Format",
        "Printer",
        "Copies",
        "Asked for by",
        "State",
        "Until printed (s)",
        "Failure",
    ];
    assert_eq!(head, names);
    let cells = |row: &[Data]| row[1..7].iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(cells(&rows[1]), ["Label", "pdf", "Packing table", "2", "Request", "Printed"]);
    assert_eq!(cells(&rows[2]), ["Label", "pdf", "Kitchen", "1", "Request", "Failed"]);
    assert_eq!(cells(&rows[3]), ["Label", "pdf", "Kitchen", "1", "Request", "Waiting"]);
    assert!(matches!(rows[1][7], Data::Float(seconds) if seconds >= 0.0), "{:?}", rows[1][7]);
    assert!(rows[2][7] == Data::Empty && rows[3][7] == Data::Empty && rows[1][8] == Data::Empty);
    assert!(rows[2][8].to_string().contains("cancelled"), "{:?}", rows[2][8]);
    let (text, states) = (words(&pdf), ["Waiting", "Printed", "Failed"]);
    let mut wanted = vec![rows.len() - 1];
    wanted.extend(states.map(|state| rows.iter().filter(|row| row[6] == state).count()));
    assert_eq!(figures(&text, &states), wanted);
    assert_eq!(wanted, [3, 1, 1, 1]);
    assert!(text.contains("Packing table") && text.contains("Kitchen"), "{text}");
}

async fn a_report_of_print_jobs_is_told_in_six_languages(database: Database) {
    let test = Printing::new(database).await;
    jobs(&test).await;
    for (language, [title, printer, state, failure]) in [
        ("en", ["Print jobs", "Printer", "Printed", "cancelled"]),
        ("da", ["Printjob", "Printer", "Printet", "annulleret"]),
        ("sv", ["Utskriftsjobb", "Skrivare", "Utskriven", "avbokades"]),
        ("nb", ["Utskriftsjobber", "Skriver", "Skrevet ut", "kansellert"]),
        ("fi", ["Tulostustyöt", "Tulostin", "Tulostettu", "peruutettiin"]),
        ("de", ["Druckaufträge", "Drucker", "Gedruckt", "storniert"]),
    ] {
        let [xlsx, pdf] = report(&test, today(&test), language).await;
        let (name, rows) = sheet(&xlsx);
        assert_eq!((name.as_str(), rows[0][3].to_string().as_str()), (title, printer));
        assert_eq!(rows[1][6].to_string(), state);
        assert!(rows[2][8].to_string().contains(failure), "{:?}", rows[2][8]);
        assert!(words(&pdf).contains(state), "{language}");
    }
}

async fn print_jobs_outside_the_period_and_of_other_teams_are_not_reported(database: Database) {
    let test = Printing::new(database).await;
    jobs(&test).await;
    let list = test.fixture.app.get(&test.beta("/print-jobs")).admin().send().await.expect(200);
    let created = |place: usize| -> Time {
        let at: Value = list.at(&format!("/data/{place}/created_at"));
        Time::parse(at.as_str().unwrap()).unwrap()
    };
    // The newest is listed first; the end of a period is not in it.
    let [xlsx, _] = report(&test, (created(2), created(0)), "en").await;
    assert_eq!(sheet(&xlsx).1.len() - 1, 2);
    let [xlsx, pdf] =
        report(&test, (created(2).plus(Duration::from_micros(1)), created(1)), "en").await;
    assert_eq!(sheet(&xlsx).1.len() - 1, 0);
    assert!(words(&pdf).contains("Print jobs"));
}
