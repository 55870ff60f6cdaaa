// @ts-check
// Links to a selection, in the fragment of the page's address.
import { eventKey } from './model.js';

/**
 * The fragment for a selection; empty if nothing is selected.
 * @param {import('./state.js').Selection} selection
 */
export function fragmentOf(selection) {
  const parts = new URLSearchParams();
  if (selection.finding >= 0) parts.set('finding', String(selection.finding));
  if (selection.task) parts.set('task', selection.task.uid);
  if (selection.event) parts.set('event', eventKey(selection.event));
  if (selection.range) parts.set('t', `${selection.range.from.toFixed(3)},${selection.range.to.toFixed(3)}`);
  return parts.toString();
}

/**
 * Keeps the fragment and the selection the same.
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 * @param {(finding: number) => void} reveal
 */
export function linkSelection(model, state, reveal) {
  let written = '';
  state.observe(() => {
    const fragment = fragmentOf(state.selection);
    if (fragment === written) return;
    written = fragment;
    // A browser may refuse this for a page without an origin; the selection then has no link.
    try { history.replaceState(null, '', `#${fragment}`); } catch { /* no link */ }
  });
  function follow() {
    const fragment = location.hash.slice(1);
    if (fragment === '' || fragment === written) return;
    const parts = new URLSearchParams(fragment);
    const number = Number(parts.get('finding') ?? NaN);
    if (Number.isInteger(number) && model.report.findings[number]) reveal(number);
    const task = model.taskOf.get(parts.get('task') ?? '') ?? null;
    const key = parts.get('event');
    const event = key === null ? null : model.events.find((entry) => eventKey(entry) === key) ?? null;
    const [from, to] = (parts.get('t') ?? '').split(',').map(Number);
    const range = Number.isFinite(from) && Number.isFinite(to) && from <= to ? { from, to } : null;
    if (task || event || range) state.select({ task, event, range });
  }
  addEventListener('hashchange', follow);
  follow();
}
