// What makes the v0.9 renderer slow on a page of many components. Every element
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
