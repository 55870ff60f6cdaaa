// @ts-check
// The rows of the timeline: device, processes, sessions and tasks.
import { fieldOf, sourceKey, taskEnd, taskStart } from './model.js';
import { parseTime, recordedText } from './format.js';

/** @typedef {import('./types').Model} Model */
/** @typedef {import('./types').Track} Track */
/** @typedef {import('./types').Segment} Segment */

/** @param {Partial<Track> & { kind: Track['kind'], label: string }} track @returns {Track} */
function made(track) { return { segments: [], marks: [], task: null, events: [], ...track }; }

/**
 * The conditions of a device: the events that change them, and the state after one.
 * @type {Record<string, (event: any, model: Model) => [string, string, string]>}
 */
const conditions = {
  'network.pathChanged': (event, model) => ['network', fieldOf(event, 'up', model) ? 'up' : 'down',
    fieldOf(event, 'up', model) ? (fieldOf(event, 'expensive', model) ? 'up, expensive' : 'up') : 'no network'],
  'power.changed': (event, model) => ['power', fieldOf(event, 'charging', model) ? 'up' : 'calm', fieldOf(event, 'charging', model) ? 'charging' : 'on battery'],
  'protection.enabled': () => ['files', 'down', 'locked'],
  'protection.disabled': () => ['files', 'up', 'readable'],
  'policy.changed': (event, model) => [`policy ${recordedText(fieldOf(event, 'policy', model))}`,
    fieldOf(event, 'enabled', model) ? 'up' : 'down', fieldOf(event, 'enabled', model) ? 'enabled' : 'disabled'],
};

/** @param {Model} model @returns {Track[]} */
export function buildTracks(model) {
  return [...deviceTracks(model), ...processTracks(model), ...sessionTracks(model)];
}

/** @param {Model} model */
function deviceTracks(model) {
  /** @type {Map<string, Track>} */
  const tracks = new Map();
  for (const event of model.events) {
    const condition = conditions[event.shape.name];
    if (!condition || event.time === null) continue;
    const [name, kind, label] = condition(event, model);
    const track = tracks.get(name) ?? made({ kind: 'device', label: name });
    tracks.set(name, track);
    const last = track.segments[track.segments.length - 1];
    if (last) last.to = event.time;
    track.segments.push({ from: event.time, to: model.end, kind, label });
    track.events.push(event);
  }
  return tracks.size ? [made({ kind: 'heading', label: 'Device' }), ...tracks.values()] : [];
}

/** @param {Model} model */
function processTracks(model) {
  const byLaunch = new Map();
  for (const event of model.events) {
    const key = event.file.launch ?? '';
    const events = byLaunch.get(key);
    if (events) events.push(event); else byLaunch.set(key, [event]);
  }
  const processes = model.report.processes.slice(0, 2000);
  const tracks = processes.map((process) => {
    const events = byLaunch.get(process.launch ?? '') ?? [];
    const name = process.executable?.split('/').pop() || process.role || 'process';
    const track = made({
      kind: 'process', label: `${name}${process.pid === null ? '' : ` ${process.pid}`}`, events: events.filter((/** @type {any} */ event) => !event.task),
    });
    const from = parseTime(process.started) ?? events[0]?.time ?? model.begin;
    const until = parseTime(process.ended);
    const role = process.role === 'daemon' ? 'daemon' : 'app';
    const last = parseTime(process.endedAfter);
    if (until !== null && last !== null && last < until) {
      // Another process noticed the end. When it happened is known only within these limits.
      track.segments.push({ from, to: last, kind: role, label: `${role} alive` });
      track.segments.push({ from: last, to: until, kind: 'unsure', label: `${role} ended in this time` });
    } else {
      track.segments.push({ from, to: until ?? model.end, kind: role, label: `${role} alive`, open: until === null });
    }
    addSuspensions(track, events, model);
    return track;
  });
  addWakes(tracks, processes, model);
  for (const [place, finding] of model.report.findings.entries()) {
    if (finding.task || finding.tasks.length) continue;
    const number = Math.max(0, processes.findIndex((process) => process.launch === finding.launch));
    if (tracks[number]) addFinding(tracks[number], finding, place, model);
  }
  return tracks.length ? [made({ kind: 'heading', label: 'Processes' }), ...tracks] : [];
}

/** @param {Track} track @param {import('./types').Event[]} events @param {Model} model */
function addSuspensions(track, events, model) {
  let since = null;
  for (const event of events) {
    if (event.shape.name !== 'process.stateChanged' || event.time === null) continue;
    const state = recordedText(fieldOf(event, 'state', model));
    if (since !== null) track.segments.push({ from: since, to: event.time, kind: 'suspended', label: 'suspended' });
    since = state === 'suspended' ? event.time : null;
  }
  if (since !== null) track.segments.push({ from: since, to: track.segments[0].to, kind: 'suspended', label: 'suspended' });
}

/** @param {Track[]} tracks @param {import('./types').Process[]} processes @param {Model} model */
function addWakes(tracks, processes, model) {
  for (const event of model.events) {
    if (event.time === null) continue;
    const { name } = event.shape;
    if (name !== 'wake.deadlineSet') continue;
    const budget = fieldOf(event, 'budget', model);
    const number = Math.max(0, processes.findIndex((process) => process.launch === event.file.launch));
    if (typeof budget === 'number' && tracks[number]) {
      tracks[number].marks.push({
        time: event.time + budget / 1e6, kind: 'deadline', label: 'deadline to call the completion handler', level: 'default', event, finding: -1,
      });
    }
  }
}

/** @param {Model} model */
function sessionTracks(model) {
  /** @type {Map<string, import('./types').Task[]>} */
  const sessions = new Map();
  for (const session of model.report.sessions) sessions.set(session.identifier, []);
  for (const task of model.tasks) {
    const tasks = sessions.get(task.session);
    if (tasks) tasks.push(task); else sessions.set(task.session, [task]);
  }
  /** @type {Map<string, import('./types').Event[]>} */
  const events = new Map();
  for (const event of model.events) {
    if (event.task) continue;
    const name = fieldOf(event, 'session', model);
    if (typeof name !== 'string') continue;
    const known = events.get(name);
    if (known) known.push(event); else events.set(name, [event]);
  }
  /** @type {Track[]} */
  const tracks = [];
  for (const [identifier, tasks] of sessions) {
    const known = model.report.sessions.find((session) => session.identifier === identifier);
    const session = made({ kind: 'session', label: `${identifier || '(no name)'}${known?.kind ? `, ${known.kind}` : ''}`, events: events.get(identifier) ?? [] });
    for (const incarnation of known?.incarnations ?? []) {
      const from = parseTime(incarnation.created) ?? parseTime(incarnation.connected);
      if (from === null) continue;
      session.segments.push({ from, to: parseTime(incarnation.invalidated) ?? model.end, kind: 'session', label: 'session object', open: !incarnation.invalidated });
    }
    tracks.push(session);
    tasks.sort((first, second) => (taskStart(first) ?? 0) - (taskStart(second) ?? 0));
    for (const task of tasks) tracks.push(taskTrack(task, model));
  }
  return tracks;
}

/** @param {import('./types').Task} task @param {Model} model */
function taskTrack(task, model) {
  const track = made({ kind: 'task', label: task.label, task, events: task.events });
  const [start, end] = [taskStart(task), taskEnd(task)];
  if (start === null || end === null) return track;
  const outcome = task.lifecycle?.outcome ?? 'unknown';
  const isOpen = task.lifecycle ? task.lifecycle.outcome === 'open' : !task.ended;
  track.segments.push({ from: start, to: isOpen ? model.end : end, kind: isOpen ? 'open' : 'task', label: outcome, open: isOpen });
  addHolds(track, task, isOpen ? model.end : end, model);
  for (const attempt of task.attempts) addAttempt(track, attempt);
  for (const delivery of task.lifecycle?.deliveries ?? []) {
    const [entered, left] = [parseTime(delivery.entered), parseTime(delivery.left)];
    const sent = parseTime(delivery.sent);
    if (sent !== null && (entered ?? sent) > sent) track.segments.push({ from: sent, to: entered ?? sent, kind: 'deliver', label: `delivery of ${delivery.kind}` });
    if (entered !== null && left !== null) track.segments.push({ from: entered, to: left, kind: 'handler', label: `app code in ${delivery.kind}` });
  }
  for (const event of task.events) {
    if (event.time !== null && (event.shape.level === 'error' || event.shape.level === 'fault')) {
      track.marks.push({ time: event.time, kind: 'event', label: event.shape.name, level: event.shape.level, event, finding: -1 });
    }
  }
  for (const place of task.findings) addFinding(track, model.report.findings[place], place, model);
  return track;
}

/** @param {Track} track @param {import('./types').Task} task @param {number} end @param {Model} model */
function addHolds(track, task, end, model) {
  let since = null;
  let label = '';
  for (const event of task.events) {
    if (event.time === null) continue;
    const { name } = event.shape;
    // The task waits until the hold ends, or until something else shows that it moves on.
    const isOver = name === 'task.holdEnded' || name === 'task.held' || name === 'attempt.started' || name === 'task.completed';
    if (since !== null && isOver) {
      track.segments.push({ from: since, to: event.time, kind: 'queue', label });
      since = null;
    }
    if (name === 'task.held') {
      since = event.time;
      label = `held: ${recordedText(fieldOf(event, 'hold', model))}`;
    }
  }
  if (since !== null) track.segments.push({ from: since, to: end, kind: 'queue', label });
}

/** @param {Track} track @param {import('./types').Attempt} attempt */
function addAttempt(track, attempt) {
  let time = attempt.start;
  for (const parts of attempt.requests) {
    for (let place = 0; place + 1 < parts.length; place += 2) {
      const [name, duration] = [parts[place], parts[place + 1] / 1e6];
      if (duration > 0) track.segments.push({ from: time, to: time + duration, kind: name, label: `attempt ${attempt.number}: ${name}` });
      time += duration;
    }
  }
}

/** @param {Track} track @param {import('./types').Finding} finding @param {number} place @param {Model} model */
function addFinding(track, finding, place, model) {
  for (const evidence of finding.evidence) {
    const event = model.evidence.get(sourceKey(evidence.source)) ?? null;
    const time = event?.time ?? parseTime(evidence.time);
    if (time !== null) track.marks.push({ time, kind: 'evidence', label: `evidence: ${evidence.event}`, level: finding.severity, event, finding: place });
  }
  for (const missing of finding.missing) {
    const time = missingTime(finding, missing, model);
    track.marks.push({ time, kind: 'missing', label: `missing: ${missing.event}`, level: finding.severity, event: null, finding: place });
    if (missing.dueBy) track.marks.push({ time, kind: 'deadline', label: `${missing.event} was due`, level: finding.severity, event: null, finding: place });
  }
}

/**
 * The time at which a missing event is drawn: when it was due, or after the last evidence.
 * @param {import('./types').Finding} finding
 * @param {{ dueBy: string | null }} missing
 * @param {Model} model
 */
export function missingTime(finding, missing, model) {
  const due = parseTime(missing.dueBy);
  if (due !== null) return due;
  const last = finding.evidence[finding.evidence.length - 1];
  return parseTime(last?.time) ?? model.end;
}
