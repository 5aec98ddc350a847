"""The settings, each declared once: read from the environment, as ``SCOREKEEPER_`` and a name."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_core import PydanticUndefined
from pydantic_core.core_schema import ValidationInfo
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from scorekeeper.base.origins import is_origin
from scorekeeper.store.addresses import PostgresServer, parse

PREFIX: Final = "SCOREKEEPER_"
CONTACTS: Final = ("mailto:", "https://")  # how a contact for reports begins
HERE: Final = ("localhost", "127.0.0.1", "[::1]")  # hosts by which a machine asks itself


class SettingsError(Exception):
    """Settings that are not valid. The message has one line for each, without the values."""


def derived_field(text: str, how: Callable[[dict[str, Any]], Any], **rules: Any) -> Any:
    """Return a settings field whose default is computed from the fields before it.

    `how` computes it, `said` describes it in the table of settings.
    """
    return Field(default_factory=how, json_schema_extra={"said": text}, **rules)


def split_commas(value: object) -> object:
    """Return a comma-separated text as a list of stripped items; other values unchanged."""
    return [item.strip() for item in value.split(",")] if isinstance(value, str) else value


def lowercase(value: object) -> object:
    """Return a text in lower case; other values unchanged."""
    return value.lower() if isinstance(value, str) else value


class Settings(BaseSettings):
    """All settings; ``read_settings`` reads them."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, hide_input_in_errors=True
    )

    data_dir: Path = Field(
        Path("var"),
        description="The folder for what the service keeps in files; created if it is missing.",
    )
    database_url: SecretStr = derived_field(
        "`scorekeeper.db` in `DATA_DIR`",
        lambda settings: SecretStr(f"sqlite:///{settings['data_dir'] / 'scorekeeper.db'}"),
        description="The database, such as `sqlite:///var/scorekeeper.db` or "
        "`postgresql://scorekeeper:password@host/database`; of several hosts, "
        "`postgresql://scorekeeper:password@one:5432,two:5432/database?"
        "target_session_attrs=read-write`.",
    )
    database_owner_url: SecretStr | None = Field(
        None,
        description="The same PostgreSQL database, with its owner's rights. Migrations use it, "
        "and give the role of `DATABASE_URL` only the rights that it needs. The service itself "
        "does not see it.",
    )
    database_seconds: int = Field(
        4,
        ge=1,
        le=60,
        description="How many seconds the service waits for PostgreSQL, before it tells the client "
        "to try again. PostgreSQL gives up a statement after three quarters of that "
        "time, and waits for a lock for half of it.",
    )
    app_role_password: SecretStr | None = Field(
        None, description="The password that `migrate --app-role` gives the role."
    )
    public_url: str | None = Field(
        None,
        description="The address of the service from outside, such as "
        "`https://scores.example.org`. With https, cookies are Secure, and browsers use nothing "
        "else for a year.",
    )
    trusted_hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(split_commas)] = Field(
        (),
        description="The host names that the service answers to, separated by commas; a dot before "
        "a name stands for all names under it. This machine itself always gets an answer. None: "
        "any name, but links for other phones use the machine's own names only.",
    )
    proxies: int = Field(
        0,
        ge=0,
        le=10,
        description="How many reverse proxies are in front of the service, each of which sets "
        "`X-Forwarded-For`, `-Proto` and `-Host`. With 0 these headers are ignored.",
    )
    host: str = Field(
        "0.0.0.0",  # noqa: S104  # phones at the table come over the network
        description="The address to listen on.",
    )
    port: int = Field(8000, ge=1, le=65535, description="The port to listen on.")
    threads: int = Field(
        32,
        ge=2,
        le=1000,
        description="Threads in each process for readers, and as many for writers. A request uses "
        "one from its turn until its answer begins; live updates use none.",
    )
    workers: int = Field(
        1, ge=1, le=64, description="Processes; more where many tables record at the same time."
    )
    most_streams: int = Field(
        2000,
        ge=0,
        le=20_000,
        description="How many live updates each process sends at one time. Further phones "
        "poll instead. With 0 all phones poll.",
    )
    connections_an_address: int = Field(
        1500,
        ge=1,
        description="How many connections each process keeps open for one address; a phone has "
        "up to six. One more closes a connection that waits for its client. Ignored where there "
        "are `PROXIES`, which can set limits themselves.",
    )
    sessions_an_hour: int = Field(
        1000, ge=1, description="How many sessions one address may open in an hour."
    )
    failed_keys_an_hour: int = Field(
        100, ge=1, description="How many wrong keys one address may try in an hour."
    )
    key_events_a_minute: int = Field(
        600,
        ge=1,
        description="How many events one key may record in a minute. Each process counts for "
        "itself, here and in the three that follow.",
    )
    session_events_a_minute: int = Field(
        1800, ge=1, description="How many events may be recorded in one session in a minute."
    )
    imported_megabytes_an_hour: int = Field(
        256, ge=1, description="How many megabytes of logs one address may import in an hour."
    )
    computations_an_hour: int = Field(
        1000,
        ge=1,
        description="How many logs one address may score, verify or import in an hour, what-ifs "
        "included.",
    )
    session_events: int = Field(
        20_000,
        ge=100,
        description="How many events a session may have. A full one takes a twentieth more, to be "
        "corrected, signed and closed.",
    )
    session_megabytes: int = Field(
        16,
        ge=1,
        description="How many megabytes the events of a session may have, and a twentieth more "
        "likewise.",
    )
    answer_seconds: int = Field(
        20,
        ge=2,
        le=600,
        description="How many seconds of a processor one answer may take: a file, an "
        "explanation, a what-if, a log. A search for corrections stops after half of it, and says "
        "how far it came.",
    )
    answer_megabytes: int = Field(
        256, ge=64, description="How many megabytes of memory one answer may take."
    )
    demo_tables: int = Field(
        100,
        ge=0,
        le=1000,
        description="How many demo tables may exist at one time; each vanishes after four hours. "
        "With 0 there is no demo.",
    )
    correction_minutes: int = Field(
        30,
        ge=0,
        le=10_000_000,
        description="For how many minutes after a hand the signatures of `CORRECTION_QUORUM` "
        "correct a wrong figure in it; later, every seat has to sign.",
    )
    correction_quorum: Annotated[Literal["sides", "seats"], BeforeValidator(lowercase)] = Field(
        "sides",
        description="Who has to sign the correction of a wrong figure in time: one player of each "
        "side (`sides`), or everybody (`seats`). All seats have to sign any other correction.",
    )
    security_contact: str | None = Field(
        None,
        description="Where people report a hole in the security of the service: an e-mail address, "
        "or a page with https. `/.well-known/security.txt` names it; without it there is no such "
        "file.",
    )
    metrics: bool = Field(default=False, description="Whether `/metrics` answers anybody who asks.")
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], BeforeValidator(lowercase)
    ] = Field("info", description="What is logged; each request is at `info`.")
    log_format: Annotated[Literal["json", "text"], BeforeValidator(lowercase)] = Field(
        "json", description="How: a JSON object on each line, or text for a person."
    )

    @field_validator("database_url", "database_owner_url")
    @classmethod
    def _is_a_database(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        """Return the URL if it is valid.

        Raises `ValueError` if it is not one of a database, or the owner's is not PostgreSQL.
        """
        url = value.get_secret_value() if value else ""
        if info.field_name == "database_url" and url != "memory:":
            parse(url)
        elif info.field_name == "database_owner_url" and url and not is_postgresql(url):
            raise ValueError("expected a PostgreSQL database: a file has no owner to log in as")
        return value

    @field_validator("public_url")
    @classmethod
    def _is_an_origin(cls, value: str | None) -> str | None:
        """Return the public URL in lower case without a path, None if empty.

        Raises `ValueError` if it is not an origin.
        """
        origin = (value or "").lower().removesuffix("/")
        if value and not is_origin(origin):
            raise ValueError("expected http:// or https:// and a host, and no path")
        return origin or None

    @field_validator("security_contact")
    @classmethod
    def _is_a_contact(cls, value: str | None) -> str | None:
        """Return the contact as a URI, None if empty.

        Raises `ValueError` if it is neither an e-mail address nor a page with https.
        """
        contact = (value or "").strip()
        if "@" in contact and ":" not in contact:
            contact = f"mailto:{contact}"
        known = contact.startswith(CONTACTS) and contact not in CONTACTS
        if value and not (known and contact.isascii() and contact.isprintable()):
            raise ValueError("expected an e-mail address, or https:// and a page")
        if " " in contact:
            raise ValueError("expected one address, without spaces")
        return contact or None

    @field_validator("workers")
    @classmethod
    def _fits_the_database(cls, value: int, info: ValidationInfo) -> int:
        """Return the number of workers.

        Raises `ValueError` for several workers with a database in memory.
        """
        url = info.data.get("database_url")
        if value > 1 and url and url.get_secret_value() == "memory:":
            raise ValueError("more than 1 needs a database in common, not the memory of each")
        return value

    @property
    def store_url(self) -> str:
        """The URL of the database that the service uses."""
        return self.database_url.get_secret_value()

    @property
    def database(self) -> str:
        """The database as messages name it: a path, or hosts and a name; without a password."""
        return str(parse(self.store_url)) if self.store_url != "memory:" else self.store_url

    @property
    def owner_url(self) -> str:
        """The URL of the database with the right to change its tables."""
        return (self.database_owner_url or self.database_url).get_secret_value()

    @property
    def threads_for_database(self) -> int:
        """The number of threads that may wait for the database.

        Two are left to requests that need none.
        """
        return max(1, self.threads - self.threads_for_late - 2)

    @property
    def threads_for_late(self) -> int:
        """The number of threads that may wait for long before they read."""
        return self.threads // 4

    @property
    def secure(self) -> bool:
        """Whether the service is reached by https only."""
        return (self.public_url or "").startswith("https:")

    @property
    def hosts(self) -> list[str] | None:
        """The host names that the service answers to; None for any."""
        return [*self.trusted_hosts, *HERE] if self.trusted_hosts else None


def is_postgresql(url: str) -> bool:
    """Return whether a database URL is one of PostgreSQL.

    Raises `ValueError` if it is not a database URL.
    """
    return url != "memory:" and isinstance(parse(url), PostgresServer)


# ------------------------------------------------------------------------------------ reading


def read_settings(**values: Any) -> Settings:
    """Return the settings from `given` and then from the environment.

    Raises `SettingsError` with a line for each invalid one.
    """
    try:
        return Settings(**values)
    except ValidationError as error:
        raise SettingsError("\n".join(_describe_errors(error))) from None


def _describe_errors(error: ValidationError) -> Iterator[str]:
    """Yield a line for each invalid setting."""
    for detail in error.errors(include_input=False, include_url=False):
        name = f"{PREFIX}{'_'.join(map(str, detail['loc'][:1])).upper()}"
        if detail["type"] == "value_error":
            yield f"{name}: {detail['ctx']['error']}"
        elif (
            detail["type"] != "default_factory_not_called"
        ):  # the setting that it depends on is invalid and has a line
            yield f"{name} {detail['msg'].removeprefix('Input ')}"


def unknown_variables(names: Iterable[str]) -> list[str]:
    """Return the variables that begin with the prefix of settings but name no setting."""
    known = {f"{PREFIX}{name}".upper() for name in Settings.model_fields}
    return sorted(name for name in names if name.upper().startswith(PREFIX) and
                  name.upper() not in known)  # fmt: skip


def describe_settings() -> Iterator[tuple[str, str, str]]:
    """Yield the variable, the default and the meaning of each setting, in Markdown."""
    for name, field in Settings.model_fields.items():
        extra = field.json_schema_extra
        if isinstance(extra, dict):
            default = str(extra["said"])
        elif field.default in (None, (), PydanticUndefined):
            default = "none"
        else:
            value = field.default
            default = f"`{str(value).lower() if isinstance(value, bool) else value}`"
        yield f"`{PREFIX}{name.upper()}`", default, field.description or ""


def settings_table() -> str:
    """Return all settings as a table in Markdown."""
    rows = [("setting", "default", "meaning"), ("---", "---", "---"), *describe_settings()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


# ------------------------------------------------------------------------- the folder for data


def make_data_dir(settings: Settings) -> None:
    """Create the folder for data, readable by its owner only, unless it exists."""
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
