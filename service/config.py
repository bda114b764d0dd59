"""The settings of a server: one dataclass-like model, filled from flags and from the environment."""

import argparse
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator

ENVIRONMENT_PREFIX = "SHINPAN_"

SECRETS = frozenset({"token_keys"})
"""Settings that come from the environment alone, and whose values no message shows."""

MAX_ANSWER_BYTES = 4 * 1024 * 1024
"""No answer is larger: what gRPC clients accept unless told otherwise."""

Port = Annotated[int, Field(ge=0, le=65535)]
Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=2_000_000_000)]


def _installed(module: str) -> bool:
    """Whether a module could be imported; this imports no more than the packages that it is in."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


class Settings(BaseModel):
    """Everything that can be configured. `title` is the unit, `description` the text of --help.

    No name is `port`: Kubernetes puts SHINPAN_PORT into the environment of every pod beside a service of that name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = Field(
        "127.0.0.1", min_length=1, title="ADDRESS",
        description="Address to listen on, all ports; 0.0.0.0 for every IPv4 address of the machine.",
    )  # fmt: skip
    grpc_port: Port = Field(50051, title="PORT", description="Port of the API. 0 takes a free one.")
    admin_port: Port = Field(
        50052,
        title="PORT",
        description="Port of health, reflection and channelz over gRPC. 0 takes a free one.",
    )
    metrics_port: Port = Field(9464, title="PORT", description="Port of the metrics over HTTP. 0 takes a free one.")
    transport: Literal["grpcio", "native"] = Field(
        "grpcio", title="grpcio|native",
        description="What serves the API port. native costs less of the processor, but has no TLS, no connection age "
        "and no reflection; it is experimental and needs the extra shinpan-server[fast].",
    )  # fmt: skip
    rulesets: str = Field(
        "", title="DIR",
        description="Folder of ruleset files (*.toml) to serve beside the built-in ones; one that is wrong stops the "
        "start.",
    )  # fmt: skip
    announce: Literal["text", "json"] = Field(
        "text", title="text|json",
        description="What to print on standard output once everything listens: text for people, or one JSON line.",
    )  # fmt: skip
    threads: Annotated[int, Field(ge=1, le=256)] = Field(4, title="N", description="Threads that answer calls.")
    max_waiting_calls: Count = Field(
        256,
        title="CALLS",
        description="Calls that may wait for a thread; further ones are refused as OVERLOADED.",
    )
    overload_retry_seconds: Seconds = Field(
        0.5,
        title="SECONDS",
        description="When a call that was refused as OVERLOADED should be tried again.",
    )
    max_request_bytes: Annotated[int, Field(ge=1024, le=256 * 1024 * 1024)] = Field(
        4 * 1024 * 1024,
        title="BYTES",
        description="Largest request; larger ones are refused as MESSAGE_TOO_LARGE.",
    )
    max_answer_bytes: Annotated[int, Field(ge=1024, le=MAX_ANSWER_BYTES)] = Field(
        MAX_ANSWER_BYTES,
        title="BYTES",
        description="Largest answer; larger ones are refused as ANSWER_TOO_LARGE.",
    )
    max_batch_items: Count = Field(
        256,
        title="ITEMS",
        description="Items of a batch; larger ones are refused as BATCH_TOO_LARGE.",
    )
    max_replay_actions: Count = Field(
        20_000,
        title="ACTIONS",
        description="Actions of a replay; longer ones are refused as BATCH_TOO_LARGE.",
    )
    max_playout_games: Count = Field(
        10_000,
        title="GAMES",
        description="Games of a playout; more are refused as BUDGET_EXCEEDED.",
    )
    max_playout_plies: Count = Field(
        2_000_000, title="PLIES",
        description="Plies of a playout in all; more are refused as BUDGET_EXCEEDED.",
    )  # fmt: skip
    max_samples: Annotated[int, Field(ge=1, le=100_000)] = Field(
        256, title="STATES",
        description="States that are sampled at once; more are refused as BUDGET_EXCEEDED. As many as that always fit "
        "into the largest answer.",
    )  # fmt: skip
    max_perft_depth: Annotated[int, Field(ge=1, le=64)] = Field(
        8,
        title="PLIES",
        description="Depth of a perft; deeper ones are refused as BUDGET_EXCEEDED.",
    )
    max_perft_nodes: Count = Field(
        20_000_000, title="NODES",
        description="Nodes that a perft visits, those on the way included; more are refused as BUDGET_EXCEEDED.",
    )  # fmt: skip
    referee: bool = Field(
        True, title="true|false",
        description="Whether the referee is answered: its view, and playouts and perft of real states.",
    )  # fmt: skip
    token_keys: SecretStr = Field(
        SecretStr(""), title="KEYS",
        description="Keys that seal states, id:key separated by commas, the first of them primary; a key is 32 bytes "
        "in base64. Without keys states are not sealed. From the environment only: everybody can read a flag.",
    )  # fmt: skip
    token_keys_file: str = Field(
        "", title="FILE", description="File that holds them instead, one a line. It is read again when it changes."
    )
    accept_unsealed: bool = Field(
        False, title="true|false",
        description="Whether a server with keys takes unsealed states, too, while stored ones are being sealed. Until "
        "then whoever can write states to the store can write any.",
    )  # fmt: skip
    access_file: str = Field(
        "", title="FILE",
        description="TOML file of the callers, by bearer token, with their audiences and permissions. It is read again "
        "when it changes. Without one, every caller may do everything.",
    )  # fmt: skip
    tls_certificate_file: str = Field(
        "", title="FILE",
        description="Certificate of the API port, PEM, with those of its issuers behind it. Without one, the port is "
        "plain text. It is read again when it changes, as are the two below.",
    )  # fmt: skip
    tls_key_file: str = Field("", title="FILE", description="Private key of that certificate, PEM.")
    tls_client_ca_file: str = Field(
        "", title="FILE",
        description="Certificates of the authorities whose clients may connect, PEM; clients without a certificate of "
        "theirs are turned away. Without one, clients need none.",
    )  # fmt: skip
    reload_seconds: Seconds = Field(
        5, title="SECONDS",
        description="How often keys, callers and certificates are looked at for changes. 0 never; SIGHUP always does.",
    )  # fmt: skip
    reflection: bool = Field(
        False, title="true|false",
        description="Whether the API port answers reflection too. Each such stream holds a thread.",
    )  # fmt: skip
    max_connection_age_seconds: Seconds = Field(
        30,
        title="SECONDS",
        description="After which a connection is told to go away, so that load spreads; give or take a tenth. 0 never.",
    )
    max_connection_age_grace_seconds: Seconds = Field(
        30, title="SECONDS", description="Time that calls have to finish on a connection that was told to go away."
    )
    unready_seconds: Seconds = Field(
        5,
        title="SECONDS",
        description="After SIGTERM: how long readiness is off, but everything goes on, for balancers to notice.",
    )
    drain_seconds: Seconds = Field(
        35,
        title="SECONDS",
        description="After that: how long to wait, without new connections, for the open ones to be told to go away at "
        "their age. No call is lost when this is more than 1.1 times that age.",
    )
    stop_grace_seconds: Seconds = Field(
        10, title="SECONDS", description="After that: how long accepted calls have to finish."
    )
    access_log: bool = Field(True, title="true|false", description="Whether each call is logged, one JSON line.")
    tracing: bool = Field(
        False, title="true|false",
        description="Whether each call makes a span of OpenTelemetry, sent by OTLP over gRPC to where "
        "OTEL_EXPORTER_OTLP_ENDPOINT says. Needs the extra shinpan-server[tracing].",
    )  # fmt: skip

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        """Refuse settings that contradict each other, by the names of their flags and variables."""
        if self.token_keys.get_secret_value() and self.token_keys_file:
            raise ValueError(f"{self.variable('token_keys')} and {self.flag('token_keys_file')} are both set; set one")
        if self.accept_unsealed and not self.sealing:
            raise ValueError(
                f"{self.flag('accept_unsealed')} is set, but no keys; without keys unsealed states are taken anyway"
            )
        if bool(self.tls_certificate_file) != bool(self.tls_key_file):
            given, lacking = "tls_certificate_file", "tls_key_file"
            if self.tls_key_file:
                given, lacking = lacking, given
            raise ValueError(f"{self.flag(given)} is set, but not {self.flag(lacking)}; TLS needs both")
        if self.tls_client_ca_file and not self.tls_certificate_file:
            raise ValueError(
                f"{self.flag('tls_client_ca_file')} is set, but not {self.flag('tls_certificate_file')}; "
                "clients can show a certificate over TLS only"
            )
        if self.transport == "native":
            self._native()
        if self.tracing and not _installed("opentelemetry.sdk"):
            raise ValueError(
                f"{self.flag('tracing')} needs the package opentelemetry-sdk; install shinpan-server[tracing]"
            )
        return self

    def _native(self) -> None:
        """Refuse what the native transport lacks. That connections have no age there is so unless one is asked for."""
        chosen = f"{self.flag('transport')}=native"
        if not _installed("pygrpc_native"):
            raise ValueError(f"{chosen} needs the package pygrpc-native; install shinpan-server[fast]")
        lacking = {
            "tls_certificate_file": "TLS",
            "reflection": "reflection, which the admin port has",
            "max_connection_age_seconds": "connection age",
            "max_connection_age_grace_seconds": "connection age",
        }
        for name, what in lacking.items():
            if name in self.model_fields_set and getattr(self, name):
                raise ValueError(f"{self.flag(name)} is set, but {chosen} has no {what}; leave one of them out")

    @property
    def sealing(self) -> bool:
        """Whether the server has keys."""
        return bool(self.token_keys.get_secret_value() or self.token_keys_file)

    @classmethod
    def flag(cls, name: str) -> str:
        """The flag of a setting, for example `--grpc-port`."""
        return "--" + name.replace("_", "-")

    @classmethod
    def variable(cls, name: str) -> str:
        """The environment variable of a setting, for example `SHINPAN_GRPC_PORT`."""
        return ENVIRONMENT_PREFIX + name.upper()


def argument_parser() -> argparse.ArgumentParser:
    """The parser of the command line. Flags that are not given stay out of its result."""
    parser = argparse.ArgumentParser(
        prog="python -m service",
        allow_abbrev=False,
        description="Serve the referee over gRPC until SIGTERM or SIGINT.",
        epilog="A flag comes before its environment variable, and that before the default.",
    )
    for name, field in Settings.model_fields.items():
        default = str(field.default).lower() if isinstance(field.default, bool) else field.default
        default = str(default) or "none"
        parser.add_argument(
            Settings.flag(name),
            metavar=field.title,
            default=argparse.SUPPRESS,
            help=f"{field.description} Default {default}. Environment {Settings.variable(name)}.",
        )
    return parser


def read_settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """The settings that flags and environment give; SystemExit with code 2 that names what is wrong with them."""
    parser = argument_parser()
    flags: dict[str, str] = vars(parser.parse_args(arguments))
    for name in SECRETS.intersection(flags):
        parser.error(f"{Settings.flag(name)} cannot be given: everybody can read a flag; set {Settings.variable(name)}")
    values = {
        name: environment[Settings.variable(name)]
        for name in Settings.model_fields
        if Settings.variable(name) in environment
    }
    try:
        return Settings.model_validate_strings({**values, **flags})
    except ValidationError as error:
        problems = []
        for problem in error.errors(include_url=False):
            if not problem["loc"]:  # several settings contradict each other; the message names them
                problems.append(str(problem["ctx"]["error"]))
                continue
            name = str(problem["loc"][0])
            source = Settings.flag(name) if name in flags else Settings.variable(name)
            problems.append(f"{source}={problem['input']!r}: {problem['msg']}")
        parser.error("; ".join(problems))
