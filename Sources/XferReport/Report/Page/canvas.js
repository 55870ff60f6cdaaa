// @ts-check
// Drawing of the timeline. The level of detail follows from the scale: parts narrower than a pixel are joined.
import { visible } from './dom.js';
import { durationText, timeText } from './format.js';

/** @typedef {import('./types').Track} Track */

export const rowHeight = 22;
export const axisHeight = 26;

/**
 * @typedef {object} View
 * @property {number} from the time at the left edge, in milliseconds since 1970
 * @property {number} to the time at the right edge
 * @property {number} top the offset of the first visible pixel of the rows
 * @property {number} labels the width of the labels
 * @property {number} width
 * @property {number} height
 */

const names = ['text', 'faint', 'line', 'back', 'band', 'accent', 'critical', 'error', 'warning', 'notice', 'app', 'daemon', 'session', 'task', 'open',
  'queue', 'dns', 'connect', 'tls', 'send', 'wait', 'receive', 'deliver', 'handler', 'unsure', 'suspended', 'up', 'down', 'calm'];

/**
 * The colours of the style sheet.
 * @returns {Record<string, string>}
 */
export function palette() {
  const style = getComputedStyle(document.documentElement);
  /** @type {Record<string, string>} */
  const colours = {};
  for (const name of names) colours[name] = style.getPropertyValue(`--${name}`).trim();
  return colours;
}

/** The parts that are marked by a pattern, too, so that hue is never the only sign. */
const patterned = new Set(['queue', 'wait', 'unsure', 'suspended', 'down']);

/** @param {number} span @param {number} most the maximum number of ticks */
function tickStep(span, most) {
  const steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000,
    120_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000];
  return steps.find((step) => span / step <= most) ?? 86_400_000 * Math.ceil(span / most / 86_400_000);
}

/**
 * The distance of a tick from the beginning, exact enough to tell ticks apart.
 * @param {number} distance
 * @param {number} step
 */
function tickText(distance, step) {
  const sign = distance < 0 ? '−' : '+';
  const size = Math.abs(distance);
  if (step >= 1000 || size < 1000) return `${sign}${durationText(size)}`;
  const minutes = Math.floor(size / 60_000);
  const digits = Math.min(6, Math.ceil(-Math.log10(step / 1000) - 1e-9));
  return `${sign}${minutes ? `${minutes} min ` : ''}${((size - minutes * 60_000) / 1000).toFixed(digits)} s`;
}

export class Painter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    this.colours = palette();
    /** @type {View} */
    this.view = { from: 0, to: 1, top: 0, labels: 160, width: 0, height: 0 };
  }

  refreshColours() { this.colours = palette(); }

  /** @param {number} time */
  x(time) {
    const { from, to, labels, width } = this.view;
    return labels + (time - from) / (to - from) * (width - labels);
  }

  /** @param {number} x */
  time(x) {
    const { from, to, labels, width } = this.view;
    return from + (x - labels) / Math.max(1, width - labels) * (to - from);
  }

  /**
   * @param {Track[]} tracks
   * @param {{ begin: number, selection: import('./state.js').Selection, focus: number }} shown
   */
  draw(tracks, shown) {
    const { context, view, colours, canvas } = this;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.back;
    context.fillRect(0, 0, view.width, view.height);
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    const first = Math.max(0, Math.floor(view.top / rowHeight));
    const last = Math.min(tracks.length, Math.ceil((view.top + view.height - axisHeight) / rowHeight));
    this.drawGrid(shown.begin);
    for (let row = first; row < last; row++) this.drawRow(tracks[row], axisHeight + row * rowHeight - view.top, row === shown.focus, shown.selection);
    this.drawAxis(shown.begin);
    this.drawRange(shown.selection);
  }

  tickStep() {
    const { from, to, labels, width } = this.view;
    return tickStep(to - from, Math.max(2, (width - labels) / 110));
  }

  /** @param {number} begin */
  ticks(begin) {
    const { from, to } = this.view;
    const step = this.tickStep();
    const ticks = [];
    for (let time = begin + Math.ceil((from - begin) / step) * step; time <= to && ticks.length < 200; time += step) ticks.push(time);
    return ticks;
  }

  /** @param {number} begin */
  drawGrid(begin) {
    const { context, colours, view } = this;
    context.strokeStyle = colours.line;
    context.lineWidth = 1;
    context.beginPath();
    for (const time of this.ticks(begin)) {
      const x = Math.round(this.x(time)) + 0.5;
      if (x < view.labels) continue;
      context.moveTo(x, axisHeight);
      context.lineTo(x, view.height);
    }
    context.stroke();
  }

  /** @param {number} begin */
  drawAxis(begin) {
    const { context, colours, view } = this;
    context.fillStyle = colours.back;
    context.fillRect(0, 0, view.width, axisHeight);
    context.fillStyle = colours.faint;
    context.textAlign = 'left';
    const ticks = this.ticks(begin);
    for (const time of ticks) {
      const x = this.x(time);
      if (x >= view.labels && x < view.width - 40) context.fillText(time === begin ? '0' : tickText(time - begin, this.tickStep()), x + 3, axisHeight / 2);
    }
    context.fillText(timeText(view.from), 6, axisHeight / 2);
    context.strokeStyle = colours.line;
    context.beginPath();
    context.moveTo(0, axisHeight - 0.5);
    context.lineTo(view.width, axisHeight - 0.5);
    context.moveTo(view.labels - 0.5, 0);
    context.lineTo(view.labels - 0.5, view.height);
    context.stroke();
  }

  /**
   * @param {Track} track
   * @param {number} y
   * @param {boolean} hasFocus
   * @param {import('./state.js').Selection} selection
   */
  drawRow(track, y, hasFocus, selection) {
    const { context, colours, view } = this;
    const isSelected = track.task !== null && track.task === selection.task;
    if (isSelected || hasFocus) {
      context.fillStyle = colours.band;
      context.fillRect(0, y, view.width, rowHeight);
    }
    if (track.kind === 'heading') {
      context.fillStyle = colours.band;
      context.fillRect(0, y, view.width, rowHeight);
    }
    context.save();
    context.beginPath();
    context.rect(view.labels, y, view.width - view.labels, rowHeight);
    context.clip();
    this.drawSegments(track, y);
    this.drawEvents(track, y);
    for (const mark of track.marks) this.drawMark(mark, y, selection);
    if (selection.event && track.events.includes(selection.event)) this.drawCursor(selection.event, y);
    context.restore();
    context.fillStyle = track.kind === 'task' ? colours.text : track.kind === 'heading' || track.kind === 'session' ? colours.text : colours.faint;
    context.textAlign = 'left';
    context.font = track.kind === 'session' || track.kind === 'heading' ? '600 12px system-ui, sans-serif' : '12px system-ui, sans-serif';
    const indent = track.kind === 'task' || track.kind === 'process' || track.kind === 'device' ? 16 : 6;
    context.fillText(this.fitted(track.label, view.labels - indent - 6), indent, y + rowHeight / 2);
    if (hasFocus) {
      context.strokeStyle = colours.accent;
      context.strokeRect(1.5, y + 1.5, view.width - 3, rowHeight - 3);
    }
  }

  /** @param {string} name @param {number} width */
  fitted(name, width) {
    const { context } = this;
    const text = visible(name);
    if (context.measureText(text).width <= width) return text;
    let length = Math.min(text.length, Math.floor(width / 4));
    while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > width) length--;
    return `${text.slice(0, length)}…`;
  }

  /** @param {Track} track @param {number} y */
  drawSegments(track, y) {
    const { context, colours, view } = this;
    // A part narrower than a pixel is drawn once, whatever follows it in the same pixel.
    let drawn = -Infinity;
    for (const segment of track.segments) {
      if (segment.to < view.from || segment.from > view.to) continue;
      const left = Math.max(view.labels, this.x(segment.from));
      const right = Math.min(view.width + 2, Math.max(this.x(segment.to), left + 1));
      if (right - left <= 1 && left < drawn + 0.5) continue;
      if (right - left <= 1) drawn = left;
      const isWhole = ['task', 'open', 'app', 'daemon', 'session', 'unsure', 'up', 'down', 'calm'].includes(segment.kind);
      const inset = segment.kind === 'task' || segment.kind === 'open' ? 8 : isWhole ? 5 : segment.kind === 'suspended' ? 7 : 5;
      context.fillStyle = colours[segment.kind] || colours.faint;
      context.fillRect(left, y + inset, right - left, rowHeight - 2 * inset);
      if (patterned.has(segment.kind) && right - left > 3) this.hatch(left, y + inset, right - left, rowHeight - 2 * inset);
      if (segment.open && right >= view.width) this.drawOpenEnd(y + rowHeight / 2);
      if (right - left > 60 && ['app', 'daemon', 'up', 'down', 'calm'].includes(segment.kind)) {
        context.fillStyle = colours.back;
        context.font = '11px system-ui, sans-serif';
        context.textAlign = 'left';
        context.fillText(this.fitted(segment.label, right - left - 8), Math.max(left, view.labels) + 4, y + rowHeight / 2 + 0.5);
      }
    }
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  hatch(x, y, width, height) {
    const { context, colours } = this;
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.strokeStyle = colours.back;
    context.globalAlpha = 0.55;
    context.lineWidth = 1;
    context.beginPath();
    for (let offset = -height; offset < width; offset += 5) {
      context.moveTo(x + offset, y + height);
      context.lineTo(x + offset + height, y);
    }
    context.stroke();
    context.restore();
  }

  /** @param {number} y */
  drawOpenEnd(y) {
    const { context, colours, view } = this;
    context.fillStyle = colours.text;
    context.beginPath();
    context.moveTo(view.width - 7, y - 4);
    context.lineTo(view.width - 1, y);
    context.lineTo(view.width - 7, y + 4);
    context.fill();
  }

  /**
   * Draws the events of a row as ticks, at most one in a pixel.
   * @param {Track} track
   * @param {number} y
   */
  drawEvents(track, y) {
    const { context, colours, view } = this;
    const { events } = track;
    if (events.length === 0 || track.kind === 'device') return;
    let place = firstAfter(events, view.from);
    context.fillStyle = colours.text;
    let pixel = -1;
    for (let count = 0; place < events.length && count < 4000; count++) {
      const time = events[place].time;
      if (time === null) { place++; continue; }
      if (time > view.to) break;
      const x = Math.round(this.x(time));
      if (x !== pixel) {
        context.fillRect(x, y + rowHeight - 5, 1, 3);
        pixel = x;
      }
      // The next event that can be in another pixel.
      place = Math.max(place + 1, firstAfter(events, this.time(x + 0.5), place));
    }
  }

  /** @param {import('./types').Mark} mark @param {number} y @param {import('./state.js').Selection} selection */
  drawMark(mark, y, selection) {
    const { context, colours, view } = this;
    const x = this.x(mark.time);
    if (x < view.labels - 10 || x > view.width + 10) return;
    const middle = y + rowHeight / 2;
    const colour = colours[mark.level] || (mark.level === 'fault' ? colours.critical : colours.error);
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = 1.5;
    switch (mark.kind) {
      case 'deadline':
        context.setLineDash([4, 3]);
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(x, y + rowHeight);
        context.stroke();
        context.setLineDash([]);
        break;
      case 'missing': {
        const size = mark.finding === selection.finding ? 8 : 6;
        context.fillStyle = colours.back;
        context.beginPath();
        context.moveTo(x, middle - size);
        context.lineTo(x + size, middle);
        context.lineTo(x, middle + size);
        context.lineTo(x - size, middle);
        context.closePath();
        context.fill();
        context.setLineDash([2, 2]);
        context.stroke();
        context.setLineDash([]);
        if (mark.finding === selection.finding) {
          context.fillStyle = colour;
          context.font = '600 11px system-ui, sans-serif';
          const width = context.measureText(mark.label).width;
          const isRight = x + size + width + 8 < view.width;
          context.textAlign = isRight ? 'left' : 'right';
          context.fillStyle = colours.back;
          context.fillRect(isRight ? x + size + 2 : x - size - width - 6, y + 3, width + 4, rowHeight - 6);
          context.fillStyle = colour;
          context.fillText(mark.label, isRight ? x + size + 4 : x - size - 4, middle);
        }
        break;
      }
      case 'evidence':
        context.beginPath();
        context.arc(x, middle, mark.finding === selection.finding ? 4.5 : 3, 0, 7);
        context.fill();
        break;
      default:
        context.fillRect(x - 1, y + 4, 2, rowHeight - 8);
    }
  }

  /** @param {import('./types').Event} event @param {number} y */
  drawCursor(event, y) {
    if (event.time === null) return;
    const { context, colours } = this;
    const x = this.x(event.time);
    context.strokeStyle = colours.accent;
    context.lineWidth = 2;
    context.strokeRect(x - 5, y + 3, 10, rowHeight - 6);
  }

  /** @param {import('./state.js').Selection} selection */
  drawRange(selection) {
    if (!selection.range) return;
    const { context, colours, view } = this;
    const [left, right] = [Math.max(view.labels, this.x(selection.range.from)), Math.min(view.width, this.x(selection.range.to))];
    if (right <= left) return;
    context.globalAlpha = 0.15;
    context.fillStyle = colours.accent;
    context.fillRect(left, 0, right - left, view.height);
    context.globalAlpha = 1;
    context.strokeStyle = colours.accent;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, 0.5, right - left - 1, view.height - 1);
  }
}

/**
 * The index of the first event at or after a time. Events are nearly sorted by time, which is exact enough for a pixel.
 * @param {import('./types').Event[]} events
 * @param {number} time
 * @param {number} [from]
 */
export function firstAfter(events, time, from = 0) {
  let [low, high] = [from, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle].time ?? -Infinity) < time) low = middle + 1; else high = middle;
  }
  return low;
}
