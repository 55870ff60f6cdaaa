// @ts-check
// The verdict, the figures, and what the log leaves unknown.
import { add, el, fill, section, visible } from './dom.js';
import { countText, counted, dateText, durationText, parseTime, showsUTC, showUTC } from './format.js';

/** @typedef {import('./types').Model} Model */

/**
 * @param {Element} header
 * @param {Model} model
 * @param {import('./state.js').State} state
 */
export function showHeader(header, model, state) {
  const list = el('dl', { class: 'facts' });
  const badge = el('p', { class: 'badge' });
  const zone = el('button', {
    type: 'button', class: 'quiet', click: () => { showUTC(!showsUTC()); state.notify(['zone']); },
  });
  const links = el('nav', { 'aria-label': 'Sections' });
  /** @type {Map<string, HTMLElement>} */
  const buttons = new Map();
  function show() {
    const { report } = model;
    const facts = [
      ['Verdict', report.verdict], ['Exit code', `${report.exitCode} (${report.exitWord})`],
      ['Log', `${report.title}, ${counted(report.events, 'event')}`],
      ['Tasks', countText(model.tasks.length)], ['Findings', countText(report.findingCount)],
      ['Time', report.events ? `${dateText(model.begin)}, ${durationText(model.end - model.begin)}` : 'unknown'],
    ];
    fill(list, ...facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
    fill(badge, el('span', { class: `mark mark-${report.verdict}`, 'aria-hidden': true }), report.verdict);
    zone.textContent = showsUTC() ? 'Show local times' : 'Show times in UTC';
    const missing = { comparison: !report.comparison, requests: !model.tasks.some((task) => task.attempts.length) };
    for (const [id, isMissing] of Object.entries(missing)) buttons.get(id)?.toggleAttribute('hidden', isMissing);
  }
  for (const [id, name] of [['findings', 'Findings'], ['unknown', 'Unknown'], ['comparison', 'Differences'], ['timeline', 'Timeline'], ['sequence', 'Messages'], ['tasks', 'Tasks'], ['requests', 'Requests'], ['log', 'Log'], ['about', 'About']]) {
    const button = el('button', {
      type: 'button', class: 'quiet', click: () => {
        const title = document.getElementById(`${id}-title`);
        title?.scrollIntoView();
        title?.focus({ preventScroll: true });
      },
    }, name);
    buttons.set(id, button);
    add(links, button);
  }
  show();
  state.observe((names) => {
    if (names.includes('zone') || names.includes('model')) show();
    if (!names.includes('model')) return;
    const sentence = document.getElementById('sentence');
    if (sentence) fill(sentence, model.report.sentence);
    document.title = `${visible(model.report.title)} – xferlog report`;
  });
  header.prepend(badge);
  add(links, zone);
  add(header, list, links);
}

/** @param {import('./types').Capture[]} captures */
export function capturesOf(captures) {
  const list = el('ul', { class: 'captures' });
  for (const capture of captures) {
    add(list, el('li', {}, `${capture.capture}.`, capture.command ? el('pre', { tabindex: 0 }, capture.command) : null));
  }
  return captures.length ? list : null;
}

/** @param {Model} model */
export function unknownSection(model) {
  const { report } = model;
  const list = el('ul', { class: 'plain' });
  if (report.omission) add(list, el('li', {}, report.omission));
  for (const reason of report.incompleteBecause) add(list, el('li', {}, `The log is incomplete: ${reason}.`));
  for (const input of report.inputs) if (input.error) add(list, el('li', {}, `${input.path} could not be read: ${input.error}`));
  for (const question of report.undecided.slice(0, 200)) {
    add(list, el('li', {}, el('code', {}, question.rule), ` could not be decided${question.count > 1 ? ` for ${countText(question.count)} subjects` : ''}: it needs ${question.needs}.`,
      capturesOf(question.decide)));
  }
  if (!report.events) add(list, el('li', {}, 'The log has no events, so nothing is known about transfers.'));
  const isEmpty = list.childElementCount === 0;
  return section('unknown', 'What this report cannot know', isEmpty
    ? el('p', { class: 'calm' }, 'Nothing: the log is complete, and every rule could decide.') : list);
}

/** @param {Model} model */
export function aboutSection(model) {
  const { report } = model;
  const rows = el('tbody');
  for (const input of report.inputs) {
    add(rows, el('tr', {}, el('th', { scope: 'row' }, input.path), el('td', {}, input.format), el('td', {}, countText(input.events)),
      el('td', {}, input.complete ? 'complete' : 'incomplete')));
  }
  const inputs = el('table', {}, el('thead', {}, el('tr', {}, ...['Input', 'Format', 'Events', ''].map((name) => el('th', { scope: 'col' }, name)))), rows);
  const processes = el('tbody');
  for (const process of report.processes.slice(0, 500)) {
    const ended = process.end === 'exit' || process.end === 'closed' ? `exit ${process.code ?? ''}` : process.end === 'signal' ? `signal ${process.signal ?? ''}` : process.end;
    add(processes, el('tr', {}, el('th', { scope: 'row' }, process.executable ?? process.role ?? 'process'), el('td', {}, process.role ?? '–'),
      el('td', {}, process.pid ?? '–'), el('td', {}, dateText(parseTime(process.started))), el('td', {}, ended)));
  }
  const lives = el('table', {}, el('thead', {}, el('tr', {}, ...['Process', 'Role', 'Process id', 'Started', 'End'].map((name) => el('th', { scope: 'col' }, name)))), processes);
  return section('about', 'About this report', el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Inputs' }, inputs),
    el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Processes' }, lives),
    el('p', {}, `Made by xferlog ${report.version} at ${dateText(parseTime(report.created))}. `, el('code', {}, 'xferlog replay'), ' reads the log in this file again.'));
}
