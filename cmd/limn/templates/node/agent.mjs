// The agent of {{.Title}}: limn serve asks it, and shows what it answers.
// Node.js 20 or newer, nothing to install.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = Buffer.from("{{.Secret}}", "base64"); // what follows whsec_ in app.yaml

// talk answers a message, with words, forms, tables or views.
function talk({ text }) {
  if (text.toLowerCase().includes("order")) {
    return {
      text: "Gladly. What should it be?",
      directives: [{ type: "ui.show_form", payload: { name: "order" } }],
    };
  }
  return { text: "You said: " + text };
}

// order answers the form: with words, or with errors at its fields.
function order({ item, amount }) {
  if ((amount ?? 1) > 100) {
    return { errors: [{ path: "/draft/amount", code: "TOO_MANY", text: "We have 100 at most." }] };
  }
  return { text: "Ordered: " + item + "." };
}

const answers = new Map([["/talk", talk], ["/order", order]]);
const given = new Map(); // answers by key: a call that comes again gets the first one

// signed reports whether limn serve sent this, in the last five minutes.
function signed(headers, body) {
  const stamp = headers["webhook-timestamp"] ?? "";
  if (!(Math.abs(Date.now() / 1000 - Number(stamp)) < 300)) return false;
  const text = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${stamp}.`), body]);
  const want = Buffer.from("v1," + createHmac("sha256", secret).update(text).digest("base64"));
  return (headers["webhook-signature"] ?? "").split(" ").some((s) => {
    const got = Buffer.from(s);
    return got.length === want.length && timingSafeEqual(got, want);
  });
}

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  const answer = answers.get(request.url);
  if (!answer || !signed(request.headers, body)) {
    response.writeHead(answer ? 401 : 404).end();
    return;
  }
  const { key, values } = JSON.parse(body);
  if (!given.has(key)) given.set(key, JSON.stringify(answer(values)));
  response.writeHead(200, { "content-type": "application/json" }).end(given.get(key));
}).listen(9000, "127.0.0.1", () => {
  console.log("The agent listens on http://127.0.0.1:9000. Stop with Ctrl-C.");
});
