// @ts-check
// What differs from another run, for a report made with --against.
import { add, el, section } from './dom.js';
import { countText, durationText } from './format.js';

/** @typedef {{ uid: string, session: string, number: number, request: string, outcome: string, reason: string | null }} TaskRun */

/** @param {TaskRun | null} run */
function outcome(run) { return run ? `${run.outcome}${run.reason ? ` (${run.reason})` : ''}` : '–'; }

/** @param {any} finding */
function findingText(finding) { return `${finding.run === 'first' ? 'only before' : 'only now'}: ${finding.severity} ${finding.rule} (${finding.certainty}): ${finding.summary}`; }

/** @param {any} time a time in both runs, in nanoseconds */
function timeChange(time) {
  const noise = time.noise === undefined ? '' : ` (noise ±${durationText(time.noise / 1e6)})`;
  return `${time.stage}: ${durationText(time.first / 1e6)} → ${durationText(time.second / 1e6)}${noise}`;
}

/**
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
export function comparisonSection(model, state) {
  const comparison = model.report.comparison;
  if (!comparison) return null;
  const list = el('ol', { class: 'findings' });
  for (const shift of comparison.shifts) {
    add(list, el('li', { class: 'finding difference' }, `All ${countText(shift.tasks)} tasks: ${timeChange(shift)}`));
  }
  for (const finding of comparison.findings) add(list, el('li', { class: 'finding difference' }, findingText(finding)));
  for (const change of comparison.tasks.slice(0, 500)) add(list, taskChange(change, model, state));
  const rest = comparison.tasks.length - 500;
  return section('comparison', 'Differences from the other run',
    el('p', {}, `${comparison.first.name} (before) and ${comparison.second.name} (this report): ${comparison.summary}.`),
    ...[comparison.first, comparison.second].flatMap((run) => run.incompleteBecause.map((/** @type {string} */ reason) => el('p', { class: 'faint' }, `${run.name} is incomplete: ${reason}.`))),
    list.childElementCount ? list : null, rest > 0 && el('p', {}, `${countText(rest)} more tasks differ; xferlog diff lists all of them.`));
}

/**
 * @param {any} change
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
function taskChange(change, model, state) {
  const [first, second] = /** @type {(TaskRun | null)[]} */ ([change.first, change.second]);
  const task = second ? model.taskOf.get(second.uid) ?? null : null;
  const label = [first, second].map((run) => (run ? `${run.session}/${run.number}` : '')).filter((name) => name !== '').join(' → ');
  const facts = el('dl', { class: 'pairs' });
  const pair = (/** @type {string} */ name, /** @type {import('./dom.js').Child} */ value) => add(facts, el('dt', {}, name), el('dd', {}, value));
  if (!first || !second) pair('Only', first ? 'before' : 'now');
  if (!first || !second || change.outcomeChanged) pair('Outcome', `${outcome(first)} → ${outcome(second)}`);
  if (change.lostStates.length) pair('No longer', change.lostStates.join(', '));
  if (change.newStates.length) pair('New', change.newStates.join(', '));
  for (const time of change.times) pair('Time', timeChange(time));
  for (const finding of change.findings) pair('Finding', findingText(finding));
  const title = `${(second ?? first)?.request ?? ''}  ${label}`;
  return el('li', { class: 'finding difference' }, task
    ? el('button', { type: 'button', class: 'link', click: () => state.select({ task, event: task.events[0] ?? null }) }, title) : el('strong', {}, title), facts);
}
