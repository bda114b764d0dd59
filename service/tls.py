"""TLS of the API port: certificate, key and client authorities from files, replaced while the server runs."""

from datetime import UTC, datetime
from typing import Final, NamedTuple

import grpc
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from service.config import Settings
from service.reload import Reloaded

_SPKI: Final = PublicFormat.SubjectPublicKeyInfo


class TlsFileError(ValueError):
    """The files are no certificate with its key. The message says what is wrong."""


class Certificate(NamedTuple):
    """What the API port shows and asks for."""

    configuration: grpc.ServerCertificateConfiguration
    not_after: datetime
    """When it expires."""


def read_tls(certificate: bytes, key: bytes, client_ca: bytes | None = None) -> Certificate:
    """What a server shows and asks for, from the bytes of PEM files; TlsFileError when they do not fit together."""
    chain = _certificates(certificate, "the certificate file")
    try:
        private = load_pem_private_key(key, None)
    except (ValueError, TypeError, UnsupportedAlgorithm):  # TypeError: it is encrypted
        raise TlsFileError("the key file holds no unencrypted private key in PEM") from None
    own, public = (one.public_bytes(Encoding.DER, _SPKI) for one in (chain[0].public_key(), private.public_key()))
    if own != public:
        raise TlsFileError("the key is not that of the first certificate")
    if chain[0].not_valid_after_utc < datetime.now(UTC):
        raise TlsFileError(f"the certificate expired at {chain[0].not_valid_after_utc:%Y-%m-%d %H:%M} UTC")
    if client_ca is not None:
        _certificates(client_ca, "the file of client authorities")
    configuration: grpc.ServerCertificateConfiguration = grpc.ssl_server_certificate_configuration(
        [(key, certificate)], client_ca
    )
    return Certificate(configuration, chain[0].not_valid_after_utc)


def _certificates(pem: bytes, where: str) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(pem)
    except ValueError:
        raise TlsFileError(f"{where} holds no certificates in PEM") from None


def certificates(settings: Settings) -> Reloaded[Certificate]:
    """What the settings name; SettingsFileError when it cannot be used."""
    paths = [settings.tls_certificate_file, settings.tls_key_file]
    if settings.tls_client_ca_file:
        paths.append(settings.tls_client_ca_file)
    return Reloaded("certificates", paths, read_tls)


def credentials(current: Reloaded[Certificate], ask_clients: bool) -> grpc.ServerCredentials:
    """Credentials that use, for each new connection, what is current. `ask_clients` turns away those without one."""
    used = current.value

    def changed() -> grpc.ServerCertificateConfiguration | None:
        nonlocal used
        if current.value is used:
            return None
        used = current.value
        return used.configuration

    # The stubs do not know that None, for no change, is allowed.
    made: grpc.ServerCredentials = grpc.dynamic_ssl_server_credentials(
        used.configuration,
        changed,  # type: ignore[arg-type]
        ask_clients,
    )
    return made
