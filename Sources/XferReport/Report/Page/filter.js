// @ts-check
// The part of the query language that filters tasks: comparisons of fields, words, NOT, AND, OR and parentheses.
import { taskStart, taskEnd } from './model.js';

/** @typedef {(task: import('./types').Task) => boolean} Predicate */

/** @type {Record<string, (task: import('./types').Task) => string | number | null | undefined>} */
export const taskFields = {
  task: (task) => task.label,
  session: (task) => task.session,
  number: (task) => task.number,
  uid: (task) => task.uid,
  type: (task) => task.lifecycle?.type,
  state: (task) => task.lifecycle?.state,
  outcome: (task) => task.lifecycle?.outcome,
  http: (task) => task.lifecycle?.http,
  error: (task) => task.lifecycle?.error?.name,
  host: (task) => task.host,
  method: (task) => task.method,
  attempts: (task) => task.lifecycle?.attempts ?? task.attempts.length,
  bytes: (task) => task.lifecycle?.bytes,
  findings: (task) => task.findings.length,
  duration: (task) => { const [start, end] = [taskStart(task), taskEnd(task)]; return start === null || end === null ? null : end - start; },
};

const units = new Map(/** @type {[string, number][]} */ ([
  ['ns', 1e-6], ['us', 1e-3], ['ms', 1], ['s', 1000], ['m', 60_000], ['min', 60_000], ['h', 3_600_000], ['d', 86_400_000],
  ['b', 1], ['kb', 1e3], ['mb', 1e6], ['gb', 1e9], ['kib', 1024], ['mib', 1024 ** 2], ['gib', 1024 ** 3],
]));

/**
 * A number with an optional unit of time (result in milliseconds) or size (in bytes); `null` if the text is none.
 * @param {string} text
 */
function quantity(text) {
  const found = /^(-?\d+(?:\.\d+)?)([a-zA-Z]*)$/.exec(text);
  if (!found) return null;
  const unit = found[2] === '' ? 1 : units.get(found[2].toLowerCase());
  return unit === undefined ? null : Number(found[1]) * unit;
}

const operators = ['==', '!=', '>=', '<=', '~=', '=', '>', '<'];

/**
 * @param {string} query
 * @returns {string[]} words, operators and parentheses
 */
function tokens(query) {
  const found = [];
  const pattern = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(==|!=|>=|<=|~=|=|>|<|\(|\)|&&|\|\||!)|([^\s()=!<>~"'&|]+))/gy;
  let end = 0;
  for (let match = pattern.exec(query); match; match = pattern.exec(query)) {
    end = pattern.lastIndex;
    const quoted = match[1] ?? match[2];
    found.push(quoted !== undefined ? `"${quoted.replace(/\\(.)/g, '$1')}` : match[3] ?? match[4]);
  }
  if (query.slice(end).trim() !== '') throw new Error(`“${query.slice(end).trim()}” is not understood`);
  return found;
}

/**
 * Reads a filter such as `outcome=failed AND host~=example`.
 * @param {string} query
 * @returns {Predicate}
 * @throws {Error} with a sentence for the user
 */
export function parseFilter(query) {
  const words = tokens(query);
  let place = 0;
  const word = () => words[place]?.toUpperCase();

  /** @returns {Predicate} */
  function either() {
    let left = both();
    while (word() === 'OR' || word() === '||') {
      place++;
      const [first, second] = [left, both()];
      left = (task) => first(task) || second(task);
    }
    return left;
  }

  /** @returns {Predicate} */
  function both() {
    let left = single();
    while (place < words.length && word() !== 'OR' && word() !== '||' && word() !== ')') {
      if (word() === 'AND' || word() === '&&') place++;
      const [first, second] = [left, single()];
      left = (task) => first(task) && second(task);
    }
    return left;
  }

  /** @returns {Predicate} */
  function single() {
    if (place >= words.length) throw new Error('a condition is missing at the end');
    if (word() === 'NOT' || word() === '!') {
      place++;
      const inner = single();
      return (task) => !inner(task);
    }
    if (word() === '(') {
      place++;
      const inner = either();
      if (word() !== ')') throw new Error('a closing parenthesis is missing');
      place++;
      return inner;
    }
    return comparison();
  }

  /** @returns {Predicate} */
  function comparison() {
    const name = words[place++];
    if (operators.includes(name) || name === ')') throw new Error(`a field is missing before “${name}”`);
    if (!operators.includes(words[place])) return contains(name.replace(/^"/, ''));
    const operator = words[place++];
    if (place >= words.length) throw new Error(`a value is missing after “${operator}”`);
    const value = words[place++].replace(/^"/, '');
    const field = taskFields[name];
    if (!field) throw new Error(`“${name}” is not a field; the fields are ${Object.keys(taskFields).join(', ')}`);
    return compare(field, operator, value);
  }

  if (words.length === 0) return () => true;
  const predicate = either();
  if (place < words.length) throw new Error(`“${words[place]}” was not expected`);
  return predicate;
}

/** @param {string} text @returns {Predicate} */
function contains(text) {
  const wanted = text.toLowerCase();
  const names = ['task', 'host', 'method', 'state', 'outcome', 'error', 'type', 'uid'];
  return (task) => names.some((name) => String(taskFields[name](task) ?? '').toLowerCase().includes(wanted));
}

/**
 * @param {(task: import('./types').Task) => string | number | null | undefined} field
 * @param {string} operator
 * @param {string} text
 * @returns {Predicate}
 */
function compare(field, operator, text) {
  const number = quantity(text);
  const lower = text.toLowerCase();
  return (task) => {
    const value = field(task);
    // An unknown value is neither equal, smaller nor larger.
    if (value === null || value === undefined) return operator === '!=';
    const same = typeof value === 'number' && number !== null ? value === number : String(value).toLowerCase() === lower;
    switch (operator) {
      case '=': case '==': return same;
      case '!=': return !same;
      case '~=': return String(value).toLowerCase().includes(lower);
      default:
        if (typeof value !== 'number' || number === null) return false;
        return operator === '>' ? value > number : operator === '<' ? value < number : operator === '>=' ? value >= number : value <= number;
    }
  };
}
