//! The line between an agent and its server: it can be cut, and lose what it is told to lose.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::spawn;

/// What the line does with a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mood {
    /// It leads on.
    Up,
    /// Nobody answers.
    Down,
    /// In turn a connection loses the request, carries a call, loses the answer, carries a call.
    Lossy,
}

struct State {
    mood: Mood,
    server: SocketAddr,
    open: Vec<TcpStream>,
}

/// The line.
#[derive(Clone)]
pub struct Line {
    pub url: String,
    state: Arc<Mutex<State>>,
    pub lost: Arc<AtomicUsize>,
}

impl Line {
    pub fn to(base_url: &str) -> Line {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = State { mood: Mood::Up, server: address(base_url), open: Vec::new() };
        let line = Line { url, state: Arc::new(Mutex::new(state)), lost: Arc::default() };
        let running = line.clone();
        spawn(move || {
            for (number, stream) in listener.incoming().flatten().enumerate() {
                let line = running.clone();
                spawn(move || line.carry(stream, number));
            }
        });
        line
    }

    /// From now on it leads to this server.
    pub fn lead_to(&self, base_url: &str) {
        self.state.lock().unwrap().server = address(base_url);
        self.set(Mood::Up);
    }

    /// Connections that are open break.
    pub fn set(&self, mood: Mood) {
        let mut state = self.state.lock().unwrap();
        state.mood = mood;
        for stream in state.open.drain(..) {
            let _closed = stream.shutdown(Shutdown::Both);
        }
    }

    fn carry(&self, agent: TcpStream, number: usize) {
        let (mood, server) = {
            let state = self.state.lock().unwrap();
            (state.mood, state.server)
        };
        if mood == Mood::Down {
            return;
        }
        let Ok(server) = TcpStream::connect(server) else { return };
        {
            let mut state = self.state.lock().unwrap();
            if state.mood != mood {
                return;
            }
            state.open.extend([agent.try_clone().unwrap(), server.try_clone().unwrap()]);
        }
        let (loses_request, loses_answer) = match mood {
            Mood::Lossy => (number.is_multiple_of(4), number % 4 == 2),
            _ => (false, false),
        };
        if loses_request {
            self.lost.fetch_add(1, Ordering::SeqCst);
            let _read = (&agent).read(&mut [0; 4096]);
            let _closed = agent.shutdown(Shutdown::Both);
            return;
        }
        let (from_agent, to_server) = (agent.try_clone().unwrap(), server.try_clone().unwrap());
        let up = spawn(move || pump(from_agent, to_server));
        if loses_answer {
            self.lost.fetch_add(1, Ordering::SeqCst);
            let _read = (&server).read(&mut [0; 4096]);
            let _closed = (agent.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
        } else if mood == Mood::Lossy {
            let mut bytes = vec![0; 1 << 20];
            let read = (&server).read(&mut bytes).unwrap_or(0);
            let _written = (&agent).write_all(&bytes[..read]);
            std::thread::sleep(std::time::Duration::from_millis(50));
            let _closed = (agent.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
        } else {
            pump(server, agent);
        }
        let _ended = up.join();
    }
}

fn address(base_url: &str) -> SocketAddr {
    base_url.strip_prefix("http://").unwrap().parse().unwrap()
}

fn pump(mut from: TcpStream, mut to: TcpStream) {
    let _broken = std::io::copy(&mut from, &mut to);
    let _closed = (to.shutdown(Shutdown::Both), from.shutdown(Shutdown::Both));
}
