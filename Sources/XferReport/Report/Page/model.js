// @ts-check
// Makes events, tasks and attempts of the rows of the data.
import { parseTime } from './format.js';

/** @typedef {import('./types').Model} Model */
/** @typedef {import('./types').Event} Event */
/** @typedef {import('./types').Task} Task */

/**
 * Logs after the first one have a number, as in `2:1/2/19`, because their segments may have the same numbers.
 * @param {number | undefined} log the index of a log
 */
function logPrefix(log) { return log ? `${log + 1}:` : ''; }

/**
 * @param {import('./types').Source} source
 * @returns {string}
 */
export function sourceKey(source) {
  return source.line !== undefined ? `${source.file}:${source.line}` : `${logPrefix(source.log)}${source.segment}/${source.lane}/${source.seq}`;
}

/** @param {Event} event */
export function eventKey(event) {
  return event.lane === null ? `${event.file.number}:${event.position}` : `${logPrefix(event.file.log)}${event.file.number}/${event.lane}/${event.position}`;
}

/**
 * @param {import('./types').Data} data
 * @returns {Model}
 */
export function buildModel(data) {
  const { rows, report } = data;
  /** @type {Model} */
  const model = {
    report, events: [], tasks: [], taskOf: new Map(), gaps: [], texts: [], numbered: [], begin: Infinity, end: -Infinity,
    evidence: new Map(), changes: new Map(report.changes ?? []),
  };
  /** @type {import('./types').Shape[]} */
  const shapes = [];
  /** @type {import('./types').File[]} */
  const files = [];
  /** @type {Map<number, number>[]} */
  const positions = [];
  // Nanoseconds since the first time, because a double holds only 53 bits.
  let base = 0;
  let wall = 0;
  let mono = 0;
  const time = (/** @type {number} */ offset) => base + offset / 1e6;
  for (const row of rows) {
    const first = row[0];
    if (typeof first === 'number') {
      const shape = shapes[first];
      const file = files[row[1]];
      if (row[2] !== null) {
        if (base === 0) { base = row[2] / 1e6; wall = 0; } else wall += row[2];
      }
      if (row[3] !== null) mono += row[3];
      const lanes = positions[row[1]];
      const lane = row[4] ?? -1;
      const position = (lanes.get(lane) ?? 0) + row[5];
      lanes.set(lane, position);
      const place = shape.fields.indexOf('task');
      const task = place < 0 ? null : model.numbered[row[7 + place]] ?? null;
      /** @type {Event} */
      const event = {
        index: model.events.length, shape, file, time: row[2] === null ? null : time(wall), mono: row[3] === null ? null : mono / 1e6,
        lane: row[4], position, thread: row[6], task, row,
      };
      model.events.push(event);
      task?.events.push(event);
      if (event.time !== null) {
        if (event.time < model.begin) model.begin = event.time;
        if (event.time > model.end) model.end = event.time;
      }
      continue;
    }
    switch (first) {
      case 'v': model.texts.push(row[1]); break;
      case 's': shapes.push({ name: row[1], level: row[2], message: row[3], fields: row[4], letters: row[5] }); break;
      case 'w': files.push(row[1]); positions.push(new Map()); break;
      case 'k': model.numbered.push(taskNamed(model, row[1])); break;
      case 'g': model.gaps.push({ at: model.events.length, row: row[1] }); break;
      case 't': {
        const task = model.numbered[row[1]];
        [task.start, task.duration, task.ended, task.method, task.host] =
          [time(wall + row[2]), row[3] / 1e6, row[4], row[5], row[6]];
        break;
      }
      case 'a': model.numbered[row[1]].attempts.push({
        number: row[2], start: time(wall + row[3]), duration: row[4] / 1e6, ended: row[5], requests: row[6], error: row[7],
        host: row[8], protocol: row[9], status: row[10], received: row[11], expected: row[12], sent: row[13], reused: row[14],
      }); break;
      case 'l': [model.numbered[row[1]].lifecycle, model.numbered[row[1]].values] = [row[2], row[3] ?? []]; break;
    }
  }
  joinFindings(model);
  if (model.begin > model.end) [model.begin, model.end] = [0, 1];
  return model;
}

/**
 * @param {Model} model
 * @param {{ uid: string, session: string, number: number }} identity
 * @returns {Task}
 */
function taskNamed(model, identity) {
  const known = model.taskOf.get(identity.uid);
  if (known) return known;
  /** @type {Task} */
  const task = {
    uid: identity.uid, session: identity.session, number: identity.number, label: `${identity.session}/${identity.number}`,
    events: [], attempts: [], start: null, duration: 0, ended: false, method: null, host: null, lifecycle: null, values: [], findings: [],
  };
  model.taskOf.set(identity.uid, task);
  model.tasks.push(task);
  return task;
}

/** @param {Model} model */
function joinFindings(model) {
  const wanted = new Set();
  for (const [place, finding] of model.report.findings.entries()) {
    for (const evidence of finding.evidence) wanted.add(sourceKey(evidence.source));
    for (const uid of finding.task ? [finding.task] : finding.tasks) model.taskOf.get(uid)?.findings.push(place);
    for (const missing of finding.missing) {
      const due = parseTime(missing.dueBy);
      // The timeline shows when a missing event was due, even if that is after the last event.
      if (due !== null && due > model.end && due < model.end + 86_400_000) model.end = due;
    }
  }
  for (const event of model.events) {
    const key = eventKey(event);
    if (wanted.has(key)) model.evidence.set(key, event);
  }
}

/**
 * The time at which a task began, or its first event.
 * @param {Task} task
 */
export function taskStart(task) { return task.start ?? task.events[0]?.time ?? null; }

/**
 * The time at which a task ended, or its last event.
 * @param {Task} task
 */
export function taskEnd(task) {
  const last = task.events[task.events.length - 1]?.time ?? null;
  return task.start === null ? last : Math.max(task.start + task.duration, last ?? 0);
}

/**
 * The field of an event; `undefined` if it lacks the field.
 * @param {Event} event
 * @param {string} name
 * @param {Model} model
 */
export function fieldOf(event, name, model) {
  const place = event.shape.fields.indexOf(name);
  if (place < 0) return undefined;
  const value = event.row[7 + place];
  const letter = event.shape.letters[place];
  return letter === 'v' || letter === 'c' ? model.texts[value] : value;
}
