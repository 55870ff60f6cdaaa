// @ts-check
// The findings, grouped by fingerprint.
import { add, el, section } from './dom.js';
import { capturesOf } from './header.js';
import { countText, dateText, durationText, parseTime, timeText } from './format.js';
import { copyButton, findingMarkdown } from './markdown.js';
import { sourceKey } from './model.js';

/** @typedef {import('./types').Model} Model */

/**
 * @param {Model} model
 * @param {import('./state.js').State} state
 * @param {(finding: number) => void} reveal shows a finding in the timeline
 */
export function findingsSection(model, state, reveal) {
  const { groups, findings, findingCount } = model.report;
  const list = el('ol', { class: 'findings' });
  for (const group of groups) if (group.members.length) add(list, groupItem(group, model, state, reveal));
  const hidden = findingCount - findings.length;
  return section('findings', 'Findings',
    groups.length ? list : el('p', { class: 'calm' }, 'No rule reported anything.'),
    hidden > 0 && el('p', {}, `${countText(hidden)} more findings of the same kinds are not shown; xferlog replay lists all of them.`));
}

/**
 * @param {import('./types').Group} group
 * @param {Model} model
 * @param {import('./state.js').State} state
 * @param {(finding: number) => void} reveal
 */
function groupItem(group, model, state, reveal) {
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
    const event = model.evidence.get(sourceKey(evidence.source));
    const time = parseTime(evidence.time);
    const since = begin !== null && time !== null && time > begin ? ` +${durationText(time - begin)}` : '';
    const text = `${timeText(time)}${since}  ${evidence.event}`;
    add(chain, el('li', {}, event
      ? el('button', { type: 'button', class: 'link', click: () => state.select({ event, task: event.task }) }, text) : text));
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
