"""The agent of the coffee bar: limn serve asks it, and shows what it answers.

Python 3.9 or newer, nothing to install.
"""
import base64
import hashlib
import hmac
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = base64.b64decode("dGhlIHNlY3JldCBvZiB0aGUgcHl0aG9uIGV4YW1wbGU=")  # what follows whsec_ in app.yaml


def talk(values):
    """Answers a message, with words, forms, tables or views."""
    text = values["text"]
    if "coffee" in text.lower():
        return {
            "text": "Gladly. Which one?",
            "directives": [{"type": "ui.show_form", "payload": {"name": "coffee"}}],
        }
    return {"text": "You said: " + text + " I can make coffee."}


def coffee(values):
    """Answers the form: with words, or with errors at its fields."""
    cups = int(values.get("cups") or 1)
    if cups > 8:
        return {"errors": [{"path": "/draft/cups", "code": "TOO_MANY", "text": "The pot holds 8 cups."}]}
    price = PRICES[values["kind"]] * cups
    return {"text": f"{cups} × {values['kind']} for {values['name']}: {price:.2f} €."}


PRICES = {"Espresso": 2.2, "Filter": 1.8, "Cappuccino": 3.1}
ANSWERS = {"/talk": talk, "/coffee": coffee}
given = {}  # answers by key: a call that comes again gets the first one


def signed(headers, body):
    """Reports whether limn serve sent this, in the last five minutes."""
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdigit() or abs(time.time() - int(stamp)) > 300:
        return False
    text = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
    want = "v1," + base64.b64encode(hmac.new(SECRET, text, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(want, s) for s in headers.get("webhook-signature", "").split())


class Agent(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        answer = ANSWERS.get(self.path)
        if answer is None or not signed(self.headers, body):
            self.send_error(404 if answer is None else 401)
            return
        call = json.loads(body)
        if call["key"] not in given:
            given[call["key"]] = json.dumps(answer(call["values"])).encode()
        out = given[call["key"]]
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 9000), Agent)
    print("The agent listens on http://127.0.0.1:9000. Stop with Ctrl-C.", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
