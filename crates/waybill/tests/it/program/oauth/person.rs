//! A person with a browser, over real sockets: signs in, agrees, and keeps cookies.

use std::collections::BTreeMap;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{Reply, socket};
use crate::program::Server;
use crate::sign_in::visitor::{Fields, PATH, encoded, fields, form, html, way_back};

/// A person who may be signed in already.
pub struct Person {
    email: String,
    password: String,
    cookies: BTreeMap<String, String>,
}

impl Person {
    /// A person with this e-mail address and this password.
    pub fn new((email, password): (String, String)) -> Person {
        Person { email, password, cookies: BTreeMap::new() }
    }

    /// Agrees to what an app asks for, and tells what the app is told.
    pub async fn agree(&mut self, server: &Server, asked: &Fields) -> BTreeMap<String, String> {
        let mut page = self.open(server, asked).await;
        if html(&page).contains("data-page=\"sign-in\"") {
            let typed = fields(&[("email", &self.email), ("password", &self.password)]);
            let sent = [form(&page, "password"), typed].concat();
            self.send(server, "POST", PATH, &encoded(&sent)).await.expect(303);
            page = self.open(server, asked).await;
        }
        let sent = [form(&page, "consent"), fields(&[("consent", "allow")])].concat();
        way_back(&self.send(server, "POST", PATH, &encoded(&sent)).await).1
    }

    async fn open(&mut self, server: &Server, asked: &Fields) -> Reply {
        let path = format!("{PATH}?{}", encoded(asked));
        self.send(server, "GET", &path, "").await.expect(200)
    }

    async fn send(&mut self, server: &Server, method: &str, path: &str, body: &str) -> Reply {
        let address = server.base_url.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).await.unwrap();
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nCookie: {}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            cookies.join("; "),
            body.len(),
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let plain = path.split('?').next().unwrap();
        let reply = socket::answer(&mut stream, method, plain).await;
        for line in reply.headers.get_all("set-cookie") {
            let pair = line.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        reply
    }
}
