// What the v0.9 renderer does not do well on a page of many components: it shows every
// option of a choice in a cell, where a list would do, and it is slow. Every element
// asks the surface to tell it of new components, as a child of its own may come
// late, and draws itself and all below it anew when told. It is told once for
// each new component, again while that drawing goes on, and, because an element
// that gets a new controller leaves the old one subscribed, more often after each
// change: 50 rows took seconds a click. Here the old controller leaves, and all
// that came in one message is told once.

import { A2uiController, type ComponentModel, type SurfaceModel } from '@a2ui/web_core/v0_9';

type Source = SurfaceModel<never>['componentsModel']['onCreated'];
type Listener = Parameters<Source['subscribe']>[0];

/** Mends the class of controllers; call before anything is drawn. */
export function mendControllers(): void {
  const mended = A2uiController.prototype;
  const dispose = mended.dispose;
  mended.dispose = function () {
    this.hostDisconnected();
    dispose.call(this);
  };
}

/** Lets a surface tell of its new components once a message; call before it is drawn. */
export function tellOnce(surface: { componentsModel: { onCreated: Source } }): void {
  const listeners = new Set<Listener>();
  let came: ComponentModel[] = [];
  surface.componentsModel.onCreated.subscribe((component) => {
    if (came.push(component) > 1) return;
    queueMicrotask(() => { // a message is processed in one go
      const first = came.find((c) => c.id === 'root') ?? came[0]!; // the root is the only one that is looked at
      came = [];
      for (const listener of [...listeners]) if (listeners.has(listener)) void listener(first);
    });
  });
  (surface.componentsModel as { onCreated: Source }).onCreated = {
    subscribe(listener) {
      listeners.add(listener);
      return { unsubscribe: () => void listeners.delete(listener) };
    },
  };
}

interface Picker extends HTMLElement {
  controller?: { props: { displayStyle?: string; variant?: string; label?: string; options?: { label: string; value: string }[]; value?: unknown; setValue?(value: string[]): void } };
  updated?(changed: Map<string, unknown>): void;
}

/** Lets chips of which one can be chosen be a list to choose from; call before anything is drawn. */
export function mendChoices(): void {
  const picker = customElements.get('a2ui-choicepicker')!.prototype as Picker;
  const updated = picker.updated;
  picker.updated = function (changed) {
    updated?.call(this, changed);
    list(this);
  };
}

function list(picker: Picker): void {
  const { displayStyle, variant, label = '', options = [], value } = picker.controller?.props ?? {};
  let select = picker.querySelector<HTMLSelectElement>(':scope > select');
  if (displayStyle !== 'chips' || variant === 'multipleSelection') {
    select?.remove();
    return;
  }
  if (!select) {
    const made = select = document.createElement('select');
    made.addEventListener('change', () => picker.controller?.props.setValue?.([made.value]));
    picker.querySelector('.chips')?.before(made);
  }
  const all = options.some((o) => o.value === '') ? options : [{ label: '', value: '' }, ...options]; // nothing is chosen at first
  if (select.dataset.options !== JSON.stringify(all)) {
    select.dataset.options = JSON.stringify(all);
    select.replaceChildren(...all.map((o) => new Option(o.label, o.value)));
  }
  select.setAttribute('aria-label', label);
  select.value = String((Array.isArray(value) ? value[0] : value) ?? '');
}
