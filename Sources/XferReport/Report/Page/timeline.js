// @ts-check
// The timeline: moving, zooming, selecting, and showing where a missing event was due.
import { axisHeight, firstAfter, Painter, rowHeight } from './canvas.js';
import { el, fill, section } from './dom.js';
import { dateText, durationText, timeText } from './format.js';
import { eventKey, sourceKey, taskEnd, taskStart } from './model.js';
import { buildTracks, missingTime } from './tracks.js';

/** @typedef {import('./types').Model} Model */

/**
 * @param {Model} model
 * @param {import('./state.js').State} state
 */
export function timelineSection(model, state) {
  let tracks = buildTracks(model);
  let whole = wholeOf(model);
  const canvas = el('canvas', { 'aria-hidden': true });
  const space = el('div', { class: 'list-space' });
  const scroller = el('div', {
    class: 'timeline', tabindex: 0, role: 'application', id: 'timeline-box', 'aria-describedby': 'timeline-keys',
    'aria-label': 'Timeline of device, processes, sessions and tasks. The task table and the log have the same contents.',
  }, space, canvas);
  const status = el('p', { class: 'timeline-status', role: 'status' });
  const tip = el('div', { class: 'tip', hidden: true });
  const painter = new Painter(canvas);
  const { view } = painter;
  Object.assign(view, whole);
  let focus = Math.max(0, tracks.findIndex((track) => track.kind === 'task'));
  let isDue = false;
  // Whether the view grows with the log.
  let isWhole = true;

  function draw() {
    isDue = false;
    view.top = scroller.scrollTop;
    canvas.style.transform = `translateY(${scroller.scrollTop}px)`;
    painter.draw(tracks, { begin: model.begin, selection: state.selection, focus: document.activeElement === scroller ? focus : -1 });
  }
  function redraw() {
    if (!isDue) requestAnimationFrame(draw);
    isDue = true;
  }
  function resize() {
    const height = Math.min(tracks.length * rowHeight + axisHeight + 4, Math.max(200, Math.min(520, innerHeight * 0.6)));
    scroller.style.height = `${height}px`;
    view.width = scroller.clientWidth;
    view.height = scroller.clientHeight;
    view.labels = Math.min(200, Math.max(84, view.width * 0.22));
    canvas.style.width = `${view.width}px`;
    canvas.style.height = `${view.height}px`;
    space.style.height = `${tracks.length * rowHeight + axisHeight}px`;
    draw();
  }

  // MARK: Moving

  /** @param {number} from @param {number} to */
  function show(from, to) {
    const span = Math.min(whole.to - whole.from, Math.max(0.0005, to - from));
    const start = Math.min(Math.max(from, whole.from), whole.to - span);
    [view.from, view.to] = [start, start + span];
    isWhole = false;
    scroller.dataset.from = String(view.from);
    scroller.dataset.to = String(view.to);
    redraw();
  }
  function showWhole() {
    show(whole.from, whole.to);
    isWhole = true;
  }
  /** @param {number} factor @param {number} [around] */
  function zoom(factor, around = (view.from + view.to) / 2) {
    show(around - (around - view.from) * factor, around + (view.to - around) * factor);
    isWhole = view.from <= whole.from && view.to >= whole.to;
  }
  /** @param {number} part of the visible span */
  function pan(part) {
    const by = (view.to - view.from) * part;
    show(view.from + by, view.to + by);
  }
  /** @param {number} row */
  function showRow(row) {
    const [top, bottom] = [row * rowHeight, (row + 1) * rowHeight];
    if (top < scroller.scrollTop || bottom > scroller.scrollTop + view.height - axisHeight) {
      scroller.scrollTop = Math.max(0, top - (view.height - axisHeight) / 2);
    }
    redraw();
  }

  /**
   * Shows a finding: its evidence, and its missing event where it was due.
   * @param {number} place
   */
  function reveal(place) {
    const finding = model.report.findings[place];
    const row = Math.max(0, tracks.findIndex((track) => track.marks.some((mark) => mark.finding === place)));
    const times = finding.evidence.map((evidence) => model.evidence.get(sourceKey(evidence.source))?.time ?? null)
      .concat(finding.missing.map((missing) => missingTime(finding, missing, model))).filter((time) => time !== null).map(Number);
    const event = model.evidence.get(sourceKey(finding.evidence[finding.evidence.length - 1].source)) ?? null;
    focus = row;
    state.select({ finding: place, event, task: tracks[row]?.task ?? null });
    const task = tracks[row]?.task;
    // Without a missing event, the evidence alone may be one moment.
    if (task && finding.missing.length === 0) times.push(...[taskStart(task), taskEnd(task)].filter((time) => time !== null).map(Number));
    if (times.length) {
      const [from, to] = [Math.min(...times), Math.max(...times)];
      const room = Math.max((to - from) * 0.35, (whole.to - whole.from) / 500, 1);
      show(from - room, to + room);
    }
    document.getElementById('timeline')?.scrollIntoView({ block: 'nearest' });
    showRow(row);
    const missing = finding.missing[0];
    fill(status, missing
      ? `${missing.event} is missing; ${missing.dueBy ? 'it was due' : 'it was expected after the last evidence'} at ${timeText(missingTime(finding, missing, model))} (row ${tracks[row]?.label}).`
      : `Shows the evidence of ${finding.rule} (row ${tracks[row]?.label}).`);
    draw();
    if (missing) {
      scroller.dataset.missing = missing.event;
      scroller.dataset.missingX = String(Math.round(painter.x(missingTime(finding, missing, model))));
      scroller.dataset.missingY = String(Math.round(axisHeight + row * rowHeight - scroller.scrollTop + rowHeight / 2));
    }
  }

  // MARK: Pointer

  /** @param {MouseEvent} pointer */
  function at(pointer) {
    const box = scroller.getBoundingClientRect();
    const [x, y] = [pointer.clientX - box.left - scroller.clientLeft, pointer.clientY - box.top - scroller.clientTop];
    const row = y < axisHeight ? -1 : Math.floor((y - axisHeight + scroller.scrollTop) / rowHeight);
    return { x, y, row, track: tracks[row], time: painter.time(x) };
  }
  /**
   * The mark or event next to a point.
   * @param {ReturnType<typeof at>} place
   */
  function hit(place) {
    if (!place.track || place.x < view.labels) return null;
    const reach = 6 * (view.to - view.from) / Math.max(1, view.width - view.labels);
    const marks = place.track.marks.filter((mark) => Math.abs(mark.time - place.time) <= reach)
      .sort((first, second) => Math.abs(first.time - place.time) - Math.abs(second.time - place.time));
    const mark = marks.find((entry) => entry.kind === 'missing') ?? marks[0] ?? null;
    const { events } = place.track;
    const near = firstAfter(events, place.time - reach);
    const candidates = events.slice(near, near + 200).filter((event) => event.time !== null && Math.abs(event.time - place.time) <= reach)
      .sort((first, second) => Math.abs(Number(first.time) - place.time) - Math.abs(Number(second.time) - place.time));
    const segment = [...place.track.segments].reverse().find((entry) => entry.from <= place.time && entry.to >= place.time) ?? null;
    return { mark, event: mark?.event ?? candidates[0] ?? null, segment };
  }
  /** @param {MouseEvent} pointer */
  function hover(pointer) {
    const place = at(pointer);
    const found = hit(place);
    if (!found || !(found.mark || found.event || found.segment)) { tip.hidden = true; return; }
    const title = found.mark?.label ?? found.event?.shape.name ?? found.segment?.label ?? '';
    const when = found.mark ? found.mark.time : found.event?.time ?? null;
    const text = when !== null ? dateText(when) : found.segment ? `${timeText(found.segment.from)}, ${durationText(found.segment.to - found.segment.from)}` : '';
    fill(tip, el('strong', {}, title), el('br'), `${place.track.label}: ${text}`);
    tip.hidden = false;
    const left = Math.min(pointer.clientX + 14, innerWidth - tip.offsetWidth - 8);
    const top = pointer.clientY + 18 + tip.offsetHeight > innerHeight ? pointer.clientY - tip.offsetHeight - 10 : pointer.clientY + 18;
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${top}px`;
  }
  let drag = /** @type {{ start: number, x: number } | null} */ (null);
  scroller.addEventListener('pointerdown', (pointer) => {
    const place = at(pointer);
    if (pointer.button !== 0 || place.x < 0 || place.x > view.width || place.y > view.height) return;
    drag = place.x >= view.labels ? { start: place.time, x: place.x } : null;
    if (place.row >= 0 && place.row < tracks.length) focus = place.row;
  });
  scroller.addEventListener('pointermove', (pointer) => {
    if (!drag) return hover(pointer);
    const place = at(pointer);
    if (Math.abs(place.x - drag.x) < 4) return;
    tip.hidden = true;
    scroller.setPointerCapture(pointer.pointerId);
    state.select({ range: { from: Math.min(drag.start, place.time), to: Math.max(drag.start, place.time) } });
  });
  scroller.addEventListener('pointerup', (pointer) => {
    const place = at(pointer);
    const wasDrag = drag !== null && Math.abs(place.x - drag.x) >= 4;
    drag = null;
    if (wasDrag || !place.track) return;
    const found = hit(place);
    state.select({ task: place.track.task, event: found?.event ?? state.selection.event, finding: found?.mark?.finding ?? state.selection.finding });
  });
  scroller.addEventListener('pointerleave', () => { tip.hidden = true; });
  scroller.addEventListener('dblclick', showWhole);
  scroller.addEventListener('wheel', (wheel) => {
    if (wheel.ctrlKey || wheel.metaKey || wheel.altKey) {
      wheel.preventDefault();
      zoom(Math.exp(wheel.deltaY / 300), at(wheel).time);
    } else if (wheel.shiftKey || Math.abs(wheel.deltaX) > Math.abs(wheel.deltaY)) {
      wheel.preventDefault();
      pan((wheel.deltaX || wheel.deltaY) / Math.max(1, view.width));
    }
  }, { passive: false });
  scroller.addEventListener('scroll', redraw);

  // MARK: Keys

  /** @param {number} by */
  function step(by) {
    const { events } = tracks[focus] ?? { events: [] };
    if (events.length === 0) return;
    const current = state.selection.event ? events.indexOf(state.selection.event) : -1;
    const next = current < 0 ? (by > 0 ? 0 : events.length - 1) : Math.min(events.length - 1, Math.max(0, current + by));
    const event = events[next];
    state.select({ event, task: event.task });
    if (event.time !== null && (event.time < view.from || event.time > view.to)) {
      const half = (view.to - view.from) / 2;
      show(event.time - half, event.time + half);
    }
  }
  /**
   * Selects the next event that changed a state.
   * @param {number} by
   */
  function stepToChange(by) {
    const events = tracks[focus]?.events ?? [];
    let place = state.selection.event ? events.indexOf(state.selection.event) : -1;
    do place += by; while (place >= 0 && place < events.length && !model.changes.has(eventKey(events[place])));
    if (place >= 0 && place < events.length) state.select({ event: events[place], task: events[place].task });
  }
  scroller.addEventListener('keydown', (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey) return;
    /** @type {Record<string, () => void>} */
    const actions = {
      w: () => zoom(0.7), s: () => zoom(1 / 0.7), a: () => pan(-0.2), d: () => pan(0.2),
      '+': () => zoom(0.7), '-': () => zoom(1 / 0.7), ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2),
      ArrowDown: () => { focus = Math.min(tracks.length - 1, focus + 1); showRow(focus); announce(); },
      ArrowUp: () => { focus = Math.max(0, focus - 1); showRow(focus); announce(); },
      0: showWhole, Home: showWhole,
      '.': () => step(1), ',': () => step(-1), n: () => stepToChange(1), p: () => stepToChange(-1), Enter: () => { state.select({ task: tracks[focus]?.task ?? null }); step(1); },
      Escape: () => state.select({ range: null, finding: -1 }),
    };
    const action = actions[key.key] ?? actions[key.key.toLowerCase()];
    if (!action) return;
    key.preventDefault();
    action();
    redraw();
  });
  function announce() {
    const track = tracks[focus];
    if (track) fill(status, `Row ${focus + 1} of ${tracks.length}: ${track.label}${track.segments[0] ? `, ${track.segments[0].label}` : ''}`);
  }
  scroller.addEventListener('focus', redraw);
  scroller.addEventListener('blur', redraw);

  const button = (/** @type {string} */ name, /** @type {() => void} */ action) => el('button', { type: 'button', click: action }, name);
  const toRange = button('Zoom to the range', () => { if (state.selection.range) show(state.selection.range.from, state.selection.range.to); });
  const noRange = button('Clear the range', () => state.select({ range: null }));
  const tools = el('p', { class: 'tools' }, button('Zoom in', () => zoom(0.5)), button('Zoom out', () => zoom(2)), button('Whole log', showWhole), toRange, noRange);
  const showTools = () => { toRange.disabled = noRange.disabled = state.selection.range === null; };
  showTools();
  /** Shows the rows of a new model. The visible rows and the visible time stay, unless the whole log was visible. */
  function renew() {
    const top = Math.floor(scroller.scrollTop / rowHeight);
    const [focused, first] = [tracks[focus], tracks[top]];
    tracks = buildTracks(model);
    whole = wholeOf(model);
    const place = (/** @type {import('./types').Track | undefined} */ track) => tracks.findIndex((entry) => track && entry.kind === track.kind && entry.label === track.label && entry.task?.uid === track.task?.uid);
    focus = Math.max(0, focused ? place(focused) : tracks.findIndex((track) => track.kind === 'task'));
    if (isWhole) showWhole(); else show(view.from, view.to);
    const { scrollTop } = scroller;
    resize();
    const moved = place(first);
    scroller.scrollTop = scrollTop > 0 && moved >= 0 ? scrollTop + (moved - top) * rowHeight : scrollTop;
  }
  state.observe((names) => {
    if (names.includes('model')) renew();
    showTools();
    if (names.includes('event') || names.includes('task')) {
      const { event, task } = state.selection;
      const row = task ? tracks.findIndex((track) => track.task === task) : event ? tracks.findIndex((track) => track.events.includes(event)) : -1;
      if (row >= 0) { focus = row; showRow(row); }
    }
    redraw();
  });
  new ResizeObserver(resize).observe(scroller.parentElement ?? document.body);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { painter.refreshColours(); redraw(); });
  addEventListener('beforeprint', resize);

  const box = section('timeline', 'Timeline',
    el('p', { class: 'faint', id: 'timeline-keys' }, 'Keys: W and S zoom, A and D move, arrows up and down choose a row, , and . step through its events, N and P go to the next and previous change of state, 0 shows all. ' +
      'Drag to select a range; Ctrl and the wheel zoom.'),
    tools, scroller, legend(), status, tip);
  new ResizeObserver(resize).observe(box);
  return { box, reveal, resize };
}

/**
 * The time of the whole log with a margin on both sides.
 * @param {Model} model
 */
function wholeOf(model) {
  const margin = Math.max(1, (model.end - model.begin) * 0.03);
  return { from: model.begin - margin, to: model.end + margin };
}

/** The kinds of parts with their colours. */
function legend() {
  const kinds = [['app', 'app alive'], ['daemon', 'daemon alive'], ['queue', 'queued'], ['dns', 'name lookup'], ['connect', 'connect'], ['tls', 'TLS'], ['send', 'request'],
    ['wait', 'wait for response'], ['receive', 'body'], ['deliver', 'delivery'], ['handler', 'app code']];
  return el('ul', { class: 'legend', 'aria-label': 'Legend' },
    ...kinds.map(([kind, label]) => el('li', {}, el('span', { class: `swatch swatch-${kind}` }), label)),
    el('li', {}, el('span', { class: 'sign' }, '◇'), 'missing event'), el('li', {}, el('span', { class: 'sign' }, '┆'), 'deadline'),
    el('li', {}, el('span', { class: 'sign' }, '●'), 'evidence'));
}
