//! From a name to its addresses. The system's resolver is the only one in use; a test has another,
//! because a name that changes its address between two questions cannot be had otherwise.
//!
//! The system's resolver blocks a thread for as long as it likes, and the names come from others.
//! So it has threads of its own and keeps none from drawing labels; one name has one at most, and
//! names that answered when they were last asked for do not queue behind those that never did.

mod cache;

use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use async_trait::async_trait;
use tokio::sync::oneshot;
use tokio::time::Instant;

use cache::{Answer, Cache, Known};

/// How many names are looked up at once, of those that answered before and of the others.
const THREADS: usize = 4;
/// How many more may wait for that. Who comes then is told so at once, and tries again later.
const QUEUE_MAX: usize = 256;

/// Where addresses come from.
#[async_trait]
pub trait Resolve: Send + Sync {
    /// All addresses of a name, at this moment.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The addresses of a host that is a name or an address itself.
pub(crate) async fn addresses(
    resolver: &dyn Resolve,
    host: &str,
    port: u16,
) -> io::Result<Vec<SocketAddr>> {
    let found = match host.parse::<IpAddr>() {
        Ok(address) => vec![address],
        Err(_) => resolver.resolve(host).await?,
    };
    Ok(found.into_iter().map(|address| SocketAddr::new(address, port)).collect())
}

type LookUp = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

/// The system's own resolver.
pub struct SystemResolver {
    shared: Arc<Shared>,
    /// Started when the first name is asked for.
    queues: OnceLock<Queues>,
}

struct Shared {
    look_up: Box<LookUp>,
    cache: Mutex<Cache>,
}

/// The ways to the threads. They end when this is gone.
struct Queues {
    proven: SyncSender<String>,
    others: SyncSender<String>,
}

impl Default for SystemResolver {
    fn default() -> SystemResolver {
        SystemResolver::looking_up(|name| {
            Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
        })
    }
}

impl SystemResolver {
    /// One that asks this, which may block.
    pub fn looking_up(
        look_up: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static,
    ) -> SystemResolver {
        let shared = Shared { look_up: Box::new(look_up), cache: Mutex::default() };
        SystemResolver { shared: Arc::new(shared), queues: OnceLock::new() }
    }

    fn queues(&self) -> &Queues {
        let queue = || {
            let (sender, receiver) = sync_channel(QUEUE_MAX);
            let receiver = Arc::new(Mutex::new(receiver));
            for _ in 0..THREADS {
                let (shared, receiver) = (self.shared.clone(), receiver.clone());
                let thread = std::thread::Builder::new().name("resolver".to_owned());
                // One that does not start is missed only by those who would wait less.
                let _started = thread.spawn(move || shared.serve(&receiver));
            }
            sender
        };
        self.queues.get_or_init(|| Queues { proven: queue(), others: queue() })
    }

    /// The answer that is known, or the way to the one that is to come.
    fn ask(&self, name: &str) -> Result<Answer, oneshot::Receiver<Answer>> {
        let mut cache = self.shared.cache();
        let is_proven = match cache.find(name, Instant::now()) {
            Known::Answer(answer) => return Ok(answer),
            Known::Pending => return Err(cache.wait(name)),
            Known::Nothing { is_proven } => is_proven,
        };
        let queues = self.queues();
        let queue = if is_proven { &queues.proven } else { &queues.others };
        match queue.try_send(name.to_owned()) {
            Ok(()) => Err(cache.wait(name)),
            Err(_) => Ok(Err(io::ErrorKind::WouldBlock)),
        }
    }
}

impl Shared {
    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, names: &Mutex<Receiver<String>>) {
        loop {
            let next = names.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(name) = next else { return };
            let started = Instant::now();
            let answer = (self.look_up)(&name).map_err(|error| error.kind());
            self.cache().settle(&name, &answer, started, Instant::now());
        }
    }
}

#[async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let answer = match self.ask(name) {
            Ok(answer) => answer,
            Err(coming) => coming.await.unwrap_or(Err(io::ErrorKind::Interrupted)),
        };
        Ok(answer?)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    const SOON: Duration = Duration::from_secs(5);

    /// Names that begin with `slow` are never answered.
    fn hanging() -> Arc<SystemResolver> {
        Arc::new(SystemResolver::looking_up(|name| {
            while name.starts_with("slow") {
                std::thread::park();
            }
            Ok(vec![IpAddr::from([192, 0, 2, 1])])
        }))
    }

    async fn ask_in_vain(resolver: &Arc<SystemResolver>, names: impl Iterator<Item = String>) {
        for name in names {
            let resolver = resolver.clone();
            tokio::spawn(async move { resolver.resolve(&name).await });
            tokio::task::yield_now().await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    #[test]
    fn a_name_that_hangs_holds_up_no_other_name_and_no_drawing() {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.max_blocking_threads(1).enable_all().build();
        runtime.unwrap().block_on(async {
            let resolver = hanging();
            ask_in_vain(&resolver, (0..500).map(|_| "slow.example.com".to_owned())).await;
            let good = timeout(SOON, resolver.resolve("good.example.com")).await;
            assert_eq!(good.expect("at once").unwrap().len(), 1);
            let drawn = timeout(SOON, tokio::task::spawn_blocking(|| "label")).await;
            assert_eq!(drawn.expect("at once").unwrap(), "label");
        });
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn names_that_answered_do_not_queue_behind_many_that_hang() {
        let resolver = hanging();
        resolver.resolve("good.example.com").await.unwrap();
        ask_in_vain(&resolver, (0..20).map(|n| format!("slow{n}.example.com"))).await;
        // As after half a minute.
        resolver.shared.cache().expire();
        let good = timeout(SOON, resolver.resolve("good.example.com")).await;
        assert_eq!(good.expect("at once").unwrap().len(), 1);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn when_too_many_names_wait_the_next_is_told_at_once() {
        let resolver = hanging();
        let names = (0..THREADS + QUEUE_MAX).map(|n| format!("slow{n}.example.com"));
        ask_in_vain(&resolver, names).await;
        ask_in_vain(&resolver, (0..THREADS).map(|n| format!("slow-too{n}.example.com"))).await;
        let told = timeout(SOON, resolver.resolve("late.example.com")).await.expect("at once");
        assert_eq!(told.unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }
}
