"""The examples of deploy/ as tests run them: on free ports of this machine, in a folder."""

import re
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.serving import free_port

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
CADDY = Path(sys.executable).with_name("caddy")
PATIENCE = 60.0  # seconds until a proxy answers, on a busy machine


@contextmanager
def running_caddy(folder: Path, *servers: str) -> Iterator[tuple[str, Path]]:
    """Caddy with deploy/Caddyfile; yields its address and a certificate to trust."""
    port = free_port()
    own = ["admin off", "default_bind 127.0.0.1", "skip_install_trust"]
    own += [f"http_port {free_port()}", f"https_port {port}"]
    example = (DEPLOY / "Caddyfile").read_text()
    file = folder / "Caddyfile"
    file.write_text(example.replace("{\n", "\n\t".join(["{", *own, ""]), 1))
    environment = {
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "KWARTET_SITE": "127.0.0.1",
        "KWARTET_SERVERS": " ".join(servers),
    }
    command = [str(CADDY), "run", "--adapter", "caddyfile", "--config", str(file)]
    with _running(command, folder / "caddy.log", environment, port):
        yield f"https://127.0.0.1:{port}", folder / "caddy/pki/authorities/local/root.crt"


@contextmanager
def running_nginx(program: str, folder: Path, *servers: str) -> Iterator[tuple[str, Path]]:
    """The server nginx with deploy/nginx.conf; yields its address and a certificate to trust."""
    port, certificate, key = free_port(), folder / "certificate.pem", folder / "key.pem"
    make_certificate(certificate, key)
    example = (DEPLOY / "nginx.conf").read_text()
    for pattern, own in (
        (r"listen \[::\].*\n", ""),
        (r"listen 80;", f"listen 127.0.0.1:{free_port()};"),
        (r"listen 443", f"listen 127.0.0.1:{port}"),
        (r"/etc/\S+fullchain.pem", str(certificate)),
        (r"/etc/\S+privkey.pem", str(key)),
        (r"\n *# server .*", ""),
        (
            r"server 127.0.0.1:8484 (.*)",
            "\n".join(rf"server {server} \1" for server in servers),
        ),
    ):
        example, count = re.subn(pattern, own, example)
        assert count, pattern  # the example has become another
    (folder / "kwartet.conf").write_text(example)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"user root; daemon off; pid {folder}/pid; events {{ worker_connections 4096; }}\n"
        f"http {{ access_log off; {temporary} include {folder}/kwartet.conf; }}\n"
    )
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    with _running(command, folder / "nginx.log", {}, port):
        yield f"https://127.0.0.1:{port}", certificate


def make_certificate(certificate: Path, key: Path) -> None:
    """A certificate for this machine that vouches for itself, and its key."""
    from datetime import UTC, datetime, timedelta
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    private, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Kwartet's tests")])
    here = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(here, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(private, hashes.SHA256())
    )
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


@contextmanager
def _running(
    command: list[str], log: Path, environment: dict[str, str], port: int
) -> Iterator[None]:
    """The process, from when it listens until the end."""
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
    try:
        end = time.monotonic() + PATIENCE
        while not _listens(port):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait(30)


def _listens(port: int) -> bool:
    """Whether TLS is spoken there; Caddy makes its certificate after it begins to listen."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            context.wrap_socket(connection).close()
    except OSError:
        return False
    return True
