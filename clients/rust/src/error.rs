//! Why a call failed.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, RpcStatusExt, StatusExt};

use crate::v1::ErrorReason;

const DOMAIN: &str = "shinpan";
const PREFIX: &str = "ERROR_REASON_";

/// Why a call, or an item of a batch, failed. `?` makes one of a [`tonic::Status`].
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<Details>);

#[derive(Clone, Debug, PartialEq)]
struct Details {
    code: Code,
    reason: Option<String>,
    message: String,
    metadata: HashMap<String, String>,
    violations: Vec<FieldViolation>,
    retry_after: Option<Duration>,
}

/// What is wrong with one field of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldViolation {
    /// The path of the field, for example `setup.match_id`.
    pub field: String,
    /// What is wrong with it, in English.
    pub description: String,
}

impl Error {
    /// The code of gRPC.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The reason that the service gave, a name of [`ErrorReason`] without `ERROR_REASON_`, such as `ILLEGAL_MOVE`.
    /// `None` where the call got no answer from the service.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.0.reason.as_deref()
    }

    /// Whether the service gave this reason.
    #[must_use]
    pub fn is(&self, reason: ErrorReason) -> bool {
        reason.as_str_name().strip_prefix(PREFIX) == self.reason()
    }

    /// What happened, in English. Texts may change, reasons do not.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What varies in the message, by name.
    #[must_use]
    pub fn metadata(&self) -> &HashMap<String, String> {
        &self.0.metadata
    }

    /// What is wrong with the request, field by field.
    #[must_use]
    pub fn violations(&self) -> &[FieldViolation] {
        &self.0.violations
    }

    /// How long to wait before another attempt, where the service says so.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// One that this crate found by itself.
    pub(crate) fn local(code: Code, message: String) -> Self {
        Self::new(code, message, &ErrorDetails::new())
    }

    fn new(code: Code, message: String, details: &ErrorDetails) -> Self {
        let info = details.error_info().filter(|info| info.domain == DOMAIN);
        let violations = details.bad_request().map_or(&[][..], |request| &request.field_violations);
        Self(Box::new(Details {
            code,
            reason: info.map(|info| info.reason.clone()),
            message,
            metadata: info.map(|info| info.metadata.clone()).unwrap_or_default(),
            violations: violations
                .iter()
                .map(|violation| FieldViolation {
                    field: violation.field.clone(),
                    description: violation.description.clone(),
                })
                .collect(),
            retry_after: details.retry_info().and_then(|info| info.retry_delay),
        }))
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        Self::new(status.code(), status.message().into(), &status.get_error_details())
    }
}

/// The status of an item of a batch.
impl From<tonic_types::Status> for Error {
    fn from(status: tonic_types::Status) -> Self {
        let details = status.get_error_details();
        Self::new(Code::from_i32(status.code), status.message, &details)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason() {
            Some(reason) => write!(formatter, "{reason}: {}", self.message()),
            None => write!(formatter, "{:?}: {}", self.code(), self.message()),
        }
    }
}

impl std::error::Error for Error {}
