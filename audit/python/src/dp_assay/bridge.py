"""The program that the auditor starts for a function of a test: it passes requests to the process of the test, and the
replies back, as they are.

The variable DP_ASSAY_BRIDGE says where that process listens, and has a secret that only its child knows. Nothing of this
package is imported here, so that it starts fast and whatever folder it is started in.
"""

import os
import socket
import sys
import threading


def connect(where):
    """Connects to `SECRET unix PATH` or `SECRET tcp PORT`, and shows the secret."""
    secret, kind, place = where.split(" ", 2)
    if kind == "unix":
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(place)
    else:
        connection = socket.create_connection(("127.0.0.1", int(place)))
    connection.sendall(secret.encode() + b"\n")
    return connection


def pass_on(read, write):
    """Copies what comes to where it goes, until it ends."""
    while True:
        piece = read()
        if not piece:
            return
        while piece:
            piece = piece[write(piece) :]


def main():
    connection = connect(os.environ["DP_ASSAY_BRIDGE"])

    def requests():
        pass_on(lambda: os.read(0, 1 << 16), connection.send)
        connection.shutdown(socket.SHUT_WR)

    # A thread that does not keep this process alive: when the test is gone, there is nothing to pass on.
    threading.Thread(target=requests, daemon=True).start()
    pass_on(lambda: connection.recv(1 << 16), lambda piece: os.write(1, piece))


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, ConnectionResetError) as error:
        sys.exit("the test is gone: %s" % error)
