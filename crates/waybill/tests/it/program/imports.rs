//! Files of service points and rates, taken in beside a running server.

use serde_json::{Value, json};

use super::{Folder, Server, complaint, json as parsed, run};
use crate::points::six;
use crate::rates::rate;

const CSV: &str = "carrier,country,code,name,type,address_line_1,postal_code,city,latitude,longitude,\
opening_hours\n\
dao,DK,1,\"Kiosk, på hjørnet\",parcel_shop,Gade 1,2300,København S,55.66,12.58,mo-fr 07:00-22:00\n\
dao,DK,2,Boks,locker,Gade 2,8000,Aarhus C,56.15,10.20,\n";

fn stdout(output: &std::process::Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

async fn codes(server: &Server, team: &str, token: &str) -> Vec<String> {
    let path = format!("/v2/teams/{team}/service-points?carrier=dao&country=DK");
    let body = server.get(&path, token).await.expect(200).json();
    let rows = body["data"].as_array().unwrap();
    rows.iter().map(|row| row["code"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn points_are_imported_from_csv_and_json_beside_a_running_server() {
    let folder = Folder::new("import");
    let made =
        run(&folder.0, &["team", "create", "--name", "N", "--domain", "n.example", "--json"]);
    let made = parsed(&made);
    let team = made["team_uuid"].as_str().unwrap();
    let token = made["token"].as_str().unwrap();
    let mut server = Server::start(&folder.0, &[]);
    std::fs::write(folder.0.join("points.csv"), CSV).unwrap();
    let output = run(&folder.0, &["import", "service-points", "points.csv"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(stdout(&output), "dao DK: 2 points, 0 let go\n2 taken, 0 refused\n");
    assert_eq!(codes(&server, team, token).await, ["1", "2"]);

    let mut points = six();
    points[5]["type"] = json!("kiosk");
    let lines: Vec<String> = points.iter().map(Value::to_string).collect();
    std::fs::write(folder.0.join("points.jsonl"), lines.join("\n")).unwrap();
    let output = run(&folder.0, &["import", "service-points", "points.jsonl", "--replace"]);
    let words = complaint(&output);
    assert!(words.starts_with("entry 6: type must be one of"), "{words}");
    assert_eq!(stdout(&output), "dao DK: 5 points, 0 let go\n5 taken, 1 refused\n");

    std::fs::write(folder.0.join("points.json"), json!(points[..2]).to_string()).unwrap();
    let output = run(&folder.0, &["import", "service-points", "points.json", "--replace"]);
    assert_eq!(stdout(&output), "dao DK: 2 points, 3 let go\n2 taken, 0 refused\n");
    assert_eq!(codes(&server, team, token).await, ["1", "2"]);
    assert!(server.stop());
}

#[tokio::test]
async fn rates_are_imported_for_a_team() {
    let folder = Folder::new("rates");
    let made =
        run(&folder.0, &["team", "create", "--name", "N", "--domain", "n.example", "--json"]);
    let made = parsed(&made);
    let csv = "service_code,zone,from_weight,to_weight,weight_unit,price,currency\n\
               sandbox:home,DK,0,2,kg,3900,DKK\nsandbox:home,,0,2.5,kg,8900,DKK\n";
    std::fs::write(folder.0.join("rates.csv"), csv).unwrap();
    let import =
        |file: &str, team: &str| run(&folder.0, &["import", "rates", file, "--team", team]);
    assert_eq!(stdout(&import("rates.csv", "n.example")), "2 rates\n");
    let team = made["team_uuid"].as_str().unwrap();
    let mut server = Server::start(&folder.0, &[]);
    let path = format!("/v2/teams/{team}/rates");
    let body = server.get(&path, made["token"].as_str().unwrap()).await.expect(200).json();
    assert_eq!(
        body["data"],
        json!([
            rate("sandbox:home", json!("DK"), (0.0, 2.0), 3900),
            rate("sandbox:home", json!(null), (0.0, 2.5), 8900),
        ])
    );
    let bad = json!({"data": [rate("sandbox:none", json!(null), (0.0, 2.5), 8900)]});
    std::fs::write(folder.0.join("rates.json"), bad.to_string()).unwrap();
    assert!(complaint(&import("rates.json", team)).contains("data.0.service_code"));
    assert!(complaint(&import("rates.json", "nobody")).contains("there is no team"));
    assert!(server.stop());
}

#[tokio::test]
async fn the_demo_has_two_thousand_pickup_points() {
    let folder = Folder::new("demo-points");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = std::fs::read(folder.0.join("demo.json")).unwrap();
    let demo: Value = serde_json::from_slice(&demo).unwrap();
    let (team, token) = (demo["team_uuid"].as_str().unwrap(), demo["token"].as_str().unwrap());
    let mut count = 0;
    for country in ["DK", "SE", "NO", "FI", "DE"] {
        let rest = format!("carrier=sandbox&country={country}&per_page=1000");
        let path = format!("/v2/teams/{team}/service-points?{rest}");
        let body = server.get(&path, token).await.expect(200).json();
        count += body["data"].as_array().unwrap().len();
    }
    assert_eq!(count, 2000);
    let closest = "service-points/closest?carrier=sandbox&country=DK&postal_code=2300&limit=1";
    let nearest = server.get(&format!("/v2/teams/{team}/{closest}"), token).await.expect(200);
    assert_eq!(nearest.at("/data/0/code"), "DK-1001");
    assert!(server.stop());
}
