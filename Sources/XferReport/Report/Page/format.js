// @ts-check
// Values as text.

const clock = { utc: true };

/** @param {boolean} utc whether times are shown in UTC */
export function showUTC(utc) { clock.utc = utc; }
export function showsUTC() { return clock.utc; }

/** @param {number} number @param {number} width */
function padded(number, width = 2) { return String(number).padStart(width, '0'); }

/**
 * A time of day, such as 14:02:07.118.
 * @param {number | null | undefined} time milliseconds since 1970
 */
export function timeText(time) {
  if (time === null || time === undefined || !Number.isFinite(time)) return '–';
  const date = new Date(Math.floor(time));
  const [h, m, s, ms] = clock.utc
    ? [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCMilliseconds()]
    : [date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds()];
  return `${padded(h)}:${padded(m)}:${padded(s)}.${padded(ms, 3)}`;
}

/**
 * A date with the time and the zone.
 * @param {number | null | undefined} time milliseconds since 1970
 */
export function dateText(time) {
  if (time === null || time === undefined || !Number.isFinite(time)) return '–';
  const date = new Date(Math.floor(time));
  const day = clock.utc
    ? `${padded(date.getUTCFullYear(), 4)}-${padded(date.getUTCMonth() + 1)}-${padded(date.getUTCDate())}`
    : `${padded(date.getFullYear(), 4)}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`;
  return `${day} ${timeText(time)}${clock.utc ? ' UTC' : ''}`;
}

/**
 * A time of the data as milliseconds since 1970; `null` if it is unknown.
 * @param {string | null | undefined} text RFC 3339 with nanoseconds
 */
export function parseTime(text) {
  if (!text) return null;
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?Z$/.exec(text);
  if (!found) return null;
  const [, year, month, day, hour, minute, second, fraction] = found;
  return Date.UTC(+year, +month - 1, +day, +hour, +minute, +second) + Number(fraction ?? 0) * 1000;
}

/** @param {number | null | undefined} milliseconds */
export function durationText(milliseconds) {
  if (milliseconds === null || milliseconds === undefined || !Number.isFinite(milliseconds)) return '–';
  const sign = milliseconds < 0 ? '−' : '';
  const size = Math.abs(milliseconds);
  if (size < 0.001) return `${sign}${Math.round(size * 1e6)} ns`;
  if (size < 1) return `${sign}${Math.round(size * 1000)} µs`;
  if (size < 1000) return `${sign}${size < 10 ? size.toFixed(1) : Math.round(size)} ms`;
  if (size < 60_000) return `${sign}${(size / 1000).toFixed(size < 10_000 ? 2 : 1)} s`;
  if (size < 3_600_000) return `${sign}${Math.floor(size / 60_000)} min ${Math.round((size % 60_000) / 1000)} s`;
  if (size < 86_400_000) return `${sign}${Math.floor(size / 3_600_000)} h ${Math.round((size % 3_600_000) / 60_000)} min`;
  return `${sign}${(size / 86_400_000).toFixed(1)} days`;
}

/**
 * A duration as the other commands print it: `850ns`, `62ms`, `1.9s`, `3h 5m`.
 * @param {number} nanoseconds
 * @returns {string}
 */
export function shortDuration(nanoseconds) {
  if (nanoseconds < 0) return `-${shortDuration(-nanoseconds)}`;
  const seconds = Math.floor(nanoseconds / 1e9);
  const pair = (/** @type {number} */ large, /** @type {string} */ unit, /** @type {number} */ small, /** @type {string} */ smallUnit) =>
    (small === 0 ? `${large}${unit}` : `${large}${unit} ${small}${smallUnit}`);
  if (seconds === 0) {
    if (nanoseconds >= 1e6) return `${Math.floor(nanoseconds / 1e6)}ms`;
    if (nanoseconds >= 1e3) return `${Math.floor(nanoseconds / 1e3)}µs`;
    return nanoseconds === 0 ? '0s' : `${nanoseconds}ns`;
  }
  const tenths = Math.floor(nanoseconds % 1e9 / 1e8);
  if (seconds < 60) return tenths === 0 ? `${seconds}s` : `${seconds}.${tenths}s`;
  if (seconds < 3600) return pair(Math.floor(seconds / 60), 'm', seconds % 60, 's');
  if (seconds < 86_400) return pair(Math.floor(seconds / 3600), 'h', Math.floor(seconds / 60) % 60, 'm');
  return pair(Math.floor(seconds / 86_400), 'd', Math.floor(seconds / 3600) % 24, 'h');
}

/**
 * A number of bytes, truncated to one digit after the point.
 * @param {number | null | undefined} bytes
 */
export function bytesText(bytes) {
  if (bytes === null || bytes === undefined) return '–';
  if (Math.abs(bytes) < 1024) return `${bytes} B`;
  let size = Math.abs(bytes) / 1024;
  let place = 0;
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  while (size >= 1024 && place < units.length - 1) {
    size /= 1024;
    place++;
  }
  return `${bytes < 0 ? '-' : ''}${Math.floor(size * 10) / 10} ${units[place]}`;
}

/** @param {number} count */
export function countText(count) { return String(count).replace(/\B(?=(\d{3})+$)/g, ','); }

/** @param {number} count @param {string} noun */
export function counted(count, noun) { return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`; }

/** @param {import('./types').Text | null | undefined} text */
export function recordedText(text) {
  if (text === null || text === undefined) return '–';
  if (typeof text !== 'object') return String(text);
  if ('hash' in text) return `<mask.hash: ${text.hash}>`;
  if ('cut' in text) return `${text.cut}… (${bytesText(text.bytes)})`;
  return '<private>';
}

/** @param {any} message @returns {string} */
function messageText(message) {
  if (!message || typeof message.format !== 'string') return '‹lost text›';
  const unnamed = (message.arguments ?? []).filter((/** @type {any} */ entry) => !entry.name);
  let place = 0;
  const text = message.format.replace(/\{\{|\}\}|\{\}/g, (/** @type {string} */ mark) => {
    if (mark !== '{}') return mark[0];
    const entry = unnamed[place++];
    return entry ? recordedText(entry.value) : '–';
  });
  const named = (message.arguments ?? []).filter((/** @type {any} */ entry) => entry.name)
    .map((/** @type {any} */ entry) => `${entry.name}=${recordedText(entry.value)}`);
  return named.length ? `${text} ${named.join(' ')}` : text;
}

/**
 * The value of a field.
 * @param {any} value
 * @param {string} letter the type; see `ReportRows`
 * @param {import('./types').Model} model
 * @returns {string}
 */
export function valueText(value, letter, model) {
  if (value !== null && typeof value === 'object' && value.unreadable) return '‹lost›';
  switch (letter) {
    case 'v': case 'c': return recordedText(model.texts[value]);
    case 'k': return model.numbered[value]?.label ?? '–';
    case 'K': return (value ?? []).map((/** @type {any} */ task) => `${task.session}/${task.number}`).join(' ');
    case 'b': return bytesText(value);
    case 'd': return shortDuration(value);
    case 'l': return String(value).slice(0, 8);
    case 'x': return `#${String(value).replace(/^0+(?=.)/, '')}`;
    case 'f': return value ? 'yes' : 'no';
    case 'm': return messageText(value);
    default: return String(value);
  }
}

/**
 * The message of an event.
 * @param {import('./types').Event} event
 * @param {import('./types').Model} model
 */
export function eventText(event, model) {
  const { fields, letters, message } = event.shape;
  return message.replace(/\{(\w+)\}/g, (_, name) => {
    const place = fields.indexOf(name);
    if (place < 0) return '–';
    const text = valueText(event.row[7 + place], letters[place], model);
    return name === 'host' ? text + portText(event, model) : text;
  });
}

/**
 * The port behind a host, unless it is the usual one of the scheme.
 * @param {import('./types').Event} event
 * @param {import('./types').Model} model
 */
function portText(event, model) {
  const { fields } = event.shape;
  const [port, scheme] = ['port', 'scheme'].map((name) => (fields.includes(name) ? event.row[7 + fields.indexOf(name)] : null));
  const usual = scheme === null ? 0 : { http: 80, https: 443 }[recordedText(model.texts[scheme])];
  return port === null || port === usual ? '' : `:${port}`;
}
