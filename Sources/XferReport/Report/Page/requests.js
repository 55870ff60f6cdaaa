// @ts-check
// Figures of the attempts by host, and the slowest tasks with their stages.
import { add, el, section } from './dom.js';
import { bytesText, countText, durationText } from './format.js';
import { taskEnd, taskStart } from './model.js';

/** @typedef {import('./types').Task} Task */
/** @typedef {import('./types').Attempt} Attempt */

const stages = ['queue', 'dns', 'connect', 'tls', 'send', 'wait', 'receive'];

/**
 * A percentile by nearest rank; `null` without values.
 * @param {number[]} sorted
 * @param {number} percent
 */
export function percentile(sorted, percent) {
  return sorted.length === 0 ? null : sorted[Math.max(0, Math.ceil(percent / 100 * sorted.length) - 1)];
}

/**
 * The time in each stage, in milliseconds.
 * @param {Attempt} attempt
 * @returns {Map<string, number>}
 */
function times(attempt) {
  const found = new Map();
  for (const parts of attempt.requests) {
    for (let place = 0; place + 1 < parts.length; place += 2) found.set(parts[place], (found.get(parts[place]) ?? 0) + parts[place + 1] / 1e6);
  }
  return found;
}

/**
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
export function requestsSection(model, state) {
  /** @type {Map<string, { attempts: Attempt[], retries: number }>} */
  const hosts = new Map();
  for (const task of model.tasks) {
    for (const attempt of task.attempts) {
      const host = attempt.host ?? task.host ?? '(unknown)';
      const entry = hosts.get(host) ?? { attempts: [], retries: 0 };
      hosts.set(host, entry);
      entry.attempts.push(attempt);
      if (attempt.number > 1) entry.retries++;
    }
  }
  if (hosts.size === 0) return null;
  const body = el('tbody');
  const sorted = [...hosts].sort((first, second) => second[1].attempts.length - first[1].attempts.length);
  for (const [host, entry] of sorted.slice(0, 50)) add(body, hostRow(host, entry));
  const titles = ['Host', 'Attempts', 'Failed', 'Retries', 'Reused', 'Received of expected', ...stages, 'total'];
  const table = el('table', { class: 'figures' }, el('caption', {}, 'Time in each stage by host: median, 95th and 99th percentile'),
    el('thead', {}, el('tr', {}, ...titles.map((name) => el('th', { scope: 'col' }, name)))), body);
  return section('requests', 'Requests', el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Figures by host' }, table),
    sorted.length > 50 && el('p', { class: 'faint' }, `${countText(sorted.length - 50)} more hosts.`), slowest(model, state));
}

/** @param {string} host @param {{ attempts: Attempt[], retries: number }} entry */
function hostRow(host, { attempts, retries }) {
  const failed = attempts.filter((attempt) => attempt.error !== null || (attempt.status ?? 0) >= 400).length;
  const known = attempts.filter((attempt) => attempt.reused !== null);
  const reused = known.filter((attempt) => attempt.reused).length;
  const sum = (/** @type {(attempt: Attempt) => number | null} */ value) => attempts.reduce((total, attempt) => total + (value(attempt) ?? 0), 0);
  const figures = (/** @type {number[]} */ values) => {
    const sorted = values.sort((first, second) => first - second);
    return sorted.length === 0 ? '–' : [50, 95, 99].map((percent) => durationText(percentile(sorted, percent))).join(' / ');
  };
  const all = attempts.map(times);
  return el('tr', {}, el('th', { scope: 'row' }, host), el('td', {}, countText(attempts.length)), el('td', {}, countText(failed)), el('td', {}, countText(retries)),
    el('td', {}, known.length ? `${Math.round(reused / known.length * 100)} %` : '–'),
    el('td', {}, `${bytesText(sum((attempt) => attempt.received))} of ${bytesText(sum((attempt) => attempt.expected))}`),
    ...stages.map((stage) => el('td', {}, figures(all.map((entry) => entry.get(stage)).filter((value) => value !== undefined).map(Number)))),
    el('td', {}, figures(attempts.map((attempt) => attempt.duration))));
}

/**
 * The tasks that took longest, as a waterfall.
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
function slowest(model, state) {
  const length = (/** @type {Task} */ task) => (taskEnd(task) ?? 0) - (taskStart(task) ?? 0);
  const tasks = model.tasks.filter((task) => task.attempts.length > 0 && taskStart(task) !== null).sort((first, second) => length(second) - length(first)).slice(0, 12);
  if (tasks.length === 0) return null;
  const whole = Math.max(1e-6, length(tasks[0]));
  const list = el('ol', { class: 'waterfall', 'aria-label': 'Slowest tasks' });
  for (const task of tasks) {
    const bar = el('span', { class: 'bar', 'aria-hidden': true });
    const totals = new Map();
    for (const attempt of task.attempts) {
      let offset = attempt.start - (taskStart(task) ?? 0);
      for (const parts of attempt.requests) {
        for (let place = 0; place + 1 < parts.length; place += 2) {
          const [stage, duration] = [parts[place], parts[place + 1] / 1e6];
          totals.set(stage, (totals.get(stage) ?? 0) + duration);
          const piece = el('span', { class: `swatch-${stage}` });
          piece.style.insetInlineStart = `${offset / whole * 100}%`;
          piece.style.width = `max(1px, ${Math.min(100, duration / whole * 100)}%)`;
          if (duration > 0) add(bar, piece);
          offset += duration;
        }
      }
    }
    const text = [...totals].filter(([, duration]) => duration > 0).map(([stage, duration]) => `${stage} ${durationText(duration)}`).join(', ');
    add(list, el('li', {}, el('button', { type: 'button', class: 'link', click: () => state.select({ task, event: task.events[0] ?? null }) }, task.label),
      bar, el('span', { class: 'faint' }, `${durationText(length(task))}: ${text}`)));
  }
  return el('div', {}, el('h3', {}, 'Slowest tasks'), list);
}
