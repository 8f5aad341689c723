"""A bank that answers the ports of Countersign over HTTP, with the standard library of Python alone.

It takes an order once for each reference, and keeps it in SQLite, so that a repeated reference has the same answer after a restart.
Orders below 1,000.00 are booked at once, those above 10,000.00 are rejected. The others are booked later and reported to the service.

BANK_SECRETS       the secret shared with the service, or the new one and the old one, separated by a comma
BANK_PORT          the port to listen on; 0: any free one
BANK_DATABASE      the file of the orders
BANK_REPORTS_URL   the address below which the service takes reports; without one there are none
BANK_BOOKS_AFTER   seconds until a late order is booked
"""

import base64, hashlib, hmac, json, os, sqlite3, sys, threading, time, urllib.parse, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = os.environ["BANK_SECRETS"].split(",")
REPORTS_URL = os.environ.get("BANK_REPORTS_URL")
BOOKS_AFTER = float(os.environ.get("BANK_BOOKS_AFTER", "5"))
LATE, LIMIT, HOURS = 100_000, 1_000_000, 60 * 60 * 1000
WINDOW_SECONDS, BODY_BYTES_MAX, JSON = 300, 1024 * 1024, {"Content-Type": "application/json"}

database = sqlite3.connect(os.environ.get("BANK_DATABASE", "bank.sqlite"), check_same_thread=False, isolation_level=None)
database.execute("create table if not exists orders (reference text primary key, platform text, amount integer, state text)")
lock = threading.Lock()


def macs(direction, method_or_status, path, timestamp, request_id, body):
    """The signatures of a message, one for each secret."""
    digest = hashlib.sha256(body).hexdigest()
    text = "\n".join(["v1", direction, method_or_status, path, timestamp, request_id, digest]).encode()
    keyed = [hmac.new(secret.encode(), text, hashlib.sha256).digest() for secret in SECRETS]
    return ["v1," + base64.b64encode(mac).decode() for mac in keyed]


def is_signed(header, *message):
    own, given = macs(*message), header.split(" ")[:4]
    return any(hmac.compare_digest(mac, each) for mac in own for each in given)


def state_of(reference):
    with lock:
        rows = database.execute("select state from orders where reference = ?", [reference]).fetchall()
    return rows[0][0] if rows else None


def change(reference, before, after):
    with lock:
        query = "update orders set state = ? where reference = ? and state = ?"
        return database.execute(query, [after, reference, before]).rowcount == 1


def outcome(state, now):
    if state == "ACCEPTED":  # The service asks then, in case that no report arrives.
        return {"outcome": "Later", "at": now + 6 * HOURS}
    if state == "REJECTED":
        return {"outcome": "Refused", "reason": "BANK_REJECTED"}
    return {"outcome": "Cancelled" if state == "CANCELLED" else "Done"}


def order(request, platform, now):
    reference, amount = request["reference"], request["amount"]
    state = "BOOKED" if amount < LATE else "ACCEPTED" if amount <= LIMIT else "REJECTED"
    with lock:  # The first order with this reference counts, whatever a second one says.
        query = "insert or ignore into orders values (?, ?, ?, ?)"
        is_new = database.execute(query, [reference, platform, amount, state]).rowcount == 1
    if is_new and state == "ACCEPTED":
        threading.Timer(BOOKS_AFTER, book, [reference, platform]).start()
    return outcome(state_of(reference), now)


def inquire(request, platform, now):
    state = state_of(request["reference"])
    return outcome(state, now) if state else {"outcome": "NotReceived"}


def cancel(request, platform, now):
    change(request["reference"], "ACCEPTED", "CANCELLED")
    is_cancelled = state_of(request["reference"]) == "CANCELLED"
    return {"outcome": "Done"} if is_cancelled else {"outcome": "Refused", "reason": "BANK_REJECTED"}


def refund(request, platform, now):
    is_booked = state_of(request["reference"]) == "BOOKED"
    return {"outcome": "Refused", "reason": "BANK_REJECTED"} if is_booked else {"outcome": "Done"}


OPERATIONS = {
    "/rails/inspect-pull": lambda *_: {"result": {"pullable": True, "funds": "unknown"}},
    "/rails/pull": order,
    "/rails/push": order,
    "/rails/inquire": inquire,
    "/rails/cancel": cancel,
    "/rails/refund": refund,
    "/verifier/check-customer": lambda *_: {"result": "APPROVED"},
    "/verifier/verify-beneficiary": lambda *_: {"outcome": "Result", "status": "MATCHED"},
    "/exchange-rates/rate": lambda *_: {"result": None},
    "/port-server/describe": lambda *_: {"result": {"operations": list(OPERATIONS), "isTest": True}},
}


def book(reference, platform):
    """Books an order, and reports it until the service has taken the report."""
    change(reference, "ACCEPTED", "BOOKED")
    body = json.dumps({"platformId": platform, "report": {"reference": reference, **outcome(state_of(reference), 0)}}).encode()
    while REPORTS_URL:
        url, request_id, timestamp = REPORTS_URL + "/rails/outcome", str(uuid.uuid4()), str(int(time.time()))
        signature = " ".join(macs("report", "POST", urllib.parse.urlsplit(url).path, timestamp, request_id, body))
        headers = {"Port-Request-Id": request_id, "Port-Timestamp": timestamp, "Port-Signature": signature, **JSON}
        try:
            return urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=10).close()
        except OSError:
            time.sleep(1)


class Bank(BaseHTTPRequestHandler):
    protocol_version, wbufsize = "HTTP/1.1", -1  # keeps connections, and sends an answer as one piece

    def do_POST(self):
        size = int(self.headers.get("Content-Length", "0"))
        if size > BODY_BYTES_MAX:
            return self.send_error(413)
        body, headers = self.rfile.read(size), self.headers
        request_id, timestamp = headers.get("Port-Request-Id", ""), headers.get("Port-Timestamp", "")
        is_known = is_signed(headers.get("Port-Signature", ""), "request", "POST", self.path, timestamp, request_id, body)
        if not is_known or abs(time.time() - int(timestamp)) > WINDOW_SECONDS:
            return self.send_error(401)
        operation = OPERATIONS.get(self.path)
        if operation is None:
            return self.send_error(404)
        message = json.loads(body)
        answer = operation(request := message["request"], message["platformId"], message["businessTime"])
        if "reference" in request:
            answer["reference"] = request["reference"]
        answer = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.send_header("Port-Signature", " ".join(macs("answer", "200", self.path, timestamp, request_id, answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass  # A request contains personal data.


for late in database.execute("select reference, platform from orders where state = 'ACCEPTED'").fetchall():
    threading.Timer(BOOKS_AFTER, book, late).start()
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("BANK_PORT", "8080"))), Bank)
print(f"ready http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
