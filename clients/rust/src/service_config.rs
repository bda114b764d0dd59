//! The gRPC service config that every client of Shinpan ships.

use std::sync::LazyLock;
use std::time::Duration;

use serde_json::Value;
use tonic::Code;

/// How a channel treats several servers under one name: calls take turns, and what one does not answer another gets.
pub const SERVICE_CONFIG: &str = include_str!("service_config.json");

/// What the service config says: tonic does not read it by itself.
pub(crate) static RETRY_POLICY: LazyLock<RetryPolicy> = LazyLock::new(|| RetryPolicy::read(SERVICE_CONFIG));

pub(crate) struct RetryPolicy {
    pub(crate) max_attempts: u32,
    initial_backoff: Duration,
    max_backoff: Duration,
    backoff_multiplier: f64,
    retryable: Vec<Code>,
}

impl RetryPolicy {
    /// The file is a part of this crate: that it is read without a panic is a matter of a test.
    fn read(config: &str) -> Self {
        let config: Value = serde_json::from_str(config).expect("the service config is JSON");
        let policy = &config["methodConfig"][0]["retryPolicy"];
        let seconds = |name: &str| {
            let text = policy[name].as_str().and_then(|text| text.strip_suffix('s'));
            Duration::from_secs_f64(text.and_then(|text| text.parse().ok()).expect("a number of seconds"))
        };
        let codes = policy["retryableStatusCodes"].as_array().expect("a list of codes");
        Self {
            max_attempts: u32::try_from(policy["maxAttempts"].as_u64().expect("a number")).expect("a small number"),
            initial_backoff: seconds("initialBackoff"),
            max_backoff: seconds("maxBackoff"),
            backoff_multiplier: policy["backoffMultiplier"].as_f64().expect("a number"),
            retryable: codes.iter().map(|code| code_named(code.as_str().expect("a name"))).collect(),
        }
    }

    pub(crate) fn retries(&self, code: Code) -> bool {
        self.retryable.contains(&code)
    }

    /// How long to wait after an attempt, counted from 1; as in gRPC it varies by a fifth.
    pub(crate) fn backoff(&self, attempt: u32) -> Duration {
        let steps = i32::try_from(attempt.saturating_sub(1)).unwrap_or(i32::MAX);
        let wanted = self.initial_backoff.as_secs_f64() * self.backoff_multiplier.powi(steps);
        Duration::from_secs_f64(wanted.min(self.max_backoff.as_secs_f64()) * (0.8 + 0.4 * fastrand::f64()))
    }
}

/// `FAILED_PRECONDITION` is `Code::FailedPrecondition`.
fn code_named(name: &str) -> Code {
    let plain = name.replace('_', "");
    let mut codes = (0..=16).map(Code::from_i32);
    codes.find(|code| format!("{code:?}").eq_ignore_ascii_case(&plain)).expect("a code of gRPC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_file_is_read() {
        let policy = &*RETRY_POLICY;
        assert_eq!(policy.max_attempts, 5);
        assert!(policy.retries(Code::Unavailable));
        assert!(!policy.retries(Code::FailedPrecondition) && !policy.retries(Code::DeadlineExceeded));
    }

    #[test]
    fn waits_double_up_to_a_second() {
        for (attempt, milliseconds) in [(1, 50), (2, 100), (3, 200), (4, 400), (6, 1000), (60, 1000)] {
            let wait = RETRY_POLICY.backoff(attempt).as_millis();
            let (least, most) = (milliseconds * 8 / 10 - 1, milliseconds * 12 / 10 + 1);
            assert!((least..=most).contains(&wait), "attempt {attempt}: {wait} ms");
        }
    }
}
