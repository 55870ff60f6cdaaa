// @ts-check
// A finding as Markdown for an issue.
import { add, el, visible } from './dom.js';
import { dateText, durationText, eventText, parseTime, timeText } from './format.js';
import { eventKey, sourceKey } from './model.js';

/**
 * Text that Markdown shows as it is. A service looks for `@names`, `#1`, `:emoji:` and `$formulas$` after it has read escapes, but within
 * one element at a time, so these characters are in elements of their own.
 * @param {string} text
 */
export function escapeMarkdown(text) {
  return visible(text.replace(/[\t\n\r]/g, ' ')).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
    .replace(/[\\`*_[\]|~!]/g, (sign) => `\\${sign}`)
    .replace(/[@#$]|:(?=[\p{L}/+_-])/gu, (sign) => `<span>${sign}</span>`).replace(/(www)\./gi, '$1<span>.</span>');
}

/**
 * @param {number} place the index of the finding
 * @param {import('./types').Model} model
 */
export function findingMarkdown(place, model) {
  const finding = model.report.findings[place];
  const lines = [`**${finding.severity}** ${escapeMarkdown(finding.summary)}`, '',
    `Rule ${escapeMarkdown(finding.rule)}, ${finding.certainty}, fingerprint ${escapeMarkdown(finding.fingerprint)}, log ${escapeMarkdown(model.report.title)}.`, ''];
  const begin = parseTime(finding.evidence[0]?.time);
  for (const evidence of finding.evidence) {
    const time = parseTime(evidence.time);
    const event = model.evidence.get(sourceKey(evidence.source));
    const since = begin !== null && time !== null && time > begin ? ` +${durationText(time - begin)}` : '';
    lines.push(`- ${escapeMarkdown(`${dateText(time)}${since} ${evidence.event}${event ? `: ${eventText(event, model)} (${eventKey(event)})` : ''}`)}`);
  }
  for (const missing of finding.missing) {
    const due = parseTime(missing.dueBy);
    lines.push(`- missing: ${escapeMarkdown(`${missing.event}${due === null ? '' : `, due by ${timeText(due)}`}`)}`);
  }
  for (const reason of finding.lowered) lines.push(`- not certain because ${escapeMarkdown(reason)}`);
  lines.push('', `Remedy: ${escapeMarkdown(finding.remedy)}`, '');
  return lines.join('\n');
}

/**
 * A button that copies a text, and shows it if the browser does not allow that.
 * @param {string} name
 * @param {() => string} text
 */
export function copyButton(name, text) {
  const box = el('textarea', { readonly: true, rows: 8, 'aria-label': name, hidden: true, spellcheck: false });
  const note = el('span', { class: 'faint', role: 'status' });
  const button = el('button', {
    type: 'button', click: async () => {
      box.value = text();
      try {
        await navigator.clipboard.writeText(box.value);
        note.textContent = ' Copied.';
      } catch {
        box.hidden = false;
        box.focus();
        box.select();
        note.textContent = ' Copy the selected text.';
      }
    },
  }, name);
  const group = el('div', { class: 'copy' });
  add(group, button, note, box);
  return group;
}
