// The editor of a process in the HTML drawing. What it shows and writes are the fields of the
// form, which stay beside it, and what it asks for are their buttons.

import { ProcessView } from '../catalog-core/process.js';
import type { Column } from '../catalog-core/cells.js';

/** What the page lends. */
export interface Host {
  words: Record<string, string>;
  /** Sends what is typed, with the button of a component; resolves when the answer is drawn. */
  send(form: HTMLFormElement, component: string): Promise<void>;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Rows = Record<string, unknown> & { columns: Column[] };

const most = 1000; // characters of a label or of an error

export function edit(host: Host): Editor { return new Editor(host); }

class Editor {
  private place = document.createElement('div');
  private view = new ProcessView(this.place, true);
  private canvas: HTMLElement | undefined;
  private about = new Map<string, unknown>(); // what the next action is about
  private last = Promise.resolve();

  constructor(private host: Host) { this.place.className = 'limn-editor'; }

  /** Takes the place of the server's picture, which stays for a page whose connections are not all here. */
  attach(canvas: HTMLElement): void {
    this.canvas = canvas;
    if (canvas.previousSibling !== this.place) canvas.before(this.place);
    this.update();
  }

  update(): void {
    const { canvas, form } = this;
    if (!canvas || !form) return;
    const list = [...form.querySelectorAll<HTMLElement>('.limn-steps')].find((one) => named(one, canvas.dataset.steps ?? '') || !one.querySelector('[name]'));
    const table = canvas.dataset.edges ? form.querySelector<HTMLElement>(`.limn-scroll[data-path="${CSS.escape(canvas.dataset.edges)}"]`)?.closest<HTMLElement>('.limn-table') : undefined;
    const whole = list !== undefined && !table?.querySelector('.limn-pager');
    canvas.hidden = whole;
    this.place.hidden = !whole;
    if (!whole) return;
    const connections = table ? this.rows(canvas.dataset.edges ?? '', table, 'tbody > tr') : undefined;
    this.view.update({
      componentModel: { id: '', properties: { steps: this.rows(canvas.dataset.steps ?? '', list, 'ol > li'), connections, words: this.host.words }, onUpdated: { subscribe: () => ({ unsubscribe() {} }) } },
      dataContext: { dataModel: { get: (path: string) => this.get(path), set: (path: string, value: unknown) => this.set(path, value), subscribe: () => ({ unsubscribe() {} }) } },
      dispatchAction: (action: any) => this.act(action.event),
    });
  }

  private get form(): HTMLFormElement | undefined { return this.canvas?.closest('form') ?? undefined; }

  /** The fields of a path; a group of boxes has several. */
  private fields(path: string): Field[] {
    return [...(this.form?.querySelectorAll<Field>(`[name="${CSS.escape(path)}"]:not([type="hidden"])`) ?? [])];
  }

  private get(path: string): unknown {
    if (this.about.has(path)) return this.about.get(path);
    const fields = this.fields(path), [first] = fields;
    if (first instanceof HTMLSelectElement) return [...first.selectedOptions].map((o) => o.value).filter((v) => v !== '');
    if (!(first instanceof HTMLInputElement)) return first?.value;
    if (first.type === 'checkbox' && first.value === 'true') return first.checked;
    if (first.type === 'checkbox' || first.type === 'radio') return (fields as HTMLInputElement[]).filter((f) => f.checked).map((f) => f.value);
    return first.type === 'range' ? Number(first.value) : first.value;
  }

  private set(path: string, value: unknown): void {
    const fields = this.fields(path), [first] = fields;
    if (!first) {
      this.about.set(path, value);
      return;
    }
    const list = (Array.isArray(value) ? value : [value]).map(String);
    if (first instanceof HTMLSelectElement) {
      for (const one of list) if (one && ![...first.options].some((o) => o.value === one)) first.add(new Option(one, one)); // a step that came just now
      if (first.multiple) for (const option of first.options) option.selected = list.includes(option.value);
      else first.value = list[0] ?? '';
    } else if (first.type === 'checkbox' || first.type === 'radio') {
      for (const f of fields as HTMLInputElement[]) f.checked = f.value === 'true' ? value === true : list.includes(f.value);
    } else {
      first.value = String(value);
    }
    for (const type of ['input', 'change']) first.dispatchEvent(new Event(type, { bubbles: true }));
  }

  /** Presses a button of the form, after those that were pressed before. */
  private act(event: { name: string; context: Record<string, unknown> }): void {
    const [what = '', path = ''] = event.name.split(' ');
    const row = this.fieldsOf(path, String(event.context.row ?? ''))[0];
    const within = what === 'remove' ? row?.closest('li, tr') : this.fieldsOf(path, '')[0]?.closest('.limn-steps, .limn-table') ?? this.container(path);
    const button = within?.querySelector<HTMLButtonElement>({ add: '.limn-add button:not(.limn-restore)', restore: '.limn-restore', remove: '.limn-remove' }[what] ?? '');
    if (!button) return;
    const component = button.value;
    this.last = this.last.then(() => (this.form ? this.host.send(this.form, component) : undefined));
  }

  /** The fields of a row, or of all rows. */
  private fieldsOf(path: string, row: string): Field[] {
    return [...(this.form?.querySelectorAll<Field>(`[name^="${CSS.escape(`${path}/${row}${row && '/'}`)}"]:not([type="hidden"])`) ?? [])];
  }

  private container(path: string): Element | null | undefined {
    return path === this.canvas?.dataset.steps ? this.form?.querySelector('.limn-steps') : this.form?.querySelector(`.limn-scroll[data-path="${CSS.escape(path)}"]`)?.closest('.limn-table');
  }

  /** Rows as the component declares them. */
  private rows(path: string, within: HTMLElement, selector: string): Rows {
    const lines = [...within.querySelectorAll(selector)].filter((line) => named(line, path));
    const names = lines.map((line) => (named(line, path) as Field).name.slice(path.length + 1).split('/'));
    const errors = lines.flatMap((line, i) => [...line.querySelectorAll<HTMLElement>('.limn-error[data-for]')].flatMap((slot) => {
      const text = slot.textContent?.trim().slice(0, most) ?? '';
      const field = text ? line.querySelector<Field>(`#${CSS.escape(slot.dataset.for ?? '')}[name], #${CSS.escape(slot.dataset.for ?? '')} [name]`) : null;
      return field ? [{ row: names[i]?.[0] ?? '', column: field.name.split('/').at(-1) ?? '', text }] : [];
    }));
    const offers = [within.querySelector('.limn-add button:not(.limn-restore):enabled') ? 'add' : '', within.querySelector('.limn-remove') ? 'remove' : '', within.querySelector('.limn-restore') ? 'restore' : ''];
    const action = (what: string) => ({ event: { name: `${what} ${path}`, context: what === 'remove' ? { row: { path: '/row' } } : {} } });
    return {
      cells: { path }, ids: names.map(([id]) => id), columns: lines[0] ? columnsOf(lines[0], path) : [], errors, row: { path: '/row' },
      offers: offers.filter(Boolean), add: action('add'), remove: action('remove'), restore: action('restore'),
    };
  }
}

/** The first field below a path. */
function named(within: Element, path: string): Field | null {
  return within.querySelector<Field>(`[name^="${CSS.escape(`${path}/`)}"]`);
}

/** The columns of a row: its fields, but those that take files. */
function columnsOf(line: Element, path: string): Column[] {
  const columns = new Map<string, Column>();
  for (const field of line.querySelectorAll<Field>(`[name^="${CSS.escape(`${path}/`)}"]:not([type="hidden"], [type="file"])`)) {
    const name = field.name.split('/').at(-1) ?? '';
    const column = columns.get(name);
    if (column) column.options?.push({ value: field.value, label: field.labels?.[0]?.textContent?.trim() ?? field.value });
    else columns.set(name, columnOf(name, field));
  }
  return [...columns.values()];
}

function columnOf(name: string, field: Field): Column {
  const column: Column = { name, label: labelOf(field), type: typeOf(field), required: field.getAttribute('aria-required') === 'true', placeholder: 'placeholder' in field ? field.placeholder : '' };
  if (field instanceof HTMLSelectElement) column.options = [...field.options].filter((o) => o.value !== '').map((o) => ({ value: o.value, label: o.text }));
  else if (column.type === 'choice' || column.type === 'choices') column.options = [{ value: field.value, label: field.labels?.[0]?.textContent?.trim() ?? field.value }];
  if (field instanceof HTMLInputElement) Object.assign(column, { min: field.min, max: field.max, step: field.step });
  return column;
}

const types: Record<string, string> = { email: 'email', url: 'url', date: 'date', time: 'time', 'datetime-local': 'datetime', range: 'slider', radio: 'choice' };

function typeOf(field: Field): string {
  if (field instanceof HTMLSelectElement) return field.multiple ? 'choices' : 'choice';
  if (field instanceof HTMLTextAreaElement) return 'longtext';
  if (field.type === 'checkbox') return field.value === 'true' ? 'boolean' : 'choices';
  return field.inputMode === 'decimal' ? 'number' : types[field.type] ?? 'text';
}

/** What a field is called, without the mark of those that are required. */
function labelOf(field: Field): string {
  const by = field.getAttribute('aria-labelledby')?.split(' ')[0] ?? '';
  const group = field.type === 'radio' || field.type === 'checkbox' && field.value !== 'true' ? field.closest('[role="radiogroup"], [role="group"], fieldset')?.getAttribute('aria-labelledby')?.split(' ')[0] ?? '' : '';
  const label = document.getElementById(group || by) ?? field.labels?.[0];
  const text = label?.cloneNode(true) as HTMLElement | undefined;
  text?.querySelector('.limn-required')?.remove();
  return text?.textContent?.trim().slice(0, most) ?? '';
}
