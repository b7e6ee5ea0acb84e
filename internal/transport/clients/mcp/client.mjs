// The client of @modelcontextprotocol/sdk, and the inspector, against a server with the door
// mcp: node client.mjs URL. Run by TestNodeSDK.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

const url = new URL('/mcp', process.argv[2]);
const token = () => `Bearer ${randomBytes(32).toString('base64url')}`;

async function connect(capabilities, authorization) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  const headers = authorization ? { Authorization: authorization } : {};
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

// submit is the message of the form's button, with a name in the field.
function submit(messages, name) {
  const components = messages.flatMap((m) => m.updateComponents?.components ?? []);
  const model = messages.find((m) => m.updateDataModel?.path === '/').updateDataModel.value;
  model.draft.name = name;
  const button = components.find((c) => c.component === 'Button' && c.id.includes('submit'));
  const resolve = (v) => (v?.path ? v.path.split('/').slice(1).reduce((at, key) => at?.[key], model) : v);
  const { name: action, context } = button.action.event;
  return {
    name: action, sourceComponentId: button.id, surfaceId: messages.find((m) => m.createSurface).createSurface.surfaceId,
    context: Object.fromEntries(Object.entries(context).map(([key, v]) => [key, resolve(v)])),
  };
}

// A session without a token, as a host has it that was told the address alone.
const client = await connect({});
const updated = new Promise((done) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, done));
const { tools } = await client.listTools();
assert.ok(tools.some((t) => t.name === 'show_form_guest' && t.inputSchema.properties.name.type === 'string'));
const opened = await client.callTool({ name: 'show_form_guest', arguments: {} });
const { uri, text } = opened.content[1].resource;
assert.equal((await client.readResource({ uri })).contents[0].text, text);
const click = submit(JSON.parse(text), 'Node');
for (let i = 0; i < 2; i++) {
  const done = await client.callTool({ name: 'a2ui_action', arguments: click });
  assert.equal(done.structuredContent.outcome, 'done', JSON.stringify(done));
}
assert.equal((await updated).params.uri, uri);
await assert.rejects(client.readResource({ uri: 'a2ui://x' }), { code: -32002 });

// A client that asks its user.
const asked = await connect({ elicitation: {} }, token());
asked.setRequestHandler(ElicitRequestSchema, (q) => {
  assert.deepEqual(q.params.requestedSchema.required, ['name']);
  return { action: 'accept', content: { name: 'Asked' } };
});
const answered = await asked.callTool({ name: 'show_form_guest', arguments: {} });
assert.equal(answered.structuredContent.outcome, 'done', JSON.stringify(answered));

// The inspector, which finds itself by the folder that it is started in.
const inspector = fileURLToPath(new URL('node_modules/@modelcontextprotocol/inspector-cli/build/cli.js', import.meta.url));
const authorization = token();
const inspect = async (...args) => JSON.parse((await promisify(execFile)(process.execPath, [inspector, '--cli', url.href, '--transport', 'http',
  '--header', `Authorization: ${authorization}`, ...args], { cwd: dirname(inspector) })).stdout);
assert.ok((await inspect('--method', 'tools/list')).tools.length > 3);
const shown = await inspect('--method', 'tools/call', '--tool-name', 'show_form_guest', '--tool-arg', 'name=Inspector');
assert.match(shown.content[1].resource.text, /Inspector/);
const { resources } = await inspect('--method', 'resources/list');
assert.ok(resources.some((r) => r.uri === shown.content[1].resource.uri), 'another session of one sender has the same surfaces');

await Promise.all([client.close(), asked.close()]);
console.log(JSON.stringify({ Node: opened.structuredContent.conversation, Asked: answered.structuredContent.conversation }));
