// What renderers need of Limn's components: what they take, and views that draw them into
// an element. The modules below are pure but for control, grid, process, chart-view, dom
// and style.

import { GridView } from './grid.js';
import { ProcessView } from './process.js';
import { ChartView } from './chart-view.js';
import { ChartApi, DataGridApi, ProcessMapApi } from './schema.js';
/** @import { ViewClass } from './bind.js' */

export { catalogId, FoldApi } from './schema.js';
export { adopt } from './style.js';
export { follow } from './bind.js';

/** Each component that has no children: its name and schema, and the view that draws it. */
export const components = [
  { api: DataGridApi, view: /** @type {ViewClass} */ (GridView) },
  { api: ProcessMapApi, view: /** @type {ViewClass} */ (ProcessView) },
  { api: ChartApi, view: /** @type {ViewClass} */ (ChartView) },
];
