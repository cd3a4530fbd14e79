//! Asks a proxy for a tunnel.

use std::fmt;
use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::Proxy;
use crate::resolve::{Resolve, addresses};

/// A proxy's answer may not have a longer head.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// Why there is no tunnel. Nothing was sent through it.
#[derive(Debug, thiserror::Error)]
pub enum TunnelError {
    /// The proxy is not there.
    #[error("the proxy is not reached: {0}")]
    Unreachable(io::Error),
    /// The proxy answered that it does not open one.
    #[error("the proxy refused with status {0}")]
    Refused(u16),
    /// What the proxy answered is not HTTP, or it answered nothing.
    #[error("the proxy gave no usable answer: {0}")]
    NoAnswer(io::Error),
}

/// Whom the proxy is asked to connect to.
pub enum Target<'a> {
    /// A name, which the proxy resolves, and a port.
    Name(&'a str, u16),
    /// An address, which we chose.
    Address(SocketAddr),
}

impl<'a> Target<'a> {
    /// A host of an address, without brackets.
    pub fn new(host: &'a str, port: u16) -> Target<'a> {
        match host.parse() {
            Ok(address) => Target::Address(SocketAddr::new(address, port)),
            Err(_) => Target::Name(host, port),
        }
    }
}

impl fmt::Display for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Name(name, port) => write!(f, "{name}:{port}"),
            Target::Address(address) => write!(f, "{address}"),
        }
    }
}

impl Proxy {
    /// A connection that leads to the target by way of the proxy. The caller sets its time.
    pub(crate) async fn tunnel(
        &self,
        resolver: &dyn Resolve,
        target: &Target<'_>,
    ) -> Result<TcpStream, TunnelError> {
        let opened = self.open(resolver, target).await;
        if let Err(error) = &opened {
            tracing::warn!(proxy = %self, to = %target, %error, "no way through the proxy");
        }
        opened
    }

    async fn open(
        &self,
        resolver: &dyn Resolve,
        target: &Target<'_>,
    ) -> Result<TcpStream, TunnelError> {
        let found = addresses(resolver, &self.host, self.port).await;
        let found = found.map_err(TunnelError::Unreachable)?;
        let stream = TcpStream::connect(found.as_slice()).await;
        let mut stream = stream.map_err(TunnelError::Unreachable)?;
        let mut request = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n");
        if let Some(authorization) = &self.authorization {
            let line = format!("Proxy-Authorization: {}\r\n", authorization.expose());
            request.push_str(&line);
        }
        request.push_str("\r\n");
        let written = stream.write_all(request.as_bytes()).await;
        written.map_err(TunnelError::NoAnswer)?;
        match read_status(&mut stream).await.map_err(TunnelError::NoAnswer)? {
            200..=299 => Ok(stream),
            status => Err(TunnelError::Refused(status)),
        }
    }
}

/// Reads the head of the answer and nothing after it. The other side of a tunnel is silent until we
/// greet it, so there is nothing after the head of one that was opened.
async fn read_status(stream: &mut TcpStream) -> io::Result<u16> {
    let mut head = Vec::new();
    let wrong = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why);
    let end = loop {
        if let Some(end) = head.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if head.len() > HEAD_BYTES_MAX {
            return Err(wrong("its head is too long"));
        }
        if stream.read_buf(&mut head).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    };
    let status = status(&head).ok_or_else(|| wrong("it is not HTTP"))?;
    match (200..300).contains(&status) && head.len() > end {
        true => Err(wrong("something came through the tunnel by itself")),
        false => Ok(status),
    }
}

fn status(head: &[u8]) -> Option<u16> {
    let rest = head.strip_prefix(b"HTTP/1.")?;
    let digits = std::str::from_utf8(rest.get(2..5)?).ok()?;
    let is_framed = rest[1] == b' ' && matches!(rest.get(5), Some(b' ' | b'\r'));
    digits.parse().ok().filter(|_| is_framed && digits.bytes().all(|it| it.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_status_line_of_http_is_read() {
        assert_eq!(status(b"HTTP/1.1 200 Connection established\r\n\r\n"), Some(200));
        assert_eq!(status(b"HTTP/1.0 407\r\n\r\n"), Some(407));
        for wrong in [&b"HTTP/2 200 OK\r\n"[..], b"HTTP/1.1 20 OK\r\n", b"HTTP/1.1 +20 \r\n", b""] {
            assert_eq!(status(wrong), None);
        }
    }

    #[test]
    fn an_address_is_named_with_its_brackets() {
        assert_eq!(Target::new("2001:db8::1", 443).to_string(), "[2001:db8::1]:443");
        assert_eq!(Target::new("api.example", 443).to_string(), "api.example:443");
    }
}
