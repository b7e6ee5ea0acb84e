#!/usr/bin/env python3
"""Sends hostile input to a built limn and prints what it cost: peak resident memory
and processor time of the server, one fresh server for each row (Linux).

usage: go build -o limn ./cmd/limn && python3 scripts/hostile.py ./limn [PORT]

A build from before these bounds may take gigabytes: each server gets 9 GiB of addresses.
"""
import http.client
import http.server
import io
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

BINARY = os.path.abspath(sys.argv[1])
PORT = int(sys.argv[2]) if len(sys.argv) > 2 else 8099
RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml."


class Client:
    """One principal with one conversation."""

    def __init__(self, folder=None):
        self.folder, self.token = folder, None
        made = json.loads(self.send("POST", "/v1/conversations", b"{}", "application/json")[1])
        self.id, self.token = made["id"], made["token"]

    def send(self, method, path, body=None, kind=None, **headers):
        if kind:
            headers["Content-Type"] = kind
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        c = http.client.HTTPConnection("127.0.0.1", PORT, timeout=120)
        try:
            c.request(method, path, body, headers)
            r = c.getresponse()
            return r.status, r.read()
        except (OSError, http.client.HTTPException) as e:
            return 0, repr(e).encode()
        finally:
            c.close()

    def post(self, method, path, value):
        return self.send(method, f"/v1/conversations/{self.id}{path}", json.dumps(value).encode(), "application/json")

    def upload(self, name, data, fields=None, **headers):
        b, out = "limn-boundary", b""
        for k, v in (fields or {}).items():
            out += f'--{b}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'.encode()
        out += f'--{b}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        return self.send("POST", f"/v1/conversations/{self.id}/uploads", out + data + f"\r\n--{b}--\r\n".encode(),
                         "multipart/form-data; boundary=" + b, **headers)


NOWHERE = {"limn_surface": "table:x#e=1", "limn_nonce": "n", "limn_path": "/draft/import"}


def bomb(cells):
    """A workbook of one string of 20 MiB that each of its cells shows."""
    f = io.BytesIO()
    with zipfile.ZipFile(f, "w", zipfile.ZIP_DEFLATED) as z:
        part = '<Override PartName="/xl/{}.xml" ContentType="' + KIND + '{}+xml"/>'
        z.writestr("[Content_Types].xml", f'<Types xmlns="{TYPES}"><Default Extension="rels" '
                   'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                   + part.format("workbook", "sheet.main") + part.format("worksheets/sheet1", "worksheet")
                   + part.format("sharedStrings", "sharedStrings") + "</Types>")
        rel = '<Relationship Id="{}" Type="' + OFFICE + '/{}" Target="{}"/>'
        z.writestr("_rels/.rels", f'<Relationships xmlns="{RELS}">'
                   + rel.format("r1", "officeDocument", "xl/workbook.xml") + "</Relationships>")
        z.writestr("xl/workbook.xml", f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
                   '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>')
        z.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{RELS}">'
                   + rel.format("r1", "worksheet", "worksheets/sheet1.xml")
                   + rel.format("r2", "sharedStrings", "sharedStrings.xml") + "</Relationships>")
        row = '<row r="{0}"><c r="A{0}" t="s"><v>0</v></c></row>'
        z.writestr("xl/worksheets/sheet1.xml", f'<worksheet xmlns="{MAIN}"><sheetData>'
                   + "".join(row.format(i + 1) for i in range(cells)) + "</sheetData></worksheet>")
        z.writestr("xl/sharedStrings.xml", f'<sst xmlns="{MAIN}"><si><t>' + "x" * (20 << 20) + "</t></si></sst>")
    return f.getvalue()


def workbook_without_table(c):
    return c.upload("a.xlsx", bomb(30), NOWHERE, **{"Idempotency-Key": "k"})[0]


def workbook_into_table(c):
    c.post("POST", "/messages", {"text": "I have our stakeholders in a CSV file"})
    page = c.send("GET", "/c/" + c.id)[1].decode()
    surface, nonce = (re.search(rf'name="limn_{n}" value="([^"]+)"', page)[1] for n in ("surface", "nonce"))
    return c.upload("a.xlsx", bomb(30), {**NOWHERE, "limn_surface": surface, "limn_nonce": nonce})[0]


def commas(c):
    return c.upload("a.csv", b"," * (8 << 20), NOWHERE, **{"Idempotency-Key": "k"})[0]


def at_once(n, do):
    """What n calls of do(i) at once return."""
    got = []
    threads = [threading.Thread(target=lambda i=i: got.append(do(i))) for i in range(n)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return got


def counted(statuses):
    return ", ".join(f"{statuses.count(s)} are {s}" for s in sorted(set(statuses)))


def lists(c):
    body = b"[" + b"[]," * (1 << 20) + b"[]]"
    return counted(at_once(16, lambda _: c.upload("a.json", body)[0]))


def rules(c):
    """Fifty rules that are costly and all have to be run, and five messages."""
    got = [c.post("PUT", f"/guardrails/g{i}", {"intent_pattern": "(?:[a-y]?[^z]){95}%dz" % i, "enabled": True,
                                               "action": "suppress_tool", "tool": "request_data_table"})[0]
           for i in range(50)]
    message = "a" * (8192 - 400) + "".join(f"{i}z" for i in range(50))
    for _ in range(5):
        c.post("POST", "/messages", {"text": message})
    return f"{got.count(200)} rules are taken"


def flood(c):
    """Events of half a MiB for a surface that is not there, for six seconds."""
    body = {"version": "v0.9", "action": {"name": "submit", "surfaceId": "form:x#e=1", "sourceComponentId": "x",
            "timestamp": "2026-11-23T00:00:00Z", "context": {"text": "x" * (1 << 19)}}}
    end, got = time.time() + 6, []
    while time.time() < end:
        body["action"]["context"]["limn_nonce"] = str(len(got))  # each is an event of its own
        got.append(c.post("POST", "/events", body)[0])
    kept = sum(os.path.getsize(os.path.join(c.folder, f)) for f in os.listdir(c.folder))
    return f"{counted(got)}; {kept >> 20} MiB on disk"


class Model(http.server.BaseHTTPRequestHandler):
    """A model that takes five seconds, and counts who waits for it."""

    lock, waiting, most = threading.Lock(), 0, 0

    def do_POST(self):
        with Model.lock:
            Model.waiting += 1
            Model.most = max(Model.most, Model.waiting)
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(5)
        with Model.lock:
            Model.waiting -= 1
        try:
            self.send_error(503)
        except OSError:
            pass  # nobody waits any more

    def log_message(self, *_):
        pass


def questions(c):
    """Five principals, 24 conversations each, and a question in each."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", PORT + 1), Model) as model:
        threading.Thread(target=model.serve_forever, daemon=True).start()
        people = [c] + [Client() for _ in range(4)]
        asked = []
        for i in range(120):
            one = Client.__new__(Client)
            one.token = people[i % 5].token
            one.id = json.loads(one.send("POST", "/v1/conversations", b"{}", "application/json")[1])["id"]
            asked.append(one)
        got = at_once(120, lambda i: asked[i].post("POST", "/messages", {"text": "Why is the sky blue at noon?"})[0])
        model.shutdown()
    return f"{Model.most} requests at the model at once; {counted(got)}"


def long_conversations(_):
    """40 conversations with 3.2 MiB of messages each."""
    def one(_):
        c = Client()
        return [c.post("POST", "/messages", {"text": "x" * 32000})[0] for _ in range(100)]
    got = [s for _ in range(20) for two in at_once(2, one) for s in two]
    return counted(got)


def usage(pid):
    with open(f"/proc/{pid}/status") as f:
        peak = int(re.search(r"VmHWM:\s+(\d+)", f.read())[1]) >> 10
    with open(f"/proc/{pid}/stat") as f:
        ticks = f.read().rsplit(")", 1)[1].split()[11:13]
    return peak, sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def measure(what, do, *flags):
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [BINARY, "serve", "--addr", f"127.0.0.1:{PORT}", *(flags or ["--store", "memory"])], cwd=folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (9 << 30, 9 << 30)))
        try:
            for _ in range(100):
                try:
                    c = Client(folder)
                    break
                except ValueError:
                    time.sleep(0.1)
            peak, cpu = usage(server.pid)
            said = do(c)
            if server.poll() is None:
                after, spent = usage(server.pid)
                print(f"| {what} | {peak} → {after} | {spent - cpu:.2f} | {said} |", flush=True)
            else:
                print(f"| {what} | the process is gone | | {said} |", flush=True)
        finally:
            server.terminate()
            server.wait()


measure("22 KB workbook, 30 cells of one string of 20 MiB, for a table that is not there, with a key", workbook_without_table)
measure("the same for an open table", workbook_into_table)
measure("8 MiB of commas, with a key", commas)
measure("16 files at once of 3 MiB of empty lists", lists)
measure("50 costly rules and 5 messages of 8 KiB", rules)
measure("events of half a MiB for a surface that is not there, for 6 s", flood, "--store", "sqlite:limn.db")
measure("120 questions at once of five principals, a model that takes 5 s", questions, "--store", "memory",
        "--model", "slow", "--model-url", f"http://127.0.0.1:{PORT + 1}/v1")
cached = b"--cache" in subprocess.run([BINARY, "serve", "--help"], stdout=subprocess.PIPE).stdout  # older builds have no bound
measure("40 conversations of 3.2 MiB" + (", 32 MiB cached" if cached else ""), long_conversations,
        "--store", "sqlite:limn.db", "--rate", "0", *(["--cache", "32"] if cached else []))
