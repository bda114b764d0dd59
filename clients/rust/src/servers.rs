//! The servers behind an address: looked up, connected to, and chosen in turn.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tonic::Code;
use tonic::transport::{Channel, Endpoint};

use crate::Error;
use crate::address::{Host, hosts};

/// A server that does not take a connection for so long counts as away.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Names are looked up again after so long, while calls are made.
const LOOKUP_INTERVAL: Duration = Duration::from_secs(30);
/// And when a server does not answer, unless they were just looked up.
const FAILED_LOOKUP_INTERVAL: Duration = Duration::from_secs(1);

const USER_AGENT: &str = concat!("shinpan-rust/", env!("CARGO_PKG_VERSION"));

pub(crate) struct Servers {
    /// What was asked for, for messages.
    pub(crate) address: String,
    /// What is looked up; nothing where the caller gave endpoints.
    hosts: Vec<Host>,
    known: Mutex<Known>,
    turn: AtomicUsize,
}

struct Known {
    servers: Vec<Server>,
    looked_up: Instant,
}

#[derive(Clone)]
struct Server {
    uri: String,
    channel: Channel,
}

impl Servers {
    /// Those of an address. Names are looked up; nothing is connected to before the first call.
    pub(crate) async fn look_up(address: &str) -> Result<Self, Error> {
        let hosts = hosts(address)?;
        let servers = connect(&hosts, &[])
            .await
            .map_err(|error| Error::local(Code::Unavailable, format!("{address} is not found: {error}")))?;
        Ok(Self::new(address.into(), hosts, servers))
    }

    /// Those of endpoints that the caller made.
    pub(crate) fn of_endpoints(endpoints: &[Endpoint]) -> Self {
        let servers: Vec<_> = endpoints.iter().map(Server::of).collect();
        let uris: Vec<_> = servers.iter().map(|server| server.uri.as_str()).collect();
        Self::new(uris.join(","), Vec::new(), servers)
    }

    fn new(address: String, hosts: Vec<Host>, servers: Vec<Server>) -> Self {
        let known = Mutex::new(Known { servers, looked_up: Instant::now() });
        Self { address, hosts, known, turn: AtomicUsize::new(fastrand::usize(..)) }
    }

    /// The server whose turn it is; none where there are no endpoints.
    pub(crate) fn next(self: &Arc<Self>) -> Option<Channel> {
        self.look_up_again(LOOKUP_INTERVAL);
        let known = self.known();
        let turn = self.turn.fetch_add(1, Ordering::Relaxed).checked_rem(known.servers.len())?;
        Some(known.servers[turn].channel.clone())
    }

    /// A server did not answer: perhaps others are there by now.
    pub(crate) fn missed(self: &Arc<Self>) {
        self.look_up_again(FAILED_LOOKUP_INTERVAL);
    }

    /// In the background: calls go on with the servers that are known.
    fn look_up_again(self: &Arc<Self>, interval: Duration) {
        let mut known = self.known();
        if self.hosts.is_empty() || known.looked_up.elapsed() < interval {
            return;
        }
        known.looked_up = Instant::now();
        let before = known.servers.clone();
        let this = Arc::clone(self);
        tokio::spawn(async move {
            if let Ok(servers) = connect(&this.hosts, &before).await {
                this.known().servers = servers;
            }
        });
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A server for each socket address of the hosts. Those of `before` stay connected. Hosts that are not found are left
/// out, unless none is.
async fn connect(hosts: &[Host], before: &[Server]) -> std::io::Result<Vec<Server>> {
    let mut servers: Vec<Server> = Vec::new();
    let mut failure = None;
    for host in hosts {
        match tokio::net::lookup_host((host.name.as_str(), host.port)).await {
            Ok(addresses) => {
                let endpoints = addresses.map(|address| host.endpoint(address));
                servers.extend(endpoints.map(|endpoint| Server::kept_or_of(&endpoint, before)));
            }
            Err(error) => failure = Some(error),
        }
    }
    match failure {
        Some(error) if servers.is_empty() => Err(error),
        _ => Ok(servers),
    }
}

impl Server {
    fn of(endpoint: &Endpoint) -> Self {
        Self { uri: endpoint.uri().to_string(), channel: endpoint.connect_lazy() }
    }

    fn kept_or_of(endpoint: &Endpoint, before: &[Self]) -> Self {
        let uri = endpoint.uri().to_string();
        if let Some(kept) = before.iter().find(|server| server.uri == uri) {
            return kept.clone();
        }
        let endpoint = endpoint.clone().connect_timeout(CONNECT_TIMEOUT).user_agent(USER_AGENT);
        Self::of(&endpoint.expect("the name of this crate may stand in a header"))
    }
}
