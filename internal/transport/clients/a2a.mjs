// The client of @a2a-js/sdk against a server with the door a2a: node a2a.mjs URL, in both
// protocols. Run by TestNodeSDK.
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { Role, TaskState } from "@a2a-js/sdk";

const base = process.argv[2];
const headers = { Authorization: `Bearer ${randomBytes(32).toString("base64url")}` };
const options = { serviceParameters: headers };
const catalog = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";
const extension = "https://a2ui.org/a2a-extension/a2ui/v0.9";

const message = (contextId, ...parts) => ({
  tenant: "",
  message: {
    messageId: randomUUID(), contextId, taskId: "", role: Role.ROLE_USER, parts, extensions: [extension],
    referenceTaskIds: [], metadata: { a2uiClientCapabilities: { "v0.9": { supportedCatalogIds: [catalog] } } },
  },
  configuration: undefined,
  metadata: undefined,
});
const part = (kind, value, mediaType) => ({
  content: { $case: kind, value }, metadata: mediaType ? { mimeType: mediaType } : undefined, filename: "",
  mediaType: mediaType ?? "",
});
const a2ui = (parts) => parts.filter((p) => p.content.$case === "data").flatMap((p) => p.content.value);

// submit is the message of the form's button, with a name in the field.
function submit(messages, name) {
  const components = messages.flatMap((m) => m.updateComponents?.components ?? []);
  const model = messages.find((m) => m.updateDataModel?.path === "/").updateDataModel.value;
  model.draft.name = name;
  const button = components.find((c) => c.component === "Button" && c.id.includes("submit"));
  const resolve = (v) => (v?.path ? v.path.split("/").slice(1).reduce((at, key) => at?.[key], model) : v);
  const { name: action, context } = button.action.event;
  return {
    version: "v0.9",
    action: {
      name: action, sourceComponentId: button.id, timestamp: new Date().toISOString(),
      surfaceId: messages.find((m) => m.createSurface).createSurface.surfaceId,
      context: Object.fromEntries(Object.entries(context).map(([key, v]) => [key, resolve(v)])),
    },
  };
}

async function visit(client, version) {
  const sent = message("", part("text", "sign the guest book"));
  const task = await client.sendMessage(sent, options);
  assert.equal(task.status.state, TaskState.TASK_STATE_COMPLETED);
  const again = await client.sendMessage(sent, options);
  assert.equal(again.id, task.id, "one message is one task");
  assert.equal(task.status.message.parts[0].content.value, "Here is the form.");

  const click = submit(a2ui(task.status.message.parts), `Node ${version}`);
  const clicked = message(task.contextId, part("data", [click], "application/a2ui+json"));
  for (let i = 0; i < 2; i++) {
    const events = [];
    for await (const e of client.sendMessageStream(clicked, options)) events.push(e.payload);
    assert.equal(events[0].$case, "task");
    const end = events.at(-1);
    assert.equal(end.$case, "statusUpdate");
    assert.equal(end.value.status.state, TaskState.TASK_STATE_COMPLETED);
    assert.ok(a2ui(end.value.status.message.parts).length > 0);
    const followed = [];
    for await (const e of client.resubscribeTask({ tenant: "", id: end.value.taskId }, options)) followed.push(e.payload);
    assert.equal(followed.at(-1).value.status.message.messageId, end.value.status.message.messageId);
  }
  const known = await client.getTask({ tenant: "", id: task.id }, options);
  assert.equal(known.status.state, TaskState.TASK_STATE_COMPLETED);
  await assert.rejects(client.cancelTask({ tenant: "", id: task.id, metadata: undefined }, options), /over/);
  await assert.rejects(client.getTask({ tenant: "", id: "x" }, options), /no such task/);
  await assert.rejects(client.sendMessage(message("x", part("text", "hello")), options), /no such context/);
  return task.contextId;
}

// The card lists both protocols; a client takes the newest it speaks.
const card = await (await fetch(`${base}/.well-known/agent-card.json`)).json();
assert.deepEqual(card.supportedInterfaces.map((i) => i.protocolVersion), ["1.0", "0.3"]);
const newest = await new ClientFactory().createFromUrl(base);
const one = await visit(newest, "1.0");

// The same of an agent that speaks 0.3 only, as a client of 1.0 reads it.
const { supportedInterfaces, ...old } = card;
const compatible = new JsonRpcTransportFactory({ legacyCompat: { enabled: true } });
const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default,
  { transports: [compatible] }));
const two = await visit(await factory.createFromAgentCard({ ...await newest.getAgentCard(),
  supportedInterfaces: [{ url: old.url, protocolBinding: "JSONRPC", protocolVersion: "0.3", tenant: "" }] }), "0.3");
console.log(JSON.stringify([one, two]));
