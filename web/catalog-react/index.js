// Limn's catalog for @a2ui/react v0.9: the basic components, and DataGrid, ProcessMap and
// Chart.

import { createElement, useEffect, useRef } from 'react';
import { Catalog } from '@a2ui/web_core/v0_9';
import { basicCatalog, createBinderlessComponentImplementation, createComponentImplementation } from '@a2ui/react/v0_9';
import { adopt, catalogId, components, FoldApi, follow } from '@limn-ui/catalog-core';
/** @import { Context, View, ViewClass } from '../catalog-core/bind.js' */

/**
 * A component that draws with a view. The view keeps the element up to date by itself;
 * React only says when it comes and goes.
 * @param {ViewClass} View
 */
const componentOf = (View) => (/** @type {{ context: any }} */ { context }) => {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const view = useRef(/** @type {View | undefined} */ (undefined));
  const now = useRef(/** @type {Context} */ (context));
  now.current = context;
  useEffect(() => {
    if (!place.current) return undefined;
    view.current ??= new View(place.current);
    return follow(view.current, now.current);
  }, [context.componentModel]);
  return createElement('div', { ref: place });
};

const own = components.map(({ api, view }) => createBinderlessComponentImplementation(api, componentOf(view)));

/** A part that folds, with a child of any catalog. */
const Fold = createComponentImplementation(FoldApi, (/** @type {any} */ { props, buildChild }) => {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  useEffect(() => { if (place.current) adopt(place.current); }, []);
  useEffect(() => { // only a change of the server's opens or closes it
    const details = place.current?.querySelector('details');
    if (details) details.open = props.open === true;
  }, [props.open]);
  return createElement('div', { ref: place, className: 'limn-fold' },
    createElement('details', null, createElement('summary', null, props.title), createElement('div', null, buildChild(props.child))));
});

/** For the MessageProcessor; its id is what the client announces. */
export const catalog = new Catalog(catalogId['v0.9'], [...basicCatalog.components.values(), ...own, Fold], [...basicCatalog.functions.values()]);
