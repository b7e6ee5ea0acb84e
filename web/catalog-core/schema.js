// What the components take, as the processor of @a2ui/web_core checks it: the same as
// limn.json of the server says.

import { z } from 'zod';
import { ActionSchema as action, ComponentIdSchema as child, DataBindingSchema as bound } from '@a2ui/web_core/v0_9';

/** The ids of the catalog, by version of the protocol. */
export const catalogId = { 'v0.9': 'https://limn-ui.dev/catalogs/v0_9.json', 'v1.0': 'https://limn-ui.dev/catalogs/v1_0.json' };

const text = z.string();
const common = { accessibility: z.any().optional(), weight: z.number().optional() };
const words = z.record(text);

const column = z.object({
  name: text, label: text,
  type: z.enum(['text', 'longtext', 'number', 'email', 'url', 'boolean', 'choice', 'choices', 'slider', 'date', 'time', 'datetime', 'tags']),
  required: z.boolean().optional(), help: text.optional(), placeholder: text.optional(),
  options: z.array(z.object({ label: text, value: text }).strict()).optional(),
  min: text.optional(), max: text.optional(), step: text.optional(), pattern: text.optional(), message: text.optional(),
}).strict();

const rows = z.object({
  cells: bound, ids: z.array(text), columns: z.array(column),
  first: z.number().int().optional(), total: z.number().int().optional(), most: z.number().int().optional(), readonly: z.boolean().optional(),
  errors: z.array(z.object({ row: text, column: text, text }).strict()).optional(),
  offers: z.array(z.enum(['add', 'remove', 'move', 'restore', 'page', 'paste'])).optional(),
  row: bound.optional(), before: bound.optional(), count: bound.optional(), at: bound.optional(), text: bound.optional(),
  add: action.optional(), remove: action.optional(), move: action.optional(), restore: action.optional(), page: action.optional(), paste: action.optional(),
}).strict();

export const DataGridApi = { name: 'DataGrid', schema: z.object({ ...common, label: text.optional(), help: text.optional(), rows, words }).strict() };

export const ProcessMapApi = { name: 'ProcessMap', schema: z.object({ ...common, label: text.optional(), help: text.optional(), steps: rows, connections: rows.optional(), words }).strict() };

export const ChartApi = {
  name: 'Chart',
  schema: z.object({ ...common, kind: z.enum(['bar', 'line', 'pie']), label: text.optional(), unit: text.optional(), labels: bound, series: z.array(z.object({ name: text, values: bound }).strict()), words }).strict(),
};

export const FoldApi = { name: 'Fold', schema: z.object({ ...common, title: text, child, open: z.boolean().optional() }).strict() };
