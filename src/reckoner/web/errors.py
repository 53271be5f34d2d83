"""What can be wrong with a request: a kind, a sentence and a status each, in the form of all other errors."""

from __future__ import annotations

from reckoner.errors import LimitError, ReckonerError

USER, BROKEN = 2, 5  # exit codes, as of the command line
_UNPROCESSABLE, _OURS, _MISSING = 422, 500, 404


class WebError(ReckonerError):
    """A request that is not answered; `status` is HTTP's number for it."""

    kind = "bad-request"
    exit_code = USER
    status = 400


class CrossSite(WebError):
    """A page of another site asks."""

    kind = "cross-site"
    status = 403


class NotFound(WebError):
    """There is nothing at this address."""

    kind = "not-found"
    status = _MISSING


class WrongMethod(WebError):
    """GET where POST belongs, or the other way round."""

    kind = "method"
    status = 405


class TooSlow(WebError):
    """The request did not arrive in time."""

    kind = "too-slow"
    status = 408


class TooLarge(WebError):
    """The request is bigger than allowed."""

    kind = "too-large"
    status = 413


class WrongType(WebError):
    """The body is not said to be JSON."""

    kind = "content-type"
    status = 415


class ForeignHost(WebError):
    """The request was meant for another name than this server's."""

    kind = "foreign-host"
    status = 421


class Broken(WebError):
    """Our own mistake."""

    kind = "internal"
    exit_code = BROKEN
    status = _OURS


class WorkerLost(WebError):
    """The process that calculated came to an end."""

    kind = "worker-lost"
    exit_code = LimitError.exit_code
    status = _OURS


class Busy(WebError):
    """More is asked than this computer can do."""

    kind = "busy"
    exit_code = LimitError.exit_code
    status = 503


class Full(Busy):
    """… and a part of this request is still on its way."""


def status_of(error: ReckonerError) -> int:
    """HTTP's number for any error."""
    if isinstance(error, WebError):
        return error.status
    if error.kind == NotFound.kind:
        return _MISSING
    return _OURS if error.exit_code == BROKEN else _UNPROCESSABLE
