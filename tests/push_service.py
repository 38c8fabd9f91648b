"""A push service on this machine, and the browsers that are subscribed to it."""

import json
import secrets
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from kwartet.server.webpush import decode, encode

CURVE = ec.SECP256R1()


@dataclass
class Received:
    """One message, as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    """What came, and how it is answered."""

    url: str = ""
    status: int = 201
    seconds: float = 0.0  # until it answers
    received: list[Received] = field(default_factory=list)

    def at(self, browser: "Browser") -> list[Received]:
        """What came for this browser."""
        return [one for one in self.received if one.path == f"/{browser.name}"]


@contextmanager
def push_service() -> Iterator[PushService]:
    """The service while the context lasts."""
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            service.received.append(Received(self.path, headers, body))
            time.sleep(service.seconds)
            self.send_response(service.status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service.url = f"http://localhost:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()


class Browser:
    """A browser's end of a subscription."""

    def __init__(self, service: str) -> None:
        self.name = secrets.token_urlsafe(8)
        self.endpoint = f"{service}/{self.name}"
        self._key = ec.generate_private_key(CURVE)
        self._auth = secrets.token_bytes(16)
        self._public = self._key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )

    @property
    def subscription(self) -> dict[str, Any]:
        """What the page sends to the server."""
        keys = {"p256dh": encode(self._public), "auth": encode(self._auth)}
        return {"endpoint": self.endpoint, "keys": keys}

    def read(self, received: Received) -> Any:
        """The message opened as RFC 8291 has it."""
        assert received.headers["content-encoding"] == "aes128gcm"
        salt, body = received.body[:16], received.body[16:]
        size, length = struct.unpack(">IB", body[:5])
        sender, sealed = body[5 : 5 + length], body[5 + length :]
        assert len(sealed) <= size
        shared = self._key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        )
        both = b"WebPush: info\0" + self._public + sender
        secret = HKDF(SHA256(), 32, self._auth, both).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        message, _, padding = AESGCM(key).decrypt(nonce, sealed, None).rpartition(b"\2")
        assert not padding.strip(b"\0")
        return json.loads(message)


def claims(received: Received, key: str) -> Any:
    """What the sender says of itself, signed with the key that browsers subscribed with."""
    scheme, _, rest = received.headers["authorization"].partition(" ")
    given = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, given["k"]) == ("vapid", key)
    signed, _, signature = given["t"].rpartition(".")
    raw = decode(signature)
    assert len(raw) == 64
    pair = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode(key))
    public.verify(pair, signed.encode(), ec.ECDSA(SHA256()))
    header, content = (json.loads(decode(part)) for part in signed.split("."))
    assert header == {"typ": "JWT", "alg": "ES256"}
    return content
