// @ts-check
// The messages of one task between app code, app, daemon and server.
import { add, el, fill, say, section } from './dom.js';
import { durationText, eventText, parseTime, timeText } from './format.js';
import { fieldOf } from './model.js';
import { placeIn } from './renewal.js';

/** @typedef {import('./types').Event} Event */
/** @typedef {import('./types').Model} Model */

/** The places between which messages go, from left to right. */
const lanes = ['App code', 'App', 'Daemon', 'Server'];

/**
 * The lanes between which an event is a message; two equal ones for an event at one place.
 * @param {Event} event
 * @param {boolean} hasDaemon
 * @returns {[number, number]}
 */
function way(event, hasDaemon) {
  const engine = hasDaemon ? 2 : 1;
  const own = event.file.role === 'daemon' ? 2 : 1;
  const { name } = event.shape;
  switch (name) {
    case 'task.created': case 'task.resumed': case 'task.suspended': case 'task.cancelRequested': return [0, own];
    case 'task.adopted': case 'task.delayAsked': return [1, engine];
    case 'attempt.requestSent': case 'attempt.bytesSent': return [engine, 3];
    case 'attempt.responseReceived': case 'attempt.bytesReceived': case 'attempt.redirectReceived': case 'attempt.challengeReceived': return [3, engine];
    case 'delivery.sent': return hasDaemon && own === 2 ? [2, 1] : [1, 1];
    case 'delivery.entered': return [1, 0];
    case 'delivery.left': return [0, 1];
    case 'task.acknowledged': return own === 2 ? [1, 2] : [0, 1];
    case 'file.claimed': case 'app.outcomeRecorded': case 'app.intentBound': case 'app.noted': return [0, 0];
    default: return [own, own];
  }
}

/**
 * How far the clocks of the writers of some events may differ: the limits that follow from messages between them, in milliseconds.
 * Writers of one boot share a clock.
 * @param {Event[]} events
 * @param {Model} model
 */
export function clockUncertainty(events, model) {
  const boots = new Set();
  const writers = new Set(events.map((event) => event.file.launch ?? event.file.number));
  let isKnown = true;
  for (const event of events) {
    const process = model.report.processes.find((entry) => entry.launch !== null && entry.launch === event.file.launch);
    if (process?.boot && event.mono !== null) boots.add(process.boot); else isKnown = false;
  }
  if (writers.size <= 1 || (isKnown && boots.size <= 1)) return { isShared: true, low: 0, high: 0 };
  // A message arrives after it was sent. Both directions limit the difference of the clocks.
  let [low, high] = [-Infinity, Infinity];
  const sent = new Map();
  for (const event of events) {
    const delivery = fieldOf(event, 'delivery', model);
    if (event.time === null || delivery === undefined) continue;
    if (event.shape.name === 'delivery.sent' || event.shape.name === 'delivery.left') sent.set(`${event.shape.name} ${delivery}`, event);
    const answered = { 'delivery.received': 'delivery.sent', 'task.acknowledged': 'delivery.left' }[event.shape.name];
    const cause = answered && sent.get(`${answered} ${delivery}`);
    if (!cause || cause.file.launch === event.file.launch) continue;
    if (answered === 'delivery.sent') high = Math.min(high, event.time - cause.time); else low = Math.max(low, -(event.time - cause.time));
  }
  return { isShared: false, low, high };
}

/**
 * @param {Model} model
 * @param {import('./state.js').State} state
 */
export function sequenceSection(model, state) {
  const box = el('div', { class: 'sequence-box', tabindex: 0, role: 'group', 'aria-label': 'Messages of the selected task' });
  const note = el('p', { class: 'faint', role: 'status' });
  const most = 400;
  function show() {
    const { task } = state.selection;
    box.hidden = !task;
    if (!task) {
      say(note, 'Select a task to see its messages between app, daemon and server.');
      return fill(box);
    }
    const hasDaemon = task.events.some((event) => event.file.role === 'daemon');
    const clocks = clockUncertainty(task.events, model);
    const limits = Number.isFinite(clocks.low) && Number.isFinite(clocks.high)
      ? `The writers' clocks differ by ${durationText(clocks.low)} to ${durationText(clocks.high)} at most; times between lanes are uncertain by that.`
      : 'Nothing in the log limits the difference of the writers’ clocks; only times within one lane can be compared.';
    say(note, `${task.label}: ${clocks.isShared ? 'all writers share one clock.' : limits}${task.events.length > most ? ` The first ${most} of ${task.events.length} events.` : ''}`);
    const list = el('ol', { class: 'sequence' });
    add(list, el('li', { class: 'lanes', 'aria-hidden': true }, el('span'), ...lanes.map((lane, place) => {
      const head = el('span', {}, lane);
      head.style.gridColumn = `${place + 2}`;
      return head;
    })));
    const begin = task.events[0]?.time ?? null;
    for (const event of task.events.slice(0, most)) {
      const [from, to] = way(event, hasDaemon);
      const since = begin !== null && event.time !== null ? `+${durationText(event.time - begin)}` : timeText(event.time);
      add(list, message(from, to, since, event.shape.name, eventText(event, model), event === state.selection.event ? 'selected' : '', clocks.isShared || from === to,
        () => state.select({ event, task })));
    }
    for (const place of task.findings) {
      for (const missing of model.report.findings[place].missing) {
        const due = parseTime(missing.dueBy);
        const target = missing.event.startsWith('delivery.') || missing.event.startsWith('task.') ? (hasDaemon ? [2, 1] : [1, 0]) : [1, 1];
        add(list, message(target[0], target[1], due !== null && begin !== null ? `+${durationText(due - begin)}` : '', missing.event, 'missing', 'ghost', true, null));
      }
    }
    fill(box, list);
  }
  /**
   * @param {number} from
   * @param {number} to
   * @param {string} time
   * @param {string} name
   * @param {string} text
   * @param {string} kind
   * @param {boolean} isSure whether the clocks of both ends are the same
   * @param {(() => void) | null} action
   */
  function message(from, to, time, name, text, kind, isSure, action) {
    const [left, right] = [Math.min(from, to), Math.max(from, to)];
    const label = `${name}${from === to ? '' : ` ${lanes[from]} to ${lanes[to]}`}`;
    const body = action ? el('button', { type: 'button', class: 'quiet', title: text, 'aria-label': `${label}: ${text}`, click: action }, name) : el('span', { title: text }, `${name} ${text}`);
    const arrow = el('span', { class: `arrow ${from === to ? 'point' : to > from ? 'right' : 'left'} ${kind}${isSure ? '' : ' unsure'}` }, body);
    arrow.style.gridColumn = `${left + 2} / ${right + 3}`;
    return el('li', {}, el('span', { class: 'faint' }, time), arrow);
  }
  state.observe((names) => {
    if (names.includes('task') || names.includes('event')) show();
    if (!names.includes('model')) return;
    const restore = placeIn(box);
    show();
    restore(box);
  });
  show();
  return section('sequence', 'Messages of a task', note, box);
}
