// @ts-check
// Filters of tasks: conditions of the query language about the fields of tasks, and texts in their events.
import { eventText, valueText } from './format.js';
import { taskEnd, taskStart } from './model.js';
import { PatternError } from './pattern.js';
import { FilterError, Tokens, comparisonSigns, comparisonTest, howWritten, isNumber, literal } from './query.js';

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
export function taskDuration(task) {
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
export function filterFields(model) { return ['task', ...(model.report.taskFields ?? []).map(({ name }) => name.replace(/^task\./, '')), 'findings', 'duration']; }

/**
 * Reads a filter such as `outcome=failed AND host CONTAINS[c] "example"`.
 * @param {string} query
 * @param {Model} model
 * @returns {Predicate}
 * @throws {FilterError} with a sentence for the user
 */
export function parseFilter(query, model) {
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
