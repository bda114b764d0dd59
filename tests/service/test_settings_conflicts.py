"""Settings that contradict each other are refused at the start with one message, which shows no key."""

import sys

import pytest
from guarded import keys

from service.config import read_settings

RING = keys(1)


@pytest.mark.parametrize(
    ("arguments", "environment", "message"),
    [
        (
            ["--token-keys-file=a"],
            {"SHINPAN_TOKEN_KEYS": RING},
            "SHINPAN_TOKEN_KEYS and --token-keys-file are both set; set one",
        ),
        (
            ["--accept-unsealed=true"],
            {},
            "--accept-unsealed is set, but no keys; without keys unsealed states are taken anyway",
        ),
        (
            ["--tls-certificate-file=a"],
            {},
            "--tls-certificate-file is set, but not --tls-key-file; TLS needs both",
        ),
        (["--tls-key-file=a"], {}, "--tls-key-file is set, but not --tls-certificate-file; TLS needs both"),
        (
            [],
            {"SHINPAN_TLS_CLIENT_CA_FILE": "a"},
            "--tls-client-ca-file is set, but not --tls-certificate-file; clients can show a certificate over TLS only",
        ),
        (
            ["--transport=native", "--tls-certificate-file=a", "--tls-key-file=b"],
            {},
            "--tls-certificate-file is set, but --transport=native has no TLS; leave one of them out",
        ),
        (
            ["--transport=native"],
            {"SHINPAN_REFLECTION": "true"},
            "--reflection is set, but --transport=native has no reflection, which the admin port has; "
            "leave one of them out",
        ),
        (
            ["--max-connection-age-seconds=30"],
            {"SHINPAN_TRANSPORT": "native"},
            "--max-connection-age-seconds is set, but --transport=native has no connection age; leave one of them out",
        ),
        (
            ["--transport=native", "--max-connection-age-grace-seconds=5"],
            {},
            "--max-connection-age-grace-seconds is set, but --transport=native has no connection age; "
            "leave one of them out",
        ),
        (
            [f"--token-keys={RING}"],
            {},
            "--token-keys cannot be given: everybody can read a flag; set SHINPAN_TOKEN_KEYS",
        ),
    ],
)
def test_settings_that_contradict_each_other(
    arguments: list[str], environment: dict[str, str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        read_settings(arguments, environment)
    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert told.splitlines()[-1] == f"python -m service: error: {message}"
    assert RING not in told


@pytest.mark.parametrize(
    ("setting", "module", "message"),
    [
        (
            "--transport=native",
            "pygrpc_native",
            "--transport=native needs the package pygrpc-native; install shinpan-server[fast]",
        ),
        (
            "--tracing=true",
            "opentelemetry.sdk",
            "--tracing needs the package opentelemetry-sdk; install shinpan-server[tracing]",
        ),
    ],
)
def test_what_is_an_extra_is_asked_for(
    setting: str, module: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    with pytest.raises(SystemExit) as caught:
        read_settings([setting], {})
    assert caught.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"python -m service: error: {message}"
    settings = read_settings([], {})
    assert (settings.transport, settings.tracing) == ("grpcio", False)


def test_what_the_native_transport_lacks_can_be_switched_off() -> None:
    settings = read_settings(["--transport=native", "--max-connection-age-seconds=0", "--reflection=false"], {})
    assert settings.transport == "native"


def test_settings_do_not_print_keys() -> None:
    settings = read_settings([], {"SHINPAN_TOKEN_KEYS": RING})
    assert settings.sealing
    assert settings.token_keys.get_secret_value() == RING
    assert RING not in repr(settings)
    assert RING not in str(settings.model_dump())
