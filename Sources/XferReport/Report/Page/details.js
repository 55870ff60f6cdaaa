// @ts-check
// The selected event with its fields.
import { add, el, fill } from './dom.js';
import { dateText, eventText, valueText } from './format.js';
import { eventKey } from './model.js';
import { focusIn } from './renewal.js';

/**
 * The state before and after an event.
 * @param {import('./types').StateChange[]} changes
 */
function changesTable(changes) {
  const body = el('tbody');
  for (const [kind, name, manner, fields] of changes) {
    add(body, el('tr', { class: 'group' }, el('th', { scope: 'rowgroup' }, `${kind} ${name}`), el('td', {}, ''), el('td', {}, manner)));
    for (const [field, before, after] of fields) {
      add(body, el('tr', {}, el('th', { scope: 'row' }, field), el('td', { class: 'before' }, before ?? '–'), el('td', { class: 'after' }, after ?? '–')));
    }
  }
  return el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'State before and after' }, el('table', { class: 'changes' },
    el('caption', {}, 'State before and after this event'),
    el('thead', {}, el('tr', {}, ...['', 'Before', 'After'].map((title) => el('th', { scope: 'col' }, title)))), body));
}

/**
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
export function detailsPanel(model, state) {
  const panel = el('aside', { class: 'details', 'aria-label': 'Selected event', 'aria-live': 'polite' });
  let timer = 0;
  // How many times faster than recorded the events are played; 0 plays them in even steps.
  let speed = 0;
  function stop() {
    clearTimeout(timer);
    timer = 0;
    panel.setAttribute('aria-live', 'polite');
  }
  /** Selects the next event when its time has come, at the chosen speed. */
  function play() {
    const { event } = state.selection;
    const next = neighbour(1);
    if (!event || !next) {
      stop();
      return show();
    }
    panel.setAttribute('aria-live', 'off');
    const gap = event.time !== null && next.time !== null ? next.time - event.time : 0;
    timer = setTimeout(() => {
      state.select({ event: next, task: next.task });
      play();
    }, speed === 0 ? 350 : Math.min(5000, Math.max(20, gap / speed)));
  }
  function player() {
    const choice = el('select', { 'aria-label': 'Speed', change: () => { speed = Number(choice.value); } },
      ...[['0', 'even steps'], ['1', 'real time'], ['0.1', '10 times slower'], ['10', '10 times faster'], ['100', '100 times faster']]
        .map(([value, name]) => el('option', { value }, name)));
    choice.value = String(speed);
    return [el('button', {
      type: 'button', 'data-play': true, click: () => {
        if (timer) stop(); else play();
        show();
        /** @type {HTMLElement | null} */ (panel.querySelector('[data-play]'))?.focus();
      },
    }, timer ? 'Stop' : 'Play'), choice];
  }
  /**
   * The event before or after the selected one, of the same task if it has one.
   * @param {number} by
   */
  function neighbour(by) {
    const { event } = state.selection;
    if (!event) return undefined;
    return event.task ? event.task.events[event.task.events.indexOf(event) + by] : model.events[event.index + by];
  }
  function show() {
    const next = /** @type {Element} */ (panel.cloneNode(false));
    draw(next);
    if (next.isEqualNode(panel)) return;
    const restore = focusIn(panel);
    panel.replaceChildren(...next.childNodes);
    restore(panel);
  }
  /** @param {Element} target */
  function draw(target) {
    const { event } = state.selection;
    if (!event) return fill(target, el('p', { class: 'faint' }, 'Select an event in the timeline or in the log.'));
    const { shape } = event;
    const step = (/** @type {number} */ by, /** @type {string} */ name) => el('button', {
      type: 'button', disabled: !neighbour(by), click: () => {
        const next = neighbour(by);
        if (next) state.select({ event: next, task: next.task });
        /** @type {HTMLElement | null} */ (panel.querySelector(`[data-step="${by}"]:not([disabled])`) ?? panel.querySelector('[data-step]:not([disabled])'))?.focus();
      }, 'data-step': by,
    }, name);
    const facts = el('dl', { class: 'pairs' });
    const pair = (/** @type {string} */ name, /** @type {import('./dom.js').Child} */ value) => add(facts, el('dt', {}, name), el('dd', {}, value));
    pair('Time', dateText(event.time));
    pair('Writer', `${event.file.executable?.split('/').pop() ?? event.file.role ?? 'unknown'}${event.file.pid === null ? '' : ` ${event.file.pid}`}`);
    pair('Place', el('code', {}, eventKey(event)));
    if (event.task) pair('Task', event.task.label);
    shape.fields.forEach((name, field) => { if (name !== 'task') pair(name, valueText(event.row[7 + field], shape.letters[field], model)); });
    const changes = model.changes.get(eventKey(event));
    fill(target, el('p', {}, el('span', { class: `level level-${shape.level}` }, shape.level), ' ', el('strong', {}, shape.name)),
      el('p', {}, eventText(event, model)),
      el('p', { class: 'steps' }, step(-1, event.task ? 'Previous of this task' : 'Previous'), step(1, event.task ? 'Next of this task' : 'Next'), ...player()), facts, changes ? changesTable(changes) : null);
  }
  state.observe((names) => {
    if (names.includes('model') && timer) { clearTimeout(timer); play(); }
    if (names.includes('event') || names.includes('zone') || names.includes('model')) show();
  });
  show();
  return panel;
}
