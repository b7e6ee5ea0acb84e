"""An agent that speaks A2UI v0.9 over server-sent events, with the standard library only.

Usage: python3 weather.py PORT    (0: any; the address is printed)
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASIC = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
SKY = {"bergen": "rain, 9 °C", "rome": "sun, 24 °C", "oslo": "clouds, 12 °C"}


def form(city):
    """The surface: a field for the city, a button, and what the sky is like there."""
    return [
        {"createSurface": {"surfaceId": "main", "catalogId": BASIC}},
        {"updateDataModel": {"surfaceId": "main", "path": "/", "value": {"city": city, "sky": sky(city)}}},
        {"updateComponents": {"surfaceId": "main", "components": [
            {"id": "root", "component": "Column", "children": ["sky", "city", "ask"]},
            {"id": "sky", "component": "Text", "variant": "h3", "text": {"path": "/sky"}},
            {"id": "city", "component": "TextField", "label": "City", "value": {"path": "/city"}},
            {"id": "ask-label", "component": "Text", "text": "Look it up"},
            {"id": "ask", "component": "Button", "child": "ask-label",
             "action": {"event": {"name": "look", "context": {"city": {"path": "/city"}}}}},
        ]}},
    ]


def sky(city):
    return "%s: %s" % (city, SKY.get(city.strip().lower(), "nobody has looked out of the window"))


class Agent(BaseHTTPRequestHandler):
    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        action = question.get("message", {}).get("action")
        if action:
            city = str(action["context"].get("city", ""))
            self.say({"text": sky(city)})
            self.say({"version": "v0.9", "updateDataModel": {"surfaceId": "main", "path": "/sky", "value": sky(city)}})
            return
        words = question.get("text", "").lower()
        city = next((name.title() for name in SKY if name in words), "")
        self.say({"text": sky(city) if city else "Which city?"})
        if "main" not in question["surfaces"]:
            for message in form(city or "Bergen"):
                self.say({"version": "v0.9", **message})
        elif city:
            self.say({"version": "v0.9", "updateDataModel": {
                "surfaceId": "main", "path": "/", "value": {"city": city, "sky": sky(city)}}})

    def say(self, message):
        self.wfile.write(b"data: " + json.dumps(message).encode() + b"\n\n")

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Agent)
    print("http://127.0.0.1:%d/" % server.server_address[1], flush=True)
    server.serve_forever()
