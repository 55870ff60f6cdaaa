// @ts-check
// Shows the report that `xferlog serve` makes, and each newer one.
import { decodeBytes } from './decode.js';
import { el, fill, say, visible } from './dom.js';
import { parseTime, showsUTC, timeText } from './format.js';
import { buildModel } from './model.js';
import { showPage } from './page.js';
import { State } from './state.js';

/**
 * The answer of `/events`.
 * @typedef {object} News
 * @property {string} number the number of the latest news, for the next question
 * @property {string} report the number of the latest report; empty if there is none
 * @property {string} page a text that differs for pages with other code
 * @property {string} time when the program answered
 * @property {string | null} problem why there is no newer report
 */

/** The time after which an answer cannot be expected any more, in milliseconds. The program answers after at most 10 seconds. */
const patience = 15_000;
/** The time between two questions while the program does not answer, in milliseconds. */
const pause = 1000;
/** The longest time for which a pressed button delays a change of the page, in milliseconds. */
const longestPress = 5000;

/**
 * A text that names an event in all reports of a log. The numbers of files change when another log appears.
 * @param {import('./types').Event} event
 */
function lastingKey(event) {
  const { file, lane, position, shape, time } = event;
  return [file.launch ?? file.number, lane, position, shape.name, time].join(' ');
}

/**
 * A text that names a finding in all reports of a log.
 * @param {import('./types').Finding | undefined} finding
 */
function findingKey(finding) {
  const first = finding?.evidence[0];
  return finding && [finding.rule, finding.fingerprint, finding.task, first?.event, first?.time, first?.mono].join(' ');
}

/**
 * Replaces the contents of a model. The selection stays the same event, task and finding.
 * @param {import('./types').Model} model
 * @param {State} state
 * @param {import('./types').Model} next
 */
function replaceModel(model, state, next) {
  const { selection } = state;
  const event = selection.event && lastingKey(selection.event);
  // A selected event may be about no task although a task is selected.
  const hasTask = selection.event?.task != null;
  const finding = findingKey(model.report.findings[selection.finding]);
  Object.assign(model, next);
  selection.task = (selection.task && model.taskOf.get(selection.task.uid)) ?? null;
  selection.event = (event && (hasTask && selection.task ? selection.task.events : model.events).find((entry) => lastingKey(entry) === event)) || null;
  selection.finding = finding === undefined ? -1 : model.report.findings.findIndex((entry) => findingKey(entry) === finding);
  state.notify(['model']);
}

/**
 * Changes the page, and keeps the part at the top of the window where it is.
 * @param {() => void} change
 */
function keepingScroll(change) {
  const at = scrollY > 0 ? [...document.querySelectorAll('body > header, main > *')].find((part) => part.getBoundingClientRect().bottom > 0) : undefined;
  const id = at?.id || at?.className;
  const top = at?.getBoundingClientRect().top ?? 0;
  change();
  if (!at) return;
  const same = at.isConnected ? at : [...document.querySelectorAll('main > *')].find((part) => (part.id || part.className) === id);
  if (same) scrollBy(0, same.getBoundingClientRect().top - top);
}

/** Waits until the page can be seen. A hidden page asks nothing. */
function sight() {
  return document.hidden ? new Promise((done) => document.addEventListener('visibilitychange', done, { once: true })) : undefined;
}

/**
 * Waits until the main button of the pointer is not pressed, because a change of the page would end a click or a drag. The end of a press
 * may go unnoticed, so the wait is limited.
 */
function release() {
  return pointer.isDown ? new Promise((done) => { pointer.waiting.push(done); setTimeout(done, longestPress); }) : undefined;
}

/** @type {{ isDown: boolean, waiting: ((value?: unknown) => void)[] }} */
const pointer = { isDown: false, waiting: [] };

function watchPointer() {
  addEventListener('pointerdown', (event) => { if (event.button === 0) pointer.isDown = true; }, true);
  for (const name of ['pointerup', 'pointercancel', 'blur']) {
    addEventListener(name, () => {
      pointer.isDown = false;
      // The click follows the release.
      setTimeout(() => { for (const done of pointer.waiting.splice(0)) done(); });
    }, true);
  }
}

/** Waits until the next try, or until the page is shown or the network returns. */
function rest() {
  const listening = new AbortController();
  return new Promise((done) => {
    setTimeout(done, pause);
    addEventListener('online', done, { signal: listening.signal });
    document.addEventListener('visibilitychange', done, { signal: listening.signal });
  }).finally(() => listening.abort());
}

/** The program cannot be reached, or refuses the page's requests. */
class NoAnswer extends Error {
  /** @param {boolean} isRefusal */
  constructor(isRefusal) {
    super();
    this.isRefusal = isRefusal;
  }
}

/**
 * @param {string} path
 * @param {boolean} canWait whether the program may hold its answer back
 */
async function ask(path, canWait) {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, patience);
  // A hidden page gives its connection free, because a browser has only a few for each program.
  if (canWait) document.addEventListener('visibilitychange', end);
  try {
    const answer = await fetch(path, { signal: ending.signal, cache: 'no-store', redirect: 'error' });
    if (!answer.ok) throw new NoAnswer(answer.status === 403);
    return { report: answer.headers.get('Report-Number') ?? '', bytes: new Uint8Array(await answer.arrayBuffer()) };
  } catch (error) {
    throw error instanceof NoAnswer ? error : new NoAnswer(false);
  } finally {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', end);
  }
}

class Live {
  constructor() {
    this.main = /** @type {HTMLElement} */ (document.getElementById('main'));
    this.header = /** @type {HTMLElement} */ (document.getElementById('header'));
    this.state = new State();
    /** @type {import('./types').Model | null} */
    this.model = null;
    this.number = '';
    this.shown = '';
    /** @type {number | null} */
    this.time = null;
    this.isConnected = true;
    this.connection = el('span', { role: 'status' }, 'Waiting for the report');
    this.asOf = el('span');
    this.problem = el('p', { class: 'problem', role: 'status', hidden: true });
    this.header.prepend(el('p', { class: 'live' }, this.connection, this.asOf), this.problem);
    this.state.observe((names) => { if (names.includes('zone')) this.showTime(); });
  }

  showTime() {
    const time = this.time === null ? null : `${timeText(this.time).slice(0, 8)}${showsUTC() ? ' UTC' : ''}`;
    this.asOf.textContent = time === null ? '' : this.isConnected ? `, as of ${time}` : `. The page shows the state of ${time}.`;
  }

  /** @param {string} words @param {boolean} isConnected */
  say(words, isConnected) {
    this.isConnected = isConnected;
    document.body.dataset.live = isConnected ? 'yes' : 'no';
    say(this.connection, words);
    this.showTime();
  }

  /** @param {string | null} problem */
  sayProblem(problem) {
    this.problem.hidden = problem === null;
    say(this.problem, problem === null ? '' : `There is no newer report: ${problem}`);
  }

  /** Asks for news and shows a newer report. */
  async look() {
    const text = new TextDecoder();
    /** @type {News} */
    const news = JSON.parse(text.decode((await ask(`events?after=${encodeURIComponent(this.number)}`, true)).bytes));
    if (news.page !== document.body.dataset.page) return location.reload();
    if (news.report !== '' && news.report !== this.shown) {
      const { report, bytes } = await ask('data', false);
      const next = buildModel(await decodeBytes(bytes));
      await release();
      this.show(next);
      this.shown = report;
      document.body.dataset.report = report;
    }
    this.number = news.number;
    this.time = parseTime(news.time);
    this.say('Live', true);
    this.sayProblem(news.problem);
  }

  /** @param {import('./types').Model} next */
  show(next) {
    const { model } = this;
    if (model) return keepingScroll(() => replaceModel(model, this.state, next));
    this.model = next;
    const sentence = document.getElementById('sentence');
    if (sentence) fill(sentence, next.report.sentence);
    document.title = `${visible(next.report.title)} – xferlog report`;
    showPage(this.header, this.main, next, this.state);
  }

  async run() {
    // The page corrects the scroll position itself.
    document.documentElement.style.setProperty('overflow-anchor', 'none');
    watchPointer();
    for (;;) {
      await sight();
      try {
        await this.look();
      } catch (error) {
        if (document.hidden) continue;
        if (!(error instanceof NoAnswer)) this.sayProblem(`it cannot be shown: ${error instanceof Error ? error.message : error}`);
        else if (error.isRefusal) this.say('Not connected: xferlog serve was started again with another token. Open the address that it printed', false);
        else this.say('Not connected to xferlog serve; trying again', false);
        await rest();
      }
    }
  }
}

function startLive() {
  const live = new Live();
  fill(live.main, el('p', { class: 'calm' }, 'Waiting for the report.'));
  live.run();
}

startLive();
