//! Connecting.

use std::time::Duration;

use http::HeaderValue;
use tonic::Code;
use tonic::transport::Endpoint;

use crate::Error;
use crate::channel::{Channel, MAX_ANSWER_BYTES};
use crate::servers::Servers;
use crate::v1::analysis_service_client::AnalysisServiceClient;
use crate::v1::referee_service_client::RefereeServiceClient;

/// The deadline of a call that does not set its own.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection to one or several servers. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
}

impl Client {
    /// Connect in plain text to an address: `host:port`, or `dns:///host:port`; several have commas between. All servers
    /// that a name has are called in turn, and it is looked up again while calls are made. Has to be called in a Tokio
    /// runtime.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` when the address is none; `UNAVAILABLE` when its name is not found. Whether a server is there
    /// is found out by the first call.
    pub async fn connect(address: &str) -> Result<Self, Error> {
        Self::builder().connect(address).await
    }

    /// Connect otherwise than by default.
    #[must_use]
    pub fn builder() -> Builder {
        Builder { timeout: DEFAULT_TIMEOUT, bearer: None }
    }

    /// The stub of `RefereeService`. Each method fails with a [`tonic::Status`], of which [`Error`] is made.
    #[must_use]
    pub fn referee(&self) -> RefereeServiceClient<Channel> {
        RefereeServiceClient::new(self.channel.clone()).max_decoding_message_size(MAX_ANSWER_BYTES)
    }

    /// The stub of `AnalysisService`.
    #[must_use]
    pub fn analysis(&self) -> AnalysisServiceClient<Channel> {
        AnalysisServiceClient::new(self.channel.clone()).max_decoding_message_size(MAX_ANSWER_BYTES)
    }
}

/// How to connect.
#[derive(Clone)]
pub struct Builder {
    timeout: Duration,
    bearer: Option<String>,
}

impl Builder {
    /// The deadline of each call, attempts and waits included; [`tonic::Request::set_timeout`] sets another for one
    /// call.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The token of a caller whom the server knows, sent with each call.
    #[must_use]
    pub fn bearer(mut self, token: impl Into<String>) -> Self {
        self.bearer = Some(token.into());
        self
    }

    /// Connect to an address, as [`Client::connect`] does.
    ///
    /// # Errors
    ///
    /// As there; `INVALID_ARGUMENT` also when the bearer token has characters that no header can hold.
    pub async fn connect(&self, address: &str) -> Result<Client, Error> {
        self.client(Servers::look_up(address).await?)
    }

    /// Connect to these endpoints, with what tonic can be told about each of them: TLS for example.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` when the bearer token has characters that no header can hold.
    pub fn connect_endpoints(&self, endpoints: &[Endpoint]) -> Result<Client, Error> {
        self.client(Servers::of_endpoints(endpoints))
    }

    fn client(&self, servers: Servers) -> Result<Client, Error> {
        let bearer = self.bearer.as_deref().map(bearer_header).transpose()?;
        Ok(Client { channel: Channel::new(servers, self.timeout, bearer) })
    }
}

fn bearer_header(token: &str) -> Result<HeaderValue, Error> {
    let mut value = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| {
        Error::local(Code::InvalidArgument, "The bearer token has characters that no header can hold".into())
    })?;
    value.set_sensitive(true);
    Ok(value)
}
