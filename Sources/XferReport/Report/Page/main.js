// @ts-check
// Shows the report that this file contains.
import { decode } from './decode.js';
import { el, fill } from './dom.js';
import { buildModel } from './model.js';
import { showPage } from './page.js';
import { State } from './state.js';

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
    showPage(header, main, buildModel(await decode(base64)), new State());
  } catch (error) {
    offerRawData(main, base64, error);
  }
}

start();
