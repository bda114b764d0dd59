"""Certificate authorities and certificates for tests of TLS, made anew each time."""

import ipaddress
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


class Issued(NamedTuple):
    """A certificate with its private key, both PEM."""

    certificate: bytes
    key: bytes


class Authority:
    """A certificate authority."""

    def __init__(self, name: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(name)
        constraints = x509.BasicConstraints(ca=True, path_length=0)
        builder = _builder(self._name, self._name, self._key.public_key(), DAY).add_extension(
            constraints, critical=True
        )
        self.certificate = builder.sign(self._key, SHA256()).public_bytes(Encoding.PEM)

    def issue(self, name: str, lasts: timedelta = DAY) -> Issued:
        """A certificate for this name and for 127.0.0.1; one that `lasts` a negative time has expired."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1")), x509.DNSName(name)])
        builder = _builder(_name(name), self._name, key.public_key(), lasts).add_extension(names, critical=False)
        certificate = builder.sign(self._key, SHA256()).public_bytes(Encoding.PEM)
        return Issued(certificate, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, lasts: timedelta
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 7 * DAY)
        .not_valid_after(now + lasts)
    )
