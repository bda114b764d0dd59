//! Addresses as they are written: `host:port`, several with commas between, with or without `dns:///` before.

use tonic::Code;
use tonic::transport::{Endpoint, Uri};

use crate::Error;

/// One host of an address.
#[derive(Debug, PartialEq)]
pub(crate) struct Host {
    /// A name or a number; an IPv6 address without its brackets.
    pub(crate) name: String,
    pub(crate) port: u16,
    /// Whom calls name as the one they mean.
    pub(crate) origin: Uri,
}

/// The hosts of an address; `INVALID_ARGUMENT` when it is none.
pub(crate) fn hosts(address: &str) -> Result<Vec<Host>, Error> {
    let list = address.strip_prefix("dns:///").unwrap_or(address);
    let read = |part: &str| {
        host(part).ok_or_else(|| {
            let message = format!("'{part}' is not an address; one is host:port, like 127.0.0.1:50051");
            Error::local(Code::InvalidArgument, message)
        })
    };
    list.split(',').map(|part| read(part.trim())).collect()
}

fn host(text: &str) -> Option<Host> {
    let (name, port) = text.rsplit_once(':')?;
    let port = port.parse().ok().filter(|port| *port != 0)?;
    let origin: Uri = format!("http://{text}").parse().ok()?;
    // The rest of what a URI can have, a user or a path, is no part of an address.
    if origin.authority()?.as_str() != text || text.contains('@') || origin.host()?.is_empty() {
        return None;
    }
    let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    Some(Host { name: name.into(), port, origin })
}

impl Host {
    /// An endpoint at one of the socket addresses of the host, in plain text.
    pub(crate) fn endpoint(&self, address: std::net::SocketAddr) -> Endpoint {
        let uri = Endpoint::from_shared(format!("http://{address}")).expect("a socket address may stand in a URI");
        uri.origin(self.origin.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read() {
        let read = |address: &str| {
            let hosts = hosts(address).unwrap();
            hosts.into_iter().map(|host| (host.name, host.port)).collect::<Vec<_>>()
        };
        assert_eq!(read("localhost:50051"), [("localhost".into(), 50051)]);
        assert_eq!(read("dns:///shinpan-headless.games:1"), [("shinpan-headless.games".into(), 1)]);
        assert_eq!(read("127.0.0.1:80, [::1]:81"), [("127.0.0.1".into(), 80), ("::1".into(), 81)]);
    }

    #[test]
    fn what_is_none_is_refused_by_name() {
        for text in [
            "",
            "localhost",
            "localhost:",
            ":50051",
            "localhost:0",
            "localhost:70000",
            "http://a:1",
            "a:1/b",
            "u@a:1",
            "a b:1",
            "::1:50051",
        ] {
            let error = hosts(text).unwrap_err();
            assert_eq!(error.code(), Code::InvalidArgument, "{text}");
            assert!(error.message().starts_with(&format!("'{text}' is not an address")), "{error}");
        }
        assert!(hosts("a:1,b").unwrap_err().message().starts_with("'b' is not"));
    }
}
