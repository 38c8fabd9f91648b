"""The page's tools on a machine whose certificates are its own."""

import ipaddress
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

import web

FETCH = """
fetch(process.argv[2]).then((answer) => console.log(answer.status), (error) => {
    console.log(error.cause.code);
    process.exit(3);
});
"""


@contextmanager
def registry(folder: Path) -> Iterator[tuple[str, Path]]:
    """A server that proves itself by a certificate nobody has heard of: its address, the proof."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    proof, secret = folder / "proof.pem", folder / "key.pem"
    proof.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(proof, secret)
    server = HTTPServer(("127.0.0.1", 0), Quiet)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_port}/", proof
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    """Answers and says nothing of it."""

    def do_GET(self) -> None:
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_node_trusts_the_machines_own_certificates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "fetch.mjs"
    script.write_text(FETCH)
    for name in ("NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "NODE_OPTIONS"):
        monkeypatch.delenv(name, raising=False)
    with registry(tmp_path) as (address, proof):
        monkeypatch.setenv("SSL_CERT_FILE", str(proof))  # as if the machine's store were this
        untold = subprocess.run([web.NODE, script, address], capture_output=True, text=True)
        assert (untold.returncode, untold.stdout) == (3, "DEPTH_ZERO_SELF_SIGNED_CERT\n")
        web.node(script, address)
    assert capfd.readouterr().out == "204\n"


def test_whoever_tells_node_otherwise_is_heeded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "tell.mjs"
    script.write_text("console.log(process.env.NODE_USE_SYSTEM_CA)")
    monkeypatch.setenv("NODE_USE_SYSTEM_CA", "0")
    web.node(script)
    assert capfd.readouterr().out == "0\n"
