"""Reading requests: bodies and queries, bounded, and refused in one sentence if they are not what is documented."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from reckoner.web.errors import Full, TooLarge, TooSlow, WebError, WrongType
from reckoner.web.settings import Settings

_MOST_DIGITS = 12  # of a number in a query
_MOST_FIELDS = 10


class Bodies:
    """Reads bodies; all that are being read may take only so much room together."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.held = 0

    async def read_json(self, request: Request) -> dict[str, Any]:
        """A JSON object."""
        kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
        if kind != "application/json":
            raise WrongType("send JSON, and say so: content-type: application/json")
        data = await self._read(request)
        try:
            found = json.loads(data.decode("utf-8"))
        except UnicodeDecodeError:
            raise WebError("the body is not UTF-8") from None
        except (ValueError, RecursionError):
            raise WebError("the body is not JSON") from None
        if not isinstance(found, dict):
            raise WebError("the body must be a JSON object")
        return found

    async def _read(self, request: Request) -> bytes:
        """The body, refused while it arrives if it is too big."""
        most = self.settings.body
        announced = request.headers.get("content-length", "")
        if len(announced) > _MOST_DIGITS or (announced.isdecimal() and int(announced) > most):
            raise TooLarge(f"a request has at most {most:,} bytes")
        data = bytearray()
        try:
            async with asyncio.timeout(self.settings.request_seconds):
                async for chunk in request.stream():
                    data += chunk
                    self.held += len(chunk)
                    if len(data) > most:
                        raise TooLarge(f"a request has at most {most:,} bytes")
                    if self.held > self.settings.bodies:
                        raise Full("too much is being sent at a time; ask again in a moment")
        except TimeoutError:
            raise TooSlow(
                f"the request did not arrive within {self.settings.request_seconds:g} seconds"
            ) from None
        except ClientDisconnect:
            raise WebError("the request broke off") from None
        finally:
            self.held -= len(data)
        return bytes(data)


def read_question(body: dict[str, Any]) -> dict[str, Any]:
    """The expression in a body, and its scale."""
    if not set(body) <= {"expression", "scale"}:
        raise WebError("a request has the fields expression and scale, and no others")
    expression, scale = body.get("expression"), body.get("scale", 0)
    if not isinstance(expression, str):
        raise WebError('the request needs a text: {"expression": "1+2"}')
    if type(scale) is not int or scale < 0:
        raise WebError("scale is a whole number")
    return {"expression": expression, "scale": scale}


def read_query(request: Request, numbers: dict[str, int], most: dict[str, int]) -> dict[str, Any]:
    """The fields of a query: `expression`, and numbers with their defaults; some with the most they may be."""
    try:
        text = request.scope["query_string"].decode("ascii")
        pairs = parse_qsl(
            text,
            keep_blank_values=True,
            strict_parsing=bool(text),
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except UnicodeDecodeError:
        raise WebError("the address is not UTF-8") from None
    except ValueError:
        raise WebError("the part of the address after ? cannot be read") from None
    found: dict[str, Any] = dict(pairs)
    if len(found) < len(pairs) or not set(found) <= {"expression", *numbers}:
        raise WebError(f"after ? may come, once each: {', '.join(('expression', *numbers))}")
    if "expression" not in found:
        raise WebError("the address needs an expression: ?expression=1%2B2")
    for name, default in numbers.items():
        found[name] = _read_number(name, found[name]) if name in found else default
        if name in most and found[name] > most[name]:
            raise WebError(f"{name} is at most {most[name]}")
    return found


def _read_number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > _MOST_DIGITS:
        raise WebError(f"{name} is a whole number")
    return int(text)
