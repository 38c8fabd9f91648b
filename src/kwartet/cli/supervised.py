"""What a server tells the supervisor that started it, if one did (systemd's `Type=notify`)."""

import os
import socket


def notify(state: str) -> None:
    """Tell the supervisor, such as `READY=1`; nothing happens where there is none."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # a name that is in no folder
        address = f"\0{address[1:]}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.connect(address)
        channel.send(state.encode())
