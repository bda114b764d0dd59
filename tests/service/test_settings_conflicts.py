"""Settings that contradict each other are refused at the start with one message, which shows no key."""

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


def test_settings_do_not_print_keys() -> None:
    settings = read_settings([], {"SHINPAN_TOKEN_KEYS": RING})
    assert settings.sealing
    assert settings.token_keys.get_secret_value() == RING
    assert RING not in repr(settings)
    assert RING not in str(settings.model_dump())
