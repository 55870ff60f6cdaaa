// @ts-check
// The tokens, values and comparisons of conditions in the query language, as `xferlog query` reads them.
import { pattern } from './pattern.js';
import { timeExpression } from './times.js';

/** @typedef {'yes' | 'no' | 'unknown'} Truth */
/** @typedef {{ kind: string, text: string, from: number, to: number }} Token */
/** @typedef {{ name: string, type: string, words: string[] | null }} Field */
/** @typedef {string | number | { hash: string } | { redacted: true } | { cut: string } | null | undefined} Reading */
/** @typedef {{ sign: string, values: (string | bigint)[], ignoresCase: boolean, ignoresMarks: boolean }} Comparison */

/** A mistake in a condition, with its place in the text. */
export class FilterError extends Error {
  /** @param {string} problem @param {Token} token */
  constructor(problem, token) {
    super(token.from === token.to ? `${problem} (at the end)` : `${problem} (at character ${token.from + 1}: “${token.text}”)`);
  }
}

const signSpellings = ['~~=', '==', '!=', '<>', '<=', '=<', '>=', '=>', '!~', '~=', '?=', '&&', '||', '=', '<', '>', '~', '(', ')', '{', '}', ',', '|'];
const signMeanings = new Map([['~~=', '~'], ['==', '='], ['<>', '!='], ['=<', '<='], ['=>', '>='], ['&&', 'and'], ['||', 'or']]);
export const comparisonSigns = new Set(['=', '!=', '<', '<=', '>', '>=', '~', '!~', '~=', '?=']);

/** @param {string} sign */
function isSpace(sign) { return sign <= ' ' || sign === '\u007f'; }

/** Splits a condition into tokens. */
export class Tokens {
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
export function isNumber(field) { return ['number', 'bytes', 'duration', 'time'].includes(field.type); }

/**
 * A value of a field; `null` if the text is none.
 * @param {Field} field @param {string} text @returns {string | bigint | null}
 */
export function literal(field, text) {
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
export function howWritten(field) {
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
export function comparisonTest(field, comparison) {
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
