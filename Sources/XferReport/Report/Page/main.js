// @ts-check
// Reads the data and builds the page.
import { comparisonSection } from './comparison.js';
import { decode } from './decode.js';
import { detailsPanel } from './details.js';
import { add, el, fill } from './dom.js';
import { findingsSection } from './findings.js';
import { aboutSection, showHeader, unknownSection } from './header.js';
import { linkSelection } from './links.js';
import { logSection } from './log.js';
import { buildModel } from './model.js';
import { requestsSection } from './requests.js';
import { sequenceSection } from './sequence.js';
import { State } from './state.js';
import { tasksSection } from './tasks.js';
import { timelineSection } from './timeline.js';

/** @param {Element} main @param {string} base64 @param {unknown} error */
function offerRawData(main, base64, error) {
  const text = el('textarea', { readonly: true, rows: 8, 'aria-label': 'Raw data', spellcheck: false });
  fill(main, el('section', {}, el('h2', {}, 'The data of this report cannot be shown'),
    el('p', {}, `${error instanceof Error ? error.message : error}. A browser of 2022 or later is needed, and the file must be complete.`),
    el('p', {}, 'The verdict above is right in any case. ', el('code', {}, 'xferlog replay'), ' may still read the log in this file. The raw data is base64 of a zlib stream of JSON:'),
    el('button', { type: 'button', click: () => { text.value = base64; text.select(); } }, 'Show the raw data'), text));
  document.body.dataset.state = 'failed';
}

async function start() {
  const main = /** @type {HTMLElement} */ (document.getElementById('main'));
  const header = /** @type {HTMLElement} */ (document.getElementById('header'));
  const element = document.getElementById('data');
  // A report in several files has its data in a script of its own.
  const page = /** @type {{ xferlogReport?: string }} */ (globalThis);
  const base64 = (element?.textContent ?? page.xferlogReport ?? '').trim();
  element?.remove();
  delete page.xferlogReport;
  try {
    const model = buildModel(await decode(base64));
    const state = new State();
    showHeader(header, model, state);
    const timeline = timelineSection(model, state);
    const findings = findingsSection(model, state, timeline.reveal);
    fill(main);
    add(main, findings, unknownSection(model), comparisonSection(model, state), timeline.box, detailsPanel(model, state), sequenceSection(model, state), tasksSection(model, state),
      requestsSection(model, state), logSection(model, state), aboutSection(model));
    timeline.resize();
    linkSelection(model, state, timeline.reveal);
    document.body.dataset.state = 'ready';
  } catch (error) {
    offerRawData(main, base64, error);
  }
}

start();
