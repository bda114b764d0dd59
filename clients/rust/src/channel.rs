//! How calls travel: in turn to each server, again where one is not there, and never longer than their deadline.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use tokio::time::{Instant, sleep, timeout_at};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Bytes;
use tower_service::Service;

use crate::servers::Servers;
use crate::service_config::RETRY_POLICY;

/// Answers of the service are no longer than 4 MiB; what comes around them is.
pub(crate) const MAX_ANSWER_BYTES: usize = 5 * 1024 * 1024;

/// Clocks cannot count on for ever.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

const GRPC_TIMEOUT: &str = "grpc-timeout";

/// What the stubs call through. Cheap to clone; clones share their connections.
///
/// Every method of the service is a pure function of its request, so that a call whose answer breaks off is made again
/// just like one that finds no server.
#[derive(Clone)]
pub struct Channel {
    servers: Arc<Servers>,
    timeout: Duration,
    bearer: Option<HeaderValue>,
}

/// What a call sends, whole: it may be sent more than once.
struct Call {
    parts: Parts,
    message: Bytes,
    deadline: Instant,
}

impl Channel {
    pub(crate) fn new(servers: Servers, timeout: Duration, bearer: Option<HeaderValue>) -> Self {
        Self { servers: Arc::new(servers), timeout, bearer }
    }

    async fn call_in_time(self, request: Request<Body>) -> Result<Response<Body>, Status> {
        let (mut parts, body) = request.into_parts();
        let timeout = asked_timeout(&parts.headers).unwrap_or(self.timeout).min(LONGEST_TIMEOUT);
        if let Some(bearer) = self.bearer.clone() {
            parts.headers.entry(AUTHORIZATION).or_insert(bearer);
        }
        let message = body.collect().await?.to_bytes();
        let call = Call { parts, message, deadline: Instant::now() + timeout };
        timeout_at(call.deadline, self.call_until_answered(&call)).await.unwrap_or_else(|_| {
            let seconds = timeout.as_secs_f64();
            Err(Status::deadline_exceeded(format!("{} did not answer within {seconds} s", self.servers.address)))
        })
    }

    async fn call_until_answered(&self, call: &Call) -> Result<Response<Body>, Status> {
        let mut attempt = 1;
        loop {
            let outcome = self.call_once(call).await;
            match &outcome {
                Err(status) if attempt < RETRY_POLICY.max_attempts && RETRY_POLICY.retries(status.code()) => {
                    self.servers.missed();
                    sleep(RETRY_POLICY.backoff(attempt)).await;
                    attempt += 1;
                }
                _ => return outcome,
            }
        }
    }

    /// One answer of one server, read to its end. An error where it may be worth another attempt.
    async fn call_once(&self, call: &Call) -> Result<Response<Body>, Status> {
        let mut server = self.servers.next().ok_or_else(|| Status::unavailable("There are no endpoints to call"))?;
        poll_fn(|context| server.poll_ready(context)).await.map_err(|error| self.broken_off(&error))?;
        let response = server.call(call.request()).await.map_err(|error| self.broken_off(&error))?;
        let (head, body) = response.into_parts();
        let body = Limited::new(body, MAX_ANSWER_BYTES).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                return Status::resource_exhausted(format!("The answer has more than {MAX_ANSWER_BYTES} bytes"));
            }
            self.broken_off(&*error)
        })?;
        match refusal(head.status, &head.headers).or_else(|| body.trailers().and_then(Status::from_header_map)) {
            Some(status) if RETRY_POLICY.retries(status.code()) => Err(status),
            None if head.status == StatusCode::OK => {
                Err(Status::unavailable(format!("An answer of {} ended without its status", self.servers.address)))
            }
            _ => Ok(Response::from_parts(head, Body::new(body))),
        }
    }

    /// The connection failed. Its error tells why at the end of the chain of its sources.
    fn broken_off(&self, error: &(dyn std::error::Error + 'static)) -> Status {
        let innermost = std::iter::successors(Some(error), |error| error.source()).last().unwrap_or(error);
        Status::unavailable(format!("{} is not reached: {innermost}", self.servers.address))
    }
}

impl Call {
    fn request(&self) -> Request<Body> {
        let mut parts = self.parts.clone();
        let left = self.deadline.saturating_duration_since(Instant::now()).as_millis() + 1;
        let left = HeaderValue::try_from(format!("{}m", left.min(99_999_999))).expect("digits and a letter");
        parts.headers.insert(GRPC_TIMEOUT, left);
        Request::from_parts(parts, Body::new(Full::new(self.message.clone())))
    }
}

/// The deadline that a request sets for itself: at most eight digits and a unit.
fn asked_timeout(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(GRPC_TIMEOUT)?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(number * 3600)),
        "M" => Some(Duration::from_secs(number * 60)),
        "S" => Some(Duration::from_secs(number)),
        "m" => Some(Duration::from_millis(number)),
        "u" => Some(Duration::from_micros(number)),
        "n" => Some(Duration::from_nanos(number)),
        _ => None,
    }
}

/// What the head of an answer refuses the call with: the service itself, or a proxy that has no server behind it.
fn refusal(status: StatusCode, headers: &HeaderMap) -> Option<Status> {
    Status::from_header_map(headers).or_else(|| match status {
        StatusCode::TOO_MANY_REQUESTS
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => Some(Status::unavailable(format!("A proxy answered with HTTP {status}"))),
        _ => None,
    })
}

impl Service<Request<Body>> for Channel {
    type Response = Response<Body>;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(self.clone().call_in_time(request))
    }
}
