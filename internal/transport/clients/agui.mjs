// HttpAgent of @ag-ui/client against a server with the door agui, and another whose model calls
// the tools pick and blink, if there is one: node agui.mjs URL [URL]. Run by TestNodeClient and
// TestDoors.
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { compactEvents, HttpAgent } from "@ag-ui/client";

const base = process.argv[2];
const headers = { Authorization: `Bearer ${randomBytes(32).toString("base64url")}` };
const agent = (threadId, more = {}) => new HttpAgent({ url: `${base}/agui`, threadId, headers, ...more });
const say = (content) => ({ id: randomUUID(), role: "user", content });

// run runs an agent and returns the events of the run.
async function run(of, parameters = {}) {
  const events = [];
  await of.runAgent({ runId: randomUUID(), ...parameters }, { onEvent: ({ event }) => { events.push(event); } });
  return events;
}
const ends = (events) => events.at(-1).type;
const surface = (of) => of.messages.findLast((m) => m.role === "activity" && m.content.a2ui_operations.length > 1);

// submit is what a renderer sends for the form's button, with a name in its field.
function submit({ a2ui_operations: ops }, name) {
  const components = ops.flatMap((m) => m.updateComponents?.components ?? []);
  const model = ops.find((m) => m.updateDataModel?.path === "/").updateDataModel.value;
  model.draft.name = name;
  const button = components.find((c) => c.component === "Button" && c.id.includes("submit"));
  const resolve = (v) => (v?.path ? v.path.split("/").slice(1).reduce((at, key) => at?.[key], model) : v);
  const { name: action, context } = button.action.event;
  return {
    userAction: {
      name: action, sourceComponentId: button.id, timestamp: new Date().toISOString(),
      surfaceId: ops.find((m) => m.createSurface).createSurface.surfaceId,
      context: Object.fromEntries(Object.entries(context).map(([key, v]) => [key, resolve(v)])),
    },
  };
}

// A form is opened, filled in and submitted, once under a double click.
const thread = randomUUID();
const first = agent(thread);
first.addMessage(say("sign the guest book"));
assert.equal(ends(await run(first)), "RUN_FINISHED");
assert.deepEqual(first.messages.map((m) => m.role), ["user", "assistant", "activity"]);
const before = structuredClone(first.messages);

// It is reloaded: surfaces and messages come back, and are not doubled.
const reloaded = agent(thread);
await run(reloaded);
assert.deepEqual(reloaded.messages.map((m) => m.role), ["user", "assistant", "activity"]);
assert.deepEqual(reloaded.messages[2].content, before[2].content);
await run(reloaded);
assert.equal(reloaded.messages.length, 3);

const action = submit(structuredClone(surface(reloaded).content), "Node");
const [one, two] = [agent(thread), agent(thread)];
const both = await Promise.all([one, two].map((a) => run(a, { forwardedProps: { a2uiAction: action } })));
assert.deepEqual(both.map(ends), ["RUN_FINISHED", "RUN_FINISHED"]);
assert.deepEqual(one.messages, two.messages, "both clicks have one answer");

// The same message again, as after a lost connection, is not a second one.
const again = agent(thread, { initialMessages: [before[0]] });
const replayed = await run(again);
assert.deepEqual(compactEvents(replayed), replayed, "a run that is over is compact");
assert.deepEqual(again.messages.map((m) => m.id), before.map((m) => m.id));
const all = agent(thread);
await run(all);
assert.deepEqual(surface(again).content, surface(all).content, "the form is drawn as it is now");
assert.equal(all.messages.filter((m) => m.role === "user").length, 1);
assert.deepEqual(one.state, all.state, "a run and a reload have one state");

// An open form is an interrupt for who asks for them.
const asks = { forwardedProps: { limn_interrupts: true } };
const waits = agent(randomUUID());
waits.addMessage(say("sign the guest book"));
await run(waits, asks);
assert.equal(waits.pendingInterrupts.length, 1);
const [{ id, responseSchema }] = waits.pendingInterrupts;
assert.deepEqual(responseSchema.required, ["name"]);
waits.addMessage(say("hello"));
await assert.rejects(run(waits, asks), /pending interrupt/);
waits.messages = waits.messages.slice(0, -1);
const answered = { ...asks, runId: randomUUID(), resume: [{ interruptId: id, status: "resolved", payload: { name: "Node" } }] };
assert.equal(ends(await run(waits, answered)), "RUN_FINISHED");
assert.equal(waits.pendingInterrupts.length, 0);
assert.equal(ends(await run(waits, { ...answered, runId: randomUUID() })), "RUN_ERROR");

// Others have their own threads.
const other = agent(thread, { headers: { Authorization: `Bearer ${randomBytes(32).toString("base64url")}` } });
await run(other);
assert.equal(other.messages.length, 0);

if (!process.argv[3]) process.exit();

// Tools of the client: the calls are in a message, and their results go on with it.
const picker = agent(randomUUID(), { url: `${process.argv[3]}/agui` });
const tools = [
  { name: "pick", description: "Picks a colour.", parameters: { type: "object", properties: { of: { type: "array" } } } },
  { name: "blink", description: "Blinks.", parameters: {} },
];
picker.addMessage(say("which colour do you suggest?"));
await run(picker, { tools });
const calls = picker.messages.flatMap((m) => m.toolCalls ?? []);
assert.deepEqual(calls.map((c) => c.function.name), ["pick", "blink"]);
for (const { id } of calls) picker.addMessage({ id: randomUUID(), role: "tool", toolCallId: id, content: "they said: green" });
assert.equal(ends(await run(picker, { tools })), "RUN_FINISHED");
assert.equal(picker.messages.at(-1).content, "Green it is.");
