// An agent that speaks AG-UI, with the types of @ag-ui/client: notes, in A2UI v0.9 as activities.
//
// Usage: npm ci && npm run build && node dist/notes.js PORT    (0: any; the address is printed)

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { EventType, type AGUIEvent, type RunAgentInput } from '@ag-ui/client';
import { EventEncoder } from '@ag-ui/encoder';

const basic = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';

/** The part of the input that a gateway adds: the click of a user. */
interface Forwarded {
  a2uiAction?: { action: { name: string; context: Record<string, unknown> } };
}

/** The notes of each conversation, and the answers of the runs so far: a run that is known is not done again. */
const notes = new Map<string, string[]>();
const answers = new Map<string, AGUIEvent[]>();

/** The surface: the notes, a field, and a button. */
function surface(list: string[]): object[] {
  const surfaceId = 'notes';
  return [
    { version: 'v0.9', createSurface: { surfaceId, catalogId: basic } },
    { version: 'v0.9', updateDataModel: { surfaceId, path: '/', value: { note: '', list: list.map((note) => ({ note })) } } },
    { version: 'v0.9', updateComponents: { surfaceId, components: [
      { id: 'root', component: 'Column', children: ['list', 'note', 'add'] },
      { id: 'list', component: 'List', children: { path: '/list', componentId: 'item' } },
      { id: 'item', component: 'Text', text: { path: 'note' } },
      { id: 'note', component: 'TextField', label: 'Note', value: { path: '/note' } },
      { id: 'add', component: 'Button', child: 'add-label', action: { event: { name: 'add', context: { note: { path: '/note' } } } } },
      { id: 'add-label', component: 'Text', text: 'Add it' },
    ] } },
  ];
}

function answer(run: RunAgentInput): AGUIEvent[] {
  const list = notes.get(run.threadId) ?? [];
  notes.set(run.threadId, list);
  const action = (run.forwardedProps as Forwarded).a2uiAction?.action;
  if (action?.name === 'add') list.push(String(action.context.note ?? ''));
  const said = action ? `${list.length} noted.` : 'What shall I note?';
  const messageId = `${run.runId}-words`;
  return [
    { type: EventType.RUN_STARTED, threadId: run.threadId, runId: run.runId },
    { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' },
    { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: said },
    { type: EventType.TEXT_MESSAGE_END, messageId },
    { type: EventType.ACTIVITY_SNAPSHOT, messageId: 'notes', activityType: 'a2ui-surface', content: { a2ui_operations: surface(list) } },
    { type: EventType.RUN_FINISHED, threadId: run.threadId, runId: run.runId },
  ];
}

const server = createServer(async (request, response) => {
  const run = JSON.parse(await text(request)) as RunAgentInput;
  const events = answers.get(run.runId) ?? answer(run);
  answers.set(run.runId, events);
  const encoder = new EventEncoder();
  response.setHeader('Content-Type', encoder.getContentType());
  for (const event of events) response.write(encoder.encode(event));
  response.end();
});
server.listen(Number(process.argv[2] ?? 8094), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
