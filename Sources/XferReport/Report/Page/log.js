// @ts-check
// All events with level toggles and a search.
import { el, say, section, virtualList } from './dom.js';
import { counted, countText, eventText, timeText } from './format.js';

/** @typedef {import('./types').Event} Event */

const levels = ['debug', 'info', 'default', 'error', 'fault'];

/** @type {Record<string, string>} */
const letters = { debug: 'D', info: 'I', default: 'N', error: 'E', fault: 'F' };

/**
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
export function logSection(model, state) {
  const hidden = new Set();
  /** @type {Event[]} */
  let shown = model.events;
  const note = el('p', { class: 'faint', role: 'status' });
  const list = virtualList({ height: 24, label: 'Events', render: (index) => row(shown[index]) });
  const search = el('input', { type: 'text', id: 'log-search', spellcheck: false, autocomplete: 'off', placeholder: 'text, event or task', input: () => apply() });
  const ofTask = el('input', { type: 'checkbox', id: 'log-of-task', change: () => apply() });
  const toggles = levels.map((level) => {
    const box = el('input', { type: 'checkbox', id: `log-level-${level}`, checked: true, change: () => { if (box.checked) hidden.delete(level); else hidden.add(level); apply(); } });
    return el('label', { class: 'toggle' }, box, ` ${level}`);
  });
  /** @param {Event} event */
  function row(event) {
    const isSelected = event === state.selection.event;
    return el('div', { class: `event level-${event.shape.level}${isSelected ? ' selected' : ''}`, click: () => state.select({ event, task: event.task }) },
      el('span', { class: 'cell time' }, timeText(event.time)), el('span', { class: 'cell letter', title: event.shape.level }, letters[event.shape.level] ?? '?'),
      el('span', { class: 'cell subject' }, event.task?.label ?? ''), el('span', { class: 'cell name' }, event.shape.name), el('span', { class: 'cell message' }, eventText(event, model)));
  }
  list.box.addEventListener('keydown', (key) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[key.key];
    if (by === undefined || shown.length === 0) return;
    key.preventDefault();
    const current = state.selection.event ? shown.indexOf(state.selection.event) : -1;
    const next = Math.min(shown.length - 1, Math.max(0, current + by));
    state.select({ event: shown[next], task: shown[next].task });
    list.scrollTo(next);
  });
  function apply() {
    const text = search.value.toLowerCase();
    const { range, task } = state.selection;
    shown = model.events.filter((event) => !hidden.has(event.shape.level) && (!range || event.time === null || (event.time >= range.from && event.time <= range.to))
      && (!ofTask.checked || !task || event.task === task) && (text === '' || matches(event, text)));
    say(note, `${countText(shown.length)} of ${counted(model.events.length, 'event')}${range ? ' in the selected range' : ''}${model.gaps.length ? `, ${counted(model.gaps.length, 'gap')}` : ''}.`);
    list.show(shown.length);
  }
  /** @param {Event} event @param {string} text */
  function matches(event, text) {
    return event.shape.name.toLowerCase().includes(text) || (event.task?.label.toLowerCase().includes(text) ?? false) || eventText(event, model).toLowerCase().includes(text);
  }
  state.observe((names) => {
    if (names.includes('range') || names.includes('model') || (names.includes('task') && ofTask.checked)) apply();
    if (names.includes('zone')) list.refresh();
    if (names.includes('event')) {
      const place = state.selection.event ? shown.indexOf(state.selection.event) : -1;
      if (place >= 0) list.scrollTo(place); else list.refresh();
    }
  });
  apply();
  return section('log', 'Log', el('p', { class: 'tools' }, el('label', { for: 'log-search' }, 'Search'), search, ...toggles,
    el('label', { class: 'toggle' }, ofTask, ' only the selected task')), note, list.box);
}
