"""The public addresses of streams, of which the latest may be open.

They stand beside the log. Every reader of a club has its log, and a log is never shortened: an
address in it would be known for ever, and open again where the log is imported.
"""

from collections.abc import Iterable
from typing import NamedTuple

from scorekeeper.store import keyring, statements, transactions
from scorekeeper.store.contract import PartLeftOut, Publication, PublicNames
from scorekeeper.store.database import Database
from scorekeeper.store.transactions import checked_id
from scorekeeper.store.work import Work


class PublicView(NamedTuple):
    """The settings of a public page: its names, who may frame it, and the part it leaves out."""

    names: PublicNames = "initials"
    parents: tuple[str, ...] = ()
    left_out: PartLeftOut = ""


class PublicationStore(Database):
    """The part of a store for public addresses."""

    def publish(self, stream_id: str, after: int, view: PublicView) -> None:
        """Give a stream a new public address, unless it has one.

        ``after`` is the number of the latest address that the caller has seen, 0 for none. Does
        nothing if there is a later one, so a repeated or concurrent request makes one address.
        Raises `UnknownSessionError` or `UnknownClubError`.
        """

        def job(work: Work) -> None:
            transactions.position(work, stream_id)
            latest = find_latest(transactions.publications_of(work, stream_id))
            if latest is None and after:
                return
            if latest is not None and (latest.number != after or latest.ended is None):
                return
            new = Publication(stream_id, after + 1, keyring.new_address(), self.clock(), None,
                              view.names, " ".join(view.parents), view.left_out)  # fmt: skip
            work.fill(statements.INSERT_PUBLICATION, [new.columns()])

        self._writing(checked_id(stream_id), job)

    def change_publication(self, stream_id: str, address: str, view: PublicView) -> None:
        """Change the settings of a public page. Does nothing if the address has ended."""
        values = {"session": checked_id(stream_id), "of_address": address,
                  "to_names": view.names, "to_parents": " ".join(view.parents),
                  "to_left_out": view.left_out}  # fmt: skip
        self._writing(stream_id, lambda work: work.change(statements.CHANGE_PUBLICATION, **values))

    def end_publication(self, stream_id: str, address: str) -> None:
        """End a public address for good. Does nothing if it has ended."""
        values = {"session": checked_id(stream_id), "of_address": address, "now": self.clock()}
        self._writing(stream_id, lambda work: work.change(statements.END_PUBLICATION, **values))

    def publication_at(self, address: str) -> Publication | None:
        """Return the publication that an address opens; None if it opens nothing."""
        if not keyring.is_address(address):
            return None
        with self._reading_row() as work:
            rows = work.rows(statements.PUBLICATION_AT, address=address)
        return Publication(*rows[0]) if rows else None

    def latest_publication(self, stream_id: str) -> Publication | None:
        """Return the latest public address of a stream, which may have ended; None for none."""
        with self._reading() as work:
            return find_latest(transactions.publications_of(work, checked_id(stream_id)))


def find_latest(publications: Iterable[Publication]) -> Publication | None:
    """Return the publication with the highest number; None if there are none."""
    return max(publications, key=lambda publication: publication.number, default=None)
