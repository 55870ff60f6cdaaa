// @ts-check
// The findings, grouped by fingerprint.
import { add, el, section } from './dom.js';
import { capturesOf } from './header.js';
import { countText, dateText, durationText, parseTime, showsUTC, timeText } from './format.js';
import { copyButton, findingMarkdown } from './markdown.js';
import { sourceKey } from './model.js';
import { focusIn } from './renewal.js';

/** @typedef {import('./types').Model} Model */

/**
 * @param {Model} model
 * @param {import('./state.js').State} state
 * @param {(finding: number) => void} reveal shows a finding in the timeline
 */
export function findingsSection(model, state, reveal) {
  const list = el('ol', { class: 'findings' });
  const none = el('p', { class: 'calm' }, 'No rule reported anything.');
  const more = el('p');
  /** @type {Map<string, { contents: string, item: HTMLElement }>} the shown groups by fingerprint */
  let shown = new Map();
  /** @type {Set<string>} the fingerprints of groups with visible details */
  const open = new Set();
  function show() {
    const { groups, findings, findingCount } = model.report;
    const next = new Map();
    for (const group of groups) {
      if (!group.members.length) continue;
      // The item of a group without changes stays, with everything that the user did in it.
      const contents = contentsOf(group, model);
      const known = shown.get(group.fingerprint);
      next.set(group.fingerprint, known?.contents === contents ? known : { contents, item: groupItem(group, model, state, reveal, open) });
    }
    shown = next;
    const items = [...shown.values()].map((entry) => entry.item);
    if (items.length !== list.childElementCount || items.some((item, place) => item !== list.children[place])) {
      const restore = focusIn(list);
      list.replaceChildren(...items);
      restore(list);
    }
    list.hidden = items.length === 0;
    none.hidden = items.length > 0;
    const hidden = findingCount - findings.length;
    more.hidden = hidden <= 0;
    more.textContent = `${countText(hidden)} more findings of the same kinds are not shown; xferlog replay lists all of them.`;
  }
  show();
  state.observe((names) => { if (names.includes('zone') || names.includes('model')) show(); });
  return section('findings', 'Findings', list, none, more);
}

/**
 * A text that changes with everything that the item of a group shows.
 * @param {import('./types').Group} group
 * @param {Model} model
 */
function contentsOf(group, model) {
  const members = group.members.map((place) => model.report.findings[place]);
  return JSON.stringify([group, members, members.map((finding) => [
    finding.evidence.map((evidence) => model.evidence.has(sourceKey(evidence.source))),
    finding.causedBy === null ? null : model.report.findings[finding.causedBy]?.summary,
  ]), showsUTC()]);
}

/**
 * @param {import('./types').Group} group
 * @param {Model} model
 * @param {import('./state.js').State} state
 * @param {(finding: number) => void} reveal
 * @param {Set<string>} opened the fingerprints of groups with visible details
 */
function groupItem(group, model, state, reveal, opened) {
  const first = model.report.findings[group.members[0]];
  const body = el('div', { class: 'finding-body' });
  const times = group.count > 1
    ? `${countText(group.count)} times, ${dateText(parseTime(group.first))} – ${timeText(parseTime(group.last))}` : dateText(parseTime(group.first));
  const button = el('button', {
    type: 'button', class: 'finding-title', 'aria-expanded': false, 'data-finding': group.members[0],
    click: () => {
      open(true);
      reveal(group.members[0]);
    },
  }, el('span', { class: `severity severity-${first.severity}` }, first.severity), el('span', { class: 'finding-summary' }, first.summary),
  el('span', { class: 'finding-facts' }, `${first.rule}, ${first.certainty}, ${times}${group.root ? '' : ', a consequence'}`));
  const toggle = el('button', {
    type: 'button', class: 'quiet', click: () => open(button.getAttribute('aria-expanded') !== 'true'),
  }, 'Details');
  function open(/** @type {boolean} */ isOpen) {
    button.setAttribute('aria-expanded', String(isOpen));
    toggle.textContent = isOpen ? 'Hide details' : 'Details';
    body.textContent = '';
    if (isOpen) opened.add(group.fingerprint); else opened.delete(group.fingerprint);
    if (!isOpen) return;
    add(body, ...group.members.slice(0, 10).map((place) => findingBody(place, model, state, reveal, group.members.length > 1)));
    const rest = group.count - Math.min(10, group.members.length);
    if (rest > 0) add(body, el('p', {}, `${countText(rest)} more like these.`));
    const rule = model.report.rules.find((entry) => entry.id === first.rule);
    if (rule) {
      add(body, el('details', {}, el('summary', {}, `Rule ${rule.id}`), el('p', {}, rule.summary), el('p', {}, rule.explanation),
        rule.sources.length ? el('p', { class: 'faint' }, `Sources: ${rule.sources.join('; ')}`) : null));
    }
  }
  if (opened.has(group.fingerprint)) open(true);
  return el('li', { class: `finding finding-${first.severity}` }, el('div', { class: 'finding-head' }, button, toggle), body);
}

/**
 * @param {number} place
 * @param {Model} model
 * @param {import('./state.js').State} state
 * @param {(finding: number) => void} reveal
 * @param {boolean} isOneOfMany
 */
function findingBody(place, model, state, reveal, isOneOfMany) {
  const finding = model.report.findings[place];
  const chain = el('ol', { class: 'evidence' });
  const begin = parseTime(finding.evidence[0]?.time);
  for (const evidence of finding.evidence) {
    const key = sourceKey(evidence.source);
    const time = parseTime(evidence.time);
    const since = begin !== null && time !== null && time > begin ? ` +${durationText(time - begin)}` : '';
    const text = `${timeText(time)}${since}  ${evidence.event}`;
    const select = () => {
      const event = model.evidence.get(key);
      if (event) state.select({ event, task: event.task });
    };
    add(chain, el('li', {}, model.evidence.has(key) ? el('button', { type: 'button', class: 'link', click: select }, text) : text));
  }
  for (const missing of finding.missing) {
    const due = parseTime(missing.dueBy);
    add(chain, el('li', { class: 'missing' }, el('button', { type: 'button', class: 'link', click: () => reveal(place) },
      `${missing.event} is missing${due === null ? '' : `, due by ${timeText(due)}`}`)));
  }
  const facts = el('dl', { class: 'pairs' });
  const pair = (/** @type {string} */ name, /** @type {import('./dom.js').Child} */ value) => add(facts, el('dt', {}, name), el('dd', {}, value));
  pair('Remedy', finding.remedy);
  for (const reason of finding.lowered) pair('Not certain because', reason);
  for (const unless of finding.unless) pair('Unless', unless);
  if (finding.decide.length) pair('Would decide', capturesOf(finding.decide));
  if (finding.causedBy !== null) pair('Follows from', model.report.findings[finding.causedBy]?.summary ?? 'another finding');
  pair('Fingerprint', el('code', {}, finding.fingerprint));
  return el('div', { class: 'finding-one' }, isOneOfMany && el('p', { class: 'finding-summary' }, finding.summary), chain, facts,
    copyButton('Copy as Markdown', () => findingMarkdown(place, model)));
}
