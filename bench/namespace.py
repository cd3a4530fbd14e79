#!/usr/bin/env python3
"""Shows that webhooks reach public addresses only, whatever a name server says.

    unshare --net --mount python3 bench/namespace.py target/release/waybill

In a network of its own, which needs root, it answers for every name itself: with a public address
first and a private one afterwards, with both at once, by way of other names, and never twice the
same. Listeners on the private addresses must hear nothing; the one on the public address, the
control, must hear every event. It needs openssl.
"""

import http.client
import json
import os
import re
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

PUBLIC, PORT = "93.184.216.34", 443
CANARIES = ["127.0.0.1", "10.9.0.1", "169.254.169.254", "192.168.9.1", "::1", "fd00::1"]
# What each name is, answer by answer; the last one stays.
NAMES = {
    "control.example.com": [["93.184.216.34"]],
    "rebind.example.com": [["93.184.216.34"], ["127.0.0.1"]],
    "rebind10.example.com": [["93.184.216.34"], ["10.9.0.1"]],
    "metadata.example.com": [["93.184.216.34"], ["169.254.169.254"]],
    "flapping.example.com": [["93.184.216.34"], ["192.168.9.1"], ["93.184.216.34"], ["127.0.0.1"]] * 20,
    "mixed.example.com": [["93.184.216.34"], ["93.184.216.34", "127.0.0.1"]],
    "mixed-first.example.com": [["93.184.216.34"], ["10.9.0.1", "93.184.216.34"]],
    "six.example.com": [["93.184.216.34"], ["::1"]],
    "six-local.example.com": [["93.184.216.34"], ["fd00::1"]],
    "mapped.example.com": [["93.184.216.34"], ["::ffff:127.0.0.1"]],
    "alias.example.com": [["93.184.216.34"], ["CNAME", "rebind.example.com"]],
}
EVENTS = 6


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class NameServer(threading.Thread):
    """Answers for all names, with no time to live."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self.rounds = {}

    def now(self, name):
        """The answer of the round that the last question for an IPv4 address began."""
        answers = NAMES.get(name)
        return answers and answers[min(self.rounds.get(name, 1) - 1, len(answers) - 1)]

    def run(self):
        while True:
            query, peer = self.socket.recvfrom(512)
            name, end = self.read_name(query, 12)
            kind = struct.unpack(">H", query[end : end + 2])[0]
            if kind == 1:
                self.rounds[name] = self.rounds.get(name, 0) + 1
            self.socket.sendto(self.answer(query, name, end, kind), peer)

    @staticmethod
    def read_name(query, at):
        labels = []
        while query[at]:
            labels.append(query[at + 1 : at + 1 + query[at]].decode().lower())
            at += 1 + query[at]
        return ".".join(labels), at + 1

    def answer(self, query, name, end, kind):
        found = self.now(name)
        records = b""
        count = 0
        if found and found[0] == "CNAME":
            target = b"".join(bytes([len(l)]) + l.encode() for l in found[1].split(".")) + b"\0"
            records += b"\xc0\x0c" + struct.pack(">HHIH", 5, 1, 0, len(target)) + target
            count, owner, found = 1, target, self.now(found[1])
        else:
            owner = b"\xc0\x0c"
        for address in found or []:
            is_six = ":" in address
            if kind == (28 if is_six else 1):
                data = socket.inet_pton(socket.AF_INET6 if is_six else socket.AF_INET, address)
                records += owner + struct.pack(">HHIH", kind, 1, 0, len(data)) + data
                count += 1
        code = 0 if found else 3
        flags = struct.pack(">HHHHH", 0x8180 | code, 1, count, 0, 0)
        return query[:2] + flags + query[12 : end + 4] + records


class Canary(threading.Thread):
    """Counts connections, and wants none."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.connections = 0
        self.listener = socket.create_server(
            (address, PORT), family=socket.AF_INET6 if ":" in address else socket.AF_INET
        )

    def run(self):
        while True:
            self.listener.accept()[0].close()
            self.connections += 1


class Control(threading.Thread):
    """Takes deliveries on the public address, and remembers which names they were for."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.received = []
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(f"{folder}/server.pem", f"{folder}/server.key")
        self.listener = socket.create_server((PUBLIC, PORT))

    def run(self):
        while True:
            threading.Thread(target=self.serve, args=self.listener.accept()[:1], daemon=True).start()

    def serve(self, connection):
        try:
            stream = self.context.wrap_socket(connection, server_side=True)
            text = b""
            while b"\r\n\r\n" not in text:
                part = stream.recv(65536)
                if not part:
                    return
                text += part
            head, body = text.split(b"\r\n\r\n", 1)
            length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
            while len(body) < length:
                body += stream.recv(65536)
            host = re.search(rb"(?i)host: (\S+)", head).group(1).decode()
            self.received.append((host.split(":")[0], json.loads(body)["id"]))
            stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            stream.close()
        except OSError:
            connection.close()


def make_network(folder):
    run("ip", "link", "set", "lo", "up")
    for address in [PUBLIC, *CANARIES]:
        if address not in ("127.0.0.1", "::1"):
            run("ip", "addr", "add", address + ("/128" if ":" in address else "/32"), "dev", "lo")
    with open(f"{folder}/resolv.conf", "w") as file:
        file.write("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    run("mount", "--make-rprivate", "/")
    run("mount", "--bind", f"{folder}/resolv.conf", "/etc/resolv.conf")


def make_certificate(folder):
    names = ",".join(f"DNS:{name}" for name in NAMES)
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=ca",
        "-keyout", f"{folder}/ca.key", "-out", f"{folder}/ca.pem",
        "-addext", "basicConstraints=critical,CA:TRUE")
    run("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=control.example.com",
        "-keyout", f"{folder}/server.key", "-out", f"{folder}/server.csr")
    with open(f"{folder}/names", "w") as file:
        file.write(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\n")
    run("openssl", "x509", "-req", "-in", f"{folder}/server.csr", "-CA", f"{folder}/ca.pem",
        "-CAkey", f"{folder}/ca.key", "-days", "1", "-extfile", f"{folder}/names",
        "-out", f"{folder}/server.pem")


class Server:
    """The program that is tried."""

    def __init__(self, program, folder, *flags):
        environment = {"PATH": os.environ["PATH"], "SSL_CERT_FILE": f"{folder}/ca.pem"}
        database = f"sqlite:{folder}/waybill{len(flags)}.db"
        made = subprocess.run(
            [program, "team", "create", "--name", "Shop", "--domain", "shop.example.com", "--json",
             "--database", database], check=True, capture_output=True, env=environment)
        made = json.loads(made.stdout)
        self.team, self.token = made["team_uuid"], made["token"]
        self.process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:8099", "--database", database, "--log", "error", *flags],
            env=environment)
        for _ in range(200):
            try:
                if self.ask("GET", "/healthz", None)[0] == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise SystemExit("the server does not start")

    def ask(self, method, path, body):
        connection = http.client.HTTPConnection("127.0.0.1", 8099, timeout=30)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        path = path if path.startswith("/healthz") else f"/v2/teams/{self.team}{path}"
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, (json.loads(text) if text[:1] == b"{" else None)


def order(number):
    address = {"address_lines": ["Vestergade 1"], "postal_code": "1456", "city": "København K", "country": "DK"}
    return {
        "reference": f"R-{number}", "delivery": {"service_code": "sandbox:home"},
        "parties": {"merchant": {"contact": {"name": "Shop"}, "address": address},
                    "customer": {"contact": {"name": "Ada Jensen", "email": "ada@example.com",
                                             "phone": "+4530274735"}, "address": address}},
        "parcels": [{"gross_weight": {"value": 900, "unit": "g"}}],
    }


def fill(server):
    """Subscribes every name and books; the events that must be heard of."""
    server.ask("POST", "/carrier-accounts", {"carrier_code": "sandbox", "name": "Sandbox"})
    for name in NAMES:
        url = f"https://{name}/hook"
        status, made = server.ask("POST", "/webhooks", {"url": url, "events": ["shipment.booked"]})
        wish = {"callback": {"url": url, "events": ["shipment.booked"]}}
        print(f"{name}: webhook {status}, callback {server.ask('POST', '/booking-batches', wish)[0]}")
    for number in range(EVENTS):
        status, made = server.ask("POST", "/shipments", order(number))
        assert status == 201, (status, made)
        time.sleep(2)
    time.sleep(10)
    server.process.terminate()
    server.process.wait()


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        make_network(folder)
        make_certificate(folder)
        names = NameServer()
        canaries = {address: Canary(address) for address in CANARIES}
        control = Control(folder)
        for thread in [names, *canaries.values(), control]:
            thread.start()
        fill(Server(program, folder))
        heard = {event for name, event in control.received if name == "control.example.com"}
        hits = {address: canary.connections for address, canary in canaries.items()}
        others = len([name for name, _ in control.received if name != "control.example.com"])
        print(f"control: {len(heard)} of {EVENTS} events; by other names while public: {others}")
        print(f"connections to private addresses: {sum(hits.values())} {hits}")
        # The same without the guard: who listens must be able to hear.
        fill(Server(program, folder, "--allow-private-webhooks"))
        unguarded = sum(canary.connections for canary in canaries.values()) - sum(hits.values())
        print(f"without the guard: {unguarded} connections to private addresses")
        if sum(hits.values()) or len(heard) != EVENTS or not unguarded:
            raise SystemExit("failed")
        print("nothing private was called")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(os.path.abspath(sys.argv[1]))
