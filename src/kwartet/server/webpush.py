"""Web Push: messages that one browser alone can read, signed so that its push service takes them.

RFC 8291 seals a message for the key that the browser gave (`seal`), RFC 8292 has the server say
who it is with a key of its own (`Signer`). Nothing here knows of tables or connections.
"""

import base64
import json
import secrets
import struct
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE: Final = ec.SECP256R1()
RECORD: Final = 4096  # bytes; a message is one record
KEY_BYTES: Final = 65  # a public key: a point, not compressed
AUTH_BYTES: Final = 16
LAST: Final = b"\x02"  # ends the last record


def encode(content: bytes) -> str:
    """As text, the way browsers do."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """The bytes in such a text; ValueError if it is none."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def check_key(key: bytes) -> None:
    """ValueError if this is not a browser's public key."""
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, key)


def seal(
    message: bytes,
    key: bytes,
    auth: bytes,
    *,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The message for the browser with this public key and secret; `own` and `salt` are random."""
    own = own or ec.generate_private_key(CURVE)
    salt = salt or secrets.token_bytes(16)
    receiver = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, key)
    sender = _public(own)
    shared = own.exchange(ec.ECDH(), receiver)
    secret = _derived(auth, shared, b"WebPush: info\0" + key + sender, 32)
    content_key = _derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(salt, secret, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(content_key).encrypt(nonce, message + LAST, None)
    return salt + struct.pack(">IB", RECORD, len(sender)) + sender + sealed


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def _public(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def new_key() -> str:
    """A secret key for a signer, as text."""
    return encode(ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(32))


def is_key(key: str) -> bool:
    """Whether this is such a key."""
    try:
        private_key(key)
    except ValueError:
        return False
    return True


def private_key(key: str) -> ec.EllipticCurvePrivateKey:
    """The key in such a text; ValueError if it is none."""
    return ec.derive_private_key(int.from_bytes(decode(key)), CURVE)


class Signer:
    """Says to push services who sends."""

    def __init__(self, key: str, contact: str) -> None:
        """`key` is from `new_key`; `contact` is a URL or `mailto:` address."""
        self._key = private_key(key)
        self._contact = contact
        self.public = encode(_public(self._key))  # what browsers subscribe with

    def header(self, audience: str, expires: float) -> str:
        """The `Authorization` for the push service at this origin, good until then."""
        claims = {"aud": audience, "exp": int(expires), "sub": self._contact}
        parts = ({"typ": "JWT", "alg": "ES256"}, claims)
        signed = ".".join(encode(json.dumps(part).encode()) for part in parts)
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(SHA256())))
        signature = encode(r.to_bytes(32) + s.to_bytes(32))
        return f"vapid t={signed}.{signature}, k={self.public}"
