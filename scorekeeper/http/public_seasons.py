"""The published tables of a club, each computed once for all readers of a few seconds."""

from werkzeug.exceptions import NotFound

from scorekeeper.clubs.published import PublishedStandingsView, view_published
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.http.extensions import clubs
from scorekeeper.http.public_pages import public_contents
from scorekeeper.store import Publication, keyring


def public_season(publication: Publication, season_id: str | None) -> PublishedStandingsView:
    """Return the published table of a season of a club, by default of the latest.

    Raises `NotFound` if there is no such season; this costs no look at the club. Raises it also for
    the publication of another kind of stream.
    """
    if not keyring.is_club(publication.stream_id):
        raise NotFound
    latest = _public_season(publication, None)
    if season_id is None or season_id == latest.season.id:
        return latest
    if all(season_id != season.id for season in latest.seasons):
        raise NotFound
    return _public_season(publication, season_id)


def _public_season(publication: Publication, season_id: str | None) -> PublishedStandingsView:
    """Return the published table of a season that exists; None is the latest."""

    def read(snapshot: ClubSnapshot) -> PublishedStandingsView:
        season = snapshot.find_season(season_id)
        if season is None:
            raise NotFound
        return view_published(snapshot, season, in_full=publication.names == "full")

    key = "season", publication.stream_id, publication.names, season_id
    return public_contents().get(key, lambda: clubs().see(publication.stream_id, read))
