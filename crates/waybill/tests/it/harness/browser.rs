//! A real Chromium, told what to do over the HTTP of its driver. `./browser` brings both.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// What the driver calls an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// For hangs, not for slow machines.
const TIMEOUT: Duration = Duration::from_secs(120);
/// How often, and how long in between, a page is asked for what it shall show.
const PAUSE: Duration = Duration::from_millis(50);
const TRIES: u32 = 1_200;

/// A browser with one window. It ends with the test.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

/// What a page is looked at with.
#[derive(Clone, Copy)]
pub struct Look {
    pub width: u32,
    pub is_dark: bool,
    pub language: &'static str,
}

impl Browser {
    pub fn start() -> Browser {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("there is a chromedriver: ./browser brings it");
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = loop {
            let line = lines.next().expect("the driver says where it is").unwrap();
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                break port.trim_end_matches('.').parse().unwrap();
            }
        };
        // Nobody reads the rest, and a full pipe must not stop the driver.
        std::thread::spawn(move || lines.for_each(drop));
        let mut browser = Browser { driver, port, session: String::new() };
        // Nothing of its own is asked for elsewhere: without these it waits for a network.
        let options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                "--disable-quic", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync"],
        });
        let wanted =
            json!({"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}});
        let begun =
            browser.send("POST", "/session", json!({"capabilities": {"alwaysMatch": wanted}}));
        browser.session = format!("/session/{}", begun["sessionId"].as_str().unwrap());
        browser
    }

    pub fn open(&self, url: &str) {
        self.tell("/url", json!({"url": url}));
    }

    /// Where it is.
    pub fn url(&self) -> String {
        self.ask("/url").as_str().unwrap().to_owned()
    }

    pub fn click(&self, css: &str) {
        let element = self.find(css);
        self.tell(&format!("/element/{element}/click"), json!({}));
    }

    /// Waits until a person sees these words in an element: the next page may be on its way.
    pub fn until_text(&self, css: &str, words: &str) {
        let find = format!("const it = document.querySelector('{css}'); return it && it.innerText");
        let asked = json!({"script": find, "args": []});
        let says = |last: &Value| last.as_str()?.contains(words).then_some(());
        self.poll("/execute/sync", &asked, says)
            .unwrap_or_else(|last| panic!("{css} never says {words}: {last}"));
    }

    /// What a script finds out: the page itself has none.
    pub fn evaluate(&self, script: &str) -> Value {
        self.tell("/execute/sync", json!({"script": script, "args": []}))
    }

    /// Presses keys, wherever the focus is.
    pub fn press(&self, keys: &str) {
        let element = self.ask("/element/active")[ELEMENT].as_str().unwrap().to_owned();
        self.tell(&format!("/element/{element}/value"), json!({"text": keys}));
    }

    /// Looks at pages like this from now on. A window cannot be made narrower than 500 pixels; its
    /// view can.
    pub fn look(&self, look: Look) {
        let size = json!({
            "width": look.width, "height": 900, "deviceScaleFactor": 1, "mobile": false,
        });
        self.cdp("Emulation.setDeviceMetricsOverride", size);
        let scheme = if look.is_dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.cdp("Emulation.setEmulatedMedia", json!({"features": features}));
        self.cdp("Network.enable", json!({}));
        let headers = json!({"headers": {"Accept-Language": look.language}});
        self.cdp("Network.setExtraHTTPHeaders", headers);
    }

    /// The whole page as a PNG.
    pub fn picture(&self) -> Vec<u8> {
        let shot = json!({"captureBeyondViewport": true});
        let taken = self.cdp("Page.captureScreenshot", shot);
        use base64::Engine;
        let data = taken["data"].as_str().unwrap();
        base64::engine::general_purpose::STANDARD.decode(data).unwrap()
    }

    /// What the browser complained about since it was last asked: of the policy, for example.
    pub fn complaints(&self) -> Vec<String> {
        let entries = self.tell("/se/log", json!({"type": "browser"}));
        let entries = entries.as_array().cloned().unwrap_or_default();
        entries.iter().map(|entry| entry["message"].to_string()).collect()
    }

    fn cdp(&self, command: &str, parameters: Value) -> Value {
        self.tell("/goog/cdp/execute", json!({"cmd": command, "params": parameters}))
    }

    /// An element, as soon as the page has it: the page may be on its way.
    fn find(&self, css: &str) -> String {
        let wanted = json!({"using": "css selector", "value": css});
        let element = |last: &Value| last[ELEMENT].as_str().map(str::to_owned);
        self.poll("/element", &wanted, element).unwrap_or_else(|last| panic!("no {css}: {last}"))
    }

    /// Asks until the answer has what is wanted; a page that is just left may answer with an
    /// error. Else the last answer.
    fn poll<T>(
        &self,
        path: &str,
        body: &Value,
        wanted: impl Fn(&Value) -> Option<T>,
    ) -> Result<T, Value> {
        let path = format!("{}{path}", self.session);
        let mut last = Value::Null;
        for _ in 0..TRIES {
            last = self.try_send("POST", &path, body);
            if let Some(found) = wanted(&last) {
                return Ok(found);
            }
            std::thread::sleep(PAUSE);
        }
        Err(last)
    }

    fn ask(&self, path: &str) -> Value {
        self.send("GET", &format!("{}{path}", self.session), Value::Null)
    }

    fn tell(&self, path: &str, body: Value) -> Value {
        self.send("POST", &format!("{}{path}", self.session), body)
    }

    fn send(&self, method: &str, path: &str, body: Value) -> Value {
        let value = self.try_send(method, path, &body);
        assert!(value["error"].is_null(), "{method} {path}: {value}");
        value
    }

    /// The same, with what went wrong as the answer.
    fn try_send(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len(),
        );
        stream.write_all(head.as_bytes()).unwrap();
        let body = read_body(&mut BufReader::new(stream));
        let value: Value = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{body}"));
        value["value"].clone()
    }
}

/// The body of an answer. Some drivers keep the connection, whatever they are asked.
fn read_body(answer: &mut impl BufRead) -> String {
    let mut length = 0;
    loop {
        let mut line = String::new();
        answer.read_line(&mut line).expect("the driver answers in time");
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().unwrap();
            }
            None if line.trim_end().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    answer.read_exact(&mut body).expect("the driver answers in time");
    String::from_utf8(body).unwrap()
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !std::thread::panicking() && !self.session.is_empty() {
            self.send("DELETE", &self.session.clone(), Value::Null);
        }
        // Where the test fails, the driver takes the browser with it.
        let id = self.driver.id().to_string();
        let _gone = Command::new("kill").args(["-TERM", &id]).status();
        let _ended = self.driver.wait();
    }
}
