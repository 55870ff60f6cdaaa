// swift-format-ignore-file
// Generated from Sources/XferReport/Report/Page by `xferlog-dev generate`; changes made here are lost.

extension ReportPage {
  /// The hash of the script of a report file.
  static let scriptHash = "E3fal9d62jUPnSF3YjLzomqBjshM7ft9ZrobgVSrHf0="
  /// The hash of the script of a page that `xferlog serve` shows.
  static let liveScriptHash = "AK/vu7zw7yNhUUT21f4cHrjva7uMzBg+Qe0ysgi8wBg="
  static let styleHash = "jb+OcUjFZP54MlPKKCOAiAStdZQg72oNiJcLLdnT6a0="

  /// The modules that both kinds of page have.
  static let modules = ####"""
// The only place where elements are made. Text becomes text nodes, never markup.
/** @typedef {string | number | Node | null | undefined | false} Child */
const attributeNames = new Set([
  'class', 'id', 'role', 'type', 'tabindex', 'title', 'for', 'name', 'value', 'placeholder', 'hidden', 'open', 'scope', 'checked', 'rows',
  'readonly', 'disabled', 'spellcheck', 'autocomplete', 'lang',
]);
/**
 * Creates an element. A function among the attributes is a listener, named by its event. Attributes that could load or run something
 * are refused.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (attributeNames.has(name) || name.startsWith('aria-') || name.startsWith('data-')) element.setAttribute(name, name.startsWith('data-') ? String(value) : visible(String(value)));
    else throw new Error(`attribute ${name} is not allowed`);
  }
  add(element, ...children);
  return element;
}
/**
 * Appends children; strings and numbers become text.
 * @param {Node} parent
 * @param {...Child} children
 */
function add(parent, ...children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(visible(String(child))));
  }
}
/**
 * Replaces the children of an element.
 * @param {Element} parent
 * @param {...Child} children
 */
function fill(parent, ...children) {
  parent.textContent = '';
  add(parent, ...children);
}
/**
 * Shows a text, without a change of the element if it shows the text already. A screen reader would read it again.
 * @param {Element} element
 * @param {string} text
 */
function say(element, text) { if (element.textContent !== visible(text)) fill(element, text); }
/**
 * Shows characters that control the direction or the layout of text as escapes.
 * @param {string} text
 */
function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\n' || character === '\t') return character;
    const digits = (character.codePointAt(0) ?? 0).toString(16);
    return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
  });
}
/**
 * A section of the page with a heading.
 * @param {string} id
 * @param {string} title
 * @param {...Child} children
 */
function section(id, title, ...children) {
  return el('section', { id, 'aria-labelledby': `${id}-title` }, el('h2', { id: `${id}-title`, tabindex: -1 }, title), ...children);
}
/** The largest number of rows of a list that are printed. */
const longestPrint = 1000;
/**
 * A list that has only the visible rows in the document, and while it is printed also the others.
 * @param {{ height: number, label: string, columns?: string, render: (index: number) => HTMLElement }} options
 */
function virtualList(options) {
  const space = el('div', { class: 'list-space' });
  const rows = el('div', { class: 'list-rows', role: 'presentation' });
  const rest = el('p', { class: 'list-rest', hidden: true });
  const box = el('div', { class: 'list', tabindex: 0, role: 'group', 'aria-label': options.label, scroll: () => draw() }, space, rows, rest);
  let count = 0;
  let first = -1;
  let last = -1;
  let isPrinted = false;
  function draw(force = false) {
    const from = isPrinted ? 0 : Math.max(0, Math.floor(box.scrollTop / options.height) - 5);
    const to = Math.min(count, isPrinted ? longestPrint : Math.ceil((box.scrollTop + box.clientHeight) / options.height) + 5);
    if (!force && from === first && to === last) return;
    [first, last] = [from, to];
    rows.style.transform = `translateY(${from * options.height}px)`;
    const made = [];
    for (let index = from; index < to; index++) made.push(options.render(index));
    rows.replaceChildren(...made);
  }
  new ResizeObserver(() => draw(true)).observe(box);
  for (const event of ['beforeprint', 'afterprint']) {
    addEventListener(event, () => {
      isPrinted = event === 'beforeprint';
      rest.hidden = !isPrinted || count <= longestPrint;
      rest.textContent = `${countText(count - longestPrint)} more rows are not printed.`;
      draw(true);
    });
  }
  return {
    box,
    /** @param {number} length */
    show(length) {
      count = length;
      space.style.height = `${length * options.height}px`;
      if (box.scrollTop > length * options.height) box.scrollTop = 0;
      draw(true);
    },
    /** @param {number} index */
    scrollTo(index) {
      const top = index * options.height;
      if (top < box.scrollTop || top + options.height > box.scrollTop + box.clientHeight) {
        box.scrollTop = Math.max(0, top - box.clientHeight / 2);
      }
      draw(true);
    },
    refresh() { draw(true); },
  };
}
// Values as text.
const clock = { utc: true };
/** @param {boolean} utc whether times are shown in UTC */
function showUTC(utc) { clock.utc = utc; }
function showsUTC() { return clock.utc; }
/** @param {number} number @param {number} width */
function padded(number, width = 2) { return String(number).padStart(width, '0'); }
/**
 * A time of day, such as 14:02:07.118.
 * @param {number | null | undefined} time milliseconds since 1970
 */
function timeText(time) {
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
function dateText(time) {
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
function parseTime(text) {
  if (!text) return null;
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?Z$/.exec(text);
  if (!found) return null;
  const [, year, month, day, hour, minute, second, fraction] = found;
  return Date.UTC(+year, +month - 1, +day, +hour, +minute, +second) + Number(fraction ?? 0) * 1000;
}
/** @param {number | null | undefined} milliseconds */
function durationText(milliseconds) {
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
function shortDuration(nanoseconds) {
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
function bytesText(bytes) {
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
function countText(count) { return String(count).replace(/\B(?=(\d{3})+$)/g, ','); }
/** @param {number} count @param {string} noun */
function counted(count, noun) { return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`; }
/** @param {import('./types').Text | null | undefined} text */
function recordedText(text) {
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
function valueText(value, letter, model) {
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
function eventText(event, model) {
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
// Decompresses a zlib stream (RFC 1950 and 1951), for browsers without `DecompressionStream`.
/** @typedef {{ table: Uint16Array, width: number }} PrefixCode */
const runBases = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const runBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBases = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193,
  12289, 16385, 24577];
const distanceBits = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
// A distance reaches back this far at most.
const windowSize = 32_768;
// No string can be longer.
const mostBytes = 2 ** 29 - 25;
/** @param {string} problem */
function damage(problem) { return new Error(`the compressed data is damaged: ${problem}`); }
/**
 * A table from the next bits of the data to a symbol and the length of its code (in the lowest four bits). Zero means that no symbol
 * has such a code.
 * @param {ArrayLike<number>} lengths the length of the code of each symbol
 * @param {boolean} mayBeIncomplete whether a single code of one bit is enough
 * @returns {PrefixCode}
 */
function prefixCode(lengths, mayBeIncomplete) {
  const counts = new Uint16Array(16);
  for (let symbol = 0; symbol < lengths.length; symbol++) counts[lengths[symbol]]++;
  counts[0] = 0;
  const next = new Uint32Array(16);
  let [free, width] = [1, 0];
  for (let length = 1; length < 16; length++) {
    free = free * 2 - counts[length];
    if (free < 0) throw damage('too many codes');
    next[length] = (next[length - 1] + counts[length - 1]) << 1;
    if (counts[length] > 0) width = length;
  }
  if (width > 0 && free > 0 && !(mayBeIncomplete && width === 1)) throw damage('codes are missing');
  const table = new Uint16Array(1 << width);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length === 0) continue;
    let code = next[length]++;
    let reversed = 0;
    for (let bit = 0; bit < length; bit++, code >>= 1) reversed = reversed << 1 | code & 1;
    for (let place = reversed; place < table.length; place += 1 << length) table[place] = symbol << 4 | length;
  }
  return { table, width };
}
/** @returns {[PrefixCode, PrefixCode]} the codes of blocks that do not define their own */
function fixedCodes() {
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return [prefixCode(lengths, false), prefixCode(new Uint8Array(32).fill(5), false)];
}
/**
 * The text in a zlib stream.
 * @param {Uint8Array} bytes
 * @returns {string}
 * @throws {Error} if the stream is damaged or truncated, or if anything follows it
 */
function inflatedText(bytes) {
  let [place, word, held] = [0, 0, 0];
  const output = new Uint8Array(1 << 20);
  // `output` has the window, and from `fresh` on the bytes whose text is not in `parts`.
  let [fresh, filled, total, low, high] = [0, 0, 0, 1, 0];
  /** @type {string[]} */
  const parts = [];
  const decoder = new TextDecoder();
  /** @param {number} count at most 16 */
  function bits(count) {
    while (held < count) {
      if (place >= bytes.length) throw new Error('the compressed data is truncated');
      word |= bytes[place++] << held;
      held += 8;
    }
    const value = word & (1 << count) - 1;
    word >>>= count;
    held -= count;
    return value;
  }
  /** @param {PrefixCode} code */
  function symbolOf(code) {
    for (; held < code.width && place < bytes.length; held += 8) word |= bytes[place++] << held;
    const found = code.table[word & (1 << code.width) - 1];
    const length = found & 15;
    if (length > held || length === 0 && held < code.width) throw new Error('the compressed data is truncated');
    if (length === 0) throw damage('an unknown code');
    word >>>= length;
    held -= length;
    return found >>> 4;
  }
  /** Returns to the first whole byte that was not used. */
  function align() {
    place -= held >> 3;
    [word, held] = [0, 0];
  }
  function flush() {
    total += filled - fresh;
    if (total > mostBytes) throw new Error('the data is too large for this browser');
    for (let start = fresh; start < filled; start += 3800) {
      for (let at = start; at < Math.min(filled, start + 3800); at++) high += low += output[at];
      low %= 65_521;
      high %= 65_521;
    }
    parts.push(decoder.decode(output.subarray(fresh, filled), { stream: true }));
    const kept = Math.min(filled, windowSize);
    output.copyWithin(0, filled - kept, filled);
    fresh = filled = kept;
  }
  function storedBlock() {
    align();
    const [length, complement] = [bits(16), bits(16)];
    if ((length ^ complement) !== 0xFFFF) throw damage('a length is wrong');
    if (place + length > bytes.length) throw new Error('the compressed data is truncated');
    if (filled + length > output.length) flush();
    output.set(bytes.subarray(place, place + length), filled);
    filled += length;
    place += length;
  }
  /** @returns {[PrefixCode, PrefixCode]} */
  function ownCodes() {
    const [literals, distances, count] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
    if (literals > 286 || distances > 30) throw damage('too many symbols');
    const first = new Uint8Array(19);
    for (let number = 0; number < count; number++) first[lengthOrder[number]] = bits(3);
    const code = prefixCode(first, false);
    const lengths = new Uint8Array(literals + distances);
    for (let number = 0; number < lengths.length;) {
      const symbol = symbolOf(code);
      if (symbol < 16) { lengths[number++] = symbol; continue; }
      if (symbol === 16 && number === 0) throw damage('nothing can be repeated');
      const value = symbol === 16 ? lengths[number - 1] : 0;
      const times = symbol === 16 ? 3 + bits(2) : symbol === 17 ? 3 + bits(3) : 11 + bits(7);
      if (number + times > lengths.length) throw damage('too many lengths');
      lengths.fill(value, number, number += times);
    }
    if (lengths[256] === 0) throw damage('no code ends a block');
    return [prefixCode(lengths.subarray(0, literals), true), prefixCode(lengths.subarray(literals), true)];
  }
  /** @param {PrefixCode} literals @param {PrefixCode} distances */
  function codedBlock(literals, distances) {
    for (;;) {
      if (filled + 258 > output.length) flush();
      const symbol = symbolOf(literals);
      if (symbol < 256) { output[filled++] = symbol; continue; }
      if (symbol === 256) return;
      if (symbol > 285) throw damage('an unknown length');
      const length = runBases[symbol - 257] + bits(runBits[symbol - 257]);
      const far = symbolOf(distances);
      if (far > 29) throw damage('an unknown distance');
      const distance = distanceBases[far] + bits(distanceBits[far]);
      if (distance > filled) throw damage('a distance reaches too far back');
      for (const end = filled + length; filled < end; filled++) output[filled] = output[filled - distance];
    }
  }
  const [method, flags] = [bits(8), bits(8)];
  if ((method & 15) !== 8 || method >> 4 > 7 || (method * 256 + flags) % 31 !== 0 || flags & 32) throw damage('no zlib stream');
  for (let isLast = false; !isLast;) {
    isLast = bits(1) === 1;
    const kind = bits(2);
    if (kind === 0) storedBlock();
    else if (kind === 1) codedBlock(...fixedCodes());
    else if (kind === 2) codedBlock(...ownCodes());
    else throw damage('an unknown block');
  }
  align();
  flush();
  const sum = [bits(8), bits(8), bits(8), bits(8)].reduce((sum, byte) => sum * 256 + byte, 0);
  if (sum !== high * 65_536 + low) throw damage('the checksum is wrong');
  if (place < bytes.length) throw damage('something follows it');
  parts.push(decoder.decode());
  return parts.join('');
}
// Reads the data of the report.
/**
 * @param {string} base64
 * @returns {Uint8Array}
 */
function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place++) bytes[place] = text.charCodeAt(place);
  return bytes;
}
/**
 * @param {Uint8Array} bytes a zlib stream
 * @returns {Promise<string>}
 */
async function inflate(bytes) {
  if (typeof DecompressionStream === 'undefined') return inflatedText(bytes);
  const stream = new DecompressionStream('deflate');
  const writer = stream.writable.getWriter();
  // A failure shows up when the other end is read.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const decoder = new TextDecoder();
  const parts = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(decoder.decode(value, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}
/**
 * @param {string} base64
 * @returns {Promise<import('./types').Data>}
 */
function decode(base64) {
  if (base64 === '') throw new Error('the data is missing; a report in several files needs data.js beside its page');
  return decodeBytes(bytesOf(base64));
}
/**
 * @param {Uint8Array} bytes a zlib stream
 * @returns {Promise<import('./types').Data>}
 */
async function decodeBytes(bytes) {
  const data = JSON.parse(await inflate(bytes));
  if (data.schema !== 'xferlog.report/1') throw new Error(`the data has the format ${data.schema}`);
  return data;
}
// Makes events, tasks and attempts of the rows of the data.
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
function sourceKey(source) {
  return source.line !== undefined ? `${source.file}:${source.line}` : `${logPrefix(source.log)}${source.segment}/${source.lane}/${source.seq}`;
}
/** @param {Event} event */
function eventKey(event) {
  return event.lane === null ? `${event.file.number}:${event.position}` : `${logPrefix(event.file.log)}${event.file.number}/${event.lane}/${event.position}`;
}
/**
 * @param {import('./types').Data} data
 * @returns {Model}
 */
function buildModel(data) {
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
function taskStart(task) { return task.start ?? task.events[0]?.time ?? null; }
/**
 * The time at which a task ended, or its last event.
 * @param {Task} task
 */
function taskEnd(task) {
  const last = task.events[task.events.length - 1]?.time ?? null;
  return task.start === null ? last : Math.max(task.start + task.duration, last ?? 0);
}
/**
 * The field of an event; `undefined` if it lacks the field.
 * @param {Event} event
 * @param {string} name
 * @param {Model} model
 */
function fieldOf(event, name, model) {
  const place = event.shape.fields.indexOf(name);
  if (place < 0) return undefined;
  const value = event.row[7 + place];
  const letter = event.shape.letters[place];
  return letter === 'v' || letter === 'c' ? model.texts[value] : value;
}
// Regular expressions of the query language. They differ from those of browsers in some signs. This reads those that mean the same to both, and
// refuses the others, so that the page never selects other tasks than `xferlog query`.
/** A regular expression that the page cannot read. The message is a clause. */
class PatternError extends Error {}
/** @param {string} sign */
function unknown(sign) { return new PatternError(`the page does not know “${sign}” in regular expressions; use it with xferlog query`); }
const [longest, deepest] = [1024, 32];
/** What a letter after a backslash stands for, within brackets. */
const classes = new Map([['d', '\\p{Nd}'], ['w', '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}'], ['s', '\\p{White_Space}'], ['t', '\\t'], ['n', '\\n'], ['r', '\\r']]);
/** @param {string} sign */
function isMark(sign) { return /^[!-/:-@[-`{-~]$/.test(sign); }
/** @param {string} sign */
function plain(sign) { return /^[\\^$.*+?()[\]{}|/]$/.test(sign) ? `\\${sign}` : sign; }
/**
 * @param {string} source @param {boolean} isWhole whether the whole text must match @param {boolean} ignoresCase
 * @throws {PatternError}
 */
function pattern(source, isWhole, ignoresCase) {
  if (new TextEncoder().encode(source).length > longest) throw new PatternError(`the regular expression is longer than ${longest} bytes`);
  if ((source.match(/[([]/g) ?? []).length > deepest) throw new PatternError(`the regular expression has more than ${deepest} groups and classes`);
  const translated = translate(Array.from(source.normalize('NFC')));
  try {
    return new RegExp(isWhole ? `^(?:${translated})$` : translated, ignoresCase ? 'iu' : 'u');
  } catch {
    throw new PatternError('this is not a regular expression');
  }
}
/** @param {string[]} signs */
function translate(signs) {
  const mistake = () => new PatternError('this is not a regular expression');
  let result = '';
  // Whether something precedes that a sign such as `*` may repeat.
  let canRepeat = false;
  /** @type {boolean[]} for each open group, whether it may be repeated */
  const groups = [];
  for (let place = 0; place < signs.length; place++) {
    const sign = signs[place];
    const rest = signs.slice(place, place + 12).join('');
    const repetition = /^(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})/.exec(rest)?.[0];
    if (repetition) {
      if (!canRepeat) throw mistake();
      place += repetition.length - 1;
      const isLazy = signs[place + 1] === '?';
      if (isLazy) place++;
      if (!isLazy && signs[place + 1] === '+') throw unknown(`${repetition}+`);
      result += `${repetition}${isLazy ? '?' : ''}`;
      canRepeat = false;
      continue;
    }
    switch (sign) {
      case '\\': {
        const next = signs[++place];
        if (next === undefined) throw mistake();
        const members = classes.get(next.toLowerCase());
        if (isMark(next)) result += plain(next);
        else if (members && (next === next.toLowerCase() || 'DWS'.includes(next))) result += `[${next === next.toLowerCase() ? '' : '^'}${members}]`;
        else throw unknown(`\\${next}`);
        canRepeat = true;
        break;
      }
      case '[': {
        const end = characterClass(signs, place);
        result += end.text;
        place = end.place;
        canRepeat = true;
        break;
      }
      case '(': {
        const kind = signs[place + 1] === '?' ? signs.slice(place + 1, place + 3).join('') : '';
        if (!['', '?:', '?=', '?!'].includes(kind)) throw unknown(`(${kind}`);
        result += `(${kind}`;
        place += kind.length;
        groups.push(kind === '' || kind === '?:');
        canRepeat = false;
        break;
      }
      case ')': {
        const isOpen = groups.pop();
        if (isOpen === undefined) throw mistake();
        result += ')';
        canRepeat = isOpen;
        break;
      }
      case '|': case '^': case '$':
        result += sign;
        canRepeat = false;
        break;
      case '{': case '}': case ']': throw unknown(sign);
      case '.':
        result += '[^\\n\\v\\f\\r\\x85\\u2028\\u2029]';
        canRepeat = true;
        break;
      default:
        result += plain(sign);
        canRepeat = true;
    }
  }
  if (groups.length) throw mistake();
  return result;
}
/**
 * Reads characters in brackets.
 * @param {string[]} signs @param {number} start the place of the opening bracket
 */
function characterClass(signs, start) {
  let place = start + 1;
  let text = '[';
  if (signs[place] === '^') { text += '^'; place++; }
  // Whether the last member is one character, so that a range may begin with it.
  let isSingle = false;
  let count = 0;
  for (; signs[place] !== ']'; place++, count++) {
    const [sign, next] = [signs[place], signs[place + 1]];
    if (sign === undefined) throw new PatternError('this is not a regular expression');
    if (sign === '[') throw unknown('[ within brackets');
    if ('&-~'.includes(sign) && next === sign) throw unknown(`${sign}${sign}`);
    if (sign === '-' && isSingle && next !== ']') {
      text += '-';
      isSingle = false;
      continue;
    }
    if (sign === '\\') {
      place++;
      const members = next === undefined ? undefined : classes.get(next);
      if (members) text += members;
      else if (next !== undefined && isMark(next)) text += /[\\\]^-]/.test(next) || plain(next) !== next ? `\\${next}` : next;
      else throw unknown(`\\${next ?? ''} within brackets`);
      isSingle = !members;
    } else {
      text += sign === '-' || plain(sign) !== sign ? `\\${sign}` : sign;
      isSingle = true;
    }
  }
  if (count === 0) throw unknown('[]');
  return { text: `${text}]`, place };
}
// Times as people write them in queries, such as `5m ago`, `yesterday` or `14:02`, read as `xferlog query` reads them.
/** @type {[string, bigint][]} */
const spanUnits = [
  ['ns', 1n], ['us µs', 1000n], ['ms', 1000n ** 2n], ['s sec secs second seconds', 1000n ** 3n], ['m min mins minute minutes', 60n * 1000n ** 3n],
  ['h hr hour hours', 3600n * 1000n ** 3n], ['d day days', 86_400n * 1000n ** 3n], ['w week weeks', 604_800n * 1000n ** 3n],
];
const scales = new Map(spanUnits.flatMap(([names, scale]) => names.split(' ').map((name) => /** @type {[string, bigint]} */ ([name, scale]))));
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const latest = 2n ** 63n;
/**
 * The nanoseconds of a text such as `30s`, `1h30m` or `2 hours`; `null` for another text.
 * @param {string} text
 */
function span(text) {
  let rest = text.replace(/ /g, '');
  if (rest === '') return null;
  let total = 0n;
  while (rest !== '') {
    const found = /^(\d+)(?:\.(\d+))?([\p{L}µ]+)/u.exec(rest);
    const scale = found && scales.get(found[3]);
    if (!found || !scale) return null;
    total += (BigInt(found[1]) * 1000n ** 3n + BigInt((found[2] ?? '').slice(0, 9).padEnd(9, '0'))) * scale / 1000n ** 3n;
    rest = rest.slice(found[0].length);
  }
  return total < latest ? total : null;
}
/**
 * Returns a date with a time of day, in the zone that the page shows, as nanoseconds since 1970; `null` if the date does not exist.
 * @param {number[]} date year, month and day
 * @param {{ hour: number, minute: number, second: number, fraction: bigint, offset: number | null }} clock
 */
function moment([year, month, day], { hour, minute, second, fraction, offset }) {
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return null;
  const time = new Date(0);
  if (showsUTC() || offset !== null) {
    time.setUTCFullYear(year, month - 1, day);
    if (time.getUTCDate() !== day) return null;
    time.setUTCHours(hour, minute, second - (offset ?? 0));
  } else {
    time.setHours(0, 0, 0, 0);
    time.setFullYear(year, month - 1, day);
    if (time.getDate() !== day) return null;
    time.setHours(hour, minute, second);
  }
  const nanoseconds = BigInt(time.getTime()) * 1000n ** 2n + fraction;
  return nanoseconds < latest && nanoseconds >= -latest ? nanoseconds : null;
}
/**
 * A time of day such as `14:00` or `14:00:07.118`, with or without `Z` or an offset such as `+01:00`; `null` for another text.
 * @param {string} text
 */
function timeOfDay(text) {
  const found = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d+))?)? *(?:([Zz])|([-+])(\d\d):?(\d\d))?$/.exec(text);
  if (!found) return null;
  const [hours, minutes] = [Number(found[7] ?? 0), Number(found[8] ?? 0)];
  if (hours > 23 || minutes > 59) return null;
  return {
    hour: Number(found[1]), minute: Number(found[2]), second: Number(found[3] ?? 0), fraction: BigInt((found[4] ?? '').slice(0, 9).padEnd(9, '0')),
    offset: found[5] ? 0 : found[6] ? (hours * 3600 + minutes * 60) * (found[6] === '-' ? -1 : 1) : null,
  };
}
/**
 * The year, the month and the day in a zone, some days earlier than a time.
 * @param {number} time milliseconds since 1970
 * @param {number | null} offset the zone in seconds east of UTC; `null` means the zone that the page shows
 */
function dateOf(time, offset, daysAgo = 0) {
  if (offset === null && !showsUTC()) {
    const local = new Date(time);
    local.setDate(local.getDate() - daysAgo);
    return [local.getFullYear(), local.getMonth() + 1, local.getDate()];
  }
  const utc = new Date(time + (offset ?? 0) * 1000 - daysAgo * 86_400_000);
  return [utc.getUTCFullYear(), utc.getUTCMonth() + 1, utc.getUTCDate()];
}
const midnight = { hour: 0, minute: 0, second: 0, fraction: 0n, offset: null };
/**
 * Nanoseconds since 1970 of a time such as `5m ago`, `yesterday`, `friday`, `14:02` or `2026-11-20 14:02`; `null` for another text.
 * @param {string} text
 * @param {number} now milliseconds since 1970
 */
function timeExpression(text, now) {
  const trimmed = text.trim();
  const word = trimmed.toLowerCase();
  if (word === 'now') return BigInt(now) * 1000n ** 2n;
  const ago = { today: 0, yesterday: 1, tomorrow: -1 }[word];
  if (ago !== undefined) return moment(dateOf(now, null, ago), midnight);
  const weekday = weekdays.findIndex((name) => name === word || name.slice(0, 3) === word);
  if (weekday >= 0) return moment(dateOf(now, null, ((showsUTC() ? new Date(now).getUTCDay() : new Date(now).getDay()) - weekday + 7) % 7), midnight);
  const before = span(word.replace(/ago$/, '').replace(/^-/, ''));
  if (before !== null) return BigInt(now) * 1000n ** 2n - before;
  const found = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](.*))?$/.exec(trimmed);
  const clock = found ? (found[4] === undefined ? midnight : timeOfDay(found[4].trim())) : timeOfDay(trimmed);
  return clock && moment(found ? found.slice(1, 4).map(Number) : dateOf(now, clock.offset), clock);
}
// The tokens, values and comparisons of conditions in the query language, as `xferlog query` reads them.
/** @typedef {'yes' | 'no' | 'unknown'} Truth */
/** @typedef {{ kind: string, text: string, from: number, to: number }} Token */
/** @typedef {{ name: string, type: string, words: string[] | null }} Field */
/** @typedef {string | number | { hash: string } | { redacted: true } | { cut: string } | null | undefined} Reading */
/** @typedef {{ sign: string, values: (string | bigint)[], ignoresCase: boolean, ignoresMarks: boolean }} Comparison */
/** A mistake in a condition, with its place in the text. */
class FilterError extends Error {
  /** @param {string} problem @param {Token} token */
  constructor(problem, token) {
    super(token.from === token.to ? `${problem} (at the end)` : `${problem} (at character ${token.from + 1}: “${token.text}”)`);
  }
}
const signSpellings = ['~~=', '==', '!=', '<>', '<=', '=<', '>=', '=>', '!~', '~=', '?=', '&&', '||', '=', '<', '>', '~', '(', ')', '{', '}', ',', '|'];
const signMeanings = new Map([['~~=', '~'], ['==', '='], ['<>', '!='], ['=<', '<='], ['=>', '>='], ['&&', 'and'], ['||', 'or']]);
const comparisonSigns = new Set(['=', '!=', '<', '<=', '>', '>=', '~', '!~', '~=', '?=']);
/** @param {string} sign */
function isSpace(sign) { return sign <= ' ' || sign === '\u007f'; }
/** Splits a condition into tokens. */
class Tokens {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.place = 0;
  }
  skip() { while (this.place < this.text.length && isSpace(this.text[this.place])) this.place++; }
  /** @returns {Token} */
  peek() {
    const saved = this.place;
    const token = this.next();
    this.place = saved;
    return token;
  }
  /** @param {string} kind @param {string} text @param {number} from @returns {Token} */
  token(kind, text, from) { return { kind, text, from, to: this.place }; }
  /** @returns {Token} */
  next() {
    this.skip();
    const from = this.place;
    if (from >= this.text.length) return this.token('end', '', from);
    const sign = signSpellings.find((spelling) => this.text.startsWith(spelling, from));
    if (sign) {
      this.place += sign.length;
      return this.token(signMeanings.get(sign) ?? sign, sign, from);
    }
    const first = this.text[from];
    if (first === '"' || first === "'") return this.quoted(first);
    this.place++;
    if (first === '!') return this.token('not', '!', from);
    while (this.place < this.text.length && this.continuesWord(false)) this.place++;
    return this.token('word', this.text.slice(from, this.place), from);
  }
  /**
   * The value after a sign. Without quotation marks, it may contain signs.
   * @returns {Token}
   */
  nextValue() {
    this.skip();
    const from = this.place;
    if (from >= this.text.length || `"'`.includes(this.text[from]) || !this.continuesWord(true)) return this.next();
    while (this.place < this.text.length && this.continuesWord(true)) this.place++;
    return this.token('word', this.text.slice(from, this.place), from);
  }
  /** @param {boolean} isValue */
  continuesWord(isValue) {
    const [sign, next] = [this.text[this.place], this.text[this.place + 1] ?? ' '];
    if (sign === '&') return next !== '&';
    if (isValue) return !isSpace(sign) && !'(){},"|'.includes(sign);
    if (sign === '!') return !'=~'.includes(next);
    if (sign === '?') return next !== '=';
    return !isSpace(sign) && !`(){},"'=<>~|`.includes(sign);
  }
  /** @param {string} quote @returns {Token} */
  quoted(quote) {
    const from = this.place++;
    let content = '';
    for (; this.text[this.place] !== quote; this.place++) {
      if (this.place >= this.text.length) throw new FilterError('the quoted text does not end', this.token('string', this.text.slice(from), from));
      const next = this.text[this.place + 1];
      if (this.text[this.place] !== '\\' || next === undefined) { content += this.text[this.place]; continue; }
      this.place++;
      const meaning = { n: '\n', t: '\t', r: '\r', '\\': '\\', [quote]: quote }[next];
      // Other backslashes are kept, so that a regular expression needs no doubled ones.
      content += meaning ?? `\\${next}`;
    }
    this.place++;
    return { kind: 'string', text: content, from, to: this.place };
  }
  /**
   * Options such as `[cd]` directly after a sign.
   * @returns {string}
   */
  options() {
    const found = /^\[(cd|dc|c|d)\]/.exec(this.text.slice(this.place));
    this.place += found ? found[0].length : 0;
    return found ? found[1] : '';
  }
}
// Values
const byteUnits = new Map(/** @type {[string, bigint][]} */ ([['', 1n], ['b', 1n], ['kb', 1000n], ['mb', 1000n ** 2n], ['gb', 1000n ** 3n], ['tb', 1000n ** 4n],
  ['kib', 1024n], ['mib', 1024n ** 2n], ['gib', 1024n ** 3n], ['tib', 1024n ** 4n]]));
const timeUnits = new Map(/** @type {[string, bigint][]} */ ([['ns', 1n], ['us', 1000n], ['µs', 1000n], ['μs', 1000n], ['ms', 1000n ** 2n], ['s', 1000n ** 3n],
  ['sec', 1000n ** 3n], ['m', 60n * 1000n ** 3n], ['min', 60n * 1000n ** 3n], ['h', 3600n * 1000n ** 3n], ['d', 86_400n * 1000n ** 3n], ['w', 604_800n * 1000n ** 3n]]));
/**
 * A number with a unit, or a sum of several such as `1h30m`; `null` if the text is none.
 * @param {string} text @param {Map<string, bigint>} units @param {boolean} isSum
 */
function quantity(text, units, isSum) {
  let rest = text.toLowerCase().replace(/[ _]/g, '');
  const isNegative = rest.startsWith('-');
  rest = rest.replace(/^[-+]/, '');
  let [total, count] = [0n, 0];
  for (; rest !== ''; count++) {
    const found = /^(\d+)(?:\.(\d+))?([^\d.]*)/.exec(rest);
    const scale = found && units.get(found[3]);
    if (!found || scale === undefined || scale === null) return null;
    const digits = (found[2] ?? '').slice(0, 18);
    total += BigInt(found[1]) * scale + (digits ? BigInt(digits) * scale / 10n ** BigInt(digits.length) : 0n);
    rest = rest.slice(found[0].length);
  }
  if (count === 0 || count > 1 && !isSum || total >= 2n ** 63n) return null;
  return isNegative ? -total : total;
}
/**
 * Nanoseconds since 1970 of a time of RFC 3339 or of `@SECONDS`; `null` for another text.
 * @param {string} text
 */
function timeValue(text) {
  if (text.startsWith('@')) return /^[-\d.]+$/.test(text.slice(1)) ? quantity(`${text.slice(1)}s`, timeUnits, true) : null;
  const found = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([-+])(\d\d):(\d\d))$/.exec(text);
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59) return null;
  const offset = found[8] ? (Number(found[9]) * 60 + Number(found[10])) * (found[8] === '-' ? -60 : 60) : 0;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset;
  return BigInt(seconds) * 1000n ** 3n + BigInt((found[7] ?? '').slice(0, 9).padEnd(9, '0') || '0');
}
/** @param {Field} field */
function isNumber(field) { return ['number', 'bytes', 'duration', 'time'].includes(field.type); }
/**
 * A value of a field; `null` if the text is none.
 * @param {Field} field @param {string} text @returns {string | bigint | null}
 */
function literal(field, text) {
  switch (field.type) {
    case 'number': return /^[-+]?\d{1,19}$/.test(text) ? BigInt(text.replace('+', '')) : null;
    case 'bytes': return quantity(text, byteUnits, false);
    case 'duration': return text === '0' ? 0n : quantity(text, timeUnits, true);
    case 'time': return timeValue(text) ?? timeExpression(text, Date.now());
    case 'choice': return field.words?.find((word) => word === text) ?? field.words?.find((word) => word.toLowerCase() === text.toLowerCase()) ?? null;
    default: return text;
  }
}
/** @param {Field} field @returns {string} a clause that says how the field's values are written */
function howWritten(field) {
  switch (field.type) {
    case 'number': return 'a whole number, such as 404';
    case 'bytes': return 'a number of bytes, such as 10MB';
    case 'duration': return 'a duration, such as 2s or 1h30m';
    case 'time': return 'a time, such as 2026-11-20T14:02:07Z, 14:02, yesterday or 5m ago';
    case 'choice': return `one of ${(field.words ?? []).join(', ')}`;
    default: return 'a text';
  }
}
// Comparisons
/** @param {string} text @param {boolean} ignoresCase @param {boolean} ignoresMarks */
function folded(text, ignoresCase, ignoresMarks) {
  let result = ignoresMarks ? text.normalize('NFD').replace(/[\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20ff]/g, '') : text;
  result = ignoresCase ? result.toLowerCase() : result;
  return result.normalize('NFC');
}
/**
 * The order of the bytes of UTF-8, which is that of code points.
 * @param {string} one
 * @param {string} other
 */
function byteOrder(one, other) {
  const [first, second] = [Array.from(one), Array.from(other)];
  for (let place = 0; place < Math.min(first.length, second.length); place++) {
    const difference = (first[place].codePointAt(0) ?? 0) - (second[place].codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return first.length - second.length;
}
/**
 * A regular expression for a pattern of `*` and `?`, in which a backslash takes away their meaning.
 * @param {string} pattern
 */
function likePattern(pattern) {
  let source = '';
  const signs = Array.from(pattern);
  for (let place = 0; place < signs.length; place++) {
    const isEscaped = signs[place] === '\\' && place + 1 < signs.length;
    if (isEscaped) place++;
    if (!isEscaped && signs[place] === '*') source += '.*';
    else if (!isEscaped && signs[place] === '?') source += '.';
    else source += signs[place].replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
  return new RegExp(`^${source}$`, 'su');
}
/**
 * A function that tells whether a text passes a comparison that is not negated.
 * @param {Comparison} comparison
 * @returns {(text: string) => boolean}
 */
function textTest({ sign, values, ignoresCase, ignoresMarks }) {
  const fold = (/** @type {string} */ text) => folded(text, ignoresCase, ignoresMarks);
  const wanted = values.map((value) => fold(String(value)));
  const [first, second] = wanted;
  switch (sign) {
    case '=': case '!=': case '?=': return (text) => fold(text) === first;
    case '<': return (text) => byteOrder(fold(text), first) < 0;
    case '<=': return (text) => byteOrder(fold(text), first) <= 0;
    case '>': return (text) => byteOrder(fold(text), first) > 0;
    case '>=': return (text) => byteOrder(fold(text), first) >= 0;
    case 'between': return (text) => byteOrder(fold(text), first) >= 0 && byteOrder(fold(text), second) <= 0;
    case 'in': return (text) => wanted.includes(fold(text));
    case '~=': case 'contains': return (text) => fold(text).includes(first);
    case 'beginswith': return (text) => fold(text).startsWith(first);
    case 'endswith': return (text) => fold(text).endsWith(first);
    case 'like': { const pattern = likePattern(first); return (text) => pattern.test(fold(text)); }
    default: {
      const expression = pattern(ignoresMarks ? folded(String(values[0]), false, true) : String(values[0]), sign === 'matches', ignoresCase);
      return (text) => expression.test(ignoresMarks ? folded(text, false, true) : text.normalize('NFC'));
    }
  }
}
/** @param {Comparison} comparison @returns {(number: bigint) => boolean} */
function numberTest({ sign, values }) {
  const [first, second] = /** @type {bigint[]} */ (values);
  switch (sign) {
    case '<': return (number) => number < first;
    case '<=': return (number) => number <= first;
    case '>': return (number) => number > first;
    case '>=': return (number) => number >= first;
    case 'between': return (number) => number >= first && number <= second;
    case 'in': return (number) => values.includes(number);
    default: return (number) => number === first;
  }
}
/**
 * A function that answers a comparison for a value. A value that the report does not have answers nothing.
 * @param {Field} field @param {Comparison} comparison
 * @returns {(reading: Reading) => Truth}
 */
function comparisonTest(field, comparison) {
  const isNegated = comparison.sign === '!=' || comparison.sign === '!~';
  const truth = (/** @type {boolean} */ holds) => (holds !== isNegated ? 'yes' : 'no');
  const numbers = isNumber(field) ? numberTest(comparison) : null;
  const texts = numbers ? null : textTest(comparison);
  return (reading) => {
    if (reading === null || reading === undefined) return comparison.sign === '?=' ? 'yes' : 'no';
    if (typeof reading === 'object') {
      const isWhole = ['=', '!=', '?=', 'in'].includes(comparison.sign) && comparison.values.every((value) => String(value).startsWith('<mask.hash: '));
      return isWhole && 'hash' in reading ? truth(comparison.values.includes(`<mask.hash: ${reading.hash}>`)) : 'unknown';
    }
    return truth(numbers ? numbers(BigInt(reading)) : texts !== null && texts(String(reading)));
  };
}
// Filters of tasks: conditions of the query language about the fields of tasks, and texts in their events.
/** @typedef {import('./types').Task} Task */
/** @typedef {import('./types').Event} Event */
/** @typedef {import('./types').Model} Model */
/** @typedef {(task: Task) => boolean} Predicate */
/** @typedef {import('./query.js').Field & { read: (task: Task) => import('./query.js').Reading }} TaskField */
/** @typedef {(task: Task, event: Event | null) => import('./query.js').Truth} Condition */
/**
 * The time from the first to the last event of a task, in milliseconds; `null` if it is unknown.
 * @param {Task} task
 */
function taskDuration(task) {
  const [start, end] = [taskStart(task), taskEnd(task)];
  return start === null || end === null ? null : end - start;
}
/** The maximum nesting of parentheses and negations. */
const deepestFilter = 64;
/**
 * The fields of tasks by their names in lower case, with and without `task.`.
 * @param {Model} model
 */
function fieldsByName(model) {
  /** @type {Map<string, TaskField>} */
  const fields = new Map();
  /** @param {TaskField} field @param {string[]} names */
  const add = (field, names) => { for (const name of names) if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), field); };
  const described = model.report.taskFields ?? [];
  described.forEach(({ name, type, synonyms, words }, place) => {
    const read = name === 'task.path' ? (/** @type {Task} */ task) => pathOf(task, model) : (/** @type {Task} */ task) => task.values[place];
    add({ name, type, words, read }, [name, ...synonyms]);
  });
  for (const { name, synonyms } of described) {
    const field = /** @type {TaskField} */ (fields.get(name.toLowerCase()));
    add(field, [name, ...synonyms].map((full) => full.replace(/^task\./, '')));
  }
  add({ name: 'task', type: 'text', words: null, read: (task) => task.label }, ['task']);
  add({ name: 'findings', type: 'number', words: null, read: (task) => task.findings.length }, ['findings']);
  add({ name: 'duration', type: 'duration', words: null, read: (task) => nanoseconds(taskDuration(task)) }, ['duration']);
  return fields;
}
/** @param {number | null} milliseconds */
function nanoseconds(milliseconds) { return milliseconds === null ? null : Math.round(milliseconds * 1e6); }
/**
 * The path of a task's URL. Only events have it, with its private parts masked.
 * @param {Task} task
 * @param {Model} model
 */
function pathOf(task, model) {
  for (const event of task.events) {
    const place = event.shape.name === 'task.created' ? event.shape.fields.indexOf('path') : -1;
    if (place >= 0) return /** @type {import('./query.js').Reading} */ (model.texts[event.row[7 + place]] ?? null);
  }
  return null;
}
/**
 * The fields that a filter can name, for the note below it.
 * @param {Model} model
 */
function filterFields(model) { return ['task', ...(model.report.taskFields ?? []).map(({ name }) => name.replace(/^task\./, '')), 'findings', 'duration']; }
/**
 * Reads a filter such as `outcome=failed AND host CONTAINS[c] "example"`.
 * @param {string} query
 * @param {Model} model
 * @returns {Predicate}
 * @throws {FilterError} with a sentence for the user
 */
function parseFilter(query, model) {
  const fields = fieldsByName(model);
  const eventNames = new Set(model.report.eventNames ?? []);
  const tokens = new Tokens(query);
  let readsEvents = false;
  let depth = 0;
  /** @param {string} kind */
  function takes(kind) {
    const token = tokens.peek();
    if (token.kind !== kind && !(token.kind === 'word' && token.text.toLowerCase() === kind)) return false;
    tokens.next();
    return true;
  }
  function beginsTerm() {
    const token = tokens.peek();
    if (token.kind === 'word') return !['and', 'or'].includes(token.text.toLowerCase());
    return ['string', '(', '{', 'not'].includes(token.kind) || comparisonSigns.has(token.kind);
  }
  /** @returns {Condition} */
  function either() {
    const members = [both()];
    while (takes('or')) members.push(both());
    return (task, event) => combined(members, task, event, 'yes');
  }
  /** @returns {Condition} */
  function both() {
    const members = [negation()];
    for (;;) {
      if (takes('and') || beginsTerm()) members.push(negation());
      else return (task, event) => combined(members, task, event, 'no');
    }
  }
  /** @param {import('./query.js').Token} token */
  function descend(token) {
    if (++depth > deepestFilter) throw new FilterError(`more than ${deepestFilter} parentheses and negations are nested`, token);
  }
  /** @returns {Condition} */
  function negation() {
    const start = tokens.peek();
    if (!takes('not')) return primary();
    descend(start);
    const inner = negation();
    depth--;
    return (task, event) => opposite(inner(task, event));
  }
  /** @returns {Condition} */
  function primary() {
    const token = tokens.next();
    if (token.kind === '(') {
      descend(token);
      const inner = either();
      const close = tokens.next();
      if (close.kind !== ')') throw new FilterError('a closing parenthesis is missing', close);
      depth--;
      return inner;
    }
    if (token.kind === 'string') return reversed(token) ?? search(token.text);
    if (token.kind === 'word') return term(token);
    if (token.kind === 'end') throw new FilterError('a condition is missing', token);
    if (comparisonSigns.has(token.kind)) throw new FilterError('a field is missing before the sign', token);
    throw new FilterError('a condition was expected', token);
  }
  /** @param {import('./query.js').Token} token @returns {Condition} */
  function term(token) {
    const lower = token.text.toLowerCase();
    if (lower === 'exists' && tokens.peek().kind === '(') return existence();
    const found = comparison(token);
    if (found) return found;
    if (lower === '*' || lower === 'truepredicate') return () => 'yes';
    if (lower === 'falsepredicate') return () => 'no';
    if (['and', 'or', 'not'].includes(lower)) throw new FilterError('a condition was expected', token);
    return keyed(token) ?? (eventNames.has(token.text) ? named(token.text) : search(token.text));
  }
  /**
   * The events with a name.
   * @param {string} name
   * @returns {Condition}
   */
  function named(name) {
    readsEvents = true;
    return (_, event) => (event?.shape.name === name ? 'yes' : 'no');
  }
  /** @returns {Condition} */
  function existence() {
    tokens.next();
    const name = tokens.next();
    const named = field(name);
    const close = tokens.next();
    if (close.kind !== ')') throw new FilterError('a closing parenthesis is missing', close);
    return (task) => (named.read(task) === null || named.read(task) === undefined ? 'no' : 'yes');
  }
  /**
   * `key:value`, if the key is a field.
   * @param {import('./query.js').Token} token
   * @returns {Condition | null}
   */
  function keyed(token) {
    const colon = token.text.indexOf(':');
    const named = colon > 0 ? fields.get(token.text.slice(0, colon).toLowerCase()) : undefined;
    if (!named) return null;
    const value = token.text.slice(colon + 1);
    if (value !== '') return compared(named, '=', [valueOf(named, value, token)], '');
    if (tokens.text[tokens.place] !== '"' && tokens.text[tokens.place] !== "'") return null;
    const quoted = tokens.next();
    return compared(named, '=', [valueOf(named, quoted.text, quoted)], '');
  }
  /** @param {import('./query.js').Token} token @returns {TaskField} */
  function field(token) {
    const named = token.kind === 'word' ? fields.get(token.text.toLowerCase()) : undefined;
    if (!named) throw new FilterError('this is not a field of tasks; to search for a text, put it in quotation marks', token);
    return named;
  }
  /** @param {TaskField} named @param {string} text @param {import('./query.js').Token} token */
  function valueOf(named, text, token) {
    const value = literal(named, text);
    if (value === null) throw new FilterError(`this is not a value of ${named.name}, which is ${howWritten(named)}`, token);
    return value;
  }
  /** @param {import('./query.js').Token} token @returns {Condition | null} */
  function comparison(token) {
    const next = tokens.peek();
    if (comparisonSigns.has(next.kind)) {
      const named = field(token);
      tokens.next();
      const options = tokens.options();
      const value = operand();
      return signed(named, next, value.text, value, options);
    }
    if (next.kind !== 'word') return null;
    if (next.text.toLowerCase() === 'not') {
      const saved = tokens.place;
      const named = fields.get(token.text.toLowerCase());
      if (!named) return null;
      tokens.next();
      const inner = wordOperator(tokens.peek()) ? comparison(token) : null;
      if (!inner) { tokens.place = saved; return null; }
      // As with `!=`, the task must have the field.
      return (task, event) => (named.read(task) === null || named.read(task) === undefined ? 'no' : opposite(inner(task, event)));
    }
    const operator = wordOperator(next);
    if (!operator) return null;
    const named = field(token);
    tokens.next();
    return worded(named, operator.name, operator.options || separateOptions(), next);
  }
  /** @param {import('./query.js').Token} token */
  function wordOperator(token) {
    const found = token.kind === 'word' ? /^(contains|beginswith|endswith|like|matches|in|between)(?:\[(cd|dc|c|d)\])?$/i.exec(token.text) : null;
    return found && { name: found[1].toLowerCase(), options: (found[2] ?? '').toLowerCase() };
  }
  /** Options that white space separates from their operator, if a value follows them. */
  function separateOptions() {
    const saved = tokens.place;
    const found = /^\[(cd|dc|c|d)\]$/i.exec(tokens.next().text);
    if (found && ['string', '{', '('].includes(tokens.peek().kind)) return found[1].toLowerCase();
    tokens.place = saved;
    return '';
  }
  /** @returns {import('./query.js').Token} */
  function operand() {
    const value = tokens.nextValue();
    if (value.kind !== 'word' && value.kind !== 'string') throw new FilterError('a value is missing', value);
    return value;
  }
  /**
   * @param {TaskField} named @param {import('./query.js').Token} sign @param {string} text @param {import('./query.js').Token} place
   * @param {string} options @returns {Condition}
   */
  function signed(named, sign, text, place, options) {
    const isOrder = ['<', '<=', '>', '>='].includes(sign.kind);
    if (isOrder && !isNumber(named) && named.type !== 'text') throw new FilterError(`${named.name} has no order; compare it with = or !=`, sign);
    if (options && (isOrder || isNumber(named))) throw new FilterError('[c] and [d] apply only to texts, and not to < and >', sign);
    const isText = ['~', '!~', '~='].includes(sign.kind);
    if (isText && isNumber(named)) throw new FilterError(`${named.name} is ${howWritten(named)}, not a text`, sign);
    return compared(named, sign.kind, [isText ? text : valueOf(named, text, place)], options, place);
  }
  /** @param {TaskField} named @param {string} name @param {string} options @param {import('./query.js').Token} token @returns {Condition} */
  function worded(named, name, options, token) {
    if (name === 'in') {
      if (options && isNumber(named)) throw new FilterError('[c] and [d] apply only to texts', token);
      return compared(named, 'in', list(named), options);
    }
    if (name === 'between') {
      if (options || !isNumber(named) && named.type !== 'text') throw new FilterError('BETWEEN needs a field whose values have an order, and no brackets', token);
      const values = list(named);
      if (values.length !== 2) throw new FilterError('BETWEEN needs two values', token);
      return compared(named, 'between', values, '');
    }
    if (isNumber(named)) throw new FilterError(`${named.name} is ${howWritten(named)}, not a text`, token);
    const value = operand();
    return compared(named, name, [value.text], options, value);
  }
  /**
   * A list such as `{"a", "b"}`.
   * @param {TaskField} named
   */
  function list(named) {
    const open = tokens.next();
    if (open.kind !== '{' && open.kind !== '(') throw new FilterError('a list such as {200, 206} was expected', open);
    const values = [];
    for (;;) {
      const value = operand();
      values.push(valueOf(named, value.text, value));
      const next = tokens.next();
      if (next.kind === (open.kind === '{' ? '}' : ')')) return values;
      if (next.kind !== ',') throw new FilterError('a comma or the end of the list was expected', next);
    }
  }
  /**
   * A comparison whose value comes first, such as `"failed" == outcome`.
   * @param {import('./query.js').Token} token
   * @returns {Condition | null}
   */
  function reversed(token) {
    const sign = tokens.peek();
    if (!comparisonSigns.has(sign.kind)) return null;
    tokens.next();
    const options = tokens.options();
    const named = field(tokens.next());
    const mirrored = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=', '!=': '!=' }[sign.kind];
    if (mirrored === undefined) throw new FilterError('the field must come first', sign);
    return signed(named, { ...sign, kind: mirrored }, token.text, token, options);
  }
  /**
   * @param {TaskField} named @param {string} sign @param {(string | bigint)[]} values @param {string} options
   * @param {import('./query.js').Token} [place] the value's place @returns {Condition}
   */
  function compared(named, sign, values, options, place) {
    try {
      const test = comparisonTest(named, { sign, values, ignoresCase: options.includes('c'), ignoresMarks: options.includes('d') });
      return (task) => test(named.read(task));
    } catch (error) {
      throw error instanceof PatternError ? new FilterError(error.message, place ?? tokens.peek()) : error;
    }
  }
  /**
   * A text in an event of the task. Case counts only if the text has an uppercase letter.
   * @param {string} text
   * @returns {Condition}
   */
  function search(text) {
    readsEvents = true;
    const ignoresCase = text === text.toLowerCase();
    const wanted = text.normalize('NFC');
    const has = (/** @type {string} */ value) => (ignoresCase ? value.toLowerCase() : value).normalize('NFC').includes(wanted);
    return (task, event) => {
      if (!event) return 'no';
      if (has(`${task.label} ${event.shape.name} ${eventText(event, model)}`)) return 'yes';
      return event.shape.fields.some((_, place) => has(valueText(event.row[7 + place], event.shape.letters[place], model))) ? 'yes' : 'no';
    };
  }
  if (tokens.peek().kind === 'end') return () => true;
  const condition = either();
  const rest = tokens.next();
  if (rest.kind !== 'end') throw new FilterError(rest.kind === '|' ? 'a filter has no stages' : 'the filter should end here', rest);
  // A query selects events, and the tasks of these events.
  return (task) => (readsEvents ? task.events.some((event) => condition(task, event) === 'yes') : condition(task, null) === 'yes');
}
/** @param {import('./query.js').Truth} truth @returns {import('./query.js').Truth} */
function opposite(truth) { return truth === 'yes' ? 'no' : truth === 'no' ? 'yes' : 'unknown'; }
/**
 * The answer of several conditions: `deciding` if one of them gives it, else unknown if one of them is, else the opposite.
 * @param {Condition[]} members @param {Task} task @param {Event | null} event @param {'yes' | 'no'} deciding
 * @returns {import('./query.js').Truth}
 */
function combined(members, task, event, deciding) {
  const answers = members.map((member) => member(task, event));
  return answers.includes(deciding) ? deciding : answers.includes('unknown') ? 'unknown' : opposite(deciding);
}
// What the user has selected. Every panel shows it.
/**
 * @typedef {object} Selection
 * @property {import('./types').Event | null} event
 * @property {import('./types').Task | null} task
 * @property {number} finding the index of a finding, or -1
 * @property {{ from: number, to: number } | null} range
 */
/** @typedef {'event' | 'task' | 'finding' | 'range' | 'zone' | 'model'} Change the model changes only in a page that a program serves */
class State {
  constructor() {
    /** @type {Selection} */
    this.selection = { event: null, task: null, finding: -1, range: null };
    /** @type {((change: Change[]) => void)[]} */
    this.observers = [];
  }
  /** @param {(change: Change[]) => void} observer called after each change, with the names of what changed */
  observe(observer) { this.observers.push(observer); }
  /** @param {Partial<Selection>} changes */
  select(changes) {
    const names = /** @type {Change[]} */ (Object.keys(changes));
    Object.assign(this.selection, changes);
    this.notify(names);
  }
  /** @param {Change[]} names */
  notify(names) { for (const observer of this.observers) observer(names); }
}
// Keeps the focus and the scroll positions of a part of the page whose contents are made again.
/** @param {Element} part */
function controlsIn(part) { return [...part.querySelectorAll('button, input, select, textarea, summary, [tabindex]')]; }
/** @param {Element} control */
function nameOf(control) { return `${control.tagName} ${control.getAttribute('aria-label') ?? control.textContent}`; }
/**
 * Notes which control within a part has the focus.
 * @param {Element} part
 * @returns {(next: Element) => void} gives the focus to the same control of the new contents
 */
function focusIn(part) {
  const control = document.activeElement;
  if (!control || control === part || !part.contains(control)) return () => {};
  const name = nameOf(control);
  // Several controls may have the same name.
  const place = controlsIn(part).filter((entry) => nameOf(entry) === name).indexOf(control);
  return (next) => {
    if (control.isConnected && document.activeElement === control) return;
    const same = next.contains(control) ? control : controlsIn(next).filter((entry) => nameOf(entry) === name)[place];
    if (same instanceof HTMLElement) same.focus({ preventScroll: true });
  };
}
/**
 * Notes the focus, the open details and the scroll positions within a part.
 * @param {Element} part
 * @returns {(next: Element) => void} restores them in the new contents
 */
function placeIn(part) {
  const focus = focusIn(part);
  const boxes = (/** @type {Element} */ root) => [root, ...root.querySelectorAll('.scroll, pre')];
  const scrolled = boxes(part).map((box) => [box.scrollLeft, box.scrollTop]);
  const open = [...part.querySelectorAll('details')].map((details) => details.open);
  return (next) => {
    next.querySelectorAll('details').forEach((details, place) => { details.open = open[place] ?? false; });
    boxes(next).forEach((box, place) => { if (scrolled[place]) [box.scrollLeft, box.scrollTop] = scrolled[place]; });
    focus(next);
  };
}
/**
 * A part of the page that is made again when the model changes.
 * @param {import('./state.js').State} state
 * @param {() => HTMLElement | null} make returns `null` while there is nothing to show
 * @returns {Node}
 */
function renewed(state, make) {
  /** @type {HTMLElement | Comment} */
  let shown = make() ?? document.createComment('');
  state.observe((names) => {
    if (!names.includes('model')) return;
    const next = make() ?? document.createComment('');
    const restore = shown instanceof HTMLElement ? placeIn(shown) : () => {};
    shown.replaceWith(next);
    shown = next;
    if (next instanceof HTMLElement) restore(next);
  });
  return shown;
}
// Drawing of the timeline. The level of detail follows from the scale: parts narrower than a pixel are joined.
/** @typedef {import('./types').Track} Track */
const rowHeight = 22;
const axisHeight = 26;
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
function palette() {
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
class Painter {
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
function firstAfter(events, time, from = 0) {
  let [low, high] = [from, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle].time ?? -Infinity) < time) low = middle + 1; else high = middle;
  }
  return low;
}
// Links to a selection, in the fragment of the page's address.
/**
 * The fragment for a selection; empty if nothing is selected.
 * @param {import('./state.js').Selection} selection
 */
function fragmentOf(selection) {
  const parts = new URLSearchParams();
  if (selection.finding >= 0) parts.set('finding', String(selection.finding));
  if (selection.task) parts.set('task', selection.task.uid);
  if (selection.event) parts.set('event', eventKey(selection.event));
  if (selection.range) parts.set('t', `${selection.range.from.toFixed(3)},${selection.range.to.toFixed(3)}`);
  return parts.toString();
}
/**
 * Keeps the fragment and the selection the same.
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 * @param {(finding: number) => void} reveal
 */
function linkSelection(model, state, reveal) {
  let written = '';
  state.observe(() => {
    const fragment = fragmentOf(state.selection);
    if (fragment === written) return;
    written = fragment;
    // A browser may refuse this for a page without an origin; the selection then has no link.
    try { history.replaceState(null, '', `#${fragment}`); } catch { /* no link */ }
  });
  function follow() {
    const fragment = location.hash.slice(1);
    if (fragment === '' || fragment === written) return;
    const parts = new URLSearchParams(fragment);
    const number = Number(parts.get('finding') ?? NaN);
    if (Number.isInteger(number) && model.report.findings[number]) reveal(number);
    const task = model.taskOf.get(parts.get('task') ?? '') ?? null;
    const key = parts.get('event');
    const event = key === null ? null : model.events.find((entry) => eventKey(entry) === key) ?? null;
    const [from, to] = (parts.get('t') ?? '').split(',').map(Number);
    const range = Number.isFinite(from) && Number.isFinite(to) && from <= to ? { from, to } : null;
    if (task || event || range) state.select({ task, event, range });
  }
  addEventListener('hashchange', follow);
  follow();
}
// A finding as Markdown for an issue.
/**
 * Text that Markdown shows as it is. A service looks for `@names`, `#1`, `:emoji:` and `$formulas$` after it has read escapes, but within
 * one element at a time, so these characters are in elements of their own.
 * @param {string} text
 */
function escapeMarkdown(text) {
  return visible(text.replace(/[\t\n\r]/g, ' ')).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
    .replace(/[\\`*_[\]|~!]/g, (sign) => `\\${sign}`)
    .replace(/[@#$]|:(?=[\p{L}/+_-])/gu, (sign) => `<span>${sign}</span>`).replace(/(www)\./gi, '$1<span>.</span>');
}
/**
 * @param {number} place the index of the finding
 * @param {import('./types').Model} model
 */
function findingMarkdown(place, model) {
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
function copyButton(name, text) {
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
// The verdict, the figures, and what the log leaves unknown.
/** @typedef {import('./types').Model} Model */
/**
 * @param {Element} header
 * @param {Model} model
 * @param {import('./state.js').State} state
 */
function showHeader(header, model, state) {
  const list = el('dl', { class: 'facts' });
  const badge = el('p', { class: 'badge' });
  const zone = el('button', {
    type: 'button', class: 'quiet', click: () => { showUTC(!showsUTC()); state.notify(['zone']); },
  });
  const links = el('nav', { 'aria-label': 'Sections' });
  /** @type {Map<string, HTMLElement>} */
  const buttons = new Map();
  function show() {
    const { report } = model;
    const facts = [
      ['Verdict', report.verdict], ['Exit code', `${report.exitCode} (${report.exitWord})`],
      ['Log', `${report.title}, ${counted(report.events, 'event')}`],
      ['Tasks', countText(model.tasks.length)], ['Findings', countText(report.findingCount)],
      ['Time', report.events ? `${dateText(model.begin)}, ${durationText(model.end - model.begin)}` : 'unknown'],
    ];
    fill(list, ...facts.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
    fill(badge, el('span', { class: `mark mark-${report.verdict}`, 'aria-hidden': true }), report.verdict);
    zone.textContent = showsUTC() ? 'Show local times' : 'Show times in UTC';
    const missing = { comparison: !report.comparison, requests: !model.tasks.some((task) => task.attempts.length) };
    for (const [id, isMissing] of Object.entries(missing)) buttons.get(id)?.toggleAttribute('hidden', isMissing);
  }
  for (const [id, name] of [['findings', 'Findings'], ['unknown', 'Unknown'], ['comparison', 'Differences'], ['timeline', 'Timeline'], ['sequence', 'Messages'], ['tasks', 'Tasks'], ['requests', 'Requests'], ['log', 'Log'], ['about', 'About']]) {
    const button = el('button', {
      type: 'button', class: 'quiet', click: () => {
        const title = document.getElementById(`${id}-title`);
        title?.scrollIntoView();
        title?.focus({ preventScroll: true });
      },
    }, name);
    buttons.set(id, button);
    add(links, button);
  }
  show();
  state.observe((names) => {
    if (names.includes('zone') || names.includes('model')) show();
    if (!names.includes('model')) return;
    const sentence = document.getElementById('sentence');
    if (sentence) fill(sentence, model.report.sentence);
    document.title = `${visible(model.report.title)} – xferlog report`;
  });
  header.prepend(badge);
  add(links, zone);
  add(header, list, links);
}
/** @param {import('./types').Capture[]} captures */
function capturesOf(captures) {
  const list = el('ul', { class: 'captures' });
  for (const capture of captures) {
    add(list, el('li', {}, `${capture.capture}.`, capture.command ? el('pre', { tabindex: 0 }, capture.command) : null));
  }
  return captures.length ? list : null;
}
/** @param {Model} model */
function unknownSection(model) {
  const { report } = model;
  const list = el('ul', { class: 'plain' });
  if (report.omission) add(list, el('li', {}, report.omission));
  for (const reason of report.incompleteBecause) add(list, el('li', {}, `The log is incomplete: ${reason}.`));
  for (const input of report.inputs) if (input.error) add(list, el('li', {}, `${input.path} could not be read: ${input.error}`));
  for (const question of report.undecided.slice(0, 200)) {
    add(list, el('li', {}, el('code', {}, question.rule), ` could not be decided${question.count > 1 ? ` for ${countText(question.count)} subjects` : ''}: it needs ${question.needs}.`,
      capturesOf(question.decide)));
  }
  if (!report.events) add(list, el('li', {}, 'The log has no events, so nothing is known about transfers.'));
  const isEmpty = list.childElementCount === 0;
  return section('unknown', 'What this report cannot know', isEmpty
    ? el('p', { class: 'calm' }, 'Nothing: the log is complete, and every rule could decide.') : list);
}
/** @param {Model} model */
function aboutSection(model) {
  const { report } = model;
  const rows = el('tbody');
  for (const input of report.inputs) {
    add(rows, el('tr', {}, el('th', { scope: 'row' }, input.path), el('td', {}, input.format), el('td', {}, countText(input.events)),
      el('td', {}, input.complete ? 'complete' : 'incomplete')));
  }
  const inputs = el('table', {}, el('thead', {}, el('tr', {}, ...['Input', 'Format', 'Events', ''].map((name) => el('th', { scope: 'col' }, name)))), rows);
  const processes = el('tbody');
  for (const process of report.processes.slice(0, 500)) {
    const ended = process.end === 'exit' || process.end === 'closed' ? `exit ${process.code ?? ''}` : process.end === 'signal' ? `signal ${process.signal ?? ''}` : process.end;
    add(processes, el('tr', {}, el('th', { scope: 'row' }, process.executable ?? process.role ?? 'process'), el('td', {}, process.role ?? '–'),
      el('td', {}, process.pid ?? '–'), el('td', {}, dateText(parseTime(process.started))), el('td', {}, ended)));
  }
  const lives = el('table', {}, el('thead', {}, el('tr', {}, ...['Process', 'Role', 'Process id', 'Started', 'End'].map((name) => el('th', { scope: 'col' }, name)))), processes);
  return section('about', 'About this report', el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Inputs' }, inputs),
    el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Processes' }, lives),
    el('p', {}, `Made by xferlog ${report.version} at ${dateText(parseTime(report.created))}. `, el('code', {}, 'xferlog replay'), ' reads the log in this file again.'));
}
// What differs from another run, for a report made with --against.
/** @typedef {{ uid: string, session: string, number: number, request: string, outcome: string, reason: string | null }} TaskRun */
/** @param {TaskRun | null} run */
function outcome(run) { return run ? `${run.outcome}${run.reason ? ` (${run.reason})` : ''}` : '–'; }
/** @param {any} finding */
function findingText(finding) { return `${finding.run === 'first' ? 'only before' : 'only now'}: ${finding.severity} ${finding.rule} (${finding.certainty}): ${finding.summary}`; }
/** @param {any} time a time in both runs, in nanoseconds */
function timeChange(time) {
  const noise = time.noise === undefined ? '' : ` (noise ±${durationText(time.noise / 1e6)})`;
  return `${time.stage}: ${durationText(time.first / 1e6)} → ${durationText(time.second / 1e6)}${noise}`;
}
/**
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
function comparisonSection(model, state) {
  const comparison = model.report.comparison;
  if (!comparison) return null;
  const list = el('ol', { class: 'findings' });
  for (const shift of comparison.shifts) {
    add(list, el('li', { class: 'finding difference' }, `All ${countText(shift.tasks)} tasks: ${timeChange(shift)}`));
  }
  for (const finding of comparison.findings) add(list, el('li', { class: 'finding difference' }, findingText(finding)));
  for (const change of comparison.tasks.slice(0, 500)) add(list, taskChange(change, model, state));
  const rest = comparison.tasks.length - 500;
  return section('comparison', 'Differences from the other run',
    el('p', {}, `${comparison.first.name} (before) and ${comparison.second.name} (this report): ${comparison.summary}.`),
    ...[comparison.first, comparison.second].flatMap((run) => run.incompleteBecause.map((/** @type {string} */ reason) => el('p', { class: 'faint' }, `${run.name} is incomplete: ${reason}.`))),
    list.childElementCount ? list : null, rest > 0 && el('p', {}, `${countText(rest)} more tasks differ; xferlog diff lists all of them.`));
}
/**
 * @param {any} change
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
function taskChange(change, model, state) {
  const [first, second] = /** @type {(TaskRun | null)[]} */ ([change.first, change.second]);
  const task = second ? model.taskOf.get(second.uid) ?? null : null;
  const label = [first, second].map((run) => (run ? `${run.session}/${run.number}` : '')).filter((name) => name !== '').join(' → ');
  const facts = el('dl', { class: 'pairs' });
  const pair = (/** @type {string} */ name, /** @type {import('./dom.js').Child} */ value) => add(facts, el('dt', {}, name), el('dd', {}, value));
  if (!first || !second) pair('Only', first ? 'before' : 'now');
  if (!first || !second || change.outcomeChanged) pair('Outcome', `${outcome(first)} → ${outcome(second)}`);
  if (change.lostStates.length) pair('No longer', change.lostStates.join(', '));
  if (change.newStates.length) pair('New', change.newStates.join(', '));
  for (const time of change.times) pair('Time', timeChange(time));
  for (const finding of change.findings) pair('Finding', findingText(finding));
  const title = `${(second ?? first)?.request ?? ''}  ${label}`;
  return el('li', { class: 'finding difference' }, task
    ? el('button', { type: 'button', class: 'link', click: () => state.select({ task, event: task.events[0] ?? null }) }, title) : el('strong', {}, title), facts);
}
// The findings, grouped by fingerprint.
/** @typedef {import('./types').Model} Model */
/**
 * @param {Model} model
 * @param {import('./state.js').State} state
 * @param {(finding: number) => void} reveal shows a finding in the timeline
 */
function findingsSection(model, state, reveal) {
  const list = el('ol', { class: 'findings' });
  const none = el('p', { class: 'calm' }, 'No rule reported anything.');
  const more = el('p');
  /** @type {Map<string, { contents: string, item: HTMLElement }>} the shown groups by fingerprint */
  let shown = new Map();
  /** @type {Set<string>} the fingerprints of groups with visible details */
  const open = new Set();
  function show() {
    const { groups, findings, findingCount } = model.report;
    const next = new Map();
    for (const group of groups) {
      if (!group.members.length) continue;
      // The item of a group without changes stays, with everything that the user did in it.
      const contents = contentsOf(group, model);
      const known = shown.get(group.fingerprint);
      next.set(group.fingerprint, known?.contents === contents ? known : { contents, item: groupItem(group, model, state, reveal, open) });
    }
    shown = next;
    const items = [...shown.values()].map((entry) => entry.item);
    if (items.length !== list.childElementCount || items.some((item, place) => item !== list.children[place])) {
      const restore = focusIn(list);
      list.replaceChildren(...items);
      restore(list);
    }
    list.hidden = items.length === 0;
    none.hidden = items.length > 0;
    const hidden = findingCount - findings.length;
    more.hidden = hidden <= 0;
    more.textContent = `${countText(hidden)} more findings of the same kinds are not shown; xferlog replay lists all of them.`;
  }
  show();
  state.observe((names) => { if (names.includes('zone') || names.includes('model')) show(); });
  return section('findings', 'Findings', list, none, more);
}
/**
 * A text that changes with everything that the item of a group shows.
 * @param {import('./types').Group} group
 * @param {Model} model
 */
function contentsOf(group, model) {
  const members = group.members.map((place) => model.report.findings[place]);
  return JSON.stringify([group, members, members.map((finding) => [
    finding.evidence.map((evidence) => model.evidence.has(sourceKey(evidence.source))),
    finding.causedBy === null ? null : model.report.findings[finding.causedBy]?.summary,
  ]), showsUTC()]);
}
/**
 * @param {import('./types').Group} group
 * @param {Model} model
 * @param {import('./state.js').State} state
 * @param {(finding: number) => void} reveal
 * @param {Set<string>} opened the fingerprints of groups with visible details
 */
function groupItem(group, model, state, reveal, opened) {
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
    if (isOpen) opened.add(group.fingerprint); else opened.delete(group.fingerprint);
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
  if (opened.has(group.fingerprint)) open(true);
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
    const key = sourceKey(evidence.source);
    const time = parseTime(evidence.time);
    const since = begin !== null && time !== null && time > begin ? ` +${durationText(time - begin)}` : '';
    const text = `${timeText(time)}${since}  ${evidence.event}`;
    const select = () => {
      const event = model.evidence.get(key);
      if (event) state.select({ event, task: event.task });
    };
    add(chain, el('li', {}, model.evidence.has(key) ? el('button', { type: 'button', class: 'link', click: select }, text) : text));
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
// The selected event with its fields.
/**
 * The state before and after an event.
 * @param {import('./types').StateChange[]} changes
 */
function changesTable(changes) {
  const body = el('tbody');
  for (const [kind, name, manner, fields] of changes) {
    add(body, el('tr', { class: 'group' }, el('th', { scope: 'rowgroup' }, `${kind} ${name}`), el('td', {}, ''), el('td', {}, manner)));
    for (const [field, before, after] of fields) {
      add(body, el('tr', {}, el('th', { scope: 'row' }, field), el('td', { class: 'before' }, before ?? '–'), el('td', { class: 'after' }, after ?? '–')));
    }
  }
  return el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'State before and after' }, el('table', { class: 'changes' },
    el('caption', {}, 'State before and after this event'),
    el('thead', {}, el('tr', {}, ...['', 'Before', 'After'].map((title) => el('th', { scope: 'col' }, title)))), body));
}
/**
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
function detailsPanel(model, state) {
  const panel = el('aside', { class: 'details', 'aria-label': 'Selected event', 'aria-live': 'polite' });
  let timer = 0;
  // How many times faster than recorded the events are played; 0 plays them in even steps.
  let speed = 0;
  function stop() {
    clearTimeout(timer);
    timer = 0;
    panel.setAttribute('aria-live', 'polite');
  }
  /** Selects the next event when its time has come, at the chosen speed. */
  function play() {
    const { event } = state.selection;
    const next = neighbour(1);
    if (!event || !next) {
      stop();
      return show();
    }
    panel.setAttribute('aria-live', 'off');
    const gap = event.time !== null && next.time !== null ? next.time - event.time : 0;
    timer = setTimeout(() => {
      state.select({ event: next, task: next.task });
      play();
    }, speed === 0 ? 350 : Math.min(5000, Math.max(20, gap / speed)));
  }
  function player() {
    const choice = el('select', { 'aria-label': 'Speed', change: () => { speed = Number(choice.value); } },
      ...[['0', 'even steps'], ['1', 'real time'], ['0.1', '10 times slower'], ['10', '10 times faster'], ['100', '100 times faster']]
        .map(([value, name]) => el('option', { value }, name)));
    choice.value = String(speed);
    return [el('button', {
      type: 'button', 'data-play': true, click: () => {
        if (timer) stop(); else play();
        show();
        /** @type {HTMLElement | null} */ (panel.querySelector('[data-play]'))?.focus();
      },
    }, timer ? 'Stop' : 'Play'), choice];
  }
  /**
   * The event before or after the selected one, of the same task if it has one.
   * @param {number} by
   */
  function neighbour(by) {
    const { event } = state.selection;
    if (!event) return undefined;
    return event.task ? event.task.events[event.task.events.indexOf(event) + by] : model.events[event.index + by];
  }
  function show() {
    const next = /** @type {Element} */ (panel.cloneNode(false));
    draw(next);
    if (next.isEqualNode(panel)) return;
    const restore = focusIn(panel);
    panel.replaceChildren(...next.childNodes);
    restore(panel);
  }
  /** @param {Element} target */
  function draw(target) {
    const { event } = state.selection;
    if (!event) return fill(target, el('p', { class: 'faint' }, 'Select an event in the timeline or in the log.'));
    const { shape } = event;
    const step = (/** @type {number} */ by, /** @type {string} */ name) => el('button', {
      type: 'button', disabled: !neighbour(by), click: () => {
        const next = neighbour(by);
        if (next) state.select({ event: next, task: next.task });
        /** @type {HTMLElement | null} */ (panel.querySelector(`[data-step="${by}"]:not([disabled])`) ?? panel.querySelector('[data-step]:not([disabled])'))?.focus();
      }, 'data-step': by,
    }, name);
    const facts = el('dl', { class: 'pairs' });
    const pair = (/** @type {string} */ name, /** @type {import('./dom.js').Child} */ value) => add(facts, el('dt', {}, name), el('dd', {}, value));
    pair('Time', dateText(event.time));
    pair('Writer', `${event.file.executable?.split('/').pop() ?? event.file.role ?? 'unknown'}${event.file.pid === null ? '' : ` ${event.file.pid}`}`);
    pair('Place', el('code', {}, eventKey(event)));
    if (event.task) pair('Task', event.task.label);
    shape.fields.forEach((name, field) => { if (name !== 'task') pair(name, valueText(event.row[7 + field], shape.letters[field], model)); });
    const changes = model.changes.get(eventKey(event));
    fill(target, el('p', {}, el('span', { class: `level level-${shape.level}` }, shape.level), ' ', el('strong', {}, shape.name)),
      el('p', {}, eventText(event, model)),
      el('p', { class: 'steps' }, step(-1, event.task ? 'Previous of this task' : 'Previous'), step(1, event.task ? 'Next of this task' : 'Next'), ...player()), facts, changes ? changesTable(changes) : null);
  }
  state.observe((names) => {
    if (names.includes('model') && timer) { clearTimeout(timer); play(); }
    if (names.includes('event') || names.includes('zone') || names.includes('model')) show();
  });
  show();
  return panel;
}
// The rows of the timeline: device, processes, sessions and tasks.
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
function buildTracks(model) {
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
function missingTime(finding, missing, model) {
  const due = parseTime(missing.dueBy);
  if (due !== null) return due;
  const last = finding.evidence[finding.evidence.length - 1];
  return parseTime(last?.time) ?? model.end;
}
// The timeline: moving, zooming, selecting, and showing where a missing event was due.
/** @typedef {import('./types').Model} Model */
/**
 * @param {Model} model
 * @param {import('./state.js').State} state
 */
function timelineSection(model, state) {
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
// The messages of one task between app code, app, daemon and server.
/** @typedef {import('./types').Event} Event */
/** @typedef {import('./types').Model} Model */
/** The places between which messages go, from left to right. */
const lanes = ['App code', 'App', 'Daemon', 'Server'];
/**
 * The lanes between which an event is a message; two equal ones for an event at one place.
 * @param {Event} event
 * @param {boolean} hasDaemon
 * @returns {[number, number]}
 */
function way(event, hasDaemon) {
  const engine = hasDaemon ? 2 : 1;
  const own = event.file.role === 'daemon' ? 2 : 1;
  const { name } = event.shape;
  switch (name) {
    case 'task.created': case 'task.resumed': case 'task.suspended': case 'task.cancelRequested': return [0, own];
    case 'task.adopted': case 'task.delayAsked': return [1, engine];
    case 'attempt.requestSent': case 'attempt.bytesSent': return [engine, 3];
    case 'attempt.responseReceived': case 'attempt.bytesReceived': case 'attempt.redirectReceived': case 'attempt.challengeReceived': return [3, engine];
    case 'delivery.sent': return hasDaemon && own === 2 ? [2, 1] : [1, 1];
    case 'delivery.entered': return [1, 0];
    case 'delivery.left': return [0, 1];
    case 'task.acknowledged': return own === 2 ? [1, 2] : [0, 1];
    case 'file.claimed': case 'app.outcomeRecorded': case 'app.intentBound': case 'app.noted': return [0, 0];
    default: return [own, own];
  }
}
/**
 * How far the clocks of the writers of some events may differ: the limits that follow from messages between them, in milliseconds.
 * Writers of one boot share a clock.
 * @param {Event[]} events
 * @param {Model} model
 */
function clockUncertainty(events, model) {
  const boots = new Set();
  const writers = new Set(events.map((event) => event.file.launch ?? event.file.number));
  let isKnown = true;
  for (const event of events) {
    const process = model.report.processes.find((entry) => entry.launch !== null && entry.launch === event.file.launch);
    if (process?.boot && event.mono !== null) boots.add(process.boot); else isKnown = false;
  }
  if (writers.size <= 1 || (isKnown && boots.size <= 1)) return { isShared: true, low: 0, high: 0 };
  // A message arrives after it was sent. Both directions limit the difference of the clocks.
  let [low, high] = [-Infinity, Infinity];
  const sent = new Map();
  for (const event of events) {
    const delivery = fieldOf(event, 'delivery', model);
    if (event.time === null || delivery === undefined) continue;
    if (event.shape.name === 'delivery.sent' || event.shape.name === 'delivery.left') sent.set(`${event.shape.name} ${delivery}`, event);
    const answered = { 'delivery.received': 'delivery.sent', 'task.acknowledged': 'delivery.left' }[event.shape.name];
    const cause = answered && sent.get(`${answered} ${delivery}`);
    if (!cause || cause.file.launch === event.file.launch) continue;
    if (answered === 'delivery.sent') high = Math.min(high, event.time - cause.time); else low = Math.max(low, -(event.time - cause.time));
  }
  return { isShared: false, low, high };
}
/**
 * @param {Model} model
 * @param {import('./state.js').State} state
 */
function sequenceSection(model, state) {
  const box = el('div', { class: 'sequence-box', tabindex: 0, role: 'group', 'aria-label': 'Messages of the selected task' });
  const note = el('p', { class: 'faint', role: 'status' });
  const most = 400;
  function show() {
    const { task } = state.selection;
    box.hidden = !task;
    if (!task) {
      say(note, 'Select a task to see its messages between app, daemon and server.');
      return fill(box);
    }
    const hasDaemon = task.events.some((event) => event.file.role === 'daemon');
    const clocks = clockUncertainty(task.events, model);
    const limits = Number.isFinite(clocks.low) && Number.isFinite(clocks.high)
      ? `The writers' clocks differ by ${durationText(clocks.low)} to ${durationText(clocks.high)} at most; times between lanes are uncertain by that.`
      : 'Nothing in the log limits the difference of the writers’ clocks; only times within one lane can be compared.';
    say(note, `${task.label}: ${clocks.isShared ? 'all writers share one clock.' : limits}${task.events.length > most ? ` The first ${most} of ${task.events.length} events.` : ''}`);
    const list = el('ol', { class: 'sequence' });
    add(list, el('li', { class: 'lanes', 'aria-hidden': true }, el('span'), ...lanes.map((lane, place) => {
      const head = el('span', {}, lane);
      head.style.gridColumn = `${place + 2}`;
      return head;
    })));
    const begin = task.events[0]?.time ?? null;
    for (const event of task.events.slice(0, most)) {
      const [from, to] = way(event, hasDaemon);
      const since = begin !== null && event.time !== null ? `+${durationText(event.time - begin)}` : timeText(event.time);
      add(list, message(from, to, since, event.shape.name, eventText(event, model), event === state.selection.event ? 'selected' : '', clocks.isShared || from === to,
        () => state.select({ event, task })));
    }
    for (const place of task.findings) {
      for (const missing of model.report.findings[place].missing) {
        const due = parseTime(missing.dueBy);
        const target = missing.event.startsWith('delivery.') || missing.event.startsWith('task.') ? (hasDaemon ? [2, 1] : [1, 0]) : [1, 1];
        add(list, message(target[0], target[1], due !== null && begin !== null ? `+${durationText(due - begin)}` : '', missing.event, 'missing', 'ghost', true, null));
      }
    }
    fill(box, list);
  }
  /**
   * @param {number} from
   * @param {number} to
   * @param {string} time
   * @param {string} name
   * @param {string} text
   * @param {string} kind
   * @param {boolean} isSure whether the clocks of both ends are the same
   * @param {(() => void) | null} action
   */
  function message(from, to, time, name, text, kind, isSure, action) {
    const [left, right] = [Math.min(from, to), Math.max(from, to)];
    const label = `${name}${from === to ? '' : ` ${lanes[from]} to ${lanes[to]}`}`;
    const body = action ? el('button', { type: 'button', class: 'quiet', title: text, 'aria-label': `${label}: ${text}`, click: action }, name) : el('span', { title: text }, `${name} ${text}`);
    const arrow = el('span', { class: `arrow ${from === to ? 'point' : to > from ? 'right' : 'left'} ${kind}${isSure ? '' : ' unsure'}` }, body);
    arrow.style.gridColumn = `${left + 2} / ${right + 3}`;
    return el('li', {}, el('span', { class: 'faint' }, time), arrow);
  }
  state.observe((names) => {
    if (names.includes('task') || names.includes('event')) show();
    if (!names.includes('model')) return;
    const restore = placeIn(box);
    show();
    restore(box);
  });
  show();
  return section('sequence', 'Messages of a task', note, box);
}
// The table of tasks with its filter.
/** @typedef {import('./types').Task} Task */
/** @type {[string, string, (task: Task) => string, (task: Task) => string | number | null | undefined][]} */
const columns = [
  ['task', 'Task', (task) => task.label, (task) => task.label],
  ['outcome', 'Outcome', (task) => task.lifecycle?.outcome ?? '–', (task) => task.lifecycle?.outcome],
  ['state', 'State', (task) => task.lifecycle?.state ?? '–', (task) => task.lifecycle?.state],
  ['http', 'HTTP', (task) => String(task.lifecycle?.http ?? '–'), (task) => task.lifecycle?.http],
  ['host', 'Host', (task) => task.host ?? '–', (task) => task.host],
  ['attempts', 'Attempts', (task) => String(task.lifecycle?.attempts ?? '–'), (task) => task.lifecycle?.attempts],
  ['bytes', 'Received', (task) => bytesText(task.lifecycle?.bytes), (task) => task.lifecycle?.bytes],
  ['start', 'Start', (task) => timeText(taskStart(task)), (task) => taskStart(task)],
  ['duration', 'Duration', (task) => durationText(taskDuration(task)), (task) => taskDuration(task)],
  ['findings', 'Findings', (task) => (task.findings.length ? String(task.findings.length) : ''), (task) => task.findings.length],
];
/** Task 10 comes after task 9. */
const textOrder = new Intl.Collator('en', { numeric: true });
/**
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
function tasksSection(model, state) {
  /** @type {Task[]} */
  let shown = [];
  let order = { column: 'start', isDown: false };
  const input = el('input', {
    type: 'text', id: 'task-filter', spellcheck: false, autocomplete: 'off', placeholder: 'outcome=failed AND duration>2s', 'aria-describedby': 'task-filter-note',
    input: () => apply(),
  });
  const note = el('p', { class: 'faint', id: 'task-filter-note', role: 'status' });
  const list = virtualList({ height: 28, label: 'Tasks', render: (index) => row(shown[index]) });
  list.box.setAttribute('role', 'rowgroup');
  const head = el('div', { class: 'row head', role: 'row' });
  for (const [name, title] of columns) {
    head.appendChild(el('div', { class: `cell cell-${name}`, role: 'columnheader', 'data-column': name },
      el('button', { type: 'button', class: 'quiet', click: () => { order = { column: name, isDown: order.column === name && !order.isDown }; apply(); } }, title)));
  }
  /** @param {Task} task */
  function row(task) {
    const isSelected = task === state.selection.task;
    const element = el('div', { class: `row${isSelected ? ' selected' : ''}`, role: 'row', 'aria-selected': isSelected, click: () => select(task) });
    for (const [name, , text] of columns) {
      const outcome = task.lifecycle?.outcome;
      const mark = name === 'outcome' && (outcome === 'failed' || outcome === 'lost') ? ' bad' : '';
      element.appendChild(el('div', { class: `cell cell-${name}${mark}`, role: 'cell', title: text(task) }, text(task)));
    }
    return element;
  }
  /** @param {Task} task */
  function select(task) { state.select({ task, event: task.events[0] ?? null }); }
  list.box.addEventListener('keydown', (key) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[key.key];
    if (by === undefined || shown.length === 0) return;
    key.preventDefault();
    const current = state.selection.task ? shown.indexOf(state.selection.task) : -1;
    const next = Math.min(shown.length - 1, Math.max(0, current + by));
    select(shown[next]);
    list.scrollTo(next);
  });
  function apply() {
    /** @type {import('./filter.js').Predicate} */
    let predicate;
    try {
      predicate = parseFilter(input.value, model);
      input.removeAttribute('aria-invalid');
    } catch (error) {
      input.setAttribute('aria-invalid', 'true');
      fill(note, `This filter is not valid: ${/** @type {Error} */ (error).message}.`);
      return;
    }
    const { range } = state.selection;
    shown = model.tasks.filter((task) => predicate(task) && (!range || ((taskStart(task) ?? Infinity) <= range.to && (taskEnd(task) ?? -Infinity) >= range.from)));
    const value = columns.find(([name]) => name === order.column)?.[3] ?? (() => null);
    const sign = order.isDown ? -1 : 1;
    shown.sort((first, second) => {
      const [one, other] = [value(first) ?? null, value(second) ?? null];
      if (one === other) return 0;
      if (one === null) return 1;
      if (other === null) return -1;
      return (typeof one === 'string' && typeof other === 'string' ? textOrder.compare(one, other) : one < other ? -1 : 1) * sign;
    });
    for (const cell of head.children) {
      const name = /** @type {HTMLElement} */ (cell).dataset.column;
      cell.setAttribute('aria-sort', name === order.column ? (order.isDown ? 'descending' : 'ascending') : 'none');
    }
    say(note, `${countText(shown.length)} of ${counted(model.tasks.length, 'task')}${range ? ' in the selected range' : ''}. Fields: ${filterFields(model).join(', ')}.`);
    list.show(shown.length);
  }
  state.observe((names) => {
    if (names.includes('range') || names.includes('zone') || names.includes('model')) apply();
    else if (names.includes('task')) {
      const place = state.selection.task ? shown.indexOf(state.selection.task) : -1;
      if (place >= 0) list.scrollTo(place); else list.refresh();
    }
  });
  apply();
  return section('tasks', 'Tasks', el('p', { class: 'tools' }, el('label', { for: 'task-filter' }, 'Filter'), input), note,
    el('div', { class: 'table', role: 'table', 'aria-label': 'Tasks' }, head, list.box));
}
// Figures of the attempts by host, and the slowest tasks with their stages.
/** @typedef {import('./types').Task} Task */
/** @typedef {import('./types').Attempt} Attempt */
const stages = ['queue', 'dns', 'connect', 'tls', 'send', 'wait', 'receive'];
/**
 * A percentile by nearest rank; `null` without values.
 * @param {number[]} sorted
 * @param {number} percent
 */
function percentile(sorted, percent) {
  return sorted.length === 0 ? null : sorted[Math.max(0, Math.ceil(percent / 100 * sorted.length) - 1)];
}
/**
 * The time in each stage, in milliseconds.
 * @param {Attempt} attempt
 * @returns {Map<string, number>}
 */
function times(attempt) {
  const found = new Map();
  for (const parts of attempt.requests) {
    for (let place = 0; place + 1 < parts.length; place += 2) found.set(parts[place], (found.get(parts[place]) ?? 0) + parts[place + 1] / 1e6);
  }
  return found;
}
/**
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
function requestsSection(model, state) {
  /** @type {Map<string, { attempts: Attempt[], retries: number }>} */
  const hosts = new Map();
  for (const task of model.tasks) {
    for (const attempt of task.attempts) {
      const host = attempt.host ?? task.host ?? '(unknown)';
      const entry = hosts.get(host) ?? { attempts: [], retries: 0 };
      hosts.set(host, entry);
      entry.attempts.push(attempt);
      if (attempt.number > 1) entry.retries++;
    }
  }
  if (hosts.size === 0) return null;
  const body = el('tbody');
  const sorted = [...hosts].sort((first, second) => second[1].attempts.length - first[1].attempts.length);
  for (const [host, entry] of sorted.slice(0, 50)) add(body, hostRow(host, entry));
  const titles = ['Host', 'Attempts', 'Failed', 'Retries', 'Reused', 'Received of expected', ...stages, 'total'];
  const table = el('table', { class: 'figures' }, el('caption', {}, 'Time in each stage by host: median, 95th and 99th percentile'),
    el('thead', {}, el('tr', {}, ...titles.map((name) => el('th', { scope: 'col' }, name)))), body);
  return section('requests', 'Requests', el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Figures by host' }, table),
    sorted.length > 50 && el('p', { class: 'faint' }, `${countText(sorted.length - 50)} more hosts.`), slowest(model, state));
}
/** @param {string} host @param {{ attempts: Attempt[], retries: number }} entry */
function hostRow(host, { attempts, retries }) {
  const failed = attempts.filter((attempt) => attempt.error !== null || (attempt.status ?? 0) >= 400).length;
  const known = attempts.filter((attempt) => attempt.reused !== null);
  const reused = known.filter((attempt) => attempt.reused).length;
  const sum = (/** @type {(attempt: Attempt) => number | null} */ value) => attempts.reduce((total, attempt) => total + (value(attempt) ?? 0), 0);
  const figures = (/** @type {number[]} */ values) => {
    const sorted = values.sort((first, second) => first - second);
    return sorted.length === 0 ? '–' : [50, 95, 99].map((percent) => durationText(percentile(sorted, percent))).join(' / ');
  };
  const all = attempts.map(times);
  return el('tr', {}, el('th', { scope: 'row' }, host), el('td', {}, countText(attempts.length)), el('td', {}, countText(failed)), el('td', {}, countText(retries)),
    el('td', {}, known.length ? `${Math.round(reused / known.length * 100)} %` : '–'),
    el('td', {}, `${bytesText(sum((attempt) => attempt.received))} of ${bytesText(sum((attempt) => attempt.expected))}`),
    ...stages.map((stage) => el('td', {}, figures(all.map((entry) => entry.get(stage)).filter((value) => value !== undefined).map(Number)))),
    el('td', {}, figures(attempts.map((attempt) => attempt.duration))));
}
/**
 * The tasks that took longest, as a waterfall.
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
function slowest(model, state) {
  const length = (/** @type {Task} */ task) => (taskEnd(task) ?? 0) - (taskStart(task) ?? 0);
  const tasks = model.tasks.filter((task) => task.attempts.length > 0 && taskStart(task) !== null).sort((first, second) => length(second) - length(first)).slice(0, 12);
  if (tasks.length === 0) return null;
  const whole = Math.max(1e-6, length(tasks[0]));
  const list = el('ol', { class: 'waterfall', 'aria-label': 'Slowest tasks' });
  for (const task of tasks) {
    const bar = el('span', { class: 'bar', 'aria-hidden': true });
    const totals = new Map();
    for (const attempt of task.attempts) {
      let offset = attempt.start - (taskStart(task) ?? 0);
      for (const parts of attempt.requests) {
        for (let place = 0; place + 1 < parts.length; place += 2) {
          const [stage, duration] = [parts[place], parts[place + 1] / 1e6];
          totals.set(stage, (totals.get(stage) ?? 0) + duration);
          const piece = el('span', { class: `swatch-${stage}` });
          piece.style.insetInlineStart = `${offset / whole * 100}%`;
          piece.style.width = `max(1px, ${Math.min(100, duration / whole * 100)}%)`;
          if (duration > 0) add(bar, piece);
          offset += duration;
        }
      }
    }
    const text = [...totals].filter(([, duration]) => duration > 0).map(([stage, duration]) => `${stage} ${durationText(duration)}`).join(', ');
    add(list, el('li', {}, el('button', { type: 'button', class: 'link', click: () => state.select({ task, event: task.events[0] ?? null }) }, task.label),
      bar, el('span', { class: 'faint' }, `${durationText(length(task))}: ${text}`)));
  }
  return el('div', {}, el('h3', {}, 'Slowest tasks'), list);
}
// All events with level toggles and a search.
/** @typedef {import('./types').Event} Event */
const levels = ['debug', 'info', 'default', 'error', 'fault'];
/** @type {Record<string, string>} */
const letters = { debug: 'D', info: 'I', default: 'N', error: 'E', fault: 'F' };
/**
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
function logSection(model, state) {
  const hidden = new Set();
  /** @type {Event[]} */
  let shown = model.events;
  const note = el('p', { class: 'faint', role: 'status' });
  const list = virtualList({ height: 24, label: 'Events', render: (index) => row(shown[index]) });
  const search = el('input', { type: 'text', id: 'log-search', spellcheck: false, autocomplete: 'off', placeholder: 'text, event or task', input: () => apply() });
  const ofTask = el('input', { type: 'checkbox', id: 'log-of-task', change: () => apply() });
  const toggles = levels.map((level) => {
    const box = el('input', { type: 'checkbox', id: `log-level-${level}`, checked: true, change: () => { if (box.checked) hidden.delete(level); else hidden.add(level); apply(); } });
    return el('label', { class: 'toggle' }, box, ` ${level}`);
  });
  /** @param {Event} event */
  function row(event) {
    const isSelected = event === state.selection.event;
    return el('div', { class: `event level-${event.shape.level}${isSelected ? ' selected' : ''}`, click: () => state.select({ event, task: event.task }) },
      el('span', { class: 'cell time' }, timeText(event.time)), el('span', { class: 'cell letter', title: event.shape.level }, letters[event.shape.level] ?? '?'),
      el('span', { class: 'cell subject' }, event.task?.label ?? ''), el('span', { class: 'cell name' }, event.shape.name), el('span', { class: 'cell message' }, eventText(event, model)));
  }
  list.box.addEventListener('keydown', (key) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[key.key];
    if (by === undefined || shown.length === 0) return;
    key.preventDefault();
    const current = state.selection.event ? shown.indexOf(state.selection.event) : -1;
    const next = Math.min(shown.length - 1, Math.max(0, current + by));
    state.select({ event: shown[next], task: shown[next].task });
    list.scrollTo(next);
  });
  function apply() {
    const text = search.value.toLowerCase();
    const { range, task } = state.selection;
    shown = model.events.filter((event) => !hidden.has(event.shape.level) && (!range || event.time === null || (event.time >= range.from && event.time <= range.to))
      && (!ofTask.checked || !task || event.task === task) && (text === '' || matches(event, text)));
    say(note, `${countText(shown.length)} of ${counted(model.events.length, 'event')}${range ? ' in the selected range' : ''}${model.gaps.length ? `, ${counted(model.gaps.length, 'gap')}` : ''}.`);
    list.show(shown.length);
  }
  /** @param {Event} event @param {string} text */
  function matches(event, text) {
    return event.shape.name.toLowerCase().includes(text) || (event.task?.label.toLowerCase().includes(text) ?? false) || eventText(event, model).toLowerCase().includes(text);
  }
  state.observe((names) => {
    if (names.includes('range') || names.includes('model') || (names.includes('task') && ofTask.checked)) apply();
    if (names.includes('zone')) list.refresh();
    if (names.includes('event')) {
      const place = state.selection.event ? shown.indexOf(state.selection.event) : -1;
      if (place >= 0) list.scrollTo(place); else list.refresh();
    }
  });
  apply();
  return section('log', 'Log', el('p', { class: 'tools' }, el('label', { for: 'log-search' }, 'Search'), search, ...toggles,
    el('label', { class: 'toggle' }, ofTask, ' only the selected task')), note, list.box);
}
// Builds the page for a model.
/**
 * @param {Element} header
 * @param {Element} main
 * @param {import('./types').Model} model
 * @param {import('./state.js').State} state
 */
function showPage(header, main, model, state) {
  showHeader(header, model, state);
  const timeline = timelineSection(model, state);
  const findings = findingsSection(model, state, timeline.reveal);
  fill(main);
  add(main, findings, renewed(state, () => unknownSection(model)), renewed(state, () => comparisonSection(model, state)), timeline.box,
    detailsPanel(model, state), sequenceSection(model, state), tasksSection(model, state), renewed(state, () => requestsSection(model, state)),
    logSection(model, state), renewed(state, () => aboutSection(model)));
  timeline.resize();
  linkSelection(model, state, timeline.reveal);
  document.body.dataset.state = 'ready';
}
"""####

  /// The module that shows the data in a report file.
  static let fileModule = ####"""
// Shows the report that this file contains.
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
"""####

  /// The module that shows the data that `xferlog serve` sends.
  static let liveModule = ####"""
// Shows the report that `xferlog serve` makes, and each newer one.
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
"""####

  static let style = ####"""
:root {
  color-scheme: light dark;
  --back: #ffffff; --text: #1b1f24; --faint: #5c6670; --line: #e1e5ea; --band: #f2f5f8; --accent: #0b5cad;
  --critical: #b3003b; --error: #b8400a; --warning: #8a5a00; --notice: #37576f;
  --app: #2b6cb0; --daemon: #6b7280; --session: #cbd5e0; --task: #a9b7c6; --open: #d9c48f;
  --queue: #b08900; --dns: #7e57c2; --connect: #c2571a; --tls: #b03a78; --send: #4d9221; --wait: #3f8fb5; --receive: #0b7a55; --deliver: #d05ce3; --handler: #1b1f24;
  --unsure: #c7ccd2; --suspended: #8aa0b8; --up: #0b7a55; --down: #a33b20; --calm: #6b7280;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14181d; --text: #e6e9ec; --faint: #9aa5b1; --line: #2a3139; --band: #1d232a; --accent: #6cb2ff;
    --critical: #ff6b91; --error: #ff9466; --warning: #e8b64a; --notice: #9dc0dc;
    --app: #5a9bdc; --daemon: #8b95a1; --session: #3c4752; --task: #4d5a68; --open: #77673a;
    --queue: #d9ac1f; --dns: #a88be0; --connect: #e88a4f; --tls: #e07bb0; --send: #8cc75e; --wait: #6cbbe0; --receive: #3fc497; --deliver: #e39bf0; --handler: #f2f4f6;
    --unsure: #4a525b; --suspended: #55677a; --up: #3fc497; --down: #e8795a; --calm: #8b95a1;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { background: var(--back); color: var(--text); font: 15px/1.45 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
body { margin: 0 auto; max-width: 1560px; padding: 16px clamp(12px, 2.5vw, 40px) 60px; overflow-wrap: anywhere; }
h1 { font-size: clamp(20px, 2.4vw, 28px); line-height: 1.25; margin: 4px 0 14px; max-width: 60em; }
h2 { font-size: 19px; margin: 34px 0 10px; scroll-margin-top: 8px; }
h2:focus { outline: none; }
p { margin: 6px 0; }
code, pre { font: 13px/1.4 ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; }
pre { background: var(--band); margin: 4px 0; padding: 8px; overflow-x: auto; overflow-wrap: normal; }
.faint { color: var(--faint); font-size: 13px; }
.calm { color: var(--faint); }
button, input, textarea, select { font: inherit; color: inherit; }
select { background: var(--back); border: 1px solid var(--line); border-radius: 6px; padding: 3px 6px; }
button { background: var(--band); border: 1px solid var(--line); border-radius: 6px; padding: 3px 10px; cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--accent); }
button:disabled { opacity: 0.5; cursor: default; }
button.quiet { background: none; border-color: transparent; color: var(--accent); padding: 3px 6px; }
button.link { background: none; border: 0; border-radius: 0; color: var(--accent); padding: 0; text-align: start; text-decoration: underline; text-underline-offset: 2px; }
input[type=text], textarea { background: var(--back); border: 1px solid var(--faint); border-radius: 6px; padding: 4px 8px; }
input[aria-invalid] { border-color: var(--critical); outline-color: var(--critical); }
textarea { display: block; width: 100%; margin-top: 8px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.badge { align-items: center; color: var(--faint); display: flex; gap: 8px; font-size: 13px; letter-spacing: 0.04em; margin: 0; text-transform: uppercase; }
.mark { border-radius: 50%; display: inline-block; height: 12px; width: 12px; background: var(--receive); }
.mark-findings { background: var(--critical); border-radius: 2px; transform: rotate(45deg); }
.mark-incomplete, .mark-nothing-analysed { background: none; border: 3px solid var(--warning); }
.facts { display: flex; flex-wrap: wrap; gap: 4px 28px; margin: 0 0 10px; }
.facts dt { color: var(--faint); font-size: 12px; }
.facts dd { margin: 0; }
nav { border-block: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 2px 8px; padding: 4px 0; }
ul.plain, ul.captures { margin: 0; padding-inline-start: 20px; }
.findings { display: grid; gap: 8px; list-style: none; margin: 0; padding: 0; }
.finding { border: 1px solid var(--line); border-inline-start: 4px solid var(--notice); border-radius: 6px; }
.finding-critical { border-inline-start-color: var(--critical); }
.finding-error { border-inline-start-color: var(--error); }
.finding-warning { border-inline-start-color: var(--warning); }
.finding-head { align-items: start; display: flex; gap: 4px; padding: 4px; }
.finding-title { background: none; border: 0; border-radius: 4px; display: grid; flex: 1; gap: 0 10px; grid-template-columns: 76px 1fr; min-width: 0; padding: 6px; text-align: start; }
.finding-title:hover { background: var(--band); }
.severity { color: var(--notice); font-size: 13px; font-weight: 600; line-height: 1.65; }
.severity-critical { color: var(--critical); }
.severity-error { color: var(--error); }
.severity-warning { color: var(--warning); }
.finding-summary { font-weight: 500; }
.finding-facts { color: var(--faint); font-size: 13px; grid-column: 2; }
.finding-body { padding: 0 14px; }
.finding-one { border-top: 1px solid var(--line); padding: 8px 0 10px; }
.finding-body details { border-top: 1px solid var(--line); padding: 8px 0; }
summary { cursor: pointer; }
.evidence { font: 13px/1.6 ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; margin: 4px 0 10px; padding-inline-start: 24px; }
.evidence .missing { list-style: "◇ "; }
.evidence .missing .link { color: var(--critical); }
.pairs { display: grid; gap: 2px 14px; grid-template-columns: max-content minmax(0, 1fr); margin: 6px 0; }
.pairs dt { color: var(--faint); font-size: 13px; line-height: 1.65; }
.pairs dd { margin: 0; }
.tools { align-items: center; display: flex; flex-wrap: wrap; gap: 6px 10px; }
.tools input[type=text] { flex: 1 1 220px; max-width: 560px; min-width: 0; }
.toggle { white-space: nowrap; }
.timeline { border: 1px solid var(--line); border-radius: 6px; cursor: crosshair; overflow: auto; overflow-x: hidden; position: relative; touch-action: pan-y; user-select: none; }
.timeline canvas { display: block; inset-block-start: 0; inset-inline-start: 0; position: absolute; }
.timeline .list-space { inline-size: 1px; }
.timeline-status { min-height: 1.5em; }
.legend { color: var(--faint); display: flex; flex-wrap: wrap; font-size: 12px; gap: 2px 14px; list-style: none; margin: 6px 0; padding: 0; }
.legend li { align-items: center; display: flex; gap: 5px; }
.swatch { display: inline-block; height: 10px; width: 18px; }
.swatch-app { background: var(--app); } .swatch-daemon { background: var(--daemon); } .swatch-dns { background: var(--dns); } .swatch-connect { background: var(--connect); }
.swatch-tls { background: var(--tls); } .swatch-send { background: var(--send); } .swatch-receive { background: var(--receive); } .swatch-deliver { background: var(--deliver); }
.swatch-handler { background: var(--handler); }
.swatch-queue { background: repeating-linear-gradient(135deg, var(--queue) 0 2px, var(--back) 2px 3.5px); }
.swatch-wait { background: repeating-linear-gradient(135deg, var(--wait) 0 2px, var(--back) 2px 3.5px); }
.tip { background: var(--text); border-radius: 4px; color: var(--back); font-size: 12px; max-width: min(420px, 90vw); padding: 4px 8px; pointer-events: none; position: fixed; z-index: 9; }
.details { border: 1px solid var(--line); border-radius: 6px; margin-top: 10px; padding: 8px 14px; }
.steps { display: flex; flex-wrap: wrap; gap: 6px; }
.list { border: 1px solid var(--line); border-radius: 6px; max-height: min(420px, 60vh); overflow: auto; position: relative; }
.list-rows { inset-block-start: 0; inset-inline: 0; position: absolute; }
.table { overflow-x: auto; }
.table .list { border-start-start-radius: 0; border-start-end-radius: 0; min-width: 980px; overflow-x: hidden; scrollbar-gutter: stable; }
.row { align-items: center; cursor: pointer; display: grid; gap: 10px; grid-template-columns: minmax(120px, 1.4fr) 92px 120px 52px minmax(110px, 1.2fr) 72px 86px 104px 90px 76px; height: 28px; min-width: 980px; padding: 0 10px; white-space: nowrap; }
.row.head { background: var(--band); border: 1px solid var(--line); border-bottom: 0; border-radius: 6px 6px 0 0; cursor: default; }
.row.head button { color: var(--text); font-size: 13px; font-weight: 600; padding: 0; }
[aria-sort=ascending] button::after { content: " ▲"; }
[aria-sort=descending] button::after { content: " ▼"; }
.row .cell, .event .cell { overflow: hidden; text-overflow: ellipsis; }
.cell-http, .cell-attempts, .cell-bytes, .cell-duration, .cell-findings, .cell-start { font-variant-numeric: tabular-nums; text-align: end; }
.bad { color: var(--critical); font-weight: 600; }
.selected { background: var(--band); box-shadow: inset 3px 0 var(--accent); }
.event { align-items: center; cursor: pointer; display: grid; font: 12.5px/1 ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; gap: 10px; grid-template-columns: 96px 14px minmax(70px, 140px) minmax(120px, 230px) minmax(0, 1fr); height: 24px; padding: 0 10px; white-space: nowrap; }
.event .cell { line-height: 24px; }
.event .time, .event .subject { color: var(--faint); }
.level-error .letter, .level-fault .letter, .level-error .name, .level-fault .name { color: var(--critical); font-weight: 600; }
.level-debug, .level-info { color: var(--faint); }
.level { border: 1px solid currentColor; border-radius: 4px; font-size: 12px; padding: 0 5px; }
.level-error.level, .level-fault.level { color: var(--critical); }
table { border-collapse: collapse; font-size: 13px; margin: 6px 0; }
th, td { overflow-wrap: normal; border-bottom: 1px solid var(--line); padding: 3px 14px 3px 0; text-align: start; vertical-align: top; }
th[scope=row] { font-weight: 500; }
.scroll { overflow-x: auto; }
@media (max-width: 640px) {
  .finding-title { grid-template-columns: 1fr; }
  .finding-facts { grid-column: 1; }
  .finding-head { flex-direction: column; }
  .pairs { grid-template-columns: 1fr; }
  .event { grid-template-columns: 92px 12px minmax(60px, 1fr) minmax(110px, 1.6fr); }
  .event .message { display: none; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; }
  nav, .tools, .steps, .tip, #timeline-keys { display: none; }
  .finding, .details { break-inside: avoid; }
  .list, .table, .scroll { max-height: none; overflow: visible; }
  .list .list-space { display: none; }
  .list-rows { position: static; transform: none !important; }
  .row, .event, .table .list { height: auto; min-width: 0; }
  .row, .row.head button { font-size: 10px; }
  .row { gap: 6px; grid-template-columns: minmax(0, 1.5fr) repeat(9, minmax(0, 1fr)); }
  .event { font-size: 10px; grid-template-columns: 76px 10px minmax(0, 1fr) minmax(0, 1.5fr) minmax(0, 2.5fr); }
  .row .cell, .event .cell { line-height: 1.3; overflow: visible; overflow-wrap: anywhere; white-space: normal; }
}
h3 { font-size: 15px; margin: 16px 0 6px; }
caption { color: var(--faint); padding: 2px 0; text-align: start; }
.figures { white-space: nowrap; }
.figures td { font-variant-numeric: tabular-nums; }
.waterfall { list-style: none; margin: 0; padding: 0; }
.waterfall li { align-items: center; display: grid; gap: 4px 12px; grid-template-columns: minmax(90px, 180px) minmax(120px, 1fr) minmax(0, 1.2fr); padding: 2px 0; }
.bar { background: var(--band); height: 14px; overflow: hidden; position: relative; }
.bar span { height: 100%; position: absolute; }
.sequence-box { border: 1px solid var(--line); border-radius: 6px; max-height: 480px; overflow: auto; }
.sequence { font-size: 13px; list-style: none; margin: 0; min-width: 620px; padding: 0; }
.sequence li { align-items: center; display: grid; gap: 0; grid-template-columns: 90px repeat(4, minmax(120px, 1fr)); min-height: 26px; padding: 0 10px; }
.sequence .lanes { background: var(--band); font-weight: 600; position: sticky; text-align: center; top: 0; z-index: 1; }
.arrow { border-bottom: 2px solid var(--accent); margin: 0 calc(50% / 4); position: relative; text-align: center; white-space: nowrap; }
.arrow.point { border-bottom: 0; margin: 0; }
.arrow.point button { color: var(--text); }
.arrow.right::after, .arrow.left::before { border: 5px solid transparent; bottom: -6px; content: ""; position: absolute; }
.arrow.right::after { border-left-color: var(--accent); right: -6px; }
.arrow.left::before { border-right-color: var(--accent); left: -6px; }
.arrow.unsure { border-bottom-style: dotted; }
.arrow.ghost { border-bottom: 2px dashed var(--critical); color: var(--critical); }
.arrow.ghost.right::after { border-left-color: var(--critical); }
.arrow.ghost.left::before { border-right-color: var(--critical); }
.copy { margin: 6px 0; }
@media (max-width: 640px) { .waterfall li { grid-template-columns: 1fr; } }
.changes .group th, .changes .group td { background: var(--band); padding-inline-start: 6px; }
.changes .before { color: var(--faint); }
.changes .after { font-weight: 600; }
.difference { padding: 6px 12px; }
.live { color: var(--faint); font-size: 13px; }
body[data-live=no] .live { color: var(--error); font-weight: 600; }
.problem { border: 1px solid var(--warning); border-radius: 6px; padding: 4px 10px; }

"""####
}
